//! AES-XTS with NEON of 32-bit Arm.

use super::super::{
    Block, Secret, Xts,
    units::{self, MANY},
};
use crate::{
    aes::arm::{Chain, Decryption, Encryption},
    core::{cpu::ArmNeon, secret::Wiped, text::Text},
};

pub(in crate::aes::aes_xts) struct Neon {
    text: Encryption,
    inverse: Decryption,
    tweak: Chain,
}

impl Xts for Neon {
    fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) {
        self.apply::<true>(tweak, unit, text);
    }

    fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) {
        self.apply::<false>(tweak, unit, text);
    }
}

impl Neon {
    pub(in crate::aes::aes_xts) fn new(cpu: ArmNeon, [text, tweak]: Secret<'_>) -> Self {
        let text = Encryption::new(cpu, text);
        let tweak = Chain::new(cpu, tweak);
        Self { inverse: Decryption::of(text.chain()), text, tweak }
    }

    fn apply<const ENCRYPT: bool>(&self, tweak: &Block, unit: usize, mut text: Text<'_>) {
        let mut number = u128::from_le_bytes(*tweak);
        while text.len() > 0 {
            let mut tweaks = Wiped::new(units::numbers(number));
            // One message is most often one unit.
            let units = text.len().div_ceil(unit).min(MANY);
            let tweaks = &mut tweaks[..units];
            tweaks.iter_mut().for_each(|tweak| self.tweak.encrypt_block(tweak));
            for tweak in tweaks {
                self.unit::<ENCRYPT>(u128::from_le_bytes(*tweak), text.take(unit));
            }
            number = number.wrapping_add(MANY as u128);
        }
    }

    fn unit<const ENCRYPT: bool>(&self, mut tweak: u128, mut text: Text<'_>) {
        let mut whole = units::take_whole(&mut text);
        let (mut group, mut tweaks) = (Wiped::new([[0; 16]; 8]), Wiped::new([0; 8]));
        while whole.len() > 0 {
            let mut piece = whole.take(128);
            let count = piece.len() / 16;
            let (blocks, tweaks) = (&mut group[..count], &mut tweaks[..count]);
            blocks.as_flattened_mut().copy_from_slice(piece.input());
            for of_block in &mut *tweaks {
                (*of_block, tweak) = (tweak, units::next(tweak));
            }
            self.blocks::<ENCRYPT>(blocks, tweaks);
            piece.output().copy_from_slice(blocks.as_flattened());
        }
        if text.len() > 0 {
            let [first, second] = units::last_two(tweak, ENCRYPT);
            let block = self.block::<ENCRYPT>(first, units::first_block(&text));
            let block = units::steal(&mut text, block);
            units::finish(&mut text, self.block::<ENCRYPT>(second, block));
        }
    }

    fn block<const ENCRYPT: bool>(&self, tweak: u128, block: u128) -> u128 {
        let mut block = Wiped::new([block.to_le_bytes()]);
        self.blocks::<ENCRYPT>(&mut *block, &[tweak]);
        u128::from_le_bytes(block[0])
    }

    /// Blocks that are independent of each other (sections 5.3.1 and 5.4.1).
    fn blocks<const ENCRYPT: bool>(&self, blocks: &mut [Block], tweaks: &[u128]) {
        add(blocks, tweaks);
        if ENCRYPT {
            self.text.encrypt(blocks);
        } else {
            self.inverse.decrypt(blocks);
        }
        add(blocks, tweaks);
    }
}

fn add(blocks: &mut [Block], tweaks: &[u128]) {
    for (block, tweak) in blocks.iter_mut().zip(tweaks) {
        *block = (u128::from_le_bytes(*block) ^ tweak).to_le_bytes();
    }
}
