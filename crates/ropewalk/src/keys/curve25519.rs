//! Keys of X25519 and Ed25519 (RFC 8410).

use alloc::vec::Vec;

use pkcs8::{
    ObjectIdentifier, PrivateKeyInfoRef,
    der::{
        Decode as _, Encode as _,
        asn1::{BitString, OctetStringRef},
    },
    spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef},
};
use zeroize::Zeroizing;

use super::{HALVES, Info, NO_ALGORITHM, NO_DER, PrivateKey, PublicKey, private, public};
use crate::{
    core::Error,
    public::{ed25519, x25519},
};

/// Section 3.
pub(super) const X25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.110");
pub(super) const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

/// Section 7.
pub(super) fn private_key(info: &PrivateKeyInfoRef<'_>) -> Result<PrivateKey, Error> {
    let algorithm = info.algorithm;
    check(algorithm).map_err(private)?;
    let bytes = <&OctetStringRef>::from_der(info.private_key.as_bytes());
    let bytes = bytes.map_err(|_| private("it has no octets of a key"))?;
    let bytes = bytes.as_bytes().try_into().map_err(|_| private(LENGTH))?;
    let (key, public) = match algorithm.oid {
        ED25519 => {
            let key = ed25519::PrivateKey::from_seed(bytes);
            let public = key.public().to_bytes();
            (PrivateKey::Ed25519(key), public)
        }
        X25519 => {
            let key = x25519::PrivateKey::from_bytes(bytes);
            let public = key.public().0;
            (PrivateKey::X25519(key), public)
        }
        _ => return Err(private(NO_ALGORITHM)),
    };
    match info.public_key {
        Some(given) if given.as_bytes() != Some(&public) => Err(private(HALVES)),
        _ => Ok(key),
    }
}

pub(super) fn private_der(
    oid: ObjectIdentifier,
    bytes: &[u8; 32],
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let octets = OctetStringRef::new(bytes).and_then(|octets| octets.to_der());
    let octets = Zeroizing::new(octets.map_err(|_| private(NO_DER))?);
    let octets = OctetStringRef::new(&octets).map_err(|_| private(NO_DER))?;
    let info = PrivateKeyInfoRef::new(AlgorithmIdentifierRef { oid, parameters: None }, octets);
    Ok(Zeroizing::new(info.to_der().map_err(|_| private(NO_DER))?))
}

/// Section 4.
pub(super) fn public_key(info: &SubjectPublicKeyInfoRef<'_>) -> Result<PublicKey, Error> {
    check(info.algorithm).map_err(public)?;
    let bytes = info.subject_public_key.as_bytes().and_then(|bytes| bytes.try_into().ok());
    let bytes = bytes.ok_or_else(|| public(LENGTH))?;
    match info.algorithm.oid {
        ED25519 => Ok(PublicKey::Ed25519(ed25519::PublicKey::from_bytes(bytes)?)),
        X25519 => Ok(PublicKey::X25519(x25519::PublicKey(*bytes))),
        _ => Err(public(NO_ALGORITHM)),
    }
}

pub(super) fn public_info(oid: ObjectIdentifier, bytes: &[u8; 32]) -> Result<Info, Error> {
    let algorithm = pkcs8::spki::AlgorithmIdentifier { oid, parameters: None };
    let bits = BitString::from_bytes(bytes);
    Ok(Info { algorithm, subject_public_key: bits.map_err(|_| public(NO_DER))? })
}

const LENGTH: &str = "it does not have 32 bytes";

/// There are no parameters (section 3).
fn check(algorithm: AlgorithmIdentifierRef<'_>) -> Result<(), &'static str> {
    match (algorithm.oid, algorithm.parameters) {
        (X25519 | ED25519, Some(_)) => Err("its algorithm has parameters"),
        _ => Ok(()),
    }
}
