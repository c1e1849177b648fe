//! Half of four quarter rounds of ChaCha20, in an instruction order that the compiler does not keep.
//!
//! With as many registers as words, rotations need one more register, and LLVM then spills a word on the critical path. Here one
//! fixed word stays in memory, and two quarter rounds run ahead of the two others: if all did the same step at once, such as byte
//! rotations, they would compete for the same ports.

use core::arch::{asm, x86_64::*};

use super::u32x8::{TURNED_BY_16, TURNED_BY_24};

/// Words a, b and d of four quarter rounds.
type Abd<V> = [[V; 4]; 3];

/// An instruction whose first operand is also its result.
macro_rules! line {
    (vex $op:ident $to:ident $by:tt) => {
        concat!(
            "v",
            stringify!($op),
            " {",
            stringify!($to),
            "}, {",
            stringify!($to),
            "}, ",
            operand!($by)
        )
    };
    (legacy $op:ident $to:ident $by:tt) => {
        concat!(stringify!($op), " {", stringify!($to), "}, ", operand!($by))
    };
}

macro_rules! operand {
    ([$at:ident]) => {
        concat!("[{", stringify!($at), "}]")
    };
    ($register:ident) => {
        concat!("{", stringify!($register), "}")
    };
}

/// A copy from memory, or another register, or to memory.
macro_rules! copied {
    (vex $to:tt $from:tt) => {
        concat!("vmovdqa ", operand!($to), ", ", operand!($from))
    };
    (legacy $to:tt $from:tt) => {
        concat!("movdqa ", operand!($to), ", ", operand!($from))
    };
}

/// An instruction on 512 bits whose first operand is also its result.
macro_rules! evex {
    ($op:ident $to:ident $by:ident) => {
        concat!(
            "v",
            stringify!($op),
            " {",
            stringify!($to),
            "}, {",
            stringify!($to),
            "}, {",
            stringify!($by),
            "}"
        )
    };
}

/// Declares it for vectors of a width.
macro_rules! half {
    ($name:ident on $V:ty, $class:ident, $feature:literal, $form:ident) => {
        #[inline]
        #[target_feature(enable = $feature)]
        #[allow(unsafe_code)]
        pub(super) fn $name<const R: i32>(
            [a, b, d]: Abd<$V>,
            c: [$V; 3],
            last: &mut $V,
        ) -> (Abd<$V>, [$V; 3]) {
            let [[mut a0, mut a1, mut a2, mut a3], [mut b0, mut b1, mut b2, mut b3]] = [a, b];
            let ([mut c0, mut c1, mut c2], [mut d0, mut d1, mut d2, mut d3]) = (c, d);
            let turned = if R == 16 { &TURNED_BY_16 } else { &TURNED_BY_24 };
            // SAFETY: it reads a vector at `turned`, and reads and writes one at `last`; both are aligned as vectors.
            unsafe {
                asm!(
                    line!($form paddd a0 b0), line!($form paddd a1 b1),
                    line!($form pxor d0 a0), line!($form pshufb d0 [turned]),
                    line!($form pxor d1 a1), line!($form pshufb d1 [turned]),
                    line!($form paddd c0 d0), line!($form pxor b0 c0),
                    line!($form paddd c1 d1), line!($form pxor b1 c1),
                    rotated!($form b0), rotated!($form b1),
                    line!($form paddd a2 b2), line!($form paddd a3 b3),
                    line!($form pxor d2 a2), line!($form pshufb d2 [turned]),
                    line!($form pxor d3 a3), line!($form pshufb d3 [turned]),
                    line!($form paddd c2 d2), line!($form pxor b2 c2),
                    copied!($form t [last]), line!($form paddd t d3),
                    line!($form pxor b3 t), copied!($form [last] t),
                    rotated!($form b2), rotated!($form b3),
                    a0 = inout($class) a0, a1 = inout($class) a1, a2 = inout($class) a2, a3 = inout($class) a3,
                    b0 = inout($class) b0, b1 = inout($class) b1, b2 = inout($class) b2, b3 = inout($class) b3,
                    c0 = inout($class) c0, c1 = inout($class) c1, c2 = inout($class) c2,
                    d0 = inout($class) d0, d1 = inout($class) d1, d2 = inout($class) d2, d3 = inout($class) d3,
                    t = out($class) _, turned = in(reg) &raw const *turned, last = in(reg) &raw mut *last,
                    right = const if R == 16 { 20 } else { 25 }, left = const if R == 16 { 12 } else { 7 },
                    options(nostack, preserves_flags),
                );
            }
            ([[a0, a1, a2, a3], [b0, b1, b2, b3], [d0, d1, d2, d3]], [c0, c1, c2])
        }
    };
}

macro_rules! rotated {
    (vex $word:ident) => {
        concat!(
            "vpsrld {t}, {", stringify!($word), "}, {right}\n",
            "vpslld {", stringify!($word), "}, {", stringify!($word), "}, {left}\n",
            line!(vex por $word t)
        )
    };
    (legacy $word:ident) => {
        concat!(
            copied!(legacy t $word), "\npsrld {t}, {right}\n",
            "pslld {", stringify!($word), "}, {left}\n",
            line!(legacy por $word t)
        )
    };
}

/// On 512 bits there are registers for all words and a rotation, but one port executes all rotations. Two quarter rounds rotate
/// while two others add.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)]
pub(super) fn half_512<const R: i32>(
    [a, b, d]: Abd<__m512i>,
    [mut c0, mut c1, mut c2]: [__m512i; 3],
    last: &mut __m512i,
) -> (Abd<__m512i>, [__m512i; 3]) {
    let [[mut a0, mut a1, mut a2, mut a3], [mut b0, mut b1, mut b2, mut b3]] = [a, b];
    let [mut d0, mut d1, mut d2, mut d3] = d;
    // SAFETY: it uses registers only.
    unsafe {
        asm!(
            evex!(paddd a0 b0), evex!(paddd a1 b1),
            evex!(pxord d0 a0), evex!(prold d0 first), evex!(pxord d1 a1), evex!(prold d1 first),
            evex!(paddd c0 d0), evex!(pxord b0 c0), evex!(paddd c1 d1), evex!(pxord b1 c1),
            evex!(prold b0 second), evex!(prold b1 second),
            evex!(paddd a2 b2), evex!(paddd a3 b3),
            evex!(pxord d2 a2), evex!(prold d2 first), evex!(pxord d3 a3), evex!(prold d3 first),
            evex!(paddd c2 d2), evex!(pxord b2 c2), evex!(paddd c3 d3), evex!(pxord b3 c3),
            evex!(prold b2 second), evex!(prold b3 second),
            a0 = inout(zmm_reg) a0, a1 = inout(zmm_reg) a1, a2 = inout(zmm_reg) a2, a3 = inout(zmm_reg) a3,
            b0 = inout(zmm_reg) b0, b1 = inout(zmm_reg) b1, b2 = inout(zmm_reg) b2, b3 = inout(zmm_reg) b3,
            c0 = inout(zmm_reg) c0, c1 = inout(zmm_reg) c1, c2 = inout(zmm_reg) c2, c3 = inout(zmm_reg) *last,
            d0 = inout(zmm_reg) d0, d1 = inout(zmm_reg) d1, d2 = inout(zmm_reg) d2, d3 = inout(zmm_reg) d3,
            first = const if R == 16 { 16 } else { 8 }, second = const if R == 16 { 12 } else { 7 },
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    ([[a0, a1, a2, a3], [b0, b1, b2, b3], [d0, d1, d2, d3]], [c0, c1, c2])
}

half! { half_256 on __m256i, ymm_reg, "avx2", vex }
half! { half_128 on __m128i, xmm_reg, "ssse3", legacy }
