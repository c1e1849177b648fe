//! Many signatures against single ones.

use num_bigint::BigUint;

use super::{
    super::{
        EIGHT, HashFunction, Many, ManyEngine, PRIMITIVE_MANY, Padding, PrivateKey, Signed, ToSign,
        encoding, sign_many, verify_many,
    },
    fault::{self, Place},
    keys::Key,
};
use crate::{
    bignum::{
        Bits, Limbs, Modulus, Number,
        tests::{Draw, ours, theirs},
    },
    core::{Error, backend::Info},
};

fn backends() -> impl Iterator<Item = &'static Info> {
    ManyEngine::ALL.iter().filter(|info| (info.available)())
}

#[test]
fn known_answers() {
    for info in backends() {
        assert_eq!((PRIMITIVE_MANY.self_test)(info.name), Ok(true), "{}", info.name);
    }
}

/// Each backend computes what `num-bigint` does, on edges.
#[test]
fn powers_of_every_backend() {
    let mut draw = Draw::new(7);
    for info in backends() {
        let engine = ManyEngine::named(info.name).unwrap()(());
        for case in 0..48 {
            let size =
                [1024, 1024, 1025, 1088, 1089, 1536, 1537, 1600, 1664, 2047, 2048, 1000][case % 12];
            let len = Bits(size).limbs();
            let m: [BigUint; EIGHT] = std::array::from_fn(|lane| match (case + lane) % 5 {
                0 => (BigUint::from(1_u8) << size) - 1_u8,
                1 => (BigUint::from(1_u8) << (size - 1)) + 1_u8,
                2 => draw.odd(size - 40),
                _ => draw.odd(size),
            });
            let bits = [1, 4, 23, 70][case % 4];
            let e = m.each_ref().map(|_| draw.number(bits));
            let a = m.each_ref().map(|m| draw.below(m));
            let moduli =
                m.each_ref().map(|m| Modulus::new(&ours(m, Limbs::MOST), Some(len)).unwrap());
            let exponents: [Number; EIGHT] = e.each_ref().map(|e| ours(e, Limbs::new(2)));
            let mut x = a.each_ref().map(|a| ours(a, len));
            engine.secret(&moduli.each_ref(), &exponents.each_ref(), Bits(bits), &mut x);
            for lane in 0..EIGHT {
                assert_eq!(
                    theirs(&x[lane]),
                    a[lane].modpow(&e[lane], &m[lane]),
                    "{} {size} {lane}",
                    info.name
                );
            }
        }
        for case in 0..48 {
            let size =
                [1024, 1025, 2047, 2048, 2049, 2560, 2561, 3072, 3584, 4095, 4096, 4033][case % 12];
            let len = Bits(size).limbs();
            let m: [BigUint; EIGHT] = std::array::from_fn(|lane| match (case + lane) % 4 {
                0 if size.is_multiple_of(64) => (BigUint::from(1_u8) << size) - 1_u8,
                1 => (BigUint::from(1_u8) << (size - 1)) + 1_u8,
                _ => draw.odd(size),
            });
            let e: [u64; EIGHT] = std::array::from_fn(|lane| match case % 3 {
                0 => 65537,
                1 => [3, 17, 65537, u64::MAX, 5, 7, 0x1_0001_0001, 1 << 63 | 1][lane],
                _ => draw.word() | 1,
            });
            let a = m.each_ref().map(|m| draw.below(m));
            let moduli =
                m.each_ref().map(|m| Modulus::new(&ours(m, Limbs::MOST), Some(len)).unwrap());
            let mut x = a.each_ref().map(|a| ours(a, len));
            engine.public(&moduli.each_ref(), &e, &mut x);
            for lane in 0..EIGHT {
                let expected = a[lane].modpow(&e[lane].into(), &m[lane]);
                assert_eq!(theirs(&x[lane]), expected, "{} {size} {lane}", info.name);
            }
        }
    }
}

fn all(backend: &str) -> Many {
    Many::with_backend(backend).unwrap()
}

/// Any count, mixed keys, encodings and faults: what single signatures give.
#[test]
fn mixed_items() {
    let keys = Key::all();
    let private: Vec<PrivateKey> = keys.iter().map(|key| key.private("rsa/portable")).collect();
    let mut draw = Draw::new(8);
    for info in backends() {
        let many = all(info.name);
        assert_eq!(many.backend(), info.name);
        for count in [0, 1, 2, 5, 7, 8, 9, 16, 23] {
            let which: Vec<usize> = (0..count)
                .map(|_| match count {
                    8 => 0,
                    _ => draw.word() as usize % keys.len() * (draw.word() as usize % 2),
                })
                .collect();
            let functions = [HashFunction::Sha1, HashFunction::Sha256, HashFunction::Sha512];
            let digests: Vec<(HashFunction, Vec<u8>)> = (0..count)
                .map(|at| {
                    let function = functions[at % 3];
                    // Some digests have a wrong length.
                    let len = function.digest_len() - usize::from(at % 11 == 4);
                    (function, vec![at as u8; len])
                })
                .collect();
            let padding = |at: usize| match at % 2 {
                0 => Padding::Pkcs1v15,
                _ => Padding::Pss { salt_len: at },
            };
            let mut signatures: Vec<Vec<u8>> =
                which.iter().map(|&key| vec![1; private[key].public().signature_len()]).collect();
            let mut items: Vec<ToSign<'_>> = signatures
                .iter_mut()
                .enumerate()
                .map(|(at, signature)| ToSign {
                    key: &private[which[at]],
                    padding: padding(at),
                    function: digests[at].0,
                    digest: &digests[at].1,
                    signature,
                })
                .collect();
            let mut results = vec![Ok(()); count];
            many.sign(&mut items, &mut results).unwrap();
            for (at, result) in results.iter().enumerate() {
                let (function, digest) = &digests[at];
                if at % 11 == 4 {
                    assert!(matches!(result, Err(Error::Length { what: "digest", .. })));
                    assert!(signatures[at].iter().all(|byte| *byte == 0));
                    continue;
                }
                assert_eq!(*result, Ok(()), "{} {count} {at}", info.name);
                let key = private[which[at]].public();
                match padding(at) {
                    Padding::Pkcs1v15 => {
                        key.verify_pkcs1v15(*function, digest, &signatures[at]).unwrap()
                    }
                    Padding::Pss { salt_len } => {
                        key.verify_pss(*function, digest, salt_len, &signatures[at]).unwrap()
                    }
                }
                if padding(at) == Padding::Pkcs1v15 {
                    let em = encoding::pkcs1v15(*function, digest, Bits(key.bits())).unwrap();
                    let m = BigUint::from_bytes_be(em.as_slice());
                    let key = &keys[which[at]];
                    assert_eq!(BigUint::from_bytes_be(&signatures[at]), m.modpow(&key.d(), &key.n));
                }
            }
            // Some are damaged.
            for (at, signature) in signatures.iter_mut().enumerate() {
                match at % 7 {
                    2 => signature[at] ^= 1,
                    3 => signature.push(0),
                    5 => signature.fill(0xff),
                    _ => {}
                }
            }
            let items: Vec<Signed<'_>> = signatures
                .iter()
                .enumerate()
                .map(|(at, signature)| Signed {
                    key: private[which[at]].public(),
                    padding: padding(at),
                    function: digests[at].0,
                    digest: &digests[at].1,
                    signature,
                })
                .collect();
            many.verify(&items, &mut results).unwrap();
            for (item, result) in items.iter().zip(&results) {
                assert_eq!(
                    *result,
                    item.key.verify(item.padding, item.function, item.digest, item.signature)
                );
            }
            assert_eq!(
                results.iter().filter(|result| result.is_ok()).count(),
                (0..count).filter(|at| ![2, 3, 5].contains(&(at % 7)) && at % 11 != 4).count()
            );
        }
    }
}

#[test]
fn best_backends_and_wrong_counts() {
    let key = Key::named("2048").private("rsa/portable");
    let mut signatures = [[0; 256]; 6];
    let digest = [5; 32];
    let (padding, function) = (Padding::Pkcs1v15, HashFunction::Sha256);
    let mut items: Vec<ToSign<'_>> = signatures
        .iter_mut()
        .map(|signature| ToSign { key: &key, padding, function, digest: &digest, signature })
        .collect();
    let wrong = Err(Error::Length { what: "results", got: 5, allowed: "one for each item" });
    assert_eq!(sign_many(&mut items, &mut [Ok(()); 5]), wrong);
    let mut results = [Ok(()); 6];
    sign_many(&mut items, &mut results).unwrap();
    assert_eq!(results, [Ok(()); 6]);
    let items = signatures.each_ref().map(|signature| Signed {
        key: key.public(),
        padding,
        function,
        digest: &digest,
        signature,
    });
    assert_eq!(verify_many(&items, &mut [Ok(()); 5]), wrong);
    verify_many(&items, &mut results).unwrap();
    assert_eq!(results, [Ok(()); 6]);
}

/// A fault gives an error, and no signature.
#[test]
fn faults_give_no_signature() {
    let key = Key::named("2048").private("rsa/portable");
    for info in backends() {
        for place in [Place::Base, Place::P, Place::Q, Place::QInverse] {
            let mut signatures = [[1; 256]; 3];
            let mut items: Vec<ToSign<'_>> = signatures
                .iter_mut()
                .map(|signature| ToSign {
                    key: &key,
                    padding: Padding::Pkcs1v15,
                    function: HashFunction::Sha256,
                    digest: &[9; 32],
                    signature,
                })
                .collect();
            let mut results = [Ok(()); 3];
            // The factors of blinding are right.
            all(info.name).sign(&mut items, &mut results).unwrap();
            fault::with(place, || all(info.name).sign(&mut items, &mut results)).unwrap();
            for (result, signature) in results.iter().zip(&signatures) {
                assert!(matches!(result, Err(Error::Invalid { what: "computed signature", .. })));
                assert!(signature.iter().all(|byte| *byte == 0));
            }
        }
    }
}
