//! AES-CBC with HMAC by AES instructions interleaved with rounds on words, whose schedule is in vectors of AVX2.

use super::super::{
    backends::{backend, records},
    stitched::Stitched,
};
use crate::{
    aes::aes_cbc::x86_64::aesni::Aesni as Cbc,
    core::simd::x86_64::Avx1x,
    hashes::{sha1::x86_64::avx2::Avx2 as Sha1, sha256::x86_64::avx2::Avx2 as Sha256},
};

backend! {
    Avx2 needs Avx2Aes: Cbc, Sha1, Sha256, by Stitched::<Avx1x, _, _>::new
}
