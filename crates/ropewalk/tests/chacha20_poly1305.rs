//! ChaCha20-Poly1305: every backend against portable.

mod common;

use common::{Random, backends, thin};
use ropewalk::{
    Error,
    chacha20_poly1305::{Key, PRIMITIVE},
};

const PORTABLE: &str = "chacha20_poly1305/portable";

/// Seals and opens with a backend, and compares with portable.
fn compare(name: &str, secret: &[u8], nonce: &[u8], aad: &[u8], plaintext: &[u8]) {
    let case = || format!("{name}, aad of {}, text of {}", aad.len(), plaintext.len());
    let mut want = plaintext.to_vec();
    let tag = Key::with_backend(secret, PORTABLE).unwrap().seal(nonce, aad, &mut want).unwrap();
    let key = Key::with_backend(secret, name).unwrap();
    let mut text = plaintext.to_vec();
    assert_eq!(key.seal(nonce, aad, &mut text), Ok(tag), "{}", case());
    assert!(text == want, "{}", case());
    assert_eq!(key.open(nonce, aad, &mut text, &tag), Ok(()), "{}", case());
    assert!(text == plaintext, "{}", case());
}

#[test]
fn every_length_equals_portable() {
    let mut random = Random(1);
    let (secret, nonce, data) = (random.bytes(32), random.bytes(12), random.bytes(40_000));
    for name in backends(&PRIMITIVE) {
        for len in thin(0..=4300, 29) {
            compare(name, &secret, &nonce, &data[..len % 50], &data[..len]);
        }
        // Around the pieces in which long texts go through.
        for around in [8128, 8192, 16_320, 16_384, 24_512, 32_768] {
            for len in thin(around - 70..around + 70, 29) {
                compare(name, &secret, &nonce, &data[..13], &data[..len]);
            }
        }
    }
}

#[test]
fn every_length_of_additional_data_equals_portable() {
    let mut random = Random(2);
    let (secret, nonce, data) = (random.bytes(32), random.bytes(12), random.bytes(2000));
    for name in backends(&PRIMITIVE) {
        for len in thin(0..=2000, 29) {
            compare(name, &secret, &nonce, &data[..len], &data[..len * 7 % 300]);
        }
    }
}

#[test]
fn misuse() {
    let new = |len: usize| Key::new(&vec![0; len]).map(drop);
    let what = "ChaCha20-Poly1305 key";
    assert_eq!(new(16), Err(Error::Length { what, got: 16, allowed: "32 bytes" }));
    let none = Key::with_backend(&[0; 32], "chacha20_poly1305/none");
    assert!(matches!(none, Err(Error::NoBackend)));
    for name in backends(&PRIMITIVE) {
        assert_eq!(Key::with_backend(&[0; 32], name).unwrap().backend(), name);
    }
}
