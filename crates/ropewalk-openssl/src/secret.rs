//! Byte strings of any length that are wiped, and the comparison of secrets.

use core::hint::black_box;

use zeroize::Zeroize as _;

/// Compares two byte strings, in time that depends only on their length. It does not compare single bytes:
/// each would be a call, since `Choice` hides its value from the compiler, and this runs for each message.
#[inline]
pub(crate) fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let ((words, rest), (other_words, other_rest)) = (one.as_chunks(), other.as_chunks());
    let mut difference = 0;
    for (one, other) in words.iter().zip(other_words) {
        difference |= u64::from_ne_bytes(*one) ^ u64::from_ne_bytes(*other);
    }
    for (one, other) in rest.iter().zip(other_rest) {
        difference |= u64::from(one ^ other);
    }
    black_box(difference) == 0
}

/// It is wiped when it is dropped, and so is a clone.
#[derive(Clone, Default)]
pub(crate) struct Secret(Box<[u8]>);

impl Secret {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// Concatenates byte strings.
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

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn every_bit_counts() {
        for len in 0..=67 {
            let one = vec![0x5a; len];
            assert!(same(&one, &one.clone()));
            for bit in 0..8 * len {
                let mut other = one.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                assert!(!same(&one, &other), "{len} {bit}");
            }
            assert!(!same(&one, &vec![0x5a; len + 1]));
        }
    }
}
