//! AES-CCM as a chain of blocks, with one counter block interleaved with each block of the chain, for the instructions of any
//! backend. The counter blocks are independent, so all of it takes as long as the chain.

use core::mem;

use super::Block;
use crate::{
    aes::chain::Pair,
    core::{
        block::{load_short, store_short, words_of_12},
        text::Text,
    },
};

/// Encrypts or opens, and writes the whole tag (sections 6.1 and 6.2).
#[inline(always)]
pub(super) fn crypt<C: Pair>(
    chain: C,
    open: bool,
    nonce: &[u8],
    tag_len: usize,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    // A local copy stays in registers; an argument of three words is passed and updated in memory.
    let mut text = text.reborrow();
    let (a0, b0) = first_blocks(nonce, tag_len, aad.is_empty(), text.len());
    let mut taken = chain.enter(chain.vector(0), chain.vector(b0));
    if !aad.is_empty() {
        taken = absorb(chain, taken, aad);
    }

    // One copy of the rounds serves whole blocks, the partial block and the tag.
    let mut count = 0;
    loop {
        count += 1;
        let counter = if text.len() > 0 { a0 | number(count) } else { a0 };
        let (given, key_stream) = chain.encrypt_both(taken, chain.vector(counter));
        taken = if let Some(mut piece) = text.next::<16>() {
            let input = chain.load(piece.input());
            let output = chain.xor(input, key_stream);
            chain.store(output, piece.output());
            chain.take(given, if open { output } else { input })
        } else if text.len() > 0 {
            let input = load_short(text.input());
            let keep = (1 << (8 * text.len())) - 1;
            let output = (input ^ chain.number(key_stream)) & keep;
            store_short(text.output(), output);
            text.take(16);
            chain.take(given, chain.vector(if open { output } else { input }))
        } else {
            chain.store(chain.xor(chain.leave(given), key_stream), tag);
            return;
        };
    }
}

/// Counter block 0, and B0: flags, the nonce, and a number of q bytes, which end the block (appendix A). The first byte is
/// the lowest.
#[inline(always)]
pub(super) fn first_blocks(
    nonce: &[u8],
    tag_len: usize,
    no_aad: bool,
    text_len: usize,
) -> (u128, u128) {
    let q = (14 - nonce.len()) as u64;
    let a0 = match nonce.try_into() {
        Ok(nonce) => {
            let [first, middle, last] = words_of_12(nonce).map(u64::from);
            join(q | first << 8 | middle << 40, middle >> 24 | last << 8)
        }
        Err(_) => load_short(nonce) << 8 | u128::from(q),
    };
    let flags = ((tag_len - 2) / 2 * 8) | if no_aad { 0 } else { 0x40 };
    (a0, a0 | flags as u128 | number(text_len as u64))
}

/// A number at the end of a block.
#[inline(always)]
fn number(number: u64) -> u128 {
    join(0, number.swap_bytes())
}

/// Two halves of a block. They are shifted separately: one shift of 128 bits takes longer.
#[inline(always)]
fn join(low: u64, high: u64) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// The first block of additional data, which starts with the length (appendix A.2.2), and the number of bytes of that.
#[inline(always)]
pub(super) fn head(aad: &[u8]) -> (u128, usize) {
    let Ok(len @ 0..0xff00) = u16::try_from(aad.len()) else { return long_head(aad) };
    let data = &aad[..aad.len().min(14)];
    let len = u64::from(len.swap_bytes());
    let block = match (data.first_chunk(), data.last_chunk()) {
        (Some(first), Some(last)) => {
            let beyond = u64::from_le_bytes(*last) >> (8 * (14 - data.len()));
            join(len | u64::from_le_bytes(*first) << 16, beyond)
        }
        _ => u128::from(len) | load_short(data) << 16,
    };
    (block, 2)
}

#[cold]
fn long_head(aad: &[u8]) -> (u128, usize) {
    let (len, of) = long(aad.len() as u64);
    (len | load_short(&aad[..16 - of]) << (8 * of), of)
}

/// Absorbs additional data.
#[inline(always)]
fn absorb<C: Pair>(chain: C, taken: C::Taken, aad: &[u8]) -> C::Taken {
    let (first, of) = head(aad);
    let rest = &aad[aad.len().min(16 - of)..];
    let (blocks, mut last) = rest.as_chunks();
    let (mut blocks, mut block, mut taken) = (blocks.iter(), chain.vector(first), taken);
    loop {
        taken = chain.next(taken, block);
        block = match blocks.next() {
            Some(block) => chain.load(block),
            None if !last.is_empty() => chain.vector(load_short(mem::take(&mut last))),
            None => return taken,
        };
    }
}

/// The encoding of a long length, the first byte lowest, and its number of bytes.
fn long(len: u64) -> (u128, usize) {
    match u32::try_from(len) {
        Ok(len) => (0xfeff | u128::from(len.swap_bytes()) << 16, 6),
        Err(_) => (0xffff | u128::from(len.swap_bytes()) << 16, 10),
    }
}

/// Declares the backend of an instruction set.
macro_rules! chained {
    ($Backend:ident needs $Cpu:ident: $Chain:ident<$V:ident>) => {
        #[derive(Clone)]
        pub(in crate::aeads::aes_ccm) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
            keys: RoundKeys,
        }

        impl Ccm for $Backend {
            kernel! { $Cpu: fn crypt(&self, open: bool, nonce: &[u8], tag_len: usize, aad: &[u8], text: Text<'_>, tag: &mut Block) = $Backend::kernel }
        }

        impl CcmRekey for $Backend {
            fn rekey(&mut self, secret: &[u8]) {
                *self = Self::new(self.cpu, secret);
            }

            in_lanes! { $Chain }
        }

        impl $Backend {
            #[inline]
            pub(in crate::aeads::aes_ccm) fn new(cpu: crate::core::cpu::$Cpu, secret: &[u8]) -> Self {
                let keys = proven!($Cpu: cpu, fn enter(cpu: crate::core::cpu::$Cpu, secret: &[u8]) -> RoundKeys {
                    let _ = cpu;
                    keys_of_chain!($Chain<$V>(cpu, secret))
                });
                Self { cpu, keys }
            }

            /// Seals and opens, by a jump for each block off the critical path.
            #[inline(always)]
            fn kernel(&self, open: bool, nonce: &[u8], tag_len: usize, aad: &[u8], text: Text<'_>, tag: &mut Block) {
                let chain = $Chain::<$V>::new(self.cpu, &self.keys);
                crypt(chain, open, nonce, tag_len, aad, text, tag);
            }
        }
    };
}

/// Backends with vector permutes have round keys in a layout of their own.
macro_rules! in_lanes {
    (Instructions) => {
        fn round_keys(&self) -> Option<&RoundKeys> {
            Some(&self.keys)
        }
    };
    (Lookups) => {};
}
pub(super) use {chained, in_lanes};
