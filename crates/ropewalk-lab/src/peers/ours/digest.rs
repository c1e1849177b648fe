//! Hash functions.

use ropewalk::{
    Hash, HashMany,
    sha3::{Shake128, Shake128Many, Shake256, Shake256Many},
};

use super::unavailable;
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::Cell,
};

/// Many messages at a time.
pub(super) fn many<M, const N: usize>(
    cell: &Cell,
    backend: &str,
) -> Result<Box<dyn Job>, Unavailable>
where
    M: HashMany<One: Hash<Digest = [u8; N]>> + 'static,
{
    // The choice between lanes and one by one is part of what a user gets.
    let many = match M::default() {
        best if best.backend() == backend => best,
        _ => M::with_backend(backend).map_err(unavailable)?,
    };
    Ok(jobs::hash(cell, Hasher { one: One(M::One::default()), many }))
}

struct Hasher<M: HashMany> {
    one: One<M::One>,
    many: M,
}

impl<M, const N: usize> jobs::Hash<N> for Hasher<M>
where
    M: HashMany<One: Hash<Digest = [u8; N]>>,
{
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        self.one.message(text, digest);
    }
    fn start(&mut self) {
        jobs::Hash::<N>::start(&mut self.one);
    }
    fn update(&mut self, text: &[u8]) {
        jobs::Hash::<N>::update(&mut self.one, text);
    }
    fn finish(&mut self, digest: &mut [u8; N]) {
        self.one.finish(digest);
    }
    fn messages(&mut self, texts: &[&[u8]], digests: &mut [[u8; N]]) {
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
    ($($Hasher:ident, $Many:ident by $many:ident: $len:literal;)+) => { $(
        /// Many messages at a time.
        pub(super) fn $many(cell: &Cell, backend: &str) -> Result<Box<dyn Job>, Unavailable> {
            let many = match $Many::new() {
                best if best.backend() == backend => best,
                _ => $Many::with_backend(backend).map_err(unavailable)?,
            };
            Ok(jobs::hash::<$len>(cell, ($Hasher::new(), many)))
        }

        impl<const N: usize> jobs::Hash<N> for ($Hasher, $Many) {
            fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
                self.0.message(text, digest);
            }
            fn start(&mut self) {
                jobs::Hash::<N>::start(&mut self.0);
            }
            fn update(&mut self, text: &[u8]) {
                self.0.update(text);
            }
            fn finish(&mut self, digest: &mut [u8; N]) {
                jobs::Hash::<N>::finish(&mut self.0, digest);
            }
            fn messages(&mut self, texts: &[&[u8]], digests: &mut [[u8; N]]) {
                self.1.digest(texts, digests).expect("as many digests as texts");
            }
        }

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
    Shake128, Shake128Many by shake128_many: 32;
    Shake256, Shake256Many by shake256_many: 64;
}
