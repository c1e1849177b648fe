//! Hash functions by name, for a program whose configuration selects one; and the common parts of functions that absorb blocks:
//! chunks of any length, the padding, the digest.
//!
//! ```
//! use ropewalk::hash::{Algorithm, Hasher};
//!
//! let algorithm = Algorithm::named("sha256")?;
//! let mut hasher = Hasher::new(algorithm);
//! hasher.update(b"attack ");
//! hasher.update(b"at dawn");
//! assert_eq!(hasher.finish(), Hasher::new(algorithm).digest(b"attack at dawn"));
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! A program with a fixed function uses its module, or [`Hash`], which all of them implement.

#[cfg(feature = "names")]
pub use crate::by_name::hash::{Algorithm, Digest, Hasher};
pub use crate::hashes::{Hash, HashMany};
