//! The operations of AES-CMAC.

use ropewalk::aes_cmac;

use super::{Case, Outcome, must_be_forged, secret, tell};

pub(super) fn mac(case: &Case) -> Outcome {
    let (key, message) = (new_key(case)?, secret(case.len));
    let mut tag = key.mac(&message).to_vec();
    tell(&mut tag)?;
    Ok(key.verify(&message, &tag)?)
}

pub(super) fn pieces(case: &Case) -> Outcome {
    let key = new_key(case)?;
    let mut message = key.start();
    for piece in secret(case.len).chunks(37) {
        message.update(piece);
    }
    let mut tag = message.clone().finish().to_vec();
    tell(&mut tag)?;
    Ok(message.verify(&tag)?)
}

pub(super) fn forged(case: &Case) -> Outcome {
    let (mut key, message) = (new_key(case)?, secret(case.len));
    key.set_tag_len(4 + case.len % 13)?;
    let mut tag = key.mac(&message).to_vec();
    tell(&mut tag)?;
    let forged = case.len % tag.len();
    tag[forged] ^= 1;
    must_be_forged(key.verify(&message, &tag))?;
    let mut pieces = key.start();
    pieces.update(&message);
    must_be_forged(pieces.verify(&tag))
}

fn new_key(case: &Case) -> Result<aes_cmac::Key, ropewalk::Error> {
    aes_cmac::Key::with_backend(&secret(case.key), case.backend)
}
