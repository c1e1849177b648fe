//! Vectors of AES blocks, one message a lane.

/// `N` blocks, one a lane.
pub(crate) trait Lanes<const N: usize>: Copy {
    type Cpu: Copy;

    /// Whether vectors have 512 bits: there are then registers for round keys as well, and blocks are stored through memory. On
    /// Zen 4, an instruction that extracts a block from such a vector takes two slots of an AES pipe.
    const WIDE: bool = N == 4;

    /// The same in each lane.
    fn splat(cpu: Self::Cpu, block: &[u8; 16]) -> Self;
    fn load(cpu: Self::Cpu, blocks: &[[u8; 16]; N]) -> Self;
    fn store(self, blocks: &mut [[u8; 16]; N]);
    /// Loads a block for each lane from its address.
    fn gather(cpu: Self::Cpu, blocks: [&[u8; 16]; N]) -> Self;
    /// Stores the block of one lane.
    fn put(self, lane: usize, block: &mut [u8; 16]);
    fn xor(self, other: Self) -> Self;
    /// The bytewise sum.
    fn add_bytes(self, other: Self) -> Self;

    /// The part of the first round key that is added before round 1: all, or nothing where `round` adds the key `before` it.
    fn whiten(self, first: Self) -> Self;
    /// A round of AES, given the round key before it and its own: each instruction set uses one of the two.
    fn round(self, before: Self, key: Self) -> Self;
    /// The last round, without MixColumns.
    fn last_round(self, before: Self, key: Self) -> Self;

    /// A barrier against reordering by the compiler; no instruction.
    fn keep_order(&mut self);
}

/// Declares a vector type from the names of its operations.
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
