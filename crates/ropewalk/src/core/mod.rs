//! The base of every primitive. It imports nothing else of the library.

#[macro_use]
pub mod cpu;
#[macro_use]
pub mod backend;
#[macro_use]
pub(crate) mod simd;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod beside;
pub(crate) mod block;
#[cfg(not(ropewalk_ct))]
pub(crate) mod ct;
#[cfg(ropewalk_ct)]
pub mod ct;
mod error;
#[cfg(feature = "many")]
pub(crate) mod gather;
pub(crate) mod known;
pub(crate) mod lengths;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lines;
pub(crate) mod names;
pub(crate) mod opaque;
pub(crate) mod secret;
pub(crate) mod tag;
pub(crate) mod text;
pub mod timing;
pub mod tuning;

pub use error::{Error, InMessage};
pub use names::{Algorithms, Name};
pub use secret::swept;
