//! Many keys at a time.

use alloc::vec::Vec;

use super::{EIGHT, Engine, LEN, ManyEngine, PrivateKey, PublicKey, SharedSecret};
use crate::core::{
    Error,
    backend::Costs,
    ct,
    secret::{Wiped, deep},
};

/// A pair of keys: ours and theirs.
pub type Pair<'a> = (&'a PrivateKey, &'a PublicKey);

/// The shared secret of each pair of keys: what [`PrivateKey::agree`] returns, eight at a time in SIMD lanes. An error of one pair
/// changes no other.
///
/// # Example
/// ```
/// use ropewalk::x25519::{PrivateKey, agree_many};
///
/// let keys = [7, 8, 9].map(|byte| PrivateKey::from_bytes(&[byte; 32]));
/// let public = keys.each_ref().map(PrivateKey::public);
/// let secrets = agree_many(&[(&keys[0], &public[1]), (&keys[1], &public[0])]);
/// let [Ok(a), Ok(b)] = &secrets[..] else { panic!("no key has small order") };
/// assert_eq!(a.as_bytes(), b.as_bytes());
/// ```
pub fn agree_many(pairs: &[Pair<'_>]) -> Vec<Result<SharedSecret, Error>> {
    let mut secrets = Vec::with_capacity(pairs.len());
    agree_each(&Chosen::best(), pairs, |secret| secrets.push(secret));
    secrets
}

/// The same with the backend of that name in [`PRIMITIVES`](crate::PRIMITIVES).
///
/// # Errors
/// [`Error::NoBackend`] where it cannot run here.
pub fn agree_many_with_backend(
    pairs: &[Pair<'_>],
    name: &str,
) -> Result<Vec<Result<SharedSecret, Error>>, Error> {
    let mut secrets = Vec::with_capacity(pairs.len());
    agree_each(&Chosen::named(name)?, pairs, |secret| secrets.push(secret));
    Ok(secrets)
}

/// The public key of each key: what [`PrivateKey::public`] returns, eight at a time in SIMD lanes.
///
/// # Example
/// ```
/// use ropewalk::x25519::{PrivateKey, public_many};
///
/// let keys = [7, 8, 9].map(|byte| PrivateKey::from_bytes(&[byte; 32]));
/// assert_eq!(public_many(&keys.each_ref())[2], keys[2].public());
/// ```
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
struct Chosen {
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

    fn named(name: &str) -> Result<Self, Error> {
        Ok(Self { engine: deep(ManyEngine::named(name)?(())), pays_from: 1 })
    }
}

fn agree_each(
    chosen: &Chosen,
    pairs: &[Pair<'_>],
    mut give: impl FnMut(Result<SharedSecret, Error>),
) {
    for pairs in pairs.chunks(EIGHT) {
        if pairs.len() < chosen.pays_from {
            pairs.iter().for_each(|(key, with)| give(key.agree(with)));
            continue;
        }
        // Lanes without a pair have the first one.
        let pair = |lane: usize| pairs[if lane < pairs.len() { lane } else { 0 }];
        let k = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| pair(lane).0.secret.decoded());
        let u = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| &pair(lane).1.0);
        let mut out = Wiped::new([[0; LEN]; EIGHT]);
        chosen.engine.agree(&k.each_ref().map(|k| &**k), &u, &mut out);
        for out in &out[..pairs.len()] {
            let mut shared = SharedSecret::zero();
            shared.0.copy_from_slice(out);
            give(shared.checked());
        }
    }
}

fn public_each(chosen: &Chosen, keys: &[&PrivateKey]) -> Vec<PublicKey> {
    let mut all = Vec::with_capacity(keys.len());
    for keys in keys.chunks(EIGHT) {
        if keys.len() < chosen.pays_from {
            all.extend(keys.iter().map(|key| key.public()));
            continue;
        }
        let k = [0, 1, 2, 3, 4, 5, 6, 7]
            .map(|lane| keys[if lane < keys.len() { lane } else { 0 }].secret.decoded());
        let mut out = [[0; LEN]; EIGHT];
        chosen.engine.public(&k.each_ref().map(|k| &**k), &mut out);
        all.extend(out[..keys.len()].iter().map(|u| PublicKey(u.map(ct::told))));
    }
    all
}
