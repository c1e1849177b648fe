//! The operations of AES-CCM.

use ropewalk::aes_ccm;

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
    let mut message = vec![0; case.len + tag_len(case)];
    key.seal_appended_to(NONCES[0], &aad(case), &secret(case.len), &mut message)?;
    tell(&mut message)?;
    let mut text = vec![0; case.len];
    key.open_appended_to(NONCES[0], &aad(case), &message, &mut text)?;
    tell(&mut text)?;

    let mut message = secret(case.len + tag_len(case));
    key.seal_appended(NONCES[0], &aad(case), &mut message)?;
    tell(&mut message)?;
    tell(key.open_appended(NONCES[0], &aad(case), &mut message)?)
}

pub(super) fn rekey(case: &Case) -> Outcome {
    let mut key = aes_ccm::Key::with_backend(&secret(24), case.backend)?;
    key.rekey(&secret(case.key))?;
    let (mut text, plain) = (vec![0; case.len], vec![7; case.len]);
    let mut tag = key.seal_to(NONCES[0], &aad(case), &plain, &mut text)?.to_vec();
    tell(&mut text)?;
    tell(&mut tag)?;
    key.open(NONCES[0], &aad(case), &mut text, &tag)?;
    tell(&mut text)
}

#[inline(always)]
fn new_key(case: &Case) -> Result<aes_ccm::Key, ropewalk::Error> {
    aes_ccm::Key::with_backend(&secret(case.key), case.backend)
}

/// What a key has sealed: public, as it has been sent.
fn sealed(
    key: &aes_ccm::Key,
    nonce: &[u8],
    case: &Case,
) -> Result<(Vec<u8>, Vec<u8>), Box<dyn std::error::Error>> {
    let mut text = secret(case.len);
    let mut tag = key.seal(nonce, &aad(case), &mut text)?.to_vec();
    tell(&mut text)?;
    tell(&mut tag)?;
    Ok((text.to_vec(), tag))
}

/// Each that is allowed comes with some length of text.
fn tag_len(case: &Case) -> usize {
    4 + 2 * (case.len % 7)
}

/// The usual length, the longest and the shortest.
const NONCES: [&[u8]; 3] = [&[7; 12], &[7; 13], &[7; 7]];

/// It is no secret, but nothing has a reason to depend on it.
fn aad(case: &Case) -> Secret {
    secret(case.len % 61)
}
