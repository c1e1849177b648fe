//! P-256, with operations that have their keys.

use std::ffi::{CStr, c_char, c_int};

use libloading::os::unix::Library;

use super::{
    api::Handle,
    curves::{Agreement, Agreements, Generation, Keys, Maker, Object, Signing, Verifying},
};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{self, CurveKey, p256::Point},
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, SignatureOp},
};

functions! {
    /// Keys of numbers.
    P256 {
        fn botan_mp_init(number: *mut Handle) -> c_int;
        fn botan_mp_destroy(number: Handle) -> c_int;
        fn botan_mp_from_bin(number: Handle, bytes: *const u8, len: usize) -> c_int;
        fn botan_privkey_load_ecdh(key: *mut Handle, number: Handle, curve: *const c_char) -> c_int;
        fn botan_privkey_load_ecdsa(
            key: *mut Handle,
            number: Handle,
            curve: *const c_char,
        ) -> c_int;
        fn botan_pubkey_load_ecdsa(
            key: *mut Handle,
            x: Handle,
            y: Handle,
            curve: *const c_char,
        ) -> c_int;
    }
}

const NAME: &str = "P-256";
const CURVE: &CStr = c"secp256r1";
/// The digest of the message is signed.
const HOW: &CStr = c"EMSA1(SHA-256)";

/// A job of ECDH.
pub(super) fn ecdh(
    cell: &Cell,
    library: &'static Library,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let (maker, api) = (P256Maker::new(library)?, Agreements::load(library)?);
    match op {
        AgreementOp::Agree => jobs::p256::agreement(cell, move |pair| {
            Agreement::new(api, maker.private(pair.private)?, NAME)
        }),
        AgreementOp::Generate => jobs::p256::generation(cell, Generation { api, maker }),
    }
}

/// A job of ECDSA.
pub(super) fn ecdsa(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let maker = P256Maker::new(library)?;
    match op {
        SignatureOp::Sign => jobs::p256::signing(cell, move |pair| {
            Signing::new(library, maker.signing(pair.private)?, HOW, NAME)
        }),
        SignatureOp::Verify => jobs::p256::verifying(cell, move |public| {
            Verifying::new(library, maker.public(public)?, HOW, NAME)
        }),
    }
}

/// Makes keys.
#[derive(Clone, Copy)]
struct P256Maker {
    api: P256,
    keys: Keys,
}

/// `botan_privkey_load_ecdh` or `botan_privkey_load_ecdsa`.
type LoadPrivate = unsafe extern "C" fn(*mut Handle, Handle, *const c_char) -> c_int;

impl P256Maker {
    fn new(library: &'static Library) -> Result<Self, Unavailable> {
        Ok(Self { api: P256::load(library)?, keys: Keys::load(library)? })
    }

    fn number(&self, bytes: &[u8]) -> Result<Object, Unavailable> {
        let init = self.api.botan_mp_init;
        // SAFETY: there is space for a handle.
        let make = |handle: &mut Handle| unsafe { init(handle) };
        let number = Object::new(make, ("botan_mp_init", NAME), self.api.botan_mp_destroy)?;
        let read = self.api.botan_mp_from_bin;
        // SAFETY: the number is alive, and the bytes are as many as they say.
        match unsafe { read(number.handle, bytes.as_ptr(), bytes.len()) } {
            0 => Ok(number),
            _ => Err(Unavailable("botan_mp_from_bin failed".into())),
        }
    }

    fn of_number(
        &self,
        private: &CurveKey,
        call: &str,
        load: LoadPrivate,
    ) -> Result<Object, Unavailable> {
        let number = self.number(private)?;
        // SAFETY: there is space for a handle, the number is alive, and the name is a string.
        let make = |handle: &mut Handle| unsafe { load(handle, number.handle, CURVE.as_ptr()) };
        Object::new(make, (call, NAME), self.keys.botan_privkey_destroy)
    }

    fn signing(&self, private: &CurveKey) -> Result<Object, Unavailable> {
        let load = self.api.botan_privkey_load_ecdsa;
        self.of_number(private, "botan_privkey_load_ecdsa", load)
    }

    fn public(&self, public: &Point) -> Result<Object, Unavailable> {
        let (x, y) = public[1..].split_at(CURVE_KEY);
        let (x, y) = (self.number(x)?, self.number(y)?);
        let load = self.api.botan_pubkey_load_ecdsa;
        let make = |handle: &mut Handle| {
            // SAFETY: there is space for a handle, the numbers are alive, and the name is a string.
            unsafe { load(handle, x.handle, y.handle, CURVE.as_ptr()) }
        };
        Object::new(make, ("botan_pubkey_load_ecdsa", NAME), self.keys.botan_pubkey_destroy)
    }
}

impl Maker for P256Maker {
    fn private(&self, key: &CurveKey) -> Result<Object, Unavailable> {
        let load = self.api.botan_privkey_load_ecdh;
        self.of_number(key, "botan_privkey_load_ecdh", load)
    }
}
