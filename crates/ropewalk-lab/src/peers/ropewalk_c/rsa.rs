//! RSA.

use std::ptr::null_mut;

use libloading::os::unix::Library;

use super::{
    How,
    api::{
        self, OK, Object, RSA_KEY_WORDS, RSA_PKCS1V15, RSA_PUBLIC_KEY_WORDS, RsaSigned, RsaToSign,
    },
    done, made,
    nist::{DIGEST, Sha256},
};
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{
            self, HashCalls, Text, Turn, VerifyingCalls,
            rsa::{Key, Signature},
        },
    },
    tasks::{Cell, SignatureOp},
};

/// A job of signatures PKCS#1 v1.5 with SHA-256.
pub(super) fn job(
    library: &'static Library,
    cell: &Cell,
    how: How,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let (api, hash) = (api::Rsa::load(library)?, Sha256::load(library)?);
    match (op, how) {
        (SignatureOp::Sign, How::Alone) => {
            jobs::rsa::signing(cell, move |key| Signer::new(api, hash, key))
        }
        (SignatureOp::Sign, how) => jobs::rsa::signing_calls(cell, |key| {
            Ok(Box::new(Signatures { key: Signer::new(api, hash, key)?, how }))
        }),
        (SignatureOp::Verify, How::Alone) => {
            jobs::rsa::verifying(cell, move |key| Verifier::new(api, hash, key))
        }
        (SignatureOp::Verify, how) => jobs::rsa::verifying_calls(cell, |key| {
            Ok(Box::new(Verifications { key: Verifier::new(api, hash, key)?, how }))
        }),
    }
}

/// A private key. Its object refers to memory that `_wipe` frees.
struct Signer {
    api: api::Rsa,
    hash: Sha256,
    key: Object<RSA_KEY_WORDS>,
    /// Bytes of a signature.
    len: usize,
}

impl Signer {
    fn new(api: api::Rsa, hash: Sha256, key: &Key) -> Result<Self, Unavailable> {
        let (file, len) = (&key.pkcs8, key.numbers.n.len());
        let mut made_key = Self { api, hash, key: Object::new(), len };
        let (place, read) = (made_key.key.get_mut(), api.ropewalk_rsa_key_read);
        // SAFETY: the key is for writing, the file has that length, and the error may be NULL.
        made(unsafe { read(place, file.as_ptr(), file.len(), null_mut()) })?;
        Ok(made_key)
    }
}

impl Drop for Signer {
    fn drop(&mut self) {
        // SAFETY: the key was made, or its words are zero.
        unsafe { (self.api.ropewalk_rsa_key_wipe)(self.key.get_mut()) };
    }
}

impl jobs::Signing<[u8]> for Signer {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) {
        let (digest, sign) = (self.hash.digest(message), self.api.ropewalk_rsa_sign_pkcs1v15);
        let (key, hash, digest) = (self.key.get(), self.hash.number, digest.as_ptr());
        let (to, len) = (signature.as_mut_ptr(), signature.len());
        // SAFETY: the key was made, and the others have their lengths.
        done(unsafe { sign(key, hash, digest, DIGEST, to, len, null_mut()) });
    }
}

/// Batches of signatures with one key.
struct Signatures {
    key: Signer,
    how: How,
}

impl HashCalls for Signatures {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        let Signer { api, hash, key, len } = &self.key;
        for _ in 0..calls {
            let range = turn.take(texts.len());
            let hashed = hash.digests(texts[range.clone()].iter());
            let places = digests[range.start * len..range.end * len].chunks_exact_mut(*len);
            let each = hashed.iter().zip(places).map(|(digest, signature)| RsaToSign {
                key: key.get(),
                padding: RSA_PKCS1V15,
                hash: hash.number,
                salt_len: 0,
                digest: digest.as_ptr(),
                digest_len: DIGEST,
                signature: signature.as_mut_ptr(),
                signature_len: *len,
            });
            let all: Vec<_> = each.collect();
            if self.how == How::Many {
                // SAFETY: the key was made, and each pointer has as many bytes as it must, which live as long as this.
                done(unsafe { (api.ropewalk_rsa_sign_many)(all.as_ptr(), all.len(), null_mut()) });
                continue;
            }
            for RsaToSign { key, hash, digest, signature, .. } in all {
                let sign = api.ropewalk_rsa_sign_pkcs1v15;
                // SAFETY: the same.
                done(unsafe { sign(key, hash, digest, DIGEST, signature, *len, null_mut()) });
            }
        }
    }
}

/// A public key.
struct Verifier {
    api: api::Rsa,
    hash: Sha256,
    key: Object<RSA_PUBLIC_KEY_WORDS>,
}

impl Verifier {
    fn new(api: api::Rsa, hash: Sha256, key: &Key) -> Result<Self, Unavailable> {
        let (file, mut object) = (&key.spki, Object::new());
        let (place, read) = (object.get_mut(), api.ropewalk_rsa_public_key_read);
        // SAFETY: the key is for writing, the file has that length, and the error may be NULL.
        made(unsafe { read(place, file.as_ptr(), file.len(), null_mut()) })?;
        Ok(Self { api, hash, key: object })
    }
}

impl jobs::Verifying<Signature> for Verifier {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let (digest, verify) = (self.hash.digest(message), self.api.ropewalk_rsa_verify_pkcs1v15);
        let (key, hash, digest) = (self.key.get(), self.hash.number, digest.as_ptr());
        let (signature, len) = (signature.as_ptr(), signature.len());
        // SAFETY: the key was made, and the others have their lengths.
        unsafe { verify(key, hash, digest, DIGEST, signature, len, null_mut()) == OK }
    }
}

/// Batches of verifications with one key.
struct Verifications {
    key: Verifier,
    how: How,
}

impl VerifyingCalls<Signature> for Verifications {
    fn verify(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        signed: &[(Text, Signature)],
        right: &mut [bool],
    ) {
        let Verifier { api, hash, key } = &self.key;
        for _ in 0..calls {
            let signed = &signed[turn.take(signed.len())];
            let hashed = hash.digests(signed.iter().map(|(message, _)| message));
            let each = hashed.iter().zip(signed).map(|(digest, (_, signature))| RsaSigned {
                key: key.get(),
                padding: RSA_PKCS1V15,
                hash: hash.number,
                salt_len: 0,
                digest: digest.as_ptr(),
                digest_len: DIGEST,
                signature: signature.as_ptr(),
                signature_len: signature.len(),
                status: OK,
            });
            let mut all: Vec<_> = each.collect();
            if self.how == How::Many {
                let (digests, count) = (all.as_mut_ptr(), all.len());
                // SAFETY: the key was made, and each pointer has as many bytes as it must, which live as long as this.
                unsafe { (api.ropewalk_rsa_verify_many)(digests, count, null_mut()) };
            } else {
                for one in &mut all {
                    let RsaSigned { key, hash, digest, signature, signature_len, .. } = *one;
                    let verify = api.ropewalk_rsa_verify_pkcs1v15;
                    // SAFETY: the same.
                    one.status = unsafe {
                        verify(key, hash, digest, DIGEST, signature, signature_len, null_mut())
                    };
                }
            }
            for (right, one) in right.iter_mut().zip(&all) {
                *right = one.status == OK;
            }
        }
    }
}
