//! PBKDF2 (RFC 8018, section 5.2).

use super::{Hash, Kdf};
use crate::{
    digest::Known,
    error::Reason,
    params::{List, Param, Params},
    secret::Secret,
    stats::Counter,
    version::Version,
};

/// The minimums of SP 800-132.
const LEAST_SALT: usize = 16;
const LEAST_KEY: usize = 14;
const LEAST_ITERATIONS: u64 = 1000;

/// A password and its salt.
#[derive(Clone)]
pub(crate) struct Pbkdf2 {
    password: Option<Secret>,
    salt: Option<Secret>,
    iterations: u64,
    /// Whether values below the minimums of SP 800-132 are refused.
    strict: bool,
}

impl Pbkdf2 {
    fn check_salt(&self, len: usize) -> Result<(), Reason> {
        if self.strict && len < LEAST_SALT { Err(Reason::InvalidSaltLength) } else { Ok(()) }
    }

    fn check_iterations(&self, iterations: u64) -> Result<(), Reason> {
        let least = if self.strict { LEAST_ITERATIONS } else { 1 };
        if iterations < least { Err(Reason::InvalidIterationCount) } else { Ok(()) }
    }
}

impl Kdf for Pbkdf2 {
    const NAME: &'static core::ffi::CStr = c"PBKDF2";
    const COUNTER: &'static Counter = {
        static COUNTER: Counter = Counter::new("PBKDF2");
        &COUNTER
    };
    const HASH: Option<Known> = Some(Known::OfSha1);
    const GETTABLE: &'static [Param] = &[Param::number(c"size"), Param::END];
    const SETTABLE: &'static [Param] = &[
        Param::text(c"properties"),
        Param::text(c"digest"),
        Param::octets(c"pass"),
        Param::octets(c"salt"),
        Param::number(c"iter"),
        Param::integer(c"pkcs5"),
        Param::END,
    ];

    fn new(_: Version) -> Self {
        Self { password: None, salt: None, iterations: 2048, strict: false }
    }

    fn set(&mut self, params: Params<'_>) -> Result<(), Reason> {
        if let Some(pkcs5) = params.named(b"pkcs5") {
            self.strict = pkcs5.as_integer()? == 0;
        }
        // A parameter without bytes is an empty value.
        let octets = |param: &Param| -> Result<Secret, Reason> {
            let octets = if param.octets_len()? == 0 { &[] } else { param.as_octets()? };
            Ok(Secret::of(octets))
        };
        if let Some(password) = params.named(b"pass") {
            self.password = Some(octets(password)?);
        }
        if let Some(salt) = params.named(b"salt") {
            self.check_salt(salt.octets_len()?)?;
            self.salt = Some(octets(salt)?);
        }
        if let Some(iterations) = params.named(b"iter") {
            let iterations = iterations.as_number()?;
            self.check_iterations(iterations)?;
            self.iterations = iterations;
        }
        Ok(())
    }

    fn check(&self, len: usize) -> Result<(), Reason> {
        if self.password.is_none() {
            return Err(Reason::MissingPass);
        }
        let salt = self.salt.as_deref().ok_or(Reason::MissingSalt)?;
        if self.strict && len < LEAST_KEY {
            return Err(Reason::KeySizeTooSmall);
        }
        self.check_salt(salt.len())?;
        self.check_iterations(self.iterations)
    }

    fn derive(&self, hash: Hash, out: &mut [u8]) -> Result<(), Reason> {
        let Hash::Known(hash) = hash else { return Err(Reason::InvalidDigest) };
        let password = self.password.as_deref().ok_or(Reason::MissingPass)?;
        let salt = self.salt.as_deref().ok_or(Reason::MissingSalt)?;
        let iterations = self.iterations.try_into().map_err(|_| Reason::InvalidIterationCount)?;
        if out.is_empty() {
            return Ok(());
        }
        hash.hmac(password).pbkdf2(salt, iterations, out)
    }

    fn hand_on<'a>(&'a self, list: &mut List<'a>) {
        list.integer(c"pkcs5", if self.strict { &0 } else { &1 });
        list.some_octets(c"pass", self.password.as_deref());
        list.some_octets(c"salt", self.salt.as_deref());
        list.number(c"iter", &self.iterations);
    }
}
