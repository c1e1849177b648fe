//! Hash functions.

use std::{ffi::c_int, ptr::null_mut};

use libloading::os::unix::Library;

use super::api::{self, Handle};
use crate::{
    peers::{Unavailable, find, jobs},
    tasks::Function,
};

/// `gcry_md_hash_buffer` for a message, a handle for a stream.
pub(super) struct Hash {
    api: api::Digest,
    of_any_length: Option<api::Extract>,
    algorithm: c_int,
    handle: Handle,
}

impl Hash {
    pub(super) fn new(
        library: &'static Library,
        function: Function,
        algorithm: c_int,
    ) -> Result<Self, Unavailable> {
        let api = api::Digest::load(library)?;
        let of_any_length = match function.extends() {
            true => Some(api::Extract::load(library)?),
            false => None,
        };
        let mut handle = null_mut();
        // SAFETY: there is space for a handle.
        let done = unsafe { (api.gcry_md_open)(&mut handle, algorithm, 0) };
        if done == 0 {
            Ok(Self { api, of_any_length, algorithm, handle })
        } else {
            Err(Unavailable("gcry_md_open failed".into()))
        }
    }
}

impl jobs::Hash for Hash {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        if self.of_any_length.is_some() {
            jobs::Hash::start(self);
            jobs::Hash::update(self, text);
            return self.finish(digest);
        }
        let (place, start) = (digest.as_mut_ptr().cast(), text.as_ptr().cast());
        // SAFETY: the text has the given length, and a digest of the function is as long as its buffer.
        unsafe { (self.api.gcry_md_hash_buffer)(self.algorithm, place, start, text.len()) }
    }

    fn start(&mut self) {
        // SAFETY: the handle is open.
        unsafe { (self.api.gcry_md_reset)(self.handle) }
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the handle is open, and the text has the given length.
        unsafe { (self.api.gcry_md_write)(self.handle, text.as_ptr().cast(), text.len()) }
    }

    fn finish(&mut self, digest: &mut [u8]) {
        if let Some(api) = self.of_any_length {
            let place = digest.as_mut_ptr().cast();
            // SAFETY: the handle is open, and the place has the given length.
            let done =
                unsafe { (api.gcry_md_extract)(self.handle, self.algorithm, place, digest.len()) };
            if done != 0 {
                // A failed call must not look like an answer.
                digest.fill(0);
            }
            return;
        }
        // SAFETY: the handle is open; it holds the digest until it is reset.
        let found = unsafe { (self.api.gcry_md_read)(self.handle, self.algorithm) };
        if found.is_null() {
            // A failed call must not look like an answer.
            return digest.fill(0);
        }
        // SAFETY: where it is not null, it has the bytes of a digest, as the place has.
        jobs::put(digest, unsafe { std::slice::from_raw_parts(found, digest.len()) });
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and nothing else uses it.
        unsafe { (self.api.gcry_md_close)(self.handle) }
    }
}

/// `GCRY_MD_SHA256`, and so on, and `GCRY_MAC_HMAC_SHA256`, and so on.
pub(super) const ALGORITHMS: &[(Function, (c_int, Option<c_int>))] = &[
    (Function::Md5, (1, Some(106))),
    (Function::Sha1, (2, Some(105))),
    (Function::Sha224, (11, Some(102))),
    (Function::Sha256, (8, Some(101))),
    (Function::Sha384, (9, Some(104))),
    (Function::Sha512, (10, Some(103))),
    (Function::Sha512_256, (327, None)),
    (Function::Sha3_224, (312, Some(115))),
    (Function::Sha3_256, (313, Some(116))),
    (Function::Sha3_384, (314, Some(117))),
    (Function::Sha3_512, (315, Some(118))),
    (Function::Sm3, (326, Some(128))),
    (Function::Shake128, (316, None)),
    (Function::Shake256, (317, None)),
];

pub(super) fn algorithm(function: Function) -> Option<c_int> {
    find(ALGORITHMS, function).map(|(digest, _)| digest)
}
