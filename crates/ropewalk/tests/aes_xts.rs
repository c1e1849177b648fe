//! AES-XTS: every length and every size of sectors against portable, and misuse.

mod common;

use common::{Random, backends, thin};
use ropewalk::{
    Error,
    aes_xts::{Key, LONGEST_UNIT, PRIMITIVE, sector_tweak},
};

const PORTABLE: &str = "aes_xts/portable";
const LONG: usize = 65_536;
const KEY_LENS: [usize; 2] = [32, 64];

#[test]
fn every_length_equals_portable() {
    let mut random = Random(1);
    let data = random.bytes(LONG + 37);
    for key_len in KEY_LENS {
        let secret = random.bytes(key_len);
        let portable = Key::with_backend(&secret, PORTABLE).unwrap();
        for name in backends(&PRIMITIVE) {
            let key = Key::with_backend(&secret, name).unwrap();
            let lens = thin((16..=1700).step_by(if name == PORTABLE { 7 } else { 1 }), 37);
            for len in lens.chain([4096, 16_368, 16_385, LONG - 1, LONG]) {
                let tweak = random.bytes(16).try_into().unwrap();
                let plaintext = &data[len % 37..][..len];
                let (mut want, mut copied) = (plaintext.to_vec(), vec![0; len]);
                portable.encrypt(&tweak, &mut want).unwrap();
                let mut text = plaintext.to_vec();
                key.encrypt(&tweak, &mut text).unwrap();
                key.encrypt_to(&tweak, plaintext, &mut copied).unwrap();
                assert!(text == want && copied == want, "{name}, key of {key_len}, {len}");
                key.decrypt_to(&tweak, &text, &mut copied).unwrap();
                key.decrypt(&tweak, &mut text).unwrap();
                assert!(text == plaintext && copied == plaintext, "{name}, {key_len}, {len}");
            }
        }
    }
}

/// Counts of sectors around those whose tweaks are made together, and numbers that carry.
#[test]
fn sectors_are_units_with_numbers() {
    let mut random = Random(2);
    let firsts = [0, 1, 255, (1 << 32) - 2, u64::MAX - 3, u64::MAX];
    for (i, name) in backends(&PRIMITIVE).enumerate() {
        let secret = random.bytes(KEY_LENS[i % 2]);
        let key = Key::with_backend(&secret, name).unwrap();
        for size in thin([16, 17, 31, 32, 48, 100, 512, 520, 4096].into_iter(), 3) {
            for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 13] {
                let first = firsts[random.below(firsts.len())];
                let plaintext = random.bytes(size * count);
                let mut want = plaintext.clone();
                for (n, sector) in want.chunks_mut(size).enumerate() {
                    let tweak = (u128::from(first) + n as u128).to_le_bytes();
                    key.encrypt(&tweak, sector).unwrap();
                }
                let case = format!("{name}, {count} of {size} from {first} on");
                let (mut text, mut copied) = (plaintext.clone(), vec![0; size * count]);
                key.encrypt_sectors(first, size, &mut text).unwrap();
                key.encrypt_sectors_to(first, size, &plaintext, &mut copied).unwrap();
                assert!(text == want && copied == want, "{case}");
                key.decrypt_sectors_to(first, size, &text, &mut copied).unwrap();
                key.decrypt_sectors(first, size, &mut text).unwrap();
                assert!(text == plaintext && copied == plaintext, "{case}");
            }
        }
    }
}

/// Many tweaks, whose multiples by powers of x carry at different blocks.
#[test]
fn any_tweak_equals_portable() {
    let mut random = Random(3);
    let secret = random.bytes(64);
    let portable = Key::with_backend(&secret, PORTABLE).unwrap();
    let plaintext = vec![0; 1040];
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&secret, name).unwrap();
        for _ in thin(0..200, 20) {
            let tweak = random.bytes(16).try_into().unwrap();
            let (mut want, mut text) = (plaintext.clone(), plaintext.clone());
            portable.encrypt(&tweak, &mut want).unwrap();
            key.encrypt(&tweak, &mut text).unwrap();
            assert!(text == want, "{name}, {tweak:?}");
        }
    }
}

#[test]
fn tweak_of_a_sector_is_little_endian() {
    assert_eq!(sector_tweak(0), [0; 16]);
    let want = [0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(sector_tweak(0x0123_4567_89ab_cdef), want);
}

#[cfg(unix)]
#[test]
fn nothing_beyond_the_buffers_is_touched() {
    let mut text = common::guarded::Guarded::new(4096);
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&Random(4).bytes(64), name).unwrap();
        for len in thin((16..=1100).chain(4000..=4096), 37) {
            key.encrypt(&[0; 16], text.at_end(len)).unwrap();
            key.decrypt(&[0; 16], text.at_end(len)).unwrap();
            key.encrypt(&[0; 16], text.at_start(len)).unwrap();
            key.decrypt(&[0; 16], text.at_start(len)).unwrap();
        }
        for size in [16, 31, 512] {
            let len = 4096 / size * size;
            key.encrypt_sectors(0, size, text.at_end(len)).unwrap();
            key.decrypt_sectors(0, size, text.at_end(len)).unwrap();
        }
    }
}

#[test]
fn misuse_is_an_error_and_touches_nothing() {
    for len in (0..100).filter(|len| !KEY_LENS.contains(len)) {
        let key = Key::new(&vec![0; len]);
        assert!(matches!(key, Err(Error::Length { what: "AES-XTS key", got, .. }) if got == len));
    }
    for len in KEY_LENS {
        assert_eq!(Key::new(&vec![3; len]).err(), Some(Error::EqualHalves));
    }
    let key = Key::new(&Random(5).bytes(32)).unwrap();
    let mut out = vec![1; LONGEST_UNIT + 1];
    for len in (0..16).chain([LONGEST_UNIT + 1]) {
        let wrong = Err(Error::Length { what: "text", got: len, allowed: "16 to 2^24 bytes" });
        assert_eq!(key.encrypt(&[0; 16], &mut out[..len]), wrong);
        assert_eq!(key.decrypt(&[0; 16], &mut out[..len]), wrong);
    }
    assert!(key.encrypt_to(&[0; 16], &[0; 16], &mut out).is_err());
    assert!(key.decrypt_to(&[0; 16], &[0; 16], &mut out).is_err());
    assert!(key.encrypt_sectors(0, 15, &mut out).is_err());
    assert!(key.decrypt_sectors(0, 0, &mut []).is_err());
    assert!(key.encrypt_sectors(0, 512, &mut out[..513]).is_err());
    assert!(key.decrypt_sectors_to(0, 16, &[0; 32], &mut out[..16]).is_err());
    assert!(out.iter().all(|byte| *byte == 1));
    assert!(Key::with_backend(&[0; 32], "aes_xts/none").is_err());
}
