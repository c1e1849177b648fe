//! Algorithms by their names: each is what its module has, and says the same of what is wrong.

#[macro_use]
mod common;

use ropewalk::{
    Error, Hash, aead, aes_cbc, aes_ccm, aes_cmac,
    aes_ctr::{self, Counter},
    aes_gcm, aes_xts, chacha20, chacha20_poly1305, cipher, hash, hmac, mac,
    sha3::{self, Sha3_256},
    sha512::Sha512,
};

fn secret(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 37 + 11) as u8).collect()
}

const LENS: [usize; 9] = [0, 1, 15, 16, 17, 63, 64, 200, 5000];

/// Each name leads to its algorithm and back, whatever its case and signs, and no other does; the error lists them.
macro_rules! round_trips {
    ($module:ident, $what:literal, $count:literal) => {
        let all = $module::Algorithm::ALL;
        assert_eq!(all.len(), $count);
        for algorithm in all {
            let name = algorithm.name();
            assert_eq!($module::Algorithm::named(name), Ok(*algorithm));
            assert_eq!(name.parse(), Ok(*algorithm));
            assert_eq!(algorithm.to_string(), name);
            assert_eq!(format!("{algorithm:>20}").len(), 20);
            for same in [name.to_uppercase(), name.replace('-', "_"), name.replace('-', "")] {
                assert_eq!($module::Algorithm::named(&same), Ok(*algorithm), "{same}");
            }
            for wrong in [name.replace('a', "4"), name.to_owned() + "1", format!(" {name}")] {
                if wrong == name {
                    continue;
                }
                let error = $module::Algorithm::named(&wrong).unwrap_err();
                let said = error.to_string();
                let names: Vec<_> = all.iter().map(|algorithm| algorithm.name()).collect();
                let want =
                    format!("no {} is called {wrong:?}, there are {}", $what, names.join(", "));
                assert_eq!(said, want);
                assert!(matches!(error, Error::NoAlgorithm { asked, .. } if *asked == *wrong));
            }
        }
    };
}

#[test]
fn names_lead_to_algorithms_and_back() {
    round_trips!(aead, "authenticated cipher", 7);
    round_trips!(hash, "hash function", 14);
    round_trips!(mac, "message authentication code", 15);
    round_trips!(cipher, "cipher", 9);
}

#[test]
fn name_that_is_too_long_is_cut_between_characters() {
    for name in ["", "x", &"x".repeat(39), &"x".repeat(40), &"ü".repeat(30), &"🚢".repeat(100)] {
        let Err(Error::NoAlgorithm { asked, .. }) = hash::Algorithm::named(name) else {
            panic!("{name}")
        };
        assert!(name.starts_with(&*asked) && asked.len() <= 39, "{name}");
        assert!(name.len() > 39 && asked.len() > 35 || *asked == *name, "{name}");
        assert_eq!(asked.to_string(), *asked);
    }
}

/// A value is moved and passed on: it has no more bytes than it must.
#[test]
fn keys_are_no_larger_than_what_they_may_be() {
    fn at_most(bytes: usize, of: &[usize]) {
        let largest = of.iter().max().unwrap();
        assert!(bytes <= largest + 128, "{bytes} bytes, and the largest has {largest}");
    }
    let [gcm, ccm] = [size_of::<aes_gcm::Key>(), size_of::<aes_ccm::Key>()];
    at_most(size_of::<aead::Key>(), &[gcm, ccm, size_of::<chacha20_poly1305::Key>()]);
    let [ctr, cbc] = [size_of::<aes_ctr::Key>(), size_of::<aes_cbc::Key>()];
    at_most(size_of::<cipher::Key>(), &[ctr, cbc, size_of::<aes_xts::Key>()]);
    let [sha3, sha512] = [size_of::<hmac::Key<Sha3_256>>(), size_of::<hmac::Key<Sha512>>()];
    at_most(size_of::<mac::Key>(), &[sha3, sha512, size_of::<aes_cmac::Key>()]);
    assert!(size_of::<hash::Hasher>() <= 256, "{}", size_of::<hash::Hasher>());
    assert!(size_of::<hash::Digest>() <= 72 && size_of::<mac::Tag>() <= 72);
    // Every call returns one, or none.
    assert!(size_of::<Error>() <= 56, "{}", size_of::<Error>());
    if cfg!(target_arch = "x86_64") {
        assert!(size_of::<aead::Key>() <= 1600, "{}", size_of::<aead::Key>());
        assert!(size_of::<cipher::Key>() <= 1024, "{}", size_of::<cipher::Key>());
        assert!(size_of::<mac::Key>() <= 576, "{}", size_of::<mac::Key>());
    }
}

/// Keys of every other length are refused, with what is allowed.
fn key_lens<T>(name: &str, len: usize, new: impl Fn(&[u8]) -> Result<T, Error>) {
    for wrong in (0..80).filter(|wrong| *wrong != len) {
        let Err(Error::Length { what, got, allowed }) = new(&secret(wrong)).map(drop) else {
            panic!("{name}: a key of {wrong}")
        };
        assert!(what.ends_with("key") && got == wrong, "{name}");
        assert_eq!(allowed, format!("{len} bytes"), "{name}");
    }
    assert!(new(&secret(len)).is_ok(), "{name}");
}

#[test]
fn aeads_are_those_of_their_modules() {
    for algorithm in aead::Algorithm::ALL {
        let name = algorithm.name();
        key_lens(name, algorithm.key_len(), |secret| aead::Key::new(*algorithm, secret));
        let secret = secret(algorithm.key_len());
        let key = aead::Key::new(*algorithm, &secret).unwrap();
        assert_eq!(key.algorithm(), *algorithm);
        let portable = match name {
            _ if name.ends_with("gcm") => {
                let own = aes_gcm::Key::new(&secret).unwrap();
                assert_eq!(key.backend(), own.backend());
                same_aead(name, &key, |n, a, t| own.seal(n, a, t).map(|tag| tag.to_vec()));
                "aes_gcm/portable"
            }
            _ if name.ends_with("ccm") => {
                let own = aes_ccm::Key::new(&secret).unwrap();
                assert_eq!(key.backend(), own.backend());
                same_aead(name, &key, |n, a, t| own.seal(n, a, t).map(|tag| tag.to_vec()));
                "aes_ccm/portable"
            }
            _ => {
                let own = chacha20_poly1305::Key::new(&secret).unwrap();
                assert_eq!(key.backend(), own.backend());
                same_aead(name, &key, |n, a, t| own.seal(n, a, t).map(|tag| tag.to_vec()));
                "chacha20_poly1305/portable"
            }
        };
        let portable = aead::Key::with_backend(*algorithm, &secret, portable).unwrap();
        assert!(portable.backend().ends_with("/portable"));
        same_aead(name, &portable, |n, a, t| key.seal(n, a, t).map(|tag| tag.to_vec()));
        let none = aead::Key::with_backend(*algorithm, &secret, "aes_ctr/portable").map(drop);
        assert_eq!(none, Err(Error::NoBackend), "{name}");
    }
}

/// Every call makes what `seal` does, and fails where it does.
fn same_aead(
    name: &str,
    key: &aead::Key,
    seal: impl Fn(&[u8], &[u8], &mut [u8]) -> Result<Vec<u8>, Error>,
) {
    let algorithm = key.algorithm();
    let (nonce, aad) = (secret(algorithm.nonce_len()), secret(20));
    for len in LENS {
        let plain = secret(len);
        let mut want = plain.clone();
        let tag = seal(&nonce, &aad, &mut want).unwrap();
        assert_eq!(tag.len(), algorithm.tag_len());
        let message = [&want[..], &tag].concat();

        let mut text = plain.clone();
        assert_eq!(*key.seal(&nonce, &aad, &mut text).unwrap(), tag[..], "{name}");
        assert!(text == want, "{name}");
        key.open(&nonce, &aad, &mut text, &tag).unwrap();
        assert!(text == plain, "{name}");
        assert_eq!(*key.seal_to(&nonce, &aad, &plain, &mut text).unwrap(), tag[..], "{name}");
        assert!(text == want, "{name}");
        let mut back = vec![0; len];
        key.open_to(&nonce, &aad, &text, &mut back, &tag).unwrap();
        assert!(back == plain, "{name}");
        let mut whole = vec![0; len + tag.len()];
        key.seal_appended_to(&nonce, &aad, &plain, &mut whole).unwrap();
        assert!(whole == message, "{name}");
        key.open_appended_to(&nonce, &aad, &whole, &mut back).unwrap();
        assert!(back == plain, "{name}");
        assert!(key.open_appended(&nonce, &aad, &mut whole).unwrap() == plain, "{name}");
        key.seal_appended(&nonce, &aad, &mut whole).unwrap();
        assert!(whole == message, "{name}");

        let mut forged = tag.clone();
        forged[len % tag.len()] ^= 1;
        let opened = key.open(&nonce, &aad, &mut text, &forged);
        assert_eq!(opened, Err(Error::Forged), "{name}");
        assert!(text == vec![0; len], "{name}");
        for wrong in [0, 1, 15] {
            let opened = key.open(&nonce, &aad, &mut text, &tag[..wrong]);
            assert!(matches!(opened, Err(Error::Length { what: "tag", .. })), "{name}");
        }
    }
    for len in 0..20 {
        let (nonce, mut text) = (secret(len), secret(33));
        let mut other = text.clone();
        let sealed = key.seal(&nonce, &aad, &mut text).map(|tag| tag.to_vec());
        assert_eq!(sealed, seal(&nonce, &aad, &mut other), "{name}, nonce of {len}");
        assert!(text == other, "{name}, nonce of {len}");
    }
}

fn same_hash<H: Hash>() {
    let algorithm = hash::Algorithm::named(H::NAME).unwrap();
    assert_eq!(algorithm.digest_len(), H::DIGEST_LEN, "{algorithm}");
    assert_eq!(algorithm.block_len(), H::BLOCK_LEN, "{algorithm}");
    assert_eq!(hash::Hasher::new(algorithm).backend(), H::default().backend());
    hashes_as(algorithm, |message| H::default().digest(message).as_ref().to_vec());
}

fn hashes_as(algorithm: hash::Algorithm, digest: impl Fn(&[u8]) -> Vec<u8>) {
    let name = algorithm.name();
    assert!(hash::Hasher::with_backend(algorithm, "aes_gcm/portable").is_err(), "{name}");
    let folder = hash::Hasher::new(algorithm).backend().split('/').next().unwrap();
    let portable = format!("{folder}/portable");
    let portable = hash::Hasher::with_backend(algorithm, &portable).unwrap();
    for hasher in [hash::Hasher::new(algorithm), portable] {
        assert_eq!(hasher.algorithm(), algorithm);
        for len in LENS {
            let message = secret(len);
            let want = digest(&message);
            assert_eq!(want.len(), algorithm.digest_len(), "{name}");
            assert_eq!(*hasher.digest(&message), want, "{name}, {len}");
            let mut pieces = hasher.clone();
            pieces.update(&message[..len / 3]);
            let mut other = pieces.clone();
            pieces.update(&message[len / 3..]);
            other.update(b"other");
            let digest = pieces.finish();
            assert_eq!(*digest, want, "{name}, {len}");
            assert_eq!(digest, hasher.digest(&message), "{name}, {len}");
            assert_ne!(*other.finish(), want, "{name}, {len}");
        }
    }
}

#[test]
fn hash_functions_are_those_of_their_modules() {
    each_hash_function!(same_hash);
    let shake = |len: usize, digest: fn(&[u8], &mut [u8])| {
        move |message: &[u8]| {
            let mut out = vec![0; len];
            digest(message, &mut out);
            out
        }
    };
    hashes_as(hash::Algorithm::Shake128, shake(32, sha3::shake128));
    hashes_as(hash::Algorithm::Shake256, shake(64, sha3::shake256));
    assert_eq!(hash::Algorithm::Shake128.block_len(), 168);
    assert_eq!(hash::Algorithm::Shake256.block_len(), 136);
}

fn same_hmac<H: Hash>() {
    let algorithm = mac::Algorithm::named(&format!("hmac-{}", H::NAME)).unwrap();
    assert_eq!(algorithm.key_len(), H::DIGEST_LEN, "{algorithm}");
    for key_len in [0, 1, algorithm.key_len(), 300] {
        let secret = secret(key_len);
        let own = hmac::Key::<H>::new(&secret);
        same_mac(algorithm, &secret, own.backend(), |message| own.mac(message).as_ref().to_vec());
    }
    let (key, tag) = (mac::Key::new(algorithm, b"").unwrap(), secret(100));
    for len in 0..100 {
        let own = hmac::Key::<H>::new(b"").verify(b"", &tag[..len]);
        assert_eq!(key.verify(b"", &tag[..len]), own, "{algorithm}, tag of {len}");
        assert_eq!(key.start().verify(&tag[..len]), own, "{algorithm}, tag of {len}");
    }
}

fn same_mac(
    algorithm: mac::Algorithm,
    secret_is: &[u8],
    backend: &str,
    mac: impl Fn(&[u8]) -> Vec<u8>,
) {
    let name = algorithm.name();
    let none = mac::Key::with_backend(algorithm, secret_is, "aes_gcm/portable").map(drop);
    assert_eq!(none, Err(Error::NoBackend), "{name}");
    let portable = format!("{}/portable", backend.split('/').next().unwrap());
    let best = mac::Key::new(algorithm, secret_is).unwrap();
    assert_eq!(best.backend(), backend, "{name}");
    let portable = mac::Key::with_backend(algorithm, secret_is, &portable).unwrap();
    for key in [best, portable] {
        assert_eq!(key.algorithm(), algorithm);
        for len in LENS {
            let message = secret(len);
            let want = mac(&message);
            assert_eq!(want.len(), algorithm.tag_len(), "{name}");
            let tag = key.mac(&message);
            assert_eq!(*tag, want, "{name}, {len}");
            key.verify(&message, &want).unwrap();
            let mut pieces = key.start();
            pieces.update(&message[..len / 3]);
            let mut other = pieces.clone();
            pieces.update(&message[len / 3..]);
            other.update(b"other");
            pieces.clone().verify(&want).unwrap();
            assert!(pieces.finish() == tag && other.clone().finish() != tag, "{name}, {len}");
            assert_eq!(other.verify(&want), Err(Error::Forged), "{name}, {len}");
            let mut forged = want;
            forged[len % tag.len()] ^= 1;
            assert_eq!(key.verify(&message, &forged), Err(Error::Forged), "{name}, {len}");
        }
    }
}

#[test]
fn codes_are_those_of_their_modules() {
    each_hash_function!(same_hmac);
    for (name, len) in [("aes-128-cmac", 16), ("aes-192-cmac", 24), ("aes-256-cmac", 32)] {
        let algorithm = mac::Algorithm::named(name).unwrap();
        assert_eq!(algorithm.key_len(), len);
        key_lens(name, len, |secret| mac::Key::new(algorithm, secret));
        let secret = secret(len);
        let own = aes_cmac::Key::new(&secret).unwrap();
        same_mac(algorithm, &secret, own.backend(), |message| own.mac(message).to_vec());
        let key = mac::Key::new(algorithm, &secret).unwrap();
        for len in 0..20 {
            assert_eq!(
                key.verify(b"", &secret[..len.min(16)]),
                own.verify(b"", &secret[..len.min(16)])
            );
        }
    }
}

#[test]
fn ciphers_are_those_of_their_modules() {
    for algorithm in cipher::Algorithm::ALL {
        let name = algorithm.name();
        key_lens(name, algorithm.key_len(), |secret| cipher::Key::new(*algorithm, secret));
        let secret_is = secret(algorithm.key_len());
        let nonce = secret(algorithm.nonce_len());
        let key = cipher::Key::new(*algorithm, &secret_is).unwrap();
        assert_eq!(key.algorithm(), *algorithm);
        let portable = format!("{}/portable", key.backend().split('/').next().unwrap());
        let portable = cipher::Key::with_backend(*algorithm, &secret_is, &portable).unwrap();
        let none = cipher::Key::with_backend(*algorithm, &secret_is, "aes_gcm/portable").map(drop);
        assert_eq!(none, Err(Error::NoBackend), "{name}");
        for len in LENS {
            let plain = secret(len);
            let mut want = plain.clone();
            let outcome = encrypt(name, &secret_is, &nonce, &mut want);
            assert_eq!(
                outcome.is_ok(),
                len % algorithm.block_len() == 0 && (len > 15 || !name.ends_with("xts")),
                "{name}, {len}"
            );
            for key in [&key, &portable] {
                let (mut text, mut out) = (plain.clone(), vec![0; len]);
                assert_eq!(key.encrypt(&nonce, &mut text), outcome, "{name}, {len}");
                assert!(text == want, "{name}, {len}");
                assert_eq!(key.encrypt_to(&nonce, &plain, &mut out), outcome, "{name}, {len}");
                if outcome.is_err() {
                    assert_eq!(key.decrypt(&nonce, &mut text), outcome, "{name}, {len}");
                    assert_eq!(key.decrypt_to(&nonce, &plain, &mut out), outcome, "{name}, {len}");
                    assert!(out == vec![0; len], "{name}, {len}");
                    continue;
                }
                assert!(out == want, "{name}, {len}");
                key.decrypt(&nonce, &mut text).unwrap();
                assert!(text == plain, "{name}, {len}");
                key.decrypt_to(&nonce, &out, &mut text).unwrap();
                assert!(text == plain, "{name}, {len}");
            }
        }
        let (from, mut text) = ([7; 32], [7; 32]);
        for wrong in (0..40).filter(|wrong| *wrong != nonce.len()) {
            let nonce = secret(wrong);
            let mut out = [0; 32];
            for result in [
                key.encrypt(&nonce, &mut text),
                key.decrypt(&nonce, &mut text),
                key.encrypt_to(&nonce, &from, &mut out),
                key.decrypt_to(&nonce, &from, &mut out),
            ] {
                let Err(Error::Length { what: "nonce", got, allowed }) = result else {
                    panic!("{name}: {result:?}")
                };
                assert_eq!(got, wrong);
                assert_eq!(allowed, format!("{} bytes", algorithm.nonce_len()));
            }
            assert_eq!((text, out), ([7; 32], [0; 32]), "{name}");
        }
    }
    let halves = cipher::Key::new(cipher::Algorithm::Aes256Xts, &[7; 64]).map(drop);
    assert_eq!(halves, Err(Error::EqualHalves));
}

/// By the module of the cipher.
fn encrypt(name: &str, secret: &[u8], nonce: &[u8], text: &mut [u8]) -> Result<(), Error> {
    if let Ok(nonce) = nonce.try_into() {
        return chacha20::Key::new(secret)?.apply_keystream(0, nonce, text);
    }
    let nonce = nonce.try_into().unwrap();
    match name {
        _ if name.ends_with("ctr") => {
            aes_ctr::Key::new(secret)?.apply_keystream(Counter::Bits128, nonce, text)
        }
        _ if name.ends_with("cbc") => aes_cbc::Key::new(secret)?.encrypt(nonce, text),
        _ => aes_xts::Key::new(secret)?.encrypt(nonce, text),
    }
}
