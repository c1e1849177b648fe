//! Declarations of `botan/ffi.h`, common to 2.19 and 3.13; 0 is no error.

use std::ffi::{c_char, c_int, c_void};

use crate::peers::dl::functions;

/// The object of a call.
pub(super) type Handle = *mut c_void;

pub(super) const BOTAN_CIPHER_INIT_FLAG_ENCRYPT: u32 = 0;
pub(super) const BOTAN_CIPHER_INIT_FLAG_DECRYPT: u32 = 1;
pub(super) const BOTAN_CIPHER_UPDATE_FLAG_FINAL: u32 = 1;

functions! {
    /// Its version.
    Version {
        fn botan_version_major() -> u32;
        fn botan_version_minor() -> u32;
        fn botan_version_patch() -> u32;
    }

    /// Modes of ciphers, authenticated ones among them.
    Cipher {
        fn botan_cipher_init(handle: *mut Handle, name: *const c_char, flags: u32) -> c_int;
        fn botan_cipher_destroy(handle: Handle) -> c_int;
        fn botan_cipher_set_key(handle: Handle, key: *const u8, len: usize) -> c_int;
        fn botan_cipher_set_associated_data(handle: Handle, data: *const u8, len: usize) -> c_int;
        fn botan_cipher_start(handle: Handle, nonce: *const u8, len: usize) -> c_int;
        fn botan_cipher_update(
            handle: Handle,
            flags: u32,
            out: *mut u8,
            out_len: usize,
            written: *mut usize,
            text: *const u8,
            len: usize,
            consumed: *mut usize,
        ) -> c_int;
    }

    /// Ciphers block by block.
    Block {
        fn botan_block_cipher_init(handle: *mut Handle, name: *const c_char) -> c_int;
        fn botan_block_cipher_destroy(handle: Handle) -> c_int;
        fn botan_block_cipher_set_key(handle: Handle, key: *const u8, len: usize) -> c_int;
        fn botan_block_cipher_encrypt_blocks(
            handle: Handle,
            text: *const u8,
            out: *mut u8,
            blocks: usize,
        ) -> c_int;
        fn botan_block_cipher_decrypt_blocks(
            handle: Handle,
            text: *const u8,
            out: *mut u8,
            blocks: usize,
        ) -> c_int;
    }

    /// Key wrap of AES, of version 2.
    OldKeyWrap {
        fn botan_key_wrap3394(
            key: *const u8,
            key_len: usize,
            with: *const u8,
            with_len: usize,
            wrapped: *mut u8,
            wrapped_len: *mut usize,
        ) -> c_int;
        fn botan_key_unwrap3394(
            wrapped: *const u8,
            wrapped_len: usize,
            with: *const u8,
            with_len: usize,
            key: *mut u8,
            key_len: *mut usize,
        ) -> c_int;
    }

    /// Key wrap of any cipher, since version 3.
    KeyWrap {
        fn botan_nist_kw_enc(
            cipher: *const c_char,
            padded: c_int,
            key: *const u8,
            key_len: usize,
            with: *const u8,
            with_len: usize,
            wrapped: *mut u8,
            wrapped_len: *mut usize,
        ) -> c_int;
        fn botan_nist_kw_dec(
            cipher: *const c_char,
            padded: c_int,
            wrapped: *const u8,
            wrapped_len: usize,
            with: *const u8,
            with_len: usize,
            key: *mut u8,
            key_len: *mut usize,
        ) -> c_int;
    }

    /// Hash functions. Taking a digest starts the next message.
    Hash {
        fn botan_hash_init(handle: *mut Handle, name: *const c_char, flags: u32) -> c_int;
        fn botan_hash_destroy(handle: Handle) -> c_int;
        fn botan_hash_update(handle: Handle, text: *const u8, len: usize) -> c_int;
        fn botan_hash_final(handle: Handle, digest: *mut u8) -> c_int;
        fn botan_hash_clear(handle: Handle) -> c_int;
    }

    /// MACs. Taking a tag starts the next message with the same key, except for Poly1305.
    Mac {
        fn botan_mac_init(handle: *mut Handle, name: *const c_char, flags: u32) -> c_int;
        fn botan_mac_destroy(handle: Handle) -> c_int;
        fn botan_mac_set_key(handle: Handle, key: *const u8, len: usize) -> c_int;
        fn botan_mac_update(handle: Handle, text: *const u8, len: usize) -> c_int;
        fn botan_mac_final(handle: Handle, tag: *mut u8) -> c_int;
    }

    /// Since version 3.
    MacNonce {
        fn botan_mac_set_nonce(handle: Handle, nonce: *const u8, len: usize) -> c_int;
    }

    /// Random bytes.
    Random {
        fn botan_rng_init(handle: *mut Handle, name: *const c_char) -> c_int;
        fn botan_rng_destroy(handle: Handle) -> c_int;
        fn botan_rng_get(handle: Handle, out: *mut u8, len: usize) -> c_int;
    }
}
