//! AES-CBC of 8 messages at a time, one in each vector of 128 bits.

use super::super::many::{Chosen, EncryptMany, Message};
use crate::{
    cpu::Aesni as Cpu,
    many::chains::{Chains, KeysOfLanes, OneKey, OwnKeys, encrypt, encrypt_lanes},
    simd::x86_64::Aes1x,
    text::Texts,
};

pub(in crate::aes_cbc) struct Aesnix8 {
    cpu: Cpu,
}

impl EncryptMany for Aesnix8 {
    kernel! { Aesni: fn encrypt_many(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]) = Aesnix8::encrypt_kernel }
}

impl Aesnix8 {
    pub(in crate::aes_cbc) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn encrypt_kernel(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]) {
        let (rounds, chains) = (chosen.rounds, chosen.chains(messages));
        match chosen.one_key {
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
