//! Vectors of blocks, for AES and for GHASH.

use super::{each, each_of};
use crate::core::block::Block;

/// One or two blocks in parallel.
pub(crate) trait Blocks: Copy {
    type Cpu: Copy;

    /// How many.
    const LANES: usize;

    fn zero(cpu: Self::Cpu) -> Self;
    /// The same block in each lane.
    fn splat(cpu: Self::Cpu, block: &Block) -> Self;
    /// The first of `blocks`, as many as there are lanes.
    fn load(cpu: Self::Cpu, blocks: &[Block]) -> Self;
    fn store(self, blocks: &mut [Block]);
    /// From registers, the first byte of a block lowest. Bytes that were just stored one by one would stall a wide load. One lane
    /// takes the first number.
    fn from_numbers(cpu: Self::Cpu, numbers: [u128; 2]) -> Self;
    fn numbers(self) -> [u128; 2];

    fn xor(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    /// The bytes of each block reversed.
    fn reverse(self) -> Self;
    /// The sum of the blocks in the first lane, and zeros.
    fn sum_lanes(self) -> Self;
    /// The block of the last lane in the first.
    fn last_lane(self) -> Self;
    /// All lanes of `self`, but the last, which is that of `other`.
    fn with_last(self, other: Self) -> Self;

    /// The part of the first round key that is added before round 1: all, or nothing where `round` adds the key `before` it.
    fn whiten(self, first: Self) -> Self;
    /// A round of AES, given the round key before it and its own: each instruction set uses one of the two.
    fn round(self, before: Self, key: Self) -> Self;
    /// The last round, without MixColumns.
    fn last_round(self, before: Self, key: Self) -> Self;

    /// A round of the equivalent inverse cipher, and the last one, with the keys of that.
    fn inv_round(self, before: Self, key: Self) -> Self;
    fn inv_last_round(self, before: Self, key: Self) -> Self;

    /// The last round, XORed into a text.
    fn last_round_onto(self, before: Self, key: Self, text: Self) -> Self;

    /// Adds the product a·b of polynomials to a sum. Its three parts are at x^0, x^64 and x^128.
    fn add_product(sum: [Self; 3], a: Self, b: Self) -> [Self; 3];
    /// Whether two products together take three instructions each instead of four (Karatsuba).
    const TWO_AT_ONCE: bool = false;

    /// The same with two products, given [`halves_added`](Self::halves_added) of both `b`. Until
    /// [`whole_middle`](Self::whole_middle), the middle part may lack the other two.
    #[inline(always)]
    fn add_two_products(sum: [Self; 3], a: [Self; 2], b: [Self; 2], _added: Self) -> [Self; 3] {
        Self::add_product(Self::add_product(sum, a[0], b[0]), a[1], b[1])
    }
    /// Both halves of each block added: those of `a` in the lower half, those of `b` in the upper one.
    #[inline(always)]
    fn halves_added(a: Self, _b: Self) -> Self {
        a
    }
    /// Completes the middle part after `add_two_products`.
    #[inline(always)]
    fn whole_middle(sum: [Self; 3]) -> [Self; 3] {
        sum
    }

    /// `self` · x^-64 modulo x^128 + x^127 + x^126 + x^121 + 1, added to `onto`.
    fn fold(self, onto: Self) -> Self;

    /// A barrier against reordering by the compiler; no instruction.
    #[inline(always)]
    fn keep_order(&mut self) {}

    /// The hash `self` after groups of eight vectors, given the powers that such a group is multiplied by.
    #[inline(always)]
    fn hash_groups(self, cpu: Self::Cpu, data: &[[u8; 16]], powers: &[[u8; 16]]) -> Self {
        let mut hash = self;
        let load = |blocks: &[[u8; 16]], i: usize| Self::load(cpu, &blocks[i * Self::LANES..]);
        let two = |blocks: &[[u8; 16]], i: usize| [load(blocks, 2 * i), load(blocks, 2 * i + 1)];
        let added: [Self; 4] = each(|i| {
            let [a, b] = two(powers, i);
            Self::halves_added(a, b)
        });
        for data in data.chunks_exact(8 * Self::LANES) {
            let mut sum = [Self::zero(cpu); 3];
            if Self::TWO_AT_ONCE {
                // The part that depends on the hash comes last.
                unroll!(i in 1 2 3 0 => {
                    let mut x = each_of(two(data, i), Self::reverse);
                    if i == 0 {
                        x[0] = x[0].xor(hash);
                    }
                    sum = Self::add_two_products(sum, x, two(powers, i), added[i]);
                });
            } else {
                for i in 0..8 {
                    let x = load(data, i).reverse().xor(hash);
                    sum = Self::add_product(sum, x, load(powers, i));
                    hash = Self::zero(cpu);
                }
            }
            let [low, middle, high] = Self::whole_middle(sum);
            hash = low.fold(middle).fold(high).sum_lanes();
        }
        hash
    }
}

/// Declares a vector type from the names of its operations.
macro_rules! blocks {
    (
        $(#[$doc:meta])*
        $T:ident($V:ty, $L:literal) needs $Cpu:ident {
            zero: $zero:ident, splat: $splat:ident, load: $load:ident, store: $store:ident,
            from_numbers: $from_numbers:ident, numbers: $numbers:ident,
            xor: $xor:ident, and: $and:ident, reverse: $reverse:ident, sum_lanes: $sum_lanes:ident,
            last_lane: $last_lane:ident, with_last: $with_last:ident,
            whiten: $whiten:ident, round: $round:ident, last_round: $last_round:ident,
            last_round_onto: $last_round_onto:ident,
            inv_round: $inv_round:ident, inv_last_round: $inv_last_round:ident,
            add_product: $add_product:ident, fold: $fold:ident
            $(, add_two_products: $add_two_products:ident, halves_added: $halves_added:ident, whole_middle: $whole_middle:ident)?
            $(, hash_groups: $hash_groups:ident)?
            $(, keep_order: $keep_order:ident)? $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $T($V, crate::core::cpu::$Cpu);

        impl crate::core::simd::Blocks for $T {
            type Cpu = crate::core::cpu::$Cpu;

            const LANES: usize = $L;

            #[inline(always)]
            fn zero(cpu: Self::Cpu) -> Self {
                Self(proven!($Cpu: cpu, fn enter() -> $V { $zero() }), cpu)
            }
            #[inline(always)]
            fn splat(cpu: Self::Cpu, block: &[u8; 16]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(block: &[u8; 16]) -> $V { $splat(block) }), cpu)
            }
            #[inline(always)]
            fn load(cpu: Self::Cpu, blocks: &[[u8; 16]]) -> Self {
                let blocks = &blocks.as_chunks().0[0];
                Self(proven!($Cpu: cpu, fn enter(blocks: &[[u8; 16]; $L]) -> $V { $load(blocks) }), cpu)
            }
            #[inline(always)]
            fn store(self, blocks: &mut [[u8; 16]]) {
                let Self(v, cpu) = self;
                let blocks = &mut blocks.as_chunks_mut().0[0];
                proven!($Cpu: cpu, fn enter(blocks: &mut [[u8; 16]; $L], v: $V) -> () { $store(blocks, v) })
            }
            #[inline(always)]
            fn from_numbers(cpu: Self::Cpu, numbers: [u128; 2]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(numbers: [u128; 2]) -> $V { $from_numbers(numbers) }), cpu)
            }
            #[inline(always)]
            fn numbers(self) -> [u128; 2] {
                let Self(v, cpu) = self;
                proven!($Cpu: cpu, fn enter(v: $V) -> [u128; 2] { $numbers(v) })
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                let (Self(a, cpu), b) = (self, other.0);
                Self(proven!($Cpu: cpu, fn enter(a: $V, b: $V) -> $V { $xor(a, b) }), cpu)
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                let (Self(a, cpu), b) = (self, other.0);
                Self(proven!($Cpu: cpu, fn enter(a: $V, b: $V) -> $V { $and(a, b) }), cpu)
            }
            #[inline(always)]
            fn reverse(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $reverse(v) }), cpu)
            }
            #[inline(always)]
            fn sum_lanes(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $sum_lanes(v) }), cpu)
            }
            #[inline(always)]
            fn last_lane(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $last_lane(v) }), cpu)
            }
            #[inline(always)]
            fn with_last(self, other: Self) -> Self {
                let (Self(v, cpu), other) = (self, other.0);
                Self(proven!($Cpu: cpu, fn enter(v: $V, other: $V) -> $V { $with_last(v, other) }), cpu)
            }
            #[inline(always)]
            fn whiten(self, first: Self) -> Self {
                let (Self(v, cpu), first) = (self, first.0);
                Self(proven!($Cpu: cpu, fn enter(v: $V, first: $V) -> $V { $whiten(v, first) }), cpu)
            }
            #[inline(always)]
            fn round(self, before: Self, key: Self) -> Self {
                let (Self(v, cpu), before, key) = (self, before.0, key.0);
                Self(proven!($Cpu: cpu, fn enter(v: $V, before: $V, key: $V) -> $V { $round(v, before, key) }), cpu)
            }
            #[inline(always)]
            fn last_round(self, before: Self, key: Self) -> Self {
                let (Self(v, cpu), before, key) = (self, before.0, key.0);
                Self(proven!($Cpu: cpu, fn enter(v: $V, before: $V, key: $V) -> $V { $last_round(v, before, key) }), cpu)
            }
            #[inline(always)]
            fn inv_round(self, before: Self, key: Self) -> Self {
                let (Self(v, cpu), before, key) = (self, before.0, key.0);
                Self(proven!($Cpu: cpu, fn enter(v: $V, before: $V, key: $V) -> $V { $inv_round(v, before, key) }), cpu)
            }
            #[inline(always)]
            fn inv_last_round(self, before: Self, key: Self) -> Self {
                let (Self(v, cpu), before, key) = (self, before.0, key.0);
                Self(proven!($Cpu: cpu, fn enter(v: $V, before: $V, key: $V) -> $V { $inv_last_round(v, before, key) }), cpu)
            }
            #[inline(always)]
            fn last_round_onto(self, before: Self, key: Self, text: Self) -> Self {
                let (Self(v, cpu), before, key, text) = (self, before.0, key.0, text.0);
                Self(proven!($Cpu: cpu, fn enter(v: $V, before: $V, key: $V, text: $V) -> $V { $last_round_onto(v, before, key, text) }), cpu)
            }
            #[inline(always)]
            fn add_product([Self(low, cpu), Self(middle, _), Self(high, _)]: [Self; 3], a: Self, b: Self) -> [Self; 3] {
                let (sum, a, b) = ([low, middle, high], a.0, b.0);
                $crate::core::simd::each_of(proven!($Cpu: cpu, fn enter(sum: [$V; 3], a: $V, b: $V) -> [$V; 3] { $add_product(sum, a, b) }), |v| Self(v, cpu))
            }
            #[inline(always)]
            fn fold(self, onto: Self) -> Self {
                let (Self(v, cpu), onto) = (self, onto.0);
                Self(proven!($Cpu: cpu, fn enter(v: $V, onto: $V) -> $V { $fold(v, onto) }), cpu)
            }
            $(
                const TWO_AT_ONCE: bool = true;

                #[inline(always)]
                fn add_two_products([Self(low, cpu), Self(middle, _), Self(high, _)]: [Self; 3], a: [Self; 2], b: [Self; 2], added: Self) -> [Self; 3] {
                    let (sum, a, b, added) = ([low, middle, high], $crate::core::simd::each_of(a, |v| v.0), $crate::core::simd::each_of(b, |v| v.0), added.0);
                    $crate::core::simd::each_of(proven!($Cpu: cpu, fn enter(sum: [$V; 3], a: [$V; 2], b: [$V; 2], added: $V) -> [$V; 3] { $add_two_products(sum, a, b, added) }), |v| Self(v, cpu))
                }
                #[inline(always)]
                fn halves_added(a: Self, b: Self) -> Self {
                    let (Self(a, cpu), b) = (a, b.0);
                    Self(proven!($Cpu: cpu, fn enter(a: $V, b: $V) -> $V { $halves_added(a, b) }), cpu)
                }
                #[inline(always)]
                fn whole_middle([Self(low, cpu), Self(middle, _), Self(high, _)]: [Self; 3]) -> [Self; 3] {
                    let sum = [low, middle, high];
                    $crate::core::simd::each_of(proven!($Cpu: cpu, fn enter(sum: [$V; 3]) -> [$V; 3] { $whole_middle(sum) }), |v| Self(v, cpu))
                }
            )?
            $(
                #[inline(always)]
                fn hash_groups(self, cpu: Self::Cpu, data: &[[u8; 16]], powers: &[[u8; 16]]) -> Self {
                    let v = self.0;
                    Self(proven!($Cpu: cpu, apart fn enter(v: $V, data: &[[u8; 16]], powers: &[[u8; 16]]) -> $V { $hash_groups(v, data, powers) }), cpu)
                }
            )?
            $(
                #[inline(always)]
                fn keep_order(&mut self) {
                    let Self(v, cpu) = self;
                    proven!($Cpu: *cpu, fn enter(v: &mut $V) -> () { $keep_order(v) })
                }
            )?
        }
    };
}
