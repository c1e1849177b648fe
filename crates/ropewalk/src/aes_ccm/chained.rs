//! AES-CCM as a chain of blocks with a counter block beside each of the text, by the instructions of any
//! backend. The counters wait for nothing, so that all of it takes as long as the chain.

use super::Block;
use crate::{
    aes::chain::Chain,
    simd::{load_12, load_short, store_short},
    text::Text,
};

/// Encrypts or decrypts, and writes the whole tag (sections 6.1 and 6.2).
#[inline(always)]
pub(super) fn crypt<C: Chain, const OPEN: bool>(
    chain: C,
    nonce: &[u8],
    tag_len: usize,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    // In registers: an argument of three words is in memory, and would be updated there.
    let mut text = text.reborrow();
    // Flags, the nonce, and a number of q bytes, which end the block (appendix A).
    let number = |number: u64| u128::from(number.swap_bytes()) << 64;
    let a0 = load_nonce(nonce) << 8 | (14 - nonce.len()) as u128;
    let flags = ((tag_len - 2) / 2 * 8) | if aad.is_empty() { 0 } else { 0x40 };
    let b0 = a0 | flags as u128 | number(text.len() as u64);
    let mut taken = chain.enter(chain.vector(0), chain.vector(b0));
    if !aad.is_empty() {
        taken = absorb(chain, taken, aad);
    }

    let mut count = 0;
    while let Some(mut piece) = text.next::<16>() {
        count += 1;
        let counter = chain.vector(a0 | number(count));
        let (given, key_stream) = chain.encrypt_both(taken, counter);
        let input = chain.load(piece.input());
        let output = chain.xor(input, key_stream);
        taken = chain.take(given, if OPEN { output } else { input });
        chain.store(output, piece.output());
    }
    if text.len() > 0 {
        let counter = chain.vector(a0 | number(count + 1));
        let (given, key_stream) = chain.encrypt_both(taken, counter);
        let input = load_short(text.input());
        let keep = (1 << (8 * text.len())) - 1;
        let output = (input ^ chain.number(key_stream)) & keep;
        taken = chain.take(given, chain.vector(if OPEN { output } else { input }));
        store_short(text.output(), output);
    }
    let (given, s0) = chain.encrypt_both(taken, chain.vector(a0));
    *tag = chain.number(chain.xor(chain.leave(given), s0)).to_le_bytes();
}

/// Additional data, which its length leads (appendix A.2.2).
#[inline(always)]
fn absorb<C: Chain>(chain: C, taken: C::Taken, aad: &[u8]) -> C::Taken {
    let (len, of) = match aad.len() {
        len @ 0..0xff00 => (u128::from((len as u16).swap_bytes()), 2),
        len => long(len as u64),
    };
    let (head, rest) = aad.split_at(aad.len().min(16 - of));
    let first = len | load_short(head) << (8 * of);
    let mut taken = chain.next(taken, chain.vector(first));
    let (blocks, last) = rest.as_chunks();
    for block in blocks {
        taken = chain.next(taken, chain.load(block));
    }
    if !last.is_empty() {
        taken = chain.next(taken, chain.vector(load_short(last)));
    }
    taken
}

/// How a long length is written, the first byte lowest, and in how many bytes.
#[cold]
fn long(len: u64) -> (u128, usize) {
    match u32::try_from(len) {
        Ok(len) => (0xfeff | u128::from(len.swap_bytes()) << 16, 6),
        Err(_) => (0xffff | u128::from(len.swap_bytes()) << 16, 10),
    }
}

/// The first byte lowest.
#[inline(always)]
fn load_nonce(nonce: &[u8]) -> u128 {
    match nonce.try_into() {
        Ok(nonce) => load_12(nonce),
        Err(_) => load_short(nonce),
    }
}

/// Writes the backend of an instruction set.
macro_rules! chained {
    ($Backend:ident needs $Cpu:ident: $Chain:ident<$V:ident>) => {
        #[derive(Clone)]
        pub(in crate::aes_ccm) struct $Backend {
            cpu: crate::cpu::$Cpu,
            keys: RoundKeys,
        }

        impl Ccm for $Backend {
            kernel! { $Cpu: fn seal(&self, nonce: &[u8], tag_len: usize, aad: &[u8], text: Text<'_>, tag: &mut Block) = $Backend::kernel::<false> }
            kernel! { $Cpu: fn open(&self, nonce: &[u8], tag_len: usize, aad: &[u8], text: Text<'_>, tag: &mut Block) = $Backend::kernel::<true> }
        }

        impl Rekey for $Backend {
            fn rekey(&mut self, secret: &[u8]) {
                *self = Self::new(self.cpu, secret);
            }
        }

        impl $Backend {
            #[inline]
            pub(in crate::aes_ccm) fn new(cpu: crate::cpu::$Cpu, secret: &[u8]) -> Self {
                let keys = proven!($Cpu: cpu, fn enter(cpu: crate::cpu::$Cpu, secret: &[u8]) -> RoundKeys {
                    let _ = cpu;
                    keys_of_chain!($Chain<$V>(cpu, secret))
                });
                Self { cpu, keys }
            }

            #[inline(always)]
            fn kernel<const OPEN: bool>(
                &self,
                nonce: &[u8],
                tag_len: usize,
                aad: &[u8],
                text: Text<'_>,
                tag: &mut Block,
            ) {
                let chain = $Chain::<$V>::new(self.cpu, &self.keys);
                crypt::<_, OPEN>(chain, nonce, tag_len, aad, text, tag);
            }
        }
    };
}
pub(super) use chained;
