//! P-256 of one key: multiples of the base point in eight lanes, with products of 52 bits on 512.

use super::super::{
    Operations, Point, Scalar, SignatureBytes,
    arithmetic::{coordinates, factors, has_x_vartime, point, signature},
};
use crate::{
    core::{cpu::Avx512Ifma, secret::Wiped},
    curves::p256::{
        add, affine,
        x86_64::{base_multiple, multiple},
    },
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
        *out = affine(&multiple(self.cpu, &point(q), from_bytes(d))).x.to_bytes();
    }

    fn sign(&self, d: &Scalar, k: &Scalar, e: &Scalar, out: &mut SignatureBytes) {
        let r = Wiped::new(affine(&base_multiple(self.cpu, from_bytes(k))));
        let k_inverse = Wiped::new(inverse(Residue::from_bytes(k)));
        *out = signature(d, e, r.x, *k_inverse);
    }

    fn verify(&self, q: &Point, e: &Scalar, signature: &SignatureBytes, valid: &mut bool) {
        let [r, s] = signature.as_chunks().0 else { return };
        let (u, v) = factors(e, r, inverse(Residue::from_bytes(s)));
        let sum = add(&base_multiple(self.cpu, u), &multiple(self.cpu, &point(q), v));
        *valid = has_x_vartime(&sum, from_bytes(r));
    }
}
