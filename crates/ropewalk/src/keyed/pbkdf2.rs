//! PBKDF2 (RFC 8018, section 5.2): keys from passwords.
//!
//! Attackers can guess passwords with dedicated chips. Where there is a choice, use a memory-hard function instead.
//!
//! ```
//! use ropewalk::{hmac, pbkdf2, sha256::Sha256};
//!
//! let password = hmac::Key::<Sha256>::new(b"correct horse battery staple");
//! let mut key = [0; 32];
//! pbkdf2::derive(&password, b"sixteen or more!", 600, &mut key)?;
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! The blocks of a key, and many keys, are computed in parallel:
//!
//! ```
//! use ropewalk::{
//!     hmac,
//!     pbkdf2::{Derivation, derive_many},
//!     sha512::{Sha512, Sha512Many},
//! };
//!
//! let passwords = [b"correct horse".as_slice(), b"battery staple"].map(hmac::Key::<Sha512>::new);
//! let mut keys = [[0; 32]; 2];
//! let [first, second] = &mut keys;
//! derive_many::<Sha512Many>(&mut [
//!     Derivation { password: &passwords[0], salt: b"sixteen or more!", iterations: 600, out: first },
//!     Derivation { password: &passwords[1], salt: b"another of them!", iterations: 600, out: second },
//! ])
//! .map_err(|wrong| wrong.error)?;
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    core::{Error, InMessage, backend::Chosen},
    hashes::{
        Hash, HashMany, StateOf,
        function::Backed,
        many::{BatchOf, Iterated, iterate_all},
    },
    keyed::hmac,
};

/// Fills `out`, given a key made of the password. An iteration costs two blocks of the hash function for each digest of `out`.
/// Blocks are computed in lanes where that is faster and the key has the best backend of this processor.
///
/// # Errors
/// [`Error::Length`] for no iteration, and where `out` is longer than 2^32 − 1 digests; it is then
/// untouched.
pub fn derive<H: Hash>(
    password: &hmac::Key<H>,
    salt: &[u8],
    iterations: u32,
    out: &mut [u8],
) -> Result<(), Error> {
    let mut derivation = Derivation { password, salt, iterations, out };
    derivation.check()?;
    // A backend selected by name computes all blocks.
    if password.backend() == <H::Function as Backed>::One::best().info().name {
        iterate_all(H::Many::default().many().batch::<H::Function>(), derivation.blocks());
    } else {
        derivation.blocks().for_each(Iterated::serial);
    }
    Ok(())
}

/// A key to derive.
pub struct Derivation<'a, H: Hash> {
    /// A key made of the password.
    pub password: &'a hmac::Key<H>,
    /// The salt, of any length.
    pub salt: &'a [u8],
    /// The number of iterations: at least one.
    pub iterations: u32,
    /// The output.
    pub out: &'a mut [u8],
}

/// Derives many keys in parallel. `M` is the batch type of the hash function: [`Sha256Many`](crate::sha256::Sha256Many).
///
/// # Errors
/// [`InMessage`] with [`Error::Length`] as [`derive()`] for the first invalid one; nothing is then written.
pub fn derive_many<M: HashMany>(
    derivations: &mut [Derivation<'_, M::One>],
) -> Result<(), InMessage> {
    if let [Derivation { password, salt, iterations, out }] = derivations {
        let derived = derive(password, salt, *iterations, out);
        return derived.map_err(|error| InMessage { index: 0, error });
    }
    Many::<M>::new().derive(derivations)
}

/// PBKDF2 of many keys, with the batch type of a hash function: `Many<Sha256Many>`. The state of a call is on the stack, at most
/// 12 KiB, and wiped.
pub struct Many<M: HashMany>(M);

impl<M: HashMany> Many<M> {
    /// With the best backends of this processor. Batches that are too small for lanes are computed block by block, by the backend
    /// of each key.
    #[inline]
    pub fn new() -> Self {
        Self(M::default())
    }

    /// With the backend of that name in the batch list of the hash function, even where serial processing is faster.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self(M::with_backend(name)?))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.backend()
    }

    /// Derives each key, as [`derive_many`].
    ///
    /// # Errors
    /// As [`derive_many`].
    pub fn derive(&self, derivations: &mut [Derivation<'_, M::One>]) -> Result<(), InMessage> {
        for (index, derivation) in derivations.iter().enumerate() {
            derivation.check().map_err(|error| InMessage { index, error })?;
        }
        let blocks = derivations.iter_mut().flat_map(Derivation::blocks);
        iterate_all(self.0.many().batch::<M::Function>(), blocks);
        Ok(())
    }
}

impl<M: HashMany> Default for Many<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: Hash> Derivation<'_, H> {
    fn check(&self) -> Result<(), Error> {
        if self.iterations == 0 {
            return Err(Error::Length { what: "iterations", got: 0, allowed: "from 1 on" });
        }
        let got = self.out.len();
        if got.div_ceil(H::DIGEST_LEN) as u64 > u64::from(u32::MAX) {
            return Err(Error::Length { what: "key", got, allowed: "up to 2^32 - 1 digests" });
        }
        Ok(())
    }

    fn blocks(&mut self) -> impl Iterator<Item = Block<'_, H>> {
        let Self { password, salt, iterations, out } = self;
        let pieces = (1..).zip(out.chunks_mut(H::DIGEST_LEN));
        pieces.map(|(i, out)| Block { password: *password, salt, i, left: *iterations - 1, out })
    }
}

/// A block T_i of a key.
struct Block<'a, H: Hash> {
    password: &'a hmac::Key<H>,
    salt: &'a [u8],
    i: u32,
    /// Iterations after the first that are still to be computed.
    left: u32,
    out: &'a mut [u8],
}

impl<H: Hash> Iterated<StateOf<H>, H::Digest> for Block<'_, H> {
    fn states(&self) -> [&StateOf<H>; 2] {
        self.password.states()
    }

    /// U_1.
    fn first(&self) -> H::Digest {
        let mut first = self.password.start();
        first.update(self.salt);
        first.update(&self.i.to_be_bytes());
        first.finish()
    }

    fn left(&self) -> u32 {
        self.left
    }

    fn pass(&mut self, count: u32) {
        self.left -= count;
    }

    #[inline(never)]
    fn finish(&mut self, last: &mut H::Digest, sum: &mut H::Digest) {
        for _ in 0..self.left {
            *last = self.password.mac(last.as_ref());
            for (sum, byte) in sum.as_mut().iter_mut().zip(last.as_ref()) {
                *sum ^= byte;
            }
        }
        self.left = 0;
        self.end(sum);
    }

    fn end(&mut self, sum: &H::Digest) {
        self.out.copy_from_slice(&sum.as_ref()[..self.out.len()]);
    }
}
