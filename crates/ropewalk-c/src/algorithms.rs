//! Algorithms of each kind: their numbers and names, and their lengths.

use std::ffi::c_char;

use ropewalk::{aead, cipher, hash, mac};

use crate::{
    enter::{Result, Why, call},
    memory::{self, string},
    names::{Names, names},
    status::{ropewalk_error, ropewalk_status},
};

/// A hash function: ROPEWALK_SHA256 or another one. Numbers start with 1, and are never reused.
pub type ropewalk_hash = u32;
/// For old protocols: collisions can be found.
pub const ROPEWALK_MD5: ropewalk_hash = 1;
/// For old protocols: collisions can be found.
pub const ROPEWALK_SHA1: ropewalk_hash = 2;
pub const ROPEWALK_SHA224: ropewalk_hash = 3;
pub const ROPEWALK_SHA256: ropewalk_hash = 4;
pub const ROPEWALK_SHA384: ropewalk_hash = 5;
pub const ROPEWALK_SHA512: ropewalk_hash = 6;
pub const ROPEWALK_SHA512_256: ropewalk_hash = 7;
pub const ROPEWALK_SHA3_224: ropewalk_hash = 8;
pub const ROPEWALK_SHA3_256: ropewalk_hash = 9;
pub const ROPEWALK_SHA3_384: ropewalk_hash = 10;
pub const ROPEWALK_SHA3_512: ropewalk_hash = 11;
/// Its output may have any length; a digest has 32 bytes by default.
pub const ROPEWALK_SHAKE128: ropewalk_hash = 12;
/// Its output may have any length; a digest has 64 bytes by default.
pub const ROPEWALK_SHAKE256: ropewalk_hash = 13;
pub const ROPEWALK_SM3: ropewalk_hash = 14;

/// A message authentication code.
pub type ropewalk_mac = u32;
pub const ROPEWALK_HMAC_MD5: ropewalk_mac = 1;
pub const ROPEWALK_HMAC_SHA1: ropewalk_mac = 2;
pub const ROPEWALK_HMAC_SHA224: ropewalk_mac = 3;
pub const ROPEWALK_HMAC_SHA256: ropewalk_mac = 4;
pub const ROPEWALK_HMAC_SHA384: ropewalk_mac = 5;
pub const ROPEWALK_HMAC_SHA512: ropewalk_mac = 6;
pub const ROPEWALK_HMAC_SHA512_256: ropewalk_mac = 7;
pub const ROPEWALK_HMAC_SHA3_224: ropewalk_mac = 8;
pub const ROPEWALK_HMAC_SHA3_256: ropewalk_mac = 9;
pub const ROPEWALK_HMAC_SHA3_384: ropewalk_mac = 10;
pub const ROPEWALK_HMAC_SHA3_512: ropewalk_mac = 11;
pub const ROPEWALK_AES_128_CMAC: ropewalk_mac = 12;
pub const ROPEWALK_AES_192_CMAC: ropewalk_mac = 13;
pub const ROPEWALK_AES_256_CMAC: ropewalk_mac = 14;
pub const ROPEWALK_HMAC_SM3: ropewalk_mac = 15;

/// An authenticated cipher.
pub type ropewalk_aead = u32;
pub const ROPEWALK_AES_128_GCM: ropewalk_aead = 1;
pub const ROPEWALK_AES_192_GCM: ropewalk_aead = 2;
pub const ROPEWALK_AES_256_GCM: ropewalk_aead = 3;
pub const ROPEWALK_AES_128_CCM: ropewalk_aead = 4;
pub const ROPEWALK_AES_192_CCM: ropewalk_aead = 5;
pub const ROPEWALK_AES_256_CCM: ropewalk_aead = 6;
pub const ROPEWALK_CHACHA20_POLY1305: ropewalk_aead = 7;

/// A cipher without authentication: modifications are not detected.
pub type ropewalk_cipher = u32;
pub const ROPEWALK_AES_128_CTR: ropewalk_cipher = 1;
pub const ROPEWALK_AES_192_CTR: ropewalk_cipher = 2;
pub const ROPEWALK_AES_256_CTR: ropewalk_cipher = 3;
pub const ROPEWALK_AES_128_CBC: ropewalk_cipher = 4;
pub const ROPEWALK_AES_192_CBC: ropewalk_cipher = 5;
pub const ROPEWALK_AES_256_CBC: ropewalk_cipher = 6;
pub const ROPEWALK_AES_128_XTS: ropewalk_cipher = 7;
pub const ROPEWALK_AES_256_XTS: ropewalk_cipher = 8;
pub const ROPEWALK_CHACHA20: ropewalk_cipher = 9;

/// The longest digest or tag in bytes. The output of SHAKE may be longer.
pub const ROPEWALK_LONGEST_TAG: usize = 64;

const _: () = {
    let mut i = 0;
    while i < hash::Algorithm::ALL.len() {
        assert!(hash::Algorithm::ALL[i].digest_len() <= ROPEWALK_LONGEST_TAG, "a longer digest");
        i += 1;
    }
};

/// The properties of algorithms of one kind.
pub(crate) trait Kind: Copy + PartialEq + 'static {
    const WHAT: &'static str;
    /// Indexed by number, from 1 on.
    const NUMBERED: &'static [Self];
    const NAMES: Names;

    /// The algorithm of that number.
    #[inline(always)]
    fn numbered(number: u32) -> Result<Self> {
        match Self::NUMBERED.get((number as usize).wrapping_sub(1)) {
            Some(algorithm) => Ok(*algorithm),
            None => Err(Why::NoNumber { what: Self::WHAT, got: number }.into()),
        }
    }

    /// The length of one, or 0 where there is no such number.
    fn len(number: u32, of: impl FnOnce(Self) -> usize) -> usize {
        Self::numbered(number).map_or(0, of)
    }

    /// Its name, or NULL.
    fn text(number: u32) -> *const c_char {
        Self::NAMES.at((number as usize).wrapping_sub(1))
    }
}

/// Declares the numbers of a kind. Each must be that of its constant, or it does not compile.
macro_rules! kind {
    ($kind:ident, $what:literal: $( $CONSTANT:ident = $Variant:ident, )+) => {
        impl Kind for $kind::Algorithm {
            const WHAT: &'static str = $what;
            const NUMBERED: &'static [Self] = &[$( Self::$Variant, )+];
            const NAMES: Names = names!([$( $kind::Algorithm::$Variant.name(), )+]);
        }

        const _: () = {
            let numbers = [$( $CONSTANT, )+];
            let mut i = 0;
            while i < numbers.len() {
                assert!(numbers[i] as usize == i + 1, "a number that is not that of its place");
                i += 1;
            }
            assert!(numbers.len() == $kind::Algorithm::ALL.len(), "an algorithm has no number");
        };
    };
}

kind! { hash, "hash function":
    ROPEWALK_MD5 = Md5,
    ROPEWALK_SHA1 = Sha1,
    ROPEWALK_SHA224 = Sha224,
    ROPEWALK_SHA256 = Sha256,
    ROPEWALK_SHA384 = Sha384,
    ROPEWALK_SHA512 = Sha512,
    ROPEWALK_SHA512_256 = Sha512_256,
    ROPEWALK_SHA3_224 = Sha3_224,
    ROPEWALK_SHA3_256 = Sha3_256,
    ROPEWALK_SHA3_384 = Sha3_384,
    ROPEWALK_SHA3_512 = Sha3_512,
    ROPEWALK_SHAKE128 = Shake128,
    ROPEWALK_SHAKE256 = Shake256,
    ROPEWALK_SM3 = Sm3,
}

kind! { mac, "message authentication code":
    ROPEWALK_HMAC_MD5 = HmacMd5,
    ROPEWALK_HMAC_SHA1 = HmacSha1,
    ROPEWALK_HMAC_SHA224 = HmacSha224,
    ROPEWALK_HMAC_SHA256 = HmacSha256,
    ROPEWALK_HMAC_SHA384 = HmacSha384,
    ROPEWALK_HMAC_SHA512 = HmacSha512,
    ROPEWALK_HMAC_SHA512_256 = HmacSha512_256,
    ROPEWALK_HMAC_SHA3_224 = HmacSha3_224,
    ROPEWALK_HMAC_SHA3_256 = HmacSha3_256,
    ROPEWALK_HMAC_SHA3_384 = HmacSha3_384,
    ROPEWALK_HMAC_SHA3_512 = HmacSha3_512,
    ROPEWALK_AES_128_CMAC = Aes128Cmac,
    ROPEWALK_AES_192_CMAC = Aes192Cmac,
    ROPEWALK_AES_256_CMAC = Aes256Cmac,
    ROPEWALK_HMAC_SM3 = HmacSm3,
}

kind! { aead, "authenticated cipher":
    ROPEWALK_AES_128_GCM = Aes128Gcm,
    ROPEWALK_AES_192_GCM = Aes192Gcm,
    ROPEWALK_AES_256_GCM = Aes256Gcm,
    ROPEWALK_AES_128_CCM = Aes128Ccm,
    ROPEWALK_AES_192_CCM = Aes192Ccm,
    ROPEWALK_AES_256_CCM = Aes256Ccm,
    ROPEWALK_CHACHA20_POLY1305 = ChaCha20Poly1305,
}

kind! { cipher, "cipher":
    ROPEWALK_AES_128_CTR = Aes128Ctr,
    ROPEWALK_AES_192_CTR = Aes192Ctr,
    ROPEWALK_AES_256_CTR = Aes256Ctr,
    ROPEWALK_AES_128_CBC = Aes128Cbc,
    ROPEWALK_AES_192_CBC = Aes192Cbc,
    ROPEWALK_AES_256_CBC = Aes256Cbc,
    ROPEWALK_AES_128_XTS = Aes128Xts,
    ROPEWALK_AES_256_XTS = Aes256Xts,
    ROPEWALK_CHACHA20 = ChaCha20,
}

/// The names of a kind, selected by the name of the kind in errors.
pub(crate) fn names_of(what: &[c_char]) -> &'static [&'static str] {
    let kinds = [
        (hash::Algorithm::WHAT, hash::Algorithm::NAMES),
        (mac::Algorithm::WHAT, mac::Algorithm::NAMES),
        (aead::Algorithm::WHAT, aead::Algorithm::NAMES),
        (cipher::Algorithm::WHAT, cipher::Algorithm::NAMES),
    ];
    let is = |kind: &str| {
        let bytes = kind.bytes().chain([0]);
        what.len() > kind.len() && bytes.zip(what).all(|(kind, byte)| kind == *byte as u8)
    };
    kinds.into_iter().find(|(kind, _)| is(kind)).map_or(&[], |(_, names)| names.all())
}

/// Writes the number of the algorithm of that name.
///
/// # Safety
/// `name` is a string, or NULL; `algorithm` is for writing, or NULL.
unsafe fn find<K: Kind>(
    name: *const c_char,
    algorithm: *mut u32,
    named: impl FnOnce(&str) -> std::result::Result<K, ropewalk::Error>,
) -> Result<()> {
    // SAFETY: a string of the caller's, or NULL.
    let name = unsafe { string("name", name) }?;
    let known = named(&name.to_string_lossy())?;
    let at = K::NUMBERED.iter().position(|numbered| *numbered == known);
    let Some(at) = at else { unreachable!("all have numbers") };
    // SAFETY: for writing, or NULL.
    unsafe { memory::put("algorithm", algorithm, at as u32 + 1) }
}

/// Writes the number of a hash function to `algorithm`, given its name, such as "sha256": for programs that have it from a
/// configuration. Case and `-`, `_` and `/` do not matter.
///
/// Fails with ROPEWALK_NO_ALGORITHM where none has that name.
///
/// # Safety
/// `name` is a string; `algorithm` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hash_named(
    name: *const c_char,
    algorithm: *mut ropewalk_hash,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { find(name, algorithm, hash::Algorithm::named) })
}

/// The name of a hash function; NULL where none has that number. They are numbered from 1 on, without gaps.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_hash_name(algorithm: ropewalk_hash) -> *const c_char {
    hash::Algorithm::text(algorithm)
}

/// The length of a digest in bytes; for SHAKE, the default one. 0 where there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_hash_digest_len(algorithm: ropewalk_hash) -> usize {
    hash::Algorithm::len(algorithm, hash::Algorithm::digest_len)
}

/// The length of a block in bytes. 0 where there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_hash_block_len(algorithm: ropewalk_hash) -> usize {
    hash::Algorithm::len(algorithm, hash::Algorithm::block_len)
}

/// Writes the number of a message authentication code to `algorithm`, given its name, such as "hmac-sha256": for programs that
/// have it from a configuration. Case and `-`, `_` and `/` do not matter.
///
/// Fails with ROPEWALK_NO_ALGORITHM where none has that name.
///
/// # Safety
/// `name` is a string; `algorithm` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_named(
    name: *const c_char,
    algorithm: *mut ropewalk_mac,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { find(name, algorithm, mac::Algorithm::named) })
}

/// The name of a message authentication code; NULL where none has that number. They are numbered from 1 on, without gaps.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_mac_name(algorithm: ropewalk_mac) -> *const c_char {
    mac::Algorithm::text(algorithm)
}

/// The length of a key in bytes. HMAC accepts others too, but this is recommended. 0 where there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_mac_key_len(algorithm: ropewalk_mac) -> usize {
    mac::Algorithm::len(algorithm, mac::Algorithm::key_len)
}

/// The length of a tag in bytes. 0 where there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_mac_tag_len(algorithm: ropewalk_mac) -> usize {
    mac::Algorithm::len(algorithm, mac::Algorithm::tag_len)
}

/// Writes the number of an authenticated cipher to `algorithm`, given its name, such as "aes-256-gcm": for programs that have it
/// from a configuration. Case and `-`, `_` and `/` do not matter.
///
/// Fails with ROPEWALK_NO_ALGORITHM where none has that name.
///
/// # Safety
/// `name` is a string; `algorithm` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_named(
    name: *const c_char,
    algorithm: *mut ropewalk_aead,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { find(name, algorithm, aead::Algorithm::named) })
}

/// The name of an authenticated cipher; NULL where none has that number. They are numbered from 1 on, without gaps.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_aead_name(algorithm: ropewalk_aead) -> *const c_char {
    aead::Algorithm::text(algorithm)
}

/// The length of a key in bytes. 0 where there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_aead_key_len(algorithm: ropewalk_aead) -> usize {
    aead::Algorithm::len(algorithm, aead::Algorithm::key_len)
}

/// The length in bytes of a nonce that all of them accept. AES-GCM and AES-CCM accept others too. 0 where there is no such
/// algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_aead_nonce_len(algorithm: ropewalk_aead) -> usize {
    aead::Algorithm::len(algorithm, aead::Algorithm::nonce_len)
}

/// The default length of a tag in bytes. 0 where there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_aead_tag_len(algorithm: ropewalk_aead) -> usize {
    aead::Algorithm::len(algorithm, aead::Algorithm::tag_len)
}

/// Writes the number of a cipher to `algorithm`, given its name, such as "aes-256-ctr": for programs that have it from a
/// configuration. Case and `-`, `_` and `/` do not matter.
///
/// Fails with ROPEWALK_NO_ALGORITHM where none has that name.
///
/// # Safety
/// `name` is a string; `algorithm` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_cipher_named(
    name: *const c_char,
    algorithm: *mut ropewalk_cipher,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { find(name, algorithm, cipher::Algorithm::named) })
}

/// The name of a cipher; NULL where none has that number. They are numbered from 1 on, without gaps.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_cipher_name(algorithm: ropewalk_cipher) -> *const c_char {
    cipher::Algorithm::text(algorithm)
}

/// The length of a key in bytes; for XTS, of both of its halves. 0 where there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_cipher_key_len(algorithm: ropewalk_cipher) -> usize {
    cipher::Algorithm::len(algorithm, cipher::Algorithm::key_len)
}

/// The length of a nonce in bytes: of the first counter block for CTR, of the initialization vector for CBC, and of the tweak for
/// XTS. 0 where there is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_cipher_nonce_len(algorithm: ropewalk_cipher) -> usize {
    cipher::Algorithm::len(algorithm, cipher::Algorithm::nonce_len)
}

/// The length of a text must be a multiple of this many bytes; there is no padding. For XTS it is also at least 16. 0 where there
/// is no such algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_cipher_block_len(algorithm: ropewalk_cipher) -> usize {
    cipher::Algorithm::len(algorithm, cipher::Algorithm::block_len)
}
