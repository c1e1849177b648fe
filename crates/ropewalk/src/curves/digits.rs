//! Digits of scalars.

/// The digits of a little-endian scalar below 2^255 in base 16, from -8 to 8, the lowest first. In constant time.
pub(crate) fn signed_16(scalar: &[u8; 32]) -> [i8; 64] {
    let mut digits = [0; 64];
    let mut carry = 0;
    for (pair, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(scalar) {
        let low = (byte & 15) as i8 + carry;
        let over = (low + 8) >> 4;
        let high = (byte >> 4) as i8 + over;
        carry = (high + 8) >> 4;
        *pair = [low - (over << 4), high - (carry << 4)];
    }
    digits[63] += carry << 4;
    digits
}
