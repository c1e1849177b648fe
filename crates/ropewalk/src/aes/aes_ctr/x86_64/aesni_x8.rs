//! AES-CTR of eight messages at a time, a block in each vector of 128 bits.

use super::super::{
    Counter,
    lanes::{Alike, CHUNK, alike, apply, lanes_backend, singles},
    many::{CtrMany, LEAST, Message},
};
use crate::core::simd::x86_64::Aes1x;

lanes_backend! {
    Aesnix8 needs Aesni: Aes1x, Aes1x, 1 in each; 8 singles in 8,
    2 in 2 by 4, 3 in 3 by 2, 4 in 4 by 2
}
