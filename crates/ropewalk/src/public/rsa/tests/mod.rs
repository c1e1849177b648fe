//! Signatures against `num-bigint`, vectors, and faults.

pub(super) mod fault;
pub(super) mod keys;
#[cfg(feature = "many")]
mod many;

use num_bigint::BigUint;

use super::{Engine, HashFunction, PRIMITIVE, Parts, Primes, PrivateKey, PublicKey, encoding};
use crate::{
    bignum::{
        Bits, Limbs, Modulus,
        tests::{Draw, ours, theirs},
    },
    core::{Error, backend::Info},
};
use fault::Place;
use keys::Key;

/// The backends that can run here.
fn backends() -> impl Iterator<Item = &'static Info> {
    Engine::ALL.iter().filter(|info| (info.available)())
}

const FUNCTIONS: [HashFunction; 6] = [
    HashFunction::Sha1,
    HashFunction::Sha224,
    HashFunction::Sha256,
    HashFunction::Sha384,
    HashFunction::Sha512,
    HashFunction::Sha512_256,
];

#[test]
fn signatures_of_every_key_and_backend() {
    for key in Key::all() {
        for info in backends() {
            let private = key.private(info.name);
            let public = private.public();
            assert_eq!((public.bits(), private.backend()), (key.bits, info.name));
            let mut signature = vec![0; public.signature_len()];
            // Every function with the first key, and one with each other.
            let functions = if key.name == "2048" { &FUNCTIONS[..] } else { &FUNCTIONS[2..3] };
            for &function in functions {
                let digest = vec![function.digest_len() as u8; function.digest_len()];
                private.sign_pkcs1v15(function, &digest, &mut signature).unwrap();
                let em = encoding::pkcs1v15(function, &digest, Bits(key.bits)).unwrap();
                let expected = BigUint::from_bytes_be(em.as_slice()).modpow(&key.d(), &key.n);
                assert_eq!(
                    BigUint::from_bytes_be(&signature),
                    expected,
                    "{} {}",
                    key.name,
                    info.name
                );
                public.verify_pkcs1v15(function, &digest, &signature).unwrap();
                for salt_len in
                    [0, 20, function.digest_len(), encoding::longest_salt(function, Bits(key.bits))]
                {
                    private.sign_pss(function, &digest, salt_len, &mut signature).unwrap();
                    public.verify_pss(function, &digest, salt_len, &signature).unwrap();
                    for wrong in [salt_len + 1, salt_len.wrapping_sub(1)] {
                        let refused = public.verify_pss(function, &digest, wrong, &signature);
                        assert_eq!(refused, Err(Error::Forged), "{salt_len}");
                    }
                }
            }
        }
    }
}

#[test]
fn known_answers() {
    for info in backends() {
        assert_eq!((PRIMITIVE.self_test)(info.name), Ok(true), "{}", info.name);
    }
}

/// Every bit of a signature, and every byte of a digest.
#[test]
fn changed_signatures() {
    let private = Key::named("2048").private("rsa/portable");
    let public = private.public();
    let mut signature = vec![0; 256];
    let mut digest = [7; 32];
    let function = HashFunction::Sha256;
    for pss in [false, true] {
        let verify = |digest: &[u8], signature: &[u8]| match pss {
            false => public.verify_pkcs1v15(function, digest, signature),
            true => public.verify_pss(function, digest, 32, signature),
        };
        match pss {
            false => private.sign_pkcs1v15(function, &digest, &mut signature).unwrap(),
            true => private.sign_pss(function, &digest, 32, &mut signature).unwrap(),
        }
        for bit in (0..2048).step_by(61) {
            signature[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(verify(&digest, &signature), Err(Error::Forged));
            signature[bit / 8] ^= 1 << (bit % 8);
        }
        for byte in 0..32 {
            digest[byte] ^= 1;
            assert_eq!(verify(&digest, &signature), Err(Error::Forged));
            digest[byte] ^= 1;
        }
        assert_eq!(verify(&digest, &signature[1..]), Err(Error::Forged));
        assert_eq!(verify(&digest, &[&[0], &*signature].concat()), Err(Error::Forged));
        let s =
            BigUint::from_bytes_be(&signature) + BigUint::from_bytes_be(&public_modulus(public));
        if s.bits() <= 2048 {
            assert_eq!(verify(&digest, &s.to_bytes_be()), Err(Error::Forged));
        }
        verify(&digest, &signature).unwrap();
    }
}

fn public_modulus(key: &PublicKey) -> Vec<u8> {
    theirs(key.n.number()).to_bytes_be()
}

#[test]
fn lengths_that_are_refused() {
    let private = Key::named("2048").private("rsa/portable");
    let function = HashFunction::Sha256;
    for len in [0, 255, 257] {
        let mut signature = vec![1; len];
        let got = private.sign_pkcs1v15(function, &[0; 32], &mut signature);
        assert!(matches!(got, Err(Error::Length { what: "signature", got, .. }) if got == len));
        assert!(signature.iter().all(|byte| *byte == 0));
    }
    let mut signature = [1; 256];
    for len in [0, 31, 33] {
        let got = private.sign_pss(function, &vec![0; len], 32, &mut signature);
        assert!(matches!(got, Err(Error::Length { what: "digest", got, .. }) if got == len));
        let got = private.public().verify_pkcs1v15(function, &vec![0; len], &signature);
        assert!(matches!(got, Err(Error::Length { what: "digest", .. })));
    }
    for len in [223, 512, 513, usize::MAX] {
        let got = private.sign_pss(function, &[0; 32], len, &mut signature);
        assert!(matches!(got, Err(Error::Length { what: "salt", .. })), "{len}");
        let got = private.public().verify_pss(function, &[0; 32], len, &signature);
        assert_eq!(got, Err(Error::Forged));
    }
}

#[test]
fn keys_that_are_refused() {
    let Key { n, e, p, q, .. } = Key::named("2048");
    let one = BigUint::from(1_u8);
    let make = |n: &BigUint, e: &BigUint, p: &BigUint, q: &BigUint| {
        let [n, e, p, q] = [n, e, p, q].map(BigUint::to_bytes_be);
        PrivateKey::new(&Parts { n: &n, e: &e, p: &p, q: &q }).err().map(|error| error.to_string())
    };
    assert_eq!(make(&n, &e, &p, &q), None);
    assert_eq!(make(&n, &e, &q, &p), None);
    let why = |why: &str| Some(why.to_string());
    let product = why("modulus is invalid: it is not the product of the primes");
    assert_eq!(make(&(&n + 2_u8), &e, &p, &q), product);
    assert_eq!(make(&n, &e, &p, &p), product);
    assert_eq!(
        make(&n, &e, &BigUint::ZERO, &q),
        why(
            "prime in bits has length 0, allowed is at most 2048, and as many as the other prime or up to 64 more or less"
        )
    );
    assert_eq!(
        make(&n, &e, &n, &one),
        why(
            "prime in bits has length 1, allowed is at most 2048, and as many as the other prime or up to 64 more or less"
        )
    );
    assert_eq!(make(&(&n + 1_u8), &e, &p, &q), why("modulus is invalid: it is even"));
    assert_eq!(make(&n, &(&e + 1_u8), &p, &q), why("public exponent is invalid: it is even"));
    assert_eq!(
        make(&n, &one, &p, &q),
        why("public exponent in bits has length 1, allowed is 2 to 64")
    );
    assert_eq!(
        make(&n, &((&one << 64) + 1_u8), &p, &q),
        why("public exponent in bits has length 65, allowed is 2 to 64")
    );
    assert_eq!(make(&(&p * &p), &e, &p, &p), why("prime is invalid: it is not prime"));
    let composite = &p + 2_u8;
    assert_eq!(
        make(&(&composite * &q), &e, &composite, &q),
        why("prime is invalid: it is not prime")
    );
    let factor = (3_u32..).step_by(2).find(|e| (&p - 1_u8) % e == BigUint::ZERO).unwrap();
    assert_eq!(
        make(&n, &factor.into(), &p, &q),
        why("public exponent is invalid: it shares a factor with p - 1 or q - 1")
    );
    let short = (&one << 2046) + 1_u8;
    assert_eq!(
        make(&short, &e, &p, &q),
        why("modulus in bits has length 2047, allowed is 2048 to 4096")
    );
    let long = (&one << 4096) + 1_u8;
    assert_eq!(
        make(&long, &e, &p, &q),
        why("modulus in bits has length 4104, allowed is at most 4096")
    );
    assert!(PublicKey::new(&[1; 127], &[3]).is_err());
    assert!(PublicKey::new(&[0x81; 128], &[3]).is_ok());
    assert!(PublicKey::new(&[0x7f; 128], &[3]).is_err());
    assert!(PublicKey::new(&[], &[]).is_err());
}

/// A fault in any part of the computation gives an error, and no signature.
#[test]
fn faults_give_no_signature() {
    for info in backends() {
        for name in ["2048", "2048 of unequal primes"] {
            let private = Key::named(name).private(info.name);
            for place in [Place::Base, Place::P, Place::Q, Place::QInverse] {
                let mut signature = vec![1; 256];
                // The pair of factors is right.
                private.sign_pkcs1v15(HashFunction::Sha256, &[3; 32], &mut signature).unwrap();
                let failed = fault::with(place, || {
                    private.sign_pkcs1v15(HashFunction::Sha256, &[3; 32], &mut signature)
                });
                assert!(
                    matches!(failed, Err(Error::Invalid { what: "computed signature", .. })),
                    "{place:?}"
                );
                assert!(signature.iter().all(|byte| *byte == 0), "{place:?}");
            }
        }
    }
}

/// Each backend computes what `num-bigint` does, on edges.
#[test]
fn powers_of_every_backend() {
    let mut draw = Draw::new(6);
    let cases = if cfg!(debug_assertions) { 40 } else { 400 };
    for info in backends() {
        let engine = Engine::named(info.name).unwrap()(());
        for case in 0..cases {
            let size = [
                1024, 1024, 1024, 992, 1008, 1025, 1038, 1039, 1056, 1536, 1662, 1663, 1664, 2047,
                2048,
            ][case % 15];
            let other = size - [0, 0, 0, 1, 13, 40, 64][case % 7];
            let [m, n] = [draw.odd(size), draw.odd(other)];
            let m = match case % 5 {
                0 => (BigUint::from(1_u8) << size) - 1_u8,
                1 => (BigUint::from(1_u8) << (size - 1)) + 1_u8,
                _ => m,
            };
            let len = Bits(size).limbs();
            let [p, q] = [&m, &n].map(|m| Modulus::new(&ours(m, Limbs::MOST), Some(len)).unwrap());
            let primes: Primes = [p, q];
            let bits = [1, 20, 64, 130][case % 4];
            let [e, f] = [draw.number(bits), draw.number(bits)];
            let [a, b] = [draw.below(&m), draw.below(&n)];
            let longer = Limbs::new(len.get() + 1);
            let mut x = [ours(&a, len), ours(&b, len)];
            engine.secret(&primes, &[ours(&e, longer), ours(&f, longer)], Bits(bits), &mut x);
            assert_eq!(theirs(&x[0]), a.modpow(&e, &m), "{} {size} {other} {bits} p", info.name);
            assert_eq!(theirs(&x[1]), b.modpow(&f, &n), "{} {size} {other} {bits} q", info.name);
        }
        for case in 0..cases {
            let size =
                [2048, 2048, 1024, 1025, 1038, 1039, 2047, 2049, 2078, 2079, 3072, 4096][case % 12];
            let m = draw.odd(size);
            let m = if case % 3 == 0 { (BigUint::from(1_u8) << size) - 1_u8 } else { m };
            let a = draw.below(&m);
            let n = Modulus::new(&ours(&m, Limbs::MOST), None).unwrap();
            let e = [3, 65537, 17, u64::MAX, draw.word() | 1][case % 5];
            let mut x = ours(&a, n.len());
            engine.public(&n, e, &mut x);
            assert_eq!(theirs(&x), a.modpow(&e.into(), &m), "{} {size} {e}", info.name);
        }
    }
}

/// Factors are used once, by one thread, and renewed.
#[test]
fn keys_in_several_threads() {
    let private = Key::named("2048").private("rsa/portable");
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let private = &private;
            scope.spawn(move || {
                for _ in 0..8 {
                    let mut signature = vec![0; 256];
                    private
                        .sign_pkcs1v15(HashFunction::Sha256, &[thread; 32], &mut signature)
                        .unwrap();
                    let verified = private.public().verify_pkcs1v15(
                        HashFunction::Sha256,
                        &[thread; 32],
                        &signature,
                    );
                    verified.unwrap();
                }
            });
        }
    });
}
