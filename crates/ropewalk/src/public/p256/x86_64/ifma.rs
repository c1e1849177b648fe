//! P-256 of one key: multiples of the base point in eight lanes, with products of 52 bits on 512.

use super::super::{
    Operations, Point, Scalar, SignatureBytes,
    arithmetic::{coordinates, signature},
    portable::{agree, verify_vartime},
};
use crate::{
    core::{cpu::Avx512Ifma, secret::Wiped},
    curves::p256::{affine, x86_64::base_multiple},
    fields::{p256::order::Scalar as Residue, safegcd::inverse, words::from_bytes},
};

pub(crate) struct Ifma {
    cpu: Avx512Ifma,
}

impl Ifma {
    #[inline]
    pub(crate) fn new(cpu: Avx512Ifma, (): ()) -> Self {
        Self { cpu }
    }
}

impl Operations for Ifma {
    fn public(&self, d: &Scalar, out: &mut Point) {
        *out = coordinates(&base_multiple(self.cpu, from_bytes(d)));
    }

    fn agree(&self, d: &Scalar, q: &Point, out: &mut Scalar) {
        agree(d, q, out);
    }

    fn sign(&self, d: &Scalar, k: &Scalar, e: &Scalar, out: &mut SignatureBytes) {
        let point = Wiped::new(affine(&base_multiple(self.cpu, from_bytes(k))));
        let k_inverse = Wiped::new(inverse(Residue::from_bytes(k)));
        *out = signature(d, e, point.x, *k_inverse);
    }

    fn verify(&self, q: &Point, e: &Scalar, signature: &SignatureBytes, valid: &mut bool) {
        *valid = verify_vartime(q, e, signature);
    }
}
