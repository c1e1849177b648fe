//! Declarations of the public header; 0 is no error.

use std::ffi::{c_char, c_int, c_uint, c_void};

use crate::peers::dl::functions;

/// The object of a call.
pub(super) type Handle = *mut c_void;

pub(super) const GCRYCTL_DISABLE_SECMEM: c_int = 37;
pub(super) const GCRYCTL_INITIALIZATION_FINISHED: c_int = 38;
pub(super) const GCRYCTL_DISABLE_HWF: c_int = 63;
pub(super) const GCRY_CIPHER_3DES: c_int = 2;
pub(super) const GCRY_CIPHER_AES: c_int = 7;
pub(super) const GCRY_CIPHER_AES192: c_int = 8;
pub(super) const GCRY_CIPHER_AES256: c_int = 9;
pub(super) const ECB: c_int = 1;
pub(super) const CBC: c_int = 3;
pub(super) const CTR: c_int = 6;
pub(super) const AESWRAP: c_int = 7;
pub(super) const CCM: c_int = 8;
pub(super) const GCM: c_int = 9;
pub(super) const XTS: c_int = 13;
pub(super) const STREAM: c_int = 4;
pub(super) const POLY1305: c_int = 10;
pub(super) const GCRY_CIPHER_ARCFOUR: c_int = 301;
pub(super) const GCRY_CIPHER_CHACHA20: c_int = 316;
pub(super) const GCRYCTL_RESET: c_int = 4;
pub(super) const GCRYCTL_SET_CCM_LENGTHS: c_int = 69;

functions! {
    /// Its initialization.
    Version {
        fn gcry_check_version(least: *const c_char) -> *const c_char;
    }

    /// Ciphers.
    Cipher {
        fn gcry_cipher_open(
            handle: *mut Handle,
            algorithm: c_int,
            mode: c_int,
            flags: c_uint,
        ) -> c_uint;
        fn gcry_cipher_close(handle: Handle);
        fn gcry_cipher_setkey(handle: Handle, key: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_setiv(handle: Handle, iv: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_setctr(handle: Handle, counter: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_ctl(
            handle: Handle,
            command: c_int,
            buffer: *mut c_void,
            len: usize,
        ) -> c_uint;
        fn gcry_cipher_authenticate(handle: Handle, data: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_encrypt(
            handle: Handle,
            out: *mut c_void,
            out_len: usize,
            text: *const c_void,
            len: usize,
        ) -> c_uint;
        fn gcry_cipher_decrypt(
            handle: Handle,
            out: *mut c_void,
            out_len: usize,
            text: *const c_void,
            len: usize,
        ) -> c_uint;
        fn gcry_cipher_checktag(handle: Handle, tag: *const c_void, len: usize) -> c_uint;
        fn gcry_cipher_gettag(handle: Handle, tag: *mut c_void, len: usize) -> c_uint;
    }

    /// Message authentication codes.
    Mac {
        fn gcry_mac_open(
            handle: *mut Handle,
            algorithm: c_int,
            flags: c_uint,
            context: *mut c_void,
        ) -> c_uint;
        fn gcry_mac_close(handle: Handle);
        fn gcry_mac_ctl(handle: Handle, command: c_int, at: *mut c_void, len: usize) -> c_uint;
        fn gcry_mac_setkey(handle: Handle, key: *const c_void, len: usize) -> c_uint;
        fn gcry_mac_write(handle: Handle, text: *const c_void, len: usize) -> c_uint;
        fn gcry_mac_read(handle: Handle, tag: *mut c_void, len: *mut usize) -> c_uint;
    }

    /// Nonces of those that have one.
    MacNonce {
        fn gcry_mac_setiv(handle: Handle, nonce: *const c_void, len: usize) -> c_uint;
    }

    /// Output of any length.
    Extract {
        fn gcry_md_extract(
            handle: Handle,
            algorithm: c_int,
            out: *mut c_void,
            len: usize,
        ) -> c_uint;
    }

    /// Hash functions.
    Digest {
        fn gcry_md_open(handle: *mut Handle, algorithm: c_int, flags: c_uint) -> c_uint;
        fn gcry_md_close(handle: Handle);
        fn gcry_md_reset(handle: Handle);
        fn gcry_md_write(handle: Handle, text: *const c_void, len: usize);
        fn gcry_md_read(handle: Handle, algorithm: c_int) -> *mut u8;
        fn gcry_md_hash_buffer(
            algorithm: c_int,
            digest: *mut c_void,
            text: *const c_void,
            len: usize,
        );
    }
}
