//! AES key wrap: published vectors, and every backend against portable.

mod common;

use common::{Random, backends, hex, thin};
use ropewalk::{
    Error, aes_ecb,
    aes_kw::{Key, PRIMITIVE, padded_len},
};

const PORTABLE: &str = "aes_kw/portable";
const KEY_LENS: [usize; 3] = [16, 24, 32];

/// RFC 3394, sections 4.1 to 4.6, and RFC 5649, section 6.
#[test]
fn published_vectors() {
    let secret = hex("000102030405060708090a0b0c0d0e0f 101112131415161718191a1b1c1d1e1f");
    let data = hex("00112233445566778899aabbccddeeff 000102030405060708090a0b0c0d0e0f");
    let whole = [
        (16, 16, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"),
        (24, 16, "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"),
        (32, 16, "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"),
        (24, 24, "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"),
        (32, 24, "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"),
        (
            32,
            32,
            "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21",
        ),
    ];
    let padded_secret = hex("5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8");
    let padded = [
        (
            "c37b7e6492584340bed12207808941155068f738",
            "138bdeaa9b8fa7fc61f97742e72248ee5ae6ae5360d1ae6a5f54f373fa543b6a",
        ),
        ("466f7250617369", "afbeb0f07dfbf5419200f2ccb50bb24f"),
    ];
    for name in backends(&PRIMITIVE) {
        for (key_len, len, wrapped) in whole {
            let key = Key::with_backend(&secret[..key_len], name).unwrap();
            let data = &data[..len];
            let mut out = vec![0; len + 8];
            key.wrap_to(data, &mut out).unwrap();
            assert_eq!(out, hex(wrapped), "{name}, {key_len}, {len}");
            assert_eq!(key.unwrap(&mut out).unwrap(), data, "{name}, {key_len}, {len}");
        }
        let key = Key::with_backend(&padded_secret, name).unwrap();
        for (data, wrapped) in padded {
            let mut out = vec![0; padded_len(data.len() / 2)];
            key.wrap_padded_to(&hex(data), &mut out).unwrap();
            assert_eq!(out, hex(wrapped), "{name}");
            assert_eq!(key.unwrap_padded(&mut out).unwrap(), hex(data), "{name}");
        }
    }
}

#[test]
fn every_length_equals_portable() {
    let mut random = Random(1);
    let data = random.bytes(2100);
    for key_len in KEY_LENS {
        let secret = random.bytes(key_len);
        let portable = Key::with_backend(&secret, PORTABLE).unwrap();
        for name in backends(&PRIMITIVE) {
            let key = Key::with_backend(&secret, name).unwrap();
            for len in thin((1..=130).chain([1024, 2047, 2048]), 9) {
                let plain = &data[len % 37..][..len];
                let (mut want, mut out) = (vec![0; padded_len(len)], vec![0; padded_len(len)]);
                portable.wrap_padded_to(plain, &mut want).unwrap();
                key.wrap_padded_to(plain, &mut out).unwrap();
                assert!(out == want, "{name}, key of {key_len}, {len} padded");
                assert_eq!(key.unwrap_padded(&mut out).unwrap(), plain, "{name}, {key_len}, {len}");
                if len >= 16 && len % 8 == 0 {
                    portable.wrap_to(plain, &mut want).unwrap();
                    key.wrap_to(plain, &mut out).unwrap();
                    assert!(out == want, "{name}, key of {key_len}, {len}");
                    assert_eq!(key.unwrap(&mut out).unwrap(), plain, "{name}, {key_len}, {len}");
                }
            }
        }
    }
}

/// RFC 3394, section 2.2.1, of any initial value.
fn wrapped_by_the_letter(secret: &[u8], initial: [u8; 8], data: &[u8]) -> Vec<u8> {
    let key = aes_ecb::Key::new(secret).unwrap();
    let (mut a, mut r) = (initial, data.to_vec());
    let n = data.len() / 8;
    for t in 1..=6 * n {
        let r = &mut r[8 * ((t - 1) % n)..][..8];
        let mut b = [&a[..], r].concat();
        key.encrypt(&mut b).unwrap();
        a = (u64::from_be_bytes(b[..8].try_into().unwrap()) ^ t as u64).to_be_bytes();
        r.copy_from_slice(&b[8..]);
    }
    [&a[..], &r].concat()
}

/// One bit of the initial value is another one, and the key is encrypted as it should be.
#[test]
fn every_byte_of_the_initial_value_counts() {
    let (secret, data) = ([7; 32], [5; 40]);
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&secret, name).unwrap();
        let unwrapped = |initial: [u8; 8]| {
            let mut out = wrapped_by_the_letter(&secret, initial, &data);
            key.unwrap(&mut out).map(|key| key.to_vec())
        };
        let unpadded = |initial: [u8; 8]| {
            let mut out = wrapped_by_the_letter(&secret, initial, &data);
            key.unwrap_padded(&mut out).map(|key| key.to_vec())
        };
        // RFC 5649, section 3: a constant, and the length.
        let (whole, padded) = ([0xa6; 8], [0xa6, 0x59, 0x59, 0xa6, 0, 0, 0, 40]);
        assert_eq!((unwrapped(whole), unpadded(padded)), (Ok(data.to_vec()), Ok(data.to_vec())));
        for bit in 0..64 {
            let other = |mut initial: [u8; 8]| {
                initial[bit / 8] ^= 1 << (bit % 8);
                initial
            };
            assert_eq!(unwrapped(other(whole)), Err(Error::Forged), "{name}, {bit}");
            assert_eq!(unpadded(other(padded)), Err(Error::Forged), "{name}, {bit} padded");
        }
    }
}

#[test]
fn misuse_is_an_error_and_touches_nothing() {
    for len in (0..64).filter(|len| !KEY_LENS.contains(len)) {
        assert!(matches!(Key::new(&vec![0; len]), Err(Error::Length { what: "AES key", .. })));
    }
    let (key, mut out) = (Key::new(&[0; 16]).unwrap(), [1; 64]);
    for len in (0..64).filter(|len| *len < 24 || len % 8 != 0) {
        let allowed = "a multiple of 8 bytes, from 24 on";
        let wrong = Error::Length { what: "wrapped key", got: len, allowed };
        assert_eq!(key.wrap(&mut out[..len]), Err(wrong));
        assert_eq!(key.unwrap(&mut out[..len]).err(), Some(wrong));
    }
    assert!(key.wrap_to(&[0; 24], &mut out).is_err());
    assert!(key.wrap_padded_to(&[0; 24], &mut out).is_err());
    assert!(key.unwrap_to(&[0; 32], &mut out).is_err());
    assert!(key.unwrap_padded_to(&[0; 32], &mut out).is_err());
    assert_eq!(out, [1; 64]);
    assert_eq!([0, 1, 8, 9, usize::MAX].map(padded_len), [8, 16, 16, 24, usize::MAX]);
}
