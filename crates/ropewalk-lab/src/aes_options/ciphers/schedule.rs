//! The key schedule (FIPS 197, section 5.2), expanded once or on the fly.

use super::Block;

/// Rounds of AES-128.
pub(super) const ROUNDS: usize = 10;

/// Where round keys come from.
pub(super) trait RoundKeys {
    fn new(key: &Block, sub: impl Fn(u8) -> u8) -> Self;

    /// The key of a round from 1 on, and the key before it.
    fn next(&self, round: usize, before: &Block, sub: impl Fn(u8) -> u8) -> Block;

    /// The key that is added before the first round.
    fn first(&self) -> Block;
}

/// All of them, in memory.
pub(super) struct Expanded([Block; ROUNDS + 1]);

impl RoundKeys for Expanded {
    #[inline(always)]
    fn new(key: &Block, sub: impl Fn(u8) -> u8) -> Self {
        let mut keys = [*key; ROUNDS + 1];
        for round in 1..=ROUNDS {
            keys[round] = after(&keys[round - 1], round, &sub);
        }
        Self(keys)
    }

    #[inline(always)]
    fn next(&self, round: usize, _: &Block, _: impl Fn(u8) -> u8) -> Block {
        self.0[round]
    }

    #[inline(always)]
    fn first(&self) -> Block {
        self.0[0]
    }
}

/// Only the key itself: each round key is computed from the one before it.
pub(super) struct OnTheFly(Block);

impl RoundKeys for OnTheFly {
    #[inline(always)]
    fn new(key: &Block, _: impl Fn(u8) -> u8) -> Self {
        Self(*key)
    }

    #[inline(always)]
    fn next(&self, round: usize, before: &Block, sub: impl Fn(u8) -> u8) -> Block {
        after(before, round, sub)
    }

    #[inline(always)]
    fn first(&self) -> Block {
        self.0
    }
}

/// The round key after another one.
#[inline(always)]
fn after(before: &Block, round: usize, sub: impl Fn(u8) -> u8) -> Block {
    let mut key = *before;
    for row in 0..4 {
        key[row] ^= sub(before[12 + (row + 1) % 4]);
    }
    key[0] ^= constant(round);
    for i in 4..16 {
        key[i] ^= key[i - 4];
    }
    key
}

/// x^(round - 1).
fn constant(round: usize) -> u8 {
    let power = 1_u16 << (round - 1);
    (power ^ ((power >> 8) * 0x11b)) as u8
}
