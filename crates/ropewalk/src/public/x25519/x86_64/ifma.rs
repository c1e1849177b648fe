//! X25519 for one key: its products are spread over lanes of 52 bits.

use super::super::{Agreement, public_of};
use crate::{
    core::cpu::Avx512Ifma,
    curves::x86_64::spread::{base_multiple, ladder},
    fields::Field as _,
};

pub(crate) struct Ifma {
    cpu: Avx512Ifma,
}

impl Ifma {
    #[inline]
    pub(crate) fn new(cpu: Avx512Ifma, (): ()) -> Self {
        Self { cpu }
    }
}

impl Agreement for Ifma {
    fn agree(&self, k: &[u8; 32], u: &[u8; 32], out: &mut [u8; 32]) {
        let (x, z) = ladder(self.cpu, k, u);
        *out = x.times(z.inverse()).to_bytes();
    }

    fn public(&self, k: &[u8; 32], out: &mut [u8; 32]) {
        *out = public_of(&base_multiple(self.cpu, k));
    }
}
