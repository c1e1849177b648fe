//! X25519 and Ed25519, with functions of libhogweed that take bytes.

use std::{ffi::c_int, path::PathBuf};

use libloading::os::unix::Library;

use crate::{
    filename::{parse, shown},
    peers::{
        Job, Unavailable,
        dl::{self, functions},
        jobs::{self, CurveKey, Signature},
    },
    tasks::{AgreementOp, Cell, SignatureOp},
};

functions! {
    /// X25519. It does not fail: 0 means that the secret is that of a point of small order.
    X25519 {
        fn nettle_curve25519_mul(secret: *mut u8, private: *const u8, public: *const u8) -> c_int;
        fn nettle_curve25519_mul_g(public: *mut u8, private: *const u8);
    }

    /// Ed25519; 1 means that a signature is right.
    Ed25519 {
        fn nettle_ed25519_sha512_public_key(public: *mut u8, seed: *const u8);
        fn nettle_ed25519_sha512_sign(
            public: *const u8,
            seed: *const u8,
            len: usize,
            message: *const u8,
            signature: *mut u8,
        );
        fn nettle_ed25519_sha512_verify(
            public: *const u8,
            len: usize,
            message: *const u8,
            signature: *const u8,
        ) -> c_int;
    }
}

/// The library with public keys that belongs to the nettle in that folder.
pub(super) fn beside(nettle: Option<&str>) -> Result<&'static Library, Unavailable> {
    const NAME: &str = "libhogweed.so.6";
    let nettle = nettle.map(|nettle| PathBuf::from(parse(nettle)));
    let path = nettle.map(|nettle| nettle.with_file_name(NAME)).filter(|path| path.is_file());
    let missing = || Unavailable(format!("its {NAME}, which has public keys, is not next to it"));
    dl::open(&shown(path.ok_or_else(missing)?))
}

/// A job of X25519.
pub(super) fn x25519(
    cell: &Cell,
    nettle: Option<&str>,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = X25519::load(beside(nettle)?)?;
    match op {
        AgreementOp::Agree => jobs::agreement(cell, move |key| Ok(Private(api, *key))),
        AgreementOp::Generate => jobs::generation(cell, Generation(api)),
    }
}

/// A job of Ed25519.
pub(super) fn ed25519(
    cell: &Cell,
    nettle: Option<&str>,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = Ed25519::load(beside(nettle)?)?;
    match op {
        SignatureOp::Sign => jobs::signing(cell, move |seed| Ok(Pair::new(api, seed))),
        SignatureOp::Verify => jobs::verifying(cell, move |public| Ok(Public(api, *public))),
    }
}

struct Private(X25519, CurveKey);

impl jobs::Agreement for Private {
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey) {
        let (place, private) = (secret.as_mut_ptr(), self.1.as_ptr());
        // SAFETY: each has 32 bytes.
        unsafe { (self.0.nettle_curve25519_mul)(place, private, public.as_ptr()) };
    }
}

struct Generation(X25519);

impl jobs::Generation for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut CurveKey) {
        let (place, start) = (public.as_mut_ptr(), private.as_ptr());
        // SAFETY: both have 32 bytes.
        unsafe { (self.0.nettle_curve25519_mul_g)(place, start) }
    }
}

struct Pair {
    api: Ed25519,
    seed: CurveKey,
    public: CurveKey,
}

impl Pair {
    fn new(api: Ed25519, seed: &CurveKey) -> Self {
        let mut pair = Self { api, seed: *seed, public: [0; 32] };
        let (place, start) = (pair.public.as_mut_ptr(), seed.as_ptr());
        // SAFETY: both have 32 bytes.
        unsafe { (api.nettle_ed25519_sha512_public_key)(place, start) };
        pair
    }
}

impl jobs::Signing for Pair {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let Self { api, seed, public } = self;
        let (start, place) = (message.as_ptr(), signature.as_mut_ptr());
        let (public, seed, len) = (public.as_ptr(), seed.as_ptr(), message.len());
        // SAFETY: keys have 32 bytes and a signature 64, and the message has the given length.
        unsafe { (api.nettle_ed25519_sha512_sign)(public, seed, len, start, place) }
    }
}

struct Public(Ed25519, CurveKey);

impl jobs::Verifying for Public {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let (start, with) = (message.as_ptr(), signature.as_ptr());
        let (public, verify) = (self.1.as_ptr(), self.0.nettle_ed25519_sha512_verify);
        // SAFETY: the key has 32 bytes, a signature 64, and the message has the given length.
        unsafe { verify(public, message.len(), start, with) == 1 }
    }
}
