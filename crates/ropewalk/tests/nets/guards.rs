//! Every form of every call, between pages that fault when touched: what is read lies in pages that
//! cannot be written, and all forms make the same.

use ropewalk::{
    Error, aes_cbc, aes_gcm,
    sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256},
    sha256::{Sha256, Sha256Many},
};

use crate::{
    Cover, Net,
    common::{
        Random,
        guarded::{End, Guarded},
        thin,
    },
    kinds::{Aead, AesCtr, BlockMode, Extendable, Hash, HashMany, Stream},
};

pub(crate) const NET: Net = Net {
    name: "guards",
    primitives: &[
        ("aes-cbc", Cover::Backend(block_mode::<aes_cbc::Key>)),
        ("aes-ctr", Cover::Backend(streams)),
        ("aes-gcm", Cover::Backend(aead::<aes_gcm::Key>)),
        ("sha256", Cover::Backend(hash::<Sha256>)),
        ("sha256-many", Cover::Backend(hash_many::<Sha256Many>)),
        ("sha3", Cover::Backend(sha3)),
    ],
};

const LONGEST: usize = 65_537;

/// Each once at either end.
fn lens() -> impl Iterator<Item = (usize, End)> {
    let around = [512, 1024, 1344, 2048, 4096, 16_384, 65_536].into_iter();
    let lens = (0..=300).chain(around.flat_map(|len| [len - 1, len, len + 1]));
    thin(lens.flat_map(|len| End::BOTH.map(|end| (len, end))), 21)
}

/// Room for a text and what comes with it.
fn pages() -> Guarded {
    Guarded::new(LONGEST + 32)
}

fn aead<A: Aead>(backend: &'static str) {
    let mut random = Random(11);
    let (data, more) = (random.bytes(LONGEST), random.bytes(301));
    let [mut secrets, mut nonces, mut aads, mut tags] = [(); 4].map(|()| Guarded::new(4096));
    let (mut from, mut to) = (pages(), pages());
    for (i, (len, end)) in lens().enumerate() {
        let secret = random.bytes(A::KEY_LENS[i / 2 % A::KEY_LENS.len()]);
        let tag_len = A::TAG_LENS[i / 2 % A::TAG_LENS.len()];
        let mut key = A::new(secrets.hold(end, &secret), backend).unwrap();
        key.set_tag_len(tag_len).unwrap();
        // 11 and 301 have no divisor in common: each length of additional data has its turn.
        let (nonce, aad) = (random.bytes(A::NONCE_LENS[0]), &more[..len * 11 % 301]);
        let (plaintext, mut ciphertext) = (&data[..len], data[..len].to_vec());
        let mut tag = A::independent(&secret, &nonce, aad, &mut ciphertext);
        tag.truncate(tag_len);
        let message = [&ciphertext[..], &tag].concat();
        let (nonce, aad) = (nonces.hold(end, &nonce), aads.hold(end, aad));
        let case =
            format!("{backend}, {end:?}, aad of {}, text of {len}, tag of {tag_len}", aad.len());

        let out = to.room(end, len);
        assert_eq!(key.seal_to(nonce, aad, from.hold(end, plaintext), out).unwrap(), tag, "{case}");
        assert!(out == ciphertext, "copied: {case}");
        let opened =
            key.open_to(nonce, aad, from.hold(end, &ciphertext), out, tags.hold(end, &tag));
        assert_eq!(opened, Ok(()), "{case}");
        assert!(out == plaintext, "copied: {case}");

        assert_eq!(key.seal(nonce, aad, out).unwrap(), tag, "{case}");
        assert!(out == ciphertext, "in place: {case}");
        assert_eq!(key.open(nonce, aad, out, tags.hold(end, &tag)), Ok(()), "{case}");
        assert!(out == plaintext, "in place: {case}");

        let out = to.room(end, len + tag_len);
        out[..len].copy_from_slice(plaintext);
        key.seal_appended(nonce, aad, out).unwrap();
        assert!(out == message, "appended: {case}");
        assert_eq!(key.open_appended(nonce, aad, out), Ok(len), "{case}");
        assert!(out[..len] == *plaintext, "appended: {case}");
        key.seal_appended_to(nonce, aad, from.hold(end, plaintext), out).unwrap();
        assert!(out == message, "appended and copied: {case}");
        let out = to.room(end, len);
        let opened = key.open_appended_to(nonce, aad, from.hold(end, &message), out);
        assert_eq!(opened, Ok(()), "{case}");
        assert!(out == plaintext, "appended and copied: {case}");

        tag[i % tag_len] ^= 1 << (i % 8);
        let opened =
            key.open_to(nonce, aad, from.hold(end, &ciphertext), out, tags.hold(end, &tag));
        assert_eq!(opened, Err(Error::Forged), "{case}");
        assert!(out.iter().all(|byte| *byte == 0), "forged: {case}");
    }

    // Nonces of every length.
    let secret = random.bytes(A::KEY_LENS[0]);
    let [portable, key] = [A::PORTABLE, backend].map(|name| A::new(&secret, name).unwrap());
    let any = A::NONCE_LENS.len() > 1;
    for len in thin((1..=if any { 300 } else { 0 }).chain([4096]), 17) {
        let (nonce, plaintext) = (random.bytes(len), &data[..len % 90]);
        let mut want = plaintext.to_vec();
        let tag = portable.seal(&nonce, &more[..7], &mut want).unwrap();
        for end in End::BOTH {
            let (nonce, out) = (nonces.hold(end, &nonce), to.room(end, plaintext.len()));
            out.copy_from_slice(plaintext);
            assert_eq!(key.seal(nonce, &more[..7], out).unwrap(), tag, "{backend}, nonce of {len}");
            assert!(out == want, "{backend}, nonce of {len}");
            assert_eq!(key.open(nonce, &more[..7], out, &tag), Ok(()), "{backend}, nonce of {len}");
            assert!(out == plaintext, "{backend}, nonce of {len}");
        }
    }
}

fn block_mode<B: BlockMode>(backend: &'static str) {
    let mut random = Random(12);
    let data = random.bytes(LONGEST);
    let [mut secrets, mut ivs] = [(); 2].map(|()| Guarded::new(64));
    let (mut from, mut to) = (pages(), pages());
    for (i, (len, end)) in lens().enumerate() {
        let secret = random.bytes(B::KEY_LENS[i / 2 % B::KEY_LENS.len()]);
        let key = B::new(secrets.hold(end, &secret), backend).unwrap();
        let iv: &[u8; 16] = ivs.hold(end, &random.bytes(16)).try_into().unwrap();
        let case = format!("{backend}, {end:?}, text of {len}");

        if len.is_multiple_of(16) {
            let (plaintext, mut ciphertext) = (&data[..len], data[..len].to_vec());
            B::independent(&secret, iv, &mut ciphertext);
            let out = to.room(end, len);
            key.encrypt_to(iv, from.hold(end, plaintext), out).unwrap();
            assert!(out == ciphertext, "copied: {case}");
            key.decrypt_to(iv, from.hold(end, &ciphertext), out).unwrap();
            assert!(out == plaintext, "copied: {case}");
            key.encrypt(iv, out).unwrap();
            assert!(out == ciphertext, "in place: {case}");
            key.decrypt(iv, out).unwrap();
            assert!(out == plaintext, "in place: {case}");
        }

        let (plaintext, padded) = (&data[..len], B::padded_len(len));
        assert_eq!(padded, len + 16 - len % 16);
        let mut ciphertext = plaintext.to_vec();
        ciphertext.resize(padded, (padded - len) as u8);
        B::independent(&secret, iv, &mut ciphertext);
        let out = to.room(end, padded);
        key.encrypt_padded_to(iv, from.hold(end, plaintext), out).unwrap();
        assert!(out == ciphertext, "padded and copied: {case}");
        let opened = key.decrypt_padded_to(iv, from.hold(end, &ciphertext), out);
        assert_eq!(opened, Ok(len), "{case}");
        assert!(out[..len] == *plaintext, "padded and copied: {case}");
        out[len..].fill(0xee);
        key.encrypt_padded(iv, out, len).unwrap();
        assert!(out == ciphertext, "padded in place: {case}");
        assert_eq!(key.decrypt_padded(iv, out), Ok(len), "{case}");
        assert!(out[..len] == *plaintext, "padded in place: {case}");
    }
}

fn streams(backend: &'static str) {
    stream::<AesCtr<32>>(backend);
    stream::<AesCtr<128>>(backend);
}

fn stream<S: Stream>(backend: &'static str) {
    let mut random = Random(13);
    let data = random.bytes(LONGEST);
    let [mut secrets, mut ivs] = [(); 2].map(|()| Guarded::new(64));
    let (mut from, mut to) = (pages(), pages());
    for (i, (len, end)) in lens().enumerate() {
        let secret = random.bytes(S::KEY_LENS[i / 2 % S::KEY_LENS.len()]);
        let key = S::new(secrets.hold(end, &secret), backend).unwrap();
        let iv: &[u8; 16] = ivs.hold(end, &random.bytes(16)).try_into().unwrap();
        let case = format!("{backend}, {end:?}, text of {len}");
        let (plaintext, mut ciphertext) = (&data[..len], data[..len].to_vec());
        S::independent(&secret, iv, &mut ciphertext);

        let out = to.room(end, len);
        key.apply_to(iv, from.hold(end, plaintext), out).unwrap();
        assert!(out == ciphertext, "copied: {case}");
        key.apply(iv, out).unwrap();
        assert!(out == plaintext, "in place: {case}");
        let (head, rest) = out.split_at_mut(len * 7 / 17);
        let mut place = S::start(iv);
        key.next(&mut place, head).unwrap();
        key.next(&mut place, rest).unwrap();
        assert!(out == ciphertext, "in pieces: {case}");
    }
}

fn hash<H: Hash>(backend: &'static str) {
    let data = Random(14).bytes(LONGEST);
    let (mut pages, hasher) = (pages(), H::new(backend));
    for (len, end) in lens() {
        let message = pages.hold(end, &data[..len]);
        let want = H::independent(message);
        assert_eq!(hasher.digest(message), want, "{backend}, {end:?}, {len}");
        let mut hasher = hasher.clone();
        let (head, rest) = message.split_at(len * 7 / 17);
        hasher.update(head);
        hasher.update(rest);
        assert_eq!(hasher.finish(), want, "{backend}, {end:?}, {len} in pieces");
    }
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
    let data = Random(16).bytes(LONGEST);
    let (mut from, mut to, hasher) = (pages(), pages(), H::new(backend));
    for (len, end) in lens() {
        // A long message has a short output, and a short one a long.
        for (len, out_len) in [(len, len % 401), (len % 401, len)] {
            let (message, out) = (from.hold(end, &data[..len]), to.room(end, out_len));
            let mut want = vec![0; out_len];
            H::independent(message, &mut want);
            hasher.digest(message, out);
            assert!(out == want, "{backend}, {end:?}, {len} to {out_len}");
            out.fill(0xee);
            let mut hasher = hasher.clone();
            hasher.update(message);
            let (mut reader, (head, rest)) = (hasher.finish(), out.split_at_mut(out_len * 7 / 17));
            H::squeeze(&mut reader, head);
            H::squeeze(&mut reader, rest);
            assert!(out == want, "{backend}, {end:?}, {len} to {out_len} in pieces");
        }
    }
}

fn hash_many<H: HashMany<Digest = [u8; 32]>>(backend: &'static str) {
    let data = Random(15).bytes(LONGEST);
    let (many, mut pages) = (H::new(backend), [(); 20].map(|()| pages()));
    let mut digests = Guarded::new(4096);
    for (i, (len, end)) in lens().enumerate() {
        // Of one length, and mixed, with fewer and more than any number of lanes.
        let (step, count) = (i % 3 * 29, 1 + i % 20);
        let lens = (0..count).map(|j| (len + j * step) % (LONGEST + 1));
        let messages: Vec<_> =
            pages.iter_mut().zip(lens).map(|(pages, len)| pages.hold(end, &data[..len])).collect();
        let out = digests.room(end, 32 * count).as_chunks_mut().0;
        many.digest(&messages, out).unwrap();
        for (message, digest) in messages.iter().zip(out) {
            let want = H::independent(message);
            assert_eq!(*digest, want[..], "{backend}, {end:?}, {} of {count}", message.len());
        }
    }
}
