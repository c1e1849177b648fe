//! Hash functions, and random bytes.

use std::{ffi::c_void, ptr::null};

use libloading::os::unix::Library;

use super::{
    Context,
    api::{self, Finish, Starts},
    done,
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Function,
};

/// Its name for a hash function, and the variant: whether it is the shorter one, or which one of SHA-3.
#[derive(Clone, Copy)]
pub(super) struct Name {
    pub(super) name: &'static str,
    number: Option<i32>,
}

/// The name of that hash function.
pub(super) fn name(function: Function) -> Option<Name> {
    let (name, number) = match function {
        Function::Md5 => ("md5", None),
        Function::Sha1 => ("sha1", None),
        Function::Sha224 => ("sha256", Some(1)),
        Function::Sha256 => ("sha256", Some(0)),
        Function::Sha384 => ("sha512", Some(1)),
        Function::Sha512 => ("sha512", Some(0)),
        Function::Sha3_224 => ("sha3", Some(1)),
        Function::Sha3_256 => ("sha3", Some(2)),
        Function::Sha3_384 => ("sha3", Some(3)),
        Function::Sha3_512 => ("sha3", Some(4)),
        _ => return None,
    };
    Some(Name { name, number })
}

/// A context for all messages.
pub(super) struct Hash {
    api: api::Hash,
    context: Context,
    /// Whether every call since the start has succeeded.
    sound: bool,
}

impl Hash {
    pub(super) fn new(
        library: &'static Library,
        Name { name, number }: Name,
        context: Context,
    ) -> Result<Self, Unavailable> {
        let mut hash = Self { api: api::Hash::named(library, name, number)?, context, sound: true };
        jobs::Hash::start(&mut hash);
        match hash.sound {
            true => Ok(hash),
            false => Err(Unavailable(format!("mbedtls_{name}_starts failed"))),
        }
    }
}

impl jobs::Hash for Hash {
    const ANEW: &str = jobs::KEEPS_CONTEXT;

    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::start(self);
        jobs::Hash::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        let context = self.context.get();
        let code = match self.api.starts {
            // SAFETY: the context is ready.
            Starts::Alone(starts) => unsafe { starts(context) },
            // SAFETY: as above.
            Starts::With(starts, number) => unsafe { starts(context, number) },
        };
        self.sound = code == 0;
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the context has been started, and the text has the given length.
        let code = unsafe { (self.api.update)(self.context.get(), text.as_ptr(), text.len()) };
        self.sound &= code == 0;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let (context, place) = (self.context.get(), digest.as_mut_ptr());
        let code = match self.api.finish {
            // SAFETY: the context has been started, and a digest of the function is as long as its buffer.
            Finish::Alone(finish) => unsafe { finish(context, place) },
            // SAFETY: as above.
            Finish::OfLength(finish) => unsafe { finish(context, place, digest.len()) },
        };
        if !(self.sound && code == 0) {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }
}

/// CTR_DRBG with its seed source.
pub(super) struct Random {
    api: api::Random,
    // It has a pointer to its seed source, and so is dropped first.
    generator: Context,
    _entropy: Context<4096>,
}

impl Random {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        let api = api::Random::load(library)?;
        // Its context takes 38 kB in 2.28.
        let mut entropy = Context::<4096>::new(library, "entropy")?;
        let mut generator = Context::new(library, "ctr_drbg")?;
        let (seed, seeding) = (api.mbedtls_ctr_drbg_seed, api.mbedtls_entropy_func);
        // SAFETY: both contexts are ready, and that of the function stays where it is.
        let code = unsafe { seed(generator.get(), seeding, entropy.get(), null(), 0) };
        done(code, "mbedtls_ctr_drbg_seed")?;
        Ok(Self { api, generator, _entropy: entropy })
    }

    /// Its function and context, for functions that need a generator.
    pub(super) fn get(&mut self) -> (api::Entropy, *mut c_void) {
        (self.api.mbedtls_ctr_drbg_random, self.generator.get())
    }
}

impl jobs::Fill for Random {
    fn fill(&mut self, out: &mut [u8]) {
        let random = self.api.mbedtls_ctr_drbg_random;
        for piece in out.chunks_mut(api::MBEDTLS_CTR_DRBG_MAX_REQUEST) {
            // SAFETY: the generator has its seed, and there are that many bytes.
            let code = unsafe { random(self.generator.get(), piece.as_mut_ptr(), piece.len()) };
            assert_eq!(code, 0, "it has random bytes");
        }
    }
}
