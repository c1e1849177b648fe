//! AES-CBC with HMAC by AES instructions beside the Intel SHA Extensions.

use super::super::{
    backends::{backend, records},
    stitched::Stitched,
};
use crate::{
    aes_cbc::x86_64::aesni::Aesni as Cbc, sha1::x86_64::shani::Shani as Sha1,
    sha256::x86_64::shani::Shani as Sha256, simd::x86_64::Sse1x,
};

backend! {
    Shani needs ShaNiAes: Cbc, Sha1, Sha256, by Stitched::<Sse1x, _, _>::new
}
