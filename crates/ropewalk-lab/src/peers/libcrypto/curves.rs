//! X25519 and Ed25519: with functions that take bytes, if a library has them, or through `EVP_PKEY`.

use std::{
    ffi::{c_char, c_int},
    ptr::{null, null_mut},
};

use super::{
    api::{self, ENGINE, EVP_MD, EVP_MD_CTX, EVP_PKEY, EVP_PKEY_CTX, OSSL_LIB_CTX, OSSL_PARAM},
    failed, made,
    pkey::{Curve, Maker, Pkey},
    plain_curves,
    source::Source,
};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{self, CurveKey, Signature},
    },
    tasks::{AgreementOp, Cell, SignatureOp},
};

/// A job of X25519.
pub(super) fn x25519(
    cell: &Cell,
    source: Source,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    if source.is_choice()
        && let Ok(plain) = plain_curves::Agreement::new(source.library)
    {
        return match op {
            AgreementOp::Agree => jobs::agreement(cell, move |key| Ok(plain.key(key))),
            AgreementOp::Generate => jobs::generation(cell, plain),
        };
    }
    const X25519: Curve = Curve { name: c"X25519", oid: c"1.3.101.110" };
    let maker = Maker::new(source, X25519)?;
    match op {
        AgreementOp::Agree => jobs::agreement(cell, move |key| Derivation::new(maker, key)),
        AgreementOp::Generate => jobs::generation(cell, maker),
    }
}

/// A job of Ed25519.
pub(super) fn ed25519(
    cell: &Cell,
    source: Source,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    if source.is_choice()
        && let Ok(plain) = plain_curves::Signing::new(source.library)
    {
        return match op {
            SignatureOp::Sign => jobs::signing(cell, move |seed| Ok(plain.seed(seed))),
            SignatureOp::Verify => jobs::verifying(cell, move |public| Ok(plain.public(public))),
        };
    }
    const ED25519: Curve = Curve { name: c"ED25519", oid: c"1.3.101.112" };
    let maker = Maker::new(source, ED25519)?;
    match op {
        SignatureOp::Sign => jobs::signing(cell, move |seed| Signing::new(maker, seed)),
        SignatureOp::Verify => jobs::verifying(cell, move |public| Verifying::new(maker, public)),
    }
}

functions! {
    /// Agreements, in every one.
    Derive {
        fn EVP_PKEY_CTX_new(key: *mut EVP_PKEY, engine: *mut ENGINE) -> *mut EVP_PKEY_CTX;
        fn EVP_PKEY_CTX_free(ctx: *mut EVP_PKEY_CTX);
        fn EVP_PKEY_derive_init(ctx: *mut EVP_PKEY_CTX) -> c_int;
        fn EVP_PKEY_derive_set_peer(ctx: *mut EVP_PKEY_CTX, peer: *mut EVP_PKEY) -> c_int;
        fn EVP_PKEY_derive(ctx: *mut EVP_PKEY_CTX, secret: *mut u8, len: *mut usize) -> c_int;
    }

    /// A context with a provider's algorithm, since OpenSSL 3.0.
    FetchedContext {
        fn EVP_PKEY_CTX_new_from_pkey(
            library: *mut OSSL_LIB_CTX,
            key: *mut EVP_PKEY,
            properties: *const c_char,
        ) -> *mut EVP_PKEY_CTX;
    }

    /// Signatures of whole messages, since OpenSSL 1.1.1.
    Sign {
        fn EVP_DigestSignInit(
            ctx: *mut EVP_MD_CTX,
            key_ctx: *mut *mut EVP_PKEY_CTX,
            hash: *const EVP_MD,
            engine: *mut ENGINE,
            key: *mut EVP_PKEY,
        ) -> c_int;
        fn EVP_DigestSign(
            ctx: *mut EVP_MD_CTX,
            signature: *mut u8,
            signature_len: *mut usize,
            text: *const u8,
            len: usize,
        ) -> c_int;
        fn EVP_DigestVerifyInit(
            ctx: *mut EVP_MD_CTX,
            key_ctx: *mut *mut EVP_PKEY_CTX,
            hash: *const EVP_MD,
            engine: *mut ENGINE,
            key: *mut EVP_PKEY,
        ) -> c_int;
        fn EVP_DigestVerify(
            ctx: *mut EVP_MD_CTX,
            signature: *const u8,
            signature_len: usize,
            text: *const u8,
            len: usize,
        ) -> c_int;
    }

    /// The same with a provider's algorithm, since OpenSSL 3.0.
    FetchedSign {
        fn EVP_DigestSignInit_ex(
            ctx: *mut EVP_MD_CTX,
            key_ctx: *mut *mut EVP_PKEY_CTX,
            hash: *const c_char,
            library: *mut OSSL_LIB_CTX,
            properties: *const c_char,
            key: *mut EVP_PKEY,
            params: *const OSSL_PARAM,
        ) -> c_int;
        fn EVP_DigestVerifyInit_ex(
            ctx: *mut EVP_MD_CTX,
            key_ctx: *mut *mut EVP_PKEY_CTX,
            hash: *const c_char,
            library: *mut OSSL_LIB_CTX,
            properties: *const c_char,
            key: *mut EVP_PKEY,
            params: *const OSSL_PARAM,
        ) -> c_int;
    }
}

/// Agreements on one context, for which each public key is set.
struct Derivation {
    api: Derive,
    maker: Maker,
    ctx: *mut EVP_PKEY_CTX,
}

impl Derivation {
    fn new(maker: Maker, key: &CurveKey) -> Result<Self, Unavailable> {
        let source = maker.source();
        let (api, key) = (Derive::load(source.library)?, maker.private(key)?);
        let ctx = match FetchedContext::load(source.library) {
            Ok(fetched) => {
                let new = fetched.EVP_PKEY_CTX_new_from_pkey;
                // SAFETY: null stands for the default library, the key is alive, and the query is a string or null.
                unsafe { new(null_mut(), key.get(), source.query()) }
            }
            // SAFETY: the key is alive, and null stands for no engine.
            Err(_) => unsafe { (api.EVP_PKEY_CTX_new)(key.get(), null_mut()) },
        };
        // From here on, dropping frees the context.
        let made = Self { api, maker, ctx: made(ctx, "EVP_PKEY_CTX_new")? };
        // SAFETY: the context is alive and has its key.
        match unsafe { (api.EVP_PKEY_derive_init)(made.ctx) } {
            1 => Ok(made),
            _ => Err(failed("EVP_PKEY_derive_init")),
        }
    }

    fn derive(&mut self, public: &CurveKey, secret: &mut CurveKey) -> Option<()> {
        let peer = self.maker.public(public).ok()?;
        // SAFETY: both are alive, and the context keeps its share of the key.
        let told = unsafe { (self.api.EVP_PKEY_derive_set_peer)(self.ctx, peer.get()) };
        let mut len = secret.len();
        let (derive, place) = (self.api.EVP_PKEY_derive, secret.as_mut_ptr());
        // SAFETY: the context has both keys, or fails, and there is space for that many bytes.
        let done = told == 1 && unsafe { derive(self.ctx, place, &mut len) } == 1;
        (done && len == secret.len()).then_some(())
    }
}

impl jobs::Agreement for Derivation {
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey) {
        if self.derive(public, secret).is_none() {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }
}

impl Drop for Derivation {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nothing else uses it.
        unsafe { (self.api.EVP_PKEY_CTX_free)(self.ctx) }
    }
}

impl jobs::Generation for Maker {
    fn generate(&mut self, private: &CurveKey, public: &mut CurveKey) {
        if !self.private(private).is_ok_and(|key| key.public(public)) {
            public.fill(0);
        }
    }
}

/// A context with a key.
struct Context {
    digest: api::Digest,
    api: Sign,
    ctx: *mut EVP_MD_CTX,
}

impl Context {
    /// Makes a context with a key, with the function for fetched algorithms, if the library has it.
    fn new(
        call: &str,
        source: Source,
        key: &Pkey,
        fetched: impl Fn(FetchedSign) -> InitFetched,
        init: impl Fn(Sign) -> Init,
    ) -> Result<Self, Unavailable> {
        let (digest, api) = (api::Digest::load(source.library)?, Sign::load(source.library)?);
        // SAFETY: it takes no arguments.
        let ctx = made(unsafe { (digest.EVP_MD_CTX_new)() }, "EVP_MD_CTX_new")?;
        // From here on, dropping frees the context.
        let context = Self { digest, api, ctx };
        let done = match FetchedSign::load(source.library) {
            Ok(api) => {
                let (init, query) = (fetched(api), source.query());
                // SAFETY: the context and the key are alive, the query is a string or null, and the curve has its own
                // hash function.
                unsafe { init(ctx, null_mut(), null(), null_mut(), query, key.get(), null()) }
            }
            // SAFETY: the context and the key are alive, and the curve has its own hash function.
            Err(_) => unsafe { init(api)(ctx, null_mut(), null(), null_mut(), key.get()) },
        };
        if done == 1 { Ok(context) } else { Err(failed(call)) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nothing else uses it.
        unsafe { (self.digest.EVP_MD_CTX_free)(self.ctx) }
    }
}

/// Signatures on a context that starts each message with its key.
struct Signing(Context);

impl Signing {
    fn new(maker: Maker, seed: &CurveKey) -> Result<Self, Unavailable> {
        let (source, key) = (maker.source(), maker.private(seed)?);
        let fetched = |api: FetchedSign| api.EVP_DigestSignInit_ex;
        let init = |api: Sign| api.EVP_DigestSignInit;
        Context::new("EVP_DigestSignInit", source, &key, fetched, init).map(Self)
    }
}

impl jobs::Signing for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let Context { api, ctx, .. } = self.0;
        // SAFETY: the context has its key, and goes on with it.
        let begun =
            unsafe { (api.EVP_DigestSignInit)(ctx, null_mut(), null(), null_mut(), null_mut()) };
        let mut len = signature.len();
        let (place, start) = (signature.as_mut_ptr(), message.as_ptr());
        let sign = api.EVP_DigestSign;
        // SAFETY: the context has been started, the message has the given length, and there is space for that many bytes.
        let done = begun == 1 && unsafe { sign(ctx, place, &mut len, start, message.len()) } == 1;
        if !(done && len == signature.len()) {
            signature.fill(0);
        }
    }
}

/// The inverse.
struct Verifying(Context);

impl Verifying {
    fn new(maker: Maker, public: &CurveKey) -> Result<Self, Unavailable> {
        let (source, key) = (maker.source(), maker.public(public)?);
        let fetched = |api: FetchedSign| api.EVP_DigestVerifyInit_ex;
        let init = |api: Sign| api.EVP_DigestVerifyInit;
        Context::new("EVP_DigestVerifyInit", source, &key, fetched, init).map(Self)
    }
}

impl jobs::Verifying for Verifying {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let Context { api, ctx, .. } = self.0;
        // SAFETY: the context has its key, and goes on with it.
        let begun =
            unsafe { (api.EVP_DigestVerifyInit)(ctx, null_mut(), null(), null_mut(), null_mut()) };
        let (with, start) = (signature.as_ptr(), message.as_ptr());
        let verify = api.EVP_DigestVerify;
        // SAFETY: the context has been started, and both have the given lengths.
        begun == 1 && unsafe { verify(ctx, with, signature.len(), start, message.len()) } == 1
    }
}

/// `EVP_DigestSignInit_ex` and its inverse.
type InitFetched = unsafe extern "C" fn(
    *mut EVP_MD_CTX,
    *mut *mut EVP_PKEY_CTX,
    *const c_char,
    *mut OSSL_LIB_CTX,
    *const c_char,
    *mut EVP_PKEY,
    *const OSSL_PARAM,
) -> c_int;

/// `EVP_DigestSignInit` and its inverse.
type Init = unsafe extern "C" fn(
    *mut EVP_MD_CTX,
    *mut *mut EVP_PKEY_CTX,
    *const EVP_MD,
    *mut ENGINE,
    *mut EVP_PKEY,
) -> c_int;
