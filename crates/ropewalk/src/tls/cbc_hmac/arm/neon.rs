//! AES-CBC with HMAC with NEON of 32-bit Arm, one after the other.

use super::super::{
    backends::{backend, records},
    seal::Sequential,
};
use crate::{
    aes::aes_cbc::arm::neon::Neon as Cbc,
    hashes::{sha1::arm::neon::Neon as Sha1, sha256::arm::neon::Neon as Sha256},
};

backend! {
    Neon needs ArmNeon: Cbc, Sha1, Sha256, by Sequential::new
}
