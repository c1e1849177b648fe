//! AES-CBC with HMAC by AES instructions interleaved with the Intel SHA Extensions.

use super::super::{
    backends::{backend, records},
    stitched::Stitched,
};
use crate::{
    aes::aes_cbc::x86_64::aesni::Aesni as Cbc,
    core::simd::x86_64::Sse1x,
    hashes::{sha1::x86_64::shani::Shani as Sha1, sha256::x86_64::shani::Shani as Sha256},
};

backend! {
    Shani needs ShaNiAes: Cbc, Sha1, Sha256, by Stitched::<Sse1x, _, _>::new
}
