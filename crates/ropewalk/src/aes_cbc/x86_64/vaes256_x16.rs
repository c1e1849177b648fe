//! AES-CBC of 16 messages at a time, two in each vector of 256 bits.

use super::{
    super::many::{Alike, Chosen, EncryptMany, Message, Part},
    vaes256,
};
use crate::{
    cpu::Vaes256 as Cpu,
    many::chains::{Chain, Chains, Key, KeysOfLanes, OneKey, OwnKeys, encrypt, encrypt_lanes},
    simd::x86_64::Aes2x,
    text::{Text, Texts},
};

pub(in crate::aes_cbc) struct Vaes256x16 {
    cpu: Cpu,
}

impl EncryptMany for Vaes256x16 {
    kernel! { Vaes256: fn encrypt_many(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]) = Vaes256x16::encrypt_kernel }
    kernel! { Vaes256: fn encrypt_parts(&self, keys: Alike<'_>, parts: &mut dyn Iterator<Item = Part<'_>>) = Vaes256x16::parts_kernel }
    kernel! { Vaes256: fn decrypt_part(&self, part: Part<'_>) = Vaes256x16::decrypt_kernel }
}

impl Vaes256x16 {
    pub(in crate::aes_cbc) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx2")]
    fn encrypt_kernel(&self, chosen: Chosen<'_>, messages: &mut [Message<'_>]) {
        self.encrypt(chosen.alike(), chosen.chains(messages));
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx2")]
    fn parts_kernel(&self, keys: Alike<'_>, parts: &mut dyn Iterator<Item = Part<'_>>) {
        self.encrypt(keys, parts.map(Part::chain));
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx2")]
    fn encrypt<'a, K: Key + ?Sized + 'a>(
        &self,
        Alike { rounds, one_key }: Alike<'_>,
        chains: impl Iterator<Item = Chain<'a, K>>,
    ) {
        match one_key {
            Some(key) => {
                encrypt(OneKey(key), rounds, chains, |chains, texts| self.lanes(chains, texts))
            }
            None => encrypt(OwnKeys::<16>::new(), rounds, chains, |chains, texts| {
                self.lanes(chains, texts)
            }),
        }
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx2")]
    fn decrypt_kernel(&self, Part { cbc, before, text }: Part<'_>) {
        let text = Text::in_place(text);
        match cbc.decrypting_keys() {
            Some(keys) => vaes256::decrypt_long(keys.view(), before, text),
            None => cbc.decrypt(before, text),
        }
    }

    #[inline(never)]
    #[target_feature(enable = "vaes,aes,avx2")]
    fn lanes<'a, Keys: KeysOfLanes<'a>>(
        &self,
        chains: &mut Chains<Keys, 16>,
        texts: &mut Texts<'_, 16>,
    ) {
        match chains.running {
            0..=4 => encrypt_lanes::<Aes2x, _, 2, 2, 16>(self.cpu, chains, texts),
            5..=8 => encrypt_lanes::<Aes2x, _, 2, 4, 16>(self.cpu, chains, texts),
            _ => encrypt_lanes::<Aes2x, _, 2, 8, 16>(self.cpu, chains, texts),
        }
    }
}
