//! Declarations of the public header.

use std::{
    ffi::{c_char, c_int, c_void},
    mem::MaybeUninit,
    ptr::{from_ref, null, null_mut},
    slice,
};

use crate::peers::dl::functions;

functions! {
    /// Its version.
    Version {
        fn imb_get_version() -> u32;
        fn imb_get_version_str() -> *const c_char;
    }

    /// How a manager is made.
    Make {
        fn alloc_mb_mgr(flags: u64) -> *mut c_void;
        fn imb_get_errno(manager: *mut c_void) -> c_int;
        fn init_mb_mgr_auto(manager: *mut c_void, chosen: *mut c_int);
        fn init_mb_mgr_avx2(manager: *mut c_void);
        fn init_mb_mgr_sse(manager: *mut c_void);
    }
}

/// The most messages of a burst.
pub(super) const MOST: usize = 128;

/// The longest text of a job that is queued with others.
pub(super) const LONGEST: usize = (1 << 16) - 2;

pub(super) const CBC: c_int = 1;
pub(super) const CTR: c_int = 2;
pub(super) const NO_CIPHER: c_int = 3;
pub(super) const CCM: c_int = 9;
pub(super) const ECB: c_int = 12;
pub(super) const ENCRYPT: c_int = 1;
pub(super) const DECRYPT: c_int = 2;

pub(super) const HMAC_SHA_1: c_int = 1;
pub(super) const HMAC_SHA_512: c_int = 5;
pub(super) const HMAC_MD5: c_int = 7;
pub(super) const NO_HASH: c_int = 8;
pub(super) const CBC_MAC_OF_CCM: c_int = 11;
pub(super) const AES_CMAC: c_int = 12;
pub(super) const SHA_1: c_int = 13;
pub(super) const AES_CMAC_256: c_int = 27;
pub(super) const POLY1305: c_int = 28;

/// First the cipher, then the hash function.
pub(super) const CIPHER_HASH: c_int = 1;
/// The reverse order.
pub(super) const HASH_CIPHER: c_int = 2;
/// The status of a completed job.
pub(super) const COMPLETED: c_int = 3;

pub(super) type Expand = unsafe extern "C" fn(*const c_void, *mut c_void, *mut c_void);
pub(super) type Hash = unsafe extern "C" fn(*const c_void, u64, *mut c_void);
pub(super) type HashBlock = unsafe extern "C" fn(*const c_void, *mut c_void);
pub(super) type NextJob = unsafe extern "C" fn(*mut c_void) -> *mut Job;
pub(super) type SetKey = unsafe extern "C" fn(*const c_void, *mut c_void);
pub(super) type HashBurst = unsafe extern "C" fn(*mut c_void, *mut Job, u32, c_int) -> u32;
pub(super) type CipherBurst =
    unsafe extern "C" fn(*mut c_void, *mut Job, u32, c_int, c_int, c_int) -> u32;
pub(super) type ChaChaStart =
    unsafe extern "C" fn(*const c_void, *mut c_void, *const c_void, *const c_void, u64) -> c_int;
pub(super) type ChaChaUpdate =
    unsafe extern "C" fn(*const c_void, *mut c_void, *mut c_void, *const c_void, u64) -> c_int;
pub(super) type ChaChaFinish = unsafe extern "C" fn(*mut c_void, *mut c_void, u64) -> c_int;
pub(super) type GmacStart = unsafe extern "C" fn(*const c_void, *mut c_void, *const u8, u64);
pub(super) type GmacUpdate = unsafe extern "C" fn(*const c_void, *mut c_void, *const u8, u64);
pub(super) type GmacFinish = unsafe extern "C" fn(*const c_void, *mut c_void, *mut u8, u64);
pub(super) type Gcm = unsafe extern "C" fn(
    key: *const c_void,
    context: *mut c_void,
    out: *mut u8,
    text: *const u8,
    len: u64,
    nonce: *const u8,
    aad: *const u8,
    aad_len: u64,
    tag: *mut u8,
    tag_len: u64,
);

/// `IMB_JOB` of the version with the longest one. All versions have the same fields up to the order of both
/// algorithms; the rest is not used here, and [`Interface`](super::interface::Interface) has its size.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Job {
    pub(super) encrypt_keys: *const c_void,
    pub(super) decrypt_keys: *const c_void,
    pub(super) key_len: u64,
    pub(super) text: *const u8,
    pub(super) out: *mut u8,
    pub(super) cipher_from: u64,
    pub(super) cipher_len: u64,
    pub(super) hash_from: u64,
    pub(super) hash_len: u64,
    pub(super) iv: *const u8,
    pub(super) iv_len: u64,
    pub(super) tag: *mut u8,
    pub(super) tag_len: u64,
    /// Keys, or header data and its length.
    pub(super) of_algorithm: [*const c_void; 3],
    pub(super) status: c_int,
    pub(super) cipher: c_int,
    pub(super) direction: c_int,
    pub(super) hash: c_int,
    pub(super) order: c_int,
    pub(super) others: [u32; 23],
}

// The library is for processors of 64 bits.
const _: () = assert!(size_of::<Job>() == 240 || size_of::<usize>() < 8);

impl Job {
    /// The part that is copied if a library has a shorter job.
    pub(super) fn words(&self) -> &[MaybeUninit<u64>] {
        let len = size_of::<Self>() / size_of::<u64>();
        // SAFETY: these are the bytes of the job, which is aligned as its words are.
        unsafe { slice::from_raw_parts(from_ref(self).cast(), len) }
    }
}

impl Default for Job {
    /// A job without an algorithm: it must be set, since the queue reads it, though bursts do not.
    fn default() -> Self {
        Self {
            encrypt_keys: null(),
            decrypt_keys: null(),
            key_len: 0,
            text: null(),
            out: null_mut(),
            cipher_from: 0,
            cipher_len: 0,
            hash_from: 0,
            hash_len: 0,
            iv: null(),
            iv_len: 0,
            tag: null_mut(),
            tag_len: 0,
            of_algorithm: [null(); 3],
            status: 0,
            cipher: NO_CIPHER,
            direction: ENCRYPT,
            hash: NO_HASH,
            order: HASH_CIPHER,
            others: [0; 23],
        }
    }
}
