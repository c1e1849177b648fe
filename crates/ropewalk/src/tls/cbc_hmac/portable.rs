//! AES-CBC with HMAC in plain Rust, one after the other: the model every other backend is tested against.

use super::{
    backends::{backend, records},
    seal::Sequential,
};
use crate::{
    aes::aes_cbc::portable::Portable as Cbc,
    hashes::{sha1::portable::Portable as Sha1, sha256::portable::Portable as Sha256},
};

backend! {
    Portable needs Baseline: Cbc, Sha1, Sha256, by Sequential::new
}
