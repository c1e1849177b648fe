//! Absorption of blocks into states of the caller, in lanes: for AES-CBC with HMAC.

use super::{Batch, Item, LaneHash, LaneStates, PerLane, few};
use crate::{
    core::secret::{Keep, Wiped},
    hashes::function::{ByteArray, LastBlocks},
};

/// The digest of a message that continues from a state, and whose digest continues from another one, by the backend for one
/// message.
#[inline]
pub(crate) fn hash_serial<H: LaneHash, I: Item<H::State, H::Output>>(
    batch: Batch<'_, H>,
    item: &I,
) -> H::Output {
    let one = batch.one();
    let mut state = I::Keep::keep(item.inner().unwrap_or(H::START));
    let mut tail = I::Keep::keep(H::Tail::EMPTY);
    let (blocks, rest) = H::Block::split(item.text());
    H::compress(one, &mut state, blocks);
    tail.set(rest, (H::Block::LEN * item.blocks_before() + item.text().len()) as u64);
    H::compress(one, &mut state, tail.blocks());
    let mut digest = H::output(one, &state);
    if let Some(outer) = item.outer() {
        *state = outer;
        tail.set(digest.as_ref(), (H::Block::LEN + H::Output::LEN) as u64);
        H::compress(one, &mut state, tail.blocks());
        digest = H::output(one, &state);
    }
    digest
}

/// Absorbs a text of whole blocks into each state.
#[inline(never)]
pub(crate) fn absorb_each<H: LaneHash>(
    batch: Batch<'_, H>,
    states: &mut [H::State],
    texts: &[&[H::Block]],
) {
    let prices = batch.prices();
    let mut of = <H::PerLane<usize>>::splat(0);
    let mut left = <H::PerLane<&[H::Block]>>::splat(texts[0]);
    let (of, left, mut running) = (of.as_mut(), left.as_mut(), 0);
    let mut waiting = (0..states.len()).filter(|i| !texts[*i].is_empty());
    loop {
        // A lane whose text has ended takes the next one; where there is none, the last lane moves into its place.
        let mut lane = 0;
        while lane < prices.width() {
            if lane < running && !left[lane].is_empty() {
                lane += 1;
            } else if let Some(i) = waiting.next() {
                running = running.max(lane + 1);
                (of[lane], left[lane]) = (i, texts[i]);
            } else if lane < running {
                running -= 1;
                (of[lane], left[lane]) = (of[running], left[running]);
            } else {
                break;
            }
        }
        let (of, left) = (&of[..running], &mut left[..running]);
        let Some(blocks) = left.iter().map(|left| left.len()).min() else { return };
        let wide = batch.lanes().filter(|_| running > 1 && prices.pay(running, 1, 0));
        let few = batch.few().filter(|(_, few)| wide.is_none() && few.pay(running, 1, 0));
        let next = |lane: usize| &left[if lane < running { lane } else { 0 }][..blocks];
        let of_lane = |lane: usize| of[if lane < running { lane } else { 0 }];
        match (wide, few) {
            (_, Some((few, prices))) if running > 1 => {
                for first in (0..running).step_by(prices.width()) {
                    let count = prices.width().min(running - first);
                    let lane = |lane: usize| first + if lane < count { lane } else { 0 };
                    if count == 1 {
                        H::compress(batch.one(), &mut states[of_lane(first)], next(first));
                    } else {
                        let (of, next) = (|i| of_lane(lane(i)), |i| next(lane(i)));
                        few::absorb::<H>(few, prices, states, count, of, next);
                    }
                }
            }
            (Some(lanes), _) => {
                let mut all = Wiped::new(H::starts());
                for lane in 0..running {
                    all.set_lane(lane, &states[of_lane(lane)]);
                }
                H::compress_many(lanes, &mut all, &PerLane::from_fn(next));
                for lane in 0..running {
                    states[of_lane(lane)] = all.lane(lane);
                }
            }
            _ => {
                for (of, left) in of.iter().zip(left) {
                    H::compress(batch.one(), &mut states[*of], left);
                    *left = &[];
                }
                continue;
            }
        }
        for left in left {
            *left = &left[blocks..];
        }
    }
}

/// Absorbs blocks into each state, and reports each intermediate state: index of the text, index of the block, and the state. No
/// other trace of it is left.
#[inline]
pub(crate) fn absorb_and_show<H: LaneHash>(
    batch: Batch<'_, H>,
    states: &mut [H::State],
    texts: &[&[H::Block]],
    mut show: impl FnMut(usize, usize, &H::State),
) {
    let prices = batch.prices();
    let mut done = 0;
    while done < texts.len() {
        let first = done;
        let count = prices.width().min(texts.len() - first);
        let wide = batch.lanes().filter(|_| count > 1 && prices.pay(count, 1, 0));
        let few =
            batch.few().filter(|(_, few)| wide.is_none() && few.pay(count.min(few.width()), 1, 0));
        let count = few.map_or(count, |(_, few)| few.width().min(count));
        let group = first..first + count;
        let (states, texts) = (&mut states[group.clone()], &texts[group]);
        let mut show = |lane: usize, block, state: &_| show(first + lane, block, state);
        done += count;
        // A lane whose text has ended, or that has none, repeats a block of the longest.
        let longest = texts.iter().max_by_key(|text| text.len()).copied().unwrap_or(&[]);
        let next = |lane: usize, block: usize| match texts.get(lane) {
            Some(text) if block < text.len() => &text[block..=block],
            _ => &longest[block..=block],
        };
        match (wide, few) {
            (_, Some((few, prices))) if count > 1 => {
                let shown = |lane: usize, block: usize, state: &_| {
                    if block < texts[lane].len() {
                        show(lane, block, state);
                    }
                };
                few::absorb_and_show::<H>(few, prices, states, longest.len(), next, shown);
            }
            (Some(lanes), _) => {
                let mut all = Wiped::new(H::starts());
                for (lane, state) in states.iter().enumerate() {
                    all.set_lane(lane, state);
                }
                for block in 0..longest.len() {
                    let texts_of_block = PerLane::from_fn(|lane| next(lane, block));
                    H::compress_many(lanes, &mut all, &texts_of_block);
                    for lane in (0..count).filter(|lane| block < texts[*lane].len()) {
                        states[lane] = all.lane(lane);
                        show(lane, block, &states[lane]);
                    }
                }
            }
            _ => {
                for (i, (state, text)) in states.iter_mut().zip(texts).enumerate() {
                    for (block, text) in text.iter().enumerate() {
                        H::compress(batch.one(), state, core::slice::from_ref(text));
                        show(i, block, state);
                    }
                }
            }
        }
    }
}
