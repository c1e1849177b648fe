//! Round keys of AES-128 (FIPS 197, section 5.2), computed once and without regard to speed.

type Keys = [[u8; 16]; 11];

pub(super) fn expand(secret: &[u8; 16]) -> Keys {
    let mut keys = [*secret; 11];
    let mut constant = 1;
    for i in 1..11 {
        let mut key = keys[i - 1];
        for j in 0..4 {
            key[j] ^= SBOX[usize::from(key[12 + (j + 1) % 4])];
        }
        key[0] ^= constant;
        constant = double(constant);
        for j in 4..16 {
            key[j] ^= key[j - 4];
        }
        keys[i] = key;
    }
    keys
}

/// Those of the equivalent inverse cipher (section 5.3.5).
pub(super) fn expand_inverse(secret: &[u8; 16]) -> Keys {
    let mut keys = expand(secret);
    keys.reverse();
    for key in &mut keys[1..10] {
        for column in key.as_chunks_mut::<4>().0 {
            let before = *column;
            for i in 0..4 {
                let term = |j: usize, factor| product(before[(i + j) % 4], factor);
                column[i] = term(0, 14) ^ term(1, 11) ^ term(2, 13) ^ term(3, 9);
            }
        }
    }
    keys
}

pub(super) static SBOX: [u8; 256] = tables().0;
pub(super) static INVERSE_SBOX: [u8; 256] = tables().1;

/// SubBytes and its inverse (sections 5.1.1 and 5.3.2). The powers of 3 are all nonzero values; the
/// powers of its inverse, 0xf6, are their inverses.
const fn tables() -> ([u8; 256], [u8; 256]) {
    let (mut sbox, mut inverse) = ([0x63; 256], [0; 256]);
    let (mut x, mut y) = (1, 1);
    let mut i = 0;
    while i < 255 {
        let b: u8 = y;
        let s =
            b ^ b.rotate_left(1) ^ b.rotate_left(2) ^ b.rotate_left(3) ^ b.rotate_left(4) ^ 0x63;
        sbox[x as usize] = s;
        inverse[s as usize] = x;
        (x, y) = (product(x, 3), product(y, 0xf6));
        i += 1;
    }
    (sbox, inverse)
}

const fn product(mut a: u8, mut b: u8) -> u8 {
    let mut sum = 0;
    while b != 0 {
        if b & 1 == 1 {
            sum ^= a;
        }
        a = double(a);
        b >>= 1;
    }
    sum
}

const fn double(a: u8) -> u8 {
    (a << 1) ^ ((a >> 7) * 0x1b)
}
