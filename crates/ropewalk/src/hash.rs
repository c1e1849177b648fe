//! Hash functions by their names, for a program whose configuration says which it takes; and what they have in
//! common that take a message in blocks: chunks of any length, the padding, the digest.
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
//! Who knows the function beforehand takes its own module, or [`Hash`], which all of them have.

#[cfg(feature = "names")]
pub use crate::by_name::hash::{Algorithm, Digest, Hasher};
pub use crate::hashes::{Hash, HashMany};
