//! AES-GCM: published vectors, and every backend against portable.

mod common;

use common::{Random, backends, hex, thin};
use ropewalk::{
    Error,
    aes_gcm::{Key, PRIMITIVE, open_once, seal_once},
};

const PORTABLE: &str = "aes_gcm/portable";
const KEY_LENS: [usize; 3] = [16, 24, 32];

/// The test cases with twelve-byte nonces of "The Galois/Counter Mode of Operation" (McGrew and
/// Viega, 2005), which NIST's submission repeats.
#[test]
fn published_vectors() {
    let plaintext = "d9313225f88406e5a55909c5aff5269a 86a7a9531534f7da2e4c303d8a318a72
                     1c3c0c95956809532fcf0e2449a6b525 b16aedf5aa0de657ba637b391aafd255";
    let (short, aad) =
        (&plaintext[..plaintext.len() - 8], "feedfacedeadbeeffeedfacedeadbeefabaddad2");
    let (zero, block) = ("000000000000000000000000", "00000000000000000000000000000000");
    let nonce = "cafebabefacedbaddecaf888";
    let key = "feffe9928665731c6d6a8f9467308308";
    let key_192 = "feffe9928665731c6d6a8f9467308308feffe9928665731c";
    let key_256 = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308";
    let zero_192 = "000000000000000000000000000000000000000000000000";
    let zero_256 = "0000000000000000000000000000000000000000000000000000000000000000";
    let cases = [
        (block, zero, "", "", "", "58e2fccefa7e3061367f1d57a4e7455a"),
        (
            block,
            zero,
            "",
            block,
            "0388dace60b6a392f328c2b971b2fe78",
            "ab6e47d42cec13bdf53a67b21257bddf",
        ),
        (
            key,
            nonce,
            "",
            plaintext,
            "42831ec2217774244b7221b784d0d49c e3aa212f2c02a4e035c17e2329aca12e
             21d514b25466931c7d8f6a5aac84aa05 1ba30b396a0aac973d58e091473f5985",
            "4d5c2af327cd64a62cf35abd2ba6fab4",
        ),
        (
            key,
            nonce,
            aad,
            short,
            "42831ec2217774244b7221b784d0d49c e3aa212f2c02a4e035c17e2329aca12e
             21d514b25466931c7d8f6a5aac84aa05 1ba30b396a0aac973d58e091",
            "5bc94fbc3221a5db94fae95ae7121a47",
        ),
        (zero_192, zero, "", "", "", "cd33b28ac773f74ba00ed1f312572435"),
        (
            zero_192,
            zero,
            "",
            block,
            "98e7247c07f0fe411c267e4384b0f600",
            "2ff58d80033927ab8ef4d4587514f0fb",
        ),
        (
            key_192,
            nonce,
            "",
            plaintext,
            "3980ca0b3c00e841eb06fac4872a2757 859e1ceaa6efd984628593b40ca1e19c
             7d773d00c144c525ac619d18c84a3f47 18e2448b2fe324d9ccda2710acade256",
            "9924a7c8587336bfb118024db8674a14",
        ),
        (
            key_192,
            nonce,
            aad,
            short,
            "3980ca0b3c00e841eb06fac4872a2757 859e1ceaa6efd984628593b40ca1e19c
             7d773d00c144c525ac619d18c84a3f47 18e2448b2fe324d9ccda2710",
            "2519498e80f1478f37ba55bd6d27618c",
        ),
        (zero_256, zero, "", "", "", "530f8afbc74536b9a963b4f1c4cb738b"),
        (
            zero_256,
            zero,
            "",
            block,
            "cea7403d4d606b6e074ec5d3baf39d18",
            "d0d1c8a799996bf0265b98b5d48ab919",
        ),
        (
            key_256,
            nonce,
            "",
            plaintext,
            "522dc1f099567d07f47f37a32a84427d 643a8cdcbfe5c0c97598a2bd2555d1aa
             8cb08e48590dbb3da7b08b1056828838 c5f61e6393ba7a0abcc9f662898015ad",
            "b094dac5d93471bdec1a502270e3cc6c",
        ),
        (
            key_256,
            nonce,
            aad,
            short,
            "522dc1f099567d07f47f37a32a84427d 643a8cdcbfe5c0c97598a2bd2555d1aa
             8cb08e48590dbb3da7b08b1056828838 c5f61e6393ba7a0abcc9f662",
            "76fc6ece0f4e1768cddf8853bb2d551b",
        ),
    ];
    for (secret, nonce, aad, plaintext, ciphertext, tag) in cases {
        let (nonce, aad) = (hex(nonce), hex(aad));
        for name in backends(&PRIMITIVE) {
            let key = Key::with_backend(&hex(secret), name).unwrap();
            let mut text = hex(plaintext);
            let got = key.seal(&nonce, &aad, &mut text).unwrap();
            assert_eq!((text.clone(), got.to_vec()), (hex(ciphertext), hex(tag)), "{name}");
            key.open(&nonce, &aad, &mut text, &got).unwrap();
            assert_eq!(text, hex(plaintext), "{name}");
        }
    }
}

/// Seals and opens with a backend, and compares with portable.
fn compare(name: &str, secret: &[u8], nonce: &[u8], aad: &[u8], plaintext: &[u8]) {
    let case = || {
        format!(
            "{name}, key of {}, aad of {}, text of {}",
            secret.len(),
            aad.len(),
            plaintext.len()
        )
    };
    let mut want = plaintext.to_vec();
    let tag = Key::with_backend(secret, PORTABLE).unwrap().seal(nonce, aad, &mut want).unwrap();
    let key = Key::with_backend(secret, name).unwrap();
    let mut text = plaintext.to_vec();
    assert_eq!(key.seal(nonce, aad, &mut text), Ok(tag), "{}", case());
    assert!(text == want, "{}", case());
    assert_eq!(key.open(nonce, aad, &mut text, &tag), Ok(()), "{}", case());
    assert!(text == plaintext, "{}", case());
}

#[test]
fn every_length_equals_portable() {
    let mut random = Random(1);
    let (nonce, data) = (random.bytes(12), random.bytes(4300));
    for key_len in KEY_LENS {
        let secret = random.bytes(key_len);
        for name in backends(&PRIMITIVE) {
            for len in thin(0..=2100, 13) {
                let aad_len = [0, 13, len % 97][len % 3];
                compare(name, &secret, &nonce, &data[..aad_len], &data[len % 64..][..len]);
            }
            for len in thin(2100..=4200, 101) {
                if len % 16 < 2 || len % 16 == 15 {
                    compare(name, &secret, &nonce, &data[..20], &data[..len]);
                }
            }
        }
    }
}

#[test]
fn counters_carry_into_their_third_byte() {
    let mut random = Random(12);
    let (secret, nonce, text) = (random.bytes(32), random.bytes(12), random.bytes((1 << 20) + 40));
    for name in backends(&PRIMITIVE) {
        compare(name, &secret, &nonce, &[], &text);
    }
}

#[test]
fn every_length_of_additional_data_equals_portable() {
    let mut random = Random(2);
    let (nonce, data) = (random.bytes(12), random.bytes(20_000));
    let secret = random.bytes(16);
    for name in backends(&PRIMITIVE) {
        for len in thin((0..=1100).chain([4096, 20_000]), 17) {
            for text_len in [0, 1, 16, 240, 256, 700, 1000, 1290, 1550] {
                compare(name, &secret, &nonce, &data[..len], &data[..text_len]);
            }
        }
        compare(name, &secret, &nonce, &data[..13], &random.bytes(70_000));
    }
}

#[test]
fn forged_messages_open_to_zeros() {
    let mut random = Random(3);
    let (secret, nonce) = (random.bytes(32), random.bytes(12));
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&secret, name).unwrap();
        for len in [0, 1, 16, 64, 240, 241, 1000] {
            let (plaintext, aad) = (random.bytes(len), random.bytes(13));
            let mut sealed = plaintext.clone();
            let tag = key.seal(&nonce, &aad, &mut sealed).unwrap();
            let forged = |nonce: &[u8], aad: &[u8], mut text: Vec<u8>, tag: &[u8]| {
                assert_eq!(
                    key.open(nonce, aad, &mut text, tag),
                    Err(Error::Forged),
                    "{name} {len}"
                );
                assert_eq!(text, vec![0; len], "{name} {len}");
            };
            for bit in 0..128 {
                let mut wrong = tag.to_vec();
                wrong[bit / 8] ^= 1 << (bit % 8);
                forged(&nonce, &aad, sealed.clone(), &wrong);
            }
            for byte in 0..len {
                let mut wrong = sealed.clone();
                wrong[byte] ^= 0x80;
                forged(&nonce, &aad, wrong, &tag);
            }
            let mut other = nonce.clone();
            other[11] ^= 1;
            forged(&other, &aad, sealed.clone(), &tag);
            forged(&nonce, &aad[..12], sealed, &tag);
        }
    }
}

#[cfg(unix)]
#[test]
fn nothing_beyond_the_buffers_is_touched() {
    let secret = Random(4).bytes(16);
    let mut text = common::guarded::Guarded::new(4096);
    let mut aad = common::guarded::Guarded::new(4096);
    aad.read_only();
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&secret, name).unwrap();
        for len in thin((0..=600).chain([1350, 4096]), 17) {
            for aad_len in [0, 13, len] {
                let tag = key.seal(&[0; 12], aad.at_end(aad_len), text.at_end(len)).unwrap();
                key.open(&[0; 12], aad.at_start(aad_len), text.at_end(len), &tag).unwrap();
                let tag = key.seal(&[0; 12], aad.at_start(aad_len), text.at_start(len)).unwrap();
                key.open(&[0; 12], aad.at_end(aad_len), text.at_start(len), &tag).unwrap();
            }
        }
    }
}

#[test]
fn misuse_is_an_error() {
    for len in (0..64).filter(|len| !KEY_LENS.contains(len)) {
        assert!(matches!(Key::new(&vec![0; len]), Err(Error::Length { what: "AES key", .. })));
    }
    assert!(matches!(Key::with_backend(&[0; 16], "aes_gcm/none"), Err(Error::NoBackend)));
}

/// A key lies where it is used, and a server has one for each connection.
#[test]
fn key_is_small() {
    assert!(size_of::<Key>() <= 1472, "{}", size_of::<Key>());
}

#[test]
fn keys_used_once_equal_keys() {
    let mut random = Random(5);
    for key_len in KEY_LENS {
        let secret = random.bytes(key_len);
        let key = Key::new(&secret).unwrap();
        for (len, aad_len) in (0..=40).flat_map(|len| (0..=20).map(move |aad_len| (len, aad_len))) {
            let (nonce, aad) = (random.bytes([12, 12, 8][len % 3]), random.bytes(aad_len));
            let plaintext = random.bytes(len);
            let (mut want, mut text) = (plaintext.clone(), plaintext.clone());
            let tag = key.seal(&nonce, &aad, &mut want).unwrap();
            assert_eq!(seal_once(&secret, &nonce, &aad, &mut text), Ok(tag), "{len} {aad_len}");
            assert_eq!(text, want, "{len} {aad_len}");
            assert_eq!(open_once(&secret, &nonce, &aad, &mut text, &tag), Ok(()));
            assert_eq!(text, plaintext, "{len} {aad_len}");
            let mut wrong = tag.to_vec();
            wrong[len % 16] ^= 1 << (aad_len % 8);
            assert_eq!(open_once(&secret, &nonce, &aad, &mut want, &wrong), Err(Error::Forged));
            assert_eq!(want, vec![0; len]);
        }
        let mut text = [1; 5];
        for wrong in [&tag_of(15)[..], &tag_of(17)] {
            let opened = open_once(&secret, &[0; 12], b"", &mut text, wrong);
            assert!(matches!(opened, Err(Error::Length { what: "tag", .. })), "{opened:?}");
        }
        assert!(seal_once(&secret, b"", b"", &mut text).is_err());
        assert!(seal_once(&secret[1..], &[0; 12], b"", &mut text).is_err());
        assert!(open_once(&secret[1..], &[0; 12], b"", &mut text, &tag_of(16)).is_err());
        assert_eq!(text, [1; 5]);
    }
}

fn tag_of(len: usize) -> Vec<u8> {
    vec![0; len]
}

/// Nothing is read or written beyond what a key used once is given.
#[cfg(unix)]
#[test]
fn keys_used_once_stay_within_the_buffers() {
    let mut text = common::guarded::Guarded::new(4096);
    let mut aad = common::guarded::Guarded::new(4096);
    for len in 0..=20 {
        for aad_len in [0, 1, 12, 13, 16, 17] {
            let tag = seal_once(&[7; 16], &[0; 12], aad.at_end(aad_len), text.at_end(len)).unwrap();
            open_once(&[7; 16], &[0; 12], aad.at_start(aad_len), text.at_end(len), &tag).unwrap();
            let tag =
                seal_once(&[7; 16], &[0; 12], aad.at_start(aad_len), text.at_start(len)).unwrap();
            open_once(&[7; 16], &[0; 12], aad.at_end(aad_len), text.at_start(len), &tag).unwrap();
        }
    }
}
