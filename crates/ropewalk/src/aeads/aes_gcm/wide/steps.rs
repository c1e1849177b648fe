//! Whole steps of a text.

use super::{Counter, Pass, STEP, Sum, vector, vector_mut};
use crate::core::{
    block::Block,
    opaque::{unknown, unseen},
    simd::{Blocks, each},
    text::{Piece, Text},
};

impl<'a, V: Blocks, const T: usize> Pass<'a, V, T> {
    /// Encrypts or decrypts whole steps of `BYTES` bytes each, and returns the hash after them, given the one before. The rest of
    /// the text remains.
    #[inline(always)]
    pub(super) fn steps<const BYTES: usize>(
        &self,
        counter: &mut Counter<V>,
        text: &mut Text<'_>,
        mut hash: V,
        open: bool,
    ) -> V {
        let mut behind = None;
        if !open && let Some(piece) = text.next::<BYTES>() {
            behind = Some(self.first_step(counter, piece));
        }
        let added = self.added();
        while let Some(mut piece) = text.next::<BYTES>() {
            let mut x = counter.next::<STEP>(self.cpu);
            let hashed = behind.unwrap_or(piece.input());
            let last = self.rounds_beside(&mut x, &mut hash, hashed, &added);
            self.last_round(x, last, &mut piece);
            if !open {
                behind = Some(piece.into_output());
            }
        }
        if let Some(behind) = behind {
            hash = self.hash_step(behind, hash, &added);
        }
        hash
    }

    /// The hash after a step, not interleaved: once in a text, in a loop.
    #[inline(always)]
    fn hash_step<const BYTES: usize>(
        &self,
        data: &[u8; BYTES],
        hash: V,
        added: &[V; STEP / 2],
    ) -> V {
        let load = |i: usize| V::load(self.cpu, vector::<V>(data, i)).reverse();
        let mut sum = Sum::zero(self.cpu);
        let mut hash = hash;
        for i in 0..unknown(STEP as u64 / 2) as usize {
            let i = i % (STEP / 2);
            let data = [load(2 * i).xor(hash), load(2 * i + 1)];
            hash = V::zero(self.cpu);
            let powers = [2 * i, 2 * i + 1].map(|i| self.powers(i * V::LANES));
            sum.add_two(data, powers, added[i]);
        }
        sum.whole().reduce().sum_lanes()
    }

    /// The halves of the powers of a step, added, for [`Blocks::add_two_products`], two vectors at a time. Kept in the key, they
    /// would make key setup slower.
    #[inline(always)]
    fn added(&self) -> [V; STEP / 2] {
        let load = |i: usize| self.powers(i * V::LANES);
        each(|i| V::halves_added(load(2 * i), load(2 * i + 1)))
    }

    /// Encrypts a step, not interleaved, and returns the result.
    #[inline(always)]
    fn first_step<'t, const BYTES: usize>(
        &self,
        counter: &mut Counter<V>,
        mut piece: Piece<'t, BYTES>,
    ) -> &'t [u8; BYTES] {
        let mut x = counter.next::<STEP>(self.cpu);
        let last = self.looped_rounds(&mut x, &mut V::zero(self.cpu));
        self.last_round(x, last, &mut piece);
        piece.into_output()
    }

    #[inline(always)]
    fn last_round<const BYTES: usize>(
        &self,
        x: [V; STEP],
        keys: [&Block; 2],
        piece: &mut Piece<'_, BYTES>,
    ) {
        let [before, last] = keys.map(|key| V::splat(self.cpu, key));
        for i in 0..STEP {
            let input = V::load(self.cpu, vector::<V>(piece.input(), i));
            let output = x[i].last_round_onto(before, last, input);
            output.store(vector_mut::<V>(piece.output(), i));
        }
    }

    /// All rounds of a step but the last, interleaved with the hash of a step. Returns the two keys for the last round.
    #[inline(always)]
    #[allow(
        clippy::manual_is_multiple_of,
        reason = "rustc knows of no other that the index is in bounds"
    )]
    fn rounds_beside<const BYTES: usize>(
        &self,
        x: &mut [V; STEP],
        hash: &mut V,
        hashed: &[u8; BYTES],
        added: &[V; STEP / 2],
    ) -> [&'a Block; 2] {
        // Kept in registers, of which there are sixteen, round keys would displace blocks.
        let keys = unseen(self.keys);
        let key = |r: usize| V::splat(self.cpu, &keys[r]);
        let load = |i: usize| {
            let mut data = V::load(self.cpu, vector::<V>(hashed, i)).reverse();
            // LLVM would merge this shuffle with later ones into more of them.
            data.keep_order();
            data
        };
        let mut sum = Sum::zero(self.cpu);
        unroll!(r in 1 2 3 4 5 6 7 8 9 => {
            let (before, key) = (key(r - 1), key(r));
            for i in 0..STEP {
                x[i] = x[i].round(before, key);
            }
            // The product that depends on the hash comes last.
            let i = r % STEP;
            if V::TWO_AT_ONCE && r % 2 == 0 {
                let mut data = [load(i), load(i + 1)];
                if i == 0 {
                    data[0] = data[0].xor(*hash);
                }
                let powers = [i, i + 1].map(|i| self.powers(i * V::LANES));
                sum.add_two(data, powers, added[i / 2]);
            } else if !V::TWO_AT_ONCE && r <= STEP {
                let mut data = load(i);
                if i == 0 {
                    data = data.xor(*hash);
                }
                sum.add(data, self.powers(i * V::LANES));
            }
        });
        // Keys by constant indices: a variable index would be checked.
        let mut last = [&keys[9], &keys[10]];
        if self.rounds > 10 {
            two_rounds(x, [key(9), key(10), key(11)]);
            last = [&keys[11], &keys[12]];
            if self.rounds > 12 {
                two_rounds(x, [key(11), key(12), key(13)]);
                last = [&keys[13], &keys[14]];
            }
        }
        *hash = sum.whole().reduce().sum_lanes();
        last
    }
}

/// Two more rounds, given the key before them and theirs.
#[inline(always)]
fn two_rounds<V: Blocks>(x: &mut [V; STEP], keys: [V; 3]) {
    for r in 1..3 {
        let (before, key) = (keys[r - 1], keys[r]);
        for i in 0..STEP {
            x[i] = x[i].round(before, key);
        }
    }
}
