//! AES-ECB with AES instructions on 512 bits: four blocks in each vector.

use core::arch::x86_64::*;

use super::{
    super::{Ecb, Secret},
    vaes256,
};
use crate::{
    aes::{
        RoundKeys, Rounds,
        x86_64::{expand_both, xex_1x, xex_4x},
    },
    core::{
        cpu::Vaes512 as Cpu,
        simd::{
            each,
            x86_64::{self as simd, Tail},
        },
        text::{Piece, Text},
        tuning,
    },
};

#[derive(Clone)]
pub(in crate::aes::aes_ecb) struct Vaes512 {
    cpu: Cpu,
    /// The keys for encryption, and those for decryption.
    keys: [RoundKeys; 2],
}

impl Ecb for Vaes512 {
    kernel! { Vaes512: fn encrypt(&self, text: Text<'_>) = Vaes512::kernel::<true> }
    kernel! { Vaes512: fn decrypt(&self, text: Text<'_>) = Vaes512::kernel::<false> }
}

kernel! { Vaes512: fn make(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both }

impl Vaes512 {
    #[inline]
    pub(in crate::aes::aes_ecb) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn kernel<const ENCRYPT: bool>(&self, mut text: Text<'_>) {
        let keys = self.keys[usize::from(!ENCRYPT)].view();
        if text.len() <= 16 {
            // A separate path for one block has fewer jumps.
            let Some(mut piece) = text.next::<16>() else { return };
            let (x, none) = (simd::load_128(piece.input()), _mm_setzero_si128());
            let [x] = xex_1x::<Vaes512, 1>(keys, [x], [none], ENCRYPT);
            return simd::store_128(piece.output(), x);
        }
        if text.len() <= 64 {
            return vectors::<Vaes512, 1, 0>(keys, [_mm512_setzero_si512()], text, ENCRYPT);
        }
        if text.len() > 128 && text.len() < tuning::row().aes_512_from {
            // By reference: by value, the buffer would be copied in halves, which stall on the words just stored.
            return vaes256::apply(keys, &mut text.reborrow(), ENCRYPT);
        }
        apply(keys, &mut text.reborrow(), ENCRYPT);
    }
}

/// Whole steps, and the rest on 256 bits, which do as many blocks a cycle.
#[inline(never)]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn apply(keys: Rounds<'_>, text: &mut Text<'_>, encrypt: bool) {
    let mut text = text.reborrow();
    let none = _mm512_setzero_si512();
    while let Some(piece) = text.next::<512>() {
        whole::<Vaes512, 8, 512>(keys, [none; 8], piece, encrypt);
    }
    if text.len() > 0 {
        vaes256::apply(keys, &mut text, encrypt);
    }
}

/// `N` vectors, which are `BYTES` bytes, with `around` added before and after.
#[inline]
#[target_feature(enable = "vaes,avx512f")]
pub(crate) fn whole<Mode, const N: usize, const BYTES: usize>(
    keys: Rounds<'_>,
    around: [__m512i; N],
    mut text: Piece<'_, BYTES>,
    encrypt: bool,
) {
    let input = each(|i| simd::load_512(&text.input().as_chunks().0[i]));
    let output = xex_4x::<Mode, N>(keys, input, around, encrypt);
    for (out, v) in text.output().as_chunks_mut().0.iter_mut().zip(output) {
        simd::store_512(out, v);
    }
}

/// Four vectors at most, the last of which may be short.
#[inline]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(crate) fn tail<Mode>(keys: Rounds<'_>, around: [__m512i; 4], text: Text<'_>, encrypt: bool) {
    let [a, b, c, _] = around;
    match text.len() {
        0 => {}
        1..=64 => vectors::<Mode, 1, 0>(keys, [a], text, encrypt),
        65..=128 => vectors::<Mode, 2, 64>(keys, [a, b], text, encrypt),
        129..=192 => vectors::<Mode, 3, 128>(keys, [a, b, c], text, encrypt),
        _ => vectors::<Mode, 4, 192>(keys, around, text, encrypt),
    }
}

/// `N` vectors, the last of which may be short.
#[inline]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(crate) fn vectors<Mode, const N: usize, const HEAD: usize>(
    keys: Rounds<'_>,
    around: [__m512i; N],
    text: Text<'_>,
    encrypt: bool,
) {
    let tail = Tail::<HEAD>::new(text);
    let output = xex_4x::<Mode, N>(keys, tail.load(), around, encrypt);
    tail.store(output);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::cpu::Token;

    kernel! { Vaes512: fn both(cpu, keys: &[RoundKeys; 2], texts: [&mut [u8]; 2], narrow: bool) = both_kernel }

    #[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn both_kernel(keys: &[RoundKeys; 2], [there, back]: [&mut [u8]; 2], narrow: bool) {
        let (mut there, mut back) = (Text::in_place(there), Text::in_place(back));
        if narrow {
            vaes256::apply(keys[0].view(), &mut there, true);
            return vaes256::apply(keys[1].view(), &mut back, false);
        }
        apply(keys[0].view(), &mut there, true);
        apply(keys[1].view(), &mut back, false);
    }

    /// Both widths are right, whichever this processor prefers.
    #[test]
    fn both_widths_agree() {
        let Some(cpu) = Cpu::detect() else { return };
        for secret in [&[7; 16][..], &[7; 24], &[7; 32]] {
            let key = Vaes512::new(cpu, secret);
            let [wide, narrow] = [0, 1].map(|narrow| {
                let key = &key;
                move |text: &[u8]| {
                    let (mut there, mut back) = (text.to_vec(), text.to_vec());
                    both(cpu, &key.keys, [&mut there, &mut back], narrow == 1);
                    [there, back]
                }
            });
            for blocks in 0..100 {
                let text: Vec<u8> = (0..16 * blocks).map(|i| (i * i) as u8).collect();
                assert_eq!(
                    wide(&text),
                    narrow(&text),
                    "{} bytes of key, {blocks} blocks",
                    secret.len()
                );
            }
        }
    }
}
