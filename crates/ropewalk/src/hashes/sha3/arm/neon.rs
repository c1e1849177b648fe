//! SHA-3 with NEON of 32-bit Arm: the state in registers of 64 bits.
#![allow(unsafe_code)]

use super::super::{RC, Sponge, State};
use crate::core::cpu::ArmNeon;

#[derive(Clone)]
pub(in crate::hashes::sha3) struct Neon {
    cpu: ArmNeon,
}

impl Sponge for Neon {
    kernel! { ArmNeon: fn permute(&self, state: &mut State) = Neon::permute_kernel }
}

/// The register of lane (x, y). A vector has lanes of two rows: 0 and 1, or 2 and 3.
#[rustfmt::skip]
macro_rules! lane {
    ((0 0)) => { "d0" };  ((1 0)) => { "d2" };  ((2 0)) => { "d4" };  ((3 0)) => { "d6" };  ((4 0)) => { "d8" };
    ((0 1)) => { "d1" };  ((1 1)) => { "d3" };  ((2 1)) => { "d5" };  ((3 1)) => { "d7" };  ((4 1)) => { "d9" };
    ((0 2)) => { "d10" }; ((1 2)) => { "d12" }; ((2 2)) => { "d14" }; ((3 2)) => { "d16" }; ((4 2)) => { "d18" };
    ((0 3)) => { "d11" }; ((1 3)) => { "d13" }; ((2 3)) => { "d15" }; ((3 3)) => { "d17" }; ((4 3)) => { "d19" };
    ((0 4)) => { "d20" }; ((1 4)) => { "d21" }; ((2 4)) => { "d22" }; ((3 4)) => { "d23" }; ((4 4)) => { "d24" };
}

/// Loads or stores the state.
macro_rules! state {
    ($op:literal) => {
        concat!(
            state!($op: (0 0) (1 0) (2 0) (3 0) (4 0) (0 1) (1 1) (2 1) (3 1) (4 1)),
            state!($op: (0 2) (1 2) (2 2) (3 2) (4 2) (0 3) (1 3) (2 3) (3 3) (4 3)),
            $op, " {{d20-d23}}, [{state}]!\n",
            $op, " {{d24}}, [{state}]\n",
            "sub {state}, {state}, #192\n",
        )
    };
    ($op:literal: $($lane:tt)+) => {
        concat!($( $op, " {{", lane!($lane), "}}, [{state}]!\n", )+)
    };
}

/// C of two columns, given as three registers each (section 3.2.1, step 1).
macro_rules! parity {
    ($c:literal: $a:literal $b:literal $last:literal, $d:literal: $e:literal $f:literal $g:literal) => {
        steps!(
            concat!("veor q13, ", $a, ", ", $b),
            concat!("veor q14, ", $e, ", ", $f),
            concat!("veor ", $c, ", d26, d27"),
            concat!("veor ", $d, ", d28, d29"),
            concat!("veor ", $c, ", ", $c, ", ", $last),
            concat!("veor ", $d, ", ", $d, ", ", $g),
        )
    };
}

/// Adds D to a column (section 3.2.1, steps 2 and 3): the C of the columns before and after.
macro_rules! theta {
    ($t:literal = $before:literal $after:literal: $($lane:tt)+) => {
        steps!(
            concat!("vshl.i64 ", $t, ", ", $after, ", #1"),
            concat!("vsri.64 ", $t, ", ", $after, ", #63"),
            concat!("veor ", $t, ", ", $t, ", ", $before),
            $(concat!("veor ", lane!($lane), ", ", lane!($lane), ", ", $t)),+
        )
    };
}

/// ρ and π (sections 3.2.2 and 3.2.3) of two lanes, whose former values have been used.
macro_rules! turn {
    // A rotation by bytes.
    ($to:tt = $from:tt by bytes $bytes:literal, $other_to:tt = $other:tt by $count:literal) => {
        steps!(
            concat!("vext.8 ", lane!($to), ", ", lane!($from), ", ", lane!($from), ", #8-", $bytes),
            concat!("vshl.i64 ", lane!($other_to), ", ", lane!($other), ", #", $count),
            concat!("vsri.64 ", lane!($other_to), ", ", lane!($other), ", #64-", $count),
        )
    };
    ($to:tt = $from:tt by $by:literal, $other_to:tt = $other:tt by $count:literal) => {
        steps!(
            concat!("vshl.i64 ", lane!($to), ", ", lane!($from), ", #", $by),
            concat!("vshl.i64 ", lane!($other_to), ", ", lane!($other), ", #", $count),
            concat!("vsri.64 ", lane!($to), ", ", lane!($from), ", #64-", $by),
            concat!("vsri.64 ", lane!($other_to), ", ", lane!($other), ", #64-", $count),
        )
    };
}

/// χ (section 3.2.4) of a row, or of two.
macro_rules! chi {
    ($a:literal $b:literal $c:literal $d:literal $e:literal by $t:literal $u:literal $v:literal) => {
        steps!(
            concat!("vbic ", $t, ", ", $b, ", ", $a),
            concat!("vbic ", $u, ", ", $c, ", ", $b),
            concat!("vbic ", $v, ", ", $d, ", ", $c),
            concat!("veor ", $b, ", ", $b, ", ", $v),
            concat!("vbic ", $v, ", ", $e, ", ", $d),
            concat!("veor ", $c, ", ", $c, ", ", $v),
            concat!("vbic ", $v, ", ", $a, ", ", $e),
            concat!("veor ", $e, ", ", $e, ", ", $t),
            concat!("veor ", $d, ", ", $d, ", ", $v),
            concat!("veor ", $a, ", ", $a, ", ", $u),
        )
    };
}

impl Neon {
    pub(in crate::hashes::sha3) fn new(cpu: ArmNeon, (): ()) -> Self {
        Self { cpu }
    }

    // counted under qemu-arm, Cortex-A7: 137 instructions for a round
    #[inline(never)]
    fn permute_kernel(&self, state: &mut State) {
        let constants = RC.as_ptr_range();
        // SAFETY: it reads the constants from their start to their end, and reads and writes the state.
        unsafe {
            neon_asm!(
                self.cpu;
                state!("vld1.8"),
                "2:",
                parity!("d25": "q0" "q5" "d20", "d30": "q1" "q6" "d21"),
                // Both sums are in registers that hold two columns before.
                "veor q13, q2, q7",
                "veor q14, q3, q8",
                "veor d31, d26, d27",
                "veor d28, d28, d29",
                "veor q13, q4, q9",
                "veor d31, d31, d22",
                "veor d28, d28, d23",
                "veor d29, d26, d27",
                "veor d29, d29, d24",
                theta!("d26" = "d29" "d30": (0 0) (0 1) (0 2) (0 3) (0 4)),
                theta!("d27" = "d25" "d31": (1 0) (1 1) (1 2) (1 3) (1 4)),
                theta!("d26" = "d30" "d28": (2 0) (2 1) (2 2) (2 3) (2 4)),
                theta!("d27" = "d31" "d29": (3 0) (3 1) (3 2) (3 3) (3 4)),
                theta!("d26" = "d28" "d25": (4 0) (4 1) (4 2) (4 3) (4 4)),
                // One cycle of 24 lanes, as two halves.
                "vshl.i64 d25, d2, #1",
                "vshl.i64 d26, d8, #27",
                "vsri.64 d25, d2, #63",
                "vsri.64 d26, d8, #37",
                turn!((1 0) = (1 1) by 44, (4 0) = (4 4) by 14),
                turn!((1 1) = (4 1) by 20, (4 4) = (1 4) by 2),
                turn!((4 1) = (2 4) by 61, (1 4) = (3 1) by 55),
                turn!((2 4) = (4 2) by 39, (3 1) = (1 3) by 45),
                turn!((4 2) = (0 4) by 18, (1 3) = (0 1) by 36),
                turn!((0 4) = (2 0) by 62, (0 1) = (3 0) by 28),
                turn!((2 0) = (2 2) by 43, (3 0) = (3 3) by 21),
                turn!((2 2) = (3 2) by 25, (3 3) = (2 3) by 15),
                turn!((3 2) = (4 3) by bytes 1, (2 3) = (1 2) by 10),
                turn!((4 3) = (3 4) by bytes 7, (1 2) = (2 1) by 6),
                turn!((3 4) = (0 3) by 41, (2 1) = (0 2) by 3),
                "vmov d11, d26",
                "vmov d10, d25",
                "vldmia {constants}!, {{d25}}",
                chi!("q0" "q1" "q2" "q3" "q4" by "q13" "q14" "q15"),
                "cmp {constants}, {last}",
                "veor d0, d0, d25",
                chi!("q5" "q6" "q7" "q8" "q9" by "q13" "q14" "q15"),
                chi!("d20" "d21" "d22" "d23" "d24" by "d25" "d26" "d27"),
                "bne 2b",
                state!("vst1.8");
                state = inout(reg) state.as_mut_ptr() => _,
                constants = inout(reg) constants.start => _,
                last = in(reg) constants.end,
            );
        }
    }
}
