//! Ed25519 (RFC 8032), with its variants Ed25519ctx and Ed25519ph.

use std::ffi::c_void;

use ropewalk::{
    ed25519::{KEY_LEN, PrivateKey, PublicKey, SIGNATURE_LEN},
    keys, swept,
};
use zeroize::Zeroizing;

use crate::{
    enter::{call, making},
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

/// Words of a ropewalk_ed25519_key.
pub const ROPEWALK_ED25519_KEY_WORDS: usize = 24;

/// Words of a ropewalk_ed25519_public_key.
pub const ROPEWALK_ED25519_PUBLIC_KEY_WORDS: usize = 32;

/// Bytes of a private key, and of a public key, of Ed25519.
pub const ROPEWALK_ED25519_LEN: usize = 32;

/// Bytes of a signature of Ed25519.
pub const ROPEWALK_ED25519_SIGNATURE_LEN: usize = 64;

const _: () = assert!(ROPEWALK_ED25519_LEN == KEY_LEN, "the library has another one");
const _: () = assert!(ROPEWALK_ED25519_SIGNATURE_LEN == SIGNATURE_LEN, "as well");

/// A private key of Ed25519, with its public key. It must not be copied or moved.
#[repr(C)]
pub struct ropewalk_ed25519_key {
    /// Private.
    pub words: [u64; ROPEWALK_ED25519_KEY_WORDS],
}

words! { ropewalk_ed25519_key has a key, PrivateKey, "private key", b"RWed2551" }

/// A public key of Ed25519, ready to verify signatures. It must not be copied or moved.
#[repr(C)]
pub struct ropewalk_ed25519_public_key {
    /// Private.
    pub words: [u64; ROPEWALK_ED25519_PUBLIC_KEY_WORDS],
}

words! { ropewalk_ed25519_public_key has PublicKey, "public key", b"RWed255p" }

/// Makes a private key of 32 bytes of any value, which RFC 8032 calls the private key, and others a seed. Previous contents of the key
/// are not wiped.
///
/// # Safety
/// `key` is for writing; `secret` has 32 bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_key_init(
    key: *mut ropewalk_ed25519_key,
    secret: *const c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(secret, KEY_LEN)])?;
        // SAFETY: the caller's bytes, which are not the key's.
        let secret = unsafe { memory::array("secret", secret) }?;
        // The public key is computed.
        // SAFETY: the caller's key.
        swept(6144, || unsafe { object::make_key(key, || PrivateKey::from_seed(secret)) })
    })
}

/// Makes a private key of random bytes. Previous contents of the key are not wiped.
///
/// Fails with ROPEWALK_NO_RANDOMNESS where the operating system provides none.
///
/// # Safety
/// `key` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_key_generate(
    key: *mut ropewalk_ed25519_key,
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
pub unsafe extern "C" fn ropewalk_ed25519_key_wipe(key: *mut ropewalk_ed25519_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// Writes the 32 bytes of a private key, as ropewalk_ed25519_key_init() takes them, to `secret`.
///
/// # Safety
/// `key` was made; `secret` has 32 bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_key_bytes(
    key: *const ropewalk_ed25519_key,
    secret: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_output::<KEY_LEN>("secret", secret, Span::of(key))?;
        // SAFETY: the caller's key.
        let bytes = Zeroizing::new(unsafe { object::get(key) }?.to_seed());
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
pub unsafe extern "C" fn ropewalk_ed25519_key_read(
    key: *mut ropewalk_ed25519_key,
    file: *const c_void,
    file_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        let pick = |key| match key {
            keys::PrivateKey::Ed25519(key) => Ok(key),
            _ => files::other("Ed25519"),
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
pub unsafe extern "C" fn ropewalk_ed25519_key_write(
    key: *const ropewalk_ed25519_key,
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

/// Writes the 32 bytes of the public key of a private key to `public_key`.
///
/// # Safety
/// `key` was made; `public_key` has 32 bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_public(
    key: *const ropewalk_ed25519_key,
    public_key: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_output::<KEY_LEN>("public key", public_key, Span::of(key))?;
        // SAFETY: the caller's key.
        let bytes = unsafe { object::get(key) }?.public().to_bytes();
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { put(public_key, &bytes) };
        Ok(())
    })
}

/// Makes a public key of its 32 bytes. Previous contents of the key are not wiped.
///
/// Fails with ROPEWALK_INVALID if the bytes are not those of a point (RFC 8032, section 5.1.3).
///
/// # Safety
/// `key` is for writing; `public_key` has 32 bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_public_key_init(
    key: *mut ropewalk_ed25519_public_key,
    public_key: *const c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(public_key, KEY_LEN)])?;
        // SAFETY: the caller's bytes, which are not the key's.
        let bytes = unsafe { memory::array("public key", public_key) }?;
        // SAFETY: the caller's key.
        unsafe { object::make(key, || Ok(PublicKey::from_bytes(bytes)?)) }
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
pub unsafe extern "C" fn ropewalk_ed25519_public_key_read(
    key: *mut ropewalk_ed25519_public_key,
    file: *const c_void,
    file_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(file, file_len)])?;
        // SAFETY: the caller's bytes.
        let read = match unsafe { files::read_public(file, file_len) }? {
            keys::PublicKey::Ed25519(read) => read,
            _ => return files::other("Ed25519"),
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
pub unsafe extern "C" fn ropewalk_ed25519_public_key_write(
    key: *const ropewalk_ed25519_public_key,
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
pub unsafe extern "C" fn ropewalk_ed25519_public_key_wipe(key: *mut ropewalk_ed25519_public_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// Writes the 32 bytes of a public key, as ropewalk_ed25519_public_key_init() takes them, to `public_key`.
///
/// # Safety
/// `key` was made; `public_key` has 32 bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_public_key_bytes(
    key: *const ropewalk_ed25519_public_key,
    public_key: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_output::<KEY_LEN>("public key", public_key, Span::of(key))?;
        // SAFETY: the caller's key.
        let bytes = unsafe { object::get(key) }?.to_bytes();
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { put(public_key, &bytes) };
        Ok(())
    })
}

/// Writes the signature of a message, of 64 bytes (Ed25519). It may lie within the message.
///
/// # Safety
/// `key` was made; `message` has `message_len` bytes, and `signature` has 64 for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_sign(
    key: *const ropewalk_ed25519_key,
    message: *const c_void,
    message_len: usize,
    signature: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_output::<SIGNATURE_LEN>("signature", signature, Span::of(key))?;
        // SAFETY: the caller's bytes; the slice is not used after they are signed.
        let message = unsafe { memory::input("message", message, message_len) }?;
        // SAFETY: the caller's key.
        let bytes = unsafe { object::get(key) }?.sign(message);
        // SAFETY: the caller's bytes, which have been checked; the message has been read.
        unsafe { put(signature, &bytes) };
        Ok(())
    })
}

/// Writes the signature of a message in a context of 1 to 255 bytes (Ed25519ctx). It may lie within the message.
///
/// # Safety
/// `key` was made; `context` and `message` have as many bytes as follow them, and `signature` has 64 for writing; `error` is for
/// writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_sign_context(
    key: *const ropewalk_ed25519_key,
    context: *const c_void,
    context_len: usize,
    message: *const c_void,
    message_len: usize,
    signature: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_output::<SIGNATURE_LEN>("signature", signature, Span::of(key))?;
        // SAFETY: the caller's bytes; the slice is not used after they are signed.
        let context = unsafe { memory::input("context", context, context_len) }?;
        // SAFETY: the same.
        let message = unsafe { memory::input("message", message, message_len) }?;
        // SAFETY: the caller's key.
        let bytes = unsafe { object::get(key) }?.sign_in_context(context, message)?;
        // SAFETY: the caller's bytes, which have been checked; the message has been read.
        unsafe { put(signature, &bytes) };
        Ok(())
    })
}

/// Writes the signature of a message with the SHA-512 digest `digest`, of 64 bytes, in a context of up to 255 bytes (Ed25519ph). It may
/// lie where the digest is.
///
/// # Safety
/// `key` was made; `context` has `context_len` bytes, `digest` has 64, and `signature` too, for writing; `error` is for writing, or
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_sign_prehashed(
    key: *const ropewalk_ed25519_key,
    context: *const c_void,
    context_len: usize,
    digest: *const c_void,
    signature: *mut c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_output::<SIGNATURE_LEN>("signature", signature, Span::of(key))?;
        // SAFETY: the caller's bytes; the slice is not used after they are signed.
        let context = unsafe { memory::input("context", context, context_len) }?;
        // SAFETY: the same.
        let digest = unsafe { memory::array("digest", digest) }?;
        // SAFETY: the caller's key.
        let bytes = unsafe { object::get(key) }?.sign_prehashed(context, digest)?;
        // SAFETY: the caller's bytes, which have been checked; the digest has been read.
        unsafe { put(signature, &bytes) };
        Ok(())
    })
}

/// Verifies `signature`, of 64 bytes, as the signature of a message (Ed25519). S must be below the order of the base point, R must be
/// canonical, and the equation must hold without the cofactor.
///
/// Fails with ROPEWALK_FORGED if it is not its signature with this key.
///
/// # Safety
/// `key` was made; `message` has `message_len` bytes, and `signature` has 64; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_verify(
    key: *const ropewalk_ed25519_public_key,
    message: *const c_void,
    message_len: usize,
    signature: *const c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's bytes.
        let signature = unsafe { memory::array("signature", signature) }?;
        // SAFETY: the same.
        let message = unsafe { memory::input("message", message, message_len) }?;
        // SAFETY: the caller's key.
        Ok(unsafe { object::get(key) }?.verify(message, signature)?)
    })
}

/// Verifies `signature`, of 64 bytes, as the signature of a message in a context of 1 to 255 bytes (Ed25519ctx).
///
/// Fails with ROPEWALK_FORGED as ropewalk_ed25519_verify().
///
/// # Safety
/// `key` was made; `context` and `message` have as many bytes as follow them, and `signature` has 64; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_verify_context(
    key: *const ropewalk_ed25519_public_key,
    context: *const c_void,
    context_len: usize,
    message: *const c_void,
    message_len: usize,
    signature: *const c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's bytes.
        let signature = unsafe { memory::array("signature", signature) }?;
        // SAFETY: the same.
        let context = unsafe { memory::input("context", context, context_len) }?;
        // SAFETY: the same.
        let message = unsafe { memory::input("message", message, message_len) }?;
        // SAFETY: the caller's key.
        Ok(unsafe { object::get(key) }?.verify_in_context(context, message, signature)?)
    })
}

/// Verifies `signature`, of 64 bytes, as the signature of a message with the SHA-512 digest `digest`, of 64 bytes, in a context of up
/// to 255 bytes (Ed25519ph).
///
/// Fails with ROPEWALK_FORGED as ropewalk_ed25519_verify().
///
/// # Safety
/// `key` was made; `context` has `context_len` bytes, `digest` and `signature` have 64; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_ed25519_verify_prehashed(
    key: *const ropewalk_ed25519_public_key,
    context: *const c_void,
    context_len: usize,
    digest: *const c_void,
    signature: *const c_void,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's bytes.
        let signature = unsafe { memory::array("signature", signature) }?;
        // SAFETY: the same.
        let context = unsafe { memory::input("context", context, context_len) }?;
        // SAFETY: the same.
        let digest = unsafe { memory::array("digest", digest) }?;
        // SAFETY: the caller's key.
        Ok(unsafe { object::get(key) }?.verify_prehashed(context, digest, signature)?)
    })
}
