//! Cryptographic primitives at the speed of the processor they run on, one message at a time or
//! many side by side.
//!
//! ```
//! let digest = ropewalk::sha256::digest(b"abc");
//! assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
//! ```
//!
//! Each primitive has a portable backend and one for each instruction set that helps it. The best
//! one that the processor has is chosen when a key or a hasher is made; [`cpu::disable`] takes
//! instruction sets away, and `with_backend` names one backend. [`PRIMITIVES`] lists them all.
#![deny(unsafe_code)]

#[macro_use]
pub mod cpu;
#[macro_use]
pub mod backend;
#[macro_use]
mod simd;
mod aes;
pub mod aes_cbc;
pub mod aes_ctr;
pub mod aes_gcm;
#[cfg(not(ropewalk_ct))]
mod ct;
#[cfg(ropewalk_ct)]
#[doc(hidden)]
pub mod ct;
mod error;
mod many;
mod secret;
pub mod sha256;
pub mod sha3;
mod text;

pub use error::Error;

use backend::Primitive;

/// Every primitive of the library. Tests, `doctor`, `selftest` and `speed` walk this list.
pub const PRIMITIVES: &[Primitive] = &[
    aes_cbc::PRIMITIVE,
    aes_ctr::PRIMITIVE,
    aes_gcm::PRIMITIVE,
    sha256::PRIMITIVE,
    sha256::PRIMITIVE_MANY,
    sha3::PRIMITIVE,
];
