//! What modes have in common, out of line: a call is nothing beside many vectors, or beside round keys. One block alone stays
//! in its register, for nobody to wait for memory too.

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

/// Vectors for which it is there.
pub(crate) trait Apart<const L: usize>: Bytes<L> {
    /// As [`super::encrypt_from`], of [`MANY`] vectors at most; but of one it is all rounds.
    fn encrypt_from(cpu: Self::Cpu, keys: &RoundKeys, first: usize, x: &mut [Self]);

    /// As [`super::decrypt`], of as many.
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

/// Vectors of one block, which may be alone.
pub(crate) trait Alone: Bytes<1> {
    /// Makes the round keys of a key of 16, 24 or 32 bytes, as `encrypt` takes them, and those that `decrypt` takes.
    fn expand(cpu: Self::Cpu, secret: &[u8], keys: &mut RoundKeys, inverse: Option<&mut RoundKeys>);

    /// Those of encrypting alone.
    fn expanded(cpu: Self::Cpu, secret: &[u8]) -> RoundKeys;

    /// Both.
    fn expanded_both(cpu: Self::Cpu, secret: &[u8]) -> [RoundKeys; 2];

    /// As [`super::encrypt_from`].
    fn encrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self;

    /// As [`super::decrypt`].
    fn decrypt_one(cpu: Self::Cpu, keys: &RoundKeys, x: Self) -> Self;

    /// What a chain makes of what it has taken.
    fn chain(cpu: Self::Cpu, keys: &RoundKeys, taken: Taken<Self>) -> Given<Self>;

    /// The same of the inverse cipher.
    #[cfg(target_arch = "x86_64")]
    fn inverse_chain(cpu: Self::Cpu, keys: &RoundKeys, taken: Taken<Self>) -> Given<Self>;
}

/// A vector goes in a register, and two that are as long as many a text. More of them lie in memory before and after: they wait
/// for each other, and not for that.
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

/// What is done once for a key, out of line wherever rounds are.
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

/// A block has half of a vector of two, which takes as long: it is there for two blocks as well.
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

// Smaller cores take longer over what goes through memory.
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
