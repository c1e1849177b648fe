//! P-256 in plain Rust.

#[cfg(feature = "many")]
use super::{EIGHT, OperationsMany};
use super::{
    Operations, Point, Scalar, SignatureBytes,
    arithmetic::{coordinates, factors, has_x_vartime, point, signature},
};
use crate::{
    core::{cpu::Baseline, secret::Wiped},
    curves::p256::{affine, base_multiple, double_multiple_vartime, multiple},
    fields::{p256::order::Scalar as Residue, safegcd::inverse, words::from_bytes},
};

pub(crate) struct Portable {
    _cpu: Baseline,
}

impl Portable {
    #[inline]
    pub(crate) fn new(cpu: Baseline, (): ()) -> Self {
        Self { _cpu: cpu }
    }
}

impl Operations for Portable {
    fn public(&self, d: &Scalar, out: &mut Point) {
        *out = coordinates(&base_multiple(from_bytes(d)));
    }

    fn agree(&self, d: &Scalar, q: &Point, out: &mut Scalar) {
        agree(d, q, out);
    }

    fn sign(&self, d: &Scalar, k: &Scalar, e: &Scalar, out: &mut SignatureBytes) {
        let point = Wiped::new(affine(&base_multiple(from_bytes(k))));
        let k_inverse = Wiped::new(inverse(Residue::from_bytes(k)));
        *out = signature(d, e, point.x, *k_inverse);
    }

    fn verify(&self, q: &Point, e: &Scalar, signature: &SignatureBytes, valid: &mut bool) {
        *valid = verify_vartime(q, e, signature);
    }
}

/// x of d Q.
fn agree(d: &Scalar, q: &Point, out: &mut Scalar) {
    *out = affine(&multiple(&point(q), from_bytes(d))).x.to_bytes();
}

fn verify_vartime(q: &Point, e: &Scalar, signature: &SignatureBytes) -> bool {
    let [r, s] = signature.as_chunks().0 else { return false };
    let (u, v) = factors(e, r, inverse(Residue::from_bytes(s)));
    has_x_vartime(&double_multiple_vartime(u, &point(q), v), from_bytes(r))
}

#[cfg(feature = "many")]
impl OperationsMany for Portable {
    fn public(&self, d: &[&Scalar; EIGHT], out: &mut [Point; EIGHT]) {
        for (d, out) in d.iter().zip(out) {
            Operations::public(self, d, out);
        }
    }

    fn agree(&self, d: &[&Scalar; EIGHT], q: &[&Point; EIGHT], out: &mut [Scalar; EIGHT]) {
        for ((d, q), out) in d.iter().zip(q).zip(out) {
            agree(d, q, out);
        }
    }

    fn sign(
        &self,
        d: &[&Scalar; EIGHT],
        k: &[&Scalar; EIGHT],
        e: &[&Scalar; EIGHT],
        out: &mut [SignatureBytes; EIGHT],
    ) {
        for lane in 0..EIGHT {
            Operations::sign(self, d[lane], k[lane], e[lane], &mut out[lane]);
        }
    }

    fn verify(
        &self,
        q: &[&Point; EIGHT],
        e: &[&Scalar; EIGHT],
        signatures: &[&SignatureBytes; EIGHT],
        valid: &mut [bool; EIGHT],
    ) {
        for lane in 0..EIGHT {
            valid[lane] = verify_vartime(q[lane], e[lane], signatures[lane]);
        }
    }
}
