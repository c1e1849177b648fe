//! Where something secret becomes public by definition.
//!
//! `cargo xtask ct` follows keys, texts and tags through every operation, and reports each branch,
//! address and division that they decide. What an operation tells the caller, or branches on
//! because it tells it, goes through here: the check counts it, and follows it no further. In every
//! other build this is nothing.

use subtle::Choice;

use crate::core::opaque::unknown;

/// The verdict on a tag or a padding.
#[inline]
pub(crate) fn verdict(choice: Choice) -> bool {
    told(choice.unwrap_u8()) == 1
}

/// The verdict on two words that should be the same, of which this is the difference: a [`Choice`] would take a call
/// and a detour through memory, as long as a block of AES.
#[inline]
pub(crate) fn same(difference: u64) -> bool {
    told(u8::from(unknown(difference) == 0)) == 1
}

/// What the caller gets to know.
#[inline]
pub(crate) fn told(byte: u8) -> u8 {
    #[cfg(ropewalk_ct)]
    let byte = ON_TOLD.get().map_or(byte, |on_told| on_told(byte));
    byte
}

/// What may be known, and nobody gets to know from a call: it is not counted. The caller says why.
#[inline]
pub(crate) fn known<const N: usize>(bytes: [u8; N]) -> [u8; N] {
    #[cfg(ropewalk_ct)]
    let bytes = bytes.map(|byte| ON_KNOWN.get().map_or(byte, |on_known| on_known(byte)));
    bytes
}

/// A mask of which the compiler does not know that it is all zeros or all ones: it would make a branch of it.
#[inline]
pub(crate) fn mask<T>(mask: T) -> T {
    core::hint::black_box(mask)
}

/// Called with all that is told, for it to come back public.
#[cfg(ropewalk_ct)]
pub static ON_TOLD: std::sync::OnceLock<fn(u8) -> u8> = std::sync::OnceLock::new();

/// Called with all that may be known.
#[cfg(ropewalk_ct)]
pub static ON_KNOWN: std::sync::OnceLock<fn(u8) -> u8> = std::sync::OnceLock::new();
