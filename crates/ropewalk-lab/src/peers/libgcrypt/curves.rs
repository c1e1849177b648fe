//! X25519, by the multiplication of a point.

use std::{ffi::c_int, ptr::null};

use libloading::os::unix::Library;

use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{self, CurveKey},
    },
    tasks::{AgreementOp, Cell},
};

functions! {
    /// Points, since 1.9; 0 is no error, and no point stands for the base.
    Multiply {
        fn gcry_ecc_mul_point(
            curve: c_int,
            out: *mut u8,
            scalar: *const u8,
            point: *const u8,
        ) -> u32;
    }
}

/// `GCRY_ECC_CURVE25519`.
const CURVE25519: c_int = 1;

/// A job of X25519.
pub(super) fn x25519(
    cell: &Cell,
    library: &'static Library,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = Multiply::load(library)?;
    match op {
        AgreementOp::Agree => jobs::agreement(cell, move |key| Ok(Private(api, *key))),
        AgreementOp::Generate => jobs::generation(cell, Generation(api)),
    }
}

struct Private(Multiply, CurveKey);

impl jobs::Agreement for Private {
    fn agree(&mut self, public: &CurveKey, secret: &mut CurveKey) {
        let (place, scalar) = (secret.as_mut_ptr(), self.1.as_ptr());
        let multiply = self.0.gcry_ecc_mul_point;
        // SAFETY: each has the 32 bytes of the curve.
        if unsafe { multiply(CURVE25519, place, scalar, public.as_ptr()) } != 0 {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }
}

struct Generation(Multiply);

impl jobs::Generation for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut CurveKey) {
        let (place, scalar) = (public.as_mut_ptr(), private.as_ptr());
        let multiply = self.0.gcry_ecc_mul_point;
        // SAFETY: both have the 32 bytes of the curve.
        if unsafe { multiply(CURVE25519, place, scalar, null()) } != 0 {
            public.fill(0);
        }
    }
}
