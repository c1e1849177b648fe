//! AES-CBC of 8 messages at a time, one in each vector.

use super::super::many::{Alike, Chosen, EncryptMany, Message, Part};
use crate::{
    cpu::Aes as Cpu,
    many::chains::{Chain, Chains, Key, KeysOfLanes, OneKey, OwnKeys, encrypt, encrypt_lanes},
    simd::aarch64::Aes1x,
    text::Texts,
};

pub(in crate::aes_cbc) struct Aesx8 {
    cpu: Cpu,
}

impl EncryptMany for Aesx8 {
    kernel! { Aes: fn encrypt_many(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]) = Aesx8::encrypt_kernel }
    kernel! { Aes: fn encrypt_parts(&self, keys: Alike<'_>, parts: &mut dyn Iterator<Item = Part<'_>>) = Aesx8::parts_kernel }
}

impl Aesx8 {
    pub(in crate::aes_cbc) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn encrypt_kernel(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]) {
        self.encrypt(chosen.alike(), chosen.chains(messages));
    }

    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn parts_kernel(&self, keys: Alike<'_>, parts: &mut dyn Iterator<Item = Part<'_>>) {
        self.encrypt(keys, parts.map(Part::chain));
    }

    #[inline]
    #[target_feature(enable = "aes,neon")]
    fn encrypt<'a, K: Key + ?Sized + 'a>(
        &self,
        Alike { rounds, one_key }: Alike<'_>,
        chains: impl Iterator<Item = Chain<'a, K>>,
    ) {
        match one_key {
            Some(key) => {
                encrypt(OneKey(key), rounds, chains, |chains, texts| self.lanes(chains, texts))
            }
            None => encrypt(OwnKeys::<8>::new(), rounds, chains, |chains, texts| {
                self.lanes(chains, texts)
            }),
        }
    }

    #[inline(never)]
    #[target_feature(enable = "aes,neon")]
    fn lanes<'a, Keys: KeysOfLanes<'a>>(
        &self,
        chains: &mut Chains<Keys, 8>,
        texts: &mut Texts<'_, 8>,
    ) {
        match chains.running {
            0..=2 => encrypt_lanes::<Aes1x, _, 1, 2, 8>(self.cpu, chains, texts),
            3..=4 => encrypt_lanes::<Aes1x, _, 1, 4, 8>(self.cpu, chains, texts),
            _ => encrypt_lanes::<Aes1x, _, 1, 8, 8>(self.cpu, chains, texts),
        }
    }
}
