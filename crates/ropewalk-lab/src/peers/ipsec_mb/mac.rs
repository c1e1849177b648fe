//! HMAC, CMAC and Poly1305 by jobs; GMAC by direct calls.

use std::{
    ffi::{c_int, c_void},
    ptr::{from_mut, from_ref, null},
};

use super::{
    aead::Gcm,
    api::{self, AES_CMAC, AES_CMAC_256, HMAC_MD5, HMAC_SHA_1, POLY1305},
    cipher::FILLED_IN,
    interface::Interface,
    manager::{Manager, RoundKeys},
    row::Row,
    way::Way,
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::{self, Function},
};

/// What makes tags, with its key, or one for each message of a call.
pub(super) struct Mac {
    manager: Manager,
    mac: tasks::Mac,
    keys: Vec<Keys>,
    algorithm: c_int,
    way: Way,
}

impl Mac {
    pub(super) fn new(
        manager: Manager,
        mac: tasks::Mac,
        keys: &[Vec<u8>],
    ) -> Result<Self, Unavailable> {
        let algorithm = match mac {
            tasks::Mac::Hmac(function) => hmac(function)?,
            tasks::Mac::Cmac { key_len: 16 } => AES_CMAC,
            tasks::Mac::Cmac { key_len: 32 } => AES_CMAC_256,
            tasks::Mac::Cmac { .. } => return Err(Unavailable("has no AES-192-CMAC".into())),
            tasks::Mac::Poly1305 => POLY1305,
        };
        let keys = keys.iter().map(|key| Keys::of(manager, mac, key));
        let keys = keys.collect::<Result<_, _>>()?;
        Ok(Self { manager, mac, keys, algorithm, way: Way::hash(manager, algorithm) })
    }
}

/// One message, with a key of its own.
impl jobs::Hash for Mac {
    const NOTE: &str = FILLED_IN;

    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        let mut job = job(self.algorithm, self.keys[0].places(), text, digest);
        // SAFETY: these are the keys of the algorithm, the place is as long as its tag, and the text as it says.
        unsafe { self.way.one(&mut job) }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        let keys = Keys::of(self.manager, self.mac, key);
        self.keys[0] = keys.expect("they have been made before");
        true
    }
}

impl jobs::HashCalls for Mac {
    /// What tells the library of the messages is filled in before the first call.
    fn messages(
        &mut self,
        calls: usize,
        turn: &mut jobs::Turn,
        texts: &[jobs::Text],
        tags: &mut [u8],
    ) {
        let keys = |i| jobs::of(&self.keys, i).places();
        let interface = self.manager.interface;
        let mut row = described(interface, self.algorithm, keys, turn, texts, tags);
        for _ in 0..calls {
            // SAFETY: these are the keys of the algorithm, the places are as long as its tags, and the texts as they say.
            unsafe { self.way.run(&mut row, turn.take(texts.len())) }
        }
    }
}

/// A job for each text, with what `keys` has for the place in its call.
pub(super) fn described(
    interface: Interface,
    algorithm: c_int,
    keys: impl Fn(usize) -> [*const c_void; 3],
    turn: &jobs::Turn,
    texts: &[jobs::Text],
    digests: &mut [u8],
) -> Row {
    let len = digests.len() / texts.len();
    let each = texts.iter().zip(digests.chunks_exact_mut(len)).enumerate();
    let jobs = each.map(|(i, (text, place))| job(algorithm, keys(i % turn.count()), text, place));
    Row::new(interface, jobs)
}

/// A job for one text.
fn job(hash: c_int, keys: [*const c_void; 3], text: &[u8], digest: &mut [u8]) -> api::Job {
    // Versions of 1 read a block where there is nothing.
    static NOTHING: [u8; 64] = [0; 64];
    api::Job {
        text: if text.is_empty() { NOTHING.as_ptr() } else { text.as_ptr() },
        hash_len: text.len() as u64,
        tag: digest.as_mut_ptr(),
        tag_len: digest.len() as u64,
        of_algorithm: keys,
        hash,
        ..api::Job::default()
    }
}

/// `IMB_AUTH_HMAC_SHA_1`, and so on.
pub(super) fn hmac(function: Function) -> Result<c_int, Unavailable> {
    Ok(match function {
        Function::Sha1 => HMAC_SHA_1,
        Function::Sha224 => HMAC_SHA_1 + 1,
        Function::Sha256 => HMAC_SHA_1 + 2,
        Function::Sha384 => HMAC_SHA_1 + 3,
        Function::Sha512 => HMAC_SHA_1 + 4,
        Function::Md5 => HMAC_MD5,
        _ => return Err(jobs::lacks_hmac(function)),
    })
}

/// What is made of a key once.
pub(super) enum Keys {
    /// What was absorbed with the key, inside and outside.
    Hmac(Box<[Block; 2]>),
    /// Round keys, and what goes into the last block, whether it is whole or not.
    Cmac(Box<[RoundKeys; 2]>, Box<[Block; 2]>),
    Poly1305(Box<[u8; 32]>),
}

/// As large as the largest state of a hash function.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Block([u8; 64]);

impl Keys {
    fn of(manager: Manager, mac: tasks::Mac, key: &[u8]) -> Result<Self, Unavailable> {
        match mac {
            tasks::Mac::Hmac(function) => Self::hmac(manager, function, key),
            tasks::Mac::Cmac { .. } => Ok(Self::cmac(manager, key)),
            tasks::Mac::Poly1305 => Ok(Self::Poly1305(Box::new(key.try_into().expect("32 bytes")))),
        }
    }

    pub(super) fn hmac(
        manager: Manager,
        function: Function,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let (slot, block_len) = match function {
            Function::Sha1 => (12, 64),
            Function::Sha224 => (13, 64),
            Function::Sha256 => (14, 64),
            Function::Sha384 => (15, 128),
            Function::Sha512 => (16, 128),
            Function::Md5 => (17, 64),
            _ => return Err(jobs::lacks_hmac(function)),
        };
        // SAFETY: the type is that of the functions that absorb one block.
        let absorb: api::HashBlock = unsafe { manager.function(slot) };
        let mut states = Box::new([Block([0; 64]); 2]);
        for (state, pad) in states.iter_mut().zip([0x36, 0x5c]) {
            let mut block = [pad; 128];
            block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
            let block = &block[..block_len];
            // SAFETY: there is a block of the function, and room for its state.
            unsafe { absorb(block.as_ptr().cast(), from_mut(state).cast()) }
        }
        Ok(Self::Hmac(states))
    }

    fn cmac(manager: Manager, key: &[u8]) -> Self {
        const CMAC_SUBKEY_GEN_128: usize = 9;
        const CMAC_SUBKEY_GEN_256: usize = 93;
        let schedule = manager.expand(key);
        let slot = if key.len() == 16 { CMAC_SUBKEY_GEN_128 } else { CMAC_SUBKEY_GEN_256 };
        // SAFETY: the type is that of both functions that make subkeys.
        let make: api::Expand = unsafe { manager.function(slot) };
        let mut subkeys = Box::new([Block([0; 64]); 2]);
        let [first, second] = &mut *subkeys;
        let (first, second) = (from_mut(first).cast(), from_mut(second).cast());
        // SAFETY: the round keys are those of a key of that length, and there is room for two blocks.
        unsafe { make(from_ref(&schedule[0]).cast(), first, second) }
        Self::Cmac(schedule, subkeys)
    }

    /// Where they are, in the order in which a job has them.
    pub(super) fn places(&self) -> [*const c_void; 3] {
        match self {
            Self::Hmac(states) => {
                [from_ref(&states[0]).cast(), from_ref(&states[1]).cast(), null()]
            }
            Self::Cmac(schedule, subkeys) => [
                from_ref(&schedule[0]).cast(),
                from_ref(&subkeys[0]).cast(),
                from_ref(&subkeys[1]).cast(),
            ],
            Self::Poly1305(key) => [from_ref(&**key).cast(), null(), null()],
        }
    }
}

/// GMAC by direct calls, with what AES-GCM makes of a key.
pub(super) struct Gmac {
    gcm: Gcm,
    start: api::GmacStart,
    update: api::GmacUpdate,
    finish: api::GmacFinish,
}

impl Gmac {
    pub(super) fn new(manager: Manager, key: &[u8]) -> Self {
        const GMAC128_INIT: usize = 82;
        let slot = GMAC128_INIT + (key.len() - 16) / 8;
        Self {
            gcm: Gcm::new(manager, key),
            // SAFETY: the type is that of the functions that start a message, in order of the key's length; so are
            // those that follow.
            start: unsafe { manager.function(slot) },
            // SAFETY: as above.
            update: unsafe { manager.function(slot + 3) },
            // SAFETY: as above.
            finish: unsafe { manager.function(slot + 6) },
        }
    }
}

impl jobs::Gmac for Gmac {
    fn mac(&mut self, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]) {
        let (key, context) = self.gcm.places();
        // SAFETY: the key has been made, there is room for the context, and the nonce has twelve bytes.
        unsafe { (self.start)(key, context, nonce.as_ptr(), 12) }
        // SAFETY: the message has been started, and it is as long as it says.
        unsafe { (self.update)(key, context, message.as_ptr(), message.len() as u64) }
        // SAFETY: the message is through, and there is room for a whole tag.
        unsafe { (self.finish)(key, context, tag.as_mut_ptr(), 16) }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        jobs::Aead::rekey(&mut self.gcm, key);
        true
    }
}
