//! GHASH (SP 800-38D, section 6.4) with vector permutes, in constant time.
//!
//! Byte `p` of a block stands for its bits times x^(8 p), the highest bit first. H times one half of a byte is one of sixteen
//! blocks; row `i` of a table has byte `i` of each of them. A permute of that row gives byte `i` of sixteen products, one for
//! each `p`, which are added to byte `p + i` of the sum. Every row is read for every block.

use core::array;

use crate::{
    aes::vperm::convert,
    core::{
        block::{Block, load_short},
        opaque::unknown,
        secret::Wiped,
        simd::{Bytes, each},
    },
};

/// Blocks per reduction.
const GROUP: usize = 4;

/// The tables of H^4 … H^1.
#[derive(Clone)]
pub(super) struct HashKey {
    tables: [Table; GROUP],
}

/// Each row for the low halves of bytes and for the high ones.
type Table = [[Block; 2]; 16];

impl HashKey {
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self { tables: [[[[0; 16]; 2]; 16]; GROUP] }
    }

    /// Computes the tables of the hash key H = E(0) and of its powers, given the function that absorbs data.
    #[inline(always)]
    pub(super) fn fill<V: Bytes<1>>(
        &mut self,
        cpu: V::Cpu,
        h: &Block,
        absorb: fn(V::Cpu, &Self, &mut Block, &[u8]),
    ) {
        // A power, and the next one.
        let mut powers = Wiped::new([*h, [0; 16]]);
        let [power, next] = &mut *powers;
        for i in (0..GROUP).rev() {
            table::<V>(cpu, power, &mut self.tables[i]);
            if i > 0 {
                *next = [0; 16];
                absorb(cpu, self, next, power);
                *power = *next;
            }
        }
    }

    /// The hash after data, which is padded with zeros to whole blocks.
    #[inline(always)]
    pub(super) fn absorb<V: Bytes<1>>(&self, cpu: V::Cpu, hash: &mut Block, data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        let (groups, blocks) = blocks.as_chunks();
        let of_h = array::from_ref(&self.tables[GROUP - 1]);
        let mut y = V::splat(cpu, hash);
        for group in groups {
            y = absorb(cpu, y, group, &self.tables);
        }
        let mut rest = (!rest.is_empty()).then(|| V::splat(cpu, &load_short(rest).to_le_bytes()));
        let mut blocks = blocks.iter();
        while let Some(block) = blocks.next().map(|x| V::splat(cpu, x)).or_else(|| rest.take()) {
            y = absorb(cpu, y ^ block, &[[0; 16]], of_h);
        }
        y.store(array::from_mut(hash));
    }
}

/// Declares the backend of an instruction set whose vectors `$V` hold a block.
macro_rules! lookups {
    ($Backend:ident needs $Cpu:ident: $V:ident, $ctr:path, $ctr_secret:path) => {
        #[derive(Clone)]
        pub(in crate::aeads::aes_gcm) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
            keys: RoundKeys,
            /// On the heap, as no other backend has so large a table.
            h: alloc::boxed::Box<Wiped<HashKey>>,
        }

        impl Gcm for $Backend {}

        impl CtrGhash for $Backend {
            kernel! { $Cpu: fn ctr(&self, counter: &Block, text: Text<'_>) = $Backend::ctr_kernel }
            kernel! { $Cpu: fn ctr_secret(&self, counter: &Block, text: Text<'_>) = $Backend::ctr_secret_kernel }
            kernel! { $Cpu: fn absorb(&self, hash: &mut Block, data: &[u8]) = $Backend::absorb_kernel }

            fn rekey(&mut self, secret: &[u8]) {
                make(self.cpu, self.cpu, secret, &mut self.keys, &mut self.h);
            }
        }

        kernel! { $Cpu: fn make(cpu, proof: crate::core::cpu::$Cpu, secret: &[u8], keys: &mut RoundKeys, h: &mut HashKey) = make_kernel }

        impl $Backend {
            #[inline]
            pub(in crate::aeads::aes_gcm) fn new(cpu: crate::core::cpu::$Cpu, secret: &[u8]) -> Self {
                let h = alloc::boxed::Box::new(Wiped::new(HashKey::none()));
                let mut this = Self { cpu, keys: RoundKeys::none(), h };
                this.rekey(secret);
                this
            }

            #[inline(always)]
            fn ctr_kernel(&self, counter: &Block, text: Text<'_>) {
                $ctr(self.cpu, self.cpu, &self.keys, counter, text);
            }

            #[inline(always)]
            fn ctr_secret_kernel(&self, counter: &Block, mut text: Text<'_>) {
                $ctr_secret(self.cpu, self.cpu, &self.keys, counter, &mut text);
            }

            #[inline(always)]
            fn absorb_kernel(&self, hash: &mut Block, data: &[u8]) {
                absorb(self.cpu, &self.h, hash, data);
            }
        }

        /// Out of line, as key setup uses it too.
        #[inline(always)]
        fn absorb(cpu: crate::core::cpu::$Cpu, h: &HashKey, hash: &mut Block, data: &[u8]) {
            proven!($Cpu: cpu, once fn enter(cpu: crate::core::cpu::$Cpu, h: &HashKey, hash: &mut Block, data: &[u8]) -> () {
                h.absorb::<$V>(cpu, hash, data)
            });
        }

        #[inline(always)]
        fn make_kernel(cpu: crate::core::cpu::$Cpu, secret: &[u8], keys: &mut RoundKeys, h: &mut HashKey) {
            $V::expand(cpu, secret, keys, None);
            let mut first = Wiped::new([0; 16]);
            let x = <$V as vperm::Alone>::encrypt_one(cpu, keys, $V::splat(cpu, &first));
            x.store(core::array::from_mut(&mut *first));
            h.fill::<$V>(cpu, &first, absorb);
        }
    };
}
pub(super) use lookups;

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
    for i in (0..unknown(16) as usize).rev() {
        (lower, upper) = (lower.shift_in(zero), upper.shift_in(lower));
        let i = i % 16;
        for k in 0..N {
            let [low, high] = tables[k][i].each_ref().map(|row| V::splat(cpu, row));
            lower = lower ^ low.look_up(halves[k][0]) ^ high.look_up(halves[k][1]);
        }
    }
    // x^128 = 1 + x + x^2 + x^7. The last byte of `upper` is zero, so nothing overflows.
    lower ^ convert(cpu, upper, &FOLD) ^ convert(cpu, upper, &FOLD_ON).shift_in(zero)
}

/// A byte times 1 + x + x^2 + x^7, from its halves: the part that stays in its place, and the part that goes into the next byte.
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

#[inline(always)]
fn table<V: Bytes<1>>(cpu: V::Cpu, h: &Block, table: &mut Table) {
    let mut times_x = [u128::from_be_bytes(*h); 8];
    for j in 1..8 {
        let before = times_x[j - 1];
        times_x[j] = before >> 1 ^ (before & 1).wrapping_neg() & 0xe1 << 120;
    }
    let times_x: [V; 8] = each(|j| V::splat(cpu, &times_x[j].to_be_bytes()));
    for (i, row) in table.iter_mut().enumerate().take(unknown(16) as usize) {
        // Byte `i` of H·x^j, where a half byte has x^j.
        let i = V::splat(cpu, &[i as u8; 16]);
        let byte = |j: usize| times_x[j].look_up(V::splat(cpu, &WITH_X[j % 4]).add_words(i));
        (byte(4) ^ byte(5) ^ byte(6) ^ byte(7)).store(array::from_mut(&mut row[0]));
        (byte(0) ^ byte(1) ^ byte(2) ^ byte(3)).store(array::from_mut(&mut row[1]));
    }
}

/// For each half byte, zero if it has x^j or, in a low half, x^(4 + j); otherwise an index that gives zero.
const WITH_X: [Block; 4] = {
    let (mut indices, mut i) = ([[0; 16]; 4], 0);
    while i < 64 {
        let (j, half) = (i / 16, i % 16);
        indices[j][half] = if half >> (3 - j) & 1 == 1 { 0 } else { 0x80 };
        i += 1;
    }
    indices
};
