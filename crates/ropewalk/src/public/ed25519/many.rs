//! Many messages at a time.

use alloc::vec::Vec;

use super::{
    EIGHT, Engine, ManyEngine, PrivateKey, PublicKey, SIGNATURE_LEN, Scalar, Signature, Variant,
    parts,
};
use crate::{
    core::{
        Error, ct,
        secret::{Wiped, deep},
    },
    curves::edwards25519::{TWICE_D, Term, base_multiple, has_small_order},
    fields::words::{from_le_bytes, to_le_bytes},
    hashes::sha512::{Sha512, Sha512Many},
    public::eights::{LANES, as_many, lanes, pays_from},
};

/// A message to sign.
#[derive(Clone, Copy)]
pub struct ToSign<'a> {
    /// Its key. Messages may share a key.
    pub key: &'a PrivateKey,
    /// Its bytes.
    pub message: &'a [u8],
}

/// A message with its signature.
#[derive(Clone, Copy)]
pub struct Signed<'a> {
    /// The key of its signer. Messages may share a key.
    pub key: &'a PublicKey,
    /// Its bytes.
    pub message: &'a [u8],
    /// Its signature.
    pub signature: &'a Signature,
}

/// Signs each message, eight at a time in SIMD lanes: what [`PrivateKey::sign`] returns.
///
/// # Errors
/// [`Error::Length`] unless there is one place for each message; all are then untouched.
///
/// # Example
/// ```
/// use ropewalk::ed25519::{PrivateKey, Signed, ToSign, sign_many, verify_many};
///
/// let key = PrivateKey::from_seed(&[7; 32]);
/// let messages: [&[u8]; 2] = [b"one", b"two"];
/// let mut signatures = [[0; 64]; 2];
/// sign_many(&messages.map(|message| ToSign { key: &key, message }), &mut signatures)?;
///
/// let public = key.public();
/// let signed = [0, 1].map(|i| Signed { key: &public, message: messages[i], signature: &signatures[i] });
/// let mut results = [Ok(()); 2];
/// verify_many(&signed, &mut results)?;
/// assert_eq!(results, [Ok(()); 2]);
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub fn sign_many(messages: &[ToSign<'_>], signatures: &mut [Signature]) -> Result<(), Error> {
    Many::new().sign(messages, signatures)
}

/// Verifies each signature, eight at a time in SIMD lanes: what [`PublicKey::verify`] returns.
///
/// # Errors
/// [`Error::Length`] unless there is one place for each message; all are then untouched.
pub fn verify_many(
    messages: &[Signed<'_>],
    results: &mut [Result<(), Error>],
) -> Result<(), Error> {
    Many::new().verify(messages, results)
}

/// Whether all signatures are right, by one equation: faster than [`verify_many`] from a few messages on, and without a result
/// for each.
///
/// The equation is multiplied by the cofactor 8, unlike that of [`PublicKey::verify`]. Signatures made by [`PrivateKey::sign`] or by
/// another program that follows RFC 8032 get the same answer from both. A signer can also make a signature, with A or R of mixed
/// order, which this function accepts and [`PublicKey::verify`] does not. Where several parties must agree, use one of both only.
///
/// The factors of the equation are derived from all signatures by SHA-512. The memory is 24 kB for eight messages, on the heap.
///
/// # Errors
/// [`Error::Forged`] if some signature is not right.
///
/// # Example
/// ```
/// use ropewalk::ed25519::{PrivateKey, Signed, verify_all};
///
/// let key = PrivateKey::from_seed(&[7; 32]);
/// let (public, signature) = (key.public(), key.sign(b"message"));
/// let signed = Signed { key: &public, message: b"message", signature: &signature };
/// verify_all(&[signed; 3])?;
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub fn verify_all(messages: &[Signed<'_>]) -> Result<(), Error> {
    Many::new().verify_all(messages)
}

/// Ed25519 of many messages, with one backend.
pub struct Many {
    engine: ManyEngine,
    hash: Sha512Many,
    pays_from: usize,
}

impl Many {
    /// With the best backend of this processor.
    pub fn new() -> Self {
        let engine = deep(ManyEngine::best(()));
        let pays_from = pays_from(engine.info(), Engine::best(()).info());
        Self { engine, hash: Sha512Many::new(), pays_from }
    }

    /// With the backend of that name in [`PRIMITIVE_MANY`](super::PRIMITIVE_MANY), even where serial calls are faster.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self {
            engine: deep(ManyEngine::named(name)?(())),
            hash: Sha512Many::new(),
            pays_from: 1,
        })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.info().name
    }

    /// The signature of each message, as [`sign_many`].
    ///
    /// # Errors
    /// As [`sign_many`].
    pub fn sign(&self, messages: &[ToSign<'_>], signatures: &mut [Signature]) -> Result<(), Error> {
        as_many("signatures", signatures.len(), messages.len())?;
        for (messages, signatures) in messages.chunks(EIGHT).zip(signatures.chunks_mut(EIGHT)) {
            if messages.len() < self.pays_from {
                for (ToSign { key, message }, signature) in messages.iter().zip(signatures) {
                    *signature = key.sign(message);
                }
                continue;
            }
            let all = lanes(messages);
            let nonces = self.scalars(all.map(|it| [&[][..], &it.key.secret.prefix, it.message]));
            let bytes = Wiped::new(nonces.each_ref().map(|r| to_le_bytes(r.to_words())));
            let mut firsts = [[0; 32]; EIGHT];
            self.engine.base(&bytes.each_ref(), &mut firsts);
            let firsts = firsts.map(|first| first.map(ct::told));
            let k = self.scalars(LANES.map(|lane| {
                let ToSign { key, message } = all[lane];
                [&firsts[lane][..], key.public_bytes(), message]
            }));
            for (lane, signature) in signatures.iter_mut().enumerate() {
                *signature = all[lane].key.signature(&nonces[lane], &firsts[lane], &k[lane]);
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
        messages: &[Signed<'_>],
        results: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        as_many("results", results.len(), messages.len())?;
        const NONE: &Signature = &[0; SIGNATURE_LEN];
        for (messages, results) in messages.chunks(EIGHT).zip(results.chunks_mut(EIGHT)) {
            if messages.len() < self.pays_from {
                for (Signed { key, message, signature }, result) in messages.iter().zip(results) {
                    *result = key.verify(message, signature);
                }
                continue;
            }
            // A signature whose S is too large is replaced.
            let all = lanes(messages);
            let parts = all.map(|it| parts(it.signature));
            let signatures = LANES.map(|lane| {
                parts[lane]
                    .unwrap_or((NONE.first_chunk().expect("32"), NONE.last_chunk().expect("32")))
            });
            let k = self.scalars(LANES.map(|lane| {
                let Signed { key, message, .. } = all[lane];
                [&signatures[lane].0[..], &key.bytes, message]
            }));
            let k = k.each_ref().map(|k| to_le_bytes(k.to_words()));
            let mut right = [[0; 32]; EIGHT];
            let minus_a = all.map(|Signed { key, .. }| &key.minus_a);
            self.engine.public_sum(&signatures.map(|(_, s)| s), &k, &minus_a, &mut right);
            for (lane, result) in results.iter_mut().enumerate() {
                *result = parts[lane].and_then(|(first, _)| match right[lane] == *first {
                    true => Ok(()),
                    false => Err(Error::Forged),
                });
            }
        }
        Ok(())
    }
}

impl Many {
    /// Whether all signatures are right, as [`verify_all`].
    ///
    /// # Errors
    /// As [`verify_all`].
    pub fn verify_all(&self, messages: &[Signed<'_>]) -> Result<(), Error> {
        if let [Signed { key, message, signature }] = messages {
            return key.verify(message, signature);
        }
        let mut parsed = Vec::with_capacity(messages.len());
        for messages in messages.chunks(EIGHT) {
            let k =
                self.scalars(lanes(messages).map(|Signed { key, message, signature }| {
                    [&signature[..32], &key.bytes, message]
                }));
            for (Signed { key, signature, .. }, k) in messages.iter().zip(&k) {
                let (r, s) = parts(signature)?;
                parsed.push((r, s, **k, key));
            }
        }
        let mut factors = Factors::new(parsed.iter().map(|(_, s, k, _)| (*s, k)));
        let (mut terms, mut sum) = (Vec::with_capacity(parsed.len()), Scalar::ZERO);
        for (r, s, k, key) in &parsed {
            let z = factors.next();
            let factor = Scalar::new(from_le_bytes(&z));
            sum = sum + factor * Scalar::new(from_le_bytes(*s));
            terms.push(Term {
                z,
                r,
                zk: to_le_bytes((factor * *k).to_words()),
                minus_a: &key.minus_a,
            });
        }
        let mut of_terms = None;
        self.engine.sum_of_terms(&terms, &mut of_terms);
        let of_terms = of_terms.ok_or(Error::Forged)?;
        let all = base_multiple(&to_le_bytes(sum.to_words())).add(&of_terms.addend(TWICE_D));
        if has_small_order(&all.without_t()) { Ok(()) } else { Err(Error::Forged) }
    }

    /// SHA-512 of three parts for each lane, modulo L. The first two parts have at most 64 bytes.
    fn scalars(&self, parts: [[&[u8]; 3]; EIGHT]) -> [Wiped<Scalar>; EIGHT] {
        /// A message that is copied, so that it is hashed in lanes.
        const SHORT: usize = 448;
        if parts.iter().any(|[.., message]| message.len() > SHORT) {
            return parts.map(|parts| Wiped::new(Variant::PURE.hash(&parts)));
        }
        let (mut texts, mut lens) = (Wiped::new([[0; 64 + SHORT]; EIGHT]), [0; EIGHT]);
        for ((text, len), parts) in texts.iter_mut().zip(&mut lens).zip(parts) {
            for part in parts {
                text[*len..][..part.len()].copy_from_slice(part);
                *len += part.len();
            }
        }
        let texts = LANES.map(|lane| &texts[lane][..lens[lane]]);
        let mut digests = Wiped::new([[0; 64]; EIGHT]);
        self.hash.digest(&texts, &mut *digests).expect("a place for each");
        digests.each_ref().map(|digest| Wiped::new(Scalar::from_wide(from_le_bytes(digest))))
    }
}

impl Default for Many {
    fn default() -> Self {
        Self::new()
    }
}

/// The factors of an equation: 128 bits each, which depend on all signatures.
struct Factors {
    seed: [u8; 64],
    block: [u8; 64],
    count: u64,
}

impl Factors {
    /// From S and k of each signature: k is a hash of the others.
    fn new<'a>(all: impl Iterator<Item = (&'a [u8; 32], &'a Scalar)>) -> Self {
        let mut hasher = Sha512::new();
        for (s, k) in all {
            hasher.update(s);
            hasher.update(&to_le_bytes(k.to_words()));
        }
        Self { seed: hasher.finish(), block: [0; 64], count: 0 }
    }

    fn next(&mut self) -> [u8; 32] {
        let at = 16 * (self.count % 4) as usize;
        if at == 0 {
            let mut hasher = Sha512::new();
            hasher.update(&self.seed);
            hasher.update(&self.count.to_le_bytes());
            self.block = hasher.finish();
        }
        self.count += 1;
        let mut z = [0; 32];
        z[..16].copy_from_slice(&self.block[at..][..16]);
        z
    }
}
