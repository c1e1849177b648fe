//! The S-box without a table: the inverse in a tower of fields, by Boolean operations.
//!
//! D. Canright, "A Very Compact S-Box for AES" (CHES 2005): GF(2^8) over GF(2^4) over GF(2^2), each with a normal basis. An
//! element is a + b in that basis, `a` in the upper half of its bits. The maps between this basis and that of the standard are
//! computed here from the equations of the bases.

use super::{
    bytes::Sbox,
    field::{CONSTANT, affine, product},
};

pub(super) struct Tower;

impl Sbox for Tower {
    const TABLES: usize = 0;

    #[inline(always)]
    fn new() -> Self {
        Self
    }

    #[inline(always)]
    fn sub(&self, byte: u8) -> u8 {
        CONSTANT ^ map(&FROM_TOWER_AND_AFFINE, inverse_256(map(&INTO_TOWER, byte)))
    }
}

/// The image of each bit, lowest first, under a linear map.
type Images = [u8; 8];

#[inline(always)]
const fn map(images: &Images, byte: u8) -> u8 {
    let (mut sum, mut bit) = (0, 0);
    while bit < 8 {
        sum ^= images[bit] & (byte >> bit & 1).wrapping_neg();
        bit += 1;
    }
    sum
}

const fn cubed(x: u8) -> u8 {
    product(x, product(x, x))
}

const fn to_the_fourth(x: u8) -> u8 {
    product(product(x, x), product(x, x))
}

const fn to_the_sixteenth(x: u8) -> u8 {
    to_the_fourth(to_the_fourth(x))
}

/// The least solution of x^2 + x = `norm`.
const fn root(norm: u8) -> u8 {
    let mut x = 2;
    while product(x, x) ^ x != norm {
        x += 1;
    }
    x
}

/// W^2 + W = 1, Z^2 + Z = W^2, Y^2 + Y = W^4 Z.
const W: u8 = root(1);
const Z: u8 = root(product(W, W));
const Y: u8 = root(product(to_the_fourth(W), Z));
const _: () = assert!(cubed(W) == 1);

const FROM_TOWER: Images = {
    let (w, z, y) = ([W, product(W, W)], [Z, to_the_fourth(Z)], [Y, to_the_sixteenth(Y)]);
    let (mut images, mut bit) = ([0; 8], 0);
    while bit < 8 {
        images[bit] = product(y[bit >> 2], product(z[bit >> 1 & 1], w[bit & 1]));
        bit += 1;
    }
    images
};

const INTO_TOWER: Images = {
    let (mut images, mut byte) = ([0; 8], 255);
    while byte > 0 {
        let of_standard = map(&FROM_TOWER, byte);
        if of_standard.is_power_of_two() {
            images[of_standard.trailing_zeros() as usize] = byte;
        }
        byte -= 1;
    }
    images
};

const FROM_TOWER_AND_AFFINE: Images = {
    let (mut images, mut bit) = (FROM_TOWER, 0);
    while bit < 8 {
        images[bit] = affine(images[bit]);
        bit += 1;
    }
    images
};

/// The inverse of a + b is (b + a) / (norm of Y (a + b)^2 + a b), with its halves exchanged.
#[inline(always)]
const fn inverse_256(x: u8) -> u8 {
    let (a, b) = (x >> 4, x & 15);
    let inverse = inverse_16(square_times_norm_16(a ^ b) ^ product_16(a, b));
    product_16(inverse, b) << 4 | product_16(inverse, a)
}

#[inline(always)]
const fn inverse_16(x: u8) -> u8 {
    let (a, b) = (x >> 2, x & 3);
    let inverse = square_4(times_w2(square_4(a ^ b)) ^ product_4(a, b));
    product_4(inverse, b) << 2 | product_4(inverse, a)
}

#[inline(always)]
const fn product_16(x: u8, y: u8) -> u8 {
    let (a, b, c, d) = (x >> 2, x & 3, y >> 2, y & 3);
    let both = times_w2(product_4(a ^ b, c ^ d));
    (product_4(a, c) ^ both) << 2 | product_4(b, d) ^ both
}

/// W^4 Z times the square.
#[inline(always)]
const fn square_times_norm_16(x: u8) -> u8 {
    let (a, b) = (x >> 2, x & 3);
    square_4(a ^ b) << 2 | times_w(square_4(b))
}

#[inline(always)]
const fn product_4(x: u8, y: u8) -> u8 {
    let (a, b, c, d) = (x >> 1, x & 1, y >> 1, y & 1);
    let both = (a ^ b) & (c ^ d);
    (a & c ^ both) << 1 | b & d ^ both
}

/// The square, which is also the inverse.
#[inline(always)]
const fn square_4(x: u8) -> u8 {
    (x & 1) << 1 | x >> 1
}

#[inline(always)]
const fn times_w(x: u8) -> u8 {
    (x >> 1 ^ x & 1) << 1 | x >> 1
}

#[inline(always)]
const fn times_w2(x: u8) -> u8 {
    (x & 1) << 1 | x >> 1 ^ x & 1
}
