//! X25519 and Ed25519.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::{
    How,
    api::{
        self, ED25519_KEY_WORDS, ED25519_PUBLIC_KEY_WORDS, Ed25519Signed, Ed25519ToSign, OK,
        Object, X25519_KEY_WORDS, X25519Item, X25519PublicItem,
    },
    done, made,
};
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{self, CurveKey, HashCalls, Signature, Text, Turn, VerifyingCalls},
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, SignatureOp},
};

/// A job of X25519.
pub(super) fn x25519(
    library: &'static Library,
    cell: &Cell,
    how: How,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = api::X25519::load(library)?;
    match (op, how) {
        (AgreementOp::Agree, How::Alone) => {
            jobs::agreement(cell, move |secret| Private::new(api, secret))
        }
        (AgreementOp::Agree, how) => jobs::agreement_calls(cell, |secret| {
            Ok(Box::new(Agreements { key: Private::new(api, secret)?, how }))
        }),
        (AgreementOp::Generate, How::Alone) => jobs::generation(cell, Private::empty(api)),
        (AgreementOp::Generate, how) => {
            let keys = (0..cell.count).map(|_| Private::empty(api)).collect();
            jobs::generation_calls(cell, Box::new(Generations { api, keys, how }))
        }
    }
}

/// A private key of X25519.
struct Private {
    api: api::X25519,
    key: Object<X25519_KEY_WORDS>,
}

impl Private {
    fn empty(api: api::X25519) -> Self {
        Self { api, key: Object::new() }
    }

    fn new(api: api::X25519, secret: &CurveKey) -> Result<Self, Unavailable> {
        let mut key = Self::empty(api);
        key.set(secret)?;
        Ok(key)
    }

    fn set(&mut self, secret: &CurveKey) -> Result<(), Unavailable> {
        let (key, secret) = (self.key.get_mut(), secret.as_ptr());
        // SAFETY: the key is for writing, the secret has 32 bytes, and the error may be NULL.
        made(unsafe { (self.api.ropewalk_x25519_key_init)(key, secret, null_mut()) })
    }

    fn wipe(&mut self) {
        // SAFETY: the key is for writing.
        unsafe { (self.api.ropewalk_x25519_key_wipe)(self.key.get_mut()) };
    }
}

impl jobs::Agreement for Private {
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey) {
        let (public, secret) = (public.as_ptr(), secret.as_mut_ptr());
        // SAFETY: the key was made, and the others have 32 bytes.
        done(unsafe {
            (self.api.ropewalk_x25519_agree)(self.key.get(), public, secret, null_mut())
        });
    }

    fn rekey(&mut self, secret: &CurveKey) -> bool {
        self.wipe();
        self.set(secret).expect("it has been made before");
        true
    }
}

impl jobs::Generation for Private {
    fn generate(&mut self, private: &CurveKey, public: &mut CurveKey) {
        self.set(private).expect("any bytes are a key");
        // SAFETY: the key was made, and there are 32 bytes for its public key.
        done(unsafe {
            (self.api.ropewalk_x25519_public)(self.key.get(), public.as_mut_ptr(), null_mut())
        });
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
        let each = each.map(|(public, secret)| X25519Item {
            key: self.key.key.get(),
            public_key: public.as_ptr(),
            secret: secret.as_mut_ptr(),
            status: OK,
        });
        let mut all: Vec<_> = each.collect();
        for _ in 0..calls {
            let items = &mut all[turn.take(texts.len())];
            if self.how == How::Many {
                let (items, count) = (items.as_mut_ptr(), items.len());
                // SAFETY: the key was made, and the others have 32 bytes and live as long as this.
                done(unsafe { (api.ropewalk_x25519_agree_many)(items, count, null_mut()) });
                continue;
            }
            for one in items {
                // SAFETY: the same.
                done(unsafe {
                    (api.ropewalk_x25519_agree)(one.key, one.public_key, one.secret, null_mut())
                });
            }
        }
    }
}

/// Batches of public keys.
struct Generations {
    api: api::X25519,
    /// For the messages of a call.
    keys: Vec<Private>,
    how: How,
}

impl HashCalls for Generations {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let out = &mut digests[range.start * CURVE_KEY..range.end * CURVE_KEY];
            let mut items = Vec::with_capacity(range.len());
            let each = self.keys.iter_mut().zip(&texts[range]);
            for ((key, private), public) in each.zip(out.chunks_exact_mut(CURVE_KEY)) {
                let private = private[..].try_into().expect("of its one length");
                key.set(private).expect("any bytes are a key");
                items
                    .push(X25519PublicItem { key: key.key.get(), public_key: public.as_mut_ptr() });
            }
            if self.how == How::Many {
                let (items, count) = (items.as_ptr(), items.len());
                // SAFETY: the keys were made, and there are 32 bytes for each public key.
                done(unsafe { (self.api.ropewalk_x25519_public_many)(items, count, null_mut()) });
            } else {
                for one in items {
                    // SAFETY: the same.
                    done(unsafe {
                        (self.api.ropewalk_x25519_public)(one.key, one.public_key, null_mut())
                    });
                }
            }
            self.keys.iter_mut().for_each(Private::wipe);
        }
    }
}

/// A job of Ed25519.
pub(super) fn ed25519(
    library: &'static Library,
    cell: &Cell,
    how: How,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = api::Ed25519::load(library)?;
    match (op, how) {
        (SignatureOp::Sign, How::Alone) => {
            jobs::signing(cell, move |secret| Signer::new(api, secret))
        }
        (SignatureOp::Sign, how) => jobs::signing_calls(cell, |secret| {
            Ok(Box::new(Signatures { key: Signer::new(api, secret)?, how }))
        }),
        (SignatureOp::Verify, How::Alone) => {
            jobs::verifying(cell, move |public| Verifier::new(api, public))
        }
        (SignatureOp::Verify, how) => jobs::verifying_calls(cell, |public| {
            Ok(Box::new(Verifications { key: Verifier::new(api, public)?, how }))
        }),
    }
}

/// A private key of Ed25519.
struct Signer {
    api: api::Ed25519,
    key: Object<ED25519_KEY_WORDS>,
}

impl Signer {
    fn new(api: api::Ed25519, secret: &CurveKey) -> Result<Self, Unavailable> {
        let mut key = Self { api, key: Object::new() };
        key.set(secret)?;
        Ok(key)
    }

    fn set(&mut self, secret: &CurveKey) -> Result<(), Unavailable> {
        let (key, secret) = (self.key.get_mut(), secret.as_ptr());
        // SAFETY: the key is for writing, the secret has 32 bytes, and the error may be NULL.
        made(unsafe { (self.api.ropewalk_ed25519_key_init)(key, secret, null_mut()) })
    }
}

impl jobs::Signing for Signer {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let (text, len, to) = (message.as_ptr(), message.len(), signature.as_mut_ptr());
        // SAFETY: the key was made, the message has that length, and there are 64 bytes for its signature.
        done(unsafe {
            (self.api.ropewalk_ed25519_sign)(self.key.get(), text, len, to, null_mut())
        });
    }

    fn rekey(&mut self, secret: &CurveKey) -> bool {
        // SAFETY: the key was made.
        unsafe { (self.api.ropewalk_ed25519_key_wipe)(self.key.get_mut()) };
        self.set(secret).expect("it has been made before");
        true
    }
}

/// Batches of signatures with one key.
struct Signatures {
    key: Signer,
    how: How,
}

impl HashCalls for Signatures {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        let api = &self.key.api;
        let each = texts.iter().zip(digests.chunks_exact_mut(size_of::<Signature>()));
        let each = each.map(|(message, signature)| Ed25519ToSign {
            key: self.key.key.get(),
            message: message.as_ptr(),
            message_len: message.len(),
            signature: signature.as_mut_ptr(),
        });
        let all: Vec<_> = each.collect();
        for _ in 0..calls {
            let messages = &all[turn.take(texts.len())];
            if self.how == How::Many {
                let (messages, count) = (messages.as_ptr(), messages.len());
                // SAFETY: the key was made, and each pointer has as many bytes as it must, which live as long as this.
                done(unsafe { (api.ropewalk_ed25519_sign_many)(messages, count, null_mut()) });
                continue;
            }
            for m in messages {
                // SAFETY: the same.
                done(unsafe {
                    (api.ropewalk_ed25519_sign)(
                        m.key,
                        m.message,
                        m.message_len,
                        m.signature,
                        null_mut(),
                    )
                });
            }
        }
    }
}

/// A public key of Ed25519.
struct Verifier {
    api: api::Ed25519,
    key: Object<ED25519_PUBLIC_KEY_WORDS>,
}

impl Verifier {
    fn new(api: api::Ed25519, public: &CurveKey) -> Result<Self, Unavailable> {
        let mut key = Self { api, key: Object::new() };
        key.set(public)?;
        Ok(key)
    }

    fn set(&mut self, public: &CurveKey) -> Result<(), Unavailable> {
        let (key, public) = (self.key.get_mut(), public.as_ptr());
        // SAFETY: the key is for writing, its bytes are 32, and the error may be NULL.
        made(unsafe { (self.api.ropewalk_ed25519_public_key_init)(key, public, null_mut()) })
    }
}

impl jobs::Verifying for Verifier {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let (text, len, signature) = (message.as_ptr(), message.len(), signature.as_ptr());
        let (key, verify) = (self.key.get(), self.api.ropewalk_ed25519_verify);
        // SAFETY: the key was made, the message has that length, and its signature 64 bytes.
        unsafe { verify(key, text, len, signature, null_mut()) == OK }
    }

    fn rekey(&mut self, public: &[u8]) -> bool {
        let public = public.try_into().expect("32 bytes");
        self.set(public).expect("it has been made before");
        true
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
        let each = signed.iter().map(|(message, signature)| Ed25519Signed {
            key: self.key.key.get(),
            message: message.as_ptr(),
            message_len: message.len(),
            signature: signature.as_ptr(),
            status: OK,
        });
        let mut all: Vec<_> = each.collect();
        for _ in 0..calls {
            let messages = &mut all[turn.take(signed.len())];
            if self.how == How::Many {
                let (start, count) = (messages.as_mut_ptr(), messages.len());
                // SAFETY: the key was made, and each pointer has as many bytes as it must, which live as long as this.
                unsafe { (api.ropewalk_ed25519_verify_many)(start, count, null_mut()) };
            } else {
                for m in &mut *messages {
                    let Ed25519Signed { key, message, message_len, signature, .. } = *m;
                    // SAFETY: the same.
                    m.status = unsafe {
                        (api.ropewalk_ed25519_verify)(
                            key,
                            message,
                            message_len,
                            signature,
                            null_mut(),
                        )
                    };
                }
            }
            for (right, m) in right.iter_mut().zip(messages) {
                *right = m.status == OK;
            }
        }
    }
}
