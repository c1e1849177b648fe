//! AES in plain Rust without tables: four blocks at a time, bitsliced, in constant time.
//!
//! Eight words hold one bit each of all 64 bytes: bit `i` of every byte is in word `i`, that of row
//! `r`, column `c` and block `b` at position `16 r + 4 c + b`. So ShiftRows rotates quarters of
//! words, MixColumns rotates words by quarters, and SubBytes is a circuit.

use super::{RoundKeys, join, split};
use crate::core::block::Block;
use crate::core::text::Text;

/// One bit of each byte of four blocks, in each word.
type Slices = [u64; 8];

/// The round keys, in slices. All four blocks have the same, so only a fourth of each word is kept: two words instead of eight.
#[derive(Clone)]
pub(crate) struct SlicedKeys {
    keys: [[u64; 2]; 15],
    rounds: usize,
}

impl SlicedKeys {
    /// Expands a key of 16, 24 or 32 bytes.
    pub(crate) fn expand(secret: &[u8]) -> Self {
        let RoundKeys { keys, rounds } = &RoundKeys::expand(secret, sub_word);
        Self { keys: keys.map(|key| pack(&slice(&[key; 4]))), rounds: *rounds }
    }

    /// Encrypts four blocks (section 5.1).
    pub(crate) fn encrypt(&self, blocks: &mut [Block; 4]) {
        let mut s = slice(blocks);
        add_round_key(&mut s, &self.keys[0]);
        for key in &self.keys[1..self.rounds] {
            sub_bytes(&mut s);
            shift_rows(&mut s);
            mix_columns(&mut s);
            add_round_key(&mut s, key);
        }
        sub_bytes(&mut s);
        shift_rows(&mut s);
        add_round_key(&mut s, &self.keys[self.rounds]);
        *blocks = unslice(&s);
    }

    /// Decrypts four blocks (section 5.3).
    pub(crate) fn decrypt(&self, blocks: &mut [Block; 4]) {
        let mut s = slice(blocks);
        add_round_key(&mut s, &self.keys[self.rounds]);
        for key in self.keys[1..self.rounds].iter().rev() {
            inv_shift_rows(&mut s);
            inv_sub_bytes(&mut s);
            add_round_key(&mut s, key);
            inv_mix_columns(&mut s);
        }
        inv_shift_rows(&mut s);
        inv_sub_bytes(&mut s);
        add_round_key(&mut s, &self.keys[0]);
        *blocks = unslice(&s);
    }

    /// XORs encrypted counter blocks into the text; the counter is the last four bytes of `counter`.
    pub(crate) fn ctr(&self, counter: &Block, mut text: Text<'_>) {
        let (nonce, mut count) = split(counter);
        while text.len() > 0 {
            let mut piece = text.take(64);
            let mut blocks = [0, 1, 2, 3].map(|i| join(nonce, count.wrapping_add(i)));
            count = count.wrapping_add(4);
            self.encrypt(&mut blocks);
            let key_stream = blocks.as_flattened();
            for i in 0..piece.len() {
                let byte = piece.input()[i] ^ key_stream[i];
                piece.output()[i] = byte;
            }
        }
    }
}

/// SubWord (section 5.2).
pub(crate) fn sub_word(word: [u8; 4]) -> [u8; 4] {
    let mut block = [0; 16];
    block[..4].copy_from_slice(&word);
    let mut s = slice(&[block, [0; 16], [0; 16], [0; 16]]);
    sub_bytes(&mut s);
    let [block, ..] = unslice(&s);
    [block[0], block[1], block[2], block[3]]
}

fn add_round_key(s: &mut Slices, [low, high]: &[u64; 2]) {
    for i in 0..4 {
        s[i] ^= four_times((low >> i) & EVERY_FOURTH);
        s[4 + i] ^= four_times((high >> i) & EVERY_FOURTH);
    }
}

/// Repeats the lowest bit of each nibble four times.
#[inline]
fn four_times(bits: u64) -> u64 {
    #[cfg(not(ropewalk_ct = "msan"))]
    return bits * 15;
    // MemorySanitizer tracks a product with a constant for some of its bits only, and LLVM makes one of shifts that it
    // recognizes.
    #[cfg(ropewalk_ct = "msan")]
    return [1, 2, 3].iter().fold(bits, |sum, i| sum | core::hint::black_box(bits) << i);
}

/// The bits of block 0.
const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;

fn pack(s: &Slices) -> [u64; 2] {
    let four = |s: &[u64]| (0..4).fold(0, |word, i| word | (s[i] & EVERY_FOURTH) << i);
    [four(&s[..4]), four(&s[4..])]
}

/// Section 5.1.2: row `r` rotates left by `r` columns, which are four bits each.
fn shift_rows(s: &mut Slices) {
    for word in s {
        let row = |r: u32| (*word >> (16 * r)) as u16;
        let shifted = |r: u32| u64::from(row(r).rotate_right(4 * r)) << (16 * r);
        *word = shifted(0) | shifted(1) | shifted(2) | shifted(3);
    }
}

/// Section 5.1.3: each byte becomes 2(a ⊕ b) ⊕ b ⊕ c ⊕ d, where b, c and d are the ones below it
/// in its column.
fn mix_columns(s: &mut Slices) {
    let below = s.map(|word| word.rotate_right(16));
    let sum: Slices = core::array::from_fn(|i| s[i] ^ below[i]);
    // Doubling shifts bits up by one; the top bit reduces to x⁴ + x³ + x + 1.
    let top = sum[7];
    let double = [top, sum[0] ^ top, sum[1], sum[2] ^ top, sum[3] ^ top, sum[4], sum[5], sum[6]];
    for i in 0..8 {
        s[i] = double[i] ^ below[i] ^ sum[i].rotate_right(32);
    }
}

/// Section 5.3.1: row `r` rotates right by `r` columns.
fn inv_shift_rows(s: &mut Slices) {
    for word in s {
        let row = |r: u32| (*word >> (16 * r)) as u16;
        let shifted = |r: u32| u64::from(row(r).rotate_left(4 * r)) << (16 * r);
        *word = shifted(0) | shifted(1) | shifted(2) | shifted(3);
    }
}

/// Section 5.3.3. Its polynomial is that of MixColumns times 4x² + 5, and multiplying by that adds
/// to each byte four times the sum of itself and the one two rows below.
fn inv_mix_columns(s: &mut Slices) {
    let sum = s.map(|word| word ^ word.rotate_right(32));
    let [a, b, c, d, e, f, g, h] = sum;
    // Times x²: bits shift up by two, and the top two reduce to x⁴ + x³ + x + 1 times themselves.
    let four = [g, h ^ g, a ^ h, b ^ g, c ^ g ^ h, d ^ h, e, f];
    for i in 0..8 {
        s[i] ^= four[i];
    }
    mix_columns(s);
}

/// Section 5.3.2. The S-box is an affine map A of the inverse in the field, so its own inverse is
/// A⁻¹ ∘ S ∘ A⁻¹.
fn inv_sub_bytes(s: &mut Slices) {
    inv_affine(s);
    sub_bytes(s);
    inv_affine(s);
}

/// A⁻¹ (the inverse of equation 5.2): bit `i` is the sum of bits `i + 2`, `i + 5` and `i + 7`, plus bit `i` of 05.
fn inv_affine(s: &mut Slices) {
    let x = *s;
    for i in 0..8 {
        s[i] = x[(i + 2) % 8] ^ x[(i + 5) % 8] ^ x[(i + 7) % 8];
    }
    s[0] = !s[0];
    s[2] = !s[2];
}

fn slice(blocks: &[Block; 4]) -> Slices {
    let mut s = [0; 8];
    for (b, block) in blocks.iter().enumerate() {
        let (columns, _) = block.as_chunks();
        let [c0, c1, c2, c3] = [0, 1, 2, 3].map(|c| spread(u32::from_le_bytes(columns[c])));
        s[b] = c0 | c2 << 8;
        s[b + 4] = c1 | c3 << 8;
    }
    transpose(&mut s);
    s
}

fn unslice(s: &Slices) -> [Block; 4] {
    let mut s = *s;
    transpose(&mut s);
    let mut blocks = [[0; 16]; 4];
    for (b, block) in blocks.iter_mut().enumerate() {
        let columns = [s[b], s[b + 4], s[b] >> 8, s[b + 4] >> 8].map(gather);
        for (bytes, column) in block.as_chunks_mut().0.iter_mut().zip(columns) {
            *bytes = column.to_le_bytes();
        }
    }
    blocks
}

/// Moves each byte of a column to the low half of a quarter of its own.
fn spread(column: u32) -> u64 {
    let x = u64::from(column);
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

fn gather(x: u64) -> u32 {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) as u32
}

/// Transposes the eight matrices of 8 × 8 bits in the words.
fn transpose(s: &mut Slices) {
    for (distance, mask) in
        [(1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0f0f_0f0f_0f0f_0f0f_u64)]
    {
        for i in (0..8).filter(|i| i & distance == 0) {
            let (a, b) = (s[i], s[i + distance]);
            s[i] = (a & mask) | (b & mask) << distance;
            s[i + distance] = (a >> distance & mask) | (b & !mask);
        }
    }
}

/// Section 5.1.1, as the circuit of 113 gates by Boyar and Peralta ("A depth-16 circuit for the AES S-box", 2011), with their
/// names; x0 and s0 are the top bits.
fn sub_bytes(s: &mut Slices) {
    let [x7, x6, x5, x4, x3, x2, x1, x0] = *s;

    let y14 = x3 ^ x5;
    let y13 = x0 ^ x6;
    let y9 = x0 ^ x3;
    let y8 = x0 ^ x5;
    let t0 = x1 ^ x2;
    let y1 = t0 ^ x7;
    let y4 = y1 ^ x3;
    let y12 = y13 ^ y14;
    let y2 = y1 ^ x0;
    let y5 = y1 ^ x6;
    let y3 = y5 ^ y8;
    let t1 = x4 ^ y12;
    let y15 = t1 ^ x5;
    let y20 = t1 ^ x1;
    let y6 = y15 ^ x7;
    let y10 = y15 ^ t0;
    let y11 = y20 ^ y9;
    let y7 = x7 ^ y11;
    let y17 = y10 ^ y11;
    let y19 = y10 ^ y8;
    let y16 = t0 ^ y11;
    let y21 = y13 ^ y16;
    let y18 = x0 ^ y16;

    let t2 = y12 & y15;
    let t4 = (y3 & y6) ^ t2;
    let t6 = (y4 & x7) ^ t2;
    let t7 = y13 & y16;
    let t9 = (y5 & y1) ^ t7;
    let t11 = (y2 & y7) ^ t7;
    let t12 = y9 & y11;
    let t14 = (y14 & y17) ^ t12;
    let t16 = (y8 & y10) ^ t12;
    let t21 = t4 ^ t14 ^ y20;
    let t22 = t6 ^ t16 ^ y19;
    let t23 = t9 ^ t14 ^ y21;
    let t24 = t11 ^ t16 ^ y18;
    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t29 = (t25 & t27) ^ t22;
    let t30 = t23 ^ t24;
    let t31 = t22 ^ t26;
    let t33 = (t31 & t30) ^ t24;
    let t34 = t23 ^ t33;
    let t36 = t24 & (t27 ^ t33);
    let t37 = t36 ^ t34;
    let t40 = t25 ^ (t29 & (t27 ^ t36));
    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;

    let z0 = t44 & y15;
    let z1 = t37 & y6;
    let z2 = t33 & x7;
    let z3 = t43 & y16;
    let z4 = t40 & y1;
    let z5 = t29 & y7;
    let z6 = t42 & y11;
    let z7 = t45 & y17;
    let z8 = t41 & y10;
    let z9 = t44 & y12;
    let z10 = t37 & y3;
    let z11 = t33 & y4;
    let z12 = t43 & y13;
    let z13 = t40 & y5;
    let z14 = t29 & y2;
    let z15 = t42 & y9;
    let z16 = t45 & y14;
    let z17 = t41 & y8;

    let t46 = z15 ^ z16;
    let t48 = z5 ^ z13;
    let t53 = z0 ^ z3;
    let t57 = z2 ^ z12 ^ t53;
    let t58 = z4 ^ t46;
    let t59 = z3 ^ z6 ^ z7;
    let t60 = t46 ^ t57;
    let t62 = z7 ^ z8 ^ t58;
    let t63 = z9 ^ z10 ^ t58;
    let t64 = z4 ^ t59;
    let t65 = z14 ^ t57 ^ t62;
    let t66 = z1 ^ t63;
    let s0 = t59 ^ t63;
    let s6 = z12 ^ t48 ^ !t62;
    let s7 = t48 ^ !t60;
    let t67 = t64 ^ t65;
    let s3 = t53 ^ t66;
    let s4 = z2 ^ z5 ^ t66;
    let s5 = z10 ^ z11 ^ t65;
    let s1 = t64 ^ !s3;
    let s2 = z16 ^ z17 ^ !t67;
    *s = [s7, s6, s5, s4, s3, s2, s1, s0];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte, against the definition: the inverse in GF(2^8), then the affine map.
    #[test]
    fn circuit_is_the_s_box() {
        for byte in 0..=255u8 {
            let inverse = (0..=255).find(|&x| product(byte, x) == 1).unwrap_or(0);
            let b = |i: u32| inverse.rotate_right(i % 8);
            let want = b(0) ^ b(4) ^ b(5) ^ b(6) ^ b(7) ^ 0x63;
            assert_eq!(sub_word([byte; 4]), [want; 4], "{byte:#04x}");
        }
    }

    fn product(mut a: u8, mut b: u8) -> u8 {
        let mut sum = 0;
        while b != 0 {
            sum ^= a * (b & 1);
            a = (a << 1) ^ (0x1b * (a >> 7));
            b >>= 1;
        }
        sum
    }

    #[test]
    fn slices_come_back() {
        let blocks: [Block; 4] =
            core::array::from_fn(|b| core::array::from_fn(|i| (16 * b + i) as u8 ^ 0xa5));
        assert_eq!(unslice(&slice(&blocks)), blocks);
    }
}
