//! Public keys: agreements and signatures of one key and of many, compared with one call of the portable backend.

use ropewalk::{
    ed25519, p256,
    rsa::{self, HashFunction, Padding},
    x25519::{self, PrivateKey, PublicKey, SharedSecret},
};

use super::{Backends, Calls, Row, run_one};
use crate::{Case, text::LONGEST};

pub(super) const ROWS: &[Row] = &[
    Row { primitive: "ed25519", run: ed25519_one },
    Row { primitive: "ed25519-many", run: ed25519_many },
    Row { primitive: "p256", run: p256_one },
    Row { primitive: "p256-many", run: p256_many },
    Row { primitive: "rsa", run: rsa_one },
    Row { primitive: "rsa-many", run: rsa_many },
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

/// A key of the vectors.
fn rsa_key(case: &mut Case<'_>, backend: &str) -> rsa::PrivateKey {
    // The shortest is the fastest.
    rsa_key_of(case.pick(&[0, 0, 0, 1, 2]), backend)
}

/// The keys of the vectors, by number: 2048, 3072 and 4096 bits.
pub(super) fn rsa_key_of(number: usize, backend: &str) -> rsa::PrivateKey {
    let lines = include_str!("../../../../vectors/rsa.txt").lines();
    // The first half of the file has one key of each size.
    let line = lines.filter(|line| line.starts_with("key ")).nth(number).unwrap();
    let [n, e, p, q] = &["n=", "e=", "p=", "q="].map(|name| {
        let digits = line.split(' ').find_map(|field| field.strip_prefix(name)).unwrap();
        let (pairs, _) = digits.as_bytes().as_chunks::<2>();
        let byte = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
        pairs.iter().map(byte).collect::<Vec<_>>()
    });
    rsa::PrivateKey::with_backend(&rsa::Parts { n, e, p, q }, backend).unwrap()
}

const RSA_FUNCTIONS: [HashFunction; 3] =
    [HashFunction::Sha1, HashFunction::Sha256, HashFunction::Sha512];

fn rsa_one(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let key = rsa_key(case, tried);
    let public = key.public();
    let (n, e) = (public.modulus(), [1, 0, 1]);
    let right = rsa::PublicKey::with_backend(&n, &e, portable).unwrap();
    // Each signature takes about a million cycles.
    for _ in 0..2 {
        let function = case.pick(&RSA_FUNCTIONS);
        let digest = case.any_text(70);
        let salt_len = case.below(600);
        let mut signature = vec![0; public.signature_len()];
        calls.begin(|| format!("sign {digest:02x?}, {salt_len}"));
        let signed = match case.rarely(2) {
            true => key.sign_pkcs1v15(function, digest, &mut signature),
            false => key.sign_pss(function, digest, salt_len, &mut signature),
        };
        assert_eq!(signed.is_err(), signature.iter().all(|byte| *byte == 0));
        let at = case.below(signature.len());
        signature[at] ^= case.pick(&[0, 0, 1, 16, 128]);
        calls.begin(|| format!("verify {signature:02x?} of {digest:02x?}"));
        let verify = |key: &rsa::PublicKey| {
            [
                key.verify_pkcs1v15(function, digest, &signature),
                key.verify_pss(function, digest, salt_len, &signature),
            ]
        };
        assert_eq!(verify(public), verify(&right));
    }
    // Any other numbers of a key.
    let (len, e) = (case.below(520), number(case));
    let mut n = case.any_text(520).to_vec();
    n.truncate(len);
    calls.begin(|| format!("key of {n:02x?}"));
    let new = |backend| rsa::PublicKey::with_backend(&n, &e[24..], backend).map(|key| key.bits());
    assert_eq!(new(tried), new(portable));
}

fn rsa_many(case: &mut Case<'_>, Backends { tried, .. }: Backends) {
    let mut calls = Calls::new(tried);
    let many = rsa::Many::with_backend(tried).unwrap();
    let keys = [rsa_key(case, "rsa/portable"), rsa_key(case, "rsa/portable")];
    let count = case.below(11);
    let digests: Vec<_> = (0..count).map(|_| case.any_text(40)).collect();
    let items: Vec<_> = (0..count)
        .map(|_| {
            let padding = match case.rarely(2) {
                true => Padding::Pkcs1v15,
                false => Padding::Pss { salt_len: case.below(40) },
            };
            (&keys[case.below(2)], padding, case.pick(&RSA_FUNCTIONS))
        })
        .collect();
    let mut signatures: Vec<_> =
        items.iter().map(|(key, ..)| vec![1; key.public().signature_len()]).collect();
    let mut to_sign: Vec<_> = (items.iter().zip(&digests).zip(&mut signatures))
        .map(|((&(key, padding, function), digest), signature)| rsa::ToSign {
            key,
            padding,
            function,
            digest,
            signature,
        })
        .collect();
    let mut results = vec![Ok(()); count];
    calls.begin(|| format!("sign {count} digests"));
    many.sign(&mut to_sign, &mut results).unwrap();
    for (result, signature) in results.iter().zip(&mut signatures) {
        assert_eq!(result.is_err(), signature.iter().all(|byte| *byte == 0));
        signature[7] ^= case.pick(&[0, 0, 1, 16]);
    }
    let signed: Vec<_> = (items.iter().zip(&digests).zip(&signatures))
        .map(|((&(key, padding, function), digest), signature)| rsa::Signed {
            key: key.public(),
            padding,
            function,
            digest,
            signature,
        })
        .collect();
    calls.begin(|| format!("verify {count} signatures"));
    many.verify(&signed, &mut results).unwrap();
    for (it, result) in signed.iter().zip(results) {
        let one = match it.padding {
            Padding::Pss { salt_len } => {
                it.key.verify_pss(it.function, it.digest, salt_len, it.signature)
            }
            _ => it.key.verify_pkcs1v15(it.function, it.digest, it.signature),
        };
        assert_eq!(result, one);
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
