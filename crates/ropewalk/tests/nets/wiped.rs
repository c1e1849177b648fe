//! What is left in memory of a key, a hasher or a stream that has been dropped.
//!
//! Bytes that are not secret may stay: which backend it was, how many rounds. So two secrets are
//! compared, and nothing may be left that tells one from the other.

use std::{hint::black_box, mem::MaybeUninit, ptr};

use ropewalk::{
    aes_cbc,
    aes_ctr::{self, Counter, Stream},
    aes_gcm::{self, Sealer},
    sha3::{Sha3_256, Shake128},
    sha256::Sha256,
};

use crate::{Cover, Net};

pub(crate) const NET: Net = Net {
    name: "wiped",
    primitives: &[
        ("aes-cbc", Cover::Backend(aes_cbc)),
        ("aes-ctr", Cover::Backend(aes_ctr)),
        ("aes-gcm", Cover::Backend(aes_gcm)),
        ("sha256", Cover::Backend(sha256)),
        ("sha256-many", Cover::None("it keeps nothing of a message")),
        ("sha3", Cover::Backend(sha3)),
    ],
};

/// Two secrets that differ in every byte.
const SECRETS: [u8; 2] = [0x17, 0xe9];

/// Fails unless at least so many bytes tell secrets apart while it lives, and none when it is dropped.
#[track_caller]
fn wiped<T>(backend: &str, secrets: usize, make: impl Fn(u8) -> T) {
    // What is equal twice is no chance, as the rest of a union may be.
    let [(a, a_dropped), (b, b_dropped)] = SECRETS.map(|secret| lived(|| make(secret)));
    let [(a2, a2_dropped), (b2, b2_dropped)] = SECRETS.map(|secret| lived(|| make(secret)));
    let tell = |a: &[u8], a2: &[u8], b: &[u8], b2: &[u8]| {
        (0..a.len()).filter(|&i| a[i] != b[i] && a[i] == a2[i] && b[i] == b2[i]).collect::<Vec<_>>()
    };
    let alive = tell(&a, &a2, &b, &b2).len();
    assert!(
        alive >= secrets,
        "{backend}: {alive} bytes of secrets, and the test knows of {secrets}"
    );
    let left = tell(&a_dropped, &a2_dropped, &b_dropped, &b2_dropped);
    assert!(left.is_empty(), "{backend}: bytes {left:?} are left of {}", a.len());
}

/// The bytes of a value, and those that are where it was once it is dropped.
fn lived<T>(make: impl FnOnce() -> T) -> (Vec<u8>, Vec<u8>) {
    let mut place = Box::new(MaybeUninit::<T>::zeroed());
    place.write(make());
    let before = bytes(&mut place);
    // SAFETY: it has been written, and is dropped once.
    unsafe { place.assume_init_drop() };
    (before, bytes(&mut place))
}

fn bytes<T>(place: &mut MaybeUninit<T>) -> Vec<u8> {
    let start = black_box(place.as_mut_ptr()).cast::<u8>();
    // SAFETY: bytes of `place`, which were all zeroed to begin with; volatile, as nobody else is to
    // look at them again.
    (0..size_of::<T>()).map(|i| unsafe { ptr::read_volatile(start.wrapping_add(i)) }).collect()
}

/// A key schedule holds a block for each round, and one more.
fn round_keys(key_len: usize) -> usize {
    16 * (key_len / 4 + 7)
}

/// Of as many bytes, some are equal by chance.
fn nearly(bytes: usize) -> usize {
    bytes * 3 / 4
}

fn aes_cbc(backend: &'static str) {
    for len in [16, 24, 32] {
        let make = |secret| aes_cbc::Key::with_backend(&vec![secret; len], backend).unwrap();
        wiped(backend, nearly(round_keys(len)), make);
    }
}

fn aes_ctr(backend: &'static str) {
    for len in [16, 24, 32] {
        let key = |secret| aes_ctr::Key::with_backend(&vec![secret; len], backend).unwrap();
        wiped(backend, nearly(round_keys(len)), key);
        // Part of a block of key stream.
        wiped(backend, nearly(16), |secret| {
            let mut stream = Stream::new(Counter::Bits128, &[0; 16]);
            stream.apply_keystream(&key(secret), &mut [0; 37]).unwrap();
            stream
        });
    }
}

fn aes_gcm(backend: &'static str) {
    for len in [16, 24, 32] {
        // The hash key too, unless that is elsewhere.
        let secrets = nearly(round_keys(len));
        let key = |secret| aes_gcm::Key::with_backend(&vec![secret; len], backend).unwrap();
        wiped(backend, secrets, key);
        wiped(backend, secrets, |secret| Sealer::counter(key(secret), [0; 4], 0));
        for to in [16, 24, 32] {
            // Of a key that another has replaced, too.
            wiped(backend, 0, |secret| {
                let mut key = key(secret);
                key.rekey(&vec![0x33; to]).unwrap();
                key
            });
        }
    }
}

fn sha256(backend: &'static str) {
    // Of a message: a state, and part of a block.
    wiped(backend, nearly(32 + 50), |secret| {
        let mut hasher = Sha256::with_backend(backend).unwrap();
        hasher.update(&[secret; 64 + 50]);
        hasher
    });
    wiped(backend, nearly(32 + 50), |secret| {
        let mut hasher = Sha256::with_backend(backend).unwrap();
        hasher.update(&[secret; 64 + 50]);
        hasher.clone()
    });
}

fn sha3(backend: &'static str) {
    // Of a message: a state, with part of a block, or from which output comes.
    let hasher = |secret| {
        let mut hasher = Sha3_256::with_backend(backend).unwrap();
        hasher.update(&[secret; 136 + 50]);
        hasher
    };
    wiped(backend, nearly(200), hasher);
    wiped(backend, nearly(200), |secret| hasher(secret).clone());
    let reader = |secret| {
        let mut hasher = Shake128::with_backend(backend).unwrap();
        hasher.update(&[secret; 50]);
        let mut reader = hasher.finish();
        reader.squeeze(&mut [0; 10]);
        reader
    };
    wiped(backend, nearly(200), reader);
    wiped(backend, nearly(200), |secret| reader(secret).clone());
}
