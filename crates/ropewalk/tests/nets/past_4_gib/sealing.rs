//! Authenticated ciphers.

use ropewalk::{Error, aes_ccm, aes_gcm, chacha20_poly1305};

use super::{
    AAD, Batch, LEN, ZERO_WINDOWS, assert_windows, has_instructions, is_chosen,
    known::{Form, InParts, Sealed, once, sealed},
    pieces, secret, through,
};
use crate::{
    common::{
        all,
        repeated::{PERIOD, Room, text},
    },
    independent,
    kinds::{Aead, AeadMany, Sealing},
    pieces::InPieces,
};

/// A key, and the text sealed and opened with it.
pub(super) fn aead<A: InParts>(backend: &str) -> (A, Sealed) {
    let secret = secret(A::KEY_LENS[0]);
    (A::new(&secret, backend).unwrap(), sealed::<A>(&secret, AAD, LEN, Form::Copied))
}

pub(super) fn seal<A: InParts>(backend: &'static str) {
    let ((key, want), mut room) = (aead::<A>(backend), Room::new());
    let tag = key.seal_to(A::NONCE, AAD, text(LEN), &mut room[..LEN]);
    assert_eq!(tag, Ok(want.tag), "{backend}");
    assert_windows(&room[..LEN], &want.windows, backend);
}

pub(super) fn open<A: InParts>(backend: &'static str) {
    let ((key, want), mut room) = (aead::<A>(backend), Room::new());
    let opened = key.open_to(A::NONCE, AAD, text(LEN), &mut room[..LEN], &want.opened_tag);
    assert_eq!(opened, Ok(()), "{backend}");
    assert_windows(&room[..LEN], &want.windows, backend);
}

/// A wrong tag: the whole output is wiped.
pub(super) fn open_forged<A: InParts>(backend: &'static str) {
    let ((key, want), mut room) = (aead::<A>(backend), Room::new());
    let opened = key.open_to(A::NONCE, AAD, text(LEN), &mut room[..LEN], &want.tag);
    assert_eq!(opened, Err(Error::Forged), "{backend}");
    assert_windows(&room[..LEN], &ZERO_WINDOWS.map(Vec::from), backend);
}

pub(super) fn seal_in_pieces<A: InParts + InPieces>(backend: &'static str) {
    let ((key, want), mut room) = (aead::<A>(backend), Room::new());
    let mut stream = key.start(A::NONCE).unwrap();
    key.absorb_aad(&mut stream, AAD).unwrap();
    for piece in pieces() {
        key.seal_piece_to(&mut stream, &text(LEN)[piece.clone()], &mut room[piece]).unwrap();
    }
    assert_windows(&room[..LEN], &want.windows, backend);
    assert_eq!(key.tag(stream), want.tag, "{backend} in pieces");
}

pub(super) fn open_in_pieces<A: InParts + InPieces>(backend: &'static str) {
    let ((key, want), mut room) = (aead::<A>(backend), Room::new());
    let mut stream = key.start(A::NONCE).unwrap();
    key.absorb_aad(&mut stream, AAD).unwrap();
    for piece in pieces() {
        key.open_piece_to(&mut stream, &text(LEN)[piece.clone()], &mut room[piece]).unwrap();
    }
    assert_windows(&room[..LEN], &want.windows, backend);
    assert_eq!(key.verify(stream.clone(), &want.tag), Err(Error::Forged), "{backend} in pieces");
    assert_eq!(key.verify(stream, &want.opened_tag), Ok(()), "{backend} in pieces");
}

/// Additional data of more than 4 GiB.
pub(super) fn long_aad<A: InParts>(backend: &'static str) {
    let secret = secret(A::KEY_LENS[0]);
    let (key, mut out) = (A::new(&secret, backend).unwrap(), AAD.to_vec());
    let tag = key.seal(A::NONCE, text(LEN), &mut out).unwrap();
    let want = once(&format!("{} of additional data", A::PORTABLE), || {
        let mut out = AAD.to_vec();
        vec![A::independent(&secret, A::NONCE, text(LEN), &mut out), out]
    });
    assert_eq!([tag, out], *want, "{backend}");
}

pub(super) fn aes_gcm(backend: &'static str) {
    type Key = aes_gcm::Key;
    open_in_pieces::<Key>(backend);
    // Portable, it takes a minute.
    if all() || !backend.ends_with("/portable") {
        seal::<Key>(backend);
    }
    if all() || has_instructions(backend) {
        open_forged::<Key>(backend);
        long_aad::<Key>(backend);
    }
    if all() {
        open::<Key>(backend);
        seal_in_pieces::<Key>(backend);
    }
    if is_chosen(backend) && has_instructions(backend) {
        aes_gcm_to_the_end(backend);
    }
}

/// The longest text, 2^36 - 32 bytes, and one byte more. With instructions for AES it takes half a minute.
pub(super) fn aes_gcm_to_the_end(backend: &'static str) {
    let (secret, nonce) = (secret(16), &[9; 12]);
    let key = aes_gcm::Key::with_backend(&secret, backend).unwrap();
    let mut stream = aes_gcm::Stream::new(&key, nonce).unwrap();
    let mut room = Room::new();
    let last = through(aes_gcm::LONGEST_TEXT as usize, |len| {
        stream.seal_to(&key, text(len), &mut room[..len]).unwrap();
        room[len - 32..len].to_vec()
    });
    // The key stream of the last two counters.
    let (mut want, mut iv) = (text(last.len).last_chunk::<32>().unwrap().to_vec(), [9; 16]);
    iv[12..].copy_from_slice(&(u32::MAX - 1).to_be_bytes());
    independent::ctr(32, &secret, &iv, &mut want);
    assert_eq!(last.output, want, "{backend}");
    let refused = stream.seal(&key, &mut [0]);
    assert!(matches!(refused, Err(Error::Length { what: "text", .. })), "{backend}: {refused:?}");
    assert_eq!(stream.seal(&key, &mut []), Ok(()), "{backend}");
}

pub(super) fn aes_ccm(backend: &'static str) {
    type Key = aes_ccm::Key;
    seal::<Key>(backend);
    let key = <Key as Aead>::new(&secret(16), backend).unwrap();
    let mut room = Room::new();
    for nonce in [&[9; 11][..], &[9; 12], &[9; 13]] {
        let refused = Aead::seal_to(&key, nonce, AAD, text(LEN), &mut room[..LEN]);
        assert!(
            matches!(refused, Err(Error::Length { what: "text", got: LEN, .. })),
            "{backend}: {refused:?}"
        );
    }
    assert!(room[..PERIOD] == *text(PERIOD), "{backend}");
    if all() || has_instructions(backend) {
        long_aad::<Key>(backend);
    }
    // The portable backend decrypts the whole text, and then reads the output again to authenticate it, which `Room` does not
    // allow.
    if has_instructions(backend) || all() && backend != Key::PORTABLE {
        open::<Key>(backend);
        open_forged::<Key>(backend);
    }
}

pub(super) fn chacha20_poly1305(backend: &'static str) {
    type Key = chacha20_poly1305::Key;
    seal::<Key>(backend);
    open_forged::<Key>(backend);
    open_in_pieces::<Key>(backend);
    long_aad::<Key>(backend);
    if all() {
        open::<Key>(backend);
        seal_in_pieces::<Key>(backend);
    }
}

pub(super) fn aead_many<M: AeadMany<Key: InParts>>(backend: &'static str) {
    let secret = secret(M::Key::KEY_LENS[0]);
    let key = M::Key::new(&secret, M::ONE.chosen().unwrap().name).unwrap();
    let many = M::with_backend(backend).unwrap();
    let nonce = <M::Key as InParts>::NONCE;
    let Sealed { tag, opened_tag, windows } = sealed::<M::Key>(&secret, AAD, LEN, Form::InPlace);
    let mut short = vec![1; 40];
    let short_tag = M::Key::independent(&secret, nonce, AAD, &mut short);

    let mut batch = Batch::new(&[1; 40]);
    let mut messages = batch.texts(LEN).map(|text| Sealing { key: &key, nonce, aad: AAD, text });
    let tags = many.seal(&mut messages, 5).unwrap();
    assert_eq!(tags, [&short_tag, &tag, &tag, &short_tag, &short_tag].map(Vec::clone), "{backend}");
    let [_, first, second, ..] = batch.texts(LEN);
    assert_windows(first, &windows, backend);
    assert_windows(second, &windows, backend);
    assert_eq!(batch.short, [(); 3].map(|()| short.clone()), "{backend}");

    let (mut batch, mut results) = (Batch::new(&short), [Ok(()); 5]);
    let mut messages = batch.texts(LEN).map(|text| Sealing { key: &key, nonce, aad: AAD, text });
    let tags = [&short_tag, &tag, &opened_tag, &short_tag, &short_tag].map(Vec::as_slice);
    many.open(&mut messages, &tags, &mut results).unwrap();
    assert_eq!(results, [Ok(()), Err(Error::Forged), Ok(()), Ok(()), Ok(())], "{backend}");
    let [_, first, second, ..] = batch.texts(LEN);
    assert_windows(first, &ZERO_WINDOWS.map(Vec::from), backend);
    assert_windows(second, &windows, backend);
    assert_eq!(batch.short, [(); 3].map(|()| vec![1; 40]), "{backend}");
}

pub(super) fn aes_ccm_many(backend: &'static str) {
    // The portable backend reads each text twice, which `Room` does not allow in place.
    if aes_ccm::PRIMITIVE.chosen().is_some_and(|info| info.name == aes_ccm::Key::PORTABLE) {
        return;
    }
    aead_many::<aes_ccm::Many>(backend);
}
