//! ChaCha20-Poly1305 on vectors of any width, written once.
//!
//! The key of Poly1305 is the block before the first of the text, so that one call makes both.

use super::Nonce;
use crate::{
    chacha20::{KeyWords, nonce_words, wide},
    poly1305::{Block, Carried, Short, State, bulk::Absorbing},
    secret::Wiped,
    simd::Rows,
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
                wide::short_message::<$V, $L>(cpu, &self.key, nonce, aad, text, tag, seal);
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

/// A message with a short text, which is sealed, or opened.
#[inline(always)]
pub(super) fn short_message<V: Rows<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    nonce: &Nonce,
    aad: &[u8],
    text: Text<'_>,
    tag: &mut Block,
    seal: bool,
) {
    // As many vectors of rows as the text can use.
    match text.len() {
        len if len <= 16 * L - 64 => short::<V, L, 1>(cpu, key, nonce, aad, text, tag, seal),
        // Four lanes take nothing longer.
        len if L == 4 || len <= 32 * L - 64 => {
            short::<V, L, 2>(cpu, key, nonce, aad, text, tag, seal)
        }
        _ => staggered::<V, L, 2>(cpu, key, nonce, aad, text, tag, seal),
    }
}

/// A message whose whole key stream is in `N` vectors of rows.
#[inline(always)]
pub(super) fn short<V: Rows<L>, const L: usize, const N: usize>(
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
    let rows = wide::blocks_in_rows::<V, L, N>(cpu, key, nonce_words(0, nonce));
    let mut mac = begin(rows[0], aad);
    if !seal {
        mac.absorb_filled(text.input());
    }
    let key_stream = Wiped::new(rows.map(V::rows_to_blocks));
    add_short::<V, L>(&key_stream.as_flattened()[16 / L..], &mut mac, text.reborrow(), seal);
    *tag = end(mac, aad.len(), len);
}

/// The same with a vector of rows more than `N`, where all at once would wait for ports: what the first have sealed is
/// authenticated beside the rounds of the last.
#[inline(always)]
fn staggered<V: Rows<L>, const L: usize, const N: usize>(
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
    let (rows, others) = wide::rows_and_others::<V, L, N>(cpu, key, nonce_words(0, nonce));
    let mut mac = begin(rows[0], aad);
    let mut first = text.take(16 * L * N - 64);
    let key_stream = Wiped::new(rows.map(V::rows_to_blocks));
    let key_stream = &key_stream.as_flattened()[16 / L..];
    let data = if seal {
        let mut rest = first.reborrow();
        for v in key_stream {
            v.add_to(&mut rest);
        }
        first.output()
    } else {
        first.input()
    };
    let mut beside = mac.beside(data.as_chunks().0);
    let rows = wide::others(others, &mut beside);
    beside.all();
    if !seal {
        let mut rest = first.reborrow();
        for v in key_stream {
            v.add_to(&mut rest);
        }
        mac.absorb_filled(text.input());
    }
    let key_stream = Wiped::new(V::rows_to_blocks(rows));
    add_short::<V, L>(&*key_stream, &mut mac, text.reborrow(), seal);
    *tag = end(mac, aad.len(), len);
}

/// Adds key stream to a text that is not longer, and authenticates what has been sealed.
#[inline(always)]
fn add_short<V: Rows<L>, const L: usize>(
    key_stream: &[V],
    mac: &mut Short,
    mut text: Text<'_>,
    seal: bool,
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
    if seal {
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
    let len = text.len();
    let rows = wide::blocks_in_rows::<V, L, 4>(cpu, key, nonce_words(0, nonce));
    let (r, s) = (rows[0][0].first_number(), rows[0][1].first_number());
    let mut mac = Wiped::new(State::from_numbers(r, s));
    mac.absorb_many::<Carried>(aad);

    // The first block was a key.
    let mut behind = text.take(64 * L - 64);
    if !seal {
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
        let data = if seal { behind.output() } else { group.input() };
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
