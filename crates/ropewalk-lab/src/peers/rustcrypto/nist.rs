//! P-256, whose answers are the reference for others.

use p256::{
    PublicKey, SecretKey,
    ecdh::diffie_hellman,
    ecdsa::{
        self, SigningKey, VerifyingKey,
        signature::{Signer as _, Verifier as _},
    },
    elliptic_curve::sec1::ToSec1Point as _,
};

use crate::{
    peers::{
        Job, Unavailable,
        jobs::{
            self, CurveKey, Signature,
            p256::{POINT, Point},
        },
    },
    tasks::{AgreementOp, Cell, SignatureOp},
};

/// A job of ECDH.
pub(super) fn ecdh(cell: &Cell, op: AgreementOp) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        AgreementOp::Agree => jobs::p256::agreement(cell, |pair| Ok(Private(secret(pair.private)))),
        AgreementOp::Generate => jobs::p256::generation(cell, Generation),
    }
}

/// A job of ECDSA.
pub(super) fn ecdsa(cell: &Cell, op: SignatureOp) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        SignatureOp::Sign => jobs::p256::signing(cell, |pair| {
            Ok(Pen(SigningKey::from_slice(pair.private).expect(BELOW_THE_ORDER)))
        }),
        SignatureOp::Verify => jobs::p256::verifying(cell, |public| {
            Ok(Public(VerifyingKey::from_sec1_bytes(public).expect(A_POINT)))
        }),
    }
}

const A_POINT: &str = "a point on the curve";
const BELOW_THE_ORDER: &str = "a number below the order";

fn secret(private: &CurveKey) -> SecretKey {
    SecretKey::from_slice(private).expect(BELOW_THE_ORDER)
}

struct Private(SecretKey);

impl jobs::Agreement<POINT> for Private {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        let public = PublicKey::from_sec1_bytes(public).expect(A_POINT);
        let agreed = diffie_hellman(self.0.to_nonzero_scalar(), public.as_affine());
        secret.copy_from_slice(agreed.raw_secret_bytes());
    }
}

struct Generation;

impl jobs::Generation<POINT> for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut Point) {
        public.copy_from_slice(secret(private).public_key().to_sec1_point(false).as_bytes());
    }
}

struct Pen(SigningKey);

impl jobs::Signing for Pen {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let made: ecdsa::Signature = self.0.sign(message);
        *signature = made.to_bytes().into();
    }
}

struct Public(VerifyingKey);

impl jobs::Verifying for Public {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let signature = ecdsa::Signature::from_slice(signature);
        signature.is_ok_and(|signature| self.0.verify(message, &signature).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        jobs::{Agreement as _, Generation as _, Signing as _, Verifying as _},
        *,
    };

    fn bytes<const N: usize>(hex: &str) -> [u8; N] {
        assert_eq!(hex.len(), 2 * N);
        std::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..][..2], 16).expect("hexadecimal"))
    }

    fn point([x, y]: [&str; 2]) -> Point {
        bytes(&format!("04{x}{y}"))
    }

    fn generate(private: &str) -> Point {
        let mut public = [0; POINT];
        Generation.generate(&bytes(private), &mut public);
        public
    }

    /// RFC 5903, section 8.1.
    #[test]
    fn both_sides_agree_as_in_the_standard() {
        const I: &str = "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433";
        const OF_I: [&str; 2] = [
            "dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180",
            "5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3",
        ];
        const R: &str = "c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53";
        const OF_R: [&str; 2] = [
            "d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63",
            "56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab",
        ];
        assert_eq!(generate(I), point(OF_I));
        assert_eq!(generate(R), point(OF_R));
        let agree = |private: &str, public| {
            let mut agreed = [0; 32];
            Private(secret(&bytes(private))).agree(&point(public), &mut agreed);
            agreed
        };
        let agreed = bytes("d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de");
        assert_eq!(agree(I, OF_R), agreed);
        assert_eq!(agree(R, OF_I), agreed);
    }

    /// RFC 6979, appendix A.2.5.
    #[test]
    fn signatures_are_those_of_the_standard() {
        const KEY: &str = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";
        const PUBLIC: [&str; 2] = [
            "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6",
            "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
        ];
        assert_eq!(generate(KEY), point(PUBLIC));
        let mut key = Pen(SigningKey::from_slice(&bytes::<32>(KEY)).expect(BELOW_THE_ORDER));
        let mut public = Public(VerifyingKey::from_sec1_bytes(&point(PUBLIC)).expect(A_POINT));
        for (message, halves) in [
            (
                &b"sample"[..],
                [
                    "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
                    "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
                ],
            ),
            (
                b"test",
                [
                    "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
                    "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083",
                ],
            ),
        ] {
            let mut signature = [0; 64];
            key.sign(message, &mut signature);
            assert_eq!(signature, bytes(&halves.concat()));
            assert!(public.verify(message, &signature));
            assert!(!public.verify(b"another", &signature));
            for bit in 0..512 {
                let mut changed = signature;
                changed[bit / 8] ^= 1 << (bit % 8);
                assert!(!public.verify(message, &changed), "{bit}");
            }
        }
    }
}
