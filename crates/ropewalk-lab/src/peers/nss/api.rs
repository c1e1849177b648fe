//! Declarations of the public headers. Calls with a status return 0 for success.

use std::{
    ffi::{c_char, c_int, c_uint, c_ulong, c_void},
    ptr::null_mut,
};

use crate::{peers::dl::functions, tasks::Function};

/// A slot, a key or a context.
pub(super) type Object = *mut c_void;

/// `CKM_AES_ECB`, and so on: a mechanism of PKCS #11.
pub(super) type Mechanism = c_ulong;

pub(super) const RC4: Mechanism = 0x111;
pub(super) const DES3_CBC: Mechanism = 0x133;
pub(super) const AES_ECB: Mechanism = 0x1081;
pub(super) const AES_CBC: Mechanism = 0x1082;
pub(super) const AES_CTR: Mechanism = 0x1086;
pub(super) const AES_GCM: Mechanism = 0x1087;
pub(super) const AES_CMAC: Mechanism = 0x108a;
pub(super) const CHACHA20_POLY1305: Mechanism = 0x4021;
pub(super) const NSS_AES_KEY_WRAP: Mechanism = 0xce53_4351;
pub(super) const NSS_CHACHA20_CTR: Mechanism = 0xce53_4371;

/// The permitted use of a key, and the purpose of a context.
pub(super) const CKA_ENCRYPT: c_ulong = 0x104;
pub(super) const CKA_DECRYPT: c_ulong = 0x105;
pub(super) const CKA_SIGN: c_ulong = 0x108;
/// Combined with one of those: message after message, each with a separate nonce.
pub(super) const CKA_NSS_MESSAGE: c_ulong = 0x8200_0000;

/// The origin of a key.
pub(super) const PK11_ORIGIN_UNWRAP: c_int = 4;

/// The caller makes the nonce.
pub(super) const CKG_NO_GENERATE: c_ulong = 0;

/// Bytes for a call, with their length.
#[repr(C)]
pub(super) struct Item {
    kind: c_int,
    data: *mut u8,
    len: c_uint,
}

impl Item {
    /// Those bytes, which outlive their use.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { kind: 0, data: bytes.as_ptr().cast_mut(), len: bytes.len() as c_uint }
    }

    /// A place for bytes, which outlives its use.
    pub(super) fn place(bytes: &mut [u8]) -> Self {
        Self { kind: 0, data: bytes.as_mut_ptr(), len: bytes.len() as c_uint }
    }

    /// Their start and number.
    pub(super) fn bytes(&self) -> (*const u8, usize) {
        (self.data, self.len as usize)
    }

    /// None, if a mechanism has its own value.
    pub(super) fn none() -> Self {
        Self { kind: 0, data: null_mut(), len: 0 }
    }
}

/// `CK_AES_CTR_PARAMS`.
#[repr(C)]
pub(super) struct CtrParams {
    pub(super) counter_bits: c_ulong,
    pub(super) block: [u8; 16],
}

functions! {
    /// Its version, and its initialization.
    Start {
        fn NSS_GetVersion() -> *const c_char;
        fn NSS_NoDB_Init(folder: *const c_char) -> c_int;
        fn PK11_GetInternalSlot() -> Object;
    }

    /// Keys, and contexts with one.
    Keys {
        fn PK11_ImportSymKey(
            slot: Object,
            mechanism: Mechanism,
            origin: c_int,
            operation: c_ulong,
            key: *mut Item,
            window: *mut c_void,
        ) -> Object;
        fn PK11_FreeSymKey(key: Object);
        fn PK11_CreateContextBySymKey(
            mechanism: Mechanism,
            operation: c_ulong,
            key: Object,
            parameter: *const Item,
        ) -> Object;
        fn PK11_DestroyContext(context: Object, whole: c_int);
    }

    /// A message in one call, from a key.
    Whole {
        fn PK11_Encrypt(
            key: Object,
            mechanism: Mechanism,
            parameter: *mut Item,
            out: *mut u8,
            out_len: *mut c_uint,
            room: c_uint,
            text: *const u8,
            len: c_uint,
        ) -> c_int;
        fn PK11_Decrypt(
            key: Object,
            mechanism: Mechanism,
            parameter: *mut Item,
            out: *mut u8,
            out_len: *mut c_uint,
            room: c_uint,
            text: *const u8,
            len: c_uint,
        ) -> c_int;
    }

    /// Chunks of a message, on a context.
    Pieces {
        fn PK11_CipherOp(
            context: Object,
            out: *mut u8,
            out_len: *mut c_int,
            room: c_int,
            text: *const u8,
            len: c_int,
        ) -> c_int;
    }

    /// Message after message, on a context.
    Aead {
        fn PK11_AEADOp(
            context: Object,
            generator: c_ulong,
            fixed_bits: c_int,
            nonce: *mut u8,
            nonce_len: c_int,
            aad: *const u8,
            aad_len: c_int,
            out: *mut u8,
            out_len: *mut c_int,
            room: c_int,
            tag: *mut u8,
            tag_len: c_int,
            text: *const u8,
            len: c_int,
        ) -> c_int;
    }

    /// Digests and tags.
    Digest {
        fn PK11_CreateDigestContext(function: c_int) -> Object;
        fn PK11_DestroyContext(context: Object, whole: c_int);
        fn PK11_DigestBegin(context: Object) -> c_int;
        fn PK11_DigestOp(context: Object, text: *const u8, len: c_uint) -> c_int;
        fn PK11_DigestFinal(
            context: Object,
            digest: *mut u8,
            len: *mut c_uint,
            room: c_uint,
        ) -> c_int;
    }

    /// Random bytes.
    Random {
        fn PK11_GenerateRandom(out: *mut u8, len: c_int) -> c_int;
    }
}

/// `SEC_OID_SHA256`, and so on.
pub(super) fn oid(function: Function) -> Option<c_int> {
    Some(match function {
        Function::Md5 => 3,
        Function::Sha1 => 4,
        Function::Sha224 => 309,
        Function::Sha256 => 191,
        Function::Sha384 => 192,
        Function::Sha512 => 193,
        Function::Sha3_224 => 364,
        Function::Sha3_256 => 365,
        Function::Sha3_384 => 366,
        Function::Sha3_512 => 367,
        _ => return None,
    })
}

/// `CKM_SHA256_HMAC`, and so on.
pub(super) fn hmac(function: Function) -> Option<Mechanism> {
    Some(match function {
        Function::Md5 => 0x211,
        Function::Sha1 => 0x221,
        Function::Sha224 => 0x256,
        Function::Sha256 => 0x251,
        Function::Sha384 => 0x261,
        Function::Sha512 => 0x271,
        Function::Sha3_224 => 0x2b6,
        Function::Sha3_256 => 0x2b1,
        Function::Sha3_384 => 0x2c1,
        Function::Sha3_512 => 0x2d1,
        _ => return None,
    })
}
