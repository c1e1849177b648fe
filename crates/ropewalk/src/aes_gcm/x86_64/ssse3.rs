//! AES-GCM from lookups of bytes on 128 bits.

use zeroize::Zeroize;

use super::super::{Aead, Secret, vperm::HashKey};
use crate::{
    aes::{Block, RoundKeys, vperm},
    cpu::Ssse3 as Cpu,
    secret::Wiped,
    simd::{Bytes, x86_64::U8x16},
    text::Text,
};

pub(in crate::aes_gcm) struct Ssse3 {
    cpu: Cpu,
    keys: RoundKeys,
    /// Elsewhere, for no other backend has so much.
    h: Box<Wiped<HashKey>>,
}

impl Aead for Ssse3 {
    kernel! { Ssse3: fn ctr(&self, counter: &Block, text: Text<'_>) = Ssse3::ctr_kernel }
    kernel! { Ssse3: fn ctr_secret(&self, counter: &Block, text: Text<'_>) = Ssse3::ctr_secret_kernel }
    kernel! { Ssse3: fn absorb(&self, hash: &mut Block, data: &[u8]) = Ssse3::absorb_kernel }

    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

kernel! { Ssse3: fn make(cpu, proof: Cpu, secret: &[u8]) -> (RoundKeys, HashKey) = make_kernel }

impl Ssse3 {
    #[inline]
    pub(in crate::aes_gcm) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        let (keys, h) = make(cpu, cpu, secret);
        Self { cpu, keys, h: Box::new(Wiped::new(h)) }
    }

    #[target_feature(enable = "ssse3")]
    fn ctr_kernel(&self, counter: &Block, text: Text<'_>) {
        vperm::apply::<U8x16, 1>(self.cpu, &self.keys, counter, text);
    }

    #[target_feature(enable = "ssse3")]
    fn ctr_secret_kernel(&self, counter: &Block, text: Text<'_>) {
        vperm::apply_secret::<U8x16, 1>(self.cpu, &self.keys, counter, text);
    }

    #[target_feature(enable = "ssse3")]
    fn absorb_kernel(&self, hash: &mut Block, data: &[u8]) {
        self.h.absorb::<U8x16>(self.cpu, hash, data);
    }
}

#[target_feature(enable = "ssse3")]
fn make_kernel(cpu: Cpu, secret: &[u8]) -> (RoundKeys, HashKey) {
    let keys = vperm::expand::<U8x16, 1>(cpu, secret);
    let mut h = [[0; 16]];
    let [x] = vperm::encrypt(cpu, &keys, [U8x16::splat(cpu, &h[0])]);
    x.store(&mut h);
    let key = HashKey::new::<U8x16>(cpu, &h[0]);
    h.as_flattened_mut().zeroize();
    (keys, key)
}
