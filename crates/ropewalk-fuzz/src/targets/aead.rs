//! Authenticated ciphers: keys that change, messages that are sealed and opened whole and in pieces, and forgeries, beside one
//! call of the portable backend.

use ropewalk::{Error, aes_ccm, aes_gcm, chacha20_poly1305};

use super::{Backends, Calls, Row, run_one, tampered};
use crate::{
    Case,
    common::edges::Placed,
    kinds::Aead,
    pieces::InPieces,
    text::{LONGEST, filled},
};

pub(super) const ROWS: &[Row] = &[
    Row { primitive: "aes-gcm", run: in_pieces::<aes_gcm::Key> },
    Row { primitive: "aes-ccm", run: whole::<aes_ccm::Key> },
    Row { primitive: "chacha20-poly1305", run: in_pieces::<chacha20_poly1305::Key> },
];

pub(super) fn run(case: &mut Case<'_>) {
    run_one(case, ROWS);
}

/// A key on both backends.
#[derive(Clone)]
struct Keys<A> {
    tried: A,
    portable: A,
    tag_len: usize,
}

/// What is sealed, and what comes of it.
struct Sealed {
    nonce: &'static [u8],
    aad: &'static [u8],
    text: &'static [u8],
    sealed: Vec<u8>,
    tag: Vec<u8>,
}

impl<A: Aead + Clone> Keys<A> {
    fn new(case: &mut Case<'_>, calls: &mut Calls, backends: Backends) -> Self {
        let len = case.pick(A::KEY_LENS);
        let secret = case.text(len);
        calls.begin(|| format!("new key of {len} bytes"));
        let key = |backend| A::new(secret, backend).unwrap();
        let tag_len = A::TAG_LENS[0];
        Self { tried: key(backends.tried), portable: key(backends.portable), tag_len }
    }

    /// Another secret, of a length that may be wrong.
    fn rekey(&mut self, case: &mut Case<'_>, calls: &mut Calls) {
        let len = if case.rarely(3) { case.below(70) } else { case.pick(A::KEY_LENS) };
        let secret = case.text(len);
        calls.begin(|| format!("rekey with {len} bytes"));
        let done = self.tried.rekey(secret);
        assert_eq!(done.is_ok(), A::KEY_LENS.contains(&len));
        assert_eq!(done, self.portable.rekey(secret));
        // One of them makes another key, with tags of the usual length.
        self.set_tag_len(self.tag_len);
    }

    fn set_tag_len(&mut self, len: usize) {
        let done = self.tried.set_tag_len(len);
        assert_eq!(done.is_ok(), A::TAG_LENS.contains(&len));
        assert_eq!(done, self.portable.set_tag_len(len));
        self.tag_len = if done.is_ok() { len } else { self.tag_len };
    }

    /// A message, as the portable backend seals it; none where its nonce is refused by both.
    fn message(&self, case: &mut Case<'_>, calls: &mut Calls) -> Option<Sealed> {
        let nonce_len = match case.below(6) {
            0 => case.len(300),
            1 => case.pick(A::NONCE_LENS),
            _ => A::NONCE_LENS[0],
        };
        let longest = A::longest_text(nonce_len).min(LONGEST as u64) as usize;
        let (nonce, aad) = (case.text(nonce_len), case.any_text(1100));
        let text = case.any_text(longest);
        calls.begin(|| {
            let (aad, text) = (aad.len(), text.len());
            format!("message: nonce of {nonce_len}, {aad} bytes besides, text of {text}")
        });
        let mut sealed = text.to_vec();
        match self.portable.seal(nonce, aad, &mut sealed) {
            Ok(tag) => Some(Sealed { nonce, aad, text, sealed, tag }),
            Err(error) => {
                let mut out = text.to_vec();
                assert_eq!(self.tried.seal(nonce, aad, &mut out), Err(error));
                assert!(out == text, "what is refused is untouched");
                None
            }
        }
    }

    fn seal(&self, case: &mut Case<'_>, calls: &mut Calls, message: &Sealed) {
        let Sealed { nonce, aad, text, sealed, tag } = message;
        let (key, len) = (&self.tried, text.len());
        let mut out = filled(len + tag.len(), case.below(64));
        match case.below(4) {
            0 => {
                calls.begin(|| "seal".into());
                out.get_mut()[..len].copy_from_slice(text);
                let got = key.seal(nonce, aad, &mut out.get_mut()[..len]).unwrap();
                out.get_mut()[len..].copy_from_slice(&got);
            }
            1 => {
                calls.begin(|| "seal_to".into());
                let got = key.seal_to(nonce, aad, text, &mut out.get_mut()[..len]).unwrap();
                out.get_mut()[len..].copy_from_slice(&got);
            }
            2 => {
                calls.begin(|| "seal_appended".into());
                out.get_mut()[..len].copy_from_slice(text);
                key.seal_appended(nonce, aad, out.get_mut()).unwrap();
            }
            _ => {
                calls.begin(|| "seal_appended_to".into());
                key.seal_appended_to(nonce, aad, text, out.get_mut()).unwrap();
            }
        }
        let out = out.unharmed().expect("nothing around it is written");
        assert!(out[..len] == *sealed, "the text");
        assert_eq!(out[len..], *tag, "the tag");
    }

    /// Opens it, with something about it that may be wrong.
    fn open(&self, case: &mut Case<'_>, calls: &mut Calls, message: &Sealed) {
        let Sealed { nonce, aad, text, sealed, tag } = message;
        let (key, len) = (&self.tried, text.len());
        let (mut input, mut tag) = (sealed.clone(), tag.clone());
        let wrong = case.below(4);
        match wrong {
            0 => tag = tampered(case, tag),
            1 => input = tampered(case, input),
            _ => {}
        }
        calls.begin(|| format!("open, {} bytes with a tag of {}", input.len(), tag.len()));
        let same_len = input.len() == len && tag.len() == message.tag.len();
        let mut out = filled(input.len(), case.below(64));
        let result = match case.below(4) {
            0 => {
                out.get_mut().copy_from_slice(&input);
                key.open(nonce, aad, out.get_mut(), &tag)
            }
            1 => key.open_to(nonce, aad, &input, out.get_mut(), &tag),
            // Where a tag has another length, other bytes are the tag.
            2 if same_len => {
                let mut whole = [&input[..], &tag].concat();
                let opened = key.open_appended(nonce, aad, &mut whole);
                out.get_mut().copy_from_slice(&whole[..input.len()]);
                opened.map(|opened| assert_eq!(opened, len))
            }
            3 if same_len => {
                let whole = [&input[..], &tag].concat();
                key.open_appended_to(nonce, aad, &whole, out.get_mut())
            }
            _ => {
                out.get_mut().copy_from_slice(&input);
                key.open(nonce, aad, out.get_mut(), &tag)
            }
        };
        let out = out.unharmed().expect("nothing around it is written");
        if tag.len() != message.tag.len() {
            assert!(matches!(result, Err(Error::Length { what: "tag", .. })), "{result:?}");
            assert!(out == input || out.iter().all(|byte| *byte == 0xee), "it is untouched");
        } else if input != *sealed || tag != message.tag {
            assert_eq!(result, Err(Error::Forged));
            assert!(out.iter().all(|byte| *byte == 0), "what is forged is zeroed");
        } else {
            assert_eq!(result, Ok(()));
            assert!(out == *text, "the text");
        }
    }
}

fn whole<A: Aead + Clone>(case: &mut Case<'_>, backends: Backends) {
    sequence::<A>(case, backends, |_, _, _| {});
}

fn in_pieces<A: InPieces + Clone>(case: &mut Case<'_>, backends: Backends) {
    sequence::<A>(case, backends, pieces);
}

/// What is done with keys, and what besides.
fn sequence<A: Aead + Clone>(
    case: &mut Case<'_>,
    backends: Backends,
    besides: fn(&mut Case<'_>, &mut Calls, &Keys<A>),
) {
    let mut calls = Calls::new(backends.tried);
    let mut keys = Keys::<A>::new(case, &mut calls, backends);
    while case.goes_on() {
        match case.below(10) {
            0 => keys = Keys::new(case, &mut calls, backends),
            1 => keys.rekey(case, &mut calls),
            2 => {
                let len = if case.rarely(3) { case.below(20) } else { case.pick(A::TAG_LENS) };
                calls.begin(|| format!("tags of {len} bytes"));
                keys.set_tag_len(len);
            }
            3 => {
                calls.begin(|| "clone of the key".into());
                keys = keys.clone();
            }
            4..7 => {
                if let Some(message) = keys.message(case, &mut calls) {
                    keys.seal(case, &mut calls, &message);
                    keys.open(case, &mut calls, &message);
                }
            }
            _ => besides(case, &mut calls, &keys),
        }
    }
}

/// A message in pieces, sealed and opened, by clones of its stream too; and then perhaps another one with the same stream.
fn pieces<A: InPieces + Clone>(case: &mut Case<'_>, calls: &mut Calls, keys: &Keys<A>) {
    let key = &keys.tried;
    let mut stream = key.start(case.text(A::NONCE_LENS[0])).unwrap();
    for _ in 0..=case.below(2) {
        let Some(message) = keys.message(case, calls) else { return };
        let Sealed { nonce, aad, text, sealed, tag } = &message;
        calls.begin(|| "stream: restart".into());
        key.restart(&mut stream, nonce).unwrap();
        for piece in case.pieces(aad) {
            calls.begin(|| format!("stream: additional data, {} bytes", piece.len()));
            key.absorb_aad(&mut stream, piece).unwrap();
        }
        let (mut opening, mut at) = (stream.clone(), 0);
        for piece in case.pieces(text) {
            calls.begin(|| format!("stream: text, {} bytes", piece.len()));
            let to = at + piece.len();
            let mut out = filled(piece.len(), case.below(64));
            one_piece::<A>(case, key, &mut stream, (piece, &mut out), true);
            assert!(out.unharmed() == Some(&sealed[at..to]), "what is sealed");
            let mut out = filled(piece.len(), case.below(64));
            one_piece::<A>(case, key, &mut opening, (&sealed[at..to], &mut out), false);
            assert!(out.unharmed() == Some(piece), "what is opened");
            at = to;
            if case.rarely(4) {
                calls.begin(|| "stream: each goes on as the other".into());
                std::mem::swap(&mut stream, &mut opening);
            }
            if case.rarely(6) && !text[..at].is_empty() {
                assert_eq!(key.absorb_aad(&mut stream, b"late"), Err(Error::TextHasBegun));
            }
        }
        ended::<A>(case, calls, key, (opening, tag));
        calls.begin(|| "stream: finish".into());
        assert_eq!(key.finish(&mut stream), *tag, "the tag");
        assert!(key.seal_piece(&mut stream, &mut [1]).is_err(), "it has ended");
    }
}

/// Seals or opens one piece, in place or to another place.
fn one_piece<A: InPieces>(
    case: &mut Case<'_>,
    key: &A,
    stream: &mut A::Stream,
    (from, to): (&[u8], &mut Placed),
    seals: bool,
) {
    let to = to.get_mut();
    let in_place = case.below(2) == 0;
    if in_place {
        to.copy_from_slice(from);
    }
    match (seals, in_place) {
        (true, true) => key.seal_piece(stream, to),
        (true, false) => key.seal_piece_to(stream, from, to),
        (false, true) => key.open_piece(stream, to),
        (false, false) => key.open_piece_to(stream, from, to),
    }
    .unwrap();
}

/// The tag of what has come, and whether another one is taken for it.
fn ended<A: InPieces>(
    case: &mut Case<'_>,
    calls: &mut Calls,
    key: &A,
    (stream, tag): (A::Stream, &[u8]),
) {
    let wrong = tampered(case, tag.to_vec());
    calls.begin(|| format!("stream: verify {wrong:02x?}"));
    let result = key.verify(stream.clone(), &wrong);
    if wrong == tag {
        assert_eq!(result, Ok(()));
    } else if wrong.len() == tag.len() {
        assert_eq!(result, Err(Error::Forged));
    } else {
        assert!(matches!(result, Err(Error::Length { what: "tag", .. })), "{result:?}");
    }
    assert_eq!(key.verify(stream.clone(), tag), Ok(()));
    assert_eq!(key.tag(stream), tag);
}
