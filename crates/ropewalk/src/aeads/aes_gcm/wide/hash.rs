//! GHASH of AES-GCM on vectors (SP 800-38D, section 6.4): its key, and sums of products with powers of it.

#[cfg(target_arch = "x86_64")]
use super::super::lanes::LaneKey;
use super::{Pass, STEP, blocks, last::Hashed};
use crate::{
    aes::RoundKeys,
    core::{
        block::{Block, load_short, store_short},
        simd::Blocks,
    },
};

/// The round keys, and the powers of the hash key H: as many as a step has blocks, the highest first. Padding of one block for
/// each lane but one allows vector loads from the last.
#[derive(Clone)]
pub(in crate::aeads::aes_gcm) struct Key<const T: usize> {
    pub(in crate::aeads::aes_gcm) keys: RoundKeys,
    pub(super) powers: [Block; T],
}

impl<const T: usize> Key<T> {
    /// The parts of a key that lanes use, if there are enough powers.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(in crate::aeads::aes_gcm) fn lane_key<const P: usize>(&self) -> Option<LaneKey<'_, P>> {
        let Self { keys: RoundKeys { keys, rounds }, powers } = self;
        Some(LaneKey { keys, rounds: *rounds, powers: powers.first_chunk()? })
    }

    /// Space for a key.
    #[inline(always)]
    pub(in crate::aeads::aes_gcm) fn none() -> Self {
        Self { keys: RoundKeys::none(), powers: [[0; 16]; T] }
    }

    /// The place of its round keys: zeros.
    #[inline(always)]
    pub(in crate::aeads::aes_gcm) fn place(&mut self) -> &mut [Block; 15] {
        self.keys.keys = [[0; 16]; 15];
        &mut self.keys.keys
    }

    /// Computes the powers from the round keys.
    #[inline(always)]
    pub(in crate::aeads::aes_gcm) fn set_powers<V: Blocks>(&mut self, cpu: V::Cpu) {
        let Self { keys, powers } = self;
        let key = |r: usize| V::splat(cpu, &keys.keys[r]);
        let mut h = V::zero(cpu).whiten(key(0));
        for r in 1..keys.rounds {
            h = h.round(key(r - 1), key(r));
        }
        let [h, ..] = h.last_round(key(keys.rounds - 1), key(keys.rounds)).reverse().numbers();
        let h = times_x(h);
        let h1 = V::from_numbers(cpu, [h; 2]);
        let (first, mut top) = match V::LANES {
            1 => (h1, h1),
            _ => {
                let h2 = mul(cpu, h1, h1);
                (V::from_numbers(cpu, [h2.numbers()[0], h]), h2)
            }
        };
        // Each pass computes as many powers as there are already; `top` is the highest of them in each lane. All stay in
        // registers: a vector load would stall on powers that were stored singly.
        let mut vectors = [first; STEP];
        let mut done = 1;
        while done < STEP {
            for i in 0..done {
                vectors[done + i] = mul(cpu, vectors[i], top);
            }
            top = mul(cpu, top, top);
            done *= 2;
        }
        for i in 0..STEP {
            vectors[i].store(&mut powers[(STEP - 1 - i) * V::LANES..]);
        }
    }
}

/// a·b in each lane.
#[inline(always)]
fn mul<V: Blocks>(cpu: V::Cpu, a: V, b: V) -> V {
    let mut sum = Sum::zero(cpu);
    sum.add(a, b);
    sum.reduce()
}

/// The product by x, in constant time.
pub(in crate::aeads::aes_gcm) fn times_x(v: u128) -> u128 {
    const POLY: u128 = 0xc200_0000_0000_0000_0000_0000_0000_0001;
    let carry = (v >> 127).wrapping_neg();
    v << 1 ^ carry & POLY
}

impl<V: Blocks, const T: usize> Pass<'_, V, T> {
    /// The hash after more data, given the one before.
    #[inline(always)]
    pub(super) fn absorb(&self, hash: V, data: &[u8]) -> V {
        let (groups, rest) = data.split_at(data.len() - data.len() % (16 * Self::STEP_BLOCKS));
        let mut hash = hash;
        if !groups.is_empty() {
            hash = hash.hash_groups(self.cpu, groups.as_chunks().0, self.powers);
        }
        if !rest.is_empty() {
            let mut sum = Sum::zero(self.cpu);
            self.add_data(&mut sum, Self::STEP_BLOCKS - blocks(rest.len()), hash, rest);
            hash = sum.reduce().sum_lanes();
        }
        hash
    }

    /// The products of additional data of at most a step, or a vector if `SHORT`, before a text whose first power is `at`.
    #[inline(always)]
    pub(super) fn hash_aad<const SHORT: bool>(&self, aad: &[u8], at: usize) -> Hashed<V> {
        let zero = V::zero(self.cpu);
        let mut hashed = Hashed { sum: Sum::zero(self.cpu), hash: zero, at };
        if !aad.is_empty() {
            // Where the powers before the text do not suffice, it is reduced separately.
            let (before, alone) = (blocks(aad.len()), at < blocks(aad.len()));
            hashed.at = if alone { Self::STEP_BLOCKS } else { at }.wrapping_sub(before);
            let mut last = aad;
            if !SHORT {
                let vectors;
                (vectors, last) = aad.split_at(aad.len() / (16 * V::LANES) * (16 * V::LANES));
                self.hash_vectors(&mut hashed, vectors);
            }
            if SHORT || !last.is_empty() {
                hashed.sum.add(self.load_data(last).reverse(), self.powers(hashed.at));
            }
            if alone {
                hashed.hash = hashed.sum.reduce().sum_lanes();
                hashed.sum = Sum::zero(self.cpu);
            }
            hashed.at = at;
        }
        hashed
    }

    /// Adds the products of whole vectors.
    #[inline(always)]
    pub(super) fn hash_vectors(&self, Hashed { sum, hash, at }: &mut Hashed<V>, data: &[u8]) {
        for vector in data.chunks_exact(16 * V::LANES) {
            let data = V::load(self.cpu, vector.as_chunks().0).reverse();
            sum.add(data.xor(*hash), self.powers(*at));
            *hash = self.nothing();
            *at += V::LANES;
        }
    }

    /// Adds the products of data with the powers from `at` on, which must suffice.
    #[inline(always)]
    pub(super) fn add_data(&self, sum: &mut Sum<V>, mut at: usize, mut hash: V, data: &[u8]) {
        for part in data.chunks(16 * V::LANES) {
            sum.add(self.load_data(part).reverse().xor(hash), self.powers(at));
            hash = self.nothing();
            at += blocks(part.len());
        }
    }

    /// The addend of all blocks of a loop but the first, opaque: otherwise LLVM would peel the first iteration.
    #[inline(always)]
    fn nothing(&self) -> V {
        let mut zero = V::zero(self.cpu);
        zero.keep_order();
        zero
    }

    /// Up to a vector, padded with zeros.
    #[inline(always)]
    pub(super) fn load_data(&self, bytes: &[u8]) -> V {
        match bytes.as_chunks().0 {
            blocks if blocks.len() >= V::LANES => V::load(self.cpu, blocks),
            _ => self.load_part(bytes),
        }
    }

    /// The powers from `at` on, which is before the end. The remainder changes nothing, and takes fewer instructions than a
    /// bounds check.
    #[inline(always)]
    pub(super) fn powers(&self, at: usize) -> V {
        V::load(self.cpu, &self.powers[at % Self::STEP_BLOCKS..])
    }

    /// A block, padded with zeros.
    #[inline(always)]
    pub(super) fn first_lane(&self, block: u128) -> V {
        V::from_numbers(self.cpu, [block, 0])
    }

    /// Less than a vector, padded with zeros.
    #[inline(always)]
    pub(super) fn load_part(&self, bytes: &[u8]) -> V {
        let (first, rest) = match bytes.split_first_chunk() {
            Some((first, [])) => return self.first_lane(u128::from_le_bytes(*first)),
            Some((first, rest)) if V::LANES > 1 => (Some(first), rest),
            _ => (None, bytes),
        };
        let number = load_short(rest);
        match first {
            Some(first) => V::from_numbers(self.cpu, [u128::from_le_bytes(*first), number]),
            None => self.first_lane(number),
        }
    }

    /// The first bytes of a vector, padded with zeros.
    #[inline(always)]
    pub(super) fn first_bytes(&self, v: V, len: usize) -> V {
        v.and(V::load(self.cpu, KEEP[32 - len..].as_chunks().0))
    }

    /// Stores as much of a vector as there is room for.
    #[inline(always)]
    pub(super) fn store_part(&self, v: V, bytes: &mut [u8]) {
        let [low, high] = v.numbers();
        let (number, rest) = match bytes.split_first_chunk_mut() {
            Some((block, rest)) => {
                *block = low.to_le_bytes();
                if rest.is_empty() || V::LANES == 1 {
                    return;
                }
                (high, rest)
            }
            None => (low, bytes),
        };
        store_short(rest, number);
    }
}

/// From index 32 less a length on, a mask of that many bytes.
static KEEP: [u8; 64] = {
    let mut keep = [0; 64];
    let mut i = 0;
    while i < 32 {
        keep[i] = u8::MAX;
        i += 1;
    }
    keep
};

/// A sum of products, not reduced: its parts at x^0, x^64 and x^128.
#[derive(Clone, Copy)]
pub(super) struct Sum<V> {
    parts: [V; 3],
}

impl<V: Blocks> Sum<V> {
    #[inline(always)]
    pub(super) fn zero(cpu: V::Cpu) -> Self {
        Self { parts: [V::zero(cpu); 3] }
    }

    /// Adds a·b in each lane.
    #[inline(always)]
    pub(super) fn add(&mut self, a: V, b: V) {
        self.parts = V::add_product(self.parts, a, b);
    }

    /// Adds the products of two vectors, as [`Blocks::add_two_products`] does.
    #[inline(always)]
    pub(super) fn add_two(&mut self, a: [V; 2], b: [V; 2], added: V) {
        self.parts = V::add_two_products(self.parts, a, b, added);
    }

    /// Completes the middle part after `add_two`.
    #[inline(always)]
    pub(super) fn whole(self) -> Self {
        Self { parts: V::whole_middle(self.parts) }
    }

    /// Divides by x^128: two folds of 64 bits. The middle part is added where the first fold lands.
    #[inline(always)]
    pub(super) fn reduce(self) -> V {
        let [low, middle, high] = self.parts;
        low.fold(middle).fold(high)
    }
}
