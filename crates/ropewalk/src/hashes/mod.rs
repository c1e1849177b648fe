//! Hash functions: what they have in common that take a message in blocks, each of them, and many messages side by side.

// A function is its engine, its state at the start, and its lengths; several may share an engine. One type is
// made of these by `hasher!`, so that each says in its own documentation what it is.

pub(crate) mod ends;
pub(crate) mod interleaved;
pub(crate) mod known;
pub(crate) mod many;
#[cfg(feature = "md5")]
pub mod md5;
#[cfg(feature = "sha1")]
pub mod sha1;
#[cfg(target_arch = "x86_64")]
mod sha2;
#[cfg(feature = "sha256")]
pub mod sha256;
#[cfg(feature = "sha3")]
pub mod sha3;
#[cfg(feature = "sha512")]
pub mod sha512;

use crate::core::{
    Error,
    backend::{Costs, Info},
    block::load_short,
    secret::Wiped,
};

/// A hash function: one type for what is hashed with it in pieces, in one piece, and as part of a MAC.
///
/// It is sealed: the functions of this library have it.
#[allow(private_bounds, reason = "only functions of this library have it")]
pub trait Hash: Core + Clone + Default {
    /// An array of [`DIGEST_LEN`](Self::DIGEST_LEN) bytes.
    type Digest: Copy + AsRef<[u8]> + AsMut<[u8]> + Eq + core::fmt::Debug;
    /// What hashes many messages with it, side by side.
    #[cfg(feature = "many")]
    type Many: HashMany<One = Self>;

    /// As in lists: `sha256`.
    const NAME: &'static str;
    /// Bytes in a digest.
    const DIGEST_LEN: usize;
    /// Bytes in a block.
    const BLOCK_LEN: usize;

    /// With one backend, by its name.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    fn with_backend(name: &str) -> Result<Self, Error>;

    /// The name of its backend.
    fn backend(&self) -> &'static str;

    /// Takes the next piece of the message, of any length.
    fn update(&mut self, text: &[u8]);

    /// The digest of all pieces.
    fn finish(self) -> Self::Digest;

    /// The digest of all pieces, after which another message may come: nothing is moved.
    fn finish_reset(&mut self) -> Self::Digest;

    /// Forgets all pieces. The backend stays.
    fn reset(&mut self);

    /// The digest of a message in one piece, with this hasher's backend; what it has absorbed before
    /// is left alone.
    fn digest(&self, message: &[u8]) -> Self::Digest;
}

/// A hash function of many messages side by side, such as [`Sha256Many`](crate::sha256::Sha256Many): for code that is
/// written once for any.
///
/// It is sealed, as [`Hash`] is.
#[allow(private_bounds, reason = "only functions of this library have it")]
pub trait HashMany: ManyCore + Default {
    /// The same of one message.
    type One: Hash;

    /// With one backend, by its name, even where one message at a time is faster.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    fn with_backend(name: &str) -> Result<Self, Error>;

    /// The name of its backend.
    fn backend(&self) -> &'static str;

    /// How many messages that has side by side.
    fn lanes(&self) -> usize;

    /// With the best backends of this processor, and what they were measured to cost on it.
    fn with_costs(costs: Costs) -> Self;

    /// What the best backends of this processor are thought to cost.
    fn costs() -> Costs;

    /// The digest of each message. Messages of any lengths may be mixed.
    ///
    /// # Errors
    /// [`Error::Length`] where there are not as many digests as messages; none is then written.
    fn digest(
        &self,
        messages: &[&[u8]],
        digests: &mut [<Self::One as Hash>::Digest],
    ) -> Result<(), Error>;
}

/// A hash function from within.
pub(crate) trait Core: Sized + 'static {
    /// Which backend.
    type Engine: Clone + Send + Sync;
    type State: Copy + Send + Sync;
    /// An array of bytes.
    type Block: Copy + AsRef<[u8]> + AsMut<[u8]> + Send + Sync;

    const START: Self::State;
    const EMPTY: Self::Block;
    /// The first byte of the padding, and how many more there are in the last block at the least.
    const MARKER: u8;
    const AFTER_MARKER: usize;

    fn best() -> Self::Engine;
    fn named(name: &str) -> Result<Self::Engine, Error>;
    fn info(engine: &Self::Engine) -> &'static Info;
    /// Whole blocks, and the bytes behind them.
    fn blocks(text: &[u8]) -> (&[Self::Block], &[u8]);
    fn compress(engine: &Self::Engine, state: &mut Self::State, blocks: &[Self::Block]);
    /// Absorbs the rest of a message of `len` bytes, and the padding.
    fn complete(engine: &Self::Engine, state: &mut Self::State, text: &[u8], len: u64);
    /// Absorbs the digest of another message, which ends this one after a block, and the padding: what HMAC
    /// does last.
    #[inline]
    fn chain(engine: &Self::Engine, state: &mut Self::State, digest: &Self::State)
    where
        Self: Hash,
    {
        let len = (Self::BLOCK_LEN + Self::DIGEST_LEN) as u64;
        Self::complete(engine, state, Self::output(digest).as_ref(), len);
    }
    /// Adds the end of the padding of a message of `len` bytes to a block, if the mask is all ones.
    fn end_last(block: &mut Self::Block, len: u64, is_last: u8);
    fn output(state: &Self::State) -> Self::Digest
    where
        Self: Hash;
    /// A digest that is none.
    fn nothing() -> Self::Digest
    where
        Self: Hash;
}

/// A hash function of many messages from within.
pub(crate) trait ManyCore {
    /// The tag of each message (HMAC).
    #[cfg(feature = "hmac")]
    fn mac<K: many::Keyed<Hash = Self::One>>(
        &self,
        messages: &[K],
        tags: &mut [<Self::One as Hash>::Digest],
    ) -> Result<(), Error>
    where
        Self: HashMany;

    /// How few lanes its best backend has, if they are few, each as one message has it.
    #[cfg(feature = "hmac")]
    fn few_lanes() -> usize;

    /// Whether its lanes are few.
    #[cfg(feature = "hkdf")]
    fn few(&self) -> bool;

    /// Whether lanes are worth it for so many blocks, each of which begins a message.
    #[cfg(feature = "hkdf")]
    fn pays_to_begin(&self, blocks: usize) -> bool;

    /// The state that each of them leaves; there is room for as many.
    #[cfg(feature = "hkdf")]
    fn begin(
        &self,
        blocks: &[<Self::One as Core>::Block],
        states: &mut [<Self::One as Core>::State],
    ) where
        Self: HashMany;

    /// Iterates each (PBKDF2).
    #[cfg(feature = "pbkdf2")]
    fn iterate_all<B: many::Iterated<Hash = Self::One>>(&self, all: impl Iterator<Item = B>)
    where
        Self: HashMany;
}

/// A hash function of `W` words of 32 bits and blocks of 64 bytes by one backend, for primitives that have
/// it among their parts.
pub(crate) trait Function<const W: usize>: Send + Sync {
    /// Absorbs whole blocks, one after the other.
    fn absorb(&self, state: &mut [u32; W], blocks: &[[u8; 64]]);

    /// Absorbs the digest of that state, which ends a message after a block, and the padding.
    fn chain(&self, state: &mut [u32; W], digest: &[u32; W]);
}

/// The digest of that state as the last block of a message that has one more before it.
#[inline(always)]
pub(crate) fn chained_block<const W: usize>(digest: &[u32; W]) -> [u8; 64] {
    let mut block = [0; 64];
    for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(digest) {
        *bytes = word.to_be_bytes();
    }
    block[4 * W] = 0x80;
    let bits = 8 * (64 + 4 * W as u64);
    block[56..].copy_from_slice(&bits.to_be_bytes());
    block
}

/// The digest of a message in one piece.
#[inline]
pub(crate) fn digest<H: Hash>(engine: &H::Engine, message: &[u8]) -> H::Digest {
    let mut state = H::START;
    H::complete(engine, &mut state, message, message.len() as u64);
    H::output(&state)
}

/// A message that comes in pieces.
pub(crate) struct Pieces<H: Core> {
    pub(crate) engine: H::Engine,
    state: H::State,
    /// The last block, while it is not whole, and whatever was there before.
    part: H::Block,
    /// Bytes of the message so far.
    len: u64,
}

impl<H: Core> Clone for Pieces<H> {
    fn clone(&self) -> Self {
        let Self { engine, state, part, len } = self;
        Self { engine: engine.clone(), state: *state, part: *part, len: *len }
    }
}

impl<H: Hash> Pieces<H> {
    #[inline]
    pub(crate) fn new(engine: H::Engine) -> Wiped<Self> {
        Wiped::new(Self::after(engine, H::START, 0))
    }

    /// Behind the first `len` bytes of a message, which are whole blocks.
    #[inline]
    pub(crate) fn after(engine: H::Engine, state: H::State, len: u64) -> Self {
        Self { engine, state, part: H::EMPTY, len }
    }

    /// Bytes of the last block that are there.
    #[inline]
    fn filled(&self) -> usize {
        (self.len % size_of::<H::Block>() as u64) as usize
    }

    #[inline]
    pub(crate) fn update(&mut self, text: &[u8]) {
        let mut text = text;
        let filled = self.filled();
        let Self { engine, state, part, len } = self;
        *len = len.wrapping_add(text.len() as u64);
        if filled > 0 {
            let (head, rest) = text.split_at(text.len().min(size_of::<H::Block>() - filled));
            part.as_mut()[filled..filled + head.len()].copy_from_slice(head);
            if filled + head.len() < size_of::<H::Block>() {
                return;
            }
            H::compress(engine, state, core::slice::from_ref(part));
            text = rest;
        }
        let (blocks, rest) = H::blocks(text);
        if !blocks.is_empty() {
            H::compress(engine, state, blocks);
        }
        part.as_mut()[..rest.len()].copy_from_slice(rest);
    }

    #[inline]
    pub(crate) fn finish(&self) -> H::Digest {
        H::output(&self.last_state())
    }

    /// The same, where another message follows.
    #[inline]
    pub(crate) fn finish_reset(&mut self) -> H::Digest {
        let filled = self.filled();
        H::complete(&self.engine, &mut self.state, &self.part.as_ref()[..filled], self.len);
        let digest = H::output(&self.state);
        self.reset();
        digest
    }

    #[inline]
    pub(crate) fn reset(&mut self) {
        (self.state, self.part, self.len) = (H::START, H::EMPTY, 0);
    }

    /// What the digest is made of.
    #[inline]
    pub(crate) fn last_state(&self) -> H::State {
        let mut state = self.state;
        H::complete(&self.engine, &mut state, &self.part.as_ref()[..self.filled()], self.len);
        state
    }
}

/// Writes the type of a hash function, given the `Engine` of its module, its blocks and its state.
macro_rules! hasher {
    (
        $(#[$doc:meta])*
        $Hasher:ident($name:literal), many by $Many:ident, starts with $start:path;
        $State:ty, blocks of $block:literal, digest of $digest:literal by $output:path
        $(, chained by $chain:ident)?
    ) => {
        $(#[$doc])*
        ///
        /// A message comes in pieces. A clone goes on from where the original stands; both wipe themselves
        /// when they are dropped.
        #[derive(Clone)]
        pub struct $Hasher($crate::core::secret::Wiped<$crate::hashes::Pieces<$Hasher>>);

        impl $Hasher {
            /// With the best backend of this processor.
            #[inline]
            pub fn new() -> Self {
                Self($crate::hashes::Pieces::new(Engine::best(())))
            }

            /// With one backend, by its name in the primitive's list.
            ///
            /// # Errors
            /// [`Error::NoBackend`](crate::Error::NoBackend) where it cannot run here.
            pub fn with_backend(name: &str) -> Result<Self, $crate::core::Error> {
                Ok(Self($crate::hashes::Pieces::new(Engine::named(name)?(()))))
            }

            /// The name of its backend.
            pub fn backend(&self) -> &'static str {
                self.0.engine.info().name
            }

            /// Takes the next piece of the message, of any length.
            pub fn update(&mut self, text: &[u8]) {
                self.0.update(text);
            }

            /// The digest of all pieces.
            pub fn finish(self) -> [u8; $digest] {
                self.0.finish()
            }

            /// The digest of all pieces, after which another message may come: nothing is moved.
            pub fn finish_reset(&mut self) -> [u8; $digest] {
                self.0.finish_reset()
            }

            /// Forgets all pieces. The backend stays.
            #[inline]
            pub fn reset(&mut self) {
                self.0.reset();
            }

            /// The digest of a message in one piece, with this hasher's backend; what it has absorbed
            /// before is left alone.
            #[inline]
            pub fn digest(&self, message: &[u8]) -> [u8; $digest] {
                $crate::hashes::digest::<Self>(&self.0.engine, message)
            }
        }

        impl Default for $Hasher {
            fn default() -> Self {
                Self::new()
            }
        }

        impl $crate::hashes::Core for $Hasher {
            type Engine = Engine;
            type State = $State;
            type Block = [u8; $block];

            const START: $State = $start;
            const EMPTY: [u8; $block] = [0; $block];
            const MARKER: u8 = 0x80;
            const AFTER_MARKER: usize = $block / 8;

            #[inline]
            fn best() -> Engine {
                Engine::best(())
            }
            fn named(name: &str) -> Result<Engine, $crate::core::Error> {
                Ok(Engine::named(name)?(()))
            }
            #[inline]
            fn info(engine: &Engine) -> &'static $crate::core::backend::Info {
                engine.info()
            }
            #[inline]
            fn blocks(text: &[u8]) -> (&[[u8; $block]], &[u8]) {
                text.as_chunks()
            }
            #[inline]
            fn compress(engine: &Engine, state: &mut $State, blocks: &[[u8; $block]]) {
                engine.compress(state, blocks);
            }
            #[inline]
            fn complete(engine: &Engine, state: &mut $State, text: &[u8], len: u64) {
                engine.finish(state, text, len);
            }
            $(
                #[inline]
                fn chain(engine: &Engine, state: &mut $State, digest: &$State) {
                    engine.$chain(state, digest);
                }
            )?
            #[inline]
            fn end_last(block: &mut [u8; $block], len: u64, is_last: u8) {
                Tail::add_length(block, len, is_last);
            }
            #[inline]
            fn output(state: &$State) -> [u8; $digest] {
                $output(state)
            }
            fn nothing() -> [u8; $digest] {
                [0; $digest]
            }
        }

        impl $crate::hashes::Hash for $Hasher {
            type Digest = [u8; $digest];
            #[cfg(feature = "many")]
            type Many = $Many;

            const NAME: &'static str = $name;
            const DIGEST_LEN: usize = $digest;
            const BLOCK_LEN: usize = $block;

            fn with_backend(name: &str) -> Result<Self, $crate::core::Error> {
                Self::with_backend(name)
            }
            fn backend(&self) -> &'static str {
                self.backend()
            }
            fn update(&mut self, text: &[u8]) {
                self.update(text);
            }
            fn finish(self) -> [u8; $digest] {
                self.finish()
            }
            fn finish_reset(&mut self) -> [u8; $digest] {
                self.finish_reset()
            }
            #[inline]
            fn reset(&mut self) {
                self.reset();
            }
            fn digest(&self, message: &[u8]) -> [u8; $digest] {
                self.digest(message)
            }
        }
    };
}
pub(crate) use hasher;

/// The last block or two of a message, padded (FIPS 180-4, section 5.1; RFC 1321, section 3.1 and 3.2,
/// where the length is the other way round). The length in bits is an eighth of a block.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Tail<const BLOCK: usize, const LITTLE_ENDIAN: bool = false> {
    blocks: [[u8; BLOCK]; 2],
    /// Whether there is a second one.
    two: bool,
}

impl<const BLOCK: usize, const LITTLE_ENDIAN: bool> many::Tail<BLOCK>
    for Tail<BLOCK, LITTLE_ENDIAN>
{
    // Nothing but zeros, which come from no other place in memory.
    const EMPTY: Self = Self { blocks: [[0; BLOCK]; 2], two: false };

    #[inline]
    fn set(&mut self, rest: &[u8], len: u64) {
        self.blocks = [[0; BLOCK]; 2];
        self.fill(rest, len);
    }

    #[inline]
    fn blocks(&self) -> &[[u8; BLOCK]] {
        if self.two { &self.blocks } else { self.blocks[..1].as_ref() }
    }
}

impl<const BLOCK: usize, const LITTLE_ENDIAN: bool> Tail<BLOCK, LITTLE_ENDIAN> {
    /// Absorbs the rest of a message of `len` bytes, and the padding, where a backend has nothing better.
    #[inline]
    pub(crate) fn finish(text: &[u8], len: u64, mut compress: impl FnMut(&[[u8; BLOCK]])) {
        let (blocks, rest) = text.as_chunks();
        if !blocks.is_empty() {
            compress(blocks);
        }
        let mut tail = Wiped::new(<Self as many::Tail<BLOCK>>::EMPTY);
        tail.fill(rest, len);
        compress(many::Tail::blocks(&*tail));
    }

    /// From what does not fill a block of a message of `len` bytes, if this is empty. Once, for all backends.
    #[inline(never)]
    pub(crate) fn fill(&mut self, rest: &[u8], len: u64) {
        // In whole vectors: loads would wait for bytes that were stored singly. As many as may be are counted in
        // advance, and not copied by a function that has to ask how many they are.
        let (quarters, short) = rest.as_chunks::<16>();
        let (ends, _) = self.blocks[0].as_chunks_mut();
        for i in 0..BLOCK / 16 {
            let Some(quarter) = quarters.get(i) else {
                ends[i] = (load_short(short) | 0x80 << (8 * short.len())).to_le_bytes();
                break;
            };
            ends[i] = *quarter;
        }
        self.two = rest.len() >= BLOCK - BLOCK / 8;
        let last = &mut self.blocks[usize::from(self.two)];
        last[BLOCK - BLOCK / 8..].copy_from_slice(&Self::length(len)[16 - BLOCK / 8..]);
    }

    /// Adds the length of a message to a block, if the mask is all ones.
    #[inline(always)]
    pub(crate) fn add_length(block: &mut [u8; BLOCK], len: u64, is_last: u8) {
        for (byte, of) in block[BLOCK - 16..].iter_mut().zip(Self::length(len)) {
            *byte |= of & is_last;
        }
    }

    /// The length in bits, and zeros before it.
    #[inline(always)]
    fn length(len: u64) -> [u8; 16] {
        let bits = u128::from(len) << 3;
        match BLOCK {
            128 => bits.to_be_bytes(),
            _ if LITTLE_ENDIAN => u128::from((bits as u64).swap_bytes()).to_be_bytes(),
            _ => u128::from(bits as u64).to_be_bytes(),
        }
    }
}

/// The first `N` bytes of the state, each word with its highest byte first.
#[inline]
pub(crate) fn big_endian_32<const N: usize, const WORDS: usize>(state: &[u32; WORDS]) -> [u8; N] {
    let mut out = [0; N];
    for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    out
}

/// The state, each word with its lowest byte first.
#[inline]
pub(crate) fn little_endian_32<const N: usize, const WORDS: usize>(
    state: &[u32; WORDS],
) -> [u8; N] {
    let mut out = [0; N];
    for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_le_bytes();
    }
    out
}

/// The same of longer words.
#[inline]
pub(crate) fn big_endian_64<const N: usize, const WORDS: usize>(state: &[u64; WORDS]) -> [u8; N] {
    let mut out = [0; N];
    for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    out
}

/// Blocks, and more that follow: what is whole groups of `L` together, and what is left of the last one.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn groups<'a, T, const L: usize>(blocks: &'a [T], more: &'a [T]) -> [[&'a [T]; 2]; 2] {
    let left = (blocks.len() + more.len()) % L;
    // Checked, so that nothing can panic: the caller has secrets to wipe.
    let split = |all: &'a [T], n: usize| all.split_at_checked(n).unwrap_or((all, &[]));
    let (of_more, rest) = split(more, more.len().saturating_sub(left));
    let (of_blocks, alone) = split(blocks, blocks.len().saturating_sub(left - rest.len()));
    [[of_blocks, of_more], [alone, rest]]
}
