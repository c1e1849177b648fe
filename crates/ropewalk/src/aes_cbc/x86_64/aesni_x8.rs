//! AES-CBC of 8 messages at a time, one in each vector of 128 bits.

use super::super::many::{Alike, Chosen, EncryptMany, Message, Part};
use crate::{
    cpu::Aesni as Cpu,
    many::chains::{Chain, Chains, Key, KeysOfLanes, OneKey, OwnKeys, encrypt, encrypt_lanes},
    simd::x86_64::Aes1x,
    text::Texts,
};

pub(in crate::aes_cbc) struct Aesnix8 {
    cpu: Cpu,
}

impl EncryptMany for Aesnix8 {
    kernel! { Aesni: fn encrypt_many(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]) = Aesnix8::encrypt_kernel }
    kernel! { Aesni: fn encrypt_parts(&self, keys: Alike<'_>, parts: &mut dyn Iterator<Item = Part<'_>>) = Aesnix8::parts_kernel }
}

impl Aesnix8 {
    pub(in crate::aes_cbc) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn encrypt_kernel(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]) {
        self.encrypt(chosen.alike(), chosen.chains(messages));
    }

    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn parts_kernel(&self, keys: Alike<'_>, parts: &mut dyn Iterator<Item = Part<'_>>) {
        self.encrypt(keys, parts.map(Part::chain));
    }

    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
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
    #[target_feature(enable = "aes,sse4.1,ssse3")]
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
