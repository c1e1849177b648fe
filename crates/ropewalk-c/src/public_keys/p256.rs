//! P-256: ECDH (SP 800-56A Rev. 3, section 5.7.1.2), and the keys of ECDSA.

use std::ffi::c_void;

use ropewalk::{
    keys,
    p256::{COMPRESSED_LEN, LEN, PrivateKey, PublicKey, UNCOMPRESSED_LEN},
    swept,
};
use zeroize::Zeroizing;

use crate::{
    enter::{Failure, Result, call, making},
    memory,
    object::{self, words},
    overlap::{self, Span},
    public_keys::{
        check_output, check_room,
        files::{self, Room, ropewalk_key_form},
        put,
    },
    status::{ropewalk_error, ropewalk_status},
};

pub(crate) mod many;
pub(crate) mod signatures;

/// Words of a ropewalk_p256_key.
pub const ROPEWALK_P256_KEY_WORDS: usize = 8;

/// Words of a ropewalk_p256_public_key.
pub const ROPEWALK_P256_PUBLIC_KEY_WORDS: usize = 10;

/// Bytes of a private key, and of a shared secret, of P-256.
pub const ROPEWALK_P256_LEN: usize = 32;

/// Bytes of an uncompressed public key of P-256: 4, x and y.
pub const ROPEWALK_P256_UNCOMPRESSED_LEN: usize = 65;

/// Bytes of a compressed public key of P-256: 2 or 3 for an even or odd y, and x.
pub const ROPEWALK_P256_COMPRESSED_LEN: usize = 33;

const _: () = assert!(ROPEWALK_P256_LEN == LEN, "the library has another one");
const _: () = assert!(ROPEWALK_P256_UNCOMPRESSED_LEN == UNCOMPRESSED_LEN, "as well");
const _: () = assert!(ROPEWALK_P256_COMPRESSED_LEN == COMPRESSED_LEN, "as well");

/// A private key of P-256. It must not be copied or moved.
#[repr(C)]
pub struct ropewalk_p256_key {
    /// Private.
    pub words: [u64; ROPEWALK_P256_KEY_WORDS],
}

words! { ropewalk_p256_key has a key, PrivateKey, "private key", b"RWp256  " }

/// A public key of P-256, ready to verify signatures. It must not be copied or moved.
#[repr(C)]
pub struct ropewalk_p256_public_key {
    /// Private.
    pub words: [u64; ROPEWALK_P256_PUBLIC_KEY_WORDS],
}

words! { ropewalk_p256_public_key has PublicKey, "public key", b"RWp256pu" }

/// Makes a private key of 32 bytes: a number from 1 to n - 1, big-endian. Previous contents of the key are not wiped.
///
/// Fails with ROPEWALK_INVALID for any other number.
///
/// # Safety
/// `key` is for writing; `secret` has 32 bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_key_init(
    key: *mut ropewalk_p256_key,
    secret: *const c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(secret, LEN)])?;
        // SAFETY: the caller's bytes, which are not the key's.
        let secret = unsafe { memory::array("secret", secret) }?;
        // SAFETY: the caller's key.
        unsafe { object::make(key, || Ok(PrivateKey::from_bytes(secret)?)) }
    })
}

/// Makes a private key of random bytes. Previous contents of the key are not wiped.
///
/// Fails with ROPEWALK_NO_RANDOMNESS where the operating system provides none.
///
/// # Safety
/// `key` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_key_generate(
    key: *mut ropewalk_p256_key,
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
pub unsafe extern "C" fn ropewalk_p256_key_wipe(key: *mut ropewalk_p256_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// Writes the 32 bytes of a private key, as ropewalk_p256_key_init() takes them, to `secret`.
///
/// # Safety
/// `key` was made; `secret` has 32 bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_key_bytes(
    key: *const ropewalk_p256_key,
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

/// Makes a private key of a file: DER of PKCS#8, or PEM labelled PRIVATE KEY or EC PRIVATE KEY. Previous contents of the key are not wiped.
///
/// Fails with ROPEWALK_INVALID, and the reason, for a file that has no key, or one that is encrypted or damaged; with
/// ROPEWALK_WRONG_KIND for a key of another algorithm.
///
/// # Safety
/// `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_key_read(
    key: *mut ropewalk_p256_key,
    file: *const c_void,
    file_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        let pick = |key| match key {
            keys::PrivateKey::P256(key) => Ok(key),
            _ => files::other("P-256"),
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
pub unsafe extern "C" fn ropewalk_p256_key_write(
    key: *const ropewalk_p256_key,
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

/// Writes the public key of a private key to `public_key`: uncompressed if `public_key_len` is 65, compressed if it is 33 (SEC 1,
/// section 2.3.3).
///
/// Fails with ROPEWALK_LENGTH for other lengths.
///
/// # Safety
/// `key` was made; `public_key` has `public_key_len` bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_public(
    key: *const ropewalk_p256_key,
    public_key: *mut c_void,
    public_key_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_public_room((public_key, public_key_len), Span::of(key))?;
        // SAFETY: the caller's key.
        let public = unsafe { object::get(key) }?.public();
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { put_public((public_key, public_key_len), &public) };
        Ok(())
    })
}

/// Makes a public key of its bytes: 65 uncompressed, or 33 compressed (SEC 1, section 2.3.4). Previous contents of the key are not
/// wiped.
///
/// Fails with ROPEWALK_LENGTH for other lengths, and with ROPEWALK_INVALID if the bytes are not those of a point on the curve.
///
/// # Safety
/// `key` is for writing; `public_key` has `public_key_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_public_key_init(
    key: *mut ropewalk_p256_public_key,
    public_key: *const c_void,
    public_key_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(public_key, public_key_len)])?;
        check_public(public_key, public_key_len)?;
        // SAFETY: the caller's bytes, which have been checked.
        let public = || unsafe { read_public(public_key, public_key_len) };
        // SAFETY: the caller's key, which has none of the bytes.
        unsafe { object::make(key, public) }
    })
}

/// Makes a public key of a file: DER of SubjectPublicKeyInfo, or PEM labelled PUBLIC KEY. Previous contents of the key are not
/// wiped.
///
/// Fails with ROPEWALK_INVALID, and the reason, for a file that has no key; with ROPEWALK_WRONG_KIND for a key of another algorithm.
///
/// # Safety
/// `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_public_key_read(
    key: *mut ropewalk_p256_public_key,
    file: *const c_void,
    file_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(file, file_len)])?;
        // SAFETY: the caller's bytes.
        let read = match unsafe { files::read_public(file, file_len) }? {
            keys::PublicKey::P256(read) => read,
            _ => return files::other("P-256"),
        };
        // SAFETY: the caller's key, apart from the file.
        unsafe { object::make(key, || Ok(read)) }
    })
}

/// Writes a public key as SubjectPublicKeyInfo to `file`, which has ROPEWALK_KEY_FILE_LEN bytes, and the length to `file_len`. The
/// bytes after it are left unchanged.
///
/// Fails with ROPEWALK_NO_ALGORITHM unless `form` is ROPEWALK_DER or ROPEWALK_PEM.
///
/// # Safety
/// `key` was made; `file` has ROPEWALK_KEY_FILE_LEN bytes for writing; `file_len` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_public_key_write(
    key: *const ropewalk_p256_public_key,
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
        unsafe { room.put_public(form, key) }
    })
}

/// Wipes a public key. NULL, and a key that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `key` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_public_key_wipe(key: *mut ropewalk_p256_public_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// Writes the bytes of a public key, as ropewalk_p256_public_key_init() takes them, to `public_key`: uncompressed if
/// `public_key_len` is 65, compressed if it is 33.
///
/// Fails with ROPEWALK_LENGTH for other lengths.
///
/// # Safety
/// `key` was made; `public_key` has `public_key_len` bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_public_key_bytes(
    key: *const ropewalk_p256_public_key,
    public_key: *mut c_void,
    public_key_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_public_room((public_key, public_key_len), Span::of(key))?;
        // SAFETY: the caller's key.
        let public = unsafe { object::get(key) }?;
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { put_public((public_key, public_key_len), public) };
        Ok(())
    })
}

/// Writes the 32 bytes of the secret that both sides share to `secret`: ours with `key`, theirs with the private key of `public_key`,
/// which has 65 bytes uncompressed, or 33 compressed. It is an x-coordinate, big-endian, which is not uniformly random: derive keys
/// from it, with ropewalk_hkdf() for instance. `secret` may overlap `public_key`.
///
/// Fails as ropewalk_p256_public_key_init() for a public key that is not valid.
///
/// # Safety
/// `key` was made; `public_key` has `public_key_len` bytes, and `secret` has 32 for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_agree(
    key: *const ropewalk_p256_key,
    public_key: *const c_void,
    public_key_len: usize,
    secret: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_agreement(Span::of(key), (public_key, public_key_len), secret)?;
        // SAFETY: the caller's key.
        let key = unsafe { object::get(key) }?;
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { agree(key, (public_key, public_key_len), secret) }
    })
}

/// Checks all memory of an agreement but its private key.
fn check_agreement(
    key: Span,
    (public_key, len): (*const c_void, usize),
    secret: *mut c_void,
) -> Result<()> {
    check_output::<LEN>("secret", secret, key)?;
    check_public(public_key, len)
}

/// # Safety
/// As [`ropewalk_p256_agree`], and [`check_agreement`] has accepted the pointers.
#[inline(always)]
unsafe fn agree(
    key: &PrivateKey,
    (public_key, len): (*const c_void, usize),
    secret: *mut c_void,
) -> Result<()> {
    // SAFETY: as the caller says.
    let shared = key.agree(&unsafe { read_public(public_key, len) }?);
    // SAFETY: as the caller says; the public key has been copied.
    unsafe { put(secret, shared.as_bytes()) };
    Ok(())
}

/// Checks the length of a public key.
fn check_public_len(len: usize) -> Result<()> {
    match len {
        UNCOMPRESSED_LEN | COMPRESSED_LEN => Ok(()),
        _ => Err(Failure::length("public key", len, "33 or 65 bytes")),
    }
}

/// Checks the bytes of a public key, but not their values.
fn check_public(at: *const c_void, len: usize) -> Result<()> {
    check_public_len(len)?;
    memory::not_null("public key", at)
}

/// Checks that there is a place for a public key, apart from another key.
fn check_public_room(at: (*mut c_void, usize), key: Span) -> Result<()> {
    check_public_len(at.1)?;
    check_room("public key", at, key)
}

/// The public key of bytes.
///
/// # Safety
/// The caller's bytes, which [`check_public`] has accepted.
#[inline(always)]
unsafe fn read_public(at: *const c_void, len: usize) -> Result<PublicKey> {
    // SAFETY: as the caller says.
    Ok(PublicKey::from_bytes(unsafe { memory::bytes(at, len) })?)
}

/// Writes a public key in the form of its length.
///
/// # Safety
/// The caller's bytes, which [`check_public_room`] has accepted; there is no reference to them.
#[inline(always)]
unsafe fn put_public((at, len): (*mut c_void, usize), public: &PublicKey) {
    match len {
        // SAFETY: as the caller says.
        COMPRESSED_LEN => unsafe { put(at, &public.to_compressed()) },
        // SAFETY: the same, as there is no third length.
        _ => unsafe { put(at, &public.to_bytes()) },
    }
}
