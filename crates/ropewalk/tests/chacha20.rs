//! ChaCha20: published vectors, and every backend against portable.

mod common;

use common::{Random, backends, hex, thin};
use ropewalk::{
    Error,
    chacha20::{Key, PRIMITIVE, Stream},
};

const PORTABLE: &str = "chacha20/portable";

/// Longer than any loop of any kernel, and not a multiple of any.
const LONGEST: usize = 4200;

/// RFC 8439, section 2.4.2.
#[test]
fn sunscreen() {
    let secret: Vec<u8> = (0..32).collect();
    let nonce = hex("000000000000004a00000000").try_into().unwrap();
    let plaintext = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip \
                      for the future, sunscreen would be it.";
    let ciphertext = hex("6e2e359a2568f98041ba0728dd0d6981 e97e7aec1d4360c20a27afccfd9fae0b
                          f91b65c5524733ab8f593dabcd62b357 1639d624e65152ab8f530c359f0861d8
                          07ca0dbf500d6a6156a38e088a22b65e 52bc514d16ccf806818ce91ab7793736
                          5af90bbf74a35be6b40b8eedf2785e42 874d");
    for name in backends(&PRIMITIVE) {
        let mut text = plaintext.to_vec();
        Key::with_backend(&secret, name).unwrap().apply_keystream(1, &nonce, &mut text).unwrap();
        assert_eq!(text, ciphertext, "{name}");
    }
}

#[test]
fn every_length_equals_portable() {
    let mut random = Random(1);
    let (secret, nonce) = (random.bytes(32), random.bytes(12).try_into().unwrap());
    let data = random.bytes(LONGEST);
    let portable = Key::with_backend(&secret, PORTABLE).unwrap();
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&secret, name).unwrap();
        for len in thin(0..=LONGEST, 29) {
            let (mut want, mut text) = (data[..len].to_vec(), data[..len].to_vec());
            portable.apply_keystream(7, &nonce, &mut want).unwrap();
            key.apply_keystream(7, &nonce, &mut text).unwrap();
            assert!(text == want, "{name}: {len}");
            let mut copy = vec![0; len];
            key.apply_keystream_to(7, &nonce, &data[..len], &mut copy).unwrap();
            assert!(copy == want, "{name}: {len}, copied");
        }
    }
}

/// Counters that carry into every byte, up to the last.
#[test]
fn counters_equal_portable() {
    let mut random = Random(2);
    let (secret, nonce) = (random.bytes(32), random.bytes(12).try_into().unwrap());
    let portable = Key::with_backend(&secret, PORTABLE).unwrap();
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&secret, name).unwrap();
        for ones in [0, 8, 16, 24, 31, 32] {
            for back in [1, 2, 3, 5, 15, 16, 17, 33, 60] {
                let counter = (1_u64 << ones).wrapping_sub(back) as u32;
                let blocks = (1_u64 << 32) - u64::from(counter);
                let len = (64 * blocks).min(LONGEST as u64) as usize;
                let (mut want, mut text) = (vec![0; len], vec![0; len]);
                portable.apply_keystream(counter, &nonce, &mut want).unwrap();
                key.apply_keystream(counter, &nonce, &mut text).unwrap();
                assert!(text == want, "{name}: {counter:#x}");
            }
        }
    }
}

#[test]
fn every_split_equals_one_piece() {
    let mut random = Random(3);
    let (secret, nonce) = (random.bytes(32), random.bytes(12).try_into().unwrap());
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&secret, name).unwrap();
        let mut want = vec![0; 1300];
        key.apply_keystream(9, &nonce, &mut want).unwrap();
        for step in thin(1..=1300, 19) {
            let (mut stream, mut text) = (Stream::new(9, &nonce), vec![0; 1300]);
            for piece in text.chunks_mut(step) {
                stream.apply_keystream(&key, piece).unwrap();
            }
            assert!(text == want, "{name}: pieces of {step}");
        }
    }
}

#[test]
fn misuse() {
    assert!(matches!(Key::new(&[0; 31]), Err(Error::Length { what: "ChaCha20 key", got: 31, .. })));
    assert!(matches!(Key::with_backend(&[0; 32], "chacha20/none"), Err(Error::NoBackend)));
    for name in backends(&PRIMITIVE) {
        assert_eq!(Key::with_backend(&[0; 32], name).unwrap().backend(), name);
    }
}
