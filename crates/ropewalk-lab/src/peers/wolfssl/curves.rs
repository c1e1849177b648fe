//! X25519 and Ed25519, with keys in memory of the caller.

use std::ffi::{c_int, c_uint, c_void};

use libloading::os::unix::Library;

use super::{Context, cipher::Random, failed, len};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{self, CurveKey, Signature},
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, SignatureOp},
};

functions! {
    /// X25519; 0 is no error.
    X25519 {
        fn wc_curve25519_init(key: *mut c_void) -> c_int;
        fn wc_curve25519_free(key: *mut c_void);
        fn wc_curve25519_import_private_ex(
            private: *const u8,
            len: c_uint,
            key: *mut c_void,
            order: c_int,
        ) -> c_int;
        fn wc_curve25519_import_public_ex(
            public: *const u8,
            len: c_uint,
            key: *mut c_void,
            order: c_int,
        ) -> c_int;
        fn wc_curve25519_shared_secret_ex(
            private: *mut c_void,
            public: *mut c_void,
            secret: *mut u8,
            len: *mut c_uint,
            order: c_int,
        ) -> c_int;
        fn wc_curve25519_make_pub(
            public_len: c_int,
            public: *mut u8,
            private_len: c_int,
            private: *const u8,
        ) -> c_int;
    }

    /// Blinding of agreements, in libraries that were built with it.
    Blinding {
        fn wc_curve25519_set_rng(key: *mut c_void, generator: *mut c_void) -> c_int;
    }

    /// Ed25519; 0 is no error.
    Ed25519 {
        fn wc_ed25519_init(key: *mut c_void) -> c_int;
        fn wc_ed25519_free(key: *mut c_void);
        fn wc_ed25519_import_private_only(
            seed: *const u8,
            len: c_uint,
            key: *mut c_void,
        ) -> c_int;
        fn wc_ed25519_make_public(key: *mut c_void, public: *mut u8, len: c_uint) -> c_int;
        fn wc_ed25519_import_private_key(
            seed: *const u8,
            seed_len: c_uint,
            public: *const u8,
            public_len: c_uint,
            key: *mut c_void,
        ) -> c_int;
        fn wc_ed25519_import_public(public: *const u8, len: c_uint, key: *mut c_void) -> c_int;
        fn wc_ed25519_sign_msg(
            message: *const u8,
            message_len: c_uint,
            signature: *mut u8,
            signature_len: *mut c_uint,
            key: *mut c_void,
        ) -> c_int;
        fn wc_ed25519_verify_msg(
            signature: *const u8,
            signature_len: c_uint,
            message: *const u8,
            message_len: c_uint,
            right: *mut c_int,
            key: *mut c_void,
        ) -> c_int;
    }
}

/// `EC25519_LITTLE_ENDIAN`, as the standard has it.
const LITTLE_ENDIAN: c_int = 0;

/// A job of X25519.
pub(super) fn x25519(
    cell: &Cell,
    library: &'static Library,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        AgreementOp::Agree => jobs::agreement(cell, move |key| Private::new(library, key)),
        AgreementOp::Generate => jobs::generation(cell, Generation(X25519::load(library)?)),
    }
}

/// A job of Ed25519.
pub(super) fn ed25519(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = Ed25519::load(library)?;
    match op {
        SignatureOp::Sign => jobs::signing(cell, move |seed| Pair::new(api, seed)),
        SignatureOp::Verify => jobs::verifying(cell, move |public| Public::new(api, public)),
    }
}

/// A key of X25519, freed when dropped.
struct CurveContext {
    api: X25519,
    context: Context,
}

impl CurveContext {
    fn new(api: X25519) -> Result<Self, Unavailable> {
        let mut context = Context::new();
        // SAFETY: there is space for the key.
        match unsafe { (api.wc_curve25519_init)(context.get()) } {
            0 => Ok(Self { api, context }),
            _ => Err(failed("wc_curve25519_init")),
        }
    }

    fn set_private(&mut self, key: &CurveKey) -> bool {
        let import = self.api.wc_curve25519_import_private_ex;
        // SAFETY: the key has been made ready, and the bytes are as many as they say.
        unsafe { import(key.as_ptr(), len(key), self.context.get(), LITTLE_ENDIAN) == 0 }
    }
}

impl Drop for CurveContext {
    fn drop(&mut self) {
        // SAFETY: the key has been made ready, and nothing else uses it.
        unsafe { (self.api.wc_curve25519_free)(self.context.get()) }
    }
}

/// A private key, and the public key of the other side.
struct Private {
    private: CurveContext,
    other: CurveContext,
    /// The generator for blinding, which is dropped after the key.
    _generator: Option<Random>,
}

impl Private {
    fn new(library: &'static Library, key: &CurveKey) -> Result<Self, Unavailable> {
        let api = X25519::load(library)?;
        let (mut private, other) = (CurveContext::new(api)?, CurveContext::new(api)?);
        if !private.set_private(key) {
            return Err(failed("wc_curve25519_import_private_ex"));
        }
        let context = private.context.get();
        let mut generator = None;
        if let Ok(blinding) = Blinding::load(library) {
            let random = generator.insert(Random::new(library)?);
            // SAFETY: both have been made ready, and the generator lives as long as the key, on the heap.
            if unsafe { (blinding.wc_curve25519_set_rng)(context, random.get()) } != 0 {
                return Err(failed("wc_curve25519_set_rng"));
            }
        }
        Ok(Self { private, other, _generator: generator })
    }
}

impl jobs::Agreement for Private {
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey) {
        let (private, other) = (self.private.context.get(), self.other.context.get());
        let api = &self.private.api;
        let (start, bytes) = (public.as_ptr(), len(public));
        let import = api.wc_curve25519_import_public_ex;
        // SAFETY: the key has been made ready, and the bytes are as many as they say.
        let told = unsafe { import(start, bytes, other, LITTLE_ENDIAN) };
        let (mut bytes, place) = (len(secret), secret.as_mut_ptr());
        let agree = api.wc_curve25519_shared_secret_ex;
        // SAFETY: both keys have been made ready, and there is space for that many bytes.
        let done =
            told == 0 && unsafe { agree(private, other, place, &mut bytes, LITTLE_ENDIAN) } == 0;
        if !(done && bytes == len(secret)) {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }

    fn rekey(&mut self, key: &CurveKey) -> bool {
        self.private.set_private(key)
    }
}

struct Generation(X25519);

impl jobs::Generation for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut CurveKey) {
        // It accepts only keys whose bits are set as in the standard.
        let mut scalar = *private;
        scalar[0] &= 248;
        scalar[31] = scalar[31] & 127 | 64;
        const LEN: c_int = CURVE_KEY as c_int;
        let (place, start) = (public.as_mut_ptr(), scalar.as_ptr());
        // SAFETY: both have the given lengths.
        if unsafe { (self.0.wc_curve25519_make_pub)(LEN, place, LEN, start) } != 0 {
            public.fill(0);
        }
    }
}

/// A key of Ed25519, freed when dropped.
struct EdwardsContext {
    api: Ed25519,
    context: Context,
}

impl EdwardsContext {
    fn new(api: Ed25519) -> Result<Self, Unavailable> {
        let mut context = Context::new();
        // SAFETY: there is space for the key.
        match unsafe { (api.wc_ed25519_init)(context.get()) } {
            0 => Ok(Self { api, context }),
            _ => Err(failed("wc_ed25519_init")),
        }
    }
}

impl Drop for EdwardsContext {
    fn drop(&mut self) {
        // SAFETY: the key has been made ready, and nothing else uses it.
        unsafe { (self.api.wc_ed25519_free)(self.context.get()) }
    }
}

struct Pair(EdwardsContext);

impl Pair {
    fn new(api: Ed25519, seed: &CurveKey) -> Result<Self, Unavailable> {
        let (mut key, mut public) = (EdwardsContext::new(api)?, [0; CURVE_KEY]);
        let (context, start, bytes) = (key.context.get(), seed.as_ptr(), len(seed));
        // SAFETY: the key has been made ready, and the seed has the given length.
        let seeded = unsafe { (api.wc_ed25519_import_private_only)(start, bytes, context) };
        let place = public.as_mut_ptr();
        // SAFETY: the key has its seed, and there is space for that many bytes.
        let made = unsafe { (api.wc_ed25519_make_public)(context, place, bytes) };
        let import = api.wc_ed25519_import_private_key;
        // SAFETY: the key has been made ready, and both have the given lengths.
        let done = unsafe { import(start, bytes, place, bytes, context) };
        match (seeded, made, done) {
            (0, 0, 0) => Ok(Self(key)),
            _ => Err(failed("wc_ed25519_import_private_key")),
        }
    }
}

impl jobs::Signing for Pair {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let (context, start, bytes) = (self.0.context.get(), message.as_ptr(), len(message));
        let (place, mut written) = (signature.as_mut_ptr(), len(signature));
        let sign = self.0.api.wc_ed25519_sign_msg;
        // SAFETY: the key has both of its halves, the message has the given length, and there is space for that many bytes.
        let done = unsafe { sign(start, bytes, place, &mut written, context) };
        if done != 0 || written != len(signature) {
            signature.fill(0);
        }
    }
}

struct Public(EdwardsContext);

impl Public {
    fn new(api: Ed25519, public: &CurveKey) -> Result<Self, Unavailable> {
        let mut key = Self(EdwardsContext::new(api)?);
        match key.set(public) {
            true => Ok(key),
            false => Err(failed("wc_ed25519_import_public")),
        }
    }

    fn set(&mut self, public: &[u8]) -> bool {
        let EdwardsContext { api, context } = &mut self.0;
        let (start, bytes) = (public.as_ptr(), len(public));
        // SAFETY: the key has been made ready, and the bytes are as many as they say.
        unsafe { (api.wc_ed25519_import_public)(start, bytes, context.get()) == 0 }
    }
}

impl jobs::Verifying for Public {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let (context, start, bytes) = (self.0.context.get(), message.as_ptr(), len(message));
        let (with, mut right) = (signature.as_ptr(), 0);
        let verify = self.0.api.wc_ed25519_verify_msg;
        // SAFETY: the key is there, both have the given lengths, and there is space for a number.
        let done = unsafe { verify(with, len(signature), start, bytes, &mut right, context) };
        done == 0 && right == 1
    }

    fn rekey(&mut self, public: &[u8]) -> bool {
        self.set(public)
    }
}
