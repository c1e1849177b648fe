//! AES-CTR of eight messages at a time, two blocks in each vector of 256 bits.

use super::super::{
    Counter,
    lanes::{Alike, CHUNK, alike, apply, lanes_backend, singles},
    many::{CtrMany, LEAST, Message},
};
use crate::core::simd::x86_64::{Aes1of2x, Aes2x};

lanes_backend! {
    Vaes256x8 needs Vaes256: Aes1of2x, Aes2x, 2 in each; 16 singles in 8,
    2 in 1 by 8, 3 in 2 by 4, 4 in 2 by 4
}
