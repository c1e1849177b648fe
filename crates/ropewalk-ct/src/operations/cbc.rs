//! The operations of AES-CBC.

use ropewalk::aes_cbc::{Key, Many, Message, padded_len};

use super::{COUNT, Case, IV, Outcome, must_be_forged, secret, tell, whole};
use crate::marks;

pub(super) fn in_place(case: &Case) -> Outcome {
    let key = key(case)?;
    let mut text = secret(whole(case.len));
    key.encrypt(&IV, &mut text)?;
    tell(&mut text)?;
    key.decrypt(&IV, &mut text)?;
    tell(&mut text)
}

pub(super) fn to(case: &Case) -> Outcome {
    let key = key(case)?;
    let (mut output, mut back) = (vec![0; whole(case.len)], vec![0; whole(case.len)]);
    key.encrypt_to(&IV, &secret(whole(case.len)), &mut output)?;
    tell(&mut output)?;
    key.decrypt_to(&IV, &output, &mut back)?;
    tell(&mut back)
}

pub(super) fn encrypt_padded(case: &Case) -> Outcome {
    let key = key(case)?;
    let mut output = vec![0; padded_len(case.len)];
    key.encrypt_padded_to(&IV, &secret(case.len), &mut output)?;
    tell(&mut output)?;
    let mut buffer = secret(padded_len(case.len));
    key.encrypt_padded(&IV, &mut buffer, case.len)?;
    tell(&mut buffer)
}

pub(super) fn decrypt_padded(case: &Case) -> Outcome {
    let key = key(case)?;
    let (mut text, mut plaintext) = (vec![0; padded_len(case.len)], vec![0; padded_len(case.len)]);
    key.encrypt_padded_to(&IV, &secret(case.len), &mut text)?;
    tell(&mut text)?;
    let len = key.decrypt_padded_to(&IV, &text, &mut plaintext)?;
    tell(&mut plaintext[..len])?;
    tell(key.decrypt_padded(&IV, &mut text)?)
}

pub(super) fn decrypt_badly_padded(case: &Case) -> Outcome {
    let key = key(case)?;
    // One that is none, and one that is right in its last byte only.
    for last in [0, 5] {
        let mut text = secret(padded_len(case.len));
        text[padded_len(case.len) - 1] = last;
        marks::mark(&mut text);
        key.encrypt(&IV, &mut text)?;
        tell(&mut text)?;
        must_be_forged(key.decrypt_padded_to(&IV, &text, &mut vec![0; text.len()]).map(drop))?;
        must_be_forged(key.decrypt_padded(&IV, &mut text).map(drop))?;
    }
    Ok(())
}

#[inline(always)]
fn key(case: &Case) -> Result<Key, ropewalk::Error> {
    Key::with_backend(&secret(case.key), case.backend)
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
        made.push(Key::new(&secret(*len))?);
    }
    let mut texts: Vec<_> = (0..COUNT).map(|i| secret(whole(len(i)))).collect();
    let mut messages: Vec<_> = (texts.iter_mut().enumerate())
        .map(|(i, text)| Message { key: &made[i % made.len()], iv: &IV, text })
        .collect();
    Many::with_backend(case.backend)?.encrypt(&mut messages)?;
    for text in &mut texts {
        tell(text)?;
    }
    Ok(())
}
