//! RSA, with keys as objects, which are read from DER.

use std::{
    ffi::{c_char, c_int, c_uint},
    ptr::null,
};

use libloading::os::unix::Library;

use super::{
    api::{Datum, Handle},
    nist::{Key, Maker, Signing, Verifying},
};
use crate::{
    peers::{Job, Unavailable, dl::functions, jobs},
    tasks::{Cell, SignatureOp},
};

functions! {
    /// Keys in DER; 0 is no error.
    Der {
        fn gnutls_privkey_import_x509_raw(
            key: Handle,
            der: *const Datum<'_>,
            format: c_int,
            password: *const c_char,
            flags: c_uint,
        ) -> c_int;
        fn gnutls_pubkey_import(key: Handle, der: *const Datum<'_>, format: c_int) -> c_int;
    }
}

/// `GNUTLS_X509_FMT_DER`.
const DER: c_int = 0;

/// `GNUTLS_SIGN_RSA_SHA256`.
const RSA_SHA256: c_int = 6;

/// A job of signatures.
pub(super) fn job(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let (api, maker, algorithm) = (Der::load(library)?, Maker::new(library)?, RSA_SHA256);
    match op {
        SignatureOp::Sign => jobs::rsa::signing(cell, move |key| {
            Ok(Signing { maker, key: private(api, maker, &key.pkcs8)?, algorithm })
        }),
        SignatureOp::Verify => jobs::rsa::verifying(cell, move |key| {
            Ok(Verifying { maker, key: public(api, maker, &key.spki)?, algorithm })
        }),
    }
}

fn private(api: Der, maker: Maker, der: &[u8]) -> Result<Key, Unavailable> {
    let (key, import) = (maker.empty_private()?, api.gnutls_privkey_import_x509_raw);
    // SAFETY: the key has been made ready, the bytes are as many as they say, and null stands for no password.
    match unsafe { import(key.handle, &Datum::of(der), DER, null(), 0) } {
        0 => Ok(key),
        _ => Err(Unavailable("gnutls_privkey_import_x509_raw failed".into())),
    }
}

fn public(api: Der, maker: Maker, der: &[u8]) -> Result<Key, Unavailable> {
    let (key, import) = (maker.empty_public()?, api.gnutls_pubkey_import);
    // SAFETY: the key has been made ready, and the bytes are as many as they say.
    match unsafe { import(key.handle, &Datum::of(der), DER) } {
        0 => Ok(key),
        _ => Err(Unavailable("gnutls_pubkey_import failed".into())),
    }
}
