//! ChaCha20 in plain Rust: the model every other backend is tested against.

use super::{Block, ChaCha20, KeyWords, Nonce, Secret, State, key_words, nonce_words};
use crate::core::{cpu::Baseline, secret::Wiped, text::Text};

#[derive(Clone)]
pub(crate) struct Portable {
    key: KeyWords,
}

impl ChaCha20 for Portable {
    fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
        self.add_key_stream(counter, nonce, text);
    }
}

impl Portable {
    pub(crate) fn new(_: Baseline, secret: Secret<'_>) -> Self {
        Self { key: key_words(secret) }
    }

    #[cfg(any(feature = "chacha20-poly1305", target_arch = "arm"))]
    #[inline]
    pub(crate) fn words(&self) -> &KeyWords {
        &self.key
    }

    /// XORs the key stream, from the block of that counter on, into the text.
    pub(crate) fn add_key_stream(&self, counter: u32, nonce: &Nonce, mut text: Text<'_>) {
        let mut state = Wiped::new([0; 16]);
        state[..12].copy_from_slice(&self.key);
        state[12..].copy_from_slice(&nonce_words(counter, nonce));
        while let Some(mut piece) = text.next::<64>() {
            let key_stream = block(&state);
            let sum = core::array::from_fn(|i| piece.input()[i] ^ key_stream[i]);
            *piece.output() = sum;
            state[12] = state[12].wrapping_add(1);
        }
        if text.len() > 0 {
            let key_stream = block(&state);
            let mut sum = [0; 64];
            sum[..text.len()].copy_from_slice(text.input());
            for (byte, key_stream) in sum.iter_mut().zip(key_stream) {
                *byte ^= key_stream;
            }
            let len = text.len();
            text.output().copy_from_slice(&sum[..len]);
        }
    }
}

/// A block of key stream (section 2.3).
fn block(state: &State) -> Block {
    let mut words = *state;
    for _ in 0..10 {
        unroll!(i in 0 1 2 3 => quarter_round(&mut words, [i, 4 + i, 8 + i, 12 + i]));
        unroll!(i in 0 1 2 3 => {
            quarter_round(&mut words, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
        });
    }
    let mut bytes = [0; 64];
    for (i, bytes) in bytes.as_chunks_mut().0.iter_mut().enumerate() {
        *bytes = words[i].wrapping_add(state[i]).to_le_bytes();
    }
    bytes
}

/// Section 2.1.
#[inline(always)]
fn quarter_round(x: &mut State, [a, b, c, d]: [usize; 4]) {
    x[a] = x[a].wrapping_add(x[b]);
    x[d] = (x[d] ^ x[a]).rotate_left(16);
    x[c] = x[c].wrapping_add(x[d]);
    x[b] = (x[b] ^ x[c]).rotate_left(12);
    x[a] = x[a].wrapping_add(x[b]);
    x[d] = (x[d] ^ x[a]).rotate_left(8);
    x[c] = x[c].wrapping_add(x[d]);
    x[b] = (x[b] ^ x[c]).rotate_left(7);
}
