//! Messages side by side where instructions work on one message: few of them, each with a state as one message has it.

use super::{
    Hash, Item, Prices, States, Texts, blocks_of, count_in_step, hash_in_turn, one_by_one,
};
use crate::core::secret::Keep;
use crate::core::{secret::Wiped, simd::each_of};

/// Lanes, at most.
pub(crate) const FEW: usize = 4;

/// What it costs that messages end one after the other, in cycles.
const TURNS: u64 = 360;

/// The digest of each message, or its tag.
#[inline(never)]
pub(super) fn hash_few<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    I,
>(
    hash: &H,
    mut messages: &[I],
    mut digests: &mut [[u8; DIGEST]],
    prices: Prices,
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    I: Item<H::Word, WORDS, DIGEST>,
{
    let starts = if I::KEYED { 2 } else { 1 };
    let blocks = |message: &I| blocks_of::<WORDS, LANES, BLOCK, DIGEST, H, I>(message);
    while let Some(first) = messages.first() {
        let group = &messages[..messages.len().min(prices.width())];
        // Those that are so short that as many beside them would not help. Nothing comes between them: a processor begins with
        // the next one before the last has ended.
        let most = prices.of_few(group.len());
        let short = |message: &&I| !most.pay(group.len(), blocks(message), starts);
        let run = messages.iter().take_while(short).count();
        if run > 0 {
            let (alone, rest) = core::mem::take(&mut digests).split_at_mut(run);
            one_by_one(hash, &messages[..run], alone);
            (messages, digests) = (&messages[run..], rest);
            continue;
        }
        let in_step = count_in_step(group);
        let done = if in_step > 1 && prices.of_few(in_step).pay(in_step, blocks(first), starts) {
            hash_in_step(hash, &group[..in_step], &mut digests[..in_step]);
            in_step
        } else if group.len() > 1
            && prices.later(TURNS / starts).pay(
                group.len(),
                group.iter().map(blocks).min().unwrap_or(0),
                starts,
            )
        {
            hash_in_turn(&InTurn { hash, prices }, messages, digests, prices);
            return;
        } else {
            one_by_one(hash, &group[..1], &mut digests[..1]);
            1
        };
        messages = &messages[done..];
        digests = &mut digests[done..];
    }
}

/// Two messages or more that are of one length.
#[inline]
fn hash_in_step<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    I,
>(
    hash: &H,
    messages: &[I],
    digests: &mut [[u8; DIGEST]],
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    I: Item<H::Word, WORDS, DIGEST>,
{
    let mut states = I::Keep::keep([H::start().lane(0); FEW]);
    let states = &mut states[..messages.len()];
    let mut texts = [messages[0].text(); FEW];
    for ((state, text), message) in states.iter_mut().zip(&mut texts).zip(messages) {
        *text = message.text();
        if I::KEYED {
            *state = message.inner();
        }
    }
    let len = BLOCK * messages[0].blocks_before() + texts[0].len();
    hash.finish_few(states, &texts[..messages.len()], len as u64);
    for (state, digest) in states.iter().zip(&mut *digests) {
        hash.finish(state, digest);
    }
    if I::KEYED {
        // The outer hash (FIPS 198-1, table 1, steps 8 and 9).
        let mut texts: [&[u8]; FEW] = [&[]; FEW];
        for ((state, text), (message, digest)) in
            states.iter_mut().zip(&mut texts).zip(messages.iter().zip(&*digests))
        {
            *state = message.outer();
            *text = digest;
        }
        hash.finish_few(states, &texts[..messages.len()], (BLOCK + DIGEST) as u64);
        for (state, digest) in states.iter().zip(digests) {
            hash.finish(state, digest);
        }
    }
}

/// Absorbs texts, all of them equally long, into the states that running lanes are of.
#[cfg(feature = "cbc-hmac")]
#[inline]
pub(super) fn absorb<
    'a,
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
>(
    hash: &H,
    states: &mut [[H::Word; WORDS]],
    running: usize,
    of: impl Fn(usize) -> usize,
    text: impl Fn(usize) -> &'a [[u8; BLOCK]],
    prices: Prices,
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
{
    let width = if running > 2 { prices.width() } else { 2 };
    let mut lanes: Wiped<[_; FEW]> = Wiped::new(core::array::from_fn(|lane| states[of(lane)]));
    let texts: [_; FEW] = core::array::from_fn(text);
    hash.compress_few(&mut lanes[..width], &texts[..width]);
    for lane in 0..running {
        states[of(lane)] = lanes[lane];
    }
}

/// Absorbs so many blocks into each of two states or more, and shows what each of them leaves.
#[cfg(feature = "cbc-hmac")]
#[inline]
pub(super) fn absorb_and_show<
    'a,
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
>(
    hash: &H,
    states: &[[H::Word; WORDS]],
    blocks: usize,
    next: impl Fn(usize, usize) -> &'a [[u8; BLOCK]],
    mut show: impl FnMut(usize, usize, &[H::Word; WORDS]),
    prices: Prices,
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
{
    let width = if states.len() > 2 { prices.width() } else { 2 };
    let mut lanes = Wiped::new([states[0]; FEW]);
    lanes[..states.len()].copy_from_slice(states);
    for block in 0..blocks {
        let texts: [_; FEW] = core::array::from_fn(|lane| next(lane, block));
        hash.compress_few(&mut lanes[..width], &texts[..width]);
        for (lane, state) in lanes[..states.len()].iter().enumerate() {
            show(lane, block, state);
        }
    }
}

/// Absorbs texts, all of them equally long, into those of many lanes that run: as many at a time as there are few.
#[inline(never)]
pub(super) fn compress_running<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
>(
    hash: &H,
    states: &mut States<H::Word, WORDS, LANES>,
    mut running: u32,
    texts: &Texts<'_, LANES, BLOCK>,
    prices: Prices,
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
{
    while running != 0 {
        let mut of = [running.trailing_zeros() as usize; FEW];
        let mut count = 0;
        while count < prices.width() && running != 0 {
            of[count] = running.trailing_zeros() as usize;
            running &= running - 1;
            count += 1;
        }
        let mut rows = Wiped::new(each_of(of, |lane| states.lane(lane)));
        let texts = each_of(of, |lane| texts[lane]);
        match count {
            1 => hash.compress(&mut rows[0], texts[0]),
            2 => hash.compress_few(&mut rows[..2], &texts[..2]),
            _ => hash.compress_few(&mut rows[..prices.width()], &texts[..prices.width()]),
        }
        for (lane, row) in of.iter().zip(&*rows).take(count) {
            states.set_lane(*lane, row);
        }
    }
}

/// The same hash function, as messages take it that end one after the other.
struct InTurn<'a, H, const LANES: usize> {
    hash: &'a H,
    prices: Prices,
}

impl<const WORDS: usize, const LANES: usize, const BLOCK: usize, const DIGEST: usize, H>
    Hash<WORDS, FEW, BLOCK, DIGEST> for InTurn<'_, H, LANES>
where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
{
    type Word = H::Word;
    type Tail = H::Tail;
    type Schedule = H::Schedule;
    const PADDING: usize = H::PADDING;

    #[inline]
    fn start() -> States<H::Word, WORDS, FEW> {
        States::splat(&H::start().lane(0))
    }
    fn prices(&self) -> Prices {
        self.prices
    }
    fn compress(&self, state: &mut [H::Word; WORDS], blocks: &[[u8; BLOCK]]) {
        self.hash.compress(state, blocks);
    }
    fn compress_many(
        &self,
        states: &mut States<H::Word, WORDS, FEW>,
        texts: &Texts<'_, FEW, BLOCK>,
    ) {
        let lanes = self.prices.width();
        let mut rows: [_; FEW] = core::array::from_fn(|lane| states.lane(lane));
        self.hash.compress_few(&mut rows[..lanes], &texts[..lanes]);
        for (lane, row) in rows.iter().enumerate() {
            states.set_lane(lane, row);
        }
    }
    fn known(len: u64) -> H::Schedule {
        H::known(len)
    }
    fn compress_known(&self, _: &mut States<H::Word, WORDS, FEW>, _: &H::Schedule) {
        unreachable!("messages do not end together")
    }
    fn digests(&self, _: &mut States<H::Word, WORDS, FEW>, _: &mut [[u8; DIGEST]]) {
        unreachable!("messages do not end together")
    }
    fn digest(&self, message: &[u8], digest: &mut [u8; DIGEST]) {
        self.hash.digest(message, digest);
    }
    fn finish(&self, state: &[H::Word; WORDS], digest: &mut [u8; DIGEST]) {
        self.hash.finish(state, digest);
    }
    fn state_of(digest: &[u8; DIGEST]) -> [H::Word; WORDS] {
        H::state_of(digest)
    }
}

/// Writes a backend that has two messages side by side, or up to so many more, each in registers of its own. Its module has
/// `State`, `Block`, `Link` and `Padding`, and it has `Registers`, which `load` and `store` a state and are the `block` of its
/// digest; `words` of a block; `padded`, which is the last blocks of a message, and how many; and `rounds!`, which absorbs the
/// words of a block into each of `N` lanes: a function of that size would be called, and have them in memory.
macro_rules! backend_of_few {
    ($vis:vis $Backend:ident needs $Cpu:ident: 2 $(or $more:literal)? lanes) => {
        $vis struct $Backend {
            cpu: crate::core::cpu::$Cpu,
        }

        impl CompressMany for $Backend {
            kernel! { $Cpu: fn compress_few(&self, states: &mut [State], texts: &[&[Block]]) = $Backend::compress_kernel }
            kernel! { $Cpu: fn finish_few(&self, states: &mut [State], texts: &[&[u8]], len: u64) = $Backend::finish_kernel }
            kernel! { $Cpu: fn iterate_few(&self, links: &mut [Link], padding: &Padding, count: u32) = $Backend::iterate_kernel }
        }

        impl $Backend {
            $vis fn new(cpu: crate::core::cpu::$Cpu, (): ()) -> Self {
                Self { cpu }
            }
        }

        features! { $Cpu, kernels_of_few! { $Backend $($more)? } }
    };
}

macro_rules! kernels_of_few {
    ($arch:tt [$($feature:tt)+] $Backend:ident $($more:literal)?) => {
        impl $Backend {
            #[inline]
            #[target_feature($(enable = $feature),+)]
            fn compress_kernel(&self, states: &mut [State], texts: &[&[Block]]) {
                match states.len() {
                    0..=2 => compress::<2>(states, texts),
                    _ => several! { [$($more)?] compress(states, texts) },
                }
            }

            #[inline]
            #[target_feature($(enable = $feature),+)]
            fn finish_kernel(&self, states: &mut [State], texts: &[&[u8]], len: u64) {
                match states.len() {
                    0..=2 => finish::<2>(states, texts, len),
                    _ => several! { [$($more)?] finish(states, texts, len) },
                }
            }

            #[inline]
            #[target_feature($(enable = $feature),+)]
            fn iterate_kernel(&self, links: &mut [Link], padding: &Padding, count: u32) {
                match links.len() {
                    1 => iterate::<1>(links, padding, count),
                    2 => iterate::<2>(links, padding, count),
                    _ => several! { [$($more)?] iterate(links, padding, count) },
                }
            }
        }

        #[inline]
        #[target_feature($(enable = $feature),+)]
        fn compress<const N: usize>(states: &mut [State], texts: &[&[Block]]) {
            absorb::<N>(states, &each(|lane| texts[lane]), &[&[]; N]);
        }

        #[inline]
        #[target_feature($(enable = $feature),+)]
        fn finish<const N: usize>(states: &mut [State], texts: &[&[u8]], len: u64) {
            let end = states.len() - 1;
            let texts: [(&[Block], &[u8]); N] = each(|lane| texts[lane.min(end)].as_chunks());
            let tails: [_; N] = each(|lane| padded(texts[lane].1, len));
            absorb::<N>(states, &each(|lane| texts[lane].0), &each(|lane| &tails[lane].0[..tails[0].1]));
        }

        /// As many blocks of each text, and then as many of each tail. Lanes without a message have the last state.
        #[target_feature($(enable = $feature),+)]
        fn absorb<const N: usize>(states: &mut [State], texts: &[&[Block]; N], tails: &[&[Block]; N]) {
            let end = states.len() - 1;
            let mut lanes: [_; N] = each(|lane| Registers::load(&states[lane.min(end)]));
            for texts in [texts, tails] {
                let len = texts[0].len();
                let texts: [_; N] = each(|lane| &texts[lane][..len]);
                for t in 0..len {
                    let mut w: [_; N] = each(|lane| words(&texts[lane][t]));
                    rounds!(lanes, w, N);
                }
            }
            for (lane, state) in lanes.iter().zip(states) {
                lane.store(state);
            }
        }

        /// Digests go from state to state and never are bytes.
        #[inline]
        #[target_feature($(enable = $feature),+)]
        fn iterate<const N: usize>(links: &mut [Link], padding: &Padding, count: u32) {
            let end = links.len() - 1;
            let mut lanes: [_; N] = each(|lane| Registers::load(&links[lane.min(end)].last));
            for _ in 0..count {
                for key in 0..2 {
                    let mut w: [_; N] = each(|lane| lanes[lane].block(padding));
                    lanes = each(|lane| Registers::load(&links[lane.min(end)].keys[key]));
                    rounds!(lanes, w, N);
                }
                for (lane, link) in lanes.iter().zip(&mut *links) {
                    lane.store(&mut link.last);
                    for (sum, word) in link.sum.iter_mut().zip(&link.last) {
                        *sum ^= word;
                    }
                }
            }
        }
    };
}

/// What more lanes do, or two where there are no more.
macro_rules! several {
    ([] $name:ident($($arg:ident),+)) => {
        $name::<2>($($arg),+)
    };
    ([$more:literal] $name:ident($($arg:ident),+)) => {
        $name::<$more>($($arg),+)
    };
}
#[allow(unused_imports, reason = "a target may have no such backend")]
pub(crate) use {backend_of_few, kernels_of_few, several};
