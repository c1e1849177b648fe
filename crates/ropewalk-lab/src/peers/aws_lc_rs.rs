//! AWS-LC in Rust: the crate aws-lc-rs, which builds AWS-LC from source.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod curves;

use super::{Opened, Peer, Unavailable, masks};

/// The crate aws-lc-rs.
pub(super) struct AwsLcRs;

impl Peer for AwsLcRs {
    fn name(&self) -> &'static str {
        "aws-lc-rs"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-128-kw", "aes-256-kw",
            "aes-*-gcm", "chacha20-poly1305",
            "aes-*-gmac", "aes-*-cmac",
            "hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512",
            "sha1", "sha224", "sha256", "sha384", "sha512", "sha512-256", "sha3-256", "sha3-384", "sha3-512",
            "x25519", "ed25519", "p256", "rsa-*",
            "random",
        ]
    }

    fn mask(
        &self,
        _: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        masks::libcrypto("AWS-LC", features).map(|mask| vec![mask])
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
    use aws_lc_rs::{
        aead::{
            AES_128_GCM, AES_192_GCM, AES_256_GCM, Aad, Algorithm, CHACHA20_POLY1305, LessSafeKey,
            Nonce, UnboundKey,
        },
        cipher::{
            AES_128, AES_192, AES_256, DecryptingKey, DecryptionContext, EncryptingKey,
            EncryptionContext, UnboundCipherKey,
        },
        cmac,
        digest::{
            self, Context, SHA1_FOR_LEGACY_USE_ONLY, SHA3_256, SHA3_384, SHA3_512, SHA224, SHA256,
            SHA384, SHA512, SHA512_256,
        },
        hmac,
        key_wrap::{self, AesBlockCipher, AesKek, KeyWrap as _},
    };

    use super::{AwsLcRs, curves};
    use crate::{
        peers::{Job, Opened, Unavailable, jobs},
        tasks::{Cell, Direction, Function, Kind, Mac, Mode},
    };

    /// A test compares it with Cargo.lock.
    const VERSION: &str = "aws-lc-rs 1.19.0";

    pub(super) fn open() -> Result<Box<dyn Opened>, Unavailable> {
        Ok(Box::new(Library))
    }

    struct Library;

    impl Opened for Library {
        fn version(&self) -> String {
            VERSION.into()
        }

        fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
            let lacks = || Unavailable::lacks(&AwsLcRs, cell.task);
            match cell.task.kind {
                Kind::Ctr { .. } if cell.mode == Mode::Stream => {
                    Err(Unavailable("its streams are not in place".into()))
                }
                Kind::Ctr { key_len } => {
                    let with = |key: &[u8]| EncryptingKey::ctr(cipher_key(key));
                    jobs::ctr(cell, key_len, move |key| {
                        Ok(Encrypt(with(key).expect("a mode of AES")))
                    })
                }
                Kind::Cbc { direction: Direction::Encrypt, key_len } => {
                    let with = |key: &[u8]| EncryptingKey::cbc(cipher_key(key));
                    jobs::cbc(cell, key_len, move |key| {
                        Ok(Encrypt(with(key).expect("a mode of AES")))
                    })
                }
                Kind::Cbc { direction: Direction::Decrypt, key_len } => {
                    let with = |key: &[u8]| DecryptingKey::cbc(cipher_key(key));
                    jobs::cbc(cell, key_len, move |key| {
                        Ok(Decrypt(with(key).expect("a mode of AES")))
                    })
                }
                Kind::Ecb { direction: Direction::Encrypt, key_len } => {
                    let with = |key: &[u8]| EncryptingKey::ecb(cipher_key(key));
                    jobs::cbc(cell, key_len, move |key| {
                        Ok(EncryptBlocks(with(key).expect("a mode of AES")))
                    })
                }
                Kind::Ecb { direction: Direction::Decrypt, key_len } => {
                    let with = |key: &[u8]| DecryptingKey::ecb(cipher_key(key));
                    jobs::cbc(cell, key_len, move |key| {
                        Ok(DecryptBlocks(with(key).expect("a mode of AES")))
                    })
                }
                Kind::KeyWrap { key_len: 16 | 32, .. } => {
                    jobs::key_wrap(cell, |key| Ok(KeyWrap::new(key.to_vec())))
                }
                Kind::Gcm { op, key_len } => {
                    jobs::aead(cell, op, key_len, |key| Ok(Sealing::of_aes(key)))
                }
                Kind::Fill => Ok(jobs::fill(cell, Random)),
                Kind::X25519(op) => curves::x25519(cell, op),
                Kind::Ed25519(op) => curves::ed25519(cell, op),
                Kind::EcdhP256(op) => curves::ecdh(cell, op),
                Kind::EcdsaP256(op) => curves::ecdsa(cell, op),
                Kind::Rsa { op, .. } => curves::rsa(cell, op),
                Kind::ChaChaPoly { op } => {
                    jobs::aead(cell, op, 32, |key| Ok(Sealing::new(&CHACHA20_POLY1305, key)))
                }
                Kind::Gmac { key_len } => {
                    jobs::gmac(cell, key_len, |key| Ok(jobs::HeaderAlone(Sealing::of_aes(key))))
                }
                Kind::Mac(Mac::Hmac(function)) => {
                    let algorithm = match function {
                        Function::Sha1 => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
                        Function::Sha224 => hmac::HMAC_SHA224,
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
                Kind::Mac(Mac::Cmac { key_len }) => {
                    let algorithm = match key_len {
                        16 => cmac::AES_128,
                        24 => cmac::AES_192,
                        _ => cmac::AES_256,
                    };
                    let with = move |key: &[u8]| cmac::Key::new(algorithm, key);
                    jobs::mac(cell, move |key| Ok(Cmac(with(key).expect("a key of its length"))))
                }
                Kind::Hash(function) => {
                    let algorithm = match function {
                        Function::Sha1 => &SHA1_FOR_LEGACY_USE_ONLY,
                        Function::Sha224 => &SHA224,
                        Function::Sha256 => &SHA256,
                        Function::Sha384 => &SHA384,
                        Function::Sha512 => &SHA512,
                        Function::Sha512_256 => &SHA512_256,
                        Function::Sha3_256 => &SHA3_256,
                        Function::Sha3_384 => &SHA3_384,
                        Function::Sha3_512 => &SHA3_512,
                        _ => return Err(lacks()),
                    };
                    Ok(jobs::hash(cell, Hash(algorithm, Context::new(algorithm))))
                }
                _ => Err(lacks()),
            }
        }
    }

    fn cipher_key(key: &[u8]) -> UnboundCipherKey {
        let algorithm = match key.len() {
            16 => &AES_128,
            24 => &AES_192,
            _ => &AES_256,
        };
        UnboundCipherKey::new(algorithm, key).expect("a key of its length")
    }

    struct Encrypt(EncryptingKey);

    impl jobs::Cbc for Encrypt {
        fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
            jobs::Ctr::message(self, iv, text);
        }
    }

    struct EncryptBlocks(EncryptingKey);

    impl jobs::Cbc for EncryptBlocks {
        fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
            self.0.less_safe_encrypt(text, EncryptionContext::None).expect("whole blocks");
        }
    }

    struct DecryptBlocks(DecryptingKey);

    impl jobs::Cbc for DecryptBlocks {
        fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
            self.0.decrypt(text, DecryptionContext::None).expect("whole blocks");
        }
    }

    struct Decrypt(DecryptingKey);

    impl jobs::Cbc for Decrypt {
        fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
            let iv = DecryptionContext::Iv128(iv.into());
            self.0.decrypt(text, iv).expect("whole blocks");
        }
    }

    impl jobs::Ctr for Encrypt {
        fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
            let iv = EncryptionContext::Iv128(iv.into());
            self.0.less_safe_encrypt(text, iv).expect("no length is too long");
        }
        fn start(&mut self, _: &[u8; 16]) {}
        fn update(&mut self, _: &mut [u8]) {
            unreachable!("it has no streams");
        }
    }

    struct Sealing(&'static Algorithm, LessSafeKey);

    impl Sealing {
        fn of_aes(key: &[u8]) -> Self {
            let algorithm = match key.len() {
                16 => &AES_128_GCM,
                24 => &AES_192_GCM,
                _ => &AES_256_GCM,
            };
            Self::new(algorithm, key)
        }

        fn new(algorithm: &'static Algorithm, key: &[u8]) -> Self {
            let key = UnboundKey::new(algorithm, key).expect("a key of its length");
            Self(algorithm, LessSafeKey::new(key))
        }
    }

    impl jobs::Aead for Sealing {
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
            let nonce = Nonce::assume_unique_for_key(*nonce);
            self.1.open_separate_gather(nonce, Aad::from(aad), sealed, tag, text).is_ok()
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

    /// A key; each message has a separate context.
    struct Cmac(cmac::Key);

    impl jobs::Hash for Cmac {
        const NOTE: &str = "copies its context for each message: memory for it counts";

        fn message(&mut self, text: &[u8], digest: &mut [u8]) {
            cmac::sign_to_buffer(&self.0, text, digest).expect("room for a tag");
        }
    }

    /// The bytes of a key: the expanded key is for one call.
    struct KeyWrap(&'static AesBlockCipher, Vec<u8>);

    impl KeyWrap {
        fn new(key: Vec<u8>) -> Self {
            Self(if key.len() == 16 { &key_wrap::AES_128 } else { &key_wrap::AES_256 }, key)
        }

        fn key(&self) -> AesKek {
            AesKek::new(self.0, &self.1).expect("a key of its length")
        }
    }

    impl jobs::KeyWrap for KeyWrap {
        const NOTE: &str = "a key serves for one call: its round keys count";

        fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
            self.key().wrap(key, wrapped).expect("whole semiblocks");
        }
        fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
            self.key().unwrap(wrapped, key).is_ok()
        }
        fn rekey(&mut self, key: &[u8]) -> bool {
            self.1.copy_from_slice(key);
            true
        }
    }

    /// A generator in each thread.
    struct Random;

    impl jobs::Fill for Random {
        fn fill(&mut self, out: &mut [u8]) {
            aws_lc_rs::rand::fill(out).expect("it has random bytes");
        }
    }

    #[cfg(test)]
    #[test]
    fn version_is_the_one_that_is_built_in() {
        crate::peers::tests::assert_locked(VERSION);
    }
}
