//! AES-CMAC: every backend against portable, and messages in pieces.

mod common;

use common::{Random, backends, hex, thin};
use ropewalk::{
    Error,
    aes_cmac::{Key, PRIMITIVE},
};

const PORTABLE: &str = "aes_cmac/portable";
const LONG: usize = 65_536;
const KEY_LENS: [usize; 3] = [16, 24, 32];

/// RFC 4493, section 4.
#[test]
fn published_vectors() {
    let message = hex("6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
                       30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710");
    let tags = [
        (0, "bb1d6929e95937287fa37d129b756746"),
        (16, "070a16b46b4d4144f79bdd9dd04a287c"),
        (40, "dfa66747de9ae63030ca32611497c827"),
        (64, "51f0bebf7e3b9d92fc49741779363cfe"),
    ];
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&hex("2b7e151628aed2a6abf7158809cf4f3c"), name).unwrap();
        for (len, tag) in tags {
            assert_eq!(key.mac(&message[..len]).to_vec(), hex(tag), "{name}, {len}");
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
            for len in thin((0..=600).chain([1024, 4095, 4096, 4097, LONG]), 9) {
                let message = &data[len % 37..][..len];
                let tag = key.mac(message);
                assert_eq!(tag, portable.mac(message), "{name}, key of {key_len}, {len}");
                assert_eq!(key.verify(message, &tag), Ok(()), "{name}, key of {key_len}, {len}");
            }
        }
    }
}

#[test]
fn every_cut_into_three_is_the_same() {
    let data = Random(2).bytes(100);
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&[7; 24], name).unwrap();
        let tag = key.mac(&data);
        for (a, b) in thin((0..=100).flat_map(|a| (a..=100).map(move |b| (a, b))), 31) {
            let mut pieces = key.start();
            pieces.update(&data[..a]);
            // A copy goes on by itself.
            let mut other = pieces.clone();
            other.update(b"something else");
            pieces.update(&data[a..b]);
            pieces.update(&data[b..]);
            assert_eq!(pieces.finish(), tag, "{name} cut at {a} and {b}");
            assert_ne!(other.finish(), tag, "{name} cut at {a} and {b}");
        }
    }
}

#[test]
fn misuse_is_an_error() {
    for len in (0..64).filter(|len| !KEY_LENS.contains(len)) {
        assert!(matches!(Key::new(&vec![0; len]), Err(Error::Length { what: "AES key", .. })));
    }
    assert_eq!(Key::with_backend(&[0; 16], "aes_cmac/none").err(), Some(Error::NoBackend));
    let mut key = Key::new(&[0; 16]).unwrap();
    for len in (0..=40).filter(|len| !(4..=16).contains(len)) {
        let wrong = Error::Length { what: "tag", got: len, allowed: "4 to 16 bytes" };
        assert_eq!(key.set_tag_len(len), Err(wrong));
    }
    let whole = key.mac(b"message").to_vec();
    for len in 4..=16 {
        key.set_tag_len(len).unwrap();
        assert_eq!(*key.mac(b"message"), whole[..len]);
        assert_eq!(key.verify(b"message", &whole[..len]), Ok(()));
        assert_eq!(key.verify(b"massage", &whole[..len]), Err(Error::Forged));
        assert!(matches!(key.verify(b"message", &whole[..len - 1]), Err(Error::Length { .. })));
    }
}
