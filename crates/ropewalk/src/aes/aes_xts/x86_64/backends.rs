//! The common part of the backends on 128 and 256 bits: everything but a single data unit.

use core::arch::x86_64::*;

use super::super::{
    Block,
    units::{self, MANY},
};
use crate::{
    aes::Rounds,
    core::{
        opaque::unseen_word,
        simd::{each, x86_64 as simd},
    },
};

/// Declares a backend, which has a function `one_unit`.
macro_rules! backend {
    ($Backend:ident needs $Cpu:ident, $features:literal) => {
        pub(in crate::aes::aes_xts) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
            /// The text keys for encryption, and those for decryption.
            pub(in crate::aes::aes_xts) text: [RoundKeys; 2],
            pub(in crate::aes::aes_xts) tweak: RoundKeys,
        }

        impl Xts for $Backend {
            kernel! { $Cpu: fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = $Backend::kernel::<true> }
            kernel! { $Cpu: fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = $Backend::kernel::<false> }
        }

        kernel! { $Cpu: fn expand(cpu, secret: &[u8]) -> RoundKeys = expand_kernel }
        kernel! { $Cpu: fn expand_both(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both_kernel }

        impl $Backend {
            #[inline]
            pub(in crate::aes::aes_xts) fn new(cpu: crate::core::cpu::$Cpu, [text, tweak]: Secret<'_>) -> Self {
                Self { cpu, text: expand_both(cpu, text), tweak: expand(cpu, tweak) }
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn kernel<const ENCRYPT: bool>(&self, tweak: &Block, unit: usize, mut text: Text<'_>) {
                apply(self, tweak, unit, &mut text, ENCRYPT);
            }
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn apply(key: &$Backend, tweak: &Block, unit: usize, text: &mut Text<'_>, encrypt: bool) {
            let (keys, tweak_keys) = (key.text[usize::from(!encrypt)].view(), key.tweak.view());
            if text.len() > unit {
                return units(keys, tweak_keys, tweak, unit, text, encrypt);
            }
            let (x, none) = (simd::load_128(tweak), _mm_setzero_si128());
            let [first] = xex_1x::<$Backend, 1>(tweak_keys.ten_or_fourteen(), [x], [none], true);
            one_unit(keys, first, text, encrypt);
        }

        /// More than one unit.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn units(
            keys: Rounds<'_>,
            tweak_keys: Rounds<'_>,
            tweak: &Block,
            unit: usize,
            text: &mut Text<'_>,
            encrypt: bool,
        ) {
            let (mut text, mut number) = (text.reborrow(), u128::from_le_bytes(*tweak));
            // In memory, so that the code has a single call of `one_unit`.
            let (mut firsts, mut i) = (Wiped::new([[0; 16]; MANY]), 0);
            while text.len() > 0 {
                if i % MANY == 0 {
                    first_tweaks(tweak_keys, number, &mut firsts);
                    number = number.wrapping_add(MANY as u128);
                }
                let first = simd::load_128(&firsts[i % MANY]);
                one_unit(keys, first, &mut text.take(unit), encrypt);
                i += 1;
            }
        }

        /// A block, given its tweak.
        #[inline(never)]
        #[target_feature(enable = $features)]
        #[allow(improper_ctypes_definitions, reason = "C has vectors go in registers")]
        extern "C" fn block(keys: Rounds<'_>, x: __m128i, around: __m128i, encrypt: bool) -> __m128i {
            let [x] = xex_1x::<$Backend, 1>(keys.ten_or_fourteen(), [x], [around], encrypt);
            x
        }

        /// A block and a partial block, given the first tweak.
        #[inline]
        #[target_feature(enable = $features)]
        fn end(keys: Rounds<'_>, tweak: __m128i, mut text: Text<'_>, encrypt: bool) {
            let crypt =
                |tweak, x| simd::to_u128(block(keys, simd::from_u128(x), simd::from_u128(tweak), encrypt));
            let [first, second] = units::last_two(simd::to_u128(tweak), encrypt);
            let stolen_from = crypt(first, units::first_block(&text));
            let rest = units::steal(&mut text, stolen_from);
            units::finish(&mut text, crypt(second, rest));
        }

        /// A data unit whose tweak is already encrypted.
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(super) fn unit(keys: Rounds<'_>, first: &Block, mut text: Text<'_>, encrypt: bool) {
            one_unit(keys, simd::load_128(first), &mut text, encrypt);
        }
    };
}
pub(super) use backend;

/// The first tweaks of `MANY` units, from that number on.
#[inline(never)]
#[target_feature(enable = "aes,sse4.1")]
pub(super) fn first_tweaks(keys: Rounds<'_>, number: u128, firsts: &mut [Block; MANY]) {
    *firsts = units::numbers(number);
    let mut x: [_; MANY] = each(|i| simd::load_128(&firsts[i]));
    let [first, rest @ ..] = keys.keys;
    // The number of rounds is read again: otherwise LLVM would make two loops.
    let rest = rest.get(..unseen_word(keys.rounds as u64 - 1) as usize).unwrap_or_default();
    let k = simd::load_128(first);
    for i in 0..MANY {
        x[i] = _mm_xor_si128(x[i], k);
    }
    for key in rest {
        let k = simd::load_128(key);
        for i in 0..MANY {
            x[i] = _mm_aesenc_si128(x[i], k);
        }
    }
    let k = simd::load_128(keys.last());
    for i in 0..MANY {
        simd::store_128(&mut firsts[i], _mm_aesenclast_si128(x[i], k));
    }
}
