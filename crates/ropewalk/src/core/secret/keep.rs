//! Storage for values that may be secret: wiped, or not.

use core::ops::{Deref, DerefMut};

use super::Wiped;

/// Holds a value, and may wipe it on drop.
pub(crate) trait Keep<R>: DerefMut<Target = R> {
    fn keep(value: R) -> Self;
}

/// A value that is not secret.
pub(crate) struct Loose<R>(R);

impl<R> Deref for Loose<R> {
    type Target = R;

    #[inline]
    fn deref(&self) -> &R {
        &self.0
    }
}

impl<R> DerefMut for Loose<R> {
    #[inline]
    fn deref_mut(&mut self) -> &mut R {
        &mut self.0
    }
}

impl<R> Keep<R> for Loose<R> {
    #[inline]
    fn keep(value: R) -> Self {
        Self(value)
    }
}

impl<R> Keep<R> for Wiped<R> {
    #[inline]
    fn keep(value: R) -> Self {
        Self::new(value)
    }
}
