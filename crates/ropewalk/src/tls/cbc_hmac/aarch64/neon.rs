//! AES-CBC with HMAC without these instructions: with vector permutes, one after the other.

use super::super::{
    backends::{backend, records},
    seal::Sequential,
};
use crate::{
    aes::aes_cbc::aarch64::neon::Neon as Cbc,
    hashes::{sha1::portable::Portable as Sha1, sha256::portable::Portable as Sha256},
};

backend! {
    Neon needs Neon: Cbc, Sha1, Sha256, by Sequential::new
}
