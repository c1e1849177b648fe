//! AES-GCM in plain Rust: the model every other backend is tested against. In constant time: AES is bitsliced, and GHASH
//! multiplies integers with gaps for the carries.

use zeroize::Zeroize;

use super::{Block, CtrGhash, Gcm, Secret};
pub(super) use crate::aeads::many::OneByOne;
use crate::{
    aes::bitsliced::SlicedKeys,
    core::{cpu::Baseline, text::Text},
};

#[derive(Clone)]
pub(super) struct Portable {
    keys: SlicedKeys,
    h: HashKey,
}

impl Gcm for Portable {}

impl CtrGhash for Portable {
    fn ctr(&self, counter: &Block, text: Text<'_>) {
        self.keys.ctr(counter, text);
    }

    fn absorb(&self, hash: &mut Block, data: &[u8]) {
        let mut y = u128::from_be_bytes(*hash);
        for piece in data.chunks(16) {
            let mut block = [0; 16];
            block[..piece.len()].copy_from_slice(piece);
            y = times(y ^ u128::from_be_bytes(block), &self.h);
        }
        *hash = y.to_be_bytes();
    }

    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(Baseline, secret);
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, secret: Secret<'_>) -> Self {
        let keys = SlicedKeys::expand(secret);
        let mut blocks = [[0; 16]; 4];
        keys.encrypt(&mut blocks);
        let h = HashKey::new(&blocks[0]);
        blocks.as_flattened_mut().zeroize();
        Self { keys, h }
    }
}

/// The hash key H. Its first bit is the highest of the number, as in a block read big-endian.
#[derive(Clone)]
struct HashKey {
    high: Half,
    low: Half,
    sum: Half,
}

/// 64 coefficients, and the same in reverse.
#[derive(Clone, Copy)]
struct Half {
    forth: u64,
    back: u64,
}

impl HashKey {
    fn new(h: &Block) -> Self {
        let h = u128::from_be_bytes(*h);
        let (high, low) = (Half::new((h >> 64) as u64), Half::new(h as u64));
        Self { high, low, sum: high.add(low) }
    }
}

impl Half {
    fn new(forth: u64) -> Self {
        Self { forth, back: forth.reverse_bits() }
    }

    fn add(self, other: Self) -> Self {
        Self { forth: self.forth ^ other.forth, back: self.back ^ other.back }
    }

    /// The product of polynomials, of 127 coefficients: its low half directly, its high half as the low half of the product of
    /// the reversed factors.
    fn times(self, other: Self) -> u128 {
        let low = low_half(self.forth, other.forth);
        let high = low_half(self.back, other.back).reverse_bits() >> 1;
        u128::from(high) << 64 | u128::from(low)
    }
}

/// The low 64 coefficients of a product. It takes every fourth bit of each factor at a time, so that the carries of a sum of up
/// to sixteen ones do not reach the bits that count.
fn low_half(x: u64, y: u64) -> u64 {
    const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;
    let [x, y] = [x, y].map(|v| [0, 1, 2, 3].map(|i| v & EVERY_FOURTH << i));
    let mut product = 0;
    for i in 0..4 {
        let sum = (0..4).fold(0, |sum, j| sum ^ x[j].wrapping_mul(y[(4 + i - j) % 4]));
        product |= sum & EVERY_FOURTH << i;
    }
    product
}

/// The product in the field (section 6.3), by Karatsuba's three products.
fn times(x: u128, h: &HashKey) -> u128 {
    let (high, low) = (Half::new((x >> 64) as u64), Half::new(x as u64));
    let (hh, ll) = (high.times(h.high), low.times(h.low));
    let middle = high.add(low).times(h.sum) ^ hh ^ ll;
    // 255 coefficients in numbers with reversed bits: shifted up by one bit they make 256, the first of which is the highest bit.
    let (upper, lower) = (hh ^ middle >> 64, ll ^ middle << 64);
    let (upper, lower) = (upper << 1 | lower >> 127, lower << 1);
    reduce(upper, lower)
}

/// Modulo x^128 + x^7 + x^2 + x + 1: `lower` holds the coefficients of x^128 and above.
fn reduce(upper: u128, lower: u128) -> u128 {
    let fold = |x: u128| x ^ x >> 1 ^ x >> 2 ^ x >> 7;
    // The bits that the shifts drop have degree 128 and more again.
    let dropped = lower << 127 ^ lower << 126 ^ lower << 121;
    upper ^ fold(lower ^ dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 6.3, algorithm 1, bit by bit.
    fn by_the_letter(x: u128, y: u128) -> u128 {
        let (mut z, mut v) = (0, y);
        for i in 0..128 {
            if x >> (127 - i) & 1 == 1 {
                z ^= v;
            }
            v = v >> 1 ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
        }
        z
    }

    #[test]
    fn product_is_that_of_the_standard() {
        let mut values = vec![0, 1, 1 << 127, u128::MAX, u128::MAX << 64, 0xe1 << 120];
        values.extend((0..128).map(|i| 1 << i));
        values.extend(
            (1..50).map(|i: u128| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)),
        );
        for &x in &values {
            let key = HashKey::new(&x.to_be_bytes());
            for &y in &values {
                assert_eq!(times(y, &key), by_the_letter(x, y), "{x:#034x} {y:#034x}");
            }
        }
    }
}
