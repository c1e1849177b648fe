//! AES (FIPS 197): key schedules and blocks, for the modes to build on.

use crate::core::Error;

#[cfg(feature = "aes-cbc")]
pub mod aes_cbc;
#[cfg(feature = "aes-cmac")]
pub mod aes_cmac;
#[cfg(feature = "aes-ctr")]
pub mod aes_ctr;
#[cfg(feature = "aes-ecb")]
pub mod aes_ecb;
#[cfg(feature = "aes-kw")]
pub mod aes_kw;
#[cfg(feature = "aes-xts")]
pub mod aes_xts;
pub(crate) mod bitsliced;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod chain;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod chains;
pub(crate) mod groups;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod schedule;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "arm"))]
mod tables;

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
#[cfg(target_arch = "arm")]
pub(crate) mod arm;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod vperm;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

/// The instructions of the target.
#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64 as instructions;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64 as instructions;

use crate::core::block::Block;

/// The round keys of one key: `rounds + 1` of them, and zeros. Where instructions have made them, the last entry repeats the last
/// round key, so that its index does not depend on the number of rounds.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct RoundKeys {
    pub(crate) keys: [Block; 15],
    /// 10, 12 or 14.
    pub(crate) rounds: usize,
}

impl RoundKeys {
    /// Space for round keys.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self { keys: [[0; 16]; 15], rounds: 10 }
    }

    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    pub(crate) fn view(&self) -> Rounds<'_> {
        Rounds { keys: &self.keys, rounds: self.rounds }
    }

    /// The number of rounds, bounded so that the compiler can omit checks.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    fn rounds(&self) -> usize {
        self.rounds.min(14)
    }

    /// Expands a key of 16, 24 or 32 bytes (section 5.2), given SubWord (on four bytes, in the order of the standard).
    #[inline(always)]
    pub(crate) fn expand(secret: &[u8], sub_word: impl Fn([u8; 4]) -> [u8; 4]) -> Self {
        let nk = secret.len() / 4;
        let rounds = nk + 6;
        let mut keys = [[0; 16]; 15];
        let words = keys.as_flattened_mut().as_chunks_mut::<4>().0;
        words[..nk].copy_from_slice(secret.as_chunks().0);
        let mut rcon = 1;
        for i in nk..4 * (rounds + 1) {
            let mut temp = words[i - 1];
            if i % nk == 0 {
                temp.rotate_left(1);
                temp = sub_word(temp);
                temp[0] ^= rcon;
                rcon = (rcon << 1) ^ if rcon & 0x80 != 0 { 0x1b } else { 0 };
            } else if nk > 6 && i % nk == 4 {
                temp = sub_word(temp);
            }
            words[i] = core::array::from_fn(|byte| words[i - nk][byte] ^ temp[byte]);
        }
        Self { keys, rounds }
    }
}

/// Round keys as kernels take them. Their number is not a constant: that would make three kernels of one.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[derive(Clone, Copy)]
pub(crate) struct Rounds<'a> {
    pub(crate) keys: &'a [Block; 15],
    /// 10, 12 or 14.
    pub(crate) rounds: usize,
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl<'a> Rounds<'a> {
    #[inline(always)]
    pub(crate) fn key(self, r: usize) -> &'a Block {
        &self.keys[r]
    }

    /// The same keys, for callers with two key lengths: one jump less.
    #[cfg(feature = "aes-xts")]
    #[inline(always)]
    pub(crate) fn ten_or_fourteen(self) -> Self {
        Self { keys: self.keys, rounds: if self.rounds == 10 { 10 } else { 14 } }
    }

    /// The last round key, from the last entry: four instructions less than from its index.
    #[inline(always)]
    pub(crate) fn last(self) -> &'a Block {
        &self.keys[14]
    }

    /// The keys of the rounds between the first and the last: one, and pairs. A loop over a slice stays a loop; one over numbers
    /// would be unrolled, as their maximum is known. Pairs halve the iterations, whose number is then predicted better.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn middle(self) -> (&'a Block, &'a [[Block; 2]]) {
        (&self.keys[1], self.keys.get(2..self.rounds).unwrap_or_default().as_chunks().0)
    }

    /// The same keys, loaded again, as the compiler cannot know that they are the same: in registers they would displace blocks.
    #[inline(always)]
    pub(crate) fn unseen(self) -> Self {
        Self { keys: crate::core::opaque::unseen(self.keys), rounds: self.rounds }
    }

    /// The key of the last round but one.
    #[inline(always)]
    pub(crate) fn before_last(self) -> &'a Block {
        &self.keys[self.rounds.min(14) - 1]
    }
}

impl Drop for RoundKeys {
    // Out of line, or it would be in each function that has round keys.
    #[inline(never)]
    fn drop(&mut self) {
        // `zeroize` would write byte by byte.
        self.keys = [[0; 16]; 15];
        zeroize::optimization_barrier(&self.keys);
    }
}

/// Checks the length of a key. Inlined into constructors, and opaque in infallible ones: LLVM makes the key in the caller's
/// place, and not in a result that is copied, only where it sees the error being made.
#[inline]
pub(crate) fn check_key(secret: &[u8]) -> Result<(), Error> {
    match secret.len() {
        16 | 24 | 32 => Ok(()),
        got => Err(Error::Length { what: "AES key", got, allowed: "16, 24 or 32 bytes" }),
    }
}

/// Splits a counter block into the first twelve bytes and the 32-bit counter.
#[inline]
pub(crate) fn split(block: &Block) -> ([u8; 12], u32) {
    let [nonce @ .., a, b, c, d] = *block;
    (nonce, u32::from_be_bytes([a, b, c, d]))
}

/// The inverse of `split`.
#[inline]
pub(crate) fn join(nonce: [u8; 12], count: u32) -> Block {
    // In registers: stored in parts, it would stall the next wide load.
    let [a, b, c, d, e, f, g, h, rest @ ..] = nonce;
    let head = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
    let low = u64::from(u32::from_be_bytes(rest)) << 32 | u64::from(count);
    (u128::from(head) << 64 | u128::from(low)).to_be_bytes()
}

/// Repeats the body for each round between the first and the last, of 10, 12 or 14, with literals: LLVM does not always unroll a
/// loop over rounds, and then keeps the state in memory. With a fixed key length both jumps are always predicted.
macro_rules! middle_rounds {
    ($rounds:expr; $r:ident => $body:expr) => {
        $crate::aes::middle_rounds!($rounds, of 1 2 3 4 5 6 7 8 9; $r => $body)
    };
    ($rounds:expr, from 2; $r:ident => $body:expr) => {
        $crate::aes::middle_rounds!($rounds, of 2 3 4 5 6 7 8 9; $r => $body)
    };
    ($rounds:expr, of $($n:literal)+; $r:ident => $body:expr) => {{
        let rounds: usize = $rounds;
        unroll!($r in $($n)+ => $body);
        if rounds > 10 {
            unroll!($r in 10 11 => $body);
            if rounds > 12 {
                unroll!($r in 12 13 => $body);
            }
        }
    }};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use middle_rounds;

/// The same with the keys of these rounds, in a loop.
#[cfg(target_arch = "x86_64")]
macro_rules! each_round {
    ($keys:expr; $k:ident => $body:expr) => {{
        let (first, pairs) = $keys.middle();
        for $k in [first] {
            $body
        }
        for [a, b] in pairs {
            for $k in [a, b] {
                $body
            }
        }
    }};
}
#[cfg(target_arch = "x86_64")]
pub(crate) use each_round;
