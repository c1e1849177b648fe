//! Random cases that lean towards edges, against another implementation. Portable backends
//! are among those that are compared, so that every backend equals them too.

use std::fmt::{self, Debug, Formatter};

use ropewalk::{
    Error, aes_cbc, aes_ccm, aes_cmac, aes_ecb, aes_gcm, aes_kw, aes_xts, cbc_hmac, chacha20,
    chacha20_poly1305,
    poly1305::Poly1305,
    random::{CtrDrbg, LONGEST_REQUEST},
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
    common::{
        backends,
        edges::{Placed, cases},
    },
    functions::{Covers, Function},
    independent,
    kinds::{
        Aead, AeadMany, AesCtr, BlockMode, CmacMany, Codebook, Extendable, Hash, HashMany, Hmac,
        Long128, Long256, Mac, OneTimeMac, Records, Sealing, Short128, Short256, Stream,
    },
    pieces::{self, InPieces},
    public_keys::{ed25519, p256, rsa, x25519},
};

pub(crate) const NET: Net = Net {
    name: "random",
    primitives: &[
        ("aes-cbc", Cover::Backend(block_mode::<aes_cbc::Key>)),
        ("aes-cbc-many", Cover::Backend(aes_cbc_many)),
        ("aes-cbc-hmac-sha1", Cover::Backend(records::<cbc_hmac::Key<Sha1>>)),
        ("aes-cbc-hmac-sha1-many", Cover::Backend(records_many::<Sha1>)),
        ("aes-cbc-hmac-sha256", Cover::Backend(records::<cbc_hmac::Key<Sha256>>)),
        ("aes-cbc-hmac-sha256-many", Cover::Backend(records_many::<Sha256>)),
        ("aes-ccm", Cover::Backend(aead::<aes_ccm::Key>)),
        ("aes-ccm-many", Cover::Backend(aead_many::<aes_ccm::Many>)),
        ("aes-cmac", Cover::Backend(mac::<aes_cmac::Key>)),
        ("aes-cmac-many", Cover::Backend(hash_many::<CmacMany>)),
        ("aes-ctr", Cover::Backend(streams)),
        ("aes-ctr-many", Cover::Backend(ctr_many)),
        ("aes-ecb", Cover::Backend(codebook::<aes_ecb::Key>)),
        ("aes-gcm", Cover::Backend(aead_in_pieces_too::<aes_gcm::Key>)),
        ("aes-gcm-many", Cover::Backend(aead_many::<aes_gcm::Many>)),
        ("aes-xts", Cover::Backend(codebook::<aes_xts::Key>)),
        ("aes-xts-many", Cover::Backend(cipher_many::<aes_xts::Many>)),
        ("aes-kw", Cover::Backend(aes_kw)),
        ("chacha20", Cover::Backend(stream::<chacha20::Key>)),
        ("chacha20-poly1305", Cover::Backend(aead_in_pieces_too::<chacha20_poly1305::Key>)),
        ("chacha20-poly1305-many", Cover::Backend(aead_many::<chacha20_poly1305::Many>)),
        ("p256", Cover::Backend(p256::random)),
        ("p256-many", Cover::Backend(p256::random_many)),
        ("rsa", Cover::Backend(rsa::random)),
        ("rsa-many", Cover::Backend(rsa::random_many)),
        ("poly1305", Cover::Backend(one_time_mac::<Poly1305>)),
        ("ctr-drbg", Cover::Backend(ctr_drbg)),
        ("sha3-many", Cover::Backend(sha3_many)),
        ("sha3", Cover::Backend(sha3)),
        ("ed25519", Cover::Backend(ed25519::random)),
        ("ed25519-many", Cover::Backend(ed25519::random_many)),
        ("x25519", Cover::Backend(x25519::random)),
        ("x25519-many", Cover::Backend(x25519::random_many)),
    ],
    functions: |suites| &suites.random,
};

/// What it does with a hash function, and with HMAC of it.
pub(crate) const fn of_function<F: Function<N>, const N: usize>() -> Covers {
    Covers {
        one: Cover::Backend(hash::<F>),
        many: Cover::Backend(hash_many::<F::Lanes>),
        hmac: Cover::Backend(hmac::<F::Mac>),
        hmac_many: Cover::Backend(hash_many::<F::MacLanes>),
    }
}

/// Longer than any loop of a wide kernel, many times over.
const LONGEST: usize = 65_600;

/// What a case says when it fails.
struct Case<'a> {
    backend: &'a str,
    secret: &'a [u8],
    nonce: &'a [u8],
    /// Lengths and offsets, by what has them.
    of: &'a [(&'a str, usize)],
}

impl Debug for Case<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { backend, secret, nonce, of } = self;
        write!(f, "{backend}, key {secret:02x?}, nonce or counter {nonce:02x?}, {of:?}")
    }
}

fn aead<A: Aead>(backend: &'static str) {
    cases(4000, |edges| {
        let key_len = edges.pick(A::KEY_LENS);
        let secret = edges.bytes(key_len);
        let nonce_len = match edges.below(4) {
            0 => edges.pick(A::NONCE_LENS),
            _ => A::NONCE_LENS[0],
        };
        let mut nonce = edges.bytes(nonce_len);
        let longest = A::longest_text(nonce_len).min(LONGEST as u64) as usize;
        let (aad_len, len) = (edges.len(1100), edges.len(longest));
        if edges.below(8) == 0 {
            let blocks = 1 + edges.below(len / 16 + 2) as u32;
            nonce = A::wrapping_nonce(&secret, blocks).unwrap_or(nonce);
        }
        let (aad, plaintext) = (edges.bytes(aad_len), edges.bytes(len));
        let tag_len = edges.pick(A::TAG_LENS);
        let (from, to) = (edges.offset(), edges.offset());
        let case = Case {
            backend,
            secret: &secret,
            nonce: &nonce,
            of: &[("aad", aad_len), ("text", len), ("tag", tag_len), ("from", from), ("to", to)],
        };

        let mut ciphertext = plaintext.clone();
        let tag = A::independent_of_len(&secret, &nonce, &aad, &mut ciphertext, tag_len);

        let mut key = A::new(&secret, backend).unwrap();
        key.set_tag_len(tag_len).unwrap();
        let aad = Placed::new(&aad, edges.offset());
        let (mut text, mut out) = (Placed::new(&plaintext, from), Placed::new(&plaintext, to));
        out.get_mut().fill(0xee);
        let copied = key.seal_to(&nonce, aad.get(), text.get(), out.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&plaintext), "input: {case:?}");
        assert!(out.unharmed() == Some(&ciphertext) && copied == tag, "{case:?}");
        let sealed = key.seal(&nonce, aad.get(), text.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&ciphertext) && sealed == tag, "{case:?}");

        out.get_mut().fill(0xee);
        let opened = key.open_to(&nonce, aad.get(), text.get(), out.get_mut(), &tag);
        assert_eq!(opened, Ok(()), "{case:?}");
        assert!(text.unharmed() == Some(&ciphertext), "input: {case:?}");
        assert!(out.unharmed() == Some(&plaintext), "{case:?}");
        assert_eq!(key.open(&nonce, aad.get(), text.get_mut(), &tag), Ok(()), "{case:?}");
        assert!(text.unharmed() == Some(&plaintext), "{case:?}");
    });
}

fn aead_in_pieces_too<A: InPieces>(backend: &'static str) {
    aead::<A>(backend);
    pieces::random::<A>(backend);
}

fn mac<M: Mac>(backend: &'static str) {
    cases(3000, |edges| {
        let (key_len, tag_len) = (edges.pick(M::KEY_LENS), edges.pick(M::TAG_LENS));
        let (secret, len) = (edges.bytes(key_len), edges.len(LONGEST));
        let message = Placed::new(&edges.bytes(len), edges.offset());
        let cuts = edges.cuts(len);
        let of = &[("message", len), ("tag", tag_len)];
        let case = Case { backend, secret: &secret, nonce: &[], of };
        let mut key = M::new(&secret, backend).unwrap();
        key.set_tag_len(tag_len).unwrap();
        let message = message.get();
        let tag = M::independent(&secret, message)[..tag_len].to_vec();
        assert_eq!(key.mac(message), tag, "{case:?}");
        assert_eq!(key.verify(message, &tag), Ok(()), "{case:?}");
        let pieces: Vec<_> = cuts.windows(2).map(|cut| &message[cut[0]..cut[1]]).collect();
        assert_eq!(key.mac_pieces(&pieces), tag, "cut at {cuts:?}: {case:?}");
    });
}

fn aes_kw(backend: &'static str) {
    use aes_kw::{Key, padded_len};
    cases(3000, |edges| {
        let key_len = edges.pick(&[16, 24, 32]);
        let (secret, len) = (edges.bytes(key_len), edges.len(600).max(1));
        let plain = edges.bytes(len);
        let case = Case { backend, secret: &secret, nonce: &[], of: &[("key", len)] };
        let key = Key::with_backend(&secret, backend).unwrap();
        let mut out = Placed::new(&vec![0xee; padded_len(len)], edges.offset());
        key.wrap_padded_to(&plain, out.get_mut()).unwrap();
        let want = independent::wrap(&secret, &plain, true);
        assert!(out.unharmed() == Some(&want), "{case:?}");
        assert_eq!(key.unwrap_padded(out.get_mut()).unwrap(), plain, "{case:?}");

        let whole = &plain[..len / 8 * 8];
        if whole.len() >= 16 {
            let mut out = Placed::new(&vec![0xee; whole.len() + 8], edges.offset());
            key.wrap_to(whole, out.get_mut()).unwrap();
            let want = independent::wrap(&secret, whole, false);
            assert!(out.unharmed() == Some(&want), "{case:?}");
            assert_eq!(key.unwrap(out.get_mut()).unwrap(), whole, "{case:?}");
        }
    });
}

fn block_mode<B: BlockMode>(backend: &'static str) {
    cases(3000, |edges| {
        let key_len = edges.pick(B::KEY_LENS);
        let (secret, iv) = (edges.bytes(key_len), edges.array());
        let len = edges.len(LONGEST);
        let plaintext = edges.bytes(len);
        let (from, to) = (edges.offset(), edges.offset());
        let of = &[("text", len), ("from", from), ("to", to)];
        let case = Case { backend, secret: &secret, nonce: &iv, of };
        let key = B::new(&secret, backend).unwrap();

        // Whole blocks.
        let whole = &plaintext[..len / 16 * 16];
        let mut ciphertext = whole.to_vec();
        B::independent(&secret, &iv, &mut ciphertext);
        let (mut text, mut out) = (Placed::new(whole, from), Placed::new(whole, to));
        out.get_mut().fill(0xee);
        key.encrypt_to(&iv, text.get(), out.get_mut()).unwrap();
        assert!(text.unharmed() == Some(whole), "input: {case:?}");
        assert!(out.unharmed() == Some(&ciphertext), "{case:?}");
        key.encrypt(&iv, text.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&ciphertext), "{case:?}");
        out.get_mut().fill(0xee);
        key.decrypt_to(&iv, text.get(), out.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&ciphertext), "input: {case:?}");
        assert!(out.unharmed() == Some(whole), "{case:?}");
        key.decrypt(&iv, text.get_mut()).unwrap();
        assert!(text.unharmed() == Some(whole), "{case:?}");

        // Padded.
        let padding = 16 - len % 16;
        let mut ciphertext = [plaintext.as_slice(), &vec![padding as u8; padding]].concat();
        B::independent(&secret, &iv, &mut ciphertext);
        let text = Placed::new(&plaintext, from);
        let mut out = Placed::new(&vec![0xee; len + padding], to);
        key.encrypt_padded_to(&iv, text.get(), out.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&plaintext), "input: {case:?}");
        assert!(out.unharmed() == Some(&ciphertext), "{case:?}");
        assert_eq!(key.decrypt_padded(&iv, out.get_mut()), Ok(len), "{case:?}");
        assert!(out.unharmed().is_some_and(|out| out[..len] == plaintext), "{case:?}");
    });
}

fn records<R: Records>(backend: &'static str) {
    cases(3000, |edges| {
        let (key_len, mac_key_len) = (edges.pick(&[16, 32]), edges.pick(R::MAC_KEY_LENS));
        let (secret, mac_key) = (edges.bytes(key_len), edges.bytes(mac_key_len));
        let (iv, header, len) = (edges.array(), edges.array(), edges.len(LONGEST.min(1 << 14)));
        let plaintext = edges.bytes(len);
        let (from, to) = (edges.offset(), edges.offset());
        let least = 16 - (len + R::MAC_LEN) % 16;
        let padding = least + 16 * edges.below((256 - least) / 16 + 1);
        let of = &[("text", len), ("padding", padding), ("from", from), ("to", to)];
        let case = Case { backend, secret: &secret, nonce: &iv, of };
        let key = R::new(&secret, &mac_key, backend).unwrap();

        let mut record = R::independent(&mac_key, &header, &plaintext, least);
        independent::cbc_encrypt(&secret, &iv, &mut record);
        let text = Placed::new(&plaintext, from);
        let mut out = Placed::new(&vec![0xee; record.len()], to);
        key.seal_to(&iv, &header, text.get(), out.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&plaintext), "input: {case:?}");
        assert!(out.unharmed() == Some(&record), "{case:?}");
        out.get_mut()[..len].copy_from_slice(&plaintext);
        key.seal(&iv, &header, out.get_mut(), len).unwrap();
        assert!(out.unharmed() == Some(&record), "in place: {case:?}");

        // What others pad.
        let mut record = R::independent(&mac_key, &header, &plaintext, padding);
        independent::cbc_encrypt(&secret, &iv, &mut record);
        let (sealed, mut out) = (Placed::new(&record, from), Placed::new(&record, to));
        assert_eq!(key.open(&iv, &header, out.get_mut()), Ok(len), "in place: {case:?}");
        assert!(out.unharmed().is_some_and(|out| out[..len] == plaintext), "in place: {case:?}");
        out.get_mut().fill(0xee);
        let opened = key.open_to(&iv, &header, sealed.get(), out.get_mut());
        assert_eq!(opened, Ok(len), "{case:?}");
        assert!(sealed.unharmed() == Some(&record), "input: {case:?}");
        assert!(out.unharmed().is_some_and(|out| out[..len] == plaintext), "{case:?}");

        let wrong = edges.below(record.len());
        record[wrong] ^= 1 << edges.below(8);
        let opened = key.open_to(&iv, &header, &record, out.get_mut());
        assert_eq!(opened, Err(Error::Forged), "byte {wrong}: {case:?}");
        assert!(out.unharmed().is_some_and(|out| out.iter().all(|byte| *byte == 0)), "{case:?}");
    });
}

/// Records of some keys, among them those whose backends have no AES instructions, and of some wrong lengths; opened
/// with some of them forged.
fn records_many<H: cbc_hmac::Hash>(backend: &'static str)
where
    cbc_hmac::Key<H>: Records,
{
    let backends: Vec<_> = backends(&cbc_hmac::PRIMITIVE_SHA1).collect();
    cases(400, |edges| {
        let secrets: Vec<_> = (0..1 + edges.below(4))
            .map(|_| {
                let (len, mac_len) = (edges.pick(&[16, 32]), edges.pick(&[H::DIGEST_LEN, 65]));
                (edges.bytes(len), edges.bytes(mac_len))
            })
            .collect();
        let keys: Vec<_> = secrets
            .iter()
            .map(|(aes, mac)| match edges.below(9) {
                0 => cbc_hmac::Key::<H>::with_backend(aes, mac, edges.pick(&backends)).unwrap(),
                _ => cbc_hmac::Key::<H>::new(aes, mac).unwrap(),
            })
            .collect();
        let count = edges.len(70);
        let (longest, alike) = (edges.pick(&[16, 64, 400, 5000]), edges.below(3) == 0);
        let len = edges.len(longest);
        let cases: Vec<_> = (0..count)
            .map(|_| {
                let len = if alike { len } else { edges.len(longest) };
                let len = edges.long().map_or(len, |long| long.min(cbc_hmac::LONGEST_TEXT));
                (edges.below(keys.len()), edges.array(), edges.array(), edges.bytes(len))
            })
            .collect();
        let want: Vec<_> = cases
            .iter()
            .map(|(key, iv, header, text)| {
                let (aes, mac) = &secrets[*key];
                let padding = 16 - (text.len() + H::DIGEST_LEN) % 16;
                let mut record =
                    <cbc_hmac::Key<H> as Records>::independent(mac, header, text, padding);
                independent::cbc_encrypt(aes, iv, &mut record);
                record
            })
            .collect();
        for (many, name) in [
            (cbc_hmac::Many::<H>::with_backend(backend).unwrap(), backend),
            (cbc_hmac::Many::new(), "the best"),
        ] {
            let mut records: Vec<_> = cases
                .iter()
                .zip(&want)
                .map(|((.., text), want)| {
                    let mut record = Placed::new(&vec![0xee; want.len()], edges.offset());
                    record.get_mut()[..text.len()].copy_from_slice(text);
                    record
                })
                .collect();
            let mut messages: Vec<_> = cases
                .iter()
                .zip(&mut records)
                .map(|((key, iv, header, text), record)| cbc_hmac::Message {
                    key: &keys[*key],
                    iv,
                    header,
                    record: record.get_mut(),
                    len: text.len(),
                })
                .collect();
            many.seal(&mut messages).unwrap();
            for (i, message) in messages.iter().enumerate() {
                assert!(*message.record == want[i], "{name}, record {i} of {count}");
            }

            let mut forged = vec![false; count];
            for (message, forged) in messages.iter_mut().zip(&mut forged) {
                message.len = usize::MAX;
                if edges.below(5) == 0 {
                    *forged = true;
                    let wrong = edges.below(message.record.len());
                    message.record[wrong] ^= 1 << edges.below(8);
                }
            }
            let mut results = vec![Err(Error::NoBackend); count];
            many.open(&mut messages, &mut results).unwrap();
            for (i, ((.., text), message)) in cases.iter().zip(&messages).enumerate() {
                let case = format!("{name}, record {i} of {count}");
                if forged[i] {
                    assert_eq!(results[i], Err(Error::Forged), "{case}");
                    assert!(message.record.iter().all(|byte| *byte == 0), "{case}");
                } else {
                    assert_eq!((results[i], message.len), (Ok(()), text.len()), "{case}");
                    assert!(message.record[..text.len()] == *text, "{case}");
                }
            }
            assert!(records.iter().all(|record| record.unharmed().is_some()), "{name}");
        }
    });
}

/// Messages of some keys, among them those whose backends have no AES instructions.
fn aes_cbc_many(backend: &'static str) {
    let backends: Vec<_> = backends(&aes_cbc::PRIMITIVE).collect();
    cases(600, |edges| {
        let secrets: Vec<_> = (0..1 + edges.below(4))
            .map(|_| {
                let len = edges.pick(&[16, 16, 24, 32]);
                edges.bytes(len)
            })
            .collect();
        let keys: Vec<_> = secrets
            .iter()
            .map(|secret| match edges.below(3) {
                0 => aes_cbc::Key::with_backend(secret, edges.pick(&backends)).unwrap(),
                _ => aes_cbc::Key::new(secret).unwrap(),
            })
            .collect();
        let count = edges.len(70);
        let (longest, alike) = (edges.pick(&[16, 64, 400, 5000]), edges.below(3) == 0);
        let len = edges.len(longest) / 16 * 16;
        let cases: Vec<_> = (0..count)
            .map(|_| {
                let len = if alike { len } else { edges.len(longest) / 16 * 16 };
                let len = edges.long().map_or(len, |long| long / 16 * 16);
                (edges.below(keys.len()), edges.array(), edges.bytes(len))
            })
            .collect();
        for (many, name) in [
            (Some(aes_cbc::Many::with_backend(backend).unwrap()), backend),
            (Some(aes_cbc::Many::new()), "the best"),
            (None, "the function"),
        ] {
            let mut texts: Vec<_> =
                cases.iter().map(|(_, _, text)| Placed::new(text, edges.offset())).collect();
            let mut messages: Vec<_> = cases
                .iter()
                .zip(&mut texts)
                .map(|((key, iv, _), text)| aes_cbc::Message {
                    key: &keys[*key],
                    iv,
                    text: text.get_mut(),
                })
                .collect();
            match many {
                Some(many) => many.encrypt(&mut messages).unwrap(),
                None => aes_cbc::encrypt_many(&mut messages).unwrap(),
            }
            for (i, ((key, iv, text), placed)) in cases.iter().zip(&texts).enumerate() {
                let mut want = text.clone();
                <aes_cbc::Key as BlockMode>::independent(&secrets[*key], iv, &mut want);
                assert!(placed.unharmed() == Some(&want), "{name}, message {i} of {count}");
            }
        }
    });
}

fn ctr_many(backend: &'static str) {
    cipher_many::<CtrMany<32>>(backend);
    cipher_many::<CtrMany<64>>(backend);
    cipher_many::<CtrMany<128>>(backend);
}

/// Messages of some keys, among them those whose backends have no AES instructions; often neighbours are alike.
fn cipher_many<M: CipherMany>(backend: &'static str) {
    let backends: Vec<_> = backends(&M::ONE).collect();
    cases(600, |edges| {
        let one_len = edges.pick(M::KEY_LENS);
        let same_len = edges.below(2) == 0;
        let secrets: Vec<_> = (0..1 + edges.below(4))
            .map(|_| {
                let len = if same_len { one_len } else { edges.pick(M::KEY_LENS) };
                let mut secret = edges.bytes(len);
                // Halves that are equal are refused, elsewhere.
                secret[0] = secret[len / 2] ^ 1;
                secret
            })
            .collect();
        let few = edges.below(3) == 0;
        let keys: Vec<_> = secrets
            .iter()
            .map(|secret| match edges.below(3) {
                0 if few => M::key_of(secret, edges.pick(&backends)),
                _ => M::key(secret),
            })
            .collect();
        let count = edges.len(70);
        let (longest, alike) = (edges.pick(&[16, 64, 80, 400, 5000]), edges.below(4));
        let len = edges.len(longest);
        let cases: Vec<_> = (0..count)
            .map(|_| {
                let len = match alike {
                    0 => len,
                    1 => (len / 16 * 16) + edges.below(16),
                    // A block each.
                    2 if longest == 16 => 16,
                    _ => edges.len(longest),
                };
                let iv = if edges.below(8) == 0 { edges.counter() } else { edges.array() };
                (edges.below(keys.len()), iv, edges.bytes(len.max(M::SHORTEST)))
            })
            .collect();
        for (many, name) in [
            (Some(M::with_backend(backend).unwrap()), backend),
            (Some(M::best()), "the best"),
            (None, "the function"),
        ] {
            let mut texts: Vec<_> =
                cases.iter().map(|(_, _, text)| Placed::new(text, edges.offset())).collect();
            let messages = cases.iter().zip(&mut texts);
            let mut messages: Vec<_> = messages
                .map(|((key, iv, _), text)| Vectored { key: &keys[*key], iv, text: text.get_mut() })
                .collect();
            match &many {
                Some(many) => many.encrypt(&mut messages).unwrap(),
                None => M::encrypt_many(&mut messages).unwrap(),
            }
            for (i, ((key, iv, text), message)) in cases.iter().zip(&messages).enumerate() {
                let mut want = text.clone();
                M::independent(&secrets[*key], iv, &mut want);
                assert!(*message.text == want, "{name}, message {i} of {count}");
            }
            match &many {
                Some(many) => many.decrypt(&mut messages).unwrap(),
                None => M::decrypt_many(&mut messages).unwrap(),
            }
            for (i, ((_, _, text), placed)) in cases.iter().zip(&texts).enumerate() {
                assert!(placed.unharmed() == Some(text), "{name}, message {i} of {count}");
            }
        }
    });
}

/// Messages of some keys, of any backends and lengths of tags; and then the same, some of them forged.
fn aead_many<M: AeadMany>(backend: &'static str) {
    let (backends, chosen) = (backends(&M::ONE).collect::<Vec<_>>(), M::ONE.chosen().unwrap().name);
    // Lanes take keys of the backend for one message that has their instructions; other keys are used serially.
    let own = backend.rsplit_once("_x").map_or(backend, |(one, _)| one);
    let own = backends.iter().find(|one| **one == own).copied().unwrap_or(chosen);
    cases(400, |edges| {
        let keys: Vec<_> = (0..1 + edges.below(4))
            .map(|_| {
                let len = edges.pick(M::Key::KEY_LENS);
                let secret = edges.bytes(len);
                let backend = match edges.below(8) {
                    0 | 1 => edges.pick(&backends),
                    2 | 3 => chosen,
                    _ => own,
                };
                let mut key = M::Key::new(&secret, backend).unwrap();
                let tag_len = match edges.below(2) {
                    0 => edges.pick(M::Key::TAG_LENS),
                    _ => 16,
                };
                key.set_tag_len(tag_len).unwrap();
                (key, secret, tag_len)
            })
            .collect();
        let count = edges.len(150);
        let longest = edges.pick(&[1, 16, 64, 300, 300, 1100, 5000]);
        let (alike, longest_aad) = (edges.below(3) == 0, edges.pick(&[0, 13, 20, 64, 400]));
        let one_key = edges.below(2) == 0;
        // Whole blocks, with little beside them, may have functions of their own.
        let of_all = match edges.below(2) {
            0 => (edges.pick(&[16, 64]), edges.len(16)),
            _ => (edges.len(longest), edges.len(longest_aad)),
        };
        let cases: Vec<_> = (0..count)
            .map(|_| {
                let key = if one_key { 0 } else { edges.below(keys.len()) };
                let nonce_len = match edges.below(8) {
                    0 => edges.pick(M::Key::NONCE_LENS),
                    _ => M::Key::NONCE_LENS[0],
                };
                let (len, aad_len) =
                    if alike { of_all } else { (edges.len(longest), edges.len(longest_aad)) };
                let len = edges.long().unwrap_or(len);
                let (nonce, aad) = (edges.bytes(nonce_len), edges.bytes(aad_len));
                let text = edges.bytes(len);
                let (_, secret, tag_len) = &keys[key];
                let mut sealed = text.clone();
                let tag = M::Key::independent_of_len(secret, &nonce, &aad, &mut sealed, *tag_len);
                (key, nonce, aad, text, sealed, tag)
            })
            .collect();
        let many = [Some(M::with_backend(backend).unwrap()), Some(M::best()), None];
        for many in many {
            let name = many.as_ref().map_or("the function", M::backend);
            let places: Vec<_> = (0..count).map(|_| edges.offset()).collect();
            let placed = |of: &dyn Fn(usize) -> Vec<u8>| -> Vec<_> {
                places.iter().enumerate().map(|(i, at)| Placed::new(&of(i), *at)).collect()
            };
            let mut texts = placed(&|i| cases[i].3.clone());
            let mut messages = sealing::<M>(&keys, &cases, &mut texts);
            let tags = match &many {
                Some(many) => many.seal(&mut messages, count).unwrap(),
                None => M::seal_many(&mut messages, count).unwrap(),
            };
            for (i, (.., sealed, tag)) in cases.iter().enumerate() {
                assert!(texts[i].unharmed() == Some(sealed), "{name}, message {i} of {count}");
                assert_eq!(tags[i], *tag, "{name}, message {i} of {count}");
            }

            let mut tags = tags;
            let kinds: Vec<_> = (0..count).map(|_| edges.below(6)).collect();
            let mut texts = placed(&|i| {
                let mut text = cases[i].4.clone();
                if let (2, Some(byte)) = (kinds[i], text.last_mut()) {
                    *byte ^= 0x80;
                }
                text
            });
            for (i, tag) in tags.iter_mut().enumerate() {
                match kinds[i] {
                    0 => tag[i % cases[i].5.len()] ^= 1 << (i % 8),
                    1 => tag.truncate(cases[i].5.len() - 1),
                    _ => {}
                }
            }
            let mut messages = sealing::<M>(&keys, &cases, &mut texts);
            let tags: Vec<_> = tags.iter().map(Vec::as_slice).collect();
            let mut results = vec![Err(Error::NoBackend); count];
            match &many {
                Some(many) => many.open(&mut messages, &tags, &mut results).unwrap(),
                None => M::open_many(&mut messages, &tags, &mut results).unwrap(),
            }
            for (i, (.., text, sealed, _)) in cases.iter().enumerate() {
                let case = format!("{name}, message {i} of {count}");
                let (result, opened) = (results[i], texts[i].unharmed());
                match kinds[i] {
                    1 => {
                        assert!(matches!(result, Err(Error::Length { what: "tag", .. })), "{case}");
                        assert!(opened == Some(sealed), "{case}");
                    }
                    kind if kind == 0 || kind == 2 && !text.is_empty() => {
                        assert_eq!(result, Err(Error::Forged), "{case}");
                        assert!(opened == Some(&vec![0; text.len()]), "{case}");
                    }
                    _ => {
                        assert_eq!(result, Ok(()), "{case}");
                        assert!(opened == Some(text), "{case}");
                    }
                }
            }
        }
    });
}

/// Key, nonce, additional data, text, what is sealed, and its tag.
type Sealed = (usize, Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>);

fn sealing<'a, M: AeadMany>(
    keys: &'a [(M::Key, Vec<u8>, usize)],
    cases: &'a [Sealed],
    texts: &'a mut [Placed],
) -> Vec<Sealing<'a, M::Key>> {
    let message = |((key, nonce, aad, ..), text): (&'a Sealed, &'a mut Placed)| Sealing {
        key: &keys[*key].0,
        nonce,
        aad,
        text: text.get_mut(),
    };
    cases.iter().zip(texts).map(message).collect()
}

fn codebook<C: Codebook>(backend: &'static str) {
    cases(3000, |edges| {
        let key_len = edges.pick(C::KEY_LENS);
        let (mut secret, tweak) = (edges.bytes(key_len), edges.array());
        // Halves that are equal are refused, elsewhere.
        secret[0] = secret[key_len / 2] ^ 1;
        let len = edges.len(LONGEST);
        let len = if C::takes(len) { len } else { len.max(16).next_multiple_of(16) };
        let plaintext = edges.bytes(len);
        let (from, to) = (edges.offset(), edges.offset());
        let of = &[("text", len), ("from", from), ("to", to)];
        let case = Case { backend, secret: &secret, nonce: &tweak, of };
        let key = C::new(&secret, backend).unwrap();

        let mut ciphertext = plaintext.clone();
        C::independent(&secret, &tweak, &mut ciphertext);
        let (mut text, mut out) = (Placed::new(&plaintext, from), Placed::new(&plaintext, to));
        out.get_mut().fill(0xee);
        key.encrypt_to(&tweak, text.get(), out.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&plaintext), "input: {case:?}");
        assert!(out.unharmed() == Some(&ciphertext), "{case:?}");
        key.encrypt(&tweak, text.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&ciphertext), "{case:?}");
        out.get_mut().fill(0xee);
        key.decrypt_to(&tweak, text.get(), out.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&ciphertext), "input: {case:?}");
        assert!(out.unharmed() == Some(&plaintext), "{case:?}");
        key.decrypt(&tweak, text.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&plaintext), "{case:?}");
    });
}

fn streams(backend: &'static str) {
    stream::<AesCtr<32>>(backend);
    stream::<AesCtr<64>>(backend);
    stream::<AesCtr<128>>(backend);
}

fn stream<S: Stream>(backend: &'static str) {
    cases(3000, |edges| {
        let key_len = edges.pick(S::KEY_LENS);
        let (secret, iv) = (edges.bytes(key_len), edges.counter());
        let len = edges.len(LONGEST);
        let plaintext = edges.bytes(len);
        let (from, to, cuts) = (edges.offset(), edges.offset(), edges.cuts(len));
        let of = &[("text", len), ("from", from), ("to", to)];
        let case = Case { backend, secret: &secret, nonce: &iv, of };
        let key = S::new(&secret, backend).unwrap();

        let mut ciphertext = plaintext.clone();
        S::independent(&secret, &iv, &mut ciphertext);
        let (mut text, mut out) = (Placed::new(&plaintext, from), Placed::new(&plaintext, to));
        out.get_mut().fill(0xee);
        key.apply_to(&iv, text.get(), out.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&plaintext), "input: {case:?}");
        assert!(out.unharmed() == Some(&ciphertext), "{case:?}");
        key.apply(&iv, text.get_mut()).unwrap();
        assert!(text.unharmed() == Some(&ciphertext), "{case:?}");

        let mut place = S::start(&iv);
        for cut in cuts.windows(2) {
            key.next(&mut place, &mut text.get_mut()[cut[0]..cut[1]]).unwrap();
        }
        assert!(text.unharmed() == Some(&plaintext), "cut at {cuts:?}: {case:?}");
    });
}

fn hmac<M: Hmac>(backend: &'static str) {
    cases(4000, |edges| {
        let secret_len = edges.pick(M::KEY_LENS);
        let secret = edges.bytes(secret_len);
        let len = edges.len(LONGEST);
        let message = Placed::new(&edges.bytes(len), edges.offset());
        let (cuts, copied_at) = (edges.cuts(len), edges.below(8));
        let case = Case { backend, secret: &secret, nonce: &[], of: &[("text", len)] };
        let want = M::independent(&secret, message.get());
        let key = M::new(&secret, backend).unwrap();
        assert_eq!(key.mac(message.get()), want, "{case:?}");
        assert_eq!(key.verify(message.get(), &want), Ok(()), "{case:?}");
        let (prefix, text) = message.get().split_at(edges.below(len.min(200) + 1));
        let least = text.len() - edges.below(text.len().min(600) + 1);
        let of = least + edges.below(text.len() - least + 1);
        assert_eq!(
            key.mac_of_secret_len(prefix, text, least, of),
            Ok(M::independent(&secret, &message.get()[..prefix.len() + of])),
            "{case:?}, {of} bytes, {least} or more, after {}",
            prefix.len()
        );
        let mut running = key.start();
        let mut copy = running.clone();
        for (i, cut) in cuts.windows(2).enumerate() {
            if i == copied_at {
                copy = running.clone();
            }
            M::update(&mut running, &message.get()[cut[0]..cut[1]]);
            if i >= copied_at {
                M::update(&mut copy, &message.get()[cut[0]..cut[1]]);
            }
        }
        assert_eq!(M::finish(running), want, "{case:?} cut at {cuts:?}");
        if copied_at + 1 < cuts.len() {
            assert_eq!(M::finish(copy), want, "{case:?} cut at {cuts:?}, copied at {copied_at}");
        }
    });
}

fn one_time_mac<M: OneTimeMac>(backend: &'static str) {
    cases(5000, |edges| {
        let (key, len) = (edges.array(), edges.len(LONGEST));
        let message = Placed::new(&edges.bytes(len), edges.offset());
        let cuts = edges.cuts(len);
        let want = M::independent(&key, message.get());
        let case = || format!("{backend}, key {key:02x?}, {len} cut at {cuts:?}");
        assert_eq!(M::mac(&key, message.get(), backend), want, "{}", case());
        let mut mac = M::new(&key, backend);
        for cut in cuts.windows(2) {
            mac.update(&message.get()[cut[0]..cut[1]]);
        }
        assert_eq!(mac.finish(), want, "{}", case());
    });
}

fn hash<H: Hash>(backend: &'static str) {
    cases(5000, |edges| {
        let len = edges.len(LONGEST);
        let message = Placed::new(&edges.bytes(len), edges.offset());
        let (cuts, copied_at) = (edges.cuts(len), edges.below(8));
        let want = H::independent(message.get());
        let hasher = H::new(backend);
        assert_eq!(hasher.digest(message.get()), want, "{backend}, {len}");
        let (mut pieces, mut copy) = (hasher.clone(), hasher);
        for (i, cut) in cuts.windows(2).enumerate() {
            if i == copied_at {
                copy = pieces.clone();
            }
            pieces.update(&message.get()[cut[0]..cut[1]]);
            if i >= copied_at {
                copy.update(&message.get()[cut[0]..cut[1]]);
            }
        }
        assert_eq!(pieces.finish(), want, "{backend}, {len} cut at {cuts:?}");
        if copied_at + 1 < cuts.len() {
            assert_eq!(
                copy.finish(),
                want,
                "{backend}, {len} cut at {cuts:?}, copied at {copied_at}"
            );
        }
    });
}

fn sha3_many(backend: &'static str) {
    hash_many::<Sha3_224Many>(backend);
    hash_many::<Sha3_256Many>(backend);
    hash_many::<Sha3_384Many>(backend);
    hash_many::<Sha3_512Many>(backend);
    hash_many::<Short128>(backend);
    hash_many::<Long128>(backend);
    hash_many::<Short256>(backend);
    hash_many::<Long256>(backend);
}

fn hash_many<H: HashMany>(backend: &'static str) {
    cases(600, |edges| {
        let count = edges.len(70);
        let (longest, alike) = (edges.pick(&[64, 200, 1100, 5000]), edges.below(3) == 0);
        let len = edges.len(longest);
        let messages: Vec<_> = (0..count)
            .map(|_| {
                let len = if alike { len } else { edges.len(longest) };
                let len = edges.long().unwrap_or(len);
                Placed::new(&edges.bytes(len), edges.offset())
            })
            .collect();
        let messages: Vec<_> = messages.iter().map(Placed::get).collect();
        let lens: Vec<_> = messages.iter().map(|message| message.len()).collect();
        for (many, name) in [(H::new(backend), backend), (H::best(), "the best")] {
            let mut digests = vec![H::NOTHING; count];
            assert_eq!(many.digest(&messages, &mut digests), Ok::<_, Error>(()));
            for (i, (message, digest)) in messages.iter().zip(&digests).enumerate() {
                let want = H::independent(message);
                assert_eq!(digest.as_ref(), want, "{name}, message {i} of {lens:?}");
            }
        }
    });
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
    cases(3000, |edges| {
        let (len, out_len) = (edges.len(5000), edges.len(5000));
        let message = Placed::new(&edges.bytes(len), edges.offset());
        let (cuts, out_cuts) = (edges.cuts(len), edges.cuts(out_len));
        let mut want = vec![0; out_len];
        H::independent(message.get(), &mut want);
        let mut out = Placed::new(&vec![0xee; out_len], edges.offset());
        let mut hasher = H::new(backend);
        hasher.digest(message.get(), out.get_mut());
        assert!(out.unharmed() == Some(&want), "{backend}, {len} to {out_len}");
        for cut in cuts.windows(2) {
            hasher.update(&message.get()[cut[0]..cut[1]]);
        }
        out.get_mut().fill(0xee);
        let mut reader = hasher.finish();
        for cut in out_cuts.windows(2) {
            H::squeeze(&mut reader, &mut out.get_mut()[cut[0]..cut[1]]);
        }
        assert!(
            out.unharmed() == Some(&want),
            "{backend}, {len} cut at {cuts:?} to {out_len} cut at {out_cuts:?}"
        );
    });
}

fn ctr_drbg(backend: &'static str) {
    cases(1000, |edges| {
        let (mut entropy, personal_len) = (edges.array(), edges.below(49));
        let mut personalization = edges.bytes(personal_len);
        if edges.below(2) == 0 {
            // V is soon to wrap.
            entropy = independent::entropy_for(edges.counter(), entropy);
            personalization.clear();
        }
        let mut drbg = CtrDrbg::with_backend(&entropy, &personalization, backend).unwrap();
        let mut want = independent::CtrDrbg::new(&entropy, &personalization);
        for request in 0..1 + edges.below(4) {
            let additional_len = edges.below(49);
            let mut additional = edges.bytes(additional_len);
            if edges.below(3) == 0 {
                additional.clear();
            }
            if edges.below(3) == 0 {
                let entropy = edges.array();
                drbg.reseed(&entropy, &additional).unwrap();
                want.reseed(&entropy, &additional);
                additional.clear();
            }
            let len = edges.len(LONGEST_REQUEST);
            let mut out = Placed::new(&vec![0xee; len], edges.offset());
            drbg.generate(&additional, out.get_mut()).unwrap();
            let of = &[("request", request), ("output", len)];
            let case = Case { backend, secret: &entropy, nonce: &personalization, of };
            assert!(out.unharmed() == Some(&want.generate(&additional, len)), "{case:?}");
        }
    });
}
