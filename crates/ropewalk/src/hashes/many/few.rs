//! Backends for narrow batches, which interleave the instructions for one message: each message has a state in the layout of one
//! message.

use super::{
    Batch, FewOf, Item, LaneHash, LaneStates, Prices, blocks_of, count_in_step, hash_in_turn,
    in_turn::{BlockOf, Narrow, Turns},
    one_by_one, starts,
};
use crate::{
    core::{
        secret::{Keep, Wiped},
        simd::each_of,
        tuning,
    },
    hashes::function::{BlockHash, ByteArray},
};

/// The largest number of lanes.
pub(crate) const FEW: usize = 4;

/// The digest of each message, or its tag.
#[inline(never)]
pub(super) fn hash_few<H: LaneHash, I: Item<H::State, H::Output>>(
    batch: Batch<'_, H>,
    few: &FewOf<H>,
    mut messages: &[I],
    mut digests: &mut [H::Output],
    prices: Prices,
) {
    let starts = starts::<H, I>();
    while let Some(first) = messages.first() {
        let group = &messages[..messages.len().min(prices.width())];
        // A run of messages that are too short for interleaving. In serial a processor overlaps them by itself.
        let most = prices.of_few(group.len());
        let short = |message: &&I| !most.pay(group.len(), blocks_of::<H, I>(message), starts);
        let run = messages.iter().take_while(short).count();
        if run > 0 {
            let (serial, rest) = core::mem::take(&mut digests).split_at_mut(run);
            one_by_one(batch, &messages[..run], serial);
            (messages, digests) = (&messages[run..], rest);
            continue;
        }
        let in_step = count_in_step(group);
        let blocks = blocks_of::<H, I>(first);
        let done = if in_step > 1 && prices.of_few(in_step).pay(in_step, blocks, starts) {
            hash_in_step(batch, few, &group[..in_step], &mut digests[..in_step]);
            in_step
        } else if group.len() > 1
            && prices.later(tuning::row().hash_turns / starts).pay(
                group.len(),
                group.iter().map(blocks_of::<H, I>).min().unwrap_or(0),
                starts,
            )
        {
            hash_in_turn(&Narrow { batch, few, prices }, messages, digests);
            return;
        } else {
            one_by_one(batch, &group[..1], &mut digests[..1]);
            1
        };
        messages = &messages[done..];
        digests = &mut digests[done..];
    }
}

/// Two messages or more of one length.
#[inline]
fn hash_in_step<H: LaneHash, I: Item<H::State, H::Output>>(
    batch: Batch<'_, H>,
    few: &FewOf<H>,
    messages: &[I],
    digests: &mut [H::Output],
) {
    let mut states = I::Keep::keep([H::START; FEW]);
    let states = &mut states[..messages.len()];
    let mut texts = [messages[0].text(); FEW];
    for ((state, text), message) in states.iter_mut().zip(&mut texts).zip(messages) {
        *text = message.text();
        if let Some(inner) = message.inner() {
            *state = inner;
        }
    }
    let len = H::Block::LEN * messages[0].blocks_before() + texts[0].len();
    H::finish_few(few, states, &texts[..messages.len()], len as u64);
    for (state, digest) in states.iter().zip(&mut *digests) {
        *digest = H::output(batch.one(), state);
    }
    if I::KEYED {
        // The outer hash (FIPS 198-1, table 1, steps 8 and 9).
        let mut texts: [&[u8]; FEW] = [&[]; FEW];
        for ((state, text), (message, digest)) in
            states.iter_mut().zip(&mut texts).zip(messages.iter().zip(&*digests))
        {
            if let Some(outer) = message.outer() {
                *state = outer;
            }
            *text = digest.as_ref();
        }
        let len = (H::Block::LEN + H::Output::LEN) as u64;
        H::finish_few(few, states, &texts[..messages.len()], len);
        for (state, digest) in states.iter().zip(digests) {
            *digest = H::output(batch.one(), state);
        }
    }
}

/// Absorbs texts of one length into the states of the running lanes.
#[cfg(feature = "cbc-hmac")]
#[inline]
pub(super) fn absorb<'a, H: LaneHash>(
    few: &FewOf<H>,
    prices: Prices,
    states: &mut [H::State],
    running: usize,
    of: impl Fn(usize) -> usize,
    text: impl Fn(usize) -> &'a [H::Block],
) {
    let width = if running > 2 { prices.width() } else { 2 };
    let mut lanes: Wiped<[_; FEW]> = Wiped::new(core::array::from_fn(|lane| states[of(lane)]));
    let texts: [_; FEW] = core::array::from_fn(text);
    H::compress_few(few, &mut lanes[..width], &texts[..width]);
    for lane in 0..running {
        states[of(lane)] = lanes[lane];
    }
}

/// Absorbs that many blocks into each of two states or more, and reports each intermediate state.
#[cfg(feature = "cbc-hmac")]
#[inline]
pub(super) fn absorb_and_show<'a, H: LaneHash>(
    few: &FewOf<H>,
    prices: Prices,
    states: &[H::State],
    blocks: usize,
    next: impl Fn(usize, usize) -> &'a [H::Block],
    mut show: impl FnMut(usize, usize, &H::State),
) {
    let width = if states.len() > 2 { prices.width() } else { 2 };
    let mut lanes = Wiped::new([states[0]; FEW]);
    lanes[..states.len()].copy_from_slice(states);
    for block in 0..blocks {
        let texts: [_; FEW] = core::array::from_fn(|lane| next(lane, block));
        H::compress_few(few, &mut lanes[..width], &texts[..width]);
        for (lane, state) in lanes[..states.len()].iter().enumerate() {
            show(lane, block, state);
        }
    }
}

/// Absorbs texts of one length into those of many lanes that are running: as many at a time as the backend interleaves.
#[inline(never)]
pub(super) fn compress_running<T: Turns>(
    turns: &T,
    few: &FewOf<T::Hash>,
    prices: Prices,
    states: &mut T::States,
    mut running: u32,
    texts: &T::PerLane<&[BlockOf<T>]>,
) {
    let (one, texts) = (turns.batch().one(), texts.as_ref());
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
        let width = prices.width();
        match count {
            1 => T::Hash::compress(one, &mut rows[0], texts[0]),
            2 => T::Hash::compress_few(few, &mut rows[..2], &texts[..2]),
            _ => T::Hash::compress_few(few, &mut rows[..width], &texts[..width]),
        }
        for (lane, row) in of.iter().zip(&*rows).take(count) {
            states.set_lane(*lane, row);
        }
    }
}

/// Declares a backend that interleaves two messages, or up to `$more`, each in registers of its own. Its module has
/// `Compression`, `State`, `Block`, `Link` and `Padding`, and these: `Registers`, which can `load` and `store` a state, and has
/// the `block` of its digest; `words` of a block; `padded`, which returns the last blocks of a message, and their number; and
/// `rounds!`, which absorbs the words of a block into each of `N` lanes. It is a macro, as a function of that size would be
/// called, with its arguments in memory.
macro_rules! backend_of_few {
    ($vis:vis $Backend:ident needs $Cpu:ident: 2 $(or $more:literal)? lanes) => {
        $vis struct $Backend {
            cpu: crate::core::cpu::$Cpu,
        }

        impl CompressFew<Compression> for $Backend {
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

        /// Absorbs the same number of blocks of each text, and then of each tail. Lanes without a message repeat the last state.
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

        /// Digests stay words from one state to the next.
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

/// The function for the most lanes, or for two where there are no more.
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
