//! GHASH (SP 800-38D, section 6.4) from lookups in registers, in constant time.
//!
//! Byte `p` of a block stands for its bits times x^(8 p), the highest bit first. Its halves times H
//! are lookups in tables of sixteen blocks; row `i` of a table has byte `i` of those blocks. One
//! lookup in it gives byte `i` of sixteen products, one for each `p`, which belongs to byte `p + i`
//! of their sum. Every row is read for every block.

use zeroize::Zeroize;

use super::Block;
use crate::simd::{Bytes, each, load_short};

/// Blocks that are reduced at once.
const GROUP: usize = 4;

/// The tables of H^4 … H^1: of each row, that for the low halves of bytes and that for the high ones.
pub(super) struct HashKey {
    tables: [Table; GROUP],
}

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
        let mut tables = [[[[0; 16]; 2]; 16]; GROUP];
        let [.., of_h] = &mut tables;
        *of_h = table(h);
        let mut power = *h;
        for i in (0..GROUP - 1).rev() {
            let [.., of_h] = &tables;
            absorb_blocks(cpu, V::splat(cpu, &[0; 16]), &[power], &[*of_h])
                .store((&mut power).into());
            tables[i] = table(&power);
        }
        power.zeroize();
        Self { tables }
    }

    /// The hash after data that zeros fill up to whole blocks.
    #[inline(always)]
    pub(super) fn absorb<V: Bytes<1>>(&self, cpu: V::Cpu, hash: &mut Block, data: &[u8]) {
        let (blocks, rest) = data.as_chunks::<16>();
        let (groups, blocks) = blocks.as_chunks::<GROUP>();
        let mut y = V::splat(cpu, hash);
        for group in groups {
            y = absorb_blocks(cpu, y, group, &self.tables);
        }
        let [.., of_h] = self.tables.as_chunks::<1>().0 else { unreachable!("GROUP tables") };
        for block in blocks {
            y = absorb_blocks(cpu, y, &[*block], of_h);
        }
        if !rest.is_empty() {
            y = absorb_blocks(cpu, y, &[load_short(rest).to_le_bytes()], of_h);
        }
        y.store(hash.into());
    }
}
