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
    fn compress(&self, state: &mut [u32; WORDS], blocks: &[[u8; BLOCK]]);
    fn compress_many(&self, states: &mut States<WORDS>, texts: &Texts<'_, BLOCK>);
    fn digest(&self, message: &[u8]) -> [u8; DIGEST];
    fn to_bytes(state: &[u32; WORDS]) -> [u8; DIGEST];
}

/// The last blocks of a message, padded.
pub(crate) trait Tail<const BLOCK: usize>: Copy {
    const EMPTY: Self;
    /// From the `rest` of a message of `len` bytes that does not fill a block.
    fn set(&mut self, rest: &[u8], len: u64);
    fn blocks(&self) -> &[[u8; BLOCK]];
}

/// The digest of each message; as many digests as messages.
pub(crate) fn hash<const WORDS: usize, const BLOCK: usize, const DIGEST: usize, H>(
    hash: &H,
    messages: &[&[u8]],
    digests: &mut [[u8; DIGEST]],
) where
    H: Hash<WORDS, BLOCK, DIGEST>,
{
    let (width, pays_from) = (hash.lanes(), hash.pays_from());
    if messages.len().min(width) < pays_from {
        for (message, digest) in messages.iter().zip(digests) {
            *digest = hash.digest(message);
        }
        return;
    }

    let mut states = States([[0; MAX_LANES]; WORDS]);
    let mut lanes = Lanes {
        running: 0,
        message: [0; MAX_LANES],
        body: [&[]; MAX_LANES],
        tail: [H::Tail::EMPTY; MAX_LANES],
        absorbed: [0; MAX_LANES],
    };
    let mut waiting = messages.iter().enumerate();
    loop {
        let fresh = lanes.running == 0;
        if fresh {
            // Row by row: the kernel's loads would wait long for words that were stored singly.
            for (row, &word) in states.0.iter_mut().zip(&H::START) {
                row.fill(word);
            }
        }
        for lane in 0..width {
            if lanes.runs(lane) {
                continue;
            }
            let Some((message, text)) = waiting.next() else { break };
            if !fresh {
                states.set_lane(lane, &H::START);
            }
            let (body, rest) = text.as_chunks();
            lanes.running |= 1 << lane;
            lanes.message[lane] = message;
            lanes.body[lane] = body;
            lanes.absorbed[lane] = 0;
            lanes.tail[lane].set(rest, text.len() as u64);
        }

        if (lanes.running.count_ones() as usize) < pays_from {
            for lane in (0..width).filter(|&lane| lanes.runs(lane)) {
                let mut state = states.lane(lane);
                hash.compress(&mut state, lanes.body[lane]);
                hash.compress(&mut state, &lanes.tail[lane].blocks()[lanes.absorbed[lane]..]);
                digests[lanes.message[lane]] = H::to_bytes(&state);
            }
            return;
        }

        let (texts, blocks) = lanes.next_blocks(width);
        hash.compress_many(&mut states, &texts);
        for lane in 0..width {
            if !lanes.runs(lane) {
                continue;
            }
            if !lanes.body[lane].is_empty() {
                lanes.body[lane] = &lanes.body[lane][blocks..];
                continue;
            }
            lanes.absorbed[lane] += blocks;
            if lanes.absorbed[lane] == lanes.tail[lane].blocks().len() {
                digests[lanes.message[lane]] = H::to_bytes(&states.lane(lane));
                lanes.running &= !(1 << lane);
            }
        }
    }
}

/// Where each lane stands in its message.
struct Lanes<'a, T, const BLOCK: usize> {
    /// One bit a lane that has a message.
    running: u32,
    /// Index of the message.
    message: [usize; MAX_LANES],
    /// Whole blocks to come.
    body: [&'a [[u8; BLOCK]]; MAX_LANES],
    /// What comes after them, and how much of it is absorbed.
    tail: [T; MAX_LANES],
    absorbed: [usize; MAX_LANES],
}

impl<T: Tail<BLOCK>, const BLOCK: usize> Lanes<'_, T, BLOCK> {
    #[inline]
    fn runs(&self, lane: usize) -> bool {
        self.running >> lane & 1 == 1
    }

    /// The blocks of each lane that come next and lie side by side in memory: as many as the lane
    /// that has fewest. Idle lanes repeat a running one's, and nobody looks at what comes out.
    #[inline]
    fn next_blocks(&self, width: usize) -> (Texts<'_, BLOCK>, usize) {
        let first = self.piece(self.running.trailing_zeros() as usize);
        let mut texts = [first; MAX_LANES];
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

/// From how many messages on lanes pay: where one step of all lanes takes no longer than one block
/// of each message, one after the other.
pub(crate) fn pays_from(many: &Info, one: &Info) -> usize {
    many.cycles.div_ceil(one.cycles) as usize
}
