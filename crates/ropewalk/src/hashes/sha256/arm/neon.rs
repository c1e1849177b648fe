//! SHA-256 with NEON of 32-bit Arm: rounds on words, and the schedule of the next sixteen in vectors, interleaved.
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

/// A round (section 6.2.2) with W + K in `wk`. r0 holds one value after the other. `before` is b XOR c, which becomes Maj; `next` becomes
/// a XOR b. The last four arguments are instructions on vectors.
macro_rules! round {
    ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $wk:ident $before:ident $next:ident;
     $i:expr, $j:expr, $k:expr, $l:expr) => {
        concat!(
            words!(
                [eor $next $a $b]
                [and $before $before $next]
                [add $h $h $wk]
                [eor $before $before $b]
            ),
            $i,
            words!(
                [eor r0 $f $g]
                [and r0 r0 $e]
                [eor r0 r0 $g]
                [add $h $h r0]
            ),
            $j,
            words!(
                [eor r0 $e ($e ror 5)]
                [eor r0 r0 ($e ror 19)]
                [add $h $h (r0 ror 6)]
                [add $d $d $h]
            ),
            $k,
            words!(
                [eor r0 $a ($a ror 11)]
                [eor r0 r0 ($a ror 20)]
                [add $h $h $before]
                [add $h $h (r0 ror 2)]
            ),
            $l,
        )
    };
}

/// Four rounds with the words at `at`. With registers of the schedule, these words are replaced by those of sixteen rounds later: the words
/// of t − 16 become those of t, and K becomes the sum.
macro_rules! four_rounds {
    ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $at:literal) => {
        concat!(
            "ldrd r0, r1, [sp, #", $at, "]\n",
            round!($a $b $c $d $e $f $g $h, r0 x y; "", "", "", ""),
            round!($h $a $b $c $d $e $f $g, r1 y x; "", "", "", ""),
            "ldrd r0, r1, [sp, #", $at, " + 8]\n",
            round!($g $h $a $b $c $d $e $f, r0 x y; "", "", "", ""),
            round!($f $g $h $a $b $c $d $e, r1 y x; "", "", "", ""),
        )
    };
    ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $at:literal,
     $w:literal $low:literal $high:literal, $w4:literal $w8:literal $w12:literal $last:literal, $k:literal $k_low:literal $k_high:literal) => {
        concat!(
            "ldrd r0, r1, [sp, #", $at, "]\n",
            round!($a $b $c $d $e $f $g $h, r0 x y;
                steps!(concat!("vext.8 q12, ", $w, ", ", $w4, ", #4"), concat!("vext.8 q13, ", $w8, ", ", $w12, ", #4")),
                steps!("vshr.u32 q14, q12, #7", "vshr.u32 q15, q12, #18"),
                steps!("vsli.32 q14, q12, #25", "vsli.32 q15, q12, #14"),
                steps!(concat!("vadd.i32 ", $w, ", ", $w, ", q13"), "vshr.u32 q12, q12, #3")),
            round!($h $a $b $c $d $e $f $g, r1 y x;
                steps!("veor q14, q14, q15", concat!("vshr.u32 d26, ", $last, ", #17")),
                steps!("veor q14, q14, q12", concat!("vshr.u32 d27, ", $last, ", #19")),
                steps!(concat!("vsli.32 d26, ", $last, ", #15"), concat!("vsli.32 d27, ", $last, ", #13")),
                steps!(concat!("vadd.i32 ", $w, ", ", $w, ", q14"), concat!("vshr.u32 d24, ", $last, ", #10"))),
            "ldrd r0, r1, [sp, #", $at, " + 8]\n",
            round!($g $h $a $b $c $d $e $f, r0 x y;
                steps!("veor d26, d26, d27"),
                steps!("veor d26, d26, d24"),
                steps!(concat!("vadd.i32 ", $low, ", ", $low, ", d26")),
                steps!(concat!("vshr.u32 d28, ", $low, ", #17"), concat!("vshr.u32 d29, ", $low, ", #19"))),
            round!($f $g $h $a $b $c $d $e, r1 y x;
                steps!(concat!("vsli.32 d28, ", $low, ", #15"), concat!("vsli.32 d29, ", $low, ", #13")),
                steps!(concat!("vshr.u32 d30, ", $low, ", #10"), "veor d28, d28, d29"),
                steps!("veor d28, d28, d30", concat!("vadd.i32 ", $high, ", ", $high, ", d28")),
                steps!(
                    concat!("vadd.i32 ", $k, ", ", $k, ", ", $w),
                    concat!("vstr ", $k_low, ", [sp, #", $at, "]"),
                    concat!("vstr ", $k_high, ", [sp, #", $at, " + 8]"),
                )),
        )
    };
}

/// Adds two words of the state to two working variables.
macro_rules! add_to_state {
    ($a:ident $b:ident, $at:literal) => {
        concat!(
            "ldrd r0, r1, [{x}, #", $at, "]\n",
            words!([add $a $a r0] [add $b $b r1]),
            "str ", word!($a), ", [{x}, #", $at, "]\n",
            "str ", word!($b), ", [{x}, #", $at, " + 4]\n",
        )
    };
}

impl Neon {
    pub(crate) fn new(cpu: ArmNeon, (): ()) -> Self {
        Self { cpu }
    }

    // counted under qemu-arm, Cortex-A7: 1,475 instructions for a block
    #[inline(never)]
    fn compress_kernel(&self, state: &mut State, blocks: &[Block]) {
        if blocks.is_empty() {
            return;
        }
        let text = blocks.as_ptr_range();
        let constants = K.as_ptr_range();
        // SAFETY: it reads the blocks and the constants from their starts to their ends, and reads and writes the state. It keeps its
        // variables below the stack pointer that it finds, and restores that.
        unsafe {
            neon_asm!(
                self.cpu;
                // W + K of sixteen rounds; at 64 the state, the text and its end, the constants, their end, and the next of them.
                "sub sp, sp, #88",
                "str {a}, [sp, #64]",
                "str {b}, [sp, #68]",
                "str {c}, [sp, #72]",
                "str {d}, [sp, #76]",
                "str {e}, [sp, #80]",
                "mov {x}, {a}",
                "ldr {a}, [{x}]",
                "ldr {b}, [{x}, #4]",
                "ldr {c}, [{x}, #8]",
                "ldr {d}, [{x}, #12]",
                "ldr {e}, [{x}, #16]",
                "ldr {f}, [{x}, #20]",
                "ldr {g}, [{x}, #24]",
                "ldr {h}, [{x}, #28]",
                "2:",
                "ldr r0, [sp, #68]",
                "ldr r1, [sp, #76]",
                "vld1.8 {{d0-d3}}, [r0]!",
                "vldmia r1!, {{d16-d23}}",
                "vld1.8 {{d4-d7}}, [r0]!",
                "str r1, [sp, #84]",
                "vrev32.8 q0, q0",
                "vrev32.8 q1, q1",
                "vrev32.8 q2, q2",
                "vrev32.8 q3, q3",
                "str r0, [sp, #68]",
                "vadd.i32 q8, q8, q0",
                "vadd.i32 q9, q9, q1",
                "vadd.i32 q10, q10, q2",
                "vadd.i32 q11, q11, q3",
                "eor {x}, {b}, {c}",
                "vstmia sp, {{d16-d23}}",
                "3:",
                "ldr r0, [sp, #84]",
                "ldr r1, [sp, #80]",
                "vldmia r0!, {{d16-d23}}",
                "str r0, [sp, #84]",
                "cmp r0, r1",
                four_rounds!(a b c d e f g h, 0, "q0" "d0" "d1", "q1" "q2" "q3" "d7", "q8" "d16" "d17"),
                four_rounds!(e f g h a b c d, 16, "q1" "d2" "d3", "q2" "q3" "q0" "d1", "q9" "d18" "d19"),
                four_rounds!(a b c d e f g h, 32, "q2" "d4" "d5", "q3" "q0" "q1" "d3", "q10" "d20" "d21"),
                four_rounds!(e f g h a b c d, 48, "q3" "d6" "d7", "q0" "q1" "q2" "d5", "q11" "d22" "d23"),
                "bne 3b",
                four_rounds!(a b c d e f g h, 0),
                four_rounds!(e f g h a b c d, 16),
                four_rounds!(a b c d e f g h, 32),
                four_rounds!(e f g h a b c d, 48),
                "ldr {x}, [sp, #64]",
                add_to_state!(a b, 0),
                add_to_state!(c d, 8),
                add_to_state!(e f, 16),
                add_to_state!(g h, 24),
                "ldr r0, [sp, #68]",
                "ldr r1, [sp, #72]",
                "cmp r0, r1",
                "bne 2b",
                // The words on the stack are secret.
                "vmov.i32 q0, #0",
                "vmov.i32 q1, #0",
                "vmov.i32 q2, #0",
                "vmov.i32 q3, #0",
                "vstmia sp, {{d0-d7}}",
                "add sp, sp, #88";
                a = inout(reg) state.as_mut_ptr() => _,
                b = inout(reg) text.start => _,
                c = inout(reg) text.end => _,
                d = inout(reg) constants.start => _,
                e = inout(reg) constants.end => _,
                f = out(reg) _,
                g = out(reg) _,
                h = out(reg) _,
                x = out(reg) _,
                y = out(reg) _,
                out("r0") _,
                out("r1") _,
            );
        }
    }
}
