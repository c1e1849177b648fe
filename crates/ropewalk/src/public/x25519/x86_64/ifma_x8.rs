//! X25519 for eight keys, with products of 52 bits on 512.

use super::super::{AgreementMany, EIGHT};
use crate::{
    core::{cpu::Avx512Ifma, secret::Wiped},
    curves::{
        montgomery::Ladder,
        x86_64::{Lanes, base_multiples, lanes, quotients},
    },
};

pub(crate) struct IfmaX8 {
    cpu: Avx512Ifma,
}

impl IfmaX8 {
    #[inline]
    pub(crate) fn new(cpu: Avx512Ifma, (): ()) -> Self {
        Self { cpu }
    }
}

impl AgreementMany for IfmaX8 {
    fn agree(&self, k: &[&[u8; 32]; EIGHT], u: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]) {
        let u = lanes(self.cpu, u);
        let bits = Wiped::new(bits(k));
        let bits = &*bits;
        let (x, z) = proven!(Avx512Ifma: self.cpu, once fn enter(u: Lanes, bits: &[u8; 256]) -> (Lanes, Lanes) {
            let mut ladder = Ladder::new(u);
            let mut swap = 0;
            for &k_t in bits[..255].iter().rev() {
                ladder.swap_where(swap ^ k_t);
                swap = k_t;
                ladder.step();
            }
            ladder.swap_where(swap);
            ladder.end()
        });
        quotients(self.cpu, [&x], &z, [out]);
    }

    fn public(&self, k: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]) {
        let point = base_multiples(self.cpu, k);
        let (y, z) = (point.y, point.z);
        let (a, b) = proven!(Avx512Ifma: self.cpu, once fn enter(y: Lanes, z: Lanes) -> (Lanes, Lanes) { (z + y, z - y) });
        quotients(self.cpu, [&a], &b, [out]);
    }
}

/// Bit t of each scalar, as the mask of its lanes.
fn bits(k: &[&[u8; 32]; EIGHT]) -> [u8; 256] {
    let mut bits = [0; 256];
    for (lane, k) in k.iter().enumerate() {
        for (bits, byte) in bits.as_chunks_mut::<8>().0.iter_mut().zip(*k) {
            for (t, bit) in bits.iter_mut().enumerate() {
                *bit |= (byte >> t & 1) << lane;
            }
        }
    }
    bits
}
