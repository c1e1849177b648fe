//! Vectors of blocks of AES and of GHASH, each of another message.

use super::{Lanes, each};

/// What GHASH takes of [`Lanes`]: products of polynomials and what is around them, in each lane.
pub(crate) trait HashLanes<const N: usize>: Lanes<N> {
    fn zero(cpu: Self::Cpu) -> Self;
    /// From registers, the first byte of a block lowest.
    fn from_numbers(cpu: Self::Cpu, numbers: [u128; N]) -> Self;
    fn numbers(self) -> [u128; N];
    /// Twelve bytes and zeros.
    fn from_nonces(cpu: Self::Cpu, nonces: [&[u8; 12]; N]) -> Self;
    /// The bytes of each block the other way round.
    fn reverse(self) -> Self;
    /// The bytes of each block at those places, and zeros where a place is past 127.
    fn shuffle(self, places: Self) -> Self;
    /// A sum of products of polynomials and a·b: its three parts are at x^0, x^64 and x^128, but until
    /// [`whole_middle`](Self::whole_middle) the middle one may be short of the other two (Karatsuba).
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

/// Writes the operations of GHASH for a vector type.
macro_rules! hash_lanes {
    (
        $T:ident($V:ty, $N:literal) needs $Cpu:ident {
            zero: $zero:ident, from_numbers: $from_numbers:ident, numbers: $numbers:ident, from_nonces: $from_nonces:ident, reverse: $reverse:ident, shuffle: $shuffle:ident,
            add_product: $add_product:ident, fold: $fold:ident
            $(, add_two_products: $add_two_products:ident, halves_added: $halves_added:ident, whole_middle: $whole_middle:ident)? $(,)?
        }
    ) => {
        impl crate::simd::HashLanes<$N> for $T {
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
                proven!($Cpu: cpu, fn enter(sum: [$V; 3], a: $V, b: $V) -> [$V; 3] { $add_product(sum, a, b) })
                    .map(|v| Self(v, cpu))
            }
            $(
                #[inline(always)]
                fn add_two_products([Self(low, cpu), Self(middle, _), Self(high, _)]: [Self; 3], a: [Self; 2], b: [Self; 2]) -> [Self; 3] {
                    let (sum, a, b) = ([low, middle, high], a.map(|v| v.0), b.map(|v| v.0));
                    proven!($Cpu: cpu, fn enter(sum: [$V; 3], a: [$V; 2], b: [$V; 2]) -> [$V; 3] { $add_two_products(sum, a, b, $halves_added(b[0], b[1])) })
                        .map(|v| Self(v, cpu))
                }
                #[inline(always)]
                fn whole_middle([Self(low, cpu), Self(middle, _), Self(high, _)]: [Self; 3]) -> [Self; 3] {
                    let sum = [low, middle, high];
                    proven!($Cpu: cpu, fn enter(sum: [$V; 3]) -> [$V; 3] { $whole_middle(sum) }).map(|v| Self(v, cpu))
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

/// Two vectors that do everything at the same time: while one waits, the other has something to do.
#[derive(Clone, Copy)]
pub(crate) struct Two<V>(V, V);

macro_rules! two {
    ($($N:literal twice $M:literal;)+) => { $(
        impl<V: Lanes<$N>> Lanes<$M> for Two<V> {
            type Cpu = V::Cpu;

            #[inline(always)]
            fn splat(cpu: V::Cpu, block: &[u8; 16]) -> Self {
                let v = V::splat(cpu, block);
                Self(v, v)
            }
            #[inline(always)]
            fn load(cpu: V::Cpu, blocks: &[[u8; 16]; $M]) -> Self {
                let [a, b] = blocks.as_chunks().0 else { unreachable!("two halves") };
                Self(V::load(cpu, a), V::load(cpu, b))
            }
            #[inline(always)]
            fn store(self, blocks: &mut [[u8; 16]; $M]) {
                let [a, b] = blocks.as_chunks_mut().0 else { unreachable!("two halves") };
                self.0.store(a);
                self.1.store(b);
            }
            #[inline(always)]
            fn gather(cpu: V::Cpu, blocks: [&[u8; 16]; $M]) -> Self {
                Self(V::gather(cpu, each(|i| blocks[i])), V::gather(cpu, each(|i| blocks[$N + i])))
            }
            #[inline(always)]
            fn put(self, lane: usize, block: &mut [u8; 16]) {
                if lane < $N { self.0.put(lane, block) } else { self.1.put(lane - $N, block) }
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                Self(self.0.xor(other.0), self.1.xor(other.1))
            }
            #[inline(always)]
            fn add_bytes(self, other: Self) -> Self {
                Self(self.0.add_bytes(other.0), self.1.add_bytes(other.1))
            }
            #[inline(always)]
            fn whiten(self, first: Self) -> Self {
                Self(self.0.whiten(first.0), self.1.whiten(first.1))
            }
            #[inline(always)]
            fn round(self, before: Self, key: Self) -> Self {
                Self(self.0.round(before.0, key.0), self.1.round(before.1, key.1))
            }
            #[inline(always)]
            fn last_round(self, before: Self, key: Self) -> Self {
                Self(self.0.last_round(before.0, key.0), self.1.last_round(before.1, key.1))
            }
            #[inline(always)]
            fn keep_order(&mut self) {
                self.0.keep_order();
                self.1.keep_order();
            }
        }

        impl<V: HashLanes<$N>> HashLanes<$M> for Two<V> {
            #[inline(always)]
            fn zero(cpu: V::Cpu) -> Self {
                Self(V::zero(cpu), V::zero(cpu))
            }
            #[inline(always)]
            fn from_numbers(cpu: V::Cpu, numbers: [u128; $M]) -> Self {
                let (a, b) = (each(|i| numbers[i]), each(|i| numbers[$N + i]));
                Self(V::from_numbers(cpu, a), V::from_numbers(cpu, b))
            }
            #[inline(always)]
            fn numbers(self) -> [u128; $M] {
                let (a, b) = (self.0.numbers(), self.1.numbers());
                each(|i| if i < $N { a[i] } else { b[i - $N] })
            }
            #[inline(always)]
            fn from_nonces(cpu: V::Cpu, nonces: [&[u8; 12]; $M]) -> Self {
                let (a, b) = (each(|i| nonces[i]), each(|i| nonces[$N + i]));
                Self(V::from_nonces(cpu, a), V::from_nonces(cpu, b))
            }
            #[inline(always)]
            fn reverse(self) -> Self {
                Self(self.0.reverse(), self.1.reverse())
            }
            #[inline(always)]
            fn shuffle(self, places: Self) -> Self {
                Self(self.0.shuffle(places.0), self.1.shuffle(places.1))
            }
            #[inline(always)]
            fn add_product(sum: [Self; 3], a: Self, b: Self) -> [Self; 3] {
                let (p, q) = (V::add_product(sum.map(|s| s.0), a.0, b.0), V::add_product(sum.map(|s| s.1), a.1, b.1));
                each(|i| Self(p[i], q[i]))
            }
            #[inline(always)]
            fn add_two_products(sum: [Self; 3], a: [Self; 2], b: [Self; 2]) -> [Self; 3] {
                let p = V::add_two_products(sum.map(|s| s.0), a.map(|s| s.0), b.map(|s| s.0));
                let q = V::add_two_products(sum.map(|s| s.1), a.map(|s| s.1), b.map(|s| s.1));
                each(|i| Self(p[i], q[i]))
            }
            #[inline(always)]
            fn whole_middle(sum: [Self; 3]) -> [Self; 3] {
                let (p, q) = (V::whole_middle(sum.map(|s| s.0)), V::whole_middle(sum.map(|s| s.1)));
                each(|i| Self(p[i], q[i]))
            }
            #[inline(always)]
            fn fold(self, onto: Self) -> Self {
                Self(self.0.fold(onto.0), self.1.fold(onto.1))
            }
        }
    )+ };
}

two! {
    2 twice 4;
    4 twice 8;
}
