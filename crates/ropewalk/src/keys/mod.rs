//! Keys as DER and PEM, of any algorithm: PKCS#8 (RFC 5958) and SubjectPublicKeyInfo (RFC 5280, section 4.1), with the algorithms of
//! RFC 8410 (X25519 and Ed25519), RFC 5480 (P-256) and RFC 8017, appendix A.1 (RSA). Private keys of P-256 are read as ECPrivateKey
//! (RFC 5915) too, and those of RSA as RSAPrivateKey and RSAPublicKey (PKCS#1).
//!
//! ```
//! use ropewalk::keys::{PrivateKey, PublicKey, ToSpki};
//!
//! let key = PrivateKey::from_pem(
//!     "-----BEGIN PRIVATE KEY-----
//! MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
//! -----END PRIVATE KEY-----
//! ",
//! )?;
//! assert!(matches!(key, PrivateKey::Ed25519(_)));
//! let pem = key.public().to_pem()?;
//! assert!(matches!(PublicKey::from_pem(&pem)?, PublicKey::Ed25519(_)));
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! A key is checked once, when it is read. A file that has a public key besides the private one is refused unless both belong
//! together. An encrypted file is refused: decrypt it first.

mod curve25519;
mod ec;
mod encode;
mod rsa;

use alloc::boxed::Box;
use core::fmt;

pub use encode::{ToPkcs8, ToSpki};
use pkcs8::{
    PrivateKeyInfoRef,
    der::{Any, asn1::BitString},
    spki::{SubjectPublicKeyInfo, SubjectPublicKeyInfoRef},
};
pub use zeroize::Zeroizing;

use crate::{
    core::Error,
    public::{ed25519, p256, x25519},
};

/// A private key.
#[non_exhaustive]
pub enum PrivateKey {
    /// Of Ed25519.
    Ed25519(ed25519::PrivateKey),
    /// Of P-256, for ECDSA or ECDH.
    P256(p256::PrivateKey),
    /// Of RSA.
    Rsa(crate::rsa::PrivateKey),
    /// Of X25519.
    X25519(x25519::PrivateKey),
}

/// A public key.
#[non_exhaustive]
pub enum PublicKey {
    /// Of Ed25519.
    Ed25519(ed25519::PublicKey),
    /// Of P-256.
    P256(p256::PublicKey),
    /// Of RSA.
    Rsa(Box<crate::rsa::PublicKey>),
    /// Of X25519.
    X25519(x25519::PublicKey),
}

/// The labels of PEM.
const PRIVATE: &str = "PRIVATE KEY";
const PUBLIC: &str = "PUBLIC KEY";
const EC_PRIVATE: &str = "EC PRIVATE KEY";
const RSA_PRIVATE: &str = "RSA PRIVATE KEY";
const RSA_PUBLIC: &str = "RSA PUBLIC KEY";

type Info = SubjectPublicKeyInfo<Any, BitString>;

impl PrivateKey {
    /// Reads a key in PEM, labelled `PRIVATE KEY`, `EC PRIVATE KEY` or `RSA PRIVATE KEY`.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the reason.
    pub fn from_pem(text: &str) -> Result<Self, Error> {
        let (label, document) =
            pkcs8::SecretDocument::from_pem(text).map_err(|_| private(NO_PEM))?;
        match label {
            PRIVATE => Self::from_der(document.as_bytes()),
            EC_PRIVATE => Self::from_sec1_der(document.as_bytes()),
            RSA_PRIVATE => Self::from_pkcs1_der(document.as_bytes()),
            "ENCRYPTED PRIVATE KEY" => Err(private("it is encrypted")),
            _ => Err(private("its label is not PRIVATE KEY, EC PRIVATE KEY or RSA PRIVATE KEY")),
        }
    }

    /// Reads a key in DER, as PKCS#8 has it.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the reason.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        let info =
            PrivateKeyInfoRef::try_from(bytes).map_err(|_| private("it is not DER of PKCS#8"))?;
        match info.algorithm.oid {
            ec::EC => ec::private_key(&info),
            rsa::RSA => rsa::private_key(&info),
            curve25519::ED25519 | curve25519::X25519 => curve25519::private_key(&info),
            _ => Err(private(NO_ALGORITHM)),
        }
    }

    /// Reads a key of P-256 in DER, as an ECPrivateKey that names its curve.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the reason.
    pub fn from_sec1_der(bytes: &[u8]) -> Result<Self, Error> {
        ec::sec1_key(bytes)
    }

    /// Reads a key of RSA in DER, as an RSAPrivateKey of two primes. Its d is not used.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the reason; [`Error::Length`] and [`Error::NoRandomness`] as
    /// [`rsa::PrivateKey::new`](crate::rsa::PrivateKey::new).
    pub fn from_pkcs1_der(bytes: &[u8]) -> Result<Self, Error> {
        rsa::pkcs1_key(bytes)
    }

    /// Its public key.
    pub fn public(&self) -> PublicKey {
        match self {
            Self::Ed25519(key) => PublicKey::Ed25519(key.public()),
            Self::P256(key) => PublicKey::P256(key.public()),
            Self::Rsa(key) => PublicKey::Rsa(Box::new(key.public().clone())),
            Self::X25519(key) => PublicKey::X25519(key.public()),
        }
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ed25519(key) => f.debug_tuple("Ed25519").field(key).finish(),
            Self::P256(key) => f.debug_tuple("P256").field(key).finish(),
            Self::Rsa(key) => f.debug_tuple("Rsa").field(key).finish(),
            Self::X25519(key) => f.debug_tuple("X25519").field(key).finish(),
        }
    }
}

impl PublicKey {
    /// Reads a key in PEM, labelled `PUBLIC KEY` or `RSA PUBLIC KEY`.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the reason.
    pub fn from_pem(text: &str) -> Result<Self, Error> {
        let (label, document) = pkcs8::Document::from_pem(text).map_err(|_| public(NO_PEM))?;
        match label {
            PUBLIC => Self::from_der(document.as_bytes()),
            RSA_PUBLIC => Self::from_pkcs1_der(document.as_bytes()),
            _ => Err(public("its label is not PUBLIC KEY or RSA PUBLIC KEY")),
        }
    }

    /// Reads a key in DER, as SubjectPublicKeyInfo has it.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the reason.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        let info = SubjectPublicKeyInfoRef::try_from(bytes)
            .map_err(|_| public("it is not DER of SubjectPublicKeyInfo"))?;
        match info.algorithm.oid {
            ec::EC => ec::public_key(&info),
            rsa::RSA => rsa::public_key(&info),
            curve25519::ED25519 | curve25519::X25519 => curve25519::public_key(&info),
            _ => Err(public(NO_ALGORITHM)),
        }
    }

    /// Reads a key of RSA in DER, as an RSAPublicKey.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the reason; [`Error::Length`] as [`rsa::PublicKey::new`](crate::rsa::PublicKey::new).
    pub fn from_pkcs1_der(bytes: &[u8]) -> Result<Self, Error> {
        rsa::pkcs1_public_key(bytes)
    }
}

const NO_PEM: &str = "it is not PEM";
const NO_DER: &str = "it cannot be written as DER";
const HALVES: &str = "its public key belongs to another one";
const NO_ALGORITHM: &str = "its algorithm is unknown";

#[cold]
fn private(why: &'static str) -> Error {
    Error::Invalid { what: "private key", why }
}

#[cold]
fn public(why: &'static str) -> Error {
    Error::Invalid { what: "public key", why }
}

#[cfg(test)]
mod tests;
