//! Project Wycheproof's vectors, which are made to catch what implementations get wrong.

use std::collections::BTreeMap;

use ropewalk::{
    Error, aes_cbc, aes_ccm, aes_cmac, aes_gcm, aes_kw, aes_xts, chacha20_poly1305, hmac,
};
use wycheproof::{TestResult, aead, cipher, keywrap, mac, mac as macs, mac_with_nonce};

use crate::{
    Cover, Net,
    functions::{Covers, Function},
    kinds::{Aead, AeadMany, BlockMode, Hmac, Mac, Sealing},
    pieces::{self, InPieces},
    public_keys::{ed25519, p256, rsa, x25519},
};

pub(crate) const NET: Net = Net {
    name: "wycheproof",
    primitives: &[
        ("aes-cbc", Cover::Backend(aes_cbc)),
        ("aes-cbc-many", Cover::Backend(aes_cbc_many)),
        ("aes-cbc-hmac-sha1", Cover::None("Wycheproof has no set for records of TLS")),
        ("aes-cbc-hmac-sha1-many", Cover::None("Wycheproof has no set for records of TLS")),
        ("aes-cbc-hmac-sha256", Cover::None("Wycheproof has no set for records of TLS")),
        ("aes-cbc-hmac-sha256-many", Cover::None("Wycheproof has no set for records of TLS")),
        ("aes-ccm", Cover::Backend(aes_ccm)),
        (
            "aes-ccm-many",
            Cover::Backend(|backend| {
                aead_many::<aes_ccm::Many>(backend, aead::TestName::AesCcm, (405, 81));
            }),
        ),
        ("aes-cmac", Cover::Backend(aes_cmac)),
        ("aes-cmac-many", Cover::Backend(aes_cmac_many)),
        ("aes-ctr", Cover::None("Wycheproof has no set for counter mode")),
        ("aes-ctr-many", Cover::None("Wycheproof has no set for counter mode")),
        ("aes-ecb", Cover::None("Wycheproof has no set for single blocks")),
        ("aes-gcm", Cover::Backend(aes_gcm)),
        (
            "aes-gcm-many",
            Cover::Backend(|backend| {
                aead_many::<aes_gcm::Many>(backend, aead::TestName::AesGcm, (229, 81));
            }),
        ),
        ("chacha20", Cover::None("Wycheproof has no set for it alone")),
        ("chacha20-poly1305", Cover::Backend(chacha20_poly1305)),
        (
            "chacha20-poly1305-many",
            Cover::Backend(|backend| {
                let set = aead::TestName::ChaCha20Poly1305;
                aead_many::<chacha20_poly1305::Many>(backend, set, (256, 60));
            }),
        ),
        ("p256", Cover::Backend(p256::wycheproof)),
        ("p256-many", Cover::Backend(p256::wycheproof_many)),
        ("rsa", Cover::Backend(rsa::wycheproof)),
        ("rsa-many", Cover::Backend(rsa::wycheproof_many)),
        ("poly1305", Cover::None("Wycheproof has no set for it alone")),
        ("aes-xts", Cover::Backend(aes_xts)),
        ("aes-xts-many", Cover::Backend(aes_xts_many)),
        ("aes-kw", Cover::Backend(aes_kw)),
        ("ctr-drbg", Cover::None("Wycheproof has no set for random generators")),
        ("sha3-many", Cover::None("Wycheproof has no set for hashes")),
        ("sha3", Cover::None("Wycheproof has no set for hashes")),
        ("ed25519", Cover::Backend(ed25519::wycheproof)),
        ("ed25519-many", Cover::Backend(ed25519::wycheproof_many)),
        ("x25519", Cover::Backend(x25519::wycheproof)),
        ("x25519-many", Cover::Backend(x25519::wycheproof_many)),
    ],
    functions: |suites| &suites.wycheproof,
};

/// What it does with a hash function, and with HMAC of it.
pub(crate) const fn of_function<F: Function<N>, const N: usize>() -> Covers {
    let (hmac, hmac_many) = match F::ROW.wycheproof {
        Some(_) => (Cover::Backend(hmac::<F, N>), Cover::Backend(hmac_many::<F, N>)),
        None => (Cover::None(NO_SET), Cover::None(NO_SET)),
    };
    Covers {
        one: Cover::None("Wycheproof has no set for hash functions"),
        many: Cover::None("Wycheproof has no set for hash functions"),
        hmac,
        hmac_many,
    }
}

const NO_SET: &str = "Wycheproof has no set for it";

/// What became of a set: how many are valid and were taken, are forged and were told, and are not taken
/// by design, these by the set's flag and what the library says is wrong.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    valid: usize,
    forged: usize,
    refused: BTreeMap<(String, &'static str), usize>,
}

fn aes_gcm(backend: &str) {
    aead_set_in_pieces::<aes_gcm::Key>(backend, aead::TestName::AesGcm);
    let counts = aead_set::<aes_gcm::Key>(backend, aead::TestName::AesGcm);
    let refused = [(("[ZeroLengthIv]".into(), "nonce"), 6)].into();
    assert_eq!(counts, Counts { valid: 229, forged: 81, refused });

    // GMAC is GCM without a text.
    let mut counts = Counts::default();
    for group in mac_with_nonce::TestSet::load(mac_with_nonce::TestName::Gmac).unwrap().test_groups
    {
        for test in group.tests {
            let case = Case {
                key: &test.key,
                nonce: &test.nonce,
                aad: &test.msg,
                plaintext: &[],
                ciphertext: &[],
                tag: &test.tag,
                result: test.result,
                flags: format!("{:?}", test.flags),
                id: format!("{backend}, AES-GMAC {}: {}", test.tc_id, test.comment),
            };
            aead_case::<aes_gcm::Key>(backend, case, &mut counts);
        }
    }
    assert_eq!(counts, Counts { valid: 90, forged: 324, refused: BTreeMap::new() });
}

fn aead_set_in_pieces<A: InPieces>(backend: &str, set: aead::TestName) {
    for group in aead::TestSet::load(set).unwrap().test_groups {
        for test in group.tests {
            let key = A::new(&test.key, backend).and_then(|mut key| {
                key.set_tag_len(test.tag.len())?;
                key.start(&test.nonce).map(|_| key)
            });
            // What is refused is counted by the set in one piece.
            let Ok(key) = key else { continue };
            let [nonce, aad, plaintext, ciphertext, tag]: [&[u8]; 5] =
                [&test.nonce, &test.aad, &test.pt, &test.ct, &test.tag];
            let id = format!("{backend}, {set:?} {}: {}", test.tc_id, test.comment);
            let forged = test.result == TestResult::Invalid;
            pieces::published(&key, [nonce, aad, plaintext, ciphertext, tag], forged, &id);
        }
    }
}

fn aead_set<A: Aead>(backend: &str, set: aead::TestName) -> Counts {
    let mut counts = Counts::default();
    for group in aead::TestSet::load(set).unwrap().test_groups {
        for test in group.tests {
            let case = Case {
                key: &test.key,
                nonce: &test.nonce,
                aad: &test.aad,
                plaintext: &test.pt,
                ciphertext: &test.ct,
                tag: &test.tag,
                result: test.result,
                flags: format!("{:?}", test.flags),
                id: format!("{backend}, {set:?} {}: {}", test.tc_id, test.comment),
            };
            aead_case::<A>(backend, case, &mut counts);
        }
    }
    counts
}

fn aes_ccm(backend: &str) {
    let counts = aead_set::<aes_ccm::Key>(backend, aead::TestName::AesCcm);
    let refused = [
        (("[InsecureTagSize]".into(), "tag"), 3),
        (("[InvalidNonceSize]".into(), "nonce"), 30),
        (("[InvalidTagSize]".into(), "tag"), 24),
        (("[LongNonce, InvalidNonceSize]".into(), "nonce"), 9),
    ];
    assert_eq!(counts, Counts { valid: 405, forged: 81, refused: refused.into() });
}

fn chacha20_poly1305(backend: &str) {
    aead_set_in_pieces::<chacha20_poly1305::Key>(backend, aead::TestName::ChaCha20Poly1305);
    let counts = aead_set::<chacha20_poly1305::Key>(backend, aead::TestName::ChaCha20Poly1305);
    let refused = [(("[InvalidNonceSize]".into(), "tag"), 9)].into();
    assert_eq!(counts, Counts { valid: 256, forged: 60, refused });
}

fn aes_cmac(backend: &str) {
    let mut counts = Counts::default();
    let set = mac::TestSet::load(mac::TestName::AesCmac).unwrap();
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        let id = format!("{backend}, AES-CMAC {}: {}", test.tc_id, test.comment);
        let key: aes_cmac::Key = match Mac::new(&test.key, backend) {
            Ok(key) => key,
            Err(Error::Length { what, .. }) => {
                assert_eq!(test.result, TestResult::Invalid, "{id}: {what}");
                *counts.refused.entry((format!("{:?}", test.flags), what)).or_default() += 1;
                continue;
            }
            Err(error) => panic!("{id}: {error}"),
        };
        match Mac::verify(&key, &test.msg, &test.tag) {
            Ok(()) => {
                assert_ne!(test.result, TestResult::Invalid, "{id}");
                assert_eq!(Mac::mac(&key, &test.msg), test.tag[..], "{id}");
                counts.valid += 1;
            }
            Err(error) => {
                assert_eq!((test.result, error), (TestResult::Invalid, Error::Forged), "{id}");
                counts.forged += 1;
            }
        }
    }
    let refused = [(("[InvalidKeySize]".into(), "AES key"), 5)].into();
    assert_eq!(counts, Counts { valid: 63, forged: 243, refused });
}

/// All of them in one call.
fn aes_cmac_many(backend: &str) {
    let set = mac::TestSet::load(mac::TestName::AesCmac).unwrap();
    let tests: Vec<_> = set.test_groups.iter().flat_map(|group| &group.tests).collect();
    let tests = tests.iter().filter_map(|test| Some((aes_cmac::Key::new(&test.key).ok()?, test)));
    let tests: Vec<_> = tests.collect();
    assert_eq!(tests.len(), 306);
    // Each length beside every other one: 37 does not divide their number.
    let tests: Vec<_> = (0..tests.len()).map(|i| &tests[i * 37 % tests.len()]).collect();
    let mut messages = Vec::new();
    for (key, test) in &tests {
        messages.push(aes_cmac::Message { key, text: &test.msg });
    }
    let tags: Vec<&[u8]> = tests.iter().map(|(_, test)| &test.tag[..]).collect();
    for many in [aes_cmac::Many::with_backend(backend).unwrap(), aes_cmac::Many::new()] {
        let mut results = vec![Ok(()); tests.len()];
        many.verify(&messages, &tags, &mut results).unwrap();
        for (result, (_, test)) in results.iter().zip(&tests) {
            let want = if test.result == TestResult::Invalid { Err(Error::Forged) } else { Ok(()) };
            assert_eq!(*result, want, "{backend}, {}: {}", test.tc_id, test.comment);
        }
    }
}

fn aes_kw(backend: &str) {
    use keywrap::TestName::{AesKeyWrap, AesKeyWrapWithPadding};
    let refused = [
        (("[EmptyKey]".into(), "wrapped key"), 3),
        (("[InvalidWrappingSize]".into(), "wrapped key"), 24),
        (("[ShortKey]".into(), "wrapped key"), 6),
        (("[WrongDataSize]".into(), "wrapped key"), 24),
    ];
    let want = Counts { valid: 36, forged: 72, refused: refused.into() };
    assert_eq!(key_wrap(backend, AesKeyWrap), want);
    let refused = [(("[ModifiedPadding]".into(), "wrapped key"), 3)].into();
    let want = Counts { valid: 77, forged: 174, refused };
    assert_eq!(key_wrap(backend, AesKeyWrapWithPadding), want);
}

fn key_wrap(backend: &str, set: keywrap::TestName) -> Counts {
    let mut counts = Counts::default();
    let padded = set == keywrap::TestName::AesKeyWrapWithPadding;
    for test in keywrap::TestSet::load(set).unwrap().test_groups.iter().flat_map(|g| &g.tests) {
        let id = format!("{backend}, {set:?} {}: {}", test.tc_id, test.comment);
        let key = aes_kw::Key::with_backend(&test.key, backend).unwrap();
        let mut buffer = test.ct.to_vec();
        let unwrapped =
            if padded { key.unwrap_padded(&mut buffer) } else { key.unwrap(&mut buffer) };
        match unwrapped {
            Ok(unwrapped) => {
                assert_ne!(test.result, TestResult::Invalid, "{id}");
                assert_eq!(unwrapped, &test.pt[..], "{id}");
                let mut wrapped = vec![0; test.ct.len()];
                match padded {
                    true => key.wrap_padded_to(&test.pt, &mut wrapped).unwrap(),
                    false => key.wrap_to(&test.pt, &mut wrapped).unwrap(),
                }
                assert_eq!(wrapped, test.ct[..], "{id}");
                counts.valid += 1;
            }
            Err(Error::Forged) => {
                assert_eq!(test.result, TestResult::Invalid, "{id}");
                assert!(buffer.iter().all(|byte| *byte == 0), "{id}");
                counts.forged += 1;
            }
            Err(Error::Length { what, .. }) => {
                assert_ne!(test.result, TestResult::Valid, "{id}: {what}");
                *counts.refused.entry((format!("{:?}", test.flags), what)).or_default() += 1;
            }
            Err(error) => panic!("{id}: {error}"),
        }
    }
    counts
}

struct Case<'a> {
    key: &'a [u8],
    nonce: &'a [u8],
    aad: &'a [u8],
    plaintext: &'a [u8],
    ciphertext: &'a [u8],
    tag: &'a [u8],
    result: TestResult,
    flags: String,
    id: String,
}

fn aead_case<A: Aead>(backend: &str, case: Case<'_>, counts: &mut Counts) {
    let Case { key, nonce, aad, plaintext, ciphertext, tag, result, flags, id } = case;
    let key = A::new(key, backend).and_then(|mut key| {
        key.set_tag_len(tag.len())?;
        Ok(key)
    });
    let mut sealed = plaintext.to_vec();
    let key_and_tag = key.and_then(|key| {
        let tag = key.seal(nonce, aad, &mut sealed)?;
        Ok((key, tag))
    });
    let (key, sealed_tag) = match key_and_tag {
        Ok(both) => both,
        Err(Error::Length { what, .. }) => {
            assert_ne!(result, TestResult::Valid, "{id}: {what}");
            assert_eq!(sealed, plaintext, "{id}");
            return *counts.refused.entry((flags, what)).or_default() += 1;
        }
        Err(error) => panic!("{id}: {error}"),
    };

    let mut opened = ciphertext.to_vec();
    match key.open(nonce, aad, &mut opened, tag) {
        Ok(()) => {
            assert_ne!(result, TestResult::Invalid, "{id}");
            assert_eq!(opened, plaintext, "{id}");
            assert_eq!((sealed, sealed_tag), (ciphertext.to_vec(), tag.to_vec()), "{id}");
            counts.valid += 1;
        }
        Err(error) => {
            assert_eq!((result, error), (TestResult::Invalid, Error::Forged), "{id}");
            assert_eq!(opened, vec![0; ciphertext.len()], "{id}");
            counts.forged += 1;
        }
    }
}

/// A set in batches, in an order in which lengths, keys, and what is valid and forged are mixed. What is refused by design
/// is left to one-message calls.
fn aead_many<M: AeadMany>(backend: &str, set: aead::TestName, want: (usize, usize)) {
    let chosen = M::ONE.chosen().unwrap().name;
    let groups = aead::TestSet::load(set).unwrap().test_groups;
    let tests: Vec<_> = groups.into_iter().flat_map(|group| group.tests).collect();
    // A prime that does not divide it: each comes once.
    let step = [37, 41, 43].into_iter().find(|step| !tests.len().is_multiple_of(*step)).unwrap();
    let (mut order, mut keys) = (Vec::new(), Vec::new());
    for i in 0..tests.len() {
        let test = &tests[i * step % tests.len()];
        let Ok(mut key) = M::Key::new(&test.key, chosen) else { continue };
        let refused = key.set_tag_len(test.tag.len()).is_err()
            || key.seal(&test.nonce, &test.aad, &mut test.pt.to_vec()).is_err();
        if !refused {
            order.push(test);
            keys.push(key);
        }
    }
    let tags: Vec<&[u8]> = order.iter().map(|test| &test.tag[..]).collect();
    for many in [M::with_backend(backend).unwrap(), M::best()] {
        let name = many.backend();
        let mut texts: Vec<_> = order.iter().map(|test| test.ct.to_vec()).collect();
        let mut messages: Vec<_> = (keys.iter().zip(&order).zip(&mut texts))
            .map(|((key, test), text)| Sealing { key, nonce: &test.nonce, aad: &test.aad, text })
            .collect();
        let mut results = vec![Ok(()); order.len()];
        many.open(&mut messages, &tags, &mut results).unwrap();
        let (mut valid, mut forged) = (0, 0);
        for (i, test) in order.iter().enumerate() {
            let id = format!("{name}, {set:?} {}: {}", test.tc_id, test.comment);
            match results[i] {
                Ok(()) => {
                    assert_ne!(test.result, TestResult::Invalid, "{id}");
                    assert_eq!(*messages[i].text, test.pt[..], "{id}");
                    valid += 1;
                }
                Err(error) => {
                    assert_eq!((test.result, error), (TestResult::Invalid, Error::Forged), "{id}");
                    assert!(messages[i].text.iter().all(|byte| *byte == 0), "{id}");
                    forged += 1;
                }
            }
        }
        assert_eq!((valid, forged), want, "{name}");
        for (i, test) in order.iter().enumerate() {
            messages[i].text.copy_from_slice(&test.pt);
        }
        let sealed = many.seal(&mut messages, order.len()).unwrap();
        for (i, test) in order.iter().enumerate().filter(|(i, _)| results[*i].is_ok()) {
            let id = format!("{name}, {set:?} {}: {}", test.tc_id, test.comment);
            assert_eq!((&*messages[i].text, &sealed[i][..]), (&test.ct[..], &test.tag[..]), "{id}");
        }
    }
}

fn aes_cbc(backend: &str) {
    block_mode::<aes_cbc::Key>(
        backend,
        cipher::TestName::AesCbcPkcs5,
        Counts {
            valid: 72,
            forged: 141,
            refused: [(("[NoPadding]".into(), "padded text"), 3)].into(),
        },
    );
}

/// Those that are valid, all in one call.
fn aes_cbc_many(backend: &str) {
    let set = cipher::TestSet::load(cipher::TestName::AesCbcPkcs5).unwrap();
    let tests = set.test_groups.iter().flat_map(|group| &group.tests);
    let tests: Vec<_> = tests.filter(|test| test.result == TestResult::Valid).collect();
    assert_eq!(tests.len(), 72);
    let keys: Vec<_> = tests.iter().map(|test| aes_cbc::Key::new(&test.key).unwrap()).collect();
    let mut texts: Vec<_> = tests
        .iter()
        .map(|test| {
            let padding = 16 - test.pt.len() % 16;
            [&test.pt[..], &vec![padding as u8; padding]].concat()
        })
        .collect();
    let mut messages: Vec<_> = (keys.iter().zip(&tests))
        .zip(&mut texts)
        .map(|((key, test), text)| {
            let iv = test.nonce[..].try_into().unwrap();
            aes_cbc::Message { key, iv, text }
        })
        .collect();
    aes_cbc::Many::with_backend(backend).unwrap().encrypt(&mut messages).unwrap();
    for (test, text) in tests.iter().zip(&texts) {
        assert_eq!(*text, test.ct[..], "{backend}, {}: {}", test.tc_id, test.comment);
    }
}

/// Numbers of data units, little-endian and without the zeros behind them.
fn aes_xts(backend: &str) {
    let mut counts = Counts::default();
    let set = cipher::TestSet::load(cipher::TestName::AesXts).unwrap();
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        let id = format!("{backend}, AES-XTS {}: {}", test.tc_id, test.comment);
        assert_eq!(test.result, TestResult::Valid, "{id}");
        let mut tweak = [0; 16];
        tweak[..test.nonce.len()].copy_from_slice(&test.nonce);
        match aes_xts::Key::with_backend(&test.key, backend) {
            Ok(key) => {
                let mut text = test.pt.to_vec();
                key.encrypt(&tweak, &mut text).unwrap();
                assert_eq!(text, test.ct[..], "{id}");
                key.decrypt(&tweak, &mut text).unwrap();
                assert_eq!(text, test.pt[..], "{id}");
                counts.valid += 1;
            }
            Err(Error::Length { what, got: 48, .. }) => {
                let flags = format!("{:?}", test.flags);
                *counts.refused.entry((flags, what)).or_default() += 1;
            }
            Err(error) => panic!("{id}: {error}"),
        }
    }
    // The standard has no AES-192.
    let refused = [(("[Pseudorandom]".into(), "AES-XTS key"), 41)].into();
    assert_eq!(counts, Counts { valid: 82, forged: 0, refused });
}

/// Those that are valid, all in one call, and back.
fn aes_xts_many(backend: &str) {
    let set = cipher::TestSet::load(cipher::TestName::AesXts).unwrap();
    let tests = set.test_groups.iter().flat_map(|group| &group.tests);
    let tests = tests.filter_map(|test| Some((aes_xts::Key::new(&test.key).ok()?, test)));
    let tests: Vec<_> = tests
        .map(|(key, test)| {
            let mut tweak = [0; 16];
            tweak[..test.nonce.len()].copy_from_slice(&test.nonce);
            (key, tweak, test)
        })
        .collect();
    assert_eq!(tests.len(), 82);
    let mut texts: Vec<_> = tests.iter().map(|(_, _, test)| test.pt.to_vec()).collect();
    let mut messages: Vec<_> = (tests.iter().zip(&mut texts))
        .map(|((key, tweak, _), text)| aes_xts::Message { key, tweak, text })
        .collect();
    let many = aes_xts::Many::with_backend(backend).unwrap();
    many.encrypt(&mut messages).unwrap();
    for (message, (_, _, test)) in messages.iter().zip(&tests) {
        assert_eq!(*message.text, test.ct[..], "{backend}, {}: {}", test.tc_id, test.comment);
    }
    many.decrypt(&mut messages).unwrap();
    for (text, (_, _, test)) in texts.iter().zip(&tests) {
        assert_eq!(*text, test.pt[..], "{backend}, {}: {}", test.tc_id, test.comment);
    }
}

fn block_mode<B: BlockMode>(backend: &str, set: cipher::TestName, want: Counts) {
    let mut counts = Counts::default();
    for test in cipher::TestSet::load(set).unwrap().test_groups.iter().flat_map(|g| &g.tests) {
        let id = format!("{backend}, {set:?} {}: {}", test.tc_id, test.comment);
        let (key, iv) = (B::new(&test.key, backend).unwrap(), test.nonce[..].try_into().unwrap());
        let mut opened = test.ct.to_vec();
        match key.decrypt_padded(iv, &mut opened) {
            Ok(len) => {
                assert_ne!(test.result, TestResult::Invalid, "{id}");
                assert_eq!(opened[..len], test.pt[..], "{id}");
                let mut sealed = vec![0; B::padded_len(test.pt.len())];
                key.encrypt_padded_to(iv, &test.pt, &mut sealed).unwrap();
                assert_eq!(sealed, test.ct[..], "{id}");
                counts.valid += 1;
            }
            Err(Error::Forged) => {
                assert_eq!(test.result, TestResult::Invalid, "{id}");
                assert_eq!(opened, vec![0; test.ct.len()], "{id}");
                counts.forged += 1;
            }
            Err(Error::Length { what, .. }) => {
                assert_eq!(test.result, TestResult::Invalid, "{id}: {what}");
                let flags = format!("{:?}", test.flags);
                *counts.refused.entry((flags, what)).or_default() += 1;
            }
            Err(error) => panic!("{id}: {error}"),
        }
    }
    assert_eq!(counts, want);
}

/// The whole set in batches, in an order in which lengths, keys, and what is valid and forged are mixed.
fn hmac_many<F: Function<N>, const N: usize>(backend: &'static str) {
    let set = F::ROW.wycheproof.expect("it has a set");
    let groups = macs::TestSet::load(set).unwrap().test_groups;
    let tests: Vec<_> = groups.into_iter().flat_map(|group| group.tests).collect();
    // A prime that does not divide it: each comes once.
    let step = [37, 41, 43].into_iter().find(|step| !tests.len().is_multiple_of(*step)).unwrap();
    let order = (0..tests.len()).map(|i| &tests[i * step % tests.len()]);
    let keys: Vec<_> = order.clone().map(|test| hmac::Key::<F>::new(&test.key)).collect();
    let messages: Vec<_> = keys
        .iter()
        .zip(order.clone())
        .map(|(key, test)| hmac::Message { key, text: &test.msg })
        .collect();
    let tags: Vec<&[u8]> = order.clone().map(|test| &test.tag[..]).collect();
    for many in [hmac::Many::<F::Many>::with_backend(backend).unwrap(), hmac::Many::new()] {
        let mut results = vec![Ok(()); tests.len()];
        many.verify(&messages, &tags, &mut results).unwrap();
        let forged = results.iter().filter(|result| **result == Err(Error::Forged)).count();
        for (result, test) in results.iter().zip(order.clone()) {
            let id = format!("{backend}, {set:?} {}: {}", test.tc_id, test.comment);
            assert_eq!(result.is_err(), test.result == TestResult::Invalid, "{id}: {result:?}");
        }
        assert!(forged > 50 && tests.len() - forged > 50, "{backend}, {set:?}: {forged} forged");
    }
}

fn hmac<F: Function<N>, const N: usize>(backend: &'static str) {
    let set = F::ROW.wycheproof.expect("it has a set");
    let (mut valid, mut forged) = (0, 0);
    for group in macs::TestSet::load(set).unwrap().test_groups {
        for test in group.tests {
            let id = format!("{backend}, {set:?} {}: {}", test.tc_id, test.comment);
            let key = F::Mac::new(&test.key, backend).unwrap();
            match key.verify(&test.msg, &test.tag) {
                Ok(()) => {
                    assert_ne!(test.result, TestResult::Invalid, "{id}");
                    assert_eq!(key.mac(&test.msg)[..test.tag.len()], test.tag[..], "{id}");
                    valid += 1;
                }
                Err(error) => {
                    assert_eq!((test.result, error), (TestResult::Invalid, Error::Forged), "{id}");
                    forged += 1;
                }
            }
        }
    }
    assert!(valid > 50 && forged > 50, "{backend}, {set:?}: {valid} valid, {forged} forged");
}
