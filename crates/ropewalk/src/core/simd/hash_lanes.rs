//! Vectors of AES and GHASH blocks, one message a lane.

use super::Lanes;

/// The operations of GHASH, in addition to [`Lanes`]: products of polynomials and their helpers, in each lane.
pub(crate) trait HashLanes<const N: usize>: Lanes<N> {
    fn zero(cpu: Self::Cpu) -> Self;
    /// From registers, the first byte of a block lowest.
    fn from_numbers(cpu: Self::Cpu, numbers: [u128; N]) -> Self;
    fn numbers(self) -> [u128; N];
    /// Twelve bytes, padded with zeros.
    fn from_nonces(cpu: Self::Cpu, nonces: [&[u8; 12]; N]) -> Self;
    /// The bytes of each block reversed.
    fn reverse(self) -> Self;
    /// The bytes of each block at those indices, and zeros where an index is past 127.
    fn shuffle(self, places: Self) -> Self;
    /// Adds the product a·b of polynomials to a sum. Its three parts are at x^0, x^64 and x^128, but until
    /// [`whole_middle`](Self::whole_middle) the middle one may lack the other two (Karatsuba).
    fn add_product(sum: [Self; 3], a: Self, b: Self) -> [Self; 3];
    /// The same with two products.
    #[inline(always)]
    fn add_two_products(sum: [Self; 3], a: [Self; 2], b: [Self; 2]) -> [Self; 3] {
        Self::add_product(Self::add_product(sum, a[0], b[0]), a[1], b[1])
    }
    #[inline(always)]
    fn whole_middle(sum: [Self; 3]) -> [Self; 3] {
        sum
    }
    /// `self` · x^-64 modulo x^128 + x^127 + x^126 + x^121 + 1, added to `onto`.
    fn fold(self, onto: Self) -> Self;
}

/// Implements the operations of GHASH for a vector type.
macro_rules! hash_lanes {
    (
        $T:ident($V:ty, $N:literal) needs $Cpu:ident {
            zero: $zero:ident, from_numbers: $from_numbers:ident, numbers: $numbers:ident, from_nonces: $from_nonces:ident, reverse: $reverse:ident, shuffle: $shuffle:ident,
            add_product: $add_product:ident, fold: $fold:ident
            $(, add_two_products: $add_two_products:ident, halves_added: $halves_added:ident, whole_middle: $whole_middle:ident)? $(,)?
        }
    ) => {
        impl crate::core::simd::HashLanes<$N> for $T {
            #[inline(always)]
            fn zero(cpu: Self::Cpu) -> Self {
                Self(proven!($Cpu: cpu, fn enter() -> $V { $zero() }), cpu)
            }
            #[inline(always)]
            fn from_numbers(cpu: Self::Cpu, numbers: [u128; $N]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(numbers: [u128; $N]) -> $V { $from_numbers(numbers) }), cpu)
            }
            #[inline(always)]
            fn numbers(self) -> [u128; $N] {
                let Self(v, cpu) = self;
                proven!($Cpu: cpu, fn enter(v: $V) -> [u128; $N] { $numbers(v) })
            }
            #[inline(always)]
            fn from_nonces(cpu: Self::Cpu, nonces: [&[u8; 12]; $N]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(nonces: [&[u8; 12]; $N]) -> $V { $from_nonces(nonces) }), cpu)
            }
            #[inline(always)]
            fn reverse(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $reverse(v) }), cpu)
            }
            #[inline(always)]
            fn shuffle(self, places: Self) -> Self {
                let (Self(v, cpu), places) = (self, places.0);
                Self(proven!($Cpu: cpu, fn enter(v: $V, places: $V) -> $V { $shuffle(v, places) }), cpu)
            }
            #[inline(always)]
            fn add_product([Self(low, cpu), Self(middle, _), Self(high, _)]: [Self; 3], a: Self, b: Self) -> [Self; 3] {
                let (sum, a, b) = ([low, middle, high], a.0, b.0);
                $crate::core::simd::each_of(proven!($Cpu: cpu, fn enter(sum: [$V; 3], a: $V, b: $V) -> [$V; 3] { $add_product(sum, a, b) }), |v| Self(v, cpu))
            }
            $(
                #[inline(always)]
                fn add_two_products([Self(low, cpu), Self(middle, _), Self(high, _)]: [Self; 3], a: [Self; 2], b: [Self; 2]) -> [Self; 3] {
                    let (sum, a, b) = ([low, middle, high], $crate::core::simd::each_of(a, |v| v.0), $crate::core::simd::each_of(b, |v| v.0));
                    $crate::core::simd::each_of(proven!($Cpu: cpu, fn enter(sum: [$V; 3], a: [$V; 2], b: [$V; 2]) -> [$V; 3] { $add_two_products(sum, a, b, $halves_added(b[0], b[1])) }), |v| Self(v, cpu))
                }
                #[inline(always)]
                fn whole_middle([Self(low, cpu), Self(middle, _), Self(high, _)]: [Self; 3]) -> [Self; 3] {
                    let sum = [low, middle, high];
                    $crate::core::simd::each_of(proven!($Cpu: cpu, fn enter(sum: [$V; 3]) -> [$V; 3] { $whole_middle(sum) }), |v| Self(v, cpu))
                }
            )?
            #[inline(always)]
            fn fold(self, onto: Self) -> Self {
                let (Self(v, cpu), onto) = (self, onto.0);
                Self(proven!($Cpu: cpu, fn enter(v: $V, onto: $V) -> $V { $fold(v, onto) }), cpu)
            }
        }
    };
}
