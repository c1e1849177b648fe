//! Hash functions: a direct call for one message, jobs for several.

use std::{ffi::c_int, ptr::null};

use super::{
    api::{self, SHA_1},
    mac::described,
    manager::Manager,
    way::Way,
};
use crate::{peers::jobs, tasks::Function};

pub(super) struct Hash {
    manager: Manager,
    direct: api::Hash,
    algorithm: c_int,
    way: Way,
}

impl Hash {
    /// The hash function with that index.
    pub(super) fn new(manager: Manager, place: usize) -> Self {
        const SHA1: usize = 18;
        let algorithm = SHA_1 + place as c_int;
        Self {
            manager,
            // SAFETY: the type is that of the functions that hash one message, which stand in this order.
            direct: unsafe { manager.function(SHA1 + place) },
            algorithm,
            way: Way::hash(manager, algorithm),
        }
    }
}

/// The index of a hash function in the library.
pub(super) fn place(function: Function) -> Option<usize> {
    match function {
        Function::Sha1 => Some(0),
        Function::Sha224 => Some(1),
        Function::Sha256 => Some(2),
        Function::Sha384 => Some(3),
        Function::Sha512 => Some(4),
        _ => None,
    }
}

impl jobs::HashCalls for Hash {
    fn messages(
        &mut self,
        calls: usize,
        turn: &mut jobs::Turn,
        texts: &[jobs::Text],
        digests: &mut [u8],
    ) {
        if turn.count() > 1 {
            let keys = |_| [null(); 3];
            let interface = self.manager.interface;
            let mut row = described(interface, self.algorithm, keys, turn, texts, digests);
            for _ in 0..calls {
                // SAFETY: a hash function takes no key, and the places are as long as its digests.
                unsafe { self.way.run(&mut row, turn.take(texts.len())) }
            }
            return;
        }
        let len = digests.len() / texts.len();
        for _ in 0..calls {
            let i = turn.take_one(texts.len());
            let (text, place) = (&texts[i], digests[i * len..][..len].as_mut_ptr());
            // SAFETY: the text has the given length, and so is the place for a digest.
            unsafe { (self.direct)(text.as_ptr().cast(), text.len() as u64, place.cast()) }
        }
    }
}
