//! Declarations of the public header `crypto/cryptodev.h` of cryptodev-linux.

use std::ptr::{null, null_mut};

/// `struct session_op`.
#[repr(C)]
pub(super) struct SessionOp {
    pub(super) cipher: u32,
    pub(super) mac: u32,
    pub(super) key_len: u32,
    pub(super) key: *const u8,
    pub(super) mac_key_len: u32,
    pub(super) mac_key: *const u8,
    pub(super) session: u32,
}

/// `struct crypt_op`.
#[repr(C)]
pub(super) struct CryptOp {
    pub(super) session: u32,
    pub(super) op: u16,
    pub(super) flags: u16,
    pub(super) len: u32,
    pub(super) from: *const u8,
    pub(super) to: *mut u8,
    pub(super) mac: *mut u8,
    pub(super) iv: *mut u8,
}

/// `struct alg_info`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Names {
    pub(super) name: [u8; 64],
    pub(super) driver: [u8; 64],
}

/// `struct session_info_op`.
#[repr(C)]
pub(super) struct SessionInfo {
    pub(super) session: u32,
    pub(super) cipher: Names,
    pub(super) hash: Names,
    pub(super) align_mask: u16,
    pub(super) flags: u32,
}

nix::ioctl_readwrite!(ciocgsession, b'c', 102, SessionOp);
nix::ioctl_write_ptr!(ciocfsession, b'c', 103, u32);
nix::ioctl_readwrite!(cioccrypt, b'c', 104, CryptOp);
nix::ioctl_readwrite!(ciocgsessinfo, b'c', 107, SessionInfo);

pub(super) const CRYPTO_3DES_CBC: u32 = 2;
pub(super) const CRYPTO_AES_CBC: u32 = 11;
pub(super) const CRYPTO_ARC4: u32 = 12;
pub(super) const CRYPTO_AES_CTR: u32 = 21;
pub(super) const CRYPTO_AES_XTS: u32 = 22;
pub(super) const CRYPTO_AES_ECB: u32 = 23;

pub(super) const CRYPTO_MD5_HMAC: u32 = 6;
pub(super) const CRYPTO_SHA1_HMAC: u32 = 7;
pub(super) const CRYPTO_MD5: u32 = 13;
pub(super) const CRYPTO_SHA1: u32 = 14;
pub(super) const CRYPTO_SHA2_256_HMAC: u32 = 18;
pub(super) const CRYPTO_SHA2_384_HMAC: u32 = 19;
pub(super) const CRYPTO_SHA2_512_HMAC: u32 = 20;
pub(super) const CRYPTO_SHA2_224: u32 = 103;
pub(super) const CRYPTO_SHA2_256: u32 = 104;
pub(super) const CRYPTO_SHA2_384: u32 = 105;
pub(super) const CRYPTO_SHA2_512: u32 = 106;
pub(super) const CRYPTO_SHA2_224_HMAC: u32 = 107;

pub(super) const COP_ENCRYPT: u16 = 0;
pub(super) const COP_DECRYPT: u16 = 1;

/// A chunk of a hashed message.
pub(super) const COP_FLAG_UPDATE: u16 = 1;
/// The end of the message.
pub(super) const COP_FLAG_FINAL: u16 = 2;
/// The next vector is written over the last one.
pub(super) const COP_FLAG_WRITE_IV: u16 = 4;
/// Before a first chunk: drops earlier data.
pub(super) const COP_FLAG_RESET: u16 = 64;

impl SessionOp {
    /// An empty session.
    pub(super) fn new() -> Self {
        Self {
            cipher: 0,
            mac: 0,
            key_len: 0,
            key: null(),
            mac_key_len: 0,
            mac_key: null(),
            session: 0,
        }
    }
}

impl CryptOp {
    /// An empty operation, in one direction.
    pub(super) fn new(session: u32, op: u16, flags: u16) -> Self {
        let (from, to, mac, iv) = (null(), null_mut(), null_mut(), null_mut());
        Self { session, op, flags, len: 0, from, to, mac, iv }
    }
}

impl SessionInfo {
    /// Of that session, with space for the result.
    pub(super) fn of(session: u32) -> Self {
        let names = Names { name: [0; 64], driver: [0; 64] };
        Self { session, cipher: names, hash: names, align_mask: 0, flags: 0 }
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    /// The sizes that a C compiler reports for that header, on 64 bits.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn structs_are_those_of_the_header() {
        assert_eq!((size_of::<SessionOp>(), size_of::<CryptOp>()), (48, 48));
        assert_eq!((size_of::<Names>(), size_of::<SessionInfo>()), (128, 268));
        assert_eq!(
            [
                offset_of!(SessionOp, mac),
                offset_of!(SessionOp, key_len),
                offset_of!(SessionOp, key),
                offset_of!(SessionOp, mac_key_len),
                offset_of!(SessionOp, mac_key),
                offset_of!(SessionOp, session),
            ],
            [4, 8, 16, 24, 32, 40]
        );
        assert_eq!(
            [
                offset_of!(CryptOp, op),
                offset_of!(CryptOp, flags),
                offset_of!(CryptOp, len),
                offset_of!(CryptOp, from),
                offset_of!(CryptOp, to),
                offset_of!(CryptOp, mac),
                offset_of!(CryptOp, iv),
            ],
            [4, 6, 8, 16, 24, 32, 40]
        );
        assert_eq!(
            [
                offset_of!(SessionInfo, cipher),
                offset_of!(SessionInfo, hash),
                offset_of!(SessionInfo, align_mask),
                offset_of!(SessionInfo, flags),
            ],
            [4, 132, 260, 264]
        );
    }

    /// The numbers of the calls: the direction, the bytes, the letter c, and the index.
    #[test]
    #[cfg(all(target_pointer_width = "64", any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn calls_are_those_of_the_header() {
        let both = |number, len| nix::request_code_readwrite!(b'c', number, len);
        assert_eq!(both(102, size_of::<SessionOp>()), 0xc030_6366);
        assert_eq!(both(104, size_of::<CryptOp>()), 0xc030_6368);
        assert_eq!(both(107, size_of::<SessionInfo>()), 0xc10c_636b);
        assert_eq!(nix::request_code_write!(b'c', 103, size_of::<u32>()), 0x4004_6367);
    }
}
