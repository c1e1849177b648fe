//! Operations that all modes share, out of line: a call costs little next to many vectors, or a key schedule. A single block
//! stays in its register, so that it does not wait for memory.

use super::{
    RoundKeys,
    blocks::{self, MANY},
    chain::{Given, Taken},
    decrypt, encrypt_from, expand,
};
#[cfg(target_arch = "x86_64")]
use super::{chain, inverse};
use crate::core::simd::Bytes;
#[cfg(target_arch = "aarch64")]
use crate::core::simd::aarch64::U8x16;
#[cfg(target_arch = "x86_64")]
use crate::core::simd::x86_64::{U8x16, U8x16Avx, U8x32};
use crate::core::text::Text;

/// Vectors that have them.
pub(crate) trait Apart<const L: usize>: Bytes<L> {
    /// As [`super::encrypt_from`], for at most [`MANY`] vectors; a single vector takes all rounds.
    fn encrypt_from(cpu: Self::Cpu, keys: &RoundKeys, first: usize, x: &mut [Self]);

    /// As [`super::decrypt`], for at most [`MANY`] vectors.
    fn decrypt(cpu: Self::Cpu, keys: &RoundKeys, x: &mut [Self]);

    /// As [`blocks::apply`].
    fn blocks(
        cpu: Self::Cpu,
        keys: &RoundKeys,
        encrypt: bool,
        text: &mut Text<'_>,
        sums: [&[Self; MANY]; 2],
    );
}

/// Vectors of one block, which may be single.
pub(crate) trait Alone: Bytes<1> {
    /// Makes the round keys of a key of 16, 24 or 32 bytes, in the layout of `encrypt`, and those for `decrypt`.
    fn expand(cpu: Self::Cpu, secret: &[u8], keys: &mut RoundKeys, inverse: Option<&mut RoundKeys>);

    /// The keys for encryption only.
    fn expanded(cpu: Self::Cpu, secret: &[u8]) -> RoundKeys;

    /// The keys for encryption and for decryption.
    fn expanded_both(cpu: Self::Cpu, secret: &[u8]) -> [RoundKeys; 2];

    /// As [`super::encrypt_from`].
    fn encrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self;

    /// As [`super::decrypt`].
    fn decrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self;

    /// The result of a chain for an input.
    fn chain(cpu: Self::Cpu, keys: &RoundKeys, taken: Taken<Self>) -> Given<Self>;

    /// The same for the inverse cipher.
    #[cfg(target_arch = "x86_64")]
    fn inverse_chain(cpu: Self::Cpu, keys: &RoundKeys, taken: Taken<Self>) -> Given<Self>;
}

/// One vector is passed in a register; so are two, which are as long as many texts. More of them are in memory before and after:
/// their latency hides that of memory.
#[cfg(target_arch = "x86_64")]
macro_rules! apart {
    ($V:ident of $L:literal needs $Cpu:ident) => {
        impl Apart<$L> for $V {
            #[inline(always)]
            fn blocks(cpu: Self::Cpu, keys: &RoundKeys, encrypt: bool, text: &mut Text<'_>, sums: [&[$V; MANY]; 2]) {
                proven!($Cpu: cpu, once fn enter(cpu: crate::core::cpu::$Cpu, keys: &RoundKeys, encrypt: bool, text: &mut Text<'_>, sums: [&[$V; MANY]; 2]) -> () {
                    blocks::apply::<$V, $L>(cpu, keys, encrypt, text, sums)
                });
            }
            #[inline(always)]
            fn encrypt_from(cpu: Self::Cpu, keys: &RoundKeys, first: usize, x: &mut [Self]) {
                proven!($Cpu: cpu, once fn enter(cpu: crate::core::cpu::$Cpu, keys: &RoundKeys, first: usize, x: &mut [$V]) -> () {
                    match x {
                        [x] => *x = <$V>::encrypt_alone(cpu, keys, chain::enter(cpu, *x), false),
                        [a, b] if $L > 1 => {
                            let mut both = [*a, *b];
                            encrypt_from(cpu, keys, first, &mut both);
                            [*a, *b] = both;
                        }
                        _ => encrypt_from(cpu, keys, first, x),
                    }
                });
            }
            #[inline(always)]
            fn decrypt(cpu: Self::Cpu, keys: &RoundKeys, x: &mut [Self]) {
                proven!($Cpu: cpu, once fn enter(cpu: crate::core::cpu::$Cpu, keys: &RoundKeys, x: &mut [$V]) -> () {
                    match x {
                        [x] => *x = <$V>::decrypt_alone(cpu, keys, chain::enter(cpu, *x), false),
                        [a, b] if $L > 1 => {
                            let mut both = [*a, *b];
                            decrypt(cpu, keys, &mut both, false);
                            [*a, *b] = both;
                        }
                        _ => decrypt(cpu, keys, x, false),
                    }
                });
            }
        }

        impl $V {
            /// As [`chain::one`].
            #[inline(always)]
            fn encrypt_alone(cpu: crate::core::cpu::$Cpu, keys: &RoundKeys, [given, block]: Taken<Self>, of_chain: bool) -> Self {
                proven!($Cpu: cpu, once extern fn enter(cpu: crate::core::cpu::$Cpu, keys: &RoundKeys, given: $V, block: $V, of_chain: bool) -> $V {
                    chain::one(cpu, keys, [given, block], of_chain)
                })
            }

            /// As [`inverse::one`].
            #[inline(always)]
            fn decrypt_alone(cpu: crate::core::cpu::$Cpu, keys: &RoundKeys, [given, block]: Taken<Self>, of_chain: bool) -> Self {
                proven!($Cpu: cpu, once extern fn enter(cpu: crate::core::cpu::$Cpu, keys: &RoundKeys, given: $V, block: $V, of_chain: bool) -> $V {
                    inverse::one(cpu, keys, [given, block], of_chain)
                })
            }
        }
    };
}

/// Key setup, out of line with the rounds.
macro_rules! keys {
    ($V:ident $Cpu:ident) => {
        #[inline(always)]
        fn expand(
            cpu: Self::Cpu,
            secret: &[u8],
            keys: &mut RoundKeys,
            inverse: Option<&mut RoundKeys>,
        ) {
            proven!($Cpu: cpu, once fn enter(cpu: crate::core::cpu::$Cpu, secret: &[u8], keys: &mut RoundKeys, inverse: Option<&mut RoundKeys>) -> () {
                expand::<$V>(cpu, secret, keys, inverse)
            })
        }
        #[inline(always)]
        fn expanded(cpu: Self::Cpu, secret: &[u8]) -> RoundKeys {
            proven!($Cpu: cpu, once fn enter(cpu: crate::core::cpu::$Cpu, secret: &[u8]) -> RoundKeys {
                let mut keys = RoundKeys::none();
                $V::expand(cpu, secret, &mut keys, None);
                keys
            })
        }
        #[inline(always)]
        fn expanded_both(cpu: Self::Cpu, secret: &[u8]) -> [RoundKeys; 2] {
            proven!($Cpu: cpu, once fn enter(cpu: crate::core::cpu::$Cpu, secret: &[u8]) -> [RoundKeys; 2] {
                let mut both = [RoundKeys::none(), RoundKeys::none()];
                let [keys, inverse] = &mut both;
                $V::expand(cpu, secret, keys, Some(inverse));
                both
            })
        }
    };
}

#[cfg(target_arch = "x86_64")]
impl Alone for U8x16 {
    keys! { U8x16 Ssse3 }

    #[inline(always)]
    fn encrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self {
        Self::encrypt_alone(cpu, keys, chain::enter(cpu, x), false)
    }
    #[inline(always)]
    fn decrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self {
        Self::decrypt_alone(cpu, keys, chain::enter(cpu, x), false)
    }
    #[inline(always)]
    fn chain(cpu: Self::Cpu, keys: &RoundKeys, taken: Taken<Self>) -> Given<Self> {
        Given::of_tower(cpu, Self::encrypt_alone(cpu, keys, taken, true))
    }
    #[inline(always)]
    fn inverse_chain(cpu: Self::Cpu, keys: &RoundKeys, taken: Taken<Self>) -> Given<Self> {
        Given::of_inverse(cpu, Self::decrypt_alone(cpu, keys, taken, true))
    }
}

/// A single block uses half of a vector of two, which takes as long: the code is shared with that for two blocks.
#[cfg(target_arch = "x86_64")]
impl Alone for U8x16Avx {
    #[inline(always)]
    fn expand(
        cpu: Self::Cpu,
        secret: &[u8],
        keys: &mut RoundKeys,
        inverse: Option<&mut RoundKeys>,
    ) {
        U8x16::expand(cpu.into(), secret, keys, inverse);
    }
    #[inline(always)]
    fn expanded(cpu: Self::Cpu, secret: &[u8]) -> RoundKeys {
        U8x16::expanded(cpu.into(), secret)
    }
    #[inline(always)]
    fn expanded_both(cpu: Self::Cpu, secret: &[u8]) -> [RoundKeys; 2] {
        U8x16::expanded_both(cpu.into(), secret)
    }
    #[inline(always)]
    fn encrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self {
        U8x32::encrypt_alone(cpu, keys, chain::enter(cpu, x).map(Self::widen), false).first()
    }
    #[inline(always)]
    fn decrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self {
        U8x32::decrypt_alone(cpu, keys, chain::enter(cpu, x).map(Self::widen), false).first()
    }
    #[inline(always)]
    fn chain(cpu: Self::Cpu, keys: &RoundKeys, taken: Taken<Self>) -> Given<Self> {
        Given::of_tower(cpu, U8x32::encrypt_alone(cpu, keys, taken.map(Self::widen), true).first())
    }
    #[inline(always)]
    fn inverse_chain(cpu: Self::Cpu, keys: &RoundKeys, taken: Taken<Self>) -> Given<Self> {
        Given::of_inverse(
            cpu,
            U8x32::decrypt_alone(cpu, keys, taken.map(Self::widen), true).first(),
        )
    }
}

#[cfg(target_arch = "x86_64")]
apart! { U8x16 of 1 needs Ssse3 }
#[cfg(target_arch = "x86_64")]
apart! { U8x32 of 2 needs Avx2 }

/// In as many registers, or in [`MANY`].
#[cfg(target_arch = "aarch64")]
macro_rules! as_array {
    ($all:ident => $rounds:expr) => {
        if let Ok(one) = <&mut [Self; 1]>::try_from(&mut *$all) {
            let $all = one;
            $rounds
        } else if let Ok(two) = <&mut [Self; 2]>::try_from(&mut *$all) {
            let $all = two;
            $rounds
        } else {
            let mut many = [$all[0]; MANY];
            many[..$all.len()].copy_from_slice($all);
            {
                let $all = &mut many;
                $rounds
            }
            $all.copy_from_slice(&many[..$all.len()]);
        }
    };
}

// Smaller cores take longer for accesses through memory.
#[cfg(target_arch = "aarch64")]
impl Apart<1> for U8x16 {
    #[inline(always)]
    fn blocks(
        cpu: Self::Cpu,
        keys: &RoundKeys,
        encrypt: bool,
        text: &mut Text<'_>,
        sums: [&[Self; MANY]; 2],
    ) {
        proven!(Neon: cpu, once fn enter(cpu: crate::core::cpu::Neon, keys: &RoundKeys, encrypt: bool, text: &mut Text<'_>, sums: [&[U8x16; MANY]; 2]) -> () {
            blocks::apply::<U8x16, 1>(cpu, keys, encrypt, text, sums)
        });
    }
    #[inline(always)]
    fn encrypt_from(cpu: Self::Cpu, keys: &RoundKeys, first: usize, x: &mut [Self]) {
        as_array!(x => encrypt_from(cpu, keys, first, x));
    }
    #[inline(always)]
    fn decrypt(cpu: Self::Cpu, keys: &RoundKeys, x: &mut [Self]) {
        let alone = x.len() == 1;
        as_array!(x => decrypt(cpu, keys, x, alone));
    }
}

#[cfg(target_arch = "aarch64")]
impl Alone for U8x16 {
    keys! { U8x16 Neon }

    #[inline(always)]
    fn encrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self {
        let mut x = [x];
        encrypt_from(cpu, keys, 0, &mut x);
        x[0]
    }
    #[inline(always)]
    fn decrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self {
        let mut x = [x];
        decrypt(cpu, keys, &mut x, true);
        x[0]
    }
    #[inline(always)]
    fn chain(cpu: Self::Cpu, keys: &RoundKeys, taken: Taken<Self>) -> Given<Self> {
        Given::of(cpu, keys, taken)
    }
}
