//! Public-key algorithms.

pub mod rsa;
