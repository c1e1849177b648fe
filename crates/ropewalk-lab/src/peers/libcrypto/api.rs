//! What the public headers of the family declare.

use std::ffi::{c_char, c_int, c_uint, c_void};

use crate::peers::dl::functions;

macro_rules! opaque {
    ($($Name:ident)+) => {$(
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(C)]
        pub(super) struct $Name {
            _opaque: [u8; 0],
        }
    )+};
}

opaque! { EVP_CIPHER EVP_CIPHER_CTX EVP_MD EVP_MD_CTX ENGINE OSSL_LIB_CTX OSSL_PARAM }

functions! {
    /// How it says its version, since OpenSSL 1.1.
    Version {
        fn OpenSSL_version(which: c_int) -> *const c_char;
    }

    /// How it said its version before.
    OldVersion {
        fn SSLeay_version(which: c_int) -> *const c_char;
    }

    /// Ciphers, in every one.
    Cipher {
        fn EVP_CIPHER_CTX_new() -> *mut EVP_CIPHER_CTX;
        fn EVP_CIPHER_CTX_free(ctx: *mut EVP_CIPHER_CTX);
        fn EVP_EncryptInit_ex(
            ctx: *mut EVP_CIPHER_CTX,
            cipher: *const EVP_CIPHER,
            engine: *mut ENGINE,
            key: *const u8,
            iv: *const u8,
        ) -> c_int;
        fn EVP_EncryptUpdate(
            ctx: *mut EVP_CIPHER_CTX,
            out: *mut u8,
            out_len: *mut c_int,
            text: *const u8,
            text_len: c_int,
        ) -> c_int;
    }

    /// Ciphers by name, since OpenSSL 3.0.
    FetchCipher {
        fn EVP_CIPHER_fetch(
            library: *mut OSSL_LIB_CTX,
            algorithm: *const c_char,
            properties: *const c_char,
        ) -> *mut EVP_CIPHER;
        fn EVP_EncryptInit_ex2(
            ctx: *mut EVP_CIPHER_CTX,
            cipher: *const EVP_CIPHER,
            key: *const u8,
            iv: *const u8,
            params: *const OSSL_PARAM,
        ) -> c_int;
    }

    /// The other way, in every one.
    Decrypt {
        fn EVP_DecryptInit_ex(
            ctx: *mut EVP_CIPHER_CTX,
            cipher: *const EVP_CIPHER,
            engine: *mut ENGINE,
            key: *const u8,
            iv: *const u8,
        ) -> c_int;
        fn EVP_DecryptUpdate(
            ctx: *mut EVP_CIPHER_CTX,
            out: *mut u8,
            out_len: *mut c_int,
            text: *const u8,
            text_len: c_int,
        ) -> c_int;
        fn EVP_DecryptFinal_ex(
            ctx: *mut EVP_CIPHER_CTX,
            out: *mut u8,
            out_len: *mut c_int,
        ) -> c_int;
    }

    /// The other way, since OpenSSL 3.0.
    FetchDecrypt {
        fn EVP_DecryptInit_ex2(
            ctx: *mut EVP_CIPHER_CTX,
            cipher: *const EVP_CIPHER,
            key: *const u8,
            iv: *const u8,
            params: *const OSSL_PARAM,
        ) -> c_int;
    }

    /// What whole blocks need.
    Padding {
        fn EVP_CIPHER_CTX_set_padding(ctx: *mut EVP_CIPHER_CTX, padding: c_int) -> c_int;
    }

    /// Ciphers by function.
    AesCtr {
        fn EVP_aes_128_ctr() -> *const EVP_CIPHER;
        fn EVP_aes_192_ctr() -> *const EVP_CIPHER;
        fn EVP_aes_256_ctr() -> *const EVP_CIPHER;
    }

    /// AES-CBC by function.
    AesCbc {
        fn EVP_aes_128_cbc() -> *const EVP_CIPHER;
        fn EVP_aes_192_cbc() -> *const EVP_CIPHER;
        fn EVP_aes_256_cbc() -> *const EVP_CIPHER;
    }

    /// AES-ECB by function.
    AesEcb {
        fn EVP_aes_128_ecb() -> *const EVP_CIPHER;
        fn EVP_aes_192_ecb() -> *const EVP_CIPHER;
        fn EVP_aes_256_ecb() -> *const EVP_CIPHER;
    }

    /// AES-XTS by function.
    AesXts {
        fn EVP_aes_128_xts() -> *const EVP_CIPHER;
        fn EVP_aes_256_xts() -> *const EVP_CIPHER;
    }

    /// AES-GCM by function.
    AesGcm {
        fn EVP_aes_128_gcm() -> *const EVP_CIPHER;
        fn EVP_aes_192_gcm() -> *const EVP_CIPHER;
        fn EVP_aes_256_gcm() -> *const EVP_CIPHER;
    }

    /// What an authenticated cipher needs besides, in every one.
    Authenticated {
        fn EVP_EncryptFinal_ex(
            ctx: *mut EVP_CIPHER_CTX,
            out: *mut u8,
            out_len: *mut c_int,
        ) -> c_int;
        fn EVP_CIPHER_CTX_ctrl(
            ctx: *mut EVP_CIPHER_CTX,
            command: c_int,
            number: c_int,
            pointer: *mut c_void,
        ) -> c_int;
    }

    /// Hash functions, in every one.
    Digest {
        fn EVP_MD_CTX_new() -> *mut EVP_MD_CTX;
        fn EVP_MD_CTX_free(ctx: *mut EVP_MD_CTX);
        fn EVP_MD_CTX_copy_ex(to: *mut EVP_MD_CTX, from: *const EVP_MD_CTX) -> c_int;
        fn EVP_DigestInit_ex(
            ctx: *mut EVP_MD_CTX,
            hash: *const EVP_MD,
            engine: *mut ENGINE,
        ) -> c_int;
        fn EVP_DigestUpdate(ctx: *mut EVP_MD_CTX, text: *const c_void, text_len: usize) -> c_int;
        fn EVP_DigestFinal_ex(
            ctx: *mut EVP_MD_CTX,
            digest: *mut u8,
            digest_len: *mut c_uint,
        ) -> c_int;
    }

    /// Hash functions by name, since OpenSSL 3.0.
    FetchDigest {
        fn EVP_MD_fetch(
            library: *mut OSSL_LIB_CTX,
            algorithm: *const c_char,
            properties: *const c_char,
        ) -> *mut EVP_MD;
    }

    /// Hash functions whose output has any length.
    DigestOfAnyLength {
        fn EVP_DigestFinalXOF(ctx: *mut EVP_MD_CTX, out: *mut u8, out_len: usize) -> c_int;
    }
}

/// `EVP_sha256` and its like.
pub(super) type HashOf = unsafe extern "C" fn() -> *const EVP_MD;

/// `SHA256` and its like, without a context.
pub(super) type OneShot = unsafe extern "C" fn(*const u8, usize, *mut u8) -> *mut u8;
