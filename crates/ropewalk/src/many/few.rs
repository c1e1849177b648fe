//! Messages side by side where instructions work on one message: few of them, each with a state as one message has it.

use super::{
    Hash, Item, Keep, Links, Prices, States, Tail, Texts, blocks_of, count_in_step, hash_in_turn,
    one_by_one,
};
use crate::secret::Wiped;

/// Lanes, at most.
const FEW: usize = 4;

/// What it costs that messages end one after the other, in starts of a group.
const TURNS: u64 = 12;

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
        let group = &messages[..messages.len().min(prices.width)];
        let in_step = count_in_step(group);
        let done = if in_step > 1 && prices.pay(in_step, blocks(first), starts) {
            hash_in_step(hash, &group[..in_step], &mut digests[..in_step]);
            in_step
        } else if group.len() > 1
            && prices.pay(group.len(), group.iter().map(blocks).min().unwrap_or(0), starts + TURNS)
        {
            hash_in_turn(&InTurn(hash), messages, digests, prices);
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
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
{
    let width = if running > 2 { hash.prices().width } else { 2 };
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
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST>,
{
    let width = if states.len() > 2 { hash.prices().width } else { 2 };
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

/// The same hash function, as messages take it that end one after the other.
struct InTurn<'a, H, const LANES: usize>(&'a H);

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
        self.0.prices()
    }
    fn compress(&self, state: &mut [H::Word; WORDS], blocks: &[[u8; BLOCK]]) {
        self.0.compress(state, blocks);
    }
    fn compress_many(
        &self,
        states: &mut States<H::Word, WORDS, FEW>,
        texts: &Texts<'_, FEW, BLOCK>,
    ) {
        let lanes = self.0.prices().width;
        let mut rows: [_; FEW] = core::array::from_fn(|lane| states.lane(lane));
        self.0.compress_few(&mut rows[..lanes], &texts[..lanes]);
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
        self.0.digest(message, digest);
    }
    fn finish(&self, state: &[H::Word; WORDS], digest: &mut [u8; DIGEST]) {
        self.0.finish(state, digest);
    }
    fn state_of(digest: &[u8; DIGEST]) -> [H::Word; WORDS] {
        H::state_of(digest)
    }
}

/// [`Hash::iterate`] for few lanes, whose states are taken out of theirs and put back.
pub(crate) fn iterate<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    H,
>(
    hash: &H,
    Links { keys, last, sum }: &mut Links<H::Word, WORDS, LANES>,
    count: u32,
) where
    H: Hash<WORDS, LANES, BLOCK, DIGEST> + ?Sized,
{
    let width = hash.prices().width;
    let rows = |states: &States<H::Word, WORDS, LANES>| -> [_; FEW] {
        core::array::from_fn(|lane| states.lane(lane))
    };
    let keys = Wiped::new([rows(&keys[0]), rows(&keys[1])]);
    let mut now = Wiped::new((rows(last), rows(sum), [H::Tail::EMPTY; FEW], [0; DIGEST]));
    let (u, sums, tails, digest) = &mut *now;
    for _ in 0..count {
        for key in &*keys {
            for (u, tail) in u.iter().zip(&mut *tails) {
                hash.finish(u, digest);
                tail.set(digest, (BLOCK + DIGEST) as u64);
            }
            *u = *key;
            hash.compress_few(&mut u[..width], &tails.each_ref().map(Tail::blocks)[..width]);
        }
        for (sum, u) in sums.as_flattened_mut().iter_mut().zip(u.as_flattened()) {
            *sum = *sum ^ *u;
        }
    }
    for lane in 0..width {
        last.set_lane(lane, &u[lane]);
        sum.set_lane(lane, &sums[lane]);
    }
}
