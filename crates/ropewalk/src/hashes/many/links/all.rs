//! Iterations of HMAC for any number of starts: in lanes, in few lanes, or one after the other.

use super::{
    super::{AsWords, Hash, Prices, few::FEW},
    Link, Links,
};
use crate::{core::secret::Wiped, hashes};

/// What is iterated: HMACs with one key, each of the digest of the one before, and their sum (RFC 8018, section 5.2).
pub(crate) trait Iterated: Sized {
    type Hash: hashes::Hash;

    /// The states that the key has made, inner and outer.
    fn states(&self) -> [&<Self::Hash as hashes::Core>::State; 2];
    /// The first HMAC.
    fn first(&self) -> <Self::Hash as hashes::Hash>::Digest;
    /// How many follow.
    fn left(&self) -> u32;
    /// So many have been computed.
    fn pass(&mut self, count: u32);
    /// Computes those that are left, from the last one and the sum of all, and ends.
    fn go_on(
        &mut self,
        last: &mut <Self::Hash as hashes::Hash>::Digest,
        sum: &mut <Self::Hash as hashes::Hash>::Digest,
    );
    /// Takes the sum of all.
    fn end(&mut self, sum: &<Self::Hash as hashes::Hash>::Digest);

    /// All of it, without lanes.
    fn serial(mut self) {
        let mut last = Wiped::new(self.first());
        let mut sum = Wiped::new(*last);
        self.go_on(&mut last, &mut sum);
    }
}

/// Iterates in lanes, each of which takes the next one when its own is done, where that pays.
pub(crate) fn iterate_all<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    M,
    B,
>(
    many: &M,
    mut blocks: impl Iterator<Item = B>,
) where
    M: Hash<WORDS, LANES, BLOCK, DIGEST>,
    B: Iterated,
    B::Hash: hashes::Hash<Digest = [u8; DIGEST]>,
    <B::Hash as hashes::Core>::State: AsWords<M::Word, WORDS>,
{
    // What lanes take of the stack is not there for those who cannot pay for them.
    let prices = many.prices();
    if many.few() {
        return iterate_in_few(many, blocks, prices);
    }
    loop {
        let mut group: [Option<B>; LANES] = [const { None }; LANES];
        let (mut count, mut least) = (0, u32::MAX);
        for (place, block) in group[..prices.width()].iter_mut().zip(&mut blocks) {
            (count, least) = (count + 1, least.min(block.left()));
            *place = Some(block);
        }
        if count == 0 {
            return;
        }
        let group = group.into_iter().flatten();
        if prices.pay_linked(count, least) {
            return iterate_in_lanes(many, group.chain(blocks));
        }
        match many.prices_of_few() {
            Some(few) => iterate_in_few(many, group, few),
            None => group.for_each(Iterated::serial),
        }
    }
}

#[inline(never)]
fn iterate_in_lanes<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    M,
    B,
>(
    many: &M,
    mut blocks: impl Iterator<Item = B>,
) where
    M: Hash<WORDS, LANES, BLOCK, DIGEST>,
    B: Iterated,
    B::Hash: hashes::Hash<Digest = [u8; DIGEST]>,
    <B::Hash as hashes::Core>::State: AsWords<M::Word, WORDS>,
{
    let prices = many.prices();
    let width = prices.width();
    let mut lanes: [Option<B>; LANES] = [const { None }; LANES];
    let mut links = Wiped::new(Links { keys: [M::start(); 2], last: M::start(), sum: M::start() });
    loop {
        for (lane, place) in lanes.iter_mut().enumerate().take(width) {
            if place.is_some() {
                continue;
            }
            let Some(block) = blocks.next() else { break };
            let Link { keys: [inner, outer], last, sum } = &*Wiped::new(link(many, &block));
            links.keys[0].set_lane(lane, inner);
            links.keys[1].set_lane(lane, outer);
            links.last.set_lane(lane, last);
            links.sum.set_lane(lane, sum);
            *place = Some(block);
        }
        let running = lanes.iter().flatten();
        let Some(count) = running.clone().map(|block| block.left()).min() else { return };
        // Too few are not worth it: each goes on to its end.
        let pay = prices.pay_linked(running.count(), count);
        if pay && count > 0 {
            many.iterate(&mut links, count);
            lanes.iter_mut().flatten().for_each(|block| block.pass(count));
        }
        for (lane, place) in lanes.iter_mut().enumerate() {
            if let Some(block) = place
                && (!pay || block.left() == 0)
            {
                let (mut last, mut sum) = (Wiped::new([0; DIGEST]), Wiped::new([0; DIGEST]));
                many.finish(&Wiped::new(links.last.lane(lane)), &mut last);
                many.finish(&Wiped::new(links.sum.lane(lane)), &mut sum);
                block.go_on(&mut last, &mut sum);
                *place = None;
            }
        }
    }
}

/// The same where lanes are few, and one of them is as good as the backend for one message.
fn iterate_in_few<
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    M,
    B,
>(
    many: &M,
    mut blocks: impl Iterator<Item = B>,
    prices: Prices,
) where
    M: Hash<WORDS, LANES, BLOCK, DIGEST>,
    B: Iterated,
    B::Hash: hashes::Hash<Digest = [u8; DIGEST]>,
    <B::Hash as hashes::Core>::State: AsWords<M::Word, WORDS>,
{
    let width = prices.width();
    let nothing = M::start().lane(0);
    let nothing = Link { keys: [nothing; 2], last: nothing, sum: nothing };
    let mut links = Wiped::new([nothing; FEW]);
    let (mut lanes, mut running) = ([const { None::<B> }; FEW], 0);
    loop {
        while running < width
            && let Some(block) = blocks.next()
        {
            if block.left() == 0 {
                block.serial();
                continue;
            }
            links[running] = link(many, &block);
            lanes[running] = Some(block);
            running += 1;
        }
        let blocks = lanes[..running].iter_mut().flatten();
        let Some(count) = blocks.map(|block| block.left()).min() else { return };
        many.iterate_few(&mut links[..running], count);
        lanes[..running].iter_mut().flatten().for_each(|block| block.pass(count));
        // The last lane takes the place of one that is done.
        let mut lane = 0;
        while lane < running {
            let done = lanes[lane].take_if(|block| block.left() == 0);
            let Some(mut block) = done else {
                lane += 1;
                continue;
            };
            let mut sum = Wiped::new([0; DIGEST]);
            many.finish(&links[lane].sum, &mut sum);
            block.end(&sum);
            running -= 1;
            lanes.swap(lane, running);
            links.swap(lane, running);
        }
    }
}

/// After the first HMAC of a block.
fn link<const WORDS: usize, const LANES: usize, const BLOCK: usize, const DIGEST: usize, M, B>(
    _: &M,
    block: &B,
) -> Link<M::Word, WORDS>
where
    M: Hash<WORDS, LANES, BLOCK, DIGEST>,
    B: Iterated,
    B::Hash: hashes::Hash<Digest = [u8; DIGEST]>,
    <B::Hash as hashes::Core>::State: AsWords<M::Word, WORDS>,
{
    let first = Wiped::new(M::state_of(&Wiped::new(block.first())));
    Link { keys: block.states().map(AsWords::as_words), last: *first, sum: *first }
}
