//! Batches of AES-XTS data units, whose tweaks are encrypted in parallel, generic over instruction sets.
//!
//! A data unit waits for its tweak as long as for a block of text. While the tweak of one sector is encrypted, only the rounds of
//! the sector before can fill half of that time. So the tweaks of several units are encrypted first.

use super::many::{LEAST, LaneKeys, Message};
use crate::{
    aes::middle_rounds,
    core::{
        block::Block,
        simd::{Lanes, each},
    },
};

/// Whether there are enough data units with keys for lanes, of the same number of rounds; and whether they share one key.
#[inline(always)]
pub(super) fn alike(messages: &[Message<'_>]) -> Option<bool> {
    let first = messages.first()?;
    let (mut key, rounds) = (first.key, first.key.lane_keys()?.tweak.rounds);
    let (mut same, mut one_key) = (messages.len() >= LEAST, true);
    for message in messages {
        if !core::ptr::eq(message.key, key) {
            key = message.key;
            one_key = false;
            same &= key.lane_keys().is_some_and(|keys| keys.tweak.rounds == rounds);
        }
    }
    same.then_some(one_key)
}

/// Encrypts the tweaks of at most `W` data units, in `G` vectors.
#[inline(always)]
pub(super) fn tweaks<
    V: Lanes<N>,
    const N: usize,
    const G: usize,
    const W: usize,
    const ONE_KEY: bool,
>(
    cpu: V::Cpu,
    messages: &[Message<'_>],
    to: &mut [Block; W],
) {
    let Some(first) = messages.first() else { return };
    let Some(LaneKeys { tweak: first_keys, .. }) = first.key.lane_keys() else { return };
    let (mut numbers, mut keys) = ([first.tweak; W], [&first_keys.keys; W]);
    for (lane, message) in messages.iter().take(W).enumerate() {
        numbers[lane] = message.tweak;
        if !ONE_KEY && let Some(LaneKeys { tweak, .. }) = message.key.lane_keys() {
            keys[lane] = &tweak.keys;
        }
    }
    let keys = OfLanes::<W, ONE_KEY>(keys);
    let rounds = if first_keys.rounds == 10 { 10 } else { 14 };
    let mut x = [V::splat(cpu, first.tweak); G];
    for g in 0..G {
        let number = V::gather(cpu, each(|lane| numbers[N * g + lane]));
        x[g] = number.whiten(keys.of(cpu, 0, g));
    }
    middle_rounds!(rounds; r => {
        for g in 0..G {
            x[g] = x[g].round(keys.of(cpu, r - 1, g), keys.of(cpu, r, g));
        }
    });
    for g in 0..G {
        x[g] = x[g].last_round(keys.of(cpu, rounds - 1, g), keys.of(cpu, rounds, g));
        x[g].store(&mut to.as_chunks_mut().0[g]);
    }
}

/// The round keys of lanes, which may share one key.
struct OfLanes<'a, const W: usize, const ONE_KEY: bool>([&'a [Block; 15]; W]);

impl<const W: usize, const ONE_KEY: bool> OfLanes<'_, W, ONE_KEY> {
    /// Round key `r` of the lanes of vector `g`.
    #[inline(always)]
    fn of<V: Lanes<N>, const N: usize>(&self, cpu: V::Cpu, r: usize, g: usize) -> V {
        match ONE_KEY {
            true => V::splat(cpu, &self.0[0][r]),
            false => V::gather(cpu, each(|lane| &self.0[N * g + lane][r])),
        }
    }
}

/// Declares the backend of an instruction set: the vectors that encrypt tweaks, and the function that processes a data unit with
/// its tweak.
macro_rules! lanes_backend {
    ($Backend:ident needs $Cpu:ident: $V:ty, $N:literal in each of $G:literal are $W:literal, then $unit:ident) => {
        pub(in crate::aes::aes_xts) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
        }

        impl XtsMany for $Backend {
            #[inline(always)]
            fn encrypt_many(&self, messages: &mut [Message<'_>]) {
                self.apply::<true>(messages);
            }

            #[inline(always)]
            fn decrypt_many(&self, messages: &mut [Message<'_>]) {
                self.apply::<false>(messages);
            }
        }

        impl $Backend {
            pub(in crate::aes::aes_xts) fn new(cpu: crate::core::cpu::$Cpu, (): ()) -> Self {
                Self { cpu }
            }

            #[inline(always)]
            fn apply<const ENCRYPT: bool>(&self, messages: &mut [Message<'_>]) {
                let mut firsts = Wiped::new([[0; 16]; $W]);
                for messages in messages.chunks_mut($W) {
                    let Some(one_key) = alike(messages) else {
                        messages.iter_mut().for_each(Message::alone::<ENCRYPT>);
                        continue;
                    };
                    self.tweaks(one_key, messages, &mut firsts);
                    for (message, first) in messages.iter_mut().zip(&*firsts) {
                        self.unit::<ENCRYPT>(message, first);
                    }
                }
            }

            #[inline(always)]
            fn tweaks(&self, one_key: bool, messages: &[Message<'_>], to: &mut [Block; $W]) {
                let cpu = self.cpu;
                if one_key {
                    proven!($Cpu: cpu, apart fn enter(cpu: crate::core::cpu::$Cpu, messages: &[Message<'_>], to: &mut [Block; $W]) -> () {
                        tweaks::<$V, $N, $G, $W, true>(cpu.into(), messages, to);
                    })
                } else {
                    proven!($Cpu: cpu, apart fn enter(cpu: crate::core::cpu::$Cpu, messages: &[Message<'_>], to: &mut [Block; $W]) -> () {
                        tweaks::<$V, $N, $G, $W, false>(cpu.into(), messages, to);
                    })
                }
            }

            #[inline(always)]
            fn unit<const ENCRYPT: bool>(&self, message: &mut Message<'_>, first: &Block) {
                let Some(LaneKeys { text: keys, .. }) = message.key.lane_keys() else { return };
                let keys = keys[usize::from(!ENCRYPT)].view().ten_or_fourteen();
                let text = Text::in_place(message.text);
                proven!($Cpu: self.cpu, fn enter<const ENCRYPT: bool>(keys: Rounds<'_>, first: &Block, text: Text<'_>) -> () {
                    $unit(keys, first, text, ENCRYPT);
                })
            }
        }
    };
}
pub(super) use lanes_backend;
