//! AES-CBC with HMAC by AES instructions beside rounds on words, whose schedule is in vectors.

use super::super::{
    backends::{backend, records},
    stitched::Stitched,
};
use crate::{
    aes_cbc::x86_64::aesni::Aesni as Cbc, sha1::x86_64::ssse3::Ssse3 as Sha1,
    sha256::x86_64::ssse3::Ssse3 as Sha256, simd::x86_64::Sse1x,
};

backend! {
    Aesni needs AesniClmul: Cbc, Sha1, Sha256, by Stitched::<Sse1x, _, _>::new
}
