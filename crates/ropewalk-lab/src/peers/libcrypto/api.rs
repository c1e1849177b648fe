//! What the public headers of the family declare.

use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_ulong, c_void},
    ptr::{null, null_mut},
};

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

opaque! { EVP_CIPHER EVP_CIPHER_CTX EVP_MD EVP_MD_CTX ENGINE OSSL_LIB_CTX OSSL_PROVIDER
EVP_AEAD EVP_AEAD_CTX EVP_PKEY EVP_PKEY_CTX EVP_MAC EVP_MAC_CTX EVP_KDF EVP_KDF_CTX HMAC_CTX
CMAC_CTX EC_GROUP EC_KEY EC_POINT BIGNUM BN_CTX }

/// `OSSL_ALGORITHM`.
#[repr(C)]
pub(super) struct Algorithm {
    pub(super) names: *const c_char,
    pub(super) properties: *const c_char,
    implementation: *const c_void,
    description: *const c_char,
}

/// `OSSL_PARAM`.
#[allow(non_camel_case_types)]
#[repr(C)]
pub(super) struct OSSL_PARAM {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

impl OSSL_PARAM {
    /// A string, which is only read.
    pub(super) fn string(key: &'static CStr, value: &CStr) -> Self {
        const UTF8_STRING: c_uint = 4;
        const UNMODIFIED: usize = usize::MAX;
        Self {
            key: key.as_ptr(),
            data_type: UTF8_STRING,
            data: value.as_ptr().cast_mut().cast(),
            data_size: value.count_bytes(),
            return_size: UNMODIFIED,
        }
    }

    /// Bytes, which are only read.
    pub(super) fn octets(key: &'static CStr, value: &[u8]) -> Self {
        const OCTET_STRING: c_uint = 5;
        Self {
            data_type: OCTET_STRING,
            data: value.as_ptr().cast_mut().cast(),
            data_size: value.len(),
            ..Self::string(key, c"")
        }
    }

    /// A number, which is only read.
    pub(super) fn number(key: &'static CStr, value: &u64) -> Self {
        const UNSIGNED_INTEGER: c_uint = 2;
        Self {
            data_type: UNSIGNED_INTEGER,
            data: std::ptr::from_ref(value).cast_mut().cast(),
            data_size: size_of::<u64>(),
            ..Self::string(key, c"")
        }
    }

    /// A number of any length, in the order of bytes of the processor, which is only read.
    pub(super) fn integer(key: &'static CStr, value: &[u8]) -> Self {
        const UNSIGNED_INTEGER: c_uint = 2;
        Self { data_type: UNSIGNED_INTEGER, ..Self::octets(key, value) }
    }

    /// What stands behind the last.
    pub(super) fn end() -> Self {
        Self { key: null(), data_type: 0, data: null_mut(), data_size: 0, return_size: 0 }
    }
}

functions! {
    /// Its version, since OpenSSL 1.1.
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

    /// Random bytes.
    Random {
        fn RAND_bytes(out: *mut u8, len: c_int) -> c_int;
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

    /// AES-128-XTS by function.
    Aes128Xts {
        fn EVP_aes_128_xts() -> *const EVP_CIPHER;
    }

    /// AES-256-XTS by function, which BoringSSL has alone.
    Aes256Xts {
        fn EVP_aes_256_xts() -> *const EVP_CIPHER;
    }

    /// AES-GCM by function.
    AesGcm {
        fn EVP_aes_128_gcm() -> *const EVP_CIPHER;
        fn EVP_aes_192_gcm() -> *const EVP_CIPHER;
        fn EVP_aes_256_gcm() -> *const EVP_CIPHER;
    }

    /// AES-CCM by function.
    AesCcm {
        fn EVP_aes_128_ccm() -> *const EVP_CIPHER;
        fn EVP_aes_192_ccm() -> *const EVP_CIPHER;
        fn EVP_aes_256_ccm() -> *const EVP_CIPHER;
    }

    /// AES-CBC with HMAC by function.
    AesCbcHmacSha1 {
        fn EVP_aes_128_cbc_hmac_sha1() -> *const EVP_CIPHER;
        fn EVP_aes_256_cbc_hmac_sha1() -> *const EVP_CIPHER;
    }

    /// The same with the newer hash function.
    AesCbcHmacSha256 {
        fn EVP_aes_128_cbc_hmac_sha256() -> *const EVP_CIPHER;
        fn EVP_aes_256_cbc_hmac_sha256() -> *const EVP_CIPHER;
    }

    /// AES key wrap by function, in OpenSSL.
    AesWrap {
        fn EVP_aes_128_wrap() -> *const EVP_CIPHER;
        fn EVP_aes_192_wrap() -> *const EVP_CIPHER;
        fn EVP_aes_256_wrap() -> *const EVP_CIPHER;
    }

    /// How a context is told that it may be of key wrap.
    Flags {
        fn EVP_CIPHER_CTX_set_flags(ctx: *mut EVP_CIPHER_CTX, flags: c_int);
    }

    /// AES key wrap without a context.
    PlainKeyWrap {
        fn AES_set_encrypt_key(key: *const u8, bits: c_uint, made: *mut c_void) -> c_int;
        fn AES_set_decrypt_key(key: *const u8, bits: c_uint, made: *mut c_void) -> c_int;
        fn AES_wrap_key(
            with: *const c_void,
            initial: *const u8,
            wrapped: *mut u8,
            key: *const u8,
            len: usize,
        ) -> c_int;
        fn AES_unwrap_key(
            with: *const c_void,
            initial: *const u8,
            key: *mut u8,
            wrapped: *const u8,
            len: usize,
        ) -> c_int;
    }

    /// ChaCha20 by function.
    ChaCha20 {
        fn EVP_chacha20() -> *const EVP_CIPHER;
    }

    /// Triple DES by function.
    TripleDes {
        fn EVP_des_ede3_cbc() -> *const EVP_CIPHER;
    }

    /// RC4 by function.
    Rc4 {
        fn EVP_rc4() -> *const EVP_CIPHER;
    }

    /// Modules of algorithms, since OpenSSL 3.0.
    Provider {
        fn OSSL_PROVIDER_try_load(
            library: *mut OSSL_LIB_CTX,
            name: *const c_char,
            retain_fallbacks: c_int,
        ) -> *mut OSSL_PROVIDER;
    }

    /// What a provider is called.
    ProviderName {
        fn OSSL_PROVIDER_get0_name(provider: *const OSSL_PROVIDER) -> *const c_char;
    }

    /// What a provider says that it has.
    Algorithms {
        fn OSSL_PROVIDER_query_operation(
            provider: *const OSSL_PROVIDER,
            operation: c_int,
            no_cache: *mut c_int,
        ) -> *const Algorithm;
        fn OSSL_PROVIDER_unquery_operation(
            provider: *const OSSL_PROVIDER,
            operation: c_int,
            algorithms: *const Algorithm,
        );
    }

    /// How it begins, since OpenSSL 1.1.
    Start {
        fn OPENSSL_init_crypto(what: u64, settings: *const c_void) -> c_int;
    }

    /// Modules of algorithms, up to OpenSSL 3.
    Engines {
        fn ENGINE_by_id(id: *const c_char) -> *mut ENGINE;
        fn ENGINE_ctrl_cmd_string(
            engine: *mut ENGINE,
            command: *const c_char,
            argument: *const c_char,
            optional: c_int,
        ) -> c_int;
        fn ENGINE_init(engine: *mut ENGINE) -> c_int;
    }

    /// Why a call has failed. Strings live until the next error.
    Errors {
        fn ERR_clear_error();
        fn ERR_reason_error_string(error: c_ulong) -> *const c_char;
    }

    /// The first error, and what it is about: since OpenSSL 3.0.
    NewError {
        fn ERR_get_error_all(
            file: *mut *const c_char,
            line: *mut c_int,
            function: *mut *const c_char,
            about: *mut *const c_char,
            flags: *mut c_int,
        ) -> c_ulong;
    }

    /// The same before.
    OldError {
        fn ERR_get_error_line_data(
            file: *mut *const c_char,
            line: *mut c_int,
            about: *mut *const c_char,
            flags: *mut c_int,
        ) -> c_ulong;
    }

    /// ChaCha20-Poly1305 by function.
    ChaCha20Poly1305 {
        fn EVP_chacha20_poly1305() -> *const EVP_CIPHER;
    }

    /// ChaCha20 of BoringSSL and AWS-LC.
    PlainChaCha20 {
        fn CRYPTO_chacha_20(
            out: *mut u8,
            text: *const u8,
            len: usize,
            key: *const u8,
            nonce: *const u8,
            counter: u32,
        );
    }

    /// Poly1305 of BoringSSL and AWS-LC.
    PlainPoly1305 {
        fn CRYPTO_poly1305_init(state: *mut c_void, key: *const u8);
        fn CRYPTO_poly1305_update(state: *mut c_void, text: *const u8, len: usize);
        fn CRYPTO_poly1305_finish(state: *mut c_void, tag: *mut u8);
    }

    /// Authenticated ciphers of BoringSSL and AWS-LC.
    Aead {
        fn EVP_aead_chacha20_poly1305() -> *const EVP_AEAD;
        fn EVP_AEAD_CTX_new(
            aead: *const EVP_AEAD,
            key: *const u8,
            key_len: usize,
            tag_len: usize,
        ) -> *mut EVP_AEAD_CTX;
        fn EVP_AEAD_CTX_free(ctx: *mut EVP_AEAD_CTX);
        fn EVP_AEAD_CTX_seal_scatter(
            ctx: *const EVP_AEAD_CTX,
            out: *mut u8,
            tag: *mut u8,
            tag_len: *mut usize,
            tag_room: usize,
            nonce: *const u8,
            nonce_len: usize,
            text: *const u8,
            text_len: usize,
            extra: *const u8,
            extra_len: usize,
            aad: *const u8,
            aad_len: usize,
        ) -> c_int;
        fn EVP_AEAD_CTX_open_gather(
            ctx: *const EVP_AEAD_CTX,
            out: *mut u8,
            nonce: *const u8,
            nonce_len: usize,
            text: *const u8,
            text_len: usize,
            tag: *const u8,
            tag_len: usize,
            aad: *const u8,
            aad_len: usize,
        ) -> c_int;
    }

    /// HMAC, in every one.
    Hmac {
        fn HMAC_CTX_new() -> *mut HMAC_CTX;
        fn HMAC_CTX_free(ctx: *mut HMAC_CTX);
        fn HMAC_Init_ex(
            ctx: *mut HMAC_CTX,
            key: *const c_void,
            key_len: c_int,
            hash: *const EVP_MD,
            engine: *mut ENGINE,
        ) -> c_int;
        fn HMAC_Update(ctx: *mut HMAC_CTX, text: *const u8, len: usize) -> c_int;
        fn HMAC_Final(ctx: *mut HMAC_CTX, tag: *mut u8, tag_len: *mut c_uint) -> c_int;
    }

    /// CMAC, in every one.
    Cmac {
        fn CMAC_CTX_new() -> *mut CMAC_CTX;
        fn CMAC_CTX_free(ctx: *mut CMAC_CTX);
        fn CMAC_Init(
            ctx: *mut CMAC_CTX,
            key: *const c_void,
            key_len: usize,
            cipher: *const EVP_CIPHER,
            engine: *mut ENGINE,
        ) -> c_int;
        fn CMAC_Update(ctx: *mut CMAC_CTX, text: *const c_void, len: usize) -> c_int;
        fn CMAC_Final(ctx: *mut CMAC_CTX, tag: *mut u8, tag_len: *mut usize) -> c_int;
    }

    /// How CMAC starts again in BoringSSL and AWS-LC.
    ResetCmac {
        fn CMAC_Reset(ctx: *mut CMAC_CTX) -> c_int;
    }

    /// Message authentication codes by name, since OpenSSL 3.0.
    FetchMac {
        fn EVP_MAC_fetch(
            library: *mut OSSL_LIB_CTX,
            algorithm: *const c_char,
            properties: *const c_char,
        ) -> *mut EVP_MAC;
        fn EVP_MAC_CTX_new(mac: *mut EVP_MAC) -> *mut EVP_MAC_CTX;
        fn EVP_MAC_CTX_free(ctx: *mut EVP_MAC_CTX);
        fn EVP_MAC_init(
            ctx: *mut EVP_MAC_CTX,
            key: *const u8,
            key_len: usize,
            params: *const OSSL_PARAM,
        ) -> c_int;
        fn EVP_MAC_update(ctx: *mut EVP_MAC_CTX, text: *const u8, len: usize) -> c_int;
        fn EVP_MAC_final(
            ctx: *mut EVP_MAC_CTX,
            tag: *mut u8,
            tag_len: *mut usize,
            room: usize,
        ) -> c_int;
    }

    /// Key derivations by name, since OpenSSL 3.0.
    FetchKdf {
        fn EVP_KDF_fetch(
            library: *mut OSSL_LIB_CTX,
            algorithm: *const c_char,
            properties: *const c_char,
        ) -> *mut EVP_KDF;
        fn EVP_KDF_CTX_new(kdf: *mut EVP_KDF) -> *mut EVP_KDF_CTX;
        fn EVP_KDF_CTX_free(ctx: *mut EVP_KDF_CTX);
        fn EVP_KDF_derive(
            ctx: *mut EVP_KDF_CTX,
            key: *mut u8,
            len: usize,
            params: *const OSSL_PARAM,
        ) -> c_int;
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

    /// Hash functions of whole messages, each with a context of its own.
    WholeDigest {
        fn EVP_Digest(
            text: *const c_void,
            text_len: usize,
            digest: *mut u8,
            digest_len: *mut c_uint,
            hash: *const EVP_MD,
            engine: *mut ENGINE,
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

/// `EVP_sha256` and similar functions.
pub(super) type HashOf = unsafe extern "C" fn() -> *const EVP_MD;

/// `SHA256` and similar functions, without a context.
pub(super) type OneShot = unsafe extern "C" fn(*const u8, usize, *mut u8) -> *mut u8;
