//! What modes have in common, out of line: a call is nothing beside many vectors, or beside round keys. One block alone stays
//! in its register, for nobody to wait for memory too.

use super::{
    RoundKeys,
    blocks::{self, MANY},
    chain::{self, Given},
    decrypt, encrypt, encrypt_from, for_decryption, for_encryption, schedule,
};
use crate::simd::Bytes;
#[cfg(target_arch = "aarch64")]
use crate::simd::aarch64::U8x16;
#[cfg(target_arch = "x86_64")]
use crate::simd::x86_64::{U8x16, U8x16Avx, U8x32};
use crate::text::Text;

/// Vectors for which it is there.
pub(crate) trait Apart<const L: usize>: Bytes<L> {
    /// As [`super::encrypt_from`].
    fn encrypt_from<const N: usize>(
        cpu: Self::Cpu,
        keys: &RoundKeys,
        first: usize,
        x: &mut [Self; N],
    );

    /// As [`super::decrypt`].
    fn decrypt<const N: usize>(cpu: Self::Cpu, keys: &RoundKeys, x: &mut [Self; N]);

    /// As [`blocks::apply`].
    fn blocks(
        cpu: Self::Cpu,
        keys: &RoundKeys,
        encrypt: bool,
        text: &mut Text<'_>,
        sums: [&[Self; MANY]; 2],
    );
}

/// Vectors of one block, which may be alone.
pub(crate) trait Alone: Apart<1> {
    /// The round keys of a key of 16, 24 or 32 bytes, as the standard has them.
    fn schedule(cpu: Self::Cpu, secret: &[u8]) -> RoundKeys;

    /// The same, as `encrypt` takes them.
    fn expand(cpu: Self::Cpu, secret: &[u8]) -> RoundKeys;

    /// These, and those that `decrypt` takes.
    fn expand_both(cpu: Self::Cpu, secret: &[u8]) -> [RoundKeys; 2];

    /// As [`chain::for_chain`].
    fn for_chain(cpu: Self::Cpu, keys: &mut RoundKeys);

    /// As [`super::encrypt`].
    fn encrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self;

    /// As [`super::decrypt`].
    fn decrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self;

    /// What a chain makes of what it has taken.
    fn chain(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Given<Self>;
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
            proven!($Cpu: cpu, once fn enter<const N: usize>(cpu: crate::cpu::$Cpu, keys: &RoundKeys, first: usize, x: &mut [$V; N]) -> () {
                *x = encrypt_from(cpu, keys, first, *x);
            });
        }
        #[inline(always)]
        fn decrypt<const N: usize>(cpu: Self::Cpu, keys: &RoundKeys, x: &mut [Self; N]) {
            proven!($Cpu: cpu, once fn enter<const N: usize>(cpu: crate::cpu::$Cpu, keys: &RoundKeys, x: &mut [$V; N]) -> () {
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
            fn blocks(cpu: Self::Cpu, keys: &RoundKeys, encrypt: bool, text: &mut Text<'_>, sums: [&[$V; MANY]; 2]) {
                proven!($Cpu: cpu, once fn enter(cpu: crate::cpu::$Cpu, keys: &RoundKeys, encrypt: bool, text: &mut Text<'_>, sums: [&[$V; MANY]; 2]) -> () {
                    blocks::apply::<$V, $L>(cpu, keys, encrypt, text, sums)
                });
            }
            rounds! { $V $Cpu $($inlined)? }
        }
    };
}

/// What is done once for a key, out of line wherever rounds are.
macro_rules! keys {
    ($V:ident $Cpu:ident) => {
        #[inline(always)]
        fn schedule(cpu: Self::Cpu, secret: &[u8]) -> RoundKeys {
            proven!($Cpu: cpu, once fn enter(cpu: crate::cpu::$Cpu, secret: &[u8]) -> RoundKeys {
                schedule::<$V>(cpu, secret)
            })
        }
        #[inline(always)]
        fn expand(cpu: Self::Cpu, secret: &[u8]) -> RoundKeys {
            proven!($Cpu: cpu, once fn enter(cpu: crate::cpu::$Cpu, secret: &[u8]) -> RoundKeys {
                let mut keys = $V::schedule(cpu, secret);
                for_encryption::<$V, 1>(cpu, &mut keys);
                keys
            })
        }
        #[inline(always)]
        fn expand_both(cpu: Self::Cpu, secret: &[u8]) -> [RoundKeys; 2] {
            proven!($Cpu: cpu, once fn enter(cpu: crate::cpu::$Cpu, secret: &[u8]) -> [RoundKeys; 2] {
                let mut keys = $V::schedule(cpu, secret);
                let inverse = for_decryption::<$V, 1>(cpu, &keys);
                for_encryption::<$V, 1>(cpu, &mut keys);
                [keys, inverse]
            })
        }
        #[inline(always)]
        fn for_chain(cpu: Self::Cpu, keys: &mut RoundKeys) {
            proven!($Cpu: cpu, once fn enter(cpu: crate::cpu::$Cpu, keys: &mut RoundKeys) -> () {
                chain::for_chain::<$V, 1>(cpu, keys)
            })
        }
    };
}

macro_rules! alone {
    ($V:ident needs $Cpu:ident) => {
        impl Alone for $V {
            keys! { $V $Cpu }

            #[inline(always)]
            fn encrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self {
                proven!($Cpu: cpu, once extern fn enter(cpu: crate::cpu::$Cpu, keys: &RoundKeys, x: $V) -> $V {
                    let [x] = encrypt(cpu, keys, [x]);
                    x
                })
            }
            #[inline(always)]
            fn decrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self {
                proven!($Cpu: cpu, once extern fn enter(cpu: crate::cpu::$Cpu, keys: &RoundKeys, x: $V) -> $V {
                    let [x] = decrypt(cpu, keys, [x]);
                    x
                })
            }
            #[inline(always)]
            fn chain(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Given<Self> {
                // But one vector comes back in a register.
                let x = proven!($Cpu: cpu, once extern fn enter(cpu: crate::cpu::$Cpu, keys: &RoundKeys, x: $V) -> $V {
                    chain::rounds(cpu, keys, x).in_tower()
                });
                Given::of_tower(cpu, x)
            }
        }
    };
    ($V:ident needs $Cpu:ident, inlined) => {
        impl Alone for $V {
            keys! { $V $Cpu }

            #[inline(always)]
            fn encrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self {
                let [x] = encrypt(cpu, keys, [x]);
                x
            }
            #[inline(always)]
            fn decrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self {
                let [x] = decrypt(cpu, keys, [x]);
                x
            }
            #[inline(always)]
            fn chain(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Given<Self> {
                chain::rounds(cpu, keys, x)
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
apart! { U8x16 of 1 needs Ssse3 }
#[cfg(target_arch = "x86_64")]
alone! { U8x16 needs Ssse3 }
#[cfg(target_arch = "x86_64")]
apart! { U8x16Avx of 1 needs Avx2 }
#[cfg(target_arch = "x86_64")]
alone! { U8x16Avx needs Avx2 }
#[cfg(target_arch = "x86_64")]
apart! { U8x32 of 2 needs Avx2 }
// Smaller cores take longer over what goes through memory.
#[cfg(target_arch = "aarch64")]
apart! { U8x16 of 1 needs Neon, inlined }
#[cfg(target_arch = "aarch64")]
alone! { U8x16 needs Neon, inlined }

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
