//! P-256, with keys that the library allocates.

use std::{
    ffi::{c_int, c_uint, c_void},
    ptr::null_mut,
};

use libloading::os::unix::Library;

use super::{api, cipher::Random, digest, failed, len};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{
            self, CurveKey, Hash as _,
            p256::{DER, Der, POINT, Pair, Point},
        },
    },
    tasks::{AgreementOp, Cell, Function, SignatureOp},
};

functions! {
    /// ECDH and ECDSA; 0 is no error.
    P256 {
        fn wc_ecc_key_new(heap: *mut c_void) -> *mut c_void;
        fn wc_ecc_key_free(key: *mut c_void);
        fn wc_ecc_import_private_key_ex(
            private: *const u8,
            private_len: c_uint,
            public: *const u8,
            public_len: c_uint,
            key: *mut c_void,
            curve: c_int,
        ) -> c_int;
        fn wc_ecc_import_x963_ex(
            public: *const u8,
            len: c_uint,
            key: *mut c_void,
            curve: c_int,
        ) -> c_int;
        fn wc_ecc_make_pub_ex(
            key: *mut c_void,
            public: *mut c_void,
            generator: *mut c_void,
        ) -> c_int;
        fn wc_ecc_export_x963(key: *mut c_void, public: *mut u8, len: *mut c_uint) -> c_int;
        fn wc_ecc_shared_secret(
            private: *mut c_void,
            public: *mut c_void,
            secret: *mut u8,
            len: *mut c_uint,
        ) -> c_int;
        fn wc_ecc_sign_hash(
            digest: *const u8,
            digest_len: c_uint,
            signature: *mut u8,
            len: *mut c_uint,
            generator: *mut c_void,
            key: *mut c_void,
        ) -> c_int;
        fn wc_ecc_verify_hash(
            signature: *const u8,
            len: c_uint,
            digest: *const u8,
            digest_len: c_uint,
            right: *mut c_int,
            key: *mut c_void,
        ) -> c_int;
    }

    /// Tables of points, in libraries that were built with them (`FP_ECC`).
    Tables {
        fn wc_ecc_fp_free();
    }

    /// Blinding of agreements, in libraries that were built with it.
    Blinding {
        fn wc_ecc_set_rng(key: *mut c_void, generator: *mut c_void) -> c_int;
    }
}

/// `ECC_SECP256R1`.
const SECP256R1: c_int = 7;

/// A job of ECDH.
pub(super) fn ecdh(
    cell: &Cell,
    library: &'static Library,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        AgreementOp::Agree => jobs::p256::agreement(cell, move |pair| Private::new(library, pair)),
        AgreementOp::Generate => {
            let (api, generator) = (P256::load(library)?, Random::new(library)?);
            jobs::p256::generation(cell, Generation { api, generator })
        }
    }
}

/// A job of ECDSA. Signatures are in DER.
pub(super) fn ecdsa(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        SignatureOp::Sign => jobs::p256::signing_der(cell, move |pair| Signing::new(library, pair)),
        SignatureOp::Verify => {
            jobs::p256::verifying_der(cell, move |public| Verifying::new(library, public))
        }
    }
}

/// A key, freed when dropped.
struct Key {
    api: P256,
    key: *mut c_void,
}

impl Key {
    fn new(api: P256) -> Result<Self, Unavailable> {
        // SAFETY: null stands for the common heap.
        let key = unsafe { (api.wc_ecc_key_new)(null_mut()) };
        if key.is_null() { Err(failed("wc_ecc_key_new")) } else { Ok(Self { api, key }) }
    }

    fn of_pair(api: P256, pair: Pair<'_>) -> Result<Self, Unavailable> {
        let mut key = Self::new(api)?;
        match key.set(pair.private, pair.public) {
            true => Ok(key),
            false => Err(failed("wc_ecc_import_private_key_ex")),
        }
    }

    /// Takes a private key, and its public key if there is one.
    fn set(&mut self, private: &CurveKey, public: &[u8]) -> bool {
        let import = self.api.wc_ecc_import_private_key_ex;
        let (start, bytes) = (private.as_ptr(), len(private));
        let (public, public_len) = match public {
            [] => (std::ptr::null(), 0),
            public => (public.as_ptr(), len(public)),
        };
        // SAFETY: the key has been made ready, and both have the given lengths, or the public one is null.
        unsafe { import(start, bytes, public, public_len, self.key, SECP256R1) == 0 }
    }

    /// Takes a public key.
    fn set_public(&mut self, public: &[u8]) -> bool {
        let import = self.api.wc_ecc_import_x963_ex;
        // SAFETY: the key has been made ready, and the bytes are as many as they say.
        unsafe { import(public.as_ptr(), len(public), self.key, SECP256R1) == 0 }
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: the key has been made ready, and nothing else uses it.
        unsafe { (self.api.wc_ecc_key_free)(self.key) }
    }
}

/// A private key, and the public key of the other side.
struct Private {
    private: Key,
    other: Key,
    tables: Option<Tables>,
    /// The generator for blinding, which is dropped after the key.
    _generator: Option<Random>,
}

impl Private {
    fn new(library: &'static Library, pair: Pair<'_>) -> Result<Self, Unavailable> {
        let api = P256::load(library)?;
        let (private, other) = (Key::of_pair(api, pair)?, Key::new(api)?);
        let mut generator = None;
        if let Ok(blinding) = Blinding::load(library) {
            let random = generator.insert(Random::new(library)?);
            // SAFETY: both have been made ready, and the generator lives as long as the key, on the heap.
            if unsafe { (blinding.wc_ecc_set_rng)(private.key, random.get()) } != 0 {
                return Err(failed("wc_ecc_set_rng"));
            }
        }
        let tables = Tables::load(library).ok();
        Ok(Self { private, other, tables, _generator: generator })
    }
}

impl jobs::Agreement<POINT> for Private {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        let told = self.other.set_public(public);
        let (mut bytes, place) = (len(secret), secret.as_mut_ptr());
        let agree = self.private.api.wc_ecc_shared_secret;
        // SAFETY: both keys have been made ready, and there is space for that many bytes.
        let done =
            told && unsafe { agree(self.private.key, self.other.key, place, &mut bytes) } == 0;
        if !(done && bytes == len(secret)) {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
        // A point that returns gets a table, which takes as long as a hundred agreements: in the rotation points return, and in
        // handshakes they do not.
        if let Some(tables) = &self.tables {
            // SAFETY: no call of the library is running, as a worker has one thread for its jobs.
            unsafe { (tables.wc_ecc_fp_free)() };
        }
    }
}

struct Generation {
    api: P256,
    generator: Random,
}

impl Generation {
    fn made(&mut self, private: &CurveKey, public: &mut Point) -> Option<()> {
        let mut key = Key::new(self.api).ok()?;
        if !key.set(private, &[]) {
            return None;
        }
        let (make, generator) = (self.api.wc_ecc_make_pub_ex, self.generator.get());
        // SAFETY: both have been made ready, and null stands for the key itself.
        if unsafe { make(key.key, null_mut(), generator) } != 0 {
            return None;
        }
        let (export, mut bytes) = (self.api.wc_ecc_export_x963, len(public));
        // SAFETY: the key has been made ready, and there is space for that many bytes.
        let done = unsafe { export(key.key, public.as_mut_ptr(), &mut bytes) };
        (done == 0 && bytes == len(public)).then_some(())
    }
}

impl jobs::Generation<POINT> for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut Point) {
        if self.made(private, public).is_none() {
            public.fill(0);
        }
    }
}

/// SHA-256.
pub(super) fn hash(library: &'static Library) -> Result<digest::Hash, Unavailable> {
    let names = api::names(Function::Sha256).expect("it has SHA-256");
    Ok(digest::Hash::new(api::Hash::of(library, names)?))
}

struct Signing {
    key: Key,
    hash: digest::Hash,
    generator: Random,
}

impl Signing {
    fn new(library: &'static Library, pair: Pair<'_>) -> Result<Self, Unavailable> {
        let (key, hash) = (Key::of_pair(P256::load(library)?, pair)?, hash(library)?);
        Ok(Self { key, hash, generator: Random::new(library)? })
    }
}

impl jobs::Signing<[u8; DER]> for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut [u8; DER]) {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        let (place, mut bytes) = (signature.as_mut_ptr(), len(signature));
        let (Key { api, key }, generator) = (&self.key, self.generator.get());
        let (sign, start) = (api.wc_ecc_sign_hash, digest.as_ptr());
        // SAFETY: the key and the generator have been made ready, and both have the given lengths.
        if unsafe { sign(start, len(&digest), place, &mut bytes, generator, *key) } != 0 {
            signature.fill(0);
        }
    }
}

struct Verifying {
    key: Key,
    hash: digest::Hash,
}

impl Verifying {
    fn new(library: &'static Library, public: &Point) -> Result<Self, Unavailable> {
        let (mut key, hash) = (Key::new(P256::load(library)?)?, hash(library)?);
        match key.set_public(public) {
            true => Ok(Self { key, hash }),
            false => Err(failed("wc_ecc_import_x963_ex")),
        }
    }
}

impl jobs::Verifying<Der> for Verifying {
    fn verify(&mut self, message: &[u8], signature: &Der) -> bool {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        let (signature, mut right) = (signature.as_bytes(), 0);
        let Key { api, key } = &self.key;
        let (verify, start) = (api.wc_ecc_verify_hash, digest.as_ptr());
        let (with, bytes) = (signature.as_ptr(), len(signature));
        // SAFETY: the key is there, both have the given lengths, and there is space for a number.
        let done = unsafe { verify(with, bytes, start, len(&digest), &mut right, *key) };
        done == 0 && right == 1
    }

    fn rekey(&mut self, public: &[u8]) -> bool {
        self.key.set_public(public)
    }
}
