//! Blocks that go into states which others hold, as many as lanes take at a time: what AES-CBC with HMAC asks of the scheduler.

use super::{Hash, Item, Tail, few};
use crate::core::secret::Keep;
use crate::core::secret::Wiped;

/// The digest of a message that goes on from a state, and whose digest does from another: without lanes, and by no key.
#[inline]
pub(crate) fn hash_alone<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
    I,
>(
    hash: &H,
    item: &I,
) -> [u8; DIGEST]
where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
    I: Item<H::Word, WORDS, DIGEST>,
{
    let (mut state, mut digest) = (I::Keep::keep(item.inner()), [0; DIGEST]);
    let mut tail = I::Keep::keep(H::Tail::EMPTY);
    let (blocks, rest) = item.text().as_chunks();
    hash.compress(&mut state, blocks);
    tail.set(rest, (BLOCK * item.blocks_before() + item.text().len()) as u64);
    hash.compress(&mut state, tail.blocks());
    hash.finish(&state, &mut digest);
    *state = item.outer();
    tail.set(&digest, (BLOCK + DIGEST) as u64);
    hash.compress(&mut state, tail.blocks());
    hash.finish(&state, &mut digest);
    digest
}

/// Absorbs a text of whole blocks into each state.
#[inline(never)]
pub(crate) fn absorb_each<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
>(
    hash: &H,
    states: &mut [[H::Word; WORDS]],
    texts: &[&[[u8; BLOCK]]],
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
{
    let prices = hash.prices();
    let (mut of, mut left, mut running) = ([0; LANES], [texts[0]; LANES], 0);
    let mut waiting = (0..states.len()).filter(|i| !texts[*i].is_empty());
    loop {
        // Lanes whose text has ended take another one; the last lane takes the place of one that finds none.
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
        let wide = !hash.few() && running > 1 && prices.pay(running, 1, 0);
        let few = hash.prices_of_few().filter(|few| !wide && few.pay(running, 1, 0));
        if running < 2 || !wide && few.is_none() {
            for (of, left) in of.iter().zip(left) {
                hash.compress(&mut states[*of], left);
                *left = &[];
            }
            continue;
        }
        let next = |lane: usize| &left[if lane < running { lane } else { 0 }][..blocks];
        let of = |lane: usize| of[if lane < running { lane } else { 0 }];
        if let Some(few) = few {
            for first in (0..running).step_by(few.width()) {
                let count = few.width().min(running - first);
                let lane = |lane: usize| first + if lane < count { lane } else { 0 };
                if count == 1 {
                    hash.compress(&mut states[of(first)], next(first));
                } else {
                    let (of, next) = (|i| of(lane(i)), |i| next(lane(i)));
                    few::absorb(hash, states, count, of, next, few);
                }
            }
        } else {
            let mut lanes = Wiped::new(H::start());
            for lane in 0..running {
                lanes.set_lane(lane, &states[of(lane)]);
            }
            hash.compress_many(&mut lanes, &core::array::from_fn(next));
            for lane in 0..running {
                states[of(lane)] = lanes.lane(lane);
            }
        }
        for left in left {
            *left = &left[blocks..];
        }
    }
}

/// Absorbs blocks into each state, and shows what each of them leaves: index of the text, of the block, and the state.
/// Nothing else is left of it.
#[inline]
pub(crate) fn absorb_and_show<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
>(
    hash: &H,
    states: &mut [[H::Word; WORDS]],
    texts: &[&[[u8; BLOCK]]],
    mut show: impl FnMut(usize, usize, &[H::Word; WORDS]),
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
{
    let prices = hash.prices();
    let mut done = 0;
    while done < texts.len() {
        let first = done;
        let count = prices.width().min(texts.len() - first);
        let wide = !hash.few() && count > 1 && prices.pay(count, 1, 0);
        let few = hash.prices_of_few().filter(|few| !wide && few.pay(count.min(few.width()), 1, 0));
        let count = few.map_or(count, |few| few.width().min(count));
        let group = first..first + count;
        let (states, texts) = (&mut states[group.clone()], &texts[group]);
        let mut show = |lane: usize, block, state: &_| show(first + lane, block, state);
        done += count;
        if count < 2 || !wide && few.is_none() {
            for (i, (state, text)) in states.iter_mut().zip(texts).enumerate() {
                for (block, text) in text.iter().enumerate() {
                    hash.compress(state, core::slice::from_ref(text));
                    show(i, block, state);
                }
            }
            continue;
        }
        // A lane whose text has ended, or that has none, has a block of the longest.
        let longest = texts.iter().max_by_key(|text| text.len()).copied().unwrap_or(&[]);
        let next = |lane: usize, block: usize| match texts.get(lane) {
            Some(text) if block < text.len() => &text[block..=block],
            _ => &longest[block..=block],
        };
        if let Some(few) = few {
            let shown = |lane: usize, block: usize, state: &_| {
                if block < texts[lane].len() {
                    show(lane, block, state);
                }
            };
            few::absorb_and_show(hash, states, longest.len(), next, shown, few);
            continue;
        }
        let mut lanes = Wiped::new(H::start());
        for (lane, state) in states.iter().enumerate() {
            lanes.set_lane(lane, state);
        }
        for block in 0..longest.len() {
            hash.compress_many(&mut lanes, &core::array::from_fn(|lane| next(lane, block)));
            for lane in (0..count).filter(|lane| block < texts[*lane].len()) {
                states[lane] = lanes.lane(lane);
                show(lane, block, &states[lane]);
            }
        }
    }
}
