//! Graviola, whose code is for x86-64 and Arm64 only.

use super::{Opened, Peer, Unavailable};

/// Graviola.
pub(super) struct Graviola;

impl Peer for Graviola {
    fn name(&self) -> &'static str {
        "graviola"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-128-gcm", "aes-256-gcm", "chacha20-poly1305",
            "aes-128-gmac", "aes-256-gmac",
            "sha256", "sha384", "sha512",
            "x25519", "ed25519", "p256", "rsa-*",
        ]
    }

    fn open(&self, _: &str) -> Result<Box<dyn Opened>, Unavailable> {
        open()
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn open() -> Result<Box<dyn Opened>, Unavailable> {
    Err(Unavailable("has no code for this processor".into()))
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use built_in::open;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod built_in {
    use graviola::{
        aead::{AesGcm, ChaCha20Poly1305},
        hashing::{self, Hash, sha2},
        key_agreement::{
            p256,
            x25519::{PublicKey, StaticPrivateKey},
        },
        signing::{
            ecdsa::{P256, SigningKey, VerifyingKey},
            eddsa::{Ed25519SigningKey, Ed25519VerifyingKey},
            rsa,
        },
        util::is_cpu_supported,
    };

    use super::Graviola;
    use crate::{
        peers::{
            Job, Opened, Unavailable,
            jobs::{
                self, CurveKey, Signature,
                p256::{POINT, Point},
            },
        },
        tasks::{AgreementOp, Cell, Function, Kind, Mac, SignatureOp},
    };

    /// A test compares it with Cargo.lock.
    const VERSION: &str = "graviola 0.4.4";

    pub(super) fn open() -> Result<Box<dyn Opened>, Unavailable> {
        // It would panic at the first call.
        if !is_cpu_supported() {
            return Err(Unavailable("needs features that this processor lacks".into()));
        }
        Ok(Box::new(Library))
    }

    struct Library;

    impl Opened for Library {
        fn version(&self) -> String {
            VERSION.into()
        }

        fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
            match cell.task.kind {
                Kind::Gcm { op, key_len: key_len @ (16 | 32) } => {
                    jobs::aead(cell, op, key_len, |key| Ok(Gcm(AesGcm::new(key))))
                }
                Kind::X25519(AgreementOp::Agree) => {
                    jobs::agreement(cell, |key| Ok(Private(StaticPrivateKey::from_array(key))))
                }
                Kind::X25519(AgreementOp::Generate) => jobs::generation(cell, Generation),
                Kind::Ed25519(SignatureOp::Sign) => jobs::signing(cell, |seed| {
                    Ok(Pair(Ed25519SigningKey::from_bytes(seed).expect("32 bytes")))
                }),
                Kind::Ed25519(SignatureOp::Verify) => jobs::verifying(cell, |public| {
                    Ok(Public(Ed25519VerifyingKey::from_bytes(public).expect("it is one")))
                }),
                Kind::EcdhP256(AgreementOp::Agree) => {
                    jobs::p256::agreement(cell, |pair| Ok(PrivateP256(static_key(pair.private))))
                }
                Kind::EcdhP256(AgreementOp::Generate) => {
                    jobs::p256::generation(cell, GenerationP256)
                }
                Kind::EcdsaP256(SignatureOp::Sign) => jobs::p256::signing(cell, |pair| {
                    Ok(PairP256(SigningKey { private_key: static_key(pair.private) }))
                }),
                Kind::EcdsaP256(SignatureOp::Verify) => jobs::p256::verifying(cell, |public| {
                    let key = VerifyingKey::from_x962_uncompressed(public);
                    Ok(PublicP256(key.expect("it is one")))
                }),
                Kind::Rsa { op: SignatureOp::Sign, .. } => jobs::rsa::signing(cell, |key| {
                    let key = rsa::SigningKey::from_pkcs8_der(&key.pkcs8);
                    Ok(PairRsa(key.expect("it is a private key")))
                }),
                Kind::Rsa { op: SignatureOp::Verify, .. } => jobs::rsa::verifying(cell, |key| {
                    let key = rsa::VerifyingKey::from_pkcs1_der(&key.pkcs1_public);
                    Ok(PublicRsa(key.expect("it is one")))
                }),
                Kind::ChaChaPoly { op } => jobs::aead(cell, op, 32, |key| {
                    let key = key.try_into().expect("32 bytes");
                    Ok(ChaChaPoly(ChaCha20Poly1305::new(key)))
                }),
                Kind::Gmac { key_len: key_len @ (16 | 32) } => {
                    jobs::gmac(cell, key_len, |key| Ok(jobs::HeaderAlone(Gcm(AesGcm::new(key)))))
                }
                Kind::Mac(Mac::Hmac(_)) => Err(Unavailable("keeps no key of a MAC ready".into())),
                Kind::Hash(Function::Sha256) => {
                    Ok(jobs::hash(cell, Sha256(sha2::Sha256Context::new())))
                }
                Kind::Hash(Function::Sha384) => {
                    Ok(jobs::hash(cell, Sha384(sha2::Sha384Context::new())))
                }
                Kind::Hash(Function::Sha512) => {
                    Ok(jobs::hash(cell, Sha512(sha2::Sha512Context::new())))
                }
                _ => Err(Unavailable::lacks(&Graviola, cell.task)),
            }
        }
    }

    /// Both have the same calls.
    macro_rules! aead {
        ($Key:ident of $Cipher:ident, $new:path) => {
            struct $Key($Cipher);

            impl jobs::Aead for $Key {
                const OPEN_NOTE: &str = jobs::COPIES;

                fn seal(
                    &mut self,
                    nonce: &[u8; 12],
                    aad: &[u8],
                    text: &mut [u8],
                    tag: &mut [u8; 16],
                ) {
                    self.0.encrypt(nonce, aad, text, tag);
                }
                fn open(
                    &mut self,
                    nonce: &[u8; 12],
                    aad: &[u8],
                    sealed: &[u8],
                    tag: &[u8; 16],
                    text: &mut [u8],
                ) -> bool {
                    text.copy_from_slice(sealed);
                    self.0.decrypt(nonce, aad, text, tag).is_ok()
                }
                fn rekey(&mut self, key: &[u8]) {
                    self.0 = $new(key);
                }
            }
        };
    }

    aead!(Gcm of AesGcm, AesGcm::new);
    aead!(ChaChaPoly of ChaCha20Poly1305, chacha_poly);

    fn chacha_poly(key: &[u8]) -> ChaCha20Poly1305 {
        ChaCha20Poly1305::new(key.try_into().expect("32 bytes"))
    }

    macro_rules! hashes {
        ($($Hash:ident: $Context:ident;)+) => { $(
            struct $Hash(sha2::$Context);

            impl jobs::Hash for $Hash {
                fn message(&mut self, text: &[u8], digest: &mut [u8]) {
                    jobs::put(digest, hashing::$Hash::hash(text).as_ref());
                }
                fn start(&mut self) {
                    self.0 = sha2::$Context::new();
                }
                fn update(&mut self, text: &[u8]) {
                    self.0.update(text);
                }
                fn finish(&mut self, digest: &mut [u8]) {
                    digest.copy_from_slice(&self.0.clone().finish());
                }
            }
        )+ };
    }

    hashes! {
        Sha256: Sha256Context;
        Sha384: Sha384Context;
        Sha512: Sha512Context;
    }

    struct Private(StaticPrivateKey);

    impl jobs::Agreement for Private {
        fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey) {
            let agreed = self.0.diffie_hellman(&PublicKey::from_array(public));
            *secret = agreed.expect("it is a public key").as_bytes();
        }
    }

    struct Generation;

    impl jobs::Generation for Generation {
        fn generate(&mut self, private: &CurveKey, public: &mut CurveKey) {
            *public = StaticPrivateKey::from_array(private).public_key().as_bytes();
        }
    }

    struct Pair(Ed25519SigningKey);

    impl jobs::Signing for Pair {
        fn sign(&mut self, message: &[u8], signature: &mut Signature) {
            *signature = self.0.sign(message);
        }
    }

    struct Public(Ed25519VerifyingKey);

    impl jobs::Verifying for Public {
        fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
            self.0.verify(signature, message).is_ok()
        }
    }

    fn static_key(private: &CurveKey) -> p256::StaticPrivateKey {
        p256::StaticPrivateKey::from_bytes(private).expect("a number below the order")
    }

    struct PrivateP256(p256::StaticPrivateKey);

    impl jobs::Agreement<POINT> for PrivateP256 {
        fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
            let public = p256::PublicKey::from_x962_uncompressed(public);
            let agreed = public.and_then(|public| self.0.diffie_hellman(&public));
            *secret = agreed.expect("it is a public key").0;
        }
    }

    struct GenerationP256;

    impl jobs::Generation<POINT> for GenerationP256 {
        fn generate(&mut self, private: &CurveKey, public: &mut Point) {
            *public = static_key(private).public_key_uncompressed();
        }
    }

    struct PairP256(SigningKey<P256>);

    impl jobs::Signing for PairP256 {
        fn sign(&mut self, message: &[u8], signature: &mut Signature) {
            let signed = self.0.sign::<hashing::Sha256>(&[message], signature);
            signed.expect("the system has random bytes");
        }
    }

    struct PublicP256(VerifyingKey<P256>);

    impl jobs::Verifying for PublicP256 {
        fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
            self.0.verify::<hashing::Sha256>(&[message], signature).is_ok()
        }
    }

    struct PairRsa(rsa::SigningKey);

    impl jobs::Signing<[u8]> for PairRsa {
        fn sign(&mut self, message: &[u8], signature: &mut [u8]) {
            let signed = self.0.sign_pkcs1_sha256(signature, message);
            signed.expect("the system has random bytes");
        }
    }

    struct PublicRsa(rsa::VerifyingKey);

    impl jobs::Verifying<jobs::rsa::Signature> for PublicRsa {
        fn verify(&mut self, message: &[u8], signature: &jobs::rsa::Signature) -> bool {
            self.0.verify_pkcs1_sha256(signature, message).is_ok()
        }
    }

    #[cfg(test)]
    #[test]
    fn version_is_the_one_that_is_built_in() {
        crate::peers::tests::assert_locked(VERSION);
    }
}
