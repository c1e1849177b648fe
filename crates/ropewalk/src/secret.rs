//! Secrets, and what must not be left of them.

use core::{
    mem::ManuallyDrop,
    ops::{Deref, DerefMut},
    ptr,
};

/// A value of which no byte is left once it is dropped: what every key keeps its backend in, so that no
/// backend has to wipe anything of it, and a hasher or a stream what it holds of a message. Between its
/// fields, and where another variant of an enum has more, lies what was on the stack when it was moved: as
/// often as not, round keys.
pub(crate) struct Wiped<T>(ManuallyDrop<T>);

impl<T> Wiped<T> {
    #[inline]
    pub(crate) fn new(value: T) -> Self {
        Self(ManuallyDrop::new(value))
    }
}

impl<T: Clone> Clone for Wiped<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Deref for Wiped<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Wiped<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> Drop for Wiped<T> {
    fn drop(&mut self) {
        let bytes = (&raw mut self.0).cast::<u8>();
        // SAFETY: the value is dropped here only, and nobody uses it afterwards.
        #[allow(unsafe_code)]
        unsafe {
            ManuallyDrop::drop(&mut self.0);
        }
        // SAFETY: the bytes of what was the value, which is borrowed mutably and gone.
        #[allow(unsafe_code)]
        unsafe {
            ptr::write_bytes(bytes, 0, size_of::<T>());
        }
        // For the compiler, somebody looks at them.
        zeroize::optimization_barrier(&bytes);
    }
}
