//! What the documentation promises of every call that fails, and of keys that go on.

use std::{collections::HashSet, fmt::Debug};

use ropewalk::{
    Error, InMessage, aes_cbc, aes_ccm, aes_cmac, aes_ecb,
    aes_gcm::{self, Gmac, Sealer},
    aes_kw, aes_xts, cbc_hmac, chacha20, chacha20_poly1305,
    poly1305::{self, Poly1305},
    random::{CtrDrbg, LONGEST_REQUEST, SEED_LEN},
    sha1::Sha1,
    sha3::{
        Sha3_224, Sha3_224Many, Sha3_256, Sha3_256Many, Sha3_384, Sha3_384Many, Sha3_512,
        Sha3_512Many, Shake128, Shake256,
    },
    sha256::Sha256,
};

use crate::{
    Cover, Net,
    ciphers::{CipherMany, CtrMany, Vectored},
    common::{Random, thin},
    functions::{Covers, Function},
    kinds::{
        Aead, AeadMany, AesCtr, BlockMode, CmacMany, Codebook, Extendable, Hash, HashMany, Hmac,
        Long128, Long256, Mac, OneTimeMac, Sealing, Short128, Short256, Stream,
    },
    pieces,
    public_keys::{ed25519, p256, rsa, x25519},
};

mod records;

use records::records;

pub(crate) const NET: Net = Net {
    name: "contracts",
    primitives: &[
        ("aes-cbc", Cover::Backend(block_mode::<aes_cbc::Key>)),
        ("aes-cbc-many", Cover::Backend(aes_cbc_many)),
        ("aes-cbc-hmac-sha1", Cover::Backend(records::<cbc_hmac::Key<Sha1>>)),
        ("aes-cbc-hmac-sha1-many", Cover::Backend(records_many::<Sha1>)),
        ("aes-cbc-hmac-sha256", Cover::Backend(records::<cbc_hmac::Key<Sha256>>)),
        ("aes-cbc-hmac-sha256-many", Cover::Backend(records_many::<Sha256>)),
        ("aes-ccm", Cover::Backend(aes_ccm)),
        ("aes-ccm-many", Cover::Backend(aead_many::<aes_ccm::Many>)),
        ("aes-cmac", Cover::Backend(mac::<aes_cmac::Key>)),
        ("aes-cmac-many", Cover::Backend(aes_cmac_many)),
        ("aes-ctr", Cover::Backend(streams)),
        ("aes-ctr-many", Cover::Backend(ctr_many)),
        ("aes-ecb", Cover::Backend(codebook::<aes_ecb::Key>)),
        ("aes-gcm", Cover::Backend(aes_gcm)),
        ("aes-gcm-many", Cover::Backend(aead_many::<aes_gcm::Many>)),
        ("aes-xts", Cover::Backend(aes_xts)),
        ("aes-xts-many", Cover::Backend(cipher_many::<aes_xts::Many>)),
        ("aes-kw", Cover::Backend(aes_kw)),
        ("chacha20", Cover::Backend(stream::<chacha20::Key>)),
        ("chacha20-poly1305", Cover::Backend(chacha20_poly1305)),
        ("chacha20-poly1305-many", Cover::Backend(aead_many::<chacha20_poly1305::Many>)),
        ("p256", Cover::Backend(p256::contracts)),
        ("p256-many", Cover::Backend(p256::contracts_many)),
        ("rsa", Cover::Backend(rsa::contracts)),
        ("rsa-many", Cover::Backend(rsa::contracts_many)),
        ("poly1305", Cover::Backend(one_time_mac::<Poly1305>)),
        ("ctr-drbg", Cover::Backend(ctr_drbg)),
        ("sha3-many", Cover::Backend(sha3_many)),
        ("sha3", Cover::Backend(sha3)),
        ("ed25519", Cover::Backend(ed25519::contracts)),
        ("ed25519-many", Cover::Backend(ed25519::contracts_many)),
        ("x25519", Cover::Backend(x25519::contracts)),
        ("x25519-many", Cover::Backend(x25519::contracts_many)),
    ],
    functions: |suites| &suites.contracts,
};

/// What it does with a hash function, and with HMAC of it.
pub(crate) const fn of_function<F: Function<N>, const N: usize>() -> Covers {
    Covers {
        one: Cover::Backend(hash::<F>),
        many: Cover::Backend(hash_many::<F::Lanes, N>),
        hmac: Cover::Backend(hmac::<F::Mac>),
        hmac_many: Cover::Backend(hash_many::<F::MacLanes, N>),
    }
}

/// The error names what is wrong, the length it has, and those it may have.
#[track_caller]
fn refuses<T: Debug>(result: Result<T, Error>, what_is: &str, got_is: usize) {
    let Err(Error::Length { what, got, allowed }) = result else {
        panic!("{what_is} of {got_is}: {result:?}")
    };
    assert_eq!((what, got), (what_is, got_is), "{allowed}");
    assert!(!allowed.is_empty(), "{what} of {got}");
    let text = Error::Length { what, got, allowed }.to_string();
    assert!(text.contains(what) && text.contains(&got.to_string()) && text.contains(allowed));
}

/// Keys of no other length.
fn key_lens<T>(lens: &[usize], new: impl Fn(&[u8]) -> Result<T, Error>) {
    key_lens_of("AES key", lens, new);
}

fn key_lens_of<T>(what: &str, lens: &[usize], new: impl Fn(&[u8]) -> Result<T, Error>) {
    for len in (0..=80).chain([1 << 12]).filter(|len| !lens.contains(len)) {
        refuses(new(&vec![7; len]).map(drop), what, len);
    }
}

const CANARY: u8 = 0xee;

#[track_caller]
fn untouched(bytes: &[u8]) {
    assert!(bytes.iter().all(|byte| *byte == CANARY), "the output of a call that did nothing");
}

fn aes_gcm(backend: &'static str) {
    aead_lengths::<aes_gcm::Key>(backend);
    aead_forged::<aes_gcm::Key>(backend);
    pieces::contracts::<aes_gcm::Key>(backend);
    aead_rekeyed::<aes_gcm::Key>(backend);
    sealer_counts(backend);
    sealer_of_random_nonces(backend);
    sealer_messages(backend);
    gmac(backend);
}

fn aes_ccm(backend: &'static str) {
    aead_lengths::<aes_ccm::Key>(backend);
    aead_forged::<aes_ccm::Key>(backend);
    aead_rekeyed::<aes_ccm::Key>(backend);
}

fn aead_lengths<A: Aead>(backend: &str) {
    let new = |secret: &[u8]| A::new(secret, backend);
    key_lens_of(A::KEY, A::KEY_LENS, new);
    let mut random = Random(21);
    let secret = random.bytes(A::KEY_LENS[0]);
    let (nonce, aad, data) = (random.bytes(A::NONCE_LENS[0]), random.bytes(20), random.bytes(300));
    let mut key = new(&secret).unwrap();
    for tag_len in A::TAG_LENS.iter().copied() {
        key.set_tag_len(tag_len).unwrap();
        for wrong in (0..40).filter(|len| !A::TAG_LENS.contains(len)) {
            refuses(key.set_tag_len(wrong), "tag", wrong);
        }
        let mut sealed = data.clone();
        let tag = key.seal(&nonce, &aad, &mut sealed).unwrap();
        assert_eq!(tag.len(), tag_len, "a refused length of tags leaves the one before");

        for len in [0, 1, 16, 31, 256, 300] {
            let text = &data[..len];
            let mut out = vec![CANARY; len + tag_len];
            refuses(key.seal(&[], &aad, &mut out), "nonce", 0);
            refuses(key.seal_to(&[], &aad, text, &mut out[..len]), "nonce", 0);
            refuses(key.seal_appended(&[], &aad, &mut out), "nonce", 0);
            refuses(key.seal_appended_to(&[], &aad, text, &mut out), "nonce", 0);
            refuses(key.open(&[], &aad, &mut out[..len], &tag), "nonce", 0);
            refuses(key.open_to(&[], &aad, text, &mut out[..len], &tag), "nonce", 0);
            refuses(key.open_appended(&[], &aad, &mut out), "nonce", 0);
            let message = vec![1; len + tag_len];
            refuses(key.open_appended_to(&[], &aad, &message, &mut out[..len]), "nonce", 0);
            untouched(&out);

            let long = [0; 40];
            for wrong in (0..40).filter(|wrong| *wrong != tag_len) {
                refuses(key.open(&nonce, &aad, &mut out[..len], &long[..wrong]), "tag", wrong);
                let opened = key.open_to(&nonce, &aad, text, &mut out[..len], &long[..wrong]);
                refuses(opened, "tag", wrong);
            }
            untouched(&out);

            let mut out = [CANARY; 400];
            for wrong in (0..=340).filter(|wrong| *wrong != len) {
                let out = &mut out[..wrong];
                refuses(key.seal_to(&nonce, &aad, text, out), "output", wrong);
                refuses(key.open_to(&nonce, &aad, text, out, &tag), "output", wrong);
                refuses(key.open_appended_to(&nonce, &aad, &message, out), "output", wrong);
            }
            for wrong in (0..=340).filter(|wrong| *wrong != len + tag_len) {
                refuses(
                    key.seal_appended_to(&nonce, &aad, text, &mut out[..wrong]),
                    "message",
                    wrong,
                );
            }
            for short in 0..tag_len {
                refuses(key.seal_appended(&nonce, &aad, &mut out[..short]), "message", short);
                refuses(key.open_appended(&nonce, &aad, &mut out[..short]), "message", short);
                let opened = key.open_appended_to(&nonce, &aad, &long[..short], &mut out[..len]);
                refuses(opened, "message", short);
            }
            untouched(&out);
        }
        assert_eq!(key.open(&nonce, &aad, &mut sealed, &tag), Ok(()), "{backend} goes on");
        assert!(sealed == data, "{backend} goes on");
    }
}

fn aead_forged<A: Aead>(backend: &str) {
    let mut random = Random(22);
    let data = random.bytes(4200);
    let lens = [0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 255, 256, 257, 600, 1024, 4200];
    for (i, len) in thin(lens.into_iter().enumerate(), 4) {
        let secret = random.bytes(A::KEY_LENS[i % A::KEY_LENS.len()]);
        let (nonce, aad) = (random.bytes(A::NONCE_LENS[0]), random.bytes(1 + 7 * i));
        let mut key = A::new(&secret, backend).unwrap();
        for tag_len in A::TAG_LENS.iter().copied() {
            key.set_tag_len(tag_len).unwrap();
            let (plaintext, mut sealed) = (&data[..len], data[..len].to_vec());
            let tag = key.seal(&nonce, &aad, &mut sealed).unwrap();

            let forged = |nonce: &[u8], aad: &[u8], text: &[u8], tag: &[u8], what: &str| {
                let case = format!("{backend}, text of {len}, tag of {tag_len}, {what}");
                let mut out = text.to_vec();
                assert_eq!(key.open(nonce, aad, &mut out, tag), Err(Error::Forged), "{case}");
                assert!(out == vec![0; len], "in place: {case}");
                out.fill(CANARY);
                let opened = key.open_to(nonce, aad, text, &mut out, tag);
                assert_eq!(opened, Err(Error::Forged), "{case}");
                assert!(out == vec![0; len], "copied: {case}");
                let mut message = [text, tag].concat();
                out.fill(CANARY);
                let opened = key.open_appended_to(nonce, aad, &message, &mut out);
                assert_eq!(opened, Err(Error::Forged), "{case}");
                assert!(out == vec![0; len], "appended and copied: {case}");
                let opened = key.open_appended(nonce, aad, &mut message);
                assert_eq!(opened, Err(Error::Forged), "{case}");
                assert!(message[..len] == vec![0; len], "appended: {case}");
            };
            for bit in 0..8 * tag_len {
                let mut tag = tag.clone();
                tag[bit / 8] ^= 1 << (bit % 8);
                forged(&nonce, &aad, &sealed, &tag, &format!("bit {bit} of the tag"));
            }
            forged(&nonce, &aad, &sealed, &vec![0; tag_len], "a tag of zeros");
            for byte in (0..len).step_by(1 + len / 40).chain(len.checked_sub(1)) {
                let mut text = sealed.clone();
                text[byte] ^= 1 << (byte % 8);
                forged(&nonce, &aad, &text, &tag, &format!("byte {byte} of the text"));
            }
            for byte in 0..aad.len() {
                let mut aad = aad.clone();
                aad[byte] ^= 1 << (byte % 8);
                forged(&nonce, &aad, &sealed, &tag, &format!("byte {byte} of additional data"));
            }
            forged(&nonce, &aad[1..], &sealed, &tag, "shorter additional data");
            forged(
                &nonce,
                &[&aad[..], &[0]].concat(),
                &sealed,
                &tag,
                "a zero behind additional data",
            );
            for byte in 0..nonce.len() {
                let mut nonce = nonce.clone();
                nonce[byte] ^= 1 << (byte % 8);
                forged(&nonce, &aad, &sealed, &tag, &format!("byte {byte} of the nonce"));
            }
            assert_eq!(key.open(&nonce, &aad, &mut sealed, &tag), Ok(()), "{backend} goes on");
            assert!(sealed == plaintext, "{backend} goes on");
        }
    }
}

fn aead_rekeyed<A: Aead>(backend: &str) {
    let mut random = Random(23);
    let (nonce, data) = (random.bytes(A::NONCE_LENS[0]), random.bytes(600));
    let sealed = |key: &A| {
        let mut text = data.clone();
        let tag = key.seal(&nonce, &data[..33], &mut text).unwrap();
        (text, tag)
    };
    let pairs = A::KEY_LENS.iter().flat_map(|from| A::KEY_LENS.iter().map(move |to| (*from, *to)));
    for (from, to) in pairs {
        let (old, new) = (random.bytes(from), random.bytes(to));
        for tag_len in A::TAG_LENS.iter().copied() {
            let [mut key, mut fresh] = [&old, &new].map(|secret| A::new(secret, backend).unwrap());
            key.set_tag_len(tag_len).unwrap();
            fresh.set_tag_len(tag_len).unwrap();
            let before = sealed(&key);
            for len in (0..=64).filter(|len| !A::KEY_LENS.contains(len)) {
                refuses(key.rekey(&vec![1; len]), "AES key", len);
            }
            assert!(sealed(&key) == before, "{backend}: a refused key leaves the one before");
            key.rekey(&new).unwrap();
            assert!(sealed(&key) == sealed(&fresh), "{backend}: from a key of {from} to {to}");
        }
    }
}

fn gcm(backend: &str) -> aes_gcm::Key {
    aes_gcm::Key::with_backend(&[9; 16], backend).unwrap()
}

/// Nonces of a counter, byte for byte, and where it ends.
fn sealer_counts(backend: &str) {
    for first in [0, 1, 0xff, 0xffff_ffff, u64::MAX - 3, u64::MAX] {
        let mut sealer = Sealer::counter(gcm(backend), *b"ship", first);
        let left = (u64::MAX - first).saturating_add(1);
        for i in 0..left.min(300) {
            let mut text = *b"attack at dawn";
            let (nonce, tag) = sealer.seal(b"header", &mut text).unwrap();
            assert_eq!(nonce, [b"ship", &(first + i).to_be_bytes()[..]].concat()[..]);
            let mut want = *b"attack at dawn";
            assert_eq!(gcm(backend).seal(&nonce, b"header", &mut want), Ok(tag));
            assert_eq!(text, want);
        }
        if left <= 300 {
            ended(sealer);
        }
    }
    for (first, limit, seals) in
        [(0, 0, 0), (0, 5, 5), (u64::MAX - 1, 1, 1), (u64::MAX, 9, 1), (u64::MAX - 1, u64::MAX, 2)]
    {
        let mut sealer = Sealer::counter(gcm(backend), [0; 4], first).limit(limit);
        for _ in 0..seals {
            sealer.seal(b"", &mut []).unwrap();
        }
        ended(sealer);
    }
    // A limit counts from where it is set, and never gives more than there was.
    let mut sealer = Sealer::counter(gcm(backend), [0; 4], 0).limit(3);
    sealer.seal(b"", &mut []).unwrap();
    sealer = sealer.limit(9);
    sealer.seal(b"", &mut []).unwrap();
    sealer.seal(b"", &mut []).unwrap();
    ended(sealer);
}

/// It seals no more, and still opens.
fn ended(mut sealer: Sealer) {
    let (mut text, mut message) = ([CANARY; 20], [CANARY; 20 + 28]);
    for _ in 0..3 {
        assert_eq!(sealer.seal(b"", &mut text), Err(Error::Exhausted));
        assert_eq!(sealer.seal_message(b"", &[1; 20], &mut message), Err(Error::Exhausted));
        untouched(&text);
        untouched(&message);
    }
    let tag = sealer.key().seal(&[1; 12], b"", &mut text).unwrap();
    message[..12].copy_from_slice(&[1; 12]);
    message[12..32].copy_from_slice(&text);
    message[32..].copy_from_slice(&tag);
    assert_eq!(sealer.open_message(b"", &message, &mut text), Ok(()));
    untouched(&text);
}

fn sealer_of_random_nonces(backend: &str) {
    let mut sealers = [(); 2].map(|()| Sealer::random(gcm(backend)).limit(500));
    let mut seen = HashSet::new();
    for _ in 0..500 {
        for sealer in &mut sealers {
            let (nonce, _) = sealer.seal(b"", &mut []).unwrap();
            assert!(seen.insert(nonce), "{nonce:02x?} twice");
        }
    }
    // Every byte of a nonce is random.
    for byte in 0..12 {
        let values: HashSet<_> = seen.iter().map(|nonce| nonce[byte]).collect();
        assert!(values.len() > 200, "byte {byte} has {} values", values.len());
    }
    sealers.into_iter().for_each(ended);
}

fn sealer_messages(backend: &str) {
    for (tag_len, len) in (12..=16).flat_map(|tag_len| [0, 1, 16, 100].map(|len| (tag_len, len))) {
        let key = |()| {
            let mut key = gcm(backend);
            key.set_tag_len(tag_len).unwrap();
            key
        };
        let mut sealer = Sealer::counter(key(()), [3; 4], 7);
        let (text, aad) = (Random(24).bytes(len), b"header");
        let mut message = vec![CANARY; len + 12 + tag_len];
        let mut other = vec![CANARY; 200];
        for wrong in (0..200).filter(|wrong| *wrong != message.len()) {
            let sealed = sealer.seal_message(aad, &text, &mut other[..wrong]);
            refuses(sealed, "message", wrong);
        }
        untouched(&other);
        sealer.seal_message(aad, &text, &mut message).unwrap();

        // What was refused took no nonce.
        let nonce = [&[3; 4], &7_u64.to_be_bytes()[..]].concat();
        let mut want = text.clone();
        let tag = key(()).seal(&nonce, aad, &mut want).unwrap();
        assert_eq!(message, [&nonce[..], &want, &tag].concat(), "{backend}");

        let mut opened = vec![CANARY; len];
        for short in 0..12 + tag_len {
            let result =
                sealer.open_message(aad, &message[..short.min(message.len())], &mut opened);
            refuses(result, "message", short);
        }
        for wrong in (0..200).filter(|wrong| *wrong != len) {
            refuses(sealer.open_message(aad, &message, &mut other[..wrong]), "output", wrong);
        }
        untouched(&opened);
        untouched(&other);
        for bit in 0..8 * message.len() {
            let mut message = message.clone();
            message[bit / 8] ^= 1 << (bit % 8);
            opened.fill(CANARY);
            let result = sealer.open_message(aad, &message, &mut opened);
            assert_eq!(result, Err(Error::Forged), "{backend}: bit {bit}");
            assert_eq!(opened, vec![0; len], "{backend}: bit {bit}");
        }
        assert_eq!(sealer.open_message(aad, &message, &mut opened), Ok(()));
        assert_eq!(opened, text);
        assert_eq!(sealer.seal(aad, &mut []).unwrap().0[4..], 8_u64.to_be_bytes());
    }
}

/// GMAC is GCM without a text, in everything.
fn gmac(backend: &str) {
    let mut random = Random(28);
    key_lens(&[16, 24, 32], |secret| Gmac::with_backend(secret, backend));
    for (tag_len, len) in (12..=16).flat_map(|tag_len| [0, 1, 16, 300].map(|len| (tag_len, len))) {
        let (secret, message) = (random.bytes(32), random.bytes(len));
        let mut key = aes_gcm::Key::with_backend(&secret, backend).unwrap();
        let mut mac = Gmac::with_backend(&secret, backend).unwrap();
        assert_eq!(mac.backend(), backend);
        key.set_tag_len(tag_len).unwrap();
        refuses(mac.set_tag_len(11), "tag", 11);
        mac.set_tag_len(tag_len).unwrap();
        for nonce in [[1; 12].as_slice(), &[2; 21]] {
            let mut tag = mac.mac(nonce, &message).unwrap().to_vec();
            assert_eq!(*tag, *key.seal(nonce, &message, &mut []).unwrap(), "{backend}");
            assert_eq!(mac.verify(nonce, &message, &tag), Ok(()), "{backend}");
            refuses(mac.verify(nonce, &message, &tag[1..]), "tag", tag_len - 1);
            tag[len % tag_len] ^= 1;
            assert_eq!(mac.verify(nonce, &message, &tag), Err(Error::Forged), "{backend}");
        }
        refuses(mac.mac(&[], &message), "nonce", 0);
    }
}

fn mac<M: Mac>(backend: &'static str) {
    let new = |secret: &[u8]| M::new(secret, backend);
    key_lens(M::KEY_LENS, new);
    let mut random = Random(29);
    let data = random.bytes(200);
    let mut key = new(&vec![9; M::KEY_LENS[0]]).unwrap();
    for tag_len in M::TAG_LENS.iter().copied() {
        key.set_tag_len(tag_len).unwrap();
        for wrong in (0..40).filter(|len| !M::TAG_LENS.contains(len)) {
            refuses(key.set_tag_len(wrong), "tag", wrong);
        }
        for len in thin((0..=70).chain([200]), 7) {
            let (message, case) = (&data[..len], format!("{backend}, {len}, tag of {tag_len}"));
            let tag = key.mac(message);
            assert_eq!(tag.len(), tag_len, "a refused length of tags leaves the one before");
            assert_eq!(key.verify(message, &tag), Ok(()), "{case}");
            for cut in 0..=len {
                let (head, rest) = message.split_at(cut);
                assert_eq!(key.mac_pieces(&[head, rest]), tag, "{case}, cut at {cut}");
                assert_eq!(key.mac_pieces(&[head, b"", rest, b""]), tag, "{case}, cut at {cut}");
                assert_eq!(key.verify_pieces(&[head, rest], &tag), Ok(()), "{case}, cut at {cut}");
            }
            let bytes: Vec<_> = message.chunks(1).collect();
            assert_eq!(key.mac_pieces(&bytes), tag, "{case}, byte by byte");

            for wrong in (0..40).filter(|wrong| *wrong != tag_len) {
                refuses(key.verify(message, &[0; 40][..wrong]), "tag", wrong);
                refuses(key.verify_pieces(&[message], &[0; 40][..wrong]), "tag", wrong);
            }
            let forged = |message: &[u8], tag: &[u8], what: &str| {
                assert_eq!(key.verify(message, tag), Err(Error::Forged), "{case}: {what}");
                let verified = key.verify_pieces(&[message], tag);
                assert_eq!(verified, Err(Error::Forged), "{case}: {what}");
            };
            for bit in 0..8 * tag_len {
                let mut tag = tag.clone();
                tag[bit / 8] ^= 1 << (bit % 8);
                forged(message, &tag, &format!("bit {bit} of the tag"));
            }
            for byte in 0..len {
                let mut message = message.to_vec();
                message[byte] ^= 1 << (byte % 8);
                forged(&message, &tag, &format!("byte {byte}"));
            }
            forged(&[message, &[0]].concat(), &tag, "a zero behind it");
            forged(&[message, &[0x80]].concat(), &tag, "its padding");
        }
    }
}

fn aes_kw(backend: &'static str) {
    use aes_kw::{Key, padded_len};
    key_lens(&[16, 24, 32], |secret| Key::with_backend(secret, backend));
    let key = Key::with_backend(&[9; 16], backend).unwrap();
    let data = Random(30).bytes(400);
    let mut out = [CANARY; 400];
    for len in 0..=80 {
        let whole = len >= 16 && len % 8 == 0;
        if !whole {
            refuses(key.wrap_to(&data[..len], &mut out[..len + 8]), "key to wrap", len);
            refuses(key.wrap(&mut out[..len + 8]), "wrapped key", len + 8);
            refuses(key.unwrap(&mut out[..len + 8]), "wrapped key", len + 8);
            refuses(key.unwrap_to(&data[..len + 8], &mut out[..len]), "wrapped key", len + 8);
        }
        if len < 8 || len % 8 != 0 {
            refuses(key.unwrap_padded(&mut out[..len + 8]), "wrapped key", len + 8);
            refuses(
                key.unwrap_padded_to(&data[..len + 8], &mut out[..len]),
                "wrapped key",
                len + 8,
            );
        }
        for wrong in 0..100 {
            if whole && wrong != len + 8 {
                refuses(key.wrap_to(&data[..len], &mut out[..wrong]), "wrapped key", wrong);
            }
            if whole && wrong != len {
                refuses(key.unwrap_to(&data[..len + 8], &mut out[..wrong]), "output", wrong);
                let unwrapped = key.unwrap_padded_to(&data[..len + 8], &mut out[..wrong]);
                refuses(unwrapped, "output", wrong);
            }
            if len > 0 && wrong != padded_len(len) {
                refuses(key.wrap_padded_to(&data[..len], &mut out[..wrong]), "wrapped key", wrong);
                refuses(key.wrap_padded(&mut out[..wrong], len), "wrapped key", wrong);
            }
        }
    }
    refuses(key.wrap_padded_to(b"", &mut out[..8]), "key to wrap", 0);
    // Four bytes say the length. On 32 bits they say any, and the buffer is then too short.
    let unsayable = usize::try_from(1_u64 << 32).unwrap_or(usize::MAX);
    for len in [usize::MAX, usize::MAX - 15, unsayable] {
        let refused = key.wrap_padded(&mut out, len);
        match len as u64 >> 32 {
            0 => refuses(refused, "wrapped key", out.len()),
            _ => refuses(refused, "key to wrap", len),
        }
    }
    untouched(&out);

    // Whatever is wrong, all forms say so and leave nothing.
    let forged = |wrapped: &[u8], what: &str| {
        let mut out = vec![CANARY; wrapped.len() - 8];
        if wrapped.len() >= 24 {
            assert_eq!(key.unwrap_to(wrapped, &mut out), Err(Error::Forged), "{backend}: {what}");
            assert!(out.iter().all(|byte| *byte == 0), "{backend}: {what}");
            let mut buffer = wrapped.to_vec();
            assert_eq!(key.unwrap(&mut buffer), Err(Error::Forged), "{backend}: {what}");
            assert!(buffer.iter().all(|byte| *byte == 0), "{backend}: {what}");
            out.fill(CANARY);
        }
        let unwrapped = key.unwrap_padded_to(wrapped, &mut out);
        assert_eq!(unwrapped, Err(Error::Forged), "{backend}: {what}");
        assert!(out.iter().all(|byte| *byte == 0), "{backend}: {what}");
        let mut buffer = wrapped.to_vec();
        assert_eq!(key.unwrap_padded(&mut buffer), Err(Error::Forged), "{backend}: {what}");
        assert!(buffer.iter().all(|byte| *byte == 0), "{backend}: {what}");
    };
    for len in 1..=40 {
        let mut wrapped = vec![0; padded_len(len)];
        key.wrap_padded_to(&data[..len], &mut wrapped).unwrap();
        for bit in thin(0..8 * wrapped.len(), 11) {
            let mut wrapped = wrapped.clone();
            wrapped[bit / 8] ^= 1 << (bit % 8);
            forged(&wrapped, &format!("{len} padded, bit {bit}"));
        }
        let mut buffer =
            [&[CANARY; 8], &data[..len], &vec![CANARY; padded_len(len) - 8 - len]].concat();
        key.wrap_padded(&mut buffer, len).unwrap();
        assert_eq!(buffer, wrapped, "{backend}: {len} padded in place");
        assert_eq!(key.unwrap_padded(&mut buffer).unwrap(), &data[..len], "{backend}: {len}");
    }
    // What no padding is: of each length, and zeros that are none. Only what whole blocks wrap can say it.
    for (semiblocks, says) in (2..5_u64).flat_map(|n| (0..50).map(move |says| (n, says))) {
        let len = 8 * semiblocks as usize;
        for fill in [0, 1] {
            let icv = 0xa65959a6_u64 << 32 | says;
            let wrapped = wrapped_with(&icv.to_be_bytes(), &vec![fill; len]);
            let right =
                says > len as u64 - 8 && says <= len as u64 && (fill == 0 || says == len as u64);
            let mut buffer = wrapped.clone();
            match key.unwrap_padded(&mut buffer) {
                Ok(key) => {
                    assert!(right, "{backend}: {says} of {len}, {fill}");
                    assert_eq!(key, vec![fill; says as usize], "{backend}: {says} of {len}");
                }
                Err(_) => {
                    assert!(!right, "{backend}: {says} of {len}, {fill}");
                    forged(&wrapped, &format!("{says} of {len}, {fill}"));
                }
            }
        }
    }
    let mut wrapped = [0; 32];
    key.wrap_to(&data[..24], &mut wrapped).unwrap();
    for bit in 0..8 * wrapped.len() {
        let mut wrapped = wrapped;
        wrapped[bit / 8] ^= 1 << (bit % 8);
        forged(&wrapped, &format!("bit {bit}"));
    }
    assert_eq!(key.unwrap(&mut wrapped).unwrap(), &data[..24], "{backend} goes on");
}

/// W of SP 800-38F (section 6.1) with any first semiblock, by the key of `aes_kw`.
fn wrapped_with(icv: &[u8; 8], rest: &[u8]) -> Vec<u8> {
    let key = aes_cbc::Key::new(&[9; 16]).unwrap();
    let (mut a, mut r) = (*icv, rest.as_chunks::<8>().0.to_vec());
    let n = r.len();
    for t in 0..6 * n {
        let mut block = [a, r[t % n]].concat();
        key.encrypt(&[0; 16], &mut block).unwrap();
        a = (u64::from_be_bytes(block[..8].try_into().unwrap()) ^ (t as u64 + 1)).to_be_bytes();
        r[t % n].copy_from_slice(&block[8..]);
    }
    [&a, r.as_flattened()].concat()
}

fn block_mode<B: BlockMode>(backend: &'static str) {
    let new = |secret: &[u8]| B::new(secret, backend);
    key_lens(B::KEY_LENS, new);
    let (key, iv) = (new(&vec![9; B::KEY_LENS[0]]).unwrap(), [5; 16]);
    let mut known = [8; 80];
    key.encrypt(&iv, &mut known).unwrap();

    let mut out = [CANARY; 400];
    for len in (0..=64).chain([255, 257, 399]) {
        let text = vec![1; len];
        if len % 16 != 0 {
            refuses(key.encrypt(&iv, &mut out[..len]), "text", len);
            refuses(key.decrypt(&iv, &mut out[..len]), "text", len);
            refuses(key.encrypt_to(&iv, &text, &mut out[..len]), "text", len);
            refuses(key.decrypt_to(&iv, &text, &mut out[..len]), "text", len);
        }
        if len % 16 != 0 || len == 0 {
            refuses(key.decrypt_padded(&iv, &mut out[..len]), "padded text", len);
            refuses(key.decrypt_padded_to(&iv, &text, &mut out[..len]), "padded text", len);
        } else {
            for wrong in (0..=80).filter(|wrong| *wrong != len) {
                refuses(key.encrypt_to(&iv, &text, &mut out[..wrong]), "output", wrong);
                refuses(key.decrypt_to(&iv, &text, &mut out[..wrong]), "output", wrong);
                refuses(key.decrypt_padded_to(&iv, &text, &mut out[..wrong]), "output", wrong);
            }
        }
        for wrong in (0..=100).filter(|wrong| *wrong != B::padded_len(len)) {
            refuses(key.encrypt_padded(&iv, &mut out[..wrong], len), "padded text", wrong);
            refuses(key.encrypt_padded_to(&iv, &text, &mut out[..wrong]), "padded text", wrong);
        }
    }
    for len in [usize::MAX, usize::MAX - 15, usize::MAX / 2] {
        refuses(key.encrypt_padded(&iv, &mut out, len), "padded text", 400);
        refuses(key.encrypt_padded(&iv, &mut [], len), "padded text", 0);
    }
    untouched(&out);
    padding(backend, &key, &iv);
    key.decrypt(&iv, &mut known).unwrap();
    assert_eq!(known, [8; 80], "{backend} goes on");
}

/// Every last block whose padding is right, and every one that differs from such in one byte.
fn padding<B: BlockMode>(backend: &str, key: &B, iv: &[u8; 16]) {
    let mut random = Random(25);
    let open = |last: &[u8; 16], blocks: usize| {
        let mut text = vec![0xaa; 16 * (blocks - 1)];
        text.extend(last);
        key.encrypt(iv, &mut text).unwrap();
        let mut out = vec![CANARY; text.len()];
        let copied = key.decrypt_padded_to(iv, &text, &mut out);
        let opened = key.decrypt_padded(iv, &mut text);
        assert_eq!(copied, opened, "{backend} {last:02x?}");
        if opened.is_err() {
            assert_eq!(opened, Err(Error::Forged), "{backend} {last:02x?}");
            assert!(text.iter().chain(&out).all(|byte| *byte == 0), "{backend} {last:02x?}");
        }
        opened.ok()
    };
    for n in 0..=255_u8 {
        let padding = 16_usize.saturating_sub(n.into());
        let mut last: [u8; 16] = random.bytes(16).try_into().unwrap();
        last[padding..].fill(n);
        last[15] = n;
        let right = (1..=16).contains(&n);
        for blocks in [1, 2, 9] {
            let len = right.then(|| 16 * blocks - usize::from(n));
            assert_eq!(open(&last, blocks), len, "{backend} {n}");
        }
        for wrong in padding..15 {
            let mut last = last;
            last[wrong] ^= 1 << (wrong % 8);
            assert_eq!(open(&last, 2), None, "{backend} {n} {wrong}");
        }
    }
}

fn codebook<C: Codebook>(backend: &'static str) {
    let new = |secret: &[u8]| C::new(secret, backend);
    for len in (0..=80).chain([1 << 12]).filter(|len| !C::KEY_LENS.contains(len)) {
        refuses(new(&vec![7; len]).map(drop), C::KEY, len);
    }
    let secret: Vec<_> = (0..C::KEY_LENS[0] as u8).collect();
    let (key, tweak) = (new(&secret).unwrap(), [5; 16]);
    let mut known = [8; 80];
    key.encrypt(&tweak, &mut known).unwrap();

    let mut out = [CANARY; 400];
    for len in (0..=64).chain([255, 257, 399]) {
        let text = vec![1; len];
        if C::takes(len) {
            for wrong in (0..=80).filter(|wrong| *wrong != len) {
                refuses(key.encrypt_to(&tweak, &text, &mut out[..wrong]), "output", wrong);
                refuses(key.decrypt_to(&tweak, &text, &mut out[..wrong]), "output", wrong);
            }
        } else {
            refuses(key.encrypt(&tweak, &mut out[..len]), "text", len);
            refuses(key.decrypt(&tweak, &mut out[..len]), "text", len);
            refuses(key.encrypt_to(&tweak, &text, &mut out[..len]), "text", len);
            refuses(key.decrypt_to(&tweak, &text, &mut out[..len]), "text", len);
        }
    }
    untouched(&out);
    key.decrypt(&tweak, &mut known).unwrap();
    assert_eq!(known, [8; 80], "{backend} goes on");
}

fn aes_xts(backend: &'static str) {
    codebook::<aes_xts::Key>(backend);
    let new = |secret: &[u8]| aes_xts::Key::with_backend(secret, backend);
    for len in [32, 64] {
        // Both halves alike, and different in one bit.
        let mut secret: Vec<_> = (0..len / 2).chain(0..len / 2).collect();
        for i in 0..len {
            assert_eq!(new(&secret).err(), Some(Error::EqualHalves), "{backend}");
            secret[usize::from(i)] ^= 1 << (i % 8);
            assert!(new(&secret).is_ok(), "{backend}");
            secret[usize::from(i)] ^= 1 << (i % 8);
        }
    }
    let secret: Vec<_> = (0..32).collect();
    let key = new(&secret).unwrap();
    let mut out = [CANARY; 400];
    for size in [0, 1, 15, aes_xts::LONGEST_UNIT + 1, usize::MAX] {
        for len in [0, 16, 400] {
            refuses(key.encrypt_sectors(0, size, &mut out[..len]), "sector", size);
            refuses(key.decrypt_sectors(0, size, &mut out[..len]), "sector", size);
            let text = vec![1; len];
            refuses(key.encrypt_sectors_to(0, size, &text, &mut out[..len]), "sector", size);
            refuses(key.decrypt_sectors_to(0, size, &text, &mut out[..len]), "sector", size);
        }
    }
    for size in [16, 17, 40, 399, 401, aes_xts::LONGEST_UNIT] {
        for len in (0..=400).filter(|len| len % size != 0) {
            refuses(key.encrypt_sectors(0, size, &mut out[..len]), "text", len);
            refuses(key.decrypt_sectors(0, size, &mut out[..len]), "text", len);
            let text = vec![1; len];
            refuses(key.encrypt_sectors_to(0, size, &text, &mut out[..len]), "text", len);
            refuses(key.decrypt_sectors_to(0, size, &text, &mut out[..len]), "text", len);
        }
        let text = vec![1; 400 / size * size];
        for wrong in [1, 398] {
            refuses(key.encrypt_sectors_to(0, size, &text, &mut out[..wrong]), "output", wrong);
            refuses(key.decrypt_sectors_to(0, size, &text, &mut out[..wrong]), "output", wrong);
        }
        key.encrypt_sectors(0, size, &mut []).unwrap();
        key.decrypt_sectors(0, size, &mut []).unwrap();
    }
    untouched(&out);
}

fn streams(backend: &'static str) {
    stream::<AesCtr<32>>(backend);
    stream::<AesCtr<64>>(backend);
    stream::<AesCtr<128>>(backend);
}

fn stream<S: Stream>(backend: &'static str) {
    let new = |secret: &[u8]| S::new(secret, backend);
    key_lens_of(S::KEY, S::KEY_LENS, new);
    let (key, iv) = (new(&vec![9; S::KEY_LENS[0]]).unwrap(), [5; 16]);
    let mut known = [8; 80];
    key.apply(&iv, &mut known).unwrap();
    let mut out = [CANARY; 400];
    for len in [0, 1, 16, 100, 256] {
        for wrong in (0..=400).filter(|wrong| *wrong != len) {
            refuses(key.apply_to(&iv, &vec![1; len], &mut out[..wrong]), "output", wrong);
        }
    }
    untouched(&out);
    key.apply(&iv, &mut known).unwrap();
    assert_eq!(known, [8; 80], "{backend} goes on");

    // Every cut of a text into three.
    let text = Random(26).bytes(150);
    let mut want = text.clone();
    key.apply(&iv, &mut want).unwrap();
    for (a, b) in thin((0..=150).flat_map(|a| (a..=150).map(move |b| (a, b))), 61) {
        let (mut text, mut place) = (text.clone(), S::start(&iv));
        for range in [0..a, a..b, b..150] {
            key.next(&mut place, &mut text[range]).unwrap();
        }
        assert!(text == want, "{backend} cut at {a} and {b}");
    }
}

fn hmac<M: Hmac>(backend: &'static str) {
    secret_len::<M>(backend);
    let text = Random(28).bytes(300);
    for (i, &secret_len) in M::KEY_LENS.iter().enumerate() {
        let secret = Random(29 + i as u64).bytes(secret_len);
        let key = M::new(&secret, backend).unwrap();
        for len in thin(0..=300, 13) {
            let message = &text[..len];
            let tag = M::independent(&secret, message);
            assert_eq!(key.mac(message), tag, "{backend}: {len}");
            let mut running = key.start();
            M::update(&mut running, message);
            assert_eq!(M::finish(running.clone()), tag, "{backend}: {len} in pieces");
            assert_eq!(M::finish_and_verify(running.clone(), &tag), Ok(()), "{backend}: {len}");
            // Truncated tags, and lengths that are refused.
            for cut in 0..=tag.len() + 1 {
                let mut short = [&tag[..], &[0]].concat();
                short.truncate(cut);
                if M::TAG_LENS.contains(&cut) {
                    assert_eq!(
                        key.verify(message, &short),
                        Ok(()),
                        "{backend}: {len}, tag of {cut}"
                    );
                } else if cut > tag.len() || cut < *M::TAG_LENS.iter().min().unwrap() {
                    refuses(key.verify(message, &short), "tag", cut);
                    refuses(M::finish_and_verify(running.clone(), &short), "tag", cut);
                }
            }
            // Every bit of a tag counts, and every byte of a message.
            for bit in thin(0..8 * tag.len(), 7) {
                let mut wrong = tag.clone();
                wrong[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(key.verify(message, &wrong), Err(Error::Forged), "{backend}: bit {bit}");
                let verdict = M::finish_and_verify(running.clone(), &wrong);
                assert_eq!(verdict, Err(Error::Forged), "{backend}: bit {bit}");
            }
            let mut other = message.to_vec();
            for at in thin(0..len, 17) {
                other[at] ^= 0x80;
                assert_eq!(key.verify(&other, &tag), Err(Error::Forged), "{backend}: byte {at}");
                other[at] ^= 0x80;
            }
        }
    }
}

/// Texts of which only the longest length is public.
fn secret_len<M: Hmac>(backend: &'static str) {
    const LONGEST: usize = 700;
    /// What padding may have in TLS.
    const PADDING: usize = 256;
    let text = Random(27).bytes(LONGEST);
    let secret = Random(28).bytes(M::KEY_LENS[0]);
    let key = M::new(&secret, backend).unwrap();
    // That of TLS, none, and one of some blocks; these with fewer texts.
    for (prefix_len, step) in [(13, 1), (0, 7), (1, 29), (63, 31), (144, 23), (300, 19)] {
        let prefix = Random(prefix_len as u64).bytes(prefix_len);
        let tag = |len| M::independent(&secret, &[&prefix, &text[..len]].concat());
        let tags: Vec<_> = (0..=LONGEST).map(tag).collect();
        let check = |longest: usize, least, len| {
            let got = key.mac_of_secret_len(&prefix, &text[..longest], least, len);
            let case = (prefix_len, longest, least, len);
            assert_eq!(got.as_ref(), Ok(&tags[len]), "{backend}: {case:?}");
        };
        for longest in thin((0..=LONGEST).step_by(step), 13) {
            let least = longest.saturating_sub(PADDING);
            for len in thin(least..=longest, 17) {
                check(longest, least, len);
            }
            // All lengths there are, and one.
            for len in (0..=longest).step_by(97) {
                check(longest, 0, len);
                check(longest, len, len);
                check(longest, len, longest);
            }
        }
    }
    // What is not in the text, or not among the lengths.
    let refuses = |least, len, what, got| {
        refuses(key.mac_of_secret_len(b"prefix", &text[..300], least, len), what, got);
    };
    for len in [0, 43, 301, usize::MAX] {
        refuses(44, len, "text", len);
    }
    for least in [301, usize::MAX] {
        refuses(least, 300, "shortest text", least);
    }
}

fn chacha20_poly1305(backend: &'static str) {
    aead_lengths::<chacha20_poly1305::Key>(backend);
    aead_forged::<chacha20_poly1305::Key>(backend);
    pieces::contracts::<chacha20_poly1305::Key>(backend);
    // A nonce of any other length.
    let key = chacha20_poly1305::Key::with_backend(&[9; 32], backend).unwrap();
    let mut out = [CANARY; 40];
    for wrong in (0..40).filter(|wrong| *wrong != 12) {
        refuses(key.seal(&vec![1; wrong], b"", &mut out), "nonce", wrong);
        refuses(key.open(&vec![1; wrong], b"", &mut out, &[0; 16]), "nonce", wrong);
    }
    untouched(&out);
}

fn one_time_mac<M: OneTimeMac>(backend: &'static str) {
    let mut random = Random(28);
    let text = random.bytes(300);
    let key = random.bytes(32).try_into().unwrap();
    for len in 0..=300 {
        let (message, want) = (&text[..len], M::independent(&key, &text[..len]));
        assert_eq!(M::mac(&key, message, backend), want, "{backend}: {len}");
        for cut in thin(0..=len, 13) {
            let mut mac = M::new(&key, backend);
            mac.update(&message[..cut]);
            mac.update(&message[cut..]);
            assert_eq!(mac.finish(), want, "{backend}: {len} cut at {cut}");
        }
        for bit in thin(0..128, 31) {
            let mut mac = M::new(&key, backend);
            mac.update(message);
            let mut tag = want;
            tag[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(mac.verify(&tag), Err(Error::Forged), "{backend}: {len}, bit {bit}");
        }
        let mut mac = M::new(&key, backend);
        message.iter().for_each(|byte| mac.update(&[*byte]));
        assert_eq!(mac.verify(&want), Ok(()), "{backend}: {len} byte by byte");
    }
    let tag = poly1305::mac(&key, &text);
    assert_eq!(*tag, M::independent(&key, &text));
    assert_eq!(poly1305::verify(&key, &text, &tag), Ok(()));
    assert_eq!(poly1305::verify(&key, &text[1..], &tag), Err(Error::Forged));
    assert!(tag == poly1305::mac(&key, &text) && tag != poly1305::mac(&key, b""));
}

fn hash<H: Hash>(backend: &'static str) {
    let text = Random(27).bytes(300);
    let mut hasher = H::new(backend);
    for len in 0..=300 {
        let (message, want) = (&text[..len], H::independent(&text[..len]));
        for cut in thin(0..=len, 13) {
            let mut pieces = H::new(backend);
            pieces.update(&message[..cut]);
            // It goes on from there as does its copy, and neither sees the other.
            let mut copy = pieces.clone();
            pieces.update(b"something else");
            copy.update(&message[cut..]);
            assert_eq!(copy.finish(), want, "{backend}: {len} cut at {cut}");
            // Nor what comes next in the same place.
            pieces.reset();
            pieces.update(&message[..cut]);
            pieces.update(&message[cut..]);
            assert_eq!(pieces.finish_reset(), want, "{backend}: {len} cut at {cut}, reset");
            pieces.update(message);
            assert_eq!(pieces.finish(), want, "{backend}: {len} after another message");
        }
        // A message in one piece leaves alone what is there.
        assert_eq!(hasher.digest(message), want, "{backend}: {len}");
        hasher.update(&text[len..len + usize::from(len < 300)]);
    }
    assert_eq!(hasher.finish(), H::independent(&text), "{backend}: byte by byte");
}

fn sha3(backend: &'static str) {
    hash::<Sha3_224>(backend);
    hash::<Sha3_256>(backend);
    hash::<Sha3_384>(backend);
    hash::<Sha3_512>(backend);
    extendable::<Shake128>(backend);
    extendable::<Shake256>(backend);
}

fn extendable<H: Extendable>(backend: &'static str) {
    let text = Random(28).bytes(400);
    let mut want = [0; 700];
    let mut hasher = H::new(backend);
    for len in thin(0..=400, 13) {
        H::independent(&text[..len], &mut want);
        for out_len in thin(0..=700, 31) {
            // A message in one piece leaves alone what is there, and what is beyond its output.
            let mut out = [CANARY; 710];
            hasher.digest(&text[..len], &mut out[..out_len]);
            assert!(out[..out_len] == want[..out_len], "{backend}: {len} to {out_len}");
            untouched(&out[out_len..]);
        }
    }
    hasher.update(b"something else");
    hasher.reset();
    hasher.update(&text[..50]);
    H::independent(&text[..50], &mut want);
    let reader = hasher.clone().finish();
    for cut in 0..=700 {
        // A reader goes on from there as does its copy, and neither sees the other.
        let (mut reader, mut out) = (reader.clone(), [CANARY; 700]);
        H::squeeze(&mut reader, &mut out[..cut]);
        let mut copy = reader.clone();
        H::squeeze(&mut reader, &mut [0; 300]);
        H::squeeze(&mut copy, &mut out[cut..]);
        assert!(out == want, "{backend}: cut at {cut}");
    }
    // Byte by byte, from a hasher that went on.
    text[50..].iter().for_each(|byte| hasher.update(&[*byte]));
    H::independent(&text, &mut want);
    let (mut reader, mut out) = (hasher.finish(), [CANARY; 700]);
    out.iter_mut().for_each(|byte| H::squeeze(&mut reader, core::slice::from_mut(byte)));
    assert!(out == want, "{backend}: byte by byte");
}

fn aes_cmac_many(backend: &'static str) {
    hash_many::<CmacMany, 16>(backend);
    let many = aes_cmac::Many::with_backend(backend).unwrap();
    assert_eq!(many.backend(), backend);
    assert!(aes_cmac::Many::with_backend("aes_cmac/nobody").is_err());
    // Tags are as long as their key has them, and each is judged alone.
    let mut keys = [(); 3].map(|()| aes_cmac::Key::new(&[9; 24]).unwrap());
    keys[1].set_tag_len(4).unwrap();
    keys[2].set_tag_len(13).unwrap();
    let text = [7; 100];
    for count in 0..=70 {
        let message = |i| aes_cmac::Message { key: &keys[i % 3], text: &text[..i] };
        let messages: Vec<_> = (0..count).map(message).collect();
        let mut tags = vec![aes_cmac::Tag::default(); count];
        many.mac(&messages, &mut tags).unwrap();
        let mut tags: Vec<_> = tags.iter().map(|tag| tag.to_vec()).collect();
        for (i, tag) in tags.iter_mut().enumerate() {
            assert_eq!(*tag, keys[i % 3].mac(&text[..i])[..], "{backend} {i}");
            match i % 5 {
                1 => tag[i % 4] ^= 1,
                2 => tag.push(0),
                _ => {}
            }
        }
        let tags: Vec<_> = tags.iter().map(Vec::as_slice).collect();
        let mut results = vec![Err(Error::NoBackend); count + 1];
        for wrong in [0, 1, 40, 71].into_iter().filter(|wrong| *wrong != count) {
            let wrong_tags = vec![[0; 16].as_slice(); wrong];
            let refused = many.verify(&messages, &wrong_tags, &mut results[..count]);
            refuses(refused, "tags", wrong);
            let mut wrong_results = vec![Err(Error::NoBackend); wrong];
            refuses(many.verify(&messages, &tags, &mut wrong_results), "results", wrong);
            assert!(wrong_results.iter().chain(&results).all(|r| *r == Err(Error::NoBackend)));
        }
        many.verify(&messages, &tags, &mut results[..count]).unwrap();
        for (i, result) in results.iter().enumerate() {
            match i % 5 {
                _ if i == count => assert_eq!(*result, Err(Error::NoBackend)),
                1 => assert_eq!(*result, Err(Error::Forged), "{backend} {i}"),
                2 => refuses(*result, "tag", tags[i].len()),
                _ => assert_eq!(*result, Ok(()), "{backend} {i}"),
            }
        }
    }
}

fn aes_cbc_many(backend: &'static str) {
    let many = aes_cbc::Many::with_backend(backend).unwrap();
    assert_eq!(many.backend(), backend);
    assert!(aes_cbc::Many::with_backend("aes_cbc/nobody").is_err());
    let (key, iv) = (aes_cbc::Key::new(&[9; 24]).unwrap(), [5; 16]);
    let mut want = [CANARY; 64];
    key.encrypt(&iv, &mut want).unwrap();
    for count in 0..=40 {
        // Whichever is not of whole blocks, the first of them is named and nothing is written.
        for wrong in 0..count {
            let mut texts = vec![[CANARY; 64]; count];
            let mut messages: Vec<_> = texts
                .iter_mut()
                .enumerate()
                .map(|(i, text)| aes_cbc::Message {
                    key: &key,
                    iv: &iv,
                    text: if i < wrong { text } else { &mut text[..1 + i % 15] },
                })
                .collect();
            let InMessage { index, error } = many.encrypt(&mut messages).unwrap_err();
            assert_eq!(index, wrong, "{backend}");
            refuses(Err::<(), _>(error), "text", 1 + wrong % 15);
            let text = InMessage { index, error }.to_string();
            assert!(text.contains(&format!("message {wrong}: text")), "{text}");
            untouched(texts.as_flattened());
        }
        let mut texts = vec![[CANARY; 64]; count + 1];
        let messages = texts[..count].iter_mut();
        let mut messages: Vec<_> =
            messages.map(|text| aes_cbc::Message { key: &key, iv: &iv, text }).collect();
        many.encrypt(&mut messages).unwrap();
        assert!(texts[..count].iter().all(|text| *text == want), "{backend} {count}");
        untouched(&texts[count]);
    }
}

fn ctr_many(backend: &'static str) {
    cipher_many::<CtrMany<32>>(backend);
    cipher_many::<CtrMany<64>>(backend);
    cipher_many::<CtrMany<128>>(backend);
}

fn cipher_many<M: CipherMany>(backend: &'static str) {
    let many = M::with_backend(backend).unwrap();
    assert_eq!(many.backend(), backend);
    assert!(M::with_backend("aes/nobody").is_err());
    let secret: Vec<_> = (0..M::KEY_LENS[0] as u8).collect();
    let (key, iv) = (M::key(&secret), [5; 16]);
    let mut want = [CANARY; 64];
    M::independent(&secret, &iv, &mut want);
    for count in 0..=40 {
        // Whichever is too short, the first of them is named and nothing is written.
        for wrong in 0..if M::SHORTEST > 0 { count } else { 0 } {
            let mut texts = vec![[CANARY; 64]; count];
            let messages = texts.iter_mut().enumerate();
            let mut messages: Vec<_> = messages
                .map(|(i, text)| {
                    let len = if i < wrong { 64 } else { i % M::SHORTEST };
                    Vectored { key: &key, iv: &iv, text: &mut text[..len] }
                })
                .collect();
            for result in [many.encrypt(&mut messages), many.decrypt(&mut messages)] {
                let InMessage { index, error } = result.unwrap_err();
                assert_eq!(index, wrong, "{backend}");
                refuses(Err::<(), _>(error), "text", wrong % M::SHORTEST);
            }
            untouched(texts.as_flattened());
        }
        let mut texts = vec![[CANARY; 64]; count + 1];
        let messages = texts[..count].iter_mut();
        let mut messages: Vec<_> =
            messages.map(|text| Vectored { key: &key, iv: &iv, text }).collect();
        many.encrypt(&mut messages).unwrap();
        assert!(messages.iter().all(|message| *message.text == want), "{backend} {count}");
        many.decrypt(&mut messages).unwrap();
        untouched(texts.as_flattened());
    }
}

fn records_many<H: cbc_hmac::Hash>(backend: &'static str) {
    const LEN: usize = 100;
    let many = cbc_hmac::Many::<H>::with_backend(backend).unwrap();
    assert_eq!(many.backend(), backend);
    assert!(cbc_hmac::Many::<H>::with_backend("cbc_hmac/nobody").is_err());
    let key = cbc_hmac::Key::<H>::new(&[9; 16], &[7; 20]).unwrap();
    let (iv, header, sealed_len) = ([5; 16], [6; 11], cbc_hmac::Key::<H>::sealed_len(LEN));
    let mut want = vec![CANARY; sealed_len];
    key.seal(&iv, &header, &mut want, LEN).unwrap();
    for count in 0..=40 {
        // Whichever has a wrong length, the first of them is named and nothing is written.
        for wrong in 0..count {
            let mut records = vec![vec![CANARY; sealed_len]; count];
            let mut messages: Vec<_> = records
                .iter_mut()
                .enumerate()
                .map(|(i, record)| {
                    let len = if i < wrong { LEN } else { LEN + 16 };
                    cbc_hmac::Message { key: &key, iv: &iv, header: &header, record, len }
                })
                .collect();
            let InMessage { index, error } = many.seal(&mut messages).unwrap_err();
            assert_eq!(index, wrong, "{backend}");
            refuses(Err::<(), _>(error), "record", sealed_len);
            records.iter().for_each(|record| untouched(record));
        }
        let mut records = vec![vec![CANARY; sealed_len]; count];
        let mut messages: Vec<_> = records
            .iter_mut()
            .map(|record| cbc_hmac::Message {
                key: &key,
                iv: &iv,
                header: &header,
                record,
                len: LEN,
            })
            .collect();
        many.seal(&mut messages).unwrap();
        assert!(messages.iter().all(|message| *message.record == want), "{backend} {count}");

        // As many results as records, or nothing is opened.
        for wrong in (0..44).filter(|wrong| *wrong != count) {
            let mut results = vec![Err(Error::NoBackend); wrong];
            let InMessage { index, error } = many.open(&mut messages, &mut results).unwrap_err();
            assert_eq!(index, count.min(wrong), "{backend}");
            refuses(Err::<(), _>(error), "results", wrong);
            assert!(results.iter().all(|result| *result == Err(Error::NoBackend)), "{backend}");
        }
        assert!(messages.iter().all(|message| *message.record == want), "{backend} {count}");

        // A record that is forged is zeroed, one of a wrong length untouched, and the others are opened.
        let mut results = vec![Err(Error::NoBackend); count];
        let mut lens = vec![sealed_len; count];
        for (i, message) in messages.iter_mut().enumerate() {
            match i % 5 {
                1 => message.record[i] ^= 1,
                3 => {
                    let record = core::mem::take(&mut message.record);
                    message.record = &mut record[..sealed_len - 1];
                    lens[i] -= 1;
                }
                _ => {}
            }
        }
        many.open(&mut messages, &mut results).unwrap();
        for (i, message) in messages.iter().enumerate() {
            match i % 5 {
                1 => {
                    assert_eq!(results[i], Err(Error::Forged), "{backend}");
                    assert!(message.record.iter().all(|byte| *byte == 0), "{backend}");
                }
                3 => {
                    refuses(results[i], "record", lens[i]);
                    assert!(*message.record == want[..lens[i]], "{backend}");
                }
                _ => {
                    assert_eq!((results[i], message.len), (Ok(()), LEN), "{backend}");
                    untouched(&message.record[..LEN]);
                }
            }
        }
    }
}

fn sha3_many(backend: &'static str) {
    hash_many::<Sha3_224Many, 28>(backend);
    hash_many::<Sha3_256Many, 32>(backend);
    hash_many::<Sha3_384Many, 48>(backend);
    hash_many::<Sha3_512Many, 64>(backend);
    hash_many::<Short128, 30>(backend);
    hash_many::<Long128, 400>(backend);
    hash_many::<Short256, 64>(backend);
    hash_many::<Long256, 300>(backend);
}

fn aead_many<M: AeadMany>(backend: &'static str) {
    assert!(M::with_backend("nobody/portable").is_err());
    let mut random = Random(27);
    let chosen = M::ONE.chosen().unwrap().name;
    let (nonce, aad) = (random.bytes(M::Key::NONCE_LENS[0]), random.bytes(13));
    let key = M::Key::new(&random.bytes(M::Key::KEY_LENS[0]), chosen).unwrap();
    let len = |i: usize| 1 + i * 29 % 90;
    let sealed: Vec<_> = (0..150)
        .map(|i| {
            let mut text = vec![CANARY; len(i)];
            let tag = key.seal(&nonce, &aad, &mut text).unwrap();
            (text, tag)
        })
        .collect();
    for (many, count) in [M::with_backend(backend).unwrap(), M::best()]
        .iter()
        .flat_map(|many| (0..20).chain([63, 64, 65, 128, 149]).map(move |count| (many, count)))
    {
        let name = many.backend();
        let mut texts: Vec<_> = (0..=count).map(|i| vec![CANARY; len(i)]).collect();
        let mut results = vec![Err(Error::NoBackend); count + 1];

        // As many tags and results as messages, or the first that has no partner is named.
        for got in [0, count.saturating_sub(1), count + 1, count + 70] {
            let tags = vec![&[0; 16][..]; got];
            let mut results = vec![Err(Error::NoBackend); got];
            let mut messages = alike::<M>(&key, &nonce, &aad, &mut texts[..count]);
            let mut refused = vec![
                ("tags", many.seal(&mut messages, got).map(drop)),
                ("tags", many.open(&mut messages, &tags, &mut vec![Ok(()); count])),
            ];
            let tags = vec![&[0; 16][..]; count];
            refused.push(("results", many.open(&mut messages, &tags, &mut results)));
            assert!(results.iter().all(|result| *result == Err(Error::NoBackend)), "{name}");
            for (what, result) in refused.into_iter().filter(|_| got != count) {
                let InMessage { index, error } = result.unwrap_err();
                assert_eq!(index, got.min(count), "{name}");
                refuses(Err::<(), _>(error), what, got);
            }
            if got != count {
                texts.iter().for_each(|text| untouched(text));
            }
            texts.iter_mut().for_each(|text| text.fill(CANARY));
        }

        // Whichever lengths are wrong, the first is named and nothing is written.
        for wrong in 0..count {
            let mut messages = alike::<M>(&key, &nonce, &aad, &mut texts[..count]);
            messages.iter_mut().skip(wrong).step_by(3).for_each(|message| message.nonce = &[]);
            let InMessage { index, error } = many.seal(&mut messages, count).unwrap_err();
            assert_eq!(index, wrong, "{name}");
            refuses(Err::<(), _>(error), "nonce", 0);
            let text = InMessage { index, error }.to_string();
            assert!(text.contains(&format!("message {wrong}: nonce")), "{text}");
            texts.iter().for_each(|text| untouched(text));
        }

        let mut messages = alike::<M>(&key, &nonce, &aad, &mut texts[..count]);
        let tags = many.seal(&mut messages, count).unwrap();
        for (i, tag) in tags.iter().enumerate() {
            assert!((&texts[i], tag) == (&sealed[i].0, &sealed[i].1), "{name}, {i} of {count}");
        }
        untouched(&texts[count]);

        // Each has a result of its own.
        for first in 0..4 {
            let kind = |i: usize| (i + first) % 4;
            texts.iter_mut().zip(&sealed).for_each(|(text, (sealed, _))| text.clone_from(sealed));
            texts[count].fill(CANARY);
            let mut wrong = tags.clone();
            wrong.iter_mut().enumerate().filter(|(i, _)| kind(*i) == 1).for_each(|(i, tag)| {
                tag[i * 7 % 16] ^= 1 << (i % 8);
            });
            let mut messages = alike::<M>(&key, &nonce, &aad, &mut texts[..count]);
            let tags: Vec<_> = (wrong.iter().enumerate())
                .map(|(i, tag)| if kind(i) == 2 { &tag[..i % 16] } else { &tag[..] })
                .collect();
            for (i, message) in messages.iter_mut().enumerate() {
                if kind(i) == 3 {
                    message.nonce = &[];
                }
            }
            many.open(&mut messages, &tags, &mut results[..count]).unwrap();
            for i in 0..count {
                let (result, text) = (results[i], &texts[i]);
                match kind(i) {
                    0 => {
                        assert_eq!(result, Ok(()), "{name}, {i} of {count}");
                        untouched(text);
                    }
                    1 => {
                        assert_eq!(result, Err(Error::Forged), "{name}, {i} of {count}");
                        assert!(text.iter().all(|byte| *byte == 0), "{name}, {i} of {count}");
                    }
                    kind => {
                        let wrong = if kind == 2 { ("tag", i % 16) } else { ("nonce", 0) };
                        refuses(result, wrong.0, wrong.1);
                        assert!(*text == sealed[i].0, "{name}, {i} of {count}");
                    }
                }
            }
            untouched(&texts[count]);
            assert_eq!(results[count], Err(Error::NoBackend), "{name}");
        }
    }
}

/// A message of each text.
fn alike<'a, M: AeadMany>(
    key: &'a M::Key,
    nonce: &'a [u8],
    aad: &'a [u8],
    texts: &'a mut [Vec<u8>],
) -> Vec<Sealing<'a, M::Key>> {
    texts.iter_mut().map(|text| Sealing { key, nonce, aad, text }).collect()
}

fn hash_many<H: HashMany<Digest = [u8; N]>, const N: usize>(backend: &'static str) {
    let (many, messages) = (H::new(backend), [b"message".as_slice(); 40]);
    let mut digests = [[CANARY; N]; 60];
    for count in 0..=40 {
        for wrong in (0..60).filter(|wrong| *wrong != count) {
            refuses(many.digest(&messages[..count], &mut digests[..wrong]), H::WHAT, wrong);
        }
        untouched(digests.as_flattened());
    }
    // Every count leaves the digests beyond alone.
    let want = H::independent(messages[0]);
    for count in 0..=40 {
        let mut digests = [[CANARY; N]; 41];
        many.digest(&messages[..count], &mut digests[..count]).unwrap();
        assert!(digests[..count].iter().all(|digest| digest[..] == want), "{backend} {count}");
        untouched(digests[count..].as_flattened());
    }
}

fn ctr_drbg(backend: &'static str) {
    assert_eq!((SEED_LEN, LONGEST_REQUEST), (48, 65_536));
    let new = |entropy, personalization: &[u8]| {
        CtrDrbg::with_backend(&[entropy; 48], personalization, backend)
    };
    let next = |drbg: &mut CtrDrbg, additional: &[u8]| {
        let mut out = [0; 64];
        drbg.generate(additional, &mut out).unwrap();
        out
    };
    assert_eq!(new(1, b"").unwrap().backend(), backend);
    let long = [7; 1 << 12];
    for wrong in (49..80).chain([1 << 12]) {
        refuses(new(1, &long[..wrong]).map(drop), "personalization string", wrong);
    }

    // What fails leaves the output and the state as they were.
    let [mut drbg, mut twin] = [(); 2].map(|()| new(1, b"a ship").unwrap());
    let mut out = vec![CANARY; 2 * LONGEST_REQUEST];
    for wrong in [49, 50, 64, 1 << 12] {
        refuses(drbg.reseed(&[2; 48], &long[..wrong]), "additional input", wrong);
        refuses(drbg.generate(&long[..wrong], &mut out[..16]), "additional input", wrong);
    }
    for wrong in [1, 16, LONGEST_REQUEST].map(|more| LONGEST_REQUEST + more) {
        refuses(drbg.generate(b"", &mut out[..wrong]), "request", wrong);
        refuses(drbg.generate(b"more", &mut out[..wrong]), "request", wrong);
    }
    untouched(&out);
    assert_eq!(next(&mut drbg, b""), next(&mut twin, b""), "{backend} goes on");

    // Every input counts, a request of nothing too, and no output comes again.
    let mut seen = HashSet::new();
    let mut fresh = |out: [u8; 64], what: &str| {
        for block in out.as_chunks::<16>().0 {
            assert!(seen.insert(*block), "{backend}: {what}");
        }
    };
    fresh(next(&mut drbg, b""), "the next request");
    twin.generate(b"", &mut []).unwrap();
    fresh(next(&mut twin, b""), "after a request of nothing");
    fresh(next(&mut new(2, b"").unwrap(), b""), "other entropy");
    for personalization in [b"".as_slice(), b"1", b"2", &[7; 20], &[7; 48]] {
        fresh(next(&mut new(1, personalization).unwrap(), b""), "another personalization string");
    }
    for additional in [b"1".as_slice(), b"2", &[7; 20], &[7; 48]] {
        fresh(next(&mut new(1, b"").unwrap(), additional), "other additional input");
        let mut drbg = new(1, b"").unwrap();
        drbg.reseed(&[3; 48], additional).unwrap();
        fresh(next(&mut drbg, b""), "a seed with other additional input");
        next(&mut drbg, additional);
        fresh(next(&mut drbg, b""), "after additional input");
    }
}
