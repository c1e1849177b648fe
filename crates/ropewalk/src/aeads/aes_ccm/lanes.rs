//! Batches of AES-CCM, one message a lane: a chain of blocks, with one counter block interleaved with each.
//!
//! A chain begins with B0, which is encrypted when the next block is added. The last block that is added is zero; with it,
//! counter block 0 is encrypted, which masks the tag (SP 800-38C, sections 6.1 and 6.2). Lanes run in lockstep: their messages
//! have the same number of blocks of additional data, and the rest of longer texts comes last, when other lanes have ended.

use super::{
    Block, Key, Tag,
    chained::{first_blocks, head},
    many::Message,
};
use crate::{
    aeads::many::{GROUP, bits},
    aes::{RoundKeys, chains::KeysOfLanes, groups::Key as _, middle_rounds},
    core::{
        block::{load_short, store_short},
        opaque::unseen,
        secret::Wiped,
        simd::{CounterLanes, each},
        text::{Abreast, LINE, Texts},
    },
};

/// Messages sorted such that those of one shape are neighbours, the longest first. Messages that do not suit lanes go to
/// `one_by_one`.
pub(super) struct Order {
    list: [u64; GROUP],
    len: usize,
}

/// Bits of the index of a message, and of the number of blocks of its text. The shape is above these: the rounds of its key, and
/// the number of blocks of additional data.
const NUMBER: u32 = 6;
const TEXT: u32 = 36;
const AAD: u32 = 20;

impl Order {
    #[inline(always)]
    pub(super) fn new(
        chosen: u64,
        messages: &mut [Message<'_>],
        mut one_by_one: impl FnMut(&mut Message<'_>, usize),
    ) -> Self {
        let (mut list, mut len, mut sorted) = ([0; GROUP], 0, true);
        let mut last: Option<(*const Key, Option<usize>)> = None;
        let mut before = u64::MAX;
        for i in bits(chosen) {
            let Some(message) = messages.get_mut(i) else { break };
            let rounds = match last {
                Some((key, rounds)) if core::ptr::eq(key, message.key) => rounds,
                _ => message.key.round_keys().map(|keys| keys.rounds),
            };
            last = Some((message.key, rounds));
            let (aad, text) = (aad_blocks(message.aad.len()), message.text.len() as u64 / 16);
            match rounds {
                Some(rounds) if aad >> AAD == 0 && text >> TEXT == 0 && len < GROUP => {
                    // 10, 12 or 14.
                    let shape = ((rounds as u64 / 2 % 4) << AAD) | aad;
                    let entry = (((shape << TEXT) | text) << NUMBER) | (i as u64 % GROUP as u64);
                    sorted &= entry <= before | (GROUP as u64 - 1);
                    (list[len], before) = (entry, entry);
                    len += 1;
                }
                _ => one_by_one(message, i),
            }
        }
        if !sorted {
            list[..len].sort_unstable_by(|a, b| b.cmp(a));
        }
        Self { list, len }
    }

    /// The next messages of one shape, at most so many; `at` moves behind them.
    #[inline(always)]
    pub(super) fn next(&self, at: &mut usize, most: usize) -> Option<&[u64]> {
        let list = self.list.get(*at..self.len)?;
        let shape = list.first()? >> (NUMBER + TEXT);
        let alike = list.iter().take(most).take_while(|entry| *entry >> (NUMBER + TEXT) == shape);
        let count = alike.count();
        *at += count;
        list.get(..count)
    }
}

/// Blocks of additional data with its length.
#[inline(always)]
fn aad_blocks(len: usize) -> u64 {
    let of = match len {
        0 => return 0,
        1..0xff00 => 2,
        len => {
            if u32::try_from(len).is_ok() {
                6
            } else {
                10
            }
        }
    };
    (len as u64 + of).div_ceil(16)
}

/// The current blocks of the lanes.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// A block of additional data.
    Header,
    /// A cache line of text, in the upper half of the lanes only.
    Ahead,
    /// Whole blocks of text.
    Whole,
    /// Partial blocks at the end.
    Short,
    /// The end of the chain.
    End,
}

/// The size of the spare buffer of lanes whose text has ended.
const SPARE: usize = 128;

/// The state of lanes, without their texts.
struct Beside<'a, const WIDTH: usize> {
    numbers: [usize; WIDTH],
    /// Counter block 0 in halves, which are loaded separately: one load would wait for both to be stored.
    counters: [[u64; WIDTH]; 2],
    /// B0, and later the counter block of the last block of a text.
    firsts: [[u64; WIDTH]; 2],
    /// The rest of the additional data, and its number of blocks, the staged one included.
    aads: [&'a [u8]; WIDTH],
    headers: usize,
    /// Whether texts have partial blocks.
    short: bool,
    /// Masks of the bytes of the last block that get key stream.
    ends: [&'static Block; WIDTH],
    secret: Wiped<Secret<WIDTH>>,
}

/// The secret part, which is wiped.
struct Secret<const WIDTH: usize> {
    /// Blocks that are encrypted in this form, and are not a part of a message.
    staged: [Block; WIDTH],
    /// Chains that wait for other lanes.
    waiting: [Block; WIDTH],
}

/// Scalar code is out of line: LLVM would keep half of it in registers during the rounds.
impl<'a, const WIDTH: usize> Beside<'a, WIDTH> {
    #[inline(always)]
    fn new() -> Self {
        Self {
            numbers: [0; WIDTH],
            counters: [[0; WIDTH]; 2],
            firsts: [[0; WIDTH]; 2],
            aads: [&[]; WIDTH],
            headers: 0,
            short: false,
            ends: [&ALL; WIDTH],
            secret: Wiped::new(Secret { staged: [[0; 16]; WIDTH], waiting: [[0; 16]; WIDTH] }),
        }
    }

    /// A lane without a message repeats the one before it.
    #[inline(never)]
    fn begin(&mut self, list: &[u64], messages: &[Message<'a>]) {
        for lane in 0..WIDTH {
            let Some(entry) = list.get(lane).or(list.last()) else { return };
            let number = *entry as usize % GROUP;
            let Message { key, nonce, aad, text } = &messages[number];
            let (a0, b0) = first_blocks(nonce, key.tag_len(), aad.is_empty(), text.len());
            self.numbers[lane] = number;
            [self.counters[0][lane], self.counters[1][lane]] = [a0 as u64, (a0 >> 64) as u64];
            [self.firsts[0][lane], self.firsts[1][lane]] = [b0 as u64, (b0 >> 64) as u64];
            self.short |= !text.len().is_multiple_of(16);
            if !aad.is_empty() {
                let (first, of) = head(aad);
                self.secret.staged[lane] = first.to_le_bytes();
                self.aads[lane] = &aad[aad.len().min(16 - of)..];
                self.headers = 1 + self.aads[lane].len().div_ceil(16);
            }
        }
    }

    /// Whether there are more blocks of additional data; stages the next of them.
    #[inline(always)]
    fn more_headers(&mut self) -> bool {
        self.headers -= 1;
        if self.headers > 0 {
            self.stage_headers();
        }
        self.headers > 0
    }

    #[inline(never)]
    fn stage_headers(&mut self) {
        for (aad, staged) in self.aads.iter_mut().zip(&mut self.secret.staged) {
            let block;
            (block, *aad) = aad.split_at(aad.len().min(16));
            let whole = block.first_chunk().map(|block| u128::from_le_bytes(*block));
            *staged = whole.unwrap_or_else(|| load_short(block)).to_le_bytes();
        }
    }

    #[inline(never)]
    fn stage_ends(&mut self, texts: &Abreast<'_, WIDTH>) {
        for lane in 0..WIDTH {
            let rest = texts.rest(lane, texts.len(lane) & !15);
            self.secret.staged[lane] = load_short(rest).to_le_bytes();
            self.ends[lane] = first_bytes(rest.len());
            // Each counter is that of the length of its text.
            let count = texts.len(lane) as u64 / 16 + 1;
            self.firsts[0][lane] = self.counters[0][lane];
            self.firsts[1][lane] = self.counters[1][lane] | count.swap_bytes();
        }
    }

    #[inline(never)]
    fn store_ends(&self, texts: &mut Abreast<'_, WIDTH>) {
        for lane in 0..WIDTH {
            let whole = texts.len(lane) & !15;
            store_short(texts.rest_mut(lane, whole), u128::from_le_bytes(self.secret.staged[lane]));
        }
    }
}

/// Encrypts or decrypts messages by their indices, and writes their whole tags.
#[inline(always)]
pub(super) fn crypt<
    'k,
    V,
    Keys,
    const OPEN: bool,
    const N: usize,
    const G: usize,
    const WIDTH: usize,
>(
    cpu: V::Cpu,
    mut keys: Keys,
    rounds: usize,
    list: &[u64],
    messages: &mut [Message<'k>],
    tags: &mut [Tag],
) where
    V: CounterLanes<N>,
    Keys: KeysOfLanes<'k>,
{
    let mut beside = Beside::<WIDTH>::new();
    beside.begin(list, messages);
    let numbers = beside.numbers;
    for (lane, number) in numbers.into_iter().enumerate() {
        if Keys::OWN
            && let Some(round_keys) = messages[number].key.round_keys()
        {
            keys.set(lane, round_keys);
        }
    }
    let mut texts = Abreast::<WIDTH>::of(messages, numbers, |message| message.text);
    let mut spare = [0; SPARE];
    let mut leaving = [[0; 16]; WIDTH];
    keys.settle::<V, N, G>(cpu, rounds);
    let blocks = |[low, high]: &[[u64; WIDTH]; 2], g: usize| {
        let number = |lane| u128::from(low[N * g + lane]) | u128::from(high[N * g + lane]) << 64;
        V::from_numbers(cpu, each(number))
    };
    let counters: [V; G] = each(|g| blocks(&beside.counters, g).reverse_halves());
    let mut count: [V; G] = each(|g| counters[g].count_up());
    let mut x: [V; G] = each(|g| blocks(&beside.firsts, g));
    let zero = V::splat(cpu, &NONE);
    let ends: [V; G] = each(|g| {
        let key = |r: usize| keys.key::<V, N>(cpu, r, g);
        key(0).xor(key(rounds.min(14)))
    });
    let text = if texts.should_part() { Part::Ahead } else { Part::Whole };
    let (mut part, mut running, mut at) = (Part::Header, WIDTH, 0);
    if beside.headers == 0 {
        part = text;
    }
    let mut line = [0; LINE];
    loop {
        let mut stream = count;
        let begun = (x, count);
        let mut added = [V::splat(cpu, &ALL); G];
        let mut texts_of = match part {
            Part::Whole => {
                // Lanes whose text has ended wait for the others.
                let before = running;
                while running > 0 && texts.end_of_blocks(running - 1) == at {
                    running -= 1;
                }
                if running < before {
                    for g in 0..G {
                        for lane in 0..N {
                            if N * g + lane >= running && N * g + lane < before {
                                x[g].put(lane, &mut beside.secret.waiting[N * g + lane]);
                            }
                        }
                    }
                }
                if running == 0 {
                    x = each(|g| V::gather(cpu, each(|lane| &beside.secret.waiting[N * g + lane])));
                    part = if beside.short { Part::Short } else { Part::End };
                    continue;
                }
                let mut len = texts.end_of_blocks(running - 1) - at;
                if running < WIDTH {
                    len = len.min(SPARE);
                }
                at += len;
                texts.part(at - len, len, running, &mut spare)
            }
            Part::Ahead => texts.go_ahead(&mut line),
            Part::Header => {
                (stream, added) = (counters, [zero; G]);
                Texts::blocks(&mut beside.secret.staged)
            }
            Part::Short => {
                beside.stage_ends(&texts);
                for g in 0..G {
                    x[g].store(&mut beside.secret.waiting.as_chunks_mut().0[g]);
                }
                stream = each(|g| blocks(&beside.firsts, g).reverse_halves());
                added = each(|g| V::gather(cpu, each(|lane| beside.ends[N * g + lane])));
                Texts::blocks(&mut beside.secret.staged)
            }
            Part::End => {
                stream = counters;
                beside.secret.staged = [[0; 16]; WIDTH];
                Texts::blocks(&mut beside.secret.staged)
            }
        };
        // A block is added together with the round keys next to it: in the last round before, or in the first round after.
        let mut taken: [V; G] = each(|g| keys.key::<V, N>(cpu, 0, g));
        x = each(|g| x[g].whiten(taken[g]));
        let mut from = 0;
        while from < texts_of.len() {
            keys.forget();
            let key = |r: usize, g: usize| keys.key::<V, N>(cpu, r, g);
            let mut s = stream;
            for g in 0..G {
                x[g] = x[g].round(taken[g], key(1, g));
                s[g] = stream[g].reverse_halves().whiten(key(0, g)).round(key(0, g), key(1, g));
                stream[g] = stream[g].count_up();
            }
            middle_rounds!(rounds, from 2; r => {
                for g in 0..G {
                    x[g] = x[g].round(key(r - 1, g), key(r, g));
                    s[g] = s[g].round(key(r - 1, g), key(r, g));
                }
                for g in 0..G {
                    x[g].keep_order();
                    s[g].keep_order();
                }
            });
            let last = rounds.min(14);
            // All lanes are loaded before any is stored: they may share a buffer.
            let inputs: [V; G] =
                each(|g| V::gather(cpu, each(|lane| texts_of.input(N * g + lane, from))));
            for g in 0..G {
                let before = key(last - 1, g);
                let mut key_stream = s[g].last_round(before, key(last, g));
                if OPEN {
                    key_stream = key_stream.and(added[g]);
                }
                let output = key_stream.xor(inputs[g]);
                taken[g] = ends[g].xor(if OPEN { output } else { inputs[g] });
                x[g] = x[g].last_round(before, zero.whiten(taken[g]));
                if V::WIDE {
                    output.store(&mut leaving.as_chunks_mut().0[g]);
                    let blocks = unseen(&leaving);
                    for lane in N * g..N * (g + 1) {
                        *texts_of.output(lane, from) = blocks[lane];
                    }
                    continue;
                }
                for lane in 0..N {
                    output.put(lane, texts_of.output(N * g + lane, from));
                }
            }
            from += 16;
        }
        x = each(|g| {
            let left = taken[g].xor(zero.whiten(taken[g]));
            x[g].xor(left).xor(keys.key::<V, N>(cpu, 0, g))
        });
        match part {
            Part::Header => {
                if !beside.more_headers() {
                    part = text;
                }
            }
            Part::Ahead => {
                count = stream;
                // The lower half returns to its state from before.
                for g in 0..G / 2 {
                    (x[g], count[g]) = (begun.0[g], begun.1[g]);
                }
                part = Part::Whole;
            }
            Part::Whole => count = stream,
            Part::Short => {
                beside.store_ends(&mut texts);
                // Lanes without a partial block return to their state from before.
                for g in 0..G {
                    for lane in 0..N {
                        if !texts.len(N * g + lane).is_multiple_of(16) {
                            x[g].put(lane, &mut beside.secret.waiting[N * g + lane]);
                        }
                    }
                }
                x = each(|g| V::gather(cpu, each(|lane| &beside.secret.waiting[N * g + lane])));
                part = Part::End;
            }
            Part::End => break,
        }
    }
    for g in 0..G {
        if !OPEN {
            // The chain has absorbed zeros instead of the tag mask, which an opened message provides.
            x[g] = x[g].xor(V::gather(cpu, each(|lane| &beside.secret.staged[N * g + lane])));
        }
        for lane in 0..N {
            x[g].put(lane, &mut tags[numbers[N * g + lane]].bytes);
        }
    }
    spare = [0; SPARE];
    zeroize::optimization_barrier(&spare);
    line = [0; LINE];
    zeroize::optimization_barrier(&line);
    if V::WIDE && OPEN {
        leaving = [[0; 16]; WIDTH];
        zeroize::optimization_barrier(&leaving);
    }
}

const NONE: Block = [0; 16];
const ALL: Block = [0xff; 16];

/// A mask of so many bytes, less than sixteen.
#[inline(always)]
fn first_bytes(len: usize) -> &'static Block {
    static ENDS: [u8; 32] = {
        let mut ends = [0; 32];
        let mut i = 0;
        while i < 16 {
            ends[i] = 0xff;
            i += 1;
        }
        ends
    };
    &ENDS[16 - len % 16..].as_chunks().0[0]
}

/// A message without others of its shape.
#[inline]
pub(super) fn crypt_alone<const OPEN: bool>(
    entry: u64,
    messages: &mut [Message<'_>],
    tags: &mut [Tag],
) {
    let number = entry as usize % GROUP;
    match OPEN {
        false => messages[number].seal(&mut tags[number]),
        true => messages[number].open(&mut tags[number]),
    }
}

/// The round keys of the first of those messages, and whether all have that key.
#[inline(always)]
pub(super) fn keys_of<'k>(list: &[u64], messages: &[Message<'k>]) -> Option<(&'k RoundKeys, bool)> {
    let key = |entry: &u64| messages[*entry as usize % GROUP].key;
    let first = key(list.first()?);
    Some((first.round_keys()?, list.iter().all(|entry| core::ptr::eq(key(entry), first))))
}

/// Declares a backend with so many messages in parallel, so many in each vector.
macro_rules! lanes_backend {
    ($Backend:ident needs $Cpu:ident: $width:literal lanes, $n:literal in each $V:ident) => {
        pub(in crate::aeads::aes_ccm) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
        }

        impl $Backend {
            pub(in crate::aeads::aes_ccm) fn new(cpu: crate::core::cpu::$Cpu, (): ()) -> Self {
                Self { cpu }
            }

            #[inline(always)]
            fn crypt_many<const OPEN: bool>(&self, order: &Order, messages: &mut [Message<'_>], tags: &mut [Tag]) {
                let mut at = 0;
                while let Some(list) = order.next(&mut at, $width) {
                    if let [alone] = *list {
                        crypt_alone::<OPEN>(alone, messages, tags);
                        continue;
                    }
                    let Some((_, one_key)) = keys_of(list, messages) else { continue };
                    let cpu = self.cpu;
                    if one_key {
                        lanes_backend! { @enter $Cpu, $width, $n, $V: cpu, OPEN, list, messages, tags; keys => OneKey(keys) }
                    } else {
                        lanes_backend! { @enter $Cpu, $width, $n, $V: cpu, OPEN, list, messages, tags; keys => OwnKeys::<$width>::new() }
                    }
                }
            }
        }

        impl crate::aeads::many::AeadMany<crate::aeads::key::AesCcm> for $Backend {
            #[inline(always)]
            fn seal_many(&self, chosen: u64, messages: &mut [Message<'_>], tags: &mut [Tag]) {
                let order = Order::new(chosen, messages, |message, i| message.seal(&mut tags[i]));
                self.crypt_many::<false>(&order, messages, tags);
            }

            #[inline(always)]
            fn open_many(&self, chosen: u64, messages: &mut [Message<'_>], tags: &mut [Tag]) {
                let order = Order::new(chosen, messages, |message, i| message.open(&mut tags[i]));
                self.crypt_many::<true>(&order, messages, tags);
            }
        }
    };
    // Each number of vectors has a function of its own.
    (
        @enter $Cpu:ident, $width:literal, $n:literal, $V:ident:
        $cpu:ident, $OPEN:ident, $list:ident, $messages:ident, $tags:ident; $keys:ident => $Keys:expr
    ) => {{
        const QUARTER: usize = $width / 4;
        const HALF: usize = $width / 2;
        match $list.len() {
            0..=QUARTER => lanes_backend! { @part 4 $Cpu, $width, $n, $V: $cpu, $OPEN, $list, $messages, $tags; $keys => $Keys },
            ..=HALF => lanes_backend! { @part 2 $Cpu, $width, $n, $V: $cpu, $OPEN, $list, $messages, $tags; $keys => $Keys },
            _ => lanes_backend! { @part 1 $Cpu, $width, $n, $V: $cpu, $OPEN, $list, $messages, $tags; $keys => $Keys },
        }
    }};
    (
        @part $part:literal $Cpu:ident, $width:literal, $n:literal, $V:ident:
        $cpu:ident, $OPEN:ident, $list:ident, $messages:ident, $tags:ident; $keys:ident => $Keys:expr
    ) => {
        proven!($Cpu: $cpu, apart fn enter<const OPEN: bool>(
            $cpu: crate::core::cpu::$Cpu, $list: &[u64], $messages: &mut [Message<'_>], $tags: &mut [Tag]
        ) -> () {
            const LANES: usize = $width / $part;
            if let Some(($keys, _)) = keys_of($list, $messages) {
                let rounds = $keys.rounds;
                crypt::<$V, _, OPEN, $n, { LANES / $n }, LANES>($cpu, $Keys, rounds, $list, $messages, $tags);
            }
        })
    };
}
pub(super) use lanes_backend;
