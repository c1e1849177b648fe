//! The rest of a text after steps of many vectors.

use core::arch::x86_64::*;

use super::{load_512, load_part_512, store_512, store_part_512};
use crate::core::{
    simd::each,
    text::{Piece, Text},
};

/// `HEAD` bytes, which are whole vectors, and a last vector that may be short. The number of whole ones is a constant: in a loop
/// over them, all would go through memory.
pub(crate) struct Tail<'a, const HEAD: usize> {
    head: Piece<'a, HEAD>,
    last: Text<'a>,
}

impl<'a, const HEAD: usize> Tail<'a, HEAD> {
    /// A text of more than `HEAD` bytes, by 64 at most.
    #[inline(always)]
    pub(crate) fn new(mut text: Text<'a>) -> Self {
        let Some(head) = text.next() else { unreachable!("there are so many bytes") };
        Self { head, last: text }
    }

    /// The `N` vectors of the input, padded with zeros.
    #[inline]
    #[target_feature(enable = "avx512bw,bmi2")]
    pub(crate) fn load<const N: usize>(&self) -> [__m512i; N] {
        const { assert!(HEAD == 64 * (N - 1)) };
        let (head, last) = (self.head.input().as_chunks().0, load_part_512(self.last.input()));
        each(|i| if i < N - 1 { load_512(&head[i]) } else { last })
    }

    /// Writes as many bytes.
    #[inline]
    #[target_feature(enable = "avx512bw,bmi2")]
    pub(crate) fn store<const N: usize>(mut self, vectors: [__m512i; N]) {
        for (place, v) in self.head.output().as_chunks_mut().0.iter_mut().zip(vectors) {
            store_512(place, v);
        }
        store_part_512(self.last.output(), vectors[N - 1]);
    }
}
