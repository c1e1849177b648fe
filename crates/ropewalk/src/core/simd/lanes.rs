//! Vectors of blocks of AES, each of another message.

/// `N` blocks, one a lane.
pub(crate) trait Lanes<const N: usize>: Copy {
    type Cpu: Copy;

    /// Whether these are 512 bits: there are registers for round keys as well, and blocks leave through memory. An instruction
    /// that takes one from such a vector has, on Zen 4, two places in a pipe of AES.
    const WIDE: bool = N == 4;

    /// The same in each lane.
    fn splat(cpu: Self::Cpu, block: &[u8; 16]) -> Self;
    fn load(cpu: Self::Cpu, blocks: &[[u8; 16]; N]) -> Self;
    fn store(self, blocks: &mut [[u8; 16]; N]);
    /// From where each of them lies.
    fn gather(cpu: Self::Cpu, blocks: [&[u8; 16]; N]) -> Self;
    /// Stores that of one lane.
    fn put(self, lane: usize, block: &mut [u8; 16]);
    fn xor(self, other: Self) -> Self;
    /// The sums of bytes.
    fn add_bytes(self, other: Self) -> Self;

    /// What of the first round key is to be added before round 1: all, or nothing where `round` adds the key
    /// `before` it.
    fn whiten(self, first: Self) -> Self;
    /// A round of AES, given the round key before it and its own: an instruction set takes one of them.
    fn round(self, before: Self, key: Self) -> Self;
    /// The last round, without MixColumns.
    fn last_round(self, before: Self, key: Self) -> Self;

    /// Does nothing, in its place.
    fn keep_order(&mut self);
}

/// Writes a vector type from the names of its operations.
macro_rules! lanes {
    (
        $(#[$doc:meta])*
        $T:ident($V:ty, $N:literal) needs $Cpu:ident {
            splat: $splat:ident, load: $load:ident, store: $store:ident, gather: $gather:ident, put: $put:ident, xor: $xor:ident, add_bytes: $add_bytes:ident,
            whiten: $whiten:ident, round: $round:ident, last_round: $last_round:ident $(, keep_order: $keep:ident)? $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $T($V, crate::core::cpu::$Cpu);

        impl crate::core::simd::Lanes<$N> for $T {
            type Cpu = crate::core::cpu::$Cpu;

            #[inline(always)]
            fn splat(cpu: Self::Cpu, block: &[u8; 16]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(block: &[u8; 16]) -> $V { $splat(block) }), cpu)
            }
            #[inline(always)]
            fn load(cpu: Self::Cpu, blocks: &[[u8; 16]; $N]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(blocks: &[[u8; 16]; $N]) -> $V { $load(blocks) }), cpu)
            }
            #[inline(always)]
            fn store(self, blocks: &mut [[u8; 16]; $N]) {
                let Self(v, cpu) = self;
                proven!($Cpu: cpu, fn enter(blocks: &mut [[u8; 16]; $N], v: $V) -> () { $store(blocks, v) })
            }
            #[inline(always)]
            fn gather(cpu: Self::Cpu, blocks: [&[u8; 16]; $N]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(blocks: [&[u8; 16]; $N]) -> $V { $gather(blocks) }), cpu)
            }
            #[inline(always)]
            fn put(self, lane: usize, block: &mut [u8; 16]) {
                let Self(v, cpu) = self;
                proven!($Cpu: cpu, fn enter(lane: usize, block: &mut [u8; 16], v: $V) -> () { $put(lane, block, v) })
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                let (Self(a, cpu), b) = (self, other.0);
                Self(proven!($Cpu: cpu, fn enter(a: $V, b: $V) -> $V { $xor(a, b) }), cpu)
            }
            #[inline(always)]
            fn add_bytes(self, other: Self) -> Self {
                let (Self(a, cpu), b) = (self, other.0);
                Self(proven!($Cpu: cpu, fn enter(a: $V, b: $V) -> $V { $add_bytes(a, b) }), cpu)
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
            fn keep_order(&mut self) {
                $(
                    let Self(v, cpu) = self;
                    proven!($Cpu: *cpu, fn enter(v: &mut $V) -> () { $keep(v) })
                )?
            }
        }
    };
}
