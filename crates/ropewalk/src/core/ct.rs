//! Declassification: where a secret becomes public by definition.
//!
//! `cargo xtask ct` tracks keys, texts and tags through every operation, and reports each branch, address and division that
//! depends on them. A result that an operation returns, or branches on because it returns it, is declassified here: the check
//! counts it, and tracks it no further. In every other build these functions do nothing.

use subtle::Choice;

use crate::core::opaque::unknown;

/// The verdict on a tag or a padding.
#[inline]
pub(crate) fn verdict(choice: Choice) -> bool {
    told(choice.unwrap_u8()) == 1
}

/// The verdict on two words that should be equal, given their difference. A [`Choice`] would take a call and a detour through
/// memory, as long as a block of AES.
#[inline]
pub(crate) fn same(difference: u64) -> bool {
    told(u8::from(unknown(difference) == 0)) == 1
}

/// A byte that the caller learns.
#[inline]
pub(crate) fn told(byte: u8) -> u8 {
    #[cfg(ropewalk_ct)]
    let byte = ON_TOLD.get().map_or(byte, |on_told| on_told(byte));
    byte
}

/// Bytes that are public, although no call returns them: not counted. The caller states why.
#[inline]
pub(crate) fn known<const N: usize>(bytes: [u8; N]) -> [u8; N] {
    #[cfg(ropewalk_ct)]
    let bytes = bytes.map(|byte| ON_KNOWN.get().map_or(byte, |on_known| on_known(byte)));
    bytes
}

/// A mask, all zeros or all ones, of which the compiler does not know that: it would make a branch of it.
#[inline]
pub(crate) fn mask<T>(mask: T) -> T {
    core::hint::black_box(mask)
}

/// Called with each declassified byte, to mark it public.
#[cfg(ropewalk_ct)]
pub static ON_TOLD: std::sync::OnceLock<fn(u8) -> u8> = std::sync::OnceLock::new();

/// Called with each byte that is public by itself.
#[cfg(ropewalk_ct)]
pub static ON_KNOWN: std::sync::OnceLock<fn(u8) -> u8> = std::sync::OnceLock::new();
