//! AES-GCM in plain Rust: the model every other backend is tested against. In constant time: AES is
//! bitsliced, and GHASH multiplies integers with room for the carries.

use zeroize::Zeroize;

use super::{Aead, Nonce, Secret, Tag};
use crate::{
    aes::{Block, bitsliced::SlicedKeys},
    cpu::Baseline,
    text::Text,
};

pub(super) struct Portable {
    keys: SlicedKeys,
    h: HashKey,
}

impl Aead for Portable {
    fn seal(&self, nonce: &Nonce, aad: &[u8], mut text: Text<'_>, tag: &mut Tag) {
        let (mut hash, len) = (Hash::new(&self.h, aad), text.len());
        self.crypt(nonce, &mut text, |_, output| hash.absorb(output));
        *tag = self.tag(nonce, hash, aad.len(), len);
    }

    fn open(&self, nonce: &Nonce, aad: &[u8], mut text: Text<'_>, tag: &mut Tag) {
        let (mut hash, len) = (Hash::new(&self.h, aad), text.len());
        self.crypt(nonce, &mut text, |input, _| hash.absorb(input));
        *tag = self.tag(nonce, hash, aad.len(), len);
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

    /// GCTR (section 6.5) from counter 2 on, four blocks at a time; `hash` gets what was read and
    /// what was written.
    fn crypt(&self, nonce: &Nonce, text: &mut Text<'_>, mut hash: impl FnMut(&[u8], &[u8])) {
        let mut count = 2_u32;
        while text.len() > 0 {
            let mut piece = text.take(64);
            let mut blocks = [0, 1, 2, 3].map(|i| counter(nonce, count.wrapping_add(i)));
            count = count.wrapping_add(4);
            self.keys.encrypt(&mut blocks);
            let (mut input, n) = ([0; 64], piece.len());
            input[..n].copy_from_slice(piece.input());
            for (i, byte) in piece.output().iter_mut().enumerate() {
                *byte = input[i] ^ blocks.as_flattened()[i];
            }
            hash(&input[..n], piece.output());
        }
    }

    /// Section 7.1, steps 5 and 6.
    fn tag(&self, nonce: &Nonce, mut hash: Hash<'_>, aad_len: usize, text_len: usize) -> Tag {
        let lengths = ((8 * aad_len as u128) << 64) | (8 * text_len as u128);
        hash.absorb(&lengths.to_be_bytes());
        let mut blocks = [counter(nonce, 1), [0; 16], [0; 16], [0; 16]];
        self.keys.encrypt(&mut blocks);
        (u128::from_be_bytes(blocks[0]) ^ hash.y).to_be_bytes()
    }
}

fn counter(nonce: &Nonce, count: u32) -> Block {
    let mut block = [0; 16];
    block[..12].copy_from_slice(nonce);
    block[12..].copy_from_slice(&count.to_be_bytes());
    block
}

/// The hash key H. Its first bit is the highest of the number, as in a block read big-endian.
struct HashKey {
    high: Half,
    low: Half,
    sum: Half,
}

/// 64 coefficients, and the same the other way round.
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

impl Drop for HashKey {
    fn drop(&mut self) {
        for half in [&mut self.high, &mut self.low, &mut self.sum] {
            half.forth.zeroize();
            half.back.zeroize();
        }
    }
}

impl Half {
    fn new(forth: u64) -> Self {
        Self { forth, back: forth.reverse_bits() }
    }

    fn add(self, other: Self) -> Self {
        Self { forth: self.forth ^ other.forth, back: self.back ^ other.back }
    }

    /// The product of polynomials, of 127 coefficients: its low half directly, its high half as the
    /// low half of the product of what is reversed.
    fn times(self, other: Self) -> u128 {
        let low = low_half(self.forth, other.forth);
        let high = low_half(self.back, other.back).reverse_bits() >> 1;
        u128::from(high) << 64 | u128::from(low)
    }
}

/// The low 64 coefficients of a product. Of each factor every fourth bit is taken at a time, so that
/// the carries of a sum of up to sixteen ones stay off the bits that count.
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

/// GHASH (section 6.4), so far.
struct Hash<'a> {
    h: &'a HashKey,
    y: u128,
}

impl<'a> Hash<'a> {
    fn new(h: &'a HashKey, aad: &[u8]) -> Self {
        let mut hash = Self { h, y: 0 };
        hash.absorb(aad);
        hash
    }

    /// Absorbs blocks, and zeros after the last one where it is not whole.
    fn absorb(&mut self, data: &[u8]) {
        for piece in data.chunks(16) {
            let mut block = [0; 16];
            block[..piece.len()].copy_from_slice(piece);
            self.y = times(self.y ^ u128::from_be_bytes(block), self.h);
        }
    }
}

/// The product in the field (section 6.3), by Karatsuba's three products.
fn times(x: u128, h: &HashKey) -> u128 {
    let (high, low) = (Half::new((x >> 64) as u64), Half::new(x as u64));
    let (hh, ll) = (high.times(h.high), low.times(h.low));
    let middle = high.add(low).times(h.sum) ^ hh ^ ll;
    // 255 coefficients in numbers whose bits run against them: one bit up makes 256 of them, the
    // first of which is the highest bit.
    let (upper, lower) = (hh ^ middle >> 64, ll ^ middle << 64);
    let (upper, lower) = (upper << 1 | lower >> 127, lower << 1);
    reduce(upper, lower)
}

/// Modulo x^128 + x^7 + x^2 + x + 1: what stands for x^128 and more is in `lower`.
fn reduce(upper: u128, lower: u128) -> u128 {
    let fold = |x: u128| x ^ x >> 1 ^ x >> 2 ^ x >> 7;
    // What a shift drops is of degree 128 and more again.
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
