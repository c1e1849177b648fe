//! SM3 (GB/T 32905-2016, which is GM/T 0004-2012, and ISO/IEC 10118-3:2018).
//!
//! ```
//! use ropewalk::sm3::{self, Sm3};
//!
//! let mut hasher = Sm3::new();
//! hasher.update(b"a");
//! hasher.update(b"bc");
//! assert_eq!(hasher.finish(), sm3::digest(b"abc"));
//!
//! let messages = [b"one".as_slice(), b"another", b""];
//! let mut digests = [[0; 32]; 3];
//! sm3::digest_many(&messages, &mut digests)?;
//! assert_eq!(digests[1], sm3::digest(b"another"));
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    core::{
        Error,
        backend::{LanesOnly, Primitive},
    },
    hashes::{
        self, Hasher, big_endian_32,
        function::{BlockHash, HashFunction},
        many,
        merkle_damgard::{Compress, CompressLanes, CompressionFunction, MerkleDamgard},
    },
};

mod known;
mod lanes;
mod portable;
#[cfg(target_arch = "x86_64")]
mod scheduled;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod avx2;
    pub(super) mod avx2_x8;
    pub(super) mod avx512_x16;
    pub(super) mod ssse3;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod neon_x4;
    pub(super) mod sm3;
}

/// Bytes in a digest.
pub const DIGEST_LEN: usize = 32;

/// A digest.
pub type Digest = [u8; DIGEST_LEN];

/// The value V of the standard: the words A … H.
type State = [u32; 8];
type Block = [u8; 64];

/// The states of as many messages as any backend takes, transposed: word `i` of message `lane` is
/// `[i][lane]`.
type States = many::States<u32, 8, LANES>;
type Texts<'a> = [&'a [Block]; LANES];
const LANES: usize = many::lanes::<u32>();
type Links = many::Links<States>;
type Padding = many::Padding<u32>;
/// W_j and W'_j of each round of a block that many messages share.
type Schedule = [[u32; 2]; 64];
type Digests = [Digest; LANES];
/// The last block or two (section 5.2).
type Tail = hashes::Tail<64>;

/// The compression function CF (section 5.3.3).
pub(crate) enum Compression {}

impl CompressionFunction for Compression {
    type Word = u32;
    type State = State;
    type Block = Block;
    type Whole = Digest;
    type Tail = Tail;
    type Schedule = Schedule;
    type PerLane<T> = [T; LANES];
    type States = States;
    type One = Engine;
    type Many = LanesOnly<ManyEngine>;

    fn words(block: &Block) -> [u32; 16] {
        lanes::words(block)
    }
    fn schedule(block: &Block) -> Schedule {
        lanes::known(block)
    }
}

backends! {
    calls Entries {
        fn compress(state: &mut State, blocks: &[Block]);
        fn finish(state: &mut State, text: &[u8], len: u64);
    }
    tested by known::one;

    /// SM3 of one message, most preferred first.
    #[derive(Clone)]
    pub(crate) enum Engine(()): Compress<Compression> in "sm3" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2" (400 cycles) needs Avx2 => Avx2(x86_64::avx2::Avx2),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" (500 cycles) needs Ssse3 => Ssse3(x86_64::ssse3::Ssse3),
        #[cfg(target_arch = "aarch64")]
        "aarch64/sm3" (320 cycles) needs Sm4 => Sm3(aarch64::sm3::Sm3),
        "portable" (600 cycles) needs Baseline => Portable(portable::Portable),
    }
}

backends! {
    calls LaneEntries {
        fn compress_many(states: &mut States, texts: &Texts<'_>);
        fn compress_known(states: &mut States, schedule: &Schedule);
        fn digests(states: &States, digests: &mut Digests);
        fn iterate(links: &mut Links, padding: &Padding, count: u32);
    }
    tested by known::many;

    /// SM3 of many messages, most preferred first. A group too small for lanes goes to the backend for one message.
    pub(crate) enum ManyEngine(()): CompressLanes<Compression> in "sm3" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512_x16" (900 cycles, 460 at the start, 16 lanes) needs Avx512 => Avx512x16(x86_64::avx512_x16::Avx512x16),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2_x8" (1500 cycles, 300 at the start, 8 lanes) needs Avx2 => Avx2x8(x86_64::avx2_x8::Avx2x8),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon_x4" (1500 cycles, 200 at the start, 4 lanes) needs Neon => Neonx4(aarch64::neon_x4::Neonx4),
        "portable" (600 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// SM3 in [`PRIMITIVES`](crate::PRIMITIVES).
pub const PRIMITIVE: Primitive = Primitive {
    name: "sm3",
    standard: "GB/T 32905-2016",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut hasher = Sm3::with_backend(backend)?;
        hasher.update(b"abc");
        Ok(hasher.finish() == ABC && known::one(backend)?)
    },
};

/// SM3 of many messages in [`PRIMITIVES`](crate::PRIMITIVES).
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "sm3-many",
    standard: "GB/T 32905-2016",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let mut digests = [[0; DIGEST_LEN]; 37];
        Sm3Many::with_backend(backend)?.digest(&[b"abc".as_slice(); 37], &mut digests)?;
        Ok(digests == [ABC; 37] && known::many(backend)?)
    },
};

/// The digest of `message`, of up to 2^61 − 1 bytes.
#[inline]
pub fn digest(message: &[u8]) -> Digest {
    Function::digest(&Engine::best(()), message)
}

/// The digest of each message. Messages may differ in length.
///
/// # Errors
/// [`Error::Length`] where there are not as many digests as messages; none is then written.
#[cfg(feature = "many")]
#[inline]
pub fn digest_many(messages: &[&[u8]], digests: &mut [Digest]) -> Result<(), Error> {
    many::one_or_many(messages, digests, || 0, digest, Sm3Many::digest_by_best)
}

/// SM3.
pub type Sm3 = Hasher<Function>;

/// SM3 of many messages. Backends are in [`PRIMITIVE_MANY`].
#[cfg(feature = "many")]
pub type Sm3Many = hashes::Many<Function>;

/// SM3 as a hash function.
#[derive(Clone, Copy, Debug)]
pub enum Function {}

impl HashFunction for Function {
    type Digest = Digest;

    const NAME: &'static str = "sm3";
}

impl MerkleDamgard for Function {
    type Compression = Compression;

    const START: State = IV;
    const STARTS: &'static States = &States::splat(&IV);

    #[inline]
    fn output(state: &State) -> Digest {
        big_endian_32(state)
    }
}

/// The initial value (section 4.1).
const IV: State = [
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
];

/// The constants T_j (section 4.2), each rotated left by j mod 32 as round j adds it (section 5.3.3).
static T: [u32; 64] = {
    let (mut t, mut j) = ([0; 64], 0);
    while j < 64 {
        let constant: u32 = if j < 16 { 0x79cc4519 } else { 0x7a879d8a };
        t[j] = constant.rotate_left(j as u32 % 32);
        j += 1;
    }
    t
};

/// The digest of "abc" (section A.1).
const ABC: Digest = [
    0x66, 0xc7, 0xf0, 0xf4, 0x62, 0xee, 0xed, 0xd9, 0xd1, 0xf2, 0xd4, 0x6b, 0xdc, 0x10, 0xe4, 0xe2,
    0x41, 0x67, 0xc4, 0x87, 0x5c, 0xf2, 0xf7, 0xa2, 0x29, 0x7d, 0xa0, 0x2b, 0x8f, 0x4b, 0xa8, 0xe0,
];
