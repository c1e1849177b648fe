//! The operations of AES-GCM.

use std::error::Error;

use ropewalk::aes_gcm::{self, Gmac, Sealer, Stream};

use super::{Case, Outcome, Secret, forge, must_be_forged, secret, tell};

pub(super) fn seal(case: &Case) -> Outcome {
    let key = new_key(case)?;
    for nonce in NONCES {
        let mut text = secret(case.len);
        let tag = key.seal(nonce, &aad(case), &mut text)?;
        tell(&mut text)?;
        tell(&mut tag.to_vec())?;
    }
    Ok(())
}

pub(super) fn open(case: &Case) -> Outcome {
    let key = new_key(case)?;
    for nonce in NONCES {
        let (mut text, tag) = sealed(&key, nonce, case)?;
        let mut copy = vec![0; case.len];
        key.open_to(nonce, &aad(case), &text, &mut copy, &tag)?;
        tell(&mut copy)?;
        key.open(nonce, &aad(case), &mut text, &tag)?;
        tell(&mut text)?;
    }
    Ok(())
}

pub(super) fn open_forged(case: &Case) -> Outcome {
    let mut key = new_key(case)?;
    key.set_tag_len(tag_len(case))?;
    for nonce in NONCES {
        let (mut text, mut tag) = sealed(&key, nonce, case)?;
        forge(&mut tag, case);
        must_be_forged(key.open_to(nonce, &aad(case), &text, &mut vec![0; case.len], &tag))?;
        must_be_forged(key.open(nonce, &aad(case), &mut text, &tag))?;
    }
    Ok(())
}

/// In pieces of all kinds: steps of kernels, whole blocks, and what is no block.
pub(super) fn in_pieces(case: &Case) -> Outcome {
    let key = new_key(case)?;
    for nonce in NONCES {
        for len in [37, 272, 1100] {
            let (aad, mut text) = (aad(case), secret(case.len));
            let mut stream = Stream::new(&key, nonce)?;
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
    }
    Ok(())
}

/// Additional data has loops of its own, which nothing above is long enough for.
pub(super) fn long_aad(case: &Case) -> Outcome {
    let (key, aad) = (new_key(case)?, secret(case.len));
    let mut text = secret(case.len % 61);
    let mut tag = key.seal(NONCES[0], &aad, &mut text)?.to_vec();
    tell(&mut tag)?;
    tell(&mut text)?;
    key.open(NONCES[0], &aad, &mut text, &tag)?;
    tell(&mut text)
}

pub(super) fn appended(case: &Case) -> Outcome {
    let mut key = new_key(case)?;
    key.set_tag_len(tag_len(case))?;
    for nonce in NONCES {
        let mut message = vec![0; case.len + tag_len(case)];
        key.seal_appended_to(nonce, &aad(case), &secret(case.len), &mut message)?;
        tell(&mut message)?;
        let mut text = vec![0; case.len];
        key.open_appended_to(nonce, &aad(case), &message, &mut text)?;
        tell(&mut text)?;

        let mut message = secret(case.len + tag_len(case));
        key.seal_appended(nonce, &aad(case), &mut message)?;
        tell(&mut message)?;
        tell(key.open_appended(nonce, &aad(case), &mut message)?)?;
    }
    Ok(())
}

pub(super) fn sealer(case: &Case) -> Outcome {
    let counter = Sealer::counter(new_key(case)?, [7; 4], 7);
    for mut sealer in [counter, Sealer::random(new_key(case)?)] {
        let mut message = vec![0; 12 + case.len + 16];
        sealer.seal_message(&aad(case), &secret(case.len), &mut message)?;
        // The nonce is none.
        tell(&mut message[12..])?;
        let mut text = vec![0; case.len];
        sealer.open_message(&aad(case), &message, &mut text)?;
        tell(&mut text)?;

        let mut text = secret(case.len);
        let (_, tag) = sealer.seal(&aad(case), &mut text)?;
        tell(&mut text)?;
        tell(&mut tag.to_vec())?;
    }
    Ok(())
}

pub(super) fn compare(case: &Case) -> Outcome {
    let mut key = new_key(case)?;
    for len in [16, tag_len(case)] {
        key.set_tag_len(len)?;
        let seal = |aad| key.seal(NONCES[0], aad, &mut secret(case.len));
        if seal(&aad(case))? == seal(&secret(62))? {
            return Err("tags of different messages are the same".into());
        }
    }
    Ok(())
}

pub(super) fn rekey(case: &Case) -> Outcome {
    let mut key = aes_gcm::Key::with_backend(&secret(24), case.backend)?;
    key.rekey(&secret(case.key))?;
    for nonce in NONCES {
        let (mut text, plain) = (vec![0; case.len], vec![7; case.len]);
        let mut tag = key.seal_to(nonce, &aad(case), &plain, &mut text)?.to_vec();
        tell(&mut text)?;
        tell(&mut tag)?;
        key.open(nonce, &aad(case), &mut text, &tag)?;
        tell(&mut text)?;
    }
    Ok(())
}

pub(super) fn gmac(case: &Case) -> Outcome {
    let (key, message) = (Gmac::with_backend(&secret(case.key), case.backend)?, secret(case.len));
    for nonce in NONCES {
        let mut tag = key.mac(nonce, &message)?.to_vec();
        tell(&mut tag)?;
        key.verify(nonce, &message, &tag)?;
    }
    Ok(())
}

/// With the backend that is best for it, whichever is asked for.
pub(super) fn once(case: &Case) -> Outcome {
    for nonce in NONCES {
        let (key, mut text) = (secret(case.key), secret(case.len));
        let mut tag = aes_gcm::seal_once(&key, nonce, &aad(case), &mut text)?.to_vec();
        tell(&mut text)?;
        tell(&mut tag)?;
        let mut again = text.to_vec();
        aes_gcm::open_once(&key, nonce, &aad(case), &mut text, &tag)?;
        tell(&mut text)?;
        forge(&mut tag, case);
        must_be_forged(aes_gcm::open_once(&key, nonce, &aad(case), &mut again, &tag))?;
    }
    Ok(())
}

#[inline(always)]
fn new_key(case: &Case) -> Result<aes_gcm::Key, ropewalk::Error> {
    aes_gcm::Key::with_backend(&secret(case.key), case.backend)
}

/// What a key has sealed: public, as it has been sent.
fn sealed(
    key: &aes_gcm::Key,
    nonce: &[u8],
    case: &Case,
) -> Result<(Vec<u8>, Vec<u8>), Box<dyn Error>> {
    let mut text = secret(case.len);
    let mut tag = key.seal(nonce, &aad(case), &mut text)?.to_vec();
    tell(&mut text)?;
    tell(&mut tag)?;
    Ok((text.to_vec(), tag))
}

/// Each that is allowed comes with some length of text.
fn tag_len(case: &Case) -> usize {
    12 + case.len % 5
}

/// The usual length, and one that is hashed.
const NONCES: [&[u8]; 2] = [&[7; 12], &[7; 21]];

/// It is no secret, but nothing has a reason to depend on it.
fn aad(case: &Case) -> Secret {
    secret(case.len % 61)
}
