//! HMAC (FIPS 198-1, RFC 2104) with any hash function of the library.
//!
//! A key has absorbed its secret: a message then costs its own blocks and two more.
//!
//! ```
//! use ropewalk::{hmac, sha256::Sha256};
//!
//! let key = hmac::Key::<Sha256>::new(b"a secret");
//! let tag = key.mac(b"attack at dawn");
//! key.verify(b"attack at dawn", &tag)?;
//!
//! let mut mac = key.start();
//! mac.update(b"attack at ");
//! mac.update(b"dawn");
//! assert_eq!(mac.finish(), tag);
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! Many messages, of any lengths and with any keys, are processed in parallel:
//!
//! ```
//! use ropewalk::{
//!     hmac::{self, Message},
//!     sha256::Sha256Many,
//! };
//!
//! let keys = [hmac::Key::new(b"a secret"), hmac::Key::new(b"another")];
//! let messages = [
//!     Message { key: &keys[0], text: b"attack at dawn" },
//!     Message { key: &keys[1], text: b"retreat at dusk" },
//! ];
//! let mut tags = [[0; 32]; 2];
//! hmac::mac_many::<Sha256Many>(&messages, &mut tags)?;
//! assert_eq!(tags[1], keys[1].mac(b"retreat at dusk"));
//! # Ok::<(), ropewalk::Error>(())
//! ```

use subtle::{ConstantTimeEq, ConstantTimeGreater, ConstantTimeLess};

use crate::{
    core::{
        Error,
        backend::{Chosen, Info, Primitive},
        ct,
        secret::{Contents, Kept, Wiped, swept},
    },
    hashes::{
        Buffered, Described, Hash, StateOf, ends,
        function::{Backed, BlockHash, ByteArray, FixedHash, HashFunction},
        many::{Batch, Item, LaneHash},
    },
};
#[cfg(feature = "hkdf")]
pub(crate) use many::KEYS;
pub use many::{Many, mac_many};

mod many;

/// A key for messages. It is wiped when it is dropped.
pub struct Key<H: Hash>(Kept<Inner<H::Function>>);

struct Inner<F: BlockHash> {
    engine: F::One,
    /// The state after K0 ⊕ ipad (FIPS 198-1, table 1, step 4).
    inner: F::State,
    /// The state after K0 ⊕ opad (step 7).
    outer: F::State,
}

type OneOf<H> = <<H as Described>::Function as Backed>::One;

impl<F: FixedHash> Contents for Inner<F> {
    const USED: [usize; 2] = [512, 2560];
    /// The states of SHA-3 have 200 bytes.
    const MANY: usize = if size_of::<F::State>() > 64 { 24 << 10 } else { 16 << 10 };

    fn info(&self) -> &'static Info {
        self.engine.info()
    }
}

impl<H: Hash> Key<H> {
    /// Makes a key of a secret of any length, with the best backend of this processor. The secret should have as many bytes as a
    /// digest.
    pub fn new(secret: &[u8]) -> Self {
        Self::from_engine(OneOf::<H>::best(), secret)
    }

    /// With the backend of that name in the list of the hash function.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(secret: &[u8], name: &str) -> Result<Self, Error> {
        Ok(Self::from_engine(OneOf::<H>::named(name)?, secret))
    }

    /// The states from which the hash of a message and that of its digest continue.
    #[inline]
    pub(crate) fn states(&self) -> [&StateOf<H>; 2] {
        [&self.0.inner, &self.0.outer]
    }

    #[inline(never)]
    fn from_engine(engine: OneOf<H>, secret: &[u8]) -> Self {
        let bytes = if engine.info().in_hardware { 512 } else { 2560 };
        swept(bytes, || Self(Kept::new(Inner::new(engine, secret))))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.engine.info().name
    }

    /// The tag of a message.
    #[inline]
    pub fn mac(&self, message: &[u8]) -> H::Digest {
        let mut state = Wiped::new(self.0.inner);
        let len = (H::BLOCK_LEN as u64).wrapping_add(message.len() as u64);
        H::Function::complete(&self.0.engine, &mut state, message, len);
        outer::<H::Function>(&self.0.engine, &self.0.outer, &state)
    }

    /// The tag of `prefix` and the first `len` bytes of `text`, in a time that does not depend on `len`. It is for TLS records
    /// that were decrypted in CBC mode, whose padding may be wrong (Lucky 13, CVE-2013-0169).
    ///
    /// It is public that `len` is from `least` to `text.len()`, as are these two; the larger the range, the longer it takes. In
    /// TLS the range is 255 bytes, or less where a record is short.
    ///
    /// ```
    /// # use ropewalk::{hmac, sha256::Sha256};
    /// let key = hmac::Key::<Sha256>::new(b"a secret");
    /// let tag = key.mac_of_secret_len(b"attack ", b"at dawn, if not at dusk", 5, 7)?;
    /// assert_eq!(tag, key.mac(b"attack at dawn"));
    /// # Ok::<(), ropewalk::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] where `least` is above `text.len()`, and where `len` is not in that range, which is then public.
    pub fn mac_of_secret_len(
        &self,
        prefix: &[u8],
        text: &[u8],
        least: usize,
        len: usize,
    ) -> Result<H::Digest, Error> {
        if least > text.len() {
            let allowed = "up to that of the text";
            return Err(Error::Length { what: "shortest text", got: least, allowed });
        }
        let [shortest, longest, secret] = [least, text.len(), len].map(|len| len as u64);
        if ct::verdict(secret.ct_lt(&shortest) | secret.ct_gt(&longest)) {
            let allowed = "from the least to that of all of it";
            return Err(Error::Length { what: "text", got: len, allowed });
        }
        let Inner { engine, inner, outer } = &*self.0;
        let block = H::BLOCK_LEN as u64;
        let mut message = Wiped::new(Buffered::<H::Function>::after(engine.clone(), *inner, block));
        let digest = Wiped::new(ends::digest(&mut message, prefix, text, least, len));
        let mut state = Wiped::new(*outer);
        let len = block + H::DIGEST_LEN as u64;
        H::Function::complete(engine, &mut state, (*digest).as_ref(), len);
        Ok(H::Function::output(engine, &state))
    }

    /// Verifies the tag of a message. It may be truncated, but not below half a digest or ten bytes (RFC 2104, section 5).
    ///
    /// # Errors
    /// [`Error::Forged`] where it is not; [`Error::Length`] for a tag that is shorter or longer.
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
        check_tag::<H>(tag)?;
        compare::<H>(&self.mac(message), tag)
    }

    /// Starts a message in chunks.
    pub fn start(&self) -> Mac<H> {
        let Inner { engine, inner, outer } = &*self.0;
        let message = Buffered::after(engine.clone(), *inner, H::BLOCK_LEN as u64);
        Mac(Wiped::new(Started { message, outer: *outer }))
    }

    /// The key of another secret, with this key's backend.
    pub(crate) fn again(&self, secret: &[u8]) -> Self {
        Self::from_engine(self.0.engine.clone(), secret)
    }
}

impl<H: Hash> Clone for Key<H> {
    fn clone(&self) -> Self {
        let Inner { engine, inner, outer } = &*self.0;
        Self(Kept::new(Inner { engine: engine.clone(), inner: *inner, outer: *outer }))
    }
}

impl<F: FixedHash> Inner<F> {
    fn new(engine: F::One, secret: &[u8]) -> Self {
        // Steps 1 to 3.
        let mut block = Wiped::new(F::Block::ZERO);
        if secret.len() > F::Block::LEN {
            let digest = Wiped::new(F::digest(&engine, secret));
            block.as_mut()[..F::Digest::LEN].copy_from_slice((*digest).as_ref());
        } else {
            block.as_mut()[..secret.len()].copy_from_slice(secret);
        }
        let (mut inner, mut outer) = (F::START, F::START);
        for (state, pad) in [(&mut inner, 0x36), (&mut outer, 0x36 ^ 0x5c)] {
            block.as_mut().iter_mut().for_each(|byte| *byte ^= pad);
            F::compress(&engine, state, core::slice::from_ref(&*block));
        }
        Self { engine, inner, outer }
    }
}

/// A message in chunks. A clone continues where the original stands; both are wiped when they are dropped.
pub struct Mac<H: Hash>(Wiped<Started<H::Function>>);

struct Started<F: BlockHash> {
    message: Buffered<F>,
    outer: F::State,
}

impl<H: Hash> Mac<H> {
    /// Absorbs the next chunk of the message, of any length.
    pub fn update(&mut self, text: &[u8]) {
        self.0.message.update(text);
    }

    /// The tag of all chunks.
    pub fn finish(self) -> H::Digest {
        let Started { message, outer: state } = &*self.0;
        outer::<H::Function>(message.engine(), state, &Wiped::new(message.last_state()))
    }

    /// Verifies the tag of all chunks, as [`Key::verify`].
    ///
    /// # Errors
    /// As [`Key::verify`].
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        check_tag::<H>(tag)?;
        compare::<H>(&self.finish(), tag)
    }
}

impl<H: Hash> Clone for Mac<H> {
    fn clone(&self) -> Self {
        let Started { message, outer } = &*self.0;
        Self(Wiped::new(Started { message: message.clone(), outer: *outer }))
    }
}

/// A message of a batch.
pub struct Message<'a, H: Hash> {
    /// Its key. Messages may share a key.
    pub key: &'a Key<H>,
    /// Its text, of any length.
    pub text: &'a [u8],
}

impl<H: Hash> Clone for Message<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H: Hash> Copy for Message<'_, H> {}

impl<H: Hash> Item<StateOf<H>, H::Digest> for Message<'_, H> {
    const KEYED: bool = true;
    type Keep<R> = Wiped<R>;

    #[inline]
    fn text(&self) -> &[u8] {
        self.text
    }
    #[inline]
    fn inner(&self) -> Option<StateOf<H>> {
        Some(*self.key.states()[0])
    }
    #[inline]
    fn outer(&self) -> Option<StateOf<H>> {
        Some(*self.key.states()[1])
    }
    #[inline]
    fn shares_key(&self, other: &Self) -> bool {
        core::ptr::eq(self.key, other.key)
    }
    #[inline]
    fn digest<F: LaneHash<State = StateOf<H>, Output = H::Digest>>(
        &self,
        _: Batch<'_, F>,
    ) -> H::Digest {
        self.key.mac(self.text)
    }
}

/// Steps 8 and 9, from the final state of the inner hash.
#[inline]
fn outer<F: FixedHash>(engine: &F::One, outer: &F::State, inner: &F::State) -> F::Digest {
    let mut state = Wiped::new(*outer);
    F::chain(engine, &mut state, inner);
    F::output(engine, &state)
}

fn check_tag<H: Hash>(tag: &[u8]) -> Result<(), Error> {
    let got = tag.len();
    if got < 10.max(H::DIGEST_LEN / 2) || got > H::DIGEST_LEN {
        let allowed = "half a digest, and 10 bytes, up to a digest";
        return Err(Error::Length { what: "tag", got, allowed });
    }
    Ok(())
}

fn compare<H: Hash>(right: &H::Digest, tag: &[u8]) -> Result<(), Error> {
    match ct::verdict(right.as_ref()[..tag.len()].ct_eq(tag)) {
        true => Ok(()),
        false => Err(Error::Forged),
    }
}

/// RFC 4231, test case 1.
const EXAMPLE_KEY: [u8; 20] = [0x0b; 20];
const EXAMPLE: &[u8] = b"Hi There";

macro_rules! primitives {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal $other:tt
        ($one:ident $many:ident) $calls:tt ($Hmac:ident $PRIMITIVE:ident $PRIMITIVE_MANY:ident $answer:literal); )+) => { $(
        #[cfg(feature = $feature)]
        #[doc = concat!("HMAC of ", $name, " in [`PRIMITIVES`](crate::PRIMITIVES).")]
        pub const $PRIMITIVE: Primitive = Primitive {
            name: concat!("hmac-", $name),
            standard: "FIPS 198-1",
            backends: crate::$module::$one.backends,
            self_test: |backend| {
                let tag = Key::<crate::$module::$Hash>::with_backend(&EXAMPLE_KEY, backend)?.mac(EXAMPLE);
                Ok(tag[..8] == ($answer as u64).to_be_bytes())
            },
        };

        #[cfg(all(feature = $feature, feature = "many"))]
        #[doc = concat!("HMAC of ", $name, " of many messages in [`PRIMITIVES`](crate::PRIMITIVES).")]
        pub const $PRIMITIVE_MANY: Primitive = Primitive {
            name: concat!("hmac-", $name, "-many"),
            standard: "FIPS 198-1",
            backends: crate::$module::$many.backends,
            self_test: |backend| {
                let key = Key::new(&EXAMPLE_KEY);
                let mut tags = [<<crate::$module::$Hash as Described>::Function as HashFunction>::ZERO; 19];
                let messages = [Message { key: &key, text: EXAMPLE }; 19];
                Many::<crate::$module::$Many>::with_backend(backend)?.mac(&messages, &mut tags)?;
                Ok(tags.iter().all(|tag| tag[..8] == ($answer as u64).to_be_bytes()))
            },
        };
    )+ };
}

crate::hash_functions! { primitives! {} }
