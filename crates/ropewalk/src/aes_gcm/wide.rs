//! AES-GCM on vectors of one or two blocks: one kernel for several instruction sets.
//!
//! The text goes in steps of eight vectors. Between the rounds of a step, the vectors of the step
//! before are hashed: ciphers and products run on different ports, and neither waits for the other.
//!
//! Blocks are hashed byte-reversed and the key multiplied by x, so that products need no bit
//! reflection: a·b·x^-128 modulo x^128 + x^127 + x^126 + x^121 + 1, as RFC 8452 defines POLYVAL.

use core::hint::black_box;

use super::Nonce;
use crate::{
    aes::{Block, RoundKeys},
    simd::{Blocks, load_12, load_short, store_short},
    text::Text,
};

/// Vectors in a step.
const STEP: usize = 8;

/// The round keys, and the powers of the hash key H: as many as a step has blocks, the highest first.
/// A block more for each lane but one lets a vector be loaded from the last.
pub(super) struct Key<const T: usize> {
    pub(super) keys: RoundKeys,
    powers: [Block; T],
}

impl<const T: usize> Key<T> {
    #[inline(always)]
    pub(super) fn new<V: Blocks>(cpu: V::Cpu, keys: RoundKeys) -> Self {
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
        // As many powers at once as there are already; `top` is the highest of them in each lane. All
        // stay in registers: a vector would wait for powers that were stored one by one.
        let mut vectors = [first; STEP];
        let mut done = 1;
        while done < STEP {
            for i in 0..done {
                vectors[done + i] = mul(cpu, vectors[i], top);
            }
            top = mul(cpu, top, top);
            done *= 2;
        }
        let mut powers = [[0; 16]; T];
        for i in 0..STEP {
            vectors[i].store(&mut powers[(STEP - 1 - i) * V::LANES..]);
        }
        Self { keys, powers }
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
pub(super) fn times_x(v: u128) -> u128 {
    const POLY: u128 = 0xc200_0000_0000_0000_0000_0000_0000_0001;
    let carry = (v >> 127).wrapping_neg();
    v << 1 ^ carry & POLY
}

/// Writes the backend of an instruction set.
macro_rules! wide {
    ($Backend:ident needs $Cpu:ident: $V:ident of $L:literal, $expand:path, $ctr:path) => {
        pub(in crate::aes_gcm) struct $Backend {
            cpu: crate::cpu::$Cpu,
            key: Key<{ 9 * $L - 1 }>,
        }

        impl Aead for $Backend {
            fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
                let Self { cpu, key } = self;
                proven!($Cpu: *cpu, fn enter(cpu: &crate::cpu::$Cpu, key: &Key<{ 9 * $L - 1 }>, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) -> () {
                    crypt::<$V, { 9 * $L - 1 }, false>(*cpu, key, nonce, aad, text, tag)
                });
            }

            fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
                let Self { cpu, key } = self;
                proven!($Cpu: *cpu, fn enter(cpu: &crate::cpu::$Cpu, key: &Key<{ 9 * $L - 1 }>, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) -> () {
                    crypt::<$V, { 9 * $L - 1 }, true>(*cpu, key, nonce, aad, text, tag)
                });
            }
        }

        impl Parts for $Backend {
            fn ctr(&self, counter: &Block, text: Text<'_>) {
                let RoundKeys { keys, rounds } = &self.key.keys;
                proven!($Cpu: self.cpu, fn enter(keys: &[Block; 15], rounds: &usize, counter: &Block, text: Text<'_>) -> () {
                    $ctr(keys, *rounds, counter, text)
                });
            }

            fn absorb(&self, hash: &mut Block, data: &[u8]) {
                let Self { cpu, key } = self;
                proven!($Cpu: *cpu, fn enter(cpu: &crate::cpu::$Cpu, key: &Key<{ 9 * $L - 1 }>, hash: &mut Block, data: &[u8]) -> () {
                    absorb::<$V, { 9 * $L - 1 }>(*cpu, key, hash, data)
                });
            }

            fn rekey(&mut self, secret: &[u8]) {
                self.key = Self::new(self.cpu, secret).key;
            }
        }

        impl $Backend {
            #[inline]
            pub(in crate::aes_gcm) fn new(cpu: crate::cpu::$Cpu, secret: &[u8]) -> Self {
                let key = proven!($Cpu: cpu, fn enter(cpu: crate::cpu::$Cpu, secret: &[u8]) -> Key<{ 9 * $L - 1 }> {
                    Key::new::<$V>(cpu, $expand(secret))
                });
                Self { cpu, key }
            }
        }
    };
}
pub(super) use wide;

/// Encrypts or decrypts, and makes the tag.
#[inline(always)]
pub(super) fn crypt<V: Blocks, const T: usize, const OPEN: bool>(
    cpu: V::Cpu,
    key: &Key<T>,
    nonce: &Nonce,
    aad: &[u8],
    text: Text<'_>,
    tag: &mut Block,
) {
    let Key { keys: RoundKeys { keys, rounds }, powers } = key;
    let pass = Pass::<V, T> { cpu, keys, rounds: *rounds, powers };
    *tag = pass.crypt::<OPEN>(nonce, aad, text).numbers()[0].to_le_bytes();
}

/// GHASH goes on.
#[inline(always)]
pub(super) fn absorb<V: Blocks, const T: usize>(
    cpu: V::Cpu,
    key: &Key<T>,
    hash: &mut Block,
    data: &[u8],
) {
    let Key { keys: RoundKeys { keys, rounds }, powers } = key;
    let pass = Pass::<V, T> { cpu, keys, rounds: *rounds, powers };
    let before = pass.first_lane(u128::from_be_bytes(*hash));
    *hash = pass.absorb(before, data).numbers()[0].to_be_bytes();
}

/// What the parts of a pass over a message share.
struct Pass<'a, V: Blocks, const T: usize> {
    cpu: V::Cpu,
    keys: &'a [Block; 15],
    /// 10, 12 or 14: not a constant, which would make three kernels of one.
    rounds: usize,
    powers: &'a [Block; T],
}

impl<V: Blocks, const T: usize> Pass<'_, V, T> {
    /// Blocks in a step.
    const STEP_BLOCKS: usize = STEP * V::LANES;

    /// The tag, in the first lane.
    #[inline(always)]
    fn crypt<const OPEN: bool>(&self, nonce: &Nonce, aad: &[u8], mut text: Text<'_>) -> V {
        let lengths = ((8 * aad.len() as u128) << 64) | (8 * text.len() as u128);
        let mut counter = Counter::new(self.cpu, nonce, V::splat(self.cpu, &self.keys[0]));
        let mut hash = V::zero(self.cpu);
        let mut sum = Sum::zero(self.cpu);

        let aad_blocks = aad.len().div_ceil(16);
        let in_one = text.len() < 16 * Self::STEP_BLOCKS
            && aad_blocks + text.len().div_ceil(16) < Self::STEP_BLOCKS;
        if !in_one {
            hash = self.absorb(hash, aad);
        }
        if text.len() >= 16 * Self::STEP_BLOCKS {
            let none = [hash; STEP];
            let mut behind = self.step::<OPEN, false>(&mut counter, &mut text, none, &mut hash);
            while text.len() >= 16 * Self::STEP_BLOCKS {
                behind = self.step::<OPEN, true>(&mut counter, &mut text, behind, &mut hash);
            }
            behind[0] = behind[0].xor(hash);
            let mut sum = Sum::zero(self.cpu);
            for i in 0..STEP {
                sum.add(behind[i], self.powers(i * V::LANES));
            }
            hash = sum.reduce().sum_lanes();
        }
        let text_blocks = text.len().div_ceil(16);
        // Where the blocks to come and the lengths would need one power too many, they do not wait
        // for each other.
        let mut at = Self::STEP_BLOCKS.saturating_sub(text_blocks + 1);
        if in_one {
            at = self.add_data(&mut sum, at - aad_blocks, hash, aad);
        }
        match text_blocks.div_ceil(V::LANES) {
            0 => self.finish::<OPEN, 0>(&mut counter, text, sum, at, hash, lengths),
            1 => self.finish::<OPEN, 1>(&mut counter, text, sum, at, hash, lengths),
            2 => self.finish::<OPEN, 2>(&mut counter, text, sum, at, hash, lengths),
            3..=4 => self.finish::<OPEN, 4>(&mut counter, text, sum, at, hash, lengths),
            _ => self.finish::<OPEN, STEP>(&mut counter, text, sum, at, hash, lengths),
        }
    }

    /// Encrypts or decrypts eight vectors, hashes the eight `behind`, and returns those to hash next.
    #[inline(always)]
    fn step<const OPEN: bool, const HASH: bool>(
        &self,
        counter: &mut Counter<V>,
        text: &mut Text<'_>,
        mut behind: [V; STEP],
        hash: &mut V,
    ) -> [V; STEP] {
        let mut piece = text.take(16 * Self::STEP_BLOCKS);
        // Kept in registers, of which there are sixteen, round keys drive out blocks.
        let keys = black_box(self.keys);
        let key = |r: usize| V::splat(self.cpu, &keys[r]);
        let mut sum = Sum::zero(self.cpu);
        let mut x = counter.next::<STEP>(self.cpu);
        unroll!(r in 1 2 3 4 5 6 7 8 9 => {
            let (before, key) = (key(r - 1), key(r));
            for i in 0..STEP {
                x[i] = x[i].round(before, key);
            }
            if HASH && r <= STEP {
                // The one that waits for the hash comes last.
                let i = r % STEP;
                if i == 0 {
                    behind[0] = behind[0].xor(*hash);
                }
                sum.add(behind[i], self.powers(i * V::LANES));
            }
        });
        for r in 10..self.rounds {
            let (before, key) = (key(r - 1), key(r));
            for i in 0..STEP {
                x[i] = x[i].round(before, key);
            }
        }
        if HASH {
            *hash = sum.reduce().sum_lanes();
        }
        let (before, last) = (key(self.rounds - 1), key(self.rounds));
        for i in 0..STEP {
            let input = V::load(self.cpu, vector::<V>(piece.input(), i));
            let output = x[i].last_round_onto(before, last, input);
            output.store(vector_mut::<V>(piece.output(), i));
            x[i] = if OPEN { input } else { output }.reverse();
        }
        x
    }

    /// Encrypts or decrypts up to `N` vectors, the last of which may be short, hashes them and the
    /// lengths, and returns the tag.
    #[inline(always)]
    fn finish<const OPEN: bool, const N: usize>(
        &self,
        counter: &mut Counter<V>,
        mut text: Text<'_>,
        mut sum: Sum<V>,
        mut at: usize,
        mut hash: V,
        lengths: u128,
    ) -> V {
        let key = |r: usize| V::splat(self.cpu, &self.keys[r]);
        let (mut x, mut pad) = (counter.next::<N>(self.cpu), counter.first(self.cpu));
        for r in 1..self.rounds {
            let (before, key) = (key(r - 1), key(r));
            for i in 0..N {
                x[i] = x[i].round(before, key);
            }
            pad = pad.round(before, key);
        }
        let (before, last) = (key(self.rounds - 1), key(self.rounds));
        let pad = pad.last_round(before, last);
        for i in 0..N {
            x[i] = x[i].last_round(before, last);
        }
        // Whole vectors one by one, each from a register of its own, and what is left of the text.
        let rest = 'whole: {
            unroll!(i in 0 1 2 3 4 5 6 7 => if i < N {
                if text.len() < 16 * V::LANES {
                    break 'whole x[i];
                }
                let mut piece = text.take(16 * V::LANES);
                let input = V::load(self.cpu, vector::<V>(piece.input(), 0));
                let output = x[i].xor(input);
                output.store(vector_mut::<V>(piece.output(), 0));
                let hashed = if OPEN { input } else { output };
                sum.add(hashed.reverse().xor(hash), self.powers(at));
                hash = V::zero(self.cpu);
                at += V::LANES;
            });
            V::zero(self.cpu)
        };
        if text.len() > 0 {
            let input = self.load_part(text.input());
            let output = store_part(rest.xor(input), text.output());
            let hashed = if OPEN { input } else { V::from_numbers(self.cpu, output) };
            sum.add(hashed.reverse().xor(hash), self.powers(at));
            hash = V::zero(self.cpu);
            at += text.len().div_ceil(16);
        }
        if at == Self::STEP_BLOCKS {
            hash = sum.reduce().sum_lanes();
            sum = Sum::zero(self.cpu);
        }
        sum.add(self.first_lane(lengths).xor(hash), self.powers(Self::STEP_BLOCKS - 1));
        sum.reduce().sum_lanes().reverse().xor(pad)
    }

    /// The hash after more data, given the one before.
    #[inline(always)]
    fn absorb(&self, mut hash: V, data: &[u8]) -> V {
        for piece in data.chunks(16 * Self::STEP_BLOCKS) {
            let mut sum = Sum::zero(self.cpu);
            self.add_data(&mut sum, Self::STEP_BLOCKS - piece.len().div_ceil(16), hash, piece);
            hash = sum.reduce().sum_lanes();
        }
        hash
    }

    /// Adds the products of data with the powers from `at` on, which must suffice, and returns where
    /// they end.
    #[inline(always)]
    fn add_data(&self, sum: &mut Sum<V>, mut at: usize, mut hash: V, data: &[u8]) -> usize {
        for part in data.chunks(16 * V::LANES) {
            let block = if part.len() == 16 * V::LANES {
                V::load(self.cpu, part.as_chunks().0)
            } else {
                self.load_part(part)
            };
            sum.add(block.reverse().xor(hash), self.powers(at));
            hash = V::zero(self.cpu);
            at += part.len().div_ceil(16);
        }
        at
    }

    /// The powers from there on.
    #[inline(always)]
    fn powers(&self, at: usize) -> V {
        V::load(self.cpu, &self.powers[at..])
    }

    /// A block, and zeros.
    #[inline(always)]
    fn first_lane(&self, block: u128) -> V {
        V::from_numbers(self.cpu, [block, 0])
    }

    /// Less than a vector, and zeros.
    #[inline(always)]
    fn load_part(&self, bytes: &[u8]) -> V {
        let mut numbers = [0; 2];
        for (number, block) in numbers.iter_mut().zip(bytes.chunks(16)) {
            *number = match block.try_into() {
                Ok(block) => u128::from_le_bytes(block),
                Err(_) => load_short(block),
            };
        }
        V::from_numbers(self.cpu, numbers)
    }
}

/// Stores as much of a vector as there is room for, and returns that and zeros.
#[inline(always)]
fn store_part<V: Blocks>(v: V, bytes: &mut [u8]) -> [u128; 2] {
    let mut stored = [0; 2];
    for ((to, from), block) in stored.iter_mut().zip(v.numbers()).zip(bytes.chunks_mut(16)) {
        *to = from & u128::MAX >> (128 - 8 * block.len());
        match <&mut Block>::try_from(&mut *block) {
            Ok(block) => *block = from.to_le_bytes(),
            Err(_) => store_short(block, from),
        }
    }
    stored
}

/// The blocks of a text from vector `i` on.
#[inline(always)]
fn vector<V: Blocks>(bytes: &[u8], i: usize) -> &[Block] {
    &bytes.as_chunks().0[i * V::LANES..]
}

#[inline(always)]
fn vector_mut<V: Blocks>(bytes: &mut [u8], i: usize) -> &mut [Block] {
    &mut bytes.as_chunks_mut().0[i * V::LANES..]
}

/// Counter blocks, with what AES adds first. Those of a step differ in their last four or five bits,
/// so one vector and constants make them; the first counter of a text is 2.
struct Counter<V> {
    /// Counter 0 in each lane.
    nonce: V,
    /// The same with the blocks of the steps before.
    base: V,
    count: u32,
}

impl<V: Blocks> Counter<V> {
    #[inline(always)]
    fn new(cpu: V::Cpu, nonce: &Nonce, first_key: V) -> Self {
        let nonce = V::from_numbers(cpu, [load_12(nonce); 2]).whiten(first_key);
        Self { nonce, base: nonce, count: 0 }
    }

    /// Counter 1 in each lane.
    #[inline(always)]
    fn first(&self, cpu: V::Cpu) -> V {
        self.nonce.xor(V::splat(cpu, &COUNTS[1]))
    }

    /// The next `N` vectors: of a whole step, the last two blocks are beyond what its counters share.
    #[inline(always)]
    fn next<const N: usize>(&mut self, cpu: V::Cpu) -> [V; N] {
        let mut x = [self.base; N];
        if N == STEP {
            self.count += (STEP * V::LANES) as u32;
            let count = u128::from(self.count.swap_bytes()) << 96;
            self.base = self.nonce.xor(V::from_numbers(cpu, [count; 2]));
        }
        for i in 0..N {
            let (base, from) = match 2 + i * V::LANES {
                from if from < STEP * V::LANES => (x[i], from),
                from => (self.base, from - STEP * V::LANES),
            };
            x[i] = base.xor(V::load(cpu, &COUNTS[from..]));
        }
        x
    }
}

/// Blocks that are their own index.
static COUNTS: [Block; 18] = {
    let mut counts = [[0; 16]; 18];
    let mut i = 0;
    while i < counts.len() {
        counts[i][15] = i as u8;
        i += 1;
    }
    counts
};

/// A sum of products, not reduced: its parts at x^0, x^64 and x^128.
#[derive(Clone, Copy)]
struct Sum<V> {
    parts: [V; 3],
}

impl<V: Blocks> Sum<V> {
    #[inline(always)]
    fn zero(cpu: V::Cpu) -> Self {
        Self { parts: [V::zero(cpu); 3] }
    }

    /// Adds a·b in each lane.
    #[inline(always)]
    fn add(&mut self, a: V, b: V) {
        self.parts = V::add_product(self.parts, a, b);
    }

    /// Divides by x^128: two folds of 64 bits, and the middle part joins where the first lands.
    #[inline(always)]
    fn reduce(self) -> V {
        let [low, middle, high] = self.parts;
        low.fold(middle).fold(high)
    }
}
