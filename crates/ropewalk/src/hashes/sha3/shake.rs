//! SHAKE128 and SHAKE256, whose output has any length (FIPS 202, section 6.2).

use super::{Engine, Function, ManyEngine, sponge::SpongeState};
#[cfg(feature = "many")]
use crate::hashes::{
    Many,
    function::BlockHash,
    many::{hash, one_or_many},
};
use crate::{
    core::{Error, backend::LanesOnly, secret::Wiped},
    hashes::function::Backed,
};

/// SHAKE of a message in chunks, with output of any length, also in chunks. `R` is its rate: the bytes in a block.
///
/// A clone continues where the original stands. Both are wiped when they are dropped.
#[derive(Clone)]
pub struct Shake<const R: usize>(Wiped<SpongeState>);

/// SHAKE128.
pub type Shake128 = Shake<168>;

/// SHAKE256.
pub type Shake256 = Shake<136>;

impl<const R: usize> Shake<R> {
    const FUNCTION: Function = Function { rate: R, suffix: SUFFIX };

    /// With the best backend of this processor.
    #[inline]
    pub fn new() -> Self {
        Self(Wiped::new(SpongeState::new(Engine::best(()), Self::FUNCTION)))
    }

    /// With the backend of that name in [`PRIMITIVE`](super::PRIMITIVE).
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self(Wiped::new(SpongeState::new(Engine::named(name)?(()), Self::FUNCTION))))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.engine.info().name
    }

    /// Absorbs the next chunk of the message, of any length.
    pub fn update(&mut self, text: &[u8]) {
        self.0.update(text);
    }

    /// Ends the message, and returns a reader of its output.
    pub fn finish(mut self) -> Reader {
        self.0.finish();
        Reader(self.0)
    }

    /// Discards all chunks. The backend stays.
    #[inline]
    pub fn reset(&mut self) {
        self.0.reset();
    }

    /// Fills `out` with the output of a whole message, with this hasher's backend. Its own message is not affected.
    #[inline]
    pub fn digest(&self, message: &[u8], out: &mut [u8]) {
        self.0.engine.digest(Self::FUNCTION, message, out);
    }
}

impl<const R: usize> Default for Shake<R> {
    fn default() -> Self {
        Self::new()
    }
}

/// The output of SHAKE128 or SHAKE256, from its first byte on.
///
/// A clone continues where the original stands. Both are wiped when they are dropped.
#[derive(Clone)]
pub struct Reader(Wiped<SpongeState>);

impl Reader {
    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.engine.info().name
    }

    /// Fills `out`, of any length, with the next bytes of the output.
    pub fn squeeze(&mut self, out: &mut [u8]) {
        self.0.squeeze(out);
    }
}

/// SHAKE with blocks of `R` bytes.
#[derive(Clone, Copy, Debug)]
pub enum ShakeFunction<const R: usize> {}

impl<const R: usize> Backed for ShakeFunction<R> {
    type One = Engine;
    type Many = LanesOnly<ManyEngine>;
}

/// SHAKE128 of many messages. Backends are in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY).
#[cfg(feature = "many")]
pub type Shake128Many = Many<ShakeFunction<168>>;

/// SHAKE256 of many messages. Backends are in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY).
#[cfg(feature = "many")]
pub type Shake256Many = Many<ShakeFunction<136>>;

#[cfg(feature = "many")]
impl<const R: usize> Many<ShakeFunction<R>> {
    /// The first bytes of the output of each message, any number. Messages may differ in length.
    ///
    /// # Errors
    /// [`Error::Length`] where there are not as many outputs as messages; none is then written.
    pub fn digest<const N: usize>(
        &self,
        messages: &[&[u8]],
        outputs: &mut [[u8; N]],
    ) -> Result<(), Error> {
        hash(self.batch::<Output<R, N>>(), messages, outputs)
    }
}

/// Fills `out` with the SHAKE128 output of `message`; both may have any length.
pub fn shake128(message: &[u8], out: &mut [u8]) {
    Engine::best(()).digest(Shake128::FUNCTION, message, out);
}

/// Fills `out` with the SHAKE256 output of `message`; both may have any length.
pub fn shake256(message: &[u8], out: &mut [u8]) {
    Engine::best(()).digest(Shake256::FUNCTION, message, out);
}

/// The first bytes of the SHAKE128 output of each message, any number. Messages may differ in length.
///
/// # Errors
/// [`Error::Length`] where there are not as many outputs as messages; none is then written.
#[cfg(feature = "many")]
pub fn shake128_many<const N: usize>(
    messages: &[&[u8]],
    outputs: &mut [[u8; N]],
) -> Result<(), Error> {
    one_or_many(
        messages,
        outputs,
        || 0,
        output::<168, N>,
        |messages, outputs| Shake128Many::new().digest(messages, outputs),
    )
}

/// The first bytes of the SHAKE256 output of each message, any number. Messages may differ in length.
///
/// # Errors
/// [`Error::Length`] where there are not as many outputs as messages; none is then written.
#[cfg(feature = "many")]
pub fn shake256_many<const N: usize>(
    messages: &[&[u8]],
    outputs: &mut [[u8; N]],
) -> Result<(), Error> {
    one_or_many(
        messages,
        outputs,
        || 0,
        output::<136, N>,
        |messages, outputs| Shake256Many::new().digest(messages, outputs),
    )
}

/// SHAKE with output of one length.
#[cfg(feature = "many")]
type Output<const R: usize, const N: usize> = super::SpongeFunction<R, SUFFIX, N>;

#[cfg(feature = "many")]
#[inline]
fn output<const R: usize, const N: usize>(message: &[u8]) -> [u8; N] {
    Output::<R, N>::digest(&Engine::best(()), message)
}

/// The suffix that is appended to a message, and the first bit of the padding (section 5.1).
const SUFFIX: u8 = 0x1f;
