//! Multiples of the base point for one key: a sum of windows, spread over lanes of 52 bits. Sums with another point are portable.

use super::super::Multiply;
use crate::{
    core::cpu::Avx512Ifma,
    curves::{
        edwards::Point,
        edwards25519::{encode, public_sum},
        x86_64::spread::base_multiple,
    },
    fields::p25519::number::Number,
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

impl Multiply for Ifma {
    fn base(&self, r: &[u8; 32], out: &mut [u8; 32]) {
        *out = encode(&base_multiple(self.cpu, r));
    }

    fn public_sum(&self, s: &[u8; 32], k: &[u8; 32], p: &Point<Number>, out: &mut [u8; 32]) {
        *out = encode(&public_sum(s, k, p));
    }
}
