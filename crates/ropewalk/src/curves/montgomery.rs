//! The Montgomery ladder of RFC 7748, section 5, in its letters.

use crate::fields::{Field, Product as _};

/// (A - 2) / 4 of curve25519 (section 4.1).
const A24: u64 = 121665;

/// The state of a ladder: two points, of which the second is the first plus the base point. Sums and differences of a coordinate
/// pair are kept in place of the pair: they are made of the products before these are carried, which saves carries.
#[derive(Clone, Copy)]
pub(crate) struct Ladder<F> {
    x_1: F,
    /// x_2 + z_2 and x_2 - z_2.
    a: F,
    b: F,
    /// x_3 + z_3 and x_3 - z_3.
    c: F,
    d: F,
}

impl<F: Field> Ladder<F> {
    /// Infinity, and the point with that u-coordinate.
    #[inline(always)]
    pub(crate) fn new(u: F) -> Self {
        let one = u.like(1);
        Self { x_1: u, a: one, b: one, c: u + one, d: u - one }
    }

    /// Swaps both points where the mask has ones.
    #[inline(always)]
    pub(crate) fn swap_where(&mut self, mask: F::Mask) {
        self.a.swap_where(mask, &mut self.c);
        self.b.swap_where(mask, &mut self.d);
    }

    /// Doubles the first point, and adds it to the second.
    #[inline(always)]
    pub(crate) fn step(&mut self) {
        let Self { x_1, a, b, c, d } = *self;
        let (da, cb) = (d * a, c * b);
        let (aa, bb) = (a.square(), b.square());
        let e = aa - bb;
        let (sum, difference) = ((da + cb).reduced(), (da - cb).reduced());
        let x_3 = sum.squared();
        let z_3 = x_1 * difference.square();
        let x_2 = aa * bb;
        let z_2 = e * aa.plus_small_times(A24, e);
        self.a = (x_2 + z_2).reduced();
        self.b = (x_2 - z_2).reduced();
        self.c = (x_3 + z_3).reduced();
        self.d = (x_3 - z_3).reduced();
    }

    /// 2 x_2 and 2 z_2: the u-coordinate of the first point is their quotient.
    #[inline(always)]
    pub(crate) fn end(self) -> (F, F) {
        (self.a + self.b, self.a - self.b)
    }
}
