//! The operations of AES-CMAC.

use ropewalk::{
    Error,
    aes_cmac::{self, Many, Message, Tag},
};

use super::{COUNT, Case, Outcome, forge, must_be_forged, secret, tell};

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
    forge(&mut tag, case);
    must_be_forged(key.verify(&message, &tag))?;
    let mut pieces = key.start();
    pieces.update(&message);
    must_be_forged(pieces.verify(&tag))
}

pub(super) fn many_alike(case: &Case) -> Outcome {
    many(case, &[case.key], |_| case.len)
}

pub(super) fn many_mixed(case: &Case) -> Outcome {
    let len = |i| if i % 3 == 0 { case.len } else { case.len * i / COUNT };
    many(case, &[case.key, 16, 24, 32, case.key], len)
}

fn many(case: &Case, keys: &[usize], len: impl Fn(usize) -> usize) -> Outcome {
    let mut made = Vec::new();
    for len in keys {
        made.push(aes_cmac::Key::new(&secret(*len))?);
    }
    let texts: Vec<_> = (0..COUNT).map(|i| secret(len(i))).collect();
    let messages: Vec<_> = (texts.iter().enumerate())
        .map(|(i, text)| Message { key: &made[i % made.len()], text })
        .collect();
    for many in [Many::with_backend(case.backend)?, Many::new()] {
        let mut tags = [Tag::default(); COUNT];
        many.mac(&messages, &mut tags)?;
        tags.iter().try_for_each(|tag| tell(&mut tag.to_vec()))?;
    }
    Ok(())
}

/// Every other one is forged.
pub(super) fn verify_many(case: &Case) -> Outcome {
    let (key, text) = (aes_cmac::Key::new(&secret(case.key))?, secret(case.len));
    let messages = [Message { key: &key, text: &text }; COUNT];
    let mut tags = [Tag::default(); COUNT];
    let many = Many::with_backend(case.backend)?;
    many.mac(&messages, &mut tags)?;
    let mut tags: Vec<_> = tags.iter().map(|tag| tag.to_vec()).collect();
    tags.iter_mut().step_by(2).for_each(|tag| forge(tag, case));
    let tags: Vec<&[u8]> = tags.iter().map(Vec::as_slice).collect();
    let mut results = [Ok(()); COUNT];
    many.verify(&messages, &tags, &mut results)?;
    for (i, result) in results.into_iter().enumerate() {
        match i % 2 {
            0 if result == Err(Error::Forged) => {}
            0 => return Err("a forged tag is taken".into()),
            _ => result?,
        }
    }
    Ok(())
}

#[inline(always)]
fn new_key(case: &Case) -> Result<aes_cmac::Key, Error> {
    aes_cmac::Key::with_backend(&secret(case.key), case.backend)
}
