//! AES key wrap in plain Rust: the model every other backend is tested against.

use super::{Secret, Semiblock, Wrap};
use crate::{
    aes::bitsliced::SlicedKeys,
    core::{block::Block, cpu::Baseline, secret::Wiped},
};

pub(super) struct Portable {
    keys: SlicedKeys,
}

impl Wrap for Portable {
    fn wrap(&self, a: &mut Semiblock, r: &mut [Semiblock]) {
        if let [r] = r {
            return self.one(SlicedKeys::encrypt, a, 0, r, 0);
        }
        let n = r.len() as u64;
        for j in 0..6 {
            for (i, r) in (1..).zip(&mut *r) {
                self.one(SlicedKeys::encrypt, a, 0, r, n * j + i);
            }
        }
    }

    fn unwrap(&self, a: &mut Semiblock, r: &mut [Semiblock]) {
        if let [r] = r {
            return self.one(SlicedKeys::decrypt, a, 0, r, 0);
        }
        let n = r.len() as u64;
        for j in (0..6).rev() {
            for (i, r) in r.iter_mut().enumerate().rev() {
                self.one(SlicedKeys::decrypt, a, n * j + i as u64 + 1, r, 0);
            }
        }
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, secret: Secret<'_>) -> Self {
        Self { keys: SlicedKeys::expand(secret) }
    }

    /// One of the six steps for each semiblock (section 6.1): one number is added to A before, and one after.
    fn one(
        &self,
        cipher: fn(&SlicedKeys, &mut [Block; 4]),
        a: &mut Semiblock,
        before: u64,
        r: &mut Semiblock,
        after: u64,
    ) {
        let add = |a: &Semiblock, t: u64| (u64::from_be_bytes(*a) ^ t).to_be_bytes();
        let mut blocks = Wiped::new([[0; 16]; 4]);
        blocks[0][..8].copy_from_slice(&add(a, before));
        blocks[0][8..].copy_from_slice(r);
        cipher(&self.keys, &mut blocks);
        let (low, high) = blocks[0].split_at(8);
        a.copy_from_slice(low);
        *a = add(a, after);
        r.copy_from_slice(high);
    }
}
