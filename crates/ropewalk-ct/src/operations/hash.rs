//! Those of hash functions, of one message and of many.

use ropewalk::{Hash, HashMany};

use super::{COUNT, Case, NONE, Operation, Outcome, digest_of, secret, tell_digests};

/// Operations of a hash function.
pub(super) const OPERATIONS: usize = 4;

/// Those of the function, by its name and the name of its primitive for many messages.
pub(super) const fn operations<M: HashMany>(
    one: &'static str,
    many: &'static str,
) -> [Operation; OPERATIONS] {
    [
        of(one, "in one piece", digest::<M::One>),
        of(one, "in pieces", in_pieces::<M::One>),
        of(many, "of one length", many_alike::<M>),
        of(many, "of many lengths", many_mixed::<M>),
    ]
}

const fn of(primitive: &'static str, name: &'static str, run: fn(&Case) -> Outcome) -> Operation {
    Operation { primitive, name, keys: NONE, tells: 0, run }
}

pub(super) fn digest<H: Hash>(case: &Case) -> Outcome {
    let mut digest = H::with_backend(case.backend)?.digest(&secret(case.len));
    tell_digests(&mut [(digest.as_mut(), case.len)])?;
    let mut best = H::default().digest(&secret(case.len));
    tell_digests(&mut [(best.as_mut(), case.len)])
}

pub(super) fn in_pieces<H: Hash>(case: &Case) -> Outcome {
    let mut hasher = H::with_backend(case.backend)?;
    for piece in secret(case.len).chunks(37) {
        hasher.update(piece);
    }
    let mut digest = hasher.clone().finish();
    tell_digests(&mut [(digest.as_mut(), case.len)])
}

pub(super) fn many_alike<H: HashMany>(case: &Case) -> Outcome {
    many::<H>(case, |_| case.len)
}

pub(super) fn many_mixed<H: HashMany>(case: &Case) -> Outcome {
    many::<H>(case, |i| if i % 3 == 0 { case.len } else { case.len * i / COUNT })
}

fn many<H: HashMany>(case: &Case, len: impl Fn(usize) -> usize) -> Outcome {
    let messages: Vec<_> = (0..COUNT).map(|i| secret(len(i))).collect();
    let texts: Vec<&[u8]> = messages.iter().map(|message| &**message).collect();
    let mut digests = [H::One::default().digest(b""); COUNT];
    let tell_all = |digests: &mut [<H::One as Hash>::Digest; COUNT]| {
        let told = digests.iter_mut().zip(&texts);
        let told = told.map(|(digest, text)| digest_of(digest, text.len()));
        tell_digests(&mut told.collect::<Vec<_>>())
    };
    H::with_backend(case.backend)?.digest(&texts, &mut digests)?;
    tell_all(&mut digests)?;
    H::default().digest(&texts, &mut digests)?;
    tell_all(&mut digests)
}
