//! Prime fields of elliptic curves.
//!
//! Formulas of curves are written once over [`Field`]: for one number, for a number in each lane of vectors, and for bounds of
//! limbs (in tests of lanes).

#[cfg(any(target_arch = "x86_64", test))]
pub(crate) mod lanes;
pub(crate) mod p25519;
#[cfg(feature = "p256")]
pub(crate) mod p256;
pub(crate) mod safegcd;
pub(crate) mod words;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

use core::ops::{Add, Mul, Sub};

use crate::core::{ct, opaque::unknown};

/// An element of a prime field, or one in each lane.
///
/// Sums and differences are of elements whose limbs are carried: products, or what [`Product::reduced`] returns. How often more
/// can be added is a matter of each field; tests of bounds hold it.
pub(crate) trait Field:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self::Product>
{
    /// A product whose limbs are not yet carried, or for one number the product itself. Sums of products save carries.
    type Product: Product<Self>;
    /// All ones or all zeros, in each lane.
    type Mask: Copy;

    /// The same small number in each lane, of less than 51 bits. `self` has the proof that lanes exist.
    fn like(self, small: u64) -> Self;
    fn squared(self) -> Self::Product;
    /// `self` + `small` `other`, where `small` has at most 17 bits.
    fn plus_small_times(self, small: u64, other: Self) -> Self;
    fn widened(self) -> Self::Product;
    /// `other` where the mask has ones.
    fn or_where(self, mask: Self::Mask, other: Self) -> Self;

    #[inline(always)]
    fn square(self) -> Self {
        self.squared().reduced()
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        (self * other).reduced()
    }

    /// Swaps two elements where the mask has ones.
    #[inline(always)]
    fn swap_where(&mut self, mask: Self::Mask, other: &mut Self) {
        let old = *self;
        *self = self.or_where(mask, *other);
        *other = other.or_where(mask, old);
    }

    /// 0 - `self`.
    #[inline(always)]
    fn negated(self) -> Self {
        self.like(0) - self
    }
}

/// A field whose elements are coordinates of a Weierstrass curve.
pub(crate) trait Coordinate: Field {
    /// Where the number is 0.
    fn is_zero(self) -> Self::Mask;
    /// A factor of numbers of a table, which may be kept in another form.
    fn for_table(product: Self::Product) -> Self::Product;
    /// A number of a table.
    fn of_table(self) -> Self;
}

/// Sums and differences of products.
pub(crate) trait Product<F>: Copy + Add<Output = Self> + Sub<Output = Self> {
    fn reduced(self) -> F;
}

/// All ones for 0, all zeros for any other word.
#[inline(always)]
pub(crate) fn zeros(word: u64) -> u64 {
    let word = unknown(word);
    ct::mask(((word | word.wrapping_neg()) >> 63).wrapping_sub(1))
}

/// All ones for true, all zeros for false.
#[inline(always)]
pub(crate) fn ones_if(bit: bool) -> u64 {
    let mask = unknown(u64::from(bit)).wrapping_neg();
    // Elsewhere `unknown` hides nothing.
    if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) { mask } else { ct::mask(mask) }
}
