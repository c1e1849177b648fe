//! AES-CBC with HMAC by the Armv8 AES instructions, interleaved with those of SHA-1 and SHA-2.

use super::super::{
    backends::{backend, records},
    stitched::Stitched,
};
use crate::{
    aes::aes_cbc::aarch64::aes::Aes as Cbc,
    core::simd::aarch64::Neon1x,
    hashes::{sha1::aarch64::sha1::Sha1, sha256::aarch64::sha2::Sha2 as Sha256},
};

backend! {
    Aes needs AesSha2: Cbc, Sha1, Sha256, by Stitched::<Neon1x, _, _>::new
}
