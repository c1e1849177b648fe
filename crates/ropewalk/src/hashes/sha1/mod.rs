//! SHA-1 (FIPS 180-4, section 6.1), which is broken.
//!
//! Collisions can be made at will, so no signature, certificate or fingerprint may rely on it; NIST withdraws it at the end of
//! 2030. It is here for uses that do not rely on collision resistance and cannot be changed: HMAC-SHA-1 in old protocols and
//! one-time passwords (RFC 2104, RFC 4226), PBKDF2 of old files (RFC 8018), and names in formats such as those of Git and of
//! WebSocket (RFC 6455).
//!
//! ```
//! use ropewalk::sha1::{self, Sha1};
//!
//! let mut hasher = Sha1::new();
//! hasher.update(b"a");
//! hasher.update(b"bc");
//! assert_eq!(hasher.finish(), sha1::digest(b"abc"));
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
mod rounds;
#[cfg(target_arch = "x86_64")]
mod scheduled;

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64 {
    pub(crate) mod avx2;
    pub(super) mod avx2_x8;
    pub(super) mod avx512_x16;
    pub(crate) mod shani;
    pub(super) mod shani_x4;
    pub(crate) mod ssse3;
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64 {
    pub(super) mod neon_x4;
    pub(crate) mod sha1;
    pub(super) mod sha1_x2;
}

#[cfg(target_arch = "arm")]
pub(crate) mod arm {
    pub(crate) mod neon;
}

/// Bytes in a digest.
pub const DIGEST_LEN: usize = 20;

/// A digest.
pub type Digest = [u8; DIGEST_LEN];

/// The hash value H of the standard.
type State = [u32; 5];
type Block = [u8; 64];

/// The states of as many messages as any backend takes, transposed: word `i` of message `lane` is
/// `[i][lane]`.
type States = many::States<u32, 5, LANES>;
type Texts<'a> = [&'a [Block]; LANES];
const LANES: usize = many::lanes::<u32>();
type Links = many::Links<States>;
type Link = many::Link<State>;
type Padding = many::Padding<u32>;
/// W_t + K_t of a block that many messages share.
type Schedule = [u32; 80];
type Digests = [Digest; LANES];
/// The last block or two (section 5.1.1).
type Tail = hashes::Tail<64>;

/// The compression function (section 6.1.2).
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

    /// Most preferred first.
    #[derive(Clone)]
    pub(crate) enum Engine(()): Compress<Compression> in "sha1" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/shani" (120 cycles) needs ShaNi => Shani(x86_64::shani::Shani),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2" (214 cycles) needs Avx2 => Avx2(x86_64::avx2::Avx2),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" (233 cycles) needs Ssse3 => Ssse3(x86_64::ssse3::Ssse3),
        #[cfg(target_arch = "aarch64")]
        "aarch64/sha1" (90 cycles) needs Sha2 => Sha1Instructions(aarch64::sha1::Sha1),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::Neon),
        "portable" (282 cycles) needs Baseline => Portable(portable::Portable),
    }
}

// Cycles of x86-64 are measured: records/granite-rapids/2026-11-23-many; but those of four lanes on Zen 3, since processors with
// sixteen lanes do not use these four. Those of Arm are counted: for x4, 1,080 instructions on two pipes; for one message, 80
// rounds in groups of four, with a latency of four cycles a group.
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

    /// SHA-1 of many messages, most preferred first. Groups that are too small for lanes go
    /// to the backend for one message.
    pub(crate) enum ManyEngine(()): CompressLanes<Compression> or CompressFew<Compression> in "sha1" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512_x16" (460 cycles, 480 at the start, 16 lanes) needs Avx512 => Avx512x16(x86_64::avx512_x16::Avx512x16),
        #[cfg(target_arch = "x86_64")]
        few "x86_64/shani_x4" (192 cycles, 225 at the start, 4 lanes) needs ShaNi => Shanix4(x86_64::shani_x4::Shanix4),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2_x8" (530 cycles, 430 at the start, 8 lanes) needs Avx2 => Avx2x8(x86_64::avx2_x8::Avx2x8),
        #[cfg(target_arch = "aarch64")]
        few "aarch64/sha1_x2" (112 cycles, 20 at the start, 2 lanes) needs Sha2 => Sha1x2(aarch64::sha1_x2::Sha1x2),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon_x4" (560 cycles, 200 at the start, 4 lanes) needs Neon => Neonx4(aarch64::neon_x4::Neonx4),
        "portable" (282 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// SHA-1 in [`PRIMITIVES`](crate::PRIMITIVES).
pub const PRIMITIVE: Primitive = Primitive {
    name: "sha1",
    standard: "FIPS 180-4, section 6.1",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut hasher = Sha1::with_backend(backend)?;
        hasher.update(b"abc");
        Ok(hasher.finish() == ABC && known::one(backend)?)
    },
};

/// SHA-1 of many messages in [`PRIMITIVES`](crate::PRIMITIVES).
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "sha1-many",
    standard: "FIPS 180-4, section 6.1",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let mut digests = [[0; DIGEST_LEN]; 37];
        Sha1Many::with_backend(backend)?.digest(&[b"abc".as_slice(); 37], &mut digests)?;
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
    many::one_or_many(
        messages,
        digests,
        many::few_lanes::<Function>,
        digest,
        Sha1Many::digest_by_best,
    )
}

/// SHA-1, which is broken: see [the module](self) for its remaining uses.
pub type Sha1 = Hasher<Function>;

/// SHA-1 of many messages. Backends are in [`PRIMITIVE_MANY`].
#[cfg(feature = "many")]
pub type Sha1Many = hashes::Many<Function>;

/// SHA-1 as a hash function.
#[derive(Clone, Copy, Debug)]
pub enum Function {}

impl HashFunction for Function {
    type Digest = Digest;

    const NAME: &'static str = "sha1";
}

impl MerkleDamgard for Function {
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

/// The initial hash value (section 5.3.1).
const H0: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/// The constants K (section 4.2.1), each for twenty rounds.
const K: [u32; 4] = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

/// The digest of "abc" (FIPS 180-4, the one-block example).
const ABC: Digest = [
    0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a, 0xba, 0x3e, 0x25, 0x71, 0x78, 0x50, 0xc2, 0x6c,
    0x9c, 0xd0, 0xd8, 0x9d,
];
