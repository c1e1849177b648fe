//! Bytes of any length that are wiped.

use zeroize::Zeroize as _;

/// Wiped when it is dropped, and so is a clone.
#[derive(Clone, Default)]
pub(crate) struct Secret(Box<[u8]>);

impl Secret {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// Those, one after the other.
    pub(crate) fn joined(parts: &[&[u8]]) -> Self {
        Self(parts.concat().into_boxed_slice())
    }
}

impl core::ops::Deref for Secret {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
