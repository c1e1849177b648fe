//! AES-CBC with HMAC without AES instructions: with vector permutes, one after the other.

use super::super::{
    backends::{backend, records},
    seal::Sequential,
};
use crate::{
    aes::aes_cbc::x86_64::ssse3::Ssse3 as Cbc,
    hashes::{sha1::x86_64::ssse3::Ssse3 as Sha1, sha256::x86_64::ssse3::Ssse3 as Sha256},
};

backend! {
    Ssse3 needs Ssse3: Cbc, Sha1, Sha256, by Sequential::new
}
