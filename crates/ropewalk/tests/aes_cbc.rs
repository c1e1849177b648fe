//! AES-CBC: published vectors, and every backend against portable.

mod common;

use common::{Random, backends, hex, thin};
use ropewalk::{
    Error,
    aes_cbc::{Key, PRIMITIVE, padded_len},
};

const PORTABLE: &str = "aes_cbc/portable";
const LONG: usize = 65_536;
const KEY_LENS: [usize; 3] = [16, 24, 32];

/// SP 800-38A, F.2.
#[test]
fn published_vectors() {
    let iv = hex("000102030405060708090a0b0c0d0e0f").try_into().unwrap();
    let plaintext = hex("6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
                         30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710");
    let cases = [
        (
            "2b7e151628aed2a6abf7158809cf4f3c",
            "7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2
             73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7",
        ),
        (
            "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
            "4f021db243bc633d7178183a9fa071e8 b4d9ada9ad7dedf4e5e738763f69145a
             571b242012fb7ae07fa9baac3df102e0 08b0e27988598881d920a9e64f5615cd",
        ),
        (
            "603deb1015ca71be2b73aef0857d7781 1f352c073b6108d72d9810a30914dff4",
            "f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d
             39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b",
        ),
    ];
    for (secret, ciphertext) in cases {
        for name in backends(&PRIMITIVE) {
            let key = Key::with_backend(&hex(secret), name).unwrap();
            let mut text = plaintext.clone();
            key.encrypt(&iv, &mut text).unwrap();
            assert_eq!(text, hex(ciphertext), "{name}");
            key.decrypt(&iv, &mut text).unwrap();
            assert_eq!(text, plaintext, "{name}");
        }
    }
}

#[test]
fn every_length_equals_portable() {
    let mut random = Random(1);
    let (iv, data) = (random.bytes(16).try_into().unwrap(), random.bytes(LONG + 37));
    for key_len in KEY_LENS {
        let secret = random.bytes(key_len);
        let portable = Key::with_backend(&secret, PORTABLE).unwrap();
        for name in backends(&PRIMITIVE) {
            let key = Key::with_backend(&secret, name).unwrap();
            let lens = thin((0..=2048).step_by(16), 5);
            for len in lens.into_iter().chain([4096, 16_368, LONG - 16, LONG]) {
                let plaintext = &data[len % 37..][..len];
                let (mut want, mut copied) = (plaintext.to_vec(), vec![0; len]);
                portable.encrypt(&iv, &mut want).unwrap();
                let mut text = plaintext.to_vec();
                key.encrypt(&iv, &mut text).unwrap();
                key.encrypt_to(&iv, plaintext, &mut copied).unwrap();
                assert!(text == want && copied == want, "{name}, key of {key_len}, {len}");
                key.decrypt_to(&iv, &text, &mut copied).unwrap();
                key.decrypt(&iv, &mut text).unwrap();
                assert!(text == plaintext && copied == plaintext, "{name}, {key_len}, {len}");
                portable.decrypt(&iv, &mut want).unwrap();
                assert!(want == plaintext, "{len}");
            }
        }
    }
}

#[test]
fn padding_comes_and_goes() {
    let mut random = Random(2);
    let (secret, iv) = (random.bytes(16), random.bytes(16).try_into().unwrap());
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&secret, name).unwrap();
        for len in 0..100 {
            let plaintext = random.bytes(len);
            let mut padded = plaintext.clone();
            padded.resize(padded_len(len), (padded_len(len) - len) as u8);
            key.encrypt(&iv, &mut padded).unwrap();

            let mut ciphertext = vec![0; padded_len(len)];
            key.encrypt_padded_to(&iv, &plaintext, &mut ciphertext).unwrap();
            assert_eq!(ciphertext, padded, "{name} {len}");
            let mut buffer = [plaintext.as_slice(), &random.bytes(padded_len(len) - len)].concat();
            key.encrypt_padded(&iv, &mut buffer, len).unwrap();
            assert_eq!(buffer, padded, "{name} {len}");

            let mut out = vec![0; padded_len(len)];
            assert_eq!(key.decrypt_padded_to(&iv, &ciphertext, &mut out), Ok(len), "{name} {len}");
            assert_eq!(out[..len], plaintext, "{name} {len}");
            assert_eq!(key.decrypt_padded(&iv, &mut buffer).unwrap(), plaintext, "{name} {len}");
        }
    }
}

/// Every last block whose padding is right, and every one that differs from such in one byte.
#[test]
fn wrong_padding_opens_to_zeros() {
    let (iv, mut random) = ([3; 16], Random(3));
    let key = Key::new(&[7; 16]).unwrap();
    let open = |last: [u8; 16]| {
        let mut text = [[0xaa; 16], last].concat();
        key.encrypt(&iv, &mut text).unwrap();
        match key.decrypt_padded(&iv, &mut text) {
            Ok(text) => Ok(text.len()),
            Err(error) => {
                assert_eq!((error, &text[..]), (Error::Forged, [0; 32].as_slice()));
                Err(())
            }
        }
    };
    for n in 0..=255_u8 {
        let mut last: [u8; 16] = random.bytes(16).try_into().unwrap();
        last[16_usize.saturating_sub(n.into())..].fill(n);
        last[15] = n;
        let right = (1..=16).contains(&n);
        assert_eq!(open(last), if right { Ok(32 - usize::from(n)) } else { Err(()) }, "{n}");
        for wrong in 16_usize.saturating_sub(n.into())..15 {
            let mut last = last;
            last[wrong] ^= 1 << (wrong % 8);
            assert_eq!(open(last), Err(()), "{n} {wrong}");
        }
    }
}

#[cfg(unix)]
#[test]
fn nothing_beyond_the_buffers_is_touched() {
    let mut text = common::guarded::Guarded::new(4096);
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&[7; 32], name).unwrap();
        for len in thin((0..=4096).step_by(16), 5) {
            key.encrypt(&[0; 16], text.at_end(len)).unwrap();
            key.decrypt(&[0; 16], text.at_end(len)).unwrap();
            key.encrypt(&[0; 16], text.at_start(len)).unwrap();
            key.decrypt(&[0; 16], text.at_start(len)).unwrap();
        }
    }
}

#[test]
fn pieces_are_the_whole() {
    let mut random = Random(3);
    for name in backends(&PRIMITIVE) {
        for key_len in KEY_LENS {
            let key = Key::with_backend(&random.bytes(key_len), name).unwrap();
            let (plaintext, iv) = (random.bytes(16 * 40), [9; 16]);
            let mut whole = plaintext.clone();
            key.encrypt(&iv, &mut whole).unwrap();
            for lens in [vec![16; 40], vec![0, 16, 32, 48, 64, 16, 464], vec![624, 16]] {
                let (mut in_place, mut copied) = (plaintext.clone(), vec![0; plaintext.len()]);
                let (mut one, mut other, mut at) = (iv, iv, 0);
                for len in lens {
                    let piece = at..at + len;
                    key.encrypt_piece(&mut one, &mut in_place[piece.clone()]).unwrap();
                    key.encrypt_piece_to(&mut other, &plaintext[piece.clone()], &mut copied[piece])
                        .unwrap();
                    at += len;
                    assert_eq!(one, other);
                }
                assert!(in_place == whole && copied == whole, "{name}");
                assert_eq!(one, whole[whole.len() - 16..]);
            }
        }
        let (key, mut iv) = (Key::with_backend(&[7; 16], name).unwrap(), [1; 16]);
        assert!(key.encrypt_piece(&mut iv, &mut [0; 17]).is_err());
        assert!(key.encrypt_piece_to(&mut iv, &[0; 16], &mut [0; 32]).is_err());
        assert_eq!(iv, [1; 16]);
    }
}

#[test]
fn misuse_is_an_error_and_touches_nothing() {
    for len in (0..64).filter(|len| !KEY_LENS.contains(len)) {
        assert!(matches!(Key::new(&vec![0; len]), Err(Error::Length { what: "AES key", .. })));
    }
    let (key, iv) = (Key::new(&[0; 16]).unwrap(), [0; 16]);
    for len in (0..64).filter(|len| len % 16 != 0) {
        let mut text = vec![1; len];
        let wrong =
            Err(Error::Length { what: "text", got: len, allowed: "a multiple of 16 bytes" });
        assert_eq!(key.encrypt(&iv, &mut text), wrong);
        assert_eq!(key.decrypt(&iv, &mut text), wrong);
        assert!(
            matches!(key.decrypt_padded(&iv, &mut text), Err(Error::Length { got, .. }) if got == len)
        );
        assert_eq!(text, vec![1; len]);
    }
    let mut out = [1; 32];
    assert!(key.encrypt_to(&iv, &[0; 16], &mut out).is_err());
    assert!(key.decrypt_to(&iv, &[0; 16], &mut out).is_err());
    assert!(key.encrypt_padded_to(&iv, &[0; 15], &mut out).is_err());
    assert!(key.encrypt_padded_to(&iv, &[0; 32], &mut out).is_err());
    assert!(key.encrypt_padded(&iv, &mut out, 32).is_err());
    assert!(key.decrypt_padded_to(&iv, &[0; 16], &mut out).is_err());
    assert!(key.decrypt_padded(&iv, &mut []).is_err());
    assert_eq!(out, [1; 32]);
}
