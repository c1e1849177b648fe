//! RSA, with keys in DER, through `EVP_PKEY`.

use std::{
    ffi::{c_char, c_int, c_long, c_void},
    ptr::null_mut,
};

use super::{
    api::{EVP_MD, EVP_PKEY, EVP_PKEY_CTX, OSSL_LIB_CTX},
    digest, errors, failed,
    nist::{Context, Object, Pkey, Signing, Verifying},
    source::Source,
};
use crate::{
    peers::{Job, Unavailable, dl::functions, jobs},
    tasks::{Cell, Function, SignatureOp},
};

functions! {
    /// Keys in DER, in every one.
    Der {
        fn d2i_AutoPrivateKey(
            key: *mut *mut EVP_PKEY,
            der: *mut *const u8,
            len: c_long,
        ) -> *mut EVP_PKEY;
        fn d2i_PUBKEY(key: *mut *mut EVP_PKEY, der: *mut *const u8, len: c_long) -> *mut EVP_PKEY;
        fn EVP_PKEY_free(key: *mut EVP_PKEY);
    }

    /// The same of a provider, since OpenSSL 3.0.
    FetchedDer {
        fn d2i_AutoPrivateKey_ex(
            key: *mut *mut EVP_PKEY,
            der: *mut *const u8,
            len: c_long,
            library: *mut OSSL_LIB_CTX,
            properties: *const c_char,
        ) -> *mut EVP_PKEY;
        fn d2i_PUBKEY_ex(
            key: *mut *mut EVP_PKEY,
            der: *mut *const u8,
            len: c_long,
            library: *mut OSSL_LIB_CTX,
            properties: *const c_char,
        ) -> *mut EVP_PKEY;
    }

    /// The hash function of signatures: a macro before OpenSSL 3.0.
    SignatureHash {
        fn EVP_PKEY_CTX_set_signature_md(ctx: *mut EVP_PKEY_CTX, hash: *const EVP_MD) -> c_int;
    }

    /// What the macro calls.
    Control {
        fn EVP_PKEY_CTX_ctrl(
            ctx: *mut EVP_PKEY_CTX,
            key_type: c_int,
            operation: c_int,
            command: c_int,
            number: c_int,
            pointer: *mut c_void,
        ) -> c_int;
    }
}

/// A job of signatures. The padding is the default one of its keys, PKCS #1 v1.5.
pub(super) fn job(
    cell: &Cell,
    source: Source,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let maker = Maker::new(source)?;
    match op {
        SignatureOp::Sign => jobs::rsa::signing(cell, move |key| {
            let signing = Signing::new(source, &maker.private(&key.pkcs8)?)?;
            maker.set_hash(&signing.0)?;
            Ok(signing)
        }),
        SignatureOp::Verify => jobs::rsa::verifying(cell, move |key| {
            let verifying = Verifying::new(source, &maker.public(&key.spki)?)?;
            maker.set_hash(&verifying.0)?;
            Ok(verifying)
        }),
    }
}

/// Makes keys.
#[derive(Clone, Copy)]
struct Maker {
    source: Source,
    api: Der,
    fetched: Option<FetchedDer>,
    hash: *const EVP_MD,
}

impl Maker {
    fn new(source: Source) -> Result<Self, Unavailable> {
        if !source.fetches() {
            return Err(Unavailable("keys of RSA are the library's own".into()));
        }
        let api = Der::load(source.library)?;
        let fetched = FetchedDer::load(source.library).ok();
        Ok(Self { source, api, fetched, hash: digest::function(source, Function::Sha256)? })
    }

    fn private(&self, der: &[u8]) -> Result<Pkey, Unavailable> {
        errors::clear(self.source.library);
        let (mut start, len) = (der.as_ptr(), der.len() as c_long);
        let key = match self.fetched {
            Some(api) => {
                let (read, query) = (api.d2i_AutoPrivateKey_ex, self.source.query());
                // SAFETY: the bytes are as many as they say, null stands for a new key and the default library, and the query is
                // a string or null.
                unsafe { read(null_mut(), &mut start, len, null_mut(), query) }
            }
            // SAFETY: the bytes are as many as they say, and null stands for a new key.
            None => unsafe { (self.api.d2i_AutoPrivateKey)(null_mut(), &mut start, len) },
        };
        self.made(key)
    }

    fn public(&self, der: &[u8]) -> Result<Pkey, Unavailable> {
        errors::clear(self.source.library);
        let (mut start, len) = (der.as_ptr(), der.len() as c_long);
        let key = match self.fetched {
            Some(api) => {
                let (read, query) = (api.d2i_PUBKEY_ex, self.source.query());
                // SAFETY: as for a private key.
                unsafe { read(null_mut(), &mut start, len, null_mut(), query) }
            }
            // SAFETY: as for a private key.
            None => unsafe { (self.api.d2i_PUBKEY)(null_mut(), &mut start, len) },
        };
        self.made(key)
    }

    fn made(&self, key: *mut EVP_PKEY) -> Result<Pkey, Unavailable> {
        match key.is_null() {
            true => Err(self.source.lacks("RSA")),
            false => Ok(Object { of: key, free: self.api.EVP_PKEY_free }),
        }
    }

    /// Tells a context that digests are of SHA-256.
    fn set_hash(&self, Context { ctx, .. }: &Context) -> Result<(), Unavailable> {
        const CALL: &str = "EVP_PKEY_CTX_set_signature_md";
        let done = match SignatureHash::load(self.source.library) {
            Ok(api) => {
                // SAFETY: the context has been started, and a hash function lives until the process ends.
                unsafe { (api.EVP_PKEY_CTX_set_signature_md)(ctx.of, self.hash) }
            }
            Err(_) => {
                // Of any type of key, and for any operation.
                const ANY: c_int = -1;
                const EVP_PKEY_CTRL_MD: c_int = 1;
                let control = Control::load(self.source.library)?.EVP_PKEY_CTX_ctrl;
                let hash = self.hash.cast_mut().cast();
                // SAFETY: as above; this command takes a hash function, which it only reads.
                unsafe { control(ctx.of, ANY, ANY, EVP_PKEY_CTRL_MD, 0, hash) }
            }
        };
        if done == 1 { Ok(()) } else { Err(failed(CALL)) }
    }
}
