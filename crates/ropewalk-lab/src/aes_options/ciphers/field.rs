//! GF(2^8) and the S-box (FIPS 197, sections 4 and 5.1.1).

/// The product of a byte and x.
#[inline(always)]
pub(super) const fn xtime(byte: u8) -> u8 {
    (byte << 1) ^ ((byte >> 7) * 0x1b)
}

/// The product of two bytes.
pub(super) const fn product(a: u8, b: u8) -> u8 {
    let (mut sum, mut power, mut bit) = (0, a, 0);
    while bit < 8 {
        sum ^= power * (b >> bit & 1);
        power = xtime(power);
        bit += 1;
    }
    sum
}

/// The linear part of the affine map of SubBytes.
pub(super) const fn affine(byte: u8) -> u8 {
    byte ^ byte.rotate_left(1) ^ byte.rotate_left(2) ^ byte.rotate_left(3) ^ byte.rotate_left(4)
}

/// The constant of that map.
pub(super) const CONSTANT: u8 = 0x63;

/// The S-box as a table. `a` goes through the powers of 3, and `b` through those of its inverse, from `one` on.
#[inline(always)]
pub(super) const fn sbox(one: u8) -> [u8; 256] {
    let mut table = [CONSTANT; 256];
    let (mut a, mut b, mut i) = (one, one, 0);
    while i < 255 {
        table[a as usize] = CONSTANT ^ affine(b);
        a ^= xtime(a);
        b = product(b, INVERSE_OF_3);
        i += 1;
    }
    table
}

const INVERSE_OF_3: u8 = 0xf6;
const _: () = assert!(product(3, INVERSE_OF_3) == 1);
