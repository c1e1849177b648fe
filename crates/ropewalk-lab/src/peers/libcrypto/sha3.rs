//! SHA-3 and SHAKE, through `EVP_Digest*` on one context.

use std::{ffi::CString, ptr::null_mut};

use libloading::os::unix::Library;

use super::{
    DEFAULT,
    api::{self, EVP_MD, EVP_MD_CTX},
    failed, made,
};
use crate::{
    peers::{Job, Unavailable, dl, jobs},
    tasks::{Cell, Sha3 as Function},
};

/// A job of that function.
pub(super) fn job(
    cell: &Cell,
    function: Function,
    library: &'static Library,
) -> Result<Box<dyn Job>, Unavailable> {
    let fixed = |name, symbol| Sha3::new(library, name, symbol, None);
    let extendable = |name, symbol| {
        let api = api::DigestOfAnyLength::load(library)?;
        Sha3::new(library, name, symbol, Some(api))
    };
    Ok(match function {
        Function::Sha3_224 => jobs::hash::<28>(cell, fixed("SHA3-224", "EVP_sha3_224")?),
        Function::Sha3_256 => jobs::hash::<32>(cell, fixed("SHA3-256", "EVP_sha3_256")?),
        Function::Sha3_384 => jobs::hash::<48>(cell, fixed("SHA3-384", "EVP_sha3_384")?),
        Function::Sha3_512 => jobs::hash::<64>(cell, fixed("SHA3-512", "EVP_sha3_512")?),
        Function::Shake128 => jobs::hash::<32>(cell, extendable("SHAKE128", "EVP_shake128")?),
        Function::Shake256 => jobs::hash::<64>(cell, extendable("SHAKE256", "EVP_shake256")?),
    })
}

/// Two contexts: one that stays as it was after its start, one that is a copy and goes on.
struct Sha3 {
    api: api::Digest,
    of_any_length: Option<api::DigestOfAnyLength>,
    fresh: *mut EVP_MD_CTX,
    running: *mut EVP_MD_CTX,
    /// Whether it has been started, and every call since did what it should.
    sound: bool,
}

impl Sha3 {
    fn new(
        library: &'static Library,
        name: &str,
        symbol: &str,
        of_any_length: Option<api::DigestOfAnyLength>,
    ) -> Result<Self, Unavailable> {
        let api = api::Digest::load(library)?;
        let hash = match api::FetchDigest::load(library) {
            Ok(since_3) => {
                let name = CString::new(name).expect("no zeros in it");
                // SAFETY: the name is a string, and null stands for the default of the others.
                let hash = unsafe { (since_3.EVP_MD_fetch)(null_mut(), name.as_ptr(), DEFAULT) };
                made(hash, "EVP_MD_fetch")?.cast_const()
            }
            Err(_) => {
                // SAFETY: the type is the one that the public header gives this name.
                let hash: unsafe extern "C" fn() -> *const EVP_MD =
                    unsafe { dl::symbol(library, symbol) }?;
                // SAFETY: it takes nothing.
                unsafe { hash() }
            }
        };
        // SAFETY: it takes nothing.
        let fresh = unsafe { (api.EVP_MD_CTX_new)() };
        // SAFETY: it takes nothing.
        let running = unsafe { (api.EVP_MD_CTX_new)() };
        // From here on, dropping frees the contexts; null is allowed there.
        let mut sha3 = Self { api, of_any_length, fresh, running, sound: false };
        made(fresh, "EVP_MD_CTX_new")?;
        made(running, "EVP_MD_CTX_new")?;
        // SAFETY: the context is alive, and so is the hash function.
        let done = unsafe { (api.EVP_DigestInit_ex)(fresh, hash, null_mut()) };
        if done != 1 {
            return Err(failed("EVP_DigestInit_ex"));
        }
        // A stream may be timed before anything else has started it.
        sha3.restart();
        Ok(sha3)
    }

    fn restart(&mut self) {
        // SAFETY: both contexts are alive.
        let done = unsafe { (self.api.EVP_MD_CTX_copy_ex)(self.running, self.fresh) };
        self.sound = done == 1;
    }
}

impl<const N: usize> jobs::Hash<N> for Sha3 {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        self.restart();
        jobs::Hash::<N>::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        self.restart();
    }

    fn update(&mut self, text: &[u8]) {
        if !self.sound {
            return;
        }
        // SAFETY: the context has been started, and the text is as long as it says.
        let done =
            unsafe { (self.api.EVP_DigestUpdate)(self.running, text.as_ptr().cast(), text.len()) };
        self.sound = done == 1;
    }

    fn finish(&mut self, digest: &mut [u8; N]) {
        // A failure must not pass for an answer.
        digest.fill(0);
        if !std::mem::take(&mut self.sound) {
            return;
        }
        let (ctx, place) = (self.running, digest.as_mut_ptr());
        let done = match self.of_any_length {
            // SAFETY: the context has been started, and there is room for so many bytes.
            Some(api) => unsafe { (api.EVP_DigestFinalXOF)(ctx, place, N) },
            // SAFETY: the context has been started, and `N` is the length of a digest; it may be
            // unasked.
            None => unsafe { (self.api.EVP_DigestFinal_ex)(ctx, place, null_mut()) },
        };
        if done != 1 {
            digest.fill(0);
        }
    }
}

impl Drop for Sha3 {
    fn drop(&mut self) {
        for ctx in [self.fresh, self.running] {
            // SAFETY: the context is alive or null, and nobody else has it.
            unsafe { (self.api.EVP_MD_CTX_free)(ctx) }
        }
    }
}
