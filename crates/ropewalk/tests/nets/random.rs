//! Random cases that lean towards edges, against somebody else's implementation. Portable backends
//! are among those that are compared, so that every backend equals them too.

use std::fmt::{self, Debug, Formatter};

use ropewalk::{
    Error, aes_cbc, aes_gcm,
    sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256},
    sha256::{Sha256, Sha256Many},
};

use crate::{
    Cover, Net,
    common::edges::{Placed, cases},
    kinds::{Aead, AesCtr, BlockMode, Extendable, Hash, HashMany, Stream},
};

pub(crate) const NET: Net = Net {
    name: "random",
    primitives: &[
        ("aes-cbc", Cover::Backend(block_mode::<aes_cbc::Key>)),
        ("aes-ctr", Cover::Backend(streams)),
        ("aes-gcm", Cover::Backend(aead::<aes_gcm::Key>)),
        ("sha256", Cover::Backend(hash::<Sha256>)),
        ("sha256-many", Cover::Backend(hash_many::<Sha256Many>)),
        ("sha3", Cover::Backend(sha3)),
    ],
};

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
        let (aad_len, len) = (edges.len(1100), edges.len(LONGEST));
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
        let mut tag = A::independent(&secret, &nonce, &aad, &mut ciphertext);
        tag.truncate(tag_len);

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

fn streams(backend: &'static str) {
    stream::<AesCtr<32>>(backend);
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

fn hash_many<H: HashMany>(backend: &'static str) {
    cases(600, |edges| {
        let count = edges.len(70);
        let (longest, alike) = (edges.pick(&[64, 200, 1100, 5000]), edges.below(3) == 0);
        let len = edges.len(longest);
        let messages: Vec<_> = (0..count)
            .map(|_| {
                let len = if alike { len } else { edges.len(longest) };
                Placed::new(&edges.bytes(len), edges.offset())
            })
            .collect();
        let messages: Vec<_> = messages.iter().map(Placed::get).collect();
        let lens: Vec<_> = messages.iter().map(|message| message.len()).collect();
        for (many, name) in [(H::new(backend), backend), (H::best(), "the best")] {
            let mut digests = vec![H::Digest::default(); count];
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
