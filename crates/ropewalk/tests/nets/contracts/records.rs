//! Records of TLS: whatever is wrong with one, nothing else is said of it.

use ropewalk::Error;

use super::{CANARY, key_lens, refuses, untouched};
use crate::{
    common::{Random, thin},
    independent,
    kinds::Records,
};

pub(super) fn records<R: Records>(backend: &'static str) {
    lengths::<R>(backend);
    paddings::<R>(backend);
    forged::<R>(backend);
    nothing_but_padding::<R>(backend);
    too_long::<R>(backend);
}

fn key<R: Records>(backend: &str) -> (Vec<u8>, Vec<u8>, R) {
    let (secret, mac) = (Random(31).bytes(16), Random(32).bytes(R::MAC_LEN));
    let key = R::new(&secret, &mac, backend).unwrap();
    (secret, mac, key)
}

const IV: [u8; 16] = [5; 16];
const HEADER: [u8; 11] = *b"\0\0\0\0\0\0\x02\x9a\x17\x03\x03";
const LONGEST_TEXT: usize = 1 << 14;
const LONGEST_RECORD: usize = (1 << 14) + 2048;

fn lengths<R: Records>(backend: &str) {
    key_lens(&[16, 32], |secret| R::new(secret, &[1; 20], backend));
    let (.., key) = key::<R>(backend);
    let mut known = vec![7; R::sealed_len(100)];
    key.seal(&IV, &HEADER, &mut known, 100).unwrap();
    assert_eq!(R::sealed_len(0), (R::MAC_LEN + 16) / 16 * 16);

    let mut out = vec![CANARY; LONGEST_RECORD + 64];
    for len in thin(0..=300, 7) {
        let (sealed, text) = (R::sealed_len(len), vec![1; len]);
        assert_eq!(sealed, (len + R::MAC_LEN + 16) / 16 * 16);
        for wrong in (0..=380).filter(|wrong| *wrong != sealed) {
            refuses(key.seal(&IV, &HEADER, &mut out[..wrong], len), "record", wrong);
            refuses(key.seal_to(&IV, &HEADER, &text, &mut out[..wrong]), "record", wrong);
        }
    }
    for len in [LONGEST_TEXT + 1, LONGEST_TEXT + 16, usize::MAX - 40, usize::MAX] {
        refuses(key.seal(&IV, &HEADER, &mut out, len), "text", len);
    }
    let long = vec![1; LONGEST_RECORD + 64];
    for len in [LONGEST_TEXT + 1, LONGEST_RECORD] {
        let sealed = R::sealed_len(len);
        refuses(key.seal_to(&IV, &HEADER, &long[..len], &mut out[..sealed]), "text", len);
    }
    let fits = |len: &usize| len.is_multiple_of(16) && *len >= R::sealed_len(0);
    let longer = (1..=64).map(|more| LONGEST_RECORD + more);
    for len in (0..=400).filter(|len| !fits(len)).chain(longer) {
        refuses(key.open(&IV, &HEADER, &mut out[..len]), "record", len);
        refuses(key.open_to(&IV, &HEADER, &long[..len], &mut out[..len]), "record", len);
    }
    for wrong in (0..=400).filter(|wrong| *wrong != 320) {
        refuses(key.open_to(&IV, &HEADER, &long[..320], &mut out[..wrong]), "output", wrong);
    }
    untouched(&out);
    assert_eq!(key.open(&IV, &HEADER, &mut known), Ok(100), "{backend} goes on");
    assert_eq!(known[..100], [7; 100], "{backend} goes on");
}

/// A record of what is encrypted, whatever that is.
fn encrypted(secret: &[u8], plain: &[u8]) -> Vec<u8> {
    let mut record = plain.to_vec();
    independent::cbc_encrypt(secret, &IV, &mut record);
    record
}

/// In place and to another place.
#[track_caller]
fn opens<R: Records>(key: &R, record: &[u8], text: &[u8], case: &str) {
    let mut out = vec![CANARY; record.len()];
    let opened = key.open_to(&IV, &HEADER, record, &mut out);
    assert_eq!(opened, Ok(text.len()), "copied: {case}");
    assert!(out[..text.len()] == *text, "copied: {case}");
    out.copy_from_slice(record);
    assert_eq!(key.open(&IV, &HEADER, &mut out), Ok(text.len()), "in place: {case}");
    assert!(out[..text.len()] == *text, "in place: {case}");
}

#[track_caller]
fn is_forged<R: Records>(key: &R, header: &[u8; 11], record: &[u8], case: &str) {
    let mut out = vec![CANARY; record.len()];
    let opened = key.open_to(&IV, header, record, &mut out);
    assert_eq!(opened, Err(Error::Forged), "copied: {case}");
    assert!(out.iter().all(|byte| *byte == 0), "copied: {case}");
    out.copy_from_slice(record);
    assert_eq!(key.open(&IV, header, &mut out), Err(Error::Forged), "in place: {case}");
    assert!(out.iter().all(|byte| *byte == 0), "in place: {case}");
}

/// Every length of padding, with every byte of it once wrong.
fn paddings<R: Records>(backend: &str) {
    let (secret, mac, key) = key::<R>(backend);
    let data = Random(33).bytes(1300);
    for padding in thin(1..=256, 37) {
        let shortest = (padding + R::MAC_LEN).next_multiple_of(16) - padding - R::MAC_LEN;
        for (i, more) in [0, 16, 48, 64, 208, 256, 1024].into_iter().enumerate() {
            let text = &data[..shortest + more];
            let case = format!("{backend}, text of {}, padding of {padding}", text.len());
            let mut plain = R::independent(&mac, &HEADER, text, padding);
            opens(&key, &encrypted(&secret, &plain), text, &case);
            if i % 3 != padding % 3 {
                continue;
            }
            for at in plain.len() - padding..plain.len() {
                let bit = 1 << ((at + padding) % 8);
                plain[at] ^= bit;
                let case = format!("{case}, byte {at} of {} wrong", plain.len());
                is_forged(&key, &HEADER, &encrypted(&secret, &plain), &case);
                plain[at] ^= bit;
            }
        }
    }
    // Every length of text, with the least padding and the most.
    for len in thin(0..=300, 7) {
        for most in [0, 240] {
            let (text, padding) = (&data[..len], 16 - (len + R::MAC_LEN) % 16 + most);
            let plain = R::independent(&mac, &HEADER, text, padding);
            let case = format!("{backend}, text of {len}, padding of {padding}");
            opens(&key, &encrypted(&secret, &plain), text, &case);
        }
    }
}

/// Every bit of a MAC, and every byte of what it is of.
fn forged<R: Records>(backend: &str) {
    let (secret, mac, key) = key::<R>(backend);
    let data = Random(34).bytes(1300);
    for len in thin([0, 1, 15, 27, 28, 50, 51, 66, 67, 100, 300, 1024].into_iter(), 3) {
        for most in [0, 32, 240] {
            let (text, padding) = (&data[..len], 16 - (len + R::MAC_LEN) % 16 + most);
            let case = format!("{backend}, text of {len}, padding of {padding}");
            let mut plain = R::independent(&mac, &HEADER, text, padding);
            for bit in 0..8 * R::MAC_LEN {
                plain[len + bit / 8] ^= 1 << (bit % 8);
                let case = format!("{case}, bit {bit} of the MAC");
                is_forged(&key, &HEADER, &encrypted(&secret, &plain), &case);
                plain[len + bit / 8] ^= 1 << (bit % 8);
            }
            for at in (0..len).step_by(1 + len / 60) {
                plain[at] ^= 1 << (at % 8);
                let case = format!("{case}, byte {at} of the text");
                is_forged(&key, &HEADER, &encrypted(&secret, &plain), &case);
                plain[at] ^= 1 << (at % 8);
            }
            let mut record = encrypted(&secret, &plain);
            for at in 0..HEADER.len() {
                let mut header = HEADER;
                header[at] ^= 1 << (at % 8);
                is_forged(&key, &header, &record, &format!("{case}, byte {at} of the header"));
            }
            for at in 0..record.len() {
                record[at] ^= 1 << (at % 8);
                is_forged(&key, &HEADER, &record, &format!("{case}, byte {at} of the record"));
                record[at] ^= 1 << (at % 8);
            }
            // Without its last blocks, and without its first.
            for cut in (R::sealed_len(0)..record.len()).step_by(16) {
                is_forged(&key, &HEADER, &record[..cut], &format!("{case}, cut at {cut}"));
                let from = record.len() - cut;
                is_forged(&key, &HEADER, &record[from..], &format!("{case}, from {from} on"));
            }
            // A MAC of as much text, and one of another length.
            let mut other = text.to_vec();
            other.push(0);
            let of_other = R::independent(&mac, &HEADER, &other, 1);
            plain[len..len + R::MAC_LEN].copy_from_slice(&of_other[len + 1..][..R::MAC_LEN]);
            is_forged(&key, &HEADER, &encrypted(&secret, &plain), &case);
            opens(&key, &record, text, &format!("{case}: it goes on"));
        }
    }
}

/// Records whose padding is right but has no room before it: for a MAC, or for the padding itself.
fn nothing_but_padding<R: Records>(backend: &str) {
    let (secret, mac, key) = key::<R>(backend);
    for len in thin((R::sealed_len(0)..=336).step_by(16), 5) {
        for byte in 0..=255 {
            let case = format!("{backend}, {len} bytes of {byte}");
            is_forged(&key, &HEADER, &encrypted(&secret, &vec![byte; len]), &case);
        }
        // The end of a longer record that is right, with a byte of padding that is right in its place.
        for padding in (1..=256).filter(|padding| padding + R::MAC_LEN > len) {
            let mut plain = mac_and_padding::<R>(&mac, padding);
            plain.drain(..plain.len() - len);
            let case = format!("{backend}, padding of {padding} in a record of {len}");
            is_forged(&key, &HEADER, &encrypted(&secret, &plain), &case);
        }
    }
}

/// Of no text, in as many bytes as there are; longer than the longest record of that test.
fn mac_and_padding<R: Records>(mac: &[u8], padding: usize) -> Vec<u8> {
    [vec![0x33; 336], R::independent(mac, &HEADER, &[], padding)].concat()
}

/// What no sealer makes, right in all else.
fn too_long<R: Records>(backend: &str) {
    let (secret, mac, key) = key::<R>(backend);
    let text = vec![9; LONGEST_TEXT + 1600];
    let full = |len: usize| 16 - (len + R::MAC_LEN) % 16;
    for more in [0, 80] {
        let plain = R::independent(&mac, &HEADER, &text[..LONGEST_TEXT], full(LONGEST_TEXT) + more);
        opens(&key, &encrypted(&secret, &plain), &text[..LONGEST_TEXT], backend);
    }
    for len in [1, 2, 16, 100, 1600].map(|more| LONGEST_TEXT + more) {
        let plain = R::independent(&mac, &HEADER, &text[..len], full(len));
        is_forged(&key, &HEADER, &encrypted(&secret, &plain), &format!("{backend}, {len}"));
    }
}
