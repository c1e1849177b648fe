//! Keys of RSA (RFC 8017, appendix A.1).

use alloc::{boxed::Box, vec::Vec};

use pkcs1::{RsaPrivateKeyRef, RsaPublicKeyRef};
use pkcs8::{
    ObjectIdentifier, PrivateKeyInfoRef,
    der::{
        Any, Encode as _,
        asn1::{BitString, Null, OctetStringRef, UintRef},
    },
    spki::{AlgorithmIdentifier, AlgorithmIdentifierRef, SubjectPublicKeyInfoRef},
};
use subtle::{Choice, ConstantTimeEq as _};
use zeroize::Zeroizing;

use super::{Info, NO_DER, PrivateKey, PublicKey, private, public};
use crate::{
    core::{Error, ct},
    public::rsa::{self, Parts},
};

/// rsaEncryption.
pub(super) const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");

/// The content of PKCS#8.
pub(super) fn private_key(info: &PrivateKeyInfoRef<'_>) -> Result<PrivateKey, Error> {
    check(info.algorithm).map_err(private)?;
    // There is no place for a public key: the private one has its parts.
    match info.public_key {
        None => pkcs1_key(info.private_key.as_bytes()),
        Some(_) => Err(private("it has a public key, which RSA keys have not")),
    }
}

/// RSAPrivateKey (appendix A.1.2).
pub(super) fn pkcs1_key(der: &[u8]) -> Result<PrivateKey, Error> {
    let given = RsaPrivateKeyRef::try_from(der)
        .map_err(|_| private("it is not DER of an RSAPrivateKey"))?;
    if given.other_prime_infos.is_some() {
        return Err(private("it has more than two primes"));
    }
    let key = rsa::PrivateKey::new(&Parts {
        n: given.modulus.as_bytes(),
        e: given.public_exponent.as_bytes(),
        p: given.prime1.as_bytes(),
        q: given.prime2.as_bytes(),
    })?;
    let numbers = key.numbers();
    let same = equal(&numbers.d_p, given.exponent1)
        & equal(&numbers.d_q, given.exponent2)
        & equal(&numbers.q_inverse, given.coefficient);
    match ct::verdict(same) {
        true => Ok(PrivateKey::Rsa(key)),
        false => Err(private("its exponents or its coefficient do not belong to its primes")),
    }
}

/// Whether a number with leading zeros is the other one.
fn equal(ours: &[u8], given: UintRef<'_>) -> Choice {
    let given = given.as_bytes();
    match ours.len().checked_sub(given.len()) {
        Some(zeros) => {
            let (first, rest) = ours.split_at(zeros);
            let more = first.iter().fold(0, |all, byte| all | byte);
            rest.ct_eq(given) & more.ct_eq(&0)
        }
        None => Choice::from(0),
    }
}

pub(super) fn private_der(key: &rsa::PrivateKey) -> Result<Zeroizing<Vec<u8>>, Error> {
    let no_der = |_| private(NO_DER);
    let (numbers, n, e) =
        (key.numbers(), key.public().modulus(), key.public().exponent().to_be_bytes());
    let octets = RsaPrivateKeyRef {
        modulus: UintRef::new(&n).map_err(no_der)?,
        public_exponent: UintRef::new(&e).map_err(no_der)?,
        private_exponent: UintRef::new(&numbers.d).map_err(no_der)?,
        prime1: UintRef::new(&numbers.p).map_err(no_der)?,
        prime2: UintRef::new(&numbers.q).map_err(no_der)?,
        exponent1: UintRef::new(&numbers.d_p).map_err(no_der)?,
        exponent2: UintRef::new(&numbers.d_q).map_err(no_der)?,
        coefficient: UintRef::new(&numbers.q_inverse).map_err(no_der)?,
        other_prime_infos: None,
    };
    let octets = Zeroizing::new(octets.to_der().map_err(no_der)?);
    let octets = OctetStringRef::new(&octets).map_err(no_der)?;
    let algorithm = AlgorithmIdentifierRef { oid: RSA, parameters: Some(Null.into()) };
    let info = PrivateKeyInfoRef::new(algorithm, octets);
    Ok(Zeroizing::new(info.to_der().map_err(no_der)?))
}

pub(super) fn public_key(info: &SubjectPublicKeyInfoRef<'_>) -> Result<PublicKey, Error> {
    check(info.algorithm).map_err(public)?;
    let bytes = info.subject_public_key.as_bytes();
    pkcs1_public_key(bytes.ok_or_else(|| public("its bits are not whole bytes"))?)
}

/// RSAPublicKey (appendix A.1.1).
pub(super) fn pkcs1_public_key(der: &[u8]) -> Result<PublicKey, Error> {
    let given =
        RsaPublicKeyRef::try_from(der).map_err(|_| public("it is not DER of an RSAPublicKey"))?;
    let key = rsa::PublicKey::new(given.modulus.as_bytes(), given.public_exponent.as_bytes())?;
    Ok(PublicKey::Rsa(Box::new(key)))
}

pub(super) fn public_info(key: &rsa::PublicKey) -> Result<Info, Error> {
    let no_der = |_| public(NO_DER);
    let (n, e) = (key.modulus(), key.exponent().to_be_bytes());
    let numbers = RsaPublicKeyRef {
        modulus: UintRef::new(&n).map_err(no_der)?,
        public_exponent: UintRef::new(&e).map_err(no_der)?,
    };
    let bits = BitString::from_bytes(&numbers.to_der().map_err(no_der)?).map_err(no_der)?;
    let algorithm = AlgorithmIdentifier { oid: RSA, parameters: Some(Any::null()) };
    Ok(Info { algorithm, subject_public_key: bits })
}

/// The parameters are NULL.
fn check(algorithm: AlgorithmIdentifierRef<'_>) -> Result<(), &'static str> {
    match algorithm.parameters {
        Some(parameters) if parameters.is_null() => Ok(()),
        _ => Err("its parameters are not NULL"),
    }
}
