//! ChaCha20-Poly1305, generic over the width of vectors.
//!
//! The key of Poly1305 is the block before the first of the text, so one call computes both.

use core::hint::black_box;

use super::Nonce;
use crate::{
    chacha::{
        chacha20::{
            KeyWords, nonce_words,
            wide::{self, KeyStream},
        },
        poly1305::{Block, Carried, Short, State, bulk::Absorbing},
    },
    core::{secret::Wiped, simd::each, text::Text},
};

/// Declares the backend of an instruction set where Poly1305 takes one block at a time, interleaved with the rounds. Short and
/// long messages have separate functions, out of line: the stack frame of long ones costs short ones too much. (The buffer is
/// passed by reference: by value, it would be copied in halves, which stall on the words just stored.)
macro_rules! beside {
    ($Backend:ident needs $Cpu:ident: $V:ident of $L:literal, $features:literal) => {
        #[derive(Clone)]
        pub(in crate::aeads::chacha20_poly1305) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
            key: KeyWords,
        }

        impl ChaChaPoly for $Backend {
            kernel! { $Cpu: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = $Backend::kernel::<true> }
            kernel! { $Cpu: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = $Backend::kernel::<false> }
        }

        impl CipherAndMac for $Backend {
            fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
                <$V as crate::chacha::chacha20::wide::KeyStream<$L>>::apply_key_stream(self.cpu, &self.key, counter, nonce, text);
            }

            fn absorb(&self, state: &mut State, blocks: &[Block]) {
                state.absorb_many::<Carried>(blocks.as_flattened());
            }
        }

        impl $Backend {
            pub(in crate::aeads::chacha20_poly1305) fn new(
                cpu: crate::core::cpu::$Cpu,
                secret: Secret<'_>,
            ) -> Self {
                Self { cpu, key: key_words(secret) }
            }

            #[inline]
            pub(in crate::aeads::chacha20_poly1305) fn words(&self) -> &KeyWords {
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

/// The longest short text for vectors of `L` words: its key stream fits in two vectors of rows.
pub(super) const fn longest_short(lanes: usize) -> usize {
    32 * lanes - 64
}

/// Seals or opens a message with a short text: its whole key stream is in two vectors of rows.
#[inline(always)]
pub(super) fn short_message<V: KeyStream<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
    seal: bool,
) {
    // A local copy stays in registers; an argument of three words is passed and updated in memory.
    let text = text.reborrow();
    let rows = wide::blocks_in_rows::<V, L, 2>(cpu, key, nonce_words(0, nonce));
    let (r, s) = (rows[0][0].first_number(), rows[0][1].first_number());
    let mut mac = Short::from_numbers(0, 0, &[]);
    mac.begin(r, s, aad);
    let key_stream = Wiped::new(each(|n| V::rows_to_blocks(rows[n])) as [_; 2]);
    let lengths = lengths(aad.len(), text.len());
    // The first block is the key of Poly1305.
    let key_stream = key_stream.as_flattened().get(16 / L..).unwrap_or_default();
    end_of_short(&mut mac, key_stream, text, seal);
    *tag = mac.tag_after(lengths);
}

/// XORs key stream into a text that is no longer, and authenticates it.
#[inline(always)]
pub(super) fn end_of_short<V: KeyStream<L>, const L: usize>(
    mac: &mut Short,
    key_stream: &[V],
    mut text: Text<'_>,
    seal: bool,
) {
    // One code path for both directions: sealing processes the text first.
    for step in 0..black_box(2) {
        if (step == 0) == seal {
            V::add_some(key_stream, &mut text.reborrow());
        } else {
            mac.absorb_many(if seal { text.output() } else { text.input() });
        }
    }
}

pub(super) fn lengths(aad_len: usize, text_len: usize) -> u128 {
    aad_len as u128 | (text_len as u128) << 64
}

/// A longer message, authenticated one block at a time, interleaved with the rounds: when sealing, the output of the group
/// before; when opening, the input of this group.
#[inline(always)]
pub(super) fn long_beside<V: KeyStream<L>, const L: usize>(
    cpu: V::Cpu,
    key: &KeyWords,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
    seal: bool,
) {
    // A local copy stays in registers, as above.
    let mut text = text.reborrow();
    let len = text.len();
    let mut mac = Wiped::new(State::from_numbers(0, 0));
    let mut behind = Text::in_place(&mut []);
    let (mut counter, mut with_key) = (0_u32, true);
    // Half a group or less is faster in rows.
    while with_key || text.len() > 32 * L {
        let mut group = text.take(if with_key { 64 * L - 64 } else { 64 * L });
        let data = match (with_key, seal) {
            (true, _) => &[],
            (_, true) => &*behind.output(),
            (_, false) => group.input(),
        };
        let mut absorbing = Absorbing::<L>::new(&mut mac, data);
        let place = nonce_words(counter, nonce);
        let words = wide::lanes_beside::<V, L>(cpu, key, place, &mut absorbing);
        absorbing.all();
        counter = counter.wrapping_add(L as u32);
        if group.len() == 64 * L {
            if V::MANY {
                wide::add_lanes(words, group.reborrow());
            } else {
                wide::add_words(words, group.reborrow());
            }
        } else {
            // In memory, since no register survives the calls.
            let mut words = Wiped::new(words);
            if with_key {
                let row =
                    |i: usize| V::quarter([words[i], words[i + 1], words[i + 2], words[i + 3]])[0];
                *mac = State::from_numbers(row(0).first_number(), row(4).first_number());
                mac.absorb_many::<Carried>(aad);
                if !seal {
                    mac.absorb_many::<Carried>(group.input());
                }
            }
            V::add_some_words(&mut words, if with_key { 16 / L } else { 0 }, &mut group);
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
    *tag = mac.tag_after::<Carried>(lengths(aad.len(), len));
}
