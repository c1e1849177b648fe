//! Byte by byte, as on a processor of 8 bits (FIPS 197, section 5.1).

use std::hint::black_box;

use super::{
    Block, Cipher, Encrypt,
    field::{sbox, xtime},
    schedule::{ROUNDS, RoundKeys},
};

/// SubBytes of one byte.
pub(super) trait Sbox {
    /// Bytes of its constant tables.
    const TABLES: usize;

    fn new() -> Self;
    fn sub(&self, byte: u8) -> u8;
}

/// A table in the program.
pub(super) struct ConstantTable;

static SBOX: [u8; 256] = sbox(1);

impl Sbox for ConstantTable {
    const TABLES: usize = size_of_val(&SBOX);

    #[inline(always)]
    fn new() -> Self {
        Self
    }

    #[inline(always)]
    fn sub(&self, byte: u8) -> u8 {
        SBOX[usize::from(byte)]
    }
}

/// A table in the key, computed when the key is made.
pub(super) struct ComputedTable([u8; 256]);

impl Sbox for ComputedTable {
    const TABLES: usize = 0;

    #[inline(always)]
    fn new() -> Self {
        // The compiler must not compute it.
        Self(sbox(black_box(1)))
    }

    #[inline(always)]
    fn sub(&self, byte: u8) -> u8 {
        self.0[usize::from(byte)]
    }
}

/// AES with an S-box for bytes.
pub(super) struct Bytes<S, K> {
    sbox: S,
    keys: K,
}

impl<S: Sbox + 'static, K: RoundKeys + 'static> Cipher for Bytes<S, K> {
    const TABLES: usize = S::TABLES;

    #[inline(never)]
    fn new(key: &Block) -> Self {
        let sbox = S::new();
        let keys = K::new(key, |byte| sbox.sub(byte));
        Self { sbox, keys }
    }
}

impl<S: Sbox, K: RoundKeys> Encrypt for Bytes<S, K> {
    #[inline(never)]
    fn encrypt(&self, blocks: &mut [Block]) {
        blocks.iter_mut().for_each(|block| self.encrypt_block(block));
    }
}

impl<S: Sbox, K: RoundKeys> Bytes<S, K> {
    #[inline(always)]
    fn encrypt_block(&self, block: &mut Block) {
        let sub = |byte| self.sbox.sub(byte);
        let mut key = self.keys.first();
        add(block, &key);
        // The compiler must not unroll the rounds.
        for round in 1..black_box(ROUNDS) {
            sub_bytes_and_shift_rows(block, sub);
            mix_columns(block);
            key = self.keys.next(round, &key, sub);
            add(block, &key);
        }
        sub_bytes_and_shift_rows(block, sub);
        add(block, &self.keys.next(ROUNDS, &key, sub));
    }
}

#[inline(always)]
fn add(block: &mut Block, key: &Block) {
    block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
}

#[inline(always)]
fn sub_bytes_and_shift_rows(block: &mut Block, sub: impl Fn(u8) -> u8) {
    let before = *block;
    for i in 0..16 {
        block[i] = sub(before[(i + 4 * (i % 4)) % 16]);
    }
}

#[inline(always)]
fn mix_columns(block: &mut Block) {
    let (columns, _) = block.as_chunks_mut::<4>();
    for column in columns {
        let [a, b, c, d] = *column;
        let all = a ^ b ^ c ^ d;
        *column = [
            a ^ all ^ xtime(a ^ b),
            b ^ all ^ xtime(b ^ c),
            c ^ all ^ xtime(c ^ d),
            d ^ all ^ xtime(d ^ a),
        ];
    }
}
