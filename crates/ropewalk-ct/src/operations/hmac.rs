//! The operations of HMAC, and of what makes keys with it.

use ropewalk::{Hash, hkdf, hmac::Key, pbkdf2, tls12, tls13};

use super::{Case, Outcome, must_be_forged, secret, tell};

pub(super) fn mac<H: Hash>(case: &Case) -> Outcome {
    let mut tag = new_key::<H>(case)?.mac(&secret(case.len));
    tell(tag.as_mut())?;
    let mut best = Key::<H>::new(&secret(case.key)).mac(&secret(case.len));
    tell(best.as_mut())
}

pub(super) fn in_pieces<H: Hash>(case: &Case) -> Outcome {
    let mut mac = new_key::<H>(case)?.start();
    for piece in secret(case.len).chunks(37) {
        mac.update(piece);
    }
    let mut tag = mac.clone().finish();
    tell(tag.as_mut())
}

pub(super) fn verify<H: Hash>(case: &Case) -> Outcome {
    let (key, text) = (new_key::<H>(case)?, secret(case.len));
    let tag = key.mac(&text);
    key.verify(&text, tag.as_ref())?;
    let mut mac = key.start();
    mac.update(&text);
    mac.verify(&tag.as_ref()[..H::DIGEST_LEN / 2 + 2])?;
    Ok(())
}

pub(super) fn verify_forged<H: Hash>(case: &Case) -> Outcome {
    let (key, text) = (new_key::<H>(case)?, secret(case.len));
    let mut tag = key.mac(&text);
    tag.as_mut()[case.len % H::DIGEST_LEN] ^= 1;
    must_be_forged(key.verify(&text, tag.as_ref()))
}

pub(super) fn derive<H: Hash>(case: &Case) -> Outcome {
    let key = new_key::<H>(case)?;
    let prk = hkdf::extract(&key, &secret(case.len));
    let mut out = [0; 70];
    prk.expand(&[b"info"], &mut out)?;
    tell(&mut out)?;
    let derived = tls13::derive_secret(&prk, b"derived", &H::default().finish())?;
    tls13::expand_label(&derived, b"key", b"", &mut out)?;
    tell(&mut out)?;
    tls12::prf(&key, b"label", &[b"seed"], &mut out)?;
    tell(&mut out)?;
    pbkdf2::derive(&key, &secret(case.len), 2, &mut out)?;
    tell(&mut out)
}

fn new_key<H: Hash>(case: &Case) -> Result<Key<H>, ropewalk::Error> {
    Key::with_backend(&secret(case.key), case.backend)
}
