//! The last blocks of a message of a Merkle–Damgård function, and its digest.

use super::function::LastBlocks;
use crate::core::block::load_short;

/// The last block or two of a message, padded (FIPS 180-4, section 5.1; RFC 1321, sections 3.1 and 3.2, where the length is
/// little-endian). The length in bits is an eighth of a block.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Tail<const BLOCK: usize, const LITTLE_ENDIAN: bool = false> {
    blocks: [[u8; BLOCK]; 2],
    /// Whether there is a second one.
    two: bool,
}

impl<const BLOCK: usize, const LITTLE_ENDIAN: bool> LastBlocks for Tail<BLOCK, LITTLE_ENDIAN> {
    type Block = [u8; BLOCK];

    // All zeros, so that it is not copied from memory.
    const EMPTY: Self = Self { blocks: [[0; BLOCK]; 2], two: false };

    #[inline]
    fn set(&mut self, rest: &[u8], len: u64) {
        self.blocks = [[0; BLOCK]; 2];
        self.fill(rest, len);
    }

    #[inline]
    fn blocks(&self) -> &[[u8; BLOCK]] {
        if self.two { &self.blocks } else { self.blocks[..1].as_ref() }
    }

    #[inline]
    fn end(block: &mut [u8; BLOCK], len: u64, is_last: u8) {
        Self::add_length(block, len, is_last);
    }

    /// One copy, for all backends.
    #[inline(never)]
    fn fill(&mut self, rest: &[u8], len: u64) {
        // In whole vectors: loads would stall on bytes that were stored singly. The number of vectors is a constant: otherwise a
        // copy function for variable lengths would be called.
        let (quarters, short) = rest.as_chunks::<16>();
        let (ends, _) = self.blocks[0].as_chunks_mut();
        for i in 0..BLOCK / 16 {
            let Some(quarter) = quarters.get(i) else {
                ends[i] = (load_short(short) | 0x80 << (8 * short.len())).to_le_bytes();
                break;
            };
            ends[i] = *quarter;
        }
        self.two = rest.len() >= BLOCK - BLOCK / 8;
        let last = &mut self.blocks[usize::from(self.two)];
        last[BLOCK - BLOCK / 8..].copy_from_slice(&Self::length(len)[16 - BLOCK / 8..]);
    }
}

impl<const BLOCK: usize, const LITTLE_ENDIAN: bool> Tail<BLOCK, LITTLE_ENDIAN> {
    /// Adds the length of a message to a block, if the mask is all ones.
    #[inline(always)]
    pub(crate) fn add_length(block: &mut [u8; BLOCK], len: u64, is_last: u8) {
        for (byte, of) in block[BLOCK - 16..].iter_mut().zip(Self::length(len)) {
            *byte |= of & is_last;
        }
    }

    /// The length in bits, with zeros before it.
    #[inline(always)]
    fn length(len: u64) -> [u8; 16] {
        let bits = u128::from(len) << 3;
        match BLOCK {
            128 => bits.to_be_bytes(),
            _ if LITTLE_ENDIAN => u128::from((bits as u64).swap_bytes()).to_be_bytes(),
            _ => u128::from(bits as u64).to_be_bytes(),
        }
    }
}

/// The digest of that state as the last block of a message, after one other block.
#[inline(always)]
pub(crate) fn chained_block<const W: usize>(digest: &[u32; W]) -> [u8; 64] {
    let mut block = [0; 64];
    for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(digest) {
        *bytes = word.to_be_bytes();
    }
    block[4 * W] = 0x80;
    let bits = 8 * (64 + 4 * W as u64);
    block[56..].copy_from_slice(&bits.to_be_bytes());
    block
}

/// The first `N` bytes of the state, with big-endian words.
#[inline]
pub(crate) fn big_endian_32<const N: usize, const WORDS: usize>(state: &[u32; WORDS]) -> [u8; N] {
    let mut out = [0; N];
    for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    out
}

/// The state, with little-endian words.
#[inline]
pub(crate) fn little_endian_32<const N: usize, const WORDS: usize>(
    state: &[u32; WORDS],
) -> [u8; N] {
    let mut out = [0; N];
    for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_le_bytes();
    }
    out
}

/// The same for longer words.
#[inline]
pub(crate) fn big_endian_64<const N: usize, const WORDS: usize>(state: &[u64; WORDS]) -> [u8; N] {
    let mut out = [0; N];
    for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    out
}
