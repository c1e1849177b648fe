//! Many messages of AES-GCM, one in each lane: one text for several instruction sets.
//!
//! One short message is a chain: its key stream, products with powers of H, a reduction, its tag. In lanes, messages of
//! different keys share all instructions of that, and what a lane costs besides is to gather its keys. Lanes of a vector
//! have as many blocks of text, of which the last may be short.
//!
//! Texts have at most four blocks, and one reduction serves them, additional data and lengths.

use super::{Key, many::Message};
use crate::{
    aes::{Block, middle_rounds},
    sealing::many::{GROUP, bits},
    simd::{HashLanes, each, load_short, store_short},
    tag::Tag,
    text::Abreast,
};

/// Powers of H, the highest first, that a key must have for lanes: of a step with additional data before it.
pub(super) const POWERS: usize = 16;

/// The longest additional data.
pub(super) const LONGEST_AAD: usize = 64;

/// What lanes take of a key.
#[derive(Clone, Copy)]
pub(super) struct LaneKey<'a> {
    pub(super) keys: &'a [Block; 15],
    pub(super) rounds: usize,
    pub(super) powers: &'a [Block; POWERS],
}

/// Messages in an order in which those of one shape, which are rounds and blocks of text, are neighbours. What cannot go
/// in lanes goes to `one_by_one`.
pub(super) struct Order {
    /// Each a shape, and in six bits the number of a message.
    list: [u16; GROUP],
    len: usize,
}

impl Order {
    #[inline(always)]
    pub(super) fn new(
        chosen: u64,
        messages: &mut [Message<'_>],
        longest: usize,
        rounds: impl Fn(&Key) -> Option<usize>,
        mut one_by_one: impl FnMut(&mut Message<'_>, usize),
    ) -> Self {
        let mut order = Self { list: [0; GROUP], len: 0 };
        let (mut last, mut in_order, mut left) = (0, true, 0);
        for i in bits(chosen) {
            let message = &messages[i];
            let rounds = match rounds(message.key) {
                Some(rounds) if fits(message, longest) => (rounds - 10) / 2 % 4,
                _ => {
                    left |= 1 << i;
                    continue;
                }
            };
            let blocks = message.text.len().div_ceil(16) % 256;
            let entry = rounds << 14 | blocks << 6 | (i % GROUP);
            in_order &= last <= entry;
            last = entry;
            order.list[order.len % GROUP] = entry as u16;
            order.len += 1;
        }
        for i in bits(left) {
            one_by_one(&mut messages[i], i);
        }
        if !in_order {
            order.sort();
        }
        order
    }

    #[inline(never)]
    fn sort(&mut self) {
        self.list[..self.len.min(GROUP)].sort_unstable();
    }

    /// The next messages of one shape, and `at` goes on behind them.
    #[inline(always)]
    pub(super) fn next<const N: usize>(&self, at: &mut usize) -> Option<Alike> {
        let list = self.list.get(*at..self.len)?;
        let first = u64::from(*list.first()?);
        let (mut number, mut numbers, mut count) = (first % 64, first % 64, 1);
        for lane in 1..N {
            if let Some(entry) =
                list.get(lane).filter(|entry| u64::from(**entry) >> 6 == first >> 6)
            {
                number = u64::from(*entry) % 64;
                count += 1;
            }
            numbers |= number << (8 * lane);
        }
        *at += count;
        Some(Alike { blocks: first as usize >> 6 & 0xff, numbers, count })
    }
}

/// Messages of one shape, as many as there are lanes, or less.
pub(super) struct Alike {
    /// Of each text.
    pub(super) blocks: usize,
    /// A byte for each lane. One that finds no message does what the lane before it does.
    pub(super) numbers: u64,
    pub(super) count: usize,
}

impl Alike {
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        self.numbers
            .to_le_bytes()
            .into_iter()
            .take(self.count)
            .map(|number| usize::from(number) % GROUP)
    }
}

/// Whether lanes take it, whatever its key.
#[inline(always)]
fn fits(message: &Message<'_>, longest: usize) -> bool {
    message.nonce.len() == 12 && message.aad.len() <= LONGEST_AAD && message.text.len() <= longest
}

/// Writes the backend of an instruction set, for keys of one backend. Lanes pay from so many messages on, of at most so many
/// bytes, which are no more than four blocks.
macro_rules! lanes_backend {
    ($Backend:ident of $Key:ident needs $Cpu:ident: $V:ty, $N:literal, from $least:literal, to $longest:literal) => {
        pub(in crate::aes_gcm) struct $Backend {
            cpu: crate::cpu::$Cpu,
        }

        impl $Backend {
            pub(in crate::aes_gcm) fn new(cpu: crate::cpu::$Cpu, (): ()) -> Self {
                Self { cpu }
            }
        }

        /// What lanes take of it.
        #[inline(always)]
        fn lane_key(key: &Key) -> Option<LaneKey<'_>> {
            match key.engine() {
                Engine::$Key(key) => key.lane_key(),
                _ => None,
            }
        }

        impl AeadMany for $Backend {
            #[inline(always)]
            fn seal_many(&self, chosen: u64, messages: &mut [Message<'_>], tags: &mut [Tag]) {
                let rounds = |key: &Key| Some(lane_key(key)?.rounds);
                let order = Order::new(chosen, messages, $longest, rounds, |message, i| message.seal(&mut tags[i]));
                let mut at = 0;
                while let Some(alike) = order.next::<$N>(&mut at) {
                    if alike.count < $least {
                        for i in alike.numbers() {
                            messages[i].seal(&mut tags[i]);
                        }
                        continue;
                    }
                    let (cpu, Alike { blocks, numbers, .. }) = (self.cpu, alike);
                    lanes_backend! { @alike false $Cpu, $V, $N: cpu, blocks, messages, numbers, tags }
                }
            }

            #[inline(always)]
            fn open_many(&self, chosen: u64, messages: &mut [Message<'_>], tags: &mut [Tag]) {
                let rounds = |key: &Key| Some(lane_key(key)?.rounds);
                let order = Order::new(chosen, messages, $longest, rounds, |message, i| message.open(&mut tags[i]));
                let mut at = 0;
                while let Some(alike) = order.next::<$N>(&mut at) {
                    if alike.count < $least {
                        for i in alike.numbers() {
                            messages[i].open(&mut tags[i]);
                        }
                        continue;
                    }
                    let (cpu, Alike { blocks, numbers, .. }) = (self.cpu, alike);
                    lanes_backend! { @alike true $Cpu, $V, $N: cpu, blocks, messages, numbers, tags }
                }
            }
        }
    };
    // Each number of blocks has a function of its own.
    (@alike $open:literal $Cpu:ident, $V:ty, $N:literal: $cpu:ident, $blocks:ident, $messages:ident, $numbers:ident, $tags:ident) => {
        match $blocks {
            0 => lanes_backend! { @short $open 0 $Cpu, $V, $N: $cpu, $messages, $numbers, $tags },
            1 => lanes_backend! { @short $open 1 $Cpu, $V, $N: $cpu, $messages, $numbers, $tags },
            2 => lanes_backend! { @short $open 2 $Cpu, $V, $N: $cpu, $messages, $numbers, $tags },
            3 => lanes_backend! { @short $open 3 $Cpu, $V, $N: $cpu, $messages, $numbers, $tags },
            _ => lanes_backend! { @short $open 4 $Cpu, $V, $N: $cpu, $messages, $numbers, $tags },
        }
    };
    (@short $open:literal $blocks:literal $Cpu:ident, $V:ty, $N:literal: $cpu:ident, $messages:ident, $numbers:ident, $tags:ident) => {
        proven!($Cpu: $cpu, apart fn enter($cpu: crate::cpu::$Cpu, $messages: &mut [Message<'_>], $numbers: u64, $tags: &mut [Tag]) -> () {
            if let Some(mut lanes) = Lanes::<$V, $N>::new($cpu, $messages, $numbers, lane_key) {
                lanes.last::<$open, $blocks, { $blocks + 1 }>($tags);
            }
        })
    };
}
pub(super) use lanes_backend;

/// The messages of a vector, and how far they are.
pub(super) struct Lanes<'a, V: HashLanes<N>, const N: usize> {
    cpu: V::Cpu,
    numbers: [usize; N],
    rounds: usize,
    keys: [&'a [Block; 15]; N],
    powers: [&'a [Block; POWERS]; N],
    nonce: V,
    aads: [&'a [u8]; N],
    texts: Abreast<'a, N>,
    /// Blocks that are done.
    done: usize,
    /// Whether texts end with a short block.
    short: bool,
    /// With what each text ends, where that is read before what lies before it is written.
    ends: V,
    /// The last block that was written.
    behind: V,
    hash: V,
}

impl<'a, V: HashLanes<N>, const N: usize> Lanes<'a, V, N> {
    #[inline(always)]
    pub(super) fn new(
        cpu: V::Cpu,
        messages: &'a mut [Message<'_>],
        numbers: u64,
        lane_key: impl Fn(&Key) -> Option<LaneKey<'_>>,
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
            hash: zero,
        })
    }

    /// What ends each text is read before what lies before it is written.
    #[inline(always)]
    fn read_ends(&mut self) {
        if self.short {
            self.ends = V::gather(self.cpu, each(|lane| self.texts.last(lane)));
        }
    }

    #[inline(always)]
    fn key(&self, r: usize) -> V {
        V::gather(self.cpu, each(|lane| &self.keys[lane][r]))
    }

    #[inline(always)]
    fn power(&self, at: usize) -> V {
        V::gather(self.cpu, each(|lane| &self.powers[lane][at]))
    }

    /// Encrypts or decrypts `B` blocks, one less than `W`, of which the last may be short, and makes the tags.
    #[inline(always)]
    pub(super) fn last<const OPEN: bool, const B: usize, const W: usize>(
        &mut self,
        tags: &mut [Tag],
    ) {
        let cpu = self.cpu;
        if B > 1 && self.done == 0 {
            self.read_ends();
        }
        let (mut x, end) = self.stream::<B, true>();
        let mut sum = Sum::zero(cpu);
        let mut lengths = [0; N];
        for lane in 0..N {
            let bits = |bytes: usize| u128::from(8 * bytes as u64);
            lengths[lane] = bits(self.aads[lane].len()) << 64 | bits(self.texts.len(lane));
        }
        let (lengths, power) = (V::from_numbers(cpu, lengths), self.power(POWERS - 1));
        match self.add_aad(&mut sum, B + 1) {
            Some((aad, before)) => sum.add_two([aad, lengths], [before, power]),
            None => sum.add(lengths, power),
        }
        let keys = self.last_keys();
        if !self.short {
            self.whole::<OPEN, B, W>(&mut x, keys);
        } else if B > 0 {
            self.whole::<OPEN, B, B>(&mut x, keys);
            let stream = x[B - 1].last_round(keys[0], keys[1]);
            x[B - 1] = if B > 1 || self.done > 0 {
                self.short_end::<OPEN>(stream)
            } else {
                self.short_only::<OPEN>(stream)
            }
            .reverse();
        }
        if B > 0 {
            x[0] = x[0].xor(self.hash);
        }
        for i in 0..B / 2 {
            let at = POWERS - 1 - B + 2 * i;
            sum.add_two([x[2 * i], x[2 * i + 1]], [self.power(at), self.power(at + 1)]);
        }
        if !B.is_multiple_of(2) {
            sum.add(x[B - 1], self.power(POWERS - 2));
        }
        let tag = sum.reduce().reverse().xor(end.last_round(keys[0], keys[1]));
        for lane in 0..N {
            tag.put(lane, &mut tags[self.numbers[lane]].bytes);
        }
    }

    /// At the beginning of a text, the products of additional data, before so many blocks of the first reduction; the factors of
    /// the last one are returned.
    #[inline(always)]
    fn add_aad(&self, sum: &mut Sum<V, N>, before: usize) -> Option<(V, V)> {
        if self.done > 0 {
            return None;
        }
        let len = self.aads[0].len();
        if let (8..=16, true) = (len, (1..N).all(|lane| self.aads[lane].len() == len)) {
            return Some((self.block_each(len), self.power((POWERS - 1 - before) % POWERS)));
        }
        let mut most = 0;
        for lane in 0..N {
            most = most.max(self.aads[lane].len());
        }
        let mut i = 0;
        while 16 * i + 16 < most {
            let (data, power) = self.factors(i, before);
            sum.add(data, power);
            i += 1;
        }
        (most > 0).then_some(())?;
        Some(self.factors(i, before))
    }

    /// Additional data that is as long everywhere, and no longer than a block, reversed: its first half and its last one, which
    /// may be the same bytes, without jumps.
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
            data[lane] = block_of(aad, i);
            // A lane that has no more adds nothing, whatever the power.
            powers[lane] =
                &self.powers[lane][(2 * POWERS - before - aad.len().div_ceil(16) + i) % POWERS];
        }
        (V::from_numbers(self.cpu, data).reverse(), V::gather(self.cpu, powers))
    }

    /// All rounds but the last of the next blocks, and of counter 1 where that is asked for.
    #[inline(always)]
    fn stream<const B: usize, const END: bool>(&self) -> ([V; B], V) {
        let cpu = self.cpu;
        let nonce = self.nonce.whiten(self.key(0));
        // Counters begin with 2, and are four times a number and up to three more.
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

    /// What the last round takes.
    #[inline(always)]
    fn last_keys(&self) -> [V; 2] {
        let last = self.rounds.min(14);
        [self.key(last.wrapping_sub(1) % 15), self.key(last)]
    }

    /// Encrypts or decrypts all blocks but the last of `W`, and leaves in `x` what is hashed of them.
    #[inline(always)]
    fn whole<const OPEN: bool, const B: usize, const W: usize>(
        &mut self,
        x: &mut [V; B],
        [before, last]: [V; 2],
    ) {
        let mut window = self.texts.window::<W>(16 * self.done);
        let mut behind = self.behind;
        for i in 0..W.saturating_sub(1) {
            let input = V::gather(self.cpu, each(|lane| window.input(lane, i)));
            let output = x[i].last_round(before, last.xor(input));
            for lane in 0..N {
                output.put(lane, window.output(lane, i));
            }
            x[i] = if OPEN { input } else { output }.reverse();
            behind = output;
        }
        self.behind = behind;
    }

    /// The last block of texts that have one before it: what is hashed.
    #[inline(always)]
    fn short_end<const OPEN: bool>(&mut self, stream: V) -> V {
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
        if OPEN { input } else { ends.shuffle(to_front) }
    }

    #[inline(always)]
    fn places(&self, from: [usize; N]) -> V {
        V::gather(self.cpu, each(|lane| &PLACES[from[lane]..].as_chunks().0[0]))
    }

    /// The only block of texts of at most one.
    #[inline(always)]
    fn short_only<const OPEN: bool>(&mut self, stream: V) -> V {
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
        if OPEN { inputs } else { V::from_numbers(self.cpu, outputs) }
    }
}

/// For lengths of 8 to 16, where in the first eight bytes and the last eight each byte is, from the last place on.
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

/// Block `i` of some bytes, and zeros.
#[inline(always)]
fn block_of(bytes: &[u8], i: usize) -> u128 {
    let rest = bytes.get(16 * i..).unwrap_or(&[]);
    match rest.first_chunk() {
        Some(block) => u128::from_le_bytes(*block),
        None => load_short(rest),
    }
}

/// Sixteen places that are none, those of a block, and sixteen that are none.
static PLACES: [u8; 48] = {
    let mut places = [0x80; 48];
    let mut i = 0;
    while i < 16 {
        places[16 + i] = i as u8;
        i += 1;
    }
    places
};

/// Blocks whose last byte is their own index.
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

    /// Divides by x^128: two folds of 64 bits, and the middle part joins where the first lands.
    #[inline(always)]
    fn reduce(&self) -> V {
        let [low, middle, high] = V::whole_middle(self.0);
        low.fold(middle).fold(high)
    }
}
