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

/// Batches of messages.
pub(super) fn many<M, const N: usize>(
    cell: &Cell,
    backend: &str,
) -> Result<Box<dyn Job>, Unavailable>
where
    M: HashMany<One: Hash<Digest = [u8; N]>> + 'static,
{
    let many = by_best_or_named!(M, backend).map_err(unavailable)?;
    Ok(jobs::hash_calls(cell, Many(many)))
}

struct Many<M>(M);

impl<M, const N: usize> jobs::HashCalls for Many<M>
where
    M: HashMany<One: Hash<Digest = [u8; N]>>,
{
    fn messages(
        &mut self,
        calls: usize,
        turn: &mut jobs::Turn,
        texts: &[jobs::Text],
        digests: &mut [u8],
    ) {
        side_by_side(calls, turn, texts, digests, |texts, digests| {
            self.0.digest(texts, digests).expect("as many digests as texts");
        });
    }
}

/// Makes calls with slices of texts and of digests, which a program has already.
pub(super) fn side_by_side<const N: usize>(
    calls: usize,
    turn: &mut jobs::Turn,
    texts: &[jobs::Text],
    digests: &mut [u8],
    mut call: impl FnMut(&[&[u8]], &mut [[u8; N]]),
) {
    let texts: Vec<&[u8]> = texts.iter().map(AsRef::as_ref).collect();
    let (digests, _) = digests.as_chunks_mut();
    for _ in 0..calls {
        let range = turn.take(texts.len());
        call(&texts[range.clone()], &mut digests[range]);
    }
}

pub(super) fn hash<H: Hash + 'static>(
    cell: &Cell,
    backend: &str,
) -> Result<Box<dyn Job>, Unavailable> {
    let hasher = H::with_backend(backend).map_err(unavailable)?;
    Ok(jobs::hash(cell, One(hasher)))
}

/// A hash function of one message.
pub(super) struct One<H>(pub(super) H);

impl<H: Hash> jobs::Hash for One<H> {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        digest.copy_from_slice(self.0.digest(text).as_ref());
    }
    fn start(&mut self) {
        self.0 = H::with_backend(self.0.backend()).expect("it is running");
    }
    fn update(&mut self, text: &[u8]) {
        self.0.update(text);
    }
    fn finish(&mut self, digest: &mut [u8]) {
        digest.copy_from_slice(self.0.clone().finish().as_ref());
    }
}

macro_rules! shake {
    ($($Hasher:ident by $one:ident, $Many:ident by $many:ident: $len:literal;)+) => { $(
        /// One message at a time.
        pub(super) fn $one(cell: &Cell, backend: &str) -> Result<Box<dyn Job>, Unavailable> {
            let hasher = $Hasher::with_backend(backend).map_err(unavailable)?;
            Ok(jobs::hash(cell, hasher))
        }

        /// Many messages at a time.
        pub(super) fn $many(cell: &Cell, backend: &str) -> Result<Box<dyn Job>, Unavailable> {
            let many = by_best_or_named!($Many, backend).map_err(unavailable)?;
            Ok(jobs::hash_calls(cell, many))
        }

        impl jobs::HashCalls for $Many {
            fn messages(
                &mut self,
                calls: usize,
                turn: &mut jobs::Turn,
                texts: &[jobs::Text],
                digests: &mut [u8],
            ) {
                side_by_side::<$len>(calls, turn, texts, digests, |texts, digests| {
                    self.digest(texts, digests).expect("as many digests as texts");
                });
            }
        }

        impl jobs::Hash for $Hasher {
            fn message(&mut self, text: &[u8], digest: &mut [u8]) {
                self.digest(text, digest);
            }
            fn start(&mut self) {
                *self = Self::with_backend(self.backend()).expect("it is running");
            }
            fn update(&mut self, text: &[u8]) {
                self.update(text);
            }
            fn finish(&mut self, digest: &mut [u8]) {
                self.clone().finish().squeeze(digest);
            }
        }
    )+ };
}

shake! {
    Shake128 by shake128, Shake128Many by shake128_many: 32;
    Shake256 by shake256, Shake256Many by shake256_many: 64;
}
