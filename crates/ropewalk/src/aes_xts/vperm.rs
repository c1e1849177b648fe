//! AES-XTS from lookups in registers, for vectors of any width.

use super::{
    Block, Secret,
    units::{self, MANY},
};
use crate::{
    aes::{
        RoundKeys,
        vperm::{Apart, encrypt, encrypt_many},
    },
    aes_ecb::vperm::{self, Around},
    simd::each,
    text::Text,
};

/// For encrypting texts, for decrypting them, and for tweaks.
pub(super) struct Keys {
    text: [RoundKeys; 2],
    tweak: RoundKeys,
}

impl Keys {
    #[inline]
    pub(super) fn new<V: Apart<L>, const L: usize>(cpu: V::Cpu, [text, tweak]: Secret<'_>) -> Self {
        Self { text: V::expand_both(cpu, text), tweak: V::expand(cpu, tweak) }
    }
}

/// All data units.
#[inline(always)]
pub(super) fn apply<V, One, const L: usize, const ENCRYPT: bool>(
    cpu: V::Cpu,
    Keys { text: keys, tweak: tweak_keys }: &Keys,
    tweak: &Block,
    unit: usize,
    mut text: Text<'_>,
) where
    V: Apart<L>,
    One: Apart<1, Cpu = V::Cpu>,
{
    let keys = &keys[usize::from(!ENCRYPT)];
    if text.len() == 16 {
        // Its tweak stays in a register.
        let [first] = encrypt(cpu, tweak_keys, [One::splat(cpu, tweak)]);
        let Some(block) = text.next() else { return };
        return vperm::one::<One, ENCRYPT>(cpu, keys, first, block);
    }
    let mut number = u128::from_le_bytes(*tweak);
    while text.len() > 0 {
        let numbers = units::numbers(number);
        let mut tweaks = [[[0; 16]]; MANY];
        if text.len() <= unit {
            let [x] = encrypt(cpu, tweak_keys, [One::splat(cpu, &numbers[0])]);
            x.store(&mut tweaks[0]);
        } else {
            let numbers: [_; MANY] = each(|i| One::splat(cpu, &numbers[i]));
            for (x, tweak) in encrypt_many(cpu, tweak_keys, numbers).into_iter().zip(&mut tweaks) {
                x.store(tweak);
            }
        }
        for [first] in tweaks {
            let text = text.take(unit);
            if text.len() > 0 {
                one_unit::<V, One, L, ENCRYPT>(cpu, keys, u128::from_le_bytes(first), text);
            }
        }
        number = number.wrapping_add(MANY as u128);
    }
}

/// A data unit, given its first tweak.
#[inline(always)]
fn one_unit<V, One, const L: usize, const ENCRYPT: bool>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    first: u128,
    mut text: Text<'_>,
) where
    V: Apart<L>,
    One: Apart<1, Cpu = V::Cpu>,
{
    let mut tweaks = Tweaks { next: first };
    let whole = units::take_whole(&mut text);
    vperm::apply::<V, One, L, ENCRYPT>(cpu, keys, &mut tweaks, whole);
    if text.len() == 0 {
        return;
    }
    let mut block = units::first_block(&text);
    let tweaks = units::last_two::<ENCRYPT>(tweaks.next);
    for (i, tweak) in tweaks.into_iter().enumerate() {
        let mut bytes = block.to_le_bytes();
        let mut tweak = Tweaks { next: tweak };
        let alone = Text::in_place(&mut bytes);
        vperm::part::<One, 1, 1, ENCRYPT>(cpu, keys, &mut tweak, alone);
        block = u128::from_le_bytes(bytes);
        if i == 0 {
            block = units::steal(&mut text, block);
        }
    }
    units::finish(&mut text, block);
}

struct Tweaks {
    next: u128,
}

impl Around for Tweaks {
    #[inline(always)]
    fn next(&mut self) -> Block {
        let tweak = self.next;
        self.next = units::next(tweak);
        tweak.to_le_bytes()
    }
}
