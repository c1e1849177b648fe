//! Hash functions of the Merkle–Damgård construction: MD5, SHA-1, SHA-2 and SM3. Each is a compression function, an initial
//! state, and a digest length.

use core::{ops::BitXorAssign, slice};

use super::{
    function::{Backed, BlockHash, ByteArray, HashFunction, LastBlocks},
    hasher::Buffered,
    many::{FewOf, LaneHash, LaneStates, LanesOf, Link, Links, Padding, PerLane},
};
use crate::core::{
    backend::{Chosen, Never, TwoKinds},
    secret::Wiped,
    simd::Word,
};

/// A compression function: the common part of functions that differ in their initial state, and in how much of the final one is
/// the digest.
pub(crate) trait CompressionFunction: Sized + 'static {
    type Word: Word;
    /// An array of words.
    type State: Copy + AsRef<[Self::Word]> + AsMut<[Self::Word]> + Send + Sync + 'static;
    type Block: ByteArray;
    /// All of a state, as bytes.
    type Whole: ByteArray;
    type Tail: LastBlocks<Block = Self::Block>;
    /// A block in the layout that the rounds use.
    type Schedule;
    /// One value for each lane of the widest backend.
    type PerLane<T>: PerLane<T>;
    type States: LaneStates<Self::State> + for<'a> BitXorAssign<&'a Self::States>;
    /// A backend for one message.
    type One: Compress<Self> + Chosen + Clone + Send + Sync;
    /// A backend for many messages.
    type Many: TwoKinds<Lanes: CompressLanes<Self>, Few: CompressFew<Self>>;

    /// The words of a block.
    fn words(block: &Self::Block) -> [Self::Word; 16];

    /// The schedule of a block that many messages share.
    fn schedule(block: &Self::Block) -> Self::Schedule;
}

/// The next blocks of each lane: the same number for each.
pub(crate) type Texts<'a, C> = <C as CompressionFunction>::PerLane<&'a [BlockOf<C>]>;
/// The final states of all lanes, as bytes.
pub(crate) type Wholes<C> = <C as CompressionFunction>::PerLane<<C as CompressionFunction>::Whole>;
type BlockOf<C> = <C as CompressionFunction>::Block;

/// A hash function: a compression function, its initial state, and its digests.
pub(crate) trait MerkleDamgard: HashFunction {
    type Compression: CompressionFunction;

    /// The initial hash value, and the same in each lane.
    const START: StateOf<Self>;
    const STARTS: &'static <Self::Compression as CompressionFunction>::States;

    /// The digest of a final state.
    fn output(state: &StateOf<Self>) -> Self::Digest;

    /// Absorbs the digest of another message: [`BlockHash::chain`]. Where the digest is the whole state, that is
    /// [`Compress::chain`].
    #[inline]
    fn chain(engine: &OneOf<Self>, state: &mut StateOf<Self>, digest: &StateOf<Self>) {
        let len = BlockOf::<Self::Compression>::LEN + Self::Digest::LEN;
        engine.finish(state, Self::output(digest).as_ref(), len as u64);
    }
}

type StateOf<F> = <<F as MerkleDamgard>::Compression as CompressionFunction>::State;
type OneOf<F> = <<F as MerkleDamgard>::Compression as CompressionFunction>::One;

/// A backend for one message.
pub(crate) trait Compress<C: CompressionFunction>: Send + Sync {
    /// Absorbs whole blocks, one after the other.
    fn compress(&self, state: &mut C::State, blocks: &[C::Block]);

    /// Absorbs the rest of a message of `len` bytes, and the padding.
    fn finish(&self, state: &mut C::State, text: &[u8], len: u64) {
        let (blocks, rest) = C::Block::split(text);
        if !blocks.is_empty() {
            self.compress(state, blocks);
        }
        let mut tail = Wiped::new(C::Tail::EMPTY);
        tail.fill(rest, len);
        self.compress(state, tail.blocks());
    }

    /// Absorbs the digest of that state, which follows one block and ends the message, and the padding.
    #[inline(never)]
    fn chain(&self, state: &mut C::State, digest: &C::State)
    where
        C: Chained,
    {
        let block = Wiped::new(C::chained_block(digest));
        self.compress(state, slice::from_ref(&*block));
    }
}

/// A compression function with a digest that is its whole state, for HMAC and TLS.
pub(crate) trait Chained: CompressionFunction {
    /// The digest of that state as the last block of a message, after one other block.
    fn chained_block(digest: &Self::State) -> Self::Block;
}

/// A backend with lanes, one message each. Lanes past those of the backend do not change.
pub(crate) trait CompressLanes<C: CompressionFunction>: Send + Sync {
    /// Absorbs whole blocks into the state of each lane: for each as many as the first has.
    fn compress_many(&self, states: &mut C::States, texts: &Texts<'_, C>);

    /// Absorbs the block with that schedule into the state of each lane.
    fn compress_known(&self, states: &mut C::States, schedule: &C::Schedule);

    /// The states of all lanes as bytes.
    fn digests(&self, states: &C::States, digests: &mut Wholes<C>);

    /// Computes `count` more HMACs in each lane, each of the digest of the previous one.
    fn iterate(&self, links: &mut Links<C::States>, padding: &Padding<C::Word>, count: u32);
}

/// A backend for narrow batches, which interleaves the instructions for one message.
pub(crate) trait CompressFew<C: CompressionFunction>: Send + Sync {
    /// Absorbs whole blocks into each of two states, or as many as there are lanes: the same number for each.
    fn compress_few(&self, states: &mut [C::State], texts: &[&[C::Block]]);

    /// Absorbs the rest of two messages or more, all of `len` bytes and with a rest of the same length, and the padding.
    fn finish_few(&self, states: &mut [C::State], texts: &[&[u8]], len: u64);

    /// Computes `count` more HMACs for one message or more, each of the digest of the previous one.
    fn iterate_few(&self, links: &mut [Link<C::State>], padding: &Padding<C::Word>, count: u32);
}

impl<F: MerkleDamgard> Backed for F {
    type One = OneOf<F>;
    type Many = <F::Compression as CompressionFunction>::Many;
}

impl<F: MerkleDamgard> BlockHash for F {
    type State = StateOf<F>;
    type Block = BlockOf<F::Compression>;
    type Output = F::Digest;
    type Tail = <F::Compression as CompressionFunction>::Tail;
    type Incremental = Buffered<F>;

    const START: Self::State = <F as MerkleDamgard>::START;
    const MARKER: u8 = 0x80;
    const AFTER_MARKER: usize = Self::Block::LEN / 8;

    #[inline]
    fn compress(engine: &Self::One, state: &mut Self::State, blocks: &[Self::Block]) {
        engine.compress(state, blocks);
    }
    #[inline]
    fn complete(engine: &Self::One, state: &mut Self::State, text: &[u8], len: u64) {
        engine.finish(state, text, len);
    }
    #[inline]
    fn chain(engine: &Self::One, state: &mut Self::State, digest: &Self::State) {
        <F as MerkleDamgard>::chain(engine, state, digest);
    }
    #[inline]
    fn output(_: &Self::One, state: &Self::State) -> F::Digest {
        <F as MerkleDamgard>::output(state)
    }
}

impl<F: MerkleDamgard> LaneHash for F {
    type Schedule = <F::Compression as CompressionFunction>::Schedule;
    type PerLane<T> = <F::Compression as CompressionFunction>::PerLane<T>;
    type States = <F::Compression as CompressionFunction>::States;

    const PADDING: usize = 1 + Self::Block::LEN / 8;

    #[inline]
    fn starts() -> Self::States {
        *F::STARTS
    }
    fn compress_many(
        lanes: &LanesOf<F>,
        states: &mut Self::States,
        texts: &Self::PerLane<&[Self::Block]>,
    ) {
        lanes.compress_many(states, texts);
    }
    fn schedule(len: u64) -> Self::Schedule {
        let mut tail = Self::Tail::EMPTY;
        tail.set(&[], len);
        F::Compression::schedule(&tail.blocks()[0])
    }
    fn compress_known(lanes: &LanesOf<F>, states: &mut Self::States, schedule: &Self::Schedule) {
        lanes.compress_known(states, schedule);
    }
    fn digests(lanes: &LanesOf<F>, states: &mut Self::States, digests: &mut [F::Digest]) {
        let mut all = Wholes::<F::Compression>::splat(ByteArray::ZERO);
        lanes.digests(states, &mut all);
        for (digest, whole) in digests.iter_mut().zip(all.as_ref()) {
            digest.as_mut().copy_from_slice(&whole.as_ref()[..F::Digest::LEN]);
        }
    }
    fn state_of(digest: &F::Digest) -> Self::State {
        let mut block = Wiped::new(Self::Block::ZERO);
        block.as_mut()[..F::Digest::LEN].copy_from_slice(digest.as_ref());
        let (words, mut state) = (F::Compression::words(&block), <F as MerkleDamgard>::START);
        for (to, word) in state.as_mut().iter_mut().zip(words) {
            *to = word;
        }
        state
    }
    fn iterate(lanes: &LanesOf<F>, links: &mut Links<Self::States>, count: u32) {
        lanes.iterate(links, &padding::<F>(), count);
    }
    fn compress_few(few: &FewOf<F>, states: &mut [Self::State], texts: &[&[Self::Block]]) {
        few.compress_few(states, texts);
    }
    fn finish_few(few: &FewOf<F>, states: &mut [Self::State], texts: &[&[u8]], len: u64) {
        few.finish_few(states, texts, len);
    }
    fn iterate_few(few: &FewOf<F>, links: &mut [Link<Self::State>], count: u32) {
        few.iterate_few(links, &padding::<F>(), count);
    }
}

/// The padding after a digest that follows one block.
fn padding<F: MerkleDamgard>() -> Padding<<F::Compression as CompressionFunction>::Word> {
    let mut tail = <F as BlockHash>::Tail::EMPTY;
    tail.set(F::Digest::ZERO.as_ref(), (<F as BlockHash>::Block::LEN + F::Digest::LEN) as u64);
    let words = F::Compression::words(&tail.blocks()[0]);
    let word = size_of::<<F::Compression as CompressionFunction>::Word>();
    Padding { words, digest: F::Digest::LEN / word }
}

impl<C: CompressionFunction> CompressFew<C> for Never {
    fn compress_few(&self, _: &mut [C::State], _: &[&[C::Block]]) {
        match *self {}
    }
    fn finish_few(&self, _: &mut [C::State], _: &[&[u8]], _: u64) {
        match *self {}
    }
    fn iterate_few(&self, _: &mut [Link<C::State>], _: &Padding<C::Word>, _: u32) {
        match *self {}
    }
}
