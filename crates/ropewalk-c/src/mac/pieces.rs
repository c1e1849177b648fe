//! Authentication of messages in chunks.

use std::ffi::c_void;

use ropewalk::{
    aes_cmac, hmac,
    poly1305::{self, Poly1305},
};

use super::{Key, ropewalk_mac_key};
use crate::{
    enter::{Result, Why, call, making},
    memory,
    object::{self, Lent, words},
    overlap::{self, Span, as_long},
    status::{ropewalk_error, ropewalk_status},
};

/// Words of a ropewalk_mac_state.
pub const ROPEWALK_MAC_STATE_WORDS: usize = 88;

/// A message in chunks. It must not be copied or moved; ropewalk_mac_clone() copies.
#[repr(C)]
pub struct ropewalk_mac_state {
    /// Private.
    pub words: [u64; ROPEWALK_MAC_STATE_WORDS],
}

words! { ropewalk_mac_state has State, "MAC state", b"RWmacsta" }

pub(crate) struct State {
    /// The key of AES-CMAC, which must still be there and unchanged.
    key: Option<Lent<ropewalk_mac_key>>,
    any: Any,
}

impl State {
    /// The message, if its key is still there.
    fn there(&mut self) -> Result<&mut Any> {
        if let Some(key) = &self.key {
            // SAFETY: the caller's key, which stays in place for as long as the state is used.
            unsafe { key.get() }?;
        }
        Ok(&mut self.any)
    }
}

/// Declares the states of all algorithms, from the list of hash functions.
macro_rules! states {
    ($( $Hash:ident $Many:ident $called:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt
        ($Hmac:ident $($of_hmac:tt)+); )+) => {
        #[allow(clippy::large_enum_variant, reason = "it lies where it is used, not on the heap")]
        pub(crate) enum Any {
            $( $Hmac(hmac::Mac<ropewalk::$module::$Hash>), )+
            /// With a key that C promises to keep, and the length of its tags.
            Cmac(aes_cmac::Pieces<'static>, usize),
            /// None, once it is finished.
            Poly1305(Option<Poly1305>),
        }

        impl Any {
            fn of(key: &'static Key) -> Self {
                match key {
                    $( Key::$Hmac(key) => Self::$Hmac(key.start()), )+
                    Key::Cmac(key, tag_len) => Self::Cmac(key.start(), *tag_len),
                }
            }

            fn again(&self) -> Result<Self> {
                Ok(match self {
                    $( Self::$Hmac(mac) => Self::$Hmac(mac.clone()), )+
                    Self::Cmac(mac, tag_len) => Self::Cmac(mac.clone(), *tag_len),
                    Self::Poly1305(_) => {
                        return Err(Why::Kind { what: "MAC state", allowed: "HMAC, AES-CMAC" }.into());
                    }
                })
            }

            fn update(&mut self, piece: &[u8]) {
                match self {
                    $( Self::$Hmac(mac) => mac.update(piece), )+
                    Self::Cmac(mac, _) => mac.update(piece),
                    Self::Poly1305(mac) => mac.iter_mut().for_each(|mac| mac.update(piece)),
                }
            }

            fn finish(&mut self, tag: &mut [u8]) -> Result<()> {
                const ALLOWED: &str = "as the key has it";
                match self {
                    $( Self::$Hmac(mac) => {
                        as_long("tag", tag.len(), <ropewalk::$module::$Hash as ropewalk::Hash>::DIGEST_LEN, ALLOWED)?;
                        tag.copy_from_slice(&mac.clone().finish());
                    } )+
                    Self::Cmac(mac, tag_len) => {
                        as_long("tag", tag.len(), *tag_len, ALLOWED)?;
                        tag.copy_from_slice(&mac.clone().finish());
                    }
                    Self::Poly1305(mac) => {
                        as_long("tag", tag.len(), poly1305::TAG_LEN, "16 bytes")?;
                        let mac = mac.take().ok_or(Why::NotReady("MAC state"))?;
                        tag.copy_from_slice(&*mac.finish());
                    }
                }
                Ok(())
            }

            fn verify(&mut self, tag: &[u8]) -> Result<()> {
                match self {
                    $( Self::$Hmac(mac) => mac.clone().verify(tag)?, )+
                    Self::Cmac(mac, _) => mac.clone().verify(tag)?,
                    Self::Poly1305(mac) => {
                        as_long("tag", tag.len(), poly1305::TAG_LEN, "16 bytes")?;
                        let Ok(tag) = tag.try_into() else { unreachable!("as long") };
                        mac.take().ok_or(Why::NotReady("MAC state"))?.verify(tag)?;
                    }
                }
                Ok(())
            }
        }
    };
}

ropewalk::hash_functions! { states! {} }

/// Starts a message. A key of AES-CMAC must stay unchanged and in place until the state is finished or wiped. Previous contents
/// of the state are not wiped.
///
/// # Safety
/// `state` is for writing; `key` was made; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_init(
    state: *mut ropewalk_mac_state,
    key: *const ropewalk_mac_key,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(state, error, || {
        overlap::apart("MAC state", Span::of(state), [Span::of(key)])?;
        // SAFETY: the caller's key, which stays as long as it is used.
        let of = unsafe { object::get(key) }?;
        let is_kept = matches!(of, Key::Cmac(..));
        // SAFETY: the caller's key, which was made.
        let key = is_kept.then(|| unsafe { Lent::new(key) });
        // SAFETY: the caller's state.
        unsafe { object::make(state, || Ok(State { key, any: Any::of(of) })) }
    })
}

/// Starts a message for Poly1305, with a key of 32 bytes that is for this message only.
///
/// # Safety
/// `state` is for writing; `key` has `key_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_init_poly1305(
    state: *mut ropewalk_mac_state,
    key: *const c_void,
    key_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(state, error, || {
        overlap::apart("MAC state", Span::of(state), [Span::new(key, key_len)])?;
        as_long("key", key_len, poly1305::KEY_LEN, "32 bytes")?;
        // SAFETY: the caller's bytes, which are not the state's.
        let key = unsafe { memory::array("key", key) }?;
        let new = || Ok(State { key: None, any: Any::Poly1305(Some(Poly1305::new(key))) });
        // SAFETY: the caller's state.
        unsafe { object::make(state, new) }
    })
}

/// Absorbs the next chunk of the message, of any length.
///
/// # Safety
/// `state` was made; `piece` has `piece_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_update(
    state: *mut ropewalk_mac_state,
    piece: *const c_void,
    piece_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("MAC state", Span::of(state), [Span::new(piece, piece_len)])?;
        // SAFETY: the caller's bytes, which are not the state's.
        let piece = unsafe { memory::input("piece", piece, piece_len) }?;
        // SAFETY: the caller's state.
        unsafe { object::get_mut(state) }?.there()?.update(piece);
        Ok(())
    })
}

/// Writes the tag of all chunks, and wipes the state.
///
/// # Safety
/// `state` was made; `tag` has `tag_len` bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_finish(
    state: *mut ropewalk_mac_state,
    tag: *mut c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("tag", Span::new(tag, tag_len), [Span::of(state)])?;
        // SAFETY: the caller's bytes, which are not the state's.
        let tag = unsafe { memory::output("tag", tag, tag_len) }?;
        // SAFETY: the caller's state.
        unsafe { object::take(state, |state| state.there()?.finish(tag)) }
    })
}

/// Verifies `tag` as the tag of all chunks, and wipes the state. Fails as ropewalk_mac_verify(); for a tag of a wrong length the
/// state stays.
///
/// # Safety
/// `state` was made; `tag` has `tag_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_finish_verify(
    state: *mut ropewalk_mac_state,
    tag: *const c_void,
    tag_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("MAC state", Span::of(state), [Span::new(tag, tag_len)])?;
        // SAFETY: the caller's bytes, which are not the state's.
        let tag = unsafe { memory::input("tag", tag, tag_len) }?;
        // SAFETY: the caller's state.
        let verdict = unsafe { object::get_mut(state) }?.there()?.verify(tag);
        if verdict.as_ref().err().is_none_or(|failure| failure.is_forgery()) {
            // SAFETY: the caller's state.
            unsafe { object::wipe(state) };
        }
        verdict
    })
}

/// Makes a copy of a state, which continues from the same position. Not for Poly1305, whose key is for one message.
///
/// # Safety
/// `copy` is for writing; `state` was made; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_clone(
    copy: *mut ropewalk_mac_state,
    state: *const ropewalk_mac_state,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    making(copy, error, || {
        overlap::apart("MAC state", Span::of(copy), [Span::of(state)])?;
        // SAFETY: the caller's state.
        let state = unsafe { object::get(state) }?;
        let new = || Ok(State { key: state.key.clone(), any: state.any.again()? });
        // SAFETY: the caller's other one.
        unsafe { object::make(copy, new) }
    })
}

/// Wipes a state. NULL, and a state that was not made or has been wiped or finished, are left unchanged.
///
/// # Safety
/// `state` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_mac_wipe(state: *mut ropewalk_mac_state) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(state) };
}
