//! The steps of signatures around multiples of points (FIPS 186-5, sections 6.4.1 and 6.4.2), for any backend.

use super::{Point as Bytes, Scalar as ScalarBytes, SignatureBytes};
use crate::{
    curves::{
        p256::affine,
        weierstrass::{Affine, Point},
    },
    fields::{
        Coordinate as _, Field as _,
        p256::{
            number::{Number, P},
            order::{N, Scalar},
        },
        words::{Modulus as _, Words, is_below, minus},
    },
};

/// r and s from the x-coordinate of k G and 1/k.
pub(super) fn signature(
    d: &ScalarBytes,
    e: &ScalarBytes,
    x: Number,
    k_inverse: Scalar,
) -> SignatureBytes {
    let r = Scalar::new(x.to_words());
    let s = k_inverse.times(Scalar::from_bytes(e) + r.times(Scalar::from_bytes(d)));
    joined(r.to_bytes(), s.to_bytes())
}

/// u and v, from 1/s: the point is u G + v Q.
pub(super) fn factors(e: &ScalarBytes, r: &ScalarBytes, s_inverse: Scalar) -> (Words, Words) {
    let of = |bytes| Scalar::from_bytes(bytes).times(s_inverse).to_words();
    (of(e), of(r))
}

/// Whether the x-coordinate of a point that is not infinite is r modulo n. It is compared without an inversion: x is r or r + n,
/// if that is below p, and X is x Z^2.
pub(super) fn has_x_vartime(point: &Point<Number>, r: Words) -> bool {
    let zz = point.z.square();
    let is = |x: Words| Number::new(x).times(zz).is(point.x) != 0;
    // p - n.
    let few = minus(P::WORDS, N::WORDS).0;
    point.z.is_zero() == 0 && (is(r) || is_below(r, few) != 0 && is(plus(r, N::WORDS)))
}

/// A sum below 2^256.
fn plus([a, b, c, d]: Words, [e, f, g, h]: Words) -> Words {
    let (a, over) = a.carrying_add(e, false);
    let (b, over) = b.carrying_add(f, over);
    let (c, over) = c.carrying_add(g, over);
    let (d, _) = d.carrying_add(h, over);
    [a, b, c, d]
}

/// A point from valid coordinates.
pub(super) fn point(bytes: &Bytes) -> Affine<Number> {
    let [x, y] = bytes.as_chunks::<32>().0 else { unreachable!("64 bytes") };
    Affine { x: Number::from_bytes(x), y: Number::from_bytes(y) }
}

/// The coordinates of a point that is not infinite.
pub(super) fn coordinates(point: &Point<Number>) -> Bytes {
    let Affine { x, y } = affine(point);
    joined(x.to_bytes(), y.to_bytes())
}

pub(super) fn joined(a: [u8; 32], b: [u8; 32]) -> [u8; 64] {
    let mut both = [0; 64];
    both[..32].copy_from_slice(&a);
    both[32..].copy_from_slice(&b);
    both
}
