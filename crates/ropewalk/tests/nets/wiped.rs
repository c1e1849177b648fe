//! What is left in memory of a key, a hasher or a stream that has been dropped.
//!
//! Bytes that are not secret may stay: which backend it was, how many rounds. So two secrets are
//! compared, and nothing may be left that tells one from the other.

use std::{hint::black_box, mem::MaybeUninit, ptr};

use ropewalk::{
    Hash, aead, aes_cbc, aes_ccm, aes_cmac,
    aes_ctr::{self, Counter, Stream},
    aes_ecb,
    aes_gcm::{self, Sealer},
    aes_kw, aes_xts, cbc_hmac, chacha20, chacha20_poly1305, cipher, hash, hmac, mac,
    poly1305::Poly1305,
    random::CtrDrbg,
    sha1::Sha1,
    sha3::{Sha3_256, Shake128},
    sha256::Sha256,
};

use crate::{
    Cover, Net,
    functions::{Covers, Function},
    public_keys::{ed25519, p256, x25519},
};

pub(crate) const NET: Net = Net {
    name: "wiped",
    primitives: &[
        ("aes-cbc", Cover::Backend(aes_cbc)),
        ("aes-cbc-many", Cover::None("it keeps nothing of a message")),
        ("aes-cbc-hmac-sha1", Cover::Backend(cbc_hmac::<Sha1>)),
        ("aes-cbc-hmac-sha1-many", Cover::None("it keeps nothing of a record")),
        ("aes-cbc-hmac-sha256", Cover::Backend(cbc_hmac::<Sha256>)),
        ("aes-cbc-hmac-sha256-many", Cover::None("it keeps nothing of a record")),
        ("aes-ccm", Cover::Backend(aes_ccm)),
        ("aes-ccm-many", Cover::None("it keeps nothing of a message")),
        ("aes-cmac", Cover::Backend(aes_cmac)),
        ("aes-cmac-many", Cover::None("it keeps nothing of a message")),
        ("aes-ctr", Cover::Backend(aes_ctr)),
        ("aes-ctr-many", Cover::None("it keeps nothing of a message")),
        ("aes-ecb", Cover::Backend(aes_ecb)),
        ("aes-gcm-many", Cover::None("it keeps nothing of a message")),
        ("aes-gcm", Cover::Backend(aes_gcm)),
        ("ctr-drbg", Cover::Backend(ctr_drbg)),
        ("aes-xts", Cover::Backend(aes_xts)),
        ("aes-xts-many", Cover::None("it keeps nothing of a message")),
        ("aes-kw", Cover::Backend(aes_kw)),
        ("chacha20", Cover::Backend(chacha20)),
        ("chacha20-poly1305", Cover::Backend(chacha20_poly1305)),
        ("chacha20-poly1305-many", Cover::None("it keeps nothing of a message")),
        ("p256", Cover::Backend(p256::wiped_keys)),
        ("p256-many", Cover::None("it keeps nothing of a key")),
        (
            "rsa",
            Cover::None("its parts are on the heap, where a test of allocations looks for them"),
        ),
        ("rsa-many", Cover::None("it keeps nothing of a key")),
        ("poly1305", Cover::Backend(poly1305)),
        ("sha3-many", Cover::None("it keeps nothing of a message")),
        ("sha3", Cover::Backend(sha3)),
        ("ed25519", Cover::Backend(ed25519::wiped_keys)),
        ("ed25519-many", Cover::None("it keeps nothing of a key")),
        ("x25519", Cover::Backend(x25519::wiped_keys)),
        ("x25519-many", Cover::None("it keeps nothing of a key")),
    ],
    functions: |suites| &suites.wiped,
};

/// What it does with a hash function, and with HMAC of it.
pub(crate) const fn of_function<F: Function<N>, const N: usize>() -> Covers {
    Covers {
        one: Cover::Backend(hasher::<F>),
        many: Cover::None("it keeps nothing of a message"),
        hmac: Cover::Backend(hmac::<F>),
        hmac_many: Cover::None("it keeps nothing of a message"),
    }
}

/// Two secrets that differ in every byte.
const SECRETS: [u8; 2] = [0x17, 0xe9];

/// Fails unless at least so many bytes tell secrets apart while it lives, and none when it is dropped.
#[track_caller]
pub(crate) fn wiped<T>(backend: &str, secrets: usize, make: impl Fn(u8) -> T) {
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
    // SAFETY: bytes of `place`, which were all zeroed to begin with; volatile, as nothing else is to read them again.
    (0..size_of::<T>()).map(|i| unsafe { ptr::read_volatile(start.wrapping_add(i)) }).collect()
}

/// A key of an authenticated cipher by its name.
fn aead(name: &str, backend: &'static str, secrets: usize) {
    let algorithm = aead::Algorithm::named(name).unwrap();
    wiped(backend, secrets, |secret| {
        aead::Key::with_backend(algorithm, &vec![secret; algorithm.key_len()], backend).unwrap()
    });
}

/// A key of a cipher by its name. Its halves are not the same.
fn cipher(name: &str, backend: &'static str, secrets: usize) {
    let algorithm = cipher::Algorithm::named(name).unwrap();
    wiped(backend, secrets, |secret| {
        let mut bytes = vec![secret; algorithm.key_len()];
        bytes[0] = !secret;
        cipher::Key::with_backend(algorithm, &bytes, backend).unwrap()
    });
}

/// A key for messages by its name, and a message.
fn mac(name: &str, backend: &'static str, secrets: usize) {
    let algorithm = mac::Algorithm::named(name).unwrap();
    let key = |secret: u8| {
        mac::Key::with_backend(algorithm, &vec![secret; algorithm.key_len()], backend).unwrap()
    };
    wiped(backend, secrets, key);
    let key = key(7);
    wiped(backend, 7, |secret| {
        let mut mac = key.start();
        mac.update(&[secret; 10]);
        mac.clone()
    });
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
    cipher("aes-256-cbc", backend, nearly(round_keys(32)));
    for len in [16, 24, 32] {
        let make = |secret| aes_cbc::Key::with_backend(&vec![secret; len], backend).unwrap();
        wiped(backend, nearly(round_keys(len)), make);
    }
}

fn cbc_hmac<H: cbc_hmac::Hash>(backend: &'static str) {
    for len in [16, 32] {
        // And what the MAC's key left of two states.
        let secrets = round_keys(len) + 2 * H::DIGEST_LEN;
        wiped(backend, nearly(secrets), |secret| {
            let (aes, mac) = (vec![secret; len], vec![secret; H::DIGEST_LEN]);
            cbc_hmac::Key::<H>::with_backend(&aes, &mac, backend).unwrap()
        });
    }
}

fn aes_ecb(backend: &'static str) {
    for len in [16, 24, 32] {
        let make = |secret| aes_ecb::Key::with_backend(&vec![secret; len], backend).unwrap();
        wiped(backend, nearly(round_keys(len)), make);
    }
}

fn aes_ccm(backend: &'static str) {
    aead("aes-256-ccm", backend, nearly(round_keys(32)));
    for len in [16, 24, 32] {
        let make = |secret| aes_ccm::Key::with_backend(&vec![secret; len], backend).unwrap();
        wiped(backend, nearly(round_keys(len)), make);
        for to in [16, 24, 32] {
            // Of a key that another has replaced, too.
            wiped(backend, 0, |secret| {
                let mut key = make(secret);
                key.rekey(&vec![0x33; to]).unwrap();
                key
            });
        }
    }
}

fn aes_cmac(backend: &'static str) {
    mac("aes-256-cmac", backend, nearly(round_keys(32) + 32));
    for len in [16, 24, 32] {
        let make = |secret| aes_cmac::Key::with_backend(&vec![secret; len], backend).unwrap();
        wiped(backend, nearly(round_keys(len) + 32), make);
    }
    // Of a message: a state, and part of a block.
    let key = aes_cmac::Key::with_backend(&[7; 16], backend).unwrap();
    wiped(backend, nearly(16 + 10), |secret| {
        let mut pieces = key.start();
        pieces.update(&[secret; 64 + 10]);
        pieces.clone()
    });
}

fn aes_kw(backend: &'static str) {
    for len in [16, 24, 32] {
        let make = |secret| aes_kw::Key::with_backend(&vec![secret; len], backend).unwrap();
        wiped(backend, nearly(round_keys(len)), make);
    }
}

fn aes_xts(backend: &'static str) {
    cipher("aes-256-xts", backend, nearly(2 * round_keys(32)));
    for len in [16, 32] {
        let make = |secret: u8| {
            let halves = [vec![secret; len], vec![!secret; len]].concat();
            aes_xts::Key::with_backend(&halves, backend).unwrap()
        };
        wiped(backend, nearly(2 * round_keys(len)), make);
    }
}

fn aes_ctr(backend: &'static str) {
    cipher("aes-256-ctr", backend, nearly(round_keys(32)));
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
    aead("aes-256-gcm", backend, nearly(round_keys(32)));
    for len in [16, 24, 32] {
        // The hash key too, unless that is elsewhere.
        let secrets = nearly(round_keys(len));
        let key = |secret| aes_gcm::Key::with_backend(&vec![secret; len], backend).unwrap();
        wiped(backend, secrets, key);
        wiped(backend, secrets, |secret| Sealer::counter(key(secret), [0; 4], 0));
        // The hash, part of a block, and key stream for it; where the nonce is hashed, a counter too.
        for (nonce, more) in [([1; 12].as_slice(), 0), (&[1; 13], 16)] {
            let stream = |secret: u8| {
                let key = key(secret);
                let mut stream = aes_gcm::Stream::new(&key, nonce).unwrap();
                stream.absorb_aad(&key, &[secret; 20]).unwrap();
                stream.seal(&key, &mut [secret; 47]).unwrap();
                stream
            };
            wiped(backend, nearly(16 + 15 + 16 + more), stream);
            wiped(backend, nearly(16 + 15 + 16 + more), |secret| stream(secret).clone());
        }
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

fn hmac<H: Hash>(backend: &'static str) {
    mac(&format!("hmac-{}", H::NAME), backend, nearly(2 * H::DIGEST_LEN));
    let key = |secret| hmac::Key::<H>::with_backend(&[secret; 20], backend).unwrap();
    wiped(backend, nearly(2 * H::DIGEST_LEN), key);
    wiped(backend, nearly(2 * H::DIGEST_LEN), |secret| key(secret).clone());
    // Two states, and part of a block.
    wiped(backend, nearly(2 * H::DIGEST_LEN + 50), |secret| {
        let mut mac = key(secret).start();
        mac.update(&[secret; 50]);
        mac
    });
    wiped(backend, nearly(2 * H::DIGEST_LEN + 50), |secret| {
        let mut mac = key(secret).start();
        mac.update(&[secret; 50]);
        mac.clone()
    });
}

fn chacha20(backend: &'static str) {
    cipher("chacha20", backend, 32);
    let key = |secret| chacha20::Key::with_backend(&[secret; 32], backend).unwrap();
    wiped(backend, 32, key);
    // Part of a block of key stream.
    wiped(backend, nearly(64), |secret| {
        let mut stream = chacha20::Stream::new(1, &[0; 12]);
        stream.apply_keystream(&key(secret), &mut [0; 77]).unwrap();
        stream
    });
}

fn chacha20_poly1305(backend: &'static str) {
    aead("chacha20-poly1305", backend, 32);
    let key = |secret| chacha20_poly1305::Key::with_backend(&[secret; 32], backend).unwrap();
    wiped(backend, 32, key);
    // r and s, the accumulator, part of a block, and key stream for it.
    let stream = |secret: u8| {
        let key = key(secret);
        let mut stream = chacha20_poly1305::Stream::new(&key, &[1; 12]).unwrap();
        stream.absorb_aad(&key, &[secret; 20]).unwrap();
        stream.seal(&key, &mut [secret; 127]).unwrap();
        stream
    };
    wiped(backend, nearly(16 + 16 + 16 + 63 + 64), stream);
    wiped(backend, nearly(16 + 16 + 16 + 63 + 64), |secret| stream(secret).clone());
}

fn poly1305(backend: &'static str) {
    // r and s, the accumulator, and part of a block. Clamping leaves 106 bits of 128.
    wiped(backend, nearly(16 + 16 + 16 + 9), |secret| {
        let mut mac = Poly1305::with_backend(&[secret; 32], backend).unwrap();
        mac.update(&[secret; 64 + 9]);
        mac
    });
}

fn hasher<H: Hash>(backend: &'static str) {
    // Of a message: a state, of which a digest may be but a part, and part of a block.
    let part = H::BLOCK_LEN - 14;
    let hasher = |secret| {
        let mut hasher = H::with_backend(backend).unwrap();
        hasher.update(&vec![secret; H::BLOCK_LEN + part]);
        hasher
    };
    wiped(backend, nearly(H::DIGEST_LEN + part), hasher);
    wiped(backend, nearly(H::DIGEST_LEN + part), |secret| hasher(secret).clone());
    let algorithm = hash::Algorithm::named(H::NAME).unwrap();
    wiped(backend, nearly(H::DIGEST_LEN + part), |secret| {
        let mut hasher = hash::Hasher::with_backend(algorithm, backend).unwrap();
        hasher.update(&vec![secret; H::BLOCK_LEN + part]);
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

fn ctr_drbg(backend: &'static str) {
    // Key and V: after a seed, a request, and another seed.
    let make = |secret| CtrDrbg::with_backend(&[secret; 48], b"", backend).unwrap();
    wiped(backend, nearly(round_keys(32) + 16), make);
    wiped(backend, nearly(round_keys(32) + 16), |secret| {
        let mut drbg = make(secret);
        drbg.generate(b"", &mut [0; 100]).unwrap();
        drbg
    });
    wiped(backend, nearly(round_keys(32) + 16), |secret| {
        let mut drbg = make(0x33);
        drbg.reseed(&[secret; 48], b"").unwrap();
        drbg
    });
}
