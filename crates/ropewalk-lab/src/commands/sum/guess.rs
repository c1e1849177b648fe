//! Which function a digest is of where a list does not say it: the usual one of its length, or else another of that length,
//! which a file that has this digest shows.

use std::{
    ffi::{OsStr, OsString},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use ropewalk::hash::Algorithm;

use super::{hash::Digest, work::Entry};

/// What is known of the digests of a list.
pub(super) struct Guess {
    /// The list.
    pub(super) list: OsString,
    /// The place of the function in [`Algorithm::ALL`] that a file was last found to be right by, and one more.
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
    /// Takes the function by which other files of the list were right, if it has digests of that length.
    pub(super) fn guess(&mut self) {
        let last = self.guess.as_ref().and_then(|guess| guess.last());
        if let Some(last) = last.filter(|last| last.digest_len() == self.algorithm.digest_len()) {
            self.algorithm = last;
        }
    }

    /// Tries the other functions where the digest is not the listed one, until it is.
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

    /// Where it is right by a function that is not the usual one, which was not named: what it was found by, and the name of
    /// the usual one.
    pub(super) fn guessed(&self) -> Option<(&Guess, &'static str)> {
        let usual = usual(self.algorithm.digest_len()).filter(|usual| *usual != self.algorithm)?;
        Some((self.guess.as_ref()?, usual.name()))
    }
}

/// Of the functions with a digest of that many bytes, the one that most lists are of.
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
