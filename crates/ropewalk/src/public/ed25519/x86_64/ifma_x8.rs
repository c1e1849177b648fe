//! Multiples of points for eight keys, with products of 52 bits on 512.

use super::super::{EIGHT, MultiplyMany};
use crate::{
    core::cpu::Avx512Ifma,
    curves::{
        edwards::Point,
        edwards25519::Term,
        x86_64::{Lanes, base_multiples, public_sums, quotients, sum_of_terms},
    },
    fields::p25519::number::Number,
};

pub(crate) struct IfmaX8 {
    cpu: Avx512Ifma,
}

impl IfmaX8 {
    #[inline]
    pub(crate) fn new(cpu: Avx512Ifma, (): ()) -> Self {
        Self { cpu }
    }

    /// The bytes of each point (section 5.1.2).
    fn encode(&self, point: &Point<Lanes>, out: &mut [[u8; 32]; EIGHT]) {
        let mut x = [[0; 32]; EIGHT];
        quotients(self.cpu, [&point.x, &point.y], &point.z, [&mut x, out]);
        for (x, out) in x.iter().zip(out) {
            out[31] |= x[0] << 7;
        }
    }
}

impl MultiplyMany for IfmaX8 {
    fn base(&self, r: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]) {
        self.encode(&base_multiples(self.cpu, r), out);
    }

    fn public_sum(
        &self,
        s: &[&[u8; 32]; EIGHT],
        k: &[[u8; 32]; EIGHT],
        p: &[&Point<Number>; EIGHT],
        out: &mut [[u8; 32]; EIGHT],
    ) {
        self.encode(&public_sums(self.cpu, s, k, p), out);
    }

    fn sum_of_terms(&self, terms: &[Term<'_>], out: &mut Option<Point<Number>>) {
        *out = sum_of_terms(self.cpu, terms);
    }
}
