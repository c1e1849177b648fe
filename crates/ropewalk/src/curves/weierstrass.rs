//! The group of a short Weierstrass curve y^2 = x^3 - 3 x + b, in Jacobian coordinates.
//!
//! [`Point::add`] and [`Point::add_affine`] are for two points that are neither equal nor infinite. Of opposite points they are
//! right: Z becomes 0. [`Sum::settled`] makes a sum of any two points from theirs.

use crate::fields::{Coordinate, Product as _};

/// A point (X, Y, Z): x = X/Z^2, y = Y/Z^3. Where Z is 0, it is infinite.
#[derive(Clone, Copy)]
pub(crate) struct Point<F> {
    pub(crate) x: F,
    pub(crate) y: F,
    pub(crate) z: F,
}

/// A point that is not infinite, with coordinates in the form of tables.
#[derive(Clone, Copy)]
pub(crate) struct Affine<F> {
    pub(crate) x: F,
    pub(crate) y: F,
}

/// A sum, and the differences that tell whether it is right.
#[derive(Clone, Copy)]
pub(crate) struct Sum<F> {
    pub(crate) point: Point<F>,
    /// The difference of both x, and that of both y, each times the same number for both points.
    h: F,
    r: F,
}

impl<F: Coordinate> Point<F> {
    #[inline(always)]
    pub(crate) fn double(&self) -> Self {
        let Self { x, y, z } = *self;
        let delta = z.square();
        let product = (x - delta) * (x + delta);
        let m = (product + product + product).reduced();
        let gamma = y.squared();
        let h = (gamma + gamma).reduced();
        let s = x * h;
        let s = (s + s).reduced();
        let x_3 = m.square() - (s + s);
        let hh = h.squared();
        let yz = y * z;
        Self { x: x_3, y: (m * (s - x_3) - (hh + hh)).reduced(), z: (yz + yz).reduced() }
    }

    #[inline(always)]
    pub(crate) fn add(&self, q: &Self) -> Sum<F> {
        let (zz_1, zz_2) = (self.z.square(), q.z.square());
        let (u_1, u_2) = (self.x.times(zz_2), q.x.times(zz_1));
        let s_1 = self.y.times(q.z).times(zz_2);
        let s_2 = q.y.times(self.z).times(zz_1);
        let (h, r) = (u_2 - u_1, s_2 - s_1);
        Sum { point: Self::of(u_1, s_1, h, r, self.z.times(q.z)), h, r }
    }

    #[inline(always)]
    pub(crate) fn add_affine(&self, q: &Affine<F>) -> Self {
        let zz = F::for_table(self.z.squared()).reduced();
        let h = q.x.times(zz) - self.x;
        let r = q.y.times(zz.times(self.z)) - self.y;
        Self::of(self.x, self.y, h, r, self.z)
    }

    /// A sum from the coordinates of the first point, the differences to the second, and the product of both Z, with which all
    /// of these have been multiplied.
    #[inline(always)]
    fn of(u_1: F, s_1: F, h: F, r: F, z: F) -> Self {
        let hh = h.square();
        let (hhh, v) = (hh.times(h), u_1.times(hh));
        let x = r.square() - (hhh + v + v);
        Self { x, y: (r * (v - x) - s_1 * hhh).reduced(), z: z.times(h) }
    }

    /// `other` where the mask has ones.
    #[inline(always)]
    pub(crate) fn or_where(&self, mask: F::Mask, other: &Self) -> Self {
        Self {
            x: self.x.or_where(mask, other.x),
            y: self.y.or_where(mask, other.y),
            z: self.z.or_where(mask, other.z),
        }
    }

    /// The opposite point, where the mask has ones.
    #[inline(always)]
    pub(crate) fn negated_where(mut self, mask: F::Mask) -> Self {
        self.y = self.y.or_where(mask, self.y.negated());
        self
    }
}

impl<F: Coordinate> Sum<F> {
    /// The sum of any two points: their sum as [`Point::add`] has it, unless they are equal or one is infinite. `doubled` is
    /// twice the first.
    #[inline(always)]
    pub(crate) fn settled(&self, p: &Point<F>, q: &Point<F>, doubled: &Point<F>) -> Point<F> {
        let Self { point, h, r } = self;
        let if_same_x = point.or_where(r.is_zero(), doubled);
        let sum = point.or_where(h.is_zero(), &if_same_x);
        sum.or_where(p.z.is_zero(), q).or_where(q.z.is_zero(), p)
    }
}

impl<F: Coordinate> Affine<F> {
    /// The opposite point, where the mask has ones.
    #[inline(always)]
    pub(crate) fn negated_where(mut self, mask: F::Mask) -> Self {
        self.y = self.y.or_where(mask, self.y.negated());
        self
    }

    #[inline(always)]
    pub(crate) fn point(&self) -> Point<F> {
        Point { x: self.x.of_table(), y: self.y.of_table(), z: self.x.like(1) }
    }
}
