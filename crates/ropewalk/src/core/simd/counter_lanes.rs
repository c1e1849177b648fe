//! Vectors of AES blocks, one message a lane, and of counters.

use super::Lanes;

/// The operations on counter blocks, in addition to [`Lanes`].
pub(crate) trait CounterLanes<const N: usize>: Lanes<N> {
    /// From registers, the first byte of a block lowest.
    fn from_numbers(cpu: Self::Cpu, numbers: [u128; N]) -> Self;
    fn and(self, other: Self) -> Self;
    /// The bytes of each half of a block reversed.
    fn reverse_halves(self) -> Self;
    /// Adds one to the second half of each block, the first byte lowest.
    fn count_up(self) -> Self;
}

/// Implements it for a vector type.
macro_rules! counter_lanes {
    (
        $T:ident($V:ty, $N:literal) needs $Cpu:ident {
            from_numbers: $from_numbers:ident, and: $and:ident, reverse_halves: $reverse_halves:ident, count_up: $count_up:ident $(,)?
        }
    ) => {
        impl crate::core::simd::CounterLanes<$N> for $T {
            #[inline(always)]
            fn from_numbers(cpu: Self::Cpu, numbers: [u128; $N]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(numbers: [u128; $N]) -> $V { $from_numbers(numbers) }), cpu)
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                let (Self(a, cpu), b) = (self, other.0);
                Self(proven!($Cpu: cpu, fn enter(a: $V, b: $V) -> $V { $and(a, b) }), cpu)
            }
            #[inline(always)]
            fn reverse_halves(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $reverse_halves(v) }), cpu)
            }
            #[inline(always)]
            fn count_up(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $count_up(v) }), cpu)
            }
        }
    };
}
