//! The operations of HMAC, and of what makes keys with it.

use ropewalk::{
    Error, Hash, HashMany, hkdf,
    hmac::{Key, Many, Message},
    pbkdf2, tls12, tls13,
};

use super::{Case, HMAC, Operation, Outcome, forge, must_be_forged, number, secret, tell};
use crate::marks;

/// Messages of a batch: more than any backend has lanes, and a few.
pub(super) const COUNT: usize = 19;

/// Operations of HMAC with a hash function.
pub(super) const OPERATIONS: usize = 10;

/// Those of HMAC with a function, by its name and the name of its primitive for many messages.
pub(super) const fn operations<M: HashMany>(
    one: &'static str,
    many: &'static str,
) -> [Operation; OPERATIONS] {
    [
        of(one, "in one piece", 0, mac::<M::One>),
        of(one, "in pieces", 0, in_pieces::<M::One>),
        of(one, "of a secret length", 1, mac_of_secret_len::<M::One>),
        of(one, "verify", 2, verify::<M::One>),
        of(one, "verify what is forged", 1, verify_forged::<M::One>),
        of(one, "make keys", 0, derive::<M::One>),
        of(many, "of one length", 0, many_alike::<M>),
        of(many, "of many lengths and keys", 0, many_mixed::<M>),
        of(many, "verify", COUNT, verify_many::<M>),
        of(many, "make keys", 0, derive_many::<M>),
    ]
}

const fn of(
    primitive: &'static str,
    name: &'static str,
    tells: usize,
    run: fn(&Case) -> Outcome,
) -> Operation {
    Operation { primitive, name, keys: HMAC, tells, run }
}

pub(super) fn mac<H: Hash>(case: &Case) -> Outcome {
    let mut tag = new_key::<H>(case)?.mac(&secret(case.len));
    tell(tag.as_mut())?;
    let mut best = Key::<H>::new(&secret(case.key)).mac(&secret(case.len));
    tell(best.as_mut())
}

/// The last bytes are a padding, whose length is secret.
pub(super) fn mac_of_secret_len<H: Hash>(case: &Case) -> Outcome {
    let (padding, mut len) = (case.len.min(255), secret(size_of::<usize>()));
    len.copy_from_slice(&(case.len - padding * (number() + 1) / 16).to_le_bytes());
    marks::mark(&mut len);
    let len = usize::from_le_bytes((&*len).try_into()?);
    let (key, text) = (new_key::<H>(case)?, secret(case.len));
    let mut tag = key.mac_of_secret_len(&[7; 13], &text, case.len - padding, len)?;
    tell(tag.as_mut())
}

pub(super) fn in_pieces<H: Hash>(case: &Case) -> Outcome {
    let key = new_key::<H>(case)?;
    let mut mac = key.start();
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
    forge(tag.as_mut(), case);
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

pub(super) fn many_alike<M: HashMany>(case: &Case) -> Outcome {
    many::<M>(case, |_| case.len, |_| 0)
}

pub(super) fn many_mixed<M: HashMany>(case: &Case) -> Outcome {
    many::<M>(case, |i| if i % 3 == 0 { case.len } else { case.len * i / COUNT }, |i| i % 2)?;
    many::<M>(case, |_| case.len, |i| i % 2)
}

/// Of lengths and keys by their numbers.
fn many<M: HashMany>(
    case: &Case,
    len: impl Fn(usize) -> usize,
    key: impl Fn(usize) -> usize,
) -> Outcome {
    let keys = [(); 2].map(|()| Key::<M::One>::new(&secret(case.key)));
    let texts: Vec<_> = (0..COUNT).map(|i| secret(len(i))).collect();
    let messages: Vec<_> =
        texts.iter().enumerate().map(|(i, text)| Message { key: &keys[key(i)], text }).collect();
    for many in [Many::<M>::with_backend(case.backend)?, Many::new()] {
        let mut tags = [M::One::default().finish(); COUNT];
        many.mac(&messages, &mut tags)?;
        tags.iter_mut().try_for_each(|tag| tell(tag.as_mut()))?;
    }
    Ok(())
}

/// Every other one is forged.
pub(super) fn verify_many<M: HashMany>(case: &Case) -> Outcome {
    let key = Key::<M::One>::new(&secret(case.key));
    let text = secret(case.len);
    let messages = [Message { key: &key, text: &text }; COUNT];
    let mut tags = [M::One::default().finish(); COUNT];
    let many = Many::<M>::with_backend(case.backend)?;
    many.mac(&messages, &mut tags)?;
    for tag in tags.iter_mut().step_by(2) {
        forge(tag.as_mut(), case);
    }
    let tags: Vec<&[u8]> = tags.iter().map(AsRef::as_ref).collect();
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
fn new_key<H: Hash>(case: &Case) -> Result<Key<H>, Error> {
    Key::with_backend(&secret(case.key), case.backend)
}

/// PBKDF2, HKDF-Extract and HKDF-Expand.
pub(super) fn derive_many<M: HashMany>(case: &Case) -> Outcome {
    let keys = [(); 2].map(|()| Key::<M::One>::new(&secret(case.key)));
    let text = secret(case.len);
    let mut outs = [[0; 70]; COUNT];
    let derivation = |(i, out): (usize, _)| pbkdf2::Derivation {
        password: &keys[i % 2],
        salt: &text,
        iterations: 1 + i as u32 % 3,
        out,
    };
    let mut derivations: Vec<_> =
        outs.iter_mut().map(<[u8; 70]>::as_mut_slice).enumerate().map(derivation).collect();
    pbkdf2::Many::<M>::with_backend(case.backend)?.derive(&mut derivations).map_err(|e| e.error)?;
    outs.iter_mut().try_for_each(|out| tell(out))?;

    let many = hkdf::Many::<M>::with_backend(case.backend)?;
    let message = |i| Message { key: &keys[i % 2], text: &text };
    let messages: Vec<_> = (0..COUNT).map(message).collect();
    let mut prks: Vec<_> = messages.iter().map(|_| None).collect();
    many.extract(&messages, &mut prks)?;
    let mut expansions: Vec<_> = (prks.iter().flatten().zip(&mut outs))
        .map(|(prk, out)| hkdf::Expansion { prk, info: &[b"info"], out })
        .collect();
    many.expand(&mut expansions).map_err(|e| e.error)?;
    outs.iter_mut().try_for_each(|out| tell(out))
}
