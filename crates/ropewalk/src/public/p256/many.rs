//! Many keys at a time.

use super::{
    EIGHT, Engine, LEN, ManyEngine, Nonces, PrivateKey, PublicKey, SIGNATURE_LEN, Scalar,
    SharedSecret, Signature, leftmost,
};
use crate::{
    core::{
        Error, ct,
        secret::{Wiped, deep},
    },
    public::eights::{LANES, as_many, lanes, pays_from},
};

/// A pair of keys: ours and theirs.
pub type Pair<'a> = (&'a PrivateKey, &'a PublicKey);

/// A digest to sign.
#[derive(Clone, Copy, Debug)]
pub struct ToSign<'a> {
    /// Its key. Digests may share a key.
    pub key: &'a PrivateKey,
    /// Its bytes: 20 or more.
    pub digest: &'a [u8],
}

/// A digest with its signature.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// The key of its signer. Digests may share a key.
    pub key: &'a PublicKey,
    /// Its bytes: 20 or more.
    pub digest: &'a [u8],
    /// Its signature.
    pub signature: &'a Signature,
}

/// Signs each digest, eight at a time in SIMD lanes: what [`PrivateKey::sign`] returns.
///
/// # Errors
/// [`Error::Length`] unless there is one place for each digest, and each digest has 20 bytes or more; all places are then
/// untouched. [`Error::NoRandomness`] if the operating system gives no random bytes.
///
/// # Example
/// ```
/// use ropewalk::{
///     p256::{PrivateKey, Signed, ToSign, sign_many, verify_many},
///     sha256,
/// };
///
/// let keys = [PrivateKey::generate()?, PrivateKey::generate()?];
/// let digest = sha256::digest(b"a message");
/// let mut signatures = [None; 2];
/// sign_many(&keys.each_ref().map(|key| ToSign { key, digest: &digest }), &mut signatures)?;
///
/// let (key, signature) = (&keys[1].public(), &signatures[1].expect("each is there"));
/// let mut results = [Ok(())];
/// verify_many(&[Signed { key, digest: &digest, signature }], &mut results)?;
/// assert_eq!(results, [Ok(())]);
/// # Ok::<(), ropewalk::Error>(())
/// ```
#[cfg(feature = "random")]
pub fn sign_many(
    digests: &[ToSign<'_>],
    signatures: &mut [Option<Signature>],
) -> Result<(), Error> {
    Many::new().sign(digests, signatures)
}

/// Verifies each signature, eight at a time in SIMD lanes: what [`PublicKey::verify`] returns. One signature changes no other
/// result.
///
/// # Errors
/// [`Error::Length`] unless there is one place for each signature; all are then untouched.
pub fn verify_many(
    signatures: &[Signed<'_>],
    results: &mut [Result<(), Error>],
) -> Result<(), Error> {
    Many::new().verify(signatures, results)
}

/// The shared secret of each pair of keys, eight at a time in SIMD lanes: what [`PrivateKey::agree`] returns.
///
/// # Errors
/// [`Error::Length`] unless there is one place for each pair; all are then untouched.
///
/// # Example
/// ```
/// use ropewalk::p256::{PrivateKey, agree_many, public_many};
///
/// let keys = [PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?];
/// let mut public = [None; 2];
/// public_many(&keys.each_ref(), &mut public)?;
/// let public = public.map(|key| key.expect("each is there"));
/// let mut secrets = [const { None }; 2];
/// agree_many(&[(&keys[0], &public[1]), (&keys[1], &public[0])], &mut secrets)?;
/// let [Some(a), Some(b)] = &secrets else { panic!("each is there") };
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
pub fn public_many(keys: &[&PrivateKey], public: &mut [Option<PublicKey>]) -> Result<(), Error> {
    Many::new().public(keys, public)
}

/// P-256 of many keys, with one backend.
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

    /// The signature of each digest, as [`sign_many`].
    ///
    /// # Errors
    /// As [`sign_many`].
    #[cfg(feature = "random")]
    pub fn sign(
        &self,
        digests: &[ToSign<'_>],
        signatures: &mut [Option<Signature>],
    ) -> Result<(), Error> {
        self.sign_with(digests, signatures, || {
            let mut fresh = Wiped::new([[0; 32]; EIGHT]);
            crate::random::fill(fresh.as_flattened_mut())?;
            Ok(Some(fresh))
        })
    }

    /// The signature of each digest without random bytes: what [`PrivateKey::sign_deterministic`] returns.
    ///
    /// # Errors
    /// [`Error::Length`] as [`sign_many`].
    pub fn sign_deterministic(
        &self,
        digests: &[ToSign<'_>],
        signatures: &mut [Option<Signature>],
    ) -> Result<(), Error> {
        self.sign_with(digests, signatures, || Ok(None))
    }

    /// With additional data for the nonces of each group, or without.
    fn sign_with(
        &self,
        digests: &[ToSign<'_>],
        signatures: &mut [Option<Signature>],
        mut more: impl FnMut() -> Result<Option<Wiped<[[u8; 32]; EIGHT]>>, Error>,
    ) -> Result<(), Error> {
        as_many("signatures", signatures.len(), digests.len())?;
        digests.iter().try_for_each(|ToSign { digest, .. }| leftmost(digest).map(drop))?;
        for (digests, signatures) in digests.chunks(EIGHT).zip(signatures.chunks_mut(EIGHT)) {
            let more = more()?;
            let mut group = [const { None }; EIGHT];
            for (lane, (place, item)) in group.iter_mut().zip(digests).enumerate() {
                let more = match &more {
                    Some(more) => &more[lane][..],
                    None => &[],
                };
                *place = Some(Ready::new(*item, more)?);
            }
            let mut out = [[0; SIGNATURE_LEN]; EIGHT];
            if digests.len() < self.pays_from {
                for (Ready { key, e, k, .. }, out) in group.iter().flatten().zip(&mut out) {
                    key.secret.engine.sign(&key.secret.d, k, e, out);
                }
            } else {
                let of = |lane: usize| group[lane].as_ref().or(group[0].as_ref());
                let all = LANES.map(|lane| of(lane).expect("a group has an item"));
                self.engine.sign(
                    &all.map(|ready| &ready.key.secret.d),
                    &all.map(|ready| &*ready.k),
                    &all.map(|ready| &ready.e),
                    &mut out,
                );
            }
            for ((signature, out), ready) in signatures.iter_mut().zip(&out).zip(group) {
                let Some(Ready { key, e, mut nonces, .. }) = ready else { break };
                // Where r or s is 0, the next nonce is taken.
                *signature = Some(match Signature::from_bytes(&out.map(ct::told)) {
                    Ok(signature) => signature,
                    Err(_) => {
                        let k = nonces.next();
                        key.sign_with(&e, &mut nonces, k)
                    }
                });
            }
        }
        Ok(())
    }

    /// Whether each signature is right, as [`verify_many`].
    ///
    /// # Errors
    /// As [`verify_many`].
    pub fn verify(
        &self,
        signatures: &[Signed<'_>],
        results: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        as_many("results", results.len(), signatures.len())?;
        for (signatures, results) in signatures.chunks(EIGHT).zip(results.chunks_mut(EIGHT)) {
            if signatures.len() < self.pays_from {
                for (Signed { key, digest, signature }, result) in signatures.iter().zip(results) {
                    *result = key.verify(digest, signature);
                }
                continue;
            }
            // A digest that is too short is replaced.
            let all = lanes(signatures);
            let e = all.map(|it| leftmost(it.digest));
            let mut valid = [false; EIGHT];
            self.engine.verify(
                &all.map(|it| it.key.point()),
                &e.each_ref().map(|e| e.as_ref().unwrap_or(&[0; LEN])),
                &all.map(|it| it.signature.as_bytes()),
                &mut valid,
            );
            for ((result, valid), e) in results.iter_mut().zip(valid).zip(e) {
                *result = e.and(if valid { Ok(()) } else { Err(Error::Forged) });
            }
        }
        Ok(())
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
                    *secret = Some(key.agree(with));
                }
                continue;
            }
            let pairs = lanes(pairs);
            let mut out = Wiped::new([[0; LEN]; EIGHT]);
            self.engine.agree(
                &pairs.map(|(key, _)| &key.secret.d),
                &pairs.map(|(_, with)| with.point()),
                &mut out,
            );
            for (secret, out) in secrets.iter_mut().zip(&*out) {
                *secret = Some(SharedSecret(Wiped::new(*out)));
            }
        }
        Ok(())
    }

    /// The public key of each key, as [`public_many`].
    ///
    /// # Errors
    /// As [`public_many`].
    pub fn public(
        &self,
        keys: &[&PrivateKey],
        public: &mut [Option<PublicKey>],
    ) -> Result<(), Error> {
        as_many("public keys", public.len(), keys.len())?;
        for (keys, public) in keys.chunks(EIGHT).zip(public.chunks_mut(EIGHT)) {
            if keys.len() < self.pays_from {
                for (key, public) in keys.iter().zip(public) {
                    *public = Some(key.public());
                }
                continue;
            }
            let mut out = [[0; 64]; EIGHT];
            self.engine.public(&lanes(keys).map(|key| &key.secret.d), &mut out);
            for (public, out) in public.iter_mut().zip(out) {
                *public = Some(PublicKey::known(out.map(ct::told)));
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

/// A digest with its first nonce, and those that follow.
struct Ready<'a> {
    key: &'a PrivateKey,
    e: Scalar,
    nonces: Nonces,
    k: Wiped<Scalar>,
}

impl<'a> Ready<'a> {
    fn new(ToSign { key, digest }: ToSign<'a>, more: &[u8]) -> Result<Self, Error> {
        let e = leftmost(digest)?;
        let mut nonces = key.nonces(digest.len(), &e, more);
        let k = nonces.next();
        Ok(Self { key, e, nonces, k })
    }
}
