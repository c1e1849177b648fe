//! Hash functions.

use ropewalk::{
    Hash,
    sha3::{Shake128, Shake256},
    sha256::{Sha256, Sha256Many},
};

use super::unavailable;
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::Cell,
};

pub(super) struct Hasher {
    pub(super) one: Sha256,
    pub(super) many: Sha256Many,
}

impl jobs::Hash<32> for Hasher {
    fn message(&mut self, text: &[u8], digest: &mut [u8; 32]) {
        *digest = self.one.digest(text);
    }
    fn start(&mut self) {
        self.one = Sha256::with_backend(self.one.backend()).expect("it is running");
    }
    fn update(&mut self, text: &[u8]) {
        self.one.update(text);
    }
    fn finish(&mut self, digest: &mut [u8; 32]) {
        *digest = self.one.clone().finish();
    }
    fn messages(&mut self, texts: &[&[u8]], digests: &mut [[u8; 32]]) {
        self.many.digest(texts, digests).expect("as many digests as texts");
    }
}

pub(super) fn hash<H: Hash<Digest = [u8; N]>, const N: usize>(
    cell: &Cell,
    backend: &str,
) -> Result<Box<dyn Job>, Unavailable> {
    let hasher = H::with_backend(backend).map_err(unavailable)?;
    Ok(jobs::hash(cell, One(hasher)))
}

/// A hash function of one message.
pub(super) struct One<H>(pub(super) H);

impl<H: Hash<Digest = [u8; N]>, const N: usize> jobs::Hash<N> for One<H> {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        *digest = self.0.digest(text);
    }
    fn start(&mut self) {
        self.0 = H::with_backend(self.0.backend()).expect("it is running");
    }
    fn update(&mut self, text: &[u8]) {
        self.0.update(text);
    }
    fn finish(&mut self, digest: &mut [u8; N]) {
        *digest = self.0.clone().finish();
    }
}

macro_rules! shake {
    ($($Hasher:ident,)+) => { $(
        impl<const N: usize> jobs::Hash<N> for $Hasher {
            fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
                self.digest(text, digest);
            }
            fn start(&mut self) {
                *self = Self::with_backend(self.backend()).expect("it is running");
            }
            fn update(&mut self, text: &[u8]) {
                self.update(text);
            }
            fn finish(&mut self, digest: &mut [u8; N]) {
                self.clone().finish().squeeze(digest);
            }
        }
    )+ };
}

shake! {
    Shake128,
    Shake256,
}
