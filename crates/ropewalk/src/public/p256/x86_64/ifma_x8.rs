//! P-256 of eight keys, with products of 52 bits on 512. Inversions are shared by the lanes.

use super::super::{
    EIGHT, OperationsMany, Point, Scalar, SignatureBytes,
    arithmetic::{factors, has_x_vartime, joined, point, signature},
};
use crate::{
    core::{cpu::Avx512Ifma, secret::Wiped},
    curves::{
        p256::x86_64::{Lanes, add, base_multiples, multiples, points},
        weierstrass::{Affine, Point as Jacobian},
    },
    fields::{
        Field as _,
        p256::{number::Number, order::Scalar as Residue},
        words::{Words, from_bytes, inverses},
    },
};

pub(crate) struct IfmaX8 {
    cpu: Avx512Ifma,
}

impl IfmaX8 {
    #[inline]
    pub(crate) fn new(cpu: Avx512Ifma, (): ()) -> Self {
        Self { cpu }
    }

    /// x and y of the point of each lane.
    fn affine(&self, lanes: &Jacobian<Lanes>) -> [Affine<Number>; EIGHT] {
        let points = Wiped::new(points(self.cpu, lanes));
        let mut z = Wiped::new(points.map(|point| point.z));
        inverses(&mut z);
        [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| {
            let (Jacobian { x, y, .. }, z) = (points[lane], z[lane]);
            let zz = z.square();
            Affine { x: x.times(zz), y: y.times(zz.times(z)) }
        })
    }
}

fn words(numbers: &[&Scalar; EIGHT]) -> Wiped<[Words; EIGHT]> {
    Wiped::new(numbers.map(from_bytes))
}

impl OperationsMany for IfmaX8 {
    fn public(&self, d: &[&Scalar; EIGHT], out: &mut [Point; EIGHT]) {
        let points = self.affine(&base_multiples(self.cpu, &words(d)));
        for (Affine { x, y }, out) in points.iter().zip(out) {
            *out = joined(x.to_bytes(), y.to_bytes());
        }
    }

    fn agree(&self, d: &[&Scalar; EIGHT], q: &[&Point; EIGHT], out: &mut [Scalar; EIGHT]) {
        let points = multiples(self.cpu, &q.map(point), &words(d));
        let points = Wiped::new(self.affine(&points));
        for (Affine { x, .. }, out) in points.iter().zip(out) {
            *out = x.to_bytes();
        }
    }

    fn sign(
        &self,
        d: &[&Scalar; EIGHT],
        k: &[&Scalar; EIGHT],
        e: &[&Scalar; EIGHT],
        out: &mut [SignatureBytes; EIGHT],
    ) {
        let points = Wiped::new(self.affine(&base_multiples(self.cpu, &words(k))));
        let mut k = Wiped::new(k.map(Residue::from_bytes));
        inverses(&mut k);
        for lane in 0..EIGHT {
            out[lane] = signature(d[lane], e[lane], points[lane].x, k[lane]);
        }
    }

    fn verify(
        &self,
        q: &[&Point; EIGHT],
        e: &[&Scalar; EIGHT],
        signatures: &[&SignatureBytes; EIGHT],
        valid: &mut [bool; EIGHT],
    ) {
        let halves = signatures.map(|signature| signature.as_chunks::<32>().0);
        let mut s = halves.map(|halves| Residue::from_bytes(&halves[1]));
        inverses(&mut s);
        let (mut u, mut v) = ([[0; 4]; EIGHT], [[0; 4]; EIGHT]);
        for lane in 0..EIGHT {
            (u[lane], v[lane]) = factors(e[lane], &halves[lane][0], s[lane]);
        }
        let base = base_multiples(self.cpu, &u);
        let sums = add(self.cpu, &base, &multiples(self.cpu, &q.map(point), &v));
        for (lane, sum) in points(self.cpu, &sums).iter().enumerate() {
            valid[lane] = has_x_vartime(sum, from_bytes(&halves[lane][0]));
        }
    }
}
