//! The operations of AES-XTS.

use ropewalk::aes_xts::{Key, Many, Message};

use super::{COUNT, Case, IV, Outcome, secret, tell};

pub(super) fn in_place(case: &Case) -> Outcome {
    let key = key(case)?;
    let mut text = secret(case.len.max(16));
    key.encrypt(&IV, &mut text)?;
    tell(&mut text)?;
    key.decrypt(&IV, &mut text)?;
    tell(&mut text)
}

pub(super) fn to(case: &Case) -> Outcome {
    let key = key(case)?;
    let (mut output, mut back) = (vec![0; case.len.max(16)], vec![0; case.len.max(16)]);
    key.encrypt_to(&IV, &secret(case.len.max(16)), &mut output)?;
    tell(&mut output)?;
    key.decrypt_to(&IV, &output, &mut back)?;
    tell(&mut back)
}

pub(super) fn sectors(case: &Case) -> Outcome {
    let key = key(case)?;
    // Whole blocks, and not, and more than have their tweaks made together.
    for size in [32, 41] {
        let mut text = secret(case.len / size * size);
        key.encrypt_sectors(7, size, &mut text)?;
        tell(&mut text)?;
        key.decrypt_sectors(7, size, &mut text)?;
        tell(&mut text)?;
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
    many(case, &[case.key, case.key], |i| case.len * i / COUNT)?;
    many(case, &[case.key, 64], |_| case.len)
}

fn many(case: &Case, keys: &[usize], len: impl Fn(usize) -> usize) -> Outcome {
    let mut made = Vec::new();
    for len in keys {
        made.push(Key::new(&secret(*len))?);
    }
    let mut texts: Vec<_> = (0..COUNT).map(|i| secret(len(i).max(16))).collect();
    let mut messages: Vec<_> = (texts.iter_mut().enumerate())
        .map(|(i, text)| Message { key: &made[i % made.len()], tweak: &IV, text })
        .collect();
    let many = Many::with_backend(case.backend)?;
    many.encrypt(&mut messages)?;
    for message in &mut messages {
        tell(message.text)?;
    }
    many.decrypt(&mut messages)?;
    for text in &mut texts {
        tell(text)?;
    }
    Ok(())
}
