//! Functions of the key stream that have the features of their vectors, and are not inlined where they are called.

use super::KeyWords;
use crate::core::{simd::Rows, text::Text};

/// Vectors that key stream is made of.
pub(crate) trait KeyStream<const L: usize>: Rows<L> {
    /// Adds the key stream, from the block of that counter on, to the text ([`apply`](super::apply)).
    fn apply_key_stream(
        cpu: Self::Cpu,
        key: &KeyWords,
        counter: u32,
        nonce: &[u8; 12],
        text: Text<'_>,
    );

    /// Adds key stream to a text that is not longer ([`add_some`](super::add_some)). With what is no whole vector it is long,
    /// and it has many callers.
    fn add_some(key_stream: &[Self], text: &mut Text<'_>);

    /// Adds the key stream of so many blocks, which are word by word, from that vector of it on, to a text that is not
    /// longer ([`add_some_words`](super::add_some_words)). It seldom runs: its callers keep their registers.
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
