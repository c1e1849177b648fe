//! Functions of the key stream with the features of their vectors, which are not inlined into callers.

use super::KeyWords;
use crate::core::{simd::Rows, text::Text};

/// Vectors of key stream.
pub(crate) trait KeyStream<const L: usize>: Rows<L> {
    /// XORs the key stream, from the block of that counter on, into the text ([`apply`](super::apply)).
    fn apply_key_stream(
        cpu: Self::Cpu,
        key: &KeyWords,
        counter: u32,
        nonce: &[u8; 12],
        text: Text<'_>,
    );

    /// XORs key stream into a text that is no longer ([`add_some`](super::add_some)). Out of line: with its partial vectors it is
    /// long, and it has many callers.
    fn add_some(key_stream: &[Self], text: &mut Text<'_>);

    /// XORs the key stream of `L` blocks in word order, from vector `from` on, into a text that is no longer
    /// ([`add_some_words`](super::add_some_words)). Out of line, as it rarely runs: its callers keep their registers.
    fn add_some_words(words: &mut [Self; 16], from: usize, text: &mut Text<'_>);
}

macro_rules! key_stream {
    ($T:ty, $L:literal, $Cpu:ident) => {
        impl KeyStream<$L> for $T {
            #[inline(always)]
            fn apply_key_stream(
                cpu: Self::Cpu,
                key: &KeyWords,
                counter: u32,
                nonce: &[u8; 12],
                text: Text<'_>,
            ) {
                let (mut rest, mut counter) = (text, counter);
                let text = crate::chacha::chacha20::wide::part_by_two::<$L>(&mut rest);
                if text.len() > 0 {
                    let after = counter.wrapping_add(text.len().div_ceil(64) as u32);
                    // A function of its own, so that other processors keep their code.
                    proven!($Cpu: cpu, apart fn enter(cpu: crate::core::cpu::$Cpu, key: &KeyWords, counter: u32, nonce: &[u8; 12], text: Text<'_>) -> () {
                        crate::chacha::chacha20::wide::apply_by_two::<$T, $L>(cpu, key, counter, nonce, text)
                    });
                    if rest.len() == 0 {
                        return;
                    }
                    counter = after;
                }
                let text = rest;
                proven!($Cpu: cpu, apart fn enter(cpu: crate::core::cpu::$Cpu, key: &KeyWords, counter: u32, nonce: &[u8; 12], text: Text<'_>) -> () {
                    crate::chacha::chacha20::wide::apply::<$T, $L>(cpu, key, counter, nonce, text)
                })
            }
            #[inline(always)]
            fn add_some(key_stream: &[Self], text: &mut Text<'_>) {
                let Some(first) = key_stream.first() else { return };
                proven!($Cpu: first.cpu(), once fn enter(key_stream: &[$T], text: &mut Text<'_>) -> () {
                    crate::chacha::chacha20::wide::add_some(key_stream, text)
                })
            }
            #[inline(always)]
            fn add_some_words(words: &mut [Self; 16], from: usize, text: &mut Text<'_>) {
                proven!($Cpu: words[0].cpu(), once fn enter(words: &mut [$T; 16], from: usize, text: &mut Text<'_>) -> () {
                    crate::chacha::chacha20::wide::add_some_words(words, from, text)
                })
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::*;
    use crate::core::simd::x86_64 as simd;

    key_stream! { simd::U32x4, 4, Ssse3 }
    key_stream! { simd::U32x8, 8, Avx2 }
    #[cfg(feature = "chacha20-poly1305")]
    key_stream! { simd::U32x8Turning, 8, Avx512By256 }
    key_stream! { simd::U32x16, 16, Avx512 }
}

#[cfg(target_arch = "aarch64")]
key_stream! { crate::core::simd::aarch64::U32x4, 4, Neon }
