//! ChaCha20 with NEON of 32-bit Arm: 4 blocks at a time, each vector a word of all four.
#![allow(unsafe_code)]

use super::super::{ChaCha20, Nonce, Secret, State, nonce_words, portable::Portable};
use crate::core::{
    cpu::{ArmNeon, Baseline},
    secret::Wiped,
    text::Text,
};

pub(in crate::chacha::chacha20) struct NeonBy4 {
    cpu: ArmNeon,
    one: Portable,
}

impl ChaCha20 for NeonBy4 {
    kernel! { ArmNeon: fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) = NeonBy4::apply_kernel }
}

impl NeonBy4 {
    pub(in crate::chacha::chacha20) fn new(cpu: ArmNeon, secret: Secret<'_>) -> Self {
        Self { cpu, one: Portable::new(Baseline, secret) }
    }

    fn apply_kernel(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
        add_key_stream(self.cpu, &self.one, counter, nonce, text);
    }
}

/// Bytes of four blocks.
const GROUP: usize = 256;

/// XORs the key stream, from the block of that counter on, into the text.
pub(crate) fn add_key_stream(
    cpu: ArmNeon,
    one: &Portable,
    counter: u32,
    nonce: &Nonce,
    mut text: Text<'_>,
) {
    let mut state = Wiped::new([0; 16]);
    state[..12].copy_from_slice(one.words());
    state[12..].copy_from_slice(&nonce_words(counter, nonce));
    let whole = text.len() / GROUP * GROUP;
    four_blocks(cpu, &mut state, text.take(whole));
    // Four blocks take fewer instructions than two of the portable backend, and more than one.
    if text.len() > 64 {
        let mut key_stream = Wiped::new([0; GROUP]);
        four_blocks(cpu, &mut state, Text::in_place(&mut *key_stream));
        text.add(&*key_stream);
    } else if text.len() > 0 {
        one.add_key_stream(state[12], nonce, text);
    }
}

/// `x = (x ^ y) <<< left` of two words, where `left` is not 16. It overwrites `t` and `u`.
macro_rules! xor_rotate {
    ($x:literal ^ $y:literal by $t:literal, $v:literal ^ $w:literal by $u:literal, $left:literal, $right:literal) => {
        steps!(
            concat!("veor ", $t, ", ", $x, ", ", $y),
            concat!("veor ", $u, ", ", $v, ", ", $w),
            concat!("vshl.i32 ", $x, ", ", $t, ", #", $left),
            concat!("vshl.i32 ", $v, ", ", $u, ", #", $left),
            concat!("vsri.32 ", $x, ", ", $t, ", #", $right),
            concat!("vsri.32 ", $v, ", ", $u, ", #", $right),
        )
    };
}

/// `x = (x ^ y) <<< 16` of two words.
macro_rules! xor_swap {
    ($x:literal ^ $y:literal, $v:literal ^ $w:literal) => {
        steps!(
            concat!("veor ", $x, ", ", $x, ", ", $y),
            concat!("veor ", $v, ", ", $v, ", ", $w),
            concat!("vrev32.16 ", $x, ", ", $x),
            concat!("vrev32.16 ", $v, ", ", $v),
        )
    };
}

/// `x += y` of two words.
macro_rules! add {
    ($x:literal + $y:literal, $v:literal + $w:literal) => {
        steps!(
            concat!("vadd.i32 ", $x, ", ", $x, ", ", $y),
            concat!("vadd.i32 ", $v, ", ", $v, ", ", $w),
        )
    };
}

/// Four quarter rounds (section 2.1), interleaved, because an in-order core waits for each result. The first two are named by their
/// words a, b and d: their words c wait in memory, and q8 and q9 hold them for a sum only, since the state fills all registers.
macro_rules! quarter_rounds {
    ($a:literal $b:literal $d:literal, $e:literal $f:literal $h:literal,
     $i:literal $j:literal $k:literal $l:literal, $m:literal $n:literal $o:literal $p:literal) => {
        concat!(
            add!($a + $b, $e + $f),
            add!($i + $j, $m + $n),
            xor_swap!($d ^ $a, $h ^ $e),
            xor_swap!($l ^ $i, $p ^ $m),
            "vldmia {waiting}, {{d16-d19}}\n",
            add!($k + $l, $o + $p),
            add!("q8" + $d, "q9" + $h),
            "vstmia {waiting}, {{d16-d19}}\n",
            xor_rotate!($b ^ "q8" by "q8", $f ^ "q9" by "q9", 12, 20),
            xor_rotate!($j ^ $k by "q8", $n ^ $o by "q9", 12, 20),
            add!($a + $b, $e + $f),
            add!($i + $j, $m + $n),
            xor_rotate!($d ^ $a by "q8", $h ^ $e by "q9", 8, 24),
            xor_rotate!($l ^ $i by "q8", $p ^ $m by "q9", 8, 24),
            "vldmia {waiting}, {{d16-d19}}\n",
            add!($k + $l, $o + $p),
            add!("q8" + $d, "q9" + $h),
            "vstmia {waiting}, {{d16-d19}}\n",
            xor_rotate!($b ^ "q8" by "q8", $f ^ "q9" by "q9", 7, 25),
            xor_rotate!($j ^ $k by "q8", $n ^ $o by "q9", 7, 25),
        )
    };
}

/// Four vectors of a word of four blocks become four vectors of four words of a block.
macro_rules! transpose {
    ($a:literal $b:literal $c:literal $d:literal, $a_high:literal $c_low:literal, $b_high:literal $d_low:literal) => {
        steps!(
            concat!("vtrn.32 ", $a, ", ", $b),
            concat!("vtrn.32 ", $c, ", ", $d),
            concat!("vswp ", $a_high, ", ", $c_low),
            concat!("vswp ", $b_high, ", ", $d_low),
        )
    };
}

/// XORs two vectors into 32 bytes of the text, through two others; the pointers go on to the next block.
macro_rules! xor_text {
    ($x:literal $x_halves:literal, $y:literal $y_halves:literal by $t:literal $u:literal $both:literal) => {
        steps!(
            concat!("vld1.8 {{", $both, "}}, [{input}], {block}"),
            concat!("veor ", $x, ", ", $x, ", ", $t),
            concat!("veor ", $y, ", ", $y, ", ", $u),
            concat!("vst1.8 {{", $x_halves, "}}, [{output}]!"),
            concat!("vst1.8 {{", $y_halves, "}}, [{output}], {rest}"),
        )
    };
}

/// By how much the counters of four blocks differ, and what is added for each further block.
static STEPS: [[u32; 4]; 2] = [[0, 1, 2, 3], [1, 0, 0, 0]];

/// XORs key stream into a text of whole groups, and moves the counter on.
// counted under qemu-arm, Cortex-A7: 130 instructions for two rounds of four blocks
#[inline(never)]
fn four_blocks(cpu: ArmNeon, state: &mut State, text: Text<'_>) {
    let (input, output, len) = text.into_parts();
    let groups = len / GROUP;
    assert_eq!(len, GROUP * groups, "whole groups");
    if groups == 0 {
        return;
    }
    let mut waiting = Wiped::new([0_u32; 8]);
    // SAFETY: `len` bytes may be read from `input` and written to `output`, which are the same bytes or do not overlap: each byte is
    // read before it is written. The state, what waits and the table are as long as what is read and written there.
    unsafe {
        neon_asm!(
            cpu;
            "2:",
            // A word of the state in each lane: words 0 to 7 in q0 to q7, 12 to 15 in q12 to q15. Words 8 and 9 wait.
            "vld1.32 {{d0[],d1[]}}, [{state}]!",
            "vld1.32 {{d2[],d3[]}}, [{state}]!",
            "vld1.32 {{d4[],d5[]}}, [{state}]!",
            "vld1.32 {{d6[],d7[]}}, [{state}]!",
            "vld1.32 {{d8[],d9[]}}, [{state}]!",
            "vld1.32 {{d10[],d11[]}}, [{state}]!",
            "vld1.32 {{d12[],d13[]}}, [{state}]!",
            "vld1.32 {{d14[],d15[]}}, [{state}]!",
            "vld1.32 {{d16[],d17[]}}, [{state}]!",
            "vld1.32 {{d18[],d19[]}}, [{state}]!",
            "vld1.32 {{d20[],d21[]}}, [{state}]!",
            "vld1.32 {{d22[],d23[]}}, [{state}]!",
            "vstmia {waiting}, {{d16-d19}}",
            "vld1.32 {{d24[],d25[]}}, [{state}]!",
            "vld1.32 {{d26[],d27[]}}, [{state}]!",
            "vld1.32 {{d28[],d29[]}}, [{state}]!",
            "vld1.32 {{d30[],d31[]}}, [{state}]!",
            "vld1.32 {{d16,d17}}, [{steps}]",
            "vadd.i32 q12, q12, q8",
            "sub {state}, {state}, #64",
            "mov {rounds}, #10",
            // Columns, then diagonals (section 2.3).
            "3:",
            "subs {rounds}, {rounds}, #1",
            quarter_rounds!("q0" "q4" "q12", "q1" "q5" "q13", "q2" "q6" "q10" "q14", "q3" "q7" "q11" "q15"),
            quarter_rounds!("q2" "q7" "q13", "q3" "q4" "q14", "q0" "q5" "q10" "q15", "q1" "q6" "q11" "q12"),
            "bne 3b",
            // The first half of each block.
            transpose!("q0" "q1" "q2" "q3", "d1" "d4", "d3" "d6"),
            transpose!("q4" "q5" "q6" "q7", "d9" "d12", "d11" "d14"),
            "vld1.32 {{d16-d19}}, [{state}]!",
            add!("q0" + "q8", "q1" + "q8"),
            add!("q2" + "q8", "q3" + "q8"),
            add!("q4" + "q9", "q5" + "q9"),
            add!("q6" + "q9", "q7" + "q9"),
            xor_text!("q0" "d0,d1", "q4" "d8,d9" by "q8" "q9" "d16-d19"),
            xor_text!("q1" "d2,d3", "q5" "d10,d11" by "q8" "q9" "d16-d19"),
            xor_text!("q2" "d4,d5", "q6" "d12,d13" by "q8" "q9" "d16-d19"),
            xor_text!("q3" "d6,d7", "q7" "d14,d15" by "q8" "q9" "d16-d19"),
            "sub {input}, {input}, #224",
            "sub {output}, {output}, #224",
            // The second half. q1 is the last row of the state: each block has its own counter.
            "vldmia {waiting}, {{d16-d19}}",
            "vld1.32 {{d0-d3}}, [{state}]",
            "add {rounds}, {steps}, #16",
            "vld1.32 {{d4,d5}}, [{rounds}]",
            transpose!("q8" "q9" "q10" "q11", "d17" "d20", "d19" "d22"),
            transpose!("q12" "q13" "q14" "q15", "d25" "d28", "d27" "d30"),
            add!("q8" + "q0", "q9" + "q0"),
            add!("q10" + "q0", "q11" + "q0"),
            add!("q12" + "q1", "q1" + "q2"),
            add!("q13" + "q1", "q1" + "q2"),
            add!("q14" + "q1", "q1" + "q2"),
            add!("q15" + "q1", "q1" + "q2"),
            "add {rounds}, {state}, #16",
            "vst1.32 {{d2,d3}}, [{rounds}]",
            "sub {state}, {state}, #32",
            xor_text!("q8" "d16,d17", "q12" "d24,d25" by "q2" "q3" "d4-d7"),
            xor_text!("q9" "d18,d19", "q13" "d26,d27" by "q2" "q3" "d4-d7"),
            xor_text!("q10" "d20,d21", "q14" "d28,d29" by "q2" "q3" "d4-d7"),
            xor_text!("q11" "d22,d23", "q15" "d30,d31" by "q2" "q3" "d4-d7"),
            "sub {input}, {input}, #32",
            "sub {output}, {output}, #32",
            "subs {groups}, {groups}, #1",
            "bne 2b";
            state = inout(reg) state.as_mut_ptr() => _,
            input = inout(reg) input => _,
            output = inout(reg) output => _,
            groups = inout(reg) groups => _,
            rounds = out(reg) _,
            steps = in(reg) &raw const STEPS,
            waiting = in(reg) waiting.as_mut_ptr(),
            block = in(reg) 64,
            rest = in(reg) 48,
        );
    }
}
