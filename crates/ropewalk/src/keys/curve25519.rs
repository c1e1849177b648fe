//! Keys of X25519 and Ed25519 (RFC 8410).

use alloc::vec::Vec;

use pkcs8::{
    ObjectIdentifier, PrivateKeyInfoRef,
    der::{
        Decode as _, Encode as _,
        asn1::{BitString, OctetStringRef},
    },
    spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfo, SubjectPublicKeyInfoRef},
};
use zeroize::Zeroizing;

use super::{NO_ALGORITHM, NO_DER, PrivateKey, PublicKey, private, public};
use crate::core::Error;
use crate::public::ed25519;
use crate::public::x25519;

/// Section 3.
const X25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.110");
const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

/// Section 7.
pub(super) fn private_key(info: &PrivateKeyInfoRef<'_>) -> Result<PrivateKey, Error> {
    let algorithm = info.algorithm;
    check(algorithm).map_err(private)?;
    let bytes = <&OctetStringRef>::from_der(info.private_key.as_bytes());
    let bytes = bytes.map_err(|_| private("it has no octets of a key"))?;
    let bytes = bytes.as_bytes().try_into().map_err(|_| private(LENGTH))?;
    let key = match algorithm.oid {
        ED25519 => PrivateKey::Ed25519(ed25519::PrivateKey::from_seed(bytes)),
        X25519 => PrivateKey::X25519(x25519::PrivateKey::from_bytes(bytes)),
        _ => return Err(private(NO_ALGORITHM)),
    };
    match info.public_key {
        Some(given) if given.as_bytes() != Some(&bytes_of(&key.public())) => {
            Err(private("its public key belongs to another one"))
        }
        _ => Ok(key),
    }
}

pub(super) fn private_der(key: &PrivateKey) -> Result<Zeroizing<Vec<u8>>, Error> {
    let (oid, bytes) = match key {
        PrivateKey::Ed25519(key) => (ED25519, Zeroizing::new(key.to_seed())),
        PrivateKey::X25519(key) => (X25519, Zeroizing::new(key.to_bytes())),
    };
    let octets = OctetStringRef::new(&*bytes).and_then(|octets| octets.to_der());
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

type Info = SubjectPublicKeyInfo<pkcs8::der::Any, BitString>;

pub(super) fn public_info(key: &PublicKey) -> Result<Info, Error> {
    let oid = match key {
        PublicKey::Ed25519(_) => ED25519,
        PublicKey::X25519(_) => X25519,
    };
    let algorithm = pkcs8::spki::AlgorithmIdentifier { oid, parameters: None };
    let bits = BitString::from_bytes(&bytes_of(key));
    Ok(Info { algorithm, subject_public_key: bits.map_err(|_| public(NO_DER))? })
}

fn bytes_of(key: &PublicKey) -> [u8; 32] {
    match key {
        PublicKey::Ed25519(key) => key.to_bytes(),
        PublicKey::X25519(key) => key.0,
    }
}

const LENGTH: &str = "it does not have 32 bytes";

/// There are no parameters (section 3).
fn check(algorithm: AlgorithmIdentifierRef<'_>) -> Result<(), &'static str> {
    match (algorithm.oid, algorithm.parameters) {
        (X25519 | ED25519, Some(_)) => Err("its algorithm has parameters"),
        _ => Ok(()),
    }
}
