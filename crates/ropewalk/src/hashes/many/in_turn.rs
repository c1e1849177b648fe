//! Messages of different lengths: lanes that take the next message when theirs ends.

use super::{Hash, Item, Prices, Tail, Texts, few};
use crate::core::secret::Keep;

/// Messages of different lengths: a lane whose message ends takes the next one, until too few are
/// left.
#[inline(never)]
pub(super) fn hash_in_turn<
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
    prices: Prices,
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    I: Item<H::Word, WORDS, DIGEST>,
{
    let mut states = I::Keep::keep(H::start());
    let mut lanes = I::Keep::keep(Lanes {
        running: 0,
        outer: 0,
        message: [0; LANES],
        body: [&[]; LANES],
        tail: [H::Tail::EMPTY; LANES],
        absorbed: [0; LANES],
    });
    let mut waiting = messages.iter().enumerate();
    loop {
        for lane in 0..prices.width() {
            if lanes.runs(lane) {
                continue;
            }
            let Some((message, item)) = waiting.next() else { break };
            let (body, rest) = item.text().as_chunks();
            let start = if I::KEYED { item.inner() } else { H::start().lane(0) };
            states.set_lane(lane, &start);
            let before = BLOCK * item.blocks_before();
            lanes.begin(lane, body, rest, (before + item.text().len()) as u64);
            lanes.message[lane] = message;
            lanes.outer &= !(1 << lane);
        }

        let running = lanes.running.count_ones() as usize;
        let few = match running {
            2.. if !prices.pay(running, 1, 0) => {
                hash.prices_of_few().filter(|few| few.pay(running, 1, 0))
            }
            _ => None,
        };
        if running == 0 || few.is_none() && !prices.pay(running, 1, 0) {
            for lane in 0..prices.width() {
                if !lanes.runs(lane) {
                    continue;
                }
                let mut state = I::Keep::keep(states.lane(lane));
                let message = lanes.message[lane];
                hash.compress(&mut state, lanes.body[lane]);
                hash.compress(&mut state, &lanes.tail[lane].blocks()[lanes.absorbed[lane]..]);
                hash.finish(&state, &mut digests[message]);
                if I::KEYED && !lanes.in_outer(lane) {
                    *state = messages[message].outer();
                    let digest = &digests[message];
                    lanes.tail[lane].set(digest, (BLOCK + DIGEST) as u64);
                    hash.compress(&mut state, lanes.tail[lane].blocks());
                    hash.finish(&state, &mut digests[message]);
                }
            }
            return;
        }

        let (texts, blocks) = lanes.next_blocks(prices.width());
        match few {
            Some(few) => few::compress_running(hash, &mut states, lanes.running, &texts, few),
            None => hash.compress_many(&mut states, &texts),
        }
        for lane in 0..prices.width() {
            if !lanes.runs(lane) {
                continue;
            }
            if !lanes.body[lane].is_empty() {
                lanes.body[lane] = &lanes.body[lane][blocks..];
                continue;
            }
            lanes.absorbed[lane] += blocks;
            if lanes.absorbed[lane] == lanes.tail[lane].blocks().len() {
                let message = lanes.message[lane];
                let digest = &mut digests[message];
                hash.finish(&I::Keep::keep(states.lane(lane)), digest);
                if I::KEYED && !lanes.in_outer(lane) {
                    states.set_lane(lane, &messages[message].outer());
                    lanes.begin(lane, &[], digest, (BLOCK + DIGEST) as u64);
                    lanes.outer |= 1 << lane;
                } else {
                    lanes.running &= !(1 << lane);
                }
            }
        }
    }
}

/// Where each lane stands in its message.
struct Lanes<'a, T, const LANES: usize, const BLOCK: usize> {
    /// One bit a lane that has a message.
    running: u32,
    /// One bit a lane that has the digest of one.
    outer: u32,
    /// Index of the message.
    message: [usize; LANES],
    /// Whole blocks to come.
    body: [&'a [[u8; BLOCK]]; LANES],
    /// What comes after them, and how much of it is absorbed.
    tail: [T; LANES],
    absorbed: [usize; LANES],
}

impl<'a, T: Tail<BLOCK>, const LANES: usize, const BLOCK: usize> Lanes<'a, T, LANES, BLOCK> {
    #[inline]
    fn runs(&self, lane: usize) -> bool {
        self.running >> lane & 1 == 1
    }

    #[inline]
    fn in_outer(&self, lane: usize) -> bool {
        self.outer >> lane & 1 == 1
    }

    /// Blocks, and a rest, of a message of so many bytes in all.
    #[inline]
    fn begin(&mut self, lane: usize, body: &'a [[u8; BLOCK]], rest: &[u8], len: u64) {
        self.running |= 1 << lane;
        self.body[lane] = body;
        self.absorbed[lane] = 0;
        self.tail[lane].set(rest, len);
    }

    /// The blocks of each lane that come next and lie side by side in memory: as many as the lane
    /// that has fewest. Idle lanes repeat a running one's, and nobody looks at what comes out.
    #[inline]
    fn next_blocks(&self, width: usize) -> (Texts<'_, LANES, BLOCK>, usize) {
        let first = self.piece(self.running.trailing_zeros() as usize);
        let mut texts = [first; LANES];
        let mut blocks = first.len();
        for lane in 0..width {
            if self.runs(lane) {
                texts[lane] = self.piece(lane);
                blocks = blocks.min(texts[lane].len());
            }
        }
        (texts.map(|text| &text[..blocks]), blocks)
    }

    #[inline]
    fn piece(&self, lane: usize) -> &[[u8; BLOCK]] {
        match self.body[lane] {
            [] => &self.tail[lane].blocks()[self.absorbed[lane]..],
            body => body,
        }
    }
}
