//! SHA3-224, SHA3-256, SHA3-384 and SHA3-512, whose digests have one length (FIPS 202, section 6.1).

// Documentation names them.
#[cfg(doc)]
use super::PRIMITIVE;
#[cfg(all(doc, feature = "many"))]
use super::PRIMITIVE_MANY;
use super::{Engine, Function, Parts, State, add_at, copy_from, digest_of, pad};
#[cfg(feature = "many")]
use super::{LANES, Last, ManyEngine, States, sponge_of_many};
#[cfg(feature = "many")]
use crate::{
    core::block::{load_short, store_short},
    hashes::many::{digest_of_many, type_of_many},
};
use crate::{
    core::{Error, backend::Info, secret::Wiped},
    hashes,
};

/// Writes a hash function of digests of one length: a module function and a hasher.
macro_rules! hashes {
    ($( $name:literal, $task:literal, $Hasher:ident, $Many:ident, $digest:ident: $FUNCTION:ident, $len:literal; )+) => { $(
        #[doc = concat!("The ", $name, " digest of `message`, of any length.")]
        #[inline]
        pub fn $digest(message: &[u8]) -> [u8; $len] {
            digest_of(Function::$FUNCTION, message)
        }

        #[doc = concat!(
            $name, " of one message that comes in pieces: a digest of ", $len, " bytes. A clone goes on \
            from where the original stands; both wipe themselves when they are dropped."
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

            /// The digest of all pieces.
            pub fn finish(mut self) -> [u8; $len] {
                let mut digest = [0; $len];
                self.0.finish();
                self.0.squeeze(&mut digest);
                digest
            }

            /// The digest of all pieces, after which another message may come: nothing is moved.
            pub fn finish_reset(&mut self) -> [u8; $len] {
                let mut digest = [0; $len];
                self.0.finish();
                self.0.squeeze(&mut digest);
                self.0.reset();
                digest
            }

            /// Forgets all pieces. The backend stays.
            #[inline]
            pub fn reset(&mut self) {
                self.0.reset();
            }

            /// The digest of a message in one piece, with this hasher's backend; what it has
            /// absorbed before is left alone.
            #[inline]
            pub fn digest(&self, message: &[u8]) -> [u8; $len] {
                let mut digest = [0; $len];
                self.0.engine.digest(Function::$FUNCTION, message, &mut digest);
                digest
            }
        }

        impl Default for $Hasher {
            fn default() -> Self {
                Self::new()
            }
        }

        impl hashes::Core for $Hasher {
            type Engine = Engine;
            type State = State;
            type Block = [u8; Function::$FUNCTION.rate];

            const START: State = [[0; 8]; 25];
            const EMPTY: Self::Block = [0; Function::$FUNCTION.rate];
            const MARKER: u8 = Function::$FUNCTION.suffix;
            const AFTER_MARKER: usize = 0;

            #[inline]
            fn best() -> Engine {
                Engine::best(())
            }
            fn named(name: &str) -> Result<Engine, Error> {
                Ok(Engine::named(name)?(()))
            }
            #[inline]
            fn info(engine: &Engine) -> &'static Info {
                engine.info()
            }
            #[inline]
            fn blocks(text: &[u8]) -> (&[Self::Block], &[u8]) {
                text.as_chunks()
            }
            #[inline]
            fn compress(engine: &Engine, state: &mut State, blocks: &[Self::Block]) {
                engine.absorb(state, Function::$FUNCTION.rate, blocks.as_flattened());
            }
            /// The padding does not say how long the message is.
            fn complete(engine: &Engine, state: &mut State, text: &[u8], _: u64) {
                let (blocks, rest) = Self::blocks(text);
                if !blocks.is_empty() {
                    Self::compress(engine, state, blocks);
                }
                let Function { rate, suffix } = Function::$FUNCTION;
                add_at(state, 0, rest);
                pad(state, rest.len(), rate, suffix);
                engine.permute(state);
            }
            /// The marker may be in the same byte.
            #[inline]
            fn end_last(block: &mut Self::Block, _: u64, is_last: u8) {
                block[Function::$FUNCTION.rate - 1] |= 0x80 & is_last;
            }
            #[inline]
            fn output(state: &State) -> [u8; $len] {
                let mut digest = [0; $len];
                copy_from(state, 0, &mut digest);
                digest
            }
            fn nothing() -> [u8; $len] {
                [0; $len]
            }
        }

        impl hashes::Hash for $Hasher {
            type Digest = [u8; $len];
            #[cfg(feature = "many")]
            type Many = $Many;

            const NAME: &'static str = $task;
            const DIGEST_LEN: usize = $len;
            const BLOCK_LEN: usize = Function::$FUNCTION.rate;

            fn with_backend(name: &str) -> Result<Self, Error> {
                Self::with_backend(name)
            }
            fn backend(&self) -> &'static str {
                self.backend()
            }
            fn update(&mut self, text: &[u8]) {
                self.update(text);
            }
            fn finish(self) -> [u8; $len] {
                self.finish()
            }
            fn finish_reset(&mut self) -> [u8; $len] {
                self.finish_reset()
            }
            #[inline]
            fn reset(&mut self) {
                self.reset();
            }
            fn digest(&self, message: &[u8]) -> [u8; $len] {
                self.digest(message)
            }
        }
    )+ };
}

hashes! {
    "SHA3-224", "sha3-224", Sha3_224, Sha3_224Many, sha3_224: SHA3_224, 28;
    "SHA3-256", "sha3-256", Sha3_256, Sha3_256Many, sha3_256: SHA3_256, 32;
    "SHA3-384", "sha3-384", Sha3_384, Sha3_384Many, sha3_384: SHA3_384, 48;
    "SHA3-512", "sha3-512", Sha3_512, Sha3_512Many, sha3_512: SHA3_512, 64;
}

/// Writes what hashes many messages, to digests of one length.
macro_rules! hashes_of_many {
    ($( $name:literal, $Many:ident of $Hasher:ident, $digest_many:ident: $FUNCTION:ident, $len:literal; )+) => { $(
        #[doc = concat!("The ", $name, " digest of each message. Messages of any lengths may be mixed.")]
        ///
        /// # Errors
        /// [`Error::Length`] where there are not as many digests as messages; none is then written.
        #[inline]
        pub fn $digest_many(messages: &[&[u8]], digests: &mut [[u8; $len]]) -> Result<(), Error> {
            let one = |message: &[u8]| digest_of(Function::$FUNCTION, message);
            crate::hashes::many::one_or_many(messages, digests, || 0, one, $Many::digest_by_best)
        }

        type_of_many! {
            #[doc = concat!($name, " of many messages side by side.")]
            $Many, listed as "PRIMITIVE_MANY"
        }
        digest_of_many! { $Many of $Hasher; digest of $len }
        sponge_of_many! { $Many: $FUNCTION [] $len }
    )+ };
}

#[cfg(feature = "many")]
hashes_of_many! {
    "SHA3-224", Sha3_224Many of Sha3_224, sha3_224_many: SHA3_224, 28;
    "SHA3-256", Sha3_256Many of Sha3_256, sha3_256_many: SHA3_256, 32;
    "SHA3-384", Sha3_384Many of Sha3_384, sha3_384_many: SHA3_384, 48;
    "SHA3-512", Sha3_512Many of Sha3_512, sha3_512_many: SHA3_512, 64;
}
