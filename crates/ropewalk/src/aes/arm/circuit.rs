//! Steps of bitsliced AES (FIPS 197) as text for the assembler. Bit 7 - i of all bytes is in register i, and a byte of a register belongs to
//! the same byte of eight blocks, in rows: the byte of row r and column c is number 4 r + c.

/// AddRoundKey (section 5.1.4) of a key that all blocks have: a lookup of each bit makes its slices, which would take eight times the memory.
macro_rules! add_round_key {
    () => {
        concat!(
            steps!("vld1.64 {{d16,d17}}, [{keys}]!", "vldmia {bits}, {{d18-d31}}"),
            add_bit!("q0" "q9"),
            add_bit!("q1" "q10"),
            add_bit!("q2" "q11"),
            add_bit!("q3" "q12"),
            add_bit!("q4" "q13"),
            add_bit!("q5" "q14"),
            add_bit!("q6" "q15"),
            "vmov.i8 q9, #1\n",
            add_bit!("q7" "q9"),
        )
    };
}

/// Adds the slice of one bit of the key in q8.
macro_rules! add_bit {
    ($slice:literal $bit:literal) => {
        steps!(
            concat!("vtst.8 ", $bit, ", q8, ", $bit),
            concat!("veor ", $slice, ", ", $slice, ", ", $bit),
        )
    };
}

/// SubBytes (section 5.1.1) without its constant: the circuit of `bitsliced` in 16 registers, with ten places in memory, two for each of the
/// pointers `a` to `e`. Each pointer is where it began at the end. 133 instructions, in an order found by simulated annealing.
macro_rules! sub_bytes {
    () => {
        steps!(
            "veor q8, q0, q6",
            "veor q9, q3, q5",
            "veor q10, q8, q9",
            "veor q4, q4, q10",
            "veor q2, q1, q2",
            "veor q11, q4, q5",
            "veor q12, q2, q7",
            "veor q13, q11, q7",
            "veor q6, q12, q6",
            "veor q5, q0, q5",
            "vand q14, q10, q11",
            "veor q15, q12, q3",
            "veor q3, q0, q3",
            "veor q4, q4, q1",
            "veor q1, q6, q5",
            "vst1.64 {{d20,d21}}, [{a}]!",
            "vand q10, q15, q7",
            "vst1.64 {{d30,d31}}, [{a}], {minus}",
            "vand q15, q1, q13",
            "veor q15, q15, q14",
            "vst1.64 {{d2,d3}}, [{b}]!",
            "veor q1, q4, q3",
            "vst1.64 {{d26,d27}}, [{b}]",
            "vand q13, q3, q1",
            "vst1.64 {{d6,d7}}, [{c}]!",
            "veor q3, q11, q2",
            "vst1.64 {{d22,d23}}, [{c}], {minus}",
            "veor q11, q3, q1",
            "veor q14, q10, q14",
            "vand q10, q9, q11",
            "veor q2, q2, q1",
            "vst1.64 {{d22,d23}}, [{d}]!",
            "vand q11, q8, q2",
            "vst1.64 {{d18,d19}}, [{d}]",
            "vand q9, q5, q3",
            "veor q10, q10, q13",
            "veor q13, q9, q13",
            "veor q9, q8, q2",
            "veor q15, q15, q10",
            "veor q4, q15, q4",
            "vand q15, q6, q12",
            "veor q15, q15, q11",
            "veor q15, q15, q10",
            "veor q10, q0, q2",
            "veor q14, q14, q13",
            "vst1.64 {{d16,d17}}, [{e}]",
            "veor q8, q3, q5",
            "veor q9, q15, q9",
            "veor q0, q12, q0",
            "veor q14, q14, q8",
            "veor q8, q7, q1",
            "vand q15, q0, q8",
            "veor q15, q15, q11",
            "veor q13, q15, q13",
            "veor q10, q13, q10",
            "veor q13, q9, q10",
            "vand q15, q4, q9",
            "veor q11, q14, q15",
            "veor q4, q4, q14",
            "vand q11, q11, q13",
            "veor q11, q11, q10",
            "veor q15, q10, q15",
            "veor q13, q15, q11",
            "vand q10, q10, q13",
            "veor q9, q9, q11",
            "veor q13, q15, q10",
            "vand q15, q4, q15",
            "veor q14, q15, q14",
            "veor q10, q10, q9",
            "vand q13, q14, q13",
            "veor q4, q4, q13",
            "veor q13, q4, q10",
            "veor q9, q14, q11",
            "veor q15, q14, q4",
            "vand q5, q13, q5",
            "vand q1, q9, q1",
            "vand q3, q13, q3",
            "vand q8, q14, q8",
            "vand q12, q4, q12",
            "vand q6, q4, q6",
            "veor q13, q9, q13",
            "vld1.64 {{d8,d9}}, [{c}]!",
            "vand q4, q9, q4",
            "vand q2, q15, q2",
            "veor q1, q2, q1",
            "vand q14, q14, q0",
            "vld1.64 {{d0,d1}}, [{d}], {minus}",
            "vand q0, q13, q0",
            "veor q6, q8, q6",
            "veor q5, q0, q5",
            "veor q4, q4, q0",
            "veor q0, q11, q10",
            "vld1.64 {{d18,d19}}, [{e}]",
            "vand q9, q15, q9",
            "vand q7, q11, q7",
            "vld1.64 {{d30,d31}}, [{d}]",
            "vand q13, q13, q15",
            "vld1.64 {{d30,d31}}, [{c}], {minus}",
            "vand q15, q0, q15",
            "veor q2, q15, q2",
            "veor q1, q1, q13",
            "veor q8, q7, q8",
            "vld1.64 {{d30,d31}}, [{b}], {minus}",
            "vand q15, q10, q15",
            "veor q13, q13, q3",
            "vld1.64 {{d6,d7}}, [{b}]",
            "vand q3, q10, q3",
            "vld1.64 {{d20,d21}}, [{a}]!",
            "vand q10, q0, q10",
            "veor q10, q10, q3",
            "veor q0, q12, q4",
            "veor q7, q7, q9",
            "veor q13, q13, q0",
            "veor q7, q7, q2",
            "veor q9, q9, q6",
            "veor q0, q10, q0",
            "vld1.64 {{d20,d21}}, [{a}], {minus}",
            "vand q10, q11, q10",
            "veor q12, q12, q1",
            "veor q15, q15, q0",
            "veor q4, q4, q7",
            "veor q2, q2, q15",
            "veor q10, q3, q10",
            "veor q9, q9, q13",
            "veor q14, q14, q7",
            "veor q14, q14, q13",
            "veor q13, q12, q14",
            "veor q14, q10, q14",
            "veor q0, q1, q0",
            "veor q15, q8, q15",
            "veor q12, q12, q2",
            "veor q13, q5, q13",
            "veor q6, q6, q4",
        )
    };
}

/// ShiftRows and MixColumns (sections 5.1.2 and 5.1.3). A row is four bytes: VEXT takes the row below, and a sum with two rows below is one
/// of swapped halves.
macro_rules! shift_mix {
    () => {
        steps!(
            "vld1.64 {{d2,d3}}, [{table}]",
            "vtbl.8 d16, {{d0,d1}}, d2",
            "vtbl.8 d17, {{d0,d1}}, d3",
            "vtbl.8 d20, {{d24,d25}}, d2",
            "vtbl.8 d21, {{d24,d25}}, d3",
            "vtbl.8 d22, {{d26,d27}}, d2",
            "vtbl.8 d23, {{d26,d27}}, d3",
            "vtbl.8 d24, {{d4,d5}}, d2",
            "vtbl.8 d25, {{d4,d5}}, d3",
            "vtbl.8 d26, {{d30,d31}}, d2",
            "vtbl.8 d27, {{d30,d31}}, d3",
            "vtbl.8 d30, {{d28,d29}}, d2",
            "vtbl.8 d31, {{d28,d29}}, d3",
            "vtbl.8 d28, {{d18,d19}}, d2",
            "vtbl.8 d29, {{d18,d19}}, d3",
            "vtbl.8 d18, {{d12,d13}}, d2",
            "vtbl.8 d19, {{d12,d13}}, d3",
            "vext.8 q0, q8, q8, #4",
            "veor q8, q8, q0",
            "vext.8 q1, q10, q10, #4",
            "veor q10, q10, q1",
            "vext.8 q2, q11, q11, #4",
            "veor q11, q11, q2",
            "vext.8 q3, q12, q12, #4",
            "veor q12, q12, q3",
            "vext.8 q4, q13, q13, #4",
            "veor q13, q13, q4",
            "vext.8 q5, q15, q15, #4",
            "veor q15, q15, q5",
            "vext.8 q6, q14, q14, #4",
            "veor q14, q14, q6",
            "vext.8 q7, q9, q9, #4",
            "veor q9, q9, q7",
            "veor d0, d0, d17",
            "veor d1, d1, d16",
            "veor d2, d2, d21",
            "veor d3, d3, d20",
            "veor d4, d4, d23",
            "veor d5, d5, d22",
            "veor d6, d6, d25",
            "veor d7, d7, d24",
            "veor d8, d8, d27",
            "veor d9, d9, d26",
            "veor d10, d10, d31",
            "veor d11, d11, d30",
            "veor d12, d12, d29",
            "veor d13, d13, d28",
            "veor d14, d14, d19",
            "veor d15, d15, d18",
            "veor q0, q0, q10",
            "veor q1, q1, q11",
            "veor q2, q2, q12",
            "veor q3, q3, q13",
            "veor q3, q3, q8",
            "veor q4, q4, q15",
            "veor q4, q4, q8",
            "veor q5, q5, q14",
            "veor q6, q6, q9",
            "veor q6, q6, q8",
            "veor q7, q7, q8",
        )
    };
}

/// MixColumns, where ShiftRows has been done before.
macro_rules! mix {
    () => {
        steps!(
            "vext.8 q1, q12, q12, #4",
            "veor q12, q12, q1",
            "vext.8 q3, q2, q2, #4",
            "veor q8, q2, q3",
            "vext.8 q2, q13, q13, #4",
            "veor q13, q13, q2",
            "vext.8 q4, q15, q15, #4",
            "veor q15, q15, q4",
            "vext.8 q5, q14, q14, #4",
            "veor q14, q14, q5",
            "vext.8 q7, q6, q6, #4",
            "veor q10, q6, q7",
            "vext.8 q6, q9, q9, #4",
            "veor q9, q9, q6",
            "vmov q11, q0",
            "vext.8 q0, q11, q11, #4",
            "veor q11, q11, q0",
            "veor d0, d0, d23",
            "veor d1, d1, d22",
            "veor d2, d2, d25",
            "veor d3, d3, d24",
            "veor d4, d4, d27",
            "veor d5, d5, d26",
            "veor d6, d6, d17",
            "veor d7, d7, d16",
            "veor d8, d8, d31",
            "veor d9, d9, d30",
            "veor d10, d10, d29",
            "veor d11, d11, d28",
            "veor d12, d12, d19",
            "veor d13, d13, d18",
            "veor d14, d14, d21",
            "veor d15, d15, d20",
            "veor q0, q0, q12",
            "veor q1, q1, q13",
            "veor q2, q2, q8",
            "veor q3, q3, q15",
            "veor q3, q3, q11",
            "veor q4, q4, q14",
            "veor q4, q4, q11",
            "veor q5, q5, q9",
            "veor q6, q6, q10",
            "veor q6, q6, q11",
            "veor q7, q7, q11",
        )
    };
}

/// ShiftRows, and from rows back to columns, by the table at `tmp`.
macro_rules! last_shift {
    () => {
        steps!(
            "vld1.64 {{d2,d3}}, [{tmp}]",
            "vtbl.8 d14, {{d0,d1}}, d2",
            "vtbl.8 d15, {{d0,d1}}, d3",
            "vtbl.8 d10, {{d26,d27}}, d2",
            "vtbl.8 d11, {{d26,d27}}, d3",
            "vtbl.8 d8, {{d4,d5}}, d2",
            "vtbl.8 d9, {{d4,d5}}, d3",
            "vtbl.8 d6, {{d30,d31}}, d2",
            "vtbl.8 d7, {{d30,d31}}, d3",
            "vtbl.8 d4, {{d28,d29}}, d2",
            "vtbl.8 d5, {{d28,d29}}, d3",
            "vtbl.8 d0, {{d12,d13}}, d2",
            "vtbl.8 d1, {{d12,d13}}, d3",
            "vtbl.8 d12, {{d24,d25}}, d2",
            "vtbl.8 d13, {{d24,d25}}, d3",
            "vtbl.8 d30, {{d18,d19}}, d2",
            "vtbl.8 d31, {{d18,d19}}, d3",
        )
    };
}

/// Transposes the bits of eight registers, given in the order of their bits: blocks become slices, and slices blocks. It overwrites `t`,
/// `u` and `m`.
macro_rules! transpose_bits {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal by $t:literal $u:literal $m:literal) => {
        concat!(
            swap_nibbles!($a $e by $t),
            swap_nibbles!($b $f by $t),
            swap_nibbles!($c $g by $t),
            swap_nibbles!($d $h by $t),
            concat!("vmov.i8 ", $m, ", #0x33\n"),
            swap_bits!($a $c, 2 by $t $u $m),
            swap_bits!($b $d, 2 by $t $u $m),
            swap_bits!($e $g, 2 by $t $u $m),
            swap_bits!($f $h, 2 by $t $u $m),
            concat!("vmov.i8 ", $m, ", #0x55\n"),
            swap_bits!($a $b, 1 by $t $u $m),
            swap_bits!($c $d, 1 by $t $u $m),
            swap_bits!($e $f, 1 by $t $u $m),
            swap_bits!($g $h, 1 by $t $u $m),
        )
    };
}

/// Exchanges the high halves of bytes with the low halves of others.
macro_rules! swap_nibbles {
    ($x:literal $y:literal by $t:literal) => {
        steps!(
            concat!("vmov ", $t, ", ", $x),
            concat!("vsli.8 ", $x, ", ", $y, ", #4"),
            concat!("vsri.8 ", $y, ", ", $t, ", #4"),
        )
    };
}

/// Exchanges those bits of `x` that the mask leaves out with bits of `y`, by so many places.
macro_rules! swap_bits {
    ($x:literal $y:literal, $by:literal by $t:literal $u:literal $m:literal) => {
        steps!(
            concat!("vshl.i16 ", $t, ", ", $y, ", #", $by),
            concat!("vshr.u16 ", $u, ", ", $x, ", #", $by),
            concat!("vbif ", $x, ", ", $t, ", ", $m),
            concat!("vbit ", $y, ", ", $u, ", ", $m),
        )
    };
}

/// The last AddRoundKey, and the XOR with a text, of the blocks where `last_shift` and `transpose_bits` leave them.
macro_rules! add_text {
    () => {
        steps!(
            "vld1.64 {{d2,d3}}, [{keys}]",
            "veor q0, q0, q1",
            "veor q15, q15, q1",
            "veor q2, q2, q1",
            "veor q3, q3, q1",
            "veor q4, q4, q1",
            "veor q5, q5, q1",
            "veor q6, q6, q1",
            "veor q7, q7, q1",
            "vld1.8 {{d16-d19}}, [{input}]!",
            "veor q8, q8, q0",
            "veor q9, q9, q15",
            "vst1.8 {{d16-d19}}, [{output}]!",
            "vld1.8 {{d20-d23}}, [{input}]!",
            "veor q10, q10, q2",
            "veor q11, q11, q3",
            "vst1.8 {{d20-d23}}, [{output}]!",
            "vld1.8 {{d24-d27}}, [{input}]!",
            "veor q12, q12, q4",
            "veor q13, q13, q5",
            "vst1.8 {{d24-d27}}, [{output}]!",
            "vld1.8 {{d16-d19}}, [{input}]!",
            "veor q8, q8, q6",
            "veor q9, q9, q7",
            "vst1.8 {{d16-d19}}, [{output}]!",
        )
    };
}
