//! X25519 and Ed25519 with functions that take bytes, as in BoringSSL and AWS-LC.

use std::ffi::c_int;

use libloading::os::unix::Library;

use crate::peers::{
    Unavailable,
    dl::functions,
    jobs::{self, CurveKey, Signature},
};

functions! {
    /// X25519.
    X25519 {
        fn X25519(secret: *mut u8, private: *const u8, public: *const u8) -> c_int;
        fn X25519_public_from_private(public: *mut u8, private: *const u8);
    }

    /// Ed25519. LibreSSL's functions of that name take other arguments, and it has no keys from seeds.
    Ed25519 {
        fn ED25519_keypair_from_seed(public: *mut u8, private: *mut u8, seed: *const u8);
        fn ED25519_sign(
            signature: *mut u8,
            message: *const u8,
            len: usize,
            private: *const u8,
        ) -> c_int;
        fn ED25519_verify(
            message: *const u8,
            len: usize,
            signature: *const u8,
            public: *const u8,
        ) -> c_int;
    }
}

/// X25519, whose only state is a key.
#[derive(Clone, Copy)]
pub(super) struct Agreement(X25519);

impl Agreement {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        X25519::load(library).map(Self)
    }

    pub(super) fn key(self, private: &CurveKey) -> Private {
        Private(self.0, *private)
    }
}

impl jobs::Generation for Agreement {
    fn generate(&mut self, private: &CurveKey, public: &mut CurveKey) {
        let (place, start) = (public.as_mut_ptr(), private.as_ptr());
        // SAFETY: both have 32 bytes.
        unsafe { (self.0.X25519_public_from_private)(place, start) }
    }
}

/// A private key.
pub(super) struct Private(X25519, CurveKey);

impl jobs::Agreement for Private {
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey) {
        let (place, private) = (secret.as_mut_ptr(), self.1.as_ptr());
        // SAFETY: each has 32 bytes.
        let done = unsafe { (self.0.X25519)(place, private, public.as_ptr()) };
        if done != 1 {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }
}

/// Ed25519.
#[derive(Clone, Copy)]
pub(super) struct Signing(Ed25519);

impl Signing {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        Ed25519::load(library).map(Self)
    }

    pub(super) fn seed(self, seed: &CurveKey) -> Pair {
        let (mut public, mut pair) = ([0; 32], [0; 64]);
        let (out, place) = (public.as_mut_ptr(), pair.as_mut_ptr());
        // SAFETY: the seed and the public key have 32 bytes, and both together 64.
        unsafe { (self.0.ED25519_keypair_from_seed)(out, place, seed.as_ptr()) };
        Pair(self.0, pair)
    }

    pub(super) fn public(self, public: &CurveKey) -> Public {
        Public(self.0, *public)
    }
}

/// A seed and its public key.
pub(super) struct Pair(Ed25519, [u8; 64]);

impl jobs::Signing for Pair {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let (place, start, len) = (signature.as_mut_ptr(), message.as_ptr(), message.len());
        // SAFETY: a signature has 64 bytes, as the key, and the message has the given length.
        let done = unsafe { (self.0.ED25519_sign)(place, start, len, self.1.as_ptr()) };
        if done != 1 {
            signature.fill(0);
        }
    }
}

/// A public key.
pub(super) struct Public(Ed25519, CurveKey);

impl jobs::Verifying for Public {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let (start, len) = (message.as_ptr(), message.len());
        let with = signature.as_ptr();
        // SAFETY: a signature has 64 bytes, the key 32, and the message has the given length.
        unsafe { (self.0.ED25519_verify)(start, len, with, self.1.as_ptr()) == 1 }
    }
}
