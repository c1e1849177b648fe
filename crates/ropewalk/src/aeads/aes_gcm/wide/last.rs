//! The rest of a message after whole steps: all of a short one.

use super::{super::Nonce, Counter, Pass, STEP, Sum, blocks, vector, vector_mut};
use crate::{
    aes::middle_rounds,
    core::{block::Block, simd::Blocks, text::Text},
};

/// Whether texts of four vectors and more use a loop: not measured on other architectures.
const LOOPS: bool = cfg!(target_arch = "x86_64");

/// The state of the hash.
pub(super) struct Hashed<V> {
    pub(super) sum: Sum<V>,
    /// The value to be added to the next block.
    pub(super) hash: V,
    /// The power for that block.
    pub(super) at: usize,
}

/// The rest of a text after its whole vectors, and the state after these.
struct Left<'t, V> {
    text: Text<'t>,
    /// The key stream for the rest.
    rest: V,
    /// The encrypted block that masks the tag.
    pad: V,
    hashed: Hashed<V>,
}

impl<V: Blocks, const T: usize> Pass<'_, V, T> {
    /// Encrypts or decrypts up to `MOST` vectors, and returns the tag. If they are a whole message (`SHORT`), more numbers of
    /// vectors are unrolled.
    #[inline(always)]
    pub(super) fn last<const MOST: usize, const SHORT: bool>(
        &self,
        counter: Counter<V>,
        mut hashed: Hashed<V>,
        text: Text<'_>,
        lengths: u128,
        open: bool,
    ) -> V {
        // Data to be opened can be hashed before the cipher.
        if open {
            self.hash_vectors(&mut hashed, text.input());
        }
        let fits = |vectors: usize| text.len() < 16 * (vectors + 1) * V::LANES - 15;
        let left = if V::LANES > 1 && fits(0) {
            self.some::<0>(counter, hashed, text, open)
        } else if (SHORT || V::LANES == 1) && fits(1) {
            self.some::<1>(counter, hashed, text, open)
        } else if V::LANES > 1 && fits(2) {
            self.some::<2>(counter, hashed, text, open)
        } else if SHORT && (MOST == 4 || fits(4)) {
            self.some::<4>(counter, hashed, text, open)
        } else {
            self.some::<STEP>(counter, hashed, text, open)
        };
        self.finish(left, lengths, open)
    }

    /// The index of the powers for the last blocks and the lengths. If these would need one power too many, the lengths are
    /// hashed after the blocks.
    #[inline(always)]
    pub(super) fn first_power(&self, text: &Text<'_>) -> usize {
        Self::STEP_BLOCKS.saturating_sub(blocks(text.len()) + 1)
    }

    /// Encrypts or decrypts the whole vectors of a text, which are at most `N`, and hashes them if they are sealed.
    #[inline(always)]
    fn some<'t, const N: usize>(
        &self,
        counter: Counter<V>,
        mut hashed: Hashed<V>,
        mut text: Text<'t>,
        open: bool,
    ) -> Left<'t, V> {
        let (mut x, mut end) = counter.last::<N>(self.cpu);
        let [before, last] = self.rounds(&mut x, &mut end).map(|key| V::splat(self.cpu, key));
        for i in 0..N {
            x[i] = x[i].last_round(before, last);
        }
        let end = end.last_round(before, last);
        let pad = end.last_lane();
        let rest = if N < STEP || !LOOPS {
            self.whole(x, end, &mut text, (!open).then_some(&mut hashed))
        } else {
            // So many are hashed in a loop, from where they have been stored.
            let mut whole = text.take(text.len() / (16 * V::LANES) * (16 * V::LANES));
            let rest = self.whole(x, end, &mut whole.reborrow(), None);
            if !open {
                self.hash_vectors(&mut hashed, whole.output());
            }
            rest
        };
        Left { text, rest, pad, hashed }
    }

    /// XORs a key stream into the whole vectors of a text, which then starts behind them, and hashes the result. Returns the key
    /// stream for the rest of it.
    #[inline(always)]
    fn whole<const N: usize>(
        &self,
        x: [V; N],
        end: V,
        text: &mut Text<'_>,
        mut hashed: Option<&mut Hashed<V>>,
    ) -> V {
        // Unrolled, so that each has a register of its own. (The additions of zero keep LLVM from a computed index into memory.)
        unroll!(i in 0 1 2 3 4 5 6 7 => if i < N {
            if text.len() < 16 * V::LANES {
                return x[i].xor(V::zero(self.cpu));
            }
            let mut piece = text.take(16 * V::LANES);
            let input = V::load(self.cpu, vector::<V>(piece.input(), 0));
            let output = x[i].xor(input);
            output.store(vector_mut::<V>(piece.output(), 0));
            if let Some(Hashed { sum, hash, at }) = &mut hashed {
                sum.add(output.reverse().xor(*hash), self.powers(*at));
                *hash = V::zero(self.cpu);
                *at += V::LANES;
            }
        });
        end
    }

    /// All rounds but the last. Returns the two keys for that.
    #[inline(always)]
    fn rounds<const N: usize>(&self, x: &mut [V; N], end: &mut V) -> [&Block; 2] {
        if N > 4 {
            // Sealed data can be hashed only after its last round: one half gets there first.
            let (first, others) = x.split_at_mut(N / 2);
            self.looped_rounds(first, &mut V::zero(self.cpu));
            return self.looped_rounds(others, end);
        }
        if N > 2 && LOOPS {
            return self.looped_rounds(x, end);
        }
        let key = |r: usize| self.key(r);
        middle_rounds!(self.rounds; r => {
            for i in 0..N {
                x[i] = x[i].round(key(r - 1), key(r));
            }
            *end = end.round(key(r - 1), key(r));
        });
        [&self.keys[self.rounds.wrapping_sub(1) % 15], &self.keys[14]]
    }

    /// Encrypts or decrypts less than a vector, hashes that and the lengths, and returns the tag: shared by all numbers of
    /// vectors.
    #[inline(always)]
    fn finish(&self, left: Left<'_, V>, lengths: u128, open: bool) -> V {
        let Left { mut text, rest, pad, hashed: Hashed { mut sum, mut hash, mut at } } = left;
        if text.len() > 0 {
            let input = self.load_part(text.input());
            let output = rest.xor(input);
            let mut hashed = input;
            if !open {
                hashed = self.first_bytes(output, text.len());
                // A jump, so that opened data does not wait for the cipher.
                hashed.keep_order();
            }
            self.store_part(output, text.output());
            let hashed = hashed.reverse().xor(hash);
            // The lengths are hashed together with the last block if there is a lane for them.
            if text.len() <= 16 * (V::LANES - 1) {
                sum.add(hashed.with_last(V::from_numbers(self.cpu, [lengths; 2])), self.powers(at));
                return sum.reduce().sum_lanes().reverse().xor(pad);
            }
            sum.add(hashed, self.powers(at));
            hash = V::zero(self.cpu);
            at += blocks(text.len());
        }
        if at == Self::STEP_BLOCKS {
            hash = sum.reduce().sum_lanes();
            sum = Sum::zero(self.cpu);
        }
        self.tag(sum, hash, lengths, pad)
    }

    /// The tag, with the lengths hashed separately.
    #[inline(always)]
    fn tag(&self, mut sum: Sum<V>, hash: V, lengths: u128, pad: V) -> V {
        sum.add(self.first_lane(lengths).xor(hash), self.powers(Self::STEP_BLOCKS - 1));
        sum.reduce().sum_lanes().reverse().xor(pad)
    }

    /// The tag of a message without a text, of which all but the lengths has been hashed.
    #[inline(always)]
    pub(super) fn mac(&self, nonce: &Nonce, hash: V, lengths: u128) -> V {
        let (mut x, mut end) = Counter::new(self.cpu, nonce, self.key(0)).last::<0>(self.cpu);
        let [before, last] = self.rounds(&mut x, &mut end).map(|key| V::splat(self.cpu, key));
        let pad = end.last_round(before, last).last_lane();
        self.tag(Sum::zero(self.cpu), hash, lengths, pad)
    }
}
