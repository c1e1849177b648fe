//! RSA: powers with padding, of a DigestInfo that is made and compared here.

use std::{
    ffi::{c_int, c_uint, c_void},
    ptr::null_mut,
};

use libloading::os::unix::Library;

use super::{Context, cipher::Random, digest, failed, len, nist::hash};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{
            self, Hash as _,
            rsa::{Signature, digest_info},
        },
    },
    tasks::{Cell, SignatureOp},
};

functions! {
    /// Keys and signatures; a negative number is an error.
    Rsa {
        fn wc_InitRsaKey(key: *mut c_void, heap: *mut c_void) -> c_int;
        fn wc_FreeRsaKey(key: *mut c_void) -> c_int;
        fn wc_RsaPrivateKeyDecode(
            der: *const u8,
            at: *mut c_uint,
            key: *mut c_void,
            len: c_uint,
        ) -> c_int;
        fn wc_RsaPublicKeyDecode(
            der: *const u8,
            at: *mut c_uint,
            key: *mut c_void,
            len: c_uint,
        ) -> c_int;
        fn wc_RsaSSL_Sign(
            info: *const u8,
            info_len: c_uint,
            signature: *mut u8,
            room: c_uint,
            key: *mut c_void,
            generator: *mut c_void,
        ) -> c_int;
        fn wc_RsaSSL_Verify(
            signature: *const u8,
            len: c_uint,
            info: *mut u8,
            room: c_uint,
            key: *mut c_void,
        ) -> c_int;
    }

    /// Blinding, in libraries that were built with it.
    Blinding {
        fn wc_RsaSetRNG(key: *mut c_void, generator: *mut c_void) -> c_int;
    }
}

/// A job of signatures.
pub(super) fn job(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = Rsa::load(library)?;
    match op {
        SignatureOp::Sign => {
            jobs::rsa::signing(cell, move |key| Signing::new(library, api, &key.pkcs1))
        }
        SignatureOp::Verify => {
            jobs::rsa::verifying(cell, move |key| Verifying::new(library, api, &key.spki))
        }
    }
}

/// A key, freed when dropped.
struct Key {
    api: Rsa,
    context: Context,
}

/// `wc_RsaPrivateKeyDecode`, and the function for public keys.
type Decode = unsafe extern "C" fn(*const u8, *mut c_uint, *mut c_void, c_uint) -> c_int;

impl Key {
    /// A key from DER.
    fn new(api: Rsa, der: &[u8], decode: Decode, call: &str) -> Result<Self, Unavailable> {
        let mut context = Context::new();
        // SAFETY: there is space for a key, and null stands for the common heap.
        if unsafe { (api.wc_InitRsaKey)(context.get(), null_mut()) } != 0 {
            return Err(failed("wc_InitRsaKey"));
        }
        let (mut key, mut at) = (Self { api, context }, 0);
        // SAFETY: the key has been made ready, and the bytes are as many as they say.
        match unsafe { decode(der.as_ptr(), &mut at, key.context.get(), len(der)) } {
            0 => Ok(key),
            _ => Err(failed(call)),
        }
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: the key has been made ready, and nothing else uses it.
        unsafe { (self.api.wc_FreeRsaKey)(self.context.get()) };
    }
}

struct Signing {
    key: Key,
    hash: digest::Hash,
    /// It is dropped after the key, which uses it for blinding.
    generator: Random,
}

impl Signing {
    fn new(library: &'static Library, api: Rsa, der: &[u8]) -> Result<Self, Unavailable> {
        let call = "wc_RsaPrivateKeyDecode";
        let mut key = Key::new(api, der, api.wc_RsaPrivateKeyDecode, call)?;
        let mut generator = Random::new(library)?;
        if let Ok(blinding) = Blinding::load(library) {
            // SAFETY: both have been made ready, and the generator lives as long as the key, on the heap.
            if unsafe { (blinding.wc_RsaSetRNG)(key.context.get(), generator.get()) } != 0 {
                return Err(failed("wc_RsaSetRNG"));
            }
        }
        Ok(Self { key, hash: hash(library)?, generator })
    }
}

impl jobs::Signing<[u8]> for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        let info = digest_info(&digest);
        let (key, generator) = (self.key.context.get(), self.generator.get());
        let (start, place, room) = (info.as_ptr(), signature.as_mut_ptr(), len(signature));
        let sign = self.key.api.wc_RsaSSL_Sign;
        // SAFETY: the key and the generator have been made ready, and both have the given lengths.
        let bytes = unsafe { sign(start, len(&info), place, room, key, generator) };
        if bytes != room as c_int {
            // A failed call must not look like an answer.
            signature.fill(0);
        }
    }
}

struct Verifying {
    key: Key,
    hash: digest::Hash,
    /// The place of a DigestInfo: as long as a signature, as the function asks.
    info: Vec<u8>,
}

impl Verifying {
    fn new(library: &'static Library, api: Rsa, der: &[u8]) -> Result<Self, Unavailable> {
        let key = Key::new(api, der, api.wc_RsaPublicKeyDecode, "wc_RsaPublicKeyDecode")?;
        Ok(Self { key, hash: hash(library)?, info: Vec::new() })
    }
}

impl jobs::Verifying<Signature> for Verifying {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        self.info.resize(signature.len(), 0);
        let (key, verify) = (self.key.context.get(), self.key.api.wc_RsaSSL_Verify);
        let (start, bytes) = (signature.as_ptr(), len(signature));
        let (place, room) = (self.info.as_mut_ptr(), len(&self.info));
        // SAFETY: the key has been made ready, and both have the given lengths.
        let bytes = unsafe { verify(start, bytes, place, room, key) };
        let info = usize::try_from(bytes).ok().and_then(|bytes| self.info.get(..bytes));
        info == Some(&digest_info(&digest)[..])
    }
}
