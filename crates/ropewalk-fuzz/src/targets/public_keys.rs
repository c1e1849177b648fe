//! Public keys: agreements and signatures of one key and of many, compared with one call of the portable backend.

use ropewalk::{
    ed25519, p256,
    x25519::{self, PrivateKey, PublicKey, SharedSecret},
};

use super::{Backends, Calls, Row, run_one};
use crate::{Case, text::LONGEST};

pub(super) const ROWS: &[Row] = &[
    Row { primitive: "ed25519", run: ed25519_one },
    Row { primitive: "ed25519-many", run: ed25519_many },
    Row { primitive: "p256", run: p256_one },
    Row { primitive: "p256-many", run: p256_many },
    Row { primitive: "x25519", run: x25519_one },
    Row { primitive: "x25519-many", run: x25519_many },
];

pub(super) fn run(case: &mut Case<'_>) {
    run_one(case, ROWS);
}

/// A number, often one close to a power of two.
fn number(case: &mut Case<'_>) -> [u8; 32] {
    let mut bytes: [u8; 32] = case.array();
    let from = case.pick(&[0, 8, 16, 24, 31]);
    match case.below(4) {
        0 => bytes[from..].fill(0xff),
        1 => bytes[from..].fill(0),
        _ => {}
    }
    bytes
}

fn ed25519_one(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let seed = number(case);
    let new = |backend| ed25519::PrivateKey::with_backend(&seed, backend).unwrap();
    let [key, right] = [tried, portable].map(new);
    while case.goes_on() {
        let message = case.any_text(LONGEST);
        calls.begin(|| format!("sign {} bytes", message.len()));
        let mut signature = key.sign(message);
        assert_eq!(signature, right.sign(message));
        let given = number(case);
        let public = if case.rarely(2) { given } else { right.public().to_bytes() };
        signature[case.below(64)] ^= case.pick(&[0, 0, 1, 16, 128]);
        calls.begin(|| format!("verify {signature:02x?} with {public:02x?}"));
        let verify = |backend| {
            let key = ed25519::PublicKey::with_backend(&public, backend)?;
            key.verify(message, &signature)
        };
        assert_eq!(verify(tried), verify(portable));
    }
}

fn ed25519_many(case: &mut Case<'_>, Backends { tried, .. }: Backends) {
    let mut calls = Calls::new(tried);
    let many = ed25519::Many::with_backend(tried).unwrap();
    let key = ed25519::PrivateKey::with_backend(&number(case), "ed25519/portable").unwrap();
    let public = key.public();
    while case.goes_on() {
        let messages: Vec<_> = (0..case.below(18)).map(|_| case.any_text(300)).collect();
        let to_sign: Vec<_> =
            messages.iter().map(|message| ed25519::ToSign { key: &key, message }).collect();
        calls.begin(|| format!("sign {} messages", messages.len()));
        let mut signatures = vec![[0; 64]; messages.len()];
        many.sign(&to_sign, &mut signatures).unwrap();
        let right = to_sign.iter().map(|it| it.key.sign(it.message));
        assert!(right.eq(signatures.iter().copied()));
        for signature in &mut signatures {
            signature[case.below(64)] ^= case.pick(&[0, 0, 1, 16, 128]);
        }
        let signed: Vec<_> = (messages.iter().zip(&signatures))
            .map(|(message, signature)| ed25519::Signed { key: &public, message, signature })
            .collect();
        calls.begin(|| format!("verify {} messages", messages.len()));
        let mut results = vec![Ok(()); messages.len()];
        many.verify(&signed, &mut results).unwrap();
        let right = signed.iter().map(|it| it.key.verify(it.message, it.signature));
        assert!(right.eq(results));
    }
}

fn p256_one(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let bytes = number(case);
    let [key, right] = [tried, portable].map(|name| p256::PrivateKey::with_backend(&bytes, name));
    let (Ok(key), Ok(right)) = (&key, &right) else {
        return assert_eq!(key.err(), right.err());
    };
    calls.begin(|| "public".into());
    let public = right.public();
    assert_eq!(key.public(), public);
    while case.goes_on() {
        // Another point, if the bytes are one.
        let mut point = if case.rarely(2) { public.to_compressed().to_vec() } else { vec![2; 33] };
        point[1..].copy_from_slice(&number(case));
        let with = p256::PublicKey::from_bytes(&point).unwrap_or(public);
        calls.begin(|| format!("agree, {with:02x?}"));
        assert_eq!(key.agree(&with).as_bytes(), right.agree(&with).as_bytes());
        let digest = case.any_text(70);
        calls.begin(|| format!("sign {digest:02x?}"));
        let signature = key.sign_deterministic(digest);
        assert_eq!(signature, right.sign_deterministic(digest));
        let Ok(signature) = signature else { continue };
        let mut bytes = signature.to_bytes();
        bytes[case.below(64)] ^= case.pick(&[0, 0, 1, 16, 128]);
        let Ok(signature) = p256::Signature::from_bytes(&bytes) else { continue };
        calls.begin(|| format!("verify {signature:02x?} of {digest:02x?}"));
        let with = if case.rarely(2) { with } else { public };
        let verify = |name| with.verify_with_backend(digest, &signature, name);
        assert_eq!(verify(tried), verify(portable));
        let mut der = signature.to_der().as_bytes().to_vec();
        assert_eq!(p256::Signature::from_der(&der), Ok(signature));
        let at = case.below(der.len());
        der[at] ^= case.pick(&[1, 2, 128]);
        if let Ok(other) = p256::Signature::from_der(&der) {
            assert_eq!(other.to_der().as_bytes(), der);
        }
    }
}

fn p256_many(case: &mut Case<'_>, Backends { tried, .. }: Backends) {
    let mut calls = Calls::new(tried);
    let many = p256::Many::with_backend(tried).unwrap();
    let new = |bytes| p256::PrivateKey::with_backend(&bytes, "p256/portable");
    while case.goes_on() {
        let keys: Vec<_> = (0..case.below(18)).filter_map(|_| new(number(case)).ok()).collect();
        let count = keys.len();
        calls.begin(|| format!("public, {count} keys"));
        let mut public = vec![None; count];
        many.public(&keys.iter().collect::<Vec<_>>(), &mut public).unwrap();
        let public: Vec<_> = public.into_iter().flatten().collect();
        assert!(keys.iter().map(p256::PrivateKey::public).eq(public.iter().copied()));
        calls.begin(|| format!("agree, {count} pairs"));
        let pairs: Vec<_> = keys.iter().zip(public.iter().rev()).collect();
        let mut secrets: Vec<_> = pairs.iter().map(|_| None).collect();
        many.agree(&pairs, &mut secrets).unwrap();
        for ((key, with), secret) in pairs.iter().zip(&secrets) {
            let secret = secret.as_ref().expect("each is there");
            assert_eq!(key.agree(with).as_bytes(), secret.as_bytes());
        }
        let digests: Vec<_> = keys.iter().map(|_| case.any_text(70)).collect();
        let to_sign: Vec<_> =
            keys.iter().zip(&digests).map(|(key, digest)| p256::ToSign { key, digest }).collect();
        calls.begin(|| format!("sign {count} digests"));
        let mut signatures = vec![None; count];
        let right: Result<Vec<_>, _> =
            to_sign.iter().map(|it| it.key.sign_deterministic(it.digest)).collect();
        let done = many.sign_deterministic(&to_sign, &mut signatures);
        assert_eq!(done.err(), right.as_ref().err().copied());
        let Ok(right) = right else { continue };
        assert!(signatures.iter().flatten().eq(&right));
        let changed = right.iter().map(|signature| {
            let mut bytes = signature.to_bytes();
            bytes[case.below(64)] ^= case.pick(&[0, 0, 1, 16, 128]);
            p256::Signature::from_bytes(&bytes).unwrap_or(*signature)
        });
        let changed: Vec<_> = changed.collect();
        let signed: Vec<_> = (0..count)
            .map(|i| p256::Signed { key: &public[i], digest: digests[i], signature: &changed[i] })
            .collect();
        calls.begin(|| format!("verify {count} signatures"));
        let mut results = vec![Ok(()); count];
        many.verify(&signed, &mut results).unwrap();
        let right = signed
            .iter()
            .map(|it| it.key.verify_with_backend(it.digest, it.signature, "p256/portable"));
        assert!(right.eq(results));
    }
}

fn x25519_one(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let bytes = number(case);
    let [key, right] =
        [tried, portable].map(|backend| PrivateKey::with_backend(&bytes, backend).unwrap());
    calls.begin(|| "public".into());
    assert_eq!(key.public(), right.public());
    while case.goes_on() {
        let with = PublicKey(number(case));
        calls.begin(|| format!("agree, {with:02x?}"));
        let bytes = |secret: SharedSecret| *secret.as_bytes();
        assert_eq!(key.agree(&with).map(bytes), right.agree(&with).map(bytes));
    }
}

fn x25519_many(case: &mut Case<'_>, Backends { tried, .. }: Backends) {
    let mut calls = Calls::new(tried);
    let many = x25519::Many::with_backend(tried).unwrap();
    while case.goes_on() {
        let count = case.below(18);
        let new = |bytes| PrivateKey::with_backend(&bytes, "x25519/portable").unwrap();
        let keys: Vec<_> = (0..count).map(|_| new(number(case))).collect();
        let with: Vec<_> = (0..count).map(|_| PublicKey(number(case))).collect();
        let pairs: Vec<_> = keys.iter().zip(&with).collect();
        calls.begin(|| format!("agree, {count} pairs"));
        let mut secrets: Vec<Option<SharedSecret>> = pairs.iter().map(|_| None).collect();
        many.agree(&pairs, &mut secrets).unwrap();
        for ((key, with), secret) in pairs.iter().zip(&secrets) {
            let want = key.agree(with).ok();
            let bytes = |secret: &SharedSecret| *secret.as_bytes();
            assert_eq!(secret.as_ref().map(bytes), want.as_ref().map(bytes));
        }
        calls.begin(|| format!("public, {count} keys"));
        let mut public = vec![PublicKey([0; 32]); count];
        many.public(&keys.iter().collect::<Vec<_>>(), &mut public).unwrap();
        assert!(keys.iter().zip(public).all(|(key, public)| key.public() == public));
    }
}
