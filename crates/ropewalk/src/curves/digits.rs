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

/// The digits of a little-endian scalar below 2^255 in base 2: odd ones below 2^(`WIDTH` - 1) in magnitude, or zero, of which at least
/// `WIDTH` - 1 follow each odd one (wNAF). Their number and places depend on the scalar, which is public.
pub(crate) fn sparse<const WIDTH: u32>(scalar: &[u8; 32]) -> [i8; 256] {
    let words: [u64; 4] = crate::fields::words::from_le_bytes(scalar);
    let (mut digits, mut carry, mut at) = ([0; 256], 0, 0);
    while at < 256 {
        let (word, bit) = (at / 64, at % 64);
        let above = if bit == 0 || word == 3 { 0 } else { words[word + 1] << (64 - bit) };
        let window = ((words[word] >> bit | above) & ((1 << WIDTH) - 1)) + carry;
        if window & 1 == 0 {
            at += 1;
            continue;
        }
        carry = window >> (WIDTH - 1) & 1;
        digits[at] = (window as i64 - ((carry as i64) << WIDTH)) as i8;
        at += WIDTH as usize;
    }
    digits
}
