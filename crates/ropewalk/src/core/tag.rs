//! Tags, which authenticate messages.

use core::{fmt, ops::Deref};

use crate::core::{
    Error,
    block::{Block, load_short},
    ct,
};

/// A tag, which authenticates a message. Tags compare in constant time.
#[derive(Clone, Copy)]
pub struct Tag {
    pub(crate) bytes: Block,
    /// The tag length; further bytes do not count.
    pub(crate) len: usize,
}

/// 16 zeros: space for a tag.
impl Default for Tag {
    #[inline]
    fn default() -> Self {
        Self { bytes: [0; 16], len: 16 }
    }
}

impl Deref for Tag {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && same(&self.bytes, other)
    }
}

impl Eq for Tag {}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[inline]
pub(crate) fn check_tag(tag: &[u8], allowed: usize) -> Result<(), Error> {
    if tag.len() != allowed {
        let allowed = "as the key has it";
        return Err(Error::Length { what: "tag", got: tag.len(), allowed });
    }
    Ok(())
}

/// Whether `right` begins with `tag`, which has 1 to 16 bytes, in constant time.
#[inline]
pub(crate) fn same(right: &Block, tag: &[u8]) -> bool {
    let right = u128::from_le_bytes(*right);
    let difference = match tag.try_into() {
        Ok(tag) => right ^ u128::from_le_bytes(tag),
        Err(_) => (right ^ load_short(tag)) << (128 - 8 * tag.len() as u32),
    };
    ct::same((difference >> 64) as u64 | difference as u64)
}
