//! The pseudorandom function of TLS 1.0 to 1.2 (RFC 2246 and RFC 5246, section 5).

use zeroize::Zeroizing;

use super::{Hash, Kdf, join, keep};
use crate::{
    digest::Known,
    error::Reason,
    hmac::LONGEST,
    params::{List, Param, Params},
    secret::Secret,
    stats::Counter,
    version::Version,
};

/// A secret, and a label with its seed.
#[derive(Clone)]
pub(crate) struct Prf {
    secret: Option<Secret>,
    seed: Secret,
}

impl Kdf for Prf {
    const NAME: &'static core::ffi::CStr = c"TLS1-PRF";
    const COUNTER: &'static Counter = {
        static COUNTER: Counter = Counter::new("TLS1-PRF");
        &COUNTER
    };
    const MD5_AND_SHA1: bool = true;
    const GETTABLE: &'static [Param] = &[Param::number(c"size"), Param::END];
    const SETTABLE: &'static [Param] = &[
        Param::text(c"properties"),
        Param::text(c"digest"),
        Param::octets(c"secret"),
        Param::octets(c"seed"),
        Param::END,
    ];

    fn new(_: Version) -> Self {
        Self { secret: None, seed: Secret::default() }
    }

    fn set(&mut self, params: Params<'_>) -> Result<(), Reason> {
        keep(&mut self.secret, params, b"secret")?;
        // Seeds of later calls are appended too.
        if let Some(seed) = join(&self.seed, params, b"seed")? {
            self.seed = seed;
        }
        Ok(())
    }

    fn check(&self, len: usize) -> Result<(), Reason> {
        if self.secret.is_none() {
            return Err(Reason::MissingSecret);
        }
        if self.seed.is_empty() {
            return Err(Reason::MissingSeed);
        }
        if len == 0 { Err(Reason::InvalidKeyLength) } else { Ok(()) }
    }

    fn derive(&self, hash: Hash, out: &mut [u8]) -> Result<(), Reason> {
        let secret = self.secret.as_deref().ok_or(Reason::MissingSecret)?;
        out.fill(0);
        match hash {
            Hash::Known(hash) => p_hash(hash, secret, &self.seed, out),
            Hash::Md5AndSha1 => {
                // Both halves contain the middle byte, if the length is odd.
                let (first, second) =
                    (&secret[..secret.len().div_ceil(2)], &secret[secret.len() / 2..]);
                p_hash(Known::OfMd5, first, &self.seed, out)?;
                p_hash(Known::OfSha1, second, &self.seed, out)
            }
        }
    }

    fn hand_on<'a>(&'a self, list: &mut List<'a>) {
        list.some_octets(c"secret", self.secret.as_deref());
        list.octets(c"seed", &self.seed);
    }
}

/// P_hash, XORed to `out`.
fn p_hash(hash: Known, secret: &[u8], seed: &[u8], out: &mut [u8]) -> Result<(), Reason> {
    let size = hash.size();
    let mut mac = hash.hmac(secret);
    let mut of = |parts: [&[u8]; 2], tag: &mut [u8]| {
        mac.begin();
        parts.iter().try_for_each(|part| mac.update(part))?;
        mac.finish(tag)
    };
    let mut a = Zeroizing::new([0; LONGEST]);
    let mut next = Zeroizing::new([0; LONGEST]);
    of([seed, &[]], &mut a[..size])?;
    for piece in out.chunks_mut(size) {
        of([&a[..size], seed], &mut next[..size])?;
        for (out, byte) in piece.iter_mut().zip(next.iter()) {
            *out ^= byte;
        }
        of([&a[..size], &[]], &mut next[..size])?;
        core::mem::swap(&mut a, &mut next);
    }
    Ok(())
}
