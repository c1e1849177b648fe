//! SHA-512 with NEON of 32-bit Arm: a word in each register of 64 bits.
#![allow(unsafe_code)]

use super::super::{Block, Compress, Compression, K, State};
use crate::core::cpu::ArmNeon;

#[derive(Clone)]
pub(in crate::hashes::sha512) struct Neon {
    cpu: ArmNeon,
}

impl Compress<Compression> for Neon {
    kernel! { ArmNeon: fn compress(&self, state: &mut State, blocks: &[Block]) = Neon::compress_kernel }
}

/// A round (section 6.4.2) with W + K in `wk`. Both sums Σ are interleaved, because an in-order core waits for each result.
macro_rules! round {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal, $wk:literal) => {
        steps!(
            concat!("vshr.u64 d24, ", $e, ", #14"),
            concat!("vshr.u64 d27, ", $a, ", #28"),
            concat!("vshr.u64 d25, ", $e, ", #18"),
            concat!("vshr.u64 d28, ", $a, ", #34"),
            concat!("vsli.64 d24, ", $e, ", #50"),
            concat!("vsli.64 d27, ", $a, ", #36"),
            concat!("vsli.64 d25, ", $e, ", #46"),
            concat!("vsli.64 d28, ", $a, ", #30"),
            concat!("vshr.u64 d26, ", $e, ", #41"),
            concat!("vshr.u64 d29, ", $a, ", #39"),
            "veor d24, d24, d25",
            "veor d27, d27, d28",
            concat!("vsli.64 d26, ", $e, ", #23"),
            concat!("vsli.64 d29, ", $a, ", #25"),
            concat!("vmov d25, ", $e),
            concat!("veor d28, ", $a, ", ", $b),
            concat!("vadd.i64 ", $h, ", ", $h, ", ", $wk),
            // Ch, and Maj: c where a and b differ, otherwise b.
            concat!("vbsl d25, ", $f, ", ", $g),
            concat!("vbsl d28, ", $c, ", ", $b),
            "veor d24, d24, d26",
            "veor d27, d27, d29",
            concat!("vadd.i64 ", $h, ", ", $h, ", d25"),
            "vadd.i64 d27, d27, d28",
            concat!("vadd.i64 ", $h, ", ", $h, ", d24"),
            concat!("vadd.i64 ", $d, ", ", $d, ", ", $h),
            concat!("vadd.i64 ", $h, ", ", $h, ", d27"),
        )
    };
}

/// Two rounds, with two words of the schedule.
macro_rules! two_rounds {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal, $w:literal) => {
        concat!(
            "vldmia {constants}!, {{d30,d31}}\n",
            concat!("vadd.i64 q15, q15, ", $w, "\n"),
            round!($a $b $c $d $e $f $g $h, "d30"),
            round!($h $a $b $c $d $e $f $g, "d31"),
        )
    };
}

/// Two words of the schedule (section 6.4.2), in place of those of t − 16: from those of t − 14 and t − 2, and from halves of those around
/// t − 7.
macro_rules! schedule {
    ($w:literal $low:literal $high:literal, $w14:literal $high8:literal $low6:literal $w2:literal) => {
        steps!(
            concat!("vext.8 q12, ", $w, ", ", $w14, ", #8"),
            concat!("vshr.u64 q13, ", $w2, ", #19"),
            concat!("vshr.u64 q14, ", $w2, ", #61"),
            concat!("vshr.u64 q15, ", $w2, ", #6"),
            concat!("vsli.64 q13, ", $w2, ", #45"),
            concat!("vsli.64 q14, ", $w2, ", #3"),
            concat!("vadd.i64 ", $low, ", ", $low, ", ", $high8),
            concat!("vadd.i64 ", $high, ", ", $high, ", ", $low6),
            "veor q13, q13, q15",
            "vshr.u64 q15, q12, #1",
            "veor q13, q13, q14",
            // Rotations by a byte.
            "vext.8 d28, d24, d24, #1",
            "vext.8 d29, d25, d25, #1",
            "vsli.64 q15, q12, #63",
            "vshr.u64 q12, q12, #7",
            concat!("vadd.i64 ", $w, ", ", $w, ", q13"),
            "veor q15, q15, q14",
            "veor q15, q15, q12",
            concat!("vadd.i64 ", $w, ", ", $w, ", q15"),
        )
    };
}

impl Neon {
    pub(in crate::hashes::sha512) fn new(cpu: ArmNeon, (): ()) -> Self {
        Self { cpu }
    }

    // counted under qemu-arm, Cortex-A7: 2,799 instructions for a block
    #[inline(never)]
    fn compress_kernel(&self, state: &mut State, blocks: &[Block]) {
        if blocks.is_empty() {
            return;
        }
        let text = blocks.as_ptr_range();
        let constants = K.as_ptr_range();
        // SAFETY: it reads the blocks and the constants from their starts to their ends, and reads and writes the state.
        unsafe {
            neon_asm!(
                self.cpu;
                "vldmia {state}, {{d16-d23}}",
                "2:",
                "vld1.8 {{d0-d3}}, [{text}]!",
                "vld1.8 {{d4-d7}}, [{text}]!",
                "vld1.8 {{d8-d11}}, [{text}]!",
                "vld1.8 {{d12-d15}}, [{text}]!",
                "vrev64.8 q0, q0",
                "vrev64.8 q1, q1",
                "vrev64.8 q2, q2",
                "vrev64.8 q3, q3",
                "vrev64.8 q4, q4",
                "vrev64.8 q5, q5",
                "vrev64.8 q6, q6",
                "vrev64.8 q7, q7",
                "b 4f",
                "3:",
                schedule!("q0" "d0" "d1", "q1" "d9" "d10" "q7"),
                schedule!("q1" "d2" "d3", "q2" "d11" "d12" "q0"),
                schedule!("q2" "d4" "d5", "q3" "d13" "d14" "q1"),
                schedule!("q3" "d6" "d7", "q4" "d15" "d0" "q2"),
                schedule!("q4" "d8" "d9", "q5" "d1" "d2" "q3"),
                schedule!("q5" "d10" "d11", "q6" "d3" "d4" "q4"),
                schedule!("q6" "d12" "d13", "q7" "d5" "d6" "q5"),
                schedule!("q7" "d14" "d15", "q0" "d7" "d8" "q6"),
                "4:",
                two_rounds!("d16" "d17" "d18" "d19" "d20" "d21" "d22" "d23", "q0"),
                two_rounds!("d22" "d23" "d16" "d17" "d18" "d19" "d20" "d21", "q1"),
                two_rounds!("d20" "d21" "d22" "d23" "d16" "d17" "d18" "d19", "q2"),
                two_rounds!("d18" "d19" "d20" "d21" "d22" "d23" "d16" "d17", "q3"),
                two_rounds!("d16" "d17" "d18" "d19" "d20" "d21" "d22" "d23", "q4"),
                two_rounds!("d22" "d23" "d16" "d17" "d18" "d19" "d20" "d21", "q5"),
                two_rounds!("d20" "d21" "d22" "d23" "d16" "d17" "d18" "d19", "q6"),
                two_rounds!("d18" "d19" "d20" "d21" "d22" "d23" "d16" "d17", "q7"),
                "cmp {constants}, {last}",
                "bne 3b",
                "sub {constants}, {constants}, #640",
                "vldmia {state}, {{d24-d31}}",
                "cmp {text}, {end}",
                "vadd.i64 q8, q8, q12",
                "vadd.i64 q9, q9, q13",
                "vadd.i64 q10, q10, q14",
                "vadd.i64 q11, q11, q15",
                "vstmia {state}, {{d16-d23}}",
                "bne 2b";
                state = in(reg) state.as_mut_ptr(),
                text = inout(reg) text.start => _,
                end = in(reg) text.end,
                constants = inout(reg) constants.start => _,
                last = in(reg) constants.end,
            );
        }
    }
}
