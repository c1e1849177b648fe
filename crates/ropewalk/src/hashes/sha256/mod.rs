//! SHA-256 and SHA-224 (FIPS 180-4, sections 6.2 and 6.3).
//!
//! ```
//! use ropewalk::sha256::{self, Sha256};
//!
//! let mut hasher = Sha256::new();
//! hasher.update(b"a");
//! hasher.update(b"bc");
//! assert_eq!(hasher.finish(), sha256::digest(b"abc"));
//!
//! let messages = [b"one".as_slice(), b"another", b""];
//! let mut digests = [[0; 32]; 3];
//! sha256::digest_many(&messages, &mut digests)?;
//! assert_eq!(digests[1], sha256::digest(b"another"));
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    core::{Error, backend::Primitive},
    hashes::{
        self, Hasher, big_endian_32, chained_block,
        function::{BlockHash, HashFunction},
        many,
        merkle_damgard::{
            Chained, Compress, CompressFew, CompressLanes, CompressionFunction, MerkleDamgard,
        },
    },
};

mod known;
mod lanes;
pub(crate) mod portable;
#[cfg(target_arch = "x86_64")]
mod scheduled;

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64 {
    pub(crate) mod avx2;
    pub(super) mod avx2_x8;
    pub(super) mod avx512_x16;
    pub(crate) mod shani;
    pub(super) mod shani_x2;
    pub(crate) mod ssse3;
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64 {
    pub(super) mod neon_x4;
    pub(crate) mod sha2;
    pub(super) mod sha2_x2;
}

#[cfg(target_arch = "arm")]
pub(crate) mod arm {
    pub(crate) mod neon;
}

/// Bytes in a digest.
pub const DIGEST_LEN: usize = 32;

/// A digest.
pub type Digest = [u8; DIGEST_LEN];

/// The hash value H of the standard.
type State = [u32; 8];
type Block = [u8; 64];

/// The states of as many messages as any backend takes, transposed: word `i` of message `lane` is
/// `[i][lane]`.
type States = many::States<u32, 8, LANES>;
type Texts<'a> = [&'a [Block]; LANES];
const LANES: usize = many::lanes::<u32>();
type Links = many::Links<States>;
type Link = many::Link<State>;
type Padding = many::Padding<u32>;
/// W_t + K_t of a block that many messages share.
type Schedule = [u32; 64];
type Digests = [Digest; LANES];
/// The last block or two (section 5.1.1).
type Tail = hashes::Tail<64>;

/// The compression function of SHA-256 and SHA-224 (section 6.2.2).
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
    type Many = ManyEngine;

    fn words(block: &Block) -> [u32; 16] {
        lanes::words(block)
    }
    fn schedule(block: &Block) -> Schedule {
        lanes::known(block)
    }
}

impl Chained for Compression {
    #[inline(always)]
    fn chained_block(digest: &State) -> Block {
        chained_block(digest)
    }
}

backends! {
    calls Entries {
        fn compress(state: &mut State, blocks: &[Block]);
        fn finish(state: &mut State, text: &[u8], len: u64);
        fn chain(state: &mut State, digest: &State);
    }
    tested by known::one;

    /// SHA-256 of one message, most preferred first.
    #[derive(Clone)]
    pub(crate) enum Engine(()): Compress<Compression> in "sha256" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/shani" (131 cycles) needs ShaNi => Shani(x86_64::shani::Shani),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2" (350 cycles) needs Avx2 => Avx2(x86_64::avx2::Avx2),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" (500 cycles) needs Ssse3 => Ssse3(x86_64::ssse3::Ssse3),
        #[cfg(target_arch = "aarch64")]
        "aarch64/sha2" (102 cycles) needs Sha2 => Sha2(aarch64::sha2::Sha2),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::Neon),
        "portable" (650 cycles) needs Baseline => Portable(portable::Portable),
    }
}

// Cycles of x86-64 are measured: records/emerald-rapids/2026-11-21; but those of one message with AVX2 or SSSE3 are counted, at
// six instructions a cycle. Those of Arm are not measured: x4 is counted, at 1,248 shifts on one pipe; the start cost of a group
// is that of x86-64; one message is the published 1.60 cycles a byte of a Cortex-A76.
backends! {
    calls LaneEntries {
        fn compress_many(states: &mut States, texts: &Texts<'_>);
        fn compress_known(states: &mut States, schedule: &Schedule);
        fn digests(states: &States, digests: &mut Digests);
        fn iterate(links: &mut Links, padding: &Padding, count: u32);
    }
    or FewEntries {
        fn compress_few(states: &mut [State], texts: &[&[Block]]);
        fn finish_few(states: &mut [State], texts: &[&[u8]], len: u64);
        fn iterate_few(links: &mut [Link], padding: &Padding, count: u32);
    }
    tested by known::many;

    /// SHA-256 of many messages, most preferred first. Groups that are too small for lanes go
    /// to the backend for one message.
    pub(crate) enum ManyEngine(()): CompressLanes<Compression> or CompressFew<Compression> in "sha256" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512_x16" (900 cycles, 460 at the start, 16 lanes) needs Avx512 => Avx512x16(x86_64::avx512_x16::Avx512x16),
        #[cfg(target_arch = "x86_64")]
        few "x86_64/shani_x2" (142 cycles, 30 at the start, 2 lanes) needs ShaNi => Shanix2(x86_64::shani_x2::Shanix2),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2_x8" (1170 cycles, 300 at the start, 8 lanes) needs Avx2 => Avx2x8(x86_64::avx2_x8::Avx2x8),
        #[cfg(target_arch = "aarch64")]
        few "aarch64/sha2_x2" (124 cycles, 20 at the start, 2 lanes) needs Sha2 => Sha2x2(aarch64::sha2_x2::Sha2x2),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon_x4" (1248 cycles, 200 at the start, 4 lanes) needs Neon => Neonx4(aarch64::neon_x4::Neonx4),
        "portable" (650 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// SHA-256 in [`PRIMITIVES`](crate::PRIMITIVES).
pub const PRIMITIVE: Primitive = Primitive {
    name: "sha256",
    standard: "FIPS 180-4, section 6.2",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut hasher = Sha256::with_backend(backend)?;
        hasher.update(b"abc");
        Ok(hasher.finish() == ABC && known::one(backend)?)
    },
};

/// SHA-224 in [`PRIMITIVES`](crate::PRIMITIVES).
pub const PRIMITIVE_224: Primitive = Primitive {
    name: "sha224",
    standard: "FIPS 180-4, section 6.3",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut hasher = Sha224::with_backend(backend)?;
        hasher.update(b"abc");
        Ok(hasher.finish() == ABC_224)
    },
};

/// SHA-256 of many messages in [`PRIMITIVES`](crate::PRIMITIVES).
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "sha256-many",
    standard: "FIPS 180-4, section 6.2",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let mut digests = [[0; DIGEST_LEN]; 37];
        Sha256Many::with_backend(backend)?.digest(&[b"abc".as_slice(); 37], &mut digests)?;
        Ok(digests == [ABC; 37] && known::many(backend)?)
    },
};

/// SHA-224 of many messages in [`PRIMITIVES`](crate::PRIMITIVES).
#[cfg(feature = "many")]
pub const PRIMITIVE_224_MANY: Primitive = Primitive {
    name: "sha224-many",
    standard: "FIPS 180-4, section 6.3",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let mut digests = [[0; 28]; 37];
        Sha224Many::with_backend(backend)?.digest(&[b"abc".as_slice(); 37], &mut digests)?;
        Ok(digests == [ABC_224; 37])
    },
};

/// The digest of `message`, of up to 2^61 − 1 bytes.
#[inline]
pub fn digest(message: &[u8]) -> Digest {
    Function256::digest(&Engine::best(()), message)
}

/// The SHA-224 digest of `message`.
#[inline]
pub fn digest_224(message: &[u8]) -> [u8; 28] {
    Function224::digest(&Engine::best(()), message)
}

/// The digest of each message. Messages may differ in length.
///
/// # Errors
/// [`Error::Length`] where there are not as many digests as messages; none is then written.
#[cfg(feature = "many")]
#[inline]
pub fn digest_many(messages: &[&[u8]], digests: &mut [Digest]) -> Result<(), Error> {
    many::one_or_many(
        messages,
        digests,
        many::few_lanes::<Function256>,
        digest,
        Sha256Many::digest_by_best,
    )
}

/// The SHA-224 digest of each message. Messages of any lengths may be mixed.
///
/// # Errors
/// [`Error::Length`] where there are not as many digests as messages; none is then written.
#[cfg(feature = "many")]
#[inline]
pub fn digest_224_many(messages: &[&[u8]], digests: &mut [[u8; 28]]) -> Result<(), Error> {
    many::one_or_many(
        messages,
        digests,
        many::few_lanes::<Function224>,
        digest_224,
        Sha224Many::digest_by_best,
    )
}

/// SHA-256.
pub type Sha256 = Hasher<Function256>;

/// SHA-224: SHA-256 from another initial state, with a truncated digest.
pub type Sha224 = Hasher<Function224>;

/// SHA-256 of many messages. Backends are in [`PRIMITIVE_MANY`].
#[cfg(feature = "many")]
pub type Sha256Many = hashes::Many<Function256>;

/// SHA-224 of many messages. Backends are in [`PRIMITIVE_224_MANY`].
#[cfg(feature = "many")]
pub type Sha224Many = hashes::Many<Function224>;

/// SHA-256 as a hash function.
#[derive(Clone, Copy, Debug)]
pub enum Function256 {}

impl HashFunction for Function256 {
    type Digest = Digest;

    const NAME: &'static str = "sha256";
}

impl MerkleDamgard for Function256 {
    type Compression = Compression;

    const START: State = H0;
    const STARTS: &'static States = &States::splat(&H0);

    #[inline]
    fn output(state: &State) -> Digest {
        big_endian_32(state)
    }
    #[inline]
    fn chain(engine: &Engine, state: &mut State, digest: &State) {
        engine.chain(state, digest);
    }
}

/// SHA-224 as a hash function.
#[derive(Clone, Copy, Debug)]
pub enum Function224 {}

impl HashFunction for Function224 {
    type Digest = [u8; 28];

    const NAME: &'static str = "sha224";
}

impl MerkleDamgard for Function224 {
    type Compression = Compression;

    const START: State = H0_224;
    const STARTS: &'static States = &States::splat(&H0_224);

    #[inline]
    fn output(state: &State) -> [u8; 28] {
        big_endian_32(state)
    }
}

/// The initial hash value (section 5.3.3).
const H0: State = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// The initial hash value of SHA-224 (section 5.3.2).
const H0_224: State = [
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
];

/// The constants K (section 4.2.2).
#[rustfmt::skip]
const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// The digest of "abc" (FIPS 180-4, the one-block example).
const ABC: Digest = [
    0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
    0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
];

/// The SHA-224 digest of "abc".
const ABC_224: [u8; 28] = [
    0x23, 0x09, 0x7d, 0x22, 0x34, 0x05, 0xd8, 0x22, 0x86, 0x42, 0xa4, 0x77, 0xbd, 0xa2, 0x55, 0xb3,
    0x2a, 0xad, 0xbc, 0xe4, 0xbd, 0xa0, 0xb3, 0xf7, 0xe3, 0x6c, 0x9d, 0xa7,
];
