//! The operations of the random generator.

use ropewalk::random::{CtrDrbg, SEED_LEN};

use super::{Case, Outcome, secret, tell};

pub(super) fn generate(case: &Case) -> Outcome {
    let mut drbg = new(case)?;
    for additional in [&secret(0), &secret(20)] {
        let mut out = vec![0; case.len];
        drbg.generate(additional, &mut out)?;
        tell(&mut out)?;
    }
    Ok(())
}

pub(super) fn reseed(case: &Case) -> Outcome {
    let (mut drbg, mut out) = (new(case)?, vec![0; case.len]);
    drbg.reseed((&*secret(SEED_LEN)).try_into()?, &secret(20))?;
    drbg.generate(b"", &mut out)?;
    tell(&mut out)
}

#[inline(always)]
fn new(case: &Case) -> Result<CtrDrbg, Box<dyn std::error::Error>> {
    let (entropy, personalization) = (secret(case.key), secret(20));
    Ok(CtrDrbg::with_backend((&*entropy).try_into()?, &personalization, case.backend)?)
}
