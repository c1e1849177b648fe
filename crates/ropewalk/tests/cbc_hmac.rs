//! AES-CBC with HMAC: every backend against portable, and what every length and padding opens to.

mod common;

use common::{Random, backends, thin};
use ropewalk::{
    Error,
    cbc_hmac::{Hash, Key, LONGEST_TEXT, Message, PRIMITIVE_SHA1, open_many},
    sha1::Sha1,
    sha256::Sha256,
};

const PORTABLE: &str = "cbc_hmac/portable";
const HEADER: &[u8; 11] = b"\0\x01\x02\x03\x04\x05\x06\x07\x17\x03\x03";

#[test]
fn every_length_equals_portable() {
    equals_portable::<Sha1>();
    equals_portable::<Sha256>();
}

fn equals_portable<H: Hash>() {
    let mut random = Random(1);
    let data = random.bytes(LONGEST_TEXT + 64);
    for key_len in [16, 32] {
        let (secret, mac) = (random.bytes(key_len), random.bytes(H::DIGEST_LEN));
        let portable = Key::<H>::with_backend(&secret, &mac, PORTABLE).unwrap();
        for name in backends(&PRIMITIVE_SHA1) {
            let key = Key::<H>::with_backend(&secret, &mac, name).unwrap();
            let longer = [1023, 1350, 4095, 4096, 4097, LONGEST_TEXT - 1, LONGEST_TEXT];
            for len in thin((0..=700).chain(longer), 23) {
                let iv = random.bytes(16).try_into().unwrap();
                let text = &data[len % 37..][..len];
                let mut want = vec![0; Key::<H>::sealed_len(len)];
                let mut record = want.clone();
                portable.seal_to(&iv, HEADER, text, &mut want).unwrap();
                key.seal_to(&iv, HEADER, text, &mut record).unwrap();
                assert!(record == want, "{name}, key of {key_len}, {len}");
                record[..len].copy_from_slice(text);
                key.seal(&iv, HEADER, &mut record, len).unwrap();
                assert!(record == want, "in place: {name}, key of {key_len}, {len}");

                let mut out = vec![0; record.len()];
                let opened = key.open_to(&iv, HEADER, &record, &mut out);
                assert_eq!(opened, Ok(len), "{name}, key of {key_len}, {len}");
                assert!(&out[..len] == text, "{name}, key of {key_len}, {len}");
                let opened = key.open(&iv, HEADER, &mut record).map(|text| &*text);
                assert!(opened == Ok(text), "in place: {name}, key of {key_len}, {len}");
            }
        }
    }
}

/// The key of a MAC may have any length.
#[test]
fn long_mac_keys_are_hashed() {
    let (text, iv) = ([7; 100], [1; 16]);
    for name in backends(&PRIMITIVE_SHA1) {
        let long = [9; 65];
        let short = ropewalk::sha256::digest(&long);
        let [a, b] = [&long[..], &short].map(|mac| {
            let key = Key::<Sha256>::with_backend(&[3; 16], mac, name).unwrap();
            let mut record = vec![0; Key::<Sha256>::sealed_len(100)];
            key.seal_to(&iv, HEADER, &text, &mut record).unwrap();
            record
        });
        assert!(a == b, "{name}");
    }
}

#[test]
fn lengths_of_records() {
    let lens = [0, 10, 11, 12, 27, 28, LONGEST_TEXT];
    assert_eq!(lens.map(Key::<Sha1>::sealed_len), [32, 32, 32, 48, 48, 64, 16_416]);
    let lens = [0, 14, 15, 16, 31, 32, LONGEST_TEXT];
    assert_eq!(lens.map(Key::<Sha256>::sealed_len), [48, 48, 48, 64, 64, 80, 16_432]);
    let key = Key::<Sha1>::new(&[0; 16], &[0; 20]).unwrap();
    let mut record = [0; 64];
    let refused = key.seal(&[0; 16], HEADER, &mut record, 64);
    assert!(matches!(refused, Err(Error::Length { what: "record", got: 64, .. })));
    assert!(matches!(Key::<Sha1>::new(&[0; 24], &[]), Err(Error::Length { what: "AES key", .. })));
}

/// Few short ones are opened before anything is made to open many: each as it is alone, whatever the others are.
#[test]
fn few_short_records_open_as_alone() {
    let mut random = Random(3);
    let key = Key::<Sha256>::new(&random.bytes(16), &random.bytes(32)).unwrap();
    for (count, len) in (0..8).flat_map(|count| [0, 1, 100, 207, 208, 255].map(|len| (count, len)))
    {
        let iv = random.bytes(16).try_into().unwrap();
        let text = random.bytes(len);
        let mut sealed = vec![0; Key::<Sha256>::sealed_len(len)];
        key.seal_to(&iv, HEADER, &text, &mut sealed).unwrap();
        let mut records = vec![sealed; count];
        for (i, record) in records.iter_mut().enumerate() {
            match i % 3 {
                1 => record[i] ^= 1,
                2 => drop(record.pop()),
                _ => {}
            }
        }
        let mut alone = records.clone();
        let wanted: Vec<_> = (alone.iter_mut())
            .map(|record| key.open(&iv, HEADER, record).map(|text| text.len()))
            .collect();
        let message =
            |record| Message { key: &key, iv: &iv, header: HEADER, record, len: usize::MAX };
        let mut messages: Vec<_> = records.iter_mut().map(Vec::as_mut_slice).map(message).collect();
        let mut results = vec![Err(Error::NoBackend); count];
        open_many(&mut messages, &mut results).unwrap();
        for ((message, result), wanted) in messages.iter().zip(&results).zip(&wanted) {
            assert_eq!(result.map(|()| message.len), *wanted, "{count} of {len}");
        }
        let mut one_more = vec![Ok(()); count + 1];
        assert_eq!(open_many(&mut messages, &mut one_more).unwrap_err().index, count);
        assert_eq!(records, alone, "{count} of {len}");
    }
}
