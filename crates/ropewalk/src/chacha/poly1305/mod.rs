//! Poly1305 (RFC 8439, section 2.5).
//!
//! A key is for one message only: two tags with one key allow forgeries. That is up to the caller.
//!
//! ```
//! use ropewalk::poly1305::{self, Poly1305};
//!
//! let key = [7; 32];
//! let tag = poly1305::mac(&key, b"attack at dawn");
//! poly1305::verify(&key, b"attack at dawn", &tag)?;
//!
//! let mut mac = Poly1305::new(&key);
//! mac.update(b"attack ");
//! mac.update(b"at dawn");
//! mac.verify(&tag)?;
//! # Ok::<(), ropewalk::Error>(())
//! ```

use core::{fmt, ops::Deref};

use crate::core::{Error, backend::Primitive, ct, secret::Wiped};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod bulk;
mod known;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod portable;
#[cfg(all(feature = "chacha20-poly1305", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod queue;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod short;
mod state;

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64 {
    pub(crate) mod avx2;
    pub(crate) mod avx512ifma;
    pub(super) mod bmi2;
    #[cfg(feature = "chacha20-poly1305")]
    pub(crate) mod by4;
    #[cfg(feature = "chacha20-poly1305")]
    pub(crate) mod by8;
    pub(crate) mod flags;
    #[cfg(feature = "chacha20-poly1305")]
    pub(crate) mod short44;
}

#[cfg(target_arch = "arm")]
pub(crate) mod arm {
    pub(crate) mod neon;
}

#[cfg(all(
    feature = "chacha20-poly1305",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub(crate) use queue::{Absorb, End, Queue, Words};
#[cfg(all(feature = "chacha20-poly1305", target_arch = "x86_64", not(ropewalk_ct = "msan")))]
pub(crate) use queue::{Plan, Slot};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use short::Short;
use state::Carries;
pub(crate) use state::{Plain, State};

/// The carries of vector backends, for their scalar parts.
#[cfg(target_arch = "x86_64")]
pub(crate) type Carried = x86_64::flags::Flags;
#[cfg(target_arch = "aarch64")]
pub(crate) type Carried = Plain;

/// Bytes in a tag.
pub const TAG_LEN: usize = 16;

/// Bytes in a key: r, then s.
pub const KEY_LEN: usize = 32;

pub(crate) type Block = [u8; 16];

/// A tag, which authenticates a message. Tags compare in constant time.
#[derive(Clone, Copy)]
pub struct Tag(pub(crate) Block);

impl Tag {
    /// Compares it with `tag`, in constant time.
    #[inline]
    pub(crate) fn check(&self, tag: &[u8; TAG_LEN]) -> Result<(), Error> {
        let difference = u128::from_le_bytes(self.0) ^ u128::from_le_bytes(*tag);
        if ct::same((difference >> 64) as u64 | difference as u64) {
            return Ok(());
        }
        Err(Error::Forged)
    }
}

impl Deref for Tag {
    type Target = [u8; TAG_LEN];

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        self.check(other).is_ok()
    }
}

impl Eq for Tag {}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// The operations of a backend.
trait Mac: Send + Sync {
    type Carries: Carries;

    /// Absorbs whole blocks.
    fn absorb(&self, state: &mut State, blocks: &[Block]);

    /// The tag of a whole message.
    fn mac(&self, key: &[u8; KEY_LEN], message: &[u8], tag: &mut Block) {
        let mut state = Wiped::new(State::new(key));
        let (blocks, rest) = message.as_chunks();
        self.absorb(&mut state, blocks);
        state.absorb_last::<Self::Carries>(rest);
        *tag = state.tag::<Self::Carries>();
    }
}

backends! {
    calls Entries {
        fn absorb(state: &mut State, blocks: &[Block]);
        fn mac(key: &[u8; KEY_LEN], message: &[u8], tag: &mut Block);
    }
    tested by known::one;

    /// Poly1305, most preferred first.
    #[derive(Clone)]
    enum Engine(()): Mac in "poly1305" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512ifma" needs Avx512Ifma => Ifma(x86_64::avx512ifma::Ifma),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2" needs Avx2 => ByFour(x86_64::avx2::ByFour),
        #[cfg(target_arch = "x86_64")]
        "x86_64/bmi2" needs Bmi2 => Bmi2(x86_64::bmi2::Bmi2),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::Neon),
        "portable" needs Baseline => Portable(portable::Portable),
    }
}

/// Poly1305 and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "poly1305",
    standard: "RFC 8439, section 2.5",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut mac = Poly1305::with_backend(&EXAMPLE_KEY, backend)?;
        mac.update(EXAMPLE_MESSAGE);
        Ok(*mac.finish() == EXAMPLE_TAG && known::one(backend)?)
    },
};

/// The tag of `message`.
#[inline]
pub fn mac(key: &[u8; KEY_LEN], message: &[u8]) -> Tag {
    Engine::best(()).tag(key, message)
}

/// The same with the backend of that name in [`PRIMITIVE`].
///
/// # Errors
/// [`Error::NoBackend`] where it cannot run here.
pub fn mac_with_backend(key: &[u8; KEY_LEN], message: &[u8], backend: &str) -> Result<Tag, Error> {
    Ok(Engine::named(backend)?(()).tag(key, message))
}

/// Whether `tag` is the tag of `message`, in constant time.
///
/// # Errors
/// [`Error::Forged`] where it is not.
#[inline]
pub fn verify(key: &[u8; KEY_LEN], message: &[u8], tag: &[u8; TAG_LEN]) -> Result<(), Error> {
    mac(key, message).check(tag)
}

/// A message in chunks, and its key. A clone continues where the original stands; both are wiped when they are dropped.
#[derive(Clone)]
pub struct Poly1305(Wiped<Parts>);

#[derive(Clone)]
struct Parts {
    engine: Engine,
    state: State,
    /// The partial last block, and its length.
    part: Block,
    filled: usize,
}

impl Poly1305 {
    /// With the best backend of this processor. The key is for this message only.
    #[inline]
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self::from_engine(Engine::best(()), key)
    }

    /// With the backend of that name in [`PRIMITIVE`].
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(key: &[u8; KEY_LEN], name: &str) -> Result<Self, Error> {
        Ok(Self::from_engine(Engine::named(name)?(()), key))
    }

    #[inline]
    fn from_engine(engine: Engine, key: &[u8; KEY_LEN]) -> Self {
        Self(Wiped::new(Parts { engine, state: State::new(key), part: [0; 16], filled: 0 }))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.engine.info().name
    }

    /// Absorbs the next chunk of the message, of any length.
    pub fn update(&mut self, text: &[u8]) {
        let Parts { engine, state, part, filled } = &mut *self.0;
        let mut text = text;
        if *filled > 0 {
            let (head, rest) = text.split_at(text.len().min(16 - *filled));
            part[*filled..*filled + head.len()].copy_from_slice(head);
            *filled += head.len();
            if *filled < 16 {
                return;
            }
            engine.absorb(state, core::slice::from_ref(part));
            text = rest;
        }
        let (blocks, rest) = text.as_chunks();
        if !blocks.is_empty() {
            engine.absorb(state, blocks);
        }
        part[..rest.len()].copy_from_slice(rest);
        *filled = rest.len();
    }

    /// The tag of all chunks.
    pub fn finish(mut self) -> Tag {
        let Parts { state, part, filled, .. } = &mut *self.0;
        state.absorb_last::<Plain>(&part[..*filled]);
        Tag(state.tag::<Plain>())
    }

    /// Whether `tag` is the tag of all chunks, in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`] where it is not.
    pub fn verify(self, tag: &[u8; TAG_LEN]) -> Result<(), Error> {
        self.finish().check(tag)
    }
}

impl Engine {
    #[inline]
    fn tag(&self, key: &[u8; KEY_LEN], message: &[u8]) -> Tag {
        let mut tag = [0; 16];
        self.mac(key, message, &mut tag);
        Tag(tag)
    }
}

/// Section 2.5.2.
const EXAMPLE_KEY: [u8; KEY_LEN] =
    *b"\x85\xd6\xbe\x78\x57\x55\x6d\x33\x7f\x44\x52\xfe\x42\xd5\x06\xa8\
       \x01\x03\x80\x8a\xfb\x0d\xb2\xfd\x4a\xbf\xf6\xaf\x41\x49\xf5\x1b";
const EXAMPLE_MESSAGE: &[u8] = b"Cryptographic Forum Research Group";
const EXAMPLE_TAG: Block = 0xa8061dc1305136c6c22b8baf0c0127a9_u128.to_be_bytes();
