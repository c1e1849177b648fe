//! Declarations of the public headers of 2.28 and 3.6; 0 is no error.

use std::ffi::{c_char, c_int, c_uint, c_void};

use libloading::os::unix::Library;

use crate::peers::{
    Unavailable,
    dl::{functions, symbol},
};

pub(super) const MBEDTLS_CIPHER_ID_AES: c_int = 2;
pub(super) const MBEDTLS_DECRYPT: c_int = 0;
pub(super) const MBEDTLS_ENCRYPT: c_int = 1;
pub(super) const MBEDTLS_KW_MODE_KW: c_int = 0;

/// The most bytes of a call of the generator, by default.
pub(super) const MBEDTLS_CTR_DRBG_MAX_REQUEST: usize = 1024;

functions! {
    /// Its version.
    Version {
        fn mbedtls_version_get_number() -> c_uint;
    }

    /// AES with one key.
    Aes {
        fn mbedtls_aes_setkey_enc(context: *mut c_void, key: *const u8, bits: c_uint) -> c_int;
        fn mbedtls_aes_setkey_dec(context: *mut c_void, key: *const u8, bits: c_uint) -> c_int;
        fn mbedtls_aes_crypt_ecb(
            context: *mut c_void,
            mode: c_int,
            block: *const u8,
            out: *mut u8,
        ) -> c_int;
        fn mbedtls_aes_crypt_cbc(
            context: *mut c_void,
            mode: c_int,
            len: usize,
            iv: *mut u8,
            text: *const u8,
            out: *mut u8,
        ) -> c_int;
        fn mbedtls_aes_crypt_ctr(
            context: *mut c_void,
            len: usize,
            offset: *mut usize,
            counter: *mut u8,
            stream: *mut u8,
            text: *const u8,
            out: *mut u8,
        ) -> c_int;
    }

    /// AES with two keys.
    Xts {
        fn mbedtls_aes_xts_setkey_enc(context: *mut c_void, key: *const u8, bits: c_uint) -> c_int;
        fn mbedtls_aes_xts_setkey_dec(context: *mut c_void, key: *const u8, bits: c_uint) -> c_int;
        fn mbedtls_aes_crypt_xts(
            context: *mut c_void,
            mode: c_int,
            len: usize,
            tweak: *const u8,
            text: *const u8,
            out: *mut u8,
        ) -> c_int;
    }

    /// Key wrap, where it is built in.
    KeyWrap {
        fn mbedtls_nist_kw_setkey(
            context: *mut c_void,
            cipher: c_int,
            key: *const u8,
            bits: c_uint,
            wrap: c_int,
        ) -> c_int;
        fn mbedtls_nist_kw_wrap(
            context: *mut c_void,
            mode: c_int,
            key: *const u8,
            len: usize,
            out: *mut u8,
            written: *mut usize,
            out_len: usize,
        ) -> c_int;
        fn mbedtls_nist_kw_unwrap(
            context: *mut c_void,
            mode: c_int,
            wrapped: *const u8,
            len: usize,
            out: *mut u8,
            written: *mut usize,
            out_len: usize,
        ) -> c_int;
    }

    /// Triple DES with three keys.
    TripleDes {
        fn mbedtls_des3_set3key_enc(context: *mut c_void, key: *const u8) -> c_int;
        fn mbedtls_des3_set3key_dec(context: *mut c_void, key: *const u8) -> c_int;
        fn mbedtls_des3_crypt_cbc(
            context: *mut c_void,
            mode: c_int,
            len: usize,
            iv: *mut u8,
            text: *const u8,
            out: *mut u8,
        ) -> c_int;
    }

    /// RC4, of version 2.
    Rc4 {
        fn mbedtls_arc4_setup(context: *mut c_void, key: *const u8, len: c_uint);
        fn mbedtls_arc4_crypt(
            context: *mut c_void,
            len: usize,
            text: *const u8,
            out: *mut u8,
        ) -> c_int;
    }

    /// AES-GCM.
    Gcm {
        fn mbedtls_gcm_setkey(
            context: *mut c_void,
            cipher: c_int,
            key: *const u8,
            bits: c_uint,
        ) -> c_int;
        fn mbedtls_gcm_crypt_and_tag(
            context: *mut c_void,
            mode: c_int,
            len: usize,
            nonce: *const u8,
            nonce_len: usize,
            aad: *const u8,
            aad_len: usize,
            text: *const u8,
            out: *mut u8,
            tag_len: usize,
            tag: *mut u8,
        ) -> c_int;
        fn mbedtls_gcm_auth_decrypt(
            context: *mut c_void,
            len: usize,
            nonce: *const u8,
            nonce_len: usize,
            aad: *const u8,
            aad_len: usize,
            tag: *const u8,
            tag_len: usize,
            text: *const u8,
            out: *mut u8,
        ) -> c_int;
    }

    /// AES-CCM.
    Ccm {
        fn mbedtls_ccm_setkey(
            context: *mut c_void,
            cipher: c_int,
            key: *const u8,
            bits: c_uint,
        ) -> c_int;
        fn mbedtls_ccm_encrypt_and_tag(
            context: *mut c_void,
            len: usize,
            nonce: *const u8,
            nonce_len: usize,
            aad: *const u8,
            aad_len: usize,
            text: *const u8,
            out: *mut u8,
            tag: *mut u8,
            tag_len: usize,
        ) -> c_int;
        fn mbedtls_ccm_auth_decrypt(
            context: *mut c_void,
            len: usize,
            nonce: *const u8,
            nonce_len: usize,
            aad: *const u8,
            aad_len: usize,
            text: *const u8,
            out: *mut u8,
            tag: *const u8,
            tag_len: usize,
        ) -> c_int;
    }

    /// ChaCha20.
    ChaCha {
        fn mbedtls_chacha20_setkey(context: *mut c_void, key: *const u8) -> c_int;
        fn mbedtls_chacha20_starts(context: *mut c_void, nonce: *const u8, counter: u32) -> c_int;
        fn mbedtls_chacha20_update(
            context: *mut c_void,
            len: usize,
            text: *const u8,
            out: *mut u8,
        ) -> c_int;
    }

    /// ChaCha20-Poly1305.
    ChaChaPoly {
        fn mbedtls_chachapoly_setkey(context: *mut c_void, key: *const u8) -> c_int;
        fn mbedtls_chachapoly_encrypt_and_tag(
            context: *mut c_void,
            len: usize,
            nonce: *const u8,
            aad: *const u8,
            aad_len: usize,
            text: *const u8,
            out: *mut u8,
            tag: *mut u8,
        ) -> c_int;
        fn mbedtls_chachapoly_auth_decrypt(
            context: *mut c_void,
            len: usize,
            nonce: *const u8,
            aad: *const u8,
            aad_len: usize,
            tag: *const u8,
            text: *const u8,
            out: *mut u8,
        ) -> c_int;
    }

    /// Poly1305, which takes a key for each message.
    Poly1305 {
        fn mbedtls_poly1305_starts(context: *mut c_void, key: *const u8) -> c_int;
        fn mbedtls_poly1305_update(context: *mut c_void, text: *const u8, len: usize) -> c_int;
        fn mbedtls_poly1305_finish(context: *mut c_void, tag: *mut u8) -> c_int;
    }

    /// HMAC.
    Hmac {
        fn mbedtls_md_info_from_string(name: *const c_char) -> *const c_void;
        fn mbedtls_md_setup(context: *mut c_void, info: *const c_void, hmac: c_int) -> c_int;
        fn mbedtls_md_hmac_starts(context: *mut c_void, key: *const u8, len: usize) -> c_int;
        fn mbedtls_md_hmac_reset(context: *mut c_void) -> c_int;
        fn mbedtls_md_hmac_update(context: *mut c_void, text: *const u8, len: usize) -> c_int;
        fn mbedtls_md_hmac_finish(context: *mut c_void, tag: *mut u8) -> c_int;
    }

    /// CMAC. Taking a tag does not start the next message.
    Cmac {
        fn mbedtls_cipher_info_from_string(name: *const c_char) -> *const c_void;
        fn mbedtls_cipher_setup(context: *mut c_void, info: *const c_void) -> c_int;
        fn mbedtls_cipher_cmac_starts(context: *mut c_void, key: *const u8, bits: usize) -> c_int;
        fn mbedtls_cipher_cmac_reset(context: *mut c_void) -> c_int;
        fn mbedtls_cipher_cmac_update(context: *mut c_void, text: *const u8, len: usize) -> c_int;
        fn mbedtls_cipher_cmac_finish(context: *mut c_void, tag: *mut u8) -> c_int;
    }

    /// Random bytes.
    Random {
        fn mbedtls_ctr_drbg_seed(
            context: *mut c_void,
            entropy: Entropy,
            of: *mut c_void,
            custom: *const u8,
            len: usize,
        ) -> c_int;
        fn mbedtls_ctr_drbg_random(context: *mut c_void, out: *mut u8, len: usize) -> c_int;
        fn mbedtls_entropy_func(of: *mut c_void, out: *mut u8, len: usize) -> c_int;
    }
}

/// The seed source of a generator, or a generator.
pub(super) type Entropy = unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int;

/// Initializes a context, or frees its contents.
pub(super) type OfContext = unsafe extern "C" fn(*mut c_void);

/// The function of that name.
pub(super) fn of_context(library: &'static Library, name: &str) -> Result<OfContext, Unavailable> {
    // SAFETY: the type is the one that the public headers give these names.
    unsafe { symbol(library, name) }
}

/// A hash function: its start function and variant, and its end.
#[derive(Clone, Copy)]
pub(super) struct Hash {
    pub(super) starts: Starts,
    pub(super) update: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
    pub(super) finish: Finish,
}

/// Some have an additional variant, which is selected by a number.
#[derive(Clone, Copy)]
pub(super) enum Starts {
    Alone(unsafe extern "C" fn(*mut c_void) -> c_int),
    With(unsafe extern "C" fn(*mut c_void, c_int) -> c_int, c_int),
}

/// SHA-3 takes the length of a digest.
#[derive(Clone, Copy)]
pub(super) enum Finish {
    Alone(unsafe extern "C" fn(*mut c_void, *mut u8) -> c_int),
    OfLength(unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int),
}

impl Hash {
    /// The functions of that name: `mbedtls_sha256_starts` for `sha256`, and so on. In 2.28 these return
    /// nothing, and those whose names end with `_ret` return an error.
    pub(super) fn named(
        library: &'static Library,
        name: &str,
        number: Option<c_int>,
    ) -> Result<Self, Unavailable> {
        let old = of_context(library, &format!("mbedtls_{name}_starts_ret")).is_ok();
        let end = if old { "_ret" } else { "" };
        let name = |of: &str| format!("mbedtls_{name}_{of}{end}");
        let starts = match number {
            // SAFETY: the type is the one that the public header gives this name.
            Some(number) => Starts::With(unsafe { symbol(library, &name("starts")) }?, number),
            // SAFETY: as above.
            None => Starts::Alone(unsafe { symbol(library, &name("starts")) }?),
        };
        let finish = match name("").contains("sha3") {
            // SAFETY: as above.
            true => Finish::OfLength(unsafe { symbol(library, &name("finish")) }?),
            // SAFETY: as above.
            false => Finish::Alone(unsafe { symbol(library, &name("finish")) }?),
        };
        // SAFETY: as above.
        let update = unsafe { symbol(library, &name("update")) }?;
        Ok(Self { starts, update, finish })
    }
}
