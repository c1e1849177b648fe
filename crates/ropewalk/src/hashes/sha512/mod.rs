//! SHA-512, SHA-384 and SHA-512/256 (FIPS 180-4, sections 6.4, 6.5 and 6.7).
//!
//! ```
//! use ropewalk::sha512::{self, Sha384, Sha512, Sha512_256};
//!
//! let mut hasher = Sha512::new();
//! hasher.update(b"a");
//! hasher.update(b"bc");
//! assert_eq!(hasher.finish(), sha512::digest(b"abc"));
//!
//! assert_eq!(Sha384::new().digest(b"abc"), sha512::digest_384(b"abc"));
//! assert_eq!(Sha512_256::new().digest(b"abc"), sha512::digest_512_256(b"abc"));
//!
//! let mut digests = [[0; 64]; 2];
//! sha512::digest_many(&[b"abc", b"a longer one"], &mut digests)?;
//! assert_eq!(digests[0], sha512::digest(b"abc"));
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    core::{
        Error,
        backend::{LanesOnly, Primitive},
    },
    hashes::{
        self, Hasher, big_endian_64,
        function::{BlockHash, HashFunction},
        many,
        merkle_damgard::{Compress, CompressLanes, CompressionFunction, MerkleDamgard},
    },
};

mod known;
mod lanes;
mod portable;
mod rounds;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    #[cfg(not(ropewalk_ct = "msan"))]
    mod among;
    pub(super) mod avx2;
    pub(super) mod avx2_x4;
    pub(super) mod avx512;
    pub(super) mod avx512_x8;
    mod pairs;
    mod rounds;
    pub(super) mod ssse3;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod sha512;
}

#[cfg(target_arch = "arm")]
mod arm {
    pub(super) mod neon;
}

/// The hash value H of the standard.
type State = [u64; 8];
type Block = [u8; 128];

/// The states of as many messages as any backend takes, transposed: word `i` of message `lane` is
/// `[i][lane]`.
type States = many::States<u64, 8, LANES>;
type Texts<'a> = [&'a [Block]; LANES];
const LANES: usize = many::lanes::<u64>();
type Links = many::Links<States>;
type Padding = many::Padding<u64>;
/// W_t + K_t of a block that many messages share.
type Schedule = [u64; 80];
type Digests = [[u8; 64]; LANES];
/// The last block or two (section 5.1.2).
type Tail = hashes::Tail<128>;

/// The compression function of all three (section 6.4.2).
pub(crate) enum Compression {}

impl CompressionFunction for Compression {
    type Word = u64;
    type State = State;
    type Block = Block;
    type Whole = [u8; 64];
    type Tail = Tail;
    type Schedule = Schedule;
    type PerLane<T> = [T; LANES];
    type States = States;
    type One = Engine;
    type Many = LanesOnly<ManyEngine>;

    fn words(block: &Block) -> [u64; 16] {
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

    /// SHA-512 of one message, most preferred first.
    #[derive(Clone)]
    pub(crate) enum Engine(()): Compress<Compression> in "sha512" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512" (570 cycles) needs Avx512By256 => Avx512(x86_64::avx512::Avx512),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2" (590 cycles) needs Avx2 => Avx2(x86_64::avx2::Avx2),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" (660 cycles) needs Ssse3 => Ssse3(x86_64::ssse3::Ssse3),
        #[cfg(target_arch = "aarch64")]
        "aarch64/sha512" needs Sha3 => Sha512(aarch64::sha512::Sha512),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::Neon),
        "portable" (900 cycles) needs Baseline => Portable(portable::Portable),
    }
}

// Cycles of x86-64 are measured on the reference processor. Arm has no lanes, as none would be faster: without rotation
// instructions for vectors, two lanes take 1,600 shifts on one or two pipes, while one message is in general registers with free
// rotations; processors with such instructions have those for SHA-512 too.
backends! {
    calls LaneEntries {
        fn compress_many(states: &mut States, texts: &Texts<'_>);
        fn compress_known(states: &mut States, schedule: &Schedule);
        fn digests(states: &States, digests: &mut Digests);
        fn iterate(links: &mut Links, padding: &Padding, count: u32);
    }
    tested by known::many;

    /// SHA-512 of many messages, most preferred first. Groups that are too small for lanes go
    /// to the backend for one message.
    pub(crate) enum ManyEngine(()): CompressLanes<Compression> in "sha512" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512_x8" (1150 cycles, 480 at the start, 8 lanes) needs Avx512 => Avx512x8(x86_64::avx512_x8::Avx512x8),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2_x4" (1475 cycles, 330 at the start, 4 lanes) needs Avx2 => Avx2x4(x86_64::avx2_x4::Avx2x4),
        "portable" (900 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// SHA-512 in [`PRIMITIVES`](crate::PRIMITIVES).
pub const PRIMITIVE: Primitive = Primitive {
    name: "sha512",
    standard: "FIPS 180-4, section 6.4",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut hasher = Sha512::with_backend(backend)?;
        hasher.update(b"abc");
        Ok(hasher.finish() == ABC && known::one(backend)?)
    },
};

/// SHA-384 in [`PRIMITIVES`](crate::PRIMITIVES).
pub const PRIMITIVE_384: Primitive = Primitive {
    name: "sha384",
    standard: "FIPS 180-4, section 6.5",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut hasher = Sha384::with_backend(backend)?;
        hasher.update(b"abc");
        Ok(hasher.finish() == ABC_384)
    },
};

/// SHA-512/256 in [`PRIMITIVES`](crate::PRIMITIVES).
pub const PRIMITIVE_512_256: Primitive = Primitive {
    name: "sha512-256",
    standard: "FIPS 180-4, section 6.7",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut hasher = Sha512_256::with_backend(backend)?;
        hasher.update(b"abc");
        Ok(hasher.finish() == ABC_256)
    },
};

/// SHA-512 of many messages in [`PRIMITIVES`](crate::PRIMITIVES).
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "sha512-many",
    standard: "FIPS 180-4, section 6.4",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let mut digests = [[0; 64]; 19];
        Sha512Many::with_backend(backend)?.digest(&[b"abc".as_slice(); 19], &mut digests)?;
        Ok(digests == [ABC; 19] && known::many(backend)?)
    },
};

/// SHA-384 of many messages in [`PRIMITIVES`](crate::PRIMITIVES).
#[cfg(feature = "many")]
pub const PRIMITIVE_384_MANY: Primitive = Primitive {
    name: "sha384-many",
    standard: "FIPS 180-4, section 6.5",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let mut digests = [[0; 48]; 19];
        Sha384Many::with_backend(backend)?.digest(&[b"abc".as_slice(); 19], &mut digests)?;
        Ok(digests == [ABC_384; 19])
    },
};

/// SHA-512/256 of many messages in [`PRIMITIVES`](crate::PRIMITIVES).
#[cfg(feature = "many")]
pub const PRIMITIVE_512_256_MANY: Primitive = Primitive {
    name: "sha512-256-many",
    standard: "FIPS 180-4, section 6.7",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let mut digests = [[0; 32]; 19];
        Sha512_256Many::with_backend(backend)?.digest(&[b"abc".as_slice(); 19], &mut digests)?;
        Ok(digests == [ABC_256; 19])
    },
};

/// The SHA-512 digest of `message`.
#[inline]
pub fn digest(message: &[u8]) -> [u8; 64] {
    Function512::digest(&Engine::best(()), message)
}

/// The SHA-384 digest of `message`.
#[inline]
pub fn digest_384(message: &[u8]) -> [u8; 48] {
    Function384::digest(&Engine::best(()), message)
}

/// The SHA-512/256 digest of `message`.
#[inline]
pub fn digest_512_256(message: &[u8]) -> [u8; 32] {
    Function512_256::digest(&Engine::best(()), message)
}

/// The SHA-512 digest of each message. Messages of any lengths may be mixed.
///
/// # Errors
/// [`Error::Length`] where there are not as many digests as messages; none is then written.
#[cfg(feature = "many")]
#[inline]
pub fn digest_many(messages: &[&[u8]], digests: &mut [[u8; 64]]) -> Result<(), Error> {
    many::one_or_many(messages, digests, || 0, digest, Sha512Many::digest_by_best)
}

/// The SHA-384 digest of each message. Messages of any lengths may be mixed.
///
/// # Errors
/// [`Error::Length`] where there are not as many digests as messages; none is then written.
#[cfg(feature = "many")]
#[inline]
pub fn digest_384_many(messages: &[&[u8]], digests: &mut [[u8; 48]]) -> Result<(), Error> {
    many::one_or_many(messages, digests, || 0, digest_384, Sha384Many::digest_by_best)
}

/// The SHA-512/256 digest of each message. Messages of any lengths may be mixed.
///
/// # Errors
/// [`Error::Length`] where there are not as many digests as messages; none is then written.
#[cfg(feature = "many")]
#[inline]
pub fn digest_512_256_many(messages: &[&[u8]], digests: &mut [[u8; 32]]) -> Result<(), Error> {
    many::one_or_many(messages, digests, || 0, digest_512_256, Sha512_256Many::digest_by_best)
}

/// SHA-512.
pub type Sha512 = Hasher<Function512>;

/// SHA-384: SHA-512 from another initial state, with a truncated digest.
pub type Sha384 = Hasher<Function384>;

/// SHA-512/256: SHA-512 from a third initial state, with half of its digest.
pub type Sha512_256 = Hasher<Function512_256>;

/// SHA-512 of many messages. Backends are in [`PRIMITIVE_MANY`].
#[cfg(feature = "many")]
pub type Sha512Many = hashes::Many<Function512>;

/// SHA-384 of many messages. Backends are in [`PRIMITIVE_384_MANY`].
#[cfg(feature = "many")]
pub type Sha384Many = hashes::Many<Function384>;

/// SHA-512/256 of many messages. Backends are in [`PRIMITIVE_512_256_MANY`].
#[cfg(feature = "many")]
pub type Sha512_256Many = hashes::Many<Function512_256>;

/// SHA-512 as a hash function.
#[derive(Clone, Copy, Debug)]
pub enum Function512 {}

impl HashFunction for Function512 {
    type Digest = [u8; 64];

    const NAME: &'static str = "sha512";
}

impl MerkleDamgard for Function512 {
    type Compression = Compression;

    const START: State = H0;
    const STARTS: &'static States = &States::splat(&H0);

    #[inline]
    fn output(state: &State) -> [u8; 64] {
        big_endian_64(state)
    }
}

/// SHA-384 as a hash function.
#[derive(Clone, Copy, Debug)]
pub enum Function384 {}

impl HashFunction for Function384 {
    type Digest = [u8; 48];

    const NAME: &'static str = "sha384";
}

impl MerkleDamgard for Function384 {
    type Compression = Compression;

    const START: State = H0_384;
    const STARTS: &'static States = &States::splat(&H0_384);

    #[inline]
    fn output(state: &State) -> [u8; 48] {
        big_endian_64(state)
    }
}

/// SHA-512/256 as a hash function.
#[derive(Clone, Copy, Debug)]
pub enum Function512_256 {}

impl HashFunction for Function512_256 {
    type Digest = [u8; 32];

    const NAME: &'static str = "sha512-256";
}

impl MerkleDamgard for Function512_256 {
    type Compression = Compression;

    const START: State = H0_256;
    const STARTS: &'static States = &States::splat(&H0_256);

    #[inline]
    fn output(state: &State) -> [u8; 32] {
        big_endian_64(state)
    }
}

/// The initial hash value (section 5.3.5).
const H0: State = [
    0x6a09e667f3bcc908,
    0xbb67ae8584caa73b,
    0x3c6ef372fe94f82b,
    0xa54ff53a5f1d36f1,
    0x510e527fade682d1,
    0x9b05688c2b3e6c1f,
    0x1f83d9abfb41bd6b,
    0x5be0cd19137e2179,
];

/// The initial hash value of SHA-384 (section 5.3.4).
const H0_384: State = [
    0xcbbb9d5dc1059ed8,
    0x629a292a367cd507,
    0x9159015a3070dd17,
    0x152fecd8f70e5939,
    0x67332667ffc00b31,
    0x8eb44a8768581511,
    0xdb0c2e0d64f98fa7,
    0x47b5481dbefa4fa4,
];

/// The initial hash value of SHA-512/256 (section 5.3.6.2).
const H0_256: State = [
    0x22312194fc2bf72c,
    0x9f555fa3c84c64c2,
    0x2393b86b6f53b151,
    0x963877195940eabd,
    0x96283ee2a88effe3,
    0xbe5e1e2553863992,
    0x2b0199fc2c85b8aa,
    0x0eb72ddc81c52ca2,
];

/// The constants K (section 4.2.3).
#[rustfmt::skip]
const K: [u64; 80] = [
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
];

/// The digest of "abc" (FIPS 180-4, the one-block example).
const ABC: [u8; 64] = [
    0xdd, 0xaf, 0x35, 0xa1, 0x93, 0x61, 0x7a, 0xba, 0xcc, 0x41, 0x73, 0x49, 0xae, 0x20, 0x41, 0x31,
    0x12, 0xe6, 0xfa, 0x4e, 0x89, 0xa9, 0x7e, 0xa2, 0x0a, 0x9e, 0xee, 0xe6, 0x4b, 0x55, 0xd3, 0x9a,
    0x21, 0x92, 0x99, 0x2a, 0x27, 0x4f, 0xc1, 0xa8, 0x36, 0xba, 0x3c, 0x23, 0xa3, 0xfe, 0xeb, 0xbd,
    0x45, 0x4d, 0x44, 0x23, 0x64, 0x3c, 0xe8, 0x0e, 0x2a, 0x9a, 0xc9, 0x4f, 0xa5, 0x4c, 0xa4, 0x9f,
];

/// The SHA-384 digest of "abc".
const ABC_384: [u8; 48] = [
    0xcb, 0x00, 0x75, 0x3f, 0x45, 0xa3, 0x5e, 0x8b, 0xb5, 0xa0, 0x3d, 0x69, 0x9a, 0xc6, 0x50, 0x07,
    0x27, 0x2c, 0x32, 0xab, 0x0e, 0xde, 0xd1, 0x63, 0x1a, 0x8b, 0x60, 0x5a, 0x43, 0xff, 0x5b, 0xed,
    0x80, 0x86, 0x07, 0x2b, 0xa1, 0xe7, 0xcc, 0x23, 0x58, 0xba, 0xec, 0xa1, 0x34, 0xc8, 0x25, 0xa7,
];

/// The SHA-512/256 digest of "abc".
const ABC_256: [u8; 32] = [
    0x53, 0x04, 0x8e, 0x26, 0x81, 0x94, 0x1e, 0xf9, 0x9b, 0x2e, 0x29, 0xb7, 0x6b, 0x4c, 0x7d, 0xab,
    0xe4, 0xc2, 0xd0, 0xc6, 0x34, 0xfc, 0x6d, 0x46, 0xe0, 0xe2, 0xf1, 0x31, 0x07, 0xe7, 0xaf, 0x23,
];
