//! Messages of different lengths: a lane takes the next message when its own ends.

use super::{
    Batch, FewOf, Item, LaneHash, LaneStates, LanesOf, PerLane, Prices,
    few::{self, FEW},
};
use crate::{
    core::secret::Keep,
    hashes::function::{BlockHash, ByteArray, LastBlocks},
};

/// The lanes of a batch whose messages end at different times: those of a backend with lanes, or of one for narrow batches.
pub(super) trait Turns {
    type Hash: LaneHash;
    type PerLane<T>: PerLane<T>;
    type States: LaneStates<StateOf<Self>>;

    fn batch(&self) -> Batch<'_, Self::Hash>;
    fn prices(&self) -> Prices;
    fn starts() -> Self::States;
    /// Absorbs blocks into the state of each lane: the same number for each.
    fn compress(&self, states: &mut Self::States, texts: &Self::PerLane<&[BlockOf<Self>]>);
    /// A backend for narrow batches, for when lanes are slower.
    fn few(&self) -> Option<(&FewOf<Self::Hash>, Prices)>;
}

pub(super) type StateOf<T> = <<T as Turns>::Hash as BlockHash>::State;
pub(super) type BlockOf<T> = <<T as Turns>::Hash as BlockHash>::Block;
type OutputOf<T> = <<T as Turns>::Hash as BlockHash>::Output;
type TailOf<T> = <<T as Turns>::Hash as BlockHash>::Tail;

/// A backend with lanes.
pub(super) struct Wide<'a, H: LaneHash> {
    pub(super) batch: Batch<'a, H>,
    pub(super) lanes: &'a LanesOf<H>,
}

impl<H: LaneHash> Turns for Wide<'_, H> {
    type Hash = H;
    type PerLane<T> = H::PerLane<T>;
    type States = H::States;

    #[inline]
    fn batch(&self) -> Batch<'_, H> {
        self.batch
    }
    #[inline]
    fn prices(&self) -> Prices {
        self.batch.prices()
    }
    #[inline]
    fn starts() -> H::States {
        H::starts()
    }
    #[inline]
    fn compress(&self, states: &mut H::States, texts: &H::PerLane<&[H::Block]>) {
        H::compress_many(self.lanes, states, texts);
    }
    #[inline]
    fn few(&self) -> Option<(&FewOf<H>, Prices)> {
        self.batch.few()
    }
}

/// A backend for narrow batches.
pub(super) struct Narrow<'a, H: LaneHash> {
    pub(super) batch: Batch<'a, H>,
    pub(super) few: &'a FewOf<H>,
    pub(super) prices: Prices,
}

impl<H: LaneHash> Turns for Narrow<'_, H> {
    type Hash = H;
    type PerLane<T> = [T; FEW];
    type States = [H::State; FEW];

    #[inline]
    fn batch(&self) -> Batch<'_, H> {
        self.batch
    }
    #[inline]
    fn prices(&self) -> Prices {
        self.prices
    }
    #[inline]
    fn starts() -> [H::State; FEW] {
        [H::START; FEW]
    }
    #[inline]
    fn compress(&self, states: &mut [H::State; FEW], texts: &[&[H::Block]; FEW]) {
        let lanes = self.prices.width();
        H::compress_few(self.few, &mut states[..lanes], &texts[..lanes]);
    }
    #[inline]
    fn few(&self) -> Option<(&FewOf<H>, Prices)> {
        None
    }
}

/// Messages of different lengths: a lane whose message ends takes the next one, until too few are left.
#[inline(never)]
pub(super) fn hash_in_turn<T: Turns, I: Item<StateOf<T>, OutputOf<T>>>(
    turns: &T,
    messages: &[I],
    digests: &mut [OutputOf<T>],
) {
    let (prices, one) = (turns.prices(), turns.batch().one());
    let block_len = BlockOf::<T>::LEN;
    let outer_len = (block_len + OutputOf::<T>::LEN) as u64;
    let mut states = I::Keep::keep(T::starts());
    let mut lanes = I::Keep::keep(Lanes::<T> {
        running: 0,
        outer: 0,
        message: PerLane::splat(0),
        body: PerLane::splat([].as_slice()),
        tail: PerLane::splat(TailOf::<T>::EMPTY),
        absorbed: PerLane::splat(0),
    });
    let mut waiting = messages.iter().enumerate();
    loop {
        for lane in 0..prices.width() {
            if lanes.runs(lane) {
                continue;
            }
            let Some((message, item)) = waiting.next() else { break };
            let (body, rest) = BlockOf::<T>::split(item.text());
            let start = item.inner().unwrap_or(T::Hash::START);
            states.set_lane(lane, &start);
            let before = block_len * item.blocks_before();
            lanes.begin(lane, body, rest, (before + item.text().len()) as u64);
            lanes.message.as_mut()[lane] = message;
            lanes.outer &= !(1 << lane);
        }

        let running = lanes.running.count_ones() as usize;
        let few = match running {
            2.. if !prices.pay(running, 1, 0) => {
                turns.few().filter(|(_, few)| few.pay(running, 1, 0))
            }
            _ => None,
        };
        if running == 0 || few.is_none() && !prices.pay(running, 1, 0) {
            for lane in 0..prices.width() {
                if !lanes.runs(lane) {
                    continue;
                }
                let mut state = I::Keep::keep(states.lane(lane));
                let message = lanes.message.as_ref()[lane];
                T::Hash::compress(one, &mut state, lanes.body.as_ref()[lane]);
                T::Hash::compress(one, &mut state, lanes.tail_left(lane));
                digests[message] = T::Hash::output(one, &state);
                if !lanes.in_outer(lane)
                    && let Some(outer) = messages[message].outer()
                {
                    *state = outer;
                    let tail = &mut lanes.tail.as_mut()[lane];
                    tail.set(digests[message].as_ref(), outer_len);
                    T::Hash::compress(one, &mut state, tail.blocks());
                    digests[message] = T::Hash::output(one, &state);
                }
            }
            return;
        }

        let blocks = {
            let (texts, blocks) = lanes.next_blocks(prices.width());
            match few {
                Some((few, prices)) => {
                    few::compress_running(turns, few, prices, &mut states, lanes.running, &texts);
                }
                None => turns.compress(&mut states, &texts),
            }
            blocks
        };
        for lane in 0..prices.width() {
            if !lanes.runs(lane) {
                continue;
            }
            let body = &mut lanes.body.as_mut()[lane];
            if !body.is_empty() {
                *body = &body[blocks..];
                continue;
            }
            lanes.absorbed.as_mut()[lane] += blocks;
            if lanes.tail_left(lane).is_empty() {
                let message = lanes.message.as_ref()[lane];
                let digest = &mut digests[message];
                *digest = T::Hash::output(one, &I::Keep::keep(states.lane(lane)));
                if !lanes.in_outer(lane)
                    && let Some(outer) = messages[message].outer()
                {
                    states.set_lane(lane, &outer);
                    lanes.begin(lane, &[], digest.as_ref(), outer_len);
                    lanes.outer |= 1 << lane;
                } else {
                    lanes.running &= !(1 << lane);
                }
            }
        }
    }
}

/// The position of each lane in its message.
struct Lanes<'a, T: Turns + ?Sized> {
    /// A bit for each lane with a message.
    running: u32,
    /// A bit for each lane whose message is an inner digest.
    outer: u32,
    /// Index of the message.
    message: T::PerLane<usize>,
    /// Whole blocks to come.
    body: T::PerLane<&'a [BlockOf<T>]>,
    /// The blocks after the whole ones, and how many of these have been absorbed.
    tail: T::PerLane<TailOf<T>>,
    absorbed: T::PerLane<usize>,
}

impl<'a, T: Turns> Lanes<'a, T> {
    #[inline]
    fn runs(&self, lane: usize) -> bool {
        self.running >> lane & 1 == 1
    }

    #[inline]
    fn in_outer(&self, lane: usize) -> bool {
        self.outer >> lane & 1 == 1
    }

    /// Starts a message of `len` bytes, which consists of whole blocks and a rest.
    #[inline]
    fn begin(&mut self, lane: usize, body: &'a [BlockOf<T>], rest: &[u8], len: u64) {
        self.running |= 1 << lane;
        self.body.as_mut()[lane] = body;
        self.absorbed.as_mut()[lane] = 0;
        self.tail.as_mut()[lane].set(rest, len);
    }

    /// The next blocks of each lane that are contiguous in memory: as many as the lane with the fewest has. Idle lanes repeat
    /// those of a running one; their results are not used.
    #[inline]
    fn next_blocks(&self, width: usize) -> (T::PerLane<&[BlockOf<T>]>, usize) {
        let first = self.next_of(self.running.trailing_zeros() as usize);
        let mut texts = <T::PerLane<&[BlockOf<T>]>>::splat(first);
        let mut blocks = first.len();
        for lane in 0..width {
            if self.runs(lane) {
                texts.as_mut()[lane] = self.next_of(lane);
                blocks = blocks.min(texts.as_ref()[lane].len());
            }
        }
        texts.as_mut().iter_mut().for_each(|text| *text = &text[..blocks]);
        (texts, blocks)
    }

    #[inline]
    fn next_of(&self, lane: usize) -> &[BlockOf<T>] {
        match self.body.as_ref()[lane] {
            [] => self.tail_left(lane),
            body => body,
        }
    }

    /// The last blocks that are still to be absorbed.
    #[inline]
    fn tail_left(&self, lane: usize) -> &[BlockOf<T>] {
        &self.tail.as_ref()[lane].blocks()[self.absorbed.as_ref()[lane]..]
    }
}
