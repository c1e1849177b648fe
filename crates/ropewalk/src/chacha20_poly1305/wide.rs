//! ChaCha20-Poly1305 on vectors of any width, written once.
//!
//! The key of Poly1305 is the block before the first of the text, so that one call makes both.

use super::Nonce;
use crate::{
    chacha20::{KeyWords, nonce_words, wide},
    poly1305::{Block, State, bulk::Bulk},
    secret::Wiped,
    simd::Rows,
    text::Text,
};

/// So many blocks in lanes are encrypted before they are authenticated, or the other way round: they do
/// not leave the nearest cache in between.
const GROUPS: usize = 8;

#[inline(always)]
pub(super) fn seal<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    bulk: impl Bulk,
    nonce: &Nonce,
    aad: &[u8],
    text: Text<'_>,
    tag: &mut Block,
) {
    message::<V, L, true>(cpu, key, bulk, nonce, aad, text, tag);
}

#[inline(always)]
pub(super) fn open<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    bulk: impl Bulk,
    nonce: &Nonce,
    aad: &[u8],
    text: Text<'_>,
    tag: &mut Block,
) {
    message::<V, L, false>(cpu, key, bulk, nonce, aad, text, tag);
}

#[inline(always)]
fn message<V: Rows<L>, const L: usize, const SEAL: bool>(
    cpu: V::Cpu,
    key: &KeyWords,
    bulk: impl Bulk,
    nonce: &Nonce,
    aad: &[u8],
    text: Text<'_>,
    tag: &mut Block,
) {
    // As many vectors of rows as the text can use. Where it is longer still, groups of lanes follow.
    match text.len() {
        len if len <= 16 * L - 64 => {
            short::<V, L, 1, SEAL>(cpu, key, bulk, nonce, aad, text, tag);
        }
        len if len <= 32 * L - 64 => {
            short::<V, L, 2, SEAL>(cpu, key, bulk, nonce, aad, text, tag);
        }
        _ => long::<V, L, SEAL>(cpu, key, bulk, nonce, aad, text, tag),
    }
}

/// A message whose whole key stream is in `N` vectors of rows.
#[inline(always)]
fn short<V: Rows<L>, const L: usize, const N: usize, const SEAL: bool>(
    cpu: V::Cpu,
    key: &KeyWords,
    bulk: impl Bulk,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    // In registers: an argument of three words is in memory, and would be updated there.
    let mut text = text.reborrow();
    let len = text.len();
    let key_stream = Wiped::new(wide::blocks_in_rows::<V, L, N>(cpu, key, nonce_words(0, nonce)));
    // The first block is a key.
    let [r, s] = V::first_numbers([key_stream[0][0], key_stream[0][1]]);
    let key_stream = &key_stream.as_flattened()[16 / L..];
    let mut mac = State::from_numbers(r, s);
    bulk.absorb_filled_once(&mut mac, aad);
    if !SEAL {
        bulk.absorb_filled_once(&mut mac, text.input());
    }
    let mut rest = text.reborrow();
    let whole = rest.len() / (4 * L);
    for v in &key_stream[..whole] {
        v.add_to(&mut rest);
    }
    let last_blocks = rest.len().div_ceil(16);
    let mut last = [0; 4];
    if rest.len() > 0 {
        last = key_stream[whole].add_last(rest);
    }
    if SEAL {
        bulk.absorb_once(&mut mac, text.output()[..4 * L * whole].as_chunks().0);
        for block in &last[..last_blocks] {
            mac.absorb_number(*block);
        }
    }
    mac.absorb_number(aad.len() as u128 | (len as u128) << 64);
    *tag = mac.tag();
}

#[inline(always)]
fn long<V: Rows<L>, const L: usize, const SEAL: bool>(
    cpu: V::Cpu,
    key: &KeyWords,
    mut bulk: impl Bulk,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    let len = text.len();
    let rows = Wiped::new(wide::blocks_in_rows::<V, L, 4>(cpu, key, nonce_words(0, nonce)));
    let key_stream = rows.as_flattened();
    let [r, s] = V::first_numbers([key_stream[0], key_stream[1]]);
    let mut mac = Wiped::new(State::from_numbers(r, s));
    bulk.absorb_filled(&mut mac, aad);

    // The first block was a key.
    let mut ready = &key_stream[16 / L..];
    let mut counter = L as u32;
    let mut piece = text.take(64 * L * GROUPS - 64);
    loop {
        if !SEAL {
            bulk.absorb_filled(&mut mac, piece.input());
        }
        let mut rest = piece.reborrow();
        for v in ready {
            if rest.len() > 0 {
                v.add_to(&mut rest);
            }
        }
        if rest.len() > 0 {
            let blocks = rest.len().div_ceil(64) as u32;
            V::apply_key_stream(cpu, key, counter, nonce, rest);
            counter = counter.wrapping_add(blocks);
        }
        if SEAL {
            bulk.absorb_filled(&mut mac, piece.output());
        }
        if text.len() == 0 {
            break;
        }
        ready = &[];
        piece = text.take(GROUPS * 64 * L);
    }
    mac.absorb_number(aad.len() as u128 | (len as u128) << 64);
    *tag = mac.tag();
}
