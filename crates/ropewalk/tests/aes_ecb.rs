//! AES-ECB: published vectors, every backend against portable, and misuse.

mod common;

use common::{Random, backends, hex, thin};
use ropewalk::{
    Error,
    aes_ecb::{Key, PRIMITIVE},
};

const PORTABLE: &str = "aes_ecb/portable";
const LONG: usize = 65_536;
const KEY_LENS: [usize; 3] = [16, 24, 32];

/// FIPS 197, appendix C.
#[test]
fn published_vectors() {
    let secret: Vec<u8> = (0..32).collect();
    let plaintext = hex("00112233445566778899aabbccddeeff");
    for (key_len, ciphertext) in [
        (16, "69c4e0d86a7b0430d8cdb78070b4c55a"),
        (24, "dda97ca4864cdfe06eaf70a0ec0d7191"),
        (32, "8ea2b7ca516745bfeafc49904b496089"),
    ] {
        for name in backends(&PRIMITIVE) {
            let key = Key::with_backend(&secret[..key_len], name).unwrap();
            let mut text = plaintext.clone();
            key.encrypt(&mut text).unwrap();
            assert_eq!(text, hex(ciphertext), "{name}");
            key.decrypt(&mut text).unwrap();
            assert_eq!(text, plaintext, "{name}");
        }
    }
}

#[test]
fn every_length_equals_portable() {
    let mut random = Random(1);
    let data = random.bytes(LONG + 37);
    for key_len in KEY_LENS {
        let secret = random.bytes(key_len);
        let portable = Key::with_backend(&secret, PORTABLE).unwrap();
        for name in backends(&PRIMITIVE) {
            let key = Key::with_backend(&secret, name).unwrap();
            let lens = thin((0..=2048).step_by(16), 5);
            for len in lens.into_iter().chain([4096, 16_368, LONG - 16, LONG]) {
                let plaintext = &data[len % 37..][..len];
                let (mut want, mut copied) = (plaintext.to_vec(), vec![0; len]);
                portable.encrypt(&mut want).unwrap();
                let mut text = plaintext.to_vec();
                key.encrypt(&mut text).unwrap();
                key.encrypt_to(plaintext, &mut copied).unwrap();
                assert!(text == want && copied == want, "{name}, key of {key_len}, {len}");
                key.decrypt_to(&text, &mut copied).unwrap();
                key.decrypt(&mut text).unwrap();
                assert!(text == plaintext && copied == plaintext, "{name}, {key_len}, {len}");
            }
        }
    }
}

#[test]
fn misuse_is_an_error_and_touches_nothing() {
    for len in (0..64).filter(|len| !KEY_LENS.contains(len)) {
        assert!(matches!(Key::new(&vec![0; len]), Err(Error::Length { what: "AES key", .. })));
    }
    let key = Key::new(&[0; 16]).unwrap();
    for len in (0..64).filter(|len| len % 16 != 0) {
        let mut text = vec![1; len];
        let wrong =
            Err(Error::Length { what: "text", got: len, allowed: "a multiple of 16 bytes" });
        assert_eq!(key.encrypt(&mut text), wrong);
        assert_eq!(key.decrypt(&mut text), wrong);
        assert_eq!(text, vec![1; len]);
    }
    let mut out = [1; 32];
    assert!(key.encrypt_to(&[0; 16], &mut out).is_err());
    assert!(key.decrypt_to(&[0; 16], &mut out).is_err());
    assert_eq!(out, [1; 32]);
}
