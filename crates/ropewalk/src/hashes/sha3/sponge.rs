//! SHA-3 functions with output of one length, for the generic code of hash functions (FIPS 202, section 6).

use super::{Engine, Function, LANES, ManyEngine, State, States, add_at, copy_from, pad};
use crate::{
    core::{
        backend::{LanesOnly, Never},
        block::{load_short, store_short},
    },
    hashes::{
        function::{Backed, BlockHash, HashFunction, LastBlocks},
        hasher::Incremental,
        many::{LaneHash, LaneStates, Link},
    },
};

/// SHA-3 or SHAKE with blocks of `RATE` bytes, output of `LEN`, and `SUFFIX` before the padding: 0x06 is SHA-3.
#[derive(Clone, Copy, Debug)]
pub enum SpongeFunction<const RATE: usize, const SUFFIX: u8, const LEN: usize> {}

impl<const RATE: usize, const LEN: usize> HashFunction for SpongeFunction<RATE, 0x06, LEN> {
    type Digest = [u8; LEN];

    const NAME: &'static str = match LEN {
        28 => "sha3-224",
        32 => "sha3-256",
        48 => "sha3-384",
        _ => "sha3-512",
    };
}

impl<const RATE: usize, const SUFFIX: u8, const LEN: usize> SpongeFunction<RATE, SUFFIX, LEN> {
    const FUNCTION: Function = Function { rate: RATE, suffix: SUFFIX };
}

impl<const RATE: usize, const SUFFIX: u8, const LEN: usize> Backed
    for SpongeFunction<RATE, SUFFIX, LEN>
{
    type One = Engine;
    type Many = LanesOnly<ManyEngine>;
}

impl<const RATE: usize, const SUFFIX: u8, const LEN: usize> BlockHash
    for SpongeFunction<RATE, SUFFIX, LEN>
{
    type State = State;
    type Block = [u8; RATE];
    type Output = [u8; LEN];
    type Tail = Last<RATE, SUFFIX>;
    type Incremental = SpongeState;

    const START: State = [[0; 8]; 25];
    const MARKER: u8 = SUFFIX;
    const AFTER_MARKER: usize = 0;

    #[inline]
    fn compress(engine: &Engine, state: &mut State, blocks: &[[u8; RATE]]) {
        if !blocks.is_empty() {
            engine.absorb(state, RATE, blocks.as_flattened());
        }
    }
    /// The padding does not depend on the length of the message.
    fn complete(engine: &Engine, state: &mut State, text: &[u8], _: u64) {
        let (blocks, rest) = text.as_chunks();
        Self::compress(engine, state, blocks);
        add_at(state, 0, rest);
        pad(state, rest.len(), RATE, SUFFIX);
        engine.permute(state);
    }
    #[inline]
    fn output(engine: &Engine, state: &State) -> [u8; LEN] {
        let mut output = [0; LEN];
        if LEN <= RATE {
            copy_from(state, 0, &mut output);
            return output;
        }
        let mut state = *state;
        for (i, block) in output.chunks_mut(RATE).enumerate() {
            if i > 0 {
                engine.permute(&mut state);
            }
            copy_from(&state, 0, block);
        }
        output
    }
    #[inline]
    fn digest(engine: &Engine, message: &[u8]) -> [u8; LEN] {
        let mut output = [0; LEN];
        engine.digest(Self::FUNCTION, message, &mut output);
        output
    }
}

impl<const RATE: usize, const SUFFIX: u8, const LEN: usize> LaneHash
    for SpongeFunction<RATE, SUFFIX, LEN>
{
    type Schedule = ();
    type PerLane<T> = [T; LANES];
    type States = States;

    const PADDING: usize = 1;
    const MORE: usize = LEN.saturating_sub(1) / RATE;

    #[inline]
    fn starts() -> States {
        *const { &States::splat(&[0; 25]) }
    }
    fn compress_many(lanes: &ManyEngine, states: &mut States, texts: &[&[[u8; RATE]]; LANES]) {
        lanes.absorb_many(states, RATE, &texts.map(|text| text.as_flattened()));
    }
    fn schedule(_: u64) {}
    fn compress_known(lanes: &ManyEngine, states: &mut States, (): &()) {
        states.0[0] = states.0[0].map(|word| word ^ u64::from(SUFFIX));
        states.0[RATE / 8 - 1] = states.0[RATE / 8 - 1].map(|word| word ^ 1 << 63);
        lanes.permute_many(states);
    }
    fn digests(lanes: &ManyEngine, states: &mut States, digests: &mut [[u8; LEN]]) {
        for at in (0..LEN).step_by(RATE) {
            if at > 0 {
                lanes.permute_many(states);
            }
            for (lane, digest) in digests.iter_mut().enumerate() {
                let digest = &mut digest[at..];
                let (words, short) = digest[..LEN.min(at + RATE) - at].as_chunks_mut();
                for (word, lanes) in words.iter_mut().zip(&states.0) {
                    *word = lanes[lane].to_le_bytes();
                }
                if !short.is_empty() {
                    store_short(short, states.0[words.len()][lane].into());
                }
            }
        }
    }
    /// The part of the state that the digest determines.
    fn state_of(digest: &[u8; LEN]) -> State {
        let (words, short) = digest.as_chunks();
        let mut state = [[0; 8]; 25];
        for (to, word) in state.iter_mut().zip(words) {
            *to = *word;
        }
        if !short.is_empty() {
            state[words.len()] = (load_short(short) as u64).to_le_bytes();
        }
        state
    }

    fn compress_few(few: &Never, _: &mut [State], _: &[&[[u8; RATE]]]) {
        match *few {}
    }
    fn finish_few(few: &Never, _: &mut [State], _: &[&[u8]], _: u64) {
        match *few {}
    }
    fn iterate_few(few: &Never, _: &mut [Link<State>], _: u32) {
        match *few {}
    }
}

impl LaneStates<State> for States {
    #[inline]
    fn fill(&mut self, state: &State) {
        for (lanes, word) in self.0.iter_mut().zip(state) {
            *lanes = [u64::from_le_bytes(*word); LANES];
        }
    }
    #[inline]
    fn lane(&self, lane: usize) -> State {
        core::array::from_fn(|i| self.0[i][lane].to_le_bytes())
    }
    #[inline]
    fn set_lane(&mut self, lane: usize, state: &State) {
        for (lanes, word) in self.0.iter_mut().zip(state) {
            lanes[lane] = u64::from_le_bytes(*word);
        }
    }
}

/// The last block of a message, padded (section 5.1).
#[derive(Clone, Copy)]
pub(crate) struct Last<const RATE: usize, const SUFFIX: u8>([[u8; RATE]; 1]);

impl<const RATE: usize, const SUFFIX: u8> LastBlocks for Last<RATE, SUFFIX> {
    type Block = [u8; RATE];

    const EMPTY: Self = Self([[0; RATE]; 1]);

    #[inline]
    fn set(&mut self, rest: &[u8], _: u64) {
        // In whole words, like the padding: loads would stall on bytes that were stored singly.
        let Self([block]) = self;
        *block = [0; RATE];
        let (words, short) = rest.as_chunks();
        let places = block.as_chunks_mut::<8>().0;
        places[..words.len()].copy_from_slice(words);
        let end = load_short(short) as u64 | u64::from(SUFFIX) << (8 * short.len());
        places[words.len()] = end.to_le_bytes();
        let last = &mut places[RATE / 8 - 1];
        *last = (u64::from_le_bytes(*last) | 1 << 63).to_le_bytes();
    }

    #[inline]
    fn fill(&mut self, rest: &[u8], len: u64) {
        self.set(rest, len);
    }

    #[inline]
    fn blocks(&self) -> &[[u8; RATE]] {
        &self.0
    }

    /// The suffix may be in the same byte.
    #[inline]
    fn end(block: &mut [u8; RATE], _: u64, is_last: u8) {
        block[RATE - 1] |= 0x80 & is_last;
    }
}

/// A state that absorbs a message or squeezes output, in chunks.
#[derive(Clone)]
pub(crate) struct SpongeState {
    pub(super) engine: Engine,
    function: Function,
    state: State,
    /// Bytes of the current block that have been added to the state, or squeezed.
    at: usize,
}

impl SpongeState {
    #[inline]
    pub(super) fn new(engine: Engine, function: Function) -> Self {
        Self { engine, function, state: [[0; 8]; 25], at: 0 }
    }

    pub(super) fn update(&mut self, text: &[u8]) {
        let Self { engine, function: Function { rate, .. }, state, at } = self;
        let mut text = text;
        if *at > 0 {
            let (head, rest) = text.split_at(text.len().min(*rate - *at));
            add_at(state, *at, head);
            *at += head.len();
            if *at < *rate {
                return;
            }
            engine.permute(state);
            text = rest;
        }
        let (blocks, rest) = text.split_at(text.len() - text.len() % *rate);
        if !blocks.is_empty() {
            engine.absorb(state, *rate, blocks);
        }
        add_at(state, 0, rest);
        *at = rest.len();
    }

    #[inline]
    pub(super) fn reset(&mut self) {
        (self.state, self.at) = ([[0; 8]; 25], 0);
    }

    /// Ends the message: output follows.
    pub(super) fn finish(&mut self) {
        let Function { rate, suffix } = self.function;
        pad(&mut self.state, self.at, rate, suffix);
        // As if a block had been squeezed completely.
        self.at = rate;
    }

    pub(super) fn squeeze(&mut self, out: &mut [u8]) {
        let Self { engine, function: Function { rate, .. }, state, at } = self;
        let (head, rest) = out.split_at_mut(out.len().min(*rate - *at));
        copy_from(state, *at, head);
        *at += head.len();
        let (blocks, rest) = rest.split_at_mut(rest.len() - rest.len() % *rate);
        if !blocks.is_empty() {
            engine.squeeze(state, *rate, blocks);
        }
        if !rest.is_empty() {
            engine.permute(state);
            copy_from(state, 0, rest);
            *at = rest.len();
        }
    }
}

impl<const RATE: usize, const SUFFIX: u8, const LEN: usize>
    Incremental<SpongeFunction<RATE, SUFFIX, LEN>> for SpongeState
{
    #[inline]
    fn new(engine: Engine) -> Self {
        Self::new(engine, SpongeFunction::<RATE, SUFFIX, LEN>::FUNCTION)
    }
    #[inline]
    fn engine(&self) -> &Engine {
        &self.engine
    }
    #[inline]
    fn update(&mut self, text: &[u8]) {
        self.update(text);
    }
    #[inline]
    fn finish(&mut self) -> [u8; LEN] {
        let mut output = [0; LEN];
        self.finish();
        self.squeeze(&mut output);
        output
    }
    #[inline]
    fn finish_reset(&mut self) -> [u8; LEN] {
        let mut output = [0; LEN];
        self.finish();
        self.squeeze(&mut output);
        self.reset();
        output
    }
    #[inline]
    fn reset(&mut self) {
        self.reset();
    }
}
