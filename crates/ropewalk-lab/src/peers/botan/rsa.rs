//! RSA, with operations that have their keys, which are read from DER.

use std::ffi::{CStr, c_int};

use libloading::os::unix::Library;

use super::{
    api::Handle,
    curves::{Keys, Object, Signing, Verifying},
};
use crate::{
    peers::{Job, Unavailable, dl::functions, jobs},
    tasks::{Cell, SignatureOp},
};

functions! {
    /// Keys in DER.
    Rsa {
        fn botan_privkey_load_rsa_pkcs1(key: *mut Handle, der: *const u8, len: usize) -> c_int;
        fn botan_pubkey_load(key: *mut Handle, der: *const u8, len: usize) -> c_int;
    }
}

const NAME: &str = "RSA";
/// Its name for PKCS #1 v1.5.
const HOW: &CStr = c"EMSA3(SHA-256)";

/// A job of signatures.
pub(super) fn job(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let (api, keys) = (Rsa::load(library)?, Keys::load(library)?);
    match op {
        SignatureOp::Sign => jobs::rsa::signing(cell, move |key| {
            let (load, der) = (api.botan_privkey_load_rsa_pkcs1, &key.pkcs1);
            // SAFETY: there is space for a handle, and the bytes are as many as they say.
            let make = |handle: &mut Handle| unsafe { load(handle, der.as_ptr(), der.len()) };
            let call = ("botan_privkey_load_rsa_pkcs1", NAME);
            let key = Object::new(make, call, keys.botan_privkey_destroy)?;
            Signing::new(library, key, HOW, NAME)
        }),
        SignatureOp::Verify => jobs::rsa::verifying(cell, move |key| {
            let (load, der) = (api.botan_pubkey_load, &key.spki);
            // SAFETY: there is space for a handle, and the bytes are as many as they say.
            let make = |handle: &mut Handle| unsafe { load(handle, der.as_ptr(), der.len()) };
            let call = ("botan_pubkey_load", NAME);
            let key = Object::new(make, call, keys.botan_pubkey_destroy)?;
            Verifying::new(library, key, HOW, NAME)
        }),
    }
}
