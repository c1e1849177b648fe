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

/// Any point, as a sum takes it.
#[derive(Clone, Copy)]
pub(crate) struct Addend<F> {
    /// Y + X.
    sum: F,
    /// Y - X.
    difference: F,
    /// 2 d T.
    product: F,
    /// 2 Z.
    twice_z: F,
}

impl<F: Field> Point<F> {
    /// The neutral point (0, 1).
    #[inline(always)]
    pub(crate) fn neutral(like: F) -> Self {
        let (zero, one) = (like.like(0), like.like(1));
        Self { x: zero, y: one, z: one, t: zero }
    }

    #[inline(always)]
    pub(crate) fn add_affine(&self, q: &Affine<F>) -> Sum<F> {
        let a = (self.y - self.x) * q.difference;
        let b = (self.y + self.x) * q.sum;
        let c = self.t * q.product;
        let d = (self.z + self.z).widened();
        Sum::new(b - a, d - c, d + c, b + a)
    }

    /// A sum of any two points: the formulas have no exceptions.
    #[inline(always)]
    pub(crate) fn add(&self, q: &Addend<F>) -> Sum<F> {
        let a = (self.y - self.x) * q.difference;
        let b = (self.y + self.x) * q.sum;
        let c = self.t * q.product;
        let d = self.z * q.twice_z;
        Sum::new(b - a, d - c, d + c, b + a)
    }

    /// T is not used.
    #[inline(always)]
    pub(crate) fn double(&self) -> Sum<F> {
        let (a, b) = (self.x.squared(), self.y.squared());
        let c = self.z.squared();
        let h = a + b;
        let e = h - (self.x + self.y).squared();
        let g = a - b;
        Sum::new(e, c + c + g, g, h)
    }

    /// As sums take it. `twice_d` is 2 d of the curve.
    #[inline(always)]
    pub(crate) fn addend(&self, twice_d: F) -> Addend<F> {
        Addend {
            sum: self.y + self.x,
            difference: self.y - self.x,
            product: self.t.times(twice_d),
            twice_z: self.z + self.z,
        }
    }

    #[inline(always)]
    pub(crate) fn negated(&self) -> Self {
        Self { x: self.x.negated(), t: self.t.negated(), ..*self }
    }
}

/// E, F, G and H of a sum: X = E F, Y = G H, Z = F G, T = E H.
#[derive(Clone, Copy)]
pub(crate) struct Sum<F> {
    e: F,
    f: F,
    g: F,
    h: F,
}

impl<F: Field> Sum<F> {
    #[inline(always)]
    fn new(e: F::Product, f: F::Product, g: F::Product, h: F::Product) -> Self {
        Self { e: e.reduced(), f: f.reduced(), g: g.reduced(), h: h.reduced() }
    }

    #[inline(always)]
    pub(crate) fn point(&self) -> Point<F> {
        Point { t: self.e.times(self.h), ..self.without_t() }
    }

    /// For a point that is doubled next. T is another number.
    #[inline(always)]
    pub(crate) fn without_t(&self) -> Point<F> {
        let Self { e, f, g, h } = *self;
        Point { x: e.times(f), y: g.times(h), z: f.times(g), t: e }
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

impl<F: Field> Addend<F> {
    /// The negative point, where the mask has ones.
    #[inline(always)]
    pub(crate) fn negated_where(mut self, mask: F::Mask) -> Self {
        self.sum.swap_where(mask, &mut self.difference);
        self.product = self.product.or_where(mask, self.product.negated());
        self
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn or_where(self, mask: F::Mask, other: &Self) -> Self {
        Self {
            sum: self.sum.or_where(mask, other.sum),
            difference: self.difference.or_where(mask, other.difference),
            product: self.product.or_where(mask, other.product),
            twice_z: self.twice_z.or_where(mask, other.twice_z),
        }
    }
}
