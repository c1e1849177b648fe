//! RSA: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2), of whole messages.
//!
//! A message has one right signature, so signatures are compared. Those to verify are made by ropewalk, and the reference crate
//! verifies each of them first.

use std::sync::OnceLock;

use ropewalk::{
    keys::{ToPkcs8 as _, ToSpki as _},
    rsa::{HashFunction, Parts, PrivateKey},
    sha256,
};
use rsa::{
    PublicKey,
    pkcs1::RsaPrivateKeyRef,
    pkcs1v15::{self, VerifyingKey},
    pkcs8::{DecodePublicKey as _, PrivateKeyInfoRef, SubjectPublicKeyInfoRef},
    sha2::Sha256,
    signature::Verifier as _,
};

use super::{
    HashCalls, Signing, Verifying, VerifyingCalls,
    curves::{Pen, VerifyJob, keyed, keyed_by_public},
    hash, inputs,
    keys::of_message,
    rotation, whole,
};
use crate::{
    peers::{Job, Unavailable},
    tasks::{Cell, Kind, Mode},
};

/// A signature: as many bytes as the modulus.
pub type Signature = Vec<u8>;

/// A key in each form that libraries read.
pub struct Key {
    /// PrivateKeyInfo (RFC 5208).
    pub pkcs8: Vec<u8>,
    /// RSAPrivateKey (RFC 8017, appendix A.1.2).
    pub pkcs1: Vec<u8>,
    /// SubjectPublicKeyInfo (RFC 5280).
    pub spki: Vec<u8>,
    /// RSAPublicKey (RFC 8017, appendix A.1.1).
    pub pkcs1_public: Vec<u8>,
    /// Its numbers.
    pub numbers: Numbers,
    ours: PrivateKey,
    reference: VerifyingKey<Sha256>,
}

/// The numbers of a key, in the letters of RFC 8017: the most significant byte first, without zeros in front. p is above q.
pub struct Numbers {
    /// The modulus.
    pub n: Vec<u8>,
    /// The public exponent.
    pub e: Vec<u8>,
    /// The private exponent.
    pub d: Vec<u8>,
    /// A prime.
    pub p: Vec<u8>,
    /// The other prime.
    pub q: Vec<u8>,
    /// d modulo p − 1.
    pub d_p: Vec<u8>,
    /// d modulo q − 1.
    pub d_q: Vec<u8>,
    /// The inverse of q modulo p.
    pub q_inverse: Vec<u8>,
}

/// A job of signatures. `make` makes one with that private key.
///
/// # Errors
/// For a stream, and if `make` fails.
pub fn signing<C: Signing<[u8]> + 'static>(
    cell: &Cell,
    make: impl Fn(&'static Key) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    signing_calls(cell, |_| {
        let all = keys(cell);
        keyed(cell, numbers(cell), move |number| make(numbered(all, number)).map(Pen::new))
    })
}

/// The same from an implementation of the calls, which are those of a hash function. `make` makes it from the key of all of them.
///
/// # Errors
/// As above.
pub fn signing_calls(
    cell: &Cell,
    make: impl FnOnce(&'static Key) -> Result<Box<dyn HashCalls>, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let key = &keys(cell)[0];
    Ok(hash::job(cell, key.numbers.n.len(), inputs(cell), make(key)?))
}

/// A job of verifications. `make` makes one with that public key.
///
/// # Errors
/// For a stream, and if `make` fails.
pub fn verifying<C: Verifying<Signature> + 'static>(
    cell: &Cell,
    make: impl Fn(&'static Key) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    verifying_calls(cell, |_| {
        let all = keys(cell);
        keyed_by_public(cell, numbers(cell), move |number| make(numbered(all, number)))
    })
}

/// The same from an implementation of the calls. `make` makes it from the key of all of them.
///
/// # Errors
/// As above.
pub fn verifying_calls(
    cell: &Cell,
    make: impl FnOnce(&'static Key) -> Result<Box<dyn VerifyingCalls<Signature>>, Unavailable>,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let (all, numbers) = (keys(cell), numbers(cell));
    let work = make(&all[0])?;
    let signed = inputs(cell).into_iter().enumerate().map(|(i, message)| {
        let number: &Vec<u8> = of_message(cell, &numbers, i);
        let signature = numbered(all, number).sign(&message)?;
        Ok((message, signature))
    });
    Ok(VerifyJob::of(cell, work, signed.collect::<Result<_, _>>()?, Signature::clone))
}

/// Bytes of a DigestInfo of SHA-256.
const INFO: usize = BEFORE.len() + 32;

/// DigestInfo up to a digest of SHA-256 (section 9.2, note 1).
const BEFORE: [u8; 19] = [
    0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05,
    0x00, 0x04, 0x20,
];

/// DigestInfo of a digest of SHA-256, for libraries that take no digest.
pub fn digest_info(digest: &[u8; 32]) -> [u8; INFO] {
    let mut info = [0; INFO];
    let (before, place) = info.split_at_mut(BEFORE.len());
    before.copy_from_slice(&BEFORE);
    place.copy_from_slice(digest);
    info
}

/// EMSA-PKCS1-v1_5 (section 9.2) of a digest of SHA-256, for libraries that only compute powers.
pub fn encode(digest: &[u8; 32], encoded: &mut [u8]) {
    let (padding, info) = encoded.split_at_mut(encoded.len() - INFO);
    padding.fill(0xff);
    padding[0] = 0;
    padding[1] = 1;
    *padding.last_mut().expect("a modulus is longer") = 0;
    info.copy_from_slice(&digest_info(digest));
}

/// The keys of the length that the task has: the first one is that of every peer, and with new keys they take turns.
fn keys(cell: &Cell) -> &'static [Key] {
    static KEYS: [OnceLock<Vec<Key>>; 3] = [const { OnceLock::new() }; 3];
    let Kind::Rsa { bits, .. } = cell.task.kind else { unreachable!("a task of RSA") };
    KEYS[bits / 1024 - 2].get_or_init(|| {
        let lines = include_str!("../../../../../vectors/rsa.txt").lines();
        let of = |line: &str| Key::of(line.strip_prefix("key ")?, bits);
        let keys: Vec<Key> = lines.filter_map(of).collect();
        assert!(keys.len() > 1, "with one key a library would detect that it is set already");
        keys
    })
}

/// The numbers of the keys of the messages in the rotation, a byte each: a library gets the key in the form that it reads.
fn numbers(cell: &Cell) -> Vec<Vec<u8>> {
    match cell.mode {
        Mode::Setup => {
            let count = keys(cell).len();
            (0..rotation(cell).max(2) * cell.count).map(|i| vec![(i % count) as u8]).collect()
        }
        _ => vec![vec![0]],
    }
}

fn numbered(keys: &'static [Key], number: &[u8]) -> &'static Key {
    &keys[usize::from(number[0])]
}

impl Key {
    /// The key of a line of `vectors/rsa.txt`, if it has that length.
    fn of(line: &str, bits: usize) -> Option<Self> {
        let field = |name: &str| {
            let mut fields = line.split(' ');
            let hex = fields.find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
            bytes(hex.expect("a key has all of them"))
        };
        let [n, e, p, q] = ["n", "e", "p", "q"].map(field);
        if 8 * n.len() != bits {
            return None;
        }
        let ours = PrivateKey::new(&Parts { n: &n, e: &e, p: &p, q: &q }).expect("it is a key");
        let (pkcs8, spki) = (ours.to_der(), ours.public().to_der());
        let (pkcs8, spki) = (pkcs8.expect(HAS_DER).to_vec(), spki.expect(HAS_DER));
        let info = PrivateKeyInfoRef::try_from(&pkcs8[..]).expect(IS_DER);
        let pkcs1 = info.private_key.as_bytes().to_vec();
        let info = SubjectPublicKeyInfoRef::try_from(&spki[..]).expect(IS_DER);
        let pkcs1_public = info.subject_public_key.as_bytes().expect("whole bytes").to_vec();
        let reference = PublicKey::from_public_key_der(&spki).expect("it is a public key");
        let numbers = Numbers::of(&pkcs1);
        let reference = VerifyingKey::new(reference);
        Some(Self { pkcs8, pkcs1, spki, pkcs1_public, numbers, ours, reference })
    }

    /// The signature of a message, which the reference crate accepts.
    fn sign(&self, message: &[u8]) -> Result<Signature, Unavailable> {
        let mut signature = vec![0; self.numbers.n.len()];
        let digest = sha256::digest(message);
        let signed = self.ours.sign_pkcs1v15(HashFunction::Sha256, &digest, &mut signature);
        signed.map_err(|error| Unavailable(error.to_string()))?;
        let made = pkcs1v15::Signature::try_from(&signature[..]).expect("of a usual length");
        match self.reference.verify(message, &made) {
            Ok(()) => Ok(signature),
            Err(_) => Err(Unavailable("the crate rsa refuses a signature of ropewalk".into())),
        }
    }
}

const HAS_DER: &str = "each key can be written";
const IS_DER: &str = "it was written as DER";

impl Numbers {
    fn of(pkcs1: &[u8]) -> Self {
        let key = RsaPrivateKeyRef::try_from(pkcs1).expect(IS_DER);
        let [n, e, d, p, q, d_p, d_q, q_inverse] = [
            key.modulus,
            key.public_exponent,
            key.private_exponent,
            key.prime1,
            key.prime2,
            key.exponent1,
            key.exponent2,
            key.coefficient,
        ]
        .map(|number| number.as_bytes().to_vec());
        assert!(p > q && p.len() == q.len(), "libgcrypt takes the smaller prime first");
        Self { n, e, d, p, q, d_p, d_q, q_inverse }
    }
}

/// Bytes from hexadecimal digits.
fn bytes(hex: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits");
    (0..hex.len()).step_by(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::{Keys, TASKS};

    fn cells() -> impl Iterator<Item = Cell> {
        let tasks = TASKS.iter().filter(|task| matches!(task.kind, Kind::Rsa { .. }));
        let (mode, keys) = (Mode::Message, Keys::One);
        tasks.map(move |task| Cell {
            task,
            bytes: 64,
            count: 1,
            mode,
            mix: None,
            keys,
            stride: None,
        })
    }

    #[test]
    fn forms_are_of_one_key() {
        for key in cells().flat_map(|cell| keys(&cell)) {
            let whole = ropewalk::keys::PrivateKey::from_der(&key.pkcs8).expect("PKCS#8");
            let part = ropewalk::keys::PrivateKey::from_pkcs1_der(&key.pkcs1).expect("PKCS#1");
            assert_eq!(part.to_der().expect(HAS_DER), whole.to_der().expect(HAS_DER));
            let public =
                ropewalk::keys::PublicKey::from_pkcs1_der(&key.pkcs1_public).expect("PKCS#1");
            assert_eq!(public.to_der().expect(HAS_DER), key.spki);
            assert_eq!(whole.public().to_der().expect(HAS_DER), key.spki);
            let Numbers { n, e, p, q, .. } = &key.numbers;
            assert!(PrivateKey::new(&Parts { n, e, p, q }).is_ok());
        }
    }

    #[test]
    fn an_encoded_digest_is_the_power_of_its_signature() {
        use num_bigint::BigUint;
        for cell in cells() {
            let key = &keys(&cell)[0];
            let signature = key.sign(b"message").expect("it signs");
            let number = |bytes: &[u8]| BigUint::from_bytes_be(bytes);
            let Numbers { n, e, .. } = &key.numbers;
            let mut encoded = vec![0; n.len()];
            encode(&sha256::digest(b"message"), &mut encoded);
            assert_eq!(number(&signature).modpow(&number(e), &number(n)), number(&encoded));
        }
    }
}
