//! Declarations of the public header `gnutls/crypto.h`; 0 is no error.

use std::{
    ffi::{c_char, c_int, c_uint, c_void},
    marker::PhantomData,
};

use crate::peers::dl::functions;

/// The object of a call.
pub(super) type Handle = *mut c_void;

/// `GNUTLS_RND_RANDOM`: cryptographic according to the header, for keys of one session.
pub(super) const RANDOM: c_int = 1;

/// `gnutls_datum_t`.
#[repr(C)]
pub(super) struct Datum<'a> {
    data: *const u8,
    size: c_uint,
    of: PhantomData<&'a [u8]>,
}

impl<'a> Datum<'a> {
    /// A key or a message, whose length fits into 32 bits.
    pub(super) fn of(key: &'a [u8]) -> Self {
        Self { data: key.as_ptr(), size: key.len() as c_uint, of: PhantomData }
    }
}

functions! {
    /// Its version.
    Version {
        fn gnutls_check_version(least: *const c_char) -> *const c_char;
    }

    /// Ciphers.
    Cipher {
        fn gnutls_cipher_init(
            handle: *mut Handle,
            algorithm: c_int,
            key: *const Datum<'_>,
            iv: *const Datum<'_>,
        ) -> c_int;
        fn gnutls_cipher_set_iv(handle: Handle, iv: *mut c_void, len: usize);
        fn gnutls_cipher_encrypt(handle: Handle, text: *mut c_void, len: usize) -> c_int;
        fn gnutls_cipher_decrypt(handle: Handle, text: *mut c_void, len: usize) -> c_int;
        fn gnutls_cipher_deinit(handle: Handle);
    }

    /// Authenticated ciphers. A sealed message is followed by its tag.
    Aead {
        fn gnutls_aead_cipher_init(
            handle: *mut Handle,
            algorithm: c_int,
            key: *const Datum<'_>,
        ) -> c_int;
        fn gnutls_aead_cipher_encrypt(
            handle: Handle,
            nonce: *const c_void,
            nonce_len: usize,
            aad: *const c_void,
            aad_len: usize,
            tag_len: usize,
            text: *const c_void,
            text_len: usize,
            sealed: *mut c_void,
            sealed_len: *mut usize,
        ) -> c_int;
        fn gnutls_aead_cipher_decrypt(
            handle: Handle,
            nonce: *const c_void,
            nonce_len: usize,
            aad: *const c_void,
            aad_len: usize,
            tag_len: usize,
            sealed: *const c_void,
            sealed_len: usize,
            text: *mut c_void,
            text_len: *mut usize,
        ) -> c_int;
        fn gnutls_aead_cipher_deinit(handle: Handle);
    }

    /// Hash functions.
    Hash {
        fn gnutls_hash_init(handle: *mut Handle, algorithm: c_int) -> c_int;
        fn gnutls_hash(handle: Handle, text: *const c_void, len: usize) -> c_int;
        fn gnutls_hash_output(handle: Handle, digest: *mut c_void);
        fn gnutls_hash_deinit(handle: Handle, digest: *mut c_void);
    }

    /// Output of any length, since 3.8.6.
    Squeeze {
        fn gnutls_hash_squeeze(handle: Handle, out: *mut c_void, len: usize) -> c_int;
    }

    /// Message authentication codes: all are called HMAC.
    Mac {
        fn gnutls_hmac_init(
            handle: *mut Handle,
            algorithm: c_int,
            key: *const c_void,
            len: usize,
        ) -> c_int;
        fn gnutls_hmac_set_nonce(handle: Handle, nonce: *const c_void, len: usize);
        fn gnutls_hmac(handle: Handle, text: *const c_void, len: usize) -> c_int;
        fn gnutls_hmac_output(handle: Handle, tag: *mut c_void);
        fn gnutls_hmac_deinit(handle: Handle, tag: *mut c_void);
    }

    /// Random bytes.
    Random {
        fn gnutls_rnd(level: c_int, out: *mut c_void, len: usize) -> c_int;
    }
}
