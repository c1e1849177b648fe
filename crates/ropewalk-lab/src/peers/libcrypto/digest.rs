//! Hash functions, with `EVP_Digest*` on one context or, like `SHA256()`, with one call.

use std::{
    ffi::{CStr, c_int},
    ptr::null_mut,
};

use libloading::os::unix::Library;

use super::{
    api::{self, EVP_MD, EVP_MD_CTX},
    errors, failed, made,
    source::Source,
};
use crate::{
    peers::{Unavailable, dl::symbol, find, jobs},
    tasks::{Function, Kind},
};

/// The names of a hash function: since OpenSSL 3.0, and before.
#[derive(Clone, Copy)]
struct Names {
    fetched: &'static CStr,
    hash: &'static str,
    one_shot: &'static str,
}

const NAMES: &[(Function, Names)] = &[
    (Function::Md5, names(c"MD5", "EVP_md5", "MD5")),
    (Function::Sha1, names(c"SHA1", "EVP_sha1", "SHA1")),
    (Function::Sha224, names(c"SHA224", "EVP_sha224", "SHA224")),
    (Function::Sha256, names(c"SHA256", "EVP_sha256", "SHA256")),
    (Function::Sha384, names(c"SHA384", "EVP_sha384", "SHA384")),
    (Function::Sha512, names(c"SHA512", "EVP_sha512", "SHA512")),
    (Function::Sha512_256, names(c"SHA512-256", "EVP_sha512_256", "SHA512_256")),
    (Function::Sha3_224, names(c"SHA3-224", "EVP_sha3_224", "SHA3_224")),
    (Function::Sha3_256, names(c"SHA3-256", "EVP_sha3_256", "SHA3_256")),
    (Function::Sha3_384, names(c"SHA3-384", "EVP_sha3_384", "SHA3_384")),
    (Function::Sha3_512, names(c"SHA3-512", "EVP_sha3_512", "SHA3_512")),
    (Function::Sm3, names(c"SM3", "EVP_sm3", "no one call")),
    // The one-shot function of AWS-LC also takes a length.
    (Function::Shake128, names(c"SHAKE128", "EVP_shake128", "no one call")),
    (Function::Shake256, names(c"SHAKE256", "EVP_shake256", "no one call")),
];

const fn names(fetched: &'static CStr, hash: &'static str, one_shot: &'static str) -> Names {
    Names { fetched, hash, one_shot }
}

/// Whether the lab has names for a hash function.
pub(super) fn is_known(function: Function) -> bool {
    find(NAMES, function).is_some()
}

/// The name of a hash function in libraries with named algorithms.
pub(super) fn name(function: Function) -> Result<&'static CStr, Unavailable> {
    Ok(Names::of(function)?.fetched)
}

impl Names {
    fn of(function: Function) -> Result<Self, Unavailable> {
        find(NAMES, function).ok_or_else(|| Unavailable::no(Kind::Hash(function)))
    }
}

/// Two contexts: one in its initial state, and one that is a copy and continues.
///
/// Copying is the fastest documented way to restart: in OpenSSL 3.0 to 3.6 it saves 5 to 8 % of a 16-byte
/// message compared with `EVP_DigestInit_ex2`, in 4.0 it costs the same.
pub(super) struct Hash {
    api: api::Digest,
    fresh: *mut EVP_MD_CTX,
    running: *mut EVP_MD_CTX,
    one_shot: Option<api::OneShot>,
    of_any_length: Option<api::DigestOfAnyLength>,
    /// The function with a separate context, and its arguments.
    whole: Option<api::WholeDigest>,
    function: *const EVP_MD,
    /// Whether it has been started, and every call since has succeeded.
    sound: bool,
}

impl Hash {
    pub(super) fn new(source: Source, function: Function) -> Result<Self, Unavailable> {
        let library = source.library;
        let names = Names::of(function)?;
        let api = api::Digest::load(library)?;
        let of_any_length = match function.extends() {
            true => Some(api::DigestOfAnyLength::load(library)?),
            false => None,
        };
        let one_shot = match api::FetchDigest::load(library) {
            // Since 3.0, `SHA256()` fetches the algorithm each time.
            Ok(_) => None,
            Err(_) if !source.is_choice() => None,
            // SAFETY: the type is the one that the public header gives these names.
            Err(_) => unsafe { symbol(library, names.one_shot) }.ok(),
        };
        let function = self::function(source, function)?;
        // SAFETY: it takes no arguments.
        let fresh = unsafe { (api.EVP_MD_CTX_new)() };
        // SAFETY: it takes no arguments.
        let running = unsafe { (api.EVP_MD_CTX_new)() };
        // From here on, dropping frees the contexts; null is allowed there.
        let whole = api::WholeDigest::load(library).ok();
        // For a function whose output has any length it writes a default number of bytes.
        let whole = whole.filter(|_| source.is_choice() && of_any_length.is_none());
        let mut hash =
            Self { api, fresh, running, one_shot, of_any_length, whole, function, sound: false };
        made(fresh, "EVP_MD_CTX_new")?;
        made(running, "EVP_MD_CTX_new")?;
        errors::clear(library);
        // SAFETY: the context is alive, and so is the hash function; the engine is there, or null stands for the
        // library's choice.
        let done = unsafe { (api.EVP_DigestInit_ex)(fresh, function, source.engine()) };
        if done != 1 {
            return Err(match source.is_choice() {
                true => failed("EVP_DigestInit_ex"),
                false => source.lacks("such hash function"),
            });
        }
        // A stream may be timed before any other start.
        hash.restart();
        Ok(hash)
    }
}

impl jobs::Hash for Hash {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        let Some(one_shot) = self.one_shot else {
            self.restart();
            self.absorb(text);
            self.finish(digest);
            return;
        };
        // SAFETY: the text has the given length, and a digest of the function is as long as its buffer.
        let done = unsafe { one_shot(text.as_ptr(), text.len(), digest.as_mut_ptr()) };
        if done.is_null() {
            digest.fill(0);
        }
    }

    fn message_anew(&mut self, text: &[u8], digest: &mut [u8]) {
        let Some(api) = self.whole else { return self.message(text, digest) };
        let (start, place, function) = (text.as_ptr().cast(), digest.as_mut_ptr(), self.function);
        // SAFETY: the text has the given length, a digest of the function is as long as its buffer, and its length may be
        // unasked.
        let done =
            unsafe { (api.EVP_Digest)(start, text.len(), place, null_mut(), function, null_mut()) };
        if done != 1 {
            digest.fill(0);
        }
    }

    fn start(&mut self) {
        self.restart();
    }

    fn update(&mut self, text: &[u8]) {
        self.absorb(text);
    }

    fn finish(&mut self, digest: &mut [u8]) {
        // A failed call must not look like an answer.
        digest.fill(0);
        if !std::mem::take(&mut self.sound) {
            return;
        }
        let (ctx, place) = (self.running, digest.as_mut_ptr());
        let done = match self.of_any_length {
            // SAFETY: the context has been started, and the place has the given length.
            Some(api) => unsafe { (api.EVP_DigestFinalXOF)(ctx, place, digest.len()) },
            // SAFETY: the context has been started, and a digest of the function is as long as its buffer; its
            // length may be unasked.
            None => unsafe { (self.api.EVP_DigestFinal_ex)(ctx, place, null_mut()) },
        };
        if done != 1 {
            digest.fill(0);
        }
    }
}

impl Hash {
    #[inline]
    fn restart(&mut self) {
        // SAFETY: both contexts are alive.
        let done = unsafe { (self.api.EVP_MD_CTX_copy_ex)(self.running, self.fresh) };
        self.sound = done == 1;
    }

    #[inline]
    fn absorb(&mut self, text: &[u8]) {
        if !self.sound {
            return;
        }
        // SAFETY: the context has been started, and the text has the given length.
        let done =
            unsafe { (self.api.EVP_DigestUpdate)(self.running, text.as_ptr().cast(), text.len()) };
        self.sound = done == 1;
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        for ctx in [self.fresh, self.running] {
            // SAFETY: the context is alive or null, and nothing else uses it.
            unsafe { (self.api.EVP_MD_CTX_free)(ctx) }
        }
    }
}

/// A hash function, by its name if the library has named algorithms.
pub(super) fn function(source: Source, function: Function) -> Result<*const EVP_MD, Unavailable> {
    let names = Names::of(function)?;
    match api::FetchDigest::load(source.library) {
        Ok(since_3) if source.fetches() => fetched(source, since_3, names.fetched),
        _ => {
            // SAFETY: the type is the one that the public header gives these names.
            let hash: api::HashOf = unsafe { symbol(source.library, names.hash) }?;
            // SAFETY: it takes no arguments.
            Ok(unsafe { hash() })
        }
    }
}

/// It is never freed, since the library keeps it anyway.
fn fetched(
    source: Source,
    api: api::FetchDigest,
    name: &CStr,
) -> Result<*const EVP_MD, Unavailable> {
    // SAFETY: both are strings, and null stands for the default.
    let fetch = |name, query| unsafe { (api.EVP_MD_fetch)(null_mut(), name, query) };
    Ok(source.fetch(name, fetch, "EVP_MD_get0_provider")?)
}

/// The generator of the default library context.
pub(super) struct Random(api::Random);

impl Random {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        Ok(Self(api::Random::load(library)?))
    }
}

impl jobs::Fill for Random {
    fn fill(&mut self, out: &mut [u8]) {
        for piece in out.chunks_mut(1 << 30) {
            // SAFETY: there are that many bytes.
            let done = unsafe { (self.0.RAND_bytes)(piece.as_mut_ptr(), piece.len() as c_int) };
            assert_eq!(done, 1, "it has random bytes");
        }
    }
}
