//! The crates x25519-dalek and ed25519-dalek, whose answers are the reference for others.
//!
//! curve25519-dalek below them finds the processor's features at run time.

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use x25519_dalek::{PublicKey, StaticSecret};

use super::{
    Job, Opened, Peer, Unavailable,
    jobs::{self, CurveKey},
};
use crate::tasks::{AgreementOp, Cell, Kind, SignatureOp};

/// The crates of dalek.
pub(super) struct Dalek;

impl Peer for Dalek {
    fn name(&self) -> &'static str {
        "dalek"
    }

    fn has(&self) -> &'static [&'static str] {
        &["x25519", "ed25519"]
    }

    fn open(&self, _: &str) -> Result<Box<dyn Opened>, Unavailable> {
        Ok(Box::new(Library))
    }
}

/// A test compares it with Cargo.lock.
const VERSION: &str = "curve25519-dalek 5.0.0, ed25519-dalek 3.0.0, x25519-dalek 3.0.0";

struct Library;

impl Opened for Library {
    fn version(&self) -> String {
        VERSION.into()
    }

    fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
        match cell.task.kind {
            Kind::X25519(AgreementOp::Agree) => {
                jobs::agreement(cell, |key| Ok(Private(StaticSecret::from(*key))))
            }
            Kind::X25519(AgreementOp::Generate) => jobs::generation(cell, Generation),
            Kind::Ed25519(SignatureOp::Sign) => {
                jobs::signing(cell, |seed| Ok(Seed(SigningKey::from_bytes(seed))))
            }
            Kind::Ed25519(SignatureOp::Verify) => jobs::verifying(cell, |public| {
                let key = VerifyingKey::from_bytes(public);
                key.map(Public).map_err(|error| Unavailable(error.to_string()))
            }),
            _ => Err(Unavailable::lacks(&Dalek, cell.task)),
        }
    }
}

struct Private(StaticSecret);

impl jobs::Agreement for Private {
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey) {
        *secret = self.0.diffie_hellman(&PublicKey::from(*public)).to_bytes();
    }
}

struct Generation;

impl jobs::Generation for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut CurveKey) {
        *public = PublicKey::from(&StaticSecret::from(*private)).to_bytes();
    }
}

struct Seed(SigningKey);

impl jobs::Signing for Seed {
    fn sign(&mut self, message: &[u8], signature: &mut jobs::Signature) {
        *signature = self.0.sign(message).to_bytes();
    }
}

struct Public(VerifyingKey);

impl jobs::Verifying for Public {
    fn verify(&mut self, message: &[u8], signature: &jobs::Signature) -> bool {
        self.0.verify(message, &Signature::from_bytes(signature)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        jobs::{Agreement, Generation as _, Signing, Verifying},
        *,
    };

    fn bytes<const N: usize>(hex: &str) -> [u8; N] {
        assert_eq!(hex.len(), 2 * N);
        std::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..][..2], 16).expect("hexadecimal"))
    }

    fn agree(private: &str, public: &str) -> CurveKey {
        let mut secret = [0; 32];
        Private(StaticSecret::from(bytes(private))).agree(&bytes(public), &mut secret);
        secret
    }

    fn generate(private: &str) -> CurveKey {
        let mut public = [0; 32];
        Generation.generate(&bytes(private), &mut public);
        public
    }

    /// RFC 7748, section 5.2.
    #[test]
    fn agreements_are_those_of_the_standard() {
        for (private, public, secret) in [
            (
                "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
            ),
            (
                "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
                "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
            ),
        ] {
            assert_eq!(agree(private, public), bytes(secret));
        }
        let mut base = [0; 32];
        base[0] = 9;
        let (mut k, mut u) = (base, base);
        for turn in 1..=1000 {
            let mut next = [0; 32];
            Private(StaticSecret::from(k)).agree(&u, &mut next);
            (k, u) = (next, k);
            if turn == 1 {
                let once = "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079";
                assert_eq!(k, bytes(once));
            }
        }
        assert_eq!(k, bytes("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"));
    }

    /// RFC 7748, section 6.1.
    #[test]
    fn both_sides_agree_as_in_the_standard() {
        const ALICE: &str = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a";
        const BOB: &str = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb";
        const OF_ALICE: &str = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a";
        const OF_BOB: &str = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f";
        assert_eq!(generate(ALICE), bytes(OF_ALICE));
        assert_eq!(generate(BOB), bytes(OF_BOB));
        let secret = bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
        assert_eq!(agree(ALICE, OF_BOB), secret);
        assert_eq!(agree(BOB, OF_ALICE), secret);
    }

    /// RFC 8032, section 7.1: seed, public key, message, and both halves of the signature.
    const SIGNED: [(&str, &str, &[u8], [&str; 2]); 3] = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            &[],
            [
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155",
                "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
            ],
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            &[0x72],
            [
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da",
                "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
            ],
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            &[0xaf, 0x82],
            [
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac",
                "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
            ],
        ),
    ];

    #[test]
    fn signatures_are_those_of_the_standard() {
        for (seed, public, message, halves) in SIGNED {
            let (mut signature, wanted) = ([0; 64], bytes(&halves.concat()));
            let mut key = Seed(SigningKey::from_bytes(&bytes(seed)));
            key.sign(message, &mut signature);
            assert_eq!(signature, wanted);
            let mut public = Public(VerifyingKey::from_bytes(&bytes(public)).expect("a point"));
            assert!(public.verify(message, &signature));
            assert!(!public.verify(b"another", &signature));
            for bit in 0..512 {
                let mut changed = signature;
                changed[bit / 8] ^= 1 << (bit % 8);
                assert!(!public.verify(message, &changed), "{bit}");
            }
        }
    }

    #[test]
    fn versions_are_those_that_are_built_in() {
        VERSION.split(", ").for_each(crate::peers::tests::assert_locked);
    }
}
