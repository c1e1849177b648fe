//! Sizes of numbers, a type for each unit.

/// A length in limbs of 64 bits, from 1 to [`Limbs::MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Limbs(usize);

impl Limbs {
    /// The length of the longest number.
    pub(crate) const MOST: Self = Self(64);

    /// Half of it: the length of the longest prime.
    pub(crate) const HALF: Self = Self(32);

    /// A length outside of the range becomes the nearest one in it.
    #[inline]
    pub(crate) const fn new(limbs: usize) -> Self {
        match limbs {
            0 => Self(1),
            1..=64 => Self(limbs),
            _ => Self::MOST,
        }
    }

    #[inline(always)]
    pub(crate) const fn get(self) -> usize {
        self.0
    }

    #[inline]
    pub(crate) const fn bits(self) -> Bits {
        Bits(64 * self.0)
    }

    /// Twice as many limbs, or the most.
    #[inline]
    pub(crate) const fn doubled(self) -> Self {
        Self::new(2 * self.0)
    }
}

/// A size in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bits(pub(crate) usize);

impl Bits {
    #[inline]
    pub(crate) const fn limbs(self) -> Limbs {
        Limbs::new(self.0.div_ceil(64))
    }

    #[inline]
    pub(crate) const fn bytes(self) -> usize {
        self.0.div_ceil(8)
    }
}

/// A length in words of 52 bits, which kernels of VPMADD52 use.
#[cfg(any(target_arch = "x86_64", test))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Words(pub(crate) usize);

#[cfg(any(target_arch = "x86_64", test))]
impl Words {
    #[inline]
    pub(crate) const fn bits(self) -> Bits {
        Bits(52 * self.0)
    }
}
