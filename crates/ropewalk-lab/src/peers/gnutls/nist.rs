//! P-256, with keys as objects.

use std::{
    ffi::{c_int, c_uint, c_void},
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::api::{Datum, Handle};
use crate::{
    peers::{
        Job, Unavailable,
        dl::{functions, symbol},
        jobs::{
            self, CurveKey,
            p256::{POINT, Pair, Point},
        },
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, SignatureOp},
};

functions! {
    /// Keys and signatures; 0 or more is no error.
    Keys {
        fn gnutls_privkey_init(key: *mut Handle) -> c_int;
        fn gnutls_privkey_deinit(key: Handle);
        fn gnutls_privkey_import_ecc_raw(
            key: Handle,
            curve: c_int,
            x: *const Datum<'_>,
            y: *const Datum<'_>,
            private: *const Datum<'_>,
        ) -> c_int;
        fn gnutls_privkey_sign_data2(
            key: Handle,
            algorithm: c_int,
            flags: c_uint,
            message: *const Datum<'_>,
            signature: *mut Made,
        ) -> c_int;
        fn gnutls_pubkey_init(key: *mut Handle) -> c_int;
        fn gnutls_pubkey_deinit(key: Handle);
        fn gnutls_pubkey_import_ecc_raw(
            key: Handle,
            curve: c_int,
            x: *const Datum<'_>,
            y: *const Datum<'_>,
        ) -> c_int;
        fn gnutls_pubkey_verify_data2(
            key: Handle,
            algorithm: c_int,
            flags: c_uint,
            message: *const Datum<'_>,
            signature: *const Datum<'_>,
        ) -> c_int;
    }

    /// Agreements, since 3.8.2.
    Ecdh {
        fn gnutls_privkey_derive_secret(
            key: Handle,
            public: Handle,
            nonce: *const Datum<'_>,
            secret: *mut Made,
            flags: c_uint,
        ) -> c_int;
    }
}

/// `GNUTLS_ECC_CURVE_SECP256R1`.
const SECP256R1: c_int = 2;

/// `GNUTLS_SIGN_ECDSA_SHA256`.
const ECDSA_SHA256: c_int = 14;

/// A job of ECDH.
pub(super) fn ecdh(
    cell: &Cell,
    library: &'static Library,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    if op == AgreementOp::Generate {
        return Err(Unavailable("computes no public key of a given private one".into()));
    }
    let (api, maker) = (Ecdh::load(library)?, Maker::new(library)?);
    jobs::p256::agreement(cell, move |pair| Ok(Agreement { api, maker, key: maker.private(pair)? }))
}

/// A job of ECDSA. Signatures are in DER.
pub(super) fn ecdsa(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let maker = Maker::new(library)?;
    match op {
        SignatureOp::Sign => jobs::p256::signing_der(cell, move |pair| {
            Ok(Signing { maker, key: maker.private(pair)?, algorithm: ECDSA_SHA256 })
        }),
        SignatureOp::Verify => jobs::p256::verifying_der(cell, move |public| {
            Ok(Verifying { maker, key: maker.public(public)?, algorithm: ECDSA_SHA256 })
        }),
    }
}

/// A `gnutls_datum_t` that the library has allocated.
#[repr(C)]
pub(super) struct Made {
    data: *mut u8,
    size: c_uint,
}

/// Makes keys.
#[derive(Clone, Copy)]
pub(super) struct Maker {
    api: Keys,
    free: unsafe extern "C" fn(*mut c_void),
}

impl Maker {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        let api = Keys::load(library)?;
        // SAFETY: by the public header, it is a variable with a function of that type.
        let free: *const unsafe extern "C" fn(*mut c_void) =
            unsafe { symbol(library, "gnutls_free") }?;
        // SAFETY: the variable belongs to the library, which is never closed.
        Ok(Self { api, free: unsafe { *free } })
    }

    /// A place for a private key.
    pub(super) fn empty_private(&self) -> Result<Key, Unavailable> {
        let Keys { gnutls_privkey_init: init, gnutls_privkey_deinit: deinit, .. } = self.api;
        Key::new(init, deinit, "gnutls_privkey_init")
    }

    /// A place for a public key.
    pub(super) fn empty_public(&self) -> Result<Key, Unavailable> {
        let Keys { gnutls_pubkey_init: init, gnutls_pubkey_deinit: deinit, .. } = self.api;
        Key::new(init, deinit, "gnutls_pubkey_init")
    }

    fn private(&self, Pair { private, public }: Pair<'_>) -> Result<Key, Unavailable> {
        let key = self.empty_private()?;
        let import = self.api.gnutls_privkey_import_ecc_raw;
        let ([x, y], private) = (coordinates(public), Datum::of(private));
        // SAFETY: the key has been made ready, and the data are as long as they say.
        match unsafe { import(key.handle, SECP256R1, &x, &y, &private) } {
            0 => Ok(key),
            _ => Err(Unavailable("gnutls_privkey_import_ecc_raw failed".into())),
        }
    }

    fn public(&self, public: &Point) -> Result<Key, Unavailable> {
        let key = self.empty_public()?;
        let (import, [x, y]) = (self.api.gnutls_pubkey_import_ecc_raw, coordinates(public));
        // SAFETY: the key has been made ready, and the data are as long as they say.
        match unsafe { import(key.handle, SECP256R1, &x, &y) } {
            0 => Ok(key),
            _ => Err(Unavailable("gnutls_pubkey_import_ecc_raw failed".into())),
        }
    }

    /// Copies what the library has allocated to the front of a place, and frees it. Returns its length if there is room.
    fn take(&self, made: Made, out: &mut [u8]) -> Option<usize> {
        let len = made.size as usize;
        let fits = !made.data.is_null() && len <= out.len();
        if fits {
            // SAFETY: there are that many bytes.
            out[..len].copy_from_slice(unsafe { std::slice::from_raw_parts(made.data, len) });
        }
        // SAFETY: the library has allocated it, or it is null, and nothing uses it afterwards.
        unsafe { (self.free)(made.data.cast()) };
        fits.then_some(len)
    }
}

/// x and y of a public key.
fn coordinates(public: &Point) -> [Datum<'_>; 2] {
    let (x, y) = public[1..].split_at(CURVE_KEY);
    [Datum::of(x), Datum::of(y)]
}

/// A key, released when dropped.
pub(super) struct Key {
    pub(super) handle: Handle,
    deinit: unsafe extern "C" fn(Handle),
}

impl Key {
    fn new(
        init: unsafe extern "C" fn(*mut Handle) -> c_int,
        deinit: unsafe extern "C" fn(Handle),
        call: &str,
    ) -> Result<Self, Unavailable> {
        let mut handle = null_mut();
        // SAFETY: there is space for a handle.
        match unsafe { init(&mut handle) } {
            0 => Ok(Self { handle, deinit }),
            _ => Err(Unavailable(format!("{call} failed"))),
        }
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: the key has been made ready, and nothing else uses it.
        unsafe { (self.deinit)(self.handle) }
    }
}

struct Agreement {
    api: Ecdh,
    maker: Maker,
    key: Key,
}

impl jobs::Agreement<POINT> for Agreement {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        let (derive, mut made) =
            (self.api.gnutls_privkey_derive_secret, Made { data: null_mut(), size: 0 });
        let agreed = self.maker.public(public).is_ok_and(|public| {
            // SAFETY: both keys have been made, null stands for no nonce, and there is space for a datum.
            unsafe { derive(self.key.handle, public.handle, null(), &mut made, 0) >= 0 }
        });
        let len = self.maker.take(made, secret);
        if !agreed || len != Some(CURVE_KEY) {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }
}

/// A private key, and the number of the signature algorithm.
pub(super) struct Signing {
    pub(super) maker: Maker,
    pub(super) key: Key,
    pub(super) algorithm: c_int,
}

impl<S: AsMut<[u8]> + ?Sized> jobs::Signing<S> for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut S) {
        let signature = signature.as_mut();
        let (sign, message) = (self.maker.api.gnutls_privkey_sign_data2, Datum::of(message));
        let mut made = Made { data: null_mut(), size: 0 };
        // SAFETY: the key has been made, the message is as long as it says, and there is space for a datum.
        let code = unsafe { sign(self.key.handle, self.algorithm, 0, &message, &mut made) };
        if self.maker.take(made, signature).is_none() || code < 0 {
            signature.fill(0);
        }
    }
}

/// The same of a public key.
pub(super) struct Verifying {
    pub(super) maker: Maker,
    pub(super) key: Key,
    pub(super) algorithm: c_int,
}

impl<S: AsRef<[u8]>> jobs::Verifying<S> for Verifying {
    fn verify(&mut self, message: &[u8], signature: &S) -> bool {
        let verify = self.maker.api.gnutls_pubkey_verify_data2;
        let (message, signature) = (Datum::of(message), Datum::of(signature.as_ref()));
        // SAFETY: the key has been made, and both are as long as they say.
        unsafe { verify(self.key.handle, self.algorithm, 0, &message, &signature) >= 0 }
    }
}
