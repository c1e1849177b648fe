//! AES-CTR: published vectors, and every backend against portable.

mod common;

use common::{Random, backends, hex, thin};
use ropewalk::{
    Error,
    aes_ctr::{Counter, Key, PRIMITIVE, Stream},
};

const PORTABLE: &str = "aes_ctr/portable";
const KEY_LENS: [usize; 3] = [16, 24, 32];
const COUNTERS: [Counter; 2] = [Counter::Bits32, Counter::Bits128];

/// Longer than any loop of any kernel, and not a multiple of any.
const LONGEST: usize = 4200;

/// NIST SP 800-38A, F.5.1, F.5.3 and F.5.5.
#[test]
fn sp_800_38a() {
    let plaintext = hex("6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
                         30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710");
    let iv = hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff").try_into().unwrap();
    let cases = [
        (
            "2b7e151628aed2a6abf7158809cf4f3c",
            "874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff
             5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee",
        ),
        (
            "8e73b0f7da0e6452c810f32b809079e5 62f8ead2522c6b7b",
            "1abc932417521ca24f2b0459fe7e6e0b 090339ec0aa6faefd5ccc2c6f4ce8e94
             1e36b26bd1ebc670d1bd1d665620abf7 4f78a7f6d29809585a97daec58c6b050",
        ),
        (
            "603deb1015ca71be2b73aef0857d7781 1f352c073b6108d72d9810a30914dff4",
            "601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5
             2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6",
        ),
    ];
    for (secret, ciphertext) in cases {
        for name in backends(&PRIMITIVE) {
            let key = Key::with_backend(&hex(secret), name).unwrap();
            let mut text = plaintext.clone();
            key.apply_keystream(Counter::Bits128, &iv, &mut text).unwrap();
            assert_eq!(text, hex(ciphertext), "{name}");
        }
    }
}

/// RFC 3686, section 6: nonce, IV and a 32-bit counter from 1.
#[test]
fn rfc_3686() {
    let cases = [
        (
            "ae6852f8121067cc4bf7a5765577f39e",
            "00000030 0000000000000000 00000001",
            "53696e676c6520626c6f636b206d7367",
            "e4095d4fb7a7b3792d6175a3261311b8",
        ),
        (
            "7691be035e5020a8ac6e618529f9a0dc",
            "00e0017b 27777f3f4a1786f0 00000001",
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
            "c1cf48a89f2ffdd9cf4652e9efdb72d74540a42bde6d7836d59a5ceaaef3105325b2072f",
        ),
        (
            "16af5b145fc9f579c175f93e3bfb0eed863d06ccfdb78515",
            "00000048 36733c147d6d93cb 00000001",
            "53696e676c6520626c6f636b206d7367",
            "4b55384fe259c9c84e7935a003cbe928",
        ),
        (
            "776beff2851db06f4c8a0542c8696f6c6a81af1eec96b4d37fc1d689e6c1c104",
            "00000060 db5672c97aa8f0b2 00000001",
            "53696e676c6520626c6f636b206d7367",
            "145ad01dbf824ec7560863dc71e3e0c0",
        ),
    ];
    for (secret, iv, plaintext, ciphertext) in cases {
        for (name, counter) in backends(&PRIMITIVE).flat_map(|name| COUNTERS.map(|c| (name, c))) {
            let key = Key::with_backend(&hex(secret), name).unwrap();
            let mut text = hex(plaintext);
            key.apply_keystream(counter, &hex(iv).try_into().unwrap(), &mut text).unwrap();
            assert_eq!(text, hex(ciphertext), "{name}");
        }
    }
}

/// Counter blocks whose carries go nowhere, through one word, and through all.
fn ivs(random: &mut Random) -> Vec<[u8; 16]> {
    let mut ivs = vec![[0; 16], [0xff; 16], random.bytes(16).try_into().unwrap()];
    for ones in [4, 8, 12] {
        for back in [1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 64, 255] {
            let mut iv: [u8; 16] = random.bytes(16).try_into().unwrap();
            iv[16 - ones..].fill(0xff);
            let [.., last] = &mut iv;
            *last = (0x100 - back) as u8;
            ivs.push(iv);
        }
    }
    ivs
}

/// The key stream by the letter of the standard: one block at a time, through portable.
fn model(secret: &[u8], counter: Counter, iv: [u8; 16], len: usize) -> Vec<u8> {
    let key = Key::with_backend(secret, PORTABLE).unwrap();
    let mut out = Vec::new();
    let mut block = iv;
    while out.len() < len {
        let mut key_stream = [0; 16];
        key.apply_keystream(Counter::Bits32, &block, &mut key_stream).unwrap();
        out.extend(key_stream);
        block = match counter {
            Counter::Bits32 => {
                let (nonce, count) = block.split_at(12);
                let count = u32::from_be_bytes(count.try_into().unwrap()).wrapping_add(1);
                [nonce, &count.to_be_bytes()].concat().try_into().unwrap()
            }
            _ => u128::from_be_bytes(block).wrapping_add(1).to_be_bytes(),
        };
    }
    out.truncate(len);
    out
}

#[test]
fn every_length_equals_portable() {
    let mut random = Random(1);
    for (key_len, counter) in KEY_LENS.iter().flat_map(|len| COUNTERS.map(|c| (len, c))) {
        let (secret, plaintext) = (random.bytes(*key_len), random.bytes(LONGEST + 64));
        let iv = random.bytes(16).try_into().unwrap();
        let key_stream = model(&secret, counter, iv, LONGEST);
        for name in backends(&PRIMITIVE) {
            let key = Key::with_backend(&secret, name).unwrap();
            for len in thin(0..=LONGEST, 13) {
                // Offsets change with lengths, and every one meets every length of a tail.
                let (from, to) = (len * 7 % 64, len * 11 % 64);
                let input = &plaintext[from..from + len];
                let want: Vec<u8> = input.iter().zip(&key_stream).map(|(a, b)| a ^ b).collect();

                let mut text = plaintext.clone();
                key.apply_keystream(counter, &iv, &mut text[from..from + len]).unwrap();
                assert_eq!(text[from..from + len], want, "{name} {len} at {from}");
                assert_eq!(text[..from], plaintext[..from], "{name} {len} before the text");
                assert_eq!(text[from + len..], plaintext[from + len..], "{name} {len} behind it");

                let mut output = vec![0x5a; LONGEST + 64];
                let place = to..to + len;
                key.apply_keystream_to(counter, &iv, input, &mut output[place]).unwrap();
                assert_eq!(output[to..to + len], want, "{name} {len} from {from} to {to}");
                let around = output[..to].iter().chain(&output[to + len..]);
                assert!(around.eq(std::iter::repeat_n(&0x5a, LONGEST + 64 - len)), "{name} {len}");
            }
        }
    }
}

#[test]
fn every_offset_equals_portable() {
    let mut random = Random(2);
    let (secret, plaintext) = (random.bytes(32), random.bytes(700 + 64));
    let iv = random.bytes(16).try_into().unwrap();
    let key_stream = model(&secret, Counter::Bits128, iv, 700);
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&secret, name).unwrap();
        for (offset, len) in
            (0..64).flat_map(|offset| [1, 16, 63, 64, 257, 700].map(|l| (offset, l)))
        {
            let mut text = plaintext.clone();
            key.apply_keystream(Counter::Bits128, &iv, &mut text[offset..offset + len]).unwrap();
            let input = plaintext[offset..offset + len].iter();
            let want: Vec<u8> = input.zip(&key_stream).map(|(a, b)| a ^ b).collect();
            assert_eq!(text[offset..offset + len], want, "{name} {len} at {offset}");
        }
    }
}

#[test]
fn a_mebibyte_equals_portable() {
    let mut random = Random(3);
    for (key_len, counter) in KEY_LENS.iter().flat_map(|len| COUNTERS.map(|c| (len, c))) {
        let (secret, iv) = (random.bytes(*key_len), random.bytes(16).try_into().unwrap());
        let len = if common::sampled() { 1 << 16 } else { (1 << 20) + random.below(64) };
        let plaintext = random.bytes(len);
        let mut want = plaintext.clone();
        let portable = Key::with_backend(&secret, PORTABLE).unwrap();
        portable.apply_keystream(counter, &iv, &mut want).unwrap();
        for name in backends(&PRIMITIVE) {
            let mut text = plaintext.clone();
            let key = Key::with_backend(&secret, name).unwrap();
            key.apply_keystream(counter, &iv, &mut text).unwrap();
            assert!(text == want, "{name} {len}");
        }
    }
}

#[test]
fn counters_wrap_where_they_end() {
    let mut random = Random(4);
    let secret = random.bytes(16);
    for iv in thin(ivs(&mut random).into_iter(), 5) {
        for counter in COUNTERS {
            let want = model(&secret, counter, iv, LONGEST);
            for name in backends(&PRIMITIVE) {
                let key = Key::with_backend(&secret, name).unwrap();
                for len in [16, 80, 100, 513, 1024, LONGEST] {
                    let mut text = vec![0; len];
                    key.apply_keystream(counter, &iv, &mut text).unwrap();
                    assert_eq!(text, want[..len], "{name} {counter:?} {iv:02x?} {len}");
                }
            }
        }
    }
}

#[test]
fn every_split_of_a_stream_is_one_text() {
    let mut random = Random(5);
    let (secret, plaintext) = (random.bytes(32), random.bytes(400));
    let mut iv: [u8; 16] = random.bytes(16).try_into().unwrap();
    // The last four bytes wrap in the middle.
    iv[12..].copy_from_slice(&0xffff_fffa_u32.to_be_bytes());
    for (name, counter) in backends(&PRIMITIVE).flat_map(|name| COUNTERS.map(|c| (name, c))) {
        let key = Key::with_backend(&secret, name).unwrap();
        let mut want = plaintext.clone();
        key.apply_keystream(counter, &iv, &mut want).unwrap();
        let splits = (0..=150).flat_map(|a| [0, 1, 15, 16, 17, 64, 65].map(|b| (a, a + b)));
        for (a, b) in thin(splits, 7) {
            let (mut text, mut stream) = (plaintext.clone(), Stream::new(counter, &iv));
            for range in [0..a, a..b, b..400] {
                stream.apply_keystream(&key, &mut text[range]).unwrap();
            }
            assert_eq!(text, want, "{name} split at {a} and {b}");
        }
        let (mut text, mut stream) = (plaintext.clone(), Stream::new(counter, &iv));
        for byte in &mut text {
            stream.apply_keystream(&key, std::slice::from_mut(byte)).unwrap();
        }
        assert_eq!(text, want, "{name} byte by byte");
    }
}

#[cfg(unix)]
#[test]
fn nothing_beyond_the_text_is_touched() {
    let mut random = Random(6);
    let secret = random.bytes(32);
    let (mut buffer, mut source) =
        (common::guarded::Guarded::new(4096), common::guarded::Guarded::new(4096));
    source.at_start(4096).fill(0x3c);
    source.read_only();
    for name in backends(&PRIMITIVE) {
        let key = Key::with_backend(&secret, name).unwrap();
        for len in thin((0..=600).chain([1023, 1024, 1350, 4095, 4096]), 17) {
            key.apply_keystream(Counter::Bits128, &[0; 16], buffer.at_start(len)).unwrap();
            key.apply_keystream(Counter::Bits128, &[0; 16], buffer.at_end(len)).unwrap();
            let mut output = vec![0; len];
            key.apply_keystream_to(Counter::Bits128, &[0; 16], source.at_end(len), &mut output)
                .unwrap();
            key.apply_keystream_to(
                Counter::Bits128,
                &[0; 16],
                source.at_start(len),
                buffer.at_end(len),
            )
            .unwrap();
            assert_eq!(output, buffer.at_end(len), "{name} {len}");
        }
    }
}

#[test]
fn misuse_is_an_error() {
    for len in (0..64).filter(|len| !KEY_LENS.contains(len)) {
        assert!(
            matches!(Key::new(&vec![0; len]), Err(Error::Length { what: "AES key", got, .. }) if got == len)
        );
        assert!(Key::with_backend(&vec![0; len], PORTABLE).is_err());
    }
    assert!(matches!(Key::with_backend(&[0; 16], "aes_ctr/x86_64/none"), Err(Error::NoBackend)));
    let key = Key::new_128(&[0; 16]);
    let mut output = [7; 5];
    let result = key.apply_keystream_to(Counter::Bits128, &[0; 16], &[1; 4], &mut output);
    assert!(matches!(result, Err(Error::Length { what: "output", got: 5, .. })));
    assert_eq!(output, [7; 5]);
}

#[test]
fn each_size_of_key_has_its_constructor() {
    let mut random = Random(7);
    let secret = random.bytes(32);
    let keys = [
        Key::new_128(secret[..16].try_into().unwrap()),
        Key::new_192(secret[..24].try_into().unwrap()),
        Key::new_256(secret[..].try_into().unwrap()),
    ];
    for (key, len) in keys.iter().zip(KEY_LENS) {
        let (mut a, mut b) = ([0; 40], [0; 40]);
        key.apply_keystream(Counter::Bits32, &[9; 16], &mut a).unwrap();
        Key::new(&secret[..len])
            .unwrap()
            .apply_keystream(Counter::Bits32, &[9; 16], &mut b)
            .unwrap();
        assert_eq!(a, b);
        assert_eq!(Some(key.backend()), PRIMITIVE.chosen().map(|info| info.name));
    }
}
