//! AES (FIPS 197) of one block at a time, by lookups in registers: the algorithm of `vperm`, with VTBL.
//!
//! Bytes are in rows: the byte of row r and column c is number 4 r + c. The row below is then one VEXT away.
#![allow(unsafe_code)]

use core::mem::offset_of;

use super::{Keys, rows};
use crate::{
    aes::{RoundKeys, tables::*},
    core::{block::Block, cpu::ArmNeon, text::Text},
};

/// Tables of encryption.
#[repr(C, align(16))]
struct Tables {
    /// In q8 to q15.
    inverse: Block,
    a_over: Block,
    by_1: Pair,
    by_3: Pair,
    /// ShiftRows.
    shift: Block,
    low_half: Block,
    /// In q2 to q4 at first: ShiftRows from columns, and from a byte of the standard.
    first: Block,
    into: Pair,
    /// At last: ShiftRows to columns, and to a byte of the standard.
    last: Block,
    sub_bytes: Pair,
}

static TABLES: Tables = Tables {
    inverse: INVERSE,
    a_over: A_OVER,
    by_1: SUB_BYTES_1,
    by_3: SUB_BYTES_3,
    shift: table!(n => 4 * (n / 4) + (n % 4 + n / 4) % 4),
    low_half: [15; 16],
    first: table!(n => 4 * ((n % 4 + n / 4) % 4) + n / 4),
    into: INTO_TOWER,
    last: table!(n => 4 * (n % 4) + (n / 4 + n % 4) % 4),
    sub_bytes: SUB_BYTES,
};

/// Tables of decryption.
#[repr(C, align(16))]
struct InverseTables {
    /// In q8 to q15.
    inverse: Block,
    a_over: Block,
    by_14: Pair,
    by_11: Pair,
    /// InvShiftRows.
    shift: Block,
    low_half: Block,
    /// In q0 to q3 in each round.
    by_13: Pair,
    by_9: Pair,
    /// In q2 to q4 at first: InvShiftRows from columns, and from a byte of the standard.
    first: Block,
    into: Pair,
    /// At last: InvShiftRows to columns, and to a byte of the standard.
    last: Block,
    inv_sub_bytes: Pair,
}

static INVERSE_TABLES: InverseTables = InverseTables {
    inverse: INVERSE,
    a_over: A_OVER,
    by_14: INV_SUB_BYTES_TIMES[0],
    by_11: INV_SUB_BYTES_TIMES[1],
    shift: table!(n => 4 * (n / 4) + (n % 4 + 4 - n / 4) % 4),
    low_half: [15; 16],
    by_13: INV_SUB_BYTES_TIMES[2],
    by_9: INV_SUB_BYTES_TIMES[3],
    first: table!(n => 4 * ((n % 4 + 4 - n / 4) % 4) + n / 4),
    into: INTO_INVERSE,
    last: table!(n => 4 * (n % 4) + (n / 4 + 4 - n % 4) % 4),
    inv_sub_bytes: INV_SUB_BYTES,
};

/// Sixteen lookups, with the numbers of the d registers of the results, of the table and of the indices.
macro_rules! look_up {
    ($to:literal $to_high:literal = $table:literal $table_high:literal [$by:literal $by_high:literal]) => {
        steps!(
            concat!("vtbl.8 d", $to, ", {{d", $table, ",d", $table_high, "}}, d", $by),
            concat!("vtbl.8 d", $to_high, ", {{d", $table, ",d", $table_high, "}}, d", $by_high),
        )
    };
}

/// From the byte in q1 to io in q5 and jo in q6, with INVERSE in q8, A_OVER in q9 and the mask in q15. It overwrites q0 to q4.
macro_rules! invert {
    () => {
        concat!(
            steps!("vshr.u8 q0, q1, #4", "vand q1, q1, q15"),
            // a / k, then j, 1 / j and 1 / i.
            look_up!(4 5 = 18 19 [2 3]),
            "veor q1, q1, q0\n",
            look_up!(6 7 = 16 17 [2 3]),
            look_up!(8 9 = 16 17 [0 1]),
            steps!("veor q3, q3, q2", "veor q4, q4, q2"),
            look_up!(10 11 = 16 17 [8 9]),
            look_up!(12 13 = 16 17 [6 7]),
            steps!("veor q5, q5, q1", "veor q6, q6, q0"),
        )
    };
}

/// A linear function of the bytes in q0, in q0: its tables are in q3 and q4. It overwrites q1, q5 and q6.
macro_rules! convert {
    () => {
        concat!(
            steps!("vshr.u8 q1, q0, #4", "vand q0, q0, q15"),
            look_up!(10 11 = 6 7 [0 1]),
            look_up!(12 13 = 8 9 [2 3]),
            "veor q0, q5, q6\n",
        )
    };
}

/// The round keys of a key of 16, 24 or 32 bytes, as in the standard.
pub(super) fn expand(cpu: ArmNeon, secret: &[u8]) -> RoundKeys {
    RoundKeys::expand(secret, |word| {
        let mut block = [0; 16];
        block[..4].copy_from_slice(&word);
        sub_bytes(cpu, &mut block);
        [block[0], block[1], block[2], block[3]].map(|byte| byte ^ AFFINE)
    })
}

/// The same for [`encrypt_chain`], in rows and in the basis of the tower. The constant of SubBytes is in all but the first.
pub(super) fn for_encryption(cpu: ArmNeon, of: &RoundKeys) -> Keys {
    let (mut keys, rounds) = (of.keys, of.rounds);
    for key in &mut keys[1..=rounds] {
        *key = key.map(|byte| byte ^ AFFINE);
    }
    for key in &mut keys[1..rounds] {
        *key = convert(cpu, &rows(key), &INTO_TOWER);
    }
    Keys { keys, rounds }
}

/// The same for [`decrypt`], from those of [`for_encryption`]: last one first, through InvMixColumns.
pub(super) fn for_decryption(cpu: ArmNeon, of: &Keys) -> Keys {
    let rounds = of.rounds;
    let mut keys = [[0; 16]; 15];
    (keys[0], keys[rounds]) = (of.keys[rounds], of.keys[0]);
    for r in 1..rounds {
        let products = OF_TOWER_TIMES
            .each_ref()
            .map(|times| u128::from_le_bytes(convert(cpu, &of.keys[rounds - r], times)));
        let [by_14, by_11, by_13, by_9] = products;
        let sum = by_14 ^ by_11.rotate_right(32) ^ by_13.rotate_right(64) ^ by_9.rotate_right(96);
        keys[r] = sum.to_le_bytes();
    }
    Keys { keys, rounds }
}

/// SubBytes without its constant, of bytes of the standard.
fn sub_bytes(cpu: ArmNeon, block: &mut Block) {
    // SAFETY: the operands are as long as what is read and written there.
    unsafe {
        neon_asm!(
            cpu;
            "vldmia {table}, {{d16-d31}}",
            "add {table}, {table}, #{at_into}",
            "vldmia {table}, {{d6-d9}}",
            "vld1.8 {{d0,d1}}, [{block}]",
            convert!(),
            "vmov q1, q0",
            invert!(),
            "add {table}, {table}, #{to_last}",
            "vldmia {table}, {{d4-d7}}",
            look_up!(0 1 = 4 5 [10 11]),
            look_up!(2 3 = 6 7 [12 13]),
            "veor q0, q0, q1",
            "vst1.8 {{d0,d1}}, [{block}]";
            at_into = const offset_of!(Tables, into),
            to_last = const offset_of!(Tables, sub_bytes) - offset_of!(Tables, into),
            table = inout(reg) &raw const TABLES => _,
            block = in(reg) block.as_mut_ptr(),
        );
    }
}

/// A linear function of bytes, given its values for their low and their high halves.
fn convert(cpu: ArmNeon, block: &Block, of: &Pair) -> Block {
    let mut to = [0; 16];
    // SAFETY: the operands are as long as what is read and written there.
    unsafe {
        neon_asm!(
            cpu;
            "vmov.i8 q15, #15",
            "vld1.8 {{d6-d9}}, [{of}]",
            "vld1.8 {{d0,d1}}, [{block}]",
            convert!(),
            "vst1.8 {{d0,d1}}, [{to}]";
            of = in(reg) of.as_ptr(),
            block = in(reg) block.as_ptr(),
            to = in(reg) to.as_mut_ptr(),
        );
    }
    to
}

/// Encrypts each block after its XOR with the one before it, where `before` is before the first and becomes the last.
pub(super) fn encrypt_chain(cpu: ArmNeon, keys: &Keys, before: &mut Block, text: Text<'_>) {
    let (input, output, len) = text.into_parts();
    assert!(len.is_multiple_of(16), "whole blocks");
    // SAFETY: as many bytes may be read and written; they are the same or do not overlap.
    unsafe { chain(cpu, keys, before, input, output, len / 16, 16) }
}

/// The same of blocks of which only the last result counts.
pub(super) fn mac_chain(cpu: ArmNeon, keys: &Keys, before: &mut Block, blocks: &[Block]) {
    let mut result = [0; 16];
    // SAFETY: the blocks may be read; each result is written to the same place.
    unsafe {
        chain(cpu, keys, before, blocks.as_ptr().cast(), result.as_mut_ptr(), blocks.len(), 0);
    }
}

/// A chain of blocks, whose results are so many bytes apart.
///
/// # Safety
/// The blocks may be read from `input`; the results may be written, and overlap with no later block.
// counted under qemu-arm, Cortex-A7: 38 instructions for a round of one block
#[inline(never)]
unsafe fn chain(
    cpu: ArmNeon,
    keys: &Keys,
    before: &mut Block,
    input: *const u8,
    output: *mut u8,
    blocks: usize,
    apart: usize,
) {
    if blocks == 0 {
        return;
    }
    // SAFETY: the caller says that the texts are there; the keys have one more than there are rounds.
    unsafe {
        neon_asm!(
            cpu;
            "mov {key}, {table}",
            "vldmia {key}!, {{d16-d31}}",
            "vld1.8 {{d14,d15}}, [{before}]",
            "2:",
            "mov {key}, {keys}",
            "mov {n}, {rounds}",
            "add {t}, {table}, #{at_first}",
            "vldmia {t}!, {{d4-d9}}",
            "vld1.8 {{d0,d1}}, [{input}]!",
            "vld1.8 {{d2,d3}}, [{key}]!",
            "veor q0, q0, q7",
            "veor q0, q0, q1",
            convert!(),
            look_up!(2 3 = 0 1 [4 5]),
            "b 4f",
            "3:",
            look_up!(2 3 = 0 1 [28 29]),
            "4:",
            invert!(),
            // The products by 1 and 3, in q0 and q2.
            look_up!(0 1 = 20 21 [10 11]),
            look_up!(2 3 = 22 23 [12 13]),
            look_up!(4 5 = 24 25 [10 11]),
            look_up!(6 7 = 26 27 [12 13]),
            "veor q0, q0, q1",
            "veor q2, q2, q3",
            // MixColumns: 3a + c of each byte, which is added to a and to the same of the byte below.
            "vext.8 q3, q0, q0, #8",
            "vld1.8 {{d8,d9}}, [{key}]!",
            "veor q2, q2, q3",
            "veor q0, q0, q4",
            "vext.8 q3, q2, q2, #4",
            "veor q0, q0, q2",
            "veor q0, q0, q3",
            "subs {n}, {n}, #1",
            "bne 3b",
            "vld1.8 {{d4,d5}}, [{t}]!",
            look_up!(2 3 = 0 1 [4 5]),
            invert!(),
            "vld1.8 {{d4-d7}}, [{t}]",
            "vld1.8 {{d14,d15}}, [{key}]",
            look_up!(0 1 = 4 5 [10 11]),
            look_up!(2 3 = 6 7 [12 13]),
            "veor q0, q0, q1",
            "veor q7, q7, q0",
            "vst1.8 {{d14,d15}}, [{output}], {apart}",
            "subs {blocks}, {blocks}, #1",
            "bne 2b",
            "vst1.8 {{d14,d15}}, [{before}]";
            at_first = const offset_of!(Tables, first),
            table = in(reg) &raw const TABLES,
            keys = in(reg) keys.keys.as_ptr(),
            rounds = in(reg) keys.rounds - 1,
            key = out(reg) _,
            n = out(reg) _,
            t = out(reg) _,
            before = in(reg) before.as_mut_ptr(),
            input = inout(reg) input => _,
            output = inout(reg) output => _,
            blocks = inout(reg) blocks => _,
            apart = in(reg) apart,
        );
    }
}

/// Decrypts each block (section 5.3.5).
#[inline(never)]
pub(super) fn decrypt(cpu: ArmNeon, keys: &Keys, blocks: &mut [Block]) {
    if blocks.is_empty() {
        return;
    }
    // SAFETY: the blocks may be read and written; the keys have one more than there are rounds.
    unsafe {
        neon_asm!(
            cpu;
            "mov {t}, {table}",
            "vldmia {t}, {{d16-d31}}",
            "2:",
            "mov {key}, {keys}",
            "mov {n}, {rounds}",
            "add {t}, {table}, #{at_first}",
            "vldmia {t}, {{d4-d9}}",
            "add {t}, {table}, #{at_by_13}",
            "vld1.8 {{d0,d1}}, [{place}]",
            "vld1.8 {{d2,d3}}, [{key}]!",
            "veor q0, q0, q1",
            convert!(),
            look_up!(2 3 = 0 1 [4 5]),
            "b 4f",
            "3:",
            look_up!(2 3 = 0 1 [28 29]),
            "4:",
            invert!(),
            // The products by 9, 13, 11 and 14, in q4, q2, q0 and q1.
            "vldmia {t}, {{d0-d7}}",
            look_up!(8 9 = 4 5 [10 11]),
            look_up!(4 5 = 6 7 [12 13]),
            "veor q4, q4, q2",
            look_up!(4 5 = 0 1 [10 11]),
            look_up!(6 7 = 2 3 [12 13]),
            "veor q2, q2, q3",
            look_up!(0 1 = 24 25 [10 11]),
            look_up!(2 3 = 26 27 [12 13]),
            "veor q0, q0, q1",
            look_up!(2 3 = 20 21 [10 11]),
            look_up!(6 7 = 22 23 [12 13]),
            "veor q1, q1, q3",
            // InvMixColumns: the second and the last are added one row below, the last two two rows below.
            "vext.8 q3, q4, q4, #8",
            "vext.8 q4, q2, q2, #8",
            "vld1.8 {{d4,d5}}, [{key}]!",
            "veor q0, q0, q3",
            "veor q1, q1, q4",
            "vext.8 q3, q0, q0, #4",
            "veor q1, q1, q2",
            "veor q0, q1, q3",
            "subs {n}, {n}, #1",
            "bne 3b",
            "add {t}, {table}, #{at_last}",
            "vld1.8 {{d4,d5}}, [{t}]!",
            look_up!(2 3 = 0 1 [4 5]),
            invert!(),
            "vld1.8 {{d4-d7}}, [{t}]",
            "vld1.8 {{d8,d9}}, [{key}]",
            look_up!(0 1 = 4 5 [10 11]),
            look_up!(2 3 = 6 7 [12 13]),
            "veor q0, q0, q1",
            "veor q0, q0, q4",
            "vst1.8 {{d0,d1}}, [{place}]!",
            "subs {blocks}, {blocks}, #1",
            "bne 2b";
            at_first = const offset_of!(InverseTables, first),
            at_by_13 = const offset_of!(InverseTables, by_13),
            at_last = const offset_of!(InverseTables, last),
            table = in(reg) &raw const INVERSE_TABLES,
            keys = in(reg) keys.keys.as_ptr(),
            rounds = in(reg) keys.rounds - 1,
            key = out(reg) _,
            n = out(reg) _,
            t = out(reg) _,
            place = inout(reg) blocks.as_mut_ptr() => _,
            blocks = inout(reg) blocks.len() => _,
        );
    }
}
