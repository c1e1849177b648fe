//! MD5 (RFC 1321), which is broken, and for legacy uses only.
//!
//! Collisions take seconds, so do not rely on it for anything that an attacker could forge (RFC 6151). It is here for formats and
//! protocols that require it and cannot be changed: checksums against accidents, names of stored objects, HTTP Digest
//! authentication (RFC 7616), HMAC-MD5 in RADIUS (RFC 2869).
//!
//! ```
//! use ropewalk::md5::{self, Md5};
//!
//! let mut hasher = Md5::new();
//! hasher.update(b"a");
//! hasher.update(b"bc");
//! assert_eq!(hasher.finish(), md5::digest(b"abc"));
//! ```

use crate::{
    core::{
        Error,
        backend::{LanesOnly, Primitive},
    },
    hashes::{
        self, Hasher,
        function::{BlockHash, HashFunction},
        little_endian_32, many,
        merkle_damgard::{Compress, CompressLanes, CompressionFunction, MerkleDamgard},
    },
};

mod known;
mod lanes;
mod portable;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod avx2_x8;
    pub(super) mod avx512_x16;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod neon_x4;
}

/// Bytes in a digest.
pub const DIGEST_LEN: usize = 16;

/// A digest.
pub type Digest = [u8; DIGEST_LEN];

/// The registers A, B, C and D of the standard.
type State = [u32; 4];
type Block = [u8; 64];

/// The states of as many messages as any backend takes, transposed: word `i` of message `lane` is
/// `[i][lane]`.
type States = many::States<u32, 4, LANES>;
type Texts<'a> = [&'a [Block]; LANES];
const LANES: usize = many::lanes::<u32>();
type Links = many::Links<States>;
type Padding = many::Padding<u32>;
/// X[k] + T[i] of a block that many messages share.
type Schedule = [u32; 64];
type Digests = [Digest; LANES];
/// The last block or two (sections 3.1 and 3.2).
type Tail = hashes::Tail<64, true>;

/// The compression function (section 3.4).
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

    /// Its only dependency chain is not shortened by any instruction, so there is one backend.
    #[derive(Clone)]
    pub(crate) enum Engine(()): Compress<Compression> in "md5" {
        "portable" (290 cycles) needs Baseline => Portable(portable::Portable),
    }
}

// Cycles of x86-64 are measured on the reference processor; the start cost of AVX2 on Zen 3. Those of Arm are counted: 64
// operations, each with a latency of ten cycles.
backends! {
    calls LaneEntries {
        fn compress_many(states: &mut States, texts: &Texts<'_>);
        fn compress_known(states: &mut States, schedule: &Schedule);
        fn digests(states: &States, digests: &mut Digests);
        fn iterate(links: &mut Links, padding: &Padding, count: u32);
    }
    tested by known::many;

    /// MD5 of many messages, most preferred first. Groups that are too small for lanes are hashed
    /// serially.
    pub(crate) enum ManyEngine(()): CompressLanes<Compression> in "md5" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512_x16" (300 cycles, 530 at the start, 16 lanes) needs Avx512 => Avx512x16(x86_64::avx512_x16::Avx512x16),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2_x8" (415 cycles, 850 at the start, 8 lanes) needs Avx2 => Avx2x8(x86_64::avx2_x8::Avx2x8),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon_x4" (640 cycles, 200 at the start, 4 lanes) needs Neon => Neonx4(aarch64::neon_x4::Neonx4),
        "portable" (290 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// MD5 in [`PRIMITIVES`](crate::PRIMITIVES).
pub const PRIMITIVE: Primitive = Primitive {
    name: "md5",
    standard: "RFC 1321",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut hasher = Md5::with_backend(backend)?;
        hasher.update(b"abc");
        Ok(hasher.finish() == ABC && known::one(backend)?)
    },
};

/// MD5 of many messages in [`PRIMITIVES`](crate::PRIMITIVES).
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "md5-many",
    standard: "RFC 1321",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let mut digests = [[0; DIGEST_LEN]; 37];
        Md5Many::with_backend(backend)?.digest(&[b"abc".as_slice(); 37], &mut digests)?;
        Ok(digests == [ABC; 37] && known::many(backend)?)
    },
};

/// The digest of `message`.
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
    many::one_or_many(messages, digests, || 0, digest, Md5Many::digest_by_best)
}

/// MD5, which is broken: see [the module](self) for its remaining uses.
pub type Md5 = Hasher<Function>;

/// MD5 of many messages. Backends are in [`PRIMITIVE_MANY`].
#[cfg(feature = "many")]
pub type Md5Many = hashes::Many<Function>;

/// MD5 as a hash function.
#[derive(Clone, Copy, Debug)]
pub enum Function {}

impl HashFunction for Function {
    type Digest = Digest;

    const NAME: &'static str = "md5";
}

impl MerkleDamgard for Function {
    type Compression = Compression;

    const START: State = START;
    const STARTS: &'static States = &States::splat(&START);

    #[inline]
    fn output(state: &State) -> Digest {
        little_endian_32(state)
    }
}

/// The initial registers (section 3.3).
const START: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];

/// The whole part of 2^32 times the absolute value of sin(i + 1), for i in radians.
#[rustfmt::skip]
const T: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];

/// The digest of "abc" (section A.5).
const ABC: Digest = [
    0x90, 0x01, 0x50, 0x98, 0x3c, 0xd2, 0x4f, 0xb0, 0xd6, 0x96, 0x3f, 0x7d, 0x28, 0xe1, 0x7f, 0x72,
];
