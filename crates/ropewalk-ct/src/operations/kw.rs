//! The operations of AES key wrap.

use ropewalk::aes_kw::{self, padded_len};

use super::{Case, Outcome, forge, must_be_forged, secret, tell};

pub(super) fn wrap(case: &Case) -> Outcome {
    let key = new_key(case)?;
    let mut wrapped = vec![0; whole(case) + 8];
    key.wrap_to(&secret(whole(case)), &mut wrapped)?;
    tell(&mut wrapped)?;
    let mut buffer = secret(whole(case) + 8);
    key.wrap(&mut buffer)?;
    tell(&mut buffer)
}

pub(super) fn unwrap(case: &Case) -> Outcome {
    let key = new_key(case)?;
    let mut wrapped = vec![0; whole(case) + 8];
    key.wrap_to(&secret(whole(case)), &mut wrapped)?;
    tell(&mut wrapped)?;
    let mut copy = vec![0; whole(case)];
    key.unwrap_to(&wrapped, &mut copy)?;
    tell(&mut copy)?;
    tell(key.unwrap(&mut wrapped)?)
}

pub(super) fn wrap_padded(case: &Case) -> Outcome {
    let key = new_key(case)?;
    let mut wrapped = vec![0; padded_len(some(case))];
    key.wrap_padded_to(&secret(some(case)), &mut wrapped)?;
    tell(&mut wrapped)?;
    let mut buffer = secret(padded_len(some(case)));
    key.wrap_padded(&mut buffer, some(case))?;
    tell(&mut buffer)
}

pub(super) fn unwrap_padded(case: &Case) -> Outcome {
    let key = new_key(case)?;
    let mut wrapped = vec![0; padded_len(some(case))];
    key.wrap_padded_to(&secret(some(case)), &mut wrapped)?;
    tell(&mut wrapped)?;
    let mut copy = vec![0; wrapped.len() - 8];
    let len = key.unwrap_padded_to(&wrapped, &mut copy)?;
    tell(&mut copy[..len])?;
    tell(key.unwrap_padded(&mut wrapped)?)
}

pub(super) fn forged(case: &Case) -> Outcome {
    let key = new_key(case)?;
    let mut wrapped = vec![0; whole(case) + 8];
    key.wrap_to(&secret(whole(case)), &mut wrapped)?;
    tell(&mut wrapped)?;
    forge(&mut wrapped[..16], case);
    let mut copy = vec![0; whole(case)];
    must_be_forged(key.unwrap_to(&wrapped, &mut copy))?;
    must_be_forged(key.unwrap_padded_to(&wrapped, &mut copy).map(drop))?;
    must_be_forged(key.unwrap_padded(&mut wrapped.clone()).map(drop))?;
    must_be_forged(key.unwrap(&mut wrapped).map(drop))
}

#[inline(always)]
fn new_key(case: &Case) -> Result<aes_kw::Key, ropewalk::Error> {
    aes_kw::Key::with_backend(&secret(case.key), case.backend)
}

/// Whole semiblocks, at least two.
fn whole(case: &Case) -> usize {
    case.len / 8 * 8 + 16
}

/// At least a byte.
fn some(case: &Case) -> usize {
    case.len + 1
}
