//! RSA: keys of signatures (RFC 8017).

use std::ffi::c_void;

use ropewalk::{
    keys,
    rsa::{LONGEST, PrivateKey, PublicKey},
};

use crate::{
    enter::{Failure, call, making},
    memory,
    object::{self, words},
    overlap::{self, Span},
    public_keys::{
        check_room,
        files::{self, Room, ropewalk_key_form},
    },
    status::{ropewalk_error, ropewalk_status},
};

pub(crate) mod signatures;

/// Words of a ropewalk_rsa_key.
pub const ROPEWALK_RSA_KEY_WORDS: usize = 2;

/// Words of a ropewalk_rsa_public_key.
pub const ROPEWALK_RSA_PUBLIC_KEY_WORDS: usize = 208;

/// Bytes of the longest signature of RSA, and of the longest modulus.
pub const ROPEWALK_RSA_LONGEST: usize = 512;

const _: () = assert!(ROPEWALK_RSA_LONGEST == LONGEST, "the library has another one");

/// A private key of RSA, of 2048 to 4096 bits. It must not be copied or moved. Its numbers are on the heap, until it is wiped.
#[repr(C)]
pub struct ropewalk_rsa_key {
    /// Private.
    pub words: [u64; ROPEWALK_RSA_KEY_WORDS],
}

words! { ropewalk_rsa_key has a key, PrivateKey, "private key", b"RWrsa   " }

/// A public key of RSA, of 1024 to 4096 bits. It must not be copied or moved.
#[repr(C)]
pub struct ropewalk_rsa_public_key {
    /// Private.
    pub words: [u64; ROPEWALK_RSA_PUBLIC_KEY_WORDS],
}

words! { ropewalk_rsa_public_key has PublicKey, "public key", b"RWrsapub" }

/// Makes a private key with random primes (FIPS 186-5, appendix A.1.3), a modulus of `bits` bits, and the public exponent 65537.
/// The time varies, as candidates are drawn until two are prime. Previous contents of the key are not wiped.
///
/// Fails with ROPEWALK_LENGTH unless `bits` is an even number from 2048 to 4096, and with ROPEWALK_NO_RANDOMNESS where the operating
/// system provides none.
///
/// # Safety
/// `key` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_key_generate(
    key: *mut ropewalk_rsa_key,
    bits: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        // SAFETY: the caller's key.
        unsafe { object::make(key, || Ok(PrivateKey::generate(bits)?)) }
    })
}

/// Makes a private key of a file: DER of PKCS#8, or PEM labelled PRIVATE KEY or RSA PRIVATE KEY. Previous contents of the key are
/// not wiped.
///
/// Fails with ROPEWALK_INVALID, and the reason, for a file that has no key, or one that is encrypted, has more than two primes, or
/// parts that do not belong together; with ROPEWALK_LENGTH unless the modulus has 2048 to 4096 bits; with ROPEWALK_WRONG_KIND for a
/// key of another algorithm.
///
/// # Safety
/// `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_key_read(
    key: *mut ropewalk_rsa_key,
    file: *const c_void,
    file_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        let pick = |key| match key {
            keys::PrivateKey::Rsa(key) => Ok(key),
            _ => files::other("RSA"),
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
pub unsafe extern "C" fn ropewalk_rsa_key_write(
    key: *const ropewalk_rsa_key,
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

/// Wipes a key, and frees what it has on the heap. NULL, and a key that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `key` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_key_wipe(key: *mut ropewalk_rsa_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// Makes the public key of a private key. Previous contents of `public_key` are not wiped.
///
/// # Safety
/// `public_key` is for writing; `key` was made; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_public(
    public_key: *mut ropewalk_rsa_public_key,
    key: *const ropewalk_rsa_key,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(public_key, error, || {
        overlap::apart("public key", Span::of(public_key), [Span::of(key)])?;
        // SAFETY: the caller's key.
        let key = unsafe { object::get(key) }?;
        // SAFETY: the caller's public key, apart from the key.
        unsafe { object::make(public_key, || Ok(key.public().clone())) }
    })
}

/// Makes a public key of its modulus, big-endian, and its public exponent. Previous contents of the key are not wiped.
///
/// Fails with ROPEWALK_LENGTH unless the modulus has 1024 to 4096 bits and the exponent 2 or more, and with ROPEWALK_INVALID where one
/// of them is even.
///
/// # Safety
/// `key` is for writing; `modulus` has `modulus_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_public_key_init(
    key: *mut ropewalk_rsa_public_key,
    modulus: *const c_void,
    modulus_len: usize,
    exponent: u64,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(modulus, modulus_len)])?;
        // SAFETY: the caller's bytes, which are not the key's.
        let modulus = unsafe { memory::input("modulus", modulus, modulus_len) }?;
        // SAFETY: the caller's key.
        unsafe { object::make(key, || Ok(PublicKey::new(modulus, &exponent.to_be_bytes())?)) }
    })
}

/// Makes a public key of a file: DER of SubjectPublicKeyInfo, or PEM labelled PUBLIC KEY or RSA PUBLIC KEY. Previous contents of the
/// key are not wiped.
///
/// Fails with ROPEWALK_INVALID, and the reason, for a file that has no key; with ROPEWALK_LENGTH as ropewalk_rsa_public_key_init();
/// with ROPEWALK_WRONG_KIND for a key of another algorithm.
///
/// # Safety
/// `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_public_key_read(
    key: *mut ropewalk_rsa_public_key,
    file: *const c_void,
    file_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(file, file_len)])?;
        // SAFETY: the caller's bytes.
        let read = match unsafe { files::read_public(file, file_len) }? {
            keys::PublicKey::Rsa(read) => *read,
            _ => return files::other("RSA"),
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
pub unsafe extern "C" fn ropewalk_rsa_public_key_write(
    key: *const ropewalk_rsa_public_key,
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

/// Writes the length of the modulus in bytes, which is that of a signature, to `modulus_len`.
///
/// # Safety
/// `key` was made; `modulus_len` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_public_key_len(
    key: *const ropewalk_rsa_public_key,
    modulus_len: *mut usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("modulus_len", Span::of(modulus_len), [Span::of(key)])?;
        // SAFETY: the caller's key.
        let len = unsafe { object::get(key) }?.signature_len();
        // SAFETY: for writing, as the caller says.
        unsafe { memory::put("modulus_len", modulus_len, len) }
    })
}

/// Writes the modulus, big-endian, to `modulus`, and the public exponent to `exponent`.
///
/// Fails with ROPEWALK_LENGTH unless `modulus_len` is the length of the modulus.
///
/// # Safety
/// `key` was made; `modulus` has `modulus_len` bytes for writing; `exponent` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_public_key_numbers(
    key: *const ropewalk_rsa_public_key,
    modulus: *mut c_void,
    modulus_len: usize,
    exponent: *mut u64,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        check_room("modulus", (modulus, modulus_len), Span::of(key))?;
        memory::check("modulus", modulus, modulus_len)?;
        let others = [Span::new(modulus, modulus_len), Span::of(key)];
        overlap::apart("exponent", Span::of(exponent), others)?;
        // SAFETY: the caller's key.
        let key = unsafe { object::get(key) }?;
        if modulus_len != key.signature_len() {
            return Err(Failure::length("modulus", modulus_len, "that of the modulus"));
        }
        // SAFETY: for writing, as the caller says.
        unsafe { memory::put("exponent", exponent, key.exponent()) }?;
        // SAFETY: the caller's bytes, which have been checked.
        unsafe { memory::bytes_mut(modulus, modulus_len) }.copy_from_slice(&key.modulus());
        Ok(())
    })
}

/// Wipes a public key. NULL, and a key that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `key` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_rsa_public_key_wipe(key: *mut ropewalk_rsa_public_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}
