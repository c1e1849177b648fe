//! AES-CMAC as a chain of blocks, for the instructions of any backend.

use super::{Block, subkeys};
use crate::{
    aes::{RoundKeys, chain::Chain},
    core::block::load_short,
};

#[derive(Clone)]
pub(super) struct Key {
    pub(super) keys: RoundKeys,
    pub(super) subkeys: [Block; 2],
}

impl Key {
    /// `chain` is the chain of one key.
    #[inline(always)]
    pub(super) fn subkeys<C: Chain>(chain: C) -> [Block; 2] {
        let zero = chain.vector(0);
        let l = chain.leave(chain.encrypt(chain.enter(zero, zero)));
        subkeys(chain.number(l).to_le_bytes())
    }

    #[inline(always)]
    pub(super) fn new(keys: RoundKeys, subkeys: [Block; 2]) -> Self {
        Self { keys, subkeys }
    }
}

#[inline(always)]
pub(super) fn absorb<C: Chain>(chain: C, state: &mut Block, blocks: &[Block]) {
    let after = chain.absorb(chain.load(state), blocks);
    chain.store(after, state);
}

#[inline(always)]
pub(super) fn finish<C: Chain>(
    chain: C,
    Key { subkeys: [k1, k2], .. }: &Key,
    state: &Block,
    rest: &[u8],
    tag: &mut Block,
) {
    let (blocks, last) = match rest.as_chunks() {
        ([blocks @ .., last], []) => (blocks, chain.xor(chain.load(last), chain.load(k1))),
        (blocks, last) => {
            let padded = load_short(last) | 0x80 << (8 * last.len());
            (blocks, chain.xor(chain.vector(padded), chain.load(k2)))
        }
    };
    let block = |i| blocks.get(i).map(|block| chain.load(block));
    let mut taken = chain.enter(chain.load(state), block(0).unwrap_or(last));
    // One copy of the rounds serves all blocks, the last one too.
    for i in 1.. {
        let given = chain.encrypt(taken);
        if i > blocks.len() {
            return chain.store(chain.leave(given), tag);
        }
        taken = chain.take(given, block(i).unwrap_or(last));
    }
}

/// Declares the backend of an instruction set.
macro_rules! chained {
    ($Backend:ident needs $Cpu:ident: $Chain:ident<$V:ident>) => {
        #[derive(Clone)]
        pub(in crate::aes::aes_cmac) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
            key: Key,
        }

        impl Cmac for $Backend {
            kernel! { $Cpu: fn absorb(&self, state: &mut Block, blocks: &[Block]) = $Backend::absorb_kernel }
            kernel! { $Cpu: fn finish(&self, state: &Block, rest: &[u8], tag: &mut Block) = $Backend::finish_kernel }
        }

        impl CmacLaneKey for $Backend {
            in_lanes! { $Chain }
        }

        impl $Backend {
            #[inline]
            pub(in crate::aes::aes_cmac) fn new(cpu: crate::core::cpu::$Cpu, secret: &[u8]) -> Self {
                let key = proven!($Cpu: cpu, fn enter(cpu: crate::core::cpu::$Cpu, secret: &[u8]) -> Key {
                    let keys = keys_of_chain!($Chain<$V>(cpu, secret));
                    let subkeys = Key::subkeys($Chain::<$V>::new(cpu, &keys));
                    Key::new(keys, subkeys)
                });
                Self { cpu, key }
            }

            #[inline(always)]
            fn chain(&self) -> $Chain<'_, $V> {
                $Chain::new(self.cpu, &self.key.keys)
            }

            #[inline(always)]
            fn absorb_kernel(&self, state: &mut Block, blocks: &[Block]) {
                absorb(self.chain(), state, blocks);
            }

            #[inline(always)]
            fn finish_kernel(&self, state: &Block, rest: &[u8], tag: &mut Block) {
                finish(self.chain(), &self.key, state, rest, tag);
            }
        }
    };
}

/// Backends with vector permutes have round keys in a layout of their own.
macro_rules! in_lanes {
    (Instructions) => {
        fn in_lanes(&self) -> Option<(&crate::aes::RoundKeys, &[Block; 2])> {
            Some((&self.key.keys, &self.key.subkeys))
        }
    };
    (LookupsAlone) => {};
}
pub(super) use {chained, in_lanes};
