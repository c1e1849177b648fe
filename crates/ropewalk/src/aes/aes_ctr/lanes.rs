//! Batches of AES-CTR, one message a lane, generic over instruction sets.
//!
//! Messages in a group have the same number of blocks, the last of which may be short, and keys with the same number of rounds.
//! Texts have at most four blocks: a longer one keeps the processor busy by itself. The overhead of a message counts as much as
//! its rounds: a vector has blocks of several messages only where each message has one block.

use super::many::{Message, SHORT};
use crate::{
    aes::middle_rounds,
    core::{
        block::{Block, load_short, store_short},
        secret::Wiped,
        simd::{Lanes, each},
    },
};

/// How many messages are examined together.
pub(super) const CHUNK: usize = 16;

/// Messages with the same number of blocks, whose keys have the same number of rounds.
pub(super) struct Alike {
    /// Blocks of each text.
    pub(super) blocks: usize,
    pub(super) one_key: bool,
}

/// Whether all messages are alike, and suit lanes. Their counters then differ in the last byte only, and none wraps.
///
/// Only neighbours are grouped: reordering took as long as it saved.
#[inline(always)]
pub(super) fn alike(messages: &[Message<'_>]) -> Option<Alike> {
    let first = messages.first()?;
    let (mut key, rounds) = (first.key, first.key.round_keys()?.rounds);
    let blocks = first.text.len().div_ceil(16);
    let (mut same, mut one_key, mut last_byte) = (true, true, 0);
    for message in messages {
        if !core::ptr::eq(message.key, key) {
            key = message.key;
            one_key = false;
            same &= key.round_keys().is_some_and(|keys| keys.rounds == rounds);
        }
        same &= message.text.len().div_ceil(16) == blocks;
        last_byte = last_byte.max(message.iv[15]);
    }
    same &= blocks.wrapping_sub(1) < SHORT && usize::from(last_byte) + blocks <= 256;
    same.then_some(Alike { blocks, one_key })
}

/// Encrypts messages of one block with the same key, in `G` vectors.
#[inline(always)]
pub(super) fn singles<V: Lanes<N>, const N: usize, const G: usize, const W: usize>(
    cpu: V::Cpu,
    messages: &mut [&mut Message<'_>; W],
) {
    let Some(keys) = messages[0].key.round_keys() else { return };
    let (mut inputs, mut whole) = ([messages[0].iv; W], true);
    for lane in 0..W {
        match messages[lane].text.first_chunk() {
            Some(input) => inputs[lane] = input,
            None => whole = false,
        }
    }
    let mut x = [[V::splat(cpu, &COUNTS[0])]; G];
    for g in 0..G {
        x[g][0] = V::gather(cpu, each(|lane| messages[N * g + lane].iv));
    }
    let text = if whole { Some(inputs) } else { None };
    x = encrypt::<V, N, G, 1, true>(cpu, [&keys.keys; G], keys.rounds, x);
    if let Some(inputs) = text {
        for g in 0..G {
            x[g][0] = x[g][0].xor(V::gather(cpu, each(|lane| inputs[N * g + lane])));
        }
        for g in 0..G {
            for lane in 0..N {
                if let Some(output) = messages[N * g + lane].text.first_chunk_mut() {
                    x[g][0].put(lane, output);
                }
            }
        }
        return;
    }
    let mut streams = Wiped::new([[[0; 16]; N]; G]);
    for g in 0..G {
        x[g][0].store(&mut streams[g]);
    }
    for (message, stream) in messages.iter_mut().zip(streams.as_flattened().chunks(1)) {
        add_short(message.text, stream);
    }
}

/// Encrypts messages of `B` blocks, in `M` vectors each.
#[inline(always)]
pub(super) fn apply<
    V: Lanes<N>,
    const N: usize,
    const G: usize,
    const B: usize,
    const M: usize,
    const ONE_KEY: bool,
>(
    cpu: V::Cpu,
    messages: &mut [&mut Message<'_>; G],
) {
    let Some(first) = messages[0].key.round_keys() else { return };
    let (mut keys, mut whole) = ([&first.keys; G], N * M == B);
    let mut x = [[V::splat(cpu, &COUNTS[0]); M]; G];
    for g in 0..G {
        let Message { key, iv, text } = &*messages[g];
        if !ONE_KEY && let Some(round_keys) = key.round_keys() {
            keys[g] = &round_keys.keys;
        }
        whole &= text.len() == 16 * B;
        let iv = V::splat(cpu, iv);
        for i in 0..M {
            x[g][i] = match B {
                1 => iv,
                _ => iv.add_bytes(V::load(cpu, &COUNTS.as_chunks().0[i])),
            };
        }
    }
    x = encrypt::<V, N, G, M, ONE_KEY>(cpu, keys, first.rounds, x);
    if whole {
        for g in 0..G {
            if let Some(blocks) = messages[g].text.as_chunks_mut().0.first_chunk_mut::<B>() {
                let (vectors, _) = blocks.as_chunks_mut();
                for i in 0..M {
                    x[g][i].xor(V::load(cpu, &vectors[i])).store(&mut vectors[i]);
                }
            }
        }
        return;
    }
    let mut streams = Wiped::new([[[[0; 16]; N]; M]; G]);
    for g in 0..G {
        for i in 0..M {
            x[g][i].store(&mut streams[g][i]);
        }
    }
    for g in 0..G {
        add_short(messages[g].text, streams[g].as_flattened());
    }
}

/// Encrypts `M` vectors of each of `G` messages, which may share a key.
#[inline(always)]
fn encrypt<V: Lanes<N>, const N: usize, const G: usize, const M: usize, const ONE_KEY: bool>(
    cpu: V::Cpu,
    keys: [&[Block; 15]; G],
    rounds: usize,
    mut x: [[V; M]; G],
) -> [[V; M]; G] {
    for g in 0..G {
        let key = V::splat(cpu, &keys[if ONE_KEY { 0 } else { g }][0]);
        for i in 0..M {
            x[g][i] = x[g][i].whiten(key);
        }
    }
    middle_rounds!(rounds; r => {
        for g in 0..G {
            let keys = keys[if ONE_KEY { 0 } else { g }];
            let (before, key) = (V::splat(cpu, &keys[r - 1]), V::splat(cpu, &keys[r]));
            for i in 0..M {
                x[g][i] = x[g][i].round(before, key);
            }
        }
    });
    let last = rounds.min(14);
    for g in 0..G {
        let keys = keys[if ONE_KEY { 0 } else { g }];
        let (before, key) = (V::splat(cpu, &keys[last - 1]), V::splat(cpu, &keys[last]));
        for i in 0..M {
            x[g][i] = x[g][i].last_round(before, key);
        }
    }
    x
}

/// XORs key stream into a text of at most as many blocks, the last of which may be short. Out of line, as jumps cost more than a
/// call.
#[inline(never)]
fn add_short(text: &mut [u8], stream: &[Block]) {
    let (blocks, rest) = text.as_chunks_mut();
    let mut stream = stream.iter().map(|block| u128::from_le_bytes(*block));
    for (block, stream) in blocks.iter_mut().zip(&mut stream) {
        *block = (u128::from_le_bytes(*block) ^ stream).to_le_bytes();
    }
    if let Some(stream) = stream.next() {
        store_short(rest, load_short(rest) ^ stream);
    }
}

/// Increments of the first counter block.
static COUNTS: [Block; SHORT] = {
    let mut counts = [[0; 16]; SHORT];
    let mut i = 0;
    while i < SHORT {
        counts[i][15] = i as u8;
        i += 1;
    }
    counts
};

/// Declares the backend of an instruction set, given vectors of one block and of as many as it has. Messages of one block with
/// one key fill so many of the latter. Others take so many vectors each, for so many messages.
macro_rules! lanes_backend {
    (
        $Backend:ident needs $Cpu:ident: $One:ty, $V:ty, $N:literal in each; $W:literal singles in $G:literal,
        2 in $two:literal by $of_two:literal, 3 in $three:literal by $of_three:literal, 4 in $four:literal by $of_four:literal
    ) => {
        pub(in crate::aes::aes_ctr) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
        }

        impl $Backend {
            pub(in crate::aes::aes_ctr) fn new(cpu: crate::core::cpu::$Cpu, (): ()) -> Self {
                Self { cpu }
            }

            /// Encrypts as many as fill all lanes, and returns the others.
            #[inline(always)]
            fn alike<'a, 'm>(&self, alike: &Alike, messages: &'a mut [Message<'m>]) -> &'a mut [Message<'m>] {
                let cpu = self.cpu;
                match (alike.blocks, alike.one_key) {
                    (1, true) if messages.len() == CHUNK => lanes_backend! { @alike $Cpu: cpu, messages by $W; singles::<$V, $N, $G, $W> },
                    (1, _) => lanes_backend! { @alike $Cpu: cpu, messages by 8; apply::<$One, 1, 8, 1, 1, false> },
                    (2, true) => lanes_backend! { @alike $Cpu: cpu, messages by $of_two; apply::<$V, $N, $of_two, 2, $two, true> },
                    (2, false) => lanes_backend! { @alike $Cpu: cpu, messages by $of_two; apply::<$V, $N, $of_two, 2, $two, false> },
                    (3, true) => lanes_backend! { @alike $Cpu: cpu, messages by $of_three; apply::<$V, $N, $of_three, 3, $three, true> },
                    (3, false) => lanes_backend! { @alike $Cpu: cpu, messages by $of_three; apply::<$V, $N, $of_three, 3, $three, false> },
                    (_, true) => lanes_backend! { @alike $Cpu: cpu, messages by $of_four; apply::<$V, $N, $of_four, 4, $four, true> },
                    (_, false) => lanes_backend! { @alike $Cpu: cpu, messages by $of_four; apply::<$V, $N, $of_four, 4, $four, false> },
                }
            }
        }

        impl CtrMany for $Backend {
            #[inline(always)]
            fn apply_many(&self, counter: Counter, messages: &mut [Message<'_>]) {
                for messages in messages.chunks_mut(CHUNK) {
                    let alike = if messages.len() < LEAST { None } else { alike(messages) };
                    let left = match alike {
                        Some(alike) => self.alike(&alike, messages),
                        None => messages,
                    };
                    for message in left {
                        message.alone(counter);
                    }
                }
            }
        }
    };
    // Each number of blocks has functions of its own.
    (@alike $Cpu:ident: $cpu:ident, $messages:ident by $W:literal; $kernel:expr) => {{
        let (chunks, rest) = $messages.as_chunks_mut();
        proven!($Cpu: $cpu, apart fn enter($cpu: crate::core::cpu::$Cpu, chunks: &mut [[Message<'_>; $W]]) -> () {
            for messages in chunks {
                $kernel($cpu, &mut messages.each_mut());
            }
        });
        rest
    }};
}
pub(super) use lanes_backend;
