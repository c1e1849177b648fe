//! Many signatures.
//!
//! Items are taken in order. Those of one size are grouped by eight, for lanes; a group that is too small for lanes to win is
//! processed one by one. Keys may differ, and so may sizes.

use alloc::vec::Vec;
use core::array;

use super::{
    Engine, HashFunction, Lanes, ManyEngine, Padding, PrivateKey, PublicKey, private::Begun,
};
use crate::{
    bignum::{Bits, Limbs, Number},
    core::{
        Error,
        secret::{Sweep, Wiped, below},
    },
    public::eights::{EIGHT, as_many, pays_from},
};

/// Bytes of stack that the signatures of a group take.
const STACK: usize = 104 << 10;

/// A signature to be made.
pub struct ToSign<'a> {
    /// The key.
    pub key: &'a PrivateKey,
    /// The encoding.
    pub padding: Padding,
    /// The hash function of the digest.
    pub function: HashFunction,
    /// The digest of the message.
    pub digest: &'a [u8],
    /// The place of the signature: as many bytes as the modulus.
    pub signature: &'a mut [u8],
}

/// A signature to be verified.
#[derive(Clone, Copy)]
pub struct Signed<'a> {
    /// The key.
    pub key: &'a PublicKey,
    /// The encoding.
    pub padding: Padding,
    /// The hash function of the digest.
    pub function: HashFunction,
    /// The digest of the message.
    pub digest: &'a [u8],
    /// The signature.
    pub signature: &'a [u8],
}

/// Makes signatures, with the best backends of this processor: [`Many::sign`].
///
/// # Errors
/// [`Error::Length`] unless there are as many results as items; nothing is then done.
///
/// # Example
/// ```
/// use ropewalk::{Error, rsa::{HashFunction, Padding, PrivateKey, ToSign, sign_many}};
///
/// fn sign(key: &PrivateKey, digests: &[[u8; 32]], signatures: &mut [[u8; 256]]) -> Result<(), Error> {
///     let mut items: Vec<_> = digests.iter().zip(signatures).map(|(digest, signature)| ToSign {
///         key,
///         padding: Padding::Pss { salt_len: 32 },
///         function: HashFunction::Sha256,
///         digest,
///         signature,
///     }).collect();
///     let mut results = vec![Ok(()); items.len()];
///     sign_many(&mut items, &mut results)?;
///     results.into_iter().collect()
/// }
/// ```
pub fn sign_many(items: &mut [ToSign<'_>], results: &mut [Result<(), Error>]) -> Result<(), Error> {
    Many::new().sign(items, results)
}

/// Verifies signatures, with the best backends of this processor: [`Many::verify`].
///
/// # Errors
/// [`Error::Length`] unless there are as many results as items; nothing is then done.
pub fn verify_many(items: &[Signed<'_>], results: &mut [Result<(), Error>]) -> Result<(), Error> {
    Many::new().verify(items, results)
}

/// Backends for many signatures.
pub struct Many {
    engine: ManyEngine,
    /// From how many items of one size on lanes are used.
    pays_from: usize,
}

impl Default for Many {
    fn default() -> Self {
        Self::new()
    }
}

impl Many {
    /// With the best backend of this processor.
    pub fn new() -> Self {
        let engine = ManyEngine::best(());
        let pays_from = pays_from(engine.info(), Engine::best(()).info());
        Self { engine, pays_from }
    }

    /// With the backend of that name in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY), even where serial calls are faster.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self { engine: ManyEngine::named(name)?(()), pays_from: 1 })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.info().name
    }

    /// Makes signatures as [`PrivateKey::sign_pkcs1v15`] and [`PrivateKey::sign_pss`] do. An item that fails has its error in
    /// `results`, and changes no other.
    ///
    /// # Errors
    /// [`Error::Length`] unless there are as many results as items; nothing is then done.
    pub fn sign(
        &self,
        items: &mut [ToSign<'_>],
        results: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        as_many("results", results.len(), items.len())?;
        let mut groups = Groups::new();
        for at in 0..items.len() {
            let key = items[at].key.inner();
            let shape = [key.primes[0].len(), key.public.n.len()];
            if let Some(group) = groups.add(shape, at) {
                self.sign_group(group.members(), items, results);
            }
        }
        for group in groups.0 {
            self.sign_group(group.members(), items, results);
        }
        Ok(())
    }

    /// Verifies signatures as [`PublicKey::verify_pkcs1v15`] and [`PublicKey::verify_pss`] do, each with its result.
    ///
    /// # Errors
    /// [`Error::Length`] unless there are as many results as items; nothing is then done.
    pub fn verify(
        &self,
        items: &[Signed<'_>],
        results: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        as_many("results", results.len(), items.len())?;
        let mut groups = Groups::new();
        for (at, item) in items.iter().enumerate() {
            let len = item.key.n.len();
            if let Some(group) = groups.add([len, len], at) {
                self.verify_group(group.members(), items, results);
            }
        }
        for group in groups.0 {
            self.verify_group(group.members(), items, results);
        }
        Ok(())
    }

    fn sign_group(
        &self,
        members: &[usize],
        items: &mut [ToSign<'_>],
        results: &mut [Result<(), Error>],
    ) {
        if members.len() < self.pays_from {
            for &at in members {
                let ToSign { key, padding, function, digest, signature } = &mut items[at];
                results[at] = key.sign(*padding, *function, digest, signature);
            }
            return;
        }
        let _sweep = Sweep(STACK);
        below(|| self.sign_in_lanes(members, items, results));
        for &at in members {
            if results[at].is_err() {
                items[at].signature.fill(0);
            }
        }
    }

    fn sign_in_lanes(
        &self,
        members: &[usize],
        items: &mut [ToSign<'_>],
        results: &mut [Result<(), Error>],
    ) {
        // On the heap, as stacks of threads may be small.
        let mut begun = Vec::with_capacity(members.len());
        for &at in members {
            let ToSign { key, padding, function, digest, signature } = &items[at];
            let encoded = key.encode(*padding, *function, digest);
            let result = encoded.and_then(|em| Begun::new(key, em, signature.len()));
            begun.push(Wiped::new(result.map_err(|error| results[at] = Err(error)).ok()));
        }
        self.finish(members, items, &mut begun, results);
    }

    /// Signatures that have been begun: lanes without one compute what another lane does.
    fn finish(
        &self,
        members: &[usize],
        items: &mut [ToSign<'_>],
        begun: &mut [Wiped<Option<Begun>>],
        results: &mut [Result<(), Error>],
    ) {
        let of = |lane: usize| begun.get(lane).and_then(|begun| begun.as_ref());
        let Some(filled) = (0..EIGHT).find(|lane| of(*lane).is_some()) else { return };
        let lanes: [usize; EIGHT] =
            array::from_fn(|lane| if of(lane).is_some() { lane } else { filled });
        let keys = lanes.map(|lane| items[members[lane]].key.inner());
        let bits = keys.iter().map(|key| key.exponent_bits()).max().unwrap_or(Bits(0));
        let zero = Number::zero(Limbs::new(1));
        for half in 0..2 {
            let moduli = keys.map(|key| &key.primes[half]);
            let exponents = lanes
                .map(|lane| begun[lane].as_ref().map_or(&zero, |begun| &begun.exponents[half]));
            let mut x: Wiped<Lanes> = Wiped::new(lanes.map(|lane| {
                begun[lane]
                    .as_ref()
                    .map_or_else(|| zero.clone(), |begun| begun.halves[half].clone())
            }));
            self.engine.secret(&moduli, &exponents, bits, &mut x);
            for (begun, x) in begun.iter_mut().zip(&*x) {
                if let Some(begun) = &mut **begun {
                    begun.halves[half].set(x);
                }
            }
        }
        let mut s: Wiped<Lanes> =
            Wiped::new(array::from_fn(|_| Number::zero(keys[0].public.n.len())));
        for ((s, begun), key) in s.iter_mut().zip(&mut *begun).zip(keys) {
            if let Some(begun) = &mut **begun {
                s.set(&begun.joined(key));
            }
        }
        let mut powers: Wiped<Lanes> = Wiped::new(lanes.map(|lane| s[lane].clone()));
        self.engine.public(
            &keys.map(|key| &key.public.n),
            &keys.map(|key| key.public.e),
            &mut powers,
        );
        for (((begun, s), power), &at) in begun.iter().zip(&*s).zip(&*powers).zip(members) {
            if let Some(begun) = &**begun {
                results[at] = begun.output(s, power, items[at].signature);
            }
        }
    }

    fn verify_group(
        &self,
        members: &[usize],
        items: &[Signed<'_>],
        results: &mut [Result<(), Error>],
    ) {
        if members.len() < self.pays_from {
            for &at in members {
                let Signed { key, padding, function, digest, signature } = items[at];
                results[at] = key.verify(padding, function, digest, signature);
            }
            return;
        }
        let Some(&first) = members.first() else { return };
        let item = |lane: usize| &items[members.get(lane).copied().unwrap_or(first)];
        let zero = Number::zero(items[first].key.n.len());
        let mut x: Lanes = array::from_fn(|_| zero.clone());
        for (x, &at) in x.iter_mut().zip(members) {
            let Signed { key, signature, .. } = items[at];
            results[at] = key.representative(signature).map(|s| x.set(&s));
        }
        let moduli = array::from_fn(|lane| &item(lane).key.n);
        self.engine.public(&moduli, &array::from_fn(|lane| item(lane).key.e), &mut x);
        for (x, &at) in x.iter().zip(members) {
            let Signed { key, padding, function, digest, .. } = items[at];
            if results[at].is_ok() {
                results[at] = key.check(padding, function, digest, &key.encoded(x));
            }
        }
    }
}

/// Limbs of primes and of the modulus.
type Shape = [Limbs; 2];

/// Items of one size, at most as many as there are lanes.
#[derive(Clone, Copy)]
struct Group {
    shape: Shape,
    items: [usize; EIGHT],
    count: usize,
}

impl Group {
    const NONE: Self = Self { shape: [Limbs::MOST; 2], items: [0; EIGHT], count: 0 };

    fn members(&self) -> &[usize] {
        &self.items[..self.count]
    }
}

/// The groups that are not full.
struct Groups([Group; 8]);

impl Groups {
    fn new() -> Self {
        Self([Group::NONE; _])
    }

    /// Adds an item to the group of its size. Returns a group that is full, or that gives its place to another size.
    fn add(&mut self, shape: Shape, item: usize) -> Option<Group> {
        let Self(groups) = self;
        let found = groups.iter().position(|group| group.count > 0 && group.shape == shape);
        let free = || groups.iter().position(|group| group.count == 0);
        let at = found.or_else(free).unwrap_or(0);
        let group = &mut groups[at];
        let given_up = (group.count > 0 && group.shape != shape).then_some(*group);
        if given_up.is_some() || group.count == 0 {
            *group = Group { shape, ..Group::NONE };
        }
        group.items[group.count] = item;
        group.count += 1;
        if group.count == EIGHT {
            let full = *group;
            *group = Group::NONE;
            return Some(full);
        }
        given_up
    }
}
