//! SHA-1 with NEON of 32-bit Arm: rounds on words, and the schedule of the sixteenth round after them in vectors, interleaved.
#![allow(unsafe_code)]

use super::super::{Block, Compress, Compression, K, State};
use crate::core::cpu::ArmNeon;

#[derive(Clone)]
pub(crate) struct Neon {
    cpu: ArmNeon,
}

impl Compress<Compression> for Neon {
    kernel! { ArmNeon: fn compress(&self, state: &mut State, blocks: &[Block]) = Neon::compress_kernel }
}

/// A round (section 6.1.2) with W + K in `wk`, that overwrites e. The registers c, d and e hold values that are not yet rotated: an operand
/// is rotated where it is used. Instructions on vectors stand before and after f.
macro_rules! round {
    ($f:ident $a:ident $b:ident $c:ident $d:ident $e:ident, $wk:ident; $i:expr, $j:expr) => {
        concat!(
            words!([eor t $c $d] [add $e $wk ($e ror 2)]),
            $i,
            f!($f $b $c $d $e),
            words!([add $e $e ($a ror 27)]),
            $j,
        )
    };
}

/// Adds f (section 4.1.1). `t` is c XOR d.
macro_rules! f {
    (ch $b:ident $c:ident $d:ident $e:ident) => {
        words!([and t $b (t ror 2)] [eor t t ($d ror 2)] [add $e $e t])
    };
    (parity $b:ident $c:ident $d:ident $e:ident) => {
        words!([eor t $b (t ror 2)] [add $e $e t])
    };
    (maj $b:ident $c:ident $d:ident $e:ident) => {
        words!([and u $c $d] [and t $b (t ror 2)] [add $e $e (u ror 2)] [add $e $e t])
    };
}

/// Four rounds with the words at `at`, and the instructions on vectors that replace these words by those of sixteen rounds later.
macro_rules! four_rounds {
    ($f:ident $a:ident $b:ident $c:ident $d:ident $e:ident, $at:literal; $($i:expr),*) => {
        four_rounds!(@ $f $a $b $c $d $e, $at; $($i),*)
    };
    ($f:ident $a:ident $b:ident $c:ident $d:ident $e:ident, $at:literal) => {
        four_rounds!(@ $f $a $b $c $d $e, $at; "", "", "", "", "", "", "", "")
    };
    (@ $f:ident $a:ident $b:ident $c:ident $d:ident $e:ident, $at:literal;
     $i:expr, $j:expr, $k:expr, $l:expr, $m:expr, $n:expr, $o:expr, $p:expr) => {
        concat!(
            "ldrd r0, r1, [sp, #", $at, "]\n",
            round!($f $a $b $c $d $e, r0; $i, $j),
            round!($f $e $a $b $c $d, r1; $k, $l),
            "ldrd r0, r1, [sp, #", $at, " + 8]\n",
            round!($f $d $e $a $b $c, r0; $m, $n),
            round!($f $c $d $e $a $b, r1; $o, $p),
        )
    };
}

/// Four rounds, with the schedule of the first sixteen words that it computes (section 6.1.2): the words of t are those of t − 16 and t − 14
/// XOR those of t − 8 and t − 3, rotated. The last two of t − 3 are the first two results.
macro_rules! first {
    ($f:ident $a:ident $b:ident $c:ident $d:ident $e:ident, $at:literal;
     $w:literal $low:literal $high:literal = $low16:literal $high16:literal $low12:literal $w8:literal $low4:literal $high4:literal + $k:literal) => {
        four_rounds!($f $a $b $c $d $e, $at;
            steps!(concat!("veor ", $low, ", ", $low16, ", ", $high16), concat!("veor ", $high, ", ", $high16, ", ", $low12)),
            steps!(concat!("vext.8 d24, ", $low4, ", ", $high4, ", #4")),
            steps!(concat!("veor ", $w, ", ", $w, ", ", $w8)),
            steps!(concat!("veor d24, d24, ", $low)),
            steps!(concat!("vshl.i32 ", $low, ", d24, #1"), concat!("vsri.32 ", $low, ", d24, #31")),
            steps!(concat!("vext.8 d25, ", $high4, ", ", $low, ", #4"), concat!("veor d25, d25, ", $high)),
            steps!(concat!("vshl.i32 ", $high, ", d25, #1"), concat!("vsri.32 ", $high, ", d25, #31")),
            store!($w + $k, $at))
    };
}

/// Four rounds, with the schedule of all later words, which is the same equation applied twice: the words of t are those of t − 32, t − 28,
/// t − 16 and t − 6, rotated by two. None depends on another.
macro_rules! later {
    ($f:ident $a:ident $b:ident $c:ident $d:ident $e:ident, $at:literal;
     $w:literal $low:literal $high:literal = $w28:literal $w16:literal $high8:literal $low4:literal + $k:literal) => {
        four_rounds!($f $a $b $c $d $e, $at;
            steps!(concat!("veor ", $w, ", ", $w, ", ", $w28)),
            steps!(concat!("veor ", $low, ", ", $low, ", ", $high8)),
            steps!(concat!("veor ", $high, ", ", $high, ", ", $low4)),
            steps!(concat!("veor q12, ", $w, ", ", $w16)),
            steps!(concat!("vshl.i32 ", $w, ", q12, #2")),
            steps!(concat!("vsri.32 ", $w, ", q12, #30")),
            "",
            store!($w + $k, $at))
    };
}

/// Replaces four words that have been used.
macro_rules! store {
    ($w:literal + $k:literal, $at:literal) => {
        steps!(
            concat!("vadd.i32 q13, ", $w, ", ", $k),
            concat!("vstr d26, [sp, #", $at, "]"),
            concat!("vstr d27, [sp, #", $at, " + 8]"),
        )
    };
}

impl Neon {
    pub(crate) fn new(cpu: ArmNeon, (): ()) -> Self {
        Self { cpu }
    }

    // counted under qemu-arm, Cortex-A7: 692 instructions for a block
    #[inline(never)]
    fn compress_kernel(&self, state: &mut State, blocks: &[Block]) {
        if blocks.is_empty() {
            return;
        }
        let text = blocks.as_ptr_range();
        // SAFETY: it reads the blocks from their start to their end, and the constants, and reads and writes the state. It keeps the words
        // of sixteen rounds below the stack pointer that it finds, and restores that.
        unsafe {
            neon_asm!(
                self.cpu;
                "sub sp, sp, #64",
                "vld1.32 {{d16[],d17[]}}, [{a}]!",
                "vld1.32 {{d18[],d19[]}}, [{a}]!",
                "vld1.32 {{d20[],d21[]}}, [{a}]!",
                "vld1.32 {{d22[],d23[]}}, [{a}]",
                "ldr {a}, [{state}]",
                "ldr {b}, [{state}, #4]",
                "ldr {c}, [{state}, #8]",
                "ldr {d}, [{state}, #12]",
                "ldr {e}, [{state}, #16]",
                "2:",
                "vld1.8 {{d0-d3}}, [{text}]!",
                "vld1.8 {{d4-d7}}, [{text}]!",
                words!([mov c (c ror 30)] [mov d (d ror 30)] [mov e (e ror 30)]),
                "vrev32.8 q0, q0",
                "vrev32.8 q1, q1",
                "vrev32.8 q2, q2",
                "vrev32.8 q3, q3",
                "vadd.i32 q12, q0, q8",
                "vadd.i32 q13, q1, q8",
                "vadd.i32 q14, q2, q8",
                "vadd.i32 q15, q3, q8",
                "cmp {text}, {end}",
                "vstmia sp, {{d24-d31}}",
                first!(ch a b c d e, 0; "q4" "d8" "d9" = "d0" "d1" "d2" "q2" "d6" "d7" + "q8"),
                first!(ch b c d e a, 16; "q5" "d10" "d11" = "d2" "d3" "d4" "q3" "d8" "d9" + "q9"),
                first!(ch c d e a b, 32; "q6" "d12" "d13" = "d4" "d5" "d6" "q4" "d10" "d11" + "q9"),
                first!(ch d e a b c, 48; "q7" "d14" "d15" = "d6" "d7" "d8" "q5" "d12" "d13" + "q9"),
                later!(ch e a b c d, 0; "q0" "d0" "d1" = "q1" "q4" "d13" "d14" + "q9"),
                later!(parity a b c d e, 16; "q1" "d2" "d3" = "q2" "q5" "d15" "d0" + "q9"),
                later!(parity b c d e a, 32; "q2" "d4" "d5" = "q3" "q6" "d1" "d2" + "q10"),
                later!(parity c d e a b, 48; "q3" "d6" "d7" = "q4" "q7" "d3" "d4" + "q10"),
                later!(parity d e a b c, 0; "q4" "d8" "d9" = "q5" "q0" "d5" "d6" + "q10"),
                later!(parity e a b c d, 16; "q5" "d10" "d11" = "q6" "q1" "d7" "d8" + "q10"),
                later!(maj a b c d e, 32; "q6" "d12" "d13" = "q7" "q2" "d9" "d10" + "q10"),
                later!(maj b c d e a, 48; "q7" "d14" "d15" = "q0" "q3" "d11" "d12" + "q11"),
                later!(maj c d e a b, 0; "q0" "d0" "d1" = "q1" "q4" "d13" "d14" + "q11"),
                later!(maj d e a b c, 16; "q1" "d2" "d3" = "q2" "q5" "d15" "d0" + "q11"),
                later!(maj e a b c d, 32; "q2" "d4" "d5" = "q3" "q6" "d1" "d2" + "q11"),
                later!(parity a b c d e, 48; "q3" "d6" "d7" = "q4" "q7" "d3" "d4" + "q11"),
                four_rounds!(parity b c d e a, 0),
                four_rounds!(parity c d e a b, 16),
                four_rounds!(parity d e a b c, 32),
                four_rounds!(parity e a b c d, 48),
                "ldrd r0, r1, [{state}]",
                words!([add a a r0] [add b b r1]),
                "ldrd r0, r1, [{state}, #8]",
                "str {a}, [{state}]",
                "str {b}, [{state}, #4]",
                words!([add c r0 (c ror 2)] [add d r1 (d ror 2)]),
                "ldr r0, [{state}, #16]",
                "str {c}, [{state}, #8]",
                "str {d}, [{state}, #12]",
                words!([add e r0 (e ror 2)]),
                "str {e}, [{state}, #16]",
                "bne 2b",
                // The words on the stack are secret.
                "vmov.i32 q0, #0",
                "vmov.i32 q1, #0",
                "vmov.i32 q2, #0",
                "vmov.i32 q3, #0",
                "vstmia sp!, {{d0-d7}}";
                state = in(reg) state.as_mut_ptr(),
                text = inout(reg) text.start => _,
                end = in(reg) text.end,
                a = inout(reg) K.as_ptr() => _,
                b = out(reg) _,
                c = out(reg) _,
                d = out(reg) _,
                e = out(reg) _,
                t = out(reg) _,
                u = out(reg) _,
                out("r0") _,
                out("r1") _,
            );
        }
    }
}
