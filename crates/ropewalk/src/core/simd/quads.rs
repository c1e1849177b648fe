//! Declares a vector type of consecutive words of a block, from the names of its instructions.

macro_rules! quads {
    (
        $(#[$doc:meta])*
        $T:ident($V:ty, $L:literal) needs $Cpu:ident {
            add: $add:ident, xor: $xor:ident, shl: $shl:ident, shr: $shr:ident, shr_pairs: $shr_pairs:ident,
            splat: $splat:ident, big_endian: $big_endian:ident, store: $store:ident, shift_in: $shift_in:ident,
            shuffle: $shuffle:ident, to_low: $to_low:ident, to_high: $to_high:ident,
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $T($V, crate::core::cpu::$Cpu);

        features! { $Cpu, operator! { $T($V) Add add $add } }
        features! { $Cpu, operator! { $T($V) BitXor bitxor $xor } }

        impl crate::core::simd::Quads<$L> for $T {
            type Cpu = crate::core::cpu::$Cpu;

            #[inline(always)]
            fn splat(cpu: Self::Cpu, words: &[u32; 4]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(words: &[u32; 4]) -> $V { $splat(words) }), cpu)
            }
            #[inline(always)]
            fn big_endian(cpu: Self::Cpu, blocks: &[&[u8; 64]; $L], quarter: usize) -> Self {
                Self(proven!($Cpu: cpu, fn enter(blocks: &[&[u8; 64]; $L], quarter: usize) -> $V { $big_endian(blocks, quarter) }), cpu)
            }
            #[inline(always)]
            fn store(self, to: &mut [[u32; 4]; $L]) {
                let Self(v, cpu) = self;
                proven!($Cpu: cpu, fn enter(to: &mut [[u32; 4]; $L], v: $V) -> () { $store(to, v) })
            }
            #[inline(always)]
            fn shl<const R: i32>(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter<const R: i32>(v: $V) -> $V { $shl::<R>(v) }), cpu)
            }
            #[inline(always)]
            fn shr<const R: i32>(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter<const R: i32>(v: $V) -> $V { $shr::<R>(v) }), cpu)
            }
            #[inline(always)]
            fn shr_pairs<const R: i32>(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter<const R: i32>(v: $V) -> $V { $shr_pairs::<R>(v) }), cpu)
            }
            #[inline(always)]
            fn shift_in<const R: i32>(self, next: Self) -> Self {
                let (Self(v, cpu), next) = (self, next.0);
                Self(proven!($Cpu: cpu, fn enter<const R: i32>(next: $V, v: $V) -> $V { $shift_in::<R>(next, v) }), cpu)
            }
            #[inline(always)]
            fn low_twice(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $shuffle::<0b01_01_00_00>(v) }), cpu)
            }
            #[inline(always)]
            fn high_twice(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $shuffle::<0b11_11_10_10>(v) }), cpu)
            }
            #[inline(always)]
            fn to_low(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $to_low(v) }), cpu)
            }
            #[inline(always)]
            fn to_high(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $to_high(v) }), cpu)
            }
        }
    };
}
