//! What hash functions have in common: hashes of messages in chunks, and of many messages in a call.
//!
//! A program names these types by the module of its function: [`sha256::Sha256`](crate::sha256::Sha256) is
//! [`Hasher<Function256>`](Hasher). Each function is documented here once. Generic code takes [`Hash`](crate::Hash) or
//! [`HashMany`](crate::HashMany), which these types implement.

pub use crate::hashes::Hasher;
#[cfg(feature = "many")]
pub use crate::hashes::Many;
