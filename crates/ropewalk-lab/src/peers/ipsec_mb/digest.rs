//! Hash functions: a direct call for one message, bursts for several.

use std::{ffi::c_int, ptr::null};

use super::{api, burst::Burst, manager::Manager};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Function,
};

pub(super) struct Hash {
    direct: api::Hash,
    burst: Burst,
}

impl Hash {
    pub(super) fn new(manager: Manager, function: Function) -> Result<Self, Unavailable> {
        const SHA1: usize = 18;
        const SHA_1: c_int = 13;
        let place = match function {
            Function::Sha1 => 0,
            Function::Sha224 => 1,
            Function::Sha256 => 2,
            Function::Sha384 => 3,
            Function::Sha512 => 4,
            Function::Md5 => return Err(Unavailable("has no MD5 but in HMAC".into())),
            Function::Sha512_256 => return Err(jobs::lacks(function)),
            // Newer versions have it.
            _ => return Err(Unavailable("has no SHA-3 in all of 2".into())),
        };
        Ok(Self {
            // SAFETY: the type is that of the functions that hash one message, which stand in this order.
            direct: unsafe { manager.function(SHA1 + place) },
            burst: Burst::new(manager, SHA_1 + place as c_int),
        })
    }
}

impl jobs::HashCalls for Hash {
    fn messages(
        &mut self,
        calls: usize,
        turn: &mut jobs::Turn,
        texts: &[Vec<u8>],
        digests: &mut [u8],
    ) {
        if turn.count() > 1 {
            // SAFETY: a hash function takes no key, and the places are as long as its digests.
            return unsafe { self.burst.run(|_| [null(); 3], calls, turn, texts, digests) };
        }
        let len = digests.len() / texts.len();
        for _ in 0..calls {
            let i = turn.take_one(texts.len());
            let (text, place) = (&texts[i], digests[i * len..][..len].as_mut_ptr());
            // SAFETY: the text is as long as it says, and so is the place for a digest.
            unsafe { (self.direct)(text.as_ptr().cast(), text.len() as u64, place.cast()) }
        }
    }
}
