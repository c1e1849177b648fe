//! Declarations of the public headers, the same in 1.0.18 and 1.0.22; 0 is no error. A state is memory of the
//! caller.

use std::{
    ffi::{c_char, c_int, c_ulonglong, c_void},
    mem::MaybeUninit,
};

use libloading::os::unix::Library;

use crate::peers::{
    Unavailable,
    dl::{functions, symbol},
};

functions! {
    /// Its initialization, and its version.
    Version {
        fn sodium_init() -> c_int;
        fn sodium_version_string() -> *const c_char;
    }

    /// AES-256-GCM, which requires a processor with AES instructions.
    Aes256Gcm {
        fn crypto_aead_aes256gcm_is_available() -> c_int;
        fn crypto_aead_aes256gcm_beforenm(state: *mut c_void, key: *const u8) -> c_int;
        fn crypto_aead_aes256gcm_encrypt_detached_afternm(
            sealed: *mut u8,
            tag: *mut u8,
            tag_len: *mut c_ulonglong,
            text: *const u8,
            text_len: c_ulonglong,
            aad: *const u8,
            aad_len: c_ulonglong,
            secret_nonce: *const u8,
            nonce: *const u8,
            state: *const c_void,
        ) -> c_int;
        fn crypto_aead_aes256gcm_decrypt_detached_afternm(
            text: *mut u8,
            secret_nonce: *mut u8,
            sealed: *const u8,
            sealed_len: c_ulonglong,
            tag: *const u8,
            aad: *const u8,
            aad_len: c_ulonglong,
            nonce: *const u8,
            state: *const c_void,
        ) -> c_int;
    }

    /// ChaCha20-Poly1305 with nonces of twelve bytes.
    ChaChaPoly {
        fn crypto_aead_chacha20poly1305_ietf_encrypt_detached(
            sealed: *mut u8,
            tag: *mut u8,
            tag_len: *mut c_ulonglong,
            text: *const u8,
            text_len: c_ulonglong,
            aad: *const u8,
            aad_len: c_ulonglong,
            secret_nonce: *const u8,
            nonce: *const u8,
            key: *const u8,
        ) -> c_int;
        fn crypto_aead_chacha20poly1305_ietf_decrypt_detached(
            text: *mut u8,
            secret_nonce: *mut u8,
            sealed: *const u8,
            sealed_len: c_ulonglong,
            tag: *const u8,
            aad: *const u8,
            aad_len: c_ulonglong,
            nonce: *const u8,
            key: *const u8,
        ) -> c_int;
    }

    /// ChaCha20 with nonces of twelve bytes, from a block number.
    ChaCha {
        fn crypto_stream_chacha20_ietf_xor_ic(
            out: *mut u8,
            text: *const u8,
            len: c_ulonglong,
            nonce: *const u8,
            block: u32,
            key: *const u8,
        ) -> c_int;
    }

    /// Poly1305.
    Poly1305 {
        fn crypto_onetimeauth_poly1305(
            tag: *mut u8,
            text: *const u8,
            len: c_ulonglong,
            key: *const u8,
        ) -> c_int;
        fn crypto_onetimeauth_poly1305_init(state: *mut c_void, key: *const u8) -> c_int;
        fn crypto_onetimeauth_poly1305_update(
            state: *mut c_void,
            text: *const u8,
            len: c_ulonglong,
        ) -> c_int;
        fn crypto_onetimeauth_poly1305_final(state: *mut c_void, tag: *mut u8) -> c_int;
    }

    /// X25519.
    X25519 {
        fn crypto_scalarmult_curve25519(
            secret: *mut u8,
            private: *const u8,
            public: *const u8,
        ) -> c_int;
        fn crypto_scalarmult_curve25519_base(public: *mut u8, private: *const u8) -> c_int;
    }

    /// Ed25519.
    Ed25519 {
        fn crypto_sign_ed25519_seed_keypair(
            public: *mut u8,
            private: *mut u8,
            seed: *const u8,
        ) -> c_int;
        fn crypto_sign_ed25519_detached(
            signature: *mut u8,
            signature_len: *mut c_ulonglong,
            text: *const u8,
            text_len: c_ulonglong,
            private: *const u8,
        ) -> c_int;
        fn crypto_sign_ed25519_verify_detached(
            signature: *const u8,
            text: *const u8,
            text_len: c_ulonglong,
            public: *const u8,
        ) -> c_int;
    }

    /// Random bytes.
    Random {
        fn randombytes_buf(out: *mut c_void, len: usize);
    }
}

/// Absorbs a chunk.
pub(super) type Update = unsafe extern "C" fn(*mut c_void, *const u8, c_ulonglong) -> c_int;

/// A hash function, with the fixed length of its digest.
#[derive(Clone, Copy)]
pub(super) struct Hash {
    pub(super) whole: unsafe extern "C" fn(*mut u8, *const u8, c_ulonglong) -> c_int,
    pub(super) init: unsafe extern "C" fn(*mut c_void) -> c_int,
    pub(super) update: Update,
    pub(super) end: unsafe extern "C" fn(*mut c_void, *mut u8) -> c_int,
}

impl Hash {
    /// The function whose names have that prefix.
    pub(super) fn named(library: &'static Library, name: &str) -> Result<Self, Unavailable> {
        Ok(Self {
            // SAFETY: the type is the one that the public header gives this name; so are those
            // that follow.
            whole: unsafe { symbol(library, name) }?,
            // SAFETY: as above.
            init: unsafe { symbol(library, &format!("{name}_init")) }?,
            // SAFETY: as above.
            update: unsafe { symbol(library, &format!("{name}_update")) }?,
            // SAFETY: as above.
            end: unsafe { symbol(library, &format!("{name}_final")) }?,
        })
    }
}

/// A function with output of any length.
#[derive(Clone, Copy)]
pub(super) struct Xof {
    pub(super) whole: unsafe extern "C" fn(*mut u8, usize, *const u8, c_ulonglong) -> c_int,
    pub(super) init: unsafe extern "C" fn(*mut c_void) -> c_int,
    pub(super) update: Update,
    pub(super) squeeze: unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int,
}

impl Xof {
    /// The function whose names have that prefix.
    pub(super) fn named(library: &'static Library, name: &str) -> Result<Self, Unavailable> {
        Ok(Self {
            // SAFETY: the type is the one that the public header gives this name; so are those
            // that follow.
            whole: unsafe { symbol(library, name) }?,
            // SAFETY: as above.
            init: unsafe { symbol(library, &format!("{name}_init")) }?,
            // SAFETY: as above.
            update: unsafe { symbol(library, &format!("{name}_update")) }?,
            // SAFETY: as above.
            squeeze: unsafe { symbol(library, &format!("{name}_squeeze")) }?,
        })
    }
}

/// HMAC of a hash function.
#[derive(Clone, Copy)]
pub(super) struct Hmac {
    pub(super) init: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
    pub(super) update: Update,
    pub(super) end: unsafe extern "C" fn(*mut c_void, *mut u8) -> c_int,
}

impl Hmac {
    /// The function whose names have that prefix.
    pub(super) fn named(library: &'static Library, name: &str) -> Result<Self, Unavailable> {
        Ok(Self {
            // SAFETY: the type is the one that the public header gives this name; so are those
            // that follow.
            init: unsafe { symbol(library, &format!("{name}_init")) }?,
            // SAFETY: as above.
            update: unsafe { symbol(library, &format!("{name}_update")) }?,
            // SAFETY: as above.
            end: unsafe { symbol(library, &format!("{name}_final")) }?,
        })
    }
}

/// Memory for any state of the library, of which AES-256-GCM has the largest. Starting one writes all of it
/// that is read.
pub(super) struct State(Box<MaybeUninit<[u128; 32]>>);

impl State {
    pub(super) fn new() -> Self {
        Self(Box::new_uninit())
    }

    pub(super) fn get(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }
}
