//! AES-CBC with HMAC by AES instructions interleaved with rounds on words, whose schedule is in vectors.

use super::super::{
    backends::{backend, records},
    stitched::Stitched,
};
use crate::{
    aes::aes_cbc::x86_64::aesni::Aesni as Cbc,
    core::simd::x86_64::Sse1x,
    hashes::{sha1::x86_64::ssse3::Ssse3 as Sha1, sha256::x86_64::ssse3::Ssse3 as Sha256},
};

backend! {
    Aesni needs AesniClmul: Cbc, Sha1, Sha256, by Stitched::<Sse1x, _, _>::new
}
