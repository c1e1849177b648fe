//! X25519 and Ed25519, with operations that have their keys.

use std::{
    ffi::{CStr, c_char, c_int},
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::{api::Handle, digest::Random, made};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{self, CurveKey},
    },
    tasks::{AgreementOp, Cell, SignatureOp},
};

functions! {
    /// X25519.
    X25519 {
        fn botan_privkey_load_x25519(key: *mut Handle, private: *const u8) -> c_int;
    }

    /// Ed25519.
    Ed25519 {
        fn botan_privkey_load_ed25519(key: *mut Handle, seed: *const u8) -> c_int;
        fn botan_pubkey_load_ed25519(key: *mut Handle, public: *const u8) -> c_int;
    }

    /// Keys of any algorithm.
    Keys {
        fn botan_privkey_destroy(key: Handle) -> c_int;
        fn botan_pubkey_destroy(key: Handle) -> c_int;
    }

    /// Agreements with keys of any algorithm.
    Agreements {
        fn botan_pk_op_key_agreement_create(
            operation: *mut Handle,
            key: Handle,
            derivation: *const c_char,
            flags: u32,
        ) -> c_int;
        fn botan_pk_op_key_agreement_destroy(operation: Handle) -> c_int;
        fn botan_pk_op_key_agreement_export_public(
            key: Handle,
            public: *mut u8,
            len: *mut usize,
        ) -> c_int;
        fn botan_pk_op_key_agreement(
            operation: Handle,
            secret: *mut u8,
            len: *mut usize,
            public: *const u8,
            public_len: usize,
            salt: *const u8,
            salt_len: usize,
        ) -> c_int;
    }

    /// Signatures with keys of any algorithm.
    Signatures {
        fn botan_pk_op_sign_create(
            operation: *mut Handle,
            key: Handle,
            how: *const c_char,
            flags: u32,
        ) -> c_int;
        fn botan_pk_op_sign_destroy(operation: Handle) -> c_int;
        fn botan_pk_op_sign_update(operation: Handle, text: *const u8, len: usize) -> c_int;
        fn botan_pk_op_sign_finish(
            operation: Handle,
            generator: Handle,
            signature: *mut u8,
            len: *mut usize,
        ) -> c_int;
        fn botan_pk_op_verify_create(
            operation: *mut Handle,
            key: Handle,
            how: *const c_char,
            flags: u32,
        ) -> c_int;
        fn botan_pk_op_verify_destroy(operation: Handle) -> c_int;
        fn botan_pk_op_verify_update(operation: Handle, text: *const u8, len: usize) -> c_int;
        fn botan_pk_op_verify_finish(
            operation: Handle,
            signature: *const u8,
            len: usize,
        ) -> c_int;
    }
}

/// A job of X25519.
pub(super) fn x25519(
    cell: &Cell,
    library: &'static Library,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let maker = X25519Maker { api: X25519::load(library)?, keys: Keys::load(library)? };
    let api = Agreements::load(library)?;
    match op {
        AgreementOp::Agree => {
            jobs::agreement(cell, move |key| Agreement::new(api, maker.private(key)?, X25519))
        }
        AgreementOp::Generate => jobs::generation(cell, Generation { api, maker }),
    }
}

/// A job of Ed25519.
pub(super) fn ed25519(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let (api, keys) = (Ed25519::load(library)?, Keys::load(library)?);
    match op {
        SignatureOp::Sign => jobs::signing(cell, move |seed| {
            let load = api.botan_privkey_load_ed25519;
            // SAFETY: there is space for a handle, and the seed has 32 bytes.
            let make = |handle: &mut Handle| unsafe { load(handle, seed.as_ptr()) };
            let call = ("botan_privkey_load_ed25519", ED25519);
            Signing::new(
                library,
                Object::new(make, call, keys.botan_privkey_destroy)?,
                PURE,
                ED25519,
            )
        }),
        SignatureOp::Verify => jobs::verifying(cell, move |public| {
            let load = api.botan_pubkey_load_ed25519;
            // SAFETY: there is space for a handle, and the key has 32 bytes.
            let make = |handle: &mut Handle| unsafe { load(handle, public.as_ptr()) };
            let call = ("botan_pubkey_load_ed25519", ED25519);
            Verifying::new(
                library,
                Object::new(make, call, keys.botan_pubkey_destroy)?,
                PURE,
                ED25519,
            )
        }),
    }
}

/// An object of the library, destroyed when dropped. An operation keeps the data of its key that it needs.
pub(super) struct Object {
    pub(super) handle: Handle,
    destroy: unsafe extern "C" fn(Handle) -> c_int,
}

impl Object {
    /// The object that `make` writes to its argument.
    pub(super) fn new(
        make: impl FnOnce(&mut Handle) -> c_int,
        (call, name): (&str, &str),
        destroy: unsafe extern "C" fn(Handle) -> c_int,
    ) -> Result<Self, Unavailable> {
        let mut handle = null_mut();
        made(make(&mut handle), call, name)?;
        Ok(Self { handle, destroy })
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and nothing else uses it.
        unsafe { (self.destroy)(self.handle) };
    }
}

const X25519: &str = "X25519";
const ED25519: &str = "Ed25519";

/// Its name for signing the message instead of its digest.
const PURE: &CStr = c"Pure";

#[derive(Clone, Copy)]
struct X25519Maker {
    api: X25519,
    keys: Keys,
}

impl Maker for X25519Maker {
    fn private(&self, key: &CurveKey) -> Result<Object, Unavailable> {
        let load = self.api.botan_privkey_load_x25519;
        // SAFETY: there is space for a handle, and the key has 32 bytes.
        let make = |handle: &mut Handle| unsafe { load(handle, key.as_ptr()) };
        let call = ("botan_privkey_load_x25519", X25519);
        Object::new(make, call, self.keys.botan_privkey_destroy)
    }
}

/// Makes private keys.
pub(super) trait Maker {
    fn private(&self, key: &CurveKey) -> Result<Object, Unavailable>;
}

/// An agreement operation, and its key.
pub(super) struct Agreement {
    api: Agreements,
    operation: Object,
    _key: Object,
}

impl Agreement {
    pub(super) fn new(api: Agreements, key: Object, name: &str) -> Result<Self, Unavailable> {
        const CALL: &str = "botan_pk_op_key_agreement_create";
        let (create, raw) = (api.botan_pk_op_key_agreement_create, c"Raw".as_ptr());
        // SAFETY: there is space for a handle, the key is alive, and the name is a string.
        let make = |handle: &mut Handle| unsafe { create(handle, key.handle, raw, 0) };
        let operation = Object::new(make, (CALL, name), api.botan_pk_op_key_agreement_destroy)?;
        Ok(Self { api, operation, _key: key })
    }
}

impl<const PUBLIC: usize> jobs::Agreement<PUBLIC> for Agreement {
    fn agree(&mut self, public: &[u8; PUBLIC], secret: &mut CurveKey) {
        let (operation, mut len) = (self.operation.handle, secret.len());
        let (place, start) = (secret.as_mut_ptr(), public.as_ptr());
        let agree = self.api.botan_pk_op_key_agreement;
        // SAFETY: the object is alive, all have the given lengths, and there is no salt.
        let done = unsafe { agree(operation, place, &mut len, start, public.len(), null(), 0) };
        if done != 0 || len != secret.len() {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }
}

/// Private keys, whose public ones are exported.
pub(super) struct Generation<M> {
    pub(super) api: Agreements,
    pub(super) maker: M,
}

impl<M: Maker, const PUBLIC: usize> jobs::Generation<PUBLIC> for Generation<M> {
    fn generate(&mut self, key: &CurveKey, public: &mut [u8; PUBLIC]) {
        let (place, mut len) = (public.as_mut_ptr(), public.len());
        let export = self.api.botan_pk_op_key_agreement_export_public;
        let done = self.maker.private(key).is_ok_and(|key| {
            // SAFETY: the key is alive, and there is space for that many bytes.
            unsafe { export(key.handle, place, &mut len) == 0 }
        });
        if !done || len != public.len() {
            public.fill(0);
        }
    }
}

/// A signing operation, its key, and a generator, which Ed25519 does not use.
pub(super) struct Signing {
    api: Signatures,
    operation: Object,
    _key: Object,
    generator: Random,
}

impl Signing {
    pub(super) fn new(
        library: &'static Library,
        key: Object,
        how: &CStr,
        name: &str,
    ) -> Result<Self, Unavailable> {
        let api = Signatures::load(library)?;
        let (create, how) = (api.botan_pk_op_sign_create, how.as_ptr());
        // SAFETY: there is space for a handle, the key is alive, and the name is a string.
        let make = |handle: &mut Handle| unsafe { create(handle, key.handle, how, 0) };
        let call = ("botan_pk_op_sign_create", name);
        let operation = Object::new(make, call, api.botan_pk_op_sign_destroy)?;
        Ok(Self { api, operation, _key: key, generator: Random::new(library)? })
    }
}

impl<S: AsMut<[u8]> + ?Sized> jobs::Signing<S> for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut S) {
        let signature = signature.as_mut();
        let (operation, generator) = (self.operation.handle, self.generator.handle());
        let (start, place, mut len) = (message.as_ptr(), signature.as_mut_ptr(), signature.len());
        // SAFETY: the object is alive, and the message has the given length.
        let told = unsafe { (self.api.botan_pk_op_sign_update)(operation, start, message.len()) };
        let finish = self.api.botan_pk_op_sign_finish;
        // SAFETY: both objects are alive, and there is space for that many bytes.
        let done = unsafe { finish(operation, generator, place, &mut len) };
        if (told, done) != (0, 0) || len != signature.len() {
            signature.fill(0);
        }
    }
}

/// A verifying operation, and its key.
pub(super) struct Verifying {
    api: Signatures,
    operation: Object,
    _key: Object,
}

impl Verifying {
    pub(super) fn new(
        library: &'static Library,
        key: Object,
        how: &CStr,
        name: &str,
    ) -> Result<Self, Unavailable> {
        let api = Signatures::load(library)?;
        let (create, how) = (api.botan_pk_op_verify_create, how.as_ptr());
        // SAFETY: there is space for a handle, the key is alive, and the name is a string.
        let make = |handle: &mut Handle| unsafe { create(handle, key.handle, how, 0) };
        let call = ("botan_pk_op_verify_create", name);
        let operation = Object::new(make, call, api.botan_pk_op_verify_destroy)?;
        Ok(Self { api, operation, _key: key })
    }
}

impl<S: AsRef<[u8]>> jobs::Verifying<S> for Verifying {
    fn verify(&mut self, message: &[u8], signature: &S) -> bool {
        let signature = signature.as_ref();
        let (operation, start) = (self.operation.handle, message.as_ptr());
        // SAFETY: the object is alive, and the message has the given length.
        let told = unsafe { (self.api.botan_pk_op_verify_update)(operation, start, message.len()) };
        let (finish, with) = (self.api.botan_pk_op_verify_finish, signature.as_ptr());
        // SAFETY: the object is alive, and the signature has the given length.
        let done = unsafe { finish(operation, with, signature.len()) };
        (told, done) == (0, 0)
    }
}
