//! NIST's and the IETF's vectors, as `vectors/` has them.

use std::collections::BTreeMap;

use ropewalk::{
    Error,
    aes_cbc::{self, Key},
    aes_ccm, aes_cmac, aes_ecb, aes_gcm, aes_kw, aes_xts, chacha20, chacha20_poly1305,
    poly1305::Poly1305,
    random::CtrDrbg,
    sha3::{
        Sha3_224, Sha3_224Many, Sha3_256, Sha3_256Many, Sha3_384, Sha3_384Many, Sha3_512,
        Sha3_512Many, Shake128, Shake256,
    },
};

use crate::{
    Cover, Net,
    ciphers::{CipherMany, CtrMany, Vectored},
    common::{hex, sampled},
    functions::{Covers, Function},
    kinds::{
        Aead, AeadMany, AesCtr, BlockMode, Extendable, Hash, HashMany, Hmac, Long128, Long256, Mac,
        OneTimeMac, Sealing, Stream,
    },
    pieces::{self, InPieces},
    public_keys::{ed25519, p256, rsa, x25519},
};

macro_rules! vectors {
    ($file:literal) => {
        $crate::published::cases(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../vectors/",
            $file
        )))
    };
}
pub(crate) use vectors;

pub(crate) const NET: Net = Net {
    name: "published",
    primitives: &[
        ("aes-cbc", Cover::Backend(aes_cbc)),
        ("aes-cbc-many", Cover::Backend(aes_cbc_many)),
        (
            "aes-cbc-hmac-sha1",
            Cover::None("no standard has one; the hashes and the cipher have theirs"),
        ),
        ("aes-cbc-hmac-sha1-many", Cover::None("as one by one")),
        (
            "aes-cbc-hmac-sha256",
            Cover::None("no standard has one; the hashes and the cipher have theirs"),
        ),
        ("aes-cbc-hmac-sha256-many", Cover::None("as one by one")),
        ("aes-ccm", Cover::Backend(aes_ccm)),
        (
            "aes-ccm-many",
            Cover::Backend(|backend| {
                aead_many::<aes_ccm::Many>(backend, &vectors!("aes-ccm.txt"));
            }),
        ),
        ("aes-cmac", Cover::Backend(aes_cmac)),
        ("aes-cmac-many", Cover::Backend(aes_cmac_many)),
        ("aes-ctr", Cover::Backend(aes_ctr)),
        ("aes-ctr-many", Cover::Backend(ctr_many)),
        ("aes-ecb", Cover::Backend(aes_ecb)),
        ("aes-gcm", Cover::Backend(aes_gcm)),
        (
            "aes-gcm-many",
            Cover::Backend(|backend| {
                aead_many::<aes_gcm::Many>(backend, &vectors!("aes-gcm.txt"));
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
                let cases = vectors!("chacha20-poly1305.txt");
                aead_many::<chacha20_poly1305::Many>(backend, &cases);
            }),
        ),
        ("p256", Cover::Backend(p256::published)),
        ("p256-many", Cover::Backend(p256::published_many)),
        ("rsa", Cover::Backend(rsa::published)),
        ("rsa-many", Cover::Backend(rsa::published_many)),
        ("poly1305", Cover::Backend(poly1305)),
        ("ctr-drbg", Cover::Backend(ctr_drbg)),
        ("sha3-many", Cover::Backend(sha3_many)),
        ("sha3", Cover::Backend(sha3)),
        ("ed25519", Cover::Backend(ed25519::published)),
        ("ed25519-many", Cover::Backend(ed25519::published_many)),
        ("x25519", Cover::Backend(x25519::published)),
        ("x25519-many", Cover::Backend(x25519::published_many)),
    ],
    functions: |suites| &suites.published,
};

/// What it does with a hash function, and with HMAC of it.
pub(crate) const fn of_function<F: Function<N>, const N: usize>() -> Covers {
    let hmac = match F::ROW.hmac {
        Ok(_) => Cover::Backend(macs::<F, N>),
        Err(why) => Cover::None(why),
    };
    Covers {
        one: Cover::Backend(function::<F, N>),
        many: Cover::Backend(function_many::<F, N>),
        hmac,
        hmac_many: Cover::None("as HMAC of one message; Wycheproof has sets"),
    }
}

/// One line of a file.
pub(crate) struct Case<'a> {
    pub(crate) what: &'a str,
    pub(crate) line: &'a str,
    fields: BTreeMap<&'a str, Vec<u8>>,
}

impl Case<'_> {
    pub(crate) fn get(&self, name: &str) -> &[u8] {
        self.fields.get(name).unwrap_or_else(|| panic!("no {name} in {}", self.line))
    }
    fn block(&self, name: &str) -> [u8; 16] {
        self.get(name).try_into().unwrap()
    }
}

pub(crate) fn cases(file: &str) -> Vec<Case<'_>> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (what, fields) = line.split_once(' ').unwrap();
            let fields = fields.split(' ').map(|field| {
                let (name, digits) = field.split_once('=').unwrap();
                (name, hex(digits))
            });
            Case { what, line, fields: fields.collect() }
        })
        .collect()
}

fn aes_gcm(backend: &str) {
    let cases = vectors!("aes-gcm.txt");
    aead_in_pieces::<aes_gcm::Key>(backend, &cases);
    let counts = aead::<aes_gcm::Key>(backend, &cases);
    assert_eq!(counts, [("forged", 225), ("open", 224), ("refused", 6), ("seal", 225)].into());
}

fn aes_ccm(backend: &str) {
    let counts = aead::<aes_ccm::Key>(backend, &vectors!("aes-ccm.txt"));
    assert_eq!(counts, [("forged", 48), ("open", 48), ("seal", 216)].into());
}

fn aes_cmac(backend: &str) {
    let cases = vectors!("aes-cmac.txt");
    assert_eq!(cases.len(), 12);
    for case in cases {
        let key: aes_cmac::Key = Mac::new(case.get("key"), backend).unwrap();
        let tag = Mac::mac(&key, case.get("message"));
        assert_eq!(tag, case.get("tag"), "{backend}: {}", case.line);
    }
}

/// Again and again in one call, beside others of other lengths and keys.
fn aes_cmac_many(backend: &str) {
    let cases = vectors!("aes-cmac.txt");
    let keys: Vec<_> =
        cases.iter().map(|case| aes_cmac::Key::new(case.get("key")).unwrap()).collect();
    let order = || (0..60).map(|i| i * 7 % cases.len());
    let message = |i: usize| aes_cmac::Message { key: &keys[i], text: cases[i].get("message") };
    let messages: Vec<_> = order().map(message).collect();
    let mut tags = [aes_cmac::Tag::default(); 60];
    aes_cmac::Many::with_backend(backend).unwrap().mac(&messages, &mut tags).unwrap();
    for (i, tag) in order().zip(&tags) {
        assert_eq!(**tag, *cases[i].get("tag"), "{backend}: {}", cases[i].line);
    }
}

fn aes_kw(backend: &str) {
    let mut counts = BTreeMap::new();
    for case in vectors!("aes-kw.txt") {
        let line = case.line;
        let key = aes_kw::Key::with_backend(case.get("key"), backend).unwrap();
        let (plaintext, wrapped) = (case.get("plaintext"), case.get("wrapped"));
        let (mut buffer, mut out) = (wrapped.to_vec(), vec![0; wrapped.len()]);
        let unwrapped = if case.what.starts_with("padded-") {
            key.unwrap_padded(&mut buffer)
        } else {
            key.unwrap(&mut buffer)
        };
        if case.what.ends_with("forged") {
            assert_eq!(unwrapped, Err(Error::Forged), "{backend}: {line}");
        } else {
            assert_eq!(unwrapped.unwrap(), plaintext, "{backend}: {line}");
            match case.what.starts_with("padded-") {
                true => key.wrap_padded_to(plaintext, &mut out).unwrap(),
                false => key.wrap_to(plaintext, &mut out).unwrap(),
            }
            assert_eq!(out, wrapped, "{backend}: {line}");
        }
        *counts.entry(case.what.to_owned()).or_default() += 1;
    }
    let whats = ["forged", "padded-forged", "padded-unwrap", "padded-wrap", "unwrap", "wrap"];
    assert_eq!(counts, whats.map(|what| (what.to_owned(), 15)).into());
}

/// The same in pieces, after those cases have been counted.
fn aead_in_pieces<A: InPieces>(backend: &str, cases: &[Case<'_>]) {
    for case in cases {
        let [nonce, aad, ciphertext, tag] =
            ["nonce", "aad", "ciphertext", "tag"].map(|name| case.get(name));
        let mut key = A::new(case.get("key"), backend).unwrap();
        if key.set_tag_len(tag.len()).is_ok() {
            let forged = case.what == "forged";
            let plaintext = if forged { &[] } else { case.get("plaintext") };
            let all = [nonce, aad, plaintext, ciphertext, tag];
            pieces::published(&key, all, forged, &format!("{backend}: {}", case.line));
        }
    }
}

fn aead<A: Aead>(backend: &str, cases: &[Case<'_>]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for case in cases {
        let line = case.line;
        let [nonce, aad, ciphertext, tag] =
            ["nonce", "aad", "ciphertext", "tag"].map(|name| case.get(name));
        let mut key = A::new(case.get("key"), backend).unwrap();
        let set = key.set_tag_len(tag.len());
        if !A::TAG_LENS.contains(&tag.len()) {
            assert!(matches!(set, Err(Error::Length { what: "tag", .. })), "{line}");
            *counts.entry("refused").or_default() += 1;
            continue;
        }
        set.unwrap();
        let mut text = ciphertext.to_vec();
        let opened = key.open(nonce, aad, &mut text, tag);
        let kind = match case.what {
            "forged" => {
                assert_eq!(opened, Err(Error::Forged), "{backend}: {line}");
                assert_eq!(text, vec![0; ciphertext.len()], "{backend}: {line}");
                "forged"
            }
            what @ ("seal" | "open") => {
                assert_eq!(opened, Ok(()), "{backend}: {line}");
                assert_eq!(text, case.get("plaintext"), "{backend}: {line}");
                assert_eq!(key.seal(nonce, aad, &mut text).unwrap(), tag, "{backend}: {line}");
                assert_eq!(text, ciphertext, "{backend}: {line}");
                if what == "seal" { "seal" } else { "open" }
            }
            what => panic!("{what}"),
        };
        *counts.entry(kind).or_default() += 1;
    }
    counts
}

/// All of them in one call, in an order in which lengths, and what is right and forged, are mixed.
fn aead_many<M: AeadMany>(backend: &str, cases: &[Case<'_>]) {
    let step = [331, 337, 347].into_iter().find(|step| !cases.len().is_multiple_of(*step)).unwrap();
    let order = (0..cases.len()).map(|i| &cases[i * step % cases.len()]);
    let chosen = M::ONE.chosen().unwrap().name;
    let cases: Vec<_> =
        order.filter(|case| M::Key::TAG_LENS.contains(&case.get("tag").len())).collect();
    let key = |case: &&Case<'_>| {
        let mut key = M::Key::new(case.get("key"), chosen).unwrap();
        key.set_tag_len(case.get("tag").len()).unwrap();
        key
    };
    let keys: Vec<_> = cases.iter().map(key).collect();
    let mut texts: Vec<_> = cases.iter().map(|case| case.get("ciphertext").to_vec()).collect();
    let mut messages: Vec<_> = (keys.iter().zip(&cases).zip(&mut texts))
        .map(|((key, case), text)| Sealing {
            key,
            nonce: case.get("nonce"),
            aad: case.get("aad"),
            text,
        })
        .collect();
    let tags: Vec<_> = cases.iter().map(|case| case.get("tag")).collect();
    let mut results = vec![Ok(()); cases.len()];
    let many = M::with_backend(backend).unwrap();
    many.open(&mut messages, &tags, &mut results).unwrap();
    for (i, case) in cases.iter().enumerate() {
        let (forged, text) = (case.what == "forged", &*messages[i].text);
        assert_eq!(results[i], if forged { Err(Error::Forged) } else { Ok(()) }, "{}", case.line);
        match forged {
            true => assert!(text.iter().all(|byte| *byte == 0), "{backend}: {}", case.line),
            false => assert_eq!(text, case.get("plaintext"), "{backend}: {}", case.line),
        }
    }
    let sealed = many.seal(&mut messages, cases.len()).unwrap();
    for (i, case) in cases.iter().enumerate().filter(|(_, case)| case.what != "forged") {
        assert_eq!(*messages[i].text, *case.get("ciphertext"), "{backend}: {}", case.line);
        assert_eq!(sealed[i], case.get("tag"), "{backend}: {}", case.line);
    }
}

fn aes_cbc(backend: &str) {
    let blocks = vectors!("aes.txt");
    assert_eq!(blocks.len(), 1039);
    for case in blocks {
        let key: Key = BlockMode::new(case.get("key"), backend).unwrap();
        let [plaintext, ciphertext] = ["plaintext", "ciphertext"].map(|name| case.get(name));
        let mut text = plaintext.to_vec();
        key.encrypt(&[0; 16], &mut text).unwrap();
        assert_eq!(text, ciphertext, "{backend}: {}", case.line);
        key.decrypt(&[0; 16], &mut text).unwrap();
        assert_eq!(text, plaintext, "{backend}: {}", case.line);
    }

    let cases = vectors!("aes-cbc.txt");
    let messages: Vec<_> = cases.iter().filter(|case| !case.what.ends_with("-monte")).collect();
    assert_eq!(messages.len(), 60);
    for case in messages {
        let key: Key = BlockMode::new(case.get("key"), backend).unwrap();
        let iv = case.block("iv");
        let [plaintext, ciphertext] = ["plaintext", "ciphertext"].map(|name| case.get(name));
        let mut text = vec![0; plaintext.len()];
        match case.what {
            "encrypt" => key.encrypt_to(&iv, plaintext, &mut text).unwrap(),
            "decrypt" => key.decrypt_to(&iv, ciphertext, &mut text).unwrap(),
            what => panic!("{what}"),
        }
        let want = if case.what == "encrypt" { ciphertext } else { plaintext };
        assert_eq!(text, want, "{backend}: {}", case.line);
    }

    for key_len in Key::KEY_LENS {
        monte_carlo(backend, *key_len, &cases, "encrypt-monte", "plaintext", "ciphertext");
        monte_carlo(backend, *key_len, &cases, "decrypt-monte", "ciphertext", "plaintext");
    }
}

/// All of them in one call, however long they are.
fn aes_cbc_many(backend: &str) {
    let (blocks, cases) = (vectors!("aes.txt"), vectors!("aes-cbc.txt"));
    let cases = cases.iter().filter(|case| case.what == "encrypt");
    let mut cases: Vec<_> = cases
        .map(|case| (case, case.block("iv")))
        .chain(blocks.iter().map(|case| (case, [0; 16])))
        .collect();
    assert_eq!(cases.len(), 1069);
    // Each length beside every other one: 331 and the number of cases have no divisor in common.
    cases = (0..cases.len()).map(|i| cases[i * 331 % cases.len()]).collect();
    let keys: Vec<_> = cases.iter().map(|(case, _)| Key::new(case.get("key")).unwrap()).collect();
    let mut texts: Vec<_> = cases.iter().map(|(case, _)| case.get("plaintext").to_vec()).collect();
    let mut messages: Vec<_> = (keys.iter().zip(&cases))
        .zip(&mut texts)
        .map(|((key, (_, iv)), text)| aes_cbc::Message { key, iv, text })
        .collect();
    aes_cbc::Many::with_backend(backend).unwrap().encrypt(&mut messages).unwrap();
    for ((case, _), text) in cases.iter().zip(&texts) {
        assert_eq!(text, case.get("ciphertext"), "{backend}: {}", case.line);
    }
}

fn aes_ecb(backend: &str) {
    let blocks = vectors!("aes.txt");
    assert_eq!(blocks.len(), 1039);
    for case in blocks {
        let key = aes_ecb::Key::with_backend(case.get("key"), backend).unwrap();
        let [plaintext, ciphertext] = ["plaintext", "ciphertext"].map(|name| case.get(name));
        let mut text = plaintext.to_vec();
        key.encrypt(&mut text).unwrap();
        assert_eq!(text, ciphertext, "{backend}: {}", case.line);
        key.decrypt(&mut text).unwrap();
        assert_eq!(text, plaintext, "{backend}: {}", case.line);
    }
}

fn aes_xts(backend: &str) {
    let mut counts = BTreeMap::new();
    for case in vectors!("aes-xts.txt") {
        let key = aes_xts::Key::with_backend(case.get("key"), backend).unwrap();
        let [plaintext, ciphertext] = ["plaintext", "ciphertext"].map(|name| case.get(name));
        let (mut text, len) = (plaintext.to_vec(), plaintext.len());
        match case.what {
            "unit" => {
                key.encrypt(&case.block("tweak"), &mut text).unwrap();
                assert_eq!(text, ciphertext, "{backend}: {}", case.line);
                key.decrypt(&case.block("tweak"), &mut text).unwrap();
            }
            "sector" => {
                let number = u64::from_be_bytes(case.get("number").try_into().unwrap());
                key.encrypt_sectors(number, len, &mut text).unwrap();
                assert_eq!(text, ciphertext, "{backend}: {}", case.line);
                key.decrypt_sectors(number, len, &mut text).unwrap();
            }
            what => panic!("{what}"),
        }
        assert_eq!(text, plaintext, "{backend}: {}", case.line);
        *counts.entry((case.what.to_string(), len)).or_default() += 1;
    }
    let want = [
        (("sector".to_string(), 16), 10),
        (("sector".to_string(), 25), 10),
        (("sector".to_string(), 32), 30),
        (("sector".to_string(), 48), 20),
        (("unit".to_string(), 16), 10),
        (("unit".to_string(), 25), 10),
        (("unit".to_string(), 32), 30),
        (("unit".to_string(), 48), 20),
        (("unit".to_string(), 512), 5),
    ];
    assert_eq!(counts, want.into());
}

/// The Monte Carlo test of CBC (AESAVS, section 6.4.2), one way: a hundred keys, a thousand blocks
/// each.
fn monte_carlo(
    backend: &str,
    key_len: usize,
    cases: &[Case<'_>],
    what: &str,
    from: &str,
    to: &str,
) {
    let mut cases = cases
        .iter()
        .filter(|case| case.what == what)
        .skip_while(|case| case.fields.get("key").is_none_or(|key| key.len() != key_len));
    let start = cases.next().unwrap();
    let (mut secret, mut iv, mut input) =
        (start.get("key").to_vec(), start.block("iv"), start.block(from));
    let results: Vec<_> = cases.map_while(|case| case.fields.get(to)).collect();
    assert_eq!(results.len(), 100);
    for (round, want) in results.into_iter().take(if sampled() { 3 } else { 100 }).enumerate() {
        let key: Key = BlockMode::new(&secret, backend).unwrap();
        let (mut before, mut output) = ([0; 16], iv);
        for _ in 0..1000 {
            (before, output) = (output, input);
            if what == "encrypt-monte" {
                key.encrypt(&iv, &mut output).unwrap();
                iv = output;
            } else {
                key.decrypt(&iv, &mut output).unwrap();
                iv = input;
            }
            input = before;
        }
        assert_eq!(output, want[..], "{backend}: {what}, key of {key_len}, round {round}");
        // The key takes up as much of the last outputs as it is long.
        let last = [before, output].concat();
        for (byte, out) in secret.iter_mut().zip(&last[32 - key_len..]) {
            *byte ^= out;
        }
        iv = output;
    }
}

fn aes_ctr(backend: &str) {
    apply::<AesCtr<32>>(backend);
    apply::<AesCtr<64>>(backend);
    apply::<AesCtr<128>>(backend);
}

fn apply<S: Stream>(backend: &str) {
    // A block that is encrypted is the key stream of the counter block that is equal to it.
    let blocks = vectors!("aes.txt");
    assert_eq!(blocks.len(), 1039);
    for case in blocks {
        let mut key_stream = [0; 16];
        let key = S::new(case.get("key"), backend).unwrap();
        key.apply(&case.block("plaintext"), &mut key_stream).unwrap();
        assert_eq!(key_stream, case.block("ciphertext"), "{backend}: {}", case.line);
    }
    let messages = vectors!("aes-ctr.txt");
    assert_eq!(messages.len(), 9);
    for case in messages {
        let mut text = case.get("plaintext").to_vec();
        let key = S::new(case.get("key"), backend).unwrap();
        key.apply(&case.block("iv"), &mut text).unwrap();
        assert_eq!(text, case.get("ciphertext"), "{backend}: {}", case.line);
        key.apply(&case.block("iv"), &mut text).unwrap();
        assert_eq!(text, case.get("plaintext"), "{backend}: {}", case.line);
    }
}

fn ctr_many(backend: &str) {
    cipher_many::<CtrMany<32>>(backend);
    cipher_many::<CtrMany<64>>(backend);
    cipher_many::<CtrMany<128>>(backend);
}

fn cipher_many<M: CipherMany>(backend: &str) {
    let (blocks, messages) = (vectors!("aes.txt"), vectors!("aes-ctr.txt"));
    // As for one message, by keys of one length after the other; and messages that follow each other eight times.
    let mut cases: Vec<_> = blocks
        .iter()
        .map(|case| (case, case.block("plaintext"), vec![0; 16], case.get("ciphertext").to_vec()))
        .collect();
    cases.sort_by_key(|(case, ..)| case.get("key").len());
    for case in messages.iter().flat_map(|case| [case; 8]) {
        let text = case.get("plaintext").to_vec();
        cases.push((case, case.block("iv"), text, case.get("ciphertext").to_vec()));
    }
    assert_eq!(cases.len(), 1111);
    let keys: Vec<_> = cases.iter().map(|(case, ..)| M::key(case.get("key"))).collect();
    let mut texts: Vec<_> = cases.iter().map(|(_, _, text, _)| text.clone()).collect();
    let messages = keys.iter().zip(&cases).zip(&mut texts);
    let mut messages: Vec<_> =
        messages.map(|((key, (_, iv, ..)), text)| Vectored { key, iv, text }).collect();
    M::with_backend(backend).unwrap().encrypt(&mut messages).unwrap();
    for ((case, _, _, want), text) in cases.iter().zip(&texts) {
        assert_eq!(text, want, "{backend}: {}", case.line);
    }
}

/// All of them in one call, whatever their keys, and back.
fn aes_xts_many(backend: &str) {
    let cases = vectors!("aes-xts.txt");
    let tweak = |case: &Case| match case.what {
        "unit" => case.block("tweak"),
        _ => {
            let number = u64::from_be_bytes(case.get("number").try_into().unwrap());
            aes_xts::sector_tweak(number)
        }
    };
    let tweaks: Vec<_> = cases.iter().map(tweak).collect();
    let keys: Vec<_> =
        cases.iter().map(|case| aes_xts::Key::new(case.get("key")).unwrap()).collect();
    let mut texts: Vec<_> = cases.iter().map(|case| case.get("plaintext").to_vec()).collect();
    let mut messages: Vec<_> = (keys.iter().zip(&tweaks))
        .zip(&mut texts)
        .map(|((key, tweak), text)| aes_xts::Message { key, tweak, text })
        .collect();
    let many = aes_xts::Many::with_backend(backend).unwrap();
    many.encrypt(&mut messages).unwrap();
    for (case, message) in cases.iter().zip(&messages) {
        assert_eq!(*message.text, *case.get("ciphertext"), "{backend}: {}", case.line);
    }
    many.decrypt(&mut messages).unwrap();
    for (case, text) in cases.iter().zip(&texts) {
        assert_eq!(*text, case.get("plaintext"), "{backend}: {}", case.line);
    }
}

fn function<F: Function<N>, const N: usize>(backend: &'static str) {
    let (row, hasher) = (F::ROW, <F as Hash>::new(backend));
    let digest = |message: &[u8]| Hash::digest(&hasher, message);
    match row.monte_carlo {
        true => hash(backend, &cases(row.file), row.messages, digest),
        false => messages(backend, &cases(row.file), row.messages, digest),
    }
}

fn chacha20(backend: &str) {
    let cases = vectors!("chacha20.txt");
    assert_eq!(cases.len(), 3);
    for case in cases {
        let mut text = case.get("plaintext").to_vec();
        let key = <chacha20::Key as Stream>::new(case.get("key"), backend).unwrap();
        key.apply(&case.block("iv"), &mut text).unwrap();
        assert_eq!(text, case.get("ciphertext"), "{backend}: {}", case.line);
    }
}

fn chacha20_poly1305(backend: &str) {
    let cases = vectors!("chacha20-poly1305.txt");
    aead_in_pieces::<chacha20_poly1305::Key>(backend, &cases);
    let counts = aead::<chacha20_poly1305::Key>(backend, &cases);
    assert_eq!(counts, [("forged", 1), ("seal", 17)].into());
}

fn poly1305(backend: &str) {
    let cases = vectors!("poly1305.txt");
    assert_eq!(cases.len(), 11);
    for case in cases {
        let (key, message) = (case.get("key").try_into().unwrap(), case.get("message"));
        let tag = <Poly1305 as OneTimeMac>::mac(key, message, backend);
        assert_eq!(tag, case.block("tag"), "{backend}: {}", case.line);
    }
}

fn function_many<F: Function<N>, const N: usize>(backend: &'static str) {
    let (row, many) = (F::ROW, <F::Lanes as HashMany>::new(backend));
    let cases = cases(row.file);
    match row.monte_carlo {
        true => hash(backend, &cases, row.messages, repeated::<F::Lanes, N, 3>(&many)),
        false => messages(backend, &cases, row.messages, repeated::<F::Lanes, N, 19>(&many)),
    }
    // All of them at once.
    let cases: Vec<_> = cases.iter().filter(|case| case.what == "message").collect();
    let messages: Vec<_> = cases.iter().map(|case| case.get("text")).collect();
    let mut digests = vec![[0; N]; cases.len()];
    many.digest(&messages, &mut digests).unwrap();
    for (case, digest) in cases.iter().zip(digests) {
        assert_eq!(digest, case.get("digest"), "{backend}: {}", case.line);
    }
}

/// The digest of a message, which a call gets `COUNT` times.
fn repeated<H: HashMany<Digest = [u8; N]>, const N: usize, const COUNT: usize>(
    many: &H,
) -> impl Fn(&[u8]) -> Vec<u8> {
    |message| {
        let mut digests = [[0; N]; COUNT];
        many.digest(&[message; COUNT], &mut digests).unwrap();
        assert_eq!(digests, [digests[0]; COUNT]);
        digests[0].to_vec()
    }
}

fn macs<F: Function<N>, const N: usize>(backend: &'static str) {
    let cases = vectors!("hmac.txt");
    let cases = cases.iter().filter(|case| case.what == F::NAME);
    for case in cases.clone() {
        let (text, want) = (case.get("text"), case.get("tag"));
        let key = F::Mac::new(case.get("key"), backend).unwrap();
        assert_eq!(&key.mac(text)[..want.len()], want, "{backend}: {}", case.line);
        if want.len() == N {
            assert_eq!(key.verify(text, want), Ok(()), "{backend}: {}", case.line);
        }
        let (prefix, rest) = text.split_at(text.len() / 3);
        let padded = [rest, &[0x80; 100]].concat();
        let tag = key.mac_of_secret_len(prefix, &padded, rest.len() / 2, rest.len()).unwrap();
        assert_eq!(&tag[..want.len()], want, "{backend}: {}", case.line);
    }
    assert_eq!(Ok(cases.count()), F::ROW.hmac);
}

fn hash(backend: &str, cases: &[Case<'_>], count: usize, digest: impl Fn(&[u8]) -> Vec<u8>) {
    messages(backend, cases, count, &digest);

    // The Monte Carlo test (SHAVS, section 6.4): a hundred times, a thousand digests of three.
    let mut monte = cases.iter().filter(|case| case.what == "monte");
    let mut seed = monte.next().unwrap().get("seed").to_vec();
    let results: Vec<_> = monte.map(|case| case.get("digest")).collect();
    assert_eq!(results.len(), 100);
    for (round, want) in results.into_iter().take(if sampled() { 2 } else { 100 }).enumerate() {
        let mut last = seed.repeat(3);
        for _ in 0..1000 {
            let next = digest(&last);
            last.drain(..next.len());
            last.extend(next);
        }
        seed = last[last.len() / 3 * 2..].to_vec();
        assert_eq!(seed, want, "{backend}: round {round}");
    }
}

fn messages(backend: &str, cases: &[Case<'_>], count: usize, digest: impl Fn(&[u8]) -> Vec<u8>) {
    let messages: Vec<_> = cases.iter().filter(|case| case.what == "message").collect();
    assert_eq!(messages.len(), count);
    for case in messages {
        assert_eq!(digest(case.get("text")), case.get("digest"), "{backend}: {}", case.line);
    }
}

fn sha3(backend: &str) {
    let cases = vectors!("sha3.txt");
    sha3_hash::<Sha3_224, _>(backend, &cases);
    sha3_hash::<Sha3_256, _>(backend, &cases);
    sha3_hash::<Sha3_384, _>(backend, &cases);
    sha3_hash::<Sha3_512, _>(backend, &cases);
    shake::<Shake128>(backend, &cases, "shake128", 79);
    shake::<Shake256>(backend, &cases, "shake256", 74);
}

/// The results of a Monte Carlo test: where it starts, and what every tenth round ends with.
fn monte<'a>(cases: &'a [Case<'a>], what: &str, result: &str) -> (Vec<u8>, Vec<&'a [u8]>) {
    let mut monte = cases.iter().filter(|case| case.what.strip_suffix("-monte") == Some(what));
    let seed = monte.next().unwrap().get("seed").to_vec();
    let results: Vec<_> = monte.map(|case| case.get(result)).collect();
    assert_eq!(results.len(), 10);
    (seed, results)
}

/// Of ten rounds of a Monte Carlo test, those that are run.
fn rounds() -> usize {
    if sampled() { 1 } else { 10 }
}

fn sha3_many(backend: &str) {
    let cases = vectors!("sha3.txt");
    sha3_hash_many::<Sha3_224Many>(backend, &cases, "sha3-224");
    sha3_hash_many::<Sha3_256Many>(backend, &cases, "sha3-256");
    sha3_hash_many::<Sha3_384Many>(backend, &cases, "sha3-384");
    sha3_hash_many::<Sha3_512Many>(backend, &cases, "sha3-512");
    shake_many::<Long128>(backend, &cases, "shake128");
    shake_many::<Long256>(backend, &cases, "shake256");
}

/// All of them at once, and each with itself.
fn sha3_hash_many<H: HashMany>(backend: &str, cases: &[Case<'_>], what: &str) {
    let many = H::new(backend);
    let cases: Vec<_> = cases.iter().filter(|case| case.what == what).collect();
    let messages: Vec<_> = cases.iter().map(|case| case.get("text")).collect();
    let mut digests = vec![H::NOTHING; cases.len()];
    many.digest(&messages, &mut digests).unwrap();
    for (case, digest) in cases.iter().zip(digests) {
        assert_eq!(digest.as_ref(), case.get("digest"), "{backend}: {}", case.line);
        let mut digests = [H::NOTHING; 11];
        many.digest(&[case.get("text"); 11], &mut digests).unwrap();
        assert!(
            digests.iter().all(|digest| digest.as_ref() == case.get("digest")),
            "{backend}: {}",
            case.line
        );
    }
}

/// What is published is what longer outputs begin with.
fn shake_many<H: HashMany>(backend: &str, cases: &[Case<'_>], what: &str) {
    let many = H::new(backend);
    let cases: Vec<_> = cases.iter().filter(|case| case.what == what).collect();
    let messages: Vec<_> = cases.iter().map(|case| case.get("text")).collect();
    let mut outputs = vec![H::NOTHING; cases.len()];
    many.digest(&messages, &mut outputs).unwrap();
    for (case, output) in cases.iter().zip(outputs) {
        let (want, got) = (case.get("output"), output.as_ref());
        let len = want.len().min(got.len());
        assert_eq!(got[..len], want[..len], "{backend}: {}", case.line);
    }
}

fn sha3_hash<F: Function<N>, const N: usize>(backend: &str, cases: &[Case<'_>]) {
    let (what, hasher) = (F::NAME, <F as Hash>::new(backend));
    let digest = |message: &[u8]| Hash::digest(&hasher, message);
    let messages_of = || cases.iter().filter(|case| case.what == what);
    assert_eq!(messages_of().count(), F::ROW.messages);
    for case in messages_of() {
        assert_eq!(digest(case.get("text")), case.get("digest"), "{backend}: {}", case.line);
    }
    // SHA3VS, section 6.2.3: a hundred times, a thousand digests of digests.
    let (mut last, results) = monte(cases, what, "digest");
    for (i, want) in results.into_iter().take(rounds()).enumerate() {
        for _ in 0..10 * 1000 {
            last = digest(&last);
        }
        assert_eq!(last, want, "{backend}: {what}, round {}", 10 * i + 9);
    }
}

fn shake<H: Extendable>(backend: &str, cases: &[Case<'_>], what: &str, messages: usize) {
    let hasher = H::new(backend);
    let messages_of = || cases.iter().filter(|case| case.what == what);
    assert_eq!(messages_of().count(), messages);
    for case in messages_of() {
        let want = case.get("output");
        let mut out = vec![0; want.len()];
        hasher.digest(case.get("text"), &mut out);
        assert_eq!(out, want, "{backend}: {}", case.line);
    }
    // SHA3VS, section 6.3.4: a hundred times, a thousand outputs of the first sixteen bytes of outputs,
    // of which each says how long the next one is.
    let lens = match what {
        "shake128" => 16..=140,
        _ => 2..=250,
    };
    let (mut last, results) = monte(cases, what, "output");
    let mut len = *lens.end();
    for (i, want) in results.into_iter().take(rounds()).enumerate() {
        for _ in 0..10 * 1000 {
            last.resize(last.len().max(16), 0);
            let mut out = vec![0; len];
            hasher.digest(&last[..16], &mut out);
            let end = usize::from(u16::from_be_bytes(*out.last_chunk().unwrap()));
            len = lens.start() + end % (lens.end() - lens.start() + 1);
            last = out;
        }
        assert_eq!(last, want, "{backend}: {what}, round {}", 10 * i + 9);
    }
}

fn ctr_drbg(backend: &str) {
    let mut counts = BTreeMap::new();
    for case in vectors!("ctr-drbg.txt") {
        let line = case.line;
        let input = |name| case.fields.get(name).map_or(&[][..], Vec::as_slice);
        let entropy = |name| case.get(name).try_into().unwrap();
        let mut drbg =
            CtrDrbg::with_backend(entropy("entropy"), input("personalization"), backend).unwrap();
        if case.what == "reseed" {
            drbg.reseed(entropy("reseed"), input("reseed-additional")).unwrap();
        }
        let mut out = vec![0; case.get("output").len()];
        for (additional, fresh) in [("a", "entropy-a"), ("b", "entropy-b")] {
            if case.what == "resistant" {
                // The additional input is used up with the entropy (section 9.3.1, step 7).
                drbg.reseed(entropy(fresh), input(additional)).unwrap();
                drbg.generate(b"", &mut out).unwrap();
            } else {
                drbg.generate(input(additional), &mut out).unwrap();
            }
        }
        assert_eq!(out, case.get("output"), "{backend}: {line}");
        *counts.entry(case.what.to_owned()).or_default() += 1;
    }
    let whats = ["no-reseed", "reseed", "resistant"];
    assert_eq!(counts, whats.map(|what| (what.to_owned(), 48)).into());
}
