//! Declares a vector of blocks from the names of its instructions, as `words!` does one of words.

macro_rules! bytes {
    (
        $(#[$doc:meta])*
        $T:ident($V:ty, $L:literal) needs $Cpu:ident {
            xor: $xor:ident, add_words: $add:ident, look_up: $look_up:ident, shift_in: $shift_in:ident,
            low_nibbles: $low:ident, high_nibbles: $high:ident,
            splat: $splat:ident, load: $load:ident, store: $store:ident
            $(, keep_order: $keep_order:ident)? $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $T($V, crate::core::cpu::$Cpu);

        features! { $Cpu, operator! { $T($V) BitXor bitxor $xor } }

        impl crate::core::simd::Bytes<$L> for $T {
            type Cpu = crate::core::cpu::$Cpu;

            #[inline(always)]
            fn splat(cpu: Self::Cpu, block: &[u8; 16]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(block: &[u8; 16]) -> $V { $splat(block) }), cpu)
            }
            #[inline(always)]
            fn load(cpu: Self::Cpu, blocks: &[[u8; 16]; $L]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(blocks: &[[u8; 16]; $L]) -> $V { $load(blocks) }), cpu)
            }
            #[inline(always)]
            fn store(self, blocks: &mut [[u8; 16]; $L]) {
                let Self(v, cpu) = self;
                proven!($Cpu: cpu, fn enter(blocks: &mut [[u8; 16]; $L], v: $V) -> () { $store(blocks, v) })
            }
            #[inline(always)]
            fn add_words(self, other: Self) -> Self {
                let (Self(v, cpu), Self(other, _)) = (self, other);
                Self(proven!($Cpu: cpu, fn enter(v: $V, other: $V) -> $V { $add(v, other) }), cpu)
            }
            #[inline(always)]
            fn look_up(self, indices: Self) -> Self {
                let (Self(v, cpu), Self(indices, _)) = (self, indices);
                Self(proven!($Cpu: cpu, fn enter(v: $V, indices: $V) -> $V { $look_up(v, indices) }), cpu)
            }
            #[inline(always)]
            fn shift_in(self, low: Self) -> Self {
                let (Self(v, cpu), Self(low, _)) = (self, low);
                Self(proven!($Cpu: cpu, fn enter(v: $V, low: $V) -> $V { $shift_in(v, low) }), cpu)
            }
            #[inline(always)]
            fn low_nibbles(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $low(v) }), cpu)
            }
            $(
                #[inline(always)]
                fn at_once(self) -> Self {
                    let Self(v, cpu) = self;
                    Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { let mut v = v; $keep_order(&mut v); v }), cpu)
                }
            )?
            #[inline(always)]
            fn high_nibbles(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $high(v) }), cpu)
            }
        }
    };
}
