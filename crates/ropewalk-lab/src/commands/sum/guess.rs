//! Determines the function of a digest if a list does not state it: the usual one of its length, or otherwise
//! another of that length for which a file has this digest.

use std::{
    ffi::{OsStr, OsString},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use ropewalk::hash::Algorithm;

use super::{hash::Digest, work::Entry};

/// The knowledge about the digests of a list.
pub(super) struct Guess {
    /// The list.
    pub(super) list: OsString,
    /// The index plus one of the function in [`Algorithm::ALL`] with which a file was last found to be right.
    last: AtomicUsize,
}

impl Guess {
    pub(super) fn new(list: &OsStr) -> Self {
        Self { list: list.to_owned(), last: AtomicUsize::new(0) }
    }

    fn last(&self) -> Option<Algorithm> {
        Some(Algorithm::ALL[self.last.load(Relaxed).checked_sub(1)?])
    }
}

impl Entry {
    /// Selects the function with which other files of the list were right, if it has digests of that length.
    pub(super) fn guess(&mut self) {
        let last = self.guess.as_ref().and_then(|guess| guess.last());
        if let Some(last) = last.filter(|last| last.digest_len() == self.algorithm.digest_len()) {
            self.algorithm = last;
        }
    }

    /// Tries the other functions if the digest differs from the listed one, until it matches.
    pub(super) fn guess_again(&mut self, mut digest: impl FnMut(Algorithm) -> Option<Digest>) {
        let (Some(guess), Some(listed), Some(Ok(found))) = (&self.guess, &self.listed, &self.found)
        else {
            return;
        };
        if found == listed {
            return;
        }
        for (i, other) in Algorithm::ALL.iter().enumerate() {
            let is_other = *other != self.algorithm && other.digest_len() == listed.len();
            if is_other && digest(*other).as_ref() == Some(listed) {
                guess.last.store(i + 1, Relaxed);
                self.algorithm = *other;
                self.found = Some(Ok(listed.clone()));
                return;
            }
        }
    }

    /// If the file is right with a function that was neither named nor is the usual one: the guess, and the
    /// name of the usual one.
    pub(super) fn guessed(&self) -> Option<(&Guess, &'static str)> {
        let usual = usual(self.algorithm.digest_len()).filter(|usual| *usual != self.algorithm)?;
        Some((self.guess.as_ref()?, usual.name()))
    }
}

/// The most common function with a digest of that many bytes.
pub(super) fn usual(bytes: usize) -> Option<Algorithm> {
    Some(match bytes {
        16 => Algorithm::Md5,
        20 => Algorithm::Sha1,
        28 => Algorithm::Sha224,
        32 => Algorithm::Sha256,
        48 => Algorithm::Sha384,
        64 => Algorithm::Sha512,
        _ => return None,
    })
}
