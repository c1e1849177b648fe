//! Ring.

use super::{Opened, Peer, Unavailable};

/// Ring.
pub(super) struct Ring;

impl Peer for Ring {
    fn name(&self) -> &'static str {
        "ring"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-128-gcm", "aes-256-gcm", "chacha20-poly1305",
            "aes-128-gmac", "aes-256-gmac",
            "hmac-sha1", "hmac-sha256", "hmac-sha384", "hmac-sha512",
            "sha1", "sha256", "sha384", "sha512", "sha512-256",
            "x25519", "ed25519", "p256", "rsa-*",
            "random",
        ]
    }

    fn open(&self, _: &str) -> Result<Box<dyn Opened>, Unavailable> {
        open()
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn open() -> Result<Box<dyn Opened>, Unavailable> {
    Err(Unavailable("is not built in for this processor".into()))
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use built_in::open;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod built_in {
    use ring::{
        aead::{
            AES_128_GCM, AES_256_GCM, Aad, Algorithm, CHACHA20_POLY1305, LessSafeKey, Nonce, Tag,
            UnboundKey,
        },
        agreement::{self, ECDH_P256, EphemeralPrivateKey, X25519},
        digest::{self, Context, SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA384, SHA512, SHA512_256},
        hmac,
        rand::{SecureRandom, SystemRandom},
        signature::{
            self, ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, ED25519, EcdsaKeyPair,
            Ed25519KeyPair, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair,
        },
    };

    use super::Ring;
    use crate::{
        peers::{
            Job, Opened, Unavailable,
            jobs::{self, CurveKey, Signature},
        },
        tasks::{Cell, Function, Kind, Mac, SignatureOp},
    };

    /// A test compares it with Cargo.lock.
    const VERSION: &str = "ring 0.17.14";

    pub(super) fn open() -> Result<Box<dyn Opened>, Unavailable> {
        Ok(Box::new(Library))
    }

    struct Library;

    impl Opened for Library {
        fn version(&self) -> String {
            VERSION.into()
        }

        fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
            let lacks = || Unavailable::lacks(&Ring, cell.task);
            match cell.task.kind {
                Kind::Gcm { op, key_len: key_len @ (16 | 32) } => {
                    jobs::aead(cell, op, key_len, |key| Ok(Sealing::of_aes(key)))
                }
                Kind::Fill => Ok(jobs::fill(cell, System(SystemRandom::new()))),
                Kind::X25519(op) => jobs::ephemeral(cell, op, Private::of(&X25519)),
                Kind::Ed25519(SignatureOp::Sign) => jobs::signing(cell, |seed| {
                    let pair = Ed25519KeyPair::from_seed_unchecked(seed);
                    Ok(Pair(pair.expect("any seed will do")))
                }),
                Kind::Ed25519(SignatureOp::Verify) => jobs::verifying(cell, |public| {
                    Ok(Public(signature::UnparsedPublicKey::new(&ED25519, *public)))
                }),
                Kind::EcdhP256(op) => jobs::p256::ephemeral(cell, op, Private::of(&ECDH_P256)),
                Kind::EcdsaP256(SignatureOp::Sign) => {
                    jobs::p256::signing(cell, |pair| Ok(EcdsaPair::new(pair)))
                }
                Kind::EcdsaP256(SignatureOp::Verify) => jobs::p256::verifying(cell, |public| {
                    Ok(Public(signature::UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, *public)))
                }),
                Kind::Rsa { op: SignatureOp::Sign, .. } => {
                    jobs::rsa::signing(cell, |key| Ok(RsaPair::new(&key.pkcs8)))
                }
                Kind::Rsa { op: SignatureOp::Verify, .. } => jobs::rsa::verifying(cell, |key| {
                    let (how, key) = (&RSA_PKCS1_2048_8192_SHA256, &key.pkcs1_public[..]);
                    Ok(Public(signature::UnparsedPublicKey::new(how, key)))
                }),
                Kind::ChaChaPoly { op } => {
                    jobs::aead(cell, op, 32, |key| Ok(Sealing::new(&CHACHA20_POLY1305, key)))
                }
                Kind::Gmac { key_len: key_len @ (16 | 32) } => {
                    jobs::gmac(cell, key_len, |key| Ok(jobs::HeaderAlone(Sealing::of_aes(key))))
                }
                Kind::Mac(Mac::Hmac(function)) => {
                    let algorithm = match function {
                        Function::Sha1 => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
                        Function::Sha256 => hmac::HMAC_SHA256,
                        Function::Sha384 => hmac::HMAC_SHA384,
                        Function::Sha512 => hmac::HMAC_SHA512,
                        _ => return Err(lacks()),
                    };
                    jobs::mac(cell, move |key| {
                        let key = hmac::Key::new(algorithm, key);
                        let running = hmac::Context::with_key(&key);
                        Ok(Hmac { key, running })
                    })
                }
                Kind::Hash(function) => {
                    let algorithm = match function {
                        Function::Sha1 => &SHA1_FOR_LEGACY_USE_ONLY,
                        Function::Sha256 => &SHA256,
                        Function::Sha384 => &SHA384,
                        Function::Sha512 => &SHA512,
                        Function::Sha512_256 => &SHA512_256,
                        _ => return Err(lacks()),
                    };
                    Ok(jobs::hash(cell, Hash(algorithm, Context::new(algorithm))))
                }
                _ => Err(lacks()),
            }
        }
    }

    struct Sealing(&'static Algorithm, LessSafeKey);

    impl Sealing {
        fn of_aes(key: &[u8]) -> Self {
            Self::new(if key.len() == 16 { &AES_128_GCM } else { &AES_256_GCM }, key)
        }

        fn new(algorithm: &'static Algorithm, key: &[u8]) -> Self {
            let key = UnboundKey::new(algorithm, key).expect("a key of its length");
            Self(algorithm, LessSafeKey::new(key))
        }
    }

    impl jobs::Aead for Sealing {
        const OPEN_NOTE: &str = jobs::COPIES;

        fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
            let nonce = Nonce::assume_unique_for_key(*nonce);
            let sealed = self.1.seal_in_place_separate_tag(nonce, Aad::from(aad), text);
            tag.copy_from_slice(sealed.expect("no length is too long").as_ref());
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
            let nonce = Nonce::assume_unique_for_key(*nonce);
            let tag = Tag::from(*tag);
            self.1.open_in_place_separate_tag(nonce, Aad::from(aad), tag, text, 0..).is_ok()
        }
        fn rekey(&mut self, key: &[u8]) {
            *self = Self::new(self.0, key);
        }
    }

    struct Hash(&'static digest::Algorithm, Context);

    impl jobs::Hash for Hash {
        fn message(&mut self, text: &[u8], digest: &mut [u8]) {
            jobs::put(digest, digest::digest(self.0, text).as_ref());
        }
        fn start(&mut self) {
            self.1 = Context::new(self.0);
        }
        fn update(&mut self, text: &[u8]) {
            self.1.update(text);
        }
        fn finish(&mut self, digest: &mut [u8]) {
            jobs::put(digest, self.1.clone().finish().as_ref());
        }
    }

    struct Hmac {
        key: hmac::Key,
        running: hmac::Context,
    }

    impl jobs::Hash for Hmac {
        fn message(&mut self, text: &[u8], digest: &mut [u8]) {
            jobs::put(digest, hmac::sign(&self.key, text).as_ref());
        }
        fn start(&mut self) {
            self.running = hmac::Context::with_key(&self.key);
        }
        fn update(&mut self, text: &[u8]) {
            self.running.update(text);
        }
        fn finish(&mut self, digest: &mut [u8]) {
            jobs::put(digest, self.running.clone().sign().as_ref());
        }
        fn rekey(&mut self, key: &[u8]) -> bool {
            self.key = hmac::Key::new(self.key.algorithm(), key);
            true
        }
    }

    /// It calls the operating system each time.
    struct System(SystemRandom);

    impl jobs::Fill for System {
        fn fill(&mut self, out: &mut [u8]) {
            self.0.fill(out).expect("the operating system has random bytes");
        }
    }

    /// It neither imports private keys, nor uses its own twice.
    struct Private {
        algorithm: &'static agreement::Algorithm,
        random: SystemRandom,
    }

    impl Private {
        fn of(algorithm: &'static agreement::Algorithm) -> Self {
            Self { algorithm, random: SystemRandom::new() }
        }

        fn key(&self) -> EphemeralPrivateKey {
            let key = EphemeralPrivateKey::generate(self.algorithm, &self.random);
            key.expect("the system has random bytes")
        }
    }

    impl<const PUBLIC: usize> jobs::Ephemeral<PUBLIC> for Private {
        fn agree(&mut self, public: &[u8; PUBLIC], secret: &mut CurveKey) {
            agree(self.key(), public, secret);
        }
        fn generate(&mut self, public: &mut [u8; PUBLIC]) {
            *public = public_of(&self.key());
        }
        fn both(&mut self, public: &[u8; PUBLIC]) -> (CurveKey, [u8; PUBLIC]) {
            let (key, mut secret) = (self.key(), [0; 32]);
            let own = public_of(&key);
            agree(key, public, &mut secret);
            (secret, own)
        }
    }

    fn agree(key: EphemeralPrivateKey, public: &[u8], secret: &mut CurveKey) {
        let public = agreement::UnparsedPublicKey::new(key.algorithm(), public);
        let agreed =
            agreement::agree_ephemeral(key, &public, |agreed| secret.copy_from_slice(agreed));
        agreed.expect("it is a public key");
    }

    fn public_of<const PUBLIC: usize>(key: &EphemeralPrivateKey) -> [u8; PUBLIC] {
        let public = key.compute_public_key().expect("each has one");
        public.as_ref().try_into().expect("as long as those of its curve")
    }

    struct Pair(Ed25519KeyPair);

    impl jobs::Signing for Pair {
        fn sign(&mut self, message: &[u8], signature: &mut Signature) {
            jobs::put(signature, self.0.sign(message).as_ref());
        }
    }

    struct EcdsaPair(EcdsaKeyPair, SystemRandom);

    impl EcdsaPair {
        fn new(pair: jobs::p256::Pair<'_>) -> Self {
            let (random, how) = (SystemRandom::new(), &ECDSA_P256_SHA256_FIXED_SIGNING);
            let [private, public] = [&pair.private[..], pair.public];
            let key = EcdsaKeyPair::from_private_key_and_public_key(how, private, public, &random);
            Self(key.expect("they belong together"), random)
        }
    }

    impl jobs::Signing for EcdsaPair {
        fn sign(&mut self, message: &[u8], signature: &mut Signature) {
            let signed = self.0.sign(&self.1, message).expect("the system has random bytes");
            jobs::put(signature, signed.as_ref());
        }
    }

    struct RsaPair(RsaKeyPair, SystemRandom);

    impl RsaPair {
        fn new(pkcs8: &[u8]) -> Self {
            let key = RsaKeyPair::from_pkcs8(pkcs8).expect("it is a private key");
            Self(key, SystemRandom::new())
        }
    }

    impl jobs::Signing<[u8]> for RsaPair {
        fn sign(&mut self, message: &[u8], signature: &mut [u8]) {
            let signed = self.0.sign(&RSA_PKCS1_SHA256, &self.1, message, signature);
            signed.expect("the system has random bytes");
        }
    }

    /// It keeps the bytes of a key, and reads them for each signature.
    struct Public<K: AsRef<[u8]>>(signature::UnparsedPublicKey<K>);

    impl<K: AsRef<[u8]>, S: AsRef<[u8]>> jobs::Verifying<S> for Public<K> {
        fn verify(&mut self, message: &[u8], signature: &S) -> bool {
            self.0.verify(message, signature.as_ref()).is_ok()
        }
    }

    #[cfg(test)]
    #[test]
    fn version_is_the_one_that_is_built_in() {
        crate::peers::tests::assert_locked(VERSION);
    }
}
