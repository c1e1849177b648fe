//! Those of SHA-3 and SHAKE, of one message and of many.

use ropewalk::sha3::{
    self, Sha3_224, Sha3_224Many, Sha3_256, Sha3_256Many, Sha3_384, Sha3_384Many, Sha3_512,
    Sha3_512Many, Shake128, Shake128Many, Shake256, Shake256Many,
};

use super::{COUNT, Case, Outcome, digest_of, hash, secret, tell_digests};

pub(super) fn many_alike(case: &Case) -> Outcome {
    hash::many_alike::<Sha3_224Many>(case)?;
    hash::many_alike::<Sha3_256Many>(case)?;
    hash::many_alike::<Sha3_384Many>(case)?;
    hash::many_alike::<Sha3_512Many>(case)
}

pub(super) fn many_mixed(case: &Case) -> Outcome {
    hash::many_mixed::<Sha3_224Many>(case)?;
    hash::many_mixed::<Sha3_256Many>(case)?;
    hash::many_mixed::<Sha3_384Many>(case)?;
    hash::many_mixed::<Sha3_512Many>(case)
}

pub(super) fn shake_many(case: &Case) -> Outcome {
    let messages: Vec<_> = (0..COUNT).map(|i| secret(case.len * (i % 7) / 6)).collect();
    let texts: Vec<&[u8]> = messages.iter().map(|message| &**message).collect();
    let tell_all = |outputs: &mut [[u8; OUTPUT]; COUNT]| {
        let told = outputs.iter_mut().zip(&texts);
        let told = told.map(|(output, text)| digest_of(output, text.len()));
        tell_digests(&mut told.collect::<Vec<_>>())
    };
    let mut outputs = [[0; OUTPUT]; COUNT];
    macro_rules! outputs {
        ($($Many:ident $digest:ident)+) => { $(
            $Many::with_backend(case.backend)?.digest(&texts, &mut outputs)?;
            tell_all(&mut outputs)?;
            sha3::$digest(&texts, &mut outputs)?;
            tell_all(&mut outputs)?;
        )+ };
    }
    outputs!(Shake128Many shake128_many Shake256Many shake256_many);
    Ok(())
}

pub(super) fn digest(case: &Case) -> Outcome {
    macro_rules! digests {
        ($($Hasher:ident $digest:ident)+) => { $(
            let mut digest = $Hasher::with_backend(case.backend)?.digest(&secret(case.len));
            tell_digests(&mut [(&mut digest, case.len)])?;
            let mut best = sha3::$digest(&secret(case.len));
            tell_digests(&mut [(&mut best, case.len)])?;
        )+ };
    }
    digests!(Sha3_224 sha3_224 Sha3_256 sha3_256 Sha3_384 sha3_384 Sha3_512 sha3_512);
    Ok(())
}

pub(super) fn in_pieces(case: &Case) -> Outcome {
    macro_rules! digests {
        ($($Hasher:ident)+) => { $(
            let mut hasher = $Hasher::with_backend(case.backend)?;
            for piece in secret(case.len).chunks(37) {
                hasher.update(piece);
            }
            tell_digests(&mut [(&mut hasher.clone().finish(), case.len)])?;
        )+ };
    }
    digests!(Sha3_224 Sha3_256 Sha3_384 Sha3_512);
    Ok(())
}

/// Blocks of output, and part of one.
const OUTPUT: usize = 400;

pub(super) fn shake(case: &Case) -> Outcome {
    macro_rules! outputs {
        ($($Hasher:ident $digest:ident)+) => { $(
            let mut out = [0; OUTPUT];
            $Hasher::with_backend(case.backend)?.digest(&secret(case.len), &mut out);
            tell_digests(&mut [(&mut out, case.len)])?;
            sha3::$digest(&secret(case.len), &mut out);
            tell_digests(&mut [(&mut out, case.len)])?;
        )+ };
    }
    outputs!(Shake128 shake128 Shake256 shake256);
    Ok(())
}

pub(super) fn shake_in_pieces(case: &Case) -> Outcome {
    macro_rules! outputs {
        ($($Hasher:ident)+) => { $(
            let (mut hasher, mut out) = ($Hasher::with_backend(case.backend)?, [0; OUTPUT]);
            for piece in secret(case.len).chunks(37) {
                hasher.update(piece);
            }
            let mut reader = hasher.finish();
            out.chunks_mut(37).for_each(|piece| reader.squeeze(piece));
            reader.clone().squeeze(&mut out[..200]);
            tell_digests(&mut [(&mut out, case.len)])?;
        )+ };
    }
    outputs!(Shake128 Shake256);
    Ok(())
}
