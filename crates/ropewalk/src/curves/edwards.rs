//! The group of a twisted Edwards curve with a = -1, in extended coordinates (RFC 8032, section 5.1.4, in its letters).

use crate::fields::{Field, Product as _};

/// A point (X, Y, Z, T): x = X/Z, y = Y/Z, x y = T/Z.
#[derive(Clone, Copy)]
pub(crate) struct Point<F> {
    pub(crate) x: F,
    pub(crate) y: F,
    pub(crate) z: F,
    pub(crate) t: F,
}

/// A point with Z = 1, as a sum takes it.
#[derive(Clone, Copy)]
pub(crate) struct Affine<F> {
    /// y + x.
    pub(crate) sum: F,
    /// y - x.
    pub(crate) difference: F,
    /// 2 d x y.
    pub(crate) product: F,
}

impl<F: Field> Point<F> {
    /// The neutral point (0, 1).
    #[inline(always)]
    pub(crate) fn neutral(like: F) -> Self {
        let (zero, one) = (like.like(0), like.like(1));
        Self { x: zero, y: one, z: one, t: zero }
    }

    #[inline(always)]
    pub(crate) fn add_affine(&self, q: &Affine<F>) -> Self {
        let a = (self.y - self.x) * q.difference;
        let b = (self.y + self.x) * q.sum;
        let c = self.t * q.product;
        let d = (self.z + self.z).widened();
        Self::of([b - a, d - c, d + c, b + a])
    }

    /// A sum of any two points: the formulas have no exceptions. `twice_d` is 2 d of the curve.
    #[inline(always)]
    pub(crate) fn add(&self, q: &Self, twice_d: F) -> Self {
        let a = (self.y - self.x) * (q.y - q.x);
        let b = (self.y + self.x) * (q.y + q.x);
        let c = self.t.times(twice_d) * q.t;
        let d = (self.z + self.z) * q.z;
        Self::of([b - a, d - c, d + c, b + a])
    }

    #[inline(always)]
    pub(crate) fn double(&self) -> Self {
        let (a, b) = (self.x.squared(), self.y.squared());
        let c = self.z.squared();
        let h = a + b;
        let e = h - (self.x + self.y).squared();
        let g = a - b;
        Self::of([e, c + c + g, g, h])
    }

    /// From E, F, G and H.
    #[inline(always)]
    fn of([e, f, g, h]: [F::Product; 4]) -> Self {
        let (e, f, g, h) = (e.reduced(), f.reduced(), g.reduced(), h.reduced());
        Self { x: e.times(f), y: g.times(h), z: f.times(g), t: e.times(h) }
    }
}

impl<F: Field> Affine<F> {
    /// The negative point, where the mask has ones.
    #[inline(always)]
    pub(crate) fn negated_where(mut self, mask: F::Mask) -> Self {
        self.sum.swap_where(mask, &mut self.difference);
        self.product = self.product.or_where(mask, self.product.negated());
        self
    }
}
