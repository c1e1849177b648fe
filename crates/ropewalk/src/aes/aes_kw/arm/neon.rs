//! AES key wrap with NEON of 32-bit Arm.

use super::super::{Secret, Semiblock, Wrap};
use crate::{
    aes::arm::{Chain, Decryption},
    core::{block::Block, cpu::ArmNeon, secret::Wiped},
};

pub(in crate::aes::aes_kw) struct Neon {
    key: Chain,
    inverse: Decryption,
}

impl Wrap for Neon {
    fn wrap(&self, a: &mut Semiblock, r: &mut [Semiblock]) {
        let encrypt = |block: &mut Block| self.key.encrypt_block(block);
        if let [r] = r {
            return one(encrypt, a, 0, r, 0);
        }
        let n = r.len() as u64;
        for j in 0..6 {
            for (i, r) in (1..).zip(&mut *r) {
                one(encrypt, a, 0, r, n * j + i);
            }
        }
    }

    fn unwrap(&self, a: &mut Semiblock, r: &mut [Semiblock]) {
        let decrypt = |block: &mut Block| self.inverse.decrypt(core::slice::from_mut(block));
        if let [r] = r {
            return one(decrypt, a, 0, r, 0);
        }
        let n = r.len() as u64;
        for j in (0..6).rev() {
            for (i, r) in r.iter_mut().enumerate().rev() {
                one(decrypt, a, n * j + i as u64 + 1, r, 0);
            }
        }
    }
}

impl Neon {
    pub(in crate::aes::aes_kw) fn new(cpu: ArmNeon, secret: Secret<'_>) -> Self {
        let key = Chain::new(cpu, secret);
        Self { inverse: Decryption::of(&key), key }
    }
}

/// One of the six steps for each semiblock (section 6.1): one number is added to A before, and one after.
fn one(cipher: impl Fn(&mut Block), a: &mut Semiblock, before: u64, r: &mut Semiblock, after: u64) {
    let add = |a: &[u8; 8], t: u64| (u64::from_be_bytes(*a) ^ t).to_be_bytes();
    let mut block = Wiped::new([0; 16]);
    block[..8].copy_from_slice(&add(a, before));
    block[8..].copy_from_slice(r);
    cipher(&mut block);
    let (low, high) = block.split_at(8);
    a.copy_from_slice(low);
    *a = add(a, after);
    r.copy_from_slice(high);
}
