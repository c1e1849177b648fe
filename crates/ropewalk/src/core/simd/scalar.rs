//! One lane: the vectors of the portable backends. No `unsafe` at all.

use core::ops::{Add, BitAnd, BitOr, BitXor};

use super::{Word, Words, piece};
use crate::core::cpu::Baseline;

macro_rules! scalar {
    ($T:ident of $W:ident) => {
        #[derive(Clone, Copy)]
        pub(crate) struct $T(pub(crate) $W);

        impl Words<1, $W> for $T {
            type Cpu = Baseline;

            #[inline(always)]
            fn splat(_: Baseline, word: $W) -> Self {
                Self(word)
            }
            #[inline(always)]
            fn load(_: Baseline, [word]: &[$W; 1]) -> Self {
                Self(*word)
            }
            #[inline(always)]
            fn store(self, lanes: &mut [$W; 1]) {
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
            fn swap_bytes(self) -> Self {
                Self(self.0.swap_bytes())
            }
            #[inline(always)]
            fn words<const BLOCK: usize, const BIG_ENDIAN: bool>(
                _: Baseline,
                [block]: &[&[u8; BLOCK]; 1],
                at: usize,
            ) -> [Self; 4] {
                let quarter: &<$W as Word>::Quarter = piece(block, at);
                let [a, b, c, d] = quarter.as_chunks().0 else { unreachable!("four of them") };
                let from = if BIG_ENDIAN { $W::from_be_bytes } else { $W::from_le_bytes };
                [a, b, c, d].map(|word| Self(from(*word)))
            }
            #[inline(always)]
            fn bytes(words: [Self; 4]) -> [<$W as Word>::Quarter; 1] {
                let mut out: <$W as Word>::Quarter = [0; _];
                for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(words) {
                    *bytes = word.0.to_le_bytes();
                }
                [out]
            }
        }

        operators! { $T: Add add wrapping_add, BitXor bitxor bitxor, BitAnd bitand bitand, BitOr bitor bitor }
    };
}

macro_rules! operators {
    ($T:ident: $($Trait:ident $name:ident $op:ident),+) => { $(
        impl $Trait for $T {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(self.0.$op(other.0))
            }
        }
    )+ };
}

scalar! { U32x1 of u32 }
scalar! { U64x1 of u64 }
