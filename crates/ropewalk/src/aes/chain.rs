//! Chains of blocks, each of which depends on the one before: CBC-MAC, and the constructions built on it.
//!
//! A chain is bound by the latency of its rounds and leaves the AES units mostly idle, so an independent block can be interleaved
//! with each of its own.

use super::{
    Block, RoundKeys,
    vperm::{self, Alone, chain::Given},
};
use crate::core::simd::Blocks;

/// A chain, with the instructions of one backend.
pub(crate) trait Chain: Copy {
    /// A block.
    type V: Copy;
    /// The state after a block has been added.
    type Taken: Copy;
    /// The state after the block has been encrypted, but for what the next block can be merged with.
    type Given: Copy;

    fn load(self, block: &Block) -> Self::V;
    fn store(self, v: Self::V, block: &mut Block);
    /// From registers, the first byte lowest.
    fn vector(self, number: u128) -> Self::V;
    fn number(self, v: Self::V) -> u128;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;

    /// The first eight bytes, padded with zeros.
    fn low_half(self, v: Self::V) -> Self::V;

    /// Adds a block to an encrypted state.
    fn enter(self, before: Self::V, block: Self::V) -> Self::Taken;
    /// Encrypts the block.
    fn encrypt(self, chain: Self::Taken) -> Self::Given;
    /// Adds the next block.
    fn take(self, chain: Self::Given, block: Self::V) -> Self::Taken;
    /// The encrypted state.
    fn leave(self, chain: Self::Given) -> Self::V;

    /// Encrypts the block, and adds the next one.
    #[inline(always)]
    fn next(self, chain: Self::Taken, block: Self::V) -> Self::Taken {
        self.take(self.encrypt(chain), block)
    }

    /// Absorbs consecutive blocks into an encrypted state.
    #[inline(always)]
    fn absorb(self, before: Self::V, blocks: &[Block]) -> Self::V {
        let Some((first, blocks)) = blocks.split_first() else { return before };
        let mut chain = self.enter(before, self.load(first));
        for block in blocks {
            chain = self.next(chain, self.load(block));
        }
        self.leave(self.encrypt(chain))
    }
}

/// A chain that runs interleaved with independent blocks.
pub(crate) trait Pair: Chain {
    /// Encrypts the block, interleaved with an independent one.
    fn encrypt_both(self, chain: Self::Taken, beside: Self::V) -> (Self::Given, Self::V);
}

/// The inverse chain: its keys are those of the inverse cipher, last one first.
pub(crate) trait Inverse: Chain {
    /// Decrypts a block.
    fn decrypt(self, v: Self::V) -> Self::V;
}

/// AES instructions, on vectors of one block.
///
/// Only rounds are on the critical path. A block is added together with the two round keys next to it: AESENCLAST adds it in the
/// last round before, AESE in the first round after.
#[derive(Clone, Copy)]
pub(crate) struct Instructions<'k, V: Blocks> {
    cpu: V::Cpu,
    keys: &'k [Block; 15],
    /// 10, 12 or 14: not a constant, as nothing on the critical path depends on it.
    rounds: usize,
    first: V,
    before_last: V,
    last: V,
}

impl<'k, V: Blocks> Instructions<'k, V> {
    #[inline(always)]
    pub(crate) fn new(cpu: V::Cpu, RoundKeys { keys, rounds }: &'k RoundKeys) -> Self {
        let (before_last, last) = match rounds {
            10 => (&keys[9], &keys[10]),
            12 => (&keys[11], &keys[12]),
            _ => (&keys[13], &keys[14]),
        };
        let [first, before_last, last] = [&keys[0], before_last, last].map(|k| V::splat(cpu, k));
        Self { cpu, keys, rounds: *rounds, first, before_last, last }
    }

    /// All rounds from the second on, but the last one.
    #[inline(always)]
    fn middle<const N: usize>(self, mut x: [V; N]) -> [V; N] {
        let key = |r: usize| V::splat(self.cpu, &self.keys[r]);
        unroll!(r in 2 3 4 5 6 7 8 9 => for i in 0..N {
            x[i] = x[i].round(key(r - 1), key(r));
        });
        if self.rounds > 10 {
            unroll!(r in 10 11 => for i in 0..N {
                x[i] = x[i].round(key(r - 1), key(r));
            });
            if self.rounds > 12 {
                unroll!(r in 12 13 => for i in 0..N {
                    x[i] = x[i].round(key(r - 1), key(r));
                });
            }
        }
        x
    }
}

impl<V: Blocks> Chain for Instructions<'_, V> {
    type V = V;
    /// The state, and the addend for AESE.
    type Taken = (V, V);
    /// The state before the last round.
    type Given = V;

    #[inline(always)]
    fn load(self, block: &Block) -> V {
        V::splat(self.cpu, block)
    }
    #[inline(always)]
    fn store(self, v: V, block: &mut Block) {
        v.store(core::slice::from_mut(block));
    }
    #[inline(always)]
    fn vector(self, number: u128) -> V {
        V::from_numbers(self.cpu, [number; 2])
    }
    #[inline(always)]
    fn number(self, v: V) -> u128 {
        v.numbers()[0]
    }
    #[inline(always)]
    fn xor(self, a: V, b: V) -> V {
        a.xor(b)
    }
    #[inline(always)]
    fn low_half(self, v: V) -> V {
        v.and(self.vector(u64::MAX.into()))
    }

    #[inline(always)]
    fn enter(self, before: V, block: V) -> Self::Taken {
        let added = block.xor(self.first);
        (before.whiten(added), added)
    }
    #[inline(always)]
    fn encrypt(self, (x, added): Self::Taken) -> V {
        let [x] = self.middle([x.round(added, V::splat(self.cpu, &self.keys[1]))]);
        x
    }
    #[inline(always)]
    fn take(self, x: V, block: V) -> Self::Taken {
        let added = block.xor(self.first.xor(self.last));
        // The addend of AESE is left out by `whiten`.
        let now = V::zero(self.cpu).whiten(added);
        (x.last_round(self.before_last, now), added)
    }
    #[inline(always)]
    fn leave(self, x: V) -> V {
        x.last_round(self.before_last, self.last)
    }
}

impl<V: Blocks> Pair for Instructions<'_, V> {
    #[inline(always)]
    fn encrypt_both(self, (x, added): Self::Taken, beside: V) -> (V, V) {
        let key = V::splat(self.cpu, &self.keys[1]);
        let beside = beside.whiten(self.first).round(self.first, key);
        let [x, beside] = self.middle([x.round(added, key), beside]);
        (x, beside.last_round(self.before_last, self.last))
    }
}

impl<V: Blocks> Inverse for Instructions<'_, V> {
    #[inline(always)]
    fn decrypt(self, v: V) -> V {
        let key = |r: usize| V::splat(self.cpu, &self.keys[r]);
        let mut x = v.whiten(self.first);
        unroll!(r in 1 2 3 4 5 6 7 8 9 => x = x.inv_round(key(r - 1), key(r)));
        if self.rounds > 10 {
            unroll!(r in 10 11 => x = x.inv_round(key(r - 1), key(r)));
            if self.rounds > 12 {
                unroll!(r in 12 13 => x = x.inv_round(key(r - 1), key(r)));
            }
        }
        x.inv_last_round(self.before_last, self.last)
    }
}

/// A chain, or inverse chain, in which only the first half of each block is chained: key wrap.
pub(crate) trait Halves<C: Chain>: Copy {
    /// The last result.
    type Given: Copy;

    /// A result, and the number to be added to its first half to make that `a`.
    fn start(self, a: u64) -> (Self::Given, u64);
    /// Adds a block to the first half, and encrypts or decrypts it.
    fn next(self, given: Self::Given, block: C::V) -> Self::Given;
    /// The last result.
    fn leave(self, given: Self::Given) -> C::V;
}

/// A chain; or its inverse, if the flag is set.
#[derive(Clone, Copy)]
pub(crate) struct Either<C>(pub(crate) C, pub(crate) bool);

impl<C: Inverse> Halves<C> for Either<C> {
    type Given = C::V;

    #[inline(always)]
    fn start(self, a: u64) -> (C::V, u64) {
        (self.0.vector(a.into()), 0)
    }
    #[inline(always)]
    fn next(self, given: C::V, block: C::V) -> C::V {
        let Self(chain, inverse) = self;
        let half = chain.low_half(given);
        if inverse {
            return chain.decrypt(chain.xor(half, block));
        }
        chain.leave(chain.encrypt(chain.enter(half, block)))
    }
    #[inline(always)]
    fn leave(self, given: C::V) -> C::V {
        given
    }
}

/// The functions that are the same for all chains of vector permutes.
macro_rules! of_lookups {
    () => {
        #[inline(always)]
        fn load(self, block: &Block) -> V {
            V::splat(self.cpu, block)
        }
        #[inline(always)]
        fn store(self, v: V, block: &mut Block) {
            v.store(core::array::from_mut(block));
        }
        #[inline(always)]
        fn vector(self, number: u128) -> V {
            V::splat(self.cpu, &number.to_le_bytes())
        }
        #[inline(always)]
        fn number(self, v: V) -> u128 {
            u128::from_le_bytes(vperm::block(v))
        }
        #[inline(always)]
        fn xor(self, a: V, b: V) -> V {
            a ^ b
        }
        #[inline(always)]
        fn low_half(self, v: V) -> V {
            const NOTHING: u8 = 0x80;
            let mut bytes = [NOTHING; 16];
            bytes[..8].copy_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7]);
            v.look_up(V::splat(self.cpu, &bytes))
        }
    };
}

/// Vector permutes, on vectors of one block.
#[derive(Clone, Copy)]
pub(crate) struct Lookups<'k, V: Alone> {
    cpu: V::Cpu,
    keys: &'k RoundKeys,
}

impl<'k, V: Alone> Lookups<'k, V> {
    #[inline(always)]
    pub(crate) fn new(cpu: V::Cpu, keys: &'k RoundKeys) -> Self {
        Self { cpu, keys }
    }
}

impl<V: Alone> Chain for Lookups<'_, V> {
    type V = V;
    type Taken = V;
    type Given = V;

    of_lookups! {}

    #[inline(always)]
    fn enter(self, before: V, block: V) -> V {
        before ^ block
    }
    #[inline(always)]
    fn encrypt(self, chain: V) -> V {
        V::encrypt_one(self.cpu, self.keys, chain)
    }
    #[inline(always)]
    fn take(self, chain: V, block: V) -> V {
        chain ^ block
    }
    #[inline(always)]
    fn leave(self, chain: V) -> V {
        chain
    }
}

/// The same, for a serial chain: only rounds are on the critical path.
#[derive(Clone, Copy)]
pub(crate) struct LookupsAlone<'k, V: Alone> {
    cpu: V::Cpu,
    keys: &'k RoundKeys,
}

impl<'k, V: Alone> LookupsAlone<'k, V> {
    #[inline(always)]
    pub(crate) fn new(cpu: V::Cpu, keys: &'k RoundKeys) -> Self {
        Self { cpu, keys }
    }
}

impl<V: Alone> Chain for LookupsAlone<'_, V> {
    type V = V;
    type Taken = vperm::chain::Taken<V>;
    type Given = Given<V>;

    of_lookups! {}

    #[inline(always)]
    fn enter(self, before: V, block: V) -> Self::Taken {
        vperm::chain::enter(self.cpu, before ^ block)
    }
    #[inline(always)]
    fn encrypt(self, chain: Self::Taken) -> Given<V> {
        V::chain(self.cpu, self.keys, chain)
    }
    #[inline(always)]
    fn take(self, chain: Given<V>, block: V) -> Self::Taken {
        vperm::chain::take(self.cpu, self.keys, chain, block)
    }
    #[inline(always)]
    fn leave(self, chain: Given<V>) -> V {
        vperm::chain::leave(self.cpu, self.keys, chain)
    }
}

/// The same for key wrap: the halves stay in the basis of the rounds.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Rounds<'k, V: Alone>(pub(crate) LookupsAlone<'k, V>, pub(crate) bool);

#[cfg(target_arch = "x86_64")]
impl<'k, V: Alone> Halves<LookupsAlone<'k, V>> for Rounds<'k, V> {
    type Given = Given<V>;

    #[inline(always)]
    fn start(self, a: u64) -> (Given<V>, u64) {
        let Self(chain, _) = self;
        let given = vperm::chain::nothing(chain.cpu);
        // The last result was the last round key.
        (given, a ^ chain.number(chain.leave(given)) as u64)
    }
    #[inline(always)]
    fn next(self, given: Given<V>, block: V) -> Given<V> {
        let Self(LookupsAlone { cpu, keys }, inverse) = self;
        let taken = vperm::chain::take_half(cpu, keys, given, block);
        if inverse { V::inverse_chain(cpu, keys, taken) } else { V::chain(cpu, keys, taken) }
    }
    #[inline(always)]
    fn leave(self, given: Given<V>) -> V {
        let Self(LookupsAlone { cpu, keys }, _) = self;
        vperm::chain::leave(cpu, keys, given)
    }
}

impl<V: Alone> Pair for Lookups<'_, V> {
    #[inline(always)]
    fn encrypt_both(self, chain: V, beside: V) -> (V, V) {
        let mut both = [chain, beside];
        vperm::encrypt_from(self.cpu, self.keys, 0, &mut both);
        both.into()
    }
}

impl<V: Alone> Inverse for Lookups<'_, V> {
    #[inline(always)]
    fn decrypt(self, v: V) -> V {
        V::decrypt_one(self.cpu, self.keys, v)
    }
}

/// The key schedule of a chain.
macro_rules! keys_of_chain {
    (Instructions<$V:ident>($cpu:ident, $secret:ident)) => {
        crate::aes::instructions::expand($secret)
    };
    (Lookups<$V:ident>($cpu:ident, $secret:ident)) => {
        <$V as crate::aes::vperm::Alone>::expanded($cpu, $secret)
    };
    (LookupsAlone<$V:ident>($cpu:ident, $secret:ident)) => {
        keys_of_chain!(Lookups<$V>($cpu, $secret))
    };
}
pub(crate) use keys_of_chain;

/// The key schedule of a chain, and that of its inverse.
macro_rules! both_keys_of_chain {
    (Instructions<$V:ident>($cpu:ident, $secret:ident)) => {
        crate::aes::instructions::expand_both($secret)
    };
    (Lookups<$V:ident>($cpu:ident, $secret:ident)) => {
        <$V as crate::aes::vperm::Alone>::expanded_both($cpu, $secret)
    };
    (LookupsAlone<$V:ident>($cpu:ident, $secret:ident)) => {
        both_keys_of_chain!(Lookups<$V>($cpu, $secret))
    };
}
pub(crate) use both_keys_of_chain;
