//! Many keys at a time.

use alloc::vec::Vec;

use super::{
    EIGHT, Engine, LEN, ManyEngine, Nonces, PrivateKey, PublicKey, SIGNATURE_LEN, Scalar,
    SharedSecret, Signature, leftmost,
};
use crate::core::{
    Error,
    backend::Costs,
    ct,
    secret::{Wiped, deep},
};

/// A pair of keys: ours and theirs.
pub type Agreement<'a> = (&'a PrivateKey, &'a PublicKey);

/// A digest to sign, of 20 bytes or more, and the key.
#[derive(Clone, Copy, Debug)]
pub struct Signing<'a> {
    /// The key.
    pub key: &'a PrivateKey,
    /// The digest.
    pub digest: &'a [u8],
}

/// A signature to verify.
#[derive(Clone, Copy, Debug)]
pub struct Verification<'a> {
    /// The public key.
    pub key: &'a PublicKey,
    /// The digest, of 20 bytes or more.
    pub digest: &'a [u8],
    /// The signature.
    pub signature: &'a Signature,
}

/// The signature of each digest: what [`PrivateKey::sign`] returns, eight at a time in SIMD lanes. An error of one changes no
/// other.
///
/// # Example
/// ```
/// use ropewalk::{
///     p256::{PrivateKey, Signing, Verification, sign_many, verify_many},
///     sha256,
/// };
///
/// let keys = [PrivateKey::generate()?, PrivateKey::generate()?];
/// let digest = sha256::digest(b"a message");
/// let signatures = sign_many(&keys.each_ref().map(|key| Signing { key, digest: &digest }));
/// let (key, signature) = (&keys[1].public(), &signatures[1]?);
/// assert_eq!(verify_many(&[Verification { key, digest: &digest, signature }]), [Ok(())]);
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub fn sign_many(items: &[Signing<'_>]) -> Vec<Result<Signature, Error>> {
    sign_each(&Chosen::best(), items, true)
}

/// The same with the backend of that name in [`PRIMITIVES`](crate::PRIMITIVES).
///
/// # Errors
/// [`Error::NoBackend`] where it cannot run here.
pub fn sign_many_with_backend(
    items: &[Signing<'_>],
    name: &str,
) -> Result<Vec<Result<Signature, Error>>, Error> {
    Ok(sign_each(&Chosen::named(name)?, items, true))
}

/// Whether each signature is valid: what [`PublicKey::verify`] returns, eight at a time in SIMD lanes.
pub fn verify_many(items: &[Verification<'_>]) -> Vec<Result<(), Error>> {
    verify_each(&Chosen::best(), items)
}

/// The same with the backend of that name in [`PRIMITIVES`](crate::PRIMITIVES).
///
/// # Errors
/// [`Error::NoBackend`] where it cannot run here.
pub fn verify_many_with_backend(
    items: &[Verification<'_>],
    name: &str,
) -> Result<Vec<Result<(), Error>>, Error> {
    Ok(verify_each(&Chosen::named(name)?, items))
}

/// The shared secret of each pair of keys: what [`PrivateKey::agree`] returns, eight at a time in SIMD lanes.
pub fn agree_many(pairs: &[Agreement<'_>]) -> Vec<SharedSecret> {
    agree_each(&Chosen::best(), pairs)
}

/// The same with the backend of that name in [`PRIMITIVES`](crate::PRIMITIVES).
///
/// # Errors
/// [`Error::NoBackend`] where it cannot run here.
pub fn agree_many_with_backend(
    pairs: &[Agreement<'_>],
    name: &str,
) -> Result<Vec<SharedSecret>, Error> {
    Ok(agree_each(&Chosen::named(name)?, pairs))
}

/// The public key of each key: what [`PrivateKey::public`] returns, eight at a time in SIMD lanes.
pub fn public_many(keys: &[&PrivateKey]) -> Vec<PublicKey> {
    public_each(&Chosen::best(), keys)
}

/// The same with the backend of that name in [`PRIMITIVES`](crate::PRIMITIVES).
///
/// # Errors
/// [`Error::NoBackend`] where it cannot run here.
pub fn public_many_with_backend(keys: &[&PrivateKey], name: &str) -> Result<Vec<PublicKey>, Error> {
    Ok(public_each(&Chosen::named(name)?, keys))
}

/// A backend, and from how many keys on it is faster than serial calls.
pub(super) struct Chosen {
    engine: ManyEngine,
    pays_from: usize,
}

impl Chosen {
    fn best() -> Self {
        let engine = deep(ManyEngine::best(()));
        let (many, one) = (engine.info(), Engine::best(()));
        let pays_from = match many.lanes {
            1 => usize::MAX,
            _ => Costs::recorded(many, one.info()).pay_from(1),
        };
        Self { engine, pays_from }
    }

    pub(super) fn named(name: &str) -> Result<Self, Error> {
        Ok(Self { engine: deep(ManyEngine::named(name)?(())), pays_from: 1 })
    }
}

/// An item for each lane: lanes without one have the first.
fn lanes<T: Copy>(items: &[T]) -> [T; EIGHT] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| items[if lane < items.len() { lane } else { 0 }])
}

/// A digest, and nonces for it.
struct Ready<'a> {
    key: &'a PrivateKey,
    e: Scalar,
    nonces: Nonces,
    k: Wiped<Scalar>,
}

impl<'a> Ready<'a> {
    fn new(Signing { key, digest }: Signing<'a>, more: &[u8]) -> Result<Self, Error> {
        let e = leftmost(digest)?;
        let mut nonces = key.nonces(digest.len(), &e, more);
        let k = nonces.next();
        Ok(Self { key, e, nonces, k })
    }
}

pub(super) fn sign_each(
    chosen: &Chosen,
    items: &[Signing<'_>],
    hedged: bool,
) -> Vec<Result<Signature, Error>> {
    let mut signatures = Vec::with_capacity(items.len());
    for items in items.chunks(EIGHT) {
        let fresh = Wiped::new(match hedged {
            true => crate::random::array::<{ 32 * EIGHT }>(),
            false => Ok([0; 32 * EIGHT]),
        });
        let mut ready: Vec<_> = items
            .iter()
            .enumerate()
            .map(|(lane, item)| match &*fresh {
                Ok(fresh) if hedged => Ready::new(*item, &fresh[32 * lane..][..32]),
                Ok(_) => Ready::new(*item, &[]),
                Err(error) => Err(*error),
            })
            .collect();
        let right: Vec<_> = ready.iter().flatten().collect();
        let mut out = [[0; SIGNATURE_LEN]; EIGHT];
        if !right.is_empty() && items.len() >= chosen.pays_from {
            let right = lanes(&right);
            let d = right.map(|ready| &ready.key.secret.d);
            chosen.engine.sign(
                &d,
                &right.map(|ready| &*ready.k),
                &right.map(|ready| &ready.e),
                &mut out,
            );
        } else {
            for (Ready { key, e, k, .. }, out) in right.iter().zip(&mut out) {
                key.secret.engine.sign(&key.secret.d, k, e, out);
            }
        }
        let mut out = out.iter();
        signatures.extend(ready.iter_mut().map(|ready| match ready {
            Ok(Ready { key, e, nonces, .. }) => {
                let out = out.next().expect("a lane for each that is right").map(ct::told);
                // Where r or s is 0, the next nonce is taken.
                Ok(Signature::from_bytes(&out).unwrap_or_else(|_| key.sign_with(e, nonces)))
            }
            Err(error) => Err(*error),
        }));
    }
    signatures
}

fn verify_each(chosen: &Chosen, items: &[Verification<'_>]) -> Vec<Result<(), Error>> {
    let mut verdicts = Vec::with_capacity(items.len());
    for items in items.chunks(EIGHT) {
        if items.len() < chosen.pays_from {
            verdicts.extend(items.iter().map(|item| item.key.verify(item.digest, item.signature)));
            continue;
        }
        let e: Vec<_> = items.iter().map(|item| leftmost(item.digest)).collect();
        let right: Vec<_> =
            items.iter().zip(&e).filter_map(|(item, e)| Some((item, e.as_ref().ok()?))).collect();
        let mut valid = [false; EIGHT];
        if !right.is_empty() {
            let right = lanes(&right);
            chosen.engine.verify(
                &right.map(|(item, _)| item.key.point()),
                &right.map(|(_, e)| e),
                &right.map(|(item, _)| item.signature.as_bytes()),
                &mut valid,
            );
        }
        let mut valid = valid.iter();
        verdicts.extend(e.iter().map(|e| match e {
            Ok(_) if *valid.next().expect("a lane for each that is right") => Ok(()),
            Ok(_) => Err(Error::Forged),
            Err(error) => Err(*error),
        }));
    }
    verdicts
}

fn agree_each(chosen: &Chosen, pairs: &[Agreement<'_>]) -> Vec<SharedSecret> {
    let mut secrets = Vec::with_capacity(pairs.len());
    for pairs in pairs.chunks(EIGHT) {
        if pairs.len() < chosen.pays_from {
            secrets.extend(pairs.iter().map(|(key, with)| key.agree(with)));
            continue;
        }
        let lanes = lanes(pairs);
        let (d, q) = (lanes.map(|(key, _)| &key.secret.d), lanes.map(|(_, with)| with.point()));
        let mut out = Wiped::new([[0; LEN]; EIGHT]);
        chosen.engine.agree(&d, &q, &mut out);
        for out in &out[..pairs.len()] {
            let mut secret = SharedSecret(Wiped::new([0; LEN]));
            secret.0.copy_from_slice(out);
            secrets.push(secret);
        }
    }
    secrets
}

fn public_each(chosen: &Chosen, keys: &[&PrivateKey]) -> Vec<PublicKey> {
    let mut all = Vec::with_capacity(keys.len());
    for keys in keys.chunks(EIGHT) {
        if keys.len() < chosen.pays_from {
            all.extend(keys.iter().map(|key| key.public()));
            continue;
        }
        let mut out = [[0; 64]; EIGHT];
        chosen.engine.public(&lanes(keys).map(|key| &key.secret.d), &mut out);
        all.extend(out[..keys.len()].iter().map(|point| PublicKey::known(point.map(ct::told))));
    }
    all
}
