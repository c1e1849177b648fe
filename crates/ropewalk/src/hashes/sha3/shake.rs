//! SHAKE128 and SHAKE256, whose output has any length (FIPS 202, section 6.2).

// Documentation names them.
#[cfg(doc)]
use super::PRIMITIVE;
#[cfg(all(doc, feature = "many"))]
use super::PRIMITIVE_MANY;
use super::{Engine, Function, Parts};
#[cfg(feature = "many")]
use super::{LANES, Last, ManyEngine, States, copy_from, digest_of, sponge_of_many};
use crate::core::{Error, secret::Wiped};
#[cfg(feature = "many")]
use crate::{
    core::block::{load_short, store_short},
    hashes::many::type_of_many,
};

/// Writes a function whose output has any length: a module function and a hasher.
macro_rules! extendable {
    ($( $name:literal, $Hasher:ident, $digest:ident: $FUNCTION:ident; )+) => { $(
        #[doc = concat!("Fills `out` with the ", $name, " output of `message`; both may have any length.")]
        pub fn $digest(message: &[u8], out: &mut [u8]) {
            Engine::best(()).digest(Function::$FUNCTION, message, out);
        }

        #[doc = concat!(
            $name, " of one message that comes in pieces, with output of any length, in pieces too. A \
            clone goes on from where the original stands; both wipe themselves when they are dropped."
        )]
        #[derive(Clone)]
        pub struct $Hasher(Wiped<Parts>);

        impl $Hasher {
            /// With the best backend of this processor.
            #[inline]
            pub fn new() -> Self {
                Self(Parts::new(Engine::best(()), Function::$FUNCTION))
            }

            /// With one backend, by its name in [`PRIMITIVE`].
            ///
            /// # Errors
            /// [`Error::NoBackend`] where it cannot run here.
            pub fn with_backend(name: &str) -> Result<Self, Error> {
                Ok(Self(Parts::new(Engine::named(name)?(()), Function::$FUNCTION)))
            }

            /// The name of its backend.
            pub fn backend(&self) -> &'static str {
                self.0.engine.info().name
            }

            /// Takes the next piece of the message, of any length.
            pub fn update(&mut self, text: &[u8]) {
                self.0.update(text);
            }

            /// Ends the message: what reads its output.
            pub fn finish(mut self) -> Reader {
                self.0.finish();
                Reader(self.0)
            }

            /// Forgets all pieces. The backend stays.
            #[inline]
            pub fn reset(&mut self) {
                self.0.reset();
            }

            /// Fills `out` with the output of a message in one piece, with this hasher's backend;
            /// what it has absorbed before is left alone.
            #[inline]
            pub fn digest(&self, message: &[u8], out: &mut [u8]) {
                self.0.engine.digest(Function::$FUNCTION, message, out);
            }
        }

        impl Default for $Hasher {
            fn default() -> Self {
                Self::new()
            }
        }
    )+ };
}

extendable! {
    "SHAKE128", Shake128, shake128: SHAKE128;
    "SHAKE256", Shake256, shake256: SHAKE256;
}

/// Writes what gives many messages output of one length, which may be any.
macro_rules! extendable_of_many {
    ($( $name:literal, $Many:ident, $digest_many:ident: $FUNCTION:ident; )+) => { $(
        #[doc = concat!("The first bytes of the ", $name, " output of each message, any number. Messages of any lengths may be mixed.")]
        ///
        /// # Errors
        /// [`Error::Length`] where there are not as many outputs as messages; none is then written.
        pub fn $digest_many<const N: usize>(messages: &[&[u8]], outputs: &mut [[u8; N]]) -> Result<(), Error> {
            let one = |message: &[u8]| digest_of(Function::$FUNCTION, message);
            crate::hashes::many::one_or_many(messages, outputs, || 0, one, |messages, outputs| {
                $Many::new().digest(messages, outputs)
            })
        }

        type_of_many! {
            #[doc = concat!($name, " of many messages side by side.")]
            $Many, listed as "PRIMITIVE_MANY"
        }

        impl $Many {
            /// The first bytes of the output of each message, any number. Messages of any lengths may be mixed.
            ///
            /// # Errors
            /// [`Error::Length`] where there are not as many outputs as messages; none is then written.
            pub fn digest<const N: usize>(&self, messages: &[&[u8]], outputs: &mut [[u8; N]]) -> Result<(), Error> {
                crate::hashes::many::hash(self, messages, outputs)
            }
        }

        sponge_of_many! { $Many: $FUNCTION [const N: usize] N }
    )+ };
}

#[cfg(feature = "many")]
extendable_of_many! {
    "SHAKE128", Shake128Many, shake128_many: SHAKE128;
    "SHAKE256", Shake256Many, shake256_many: SHAKE256;
}

/// The output of SHAKE128 or SHAKE256, from its first byte on. A clone goes on from where the original
/// stands; both wipe themselves when they are dropped.
#[derive(Clone)]
pub struct Reader(Wiped<Parts>);

impl Reader {
    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.engine.info().name
    }

    /// Fills `out`, of any length, with what comes next of the output.
    pub fn squeeze(&mut self, out: &mut [u8]) {
        self.0.squeeze(out);
    }
}
