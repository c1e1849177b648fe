//! P-256: through `EVP_PKEY`, and agreements of libraries without providers with points.

mod keys;

use std::{
    ffi::c_int,
    ptr::{null, null_mut},
};

use keys::{FetchedKeys, Group, Key, Keys, Maker, PlainKey};
pub(super) use keys::{Object, Pkey};
use libloading::os::unix::Library;

use super::{
    api::{ENGINE, EVP_PKEY_CTX},
    curves::{Derive, FetchedContext},
    digest, failed, made,
    source::Source,
};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{
            self, CurveKey, Hash as _,
            p256::{POINT, Pair, Point},
        },
    },
    tasks::{AgreementOp, Cell, Function, SignatureOp},
};

functions! {
    /// Signatures of digests, in every one.
    Sign {
        fn EVP_PKEY_sign_init(ctx: *mut EVP_PKEY_CTX) -> c_int;
        fn EVP_PKEY_sign(
            ctx: *mut EVP_PKEY_CTX,
            signature: *mut u8,
            len: *mut usize,
            digest: *const u8,
            digest_len: usize,
        ) -> c_int;
        fn EVP_PKEY_verify_init(ctx: *mut EVP_PKEY_CTX) -> c_int;
        fn EVP_PKEY_verify(
            ctx: *mut EVP_PKEY_CTX,
            signature: *const u8,
            len: usize,
            digest: *const u8,
            digest_len: usize,
        ) -> c_int;
    }
}

/// `POINT_CONVERSION_UNCOMPRESSED`.
const UNCOMPRESSED: c_int = 4;

/// A job of ECDH.
pub(super) fn ecdh(
    cell: &Cell,
    source: Source,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let maker = Maker::new(source)?;
    match (op, maker.fetched) {
        (AgreementOp::Agree, Some(keys)) => {
            jobs::p256::agreement(cell, move |pair| Derivation::new(maker, keys, pair))
        }
        (AgreementOp::Agree, None) => {
            jobs::p256::agreement(cell, move |pair| Multiplication::new(source.library, pair))
        }
        (AgreementOp::Generate, _) if !source.is_choice() => {
            Err(Unavailable("public keys of P-256 are computed by the library itself".into()))
        }
        (AgreementOp::Generate, _) => {
            jobs::p256::generation(cell, Generation(Group::new(source.library)?))
        }
    }
}

/// A job of ECDSA. Signatures are in DER.
pub(super) fn ecdsa(
    cell: &Cell,
    source: Source,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let maker = Maker::new(source)?;
    match op {
        SignatureOp::Sign => jobs::p256::signing_der(cell, move |pair| {
            Signing::new(source, &maker.make(Key::Pair(pair))?)
        }),
        SignatureOp::Verify => jobs::p256::verifying_der(cell, move |public| {
            Verifying::new(source, &maker.make(Key::Public(public))?)
        }),
    }
}

/// A context of a key: with a provider's algorithm, if the library has providers.
fn context(source: Source, key: &Pkey) -> Result<Object<EVP_PKEY_CTX>, Unavailable> {
    let api = Derive::load(source.library)?;
    let ctx = match FetchedContext::load(source.library) {
        Ok(fetched) => {
            let new = fetched.EVP_PKEY_CTX_new_from_pkey;
            // SAFETY: null stands for the default library, the key is alive, and the query is a string or null.
            unsafe { new(null_mut(), key.of, source.query()) }
        }
        // SAFETY: the key is alive, and null stands for no engine.
        Err(_) => unsafe { (api.EVP_PKEY_CTX_new)(key.of, null_mut::<ENGINE>()) },
    };
    Ok(Object { of: made(ctx, "EVP_PKEY_CTX_new")?, free: api.EVP_PKEY_CTX_free })
}

/// Agreements on one context, for which each public key is set, as TLS does it.
struct Derivation {
    api: Derive,
    maker: Maker,
    keys: FetchedKeys,
    key: Pkey,
    ctx: Object<EVP_PKEY_CTX>,
}

impl Derivation {
    fn new(maker: Maker, keys: FetchedKeys, pair: Pair<'_>) -> Result<Self, Unavailable> {
        let (api, key) = (Derive::load(maker.source.library)?, maker.make(Key::Pair(pair))?);
        let ctx = context(maker.source, &key)?;
        // SAFETY: the context is alive and has its key.
        match unsafe { (api.EVP_PKEY_derive_init)(ctx.of) } {
            1 => Ok(Self { api, maker, keys, key, ctx }),
            _ => Err(failed("EVP_PKEY_derive_init")),
        }
    }

    fn derive(&mut self, public: &Point, secret: &mut CurveKey) -> Option<()> {
        let Keys { EVP_PKEY_new: new, EVP_PKEY_free: free } = self.maker.api;
        // SAFETY: it takes no arguments.
        let peer = made(unsafe { new() }, "EVP_PKEY_new").ok()?;
        let peer = Object { of: peer, free };
        // SAFETY: both keys are alive.
        let same = unsafe { (self.keys.EVP_PKEY_copy_parameters)(peer.of, self.key.of) };
        let (set, start) = (self.keys.EVP_PKEY_set1_encoded_public_key, public.as_ptr());
        // SAFETY: the key is alive, and the bytes are as many as they say.
        let told = same == 1 && unsafe { set(peer.of, start, POINT) } == 1;
        let set_peer = self.api.EVP_PKEY_derive_set_peer;
        // SAFETY: both are alive, and the context keeps its share of the key.
        let told = told && unsafe { set_peer(self.ctx.of, peer.of) } == 1;
        let mut len = secret.len();
        let (derive, place) = (self.api.EVP_PKEY_derive, secret.as_mut_ptr());
        // SAFETY: the context has both keys, or fails, and there is space for that many bytes.
        let done = told && unsafe { derive(self.ctx.of, place, &mut len) } == 1;
        (done && len == secret.len()).then_some(())
    }
}

impl jobs::Agreement<POINT> for Derivation {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        if self.derive(public, secret).is_none() {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }
}

/// Agreements with the function that takes points.
struct Multiplication {
    key: PlainKey,
    group: Group,
}

impl Multiplication {
    fn new(library: &'static Library, pair: Pair<'_>) -> Result<Self, Unavailable> {
        let key = PlainKey::new(library, Key::Pair(pair))?;
        Ok(Self { key, group: Group::new(library)? })
    }
}

impl jobs::Agreement<POINT> for Multiplication {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        let PlainKey { api, key } = &self.key;
        let (compute, place, len) =
            (api.ECDH_compute_key, secret.as_mut_ptr().cast(), secret.len());
        let done = self.group.read(public)
            // SAFETY: both are alive, there is space for that many bytes, and null stands for no derivation.
            && unsafe { compute(place, len, self.group.point.of, key.of, null()) } == len as c_int;
        if !done {
            secret.fill(0);
        }
    }
}

struct Generation(Group);

impl jobs::Generation<POINT> for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut Point) {
        let Group { api, group, point, ctx, .. } = &self.0;
        let done = self.0.number(private).is_some_and(|number| {
            let multiply = api.EC_POINT_mul;
            // SAFETY: all of them are alive, and null stands for no other point.
            unsafe { multiply(*group, point.of, number.of, null(), null(), ctx.of) == 1 }
        });
        let (write, place) = (api.EC_POINT_point2oct, public.as_mut_ptr());
        // SAFETY: all of them are alive, and there is space for that many bytes.
        let len = unsafe { write(*group, point.of, UNCOMPRESSED, place, POINT, ctx.of) };
        if !done || len != POINT {
            public.fill(0);
        }
    }
}

/// A context that signs or verifies digests, and the hash function.
pub(super) struct Context {
    api: Sign,
    hash: digest::Hash,
    pub(super) ctx: Object<EVP_PKEY_CTX>,
}

impl Context {
    fn new(
        source: Source,
        key: &Pkey,
        call: &str,
        init: impl Fn(Sign) -> unsafe extern "C" fn(*mut EVP_PKEY_CTX) -> c_int,
    ) -> Result<Self, Unavailable> {
        let api = Sign::load(source.library)?;
        let hash = digest::Hash::new(source, Function::Sha256)?;
        // The context has its own reference.
        let ctx = context(source, key)?;
        // SAFETY: the context is alive and has its key.
        match unsafe { init(api)(ctx.of) } {
            1 => Ok(Self { api, hash, ctx }),
            _ => Err(failed(call)),
        }
    }

    fn digest(&mut self, message: &[u8]) -> [u8; 32] {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        digest
    }
}

pub(super) struct Signing(pub(super) Context);

impl Signing {
    pub(super) fn new(source: Source, key: &Pkey) -> Result<Self, Unavailable> {
        Context::new(source, key, "EVP_PKEY_sign_init", |api| api.EVP_PKEY_sign_init).map(Self)
    }
}

impl<S: AsMut<[u8]> + ?Sized> jobs::Signing<S> for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut S) {
        let (digest, signature) = (self.0.digest(message), signature.as_mut());
        let Context { api, ctx, .. } = &self.0;
        let (place, mut len) = (signature.as_mut_ptr(), signature.len());
        let (sign, start) = (api.EVP_PKEY_sign, digest.as_ptr());
        // SAFETY: the context has been started, both have the given lengths.
        if unsafe { sign(ctx.of, place, &mut len, start, digest.len()) } != 1 {
            signature.fill(0);
        }
    }
}

pub(super) struct Verifying(pub(super) Context);

impl Verifying {
    pub(super) fn new(source: Source, key: &Pkey) -> Result<Self, Unavailable> {
        Context::new(source, key, "EVP_PKEY_verify_init", |api| api.EVP_PKEY_verify_init).map(Self)
    }
}

impl<S: AsRef<[u8]>> jobs::Verifying<S> for Verifying {
    fn verify(&mut self, message: &[u8], signature: &S) -> bool {
        let digest = self.0.digest(message);
        let Context { api, ctx, .. } = &self.0;
        let (signature, start) = (signature.as_ref(), digest.as_ptr());
        let (verify, with) = (api.EVP_PKEY_verify, signature.as_ptr());
        // SAFETY: the context has been started, and both have the given lengths.
        unsafe { verify(ctx.of, with, signature.len(), start, digest.len()) == 1 }
    }
}
