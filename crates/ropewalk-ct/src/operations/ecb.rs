//! The operations of AES-ECB.

use ropewalk::aes_ecb::Key;

use super::{Case, Outcome, secret, tell, whole};

pub(super) fn in_place(case: &Case) -> Outcome {
    let key = key(case)?;
    let mut text = secret(whole(case.len));
    key.encrypt(&mut text)?;
    tell(&mut text)?;
    key.decrypt(&mut text)?;
    tell(&mut text)
}

pub(super) fn to(case: &Case) -> Outcome {
    let key = key(case)?;
    let (mut output, mut back) = (vec![0; whole(case.len)], vec![0; whole(case.len)]);
    key.encrypt_to(&secret(whole(case.len)), &mut output)?;
    tell(&mut output)?;
    key.decrypt_to(&output, &mut back)?;
    tell(&mut back)
}

#[inline(always)]
fn key(case: &Case) -> Result<Key, ropewalk::Error> {
    Key::with_backend(&secret(case.key), case.backend)
}
