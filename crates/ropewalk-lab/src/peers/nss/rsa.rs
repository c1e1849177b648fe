//! RSA, with keys of the internal token, whose mechanism takes messages.

use std::{
    ffi::{c_int, c_void},
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::{
    Slot,
    api::{Item, Mechanism, Object},
    nist::{Key, P256},
};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{self, rsa::Signature},
    },
    tasks::{Cell, SignatureOp},
};

functions! {
    /// Signatures of messages.
    Rsa {
        fn PK11_SignWithMechanism(
            key: Object,
            mechanism: Mechanism,
            parameter: *const Item,
            signature: *mut Item,
            message: *const Item,
        ) -> c_int;
        fn PK11_VerifyWithMechanism(
            key: Object,
            mechanism: Mechanism,
            parameter: *const Item,
            signature: *const Item,
            message: *const Item,
            window: *mut c_void,
        ) -> c_int;
    }
}

/// `CKM_SHA256_RSA_PKCS`.
const SHA256_RSA_PKCS: Mechanism = 0x40;

/// A job of signatures.
pub(super) fn job(
    cell: &Cell,
    library: &'static Library,
    slot: Slot,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let (api, keys) = (Rsa::load(library)?, P256::load(library)?);
    match op {
        SignatureOp::Sign => jobs::rsa::signing(cell, move |key| {
            Ok(Signing { api, key: Key::private(keys, slot, &key.pkcs8, &key.numbers.n)? })
        }),
        SignatureOp::Verify => jobs::rsa::verifying(cell, move |key| {
            Ok(Verifying { api, key: Key::public(keys, &key.spki)? })
        }),
    }
}

struct Signing {
    api: Rsa,
    key: Key,
}

impl jobs::Signing<[u8]> for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) {
        let (mut place, message) = (Item::place(signature), Item::of(message));
        let (sign, key) = (self.api.PK11_SignWithMechanism, self.key.key);
        // SAFETY: the key is alive, there is space for that many bytes, the message is as long as it says, and the mechanism has no
        // parameter.
        let code = unsafe { sign(key, SHA256_RSA_PKCS, null(), &mut place, &message) };
        if code != 0 || place.bytes().1 != signature.len() {
            // A failed call must not look like an answer.
            signature.fill(0);
        }
    }
}

struct Verifying {
    api: Rsa,
    key: Key,
}

impl jobs::Verifying<Signature> for Verifying {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let (signature, message) = (Item::of(signature), Item::of(message));
        let (verify, key, none) = (self.api.PK11_VerifyWithMechanism, self.key.key, null());
        // SAFETY: the key is alive, both are as long as they say, the mechanism has no parameter, and null stands for no window.
        unsafe { verify(key, SHA256_RSA_PKCS, none, &signature, &message, null_mut()) == 0 }
    }
}
