//! Declarations of the public headers of wolfCrypt. A context is memory of the caller; 0 is no error.

use std::ffi::{c_char, c_int, c_uint, c_void};

use libloading::os::unix::Library;

use crate::{
    peers::{
        Unavailable,
        dl::{functions, symbol},
        find,
    },
    tasks::{Direction, Function},
};

/// No hardware device is used.
pub(super) const INVALID_DEVID: c_int = -2;

/// The direction for which a key of AES or of triple DES is set.
pub(super) fn way(direction: Direction) -> c_int {
    match direction {
        Direction::Encrypt => 0,
        Direction::Decrypt => 1,
    }
}

functions! {
    /// Its version, and its initialization.
    Version {
        fn wolfSSL_lib_version() -> *const c_char;
        fn wolfSSL_lib_version_hex() -> c_uint;
        fn wolfCrypt_Init() -> c_int;
    }

    /// AES: the functions common to all modes.
    Aes {
        fn wc_AesInit(aes: *mut c_void, heap: *mut c_void, device: c_int) -> c_int;
        fn wc_AesFree(aes: *mut c_void);
        fn wc_AesSetKey(
            aes: *mut c_void,
            key: *const u8,
            len: c_uint,
            iv: *const u8,
            way: c_int,
        ) -> c_int;
        fn wc_AesSetIV(aes: *mut c_void, iv: *const u8) -> c_int;
    }

    /// Key wrap with a key that is set.
    KeyWrap {
        fn wc_AesKeyWrap_ex(
            aes: *mut c_void,
            key: *const u8,
            len: c_uint,
            wrapped: *mut u8,
            room: c_uint,
            initial: *const u8,
        ) -> c_int;
        fn wc_AesKeyUnWrap_ex(
            aes: *mut c_void,
            wrapped: *const u8,
            len: c_uint,
            key: *mut u8,
            room: c_uint,
            initial: *const u8,
        ) -> c_int;
    }

    /// AES-XTS.
    Xts {
        fn wc_AesXtsSetKey(
            xts: *mut c_void,
            key: *const u8,
            len: c_uint,
            way: c_int,
            heap: *mut c_void,
            device: c_int,
        ) -> c_int;
        fn wc_AesXtsFree(xts: *mut c_void) -> c_int;
    }

    /// GMAC.
    Gmac {
        fn wc_GmacSetKey(gmac: *mut c_void, key: *const u8, len: c_uint) -> c_int;
        fn wc_GmacUpdate(
            gmac: *mut c_void,
            nonce: *const u8,
            nonce_len: c_uint,
            message: *const u8,
            len: c_uint,
            tag: *mut u8,
            tag_len: c_uint,
        ) -> c_int;
    }

    /// ChaCha20.
    ChaCha {
        fn wc_Chacha_SetKey(context: *mut c_void, key: *const u8, len: c_uint) -> c_int;
        fn wc_Chacha_SetIV(context: *mut c_void, nonce: *const u8, counter: c_uint) -> c_int;
        fn wc_Chacha_Process(
            context: *mut c_void,
            out: *mut u8,
            text: *const u8,
            len: c_uint,
        ) -> c_int;
    }

    /// Triple DES.
    TripleDes {
        fn wc_Des3Init(des: *mut c_void, heap: *mut c_void, device: c_int) -> c_int;
        fn wc_Des3Free(des: *mut c_void);
        fn wc_Des3_SetKey(des: *mut c_void, key: *const u8, iv: *const u8, way: c_int) -> c_int;
        fn wc_Des3_SetIV(des: *mut c_void, iv: *const u8) -> c_int;
        fn wc_Des3_CbcEncrypt(
            des: *mut c_void,
            out: *mut u8,
            text: *const u8,
            len: c_uint,
        ) -> c_int;
        fn wc_Des3_CbcDecrypt(
            des: *mut c_void,
            out: *mut u8,
            text: *const u8,
            len: c_uint,
        ) -> c_int;
    }

    /// RC4.
    Rc4 {
        fn wc_Arc4Init(context: *mut c_void, heap: *mut c_void, device: c_int) -> c_int;
        fn wc_Arc4Free(context: *mut c_void);
        fn wc_Arc4SetKey(context: *mut c_void, key: *const u8, len: c_uint) -> c_int;
        fn wc_Arc4Process(
            context: *mut c_void,
            out: *mut u8,
            text: *const u8,
            len: c_uint,
        ) -> c_int;
    }

    /// ChaCha20-Poly1305 of a whole message, from the key.
    ChaChaPoly {
        fn wc_ChaCha20Poly1305_Encrypt(
            key: *const u8,
            nonce: *const u8,
            aad: *const u8,
            aad_len: c_uint,
            text: *const u8,
            len: c_uint,
            out: *mut u8,
            tag: *mut u8,
        ) -> c_int;
        fn wc_ChaCha20Poly1305_Decrypt(
            key: *const u8,
            nonce: *const u8,
            aad: *const u8,
            aad_len: c_uint,
            sealed: *const u8,
            len: c_uint,
            tag: *const u8,
            out: *mut u8,
        ) -> c_int;
    }

    /// Poly1305.
    Poly1305 {
        fn wc_Poly1305SetKey(context: *mut c_void, key: *const u8, len: c_uint) -> c_int;
        fn wc_Poly1305Update(context: *mut c_void, text: *const u8, len: c_uint) -> c_int;
        fn wc_Poly1305Final(context: *mut c_void, tag: *mut u8) -> c_int;
    }

    /// HMAC.
    Hmac {
        fn wc_HmacInit(context: *mut c_void, heap: *mut c_void, device: c_int) -> c_int;
        fn wc_HmacSetKey(
            context: *mut c_void,
            function: c_int,
            key: *const u8,
            len: c_uint,
        ) -> c_int;
        fn wc_HmacUpdate(context: *mut c_void, text: *const u8, len: c_uint) -> c_int;
        fn wc_HmacFinal(context: *mut c_void, tag: *mut u8) -> c_int;
        fn wc_HmacFree(context: *mut c_void);
    }

    /// CMAC of a whole message, from the key.
    Cmac {
        fn wc_AesCmacGenerate(
            tag: *mut u8,
            tag_len: *mut c_uint,
            text: *const u8,
            len: c_uint,
            key: *const u8,
            key_len: c_uint,
        ) -> c_int;
    }

    /// Random bytes.
    Random {
        fn wc_InitRng(context: *mut c_void) -> c_int;
        fn wc_RNG_GenerateBlock(context: *mut c_void, out: *mut u8, len: c_uint) -> c_int;
        fn wc_FreeRng(context: *mut c_void) -> c_int;
    }
}

/// Processes data in a mode of AES: context, output, input, length.
pub(super) type Crypt = unsafe extern "C" fn(*mut c_void, *mut u8, *const u8, c_uint) -> c_int;

/// The mode of that name: `Cbc` or `Ecb`.
pub(super) fn crypt(
    library: &'static Library,
    mode: &str,
    direction: Direction,
) -> Result<Crypt, Unavailable> {
    // SAFETY: the type is the one that the public header gives these names.
    unsafe { symbol(library, &format!("wc_Aes{mode}{direction:?}")) }
}

/// Counter mode is the same in both directions.
pub(super) fn counter(library: &'static Library) -> Result<Crypt, Unavailable> {
    crypt(library, "Ctr", Direction::Encrypt)
}

/// One data unit: keys, output, input, length, tweak and its length.
pub(super) type CryptUnit =
    unsafe extern "C" fn(*mut c_void, *mut u8, *const u8, c_uint, *const u8, c_uint) -> c_int;

/// AES-XTS one way.
pub(super) fn unit(
    library: &'static Library,
    direction: Direction,
) -> Result<CryptUnit, Unavailable> {
    // SAFETY: the type is the one that the public header gives these names.
    unsafe { symbol(library, &format!("wc_AesXts{direction:?}")) }
}

/// Context, output, input, its length, nonce, its length, tag, its length, header data, its length.
type Seal = unsafe extern "C" fn(
    *mut c_void,
    *mut u8,
    *const u8,
    c_uint,
    *const u8,
    c_uint,
    *mut u8,
    c_uint,
    *const u8,
    c_uint,
) -> c_int;

/// The same, with a tag that is read.
type Open = unsafe extern "C" fn(
    *mut c_void,
    *mut u8,
    *const u8,
    c_uint,
    *const u8,
    c_uint,
    *const u8,
    c_uint,
    *const u8,
    c_uint,
) -> c_int;

/// AES-GCM or AES-CCM.
#[derive(Clone, Copy)]
pub(super) struct Sealing {
    pub(super) set_key: unsafe extern "C" fn(*mut c_void, *const u8, c_uint) -> c_int,
    pub(super) seal: Seal,
    pub(super) open: Open,
}

impl Sealing {
    /// The mode of that name: `Gcm` or `Ccm`.
    pub(super) fn of(library: &'static Library, mode: &str) -> Result<Self, Unavailable> {
        Ok(Self {
            // SAFETY: the type is the one that the public header gives these names; so are those
            // that follow.
            set_key: unsafe { symbol(library, &format!("wc_Aes{mode}SetKey")) }?,
            // SAFETY: as above.
            seal: unsafe { symbol(library, &format!("wc_Aes{mode}Encrypt")) }?,
            // SAFETY: as above.
            open: unsafe { symbol(library, &format!("wc_Aes{mode}Decrypt")) }?,
        })
    }
}

/// Writes a digest, and prepares the context for the next message.
#[derive(Clone, Copy)]
pub(super) enum End {
    OfOneLength(unsafe extern "C" fn(*mut c_void, *mut u8) -> c_int),
    OfLength(unsafe extern "C" fn(*mut c_void, *mut u8, c_uint) -> c_int),
}

/// A hash function.
#[derive(Clone, Copy)]
pub(super) struct Hash {
    pub(super) init: unsafe extern "C" fn(*mut c_void, *mut c_void, c_int) -> c_int,
    pub(super) update: unsafe extern "C" fn(*mut c_void, *const u8, c_uint) -> c_int,
    pub(super) end: End,
    pub(super) free: unsafe extern "C" fn(*mut c_void),
}

impl Hash {
    pub(super) fn of(
        library: &'static Library,
        Names { function, init, name }: Names,
    ) -> Result<Self, Unavailable> {
        let end = format!("wc_{name}Final");
        Ok(Self {
            // SAFETY: the type is the one that the public header gives these names; so are those
            // that follow.
            init: unsafe { symbol(library, &format!("wc_{init}")) }?,
            // SAFETY: as above.
            update: unsafe { symbol(library, &format!("wc_{name}Update")) }?,
            end: match function.extends() {
                // SAFETY: as above.
                true => End::OfLength(unsafe { symbol(library, &end) }?),
                // SAFETY: as above.
                false => End::OfOneLength(unsafe { symbol(library, &end) }?),
            },
            // SAFETY: as above.
            free: unsafe { symbol(library, &format!("wc_{name}Free")) }?,
        })
    }
}

/// The names of the functions of a hash function.
#[derive(Clone, Copy)]
pub(super) struct Names {
    function: Function,
    /// The first one.
    init: &'static str,
    /// The prefix of the others.
    name: &'static str,
}

const HASHES: &[(Function, (&str, &str))] = &[
    (Function::Md5, ("InitMd5_ex", "Md5")),
    (Function::Sha1, ("InitSha_ex", "Sha")),
    (Function::Sha224, ("InitSha224_ex", "Sha224")),
    (Function::Sha256, ("InitSha256_ex", "Sha256")),
    (Function::Sha384, ("InitSha384_ex", "Sha384")),
    (Function::Sha512, ("InitSha512_ex", "Sha512")),
    (Function::Sha512_256, ("InitSha512_256_ex", "Sha512_256")),
    (Function::Sha3_224, ("InitSha3_224", "Sha3_224_")),
    (Function::Sha3_256, ("InitSha3_256", "Sha3_256_")),
    (Function::Sha3_384, ("InitSha3_384", "Sha3_384_")),
    (Function::Sha3_512, ("InitSha3_512", "Sha3_512_")),
    (Function::Shake128, ("InitShake128", "Shake128_")),
    (Function::Shake256, ("InitShake256", "Shake256_")),
];

/// The names of that hash function.
pub(super) fn names(function: Function) -> Option<Names> {
    let (init, name) = find(HASHES, function)?;
    Some(Names { function, init, name })
}

/// HMAC's number of a hash function: `WC_HASH_TYPE_SHA256`, and so on.
pub(super) fn hash_type(function: Function) -> Option<c_int> {
    Some(match function {
        Function::Md5 => 3,
        Function::Sha1 => 4,
        Function::Sha224 => 5,
        Function::Sha256 => 6,
        Function::Sha384 => 7,
        Function::Sha512 => 8,
        Function::Sha3_224 => 10,
        Function::Sha3_256 => 11,
        Function::Sha3_384 => 12,
        Function::Sha3_512 => 13,
        _ => return None,
    })
}
