//! SHA-1 (FIPS 180-4, section 6.1), which is broken.
//!
//! Collisions are made at will, so no signature, certificate or fingerprint may rest on it; NIST withdraws it
//! at the end of 2030. It is here for what does not rest on collisions and cannot be changed: HMAC-SHA-1 in
//! old protocols and one-time passwords (RFC 2104, RFC 4226), PBKDF2 of old files (RFC 8018), and names that
//! stand in formats, such as those of Git and of WebSocket (RFC 6455).
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
    core::{Error, backend::Primitive, secret::Wiped},
    hashes::{
        self, big_endian_32, hasher,
        many::{self, backends_of_few, hasher_of_many, many_digests},
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
type Texts<'a> = many::Texts<'a, LANES, 64>;
const LANES: usize = many::lanes::<u32>();
type Links = many::Links<u32, 5, LANES>;
type Link = many::Link<u32, 5>;
type Padding = many::Padding<u32>;
/// W_t + K_t of a block that many messages have.
type Schedule = [u32; 80];
type Digests = [Digest; LANES];
/// The last block or two (section 5.1.1).
type Tail = hashes::Tail<64>;

pub(crate) trait Compress: Send + Sync {
    /// Absorbs whole blocks, one after the other (section 6.1.2).
    fn compress(&self, state: &mut State, blocks: &[Block]);

    /// Absorbs the rest of a message of `len` bytes, and the padding (section 5.1.1).
    fn finish(&self, state: &mut State, text: &[u8], len: u64) {
        Tail::finish(text, len, |blocks| self.compress(state, blocks));
    }

    /// Absorbs the digest of that state, which ends a message after a block, and the padding.
    #[inline(never)]
    fn chain(&self, state: &mut State, digest: &State) {
        let block = Wiped::new(hashes::chained_block(digest));
        self.compress(state, core::slice::from_ref(&*block));
    }
}

/// Many messages. A backend has either the first three functions, or, where instructions work on one message and few of
/// them go side by side, the three that are named so.
trait CompressMany: Send + Sync {
    /// Absorbs whole blocks into the state of each lane: as many from each, as the first has.
    /// Lanes past those of the backend are left alone, here and below.
    fn compress_many(&self, _: &mut States, _: &Texts<'_>) {
        unreachable!("it has few lanes")
    }

    /// Absorbs the block of that schedule into the state of each lane.
    fn compress_known(&self, _: &mut States, _: &Schedule) {
        unreachable!("it has few lanes")
    }

    /// The states of all lanes as bytes.
    fn digests(&self, _: &States, _: &mut Digests) {
        unreachable!("it has few lanes")
    }

    /// Absorbs whole blocks into each of two states, or of as many as there are lanes: as many from each text.
    fn compress_few(&self, _: &mut [State], _: &[&[Block]]) {
        unreachable!("it has many lanes")
    }

    /// Absorbs the rest of each of two messages or more, all of `len` bytes and with as much left, and the padding.
    fn finish_few(&self, _: &mut [State], _: &[&[u8]], _: u64) {
        unreachable!("it has many lanes")
    }

    /// Goes on by so many HMACs in each of one lane or more, each of the digest of the one before.
    fn iterate_few(&self, _: &mut [Link], _: &Padding, _: u32) {
        unreachable!("it has many lanes")
    }

    /// The same in each of many lanes.
    fn iterate(&self, _: &mut Links, _: &Padding, _: u32) {
        unreachable!("it has few lanes")
    }
}

impl<C: Compress> hashes::Function<5> for C {
    #[inline(always)]
    fn absorb(&self, state: &mut State, blocks: &[Block]) {
        self.compress(state, blocks);
    }
    #[inline(always)]
    fn chain(&self, state: &mut State, digest: &State) {
        Compress::chain(self, state, digest);
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
    pub(crate) enum Engine(()): Compress in "sha1" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/shani" (120 cycles) needs ShaNi => Shani(x86_64::shani::Shani),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2" (214 cycles) needs Avx2 => Avx2(x86_64::avx2::Avx2),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" (233 cycles) needs Ssse3 => Ssse3(x86_64::ssse3::Ssse3),
        #[cfg(target_arch = "aarch64")]
        "aarch64/sha1" (90 cycles) needs Sha2 => Sha1Instructions(aarch64::sha1::Sha1),
        "portable" (282 cycles) needs Baseline => Portable(portable::Portable),
    }
}

// Cycles of x86-64 are measured: records/granite-rapids/2026-11-23-many; but those of four lanes on Zen 3, since where
// there are sixteen nobody takes them. Those of Arm are counted: of x4, 1,080 instructions on two pipes; of one message, 80
// rounds, four at a time, each four of which wait four cycles.
backends! {
    calls ManyEntries {
        fn compress_many(states: &mut States, texts: &Texts<'_>);
        fn compress_known(states: &mut States, schedule: &Schedule);
        fn digests(states: &States, digests: &mut Digests);
        fn iterate(links: &mut Links, padding: &Padding, count: u32);
        fn compress_few(states: &mut [State], texts: &[&[Block]]);
        fn finish_few(states: &mut [State], texts: &[&[u8]], len: u64);
        fn iterate_few(links: &mut [Link], padding: &Padding, count: u32);
    }
    tested by known::many;

    /// SHA-1 of many messages, most preferred first. What is not worth a group of lanes goes to
    /// the backend for one message.
    enum ManyEngine(()): CompressMany in "sha1" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512_x16" (460 cycles, 480 at the start, 16 lanes) needs Avx512 => Avx512x16(x86_64::avx512_x16::Avx512x16),
        #[cfg(target_arch = "x86_64")]
        "x86_64/shani_x4" (192 cycles, 225 at the start, 4 lanes) needs ShaNi => Shanix4(x86_64::shani_x4::Shanix4),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2_x8" (530 cycles, 430 at the start, 8 lanes) needs Avx2 => Avx2x8(x86_64::avx2_x8::Avx2x8),
        #[cfg(target_arch = "aarch64")]
        "aarch64/sha1_x2" (112 cycles, 20 at the start, 2 lanes) needs Sha2 => Sha1x2(aarch64::sha1_x2::Sha1x2),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon_x4" (560 cycles, 200 at the start, 4 lanes) needs Neon => Neonx4(aarch64::neon_x4::Neonx4),
        "portable" (282 cycles) needs Baseline => Portable(portable::Portable),
    }
}

backends_of_few! {
    "x86_64" ShaNi => Shanix4(x86_64::shani_x4::Shanix4);
    "aarch64" Sha2 => Sha1x2(aarch64::sha1_x2::Sha1x2);
}

/// SHA-1, for those who walk the list.
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

/// SHA-1 of many messages, for those who walk the list.
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
    hashes::digest::<Sha1>(&Engine::best(()), message)
}

/// The digest of each message. Messages of any lengths may be mixed.
///
/// # Errors
/// [`Error::Length`] where there are not as many digests as messages; none is then written.
#[cfg(feature = "many")]
#[inline]
pub fn digest_many(messages: &[&[u8]], digests: &mut [Digest]) -> Result<(), Error> {
    many::one_or_many(messages, digests, few_lanes, digest, Sha1Many::digest_by_best)
}

hasher! {
    /// SHA-1, which is broken: see [the module](self) for what it is still for.
    Sha1("sha1"), many by Sha1Many, starts with H0; State, blocks of 64, digest of 20 by big_endian_32, chained by chain
}

#[cfg(feature = "many")]
hasher_of_many! {
    /// SHA-1 of many messages side by side.
    Sha1Many of Sha1, listed as "PRIMITIVE_MANY", starts with H0;
    5 words of u32, blocks of 64, digest of 20 by big_endian_32; or few
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
