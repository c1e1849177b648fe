//! Batches of AES-GCM, one message a lane, generic over instruction sets.
//!
//! A single short message is one dependency chain: its key stream, products with powers of H, a reduction, its tag. In lanes,
//! messages with different keys share all instructions of that, and the overhead of a lane is the gathering of its keys. The
//! lanes of a vector have the same number of blocks of text, the last of which may be short.
//!
//! Texts are processed four blocks at a time. One reduction covers everything, additional data and lengths too. Both directions
//! and all numbers of blocks share one function: ten functions of 38 KiB were no faster.

use super::{Key, many::Message};
use crate::{
    aeads::many::GROUP,
    aes::middle_rounds,
    core::{
        block::{Block, load_short, store_short},
        simd::{HashLanes, each},
        tag::Tag,
        text::Abreast,
    },
};

/// Blocks in a step, before the last ones.
const STEP: usize = 4;

/// The longest additional data.
pub(super) const LONGEST_AAD: usize = 64;

/// The parts of a key that lanes use. Powers of H come highest first: as many as the longest text and additional data have
/// blocks, and one for the lengths.
#[derive(Clone, Copy)]
pub(super) struct LaneKey<'a, const P: usize> {
    pub(super) keys: &'a [Block; 15],
    pub(super) rounds: usize,
    pub(super) powers: &'a [Block; P],
}

/// The number of powers for texts of up to so many bytes, and the longest additional data.
pub(super) const fn powers(longest: usize) -> usize {
    longest.div_ceil(16) + LONGEST_AAD / 16 + 1
}

/// Declares the backend of an instruction set, for keys of one backend. Lanes are used from so many messages on, of at most so
/// many bytes. Adjacent messages that are alike may have functions of their own.
macro_rules! lanes_backend {
    ($Backend:ident of $Key:ident needs $Cpu:ident: $V:ty, $N:literal, from $least:literal, to $longest:literal, $powers:literal powers $(, $alike:path)?) => {
        const POWERS: usize = $powers;
        const _: () = assert!(lanes::powers($longest) <= POWERS, "for the longest text");

        pub(in crate::aeads::aes_gcm) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
        }

        impl $Backend {
            pub(in crate::aeads::aes_gcm) fn new(cpu: crate::core::cpu::$Cpu, (): ()) -> Self {
                Self { cpu }
            }
        }

        /// The parts of a key that lanes use.
        #[inline(always)]
        fn lane_key(key: &Key) -> Option<LaneKey<'_, POWERS>> {
            match key.engine() {
                Engine::$Key(key) => key.lane_key(),
                _ => None,
            }
        }

        impl crate::aeads::many::AeadMany<crate::aeads::key::AesGcm> for $Backend {
            $(
                #[inline(always)]
                fn alike(&self, open: bool, left: &mut u64, messages: &mut [Message<'_>], tags: &mut [Tag]) {
                    $alike(self.cpu, open, left, messages, tags);
                }
            )?

            #[inline(always)]
            fn seal_many(&self, chosen: u64, messages: &mut [Message<'_>], tags: &mut [Tag]) {
                let rounds = |key: &Key| Some(lane_key(key)?.rounds);
                let order = Order::new(chosen, messages, $longest, rounds, |message, i| message.seal(&mut tags[i]));
                let mut at = 0;
                while let Some(alike) = order.next::<$N>(&mut at) {
                    if alike.count >= $least {
                        self.alike(false, alike, messages, tags);
                        continue;
                    }
                    for i in alike.numbers() {
                        messages[i].seal(&mut tags[i]);
                    }
                }
            }

            #[inline(always)]
            fn open_many(&self, chosen: u64, messages: &mut [Message<'_>], tags: &mut [Tag]) {
                let rounds = |key: &Key| Some(lane_key(key)?.rounds);
                let order = Order::new(chosen, messages, $longest, rounds, |message, i| message.open(&mut tags[i]));
                let mut at = 0;
                while let Some(alike) = order.next::<$N>(&mut at) {
                    if alike.count >= $least {
                        self.alike(true, alike, messages, tags);
                        continue;
                    }
                    for i in alike.numbers() {
                        messages[i].open(&mut tags[i]);
                    }
                }
            }
        }

        impl $Backend {
            #[inline(always)]
            fn alike(&self, open: bool, Alike { blocks, numbers, .. }: Alike, messages: &mut [Message<'_>], tags: &mut [Tag]) {
                let cpu = self.cpu;
                // With two lanes, the gain does not justify another instance.
                if $N > 2 && lanes::of_one_key::<$N>(messages, numbers) {
                    proven!($Cpu: cpu, apart fn enter(cpu: crate::core::cpu::$Cpu, open: bool, blocks: usize, numbers: u64, messages: &mut [Message<'_>], tags: &mut [Tag]) -> () {
                        if let Some(mut lanes) = Lanes::<$V, $N, POWERS, true>::new(cpu, messages, numbers, lane_key) {
                            lanes.run(open, blocks, tags);
                        }
                    });
                } else {
                    proven!($Cpu: cpu, apart fn enter(cpu: crate::core::cpu::$Cpu, open: bool, blocks: usize, numbers: u64, messages: &mut [Message<'_>], tags: &mut [Tag]) -> () {
                        if let Some(mut lanes) = Lanes::<$V, $N, POWERS, false>::new(cpu, messages, numbers, lane_key) {
                            lanes.run(open, blocks, tags);
                        }
                    });
                }
            }
        }
    };
}
pub(super) use lanes_backend;

/// Whether those messages have one key.
#[inline(always)]
pub(super) fn of_one_key<const N: usize>(messages: &[Message<'_>], numbers: u64) -> bool {
    let key = |lane: usize| messages[(numbers >> (8 * lane)) as usize % GROUP].key;
    (1..N).all(|lane| core::ptr::eq(key(lane), key(0)))
}

/// The messages of a vector, and their progress. With one key, shared values are loaded once.
pub(super) struct Lanes<'a, V: HashLanes<N>, const N: usize, const P: usize, const ONE_KEY: bool> {
    cpu: V::Cpu,
    numbers: [usize; N],
    rounds: usize,
    keys: [&'a [Block; 15]; N],
    powers: [&'a [Block; P]; N],
    nonce: V,
    aads: [&'a [u8]; N],
    texts: Abreast<'a, N>,
    /// Blocks that have been processed.
    done: usize,
    /// Whether texts end with a partial block.
    short: bool,
    /// The last 16 bytes of each text, read before the bytes in front of them are overwritten.
    ends: V,
    /// The last block that was written.
    behind: V,
}

impl<'a, V: HashLanes<N>, const N: usize, const P: usize, const ONE_KEY: bool>
    Lanes<'a, V, N, P, ONE_KEY>
{
    #[inline(always)]
    pub(super) fn new(
        cpu: V::Cpu,
        messages: &'a mut [Message<'_>],
        numbers: u64,
        lane_key: impl Fn(&Key) -> Option<LaneKey<'_, P>>,
    ) -> Option<Self> {
        let numbers: [usize; N] = each(|lane| (numbers >> (8 * lane)) as usize % GROUP);
        let first = &messages[numbers[0]];
        let (key, nonce) = (lane_key(first.key)?, first.nonce.first_chunk()?);
        let (mut keys, mut powers) = ([key.keys; N], [key.powers; N]);
        let (mut nonces, mut aads) = ([nonce; N], [first.aad; N]);
        for lane in 1..N {
            let message = &messages[numbers[lane]];
            let key = lane_key(message.key)?;
            (keys[lane], powers[lane]) = (key.keys, key.powers);
            (nonces[lane], aads[lane]) = (message.nonce.first_chunk()?, message.aad);
        }
        let texts = Abreast::of(messages, numbers, |message| message.text);
        let short = (0..N).any(|lane| !texts.len(lane).is_multiple_of(16));
        let (nonce, zero) = (V::from_nonces(cpu, nonces), V::zero(cpu));
        Some(Self {
            cpu,
            numbers,
            rounds: key.rounds,
            keys,
            powers,
            nonce,
            aads,
            texts,
            done: 0,
            short,
            ends: zero,
            behind: zero,
        })
    }

    /// Reads the last 16 bytes of each text before the bytes in front of them are overwritten.
    #[inline(always)]
    fn read_ends(&mut self) {
        if self.short {
            self.ends = V::gather(self.cpu, each(|lane| self.texts.last(lane)));
        }
    }

    #[inline(always)]
    fn key(&self, r: usize) -> V {
        if ONE_KEY {
            return V::splat(self.cpu, &self.keys[0][r]);
        }
        V::gather(self.cpu, each(|lane| &self.keys[lane][r]))
    }

    #[inline(always)]
    fn power(&self, at: usize) -> V {
        if ONE_KEY {
            return V::splat(self.cpu, &self.powers[0][at]);
        }
        V::gather(self.cpu, each(|lane| &self.powers[lane][at]))
    }

    /// Encrypts or decrypts texts of that many blocks, the last of which may be short, and computes the tags.
    #[inline(always)]
    pub(super) fn run(&mut self, open: bool, blocks: usize, tags: &mut [Tag]) {
        if blocks > 1 {
            self.read_ends();
        }
        let mut sum = Sum::zero(self.cpu);
        while blocks - self.done > STEP {
            self.step(open, blocks, &mut sum);
        }
        let (end, stream) = match blocks - self.done {
            0 => self.before_last::<0>(open, &mut sum),
            1 => self.before_last::<1>(open, &mut sum),
            2 => self.before_last::<2>(open, &mut sum),
            3 => self.before_last::<3>(open, &mut sum),
            _ => self.before_last::<4>(open, &mut sum),
        };
        let (lengths, power) = (self.lengths(), self.power(P - 1));
        match self.add_aad(&mut sum, blocks + 1) {
            Some((aad, before)) => sum.add_two([aad, lengths], [before, power]),
            None => sum.add(lengths, power),
        }
        if blocks > 0 {
            let hashed = if !self.short {
                self.whole_end(open, stream)
            } else if blocks > 1 {
                self.short_end(open, stream)
            } else {
                self.short_only(open, stream)
            };
            sum.add(hashed.reverse(), self.power(P - 2));
        }
        let tag = sum.reduce().reverse().xor(end);
        for lane in 0..N {
            tag.put(lane, &mut tags[self.numbers[lane]].bytes);
        }
    }

    /// The lengths of additional data and of text in bits, as they are hashed.
    #[inline(always)]
    fn lengths(&self) -> V {
        let bits = |bytes: usize| u128::from(8 * bytes as u64);
        let of = |lane: usize| bits(self.aads[lane].len()) << 64 | bits(self.texts.len(lane));
        V::from_numbers(self.cpu, each(of))
    }

    /// Encrypts or decrypts whole blocks of `blocks`, none of which is the last.
    #[inline(always)]
    fn step(&mut self, open: bool, blocks: usize, sum: &mut Sum<V, N>) {
        let (mut x, _) = self.stream::<STEP, false>();
        self.whole::<STEP, { STEP + 1 }>(open, &mut x);
        let at = (P - 1).wrapping_sub(blocks - self.done);
        for i in (0..STEP).step_by(2) {
            let powers = each(|j| self.power(at.wrapping_add(i + j) % P));
            sum.add_two([x[i], x[i + 1]], powers);
        }
        self.done += STEP;
    }

    /// Processes the last `B` blocks as far as the length of the last one does not matter: returns the mask of the tag, and the
    /// key stream of that block.
    #[inline(always)]
    fn before_last<const B: usize>(&mut self, open: bool, sum: &mut Sum<V, N>) -> (V, V) {
        let (mut x, end) = self.stream::<B, true>();
        let [before, last] = self.last_keys();
        if B == 0 {
            return (end.last_round(before, last), V::zero(self.cpu));
        }
        let stream = x[B - 1].last_round(before, last);
        self.whole::<B, B>(open, &mut x);
        for i in 0..B - 1 {
            sum.add(x[i], self.power(P - 1 - B + i));
        }
        (end.last_round(before, last), stream)
    }

    /// Adds the products of additional data, before so many blocks, except for the last, whose factors are returned.
    #[inline(always)]
    fn add_aad(&self, sum: &mut Sum<V, N>, before: usize) -> Option<(V, V)> {
        let len = self.aads[0].len();
        if let (8..=16, true) = (len, (1..N).all(|lane| self.aads[lane].len() == len)) {
            return Some((self.block_each(len), self.power((P - 1).wrapping_sub(before) % P)));
        }
        let mut most = 0;
        for lane in 0..N {
            most = most.max(self.aads[lane].len());
        }
        let mut i = 0;
        while 16 * i < most {
            let (data, power) = self.factors(i, before);
            i += 1;
            if 16 * i >= most {
                return Some((data, power));
            }
            sum.add(data, power);
        }
        None
    }

    /// Additional data of one length in all lanes, at most a block, reversed: its first 8 bytes and its last 8, which may
    /// overlap, without jumps.
    #[inline(always)]
    fn block_each(&self, len: usize) -> V {
        let mut halves = [0; N];
        for lane in 0..N {
            let (first, last) = (self.aads[lane].first_chunk(), self.aads[lane].last_chunk());
            let half =
                |bytes: Option<&[u8; 8]>| u128::from(u64::from_le_bytes(*bytes.unwrap_or(&[0; 8])));
            halves[lane] = half(last) << 64 | half(first);
        }
        V::from_numbers(self.cpu, halves)
            .shuffle(V::splat(self.cpu, &HALVES[len % 8 + len / 16 * 8]))
    }

    /// A block of additional data in each lane, and its power.
    #[inline(always)]
    fn factors(&self, i: usize, before: usize) -> (V, V) {
        let (mut data, mut powers) = ([0; N], [&self.powers[0][0]; N]);
        for lane in 0..N {
            let aad = self.aads[lane];
            data[lane] = aad_block(aad, i);
            // A lane without further data adds zero, whatever the power.
            powers[lane] = &self.powers[lane][(2 * P - before - aad.len().div_ceil(16) + i) % P];
        }
        (V::from_numbers(self.cpu, data).reverse(), V::gather(self.cpu, powers))
    }

    /// All rounds but the last of the next blocks, and of counter 1 if `END` is set.
    #[inline(always)]
    fn stream<const B: usize, const END: bool>(&self) -> ([V; B], V) {
        let cpu = self.cpu;
        let nonce = self.nonce.whiten(self.key(0));
        // Counters begin with 2. Each is a multiple of four plus 0 to 3.
        let bases: [V; 3] = each(|i| nonce.xor(V::splat(cpu, &COUNTS[(self.done + 4 * i) % 256])));
        let mut x = each(|i| bases[(i + 2) / 4].xor(V::splat(cpu, &COUNTS[(i + 2) % 4])));
        let mut end = nonce.xor(V::splat(cpu, &COUNTS[1]));
        middle_rounds!(self.rounds; r => {
            let (before, key) = (self.key(r - 1), self.key(r));
            for i in 0..B {
                x[i] = x[i].round(before, key);
            }
            if END {
                end = end.round(before, key);
            }
        });
        (x, end)
    }

    /// The two keys for the last round.
    #[inline(always)]
    fn last_keys(&self) -> [V; 2] {
        let last = self.rounds.min(14);
        [self.key(last.wrapping_sub(1) % 15), self.key(last)]
    }

    /// Encrypts or decrypts all blocks but the last of `W`, and leaves in `x` the blocks to hash.
    #[inline(always)]
    fn whole<const B: usize, const W: usize>(&mut self, open: bool, x: &mut [V; B]) {
        let [before, last] = self.last_keys();
        let mut window = self.texts.window::<W>(16 * self.done);
        let mut behind = self.behind;
        for i in 0..W.saturating_sub(1) {
            let input = V::gather(self.cpu, each(|lane| window.input(lane, i)));
            let output = x[i].last_round(before, last.xor(input));
            for lane in 0..N {
                output.put(lane, window.output(lane, i));
            }
            x[i] = if open { input } else { output }.reverse();
            behind = output;
        }
        self.behind = behind;
    }

    /// Processes a whole last block; returns the block to hash.
    #[inline(always)]
    fn whole_end(&mut self, open: bool, stream: V) -> V {
        let input = V::gather(self.cpu, each(|lane| self.texts.last(lane)));
        let output = stream.xor(input);
        for lane in 0..N {
            output.put(lane, self.texts.last_mut(lane));
        }
        if open { input } else { output }
    }

    /// Processes the last block of texts that have one before it; returns the block to hash.
    #[inline(always)]
    fn short_end(&mut self, open: bool, stream: V) -> V {
        let (mut to_front, mut of_behind, mut to_back) = ([0; N], [0; N], [0; N]);
        for lane in 0..N {
            let len = self.texts.len(lane).wrapping_sub(1) % 16 + 1;
            (to_front[lane], of_behind[lane], to_back[lane]) = (32 - len, 16 + len, len);
        }
        let to_front = self.places(to_front);
        let input = self.ends.shuffle(to_front);
        let output = stream.xor(input);
        let of_behind = self.behind.shuffle(self.places(of_behind));
        let ends = of_behind.xor(output.shuffle(self.places(to_back)));
        for lane in 0..N {
            ends.put(lane, self.texts.last_mut(lane));
        }
        if open { input } else { ends.shuffle(to_front) }
    }

    #[inline(always)]
    fn places(&self, from: [usize; N]) -> V {
        V::gather(self.cpu, each(|lane| &PLACES[from[lane]..].as_chunks().0[0]))
    }

    /// Processes the only block of texts of at most one.
    #[inline(always)]
    fn short_only(&mut self, open: bool, stream: V) -> V {
        let mut inputs = [0; N];
        for lane in 0..N {
            inputs[lane] = block_of(self.texts.rest(lane, 0), 0);
        }
        let inputs = V::from_numbers(self.cpu, inputs);
        let mut outputs = stream.xor(inputs).numbers();
        for lane in 0..N {
            let text = self.texts.rest_mut(lane, 0);
            match text.first_chunk_mut() {
                Some(block) => *block = outputs[lane].to_le_bytes(),
                None => {
                    store_short(text, outputs[lane]);
                    outputs[lane] &= (1 << (8 * text.len())) - 1;
                }
            }
        }
        if open { inputs } else { V::from_numbers(self.cpu, outputs) }
    }
}

/// For lengths of 8 to 16, the position of each byte in the first eight bytes and the last eight, from the last byte on.
static HALVES: [Block; 9] = {
    let mut places = [[0x80; 16]; 9];
    let mut len = 8;
    while len <= 16 {
        let mut i = 0;
        while i < len {
            places[len - 8][15 - i] = if i < 8 { i } else { 16 - len + i } as u8;
            i += 1;
        }
        len += 1;
    }
    places
};

/// Block `i` of additional data, padded with zeros. Out of line, as it is called for each lane.
#[inline(never)]
fn aad_block(aad: &[u8], i: usize) -> u128 {
    block_of(aad, i)
}

/// Block `i` of some bytes, padded with zeros.
#[inline(always)]
fn block_of(bytes: &[u8], i: usize) -> u128 {
    let rest = bytes.get(16 * i..).unwrap_or(&[]);
    match rest.first_chunk() {
        Some(block) => u128::from_le_bytes(*block),
        None => load_short(rest),
    }
}

/// Sixteen invalid indices, those of a block, and sixteen invalid ones.
static PLACES: [u8; 48] = {
    let mut places = [0x80; 48];
    let mut i = 0;
    while i < 16 {
        places[16 + i] = i as u8;
        i += 1;
    }
    places
};

/// Blocks whose last byte is their index.
static COUNTS: [Block; 256] = {
    let mut counts = [[0; 16]; 256];
    let mut i = 0;
    while i < counts.len() {
        counts[i][15] = i as u8;
        i += 1;
    }
    counts
};

/// A sum of products in each lane, not reduced.
struct Sum<V, const N: usize>([V; 3]);

impl<V: HashLanes<N>, const N: usize> Sum<V, N> {
    #[inline(always)]
    fn zero(cpu: V::Cpu) -> Self {
        Self([V::zero(cpu); 3])
    }

    #[inline(always)]
    fn add(&mut self, a: V, b: V) {
        self.0 = V::add_product(self.0, a, b);
    }

    #[inline(always)]
    fn add_two(&mut self, a: [V; 2], b: [V; 2]) {
        self.0 = V::add_two_products(self.0, a, b);
    }

    /// Divides by x^128: two folds of 64 bits. The middle part is added where the first fold lands.
    #[inline(always)]
    fn reduce(&self) -> V {
        let [low, middle, high] = V::whole_middle(self.0);
        low.fold(middle).fold(high)
    }
}
