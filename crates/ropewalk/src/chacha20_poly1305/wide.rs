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
    mut bulk: impl Bulk,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    let len = text.len();
    let mut state = Wiped::new([0; 16]);
    state[..12].copy_from_slice(key);
    state[12..].copy_from_slice(&nonce_words(0, nonce));
    // As many vectors of rows as the text can use. Where it is longer still, groups of lanes follow.
    let mut key_stream = Wiped::new([V::splat(cpu, 0); 16]);
    let (rows, groups) = if len <= 16 * L - 64 {
        let [rows] = wide::blocks_in_rows::<V, L, 1>(cpu, &state);
        key_stream[..4].copy_from_slice(&rows);
        (1, 0)
    } else if len <= 32 * L - 64 {
        let rows = wide::blocks_in_rows::<V, L, 2>(cpu, &state);
        key_stream[..8].copy_from_slice(rows.as_flattened());
        (2, 0)
    } else {
        let rows = wide::blocks_in_rows::<V, L, 4>(cpu, &state);
        key_stream.copy_from_slice(rows.as_flattened());
        (4, GROUPS - 1)
    };
    let [r, s] = V::first_numbers([key_stream[0], key_stream[1]]);
    let mut mac = Wiped::new(State::from_numbers(r, s));
    bulk.absorb_filled(&mut mac, aad);

    // The first block was a key.
    let mut ready = &key_stream[16 / L..4 * rows];
    let mut counter = (rows * L / 4) as u32;
    let mut piece = text.take(16 * L * rows - 64 + 64 * L * groups);
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
            wide::apply::<V, L>(cpu, key, counter, nonce, rest);
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
