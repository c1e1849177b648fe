//! RSA, whose keys, digests and signatures are S-expressions.

use std::ffi::CStr;

use libloading::os::unix::Library;

use super::{
    nist::{Keyed, failed},
    signatures::Maker,
};
use crate::{
    peers::{
        Job, Unavailable,
        jobs::{
            self,
            rsa::{Numbers, Signature},
        },
    },
    tasks::{Cell, SignatureOp},
};

const PRIVATE: &CStr = c"(private-key(rsa(n %b)(e %b)(d %b)(p %b)(q %b)(u %b)))";
const PUBLIC: &CStr = c"(public-key(rsa(n %b)(e %b)))";
const DIGEST: &CStr = c"(data(flags pkcs1)(hash sha256 %b))";
const SIGNATURE: &CStr = c"(sig-val(rsa(s %b)))";

/// A job of signatures. It takes keys as numbers only.
pub(super) fn job(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let maker = Maker::new(library)?;
    match op {
        SignatureOp::Sign => jobs::rsa::signing(cell, move |key| {
            let Numbers { n, e, d, p, q, q_inverse, .. } = &key.numbers;
            // Its u is the inverse of its p modulo its q, of which p is the smaller one.
            let key = maker.all(PRIVATE, [n, e, d, q, p, q_inverse]).ok_or_else(failed)?;
            Ok(Signing(Keyed::new(library, key, DIGEST)?))
        }),
        SignatureOp::Verify => jobs::rsa::verifying(cell, move |key| {
            let Numbers { n, e, .. } = &key.numbers;
            let key = maker.two(PUBLIC, [n, e]).ok_or_else(failed)?;
            Ok(Verifying(Keyed::new(library, key, DIGEST)?))
        }),
    }
}

struct Signing(Keyed);

impl jobs::Signing<[u8]> for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) {
        let made = self.0.sign(message);
        if made.and_then(|made| made.read_number(c"s", signature)).is_none() {
            // A failed call must not look like an answer.
            signature.fill(0);
        }
    }
}

struct Verifying(Keyed);

impl jobs::Verifying<Signature> for Verifying {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let signature = self.0.key.maker.one(SIGNATURE, signature);
        self.0.is_right(message, signature)
    }
}
