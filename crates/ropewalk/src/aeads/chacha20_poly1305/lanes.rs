//! Batches of messages: each lane is a block of the next message in the batch.
//!
//! The first block of a message is the Poly1305 key, the others its key stream. The blocks that one step has sealed, or opens,
//! are authenticated interleaved with the rounds of the next.

use super::{many::Message, wide::lengths};
use crate::{
    chacha::{
        chacha20::{KeyWords, nonce_words, wide},
        poly1305::{Absorb, End, Queue},
    },
    core::{
        block::{load_short, store_short},
        opaque::unseen,
        secret::Wiped,
        simd::{Rows, each},
        tag::Tag,
    },
};

/// Declares the backend of an instruction set, given its vector and number of lanes, the capacity of the Poly1305 queue in blocks
/// and in messages, and the implementation of the rounds.
macro_rules! many {
    (
        $Backend:ident needs $Cpu:ident: $V:ident of $L:literal, $N:literal blocks of $S:literal,
        |$cpu:ident| $rounds:expr, $features:literal
    ) => {
        pub(in crate::aeads::chacha20_poly1305) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
        }

        impl crate::aeads::many::AeadMany<crate::aeads::key::ChaCha20Poly1305> for $Backend {
            kernel! { $Cpu: fn seal_many(&self, chosen: u64, messages: &mut [Message<'_>], tags: &mut [Tag]) = $Backend::kernel::<true> }
            kernel! { $Cpu: fn open_many(&self, chosen: u64, messages: &mut [Message<'_>], tags: &mut [Tag]) = $Backend::kernel::<false> }
        }

        impl $Backend {
            pub(in crate::aeads::chacha20_poly1305) fn new(cpu: crate::core::cpu::$Cpu, (): ()) -> Self {
                Self { cpu }
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn kernel<const SEAL: bool>(
                &self,
                chosen: u64,
                messages: &mut [Message<'_>],
                tags: &mut [Tag],
            ) {
                self.lanes(chosen, messages, tags, SEAL);
            }

            /// Seals and opens, as it is long.
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn lanes(
                &self,
                chosen: u64,
                messages: &mut [Message<'_>],
                tags: &mut [Tag],
                seal: bool,
            ) {
                let $cpu = self.cpu;
                lanes::messages::<$V, $L, $N, $S>(
                    $cpu,
                    $rounds,
                    |behind, key_stream, messages| self.add(behind, key_stream, messages, seal),
                    chosen,
                    messages,
                    tags,
                );
            }

            #[inline(never)]
            #[target_feature(enable = $features)]
            fn add(
                &self,
                behind: &mut lanes::Behind<$N, $S>,
                key_stream: &[[u8; 64]],
                messages: &mut [Message<'_>],
                seal: bool,
            ) {
                behind.add::<$V, $L>(self.cpu, key_stream, messages, seal);
            }
        }
    };
}
pub(super) use many;

/// The rounds of as many blocks as there are lanes.
pub(super) trait Rounds<V, const L: usize, const N: usize, const S: usize> {
    /// The key stream of blocks with that initial state, word by word. All queued blocks are absorbed meanwhile.
    fn rounds(&mut self, start: [V; 16], queue: &mut Queue<N, S>, end: &mut End<S>) -> [V; 16];
}

/// Compiled rounds, with any implementation of Poly1305 blocks.
pub(super) struct Plain<A>(pub(super) A);

impl<V: Rows<L>, A: Absorb, const L: usize, const N: usize, const S: usize> Rounds<V, L, N, S>
    for Plain<A>
{
    #[inline(always)]
    fn rounds(&mut self, start: [V; 16], queue: &mut Queue<N, S>, end: &mut End<S>) -> [V; 16] {
        let start = Wiped::new(start);
        let mut beside = queue.beside(end, self.0);
        let words = wide::rounds(&start, &mut beside);
        beside.all();
        words
    }
}

/// Seals or opens the chosen messages, and writes their tags. Code that handles key stream is out of line, as the rounds take all
/// registers.
#[inline(always)]
pub(super) fn messages<V: Rows<L>, const L: usize, const N: usize, const S: usize>(
    cpu: V::Cpu,
    mut rounds: impl Rounds<V, L, N, S>,
    add: impl Fn(&mut Behind<N, S>, &[[u8; 64]], &mut [Message<'_>]),
    chosen: u64,
    messages: &mut [Message<'_>],
    tags: &mut [Tag],
) {
    let mut behind = Behind::new(chosen);
    let mut key_stream = Wiped::new([[0; 64]; L]);
    let mut lanes = Lanes { keys: [&[0; 12]; L], places: [[0; 4]; L], next: Next(chosen), left: 0 };
    // Scalar code is placed between the vector dependency chains.
    let mut used = lanes.fill(messages);
    while used > 0 {
        let start = lanes.start::<V>(cpu);
        let words = rounds.rounds(start, &mut behind.queue, &mut behind.end);
        behind.write(tags);
        V::store_blocks(wide::lanes_to_blocks(words), &mut key_stream);
        let now = &key_stream[..used];
        used = lanes.fill(messages);
        add(&mut behind, now, messages);
    }
    behind.end = behind.queue.absorb(behind.end);
    behind.write(tags);
}

/// The chosen messages that are to come.
struct Next(u64);

impl Next {
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let next = (self.0 != 0).then(|| self.0.trailing_zeros() as usize);
        self.0 &= self.0.wrapping_sub(1);
        next
    }
}

/// The initial states of blocks, one a lane.
struct Lanes<'a, const L: usize> {
    keys: [&'a KeyWords; L],
    /// Counters and nonces.
    places: [[u32; 4]; L],
    next: Next,
    /// Blocks that are still to come of the last message.
    left: usize,
}

impl<'a, const L: usize> Lanes<'a, L> {
    /// Prepares the next blocks, and returns their number.
    #[inline(always)]
    fn fill(&mut self, messages: &[Message<'a>]) -> usize {
        let (mut key, mut row) = (self.keys[L - 1], self.places[L - 1]);
        for lane in 0..L {
            if self.left == 0 {
                let Some(message) = self.next.next().and_then(|i| messages.get(i)) else {
                    return lane;
                };
                let Some(nonce) = message.nonce.first_chunk() else { return lane };
                key = message.key.words();
                row = nonce_words(0, nonce);
                self.left = 1 + message.text.len().div_ceil(64);
            } else {
                row[0] += 1;
            }
            self.left -= 1;
            (self.keys[lane], self.places[lane]) = (key, row);
        }
        L
    }

    #[inline(always)]
    fn start<V: Rows<L>>(&self, cpu: V::Cpu) -> [V; 16] {
        let constants: [V; 4] = each(|i| V::splat(cpu, self.keys[0][i]));
        let of_key = |i: usize| V::gather(cpu, &each(|lane| &self.keys[lane].as_chunks().0[i]));
        // If LLVM saw that rows are adjacent, it would load two together, which have just been stored singly.
        let places = V::gather(cpu, &each(|lane| unseen(&self.places[lane])));
        let rows = [constants, of_key(1), of_key(2), places];
        each(|i| rows[i / 4][i % 4])
    }
}

/// The consumer of key stream.
pub(super) struct Behind<const N: usize, const S: usize> {
    queue: Queue<N, S>,
    end: End<S>,
    /// Messages whose key stream is to come.
    next: Next,
    /// The current message, and how many of its bytes are done.
    message: Option<(usize, usize)>,
    /// Messages whose tag is to come.
    next_tag: Next,
    end_of_tags: End<S>,
    /// How many have ended since.
    ended: usize,
}

impl<const N: usize, const S: usize> Behind<N, S> {
    #[inline(always)]
    fn new(chosen: u64) -> Self {
        Self {
            queue: Queue::new(),
            end: Queue::<N, S>::end(),
            next: Next(chosen),
            message: None,
            next_tag: Next(chosen),
            end_of_tags: Queue::<N, S>::end(),
            ended: 0,
        }
    }

    /// Writes the tags of messages whose blocks are all absorbed.
    #[inline(always)]
    fn write(&mut self, tags: &mut [Tag]) {
        for _ in 0..self.ended {
            if let Some(tag) = self.next_tag.next().and_then(|i| tags.get_mut(i)) {
                tag.bytes = self.queue.tag(&mut self.end_of_tags);
            }
        }
        self.ended = 0;
    }

    /// XORs that key stream in, and queues the blocks to be absorbed next.
    #[inline(always)]
    pub(super) fn add<V: Rows<L>, const L: usize>(
        &mut self,
        cpu: V::Cpu,
        mut key_stream: &[[u8; 64]],
        messages: &mut [Message<'_>],
        seal: bool,
    ) {
        let (queue, mut end, mut ended) = (&mut self.queue, self.end, 0);
        let (mask, mask_128) = if seal { (V::splat(cpu, !0), !0) } else { (V::splat(cpu, 0), 0) };
        let mut message = self.message;
        while let Some((first, more)) = key_stream.split_first() {
            let Some(i) = message.map(|(i, _)| i).or_else(|| self.next.next()) else { break };
            let Some(Message { aad, text, .. }) = messages.get_mut(i) else { break };
            if message.is_none() {
                let (numbers, _) = first.as_chunks();
                let [r, s] = [numbers[0], numbers[1]].map(u128::from_le_bytes);
                queue.begin(&mut end, r, s);
                queue.push_filled(&mut end, aad);
                key_stream = more;
            }
            let at = message.map_or(0, |(_, at)| at);
            let len = text.len();
            let Some(rest) = text.get_mut(at..) else { break };
            let (blocks, rest) = rest.as_chunks_mut();
            let whole = blocks.len().min(key_stream.len());
            let (now, more) = key_stream.split_at(whole);
            for (text, now) in blocks.iter_mut().zip(now) {
                if let Some(copy) = queue.push_four(&mut end) {
                    mask.add_block(now, text, copy);
                }
            }
            key_stream = more;
            message = Some((i, at + 64 * whole));
            if whole < blocks.len() {
                break;
            }
            if !rest.is_empty() {
                let Some((now, more)) = key_stream.split_first() else { break };
                add_less(now, rest, queue, &mut end, mask_128);
                key_stream = more;
            }
            queue.push_last(&mut end, lengths(aad.len(), len));
            (message, ended) = (None, ended + 1);
        }
        (self.message, self.end, self.ended) = (message, end, ended);
    }
}

/// The same for less than a block.
#[inline(always)]
fn add_less<const N: usize, const S: usize>(
    key_stream: &[u8; 64],
    text: &mut [u8],
    queue: &mut Queue<N, S>,
    end: &mut End<S>,
    mask: u128,
) {
    let (key_stream, _) = key_stream.as_chunks();
    let (whole, rest) = text.as_chunks_mut();
    for (block, key_stream) in whole.iter_mut().zip(key_stream) {
        let (from, now) = (u128::from_le_bytes(*block), u128::from_le_bytes(*key_stream));
        *block = (from ^ now).to_le_bytes();
        queue.push(end, from ^ now & mask);
    }
    if let (1.., Some(key_stream)) = (rest.len(), key_stream.get(whole.len())) {
        let here = (1 << (8 * (rest.len() & 15))) - 1;
        let (from, now) = (load_short(rest), u128::from_le_bytes(*key_stream) & here);
        store_short(rest, from ^ now);
        queue.push(end, from ^ now & mask);
    }
}
