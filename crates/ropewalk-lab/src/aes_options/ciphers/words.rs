//! A column at a time: tables of SubBytes and MixColumns together (J. Daemen and V. Rijmen, "AES Proposal: Rijndael", section 5.2).

use std::hint::black_box;

use super::{
    Block, Cipher, Encrypt,
    field::{sbox, xtime},
    schedule::{ROUNDS, RoundKeys},
};

/// The columns of a block, row 0 in the lowest byte.
type State = [u32; 4];

/// T-tables: what a byte of a row adds to a column after SubBytes and MixColumns.
pub(super) trait Tables {
    /// Bytes of the tables.
    const BYTES: usize;

    fn entry<const ROW: usize>(byte: u8) -> u32;
}

/// A table for each row.
pub(super) struct FourTables;

static FOUR: [[u32; 256]; 4] = [table(0), table(1), table(2), table(3)];

impl Tables for FourTables {
    const BYTES: usize = size_of_val(&FOUR);

    #[inline(always)]
    fn entry<const ROW: usize>(byte: u8) -> u32 {
        FOUR[ROW][usize::from(byte)]
    }
}

/// The table of row 0, whose entries are rotated for the other rows.
pub(super) struct OneTable;

static ONE: [u32; 256] = table(0);

impl Tables for OneTable {
    const BYTES: usize = size_of_val(&ONE);

    #[inline(always)]
    fn entry<const ROW: usize>(byte: u8) -> u32 {
        ONE[usize::from(byte)].rotate_left(8 * ROW as u32)
    }
}

const fn table(row: u32) -> [u32; 256] {
    let (sbox, mut table, mut i) = (sbox(1), [0; 256], 0);
    while i < 256 {
        let s = sbox[i];
        table[i] = u32::from_le_bytes([xtime(s), s, s, xtime(s) ^ s]).rotate_left(8 * row);
        i += 1;
    }
    table
}

/// AES with T-tables.
pub(super) struct Words<T, K, const UNROLLED: bool> {
    keys: K,
    tables: std::marker::PhantomData<T>,
}

impl<T: Tables + 'static, K: RoundKeys + 'static, const UNROLLED: bool> Cipher
    for Words<T, K, UNROLLED>
{
    const TABLES: usize = T::BYTES;

    #[inline(never)]
    fn new(key: &Block) -> Self {
        Self { keys: K::new(key, sub::<T>), tables: std::marker::PhantomData }
    }
}

impl<T: Tables, K: RoundKeys, const UNROLLED: bool> Encrypt for Words<T, K, UNROLLED> {
    #[inline(never)]
    fn encrypt(&self, blocks: &mut [Block]) {
        blocks.iter_mut().for_each(|block| self.encrypt_block(block));
    }
}

impl<T: Tables, K: RoundKeys, const UNROLLED: bool> Words<T, K, UNROLLED> {
    #[inline(always)]
    fn encrypt_block(&self, block: &mut Block) {
        let mut key = self.keys.first();
        let mut state = added(words(block), &key);
        if UNROLLED {
            self.round(1, &mut state, &mut key);
            self.round(2, &mut state, &mut key);
            self.round(3, &mut state, &mut key);
            self.round(4, &mut state, &mut key);
            self.round(5, &mut state, &mut key);
            self.round(6, &mut state, &mut key);
            self.round(7, &mut state, &mut key);
            self.round(8, &mut state, &mut key);
            self.round(9, &mut state, &mut key);
        } else {
            // The compiler must not unroll the rounds.
            for number in 1..black_box(ROUNDS) {
                self.round(number, &mut state, &mut key);
            }
        }
        let last = self.keys.next(ROUNDS, &key, sub::<T>);
        let state = added(substituted::<T>(state), &last);
        let (places, _) = block.as_chunks_mut::<4>();
        places.iter_mut().zip(state).for_each(|(place, word)| *place = word.to_le_bytes());
    }

    /// A round but the last.
    #[inline(always)]
    fn round(&self, number: usize, state: &mut State, key: &mut Block) {
        *key = self.keys.next(number, key, sub::<T>);
        *state = added(mixed::<T>(*state), key);
    }
}

// Without `map`, which the compiler does not always inline.

#[inline(always)]
fn words(block: &Block) -> State {
    let (words, _) = block.as_chunks::<4>();
    let word = |i: usize| u32::from_le_bytes(words[i]);
    [word(0), word(1), word(2), word(3)]
}

#[inline(always)]
fn added(state: State, key: &Block) -> State {
    let ([a, b, c, d], key) = (state, words(key));
    [a ^ key[0], b ^ key[1], c ^ key[2], d ^ key[3]]
}

/// SubBytes, ShiftRows and MixColumns.
#[inline(always)]
fn mixed<T: Tables>([a, b, c, d]: State) -> State {
    [
        mixed_column::<T>(a, b, c, d),
        mixed_column::<T>(b, c, d, a),
        mixed_column::<T>(c, d, a, b),
        mixed_column::<T>(d, a, b, c),
    ]
}

#[inline(always)]
fn mixed_column<T: Tables>(a: u32, b: u32, c: u32, d: u32) -> u32 {
    T::entry::<0>(a as u8)
        ^ T::entry::<1>((b >> 8) as u8)
        ^ T::entry::<2>((c >> 16) as u8)
        ^ T::entry::<3>((d >> 24) as u8)
}

/// SubBytes and ShiftRows.
#[inline(always)]
fn substituted<T: Tables>([a, b, c, d]: State) -> State {
    [
        substituted_column::<T>(a, b, c, d),
        substituted_column::<T>(b, c, d, a),
        substituted_column::<T>(c, d, a, b),
        substituted_column::<T>(d, a, b, c),
    ]
}

/// Each row has the S-box in a byte of some table.
#[inline(always)]
fn substituted_column<T: Tables>(a: u32, b: u32, c: u32, d: u32) -> u32 {
    T::entry::<2>(a as u8) & 0xff
        | T::entry::<0>((b >> 8) as u8) & 0xff00
        | T::entry::<0>((c >> 16) as u8) & 0x00ff_0000
        | T::entry::<1>((d >> 24) as u8) & 0xff00_0000
}

#[inline(always)]
fn sub<T: Tables>(byte: u8) -> u8 {
    (T::entry::<0>(byte) >> 8) as u8
}
