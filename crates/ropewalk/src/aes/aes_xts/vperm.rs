//! AES-XTS with vector permutes, for vectors of any width.

use core::array::from_mut;

use super::{Block, Secret, units};
use crate::{
    aes::{
        RoundKeys,
        aes_ecb::vperm::one,
        vperm::{Alone, Apart, MANY},
    },
    core::{opaque::unknown, simd::each, text::Text},
};

/// The text keys for encryption, those for decryption, and the tweak keys.
pub(super) struct Keys {
    text: [RoundKeys; 2],
    tweak: RoundKeys,
}

impl Keys {
    #[inline]
    pub(super) fn new<One: Alone>(cpu: One::Cpu, [text, tweak]: Secret<'_>) -> Self {
        Self { text: One::expanded_both(cpu, text), tweak: One::expanded(cpu, tweak) }
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
        let mut tweaks = [[0; 16]; units::MANY];
        if text.len() <= unit {
            let x = One::encrypt_one(cpu, tweak_keys, One::splat(cpu, &numbers[0]));
            x.store(from_mut(&mut tweaks[0]));
        } else {
            let (numbers, _) = numbers.as_chunks();
            let mut all = [V::splat(cpu, &[0; 16]); units::MANY];
            let all = &mut all[..numbers.len()];
            for (x, numbers) in all.iter_mut().zip(numbers) {
                *x = V::load(cpu, numbers);
            }
            V::encrypt_from(cpu, tweak_keys, 0, all);
            for (x, tweaks) in all.iter().zip(tweaks.as_chunks_mut().0) {
                x.store(tweaks);
            }
        }
        for first in &tweaks {
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
    // Tweaks are computed during the blocks before, and wait in memory.
    let (mut tweaks, mut now) = ([[[[0; 16]; L]; MANY]; 2], whole.take(0));
    loop {
        let next = whole.take(16 * L * MANY);
        let blocks = tweaks[1].as_flattened_mut();
        // LLVM must not know their number: it would compile the loop for each.
        for i in 0..unknown((next.len() / 16) as u64) as usize {
            blocks[i % (L * MANY)] = tweak.to_le_bytes();
            tweak = units::next(tweak);
        }
        if now.len() > 0 {
            let sum = each(|i| V::load(cpu, &tweaks[0][i]));
            V::blocks(cpu, keys, encrypt, &mut now, [&sum; 2]);
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
