//! The tables of lookups in registers, computed from the field: see `vperm`.
#![cfg_attr(target_arch = "arm", allow(dead_code, reason = "ShiftRows moves bytes there"))]

use crate::core::block::Block;

/// Two tables, whose results are added.
pub(in crate::aes) type Pair = [Block; 2];

/// A table of the values of an expression at 0 to 15.
macro_rules! table {
    ($n:ident => $value:expr) => {{
        let (mut table, mut $n) = ([0; 16], 0);
        while $n < 16 {
            table[$n as usize] = $value;
            $n += 1;
        }
        table
    }};
}
pub(in crate::aes) use table;

/// 1/n and a/n in GF(2^4).
pub(in crate::aes) const INVERSE: Block =
    table!(n => if n == 0 { INFINITY } else { nibble(inverse(element(n))) });
pub(in crate::aes) const A_OVER: Block =
    table!(n => if n == 0 { INFINITY } else { nibble(product(A, inverse(element(n)))) });
const INFINITY: u8 = 0x80;

/// From a byte of the standard, by its halves, to k + i ω.
pub(in crate::aes) const INTO_TOWER: Pair =
    [table!(n => TOWER[n as usize]), table!(n => TOWER[16 * n as usize])];

/// The inverse of `INTO_TOWER`.
pub(in crate::aes) const OUT_OF_TOWER: Pair =
    [table!(n => out_of_tower(n)), table!(n => out_of_tower(16 * n))];

/// SubBytes (section 5.1.1) without its constant, from io and jo: in the basis of the standard, and its products by 1 and 3, as k
/// + i ω.
pub(in crate::aes) const SUB_BYTES: Pair = [
    table!(n => affine(product(OF_IO, inverse(element(n))))),
    table!(n => affine(product(OF_JO, inverse(element(n))))),
];
pub(in crate::aes) const SUB_BYTES_1: Pair = sub_bytes_times(1);
pub(in crate::aes) const SUB_BYTES_3: Pair = sub_bytes_times(3);

const fn sub_bytes_times(factor: u8) -> Pair {
    let [of_io, of_jo] = SUB_BYTES;
    [
        table!(n => TOWER[product(factor, of_io[n as usize]) as usize]),
        table!(n => TOWER[product(factor, of_jo[n as usize]) as usize]),
    ]
}

/// InvSubBytes (section 5.3.2) without its first constant, merged with the linear part of the affine map of the next one: from a
/// byte of the standard, by its halves, and back; from io and jo; and the products by 1, 14, 11, 13 and 9.
pub(in crate::aes) const INTO_INVERSE: Pair =
    [table!(n => TOWER[inv_affine(n) as usize]), table!(n => TOWER[inv_affine(16 * n) as usize])];
#[cfg(target_arch = "x86_64")]
pub(in crate::aes) const OUT_OF_INVERSE: Pair = [
    table!(n => affine(OUT_OF_TOWER[0][n as usize])),
    table!(n => affine(OUT_OF_TOWER[1][n as usize])),
];
pub(in crate::aes) const INV_SUB_BYTES: Pair = [
    table!(n => product(OF_IO, inverse(element(n)))),
    table!(n => product(OF_JO, inverse(element(n)))),
];
#[cfg(target_arch = "x86_64")]
pub(in crate::aes) const INV_SUB_BYTES_1: Pair = inv_sub_bytes_times(1);
pub(in crate::aes) const INV_SUB_BYTES_TIMES: [Pair; 4] = [
    inv_sub_bytes_times(14),
    inv_sub_bytes_times(11),
    inv_sub_bytes_times(13),
    inv_sub_bytes_times(9),
];

/// The same products, for values in the basis of the tower.
pub(in crate::aes) const OF_TOWER_TIMES: [Pair; 4] =
    [of_tower_times(14), of_tower_times(11), of_tower_times(13), of_tower_times(9)];

const fn of_tower_times(factor: u8) -> Pair {
    let [low, high] = OUT_OF_TOWER;
    [
        table!(n => TOWER[inv_affine(product(factor, low[n as usize])) as usize]),
        table!(n => TOWER[inv_affine(product(factor, high[n as usize])) as usize]),
    ]
}

const fn inv_sub_bytes_times(factor: u8) -> Pair {
    let [of_io, of_jo] = INV_SUB_BYTES;
    [
        table!(n => TOWER[inv_affine(product(factor, of_io[n as usize])) as usize]),
        table!(n => TOWER[inv_affine(product(factor, of_jo[n as usize])) as usize]),
    ]
}

/// 1 + ω/a + ω/a² and ω/a².
const OF_IO: u8 = 1 ^ product(OMEGA, inverse(A)) ^ OF_JO;
const OF_JO: u8 = product(OMEGA, inverse(product(A, A)));

/// Section 5.1.1: the linear part of the affine map, its inverse, and the constant of the map.
const fn affine(b: u8) -> u8 {
    b ^ b.rotate_left(1) ^ b.rotate_left(2) ^ b.rotate_left(3) ^ b.rotate_left(4)
}
const fn inv_affine(b: u8) -> u8 {
    b.rotate_left(1) ^ b.rotate_left(3) ^ b.rotate_left(6)
}
pub(in crate::aes) const AFFINE: u8 = 0x63;

/// ShiftRows (section 5.1.2), s times: row r rotates left by r columns each time.
pub(in crate::aes) const SHIFT: [Block; 4] = [shift(0), shift(1), shift(2), shift(3)];

const fn shift(s: u8) -> Block {
    table!(to => { let (row, column) = (to % 4, to / 4); 4 * ((column + s * row) % 4) + row })
}

/// The bytes one, two and three rows below, after s times ShiftRows that have not moved them.
pub(in crate::aes) const BELOW_1: [Block; 4] = [below(1, 0), below(1, 1), below(1, 2), below(1, 3)];
pub(in crate::aes) const BELOW_2: [Block; 4] = [below(2, 0), below(2, 1), below(2, 2), below(2, 3)];
pub(in crate::aes) const BELOW_3: [Block; 4] = [below(3, 0), below(3, 1), below(3, 2), below(3, 3)];

pub(in crate::aes) const fn below(n: u8, s: u8) -> Block {
    table!(to => { let (row, column) = (to % 4, to / 4); 4 * ((column + n * s) % 4) + (row + n) % 4 })
}

/// a, as an element of GF(2^4), and ω: the first pair such that ω² + a ω + a = 0 has no solution there.
const A: u8 = TOWER_OF.0;
const OMEGA: u8 = TOWER_OF.1;
const TOWER_OF: (u8, u8) = {
    let (mut n, mut found) = (1, None);
    while n < 16 && found.is_none() {
        let (a, mut x) = (element(n), 255);
        while x > 1 {
            if product(x, x) ^ product(a, x) ^ a == 0 && power(x, 16) != x {
                found = Some((a, x));
            }
            x -= 1;
        }
        n += 1;
    }
    found.expect("some a has one")
};

/// k + i ω, for each byte of the standard.
const TOWER: [u8; 256] = {
    let (mut tower, mut n) = ([0; 256], 0);
    while n < 256 {
        tower[out_of_tower(n as u8) as usize] = n as u8;
        n += 1;
    }
    tower
};

/// From a byte of the standard to k + i ω.
pub(in crate::aes) const fn in_tower(byte: u8) -> u8 {
    TOWER[byte as usize]
}

/// From k + i ω to the byte of the standard.
const fn out_of_tower(n: u8) -> u8 {
    element(n % 16) ^ product(element(n / 16), OMEGA)
}

/// Four bits as an element of GF(2^4): the sum of those powers r^0 … r^3 whose bits are set, where r⁴ + r + 1 = 0.
const fn element(nibble: u8) -> u8 {
    let (mut sum, mut bit) = (0, 0);
    while bit < 4 {
        sum ^= (nibble >> bit & 1) * power(R, bit);
        bit += 1;
    }
    sum
}

/// The four bits that represent an element.
const fn nibble(of: u8) -> u8 {
    let mut nibble = 0;
    while element(nibble) != of {
        nibble += 1;
    }
    nibble
}

const R: u8 = {
    let mut r = 1;
    while power(r, 4) ^ r ^ 1 != 0 {
        r += 1;
    }
    r
};

/// The inverse in GF(2^8), and 0 of 0.
const fn inverse(x: u8) -> u8 {
    power(x, 254)
}

const fn power(x: u8, n: u8) -> u8 {
    let (mut power, mut i) = (1, 0);
    while i < n {
        power = product(power, x);
        i += 1;
    }
    power
}

/// The product in GF(2^8) (section 4.2).
const fn product(mut x: u8, mut y: u8) -> u8 {
    let mut sum = 0;
    while y != 0 {
        sum ^= x * (y & 1);
        x = (x << 1) ^ (0x1b * (x >> 7));
        y >>= 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SubBytes and InvSubBytes of every byte, by the tables only, against the definition.
    #[test]
    fn tables_make_the_s_box() {
        for byte in 0..=255_u8 {
            let inverse = (0..=255).find(|&y| product(byte, y) == 1).unwrap_or(0);
            let b = |i: u32| inverse.rotate_right(i);
            let want = b(0) ^ b(4) ^ b(5) ^ b(6) ^ b(7);
            let s = |of: &Pair| sum(invert(halves(&INTO_TOWER, byte)), of);
            assert_eq!(s(&SUB_BYTES), want, "{byte:#04x}");
            assert_eq!(s(&SUB_BYTES_1), TOWER[usize::from(want)], "{byte:#04x}");
            assert_eq!(s(&SUB_BYTES_3), TOWER[usize::from(product(want, 3))], "{byte:#04x}");

            assert_eq!(halves(&OUT_OF_TOWER, halves(&INTO_TOWER, byte)), byte, "{byte:#04x}");

            #[cfg(target_arch = "x86_64")]
            assert_eq!(halves(&OUT_OF_INVERSE, halves(&INTO_INVERSE, byte)), byte, "{byte:#04x}");

            let back = |of: &Pair| sum(invert(halves(&INTO_INVERSE, want)), of);
            assert_eq!(back(&INV_SUB_BYTES), byte, "{want:#04x}");
            #[cfg(target_arch = "x86_64")]
            assert_eq!(back(&INV_SUB_BYTES_1), halves(&INTO_INVERSE, byte), "{byte:#04x}");
            for (i, factor) in [14, 11, 13, 9].into_iter().enumerate() {
                let product = product(byte, factor);
                let next = halves(&INTO_INVERSE, product);
                assert_eq!(back(&INV_SUB_BYTES_TIMES[i]), next, "{factor} times {byte:#04x}");
                let of_tower = halves(&OF_TOWER_TIMES[i], TOWER[usize::from(byte)]);
                assert_eq!(of_tower, next, "{factor} times {byte:#04x}");
            }
        }
    }

    fn look_up(table: &Block, index: u8) -> u8 {
        if index & 0x80 == 0 { table[usize::from(index)] } else { 0 }
    }

    fn halves([low, high]: &Pair, byte: u8) -> u8 {
        look_up(low, byte % 16) ^ look_up(high, byte / 16)
    }

    fn sum([io, jo]: [u8; 2], [of_io, of_jo]: &Pair) -> u8 {
        look_up(of_io, io) ^ look_up(of_jo, jo)
    }

    fn invert(x: u8) -> [u8; 2] {
        let (k, i) = (x % 16, x / 16);
        let (j, ak) = (k ^ i, look_up(&A_OVER, k));
        let half = |x| look_up(&INVERSE, look_up(&INVERSE, x) ^ ak);
        [half(i) ^ j, half(j) ^ i]
    }
}
