//! AES-CCM: published vectors, and every backend against portable.

mod common;

use common::{Random, backends, hex, thin};
use ropewalk::{
    Error,
    aes_ccm::{Key, Many, Message, PRIMITIVE, PRIMITIVE_MANY, Tag, longest_text},
    backend::Costs,
};

const PORTABLE: &str = "aes_ccm/portable";
const KEY_LENS: [usize; 3] = [16, 24, 32];

/// SP 800-38C, appendix C; the last one has 65,536 bytes of additional data, whose length takes six.
#[test]
fn published_vectors() {
    let text = |len: usize| (0x20..).take(len).collect::<Vec<u8>>();
    let bytes = |len: usize| (0..len).map(|i| i as u8).collect::<Vec<u8>>();
    let cases = [
        ("10111213141516", 8, 4, 4, "7162015b 4dac255d"),
        ("1011121314151617", 16, 16, 6, "d2a1f0e051ea5f62081a7792073d593d 1fc64fbfaccd"),
        (
            "101112131415161718191a1b",
            20,
            24,
            8,
            "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5 484392fbc1b09951",
        ),
        (
            "101112131415161718191a1b1c",
            65_536,
            32,
            14,
            "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72
             b4ac6bec93e8598e7f0dadbcea5b",
        ),
    ];
    for name in backends(&PRIMITIVE) {
        let mut key = Key::with_backend(&hex("404142434445464748494a4b4c4d4e4f"), name).unwrap();
        for (nonce, aad_len, len, tag_len, sealed) in cases {
            key.set_tag_len(tag_len).unwrap();
            let (nonce, aad) = (hex(nonce), bytes(aad_len));
            let mut message = vec![0; len + tag_len];
            key.seal_appended_to(&nonce, &aad, &text(len), &mut message).unwrap();
            assert_eq!(message, hex(sealed), "{name}, {len}");
            assert_eq!(key.open_appended(&nonce, &aad, &mut message).unwrap(), text(len), "{name}");
        }
    }
}

#[test]
fn every_length_equals_portable() {
    let mut random = Random(1);
    let data = random.bytes(70_000);
    for key_len in KEY_LENS {
        let secret = random.bytes(key_len);
        let mut portable = Key::with_backend(&secret, PORTABLE).unwrap();
        for name in backends(&PRIMITIVE) {
            let mut key = Key::with_backend(&secret, name).unwrap();
            for len in thin((0..=300).chain([1024, 4097, 65_535]), 9) {
                let (nonce, tag_len) = (random.bytes(7 + len % 7), 4 + 2 * (len % 7));
                key.set_tag_len(tag_len).unwrap();
                portable.set_tag_len(tag_len).unwrap();
                let (aad, plaintext) = (&data[..len * 11 % 97], &data[len % 37..][..len]);
                let (mut want, mut text) = (plaintext.to_vec(), plaintext.to_vec());
                let tag = portable.seal(&nonce, aad, &mut want).unwrap();
                assert_eq!(key.seal(&nonce, aad, &mut text), Ok(tag), "{name}, {key_len}, {len}");
                assert!(text == want, "{name}, key of {key_len}, {len}");
                assert_eq!(key.open(&nonce, aad, &mut text, &tag), Ok(()), "{name}, {len}");
                assert!(text == plaintext, "{name}, key of {key_len}, {len}");
            }
        }
    }
}

/// Every length around those at which additional data says it in another way.
#[test]
fn additional_data_of_every_length() {
    let data = Random(2).bytes(70_000);
    let portable = Key::with_backend(&[7; 16], PORTABLE).unwrap();
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&[7; 16], name).unwrap();
        for len in thin((0..=100).chain(65_270..=65_300).chain([65_535, 65_536, 70_000]), 9) {
            let mut texts = [*b"attack at dawn"; 2];
            let tag = portable.seal(&[1; 13], &data[..len], &mut texts[0]).unwrap();
            assert_eq!(key.seal(&[1; 13], &data[..len], &mut texts[1]), Ok(tag), "{name}, {len}");
            assert_eq!(texts[0], texts[1], "{name}, {len}");
        }
    }
}

/// As one by one, whatever lies beside a message: additional data of no block, of one, of many, and of such lengths that it
/// says them in another way, and texts that end long before others.
#[test]
fn many_are_as_one_by_one() {
    let mut random = Random(3);
    let data = random.bytes(70_000);
    let lens_of_aad = [0, 1, 7, 8, 13, 14, 15, 30, 31, 46, 47, 300, 65_279, 65_280, 65_290, 65_536];
    let keys: Vec<_> = (0..7)
        .map(|i| {
            let mut key = Key::new(&random.bytes(KEY_LENS[i % 3])).unwrap();
            key.set_tag_len(4 + 2 * i).unwrap();
            key
        })
        .collect();
    // Costs only choose which messages go to lanes: the recorded costs, and two that send all messages to lanes, or none.
    let recorded = Many::costs();
    let said =
        [recorded, Costs { one: u32::MAX, ..recorded }, Costs { step: u32::MAX, ..recorded }];
    let forced = backends(&PRIMITIVE_MANY).map(|name| Many::with_backend(name).unwrap());
    for many in forced.chain([Many::new()]).chain(said.map(Many::with_costs)) {
        let name = many.backend();
        for case in thin(0..300, 60) {
            // Of one shape or two, of one key or of all, of one length or of all up to the longest.
            let (count, shapes, longest) =
                (1 + case % 71, 1 + case % 3, [40, 129, 700, 5000][case % 4]);
            let of = |i: usize| {
                let key = &keys[if case % 5 < 2 { case % 7 } else { (i + case) % 7 }];
                let aad = &data[i..][..lens_of_aad[(case / 3 + i % shapes) % lens_of_aad.len()]];
                let len = if case % 4 == 0 { longest } else { (i * 131 + case) % longest };
                (key, &data[100 + i..][..7 + (i + case) % 7], aad, &data[200 + i..][..len])
            };
            let mut texts: Vec<_> = (0..count).map(|i| of(i).3.to_vec()).collect();
            let message = |(i, text): (usize, _)| {
                let (key, nonce, aad, _) = of(i);
                Message { key, nonce, aad, text }
            };
            let mut messages: Vec<_> =
                texts.iter_mut().map(Vec::as_mut_slice).enumerate().map(message).collect();
            let mut tags = vec![Tag::default(); count];
            many.seal(&mut messages, &mut tags).unwrap();
            for i in 0..count {
                let (key, nonce, aad, text) = of(i);
                let mut want = text.to_vec();
                assert_eq!(
                    key.seal(nonce, aad, &mut want),
                    Ok(tags[i]),
                    "{name}, {i} of case {case}"
                );
                assert!(*messages[i].text == want, "{name}, {i} of case {case}");
            }
            let mut tags: Vec<_> = tags.iter().map(|tag| tag.to_vec()).collect();
            let forged = |i: usize| (i + case) % 4 == 1;
            (0..count).filter(|i| forged(*i)).for_each(|i| *tags[i].last_mut().unwrap() ^= 1);
            let tags: Vec<_> = tags.iter().map(Vec::as_slice).collect();
            let mut results = vec![Ok(()); count];
            many.open(&mut messages, &tags, &mut results).unwrap();
            for i in 0..count {
                let want = if forged(i) { vec![0; of(i).3.len()] } else { of(i).3.to_vec() };
                assert_eq!(
                    results[i],
                    if forged(i) { Err(Error::Forged) } else { Ok(()) },
                    "{name}"
                );
                assert!(*messages[i].text == want, "{name}, {i} of case {case}");
            }
        }
    }
}

#[test]
fn misuse_is_an_error_and_touches_nothing() {
    for len in (0..64).filter(|len| !KEY_LENS.contains(len)) {
        assert!(matches!(Key::new(&vec![0; len]), Err(Error::Length { what: "AES key", .. })));
    }
    let mut key = Key::new(&[0; 16]).unwrap();
    for len in (0..40).filter(|len| ![4, 6, 8, 10, 12, 14, 16].contains(len)) {
        assert!(matches!(key.set_tag_len(len), Err(Error::Length { what: "tag", .. })));
    }
    let mut text = [1; 32];
    for len in (0..40).filter(|len| !(7..=13).contains(len)) {
        let wrong = Error::Length { what: "nonce", got: len, allowed: "7 to 13 bytes" };
        assert_eq!(key.seal(&vec![0; len], b"", &mut text), Err(wrong));
        assert_eq!(key.open(&vec![0; len], b"", &mut text, &[0; 16]), Err(wrong));
    }
    assert_eq!(text, [1; 32]);
    assert_eq!([0, 6, 7, 13, 14].map(longest_text), [u64::MAX, u64::MAX, u64::MAX, 65_535, 0]);
}
