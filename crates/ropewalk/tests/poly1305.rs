//! Poly1305: published vectors, and every backend against portable.

mod common;

use common::{Random, backends, thin};
use ropewalk::{
    Error,
    poly1305::{PRIMITIVE, Poly1305, mac_with_backend},
};

const PORTABLE: &str = "poly1305/portable";

/// Longer than any loop of any kernel, and not a multiple of any.
const LONGEST: usize = 4200;

/// Keys and messages of which limbs are full, or empty, and random ones.
fn cases(random: &mut Random) -> Vec<([u8; 32], Vec<u8>)> {
    let keys: [[u8; 32]; 5] = [
        [0xff; 32],
        [0; 32],
        // r is 1, 2, and as large as it may be; s is nothing.
        [[1; 1].as_slice(), &[0; 31]].concat().try_into().unwrap(),
        [[2; 1].as_slice(), &[0; 31]].concat().try_into().unwrap(),
        [[0xff; 16], [0; 16]].concat().try_into().unwrap(),
    ];
    let mut near = Vec::new();
    // Blocks at and around 2^130 − 5 with the one above them.
    for i in 0..LONGEST.div_ceil(16) {
        near.extend((u128::MAX - (i % 8) as u128).to_le_bytes());
    }
    near.truncate(LONGEST);
    let messages = [vec![0xff; LONGEST], vec![0; LONGEST], near, random.bytes(LONGEST)];
    let random_key = random.bytes(32).try_into().unwrap();
    let keys = keys.into_iter().chain([random_key]);
    keys.flat_map(|key| messages.clone().map(|message| (key, message))).collect()
}

#[test]
fn every_length_equals_portable() {
    for (i, (key, message)) in cases(&mut Random(1)).into_iter().enumerate() {
        for len in thin(0..=LONGEST, 29).filter(|len| i > 20 || len % 7 == i % 7) {
            let want = mac_with_backend(&key, &message[..len], PORTABLE).unwrap();
            for name in backends(&PRIMITIVE) {
                let tag = mac_with_backend(&key, &message[..len], name).unwrap();
                assert_eq!(tag, want, "{name}: {len}, case {i}");
            }
        }
    }
}

#[test]
fn every_split_equals_one_piece() {
    let mut random = Random(2);
    let (key, message) = (random.bytes(32).try_into().unwrap(), random.bytes(1300));
    let want = mac_with_backend(&key, &message, PORTABLE).unwrap();
    for name in backends(&PRIMITIVE) {
        for step in thin(1..=1300, 19) {
            let mut mac = Poly1305::with_backend(&key, name).unwrap();
            message.chunks(step).for_each(|piece| mac.update(piece));
            assert_eq!(mac.finish(), want, "{name}: pieces of {step}");
        }
        for cut in thin(0..=1300, 19) {
            let mut mac = Poly1305::with_backend(&key, name).unwrap();
            mac.update(&message[..cut]);
            mac.update(&message[cut..]);
            assert_eq!(mac.verify(&want), Ok(()), "{name}: cut at {cut}");
        }
    }
}

#[test]
fn misuse() {
    assert!(matches!(mac_with_backend(&[0; 32], b"", "poly1305/none"), Err(Error::NoBackend)));
    for name in backends(&PRIMITIVE) {
        assert_eq!(Poly1305::with_backend(&[0; 32], name).unwrap().backend(), name);
    }
}
