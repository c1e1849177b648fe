//! The operations of ChaCha20, Poly1305 and both.

use ropewalk::{
    chacha20::{self, Stream},
    chacha20_poly1305,
    poly1305::{self, Poly1305},
};

use super::{Case, Outcome, Secret, forge, must_be_forged, secret, tell};

pub(super) fn in_place(case: &Case) -> Outcome {
    let key = chacha20::Key::with_backend(&secret(case.key), case.backend)?;
    let mut text = secret(case.len);
    key.apply_keystream(1, &NONCE, &mut text)?;
    tell(&mut text)
}

pub(super) fn to(case: &Case) -> Outcome {
    let key = chacha20::Key::with_backend(&secret(case.key), case.backend)?;
    let mut output = vec![0; case.len];
    key.apply_keystream_to(1, &NONCE, &secret(case.len), &mut output)?;
    tell(&mut output)
}

pub(super) fn stream(case: &Case) -> Outcome {
    let key = chacha20::Key::with_backend(&secret(case.key), case.backend)?;
    let mut stream = Stream::new(1, &NONCE);
    let mut text = secret(case.len);
    for piece in text.chunks_mut(37) {
        stream.apply_keystream(&key, piece)?;
    }
    tell(&mut text)
}

pub(super) fn seal(case: &Case) -> Outcome {
    let key = new_key(case)?;
    let mut text = secret(case.len);
    let tag = key.seal(&NONCE, &aad(case), &mut text)?;
    tell(&mut text)?;
    tell(&mut tag.to_vec())
}

pub(super) fn open(case: &Case) -> Outcome {
    let key = new_key(case)?;
    let (mut text, tag) = sealed(&key, case)?;
    let mut copy = vec![0; case.len];
    key.open_to(&NONCE, &aad(case), &text, &mut copy, &tag)?;
    tell(&mut copy)?;
    key.open(&NONCE, &aad(case), &mut text, &tag)?;
    tell(&mut text)
}

pub(super) fn open_forged(case: &Case) -> Outcome {
    let key = new_key(case)?;
    let (mut text, mut tag) = sealed(&key, case)?;
    forge(&mut tag, case);
    must_be_forged(key.open_to(&NONCE, &aad(case), &text, &mut vec![0; case.len], &tag))?;
    must_be_forged(key.open(&NONCE, &aad(case), &mut text, &tag))
}

/// In pieces of all kinds: steps of kernels, whole blocks, and what is no block.
pub(super) fn in_pieces(case: &Case) -> Outcome {
    let key = new_key(case)?;
    for len in [37, 320, 1100] {
        let (aad, mut text) = (aad(case), secret(case.len));
        let mut stream = chacha20_poly1305::Stream::new(&key, &NONCE)?;
        for piece in aad.chunks(len) {
            stream.absorb_aad(&key, piece)?;
        }
        let mut opening = stream.clone();
        for piece in text.chunks_mut(len) {
            stream.seal(&key, piece)?;
        }
        tell(&mut text)?;
        let mut tag = stream.tag(&key).to_vec();
        tell(&mut tag)?;
        let mut plain = vec![0; case.len];
        for (from, to) in text.chunks(len).zip(plain.chunks_mut(len)) {
            opening.open_unverified_to(&key, from, to)?;
        }
        tell(&mut plain)?;
        opening.clone().verify(&key, &tag)?;
        forge(&mut tag, case);
        must_be_forged(opening.verify(&key, &tag))?;
    }
    Ok(())
}

/// Additional data has loops of its own, which nothing above is long enough for.
pub(super) fn long_aad(case: &Case) -> Outcome {
    let (key, aad) = (new_key(case)?, secret(case.len));
    let mut text = secret(case.len % 61);
    let mut tag = key.seal(&NONCE, &aad, &mut text)?.to_vec();
    tell(&mut tag)?;
    tell(&mut text)?;
    key.open(&NONCE, &aad, &mut text, &tag)?;
    tell(&mut text)
}

pub(super) fn appended(case: &Case) -> Outcome {
    let key = new_key(case)?;
    let mut message = vec![0; case.len + 16];
    key.seal_appended_to(&NONCE, &aad(case), &secret(case.len), &mut message)?;
    tell(&mut message)?;
    let mut text = vec![0; case.len];
    key.open_appended_to(&NONCE, &aad(case), &message, &mut text)?;
    tell(&mut text)?;

    let mut message = secret(case.len + 16);
    key.seal_appended(&NONCE, &aad(case), &mut message)?;
    tell(&mut message)?;
    tell(key.open_appended(&NONCE, &aad(case), &mut message)?)
}

pub(super) fn mac(case: &Case) -> Outcome {
    let tag = poly1305::mac_with_backend(&mac_key(), &secret(case.len), case.backend)?;
    tell(&mut tag.to_vec())
}

pub(super) fn mac_in_pieces(case: &Case) -> Outcome {
    let mut mac = Poly1305::with_backend(&mac_key(), case.backend)?;
    for piece in secret(case.len).chunks(37) {
        mac.update(piece);
    }
    tell(&mut mac.finish().to_vec())
}

pub(super) fn verify(case: &Case) -> Outcome {
    let message = secret(case.len);
    let tag = poly1305::mac_with_backend(&mac_key(), &message, case.backend)?;
    let mut sent: [u8; 16] = *tag;
    tell(&mut sent)?;
    let verify = |sent: &[u8; 16]| {
        let mut mac = Poly1305::with_backend(&mac_key(), case.backend)?;
        mac.update(&message);
        mac.verify(sent)
    };
    verify(&sent)?;
    poly1305::verify(&mac_key(), &message, &sent)?;
    forge(&mut sent, case);
    must_be_forged(verify(&sent))?;
    must_be_forged(poly1305::verify(&mac_key(), &message, &sent))
}

fn mac_key() -> [u8; 32] {
    secret(32)[..].try_into().expect("as many as asked for")
}

#[inline(always)]
fn new_key(case: &Case) -> Result<chacha20_poly1305::Key, ropewalk::Error> {
    chacha20_poly1305::Key::with_backend(&secret(case.key), case.backend)
}

/// What a key has sealed: public, as it has been sent.
fn sealed(
    key: &chacha20_poly1305::Key,
    case: &Case,
) -> Result<(Vec<u8>, Vec<u8>), Box<dyn std::error::Error>> {
    let mut text = secret(case.len);
    let mut tag = key.seal(&NONCE, &aad(case), &mut text)?.to_vec();
    tell(&mut text)?;
    tell(&mut tag)?;
    Ok((text.to_vec(), tag))
}

const NONCE: [u8; 12] = [7; 12];

/// It is no secret, but nothing has a reason to depend on it.
fn aad(case: &Case) -> Secret {
    secret(case.len % 61)
}
