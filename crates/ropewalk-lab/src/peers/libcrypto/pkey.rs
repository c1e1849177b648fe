//! Keys of curves as `EVP_PKEY`.

use std::{
    ffi::{CStr, c_char, c_int},
    ptr::null_mut,
};

use super::{
    api::{ENGINE, EVP_PKEY, OSSL_LIB_CTX},
    errors, made,
    source::Source,
};
use crate::peers::{Unavailable, dl::functions, jobs::CurveKey};

functions! {
    /// Keys from their bytes, since OpenSSL 1.1.1.
    Keys {
        fn OBJ_txt2nid(oid: *const c_char) -> c_int;
        fn EVP_PKEY_new_raw_private_key(
            curve: c_int,
            engine: *mut ENGINE,
            key: *const u8,
            len: usize,
        ) -> *mut EVP_PKEY;
        fn EVP_PKEY_new_raw_public_key(
            curve: c_int,
            engine: *mut ENGINE,
            key: *const u8,
            len: usize,
        ) -> *mut EVP_PKEY;
        fn EVP_PKEY_get_raw_public_key(
            key: *const EVP_PKEY,
            out: *mut u8,
            len: *mut usize,
        ) -> c_int;
        fn EVP_PKEY_free(key: *mut EVP_PKEY);
    }

    /// The same of a provider, since OpenSSL 3.0.
    FetchedKeys {
        fn EVP_PKEY_new_raw_private_key_ex(
            library: *mut OSSL_LIB_CTX,
            curve: *const c_char,
            properties: *const c_char,
            key: *const u8,
            len: usize,
        ) -> *mut EVP_PKEY;
        fn EVP_PKEY_new_raw_public_key_ex(
            library: *mut OSSL_LIB_CTX,
            curve: *const c_char,
            properties: *const c_char,
            key: *const u8,
            len: usize,
        ) -> *mut EVP_PKEY;
    }
}

/// `EVP_PKEY_new_raw_private_key`, and the function for public keys.
type New = unsafe extern "C" fn(c_int, *mut ENGINE, *const u8, usize) -> *mut EVP_PKEY;

/// The same for a provider.
type NewFetched = unsafe extern "C" fn(
    *mut OSSL_LIB_CTX,
    *const c_char,
    *const c_char,
    *const u8,
    usize,
) -> *mut EVP_PKEY;

/// A curve and the name of its algorithm.
#[derive(Clone, Copy)]
pub(super) struct Curve {
    pub(super) name: &'static CStr,
    /// Its number differs from library to library.
    pub(super) oid: &'static CStr,
}

/// Makes keys of a curve.
#[derive(Clone, Copy)]
pub(super) struct Maker {
    api: Keys,
    fetched: Option<FetchedKeys>,
    source: Source,
    curve: Curve,
    number: c_int,
}

impl Maker {
    /// # Errors
    /// If the library, or its selected part, has no such curve.
    pub(super) fn new(source: Source, curve: Curve) -> Result<Self, Unavailable> {
        if !source.fetches() {
            return Err(Unavailable("keys of curves are the library's own".into()));
        }
        let api = Keys::load(source.library)?;
        let fetched = FetchedKeys::load(source.library).ok();
        // SAFETY: it is a string.
        let number = unsafe { (api.OBJ_txt2nid)(curve.oid.as_ptr()) };
        let maker = Self { api, fetched, source, curve, number };
        errors::clear(source.library);
        maker.private(&[1; 32]).map_err(|_| source.lacks(&curve.name.to_string_lossy()))?;
        Ok(maker)
    }

    /// A private key, which makes the library compute its public key.
    ///
    /// # Errors
    /// If the library refuses it.
    pub(super) fn private(&self, key: &CurveKey) -> Result<Pkey, Unavailable> {
        let fetched = self.fetched.map(|api| api.EVP_PKEY_new_raw_private_key_ex);
        let new = self.api.EVP_PKEY_new_raw_private_key;
        self.make("EVP_PKEY_new_raw_private_key", key, fetched, new)
    }

    /// A public key.
    ///
    /// # Errors
    /// If the library refuses it.
    pub(super) fn public(&self, key: &CurveKey) -> Result<Pkey, Unavailable> {
        let fetched = self.fetched.map(|api| api.EVP_PKEY_new_raw_public_key_ex);
        let new = self.api.EVP_PKEY_new_raw_public_key;
        self.make("EVP_PKEY_new_raw_public_key", key, fetched, new)
    }

    /// A key of either kind: with the function for fetched algorithms, if the library has it.
    fn make(
        &self,
        call: &str,
        key: &CurveKey,
        fetched: Option<NewFetched>,
        new: New,
    ) -> Result<Pkey, Unavailable> {
        let (start, len) = (key.as_ptr(), key.len());
        let pkey = match fetched {
            Some(new) => {
                let (name, query) = (self.curve.name.as_ptr(), self.source.query());
                // SAFETY: null stands for the default library, both are strings or null, and the key is as long as
                // it says.
                unsafe { new(null_mut(), name, query, start, len) }
            }
            // SAFETY: null stands for no engine, and the key has the given length.
            None => unsafe { new(self.number, null_mut(), start, len) },
        };
        Ok(Pkey { api: self.api, pkey: made(pkey, call)? })
    }

    /// The source of its keys.
    pub(super) fn source(&self) -> Source {
        self.source
    }
}

/// A key, freed when dropped. Contexts hold references to their keys.
pub(super) struct Pkey {
    api: Keys,
    pkey: *mut EVP_PKEY,
}

impl Pkey {
    pub(super) fn get(&self) -> *mut EVP_PKEY {
        self.pkey
    }

    /// Writes the public key of a private key, and returns whether it did.
    pub(super) fn public(&self, out: &mut CurveKey) -> bool {
        let mut len = out.len();
        let get = self.api.EVP_PKEY_get_raw_public_key;
        // SAFETY: the key is alive, and there is space for that many bytes.
        let done = unsafe { get(self.pkey, out.as_mut_ptr(), &mut len) };
        done == 1 && len == out.len()
    }
}

impl Drop for Pkey {
    fn drop(&mut self) {
        // SAFETY: the key is alive, and this reference to it is released only here.
        unsafe { (self.api.EVP_PKEY_free)(self.pkey) }
    }
}
