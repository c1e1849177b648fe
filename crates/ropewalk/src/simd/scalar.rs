//! One lane: what the portable backends run on. No `unsafe` at all.

use core::ops::{Add, BitAnd, BitOr, BitXor};

use super::{Words, each};
use crate::cpu::Baseline;

#[derive(Clone, Copy)]
pub(crate) struct U32x1(pub(crate) u32);

impl Words<1> for U32x1 {
    type Cpu = Baseline;

    #[inline(always)]
    fn splat(_: Baseline, word: u32) -> Self {
        Self(word)
    }
    #[inline(always)]
    fn load(_: Baseline, [word]: &[u32; 1]) -> Self {
        Self(*word)
    }
    #[inline(always)]
    fn store(self, lanes: &mut [u32; 1]) {
        *lanes = [self.0];
    }
    #[inline(always)]
    fn rotr<const R: i32>(self) -> Self {
        Self(self.0.rotate_right(R as u32))
    }
    #[inline(always)]
    fn shr<const R: i32>(self) -> Self {
        Self(self.0 >> R)
    }
    #[inline(always)]
    fn big_endian_words(_: Baseline, [block]: &[&[u8; 64]; 1], quarter: usize) -> [Self; 4] {
        let (words, _) = block.as_chunks();
        each(|t| Self(u32::from_be_bytes(words[4 * quarter + t])))
    }
    #[inline(always)]
    fn big_endian_bytes(words: [Self; 4]) -> [[u8; 16]; 1] {
        let mut out = [0; 16];
        for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.0.to_be_bytes();
        }
        [out]
    }
}

impl Add for U32x1 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl BitXor for U32x1 {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitAnd for U32x1 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for U32x1 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
