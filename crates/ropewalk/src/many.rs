//! Many messages of any lengths, side by side in lanes.
//!
//! Each lane works through one message; when that ends, the lane takes the next one. Once too few
//! messages are left for lanes to pay, the backend for one message ends them, from where they
//! stand. Nothing is allocated, and nothing is ever slower than one by one, but for the choice.

use crate::backend::Info;

/// Lanes of the widest backend.
pub(crate) const MAX_LANES: usize = 16;

/// The states of all lanes, transposed: word `i` of message `lane` is `[i][lane]`.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct States<const WORDS: usize>(pub(crate) [[u32; MAX_LANES]; WORDS]);

/// The next blocks of each lane: as many in each.
pub(crate) type Texts<'a, const BLOCK: usize> = [&'a [[u8; BLOCK]]; MAX_LANES];

impl<const WORDS: usize> States<WORDS> {
    #[inline]
    fn lane(&self, lane: usize) -> [u32; WORDS] {
        let mut state = [0; WORDS];
        for i in 0..WORDS {
            state[i] = self.0[i][lane];
        }
        state
    }

    #[inline]
    fn set_lane(&mut self, lane: usize, state: &[u32; WORDS]) {
        for i in 0..WORDS {
            self.0[i][lane] = state[i];
        }
    }
}

/// What a hash function shows the scheduler: words in its state, bytes in a block and in a digest.
pub(crate) trait Hash<const WORDS: usize, const BLOCK: usize, const DIGEST: usize> {
    const START: [u32; WORDS];
    type Tail: Tail<BLOCK>;

    /// Lanes of the backend for many messages.
    fn lanes(&self) -> usize;
    /// With fewer running messages, one at a time is faster.
    fn pays_from(&self) -> usize;
    fn tail(rest: &[u8], len: u64) -> Self::Tail;
    fn compress(&self, state: &mut [u32; WORDS], blocks: &[[u8; BLOCK]]);
    fn compress_many(&self, states: &mut States<WORDS>, texts: &Texts<'_, BLOCK>);
    fn digest(&self, message: &[u8]) -> [u8; DIGEST];
    fn to_bytes(state: &[u32; WORDS]) -> [u8; DIGEST];
}

/// The last blocks of a message, padded.
pub(crate) trait Tail<const BLOCK: usize>: Copy {
    const EMPTY: Self;
    fn blocks(&self) -> &[[u8; BLOCK]];
}

/// Where a lane stands in its message.
#[derive(Clone, Copy)]
struct Lane<'a, const BLOCK: usize> {
    /// Index of the message.
    message: usize,
    /// Whole blocks to come.
    body: &'a [[u8; BLOCK]],
    /// Blocks of the tail that are absorbed already.
    absorbed: usize,
}

/// The digest of each message; as many digests as messages.
pub(crate) fn hash<const WORDS: usize, const BLOCK: usize, const DIGEST: usize, H>(
    hash: &H,
    messages: &[&[u8]],
    digests: &mut [[u8; DIGEST]],
) where
    H: Hash<WORDS, BLOCK, DIGEST>,
{
    let pays_from = hash.pays_from();
    if messages.len().min(hash.lanes()) < pays_from {
        for (message, digest) in messages.iter().zip(digests) {
            *digest = hash.digest(message);
        }
        return;
    }

    let mut states = States([[0; MAX_LANES]; WORDS]);
    let mut tails = [H::Tail::EMPTY; MAX_LANES];
    let mut lanes: [Option<Lane<'_, BLOCK>>; MAX_LANES] = [None; MAX_LANES];
    let lanes = &mut lanes[..hash.lanes()];
    let mut waiting = messages.iter().enumerate();
    loop {
        for (i, lane) in lanes.iter_mut().enumerate().filter(|(_, lane)| lane.is_none()) {
            let Some((message, text)) = waiting.next() else { break };
            let (body, rest) = text.as_chunks();
            tails[i] = H::tail(rest, text.len() as u64);
            states.set_lane(i, &H::START);
            *lane = Some(Lane { message, body, absorbed: 0 });
        }
        let running = || lanes.iter().enumerate().filter_map(|(i, lane)| Some((i, (*lane)?)));
        if running().count() < pays_from {
            for (i, lane) in running() {
                let mut state = states.lane(i);
                hash.compress(&mut state, lane.body);
                hash.compress(&mut state, &tails[i].blocks()[lane.absorbed..]);
                digests[lane.message] = H::to_bytes(&state);
            }
            return;
        }

        let (first, lane) = running().next().expect("a run that pays has a message");
        let shortest = running().map(|(i, lane)| lane.piece(&tails[i]).len()).min().unwrap_or(0);
        // Idle lanes repeat the work of a running one, and nobody looks at what comes out.
        let mut texts = [&lane.piece(&tails[first])[..shortest]; MAX_LANES];
        for (i, lane) in running() {
            texts[i] = &lane.piece(&tails[i])[..shortest];
        }
        hash.compress_many(&mut states, &texts);

        for (i, slot) in lanes.iter_mut().enumerate() {
            let Some(lane) = slot else { continue };
            if !lane.body.is_empty() {
                lane.body = &lane.body[shortest..];
                continue;
            }
            lane.absorbed += shortest;
            if lane.absorbed == tails[i].blocks().len() {
                digests[lane.message] = H::to_bytes(&states.lane(i));
                *slot = None;
            }
        }
    }
}

impl<'a, const BLOCK: usize> Lane<'a, BLOCK> {
    /// The blocks that come next and lie side by side in memory; never none.
    #[inline]
    fn piece<'b>(&self, tail: &'b impl Tail<BLOCK>) -> &'b [[u8; BLOCK]]
    where
        'a: 'b,
    {
        if self.body.is_empty() { &tail.blocks()[self.absorbed..] } else { self.body }
    }
}

/// From how many messages on lanes pay: where one step of all lanes takes no longer than one block
/// of each message, one after the other.
pub(crate) fn pays_from(many: &Info, one: &Info) -> usize {
    many.cycles.div_ceil(one.cycles) as usize
}
