//! Iterations of HMAC for any number of derivations: in lanes, interleaved, or in serial.

use super::{
    super::{Batch, FewOf, LaneHash, LaneStates, LanesOf, PerLane, Prices, few::FEW},
    Link, Links,
};
use crate::{core::secret::Wiped, hashes::function::ByteArray};

/// An iteration: HMACs with one key, each of the digest of the previous one, and their sum (RFC 8018, section 5.2).
pub(crate) trait Iterated<State, Digest: Copy>: Sized {
    /// The inner and outer state of the key.
    fn states(&self) -> [&State; 2];
    /// The first HMAC.
    fn first(&self) -> Digest;
    /// How many follow.
    fn left(&self) -> u32;
    /// Records that `count` more have been computed.
    fn pass(&mut self, count: u32);
    /// Computes the remaining ones from the last one and the sum of all, and ends.
    fn finish(&mut self, last: &mut Digest, sum: &mut Digest);
    /// Stores the sum of all.
    fn end(&mut self, sum: &Digest);

    /// Computes all of it, by the backend of the key.
    fn serial(mut self) {
        let mut last = Wiped::new(self.first());
        let mut sum = Wiped::new(*last);
        self.finish(&mut last, &mut sum);
    }
}

/// Iterates in lanes, if they are faster. Each lane takes the next iteration when its own is done.
pub(crate) fn iterate_all<H: LaneHash, B: Iterated<H::State, H::Output>>(
    batch: Batch<'_, H>,
    mut blocks: impl Iterator<Item = B>,
) {
    let prices = batch.prices();
    // Functions of their own: the stack frame of lanes is only taken where they are used.
    let Some(lanes) = batch.lanes() else {
        if let Some((few, prices)) = batch.few() {
            iterate_in_few(batch, few, prices, blocks);
        }
        return;
    };
    loop {
        let mut group = <H::PerLane<Option<B>>>::from_fn(|_| None);
        let (mut count, mut least) = (0, u32::MAX);
        for (place, block) in group.as_mut()[..prices.width()].iter_mut().zip(&mut blocks) {
            (count, least) = (count + 1, least.min(block.left()));
            *place = Some(block);
        }
        if count == 0 {
            return;
        }
        let group = group.into_iter().flatten();
        if prices.pay_linked(count, least) {
            return iterate_in_lanes(batch, lanes, group.chain(blocks));
        }
        match batch.few() {
            Some((few, prices)) => iterate_in_few(batch, few, prices, group),
            None => group.for_each(Iterated::serial),
        }
    }
}

/// The remaining iterations of a vacant lane; a block has fewer, since its first is done.
const VACANT: u32 = u32::MAX;

#[inline(never)]
fn iterate_in_lanes<H: LaneHash, B: Iterated<H::State, H::Output>>(
    batch: Batch<'_, H>,
    lanes: &LanesOf<H>,
    mut blocks: impl Iterator<Item = B>,
) {
    let (prices, one) = (batch.prices(), batch.one());
    let width = prices.width();
    let mut running = <H::PerLane<Option<B>>>::from_fn(|_| None);
    let running = running.as_mut();
    // Separate from the blocks: a compiler may load the count of a vacant place before it checks whether a block is there, which
    // memcheck reports.
    let mut left = <H::PerLane<u32>>::from_fn(|_| VACANT);
    let left = left.as_mut();
    let mut links =
        Wiped::new(Links { keys: [H::starts(); 2], last: H::starts(), sum: H::starts() });
    loop {
        for (lane, place) in running.iter_mut().enumerate().take(width) {
            if place.is_some() {
                continue;
            }
            let Some(block) = blocks.next() else { break };
            let Link { keys: [inner, outer], last, sum } = &*Wiped::new(link::<H, B>(&block));
            links.keys[0].set_lane(lane, inner);
            links.keys[1].set_lane(lane, outer);
            links.last.set_lane(lane, last);
            links.sum.set_lane(lane, sum);
            left[lane] = block.left();
            *place = Some(block);
        }
        let taken = left.iter().filter(|&&left| left != VACANT);
        let Some(&count) = taken.clone().min() else { return };
        // Where lanes are slower, the backend for one message completes each of them.
        let pay = prices.pay_linked(taken.count(), count);
        let passed = if pay { count } else { 0 };
        if passed > 0 {
            H::iterate(lanes, &mut links, passed);
        }
        for (lane, place) in running.iter_mut().enumerate() {
            let Some(block) = place else { continue };
            block.pass(passed);
            left[lane] -= passed;
            if !pay || left[lane] == 0 {
                let (mut last, mut sum) =
                    (Wiped::new(H::Output::ZERO), Wiped::new(H::Output::ZERO));
                *last = H::output(one, &Wiped::new(links.last.lane(lane)));
                *sum = H::output(one, &Wiped::new(links.sum.lane(lane)));
                block.finish(&mut last, &mut sum);
                *place = None;
                left[lane] = VACANT;
            }
        }
    }
}

/// The same for a narrow batch, in which a single message takes as long as by the backend for one message.
fn iterate_in_few<H: LaneHash, B: Iterated<H::State, H::Output>>(
    batch: Batch<'_, H>,
    few: &FewOf<H>,
    prices: Prices,
    mut blocks: impl Iterator<Item = B>,
) {
    let width = prices.width();
    let empty = Link { keys: [H::START; 2], last: H::START, sum: H::START };
    let mut links = Wiped::new([empty; FEW]);
    let (mut lanes, mut running) = ([const { None::<B> }; FEW], 0);
    loop {
        while running < width
            && let Some(block) = blocks.next()
        {
            if block.left() == 0 {
                block.serial();
                continue;
            }
            links[running] = link::<H, B>(&block);
            lanes[running] = Some(block);
            running += 1;
        }
        let blocks = lanes[..running].iter_mut().flatten();
        let Some(count) = blocks.map(|block| block.left()).min() else { return };
        H::iterate_few(few, &mut links[..running], count);
        lanes[..running].iter_mut().flatten().for_each(|block| block.pass(count));
        // The last lane moves into the place of one that is done.
        let mut lane = 0;
        while lane < running {
            let done = lanes[lane].take_if(|block| block.left() == 0);
            let Some(mut block) = done else {
                lane += 1;
                continue;
            };
            let mut sum = Wiped::new(H::Output::ZERO);
            *sum = H::output(batch.one(), &links[lane].sum);
            block.end(&sum);
            running -= 1;
            lanes.swap(lane, running);
            links.swap(lane, running);
        }
    }
}

/// The state after the first HMAC of a block.
fn link<H: LaneHash, B: Iterated<H::State, H::Output>>(block: &B) -> Link<H::State> {
    let first = Wiped::new(H::state_of(&Wiped::new(block.first())));
    Link { keys: block.states().map(|state| *state), last: *first, sum: *first }
}
