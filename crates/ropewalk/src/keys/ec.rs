//! Keys of P-256 (RFC 5480, RFC 5915).

use alloc::vec::Vec;

use pkcs8::{
    ObjectIdentifier, PrivateKeyInfoRef,
    der::{
        Any, Encode as _,
        asn1::{BitString, OctetStringRef},
    },
    spki::{AlgorithmIdentifier, AlgorithmIdentifierRef, SubjectPublicKeyInfoRef},
};
use sec1::EcPrivateKey;
use zeroize::Zeroizing;

use super::{HALVES, Info, NO_DER, PrivateKey, PublicKey, private, public};
use crate::{
    core::Error,
    public::p256::{self, LEN},
};

/// id-ecPublicKey (RFC 5480, section 2.1.1).
pub(super) const EC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
/// secp256r1 (section 2.1.1.1).
const P256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");

/// The content of PKCS#8.
pub(super) fn private_key(info: &PrivateKeyInfoRef<'_>) -> Result<PrivateKey, Error> {
    check(info.algorithm).map_err(private)?;
    let key = key_of(info.private_key.as_bytes())?;
    match info.public_key {
        Some(given) if given.as_bytes() != Some(&key.public().to_bytes()) => Err(private(HALVES)),
        _ => Ok(PrivateKey::P256(key)),
    }
}

/// ECPrivateKey, which names its curve where nothing else does (RFC 5915, section 3).
pub(super) fn sec1_key(der: &[u8]) -> Result<PrivateKey, Error> {
    let parameters = read(der)?.parameters;
    match parameters.and_then(|parameters| parameters.named_curve()) {
        Some(_) => key_of(der).map(PrivateKey::P256),
        None => Err(private("it names no curve")),
    }
}

fn read(der: &[u8]) -> Result<EcPrivateKey<'_>, Error> {
    EcPrivateKey::try_from(der).map_err(|_| private("it is not DER of an ECPrivateKey"))
}

fn key_of(der: &[u8]) -> Result<p256::PrivateKey, Error> {
    let EcPrivateKey { private_key, parameters, public_key } = read(der)?;
    if parameters.is_some_and(|parameters| parameters.named_curve() != Some(P256)) {
        return Err(private(OTHER_CURVE));
    }
    let bytes: &[u8; LEN] =
        private_key.try_into().map_err(|_| private("it does not have 32 bytes"))?;
    let key = p256::PrivateKey::from_bytes(bytes)?;
    match public_key {
        Some(given) if !is_of(given, &key) => Err(private(HALVES)),
        _ => Ok(key),
    }
}

/// Whether a point in either form is the public key.
fn is_of(given: &[u8], key: &p256::PrivateKey) -> bool {
    let public = key.public();
    given == public.to_bytes() || given == public.to_compressed()
}

/// PKCS#8, whose ECPrivateKey has the public key and no parameters, as OpenSSL writes it.
pub(super) fn private_der(key: &p256::PrivateKey) -> Result<Zeroizing<Vec<u8>>, Error> {
    let (bytes, point) = (Zeroizing::new(key.to_bytes()), key.public().to_bytes());
    let octets = EcPrivateKey { private_key: &*bytes, parameters: None, public_key: Some(&point) };
    let octets = Zeroizing::new(octets.to_der().map_err(|_| private(NO_DER))?);
    let octets = OctetStringRef::new(&octets).map_err(|_| private(NO_DER))?;
    let algorithm = AlgorithmIdentifierRef { oid: EC, parameters: Some((&P256).into()) };
    let info = PrivateKeyInfoRef::new(algorithm, octets);
    Ok(Zeroizing::new(info.to_der().map_err(|_| private(NO_DER))?))
}

pub(super) fn public_key(info: &SubjectPublicKeyInfoRef<'_>) -> Result<PublicKey, Error> {
    check(info.algorithm).map_err(public)?;
    let bytes = info.subject_public_key.as_bytes();
    let bytes = bytes.ok_or_else(|| public("its bits are not whole bytes"))?;
    p256::PublicKey::from_bytes(bytes).map(PublicKey::P256)
}

/// The point is uncompressed.
pub(super) fn public_info(key: &p256::PublicKey) -> Result<Info, Error> {
    let parameters = Some(Any::from(P256));
    let bits = BitString::from_bytes(&key.to_bytes());
    Ok(Info {
        algorithm: AlgorithmIdentifier { oid: EC, parameters },
        subject_public_key: bits.map_err(|_| public(NO_DER))?,
    })
}

const OTHER_CURVE: &str = "its curve is not P-256";

/// The parameters are the name of a curve.
fn check(algorithm: AlgorithmIdentifierRef<'_>) -> Result<(), &'static str> {
    match algorithm.parameters_oid() {
        Ok(P256) => Ok(()),
        Ok(_) => Err(OTHER_CURVE),
        Err(_) => Err("its parameters are not the name of a curve"),
    }
}
