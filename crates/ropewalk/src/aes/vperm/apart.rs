//! What modes have in common, out of line: a call is nothing beside many vectors, or beside round keys.

use super::{RoundKeys, decrypt, encrypt_from, for_decryption, for_encryption, schedule};
use crate::simd::Bytes;
#[cfg(target_arch = "aarch64")]
use crate::simd::aarch64::U8x16;
#[cfg(target_arch = "x86_64")]
use crate::simd::x86_64::{U8x16, U8x16Avx, U8x32};

/// Vectors for which it is there.
pub(crate) trait Apart<const L: usize>: Bytes<L> {
    /// The round keys of a key of 16, 24 or 32 bytes, as `encrypt` takes them.
    fn expand(cpu: Self::Cpu, secret: &[u8]) -> RoundKeys;

    /// The same, and those that `decrypt` takes.
    fn expand_both(cpu: Self::Cpu, secret: &[u8]) -> [RoundKeys; 2];

    /// As [`super::encrypt_from`].
    fn encrypt_from<const N: usize>(
        cpu: Self::Cpu,
        keys: &RoundKeys,
        first: usize,
        x: &mut [Self; N],
    );

    /// As [`super::decrypt`].
    fn decrypt<const N: usize>(cpu: Self::Cpu, keys: &RoundKeys, x: &mut [Self; N]);
}

macro_rules! rounds {
    ($V:ident $Cpu:ident) => {
        #[inline(always)]
        fn encrypt_from<const N: usize>(
            cpu: Self::Cpu,
            keys: &RoundKeys,
            first: usize,
            x: &mut [Self; N],
        ) {
            proven!($Cpu: cpu, apart fn enter<const N: usize>(cpu: crate::cpu::$Cpu, keys: &RoundKeys, first: usize, x: &mut [$V; N]) -> () {
                *x = encrypt_from(cpu, keys, first, *x);
            });
        }
        #[inline(always)]
        fn decrypt<const N: usize>(cpu: Self::Cpu, keys: &RoundKeys, x: &mut [Self; N]) {
            proven!($Cpu: cpu, apart fn enter<const N: usize>(cpu: crate::cpu::$Cpu, keys: &RoundKeys, x: &mut [$V; N]) -> () {
                *x = decrypt(cpu, keys, *x);
            });
        }
    };
    ($V:ident $Cpu:ident inlined) => {
        #[inline(always)]
        fn encrypt_from<const N: usize>(
            cpu: Self::Cpu,
            keys: &RoundKeys,
            first: usize,
            x: &mut [Self; N],
        ) {
            *x = encrypt_from(cpu, keys, first, *x);
        }
        #[inline(always)]
        fn decrypt<const N: usize>(cpu: Self::Cpu, keys: &RoundKeys, x: &mut [Self; N]) {
            *x = decrypt(cpu, keys, *x);
        }
    };
}

macro_rules! apart {
    ($V:ident of $L:literal needs $Cpu:ident $(, $inlined:ident)?) => {
        impl Apart<$L> for $V {
            #[inline(always)]
            fn expand(cpu: Self::Cpu, secret: &[u8]) -> RoundKeys {
                proven!($Cpu: cpu, apart fn enter(cpu: crate::cpu::$Cpu, secret: &[u8]) -> RoundKeys {
                    for_encryption::<$V, $L>(cpu, schedule::<$V, $L>(cpu, secret))
                })
            }
            #[inline(always)]
            fn expand_both(cpu: Self::Cpu, secret: &[u8]) -> [RoundKeys; 2] {
                proven!($Cpu: cpu, apart fn enter(cpu: crate::cpu::$Cpu, secret: &[u8]) -> [RoundKeys; 2] {
                    let keys = schedule::<$V, $L>(cpu, secret);
                    let inverse = for_decryption::<$V, $L>(cpu, &keys);
                    [for_encryption::<$V, $L>(cpu, keys), inverse]
                })
            }
            rounds! { $V $Cpu $($inlined)? }
        }
    };
}

#[cfg(target_arch = "x86_64")]
apart! { U8x16 of 1 needs Ssse3 }
#[cfg(target_arch = "x86_64")]
apart! { U8x16Avx of 1 needs Avx2 }
#[cfg(target_arch = "x86_64")]
apart! { U8x32 of 2 needs Avx2 }
// Smaller cores take longer over what goes through memory.
#[cfg(target_arch = "aarch64")]
apart! { U8x16 of 1 needs Neon, inlined }

/// Encrypts `N` vectors.
#[inline(always)]
pub(crate) fn encrypt_many<V: Apart<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    mut x: [V; N],
) -> [V; N] {
    V::encrypt_from(cpu, keys, 0, &mut x);
    x
}

/// Decrypts `N` vectors.
#[inline(always)]
pub(crate) fn decrypt_many<V: Apart<L>, const L: usize, const N: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    mut x: [V; N],
) -> [V; N] {
    V::decrypt(cpu, keys, &mut x);
    x
}
