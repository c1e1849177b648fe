//! Messages of authenticated ciphers that come in pieces: what the nets try with them.

use ropewalk::{Error, aes_gcm, chacha20_poly1305};

#[cfg(unix)]
use crate::common::guarded::{End, Guarded};
use crate::{
    common::{
        Random,
        edges::{Placed, cases},
        thin,
    },
    kinds::Aead,
};

/// A key whose messages may come in pieces.
pub(crate) trait InPieces: Aead {
    type Stream: Clone;

    fn start(&self, nonce: &[u8]) -> Result<Self::Stream, Error>;
    fn absorb_aad(&self, stream: &mut Self::Stream, aad: &[u8]) -> Result<(), Error>;
    fn seal_piece(&self, stream: &mut Self::Stream, text: &mut [u8]) -> Result<(), Error>;
    fn seal_piece_to(
        &self,
        stream: &mut Self::Stream,
        from: &[u8],
        to: &mut [u8],
    ) -> Result<(), Error>;
    fn open_piece(&self, stream: &mut Self::Stream, text: &mut [u8]) -> Result<(), Error>;
    fn open_piece_to(
        &self,
        stream: &mut Self::Stream,
        from: &[u8],
        to: &mut [u8],
    ) -> Result<(), Error>;
    fn restart(&self, stream: &mut Self::Stream, nonce: &[u8]) -> Result<(), Error>;
    fn tag(&self, stream: Self::Stream) -> Vec<u8>;
    fn finish(&self, stream: &mut Self::Stream) -> Vec<u8>;
    fn verify(&self, stream: Self::Stream, tag: &[u8]) -> Result<(), Error>;
}

macro_rules! in_pieces {
    ($($module:ident)+) => { $(
        impl InPieces for $module::Key {
            type Stream = $module::Stream;

            fn start(&self, nonce: &[u8]) -> Result<Self::Stream, Error> {
                $module::Stream::new(self, nonce)
            }
            fn absorb_aad(&self, stream: &mut Self::Stream, aad: &[u8]) -> Result<(), Error> {
                stream.absorb_aad(self, aad)
            }
            fn seal_piece(&self, stream: &mut Self::Stream, text: &mut [u8]) -> Result<(), Error> {
                stream.seal(self, text)
            }
            fn seal_piece_to(
                &self,
                stream: &mut Self::Stream,
                from: &[u8],
                to: &mut [u8],
            ) -> Result<(), Error> {
                stream.seal_to(self, from, to)
            }
            fn open_piece(&self, stream: &mut Self::Stream, text: &mut [u8]) -> Result<(), Error> {
                stream.open_unverified(self, text)
            }
            fn open_piece_to(
                &self,
                stream: &mut Self::Stream,
                from: &[u8],
                to: &mut [u8],
            ) -> Result<(), Error> {
                stream.open_unverified_to(self, from, to)
            }
            fn restart(&self, stream: &mut Self::Stream, nonce: &[u8]) -> Result<(), Error> {
                stream.restart(self, nonce)
            }
            fn tag(&self, stream: Self::Stream) -> Vec<u8> {
                stream.tag(self).to_vec()
            }
            fn finish(&self, stream: &mut Self::Stream) -> Vec<u8> {
                stream.finish(self).to_vec()
            }
            fn verify(&self, stream: Self::Stream, tag: &[u8]) -> Result<(), Error> {
                stream.verify(self, tag)
            }
        }
    )+ };
}

in_pieces! { aes_gcm chacha20_poly1305 }

/// Against another implementation: any pieces, in place or copied, each sealed or opened by whichever of two
/// clones.
pub(crate) fn random<A: InPieces>(backend: &'static str) {
    cases(3000, |edges| {
        let key_len = edges.pick(A::KEY_LENS);
        let secret = edges.bytes(key_len);
        let nonce_len = match edges.below(3) {
            0 => edges.pick(A::NONCE_LENS),
            _ => A::NONCE_LENS[0],
        };
        let mut nonce = edges.bytes(nonce_len);
        let (aad_len, len) = (edges.len(1100), edges.len(65_600));
        if edges.below(8) == 0 {
            let blocks = 1 + edges.below(len / 16 + 2) as u32;
            nonce = A::wrapping_nonce(&secret, blocks).unwrap_or(nonce);
        }
        let (aad, plaintext) = (edges.bytes(aad_len), edges.bytes(len));
        let tag_len = edges.pick(A::TAG_LENS);
        let (aad_cuts, cuts) = (edges.cuts(aad_len), edges.cuts(len));
        let case = format!(
            "{backend}, key {secret:02x?}, nonce {nonce:02x?}, additional data cut at {aad_cuts:?}, \
             text at {cuts:?}, tag of {tag_len}"
        );
        let mut ciphertext = plaintext.clone();
        let tag = A::independent_of_len(&secret, &nonce, &aad, &mut ciphertext, tag_len);

        let mut key = A::new(&secret, backend).unwrap();
        key.set_tag_len(tag_len).unwrap();
        // Half of them after another message.
        let mut stream = key.start(&nonce).unwrap();
        if edges.below(2) == 0 {
            let other = edges.below(aad_len.min(len) + 1);
            stream = key.start(&edges.bytes(A::NONCE_LENS[0])).unwrap();
            key.absorb_aad(&mut stream, &aad[..other]).unwrap();
            key.seal_piece(&mut stream, &mut plaintext[other..].to_vec()).unwrap();
            key.restart(&mut stream, &nonce).unwrap();
        }
        for cut in aad_cuts.windows(2) {
            let piece = Placed::new(&aad[cut[0]..cut[1]], edges.offset());
            key.absorb_aad(&mut stream, piece.get()).unwrap();
        }
        let mut opening = stream.clone();
        for cut in cuts.windows(2) {
            let (plain, sealed) = (&plaintext[cut[0]..cut[1]], &ciphertext[cut[0]..cut[1]]);
            let (from, to) = (edges.offset(), edges.offset());
            let mut text = Placed::new(plain, from);
            let mut out = Placed::new(&vec![0xee; plain.len()], to);
            key.seal_piece_to(&mut stream.clone(), text.get(), out.get_mut()).unwrap();
            assert!(text.unharmed() == Some(plain), "input of {cut:?}: {case}");
            assert!(out.unharmed() == Some(sealed), "{cut:?} copied: {case}");
            out.get_mut().fill(0xee);
            key.open_piece_to(&mut opening.clone(), sealed, out.get_mut()).unwrap();
            assert!(out.unharmed() == Some(plain), "{cut:?} opened and copied: {case}");

            key.seal_piece(&mut stream, text.get_mut()).unwrap();
            assert!(text.unharmed() == Some(sealed), "{cut:?}: {case}");
            key.open_piece(&mut opening, text.get_mut()).unwrap();
            assert!(text.unharmed() == Some(plain), "{cut:?} opened: {case}");
            // What one has opened, the other goes on with.
            if edges.below(4) == 0 {
                std::mem::swap(&mut stream, &mut opening);
            }
        }
        assert_eq!(key.tag(opening.clone()), tag, "{case}");
        assert_eq!(key.verify(opening, &tag), Ok(()), "{case}");
        assert_eq!(key.finish(&mut stream), tag, "{case}");
    });
}

/// Two pieces of every length up to some steps of each kernel, as the portable backend has them in one.
pub(crate) fn splits<A: InPieces>(backend: &'static str) {
    let mut random = Random(41);
    let data = random.bytes(2100);
    let (secret, nonce) = (random.bytes(A::KEY_LENS[0]), random.bytes(A::NONCE_LENS[0]));
    let [portable, key] = [A::PORTABLE, backend].map(|name| A::new(&secret, name).unwrap());
    for first in thin((0..=80).chain([127, 128, 129, 255, 256, 257, 511, 512, 1023, 1024]), 13) {
        for second in thin((0..=80).step_by(5).chain((250..1075).step_by(55)), 3) {
            let (aad, text) = (&data[..first], &data[..first + second]);
            let mut want = text.to_vec();
            let tag = portable.seal(&nonce, aad, &mut want).unwrap();
            let mut stream = key.start(&nonce).unwrap();
            let (head, rest) = aad.split_at(second.min(first));
            key.absorb_aad(&mut stream, head).unwrap();
            key.absorb_aad(&mut stream, rest).unwrap();
            let (mut opening, mut sealed) = (stream.clone(), text.to_vec());
            let (head, rest) = sealed.split_at_mut(first);
            key.seal_piece(&mut stream, head).unwrap();
            key.seal_piece(&mut stream, rest).unwrap();
            assert!(sealed == want, "{backend}: {first} and {second}");
            assert_eq!(key.tag(stream), tag, "{backend}: {first} and {second}");
            let (head, rest) = sealed.split_at_mut(first);
            key.open_piece(&mut opening, head).unwrap();
            key.open_piece(&mut opening, rest).unwrap();
            assert!(sealed == text, "{backend}: {first} and {second} opened");
            assert_eq!(key.verify(opening, &tag), Ok(()), "{backend}: {first} and {second}");
        }
    }
}

/// A published vector, in chunks of so many bytes, and whether it is to be forged.
pub(crate) fn published<A: InPieces>(
    key: &A,
    [nonce, aad, plaintext, ciphertext, tag]: [&[u8]; 5],
    forged: bool,
    case: &str,
) {
    for len in [1, 7, 16, 64, 100] {
        let mut stream = key.start(nonce).unwrap();
        aad.chunks(len).for_each(|piece| key.absorb_aad(&mut stream, piece).unwrap());
        let mut opening = stream.clone();
        let mut text = ciphertext.to_vec();
        text.chunks_mut(len).for_each(|piece| key.open_piece(&mut opening, piece).unwrap());
        if forged {
            assert_eq!(key.verify(opening, tag), Err(Error::Forged), "{case}");
            continue;
        }
        assert_eq!(text, plaintext, "{case}");
        assert_eq!(key.verify(opening, tag), Ok(()), "{case}");
        text.chunks_mut(len).for_each(|piece| key.seal_piece(&mut stream, piece).unwrap());
        assert_eq!(text, ciphertext, "{case}");
        assert_eq!(key.tag(stream), tag, "{case}");
    }
}

/// What is refused, what that leaves alone, and tags that are wrong.
pub(crate) fn contracts<A: InPieces>(backend: &'static str) {
    splits::<A>(backend);
    let mut random = Random(42);
    let (secret, nonce) = (random.bytes(A::KEY_LENS[0]), random.bytes(A::NONCE_LENS[0]));
    let (aad, data) = (random.bytes(37), random.bytes(700));
    let mut key = A::new(&secret, backend).unwrap();
    let refused = key.start(&[]).map(drop);
    assert!(matches!(refused, Err(Error::Length { what: "nonce", got: 0, .. })), "{refused:?}");

    for len in [0, 1, 16, 50, 64, 700] {
        for tag_len in A::TAG_LENS.iter().copied() {
            key.set_tag_len(tag_len).unwrap();
            let (plaintext, mut sealed) = (&data[..len], data[..len].to_vec());
            let tag = key.seal(&nonce, &aad, &mut sealed).unwrap();
            let case = format!("{backend}, text of {len}, tag of {tag_len}");

            let mut stream = key.start(&nonce).unwrap();
            // What is empty begins no text.
            key.seal_piece(&mut stream, &mut []).unwrap();
            key.absorb_aad(&mut stream, &aad).unwrap();
            let mut out = vec![0xee; len + 1];
            let wrong = key.seal_piece_to(&mut stream, plaintext, &mut out);
            assert!(matches!(wrong, Err(Error::Length { what: "output", .. })), "{case}");
            let wrong = key.open_piece_to(&mut stream, plaintext, &mut out);
            assert!(matches!(wrong, Err(Error::Length { what: "output", .. })), "{case}");
            assert_eq!(out, vec![0xee; len + 1], "{case}");
            key.seal_piece_to(&mut stream, plaintext, &mut out[..len]).unwrap();
            assert!(out[..len] == sealed, "{case}");
            if len > 0 {
                for aad in [&b""[..], b"more"] {
                    let late = key.absorb_aad(&mut stream, aad);
                    assert_eq!(late, Err(Error::TextHasBegun), "{case}");
                }
            }
            assert_eq!(key.tag(stream.clone()), tag, "{case}");
            for wrong in (0..40).filter(|wrong| *wrong != tag_len) {
                let refused = key.verify(stream.clone(), &[0; 40][..wrong]);
                assert!(
                    matches!(refused, Err(Error::Length { what: "tag", got, .. }) if got == wrong),
                    "{case}: {refused:?}"
                );
            }
            for bit in 0..8 * tag_len {
                let mut tag = tag.clone();
                tag[bit / 8] ^= 1 << (bit % 8);
                let wrong = key.verify(stream.clone(), &tag);
                assert_eq!(wrong, Err(Error::Forged), "{case}, bit {bit}");
            }
            assert_eq!(key.verify(stream.clone(), &tag), Ok(()), "{case}");

            // What has ended takes nothing more, until it begins anew.
            assert_eq!(key.finish(&mut stream), tag, "{case}");
            let late = key.seal_piece(&mut stream, &mut [1]);
            assert!(matches!(late, Err(Error::Length { what: "text", .. })), "{case}: {late:?}");
            assert_eq!(key.absorb_aad(&mut stream, &aad), Err(Error::TextHasBegun), "{case}");
            let refused = key.restart(&mut stream, &[]);
            assert!(matches!(refused, Err(Error::Length { what: "nonce", .. })), "{case}");
            assert!(key.seal_piece(&mut stream, &mut [1]).is_err(), "{case}");
            key.restart(&mut stream, &nonce).unwrap();
            key.absorb_aad(&mut stream, &aad).unwrap();
            out[..len].copy_from_slice(plaintext);
            key.seal_piece(&mut stream, &mut out[..len]).unwrap();
            assert!(out[..len] == sealed, "{case}");
            assert_eq!(key.tag(stream), tag, "{case}");
        }
    }
}

/// Pieces at the edges of pages that fault.
#[cfg(unix)]
pub(crate) fn guards<A: InPieces>(backend: &'static str) {
    let mut random = Random(43);
    let data = random.bytes(4096);
    let (secret, nonce) = (random.bytes(A::KEY_LENS[0]), random.bytes(A::NONCE_LENS[0]));
    let key = A::new(&secret, backend).unwrap();
    let [mut from, mut to] = [(); 2].map(|()| Guarded::new(4096));
    let lens = (0..=130).chain([255, 256, 257, 400, 511, 512, 513, 1024, 1040, 2048, 4095, 4096]);
    for len in thin(lens, 17) {
        for (before, end) in [0, 5, 16, 64].into_iter().flat_map(|n| End::BOTH.map(|end| (n, end)))
        {
            let case = format!("{backend}, {end:?}, {len} after {before}");
            let mut want = [&data[..before], &data[..len]].concat();
            let tag = key.seal(&nonce, &data[..len], &mut want).unwrap();
            let mut stream = key.start(&nonce).unwrap();
            key.absorb_aad(&mut stream, from.hold(end, &data[..len])).unwrap();
            key.seal_piece(&mut stream, &mut data[..before].to_vec()).unwrap();
            let mut opening = stream.clone();
            let out = to.room(end, len);
            key.seal_piece_to(&mut stream.clone(), from.hold(end, &data[..len]), out).unwrap();
            assert!(*out == want[before..], "copied: {case}");
            let sealed = from.hold(end, &want[before..]);
            key.open_piece_to(&mut opening.clone(), sealed, out).unwrap();
            assert!(*out == data[..len], "copied: {case}");
            key.seal_piece(&mut stream, out).unwrap();
            assert!(*out == want[before..], "in place: {case}");
            key.open_piece(&mut opening, out).unwrap();
            assert!(*out == data[..len], "in place: {case}");
            assert_eq!(key.tag(stream), tag, "{case}");
            assert_eq!(key.verify(opening, &tag), Ok(()), "{case}");
        }
    }
}

/// A text that becomes too long, and then does not.
#[cfg(all(unix, target_pointer_width = "64"))]
pub(crate) fn limits<A: InPieces>(backend: &str, longest: u64, vast: &mut [u8]) {
    let key = A::new(&vec![7; A::KEY_LENS[0]], backend).unwrap();
    let nonce = vec![1; A::NONCE_LENS[0]];
    let (mut stream, mut text) = (key.start(&nonce).unwrap(), [5; 21]);
    key.seal_piece(&mut stream, &mut text[..20]).unwrap();
    let beyond = &mut vast[..(longest - 19) as usize];
    for result in [key.seal_piece(&mut stream, beyond), key.open_piece(&mut stream, beyond)] {
        assert!(
            matches!(result, Err(Error::Length { what: "text", got, .. }) if got as u64 == longest + 1),
            "{backend}: {result:?}"
        );
    }
    key.seal_piece(&mut stream, &mut text[20..]).unwrap();
    let mut whole = [5; 21];
    let tag = key.seal(&nonce, b"", &mut whole).unwrap();
    assert_eq!((text, key.tag(stream)), (whole, tag), "{backend}");
}
