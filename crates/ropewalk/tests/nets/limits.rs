//! Lengths at which a standard ends, in memory that is not there until it is touched. What is longer
//! is refused before anything of it is.

use ropewalk::{
    Error, InMessage, aes_ccm, aes_ctr, aes_gcm, aes_kw, aes_xts, cbc_hmac, chacha20,
    chacha20_poly1305, random, sha1::Sha1, sha256::Sha256,
};

use crate::{
    Cover, Net,
    common::guarded::{End, Guarded},
    functions::{Covers, Function},
    kinds::{Aead, AeadMany, Sealing},
    pieces,
};

pub(crate) const NET: Net = Net {
    name: "limits",
    primitives: &[
        ("aes-cbc", Cover::None("the standard has no limit that memory can reach")),
        ("aes-cbc-many", Cover::None("as aes-cbc")),
        ("aes-cbc-hmac-sha1", Cover::Backend(cbc_hmac::<Sha1>)),
        ("aes-cbc-hmac-sha1-many", Cover::None("as one by one")),
        ("aes-cbc-hmac-sha256", Cover::Backend(cbc_hmac::<Sha256>)),
        ("aes-cbc-hmac-sha256-many", Cover::None("as one by one")),
        ("aes-ccm", Cover::Backend(aes_ccm)),
        (
            "aes-ccm-many",
            Cover::Backend(|backend| {
                for nonce in [[1; 13].as_slice(), &[1; 11]] {
                    let longest = aes_ccm::longest_text(nonce.len());
                    aead_many::<aes_ccm::Many>(backend, nonce, longest);
                }
            }),
        ),
        ("aes-cmac", Cover::None("the standard has no limit that memory can reach")),
        ("aes-cmac-many", Cover::None("as aes-cmac")),
        ("aes-ctr", Cover::Backend(aes_ctr)),
        ("aes-ctr-many", Cover::Backend(aes_ctr_many)),
        ("aes-ecb", Cover::None("the standard has no limit")),
        ("aes-gcm", Cover::Backend(aes_gcm)),
        (
            "aes-gcm-many",
            Cover::Backend(|backend| {
                aead_many::<aes_gcm::Many>(backend, &[1; 12], aes_gcm::LONGEST_TEXT)
            }),
        ),
        ("aes-xts", Cover::Backend(aes_xts)),
        ("aes-xts-many", Cover::Backend(aes_xts_many)),
        ("aes-kw", Cover::Backend(aes_kw)),
        ("chacha20", Cover::Backend(chacha20)),
        ("chacha20-poly1305", Cover::Backend(chacha20_poly1305)),
        (
            "chacha20-poly1305-many",
            Cover::Backend(|backend| {
                let longest = chacha20_poly1305::LONGEST_TEXT;
                aead_many::<chacha20_poly1305::Many>(backend, &[1; 12], longest);
            }),
        ),
        ("p256", Cover::None("the standard has no limit that memory can reach")),
        ("p256-many", Cover::None("a batch has no limit")),
        ("rsa", Cover::None("the standard has no limit that memory can reach")),
        ("rsa-many", Cover::None("a batch has no limit")),
        ("poly1305", Cover::None("the standard has no limit")),
        ("ctr-drbg", Cover::Backend(ctr_drbg)),
        ("sha3-many", Cover::None("the standard has no limit")),
        ("sha3", Cover::None("the standard has no limit")),
        ("ed25519", Cover::None("the standard has no limit that memory can reach")),
        ("ed25519-many", Cover::None("a batch has no limit")),
        ("x25519", Cover::None("its arguments are arrays of one length")),
        ("x25519-many", Cover::None("a batch has no limit")),
    ],
    functions: |suites| &suites.limits,
};

/// What it does with a hash function, and with HMAC of it.
pub(crate) const fn of_function<F: Function<N>, const N: usize>() -> Covers {
    Covers {
        one: Cover::None(F::ROW.limit),
        many: Cover::None(F::ROW.limit),
        hmac: Cover::None(OF_ITS_HASH),
        hmac_many: Cover::None(OF_ITS_HASH),
    }
}

const OF_ITS_HASH: &str = "the limit is that of its hash function";

/// So many bytes that have not been touched.
fn with_vast(len: u64, test: impl FnOnce(&mut [u8])) {
    let len = usize::try_from(len).expect("64 bits");
    let mut vast = Guarded::vast(len).expect("memory that is promised, and not there");
    test(vast.room(End::Start, len));
}

fn aes_gcm(backend: &'static str) {
    let key = aes_gcm::Key::with_backend(&[7; 16], backend).unwrap();
    assert_eq!(aes_gcm::LONGEST_TEXT, (1 << 36) - 32);
    for more in [1, 16, 32, 1 << 32] {
        with_vast(aes_gcm::LONGEST_TEXT + more, |text| {
            let got = text.len();
            let refused = Error::Length { what: "text", got, allowed: "up to 2^36 - 32 bytes" };
            pieces::limits::<aes_gcm::Key>(backend, aes_gcm::LONGEST_TEXT, text);
            for nonce in [[1; 12].as_slice(), &[1; 16]] {
                assert_eq!(key.seal(nonce, b"", text), Err(refused), "{backend}");
                assert_eq!(key.open(nonce, b"", text, &[0; 16]), Err(refused), "{backend}");
            }
        });
    }
}

/// What is too long for a nonce keeps all others from being sealed, and none from being opened.
fn aead_many<M: AeadMany>(backend: &'static str, nonce: &[u8], longest: u64) {
    let chosen = M::ONE.chosen().unwrap().name;
    let key = M::Key::new(&vec![7; M::Key::KEY_LENS[0]], chosen).unwrap();
    let many = M::with_backend(backend).unwrap();
    with_vast(longest + 1, |vast| {
        let mut texts = [[1; 40]; 9];
        let mut messages: Vec<_> =
            texts.iter_mut().map(|text| Sealing { key: &key, nonce, aad: b"", text }).collect();
        messages.insert(5, Sealing { key: &key, nonce, aad: b"", text: vast });
        let InMessage { index, error } = many.seal(&mut messages, 10).unwrap_err();
        assert_eq!(index, 5, "{backend}");
        assert!(
            matches!(error, Error::Length { what: "text", got, .. } if got as u64 == longest + 1)
        );
        let mut results = [Ok(()); 10];
        many.open(&mut messages, &[&[0_u8; 16][..]; 10], &mut results).unwrap();
        for (i, result) in results.into_iter().enumerate() {
            assert_eq!(result, Err(if i == 5 { error } else { Error::Forged }), "{backend}");
        }
        assert_eq!(texts, [[0; 40]; 9], "{backend}");
    });
}

fn aes_xts(backend: &'static str) {
    let secret: Vec<_> = (0..32).collect();
    let key = aes_xts::Key::with_backend(&secret, backend).unwrap();
    assert_eq!(aes_xts::LONGEST_UNIT, 16 << 20);
    for more in [1, 16, 1 << 32] {
        with_vast((16 << 20) + more, |text| {
            let got = text.len();
            let refused = Error::Length { what: "text", got, allowed: "16 to 2^24 bytes" };
            assert_eq!(key.encrypt(&[0; 16], text), Err(refused), "{backend}");
            assert_eq!(key.decrypt(&[0; 16], text), Err(refused), "{backend}");
            let refused = Error::Length { what: "sector", got, allowed: "16 to 2^24 bytes" };
            assert_eq!(key.encrypt_sectors(0, got, text), Err(refused), "{backend}");
            assert_eq!(key.decrypt_sectors(0, got, text), Err(refused), "{backend}");
        });
    }
    // The longest unit is one, and each of its blocks has a tweak of its own.
    let mut text = vec![0; aes_xts::LONGEST_UNIT];
    key.encrypt(&[0; 16], &mut text).unwrap();
    let last = text[text.len() - 16..].to_vec();
    let mut want = aes_xts_tweak(&secret, (1 << 20) - 1);
    let tweak = want;
    crate::independent::ecb_encrypt(&secret[..16], &mut want);
    want.iter_mut().zip(tweak).for_each(|(byte, of)| *byte ^= of);
    assert_eq!(last, want, "{backend}");
    key.decrypt(&[0; 16], &mut text).unwrap();
    assert!(text.iter().all(|byte| *byte == 0), "{backend}");
}

fn aes_xts_many(backend: &'static str) {
    let secret: Vec<_> = (0..32).collect();
    let (key, many) =
        (aes_xts::Key::new(&secret).unwrap(), aes_xts::Many::with_backend(backend).unwrap());
    for more in [1, 1 << 32] {
        with_vast((16 << 20) + more, |text| {
            let error =
                Error::Length { what: "text", got: text.len(), allowed: "16 to 2^24 bytes" };
            let tweak = &[0; 16];
            let mut first = [0; 16];
            let mut messages = [
                aes_xts::Message { key: &key, tweak, text: &mut first },
                aes_xts::Message { key: &key, tweak, text },
            ];
            let refused = Err(InMessage { index: 1, error });
            assert_eq!(many.encrypt(&mut messages), refused, "{backend}");
            assert_eq!(many.decrypt(&mut messages), refused, "{backend}");
            assert_eq!(first, [0; 16], "{backend}");
        });
    }
}

/// The tweak of that block of data unit 0.
fn aes_xts_tweak(secret: &[u8], block: usize) -> [u8; 16] {
    let mut tweak = [0; 16];
    crate::independent::ecb_encrypt(&secret[16..], &mut tweak);
    let mut number = u128::from_le_bytes(tweak);
    for _ in 0..block {
        number = (number << 1) ^ (0x87 * (number >> 127));
    }
    number.to_le_bytes()
}

fn aes_ccm(backend: &'static str) {
    let key = aes_ccm::Key::with_backend(&[7; 16], backend).unwrap();
    let last = |nonce_len: u32| (1_u64 << (8 * (15 - nonce_len))) - 1;
    for nonce_len in 8..=13 {
        assert_eq!(aes_ccm::longest_text(nonce_len), last(nonce_len as u32));
    }
    assert_eq!(aes_ccm::longest_text(7), u64::MAX);
    // The longest goes through, and one byte more leaves all as it was.
    let mut text = vec![0; 65_536];
    let tag = key.seal(&[1; 13], b"", &mut text[..65_535]).unwrap();
    assert_eq!(key.open(&[1; 13], b"", &mut text[..65_535], &tag), Ok(()), "{backend}");
    let too_long = |nonce: &[u8], text: &mut [u8]| {
        let got_is = text.len();
        for result in [key.seal(nonce, b"", text).map(drop), key.open(nonce, b"", text, &[0; 16])] {
            let Err(Error::Length { what: "text", got, .. }) = result else { panic!("{result:?}") };
            assert_eq!(got, got_is, "{backend}");
        }
    };
    too_long(&[1; 13], &mut text);
    assert!(text.iter().all(|byte| *byte == 0), "{backend}");
    for nonce_len in [12, 11] {
        for more in [1, 16] {
            with_vast(last(nonce_len) + more, |text| {
                too_long(&vec![1; nonce_len as usize], text);
                assert_eq!(text[..100], [0; 100], "{backend}");
            });
        }
    }
}

fn cbc_hmac<H: cbc_hmac::Hash>(backend: &'static str) {
    use cbc_hmac::{Key, LONGEST_TEXT};
    let key = Key::<H>::with_backend(&[7; 16], &[8; 32], backend).unwrap();
    assert_eq!(LONGEST_TEXT, 1 << 14);
    // The longest goes through, and one byte more leaves all as it was.
    let mut record = vec![0; Key::<H>::sealed_len(LONGEST_TEXT)];
    key.seal(&[1; 16], &[2; 11], &mut record, LONGEST_TEXT).unwrap();
    let text = key.open(&[1; 16], &[2; 11], &mut record).unwrap();
    assert_eq!(text, [0; LONGEST_TEXT], "{backend}");
    for more in [1, 16, 1 << 32] {
        with_vast((1 << 14) + more + 64, |memory| {
            let got = LONGEST_TEXT + more as usize;
            let sealed = Key::<H>::sealed_len(got);
            let refused = Error::Length { what: "text", got, allowed: "up to 2^14 bytes" };
            let sealed = key.seal(&[1; 16], &[2; 11], &mut memory[..sealed], got);
            assert_eq!(sealed, Err(refused), "{backend}");
            let (got, record) = ((1 << 14) + 2048 + 16 * more as usize, &mut memory[..]);
            if let Some(record) = record.get_mut(..got) {
                let opened = key.open(&[1; 16], &[2; 11], record).map(drop);
                assert!(matches!(opened, Err(Error::Length { what: "record", .. })), "{backend}");
            }
        });
    }
}

fn aes_kw(backend: &'static str) {
    let key = aes_kw::Key::with_backend(&[7; 16], backend).unwrap();
    with_vast((1 << 32) + 16, |wrapped| {
        let result = key.unwrap_padded(wrapped);
        let Err(Error::Length { what: "wrapped key", got, .. }) = result else {
            panic!("{result:?}")
        };
        assert_eq!(got, (1 << 32) + 16, "{backend}");
    });
}

fn aes_ctr(backend: &'static str) {
    use aes_ctr::{Counter, Key, Stream};
    let key = Key::with_backend(&[7; 16], backend).unwrap();
    with_vast((1 << 36) + 1, |text| {
        let too_long = |result: Result<(), Error>| {
            let Err(Error::Length { what: "text", got, .. }) = result else { panic!("{result:?}") };
            assert_eq!(got, (1 << 36) + 1, "{backend}");
        };
        too_long(key.apply_keystream(Counter::Bits32, &[0; 16], text));
        // What has gone through a stream counts.
        let mut stream = Stream::new(Counter::Bits32, &[0; 16]);
        let (head, rest) = text.split_at_mut(100);
        stream.apply_keystream(&key, head).unwrap();
        let before = head.to_vec();
        too_long(stream.apply_keystream(&key, rest));
        assert_eq!(rest[..100], [0; 100], "{backend}");
        // What was refused took nothing of the key stream.
        let mut whole = vec![0; 200];
        key.apply_keystream(Counter::Bits32, &[0; 16], &mut whole).unwrap();
        stream.apply_keystream(&key, &mut rest[..100]).unwrap();
        assert_eq!([before.as_slice(), &rest[..100]].concat(), whole, "{backend}");
    });
}

fn aes_ctr_many(backend: &'static str) {
    use aes_ctr::{Counter, Key, Many, Message};
    let (key, many) = (Key::new(&[7; 16]).unwrap(), Many::with_backend(backend).unwrap());
    with_vast((1 << 36) + 1, |text| {
        let (mut first, iv) = ([0; 16], &[0; 16]);
        let mut messages =
            [Message { key: &key, iv, text: &mut first }, Message { key: &key, iv, text }];
        let InMessage { index, error } =
            many.apply_keystream(Counter::Bits32, &mut messages).unwrap_err();
        let Error::Length { what: "text", got, .. } = error else { panic!("{error:?}") };
        assert_eq!((index, got), (1, (1 << 36) + 1), "{backend}");
        assert_eq!(first, [0; 16], "{backend}");
    });
}

fn chacha20(backend: &'static str) {
    use chacha20::{Key, Stream};
    let key = Key::with_backend(&[7; 32], backend).unwrap();
    let too_long = |result: Result<(), Error>, len: usize| {
        let Err(Error::Length { what: "text", got, .. }) = result else { panic!("{result:?}") };
        assert_eq!(got, len, "{backend}");
    };
    // So many blocks from the last counters on, and not a byte more.
    for left in [1, 2, 3, 4, 7, 8, 15, 16, 17, 33] {
        let (len, counter) = (64 * left, 0_u32.wrapping_sub(left as u32));
        let mut text = vec![0; len + 1];
        too_long(key.apply_keystream(counter, &[0; 12], &mut text), len + 1);
        assert_eq!(text, vec![0; len + 1], "{backend}");
        key.apply_keystream(counter, &[0; 12], &mut text[..len]).unwrap();
        // What has gone through a stream counts.
        let mut stream = Stream::new(counter, &[0; 12]);
        let mut pieces = vec![0; len + 1];
        stream.apply_keystream(&key, &mut pieces[..50]).unwrap();
        too_long(stream.apply_keystream(&key, &mut pieces[50..]), len + 1);
        // What was refused took nothing of the key stream.
        stream.apply_keystream(&key, &mut pieces[50..len]).unwrap();
        too_long(stream.apply_keystream(&key, &mut pieces[len..]), len + 1);
        assert_eq!(pieces, text, "{backend}");
        // Nor does what is made of it ahead for short pieces.
        for piece in [1, 16, 50, 63] {
            let mut stream = Stream::new(counter, &[0; 12]);
            let mut pieces = vec![0; len + 1];
            for piece in pieces[..len].chunks_mut(piece) {
                stream.apply_keystream(&key, piece).unwrap();
            }
            too_long(stream.apply_keystream(&key, &mut pieces[len..]), len + 1);
            assert_eq!(pieces, text, "{backend} by {piece}");
        }
    }
    with_vast((1 << 38) + 1, |text| {
        too_long(key.apply_keystream(0, &[0; 12], text), text.len());
        too_long(key.apply_keystream(1, &[0; 12], &mut text[..1 << 38]), 1 << 38);
    });
}

fn chacha20_poly1305(backend: &'static str) {
    let key = chacha20_poly1305::Key::with_backend(&[7; 32], backend).unwrap();
    assert_eq!(chacha20_poly1305::LONGEST_TEXT, (1 << 38) - 64);
    for more in [1, 16, 64, 1 << 32] {
        with_vast(chacha20_poly1305::LONGEST_TEXT + more, |text| {
            let got = text.len();
            let refused = Error::Length { what: "text", got, allowed: "up to 2^38 - 64 bytes" };
            let longest = chacha20_poly1305::LONGEST_TEXT;
            pieces::limits::<chacha20_poly1305::Key>(backend, longest, text);
            assert_eq!(key.seal(&[1; 12], b"", text), Err(refused), "{backend}");
            assert_eq!(key.open(&[1; 12], b"", text, &[0; 16]), Err(refused), "{backend}");
        });
    }
}

fn ctr_drbg(backend: &'static str) {
    let mut drbg = random::CtrDrbg::with_backend(&[7; 48], b"", backend).unwrap();
    drbg.generate(b"", &mut vec![0; random::LONGEST_REQUEST]).unwrap();
    for more in [1, 16, 1 << 20, 1 << 36] {
        with_vast(random::LONGEST_REQUEST as u64 + more, |out| {
            let got = out.len();
            let refused = Error::Length { what: "request", got, allowed: "up to 2^16 bytes" };
            assert_eq!(drbg.generate(b"", out), Err(refused), "{backend}");
        });
    }
}
