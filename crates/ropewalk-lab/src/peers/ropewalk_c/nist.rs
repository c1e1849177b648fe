//! P-256.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::{
    How,
    api::{
        self, HashMessage, OK, Object, P256_KEY_WORDS, P256_PUBLIC_KEY_WORDS, P256Item,
        P256PublicItem, P256Signed, P256ToSign,
    },
    done, made, number,
};
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{
            self, CurveKey, HashCalls, Signature, Text, Turn, VerifyingCalls,
            p256::{POINT, Point},
        },
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, SignatureOp},
};

/// A job of ECDH.
pub(super) fn ecdh(
    library: &'static Library,
    cell: &Cell,
    how: How,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = api::P256::load(library)?;
    match (op, how) {
        (AgreementOp::Agree, How::Alone) => {
            jobs::p256::agreement(cell, move |pair| Private::new(api, pair.private))
        }
        (AgreementOp::Agree, how) => jobs::p256::agreement_calls(cell, |pair| {
            Ok(Box::new(Agreements { key: Private::new(api, pair.private)?, how }))
        }),
        (AgreementOp::Generate, How::Alone) => jobs::p256::generation(cell, Private::empty(api)),
        (AgreementOp::Generate, how) => {
            let keys = (0..cell.count).map(|_| Private::empty(api)).collect();
            jobs::p256::generation_calls(cell, Box::new(Generations { api, keys, how }))
        }
    }
}

/// A job of ECDSA.
pub(super) fn ecdsa(
    library: &'static Library,
    cell: &Cell,
    how: How,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let (api, hash) = (api::P256::load(library)?, Sha256::load(library)?);
    match (op, how) {
        (SignatureOp::Sign, How::Alone) => jobs::p256::signing(cell, move |pair| {
            Ok(Signer { key: Private::new(api, pair.private)?, hash })
        }),
        (SignatureOp::Sign, how) => jobs::p256::signing_calls(cell, |pair| {
            Ok(Box::new(Signatures { key: Private::new(api, pair.private)?, hash, how }))
        }),
        (SignatureOp::Verify, How::Alone) => {
            jobs::p256::verifying(cell, move |public| Verifier::new(api, hash, public))
        }
        (SignatureOp::Verify, how) => jobs::p256::verifying_calls(cell, |public| {
            Ok(Box::new(Verifications { key: Verifier::new(api, hash, public)?, how }))
        }),
    }
}

/// SHA-256, of messages to sign.
#[derive(Clone, Copy)]
pub(super) struct Sha256 {
    api: api::Hash,
    /// Its number.
    pub(super) number: u32,
}

/// Bytes of its digest.
pub(super) const DIGEST: usize = 32;

impl Sha256 {
    pub(super) fn load(library: &'static Library) -> Result<Self, Unavailable> {
        let api = api::Hash::load(library)?;
        Ok(Self { api, number: number("sha256", api.ropewalk_hash_named)? })
    }

    pub(super) fn digest(self, message: &[u8]) -> [u8; DIGEST] {
        let mut digest = [0; DIGEST];
        let (from, len) = (message.as_ptr(), message.len());
        let (number, to, digest_of) =
            (self.number, digest.as_mut_ptr(), self.api.ropewalk_hash_digest);
        // SAFETY: the message has that length, and the digest is for writing.
        done(unsafe { digest_of(number, from, len, to, DIGEST, null_mut()) });
        digest
    }

    /// The digests of a batch.
    pub(super) fn digests<'a>(self, messages: impl Iterator<Item = &'a Text>) -> Vec<[u8; DIGEST]> {
        let messages: Vec<_> = messages.collect();
        let mut digests = vec![[0; DIGEST]; messages.len()];
        let each = messages.iter().zip(&mut digests).map(|(message, digest)| HashMessage {
            message: message.as_ptr(),
            message_len: message.len(),
            digest: digest.as_mut_ptr(),
        });
        let all: Vec<_> = each.collect();
        let (number, many) = (self.number, self.api.ropewalk_hash_digest_many);
        // SAFETY: each message has that length, and each digest is for writing.
        done(unsafe { many(number, all.as_ptr(), all.len(), DIGEST, null_mut()) });
        digests
    }
}

/// A private key.
struct Private {
    api: api::P256,
    key: Object<P256_KEY_WORDS>,
}

impl Private {
    fn empty(api: api::P256) -> Self {
        Self { api, key: Object::new() }
    }

    fn new(api: api::P256, secret: &CurveKey) -> Result<Self, Unavailable> {
        let mut key = Self::empty(api);
        key.set(secret)?;
        Ok(key)
    }

    fn set(&mut self, secret: &CurveKey) -> Result<(), Unavailable> {
        let (key, secret) = (self.key.get_mut(), secret.as_ptr());
        // SAFETY: the key is for writing, the secret has 32 bytes, and the error may be NULL.
        made(unsafe { (self.api.ropewalk_p256_key_init)(key, secret, null_mut()) })
    }

    fn wipe(&mut self) {
        // SAFETY: the key is for writing.
        unsafe { (self.api.ropewalk_p256_key_wipe)(self.key.get_mut()) };
    }
}

impl jobs::Agreement<POINT> for Private {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        let (key, public, secret) = (self.key.get(), public.as_ptr(), secret.as_mut_ptr());
        // SAFETY: the key was made, and the others have their lengths.
        done(unsafe { (self.api.ropewalk_p256_agree)(key, public, POINT, secret, null_mut()) });
    }
}

impl jobs::Generation<POINT> for Private {
    fn generate(&mut self, private: &CurveKey, public: &mut Point) {
        self.set(private).expect("a number below the order");
        let (key, public) = (self.key.get(), public.as_mut_ptr());
        // SAFETY: the key was made, and there are that many bytes for its public key.
        done(unsafe { (self.api.ropewalk_p256_public)(key, public, POINT, null_mut()) });
        self.wipe();
    }
}

/// Batches of agreements with one key.
struct Agreements {
    key: Private,
    how: How,
}

impl HashCalls for Agreements {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        let api = &self.key.api;
        let each = texts.iter().zip(digests.chunks_exact_mut(CURVE_KEY));
        let each = each.map(|(public, secret)| P256Item {
            key: self.key.key.get(),
            public_key: public.as_ptr(),
            public_key_len: public.len(),
            secret: secret.as_mut_ptr(),
            status: OK,
        });
        let mut all: Vec<_> = each.collect();
        for _ in 0..calls {
            let items = &mut all[turn.take(texts.len())];
            if self.how == How::Many {
                let (items, count) = (items.as_mut_ptr(), items.len());
                // SAFETY: the key was made, and the others have their lengths and live as long as this.
                done(unsafe { (api.ropewalk_p256_agree_many)(items, count, null_mut()) });
                continue;
            }
            for P256Item { key, public_key, public_key_len, secret, .. } in items {
                let agree = api.ropewalk_p256_agree;
                // SAFETY: the same.
                done(unsafe { agree(*key, *public_key, *public_key_len, *secret, null_mut()) });
            }
        }
    }
}

/// Batches of public keys.
struct Generations {
    api: api::P256,
    /// For the messages of a call.
    keys: Vec<Private>,
    how: How,
}

impl HashCalls for Generations {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let out = &mut digests[range.start * POINT..range.end * POINT];
            let mut items = Vec::with_capacity(range.len());
            let each = self.keys.iter_mut().zip(&texts[range]);
            for ((key, private), public) in each.zip(out.chunks_exact_mut(POINT)) {
                let private = private[..].try_into().expect("of its one length");
                key.set(private).expect("a number below the order");
                items.push(P256PublicItem {
                    key: key.key.get(),
                    public_key: public.as_mut_ptr(),
                    public_key_len: POINT,
                });
            }
            if self.how == How::Many {
                let (items, count) = (items.as_ptr(), items.len());
                // SAFETY: the keys were made, and there are that many bytes for each public key.
                done(unsafe { (self.api.ropewalk_p256_public_many)(items, count, null_mut()) });
            } else {
                for one in items {
                    let public = self.api.ropewalk_p256_public;
                    // SAFETY: the same.
                    done(unsafe { public(one.key, one.public_key, POINT, null_mut()) });
                }
            }
            self.keys.iter_mut().for_each(Private::wipe);
        }
    }
}

/// A private key that signs messages.
struct Signer {
    key: Private,
    hash: Sha256,
}

impl jobs::Signing for Signer {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let (digest, sign) = (self.hash.digest(message), self.key.api.ropewalk_p256_sign);
        let (key, to) = (self.key.key.get(), signature.as_mut_ptr());
        // SAFETY: the key was made, the digest has that length, and there are 64 bytes for its signature.
        done(unsafe { sign(key, digest.as_ptr(), DIGEST, to, null_mut()) });
    }
}

/// Batches of signatures with one key.
struct Signatures {
    key: Private,
    hash: Sha256,
    how: How,
}

impl HashCalls for Signatures {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        let (api, len) = (&self.key.api, size_of::<Signature>());
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let hashed = self.hash.digests(texts[range.clone()].iter());
            let places = digests[range.start * len..range.end * len].chunks_exact_mut(len);
            let each = hashed.iter().zip(places).map(|(digest, signature)| P256ToSign {
                key: self.key.key.get(),
                digest: digest.as_ptr(),
                digest_len: DIGEST,
                signature: signature.as_mut_ptr(),
            });
            let all: Vec<_> = each.collect();
            if self.how == How::Many {
                // SAFETY: the key was made, and each pointer has as many bytes as it must, which live as long as this.
                done(unsafe { (api.ropewalk_p256_sign_many)(all.as_ptr(), all.len(), null_mut()) });
                continue;
            }
            for P256ToSign { key, digest, signature, .. } in all {
                let sign = api.ropewalk_p256_sign;
                // SAFETY: the same.
                done(unsafe { sign(key, digest, DIGEST, signature, null_mut()) });
            }
        }
    }
}

/// A public key.
struct Verifier {
    api: api::P256,
    hash: Sha256,
    key: Object<P256_PUBLIC_KEY_WORDS>,
}

impl Verifier {
    fn new(api: api::P256, hash: Sha256, public: &Point) -> Result<Self, Unavailable> {
        let mut key = Object::new();
        let (place, init) = (key.get_mut(), api.ropewalk_p256_public_key_init);
        // SAFETY: the key is for writing, its bytes are as many, and the error may be NULL.
        made(unsafe { init(place, public.as_ptr(), POINT, null_mut()) })?;
        Ok(Self { api, hash, key })
    }
}

impl jobs::Verifying for Verifier {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let (digest, verify) = (self.hash.digest(message), self.api.ropewalk_p256_verify);
        let (key, signature) = (self.key.get(), signature.as_ptr());
        // SAFETY: the key was made, the digest has that length, and its signature 64 bytes.
        unsafe { verify(key, digest.as_ptr(), DIGEST, signature, null_mut()) == OK }
    }
}

/// Batches of verifications with one key.
struct Verifications {
    key: Verifier,
    how: How,
}

impl VerifyingCalls for Verifications {
    fn verify(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        signed: &[(Text, Signature)],
        right: &mut [bool],
    ) {
        let api = &self.key.api;
        for _ in 0..calls {
            let signed = &signed[turn.take(signed.len())];
            let hashed = self.key.hash.digests(signed.iter().map(|(message, _)| message));
            let each = hashed.iter().zip(signed).map(|(digest, (_, signature))| P256Signed {
                key: self.key.key.get(),
                digest: digest.as_ptr(),
                digest_len: DIGEST,
                signature: signature.as_ptr(),
                status: OK,
            });
            let mut all: Vec<_> = each.collect();
            if self.how == How::Many {
                let (digests, count) = (all.as_mut_ptr(), all.len());
                // SAFETY: the key was made, and each pointer has as many bytes as it must, which live as long as this.
                unsafe { (api.ropewalk_p256_verify_many)(digests, count, null_mut()) };
            } else {
                for P256Signed { key, digest, signature, status, .. } in &mut all {
                    let verify = api.ropewalk_p256_verify;
                    // SAFETY: the same.
                    *status = unsafe { verify(*key, *digest, DIGEST, *signature, null_mut()) };
                }
            }
            for (right, one) in right.iter_mut().zip(&all) {
                *right = one.status == OK;
            }
        }
    }
}
