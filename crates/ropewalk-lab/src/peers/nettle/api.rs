//! Declarations of the public headers. A context is memory of the caller.

use std::ffi::{c_int, c_void};

use libloading::os::unix::Library;

use crate::{
    peers::{
        Unavailable,
        dl::{functions, symbol},
    },
    tasks::Direction,
};

/// Sets a key.
pub(super) type SetKey = unsafe extern "C" fn(*mut c_void, *const u8);

/// Encrypts or decrypts blocks.
pub(super) type Block = unsafe extern "C" fn(*const c_void, usize, *mut u8, *const u8);

functions! {
    /// Its version.
    Version {
        fn nettle_version_major() -> c_int;
        fn nettle_version_minor() -> c_int;
    }

    /// Counter mode of any cipher.
    Ctr {
        fn nettle_ctr_crypt(
            cipher: *const c_void,
            encrypt: Block,
            block_len: usize,
            counter: *mut u8,
            len: usize,
            out: *mut u8,
            text: *const u8,
        );
    }

    /// Key wrap of any cipher.
    KeyWrap {
        fn nettle_nist_keywrap16(
            cipher: *const c_void,
            encrypt: Block,
            initial: *const u8,
            wrapped_len: usize,
            wrapped: *mut u8,
            key: *const u8,
        );
        fn nettle_nist_keyunwrap16(
            cipher: *const c_void,
            decrypt: Block,
            initial: *const u8,
            key_len: usize,
            key: *mut u8,
            wrapped: *const u8,
        ) -> c_int;
    }

    /// Chaining of any cipher.
    Chaining {
        fn nettle_cbc_encrypt(
            cipher: *const c_void,
            encrypt: Block,
            block_len: usize,
            iv: *mut u8,
            len: usize,
            out: *mut u8,
            text: *const u8,
        );
        fn nettle_cbc_decrypt(
            cipher: *const c_void,
            decrypt: Block,
            block_len: usize,
            iv: *mut u8,
            len: usize,
            out: *mut u8,
            text: *const u8,
        );
    }

    /// Triple DES, with one key for both directions.
    TripleDes {
        fn nettle_des3_set_key(context: *mut c_void, key: *const u8) -> c_int;
        fn nettle_des3_encrypt(context: *const c_void, len: usize, out: *mut u8, text: *const u8);
        fn nettle_des3_decrypt(context: *const c_void, len: usize, out: *mut u8, text: *const u8);
    }

    /// RC4.
    Rc4 {
        fn nettle_arcfour128_set_key(context: *mut c_void, key: *const u8);
        fn nettle_arcfour_crypt(context: *mut c_void, len: usize, out: *mut u8, text: *const u8);
    }

    /// Compares in constant time.
    Equal {
        fn nettle_memeql_sec(a: *const c_void, b: *const c_void, len: usize) -> c_int;
    }

    /// ChaCha20 with a counter of 32 bits.
    ChaCha {
        fn nettle_chacha_set_key(context: *mut c_void, key: *const u8);
        fn nettle_chacha_set_nonce96(context: *mut c_void, nonce: *const u8);
        fn nettle_chacha_crypt32(
            context: *mut c_void,
            len: usize,
            out: *mut u8,
            text: *const u8,
        );
    }
}

/// AES encryption, with a key of that length.
pub(super) fn encrypt(
    library: &'static Library,
    key_len: usize,
) -> Result<(SetKey, Block), Unavailable> {
    let bits = key_len * 8;
    let set_key = format!("nettle_aes{bits}_set_encrypt_key");
    let block = format!("nettle_aes{bits}_encrypt");
    // SAFETY: the types are those that the public header gives these names.
    Ok((unsafe { symbol(library, &set_key) }?, unsafe { symbol(library, &block) }?))
}

/// The inverse.
pub(super) fn decrypt(
    library: &'static Library,
    key_len: usize,
) -> Result<(SetKey, Block), Unavailable> {
    let bits = key_len * 8;
    let set_key = format!("nettle_aes{bits}_set_decrypt_key");
    let block = format!("nettle_aes{bits}_decrypt");
    // SAFETY: the types are those that the public header gives these names.
    Ok((unsafe { symbol(library, &set_key) }?, unsafe { symbol(library, &block) }?))
}

/// One data unit: keys, tweak, length, output, input.
pub(super) type Xts = unsafe extern "C" fn(*const c_void, *const u8, usize, *mut u8, *const u8);

/// AES-XTS, with a key of that length.
pub(super) fn xts(
    library: &'static Library,
    direction: Direction,
    key_len: usize,
) -> Result<(SetKey, Xts), Unavailable> {
    let way = if direction == Direction::Encrypt { "encrypt" } else { "decrypt" };
    let set_key = format!("nettle_xts_aes{}_set_{way}_key", key_len * 4);
    let message = format!("nettle_xts_aes{}_{way}_message", key_len * 4);
    // SAFETY: the types are those that the public header gives these names.
    Ok((unsafe { symbol(library, &set_key) }?, unsafe { symbol(library, &message) }?))
}

/// The function of that name that takes a key of one length.
pub(super) fn set_key(library: &'static Library, name: &str) -> Result<SetKey, Unavailable> {
    // SAFETY: the type is the one that the public header gives these names.
    unsafe { symbol(library, &format!("nettle_{name}")) }
}

pub(super) type SetKeyOfLength = unsafe extern "C" fn(*mut c_void, usize, *const u8);

/// The function of that name that takes a key of any length.
pub(super) fn set_key_of_length(
    library: &'static Library,
    name: &str,
) -> Result<SetKeyOfLength, Unavailable> {
    // SAFETY: the type is the one that the public header gives these names.
    unsafe { symbol(library, &format!("nettle_{name}")) }
}

pub(super) type Encrypt = unsafe extern "C" fn(*const c_void, *mut u8, usize, *mut u8, *const u8);
pub(super) type Decrypt =
    unsafe extern "C" fn(*const c_void, Block, usize, *mut u8, usize, *mut u8, *const u8);

/// Chaining of AES with a key of one length to encrypt, of any cipher to decrypt.
pub(super) enum Chain {
    Encrypt(Encrypt),
    Decrypt(Decrypt, Block),
}

/// AES in cipher block chaining, with a key of that length.
pub(super) fn chain(
    library: &'static Library,
    direction: Direction,
    key_len: usize,
) -> Result<(SetKey, Chain), Unavailable> {
    let bits = key_len * 8;
    if direction == Direction::Encrypt {
        let (set_key, _) = encrypt(library, key_len)?;
        let name = format!("nettle_cbc_aes{bits}_encrypt");
        // SAFETY: the type is the one that the public header gives this name.
        return Ok((set_key, Chain::Encrypt(unsafe { symbol(library, &name) }?)));
    }
    let (set_key, block) = decrypt(library, key_len)?;
    // SAFETY: the type is the one that the public header gives this name.
    let chain = unsafe { symbol(library, "nettle_cbc_decrypt") }?;
    Ok((set_key, Chain::Decrypt(chain, block)))
}

/// A hash function.
#[derive(Clone, Copy)]
pub(super) struct Hash {
    pub(super) init: unsafe extern "C" fn(*mut c_void),
    pub(super) update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
    pub(super) digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
}

impl Hash {
    /// That which is done by functions of these names.
    pub(super) fn of(
        library: &'static Library,
        init: &str,
        update: &str,
        end: &str,
    ) -> Result<Self, Unavailable> {
        Ok(Self {
            // SAFETY: the type is the one that the public header gives this name; so are those
            // that follow.
            init: unsafe { symbol(library, &format!("nettle_{init}")) }?,
            // SAFETY: as above.
            update: unsafe { symbol(library, &format!("nettle_{update}")) }?,
            // SAFETY: as above.
            digest: unsafe { symbol(library, &format!("nettle_{end}")) }?,
        })
    }
}

/// With its length, or a fixed one, or with those of the message: header data, text, tag.
#[derive(Clone, Copy)]
pub(super) enum SetNonce {
    WithLengths(unsafe extern "C" fn(*mut c_void, usize, *const u8, usize, usize, usize)),
    OfLength(unsafe extern "C" fn(*mut c_void, usize, *const u8)),
    Fixed(unsafe extern "C" fn(*mut c_void, *const u8)),
}

/// AES-GCM or AES-CCM with a key of one length, or ChaCha20-Poly1305.
#[derive(Clone, Copy)]
pub(super) struct Gcm {
    pub(super) set_key: SetKey,
    pub(super) set_iv: SetNonce,
    pub(super) update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
    pub(super) encrypt: unsafe extern "C" fn(*mut c_void, usize, *mut u8, *const u8),
    pub(super) decrypt: unsafe extern "C" fn(*mut c_void, usize, *mut u8, *const u8),
    pub(super) digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
}

impl Gcm {
    pub(super) fn load_for(library: &'static Library, key_len: usize) -> Result<Self, Unavailable> {
        let gcm = Self::named(library, &format!("gcm_aes{}", key_len * 8))?;
        // SAFETY: the type is the one that the public header gives this name.
        let set = unsafe { symbol(library, &format!("nettle_gcm_aes{}_set_iv", key_len * 8)) }?;
        Ok(Self { set_iv: SetNonce::OfLength(set), ..gcm })
    }

    pub(super) fn ccm(library: &'static Library, key_len: usize) -> Result<Self, Unavailable> {
        let name = format!("ccm_aes{}", key_len * 8);
        let ccm = Self::named(library, &name)?;
        // SAFETY: the type is the one that the public header gives this name.
        let set = unsafe { symbol(library, &format!("nettle_{name}_set_nonce")) }?;
        Ok(Self { set_iv: SetNonce::WithLengths(set), ..ccm })
    }

    /// One with a fixed nonce length.
    pub(super) fn named(library: &'static Library, name: &str) -> Result<Self, Unavailable> {
        let name = |of: &str| format!("nettle_{name}_{of}");
        let set = if name("").contains("gcm") { "set_iv" } else { "set_nonce" };
        Ok(Self {
            // SAFETY: the type is the one that the public header gives this name; so are those
            // that follow.
            set_key: unsafe { symbol(library, &name("set_key")) }?,
            // SAFETY: as above.
            set_iv: SetNonce::Fixed(unsafe { symbol(library, &name(set)) }?),
            // SAFETY: as above.
            update: unsafe { symbol(library, &name("update")) }?,
            // SAFETY: as above.
            encrypt: unsafe { symbol(library, &name("encrypt")) }?,
            // SAFETY: as above.
            decrypt: unsafe { symbol(library, &name("decrypt")) }?,
            // SAFETY: as above.
            digest: unsafe { symbol(library, &name("digest")) }?,
        })
    }
}
