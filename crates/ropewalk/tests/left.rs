//! What a call leaves on the stack while its key lives on: of what it wipes itself, nothing.
//!
//! A call that uses a key does not overwrite the stack, and a kernel may leave a part of what it worked with; that is done once
//! the key is dropped, as `ropewalk-ct residue` checks. What a call lays out in memory for its kernels, it wipes: here, bytes
//! that are known beforehand are looked for where the call was.

mod common;

use std::{hint::black_box, slice};

use common::stack::{EVERYWHERE, KEY, ROUND_KEYS, count_left, left_by};
use ropewalk::{
    aes_cbc, aes_ccm, aes_cmac, aes_ecb, aes_gcm,
    backend::Primitive,
    cbc_hmac, chacha20_poly1305, hmac,
    random::{self, CtrDrbg},
    sha1::{self, Sha1},
    sha256::{self, Sha256},
    sha512,
};

#[track_caller]
fn leaves_none(backend: &str, secrets: &[Vec<u8>], call: impl FnOnce() + Send) {
    let call = || {
        call();
        EVERYWHERE
    };
    assert_eq!(count_left(backend, secrets, call), 0, "{backend}");
}

/// Those of the last lanes may be left by a kernel, until a key is dropped.
#[track_caller]
fn leaves_last(backend: &str, lanes: usize, secrets: &[Vec<u8>], call: impl FnOnce() + Send) {
    assert!(secrets.len() > lanes, "{backend}: too few messages");
    let call = || {
        call();
        EVERYWHERE
    };
    let count = count_left(backend, secrets, call);
    assert!(count <= lanes, "{backend}: {count} of {} are left", secrets.len());
}

/// A kernel may spill a round key, which is left until its key is dropped; of round keys in memory, all would be left.
#[track_caller]
fn leaves_spilled(backend: &str, secrets: &[Vec<u8>], call: impl FnOnce() + Send) {
    leaves_last(backend, secrets.len() - 1, secrets, call);
}

/// What is left on purpose is found, unless it is swept.
#[test]
fn what_is_not_wiped_is_found() {
    #[inline(never)]
    fn copy(secret: &[u8]) {
        let bytes: [u8; 32] = secret.try_into().unwrap();
        black_box(&bytes);
    }
    let secret: Vec<u8> = (1..33).collect();
    let left = left_by(|| {
        copy(&secret);
        EVERYWHERE
    });
    assert!(left.windows(32).any(|bytes| bytes == secret));
    leaves_none("what is swept", slice::from_ref(&secret), || {
        ropewalk::swept(1024, || copy(&secret))
    });
}

/// Backends of a primitive, but for those whose kernels on 512 bits may spill some.
fn backends(primitive: &Primitive) -> impl Iterator<Item = &'static str> + use<> {
    common::backends(primitive).filter(|name| !name.contains("512_x"))
}

/// Those that have lanes.
fn in_lanes(primitive: &Primitive) -> impl Iterator<Item = &'static str> + use<> {
    backends(primitive).filter(|name| !name.ends_with("/portable"))
}

fn some_bytes(len: usize, first: u8) -> Vec<u8> {
    (0..len).map(|i| (i * 29) as u8 ^ first).collect()
}

/// The portable backends make others of them, and drop them.
#[test]
fn round_keys_of_replaced_keys() {
    let secrets = ROUND_KEYS.map(|key| key.to_be_bytes().to_vec());
    for backend in common::backends(&aes_gcm::PRIMITIVE) {
        let mut key = aes_gcm::Key::with_backend(&[7; 16], backend).unwrap();
        leaves_none(backend, &secrets, || key.rekey(&KEY).unwrap());
    }
    for backend in common::backends(&aes_ccm::PRIMITIVE) {
        let mut key = aes_ccm::Key::with_backend(&[7; 16], backend).unwrap();
        leaves_none(backend, &secrets, || key.rekey(&KEY).unwrap());
    }
}

#[test]
fn round_keys_of_lanes() {
    let secrets = ROUND_KEYS.map(|key| key.to_be_bytes().to_vec());
    for backend in in_lanes(&aes_cbc::PRIMITIVE_MANY) {
        let keys = [KEY, [7; 16]].map(|secret| aes_cbc::Key::new(&secret).unwrap());
        let mut texts = vec![[7; 160]; 19];
        let mut messages: Vec<_> = texts.iter_mut().map(|text| &mut text[..]).enumerate().collect();
        let mut messages: Vec<_> = messages
            .iter_mut()
            .map(|(i, text)| aes_cbc::Message { key: &keys[*i % 2], iv: &[1; 16], text })
            .collect();
        let many = aes_cbc::Many::with_backend(backend).unwrap();
        leaves_spilled(backend, &secrets, || many.encrypt(&mut messages).unwrap());
    }
    for backend in in_lanes(&aes_cmac::PRIMITIVE_MANY) {
        let keys = [KEY, [7; 16]].map(|secret| aes_cmac::Key::new(&secret).unwrap());
        let text = [7; 160];
        let messages: Vec<_> =
            (0..19).map(|i| aes_cmac::Message { key: &keys[i % 2], text: &text }).collect();
        let mut tags = vec![aes_cmac::Tag::default(); 19];
        let many = aes_cmac::Many::with_backend(backend).unwrap();
        leaves_spilled(backend, &secrets, || many.mac(&messages, &mut tags).unwrap());
    }
    for backend in in_lanes(&aes_ccm::PRIMITIVE_MANY) {
        let keys = [KEY, [7; 16]].map(|secret| aes_ccm::Key::new(&secret).unwrap());
        let mut texts = vec![[7; 160]; 19];
        let mut messages: Vec<_> = (0..19)
            .zip(&mut texts)
            .map(|(i, text)| aes_ccm::Message {
                key: &keys[i % 2],
                nonce: &[1; 12],
                aad: b"",
                text,
            })
            .collect();
        let mut tags = vec![aes_ccm::Tag::default(); 19];
        let many = aes_ccm::Many::with_backend(backend).unwrap();
        leaves_spilled(backend, &secrets, || many.seal(&mut messages, &mut tags).unwrap());
    }
}

/// As many messages are opened at a time.
const COUNT: usize = 16;

/// Writes a test of forged messages that are opened side by side.
macro_rules! forgeries {
    ($module:ident, $backend:ident, $key_len:literal) => {
        let key = $module::Key::new(&some_bytes($key_len, 3)).unwrap();
        let mut texts: Vec<_> = (0..COUNT).map(|i| some_bytes(40 + i, i as u8)).collect();
        let mut tags: Vec<_> =
            texts.iter_mut().map(|text| key.seal(&[1; 12], b"", text).unwrap().to_vec()).collect();
        let right = tags.clone();
        tags.iter_mut().for_each(|tag| tag[15] ^= 1);
        let tags: Vec<&[u8]> = tags.iter().map(|tag| &tag[..]).collect();
        let mut messages: Vec<_> = texts
            .iter_mut()
            .map(|text| $module::Message { key: &key, nonce: &[1; 12], aad: b"", text })
            .collect();
        let (mut results, many) =
            (vec![Ok(()); COUNT], $module::Many::with_backend($backend).unwrap());
        let open = || many.open(&mut messages, &tags, &mut results).unwrap();
        leaves_last($backend, many.lanes().min(COUNT - 1), &right, open);
        assert_eq!(results, [Err(ropewalk::Error::Forged); COUNT]);
    };
}

/// The tags that forged messages should have would make them right.
#[test]
fn tags_of_forgeries() {
    for backend in in_lanes(&aes_gcm::PRIMITIVE_MANY) {
        forgeries! { aes_gcm, backend, 16 }
    }
    for backend in in_lanes(&aes_ccm::PRIMITIVE_MANY) {
        forgeries! { aes_ccm, backend, 16 }
    }
    for backend in in_lanes(&chacha20_poly1305::PRIMITIVE_MANY) {
        forgeries! { chacha20_poly1305, backend, 32 }
    }
}

#[test]
fn macs_that_are_compared() {
    for backend in in_lanes(&sha256::PRIMITIVE_MANY) {
        let key = hmac::Key::<Sha256>::new(&[7; 32]);
        let texts: Vec<_> = (0..2 * COUNT).map(|i| some_bytes(100, i as u8)).collect();
        let right: Vec<_> = texts.iter().map(|text| key.mac(text).to_vec()).collect();
        let messages: Vec<_> = texts.iter().map(|text| hmac::Message { key: &key, text }).collect();
        let (wrong, mut results) = (vec![&[7; 32][..]; 2 * COUNT], vec![Ok(()); 2 * COUNT]);
        let many = hmac::Many::<sha256::Sha256Many>::with_backend(backend).unwrap();
        let lanes = many.lanes();
        leaves_last(backend, lanes, &right, || {
            many.verify(&messages, &wrong, &mut results).unwrap();
        });
        assert_eq!(results, [Err(ropewalk::Error::Forged); 2 * COUNT]);
    }
}

/// What a record of TLS is authenticated with, and its MAC.
fn records<H: cbc_hmac::Hash>() -> (cbc_hmac::Key<H>, Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let (key, mac) =
        (cbc_hmac::Key::<H>::new(&KEY, &[9; 32]).unwrap(), hmac::Key::<H>::new(&[9; 32]));
    let texts: Vec<_> = (0..5).map(|i| some_bytes(TEXT, i)).collect();
    let macs = texts.iter().map(|text| {
        let all = [&HEADER[..], &(text.len() as u16).to_be_bytes(), text].concat();
        mac.mac(&all).as_ref().to_vec()
    });
    let macs = macs.collect();
    let records = texts.iter().map(|text| {
        let mut record = vec![0; cbc_hmac::Key::<H>::sealed_len(text.len())];
        key.seal_to(&[1; 16], &HEADER, text, &mut record).unwrap();
        record
    });
    let records = records.collect();
    (key, macs, records)
}

const HEADER: [u8; 11] = [2; 11];
/// Whole blocks, so that a MAC of 32 bytes has blocks of its own.
const TEXT: usize = 304;

fn macs_of<H: cbc_hmac::Hash<Many: Sync>>(primitive: &'static Primitive) {
    for backend in in_lanes(primitive) {
        let (key, macs, mut records) = records::<H>();
        // A bit of the second block of the MAC is another one, and so is the first block: the text is as it was.
        records.iter_mut().for_each(|record| record[TEXT] ^= 1);
        let mut messages: Vec<_> = records
            .iter_mut()
            .map(|record| cbc_hmac::Message {
                key: &key,
                iv: &[1; 16],
                header: &HEADER,
                record,
                len: 0,
            })
            .collect();
        let (many, mut results) =
            (cbc_hmac::Many::<H>::with_backend(backend).unwrap(), vec![Ok(()); 5]);
        leaves_none(backend, &macs, || many.open(&mut messages, &mut results).unwrap());
        assert_eq!(results, [Err(ropewalk::Error::Forged); 5]);
    }
}

#[test]
fn macs_of_opened_records() {
    macs_of::<Sha1>(&sha1::PRIMITIVE_MANY);
    macs_of::<Sha256>(&sha256::PRIMITIVE_MANY);
}

fn macs_of_sealed<H: cbc_hmac::Hash>(primitive: &'static Primitive) {
    for backend in backends(primitive) {
        let key = cbc_hmac::Key::<H>::with_backend(&KEY, &[9; 32], backend).unwrap();
        let (_, macs, mut sealed) = records::<H>();
        let texts: Vec<_> = (0..macs.len()).map(|i| some_bytes(TEXT, i as u8)).collect();
        let ends = texts.iter().map(|text| text[TEXT - 16..].to_vec());
        let secrets: Vec<_> = macs.into_iter().chain(ends).collect();
        leaves_none(backend, &secrets, || {
            for (text, record) in texts.iter().zip(&mut sealed) {
                key.seal_to(&[1; 16], &HEADER, text, record).unwrap();
            }
        });
    }
}

/// They are encrypted in a copy, behind the end of the text.
#[test]
fn macs_of_sealed_records() {
    macs_of_sealed::<Sha1>(&cbc_hmac::PRIMITIVE_SHA1);
    macs_of_sealed::<Sha256>(&cbc_hmac::PRIMITIVE_SHA256);
}

/// The end of a message, which is padded in memory where a backend has no instructions for its hash function.
#[test]
fn ends_of_messages() {
    let text = some_bytes(100, 5);
    let secrets = [text[64..96].to_vec()];
    for backend in backends(&sha256::PRIMITIVE) {
        let hasher = Sha256::with_backend(backend).unwrap();
        leaves_none(backend, &secrets, || {
            black_box(hasher.digest(&text));
        });
    }
    for backend in backends(&sha512::PRIMITIVE) {
        let hasher = sha512::Sha512::with_backend(backend).unwrap();
        leaves_none(backend, &secrets, || {
            black_box(hasher.digest(&text));
        });
    }
}

/// Short texts are sealed in a copy, by backends that have nothing better.
#[test]
fn texts_of_short_messages() {
    for backend in backends(&aes_gcm::PRIMITIVE) {
        let key = aes_gcm::Key::with_backend(&KEY, backend).unwrap();
        let mut text = some_bytes(100, 5);
        let secrets = [text[16..32].to_vec(), text[48..64].to_vec()];
        let mut tag = Default::default();
        leaves_none(backend, &secrets, || tag = key.seal(&[1; 12], b"", &mut text).unwrap());
        leaves_none(backend, &secrets, || key.open(&[1; 12], b"", &mut text, &tag).unwrap());
    }
}

/// CTR_DRBG_Update of SP 800-90A, section 10.2.1.2: the key and V that come of others and a seed.
fn updated((key, v): ([u8; 32], u128), seed: &[u8; random::SEED_LEN]) -> ([u8; 32], u128) {
    let mut temp = [1, 2, 3].map(|i| v.wrapping_add(i).to_be_bytes()).concat();
    aes_ecb::Key::new(&key).unwrap().encrypt(&mut temp).unwrap();
    temp.iter_mut().zip(seed).for_each(|(byte, of_seed)| *byte ^= of_seed);
    let (key, v) = temp.split_at(32);
    (key.try_into().unwrap(), u128::from_be_bytes(v.try_into().unwrap()))
}

#[test]
fn seeds_of_generators() {
    let first = [7; random::SEED_LEN];
    let entropy: [u8; random::SEED_LEN] = some_bytes(random::SEED_LEN, 5).try_into().unwrap();
    let state = updated(([0; 32], 0), &first);
    let (key, v) = updated(state, &entropy);
    // The key and V as they come of the cipher; the key alone is a round key too.
    let new = [&key[16..], &v.to_be_bytes()].concat();
    let secrets = [entropy[..32].to_vec(), entropy[16..].to_vec(), new];
    for backend in backends(&random::PRIMITIVE) {
        let mut drbg = CtrDrbg::with_backend(&first, b"", backend).unwrap();
        leaves_none(backend, &secrets, || drbg.reseed(&entropy, b"").unwrap());
        let (mut out, mut want) = ([0; 16], v.wrapping_add(1).to_be_bytes());
        drbg.generate(b"", &mut out).unwrap();
        aes_ecb::Key::new(&key).unwrap().encrypt(&mut want).unwrap();
        assert_eq!(out, want, "the secrets are those of {backend}");
    }
}
