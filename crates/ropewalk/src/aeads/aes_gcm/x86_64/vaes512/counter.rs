//! Counter blocks of AES-GCM on vectors of four: those of a step, and the values that several steps share.

use core::arch::x86_64::*;

use super::{super::super::Nonce, POWERS, Table};
use crate::core::simd::{
    each,
    x86_64::{self as simd, ternary_512},
};

/// Counter blocks, the first round key already added. Sixteen consecutive counters differ in their
/// last four bits, so one vector and constants make them; the first counter of a text is 2.
#[derive(Clone, Copy)]
pub(super) struct Counter {
    nonce: __m512i,
    base: __m512i,
    count: u32,
}

impl Counter {
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    pub(super) fn new(table: &Table, nonce: &Nonce) -> Self {
        let base = first_counter(table, nonce);
        Self { nonce: base, base, count: 0 }
    }

    /// The counter after `blocks` blocks, which are whole steps.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    pub(super) fn after(table: &Table, nonce: &Nonce, blocks: u32) -> Self {
        let mut counter = Self::new(table, nonce);
        counter.skip_to(blocks);
        counter
    }

    /// Its parts, to be passed in registers.
    #[inline]
    pub(super) fn parts(&self) -> (__m512i, __m512i, u32) {
        (self.nonce, self.base, self.count)
    }

    /// From its parts.
    #[inline]
    pub(super) fn of(nonce: __m512i, base: __m512i, count: u32) -> Self {
        Self { nonce, base, count }
    }

    /// Counter 1 in every lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn first(&self) -> __m512i {
        _mm512_xor_si512(self.nonce, last_bytes(1, 1, 1, 1))
    }

    /// The next `N` vectors, twelve at most, after whole steps.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn next<const N: usize>(&mut self) -> [__m512i; N] {
        let constants =
            [last_bytes(2, 3, 4, 5), last_bytes(6, 7, 8, 9), last_bytes(10, 11, 12, 13)];
        let mut blocks = [self.base; N];
        for i in 0..N.min(3) {
            blocks[i] = _mm512_xor_si512(self.base, constants[i]);
        }
        if N >= 4 {
            self.count = self.count.wrapping_add(16);
            let base = self.at(self.count);
            let constant = last_bytes(14, 15, 0, 1);
            blocks[3] = _mm512_xor_si512(self.base, constant);
            blocks[3] = _mm512_mask_xor_epi64(blocks[3], 0xf0, base, constant);
            self.base = base;
        }
        for i in 4..N.min(7) {
            blocks[i] = _mm512_xor_si512(self.base, constants[i - 4]);
        }
        if N >= 8 {
            let constant = last_bytes(14, 15, 0, 1);
            let base = self.at(self.count.wrapping_add(16));
            blocks[7] = _mm512_xor_si512(self.base, constant);
            blocks[7] = _mm512_mask_xor_epi64(blocks[7], 0xf0, base, constant);
            for i in 8..N.min(11) {
                blocks[i] = _mm512_xor_si512(base, constants[i - 8]);
            }
            if N == 12 {
                let after = self.at(self.count.wrapping_add(32));
                blocks[11] = _mm512_xor_si512(base, constant);
                blocks[11] = _mm512_mask_xor_epi64(blocks[11], 0xf0, after, constant);
            }
        }
        blocks
    }

    /// The next eight vectors, after whole steps of 32 blocks: of 32 counters, the first 30 differ from a multiple of 32 in their
    /// last five bits.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn next_eight(&mut self) -> [__m512i; 8] {
        let of = |a: i64| last_bytes(a, a + 1, a + 2, a + 3);
        let constants =
            [of(2), of(6), of(10), of(14), of(18), of(22), of(26), last_bytes(30, 31, 0, 1)];
        let base = self.base;
        self.count = self.count.wrapping_add(32);
        self.base = self.at(self.count);
        let mut bases = [base; 8];
        bases[7] = _mm512_mask_mov_epi64(base, 0xf0, self.base);
        each(|i| _mm512_xor_si512(bases[i], constants[i]))
    }

    /// Moves to the counter `blocks` + 2.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn skip_to(&mut self, blocks: u32) {
        self.count = blocks;
        self.base = self.at(self.count);
    }

    /// A counter in every lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn at(&self, count: u32) -> __m512i {
        let count = _mm512_set1_epi32(count.swap_bytes().cast_signed());
        ternary_512::<0x6a>(count, _mm512_set4_epi32(-1, 0, 0, 0), self.nonce)
    }
}

/// The counter blocks of the next step after their first round. Blocks of 256 consecutive counters differ in one byte, and after
/// a round in one column: for 16 blocks, one vector holds all first columns, and the other columns are computed once in 16 steps.
pub(super) struct Ahead {
    /// The input of first columns, without the last bytes of the counters; the same in each column.
    column: __m512i,
    /// The first column of the first round key, in each column.
    key: __m512i,
    /// Last bytes of counters: those of vector i in column i - 1, from where the round moves them to column i.
    last: __m512i,
    /// First columns of a step.
    columns: __m512i,
    /// All other columns; the first one is arbitrary.
    others: __m512i,
    /// The step these are for.
    step: u32,
    pub(super) blocks: [__m512i; 4],
}

impl Ahead {
    /// For the second step of a text.
    #[inline]
    #[target_feature(enable = "vaes,avx512f,avx512bw")]
    pub(super) fn new(table: &Table, counter: &Counter) -> Self {
        let [first, ..] = table[POWERS + 1].as_chunks().0 else { unreachable!("four columns") };
        let last = |i: i32| i << 24;
        Self {
            // ShiftRows: a column is made of four.
            column: _mm512_shuffle_epi8(counter.nonce, _mm512_set1_epi32(0x0f0a_0500)),
            key: _mm512_set1_epi32(i32::from_le_bytes(*first)),
            #[rustfmt::skip]
            last: _mm512_set_epi32(
                last(21), last(33), last(29), last(25),
                last(20), last(32), last(28), last(24),
                last(19), last(31), last(27), last(23),
                last(18), last(30), last(26), last(22),
            ),
            columns: _mm512_setzero_si512(),
            others: _mm512_aesenc_epi128(counter.nonce, round_key(table, 1)),
            step: 1,
            blocks: [_mm512_setzero_si512(); 4],
        }
    }

    /// For the next step, at any position.
    #[inline]
    #[target_feature(enable = "vaes,avx512f,avx512bw")]
    pub(super) fn beginning(table: &Table, counter: &mut Counter) -> Self {
        let count = counter.count;
        let mut ahead = Self::new(table, counter);
        ahead.step = count / 16 + 1;
        let others = counter.at((16 * ahead.step) & !0xff);
        ahead.others = _mm512_aesenc_epi128(others, round_key(table, 1));
        let later = _mm512_set1_epi32((count << 24).cast_signed());
        ahead.last = _mm512_add_epi32(ahead.last, later);
        for (block, counters) in ahead.blocks.iter_mut().zip(counter.next::<4>()) {
            *block = _mm512_aesenc_epi128(counters, round_key(table, 1));
        }
        ahead
    }

    /// The other columns of the next step's blocks. In the last two blocks, the counter may have advanced by 256.
    #[inline]
    #[target_feature(enable = "vaes,avx512f,avx512bw")]
    pub(super) fn others(&mut self, table: &Table, counter: &Counter) -> [__m512i; 2] {
        let mut others = [self.others; 2];
        self.step += 1;
        if self.step.is_multiple_of(16) {
            self.others = _mm512_aesenc_epi128(counter.at(16 * self.step), round_key(table, 1));
            others[1] = _mm512_mask_mov_epi64(others[1], 0xf0, self.others);
        }
        others
    }

    /// Computes the first columns.
    #[inline]
    #[target_feature(enable = "vaes,avx512f")]
    pub(super) fn columns(&mut self) {
        let counters = _mm512_xor_si512(self.column, self.last);
        self.columns = _mm512_aesenc_epi128(counters, self.key);
        // AES instructions are issued oldest first: started after this step's rounds, the next step's would be late.
        simd::keep_order_512(&mut self.columns);
        self.last = _mm512_add_epi32(self.last, _mm512_set1_epi32(16 << 24));
    }

    /// Merges first and other columns.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn merge(&mut self, [others, last]: [__m512i; 2]) {
        let columns = self.columns;
        self.blocks = [
            _mm512_mask_mov_epi32(others, 0x1111, columns),
            _mm512_mask_shuffle_epi32::<0b01>(others, 0x1111, columns),
            _mm512_mask_shuffle_epi32::<0b10>(others, 0x1111, columns),
            _mm512_mask_shuffle_epi32::<0b11>(last, 0x1111, columns),
        ];
        for block in &mut self.blocks {
            simd::keep_order_512(block);
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn last_bytes(a: i64, b: i64, c: i64, d: i64) -> __m512i {
    _mm512_set_epi64(d << 56, 0, c << 56, 0, b << 56, 0, a << 56, 0)
}

/// Declares a function that broadcasts counter 0, with the first round key added, to every lane. The nonce is loaded word by word
/// with broadcasts: a wide load would stall if the caller has just written it in parts.
macro_rules! first_counter {
    ($name:ident($V:ty), $features:literal: $ternary:ident $splat:ident $set1_32:ident $set:expr) => {
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn $name(table: &Table, nonce: &Nonce) -> $V {
            let [first, second, third] = nonce.as_chunks().0 else {
                unreachable!("three times four")
            };
            let word = |bytes: &[u8; 4]| $set1_32(i32::from_le_bytes(*bytes));
            let words = $set;
            // Bits of the second operand where the mask has ones, of the third where it has zeros.
            let low = simd::$ternary::<0xca>(words(0, -1, 0, -1), word(first), word(second));
            let all = simd::$ternary::<0xca>(words(0, 0, -1, -1), low, word(third));
            // Adds the key, and clears the last word.
            simd::$ternary::<0x6a>(all, words(0, -1, -1, -1), simd::$splat(&table[POWERS]))
        }
    };
}

first_counter! { first_counter(__m512i), "avx512f": ternary_512 splat_4x _mm512_set1_epi32 |d, c, b, a| _mm512_set4_epi32(d, c, b, a) }
first_counter! { first_counter_2x(__m256i), "avx512f,avx512vl": ternary_256 splat_2x _mm256_set1_epi32 |d, c, b, a| _mm256_set_epi32(d, c, b, a, d, c, b, a) }

#[inline]
#[target_feature(enable = "avx512f")]
fn round_key(table: &Table, r: usize) -> __m512i {
    simd::splat_4x(&table[POWERS + r])
}
