//! AES-CMAC (NIST SP 800-38B; RFC 4493).
//!
//! A message is passed whole, or in chunks. Tags have 16 bytes, or as few as four: the shorter they are, the sooner a forger with
//! many attempts succeeds (appendix A).
//!
//! ```
//! use ropewalk::aes_cmac::Key;
//!
//! let key = Key::new(&[7; 16])?;
//! let tag = key.mac(b"attack at dawn");
//! key.verify(b"attack at dawn", &tag)?;
//!
//! let mut chunks = key.start();
//! chunks.update(b"attack ");
//! chunks.update(b"at dawn");
//! assert_eq!(chunks.finish(), tag);
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! Many messages, of any lengths and with any keys, are processed in parallel:
//!
//! ```
//! use ropewalk::aes_cmac::{Key, Message, Tag, mac_many};
//!
//! let keys = [Key::new(&[1; 16])?, Key::new(&[2; 32])?];
//! let messages = [
//!     Message { key: &keys[0], text: b"attack at dawn" },
//!     Message { key: &keys[1], text: b"retreat at dusk" },
//! ];
//! let mut tags = [Tag::default(); 2];
//! mac_many(&messages, &mut tags)?;
//! assert_eq!(tags[1], keys[1].mac(b"retreat at dusk"));
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    aes::{self, RoundKeys, groups::Chosen},
    core::{
        Error,
        backend::{Info, Primitive},
        block::Block,
        secret::{Contents, Kept, Wiped},
        tag::{check_tag, same},
    },
};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod chained;
mod known;
mod many;
mod portable;

use many::{MacMany, Message as Each};
#[cfg(feature = "many")]
pub use many::{Many, Message, mac_many};

pub use crate::core::tag::Tag;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod aesni;
    pub(super) mod aesni_x8;
    pub(super) mod ssse3;
    pub(super) mod vaes256_x16;
    pub(super) mod vaes512_x16;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod aes;
    pub(super) mod aes_x8;
    pub(super) mod neon;
}

#[cfg(target_arch = "arm")]
mod arm {
    pub(super) mod neon;
}

/// A key of 16, 24 or 32 bytes.
type Secret<'a> = &'a [u8];

/// The operations of a backend (section 6.2). The state is C after the blocks so far.
trait Cmac: CmacLaneKey {
    /// Adds each block, none of which is the last one, to the state, and encrypts that.
    fn absorb(&self, state: &mut Block, blocks: &[Block]);

    /// Completes the tag, given the rest of the message: empty only if the message is empty.
    fn finish(&self, state: &Block, rest: &[u8], tag: &mut Block);
}

/// The part of a backend that lanes use. A separate trait, since code that queries an engine has a table of all functions of the
/// trait, and copies of all that they contain.
trait CmacLaneKey: Send + Sync {
    /// The round keys and the subkeys, where it keeps them in the layout of the standard.
    fn in_lanes(&self) -> Option<(&RoundKeys, &[Block; 2])> {
        None
    }
}

backends! {
    calls Entries {
        fn absorb(state: &mut Block, blocks: &[Block]);
        fn finish(state: &Block, rest: &[u8], tag: &mut Block);
    }
    dyn CmacLaneKey
    tested by known::one;

    /// AES-CMAC, most preferred first.
    #[derive(Clone)]
    enum Engine(Secret<'_>): Cmac in "aes_cmac" sweeps 768 or 1792 {
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni" needs AesniClmul => Aesni(x86_64::aesni::Aesni),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" needs Ssse3 => Ssse3(x86_64::ssse3::Ssse3),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes" needs Aes => Aes(aarch64::aes::Aes),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon" needs Neon => Neon(aarch64::neon::Neon),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::Neon),
        "portable" needs Baseline => Portable(portable::Portable),
    }
}

// Costs as of AES-CBC, whose chains these are, plus the wiping of partial messages.
backends! {
    calls ManyEntries {
        fn mac_many(chosen: Chosen<'_>, messages: &[Each<'_>], tags: &mut [Tag]);
    }
    tested by known::many;

    /// AES-CMAC of many messages, most preferred first. Messages that gain nothing from lanes go to the backend of their key.
    enum ManyEngine(()): MacMany in "aes_cmac" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes512_x16" (44 cycles, 290 at the start, 16 lanes) needs Vaes512 => Vaes512x16(x86_64::vaes512_x16::Vaes512x16),
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes256_x16" (48 cycles, 290 at the start, 16 lanes) needs Vaes256 => Vaes256x16(x86_64::vaes256_x16::Vaes256x16),
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni_x8" (48 cycles, 220 at the start, 8 lanes) needs Aesni => Aesnix8(x86_64::aesni_x8::Aesnix8),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes_x8" (44 cycles, 30 at the start, 8 lanes) needs Aes => Aesx8(aarch64::aes_x8::Aesx8),
        "portable" (33 cycles) needs Baseline => OneByOne(portable::OneByOne),
    }
}

crate::aes::groups::engine_for_few! {}

/// AES-CMAC and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "aes-cmac",
    standard: "NIST SP 800-38B",
    backends: Engine::ALL,
    self_test: |backend| {
        let key = Key::with_backend(&EXAMPLE_KEY, backend)?;
        let tag = key.mac(&EXAMPLE_MESSAGE);
        Ok(*tag == EXAMPLE_TAG
            && key.verify(&EXAMPLE_MESSAGE, &tag).is_ok()
            && known::one(backend)?)
    },
};

/// AES-CMAC of many messages and its backends.
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "aes-cmac-many",
    standard: "NIST SP 800-38B",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let key = Key::new(&EXAMPLE_KEY)?;
        let mut tags = [Tag::default(); 19];
        let messages = [Message { key: &key, text: &EXAMPLE_MESSAGE }; 19];
        Many::with_backend(backend)?.mac(&messages, &mut tags)?;
        Ok(tags.iter().all(|tag| **tag == EXAMPLE_TAG) && known::many(backend)?)
    },
};

/// An AES key for CMAC. It is wiped when it is dropped, and so is a clone.
#[derive(Clone)]
pub struct Key(Kept<Inner>);

#[derive(Clone)]
struct Inner {
    engine: Engine,
    /// The tag length in bytes.
    tag_len: usize,
}

impl Contents for Inner {
    const USED: [usize; 2] = [512, 1024];

    fn info(&self) -> &'static Info {
        self.engine.info()
    }
}

impl Key {
    /// Makes a key of 16, 24 or 32 bytes, with the best backend of this processor. Its tags have 16
    /// bytes.
    ///
    /// # Errors
    /// [`Error::Length`] for any other length.
    #[inline(always)]
    pub fn new(secret: &[u8]) -> Result<Self, Error> {
        aes::check_key(secret)?;
        Ok(Self::of_checked(secret))
    }

    /// With the backend of that name in [`PRIMITIVE`].
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`Key::new`].
    #[inline(always)]
    pub fn with_backend(secret: &[u8], name: &str) -> Result<Self, Error> {
        aes::check_key(secret)?;
        let make = Engine::named(name)?;
        Ok(Self::of(make(secret)))
    }

    /// Makes a key of a secret whose length has been checked; otherwise the process ends. It is not part of `new`, which is inlined
    /// so that the key is made in the caller's place.
    #[doc(hidden)]
    #[inline(never)]
    pub fn of_checked(secret: &[u8]) -> Self {
        Self::of(Engine::best(secret))
    }

    #[inline(always)]
    fn of(engine: Engine) -> Self {
        Self(Kept::new(Inner { engine, tag_len: 16 }))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.public().engine.info().name
    }

    /// Sets the tag length: 4 to 16 bytes, the first of the full tag. A key has tags of one length: were it chosen per message, a
    /// forger would choose the shortest. With less than eight bytes, limit the number of wrong tags that are ever checked
    /// (appendix A.2).
    ///
    /// # Errors
    /// [`Error::Length`] for any other length; the key is then as it was.
    pub fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        if !(4..=16).contains(&bytes) {
            return Err(Error::Length { what: "tag", got: bytes, allowed: "4 to 16 bytes" });
        }
        self.0.tag_len = bytes;
        Ok(())
    }

    /// The tag of a message.
    #[inline]
    pub fn mac(&self, message: &[u8]) -> Tag {
        self.finish(&[0; 16], message)
    }

    /// Whether `tag` is that of a message.
    ///
    /// # Errors
    /// [`Error::Forged`] if it is not; [`Error::Length`] unless it is as long as this key's.
    #[inline]
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
        check_tag(tag, self.0.public().tag_len)?;
        released(&self.finish(&[0; 16], message), tag)
    }

    /// Starts a message in chunks.
    #[inline]
    pub fn start(&self) -> Pieces<'_> {
        Pieces { key: self, parts: Parts::new() }
    }

    #[inline]
    fn finish(&self, state: &Block, rest: &[u8]) -> Tag {
        let mut tag = Tag { bytes: [0; 16], len: self.0.public().tag_len };
        self.0.engine.finish(state, rest, &mut tag.bytes);
        // Zen 4 forwards a load relative to the stack pointer from the last store relative to it, here of zeros: 16 bytes took 25
        // cycles instead of 19.
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        let tag = *crate::core::opaque::unseen(&tag);
        tag
    }
}

/// A message in chunks. It is wiped when it is dropped.
#[derive(Clone)]
pub struct Pieces<'k> {
    key: &'k Key,
    parts: Wiped<Parts>,
}

impl Pieces<'_> {
    /// Absorbs the next chunk.
    pub fn update(&mut self, piece: &[u8]) {
        self.parts.update(self.key, piece);
    }

    /// The tag of all chunks.
    pub fn finish(self) -> Tag {
        self.parts.finish(self.key)
    }

    /// Whether `tag` is that of all chunks.
    ///
    /// # Errors
    /// As [`Key::verify`].
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        check_tag(tag, self.key.0.public().tag_len)?;
        released(&self.finish(), tag)
    }
}

/// A message in chunks that does not borrow its key: the caller passes the key to each call. It is wiped when it is dropped.
#[derive(Clone)]
pub struct Stream(Wiped<Parts>);

impl Stream {
    /// Starts a message.
    pub fn new() -> Self {
        Self(Parts::new())
    }

    /// Goes on with the next chunk. All chunks take the same key.
    pub fn update(&mut self, key: &Key, piece: &[u8]) {
        self.0.update(key, piece);
    }

    /// The tag of all chunks.
    pub fn finish(self, key: &Key) -> Tag {
        self.0.finish(key)
    }
}

impl Default for Stream {
    fn default() -> Self {
        Self::new()
    }
}

/// The state of a message, without its key.
#[derive(Clone)]
pub(crate) struct Parts {
    state: Block,
    /// The block that may turn out to be the last one.
    rest: Block,
    /// How many bytes of it there are: none only before the first chunk.
    len: usize,
}

impl Parts {
    #[inline]
    pub(crate) fn new() -> Wiped<Self> {
        Wiped::new(Self { state: [0; 16], rest: [0; 16], len: 0 })
    }

    pub(crate) fn update(&mut self, key: &Key, piece: &[u8]) {
        let Self { state, rest, len } = self;
        let (head, piece) = piece.split_at(piece.len().min(16 - *len));
        rest[*len..][..head.len()].copy_from_slice(head);
        *len += head.len();
        if piece.is_empty() {
            return;
        }
        let engine = &key.0.engine;
        engine.absorb(state, core::slice::from_ref(rest));
        // At least one byte stays: the last block is encrypted differently.
        let (blocks, last) = piece.split_at((piece.len() - 1) / 16 * 16);
        if !blocks.is_empty() {
            engine.absorb(state, blocks.as_chunks().0);
        }
        rest[..last.len()].copy_from_slice(last);
        *len = last.len();
    }

    pub(crate) fn finish(&self, key: &Key) -> Tag {
        key.finish(&self.state, &self.rest[..self.len])
    }
}

#[inline]
fn released(right: &Tag, tag: &[u8]) -> Result<(), Error> {
    if same(&right.bytes, tag) { Ok(()) } else { Err(Error::Forged) }
}

/// The subkeys K1 and K2 of L, which is a block of zeros, encrypted (section 6.1).
#[inline(always)]
fn subkeys(l: Block) -> [Block; 2] {
    let k1 = double(u128::from_be_bytes(l));
    [k1, double(k1)].map(u128::to_be_bytes)
}

/// The product by x in the field, in constant time.
#[inline(always)]
fn double(v: u128) -> u128 {
    v << 1 ^ 0x87 & (v >> 127).wrapping_neg()
}

/// SP 800-38B, appendix D.1, example 3.
const EXAMPLE_KEY: [u8; 16] = 0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes();
const EXAMPLE_MESSAGE: [u8; 40] =
    *b"\x6b\xc1\xbe\xe2\x2e\x40\x9f\x96\xe9\x3d\x7e\x11\x73\x93\x17\x2a\
       \xae\x2d\x8a\x57\x1e\x03\xac\x9c\x9e\xb7\x6f\xac\x45\xaf\x8e\x51\
       \x30\xc8\x1c\x46\xa3\x5c\xe4\x11";
const EXAMPLE_TAG: Block = 0xdfa66747de9ae63030ca32611497c827_u128.to_be_bytes();
