//! Multiples of points in plain Rust.

use super::Multiply;
#[cfg(feature = "many")]
use super::{EIGHT, MultiplyMany};
#[cfg(feature = "many")]
use crate::curves::edwards25519::{Term, sum_of_terms};
use crate::{
    core::cpu::Baseline,
    curves::{
        edwards::Point,
        edwards25519::{base_multiple, encode, public_sum},
    },
    fields::p25519::number::Number,
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

impl Multiply for Portable {
    fn base(&self, r: &[u8; 32], out: &mut [u8; 32]) {
        *out = encode(&base_multiple(r));
    }

    fn public_sum(&self, s: &[u8; 32], k: &[u8; 32], p: &Point<Number>, out: &mut [u8; 32]) {
        *out = encode(&public_sum(s, k, p));
    }
}

#[cfg(feature = "many")]
impl MultiplyMany for Portable {
    fn base(&self, r: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]) {
        for (r, out) in r.iter().zip(out) {
            *out = encode(&base_multiple(r));
        }
    }

    fn public_sum(
        &self,
        s: &[&[u8; 32]; EIGHT],
        k: &[[u8; 32]; EIGHT],
        p: &[&Point<Number>; EIGHT],
        out: &mut [[u8; 32]; EIGHT],
    ) {
        for (((s, k), p), out) in s.iter().zip(k).zip(p).zip(out) {
            *out = encode(&public_sum(s, k, p));
        }
    }

    fn sum_of_terms(&self, terms: &[Term<'_>], out: &mut Option<Point<Number>>) {
        *out = sum_of_terms(terms);
    }
}
