//! X25519 (RFC 7748).

use std::ffi::c_void;

use ropewalk::{
    keys, swept,
    x25519::{LEN, PrivateKey, PublicKey},
};
use zeroize::Zeroizing;

use crate::{
    enter::{Result, call, making},
    memory,
    object::{self, words},
    overlap::{self, Span},
    public_keys::{
        check_output,
        files::{self, Room, ropewalk_key_form},
        put,
    },
    status::{ropewalk_error, ropewalk_status},
};

pub(crate) mod many;

/// Words of a ropewalk_x25519_key.
pub const ROPEWALK_X25519_KEY_WORDS: usize = 8;

/// Bytes of a private key, a public key and a shared secret of X25519.
pub const ROPEWALK_X25519_LEN: usize = 32;

const _: () = assert!(ROPEWALK_X25519_LEN == LEN, "the library has another one");

/// A private key of X25519. It must not be copied or moved.
#[repr(C)]
pub struct ropewalk_x25519_key {
    /// Private.
    pub words: [u64; ROPEWALK_X25519_KEY_WORDS],
}

words! { ropewalk_x25519_key has a key, PrivateKey, "private key", b"RWx25519" }

/// Makes a private key of 32 bytes of any value. Previous contents of the key are not wiped.
///
/// # Safety
/// `key` is for writing; `secret` has 32 bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_key_init(
    key: *mut ropewalk_x25519_key,
    secret: *const c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(secret, LEN)])?;
        // SAFETY: the caller's bytes, which are not the key's.
        let secret = unsafe { memory::array("secret", secret) }?;
        // SAFETY: the caller's key.
        unsafe { object::make_key(key, || PrivateKey::from_bytes(secret)) }
    })
}

/// Makes a private key of random bytes. Previous contents of the key are not wiped.
///
/// Fails with ROPEWALK_NO_RANDOMNESS where the operating system provides none.
///
/// # Safety
/// `key` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_key_generate(
    key: *mut ropewalk_x25519_key,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        // SAFETY: the caller's key.
        swept(6144, || unsafe { object::make(key, || Ok(PrivateKey::generate()?)) })
    })
}

/// Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `key` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_key_wipe(key: *mut ropewalk_x25519_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// Writes the 32 bytes of a private key, as ropewalk_x25519_key_init() takes them, to `secret`.
///
/// # Safety
/// `key` was made; `secret` has 32 bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_key_bytes(
    key: *const ropewalk_x25519_key,
    secret: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_output::<LEN>("secret", secret, Span::of(key))?;
        // SAFETY: the caller's key.
        let bytes = Zeroizing::new(unsafe { object::get(key) }?.to_bytes());
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { put(secret, &bytes) };
        Ok(())
    })
}

/// Makes a private key of a file: DER of PKCS#8, or PEM labelled PRIVATE KEY. Previous contents of the key are not wiped.
///
/// Fails with ROPEWALK_INVALID, and the reason, for a file that has no key, or one that is encrypted or damaged; with
/// ROPEWALK_WRONG_KIND for a key of another algorithm.
///
/// # Safety
/// `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_key_read(
    key: *mut ropewalk_x25519_key,
    file: *const c_void,
    file_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        let pick = |key| match key {
            keys::PrivateKey::X25519(key) => Ok(key),
            _ => files::other("X25519"),
        };
        // SAFETY: as the caller says.
        unsafe { files::read_private(key, (file, file_len), pick) }
    })
}

/// Writes a private key as PKCS#8 to `file`, which has ROPEWALK_KEY_FILE_LEN bytes, and the length to `file_len`. The bytes after
/// it are left unchanged. The file is secret.
///
/// Fails with ROPEWALK_NO_ALGORITHM unless `form` is ROPEWALK_DER or ROPEWALK_PEM.
///
/// # Safety
/// `key` was made; `file` has ROPEWALK_KEY_FILE_LEN bytes for writing; `file_len` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_key_write(
    key: *const ropewalk_x25519_key,
    form: ropewalk_key_form,
    file: *mut c_void,
    file_len: *mut usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let room = Room { file, len: file_len };
        room.check(Span::of(key))?;
        // SAFETY: the caller's key.
        let key = unsafe { object::get(key) }?;
        // SAFETY: the caller's memory, which has been checked.
        unsafe { room.put_private(form, key) }
    })
}

/// Writes the 32 bytes of the public key to `public_key`.
///
/// # Safety
/// `key` was made; `public_key` has 32 bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_public(
    key: *const ropewalk_x25519_key,
    public_key: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_output::<LEN>("public key", public_key, Span::of(key))?;
        // SAFETY: the caller's key.
        let PublicKey(bytes) = unsafe { object::get(key) }?.public();
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { put(public_key, &bytes) };
        Ok(())
    })
}

/// Writes the 32 bytes of a public key of a file to `public_key`: DER of SubjectPublicKeyInfo, or PEM labelled PUBLIC KEY.
/// `public_key` may overlap the file.
///
/// Fails with ROPEWALK_INVALID, and the reason, for a file that has no key; with ROPEWALK_WRONG_KIND for a key of another algorithm.
///
/// # Safety
/// `public_key` has 32 bytes for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_public_read(
    public_key: *mut c_void,
    file: *const c_void,
    file_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        memory::not_null("public key", public_key)?;
        // SAFETY: the caller's bytes.
        match unsafe { files::read_public(file, file_len) }? {
            keys::PublicKey::X25519(read) => {
                // SAFETY: the caller's bytes; the file has been read.
                unsafe { put(public_key, &read.0) };
                Ok(())
            }
            _ => files::other("X25519"),
        }
    })
}

/// Writes a public key of 32 bytes as SubjectPublicKeyInfo to `file`, which has ROPEWALK_KEY_FILE_LEN bytes, and the length to
/// `file_len`. The bytes after it are left unchanged.
///
/// Fails with ROPEWALK_NO_ALGORITHM unless `form` is ROPEWALK_DER or ROPEWALK_PEM.
///
/// # Safety
/// `public_key` has 32 bytes; `file` has ROPEWALK_KEY_FILE_LEN bytes for writing; `file_len` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_public_write(
    public_key: *const c_void,
    form: ropewalk_key_form,
    file: *mut c_void,
    file_len: *mut usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let room = Room { file, len: file_len };
        room.check(Span::new(public_key, 32))?;
        // SAFETY: the caller's bytes.
        let public = PublicKey(*unsafe { memory::array("public key", public_key) }?);
        // SAFETY: the caller's memory, which has been checked.
        unsafe { room.put_public(form, &public) }
    })
}

/// Writes the 32 bytes of the secret that both sides share to `secret`: ours with `key`, theirs with the private key of `public_key`,
/// which has 32 bytes of any value. It is not uniformly random: derive keys from it, with ropewalk_hkdf() for instance. `secret` may
/// overlap `public_key`.
///
/// Fails with ROPEWALK_INVALID if `public_key` has small order, so that the secret would be zero.
///
/// # Safety
/// `key` was made; `public_key` has 32 bytes, and `secret` too, for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_agree(
    key: *const ropewalk_x25519_key,
    public_key: *const c_void,
    secret: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_output::<LEN>("secret", secret, Span::of(key))?;
        memory::not_null("public key", public_key)?;
        // SAFETY: the caller's key.
        let key = unsafe { object::get(key) }?;
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { agree(key, public_key, secret) }
    })
}

/// # Safety
/// As [`ropewalk_x25519_agree`], and both pointers have been checked.
#[inline(always)]
unsafe fn agree(key: &PrivateKey, public_key: *const c_void, secret: *mut c_void) -> Result<()> {
    // SAFETY: as the caller says.
    let shared = key.agree(&unsafe { read(public_key) })?;
    // SAFETY: as the caller says; the public key has been copied.
    unsafe { put(secret, shared.as_bytes()) };
    Ok(())
}

/// A copy of a public key.
///
/// # Safety
/// `at` has 32 bytes.
#[inline(always)]
unsafe fn read(at: *const c_void) -> PublicKey {
    // SAFETY: as the caller says; bytes are aligned anywhere.
    PublicKey(unsafe { at.cast::<[u8; LEN]>().read() })
}
