//! X25519 in plain Rust.

use super::{Agreement, public_of};
#[cfg(feature = "many")]
use super::{AgreementMany, EIGHT};
use crate::{
    core::{cpu::Baseline, ct},
    curves::{edwards25519::base_multiple, montgomery::Ladder},
    fields::{Field as _, p25519::number::Number},
};

pub(crate) struct Portable {
    _cpu: Baseline,
}

impl Portable {
    #[inline]
    pub(crate) fn new(cpu: Baseline, (): ()) -> Self {
        Self { _cpu: cpu }
    }
}

impl Agreement for Portable {
    fn agree(&self, k: &[u8; 32], u: &[u8; 32], out: &mut [u8; 32]) {
        agree(k, u, out);
    }

    fn public(&self, k: &[u8; 32], out: &mut [u8; 32]) {
        public(k, out);
    }
}

#[cfg(feature = "many")]
impl AgreementMany for Portable {
    fn agree(&self, k: &[&[u8; 32]; EIGHT], u: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]) {
        for ((k, u), out) in k.iter().zip(u).zip(out) {
            agree(k, u, out);
        }
    }

    fn public(&self, k: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]) {
        for (k, out) in k.iter().zip(out) {
            public(k, out);
        }
    }
}

/// The ladder (section 5).
fn agree(k: &[u8; 32], u: &[u8; 32], out: &mut [u8; 32]) {
    let mut ladder = Ladder::new(Number::from_bytes(u));
    let mut swap = 0;
    for t in (0..255).rev() {
        let k_t = u64::from(k[t / 8] >> (t % 8) & 1);
        swap ^= k_t;
        ladder.swap_where(ct::mask(swap.wrapping_neg()));
        swap = k_t;
        ladder.step();
    }
    ladder.swap_where(ct::mask(swap.wrapping_neg()));
    let (x, z) = ladder.end();
    *out = x.times(z.inverse()).to_bytes();
}

fn public(k: &[u8; 32], out: &mut [u8; 32]) {
    *out = public_of(&base_multiple(k));
}
