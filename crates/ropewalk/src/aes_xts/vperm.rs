//! AES-XTS from lookups in registers, for vectors of any width.

use super::{Block, Secret, units};
use crate::{
    aes::{
        RoundKeys,
        vperm::{Alone, Apart, MANY, encrypt_many},
    },
    aes_ecb::vperm::one,
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
    pub(super) fn new<One: Alone>(cpu: One::Cpu, [text, tweak]: Secret<'_>) -> Self {
        Self { text: One::expand_both(cpu, text), tweak: One::expand(cpu, tweak) }
    }
}

/// A data unit of one block: its tweak stays in a register.
#[inline(always)]
pub(super) fn alone<One: Alone>(
    cpu: One::Cpu,
    Keys { text: keys, tweak: tweak_keys }: &Keys,
    encrypt: bool,
    tweak: &Block,
    text: &mut Text<'_>,
) {
    let first = One::encrypt_one(cpu, tweak_keys, One::splat(cpu, tweak));
    let Some(block) = text.next() else { return };
    one(cpu, &keys[usize::from(!encrypt)], encrypt, first, block);
}

/// All data units.
#[inline(always)]
pub(super) fn apply<V: Apart<L>, One: Alone<Cpu = V::Cpu>, const L: usize>(
    cpu: V::Cpu,
    Keys { text: keys, tweak: tweak_keys }: &Keys,
    encrypt: bool,
    tweak: &Block,
    unit: usize,
    text: &mut Text<'_>,
) {
    let keys = &keys[usize::from(!encrypt)];
    let mut number = u128::from_le_bytes(*tweak);
    while text.len() > 0 {
        let numbers = units::numbers(number);
        let mut tweaks = [[[0; 16]]; units::MANY];
        if text.len() <= unit {
            let x = One::encrypt_one(cpu, tweak_keys, One::splat(cpu, &numbers[0]));
            x.store(&mut tweaks[0]);
        } else {
            let numbers: [_; units::MANY] = each(|i| One::splat(cpu, &numbers[i]));
            for (x, tweak) in encrypt_many(cpu, tweak_keys, numbers).into_iter().zip(&mut tweaks) {
                x.store(tweak);
            }
        }
        for [first] in &tweaks {
            let text = text.take(unit);
            if text.len() > 0 {
                one_unit::<V, One, L>(cpu, keys, encrypt, u128::from_le_bytes(*first), text);
            }
        }
        number = number.wrapping_add(units::MANY as u128);
    }
}

/// A data unit, given its first tweak.
#[inline(always)]
fn one_unit<V: Apart<L>, One: Alone<Cpu = V::Cpu>, const L: usize>(
    cpu: V::Cpu,
    keys: &RoundKeys,
    encrypt: bool,
    mut tweak: u128,
    mut text: Text<'_>,
) {
    let mut whole = units::take_whole(&mut text);
    // Tweaks are made beside the blocks before, who do not wait for them.
    let (mut tweaks, mut now) = ([[V::splat(cpu, &[0; 16]); MANY]; 2], whole.take(0));
    loop {
        let next = whole.take(16 * L * MANY);
        let mut left = next.len() / 16;
        for sum in tweaks[1].iter_mut().take(left.div_ceil(L)) {
            let mut blocks = [[0; 16]; L];
            for block in &mut blocks {
                *block = tweak.to_le_bytes();
                if left > 0 {
                    (tweak, left) = (units::next(tweak), left - 1);
                }
            }
            *sum = V::load(cpu, &blocks);
        }
        if now.len() > 0 {
            V::blocks(cpu, keys, encrypt, &mut now, [&tweaks[0]; 2]);
        }
        if next.len() == 0 {
            break;
        }
        (now, tweaks[0]) = (next, tweaks[1]);
    }
    if text.len() == 0 {
        return;
    }
    let mut block = units::first_block(&text);
    let tweaks = units::last_two(tweak, encrypt);
    for (i, tweak) in tweaks.into_iter().enumerate() {
        let mut bytes = block.to_le_bytes();
        if let Some(alone) = Text::in_place(&mut bytes).next() {
            one(cpu, keys, encrypt, One::splat(cpu, &tweak.to_le_bytes()), alone);
        }
        block = u128::from_le_bytes(bytes);
        if i == 0 {
            block = units::steal(&mut text, block);
        }
    }
    units::finish(&mut text, block);
}
