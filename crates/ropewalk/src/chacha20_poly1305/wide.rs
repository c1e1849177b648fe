//! ChaCha20-Poly1305 on vectors of any width, written once.
//!
//! The key of Poly1305 is the block before the first of the text, so that one call makes both.

use core::hint::black_box;

use super::Nonce;
use crate::{
    chacha20::{KeyWords, nonce_words, wide},
    poly1305::{Block, Carried, Short, State, bulk::Absorbing},
    secret::Wiped,
    simd::{Rows, load_short},
    text::Text,
};

/// Writes the backend of an instruction set where Poly1305 is one block at a time, beside the rounds. Short messages
/// and long ones are out of line: what these need on the stack costs those too much. (By value, a text would be
/// copied in halves that wait for the words that have just been stored.)
macro_rules! beside {
    ($Backend:ident needs $Cpu:ident: $V:ident of $L:literal, $features:literal) => {
        #[derive(Clone)]
        pub(in crate::chacha20_poly1305) struct $Backend {
            cpu: crate::cpu::$Cpu,
            key: KeyWords,
        }

        impl Aead for $Backend {
            kernel! { $Cpu: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = $Backend::kernel::<true> }
            kernel! { $Cpu: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = $Backend::kernel::<false> }
        }

        impl Parts for $Backend {
            fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
                $V::apply_key_stream(self.cpu, &self.key, counter, nonce, text);
            }

            fn absorb(&self, state: &mut State, blocks: &[Block]) {
                state.absorb_many::<Carried>(blocks.as_flattened());
            }
        }

        impl $Backend {
            pub(in crate::chacha20_poly1305) fn new(
                cpu: crate::cpu::$Cpu,
                secret: Secret<'_>,
            ) -> Self {
                Self { cpu, key: key_words(secret) }
            }

            #[inline]
            pub(in crate::chacha20_poly1305) fn words(&self) -> &KeyWords {
                &self.key
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn kernel<const SEAL: bool>(
                &self,
                nonce: &Nonce,
                aad: &[u8],
                mut text: Text<'_>,
                tag: &mut Block,
            ) {
                if text.len() <= wide::longest_short($L) {
                    self.short(nonce, aad, &mut text, tag, SEAL);
                } else {
                    self.long(nonce, aad, &mut text, tag, SEAL);
                }
            }

            #[inline(never)]
            #[target_feature(enable = $features)]
            fn short(
                &self,
                nonce: &Nonce,
                aad: &[u8],
                text: &mut Text<'_>,
                tag: &mut Block,
                seal: bool,
            ) {
                let (cpu, text) = (self.cpu, text.reborrow());
                wide::short_message::<$V, $L, 2, false>(cpu, &self.key, nonce, aad, text, tag, seal);
            }

            #[inline(never)]
            #[target_feature(enable = $features)]
            fn long(
                &self,
                nonce: &Nonce,
                aad: &[u8],
                text: &mut Text<'_>,
                tag: &mut Block,
                seal: bool,
            ) {
                let (cpu, text) = (self.cpu, text.reborrow());
                wide::long_beside::<$V, $L>(cpu, &self.key, nonce, aad, text, tag, seal);
            }
        }
    };
}
pub(super) use beside;

/// Bytes of text that are short for vectors of `L` words: their key stream is in two of rows.
pub(super) const fn longest_short(lanes: usize) -> usize {
    32 * lanes - 64
}

/// A message with a short text, which is sealed, or opened: its whole key stream is in up to `N` vectors of rows, one or
/// two, or in a third one, where there may be one.
#[inline(always)]
pub(super) fn short_message<V: Rows<L>, const L: usize, const N: usize, const THIRD: bool>(
    cpu: V::Cpu,
    key: &KeyWords,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
    seal: bool,
) {
    // In registers: an argument of three words is in memory, and would be updated there.
    let mut text = text.reborrow();
    let len = text.len();
    let place = nonce_words(0, nonce);
    let mut key_stream = Wiped::new([[V::splat(cpu, 0); 4]; N]);
    // As many as the text can use. With a third one, all at once would wait for ports: it is behind the others.
    let (first, others) = match len {
        _ if N == 1 || len <= 16 * L - 64 => {
            (in_rows::<V, L, 1>(cpu, key, place, &mut *key_stream), None)
        }
        _ if !THIRD || len <= 32 * L - 64 => {
            (in_rows::<V, L, 2>(cpu, key, place, &mut *key_stream), None)
        }
        _ => {
            let (rows, others) = wide::rows_and_others::<V, L, 2>(cpu, key, place);
            (fill(rows, &mut *key_stream), Some(others))
        }
    };
    let mut mac = Short::from_numbers(first[0].first_number(), first[1].first_number(), aad);
    // The first block is a key.
    let mut from = 16 / L;
    if let (true, Some(others)) = (THIRD, others) {
        let mut text = text.take(32 * L - 64);
        if seal {
            add_whole(key_stream.as_flattened().get(from..).unwrap_or_default(), text.reborrow());
        }
        // What the first have sealed, or are about to open, is authenticated beside the rounds of the last.
        let data = if seal { text.output() } else { text.input() };
        let mut beside = mac.beside(data.as_chunks().0);
        let rows = wide::others(others, &mut beside);
        beside.all();
        if !seal {
            add_whole(key_stream.as_flattened().get(from..).unwrap_or_default(), text);
        }
        fill([rows], &mut *key_stream);
        from = 0;
    }
    let key_stream = key_stream.as_flattened().get(from..).unwrap_or_default();
    let whole = text.len() / (4 * L);
    // What is authenticated: so many bytes of the text, and blocks that are nowhere as they should be.
    let ahead = if seal { 4 * L * whole } else { text.len() & !15 };
    let (mut last, blocks) = ([0; 4], (text.len() - ahead).div_ceil(16));
    if !seal && blocks > 0 {
        last[0] = load_short(text.input().get(ahead..).unwrap_or_default());
    }
    // One way through it for either: sealing, the text first.
    for step in 0..black_box(2) {
        if (step == 0) == seal {
            let mut rest = text.reborrow();
            for v in key_stream.get(..whole).unwrap_or_default() {
                v.add_to(&mut rest);
            }
            if let (1.., Some(v)) = (rest.len(), key_stream.get(whole)) {
                let numbers = v.add_last(rest);
                if seal {
                    last = numbers;
                }
            }
        } else {
            let data = if seal { text.output() } else { text.input() };
            for block in data.get(..ahead).unwrap_or_default().as_chunks().0 {
                mac.absorb_number(u128::from_le_bytes(*block));
            }
            for block in last.get(..blocks).unwrap_or_default() {
                mac.absorb_number(*block);
            }
        }
    }
    mac.absorb_number(lengths(aad.len(), len));
    *tag = mac.tag();
}

/// The first blocks, in so many vectors of rows: the rows of which the first block is a key.
#[inline(always)]
fn in_rows<V: Rows<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    place: [u32; 4],
    key_stream: &mut [[V; 4]],
) -> [V; 4] {
    fill(wide::blocks_in_rows::<V, L, N>(cpu, key, place), key_stream)
}

/// From rows, of which the first are returned.
#[inline(always)]
fn fill<V: Rows<L>, const L: usize, const N: usize>(
    rows: [[V; 4]; N],
    key_stream: &mut [[V; 4]],
) -> [V; 4] {
    unroll!(n in 0 1 => if n < N && n < key_stream.len() {
        key_stream[n] = V::rows_to_blocks(rows[n]);
    });
    rows[0]
}

/// Adds key stream to a text that is as long.
#[inline(always)]
fn add_whole<V: Rows<L>, const L: usize>(key_stream: &[V], mut text: Text<'_>) {
    for (i, v) in key_stream.iter().enumerate() {
        v.add_at(&mut text, i);
    }
}

pub(super) fn lengths(aad_len: usize, text_len: usize) -> u128 {
    aad_len as u128 | (text_len as u128) << 64
}

/// A longer message, which is authenticated one block at a time, beside the rounds: sealing, what the group before
/// has become; opening, what this one is.
#[inline(always)]
pub(super) fn long_beside<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
    seal: bool,
) {
    // In registers, as above.
    let mut text = text.reborrow();
    let len = text.len();
    let mut mac = Wiped::new(State::from_numbers(0, 0));
    let mut behind = Text::in_place(&mut []);
    let (mut counter, mut with_key) = (0_u32, true);
    // Half a group or less is better off in rows.
    while with_key || text.len() > 32 * L {
        let mut group = text.take(if with_key { 64 * L - 64 } else { 64 * L });
        let data = match (with_key, seal) {
            (true, _) => &[],
            (_, true) => &*behind.output(),
            (_, false) => group.input(),
        };
        let (blocks, short) = data.as_chunks();
        let mut absorbing = Absorbing::<L>::new(&mut mac, blocks);
        let place = nonce_words(counter, nonce);
        let words = wide::lanes_beside::<V, L>(cpu, key, place, &mut absorbing);
        absorbing.all(short);
        counter = counter.wrapping_add(L as u32);
        if with_key {
            let row =
                |i: usize| V::quarter([words[i], words[i + 1], words[i + 2], words[i + 3]])[0];
            *mac = State::from_numbers(row(0).first_number(), row(4).first_number());
            mac.absorb_many::<Carried>(aad);
            if !seal {
                mac.absorb_many::<Carried>(group.input());
            }
        }
        if group.len() == 64 * L {
            wide::add_lanes(words, group.reborrow());
        } else {
            V::add_some_words(&Wiped::new(words), if with_key { 16 / L } else { 0 }, &mut group);
        }
        (behind, with_key) = (group, false);
    }
    if seal {
        mac.absorb_many::<Carried>(behind.output());
    }
    if text.len() > 0 {
        if !seal {
            mac.absorb_many::<Carried>(text.input());
        }
        V::apply_key_stream(cpu, key, counter, nonce, text.reborrow());
        if seal {
            mac.absorb_many::<Carried>(text.output());
        }
    }
    mac.absorb_number::<Carried>(lengths(aad.len(), len));
    *tag = mac.tag::<Carried>();
}
