//! Keys written as DER and PEM.

use alloc::{string::String, vec::Vec};

use pkcs8::der::{Encode as _, pem::LineEnding};
use zeroize::Zeroizing;

use super::{
    Info, NO_DER, PRIVATE, PUBLIC, PrivateKey, PublicKey, curve25519, ec, private, public, rsa,
};
use crate::{
    core::Error,
    public::{ed25519, p256, x25519},
};

/// A private key that can be written as PKCS#8 (RFC 5958).
///
/// ```
/// use ropewalk::{ed25519, keys::{PrivateKey, ToPkcs8}};
///
/// let key = ed25519::PrivateKey::from_seed(&[7; 32]);
/// let pem = key.to_pem()?;
/// assert!(matches!(PrivateKey::from_pem(&pem)?, PrivateKey::Ed25519(_)));
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub trait ToPkcs8 {
    /// The key in DER.
    ///
    /// # Errors
    /// None with the keys that this library makes.
    fn to_der(&self) -> Result<Zeroizing<Vec<u8>>, Error>;

    /// The key in PEM, labelled `PRIVATE KEY`.
    ///
    /// # Errors
    /// As [`ToPkcs8::to_der`].
    fn to_pem(&self) -> Result<Zeroizing<String>, Error> {
        let document =
            pkcs8::SecretDocument::try_from(&self.to_der()?[..]).map_err(|_| private(NO_DER))?;
        document.to_pem(PRIVATE, LineEnding::LF).map_err(|_| private(NO_DER))
    }
}

impl ToPkcs8 for PrivateKey {
    fn to_der(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self {
            Self::Ed25519(key) => key.to_der(),
            Self::P256(key) => key.to_der(),
            Self::Rsa(key) => key.to_der(),
            Self::X25519(key) => key.to_der(),
        }
    }
}

impl ToPkcs8 for ed25519::PrivateKey {
    fn to_der(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        curve25519::private_der(curve25519::ED25519, &Zeroizing::new(self.to_seed()))
    }
}

impl ToPkcs8 for p256::PrivateKey {
    fn to_der(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        ec::private_der(self)
    }
}

impl ToPkcs8 for crate::rsa::PrivateKey {
    fn to_der(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        rsa::private_der(self)
    }
}

impl ToPkcs8 for x25519::PrivateKey {
    fn to_der(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        curve25519::private_der(curve25519::X25519, &Zeroizing::new(self.to_bytes()))
    }
}

/// A public key that can be written as SubjectPublicKeyInfo (RFC 5280, section 4.1).
pub trait ToSpki {
    /// The key in DER.
    ///
    /// # Errors
    /// None with the keys that this library makes.
    fn to_der(&self) -> Result<Vec<u8>, Error>;

    /// The key in PEM, labelled `PUBLIC KEY`.
    ///
    /// # Errors
    /// As [`ToSpki::to_der`].
    fn to_pem(&self) -> Result<String, Error> {
        let document =
            pkcs8::Document::try_from(&self.to_der()?[..]).map_err(|_| public(NO_DER))?;
        document.to_pem(PUBLIC, LineEnding::LF).map_err(|_| public(NO_DER))
    }
}

impl ToSpki for PublicKey {
    fn to_der(&self) -> Result<Vec<u8>, Error> {
        match self {
            Self::Ed25519(key) => key.to_der(),
            Self::P256(key) => key.to_der(),
            Self::Rsa(key) => key.to_der(),
            Self::X25519(key) => key.to_der(),
        }
    }
}

impl ToSpki for ed25519::PublicKey {
    fn to_der(&self) -> Result<Vec<u8>, Error> {
        der_of(curve25519::public_info(curve25519::ED25519, &self.to_bytes()))
    }
}

impl ToSpki for p256::PublicKey {
    fn to_der(&self) -> Result<Vec<u8>, Error> {
        der_of(ec::public_info(self))
    }
}

impl ToSpki for crate::rsa::PublicKey {
    fn to_der(&self) -> Result<Vec<u8>, Error> {
        der_of(rsa::public_info(self))
    }
}

impl ToSpki for x25519::PublicKey {
    fn to_der(&self) -> Result<Vec<u8>, Error> {
        der_of(curve25519::public_info(curve25519::X25519, &self.0))
    }
}

fn der_of(info: Result<Info, Error>) -> Result<Vec<u8>, Error> {
    info?.to_der().map_err(|_| public(NO_DER))
}
