//! Public keys.

use alloc::{vec, vec::Vec};

use super::{
    Engine, HashFunction, Padding,
    encoding::{self, Encoded},
};
use crate::{
    bignum::{Bits, Limbs, Modulus, Number},
    core::Error,
};

/// A public key: n and e.
#[derive(Clone)]
pub struct PublicKey {
    pub(super) n: Modulus,
    pub(super) e: u64,
    pub(super) engine: Engine,
}

impl PublicKey {
    /// Makes a key of the modulus and the public exponent, with the best backend of this processor.
    ///
    /// # Errors
    /// [`Error::Length`] unless `n` has from 1024 to 4096 bits and `e` from 2 to 64; [`Error::Invalid`] where one of them is
    /// even.
    ///
    /// # Example
    /// ```
    /// use ropewalk::rsa::PublicKey;
    ///
    /// assert!(PublicKey::new(&[0x55; 256], &[1, 0, 1]).is_ok());
    /// assert!(PublicKey::new(&[0x55; 256], &[2]).is_err());
    /// ```
    pub fn new(n: &[u8], e: &[u8]) -> Result<Self, Error> {
        Self::of(n, e, Bits(1024), Engine::best(()))
    }

    /// With the backend of that name in [`PRIMITIVE`](super::PRIMITIVE).
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; otherwise as [`PublicKey::new`].
    pub fn with_backend(n: &[u8], e: &[u8], name: &str) -> Result<Self, Error> {
        Self::of(n, e, Bits(1024), Engine::named(name)?(()))
    }

    pub(super) fn of(n: &[u8], e: &[u8], least: Bits, engine: Engine) -> Result<Self, Error> {
        let n = number("modulus in bits", n)?;
        let (what, got) = ("modulus in bits", n.size());
        if got < least {
            let allowed = if least == Bits(1024) { "1024 to 4096" } else { "2048 to 4096" };
            return Err(Error::Length { what, got: got.0, allowed });
        }
        let Some(n) = Modulus::new(&n, None) else {
            return Err(Error::Invalid { what: "modulus", why: "it is even" });
        };
        Ok(Self { n, e: exponent(e)?, engine })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.info().name
    }

    /// Bits of the modulus.
    pub fn bits(&self) -> usize {
        self.n.bits().0
    }

    /// The modulus n, the most significant byte first.
    pub fn modulus(&self) -> Vec<u8> {
        let mut n = vec![0; self.signature_len()];
        self.n.number().to_be_bytes(&mut n);
        n
    }

    /// The public exponent e.
    pub fn exponent(&self) -> u64 {
        self.e
    }

    /// Bytes of a signature: those of the modulus.
    pub fn signature_len(&self) -> usize {
        self.n.bits().bytes()
    }

    /// Bytes of the longest salt of RSASSA-PSS (RFC 8017, section 9.1.1, step 3).
    pub fn longest_salt_len(&self, function: HashFunction) -> usize {
        encoding::longest_salt(function, self.n.bits())
    }

    /// RSASSA-PKCS1-V1_5-VERIFY (RFC 8017, section 8.2.2).
    ///
    /// # Errors
    /// [`Error::Forged`] where `signature` is not one of the digest by this key, whatever the fault; [`Error::Length`] unless
    /// `digest` has the length of the hash function.
    pub fn verify_pkcs1v15(
        &self,
        function: HashFunction,
        digest: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        self.verify(Padding::Pkcs1v15, function, digest, signature)
    }

    /// RSASSA-PSS-VERIFY (RFC 8017, section 8.1.2), with a salt of exactly that many bytes.
    ///
    /// # Errors
    /// As [`PublicKey::verify_pkcs1v15`].
    pub fn verify_pss(
        &self,
        function: HashFunction,
        digest: &[u8],
        salt_len: usize,
        signature: &[u8],
    ) -> Result<(), Error> {
        self.verify(Padding::Pss { salt_len }, function, digest, signature)
    }

    pub(super) fn verify(
        &self,
        padding: Padding,
        function: HashFunction,
        digest: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        self.check(padding, function, digest, &self.recover(signature)?)
    }

    /// Whether an encoded message is one of that digest.
    pub(super) fn check(
        &self,
        padding: Padding,
        function: HashFunction,
        digest: &[u8],
        em: &Encoded,
    ) -> Result<(), Error> {
        match padding {
            Padding::Pkcs1v15 => {
                let expected = encoding::pkcs1v15(function, digest, self.n.bits())?;
                if em.as_slice() == expected.as_slice() { Ok(()) } else { Err(Error::Forged) }
            }
            Padding::Pss { salt_len } => {
                encoding::verify_pss(function, digest, salt_len, em, self.n.bits())
            }
        }
    }

    /// The encoded message of a signature, in as many bytes.
    fn recover(&self, signature: &[u8]) -> Result<Encoded, Error> {
        let mut x = self.representative(signature)?;
        self.engine.public(&self.n, self.e, &mut x);
        Ok(self.encoded(&x))
    }

    /// The number of a signature: it is below n.
    pub(super) fn representative(&self, signature: &[u8]) -> Result<Number, Error> {
        if signature.len() != self.signature_len() {
            return Err(Error::Forged);
        }
        let s = Number::from_be_bytes(signature, self.n.len()).ok_or(Error::Forged)?;
        if bool::from(s.is_less(self.n.number())) { Ok(s) } else { Err(Error::Forged) }
    }

    pub(super) fn encoded(&self, x: &Number) -> Encoded {
        let mut em = Encoded::zero(self.signature_len());
        x.to_be_bytes(em.as_mut_slice());
        em
    }
}

impl core::fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PublicKey")
            .field("bits", &self.bits())
            .field("e", &self.e)
            .finish_non_exhaustive()
    }
}

/// A number of at most 4096 bits.
pub(super) fn number(what: &'static str, bytes: &[u8]) -> Result<Number, Error> {
    Number::from_be_bytes(bytes, Limbs::MOST).ok_or_else(|| {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        Error::Length { what, got: 8 * (bytes.len() - zeros), allowed: "at most 4096" }
    })
}

/// e: odd, from 3 to 2^64 − 1.
fn exponent(e: &[u8]) -> Result<u64, Error> {
    let what = "public exponent in bits";
    let number = number(what, e)?;
    let got = number.size();
    if !(2..=64).contains(&got.0) {
        return Err(Error::Length { what, got: got.0, allowed: "2 to 64" });
    }
    let e = number.as_slice()[0];
    if e & 1 == 0 {
        return Err(Error::Invalid { what: "public exponent", why: "it is even" });
    }
    Ok(e)
}
