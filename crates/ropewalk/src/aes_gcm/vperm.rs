//! GHASH (SP 800-38D, section 6.4) from lookups in registers, in constant time.
//!
//! Byte `p` of a block stands for its bits times x^(8 p), the highest bit first. H times one half of
//! a byte is one of sixteen blocks; row `i` of a table has byte `i` of each of them. A lookup there
//! gives byte `i` of sixteen products, one for each `p`, to be added to byte `p + i` of the sum. Every
//! row is read for every block.

use core::array;

use zeroize::Zeroize;

use crate::{
    aes::{Block, vperm::convert},
    simd::{Bytes, each, load_short},
};

/// Blocks that are reduced at once.
const GROUP: usize = 4;

/// The tables of H^4 … H^1.
pub(super) struct HashKey {
    tables: [Table; GROUP],
}

/// Each row for the low halves of bytes and for the high ones.
type Table = [[Block; 2]; 16];

impl Drop for HashKey {
    fn drop(&mut self) {
        self.tables.as_flattened_mut().as_flattened_mut().as_flattened_mut().zeroize();
    }
}

impl HashKey {
    /// Of the hash key H = E(0).
    #[inline(always)]
    pub(super) fn new<V: Bytes<1>>(cpu: V::Cpu, h: &Block) -> Self {
        let mut key = Self { tables: [table(h); GROUP] };
        let mut power = *h;
        for i in (0..GROUP - 1).rev() {
            let zero = V::splat(cpu, &[0; 16]);
            let product = absorb(cpu, zero, &[power], array::from_ref(&key.tables[GROUP - 1]));
            product.store(array::from_mut(&mut power));
            key.tables[i] = table(&power);
        }
        power.zeroize();
        key
    }

    /// The hash after data that zeros fill up to whole blocks.
    #[inline(always)]
    pub(super) fn absorb<V: Bytes<1>>(&self, cpu: V::Cpu, hash: &mut Block, data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        let (groups, blocks) = blocks.as_chunks();
        let of_h = array::from_ref(&self.tables[GROUP - 1]);
        let mut y = V::splat(cpu, hash);
        for group in groups {
            y = absorb(cpu, y, group, &self.tables);
        }
        for block in blocks {
            y = absorb(cpu, y, &[*block], of_h);
        }
        if !rest.is_empty() {
            y = absorb(cpu, y, &[load_short(rest).to_le_bytes()], of_h);
        }
        y.store(array::from_mut(hash));
    }
}

/// The hash after more blocks: y·H^N + x_1·H^N + … + x_N·H, given the tables of H^N … H.
#[inline(always)]
fn absorb<V: Bytes<1>, const N: usize>(
    cpu: V::Cpu,
    y: V,
    blocks: &[Block; N],
    tables: &[Table; N],
) -> V {
    let zero = V::splat(cpu, &[0; 16]);
    let halves: [[V; 2]; N] = each(|k| {
        let x = V::splat(cpu, &blocks[k]) ^ if k == 0 { y } else { zero };
        [x.low_nibbles(), x.high_nibbles()]
    });
    let (mut lower, mut upper) = (zero, zero);
    for i in (0..16).rev() {
        (lower, upper) = (lower.shift_in(zero), upper.shift_in(lower));
        for k in 0..N {
            let [low, high] = tables[k][i].each_ref().map(|row| V::splat(cpu, row));
            lower = lower ^ low.look_up(halves[k][0]) ^ high.look_up(halves[k][1]);
        }
    }
    // x^128 = 1 + x + x^2 + x^7. The last byte of `upper` is zero: nothing is left beyond.
    lower ^ convert(cpu, upper, &FOLD) ^ convert(cpu, upper, &FOLD_ON).shift_in(zero)
}

/// A byte times 1 + x + x^2 + x^7, from its halves: what stays in its place, and what goes into the
/// next byte.
const FOLD: [Block; 2] = fold(0);
const FOLD_ON: [Block; 2] = fold(8);

const fn fold(on: u8) -> [Block; 2] {
    let (mut tables, mut i) = ([[0; 16]; 2], 0);
    while i < 32 {
        let byte = (if i < 16 { i } else { (i - 16) << 4 } as u16) << 8;
        let product = byte ^ byte >> 1 ^ byte >> 2 ^ byte >> 7;
        tables[i / 16][i % 16] = (product >> (8 - on)) as u8;
        i += 1;
    }
    tables
}

fn table(h: &Block) -> Table {
    let mut times_x = [u128::from_be_bytes(*h); 8];
    for j in 1..8 {
        let before = times_x[j - 1];
        times_x[j] = before >> 1 ^ (before & 1).wrapping_neg() & 0xe1 << 120;
    }
    let mut table = [[[0; 16]; 2]; 16];
    for n in 0..16 {
        for (half, of_half) in [(0, &times_x[4..]), (1, &times_x[..4])] {
            let bits = (0..4).filter(|bit| n >> (3 - bit) & 1 == 1);
            let product = bits.fold(0, |sum, bit| sum ^ of_half[bit]);
            for (row, byte) in table.iter_mut().zip(product.to_be_bytes()) {
                row[half][n] = byte;
            }
        }
    }
    table
}
