//! Message authentication codes: HMAC, AES-CMAC and Poly1305.

use std::ffi::c_void;

use ropewalk::{Hash as _, aes_cmac, hmac, mac::Algorithm};

use crate::{
    algorithms::{Kind as _, ropewalk_mac},
    enter::{Failure, Result, Why, call, making},
    memory,
    object::{self, words},
    overlap::{self, Span},
    status::{ropewalk_error, ropewalk_status},
};

pub(crate) mod many;
mod one_time;
mod pieces;

/// Words of a ropewalk_mac_key.
pub const ROPEWALK_MAC_KEY_WORDS: usize = 88;

/// A key for messages; a key of HMAC also derives keys. It must not be copied or moved; ropewalk_mac_key_clone() copies. Any
/// number of threads may use one at the same time.
#[repr(C)]
pub struct ropewalk_mac_key {
    /// Private.
    pub words: [u64; ROPEWALK_MAC_KEY_WORDS],
}

words! { ropewalk_mac_key has a key of states, Key, "MAC key", b"RWmackey", leaves 6400 }

/// Declares the keys, from the list of hash functions.
macro_rules! keys {
    ($( $Type:ident $Many:ident $called:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt
        ($Hmac:ident $($of_hmac:tt)+); )+) => {
        #[derive(Clone)]
        #[allow(clippy::large_enum_variant, reason = "a key lies where it is used, not on the heap")]
        pub(crate) enum Key {
            $( $Hmac(hmac::Key<ropewalk::$module::$Type>), )+
            /// With the length of its tags.
            Cmac(aes_cmac::Key, usize),
        }

        $( impl OfKey for ropewalk::$module::$Type {
            #[inline(always)]
            fn key(key: &Key) -> &hmac::Key<Self> {
                match key {
                    Key::$Hmac(key) => key,
                    _ => unreachable!("it is of this function"),
                }
            }
        } )+

        impl Key {
            /// Of a secret that [`check_secret`] has accepted.
            fn new(algorithm: Algorithm, secret: &[u8]) -> Self {
                match algorithm {
                    $( Algorithm::$Hmac => Self::$Hmac(hmac::Key::new(secret)), )+
                    cmac => Self::Cmac(aes_cmac::Key::of_checked(secret), cmac.tag_len()),
                }
            }
        }
    };
}

ropewalk::hash_functions! { keys! {} }

/// A hash function, with access to keys of its HMAC.
pub(crate) trait OfKey: ropewalk::Hash {
    /// The key, which must be of this function.
    fn key(key: &Key) -> &hmac::Key<Self>;
}

/// Evaluates an expression with a key of HMAC and the type of its hash function, and another expression with another key.
macro_rules! with_hmac {
    ($key:expr, ($Hash:ident, $hmac:ident) => $do:expr, $else:pat => $otherwise:expr) => {
        ropewalk::hash_functions! { $crate::mac::with_hmac! { @ $key, ($Hash, $hmac) => $do, $else => $otherwise; } }
    };
    (@
        $key:expr, ($Hash:ident, $hmac:ident) => $do:expr, $else:pat => $otherwise:expr;
        $( $Type:ident $Many:ident $called:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt
        ($Hmac:ident $($of_hmac:tt)+); )+
    ) => {
        match $key {
            $( $crate::mac::Key::$Hmac($hmac) => {
                #[allow(dead_code, reason = "not every caller uses both")]
                type $Hash = ropewalk::$module::$Type;
                $do
            } )+
            $else => $otherwise,
        }
    };
}
pub(crate) use with_hmac;

/// Keys of HMAC may have any length.
fn check_secret(algorithm: Algorithm, secret: &[u8]) -> Result<()> {
    match algorithm {
        Algorithm::Aes128Cmac | Algorithm::Aes192Cmac | Algorithm::Aes256Cmac => {
            let allowed = "as the name of the cipher says";
            overlap::as_long("AES key", secret.len(), algorithm.key_len(), allowed)
        }
        _ => Ok(()),
    }
}

impl Key {
    /// The length of its tags in bytes.
    #[inline(always)]
    fn tag_len(&self) -> usize {
        with_hmac!(self, (H, _key) => H::DIGEST_LEN, Self::Cmac(_, tag_len) => *tag_len)
    }

    /// Writes the tag of a message to the slice that `to` returns, which is called after the message has been read. The output is
    /// not an argument, as that would have to be unaliased until this returns.
    #[inline(always)]
    fn mac<'m, 't>(&self, message: impl FnOnce() -> &'m [u8], to: impl FnOnce() -> &'t mut [u8]) {
        with_hmac!(self, (H, key) => {
            let tag = key.mac(message());
            to().copy_from_slice(&tag);
        }, Self::Cmac(key, _) => {
            let tag = key.mac(message());
            to().copy_from_slice(&tag);
        });
    }

    fn verify(&self, message: &[u8], tag: &[u8]) -> Result<()> {
        Ok(with_hmac!(self, (H, key) => key.verify(message, tag),
            Self::Cmac(key, _) => key.verify(message, tag))?)
    }
}

/// Makes a key of `secret`, with the best backend of this processor. For AES-CMAC it has ropewalk_mac_key_len() bytes; for HMAC
/// it may have any length, but that is recommended. Previous contents of the key are not wiped.
///
/// # Safety
/// `key` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_key_init(
    key: *mut ropewalk_mac_key,
    algorithm: ropewalk_mac,
    secret: *const c_void,
    secret_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(key, error, || {
        overlap::apart("key", Span::of(key), [Span::new(secret, secret_len)])?;
        let algorithm = Algorithm::numbered(algorithm)?;
        // SAFETY: the caller's bytes, which are not the key's.
        let secret = unsafe { memory::input("secret", secret, secret_len) }?;
        check_secret(algorithm, secret)?;
        // SAFETY: the caller's key.
        unsafe { object::make_key(key, || Key::new(algorithm, secret)) }
    })
}

/// Makes a copy of a key.
///
/// # Safety
/// `copy` is for writing; `key` was made; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_key_clone(
    copy: *mut ropewalk_mac_key,
    key: *const ropewalk_mac_key,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    making(copy, error, || unsafe { object::clone(copy, key) })
}

/// Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
///
/// # Safety
/// `key` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_key_wipe(key: *mut ropewalk_mac_key) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(key) };
}

/// Sets the length of the tags of an AES-CMAC key. Tags of HMAC are truncated by the sender, and ropewalk_mac_verify() accepts
/// them.
///
/// # Safety
/// `key` was made, and no other thread uses it meanwhile; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_key_set_tag_len(
    key: *mut ropewalk_mac_key,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's key.
        let Key::Cmac(cmac, len) = unsafe { object::get_mut(key) }? else {
            return Err(Why::Kind { what: "key", allowed: "AES-CMAC" }.into());
        };
        cmac.set_tag_len(tag_len)?;
        *len = tag_len;
        // SAFETY: the caller's key, which was made.
        unsafe { object::renew(key) };
        Ok(())
    })
}

/// Writes the tag of a message, of ropewalk_mac_tag_len() bytes. It may lie within the message.
///
/// # Safety
/// `key` was made; `message` has `message_len` bytes, and `tag` has `tag_len` for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_once(
    key: *const ropewalk_mac_key,
    message: *const c_void,
    message_len: usize,
    tag: *mut c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("tag", Span::new(tag, tag_len), [Span::of(key)])?;
        // SAFETY: the caller's key.
        let key = unsafe { object::get(key) }?;
        check_tag(key, tag_len)?;
        memory::check("tag", tag, tag_len)?;
        memory::check("message", message, message_len)?;
        // SAFETY: the caller's bytes, which have been checked; the slice is not used after they are hashed.
        let message = || unsafe { memory::bytes(message, message_len) };
        // SAFETY: the same; the slice is made when the message has been read.
        key.mac(message, || unsafe { memory::bytes_mut(tag, tag_len) });
        Ok(())
    })
}

/// Verifies `tag` as the tag of a message. A tag of HMAC may be truncated, but not below half of its length or 10 bytes.
///
/// Fails with ROPEWALK_FORGED if it is wrong, with ROPEWALK_LENGTH for a tag of another length.
///
/// # Safety
/// `key` was made; `message` and `tag` have as many bytes as follow them; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_verify(
    key: *const ropewalk_mac_key,
    message: *const c_void,
    message_len: usize,
    tag: *const c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's bytes.
        let message = unsafe { memory::input("message", message, message_len) }?;
        // SAFETY: the same.
        let tag = unsafe { memory::input("tag", tag, tag_len) }?;
        // SAFETY: the caller's key.
        unsafe { object::get(key) }?.verify(message, tag)
    })
}

#[inline(always)]
fn check_tag(key: &Key, tag_len: usize) -> Result<()> {
    match tag_len == key.tag_len() {
        true => Ok(()),
        false => Err(Failure::length("tag", tag_len, "as the key has it")),
    }
}
