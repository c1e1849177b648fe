//! Declares a vector type from the names of its instructions.
//!
//! Each operation goes through a function with exactly the features of the token: an instruction
//! that the token does not prove does not compile.

macro_rules! words {
    (
        $(#[$doc:meta])*
        $T:ident($V:ty, $L:literal of $W:ty) needs $Cpu:ident {
            add: $add:ident, xor: $xor:ident, and: $and:ident, or: $or:ident,
            splat: $splat:ident, load: $load:ident, store: $store:ident,
            rotr: $rotr:ident, shr: $shr:ident, swap_bytes: $swap:ident, words: $words:ident, bytes: $bytes:ident
            $(, choose: $choose:ident, majority: $majority:ident)? $(, summed: $summed:ident)?
            $(, sum: $sum:ident, add_where_not: $chi:ident)? $(, add_rotr: $add_rotr:ident, add_rotl_1: $add_rotl_1:ident)? $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $T($V, crate::core::cpu::$Cpu);

        #[allow(dead_code)]
        impl $T {
            /// With the proof that its instructions are there.
            #[inline(always)]
            pub(crate) fn new(vector: $V, cpu: crate::core::cpu::$Cpu) -> Self {
                Self(vector, cpu)
            }

            /// The proof.
            #[inline(always)]
            pub(crate) fn cpu(self) -> crate::core::cpu::$Cpu {
                self.1
            }

            /// Without the proof.
            #[inline(always)]
            pub(crate) fn vector(self) -> $V {
                self.0
            }

            /// The vector, to be changed.
            #[inline(always)]
            pub(crate) fn vector_mut(&mut self) -> &mut $V {
                &mut self.0
            }
        }

        features! { $Cpu, operator! { $T($V) Add add $add } }
        features! { $Cpu, operator! { $T($V) BitXor bitxor $xor } }
        features! { $Cpu, operator! { $T($V) BitAnd bitand $and } }
        features! { $Cpu, operator! { $T($V) BitOr bitor $or } }

        impl crate::core::simd::Words<$L, $W> for $T {
            type Cpu = crate::core::cpu::$Cpu;

            #[inline(always)]
            fn splat(cpu: Self::Cpu, word: $W) -> Self {
                Self(proven!($Cpu: cpu, fn enter(word: $W) -> $V { $splat(word) }), cpu)
            }
            #[inline(always)]
            fn load(cpu: Self::Cpu, lanes: &[$W; $L]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(lanes: &[$W; $L]) -> $V { $load(lanes) }), cpu)
            }
            #[inline(always)]
            fn store(self, lanes: &mut [$W; $L]) {
                let Self(v, cpu) = self;
                proven!($Cpu: cpu, fn enter(lanes: &mut [$W; $L], v: $V) -> () { $store(lanes, v) })
            }
            #[inline(always)]
            fn rotr<const R: i32>(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter<const R: i32>(v: $V) -> $V { $rotr::<R>(v) }), cpu)
            }
            #[inline(always)]
            fn shr<const R: i32>(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter<const R: i32>(v: $V) -> $V { $shr::<R>(v) }), cpu)
            }
            $(
                #[inline(always)]
                fn choose(self, yes: Self, no: Self) -> Self {
                    let Self(v, cpu) = self;
                    let (yes, no) = (yes.0, no.0);
                    Self(proven!($Cpu: cpu, fn enter(v: $V, yes: $V, no: $V) -> $V { $choose(v, yes, no) }), cpu)
                }
                #[inline(always)]
                fn majority(self, b: Self, c: Self) -> Self {
                    let Self(v, cpu) = self;
                    let (b, c) = (b.0, c.0);
                    Self(proven!($Cpu: cpu, fn enter(v: $V, b: $V, c: $V) -> $V { $majority(v, b, c) }), cpu)
                }
            )?
            $(
                #[inline(always)]
                fn summed(self) -> Self {
                    let Self(v, cpu) = self;
                    Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $summed(v) }), cpu)
                }
            )?
            $(
                #[inline(always)]
                fn sum(self, b: Self, c: Self) -> Self {
                    let Self(v, cpu) = self;
                    let (b, c) = (b.0, c.0);
                    Self(proven!($Cpu: cpu, fn enter(v: $V, b: $V, c: $V) -> $V { $sum(v, b, c) }), cpu)
                }
                #[inline(always)]
                fn add_where_not(self, b: Self, c: Self) -> Self {
                    let Self(v, cpu) = self;
                    let (b, c) = (b.0, c.0);
                    Self(proven!($Cpu: cpu, fn enter(v: $V, b: $V, c: $V) -> $V { $chi(v, b, c) }), cpu)
                }
            )?
            $(
                #[inline(always)]
                fn add_rotr<const R: i32>(self, other: Self) -> Self {
                    let Self(v, cpu) = self;
                    let other = other.0;
                    Self(proven!($Cpu: cpu, fn enter<const R: i32>(v: $V, other: $V) -> $V { $add_rotr::<R>(v, other) }), cpu)
                }
                #[inline(always)]
                fn add_rotl_1(self, other: Self) -> Self {
                    let Self(v, cpu) = self;
                    let other = other.0;
                    Self(proven!($Cpu: cpu, fn enter(v: $V, other: $V) -> $V { $add_rotl_1(v, other) }), cpu)
                }
            )?
            #[inline(always)]
            fn swap_bytes(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter(v: $V) -> $V { $swap(v) }), cpu)
            }
            #[inline(always)]
            fn words<const BLOCK: usize, const BIG_ENDIAN: bool>(cpu: Self::Cpu, blocks: &[&[u8; BLOCK]; $L], at: usize) -> [Self; 4] {
                $crate::core::simd::each_of(proven!($Cpu: cpu, fn enter<const BLOCK: usize, const BIG_ENDIAN: bool>(blocks: &[&[u8; BLOCK]; $L], at: usize) -> [$V; 4] { $words::<BLOCK, BIG_ENDIAN>(blocks, at) }), |v| Self(v, cpu))
            }
            #[inline(always)]
            fn bytes(words: [Self; 4]) -> [<$W as crate::core::simd::Word>::Quarter; $L] {
                let (cpu, words) = (words[0].1, $crate::core::simd::each_of(words, |word| word.0));
                proven!($Cpu: cpu, fn enter(words: [$V; 4]) -> [<$W as crate::core::simd::Word>::Quarter; $L] { $bytes(words) })
            }
        }
    };
}

/// Calls a function that has the features of a token, with arguments of the same names from the enclosing scope.
macro_rules! proven {
    ($Cpu:ident: $proof:expr, $($enter:tt)+) => {
        features! { $Cpu, proven_impl! { $Cpu ($proof) $($enter)+ } }
    };
}

macro_rules! proven_impl {
    (
        $arch:tt $features:tt $Cpu:ident ($proof:expr)
        fn enter $($function:tt)+
    ) => {
        proven_impl! { $arch $features $Cpu ($proof) (inline) $($function)+ }
    };
    // Out of line, for long functions that are called from many places. A caller with the same features still inlines short ones.
    (
        $arch:tt $features:tt $Cpu:ident ($proof:expr)
        apart fn enter $($function:tt)+
    ) => {
        proven_impl! { $arch $features $Cpu ($proof) (inline(never)) $($function)+ }
    };
    // Always out of line.
    (
        $arch:tt $features:tt $Cpu:ident ($proof:expr)
        once fn enter $($function:tt)+
    ) => {
        proven_impl! { $arch $features $Cpu ($proof) (once) $($function)+ }
    };
    // The same, with a vector passed and returned in a register, which only the C calling convention does.
    (
        $arch:tt $features:tt $Cpu:ident ($proof:expr)
        once extern fn enter $($function:tt)+
    ) => {
        proven_impl! { $arch $features $Cpu ($proof) (once extern "C") $($function)+ }
    };
    // The compiler respects `never` where the caller has the same features.
    (
        $arch:tt [$($feature:tt)+] $Cpu:ident ($proof:expr) (once $($extern:tt $abi:tt)?)
        $(<$(const $R:ident: $of:ty),+>)? ($($arg:ident: $ty:ty),*) -> $ret:ty $body:block
    ) => {
        proven_impl! {
            $arch [$($feature)+] $Cpu ($proof) (inline)
            $(<$(const $R: $of),+>)? ($($arg: $ty),*) -> $ret {
                #[inline(never)]
                #[target_feature($(enable = $feature),+)]
                #[allow(improper_ctypes_definitions, reason = "there is no other caller")]
                $($extern $abi)? fn once $(<$(const $R: $of),+>)? ($($arg: $ty),*) -> $ret $body
                once $(::<$($R),+>)? ($($arg),*)
            }
        }
    };
    (
        $arch:tt [$($feature:tt)+] $Cpu:ident ($proof:expr) ($inline:meta)
        $(<$(const $R:ident: $of:ty),+>)? ($($arg:ident: $ty:ty),*) -> $ret:ty $body:block
    ) => {{
        #[$inline]
        #[target_feature($(enable = $feature),+)]
        fn enter $(<$(const $R: $of),+>)? ($($arg: $ty),*) -> $ret $body
        let _proof: crate::core::cpu::$Cpu = $proof;
        // SAFETY: `_proof` exists, so the processor has the features of its line in `tokens!`,
        // which are the ones `enter` enables.
        #[allow(unsafe_code)]
        unsafe { enter $(::<$($R),+>)? ($($arg),*) }
    }};
}

macro_rules! operator {
    ($arch:tt [$($feature:tt)+] $T:ident($V:ty) $Trait:ident $name:ident $op:ident) => {
        impl core::ops::$Trait for $T {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                #[inline]
                #[target_feature($(enable = $feature),+)]
                fn enter(a: $V, b: $V) -> $V {
                    $op(a, b)
                }
                // SAFETY: `self.1` exists, so the processor has the features of its line in
                // `tokens!`, which are the ones `enter` enables.
                #[allow(unsafe_code)]
                Self(unsafe { enter(self.0, other.0) }, self.1)
            }
        }
    };
}
