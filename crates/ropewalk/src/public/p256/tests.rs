//! What no vector reaches: sums that are infinite, nonces of any length, numbers at the ends of their ranges, and all forms of DER.

use std::{string::String, vec, vec::Vec};

use super::*;

fn here(list: &'static [Info]) -> impl Iterator<Item = &'static str> {
    list.iter().filter(|info| (info.available)()).map(|info| info.name)
}

fn one() -> impl Iterator<Item = &'static str> {
    here(Engine::ALL)
}

fn many() -> impl Iterator<Item = &'static str> {
    here(ManyEngine::ALL)
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn n_plus(more: i8) -> Scalar {
    let mut n = crate::fields::words::to_bytes(N::WORDS);
    n[31] = n[31].wrapping_add_signed(more);
    n
}

/// Verifies through every backend, and returns whether the signature is valid.
fn verify(key: &PublicKey, digest: &[u8], signature: &Signature) -> bool {
    let valid = key.verify(digest, signature).is_ok();
    for backend in one() {
        let got = key.verify_with_backend(digest, signature, backend);
        assert_eq!(got.is_ok(), valid, "{backend}");
    }
    valid
}

/// r, s and e of all pairs of edges: no panic, and every backend says the same.
#[test]
fn edges_of_signatures() {
    let key = PrivateKey::from_bytes(&[7; 32]).unwrap().public();
    let mut one = [0; 32];
    one[31] = 1;
    let p = crate::fields::words::to_bytes(crate::fields::p256::number::P::WORDS);
    let edges = [[0; 32], one, n_plus(-1), n_plus(0), n_plus(1), p, [0xff; 32]];
    let mut items = Vec::new();
    for r in edges {
        for s in edges {
            let signature = Signature::from_bytes(&arithmetic::joined(r, s));
            let in_range = |x: &Scalar| *x == one || *x == n_plus(-1);
            assert_eq!(signature.is_ok(), in_range(&r) && in_range(&s));
            for e in edges {
                if let Ok(signature) = signature {
                    assert!(!verify(&key, &e, &signature));
                    items.push((e, signature));
                }
            }
        }
    }
    let items: Vec<_> =
        items.iter().map(|(digest, signature)| Signed { key: &key, digest, signature }).collect();
    for backend in many() {
        let verdicts = verify_many_by(backend, &items);
        assert!(verdicts.iter().all(|verdict| *verdict == Err(Error::Forged)));
    }
}

/// Signatures that would be valid with the infinite point, or where both multiples are the same or opposite points: with Q = d G,
/// u G + v Q is infinite if e = -r d.
#[test]
fn infinite_sums_are_refused() {
    for d in [1, 2, 3, 15, 16] {
        let mut scalar = [0; 32];
        scalar[31] = d;
        let key = PrivateKey::from_bytes(&scalar).unwrap().public();
        for r in [1, 2, 5] {
            let [mut r_bytes, mut s_bytes] = [[0; 32]; 2];
            (r_bytes[31], s_bytes[31]) = (r, 3);
            let signature = Signature::from_bytes(&arithmetic::joined(r_bytes, s_bytes)).unwrap();
            let rd = Residue::new([u64::from(r) * u64::from(d), 0, 0, 0]);
            for e in [Residue::ZERO - rd, rd, Residue::ZERO] {
                assert!(!verify(&key, &e.to_bytes(), &signature));
                let digest = &e.to_bytes();
                let item = Signed { key: &key, digest, signature: &signature };
                for backend in many() {
                    let verdicts = verify_many_by(backend, &[item]);
                    assert_eq!(verdicts, [Err(Error::Forged)], "{backend}");
                }
            }
        }
    }
}

/// An x-coordinate from n to p - 1, which r is n less than: only then is the second comparison needed.
#[test]
fn x_above_n_is_reduced() {
    use crate::fields::words::to_bytes;
    let mut found = 0;
    for small in 0..40_u64 {
        let mut x = N::WORDS;
        x[0] += small;
        let x_bytes = to_bytes(x);
        let mut compressed = [2; 33];
        compressed[1..].copy_from_slice(&x_bytes);
        let Ok(point) = PublicKey::from_bytes(&compressed) else { continue };
        found += 1;
        // With s = r and e = 0 it is Q itself that has to have that x.
        let mut r = [0; 32];
        r[31] = small as u8;
        if small > 0 {
            let signature = Signature::from_bytes(&arithmetic::joined(r, r)).unwrap();
            assert!(verify(&point, &[0; 32], &signature));
            for backend in many() {
                let item = Signed { key: &point, digest: &[0; 32], signature: &signature };
                assert_eq!(verify_many_by(backend, &[item]), [Ok(())]);
            }
        }
    }
    assert!(found > 5);
}

/// What a backend for many says of each signature.
fn verify_many_by(backend: &str, signed: &[Signed<'_>]) -> Vec<Result<(), Error>> {
    let mut results = vec![Err(Error::NoBackend); signed.len()];
    Many::with_backend(backend).unwrap().verify(signed, &mut results).unwrap();
    results
}

#[test]
fn wrong_keys_are_refused() {
    for d in [[0; 32], n_plus(0), n_plus(1), [0xff; 32]] {
        assert!(matches!(PrivateKey::from_bytes(&d), Err(Error::Invalid { .. })));
    }
    assert!(PrivateKey::from_bytes(&n_plus(-1)).is_ok());
    let right = PrivateKey::from_bytes(&[9; 32]).unwrap().public();
    let (long, short) = (right.to_bytes(), right.to_compressed());
    assert_eq!(PublicKey::from_bytes(&long), Ok(right));
    assert_eq!(PublicKey::from_bytes(&short), Ok(right));
    for len in 0..80 {
        let got = PublicKey::from_bytes(&[4; 80][..len]);
        assert!(got.is_err());
        assert_eq!(matches!(got, Err(Error::Length { .. })), ![33, 65].contains(&len));
    }
    for first in 0..=255 {
        let (mut long, mut short) = (long, short);
        (long[0], short[0]) = (first, first);
        assert_eq!(PublicKey::from_bytes(&long).is_ok(), first == 4);
        assert_eq!(PublicKey::from_bytes(&short).is_ok(), [2, 3].contains(&first));
    }
    for bit in 8..520 {
        let mut long = long;
        long[bit / 8] ^= 1 << (bit % 8);
        assert!(PublicKey::from_bytes(&long).is_err());
    }
    // p - 1 is below p; p, p + 5 = 5 and 2^256 - 1 are not.
    let p = crate::fields::words::to_bytes(crate::fields::p256::number::P::WORDS);
    for (x, y) in [(p, p), ([0xff; 32], [0; 32]), ([0; 32], [0; 32]), ([0; 32], p)] {
        let mut long = [4; 65];
        long[1..].copy_from_slice(&arithmetic::joined(x, y));
        assert!(PublicKey::from_bytes(&long).is_err());
    }
    // x = 5 is on the curve, and x = 5 + p has no other bytes.
    let mut short = [2; 33];
    short[1..].copy_from_slice(&p);
    assert!(PublicKey::from_bytes(&short).is_err());
}

/// Zero, n and above are drawn again.
#[test]
fn nonces_out_of_range_are_drawn_again() {
    let mut one = [0; 32];
    one[31] = 1;
    let mut draws = vec![one, n_plus(-1), [0xff; 32], n_plus(1), n_plus(0), [0; 32]];
    let mut draw = || Wiped::new(draws.pop().unwrap());
    assert_eq!(*nonces::first_scalar(&mut draw), n_plus(-1));
    assert_eq!(*nonces::first_scalar(&mut draw), one);
    // Numbers of one generator differ, and those of generators with other inputs too.
    let mut all: Vec<Scalar> = Vec::new();
    for len in [20, 28, 32, 48, 64] {
        for more in [&[][..], &[1; 32]] {
            let mut nonces = Nonces::new(&[3; 32], len, &[4; 32], more);
            all.extend((0..3).map(|_| *nonces.next()));
        }
    }
    // 20 bytes and 32 have the same function.
    all.drain(..6);
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 24);
}

/// Nonces of every number of bits, and with inverses of every number of bits: r is the x-coordinate of k G, and the signature is
/// valid, which leaves s and n - s. All backends have the same.
#[test]
fn nonces_of_any_length() {
    let d = [9; 32];
    let key = PrivateKey::from_bytes(&d).unwrap().public();
    let e = [5; 32];
    for bits in 1..256 {
        let mut short = [0; 32];
        for bit in 0..bits {
            short[31 - bit / 8] |= 1 << (bit % 8);
        }
        short[31 - (bits - 1) / 16] ^= u8::from(bits > 20);
        if is_scalar(&short) == 0 {
            continue;
        }
        let inverse = crate::fields::safegcd::inverse(Residue::from_bytes(&short)).to_bytes();
        for k in [short, inverse] {
            let point = PrivateKey::from_bytes(&k).unwrap().public();
            let r = Residue::from_bytes(point.to_bytes()[1..].first_chunk().unwrap()).to_bytes();
            let mut all = Vec::new();
            for backend in one() {
                let mut out = [0; 64];
                Engine::named(backend).unwrap()(()).sign(&d, &k, &e, &mut out);
                all.push(out);
            }
            for backend in many() {
                let mut out = [[0; 64]; 8];
                let engine = ManyEngine::named(backend).unwrap()(());
                engine.sign(&[&d; 8], &[&k; 8], &[&e; 8], &mut out);
                all.extend(out);
            }
            assert!(all.iter().all(|signature| *signature == all[0] && signature[..32] == r));
            let signature = Signature::from_bytes(&all[0]).unwrap();
            assert_eq!(key.verify(&e, &signature), Ok(()), "{bits} bits");
        }
    }
}

#[test]
fn signatures_are_hedged() {
    let key = PrivateKey::from_bytes(&[9; 32]).unwrap();
    let mut signatures = [None; 9];
    sign_many(&[ToSign { key: &key, digest: &[1; 32] }; 9], &mut signatures).unwrap();
    let mut bytes = signatures.map(|signature| signature.unwrap().to_bytes());
    bytes.sort_unstable();
    assert!(bytes.windows(2).all(|pair| pair[0] != pair[1]));
}

/// All changes of a byte of a signature in DER, and all lengths: what is accepted is what its numbers are written as.
#[test]
fn der_has_one_form() {
    let key = PrivateKey::from_bytes(&[9; 32]).unwrap();
    let mut some: Vec<Signature> =
        (0..40_u8).map(|i| key.sign_deterministic(&[i; 32]).unwrap()).collect();
    for (r, s) in [(1, 1), (127, 128), (255, 1)] {
        let [mut r_bytes, mut s_bytes] = [[0; 32]; 2];
        (r_bytes[31], s_bytes[31]) = (r, s);
        some.push(Signature::from_bytes(&arithmetic::joined(r_bytes, s_bytes)).unwrap());
    }
    for signature in some {
        let der = signature.to_der();
        assert_eq!(Signature::from_der(der.as_bytes()), Ok(signature));
        let with = |bytes: &[u8]| {
            if let Ok(read) = Signature::from_der(bytes) {
                assert_eq!(read.to_der().as_bytes(), bytes);
            }
        };
        for at in 0..der.as_bytes().len() {
            assert!(Signature::from_der(&der.as_bytes()[..at]).is_err());
            for byte in 0..=255 {
                let mut changed = der.as_bytes().to_vec();
                changed[at] = byte;
                with(&changed);
                changed[at] = der.as_bytes()[at];
                changed.insert(at, byte);
                changed[1] = changed[1].wrapping_add(1);
                with(&changed);
            }
        }
        let longer = [der.as_bytes(), &[0]].concat();
        assert!(Signature::from_der(&longer).is_err());
    }
    for wrong in ["", "30", "3000", "30020201", "3006020101020100", "3006020100020101"] {
        assert!(Signature::from_der(&bytes(wrong)).is_err(), "{wrong}");
    }
    for (why, wrong) in [
        ("a long form", "308106020101020101"),
        ("a zero in front", "300702020001020101"),
        ("a negative number", "3006020181020101"),
        ("no bytes", "30050200020101"),
        ("bytes after it", "300602010102010100"),
        ("bytes in it", "3007020101020101ff"),
        ("an endless form", "30800201010201010000"),
        ("too many bytes", &String::from_iter(["302602", "21", &"01".repeat(33), "020101"])),
    ] {
        assert!(Signature::from_der(&bytes(wrong)).is_err(), "{why}");
    }
    assert!(Signature::from_der(&bytes("3006020101020101")).is_ok());
}
