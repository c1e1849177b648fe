//! The common types of hash functions: hashes of messages in chunks, and of batches.
//!
//! A program uses these types under the names in the module of its function: [`sha256::Sha256`](crate::sha256::Sha256) is
//! [`Hasher<Function256>`](Hasher). Each method is documented here once. Generic code uses [`Hash`](crate::Hash) or
//! [`HashMany`](crate::HashMany), which these types implement.

pub use crate::hashes::Hasher;
#[cfg(feature = "many")]
pub use crate::hashes::Many;
