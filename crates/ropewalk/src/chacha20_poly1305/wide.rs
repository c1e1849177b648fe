//! ChaCha20-Poly1305 on vectors of any width, written once.
//!
//! The key of Poly1305 is the block before the first of the text, so that one call makes both.

use super::Nonce;
use crate::{
    chacha20::{KeyWords, nonce_words, wide},
    poly1305::{
        Block, Carried, Short, State,
        bulk::{Absorbing, Bulk},
    },
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
    message::<V, L, _, true>(cpu, key, bulk, nonce, aad, text, tag);
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
    message::<V, L, _, false>(cpu, key, bulk, nonce, aad, text, tag);
}

#[inline(always)]
fn message<V: Rows<L>, const L: usize, B: Bulk, const SEAL: bool>(
    cpu: V::Cpu,
    key: &KeyWords,
    bulk: B,
    nonce: &Nonce,
    aad: &[u8],
    text: Text<'_>,
    tag: &mut Block,
) {
    // As many vectors of rows as the text can use; with four lanes, one is all key. Where the text is longer
    // still, groups of lanes follow.
    match text.len() {
        len if len <= 16 * L - 64 => short::<V, L, 1, SEAL>(cpu, key, nonce, aad, text, tag),
        len if len <= 32 * L - 64 && L > 8 => {
            staggered::<V, L, SEAL>(cpu, key, nonce, aad, text, tag)
        }
        len if len <= 32 * L - 64 => short::<V, L, 2, SEAL>(cpu, key, nonce, aad, text, tag),
        _ if B::BESIDE => long_beside::<V, L, SEAL>(cpu, key, nonce, aad, text, tag),
        _ => long::<V, L, _, SEAL>(cpu, key, bulk, nonce, aad, text, tag),
    }
}

/// A message whose whole key stream is in `N` vectors of rows.
#[inline(always)]
fn short<V: Rows<L>, const L: usize, const N: usize, const SEAL: bool>(
    cpu: V::Cpu,
    key: &KeyWords,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    // In registers: an argument of three words is in memory, and would be updated there.
    let mut text = text.reborrow();
    let len = text.len();
    let rows = wide::blocks_in_rows::<V, L, N>(cpu, key, nonce_words(0, nonce));
    let mut mac = begin(rows[0], aad);
    if !SEAL {
        mac.absorb_filled(text.input());
    }
    let key_stream = Wiped::new(rows.map(V::rows_to_blocks));
    add_short::<V, L, SEAL>(&key_stream.as_flattened()[16 / L..], &mut mac, text.reborrow());
    *tag = end(mac, aad.len(), len);
}

/// The same with two vectors of rows, where two at once would wait for ports: what the first one has sealed is
/// authenticated beside the rounds of the second.
#[inline(always)]
fn staggered<V: Rows<L>, const L: usize, const SEAL: bool>(
    cpu: V::Cpu,
    key: &KeyWords,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    // In registers, as above.
    let mut text = text.reborrow();
    let len = text.len();
    let (rows, others) = wide::rows_and_others::<V, L>(cpu, key, nonce_words(0, nonce));
    let mut mac = begin(rows, aad);
    let mut first = text.take(16 * L - 64);
    let key_stream = Wiped::new(V::rows_to_blocks(rows));
    let data = if SEAL {
        let mut rest = first.reborrow();
        for v in &key_stream[16 / L..] {
            v.add_to(&mut rest);
        }
        first.output()
    } else {
        first.input()
    };
    let mut beside = mac.beside(data.as_chunks().0);
    let rows = wide::others(others, &mut beside);
    beside.all();
    if !SEAL {
        let mut rest = first.reborrow();
        for v in &key_stream[16 / L..] {
            v.add_to(&mut rest);
        }
        mac.absorb_filled(text.input());
    }
    let key_stream = Wiped::new(V::rows_to_blocks(rows));
    add_short::<V, L, SEAL>(&*key_stream, &mut mac, text.reborrow());
    *tag = end(mac, aad.len(), len);
}

/// Adds key stream to a text that is not longer, and authenticates what has been sealed.
#[inline(always)]
fn add_short<V: Rows<L>, const L: usize, const SEAL: bool>(
    key_stream: &[V],
    mac: &mut Short,
    mut text: Text<'_>,
) {
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
        mac.absorb_filled(&text.output()[..4 * L * whole]);
        for block in &last[..last_blocks] {
            mac.absorb_number(*block);
        }
    }
}

/// The key of Poly1305 (section 2.6), which is the first two rows of the first block, and what is not
/// encrypted.
#[inline(always)]
fn begin<V: Rows<L>, const L: usize>(rows: [V; 4], aad: &[u8]) -> Short {
    Short::from_numbers(rows[0].first_number(), rows[1].first_number(), aad)
}

/// The lengths, and the tag.
#[inline(always)]
fn end(mut mac: Short, aad_len: usize, text_len: usize) -> Block {
    mac.absorb_number(lengths(aad_len, text_len));
    mac.tag()
}

fn lengths(aad_len: usize, text_len: usize) -> u128 {
    aad_len as u128 | (text_len as u128) << 64
}

#[inline(always)]
fn long<V: Rows<L>, const L: usize, B: Bulk, const SEAL: bool>(
    cpu: V::Cpu,
    key: &KeyWords,
    bulk: B,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    let len = text.len();
    let rows = wide::blocks_in_rows::<V, L, 4>(cpu, key, nonce_words(0, nonce));
    let (r, s) = (rows[0][0].first_number(), rows[0][1].first_number());
    let mut mac = Wiped::new(State::from_numbers(r, s));
    let key_stream = Wiped::new(rows.map(V::rows_to_blocks));
    let mut kept = Wiped::new(B::Kept::default());
    bulk.absorb_filled(&mut kept, &mut mac, aad);

    // The first block was a key.
    let mut ready = &key_stream.as_flattened()[16 / L..];
    let mut counter = L as u32;
    let mut piece = text.take(64 * L * GROUPS - 64);
    loop {
        if !SEAL {
            bulk.absorb_filled(&mut kept, &mut mac, piece.input());
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
            bulk.absorb_filled(&mut kept, &mut mac, piece.output());
        }
        if text.len() == 0 {
            break;
        }
        ready = &[];
        piece = text.take(GROUPS * 64 * L);
    }
    mac.absorb_number::<Carried>(lengths(aad.len(), len));
    *tag = mac.tag::<Carried>();
}

/// A long message that is authenticated one block at a time, beside the rounds: sealing, what the group before
/// has become; opening, what this one is.
#[inline(always)]
fn long_beside<V: Rows<L>, const L: usize, const SEAL: bool>(
    cpu: V::Cpu,
    key: &KeyWords,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
) {
    let len = text.len();
    let rows = wide::blocks_in_rows::<V, L, 4>(cpu, key, nonce_words(0, nonce));
    let (r, s) = (rows[0][0].first_number(), rows[0][1].first_number());
    let mut mac = Wiped::new(State::from_numbers(r, s));
    mac.absorb_many::<Carried>(aad);

    // The first block was a key.
    let mut behind = text.take(64 * L - 64);
    if !SEAL {
        mac.absorb_many::<Carried>(behind.input());
    }
    let key_stream = Wiped::new(rows.map(V::rows_to_blocks));
    let mut rest = behind.reborrow();
    for v in &key_stream.as_flattened()[16 / L..] {
        if rest.len() > 0 {
            v.add_to(&mut rest);
        }
    }

    // Half a group or less is better off in rows.
    let mut counter = L as u32;
    while text.len() > 32 * L {
        let mut group = text.take(64 * L);
        let data = if SEAL { behind.output() } else { group.input() };
        let (blocks, short) = data.as_chunks();
        let mut absorbing = Absorbing::<L>::new(&mut mac, blocks);
        let place = nonce_words(counter, nonce);
        let words = wide::lanes_beside::<V, L>(cpu, key, place, &mut absorbing);
        absorbing.all(short);
        counter = counter.wrapping_add(L as u32);
        if group.len() == 64 * L {
            wide::add_lanes(words, group.reborrow());
        } else {
            let mut key_stream = Wiped::new([[0; 64]; L]);
            let key_stream = key_stream.as_flattened_mut();
            wide::add_lanes(words, Text::in_place(key_stream));
            add(group.reborrow(), key_stream);
        }
        behind = group;
    }
    if SEAL {
        mac.absorb_many::<Carried>(behind.output());
    }
    if text.len() > 0 {
        if !SEAL {
            mac.absorb_many::<Carried>(text.input());
        }
        V::apply_key_stream(cpu, key, counter, nonce, text.reborrow());
        if SEAL {
            mac.absorb_many::<Carried>(text.output());
        }
    }
    mac.absorb_number::<Carried>(lengths(aad.len(), len));
    *tag = mac.tag::<Carried>();
}

/// Adds key stream to a text that is not longer.
#[inline(never)]
fn add(mut text: Text<'_>, key_stream: &[u8]) {
    let (blocks, short) = key_stream[..text.len()].as_chunks();
    for block in blocks {
        let Some(mut piece) = text.next::<16>() else { return };
        let sum = u128::from_ne_bytes(*piece.input()) ^ u128::from_ne_bytes(*block);
        *piece.output() = sum.to_ne_bytes();
    }
    for (i, byte) in short.iter().enumerate() {
        let sum = text.input()[i] ^ byte;
        text.output()[i] = sum;
    }
}
