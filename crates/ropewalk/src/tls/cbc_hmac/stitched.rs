//! The cipher and the hash function interleaved in one instruction stream.
//!
//! When sealing, both are dependency chains that leave most of the processor idle: four blocks of the cipher take about as long
//! as one of the hash. When opening, blocks of the cipher are independent, and later ones are decrypted during the latency of the
//! hash function.

use super::seal::{AHEAD, DECRYPTED, RecordBlocks, Sequential};
use crate::{
    aes::{RoundKeys, Rounds, aes_cbc::Cbc},
    core::{
        beside::Beside,
        block::Block,
        opaque::unseen,
        simd::{Blocks, each},
        text::{Piece, Text},
    },
    hashes::{interleaved::Interleaved, merkle_damgard::CompressionFunction},
};

/// A cipher with keys for AES instructions.
pub(super) trait ScheduledCbc: Cbc {
    /// The keys for encryption, and those for decryption.
    fn keys(&self) -> &[RoundKeys; 2];
}

#[cfg(target_arch = "x86_64")]
impl ScheduledCbc for crate::aes::aes_cbc::x86_64::aesni::Aesni {
    #[inline(always)]
    fn keys(&self) -> &[RoundKeys; 2] {
        self.keys()
    }
}

#[cfg(target_arch = "aarch64")]
impl ScheduledCbc for crate::aes::aes_cbc::aarch64::aes::Aes {
    #[inline(always)]
    fn keys(&self) -> &[RoundKeys; 2] {
        self.keys()
    }
}

/// Interleaved, with the instructions for vectors of one block.
pub(super) struct Stitched<'k, V: Blocks, C, H> {
    cpu: V::Cpu,
    cbc: &'k C,
    hash: &'k H,
}

impl<'k, V: Blocks, C, H> Stitched<'k, V, C, H> {
    #[inline(always)]
    pub(super) fn new(cpu: impl Into<V::Cpu>, cbc: &'k C, hash: &'k H) -> Self {
        Self { cpu: cpu.into(), cbc, hash }
    }
}

impl<V, C, H, F> RecordBlocks<F> for Stitched<'_, V, C, H>
where
    V: Blocks,
    C: ScheduledCbc,
    H: Interleaved<F>,
    F: CompressionFunction<Block = [u8; 64]>,
{
    #[inline(always)]
    fn seal_blocks(&self, state: &mut F::State, chain: &mut Block, mut text: Text<'_>) {
        let [keys, _] = self.cbc.keys();
        let mut keys = keys.view();
        // An instance for each number of rounds: a jump in each block takes 4 to 6 % of the time with SHA-1 instructions. With
        // the slower ones for SHA-256, or rounds on words, it costs nothing.
        if H::SHORT {
            if keys.rounds == 10 {
                keys.rounds = 10;
                seal_stitched::<V, H, F>(self.cpu, self.hash, keys, state, chain, &mut text);
                return;
            }
            keys.rounds = 14;
        }
        seal_stitched::<V, H, F>(self.cpu, self.hash, keys, state, chain, &mut text);
        if H::BLOCKS > 1 && text.len() >= AHEAD + 64 {
            Sequential::new((), self.cbc, self.hash).seal_blocks(state, chain, text);
        }
    }

    #[inline(always)]
    fn open_blocks(&self, state: &mut F::State, chain: &mut Block, text: Text<'_>, blocks: usize) {
        if H::ON_WORDS {
            let parts = Sequential::new((), self.cbc, self.hash);
            return parts.open_blocks(state, chain, text, blocks);
        }
        let [_, keys] = self.cbc.keys();
        open_stitched::<V, H, F>(self.cpu, self.hash, keys.view(), state, chain, text, blocks);
    }
}

#[inline(always)]
fn seal_stitched<V: Blocks, H: Interleaved<F>, F: CompressionFunction>(
    cpu: V::Cpu,
    hash: &H,
    keys: Rounds<'_>,
    state: &mut F::State,
    chain: &mut Block,
    text: &mut Text<'_>,
) {
    let len = 64 * H::BLOCKS;
    if text.len() < AHEAD + len {
        return;
    }
    let mut running = hash.enter(state);
    let mut before = V::splat(cpu, chain);
    // A local copy stays in registers; the caller's is in memory.
    let mut left = text.reborrow();
    let mut done = 0;
    while left.len() >= AHEAD + len {
        // All of them are loaded before anything is written, as the output may overwrite the input.
        let words = hash.words(&left.input()[AHEAD..]);
        let mut beside = Encrypting::<V>::new(cpu, keys.unseen(), before, left.take(len));
        hash.rounds(&mut running, words, &mut beside);
        before = beside.end();
        done += len;
    }
    hash.leave(&running, state);
    before.store(core::slice::from_mut(chain));
    text.take(done);
}

#[inline(always)]
fn open_stitched<V: Blocks, H: Interleaved<F>, F: CompressionFunction>(
    cpu: V::Cpu,
    hash: &H,
    keys: Rounds<'_>,
    state: &mut F::State,
    chain: &mut Block,
    mut text: Text<'_>,
    blocks: usize,
) {
    let mut running = hash.enter(state);
    let mut before = V::splat(cpu, chain);
    let mut text = text.reborrow();
    for _ in 0..blocks {
        let words = hash.words(&text.output()[AHEAD..]);
        let mut next = text.reborrow();
        next.take(DECRYPTED);
        let Some(piece) = next.next::<64>() else { unreachable!("there is more behind") };
        let mut beside = Decrypting::<V>::new(cpu, keys.unseen(), before, piece);
        hash.rounds(&mut running, words, &mut beside);
        before = beside.before;
        text.take(64);
    }
    hash.leave(&running, state);
    before.store(core::slice::from_mut(chain));
}

/// Blocks of a text, four of them interleaved with one of the hash function.
///
/// Only rounds are on the critical path, as in `aes::chain`: a block of plaintext is added together with the two round keys next
/// to it. The state without this addend is the ciphertext.
struct Encrypting<'a, V: Blocks> {
    cpu: V::Cpu,
    keys: Rounds<'a>,
    text: Text<'a>,
    /// The block that is being encrypted, if any.
    piece: Option<Piece<'a, 16>>,
    /// The ciphertext before the first block; then the state of a block.
    x: V,
    /// The addend of the first round.
    added: V,
}

impl<'a, V: Blocks> Encrypting<'a, V> {
    #[inline(always)]
    fn new(cpu: V::Cpu, keys: Rounds<'a>, before: V, text: Text<'a>) -> Self {
        Self { cpu, keys, text, piece: None, x: before, added: before }
    }

    #[inline(always)]
    fn key(&self, r: usize) -> V {
        V::splat(self.cpu, self.keys.key(r))
    }

    #[inline(always)]
    fn ends(&self) -> (V, V) {
        (V::splat(self.cpu, self.keys.before_last()), V::splat(self.cpu, self.keys.last()))
    }

    /// The last round of a block, and the addition of the next.
    #[inline(always)]
    fn next_block(&mut self) {
        let Some(piece) = self.text.next::<16>() else {
            unreachable!("as many as there are parts")
        };
        let block = V::splat(self.cpu, piece.input()).xor(self.key(0));
        match self.piece.take() {
            None => {
                self.added = block;
                self.x = self.x.whiten(block);
            }
            Some(mut last) => {
                let (before_last, last_key) = self.ends();
                self.added = block.xor(last_key);
                let ciphertext = self.x.last_round(before_last, last_key);
                ciphertext.store(core::slice::from_mut(last.output()));
                // The addend of AESE is left out by `whiten`.
                let now = V::zero(self.cpu).whiten(self.added);
                self.x = self.x.last_round(before_last, now);
            }
        }
        self.piece = Some(piece);
    }

    /// The last block of the ciphertext.
    #[inline(always)]
    fn end(mut self) -> V {
        let (before_last, last_key) = self.ends();
        let ciphertext = self.x.last_round(before_last, last_key);
        if let Some(last) = &mut self.piece {
            ciphertext.store(core::slice::from_mut(last.output()));
        }
        ciphertext
    }
}

impl<V: Blocks> Beside for Encrypting<'_, V> {
    #[inline(always)]
    fn part(&mut self, i: usize, of: usize) {
        let (part, parts) = (i % (of / 4), of / 4);
        let (from, to) = (part * 10 / parts, (part + 1) * 10 / parts);
        if part == 0 {
            self.next_block();
        }
        unroll!(r in 1 2 3 4 5 6 7 8 9 => if from <= r && r < to {
            let before = if r == 1 { self.added } else { self.key(r - 1) };
            self.x = self.x.round(before, self.key(r));
        });
        if part == parts - 1 && self.keys.rounds > 10 {
            unroll!(r in 10 11 12 13 => self.x = self.x.round(self.key(r - 1), self.key(r)));
        }
    }
}

/// Four blocks of a text, which are independent.
struct Decrypting<'a, V: Blocks> {
    cpu: V::Cpu,
    keys: Rounds<'a>,
    /// The ciphertext block before, and then the last of these.
    before: V,
    piece: Piece<'a, 64>,
    x: [V; 4],
}

impl<'a, V: Blocks> Decrypting<'a, V> {
    #[inline(always)]
    fn new(cpu: V::Cpu, keys: Rounds<'a>, before: V, piece: Piece<'a, 64>) -> Self {
        Self { cpu, keys, before, piece, x: [before; 4] }
    }

    #[inline(always)]
    fn key(&self, r: usize) -> V {
        V::splat(self.cpu, self.keys.key(r))
    }

    #[inline(always)]
    fn round(&mut self, r: usize) {
        let (before, key) = (self.key(r - 1), self.key(r));
        for x in &mut self.x {
            *x = x.inv_round(before, key);
        }
    }

    #[inline(always)]
    fn ciphertext(&self) -> [V; 4] {
        let blocks: &[Block] = unseen(self.piece.input()).as_chunks().0;
        each(|i| V::splat(self.cpu, &blocks[i]))
    }
}

impl<V: Blocks> Beside for Decrypting<'_, V> {
    #[inline(always)]
    fn part(&mut self, i: usize, of: usize) {
        let (from, to) = (i * 10 / of, (i + 1) * 10 / of);
        if i == 0 {
            let (ciphertext, key) = (self.ciphertext(), self.key(0));
            self.x = each(|n| ciphertext[n].whiten(key));
        }
        unroll!(r in 1 2 3 4 5 6 7 8 9 => if from <= r && r < to {
            self.round(r);
        });
        if i == of - 1 {
            if self.keys.rounds > 10 {
                unroll!(r in 10 11 12 13 => self.round(r));
            }
            // Loaded again: kept in registers, ciphertext would displace blocks.
            let (cpu, ciphertext) = (self.cpu, self.ciphertext());
            let before_last = V::splat(cpu, self.keys.before_last());
            let last = V::splat(cpu, self.keys.last());
            let output: [_; 4] = each(|n| {
                let before = if n == 0 { self.before } else { ciphertext[n - 1] };
                self.x[n].inv_last_round(before_last, last.xor(before))
            });
            for (block, v) in self.piece.output().as_chunks_mut::<16>().0.iter_mut().zip(output) {
                v.store(core::slice::from_mut(block));
            }
            self.before = ciphertext[3];
        }
    }
}
