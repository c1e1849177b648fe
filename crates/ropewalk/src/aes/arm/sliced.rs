//! AES (FIPS 197) of eight blocks at a time, bitsliced: a register holds one bit of each byte of all eight, see `circuit`.
#![allow(unsafe_code)]

use core::mem::offset_of;

use super::{Keys, rows};
use crate::{
    aes::{RoundKeys, tables::AFFINE},
    core::{block::Block, cpu::ArmNeon, secret::Wiped, text::Text},
};

/// Bytes of eight blocks.
pub(super) const GROUP: usize = 128;

/// Indices of a lookup for each byte, and constants.
#[repr(C, align(16))]
struct Tables {
    /// ShiftRows of rows.
    shift: Block,
    /// The same, to columns.
    last: Block,
    /// The same, from columns.
    first: Block,
    /// A bit, from the highest on.
    bits: [Block; 8],
    /// The three bits in which the last bytes of eight consecutive counters differ, in slices, for the row of that byte.
    counts: [[u8; 8]; 3],
}

static TABLES: Tables = {
    let mut tables = Tables {
        shift: [0; 16],
        last: [0; 16],
        first: [0; 16],
        bits: [[0; 16]; 8],
        counts: [
            [0, 0, 0, 0, 0b1010_1010, 0, 0, 0],
            [0, 0, 0, 0, 0b1100_1100, 0, 0, 0],
            [0, 0, 0, 0, 0b1111_0000, 0, 0, 0],
        ],
    };
    let mut i = 0;
    while i < 16 {
        let (row, column) = (i / 4, i % 4);
        let shifted = (column + row) % 4;
        tables.shift[i] = (4 * row + shifted) as u8;
        tables.last[4 * column + row] = (4 * row + shifted) as u8;
        tables.first[i] = (4 * shifted + row) as u8;
        let mut bit = 0;
        while bit < 8 {
            tables.bits[bit][i] = 0x80 >> bit;
            bit += 1;
        }
        i += 1;
    }
    tables
};

/// What a kernel keeps in memory.
#[repr(C, align(16))]
struct Frame {
    places: [Block; 10],
    counter: Block,
    groups: usize,
    keys: *const Block,
    rounds: usize,
}

impl Frame {
    fn new(keys: &Keys, counter: Block, groups: usize) -> Wiped<Self> {
        let (places, rounds) = ([[0; 16]; 10], keys.rounds - 2);
        Wiped::new(Self { places, counter, groups, keys: keys.keys.as_ptr(), rounds })
    }
}

/// Round keys as kernels read them: those between the first and the last in rows. The constant of SubBytes is in all but the first.
pub(super) fn round_keys(of: &RoundKeys) -> Keys {
    let (mut keys, rounds) = (of.keys, of.rounds);
    for key in &mut keys[1..=rounds] {
        *key = key.map(|byte| byte ^ AFFINE);
    }
    for key in &mut keys[1..rounds] {
        *key = rows(key);
    }
    Keys { keys, rounds }
}

/// The rounds after the first ShiftRows of blocks in slices, and the XOR of the result into a text.
macro_rules! rounds {
    () => {
        concat!(
            sub_bytes!(),
            mix!(),
            "ldr {tmp}, [{a}, #{at_rounds}]\n",
            "3:\n",
            add_round_key!(),
            sub_bytes!(),
            shift_mix!(),
            "subs {tmp}, {tmp}, #1\n",
            "bne 3b\n",
            add_round_key!(),
            sub_bytes!(),
            "add {tmp}, {table}, #{at_last}\n",
            last_shift!(),
            transpose_bits!("q0" "q15" "q2" "q3" "q4" "q5" "q6" "q7" by "q8" "q9" "q1"),
            add_text!(),
        )
    };
}

/// XORs encrypted counter blocks into a text of whole groups. The counter is the last four bytes of the block and a multiple of eight; it
/// moves on.
// counted under qemu-arm, Cortex-A7: 214 instructions for a round of eight blocks
#[inline(never)]
pub(super) fn ctr(cpu: ArmNeon, keys: &Keys, counter: &mut Block, text: Text<'_>) {
    let (input, output, len) = text.into_parts();
    assert!(len.is_multiple_of(GROUP) && counter[15].is_multiple_of(8), "whole groups");
    if len == 0 {
        return;
    }
    let mut frame = Frame::new(keys, *counter, len / GROUP);
    let places = (&raw mut *frame).cast::<u8>();
    // SAFETY: `len` bytes may be read from `input` and written to `output`, which are the same bytes or do not overlap: each byte is
    // read before it is written. There is one more key than there are rounds, and the pointers of places stay in the frame.
    unsafe {
        neon_asm!(
            cpu;
            "2:",
            // The counter and the first round key, from columns to shifted rows; then a register for each bit.
            "add {tmp}, {a}, #{at_counter}",
            "vld1.64 {{d2,d3}}, [{tmp}]",
            "ldr {keys}, [{a}, #{at_keys}]",
            "vld1.64 {{d4,d5}}, [{keys}]!",
            "veor q1, q1, q2",
            "add {tmp}, {table}, #{at_first}",
            "vld1.64 {{d0,d1}}, [{tmp}]!",
            "vtbl.8 d4, {{d2,d3}}, d0",
            "vtbl.8 d5, {{d2,d3}}, d1",
            "vldmia {tmp}!, {{d16-d31}}",
            "vtst.8 q0, q2, q8",
            "vtst.8 q1, q2, q9",
            "vtst.8 q3, q2, q11",
            "vtst.8 q4, q2, q12",
            "vtst.8 q5, q2, q13",
            "vtst.8 q6, q2, q14",
            "vtst.8 q7, q2, q15",
            "vtst.8 q2, q2, q10",
            // The counter of block b is larger by b.
            "vld1.64 {{d16-d18}}, [{tmp}]",
            "veor d15, d15, d16",
            "veor d13, d13, d17",
            "veor d11, d11, d18",
            "ldr {tmp}, [{a}, #{at_count}]",
            "rev {tmp}, {tmp}",
            "add {tmp}, {tmp}, #8",
            "rev {tmp}, {tmp}",
            "str {tmp}, [{a}, #{at_count}]",
            rounds!(),
            "ldr {tmp}, [{a}, #{at_groups}]",
            "subs {tmp}, {tmp}, #1",
            "str {tmp}, [{a}, #{at_groups}]",
            "bne 2b";
            at_groups = const offset_of!(Frame, groups),
            at_keys = const offset_of!(Frame, keys),
            at_rounds = const offset_of!(Frame, rounds),
            at_counter = const offset_of!(Frame, counter),
            at_count = const offset_of!(Frame, counter) + 12,
            at_first = const offset_of!(Tables, first),
            at_last = const offset_of!(Tables, last),
            tmp = out(reg) _,
            keys = out(reg) _,
            table = in(reg) &raw const TABLES,
            bits = in(reg) &raw const TABLES.bits,
            input = inout(reg) input => _,
            output = inout(reg) output => _,
            a = inout(reg) places => _,
            b = inout(reg) places.add(32) => _,
            c = inout(reg) places.add(64) => _,
            d = inout(reg) places.add(96) => _,
            e = inout(reg) places.add(128) => _,
            minus = in(reg) -16,
        );
    }
    *counter = frame.counter;
}

/// Encrypts eight blocks.
#[inline(never)]
pub(super) fn encrypt(cpu: ArmNeon, keys: &Keys, blocks: &mut [Block; 8]) {
    /// What is XORed into the results.
    static NOTHING: [Block; 8] = [[0; 16]; 8];
    let mut frame = Frame::new(keys, [0; 16], 1);
    let places = (&raw mut *frame).cast::<u8>();
    let blocks = blocks.as_mut_ptr();
    // SAFETY: there are eight blocks; the rest as above.
    unsafe {
        neon_asm!(
            cpu;
            "ldr {keys}, [{a}, #{at_keys}]",
            "vld1.64 {{d18,d19}}, [{keys}]!",
            "add {b}, {table}, #{at_first}",
            "vld1.64 {{d20,d21}}, [{b}]",
            "add {b}, {a}, #32",
            // AddRoundKey and ShiftRows of each block, from columns to rows.
            first_steps!("d14" "d15"),
            first_steps!("d12" "d13"),
            first_steps!("d10" "d11"),
            first_steps!("d8" "d9"),
            first_steps!("d6" "d7"),
            first_steps!("d4" "d5"),
            first_steps!("d2" "d3"),
            first_steps!("d0" "d1"),
            transpose_bits!("q7" "q6" "q5" "q4" "q3" "q2" "q1" "q0" by "q8" "q9" "q10"),
            rounds!();
            at_keys = const offset_of!(Frame, keys),
            at_rounds = const offset_of!(Frame, rounds),
            at_first = const offset_of!(Tables, first),
            at_last = const offset_of!(Tables, last),
            tmp = inout(reg) blocks => _,
            keys = out(reg) _,
            table = in(reg) &raw const TABLES,
            bits = in(reg) &raw const TABLES.bits,
            input = inout(reg) &raw const NOTHING => _,
            output = inout(reg) blocks => _,
            a = inout(reg) places => _,
            b = inout(reg) places => _,
            c = inout(reg) places.add(64) => _,
            d = inout(reg) places.add(96) => _,
            e = inout(reg) places.add(128) => _,
            minus = in(reg) -16,
        );
    }
}

/// The next block at `tmp`, with the first round key in q9, by the indices in q10.
macro_rules! first_steps {
    ($low:literal $high:literal) => {
        steps!(
            "vld1.8 {{d16,d17}}, [{tmp}]!",
            "veor q8, q8, q9",
            concat!("vtbl.8 ", $low, ", {{d16,d17}}, d20"),
            concat!("vtbl.8 ", $high, ", {{d16,d17}}, d21"),
        )
    };
}
use first_steps;
