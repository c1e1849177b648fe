//! Many keys at a time.

use super::{EIGHT, Engine, LEN, ManyEngine, PrivateKey, PublicKey, SharedSecret};
use crate::{
    core::{
        Error, ct,
        secret::{Wiped, deep},
    },
    public::eights::{as_many, lanes, pays_from},
};

/// A pair of keys: ours and theirs.
pub type Pair<'a> = (&'a PrivateKey, &'a PublicKey);

/// The shared secret of each pair of keys, eight at a time in SIMD lanes: what [`PrivateKey::agree`] returns, or `None` where that
/// fails since the public key has small order. One pair changes no other.
///
/// # Errors
/// [`Error::Length`] unless there is one place for each pair; all are then untouched.
///
/// # Example
/// ```
/// use ropewalk::x25519::{PrivateKey, agree_many};
///
/// let keys = [7, 8].map(|byte| PrivateKey::from_bytes(&[byte; 32]));
/// let public = keys.each_ref().map(PrivateKey::public);
/// let mut secrets = [const { None }; 2];
/// agree_many(&[(&keys[0], &public[1]), (&keys[1], &public[0])], &mut secrets)?;
/// let [Some(a), Some(b)] = &secrets else { panic!("no key has small order") };
/// assert_eq!(a.as_bytes(), b.as_bytes());
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub fn agree_many(pairs: &[Pair<'_>], secrets: &mut [Option<SharedSecret>]) -> Result<(), Error> {
    Many::new().agree(pairs, secrets)
}

/// The public key of each key, eight at a time in SIMD lanes: what [`PrivateKey::public`] returns.
///
/// # Errors
/// [`Error::Length`] unless there is one place for each key; all are then untouched.
///
/// # Example
/// ```
/// use ropewalk::x25519::{PrivateKey, PublicKey, public_many};
///
/// let keys = [7, 8, 9].map(|byte| PrivateKey::from_bytes(&[byte; 32]));
/// let mut public = [PublicKey([0; 32]); 3];
/// public_many(&keys.each_ref(), &mut public)?;
/// assert_eq!(public[2], keys[2].public());
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub fn public_many(keys: &[&PrivateKey], public: &mut [PublicKey]) -> Result<(), Error> {
    Many::new().public(keys, public)
}

/// X25519 of many keys, with one backend.
pub struct Many {
    engine: ManyEngine,
    pays_from: usize,
}

impl Many {
    /// With the best backend of this processor.
    pub fn new() -> Self {
        let engine = deep(ManyEngine::best(()));
        let pays_from = pays_from(engine.info(), Engine::best(()).info());
        Self { engine, pays_from }
    }

    /// With the backend of that name in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY), even where serial calls are faster.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self { engine: deep(ManyEngine::named(name)?(())), pays_from: 1 })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.info().name
    }

    /// The shared secret of each pair, as [`agree_many`].
    ///
    /// # Errors
    /// As [`agree_many`].
    pub fn agree(
        &self,
        pairs: &[Pair<'_>],
        secrets: &mut [Option<SharedSecret>],
    ) -> Result<(), Error> {
        as_many("secrets", secrets.len(), pairs.len())?;
        for (pairs, secrets) in pairs.chunks(EIGHT).zip(secrets.chunks_mut(EIGHT)) {
            if pairs.len() < self.pays_from {
                for ((key, with), secret) in pairs.iter().zip(secrets) {
                    *secret = key.agree(with).ok();
                }
                continue;
            }
            let pairs = lanes(pairs);
            let k = pairs.map(|(key, _)| key.secret.decoded());
            let mut out = Wiped::new([[0; LEN]; EIGHT]);
            self.engine.agree(
                &k.each_ref().map(|k| &**k),
                &pairs.map(|(_, with)| &with.0),
                &mut out,
            );
            for (secret, out) in secrets.iter_mut().zip(&*out) {
                *secret = SharedSecret::checked(out).ok();
            }
        }
        Ok(())
    }

    /// The public key of each key, as [`public_many`].
    ///
    /// # Errors
    /// As [`public_many`].
    pub fn public(&self, keys: &[&PrivateKey], public: &mut [PublicKey]) -> Result<(), Error> {
        as_many("public keys", public.len(), keys.len())?;
        for (keys, public) in keys.chunks(EIGHT).zip(public.chunks_mut(EIGHT)) {
            if keys.len() < self.pays_from {
                for (key, public) in keys.iter().zip(public) {
                    *public = key.public();
                }
                continue;
            }
            let k = lanes(keys).map(|key| key.secret.decoded());
            let mut out = [[0; LEN]; EIGHT];
            self.engine.public(&k.each_ref().map(|k| &**k), &mut out);
            for (public, out) in public.iter_mut().zip(out) {
                *public = PublicKey(out.map(ct::told));
            }
        }
        Ok(())
    }
}

impl Default for Many {
    fn default() -> Self {
        Self::new()
    }
}
