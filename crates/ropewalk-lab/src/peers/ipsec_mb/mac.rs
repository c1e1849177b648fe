//! HMAC, CMAC and Poly1305 with jobs; GMAC with direct calls.

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
    peers::jobs,
    tasks::{self, Function},
};

/// A MAC of the library.
#[derive(Clone, Copy)]
pub(super) enum Algorithm {
    Hmac(Hmac),
    /// The number of its algorithm.
    Cmac(c_int),
    Poly1305,
}

/// HMAC of the library.
#[derive(Clone, Copy)]
pub(super) struct Hmac {
    /// The number of its algorithm: `IMB_AUTH_HMAC_SHA_1`, and so on.
    pub(super) number: c_int,
    /// The index of the function that hashes one block.
    slot: usize,
    block_len: usize,
}

/// The MAC, if the library has it.
pub(super) fn of(mac: tasks::Mac) -> Option<Algorithm> {
    match mac {
        tasks::Mac::Hmac(function) => hmac(function).map(Algorithm::Hmac),
        tasks::Mac::Cmac { key_len: 16 } => Some(Algorithm::Cmac(AES_CMAC)),
        tasks::Mac::Cmac { key_len: 32 } => Some(Algorithm::Cmac(AES_CMAC_256)),
        tasks::Mac::Cmac { .. } => None,
        tasks::Mac::Poly1305 => Some(Algorithm::Poly1305),
    }
}

/// HMAC of that hash function, if the library has it.
pub(super) fn hmac(function: Function) -> Option<Hmac> {
    let (number, slot) = match function {
        Function::Sha1 => (HMAC_SHA_1, 12),
        Function::Sha224 => (HMAC_SHA_1 + 1, 13),
        Function::Sha256 => (HMAC_SHA_1 + 2, 14),
        Function::Sha384 => (HMAC_SHA_1 + 3, 15),
        Function::Sha512 => (HMAC_SHA_1 + 4, 16),
        Function::Md5 => (HMAC_MD5, 17),
        _ => return None,
    };
    Some(Hmac { number, slot, block_len: function.block_len() })
}

/// A MAC with its key, or with a key for each message of a call.
pub(super) struct Mac {
    manager: Manager,
    algorithm: Algorithm,
    number: c_int,
    keys: Vec<Keys>,
    way: Way,
}

impl Mac {
    pub(super) fn new(manager: Manager, algorithm: Algorithm, keys: &[Vec<u8>]) -> Self {
        let number = match algorithm {
            Algorithm::Hmac(hmac) => hmac.number,
            Algorithm::Cmac(number) => number,
            Algorithm::Poly1305 => POLY1305,
        };
        let keys = keys.iter().map(|key| Keys::of(manager, algorithm, key)).collect();
        Self { manager, algorithm, number, keys, way: Way::hash(manager, number) }
    }
}

/// One message, with a separate key.
impl jobs::Hash for Mac {
    const NOTE: &str = FILLED_IN;

    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        let mut job = job(self.number, self.keys[0].places(), text, digest);
        // SAFETY: these are the keys of the algorithm, the place is as long as its tag, and the text as it says.
        unsafe { self.way.one(&mut job) }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.keys[0] = Keys::of(self.manager, self.algorithm, key);
        true
    }
}

impl jobs::HashCalls for Mac {
    /// The descriptions of the messages are filled in before the first call.
    fn messages(
        &mut self,
        calls: usize,
        turn: &mut jobs::Turn,
        texts: &[jobs::Text],
        tags: &mut [u8],
    ) {
        let keys = |i| jobs::of(&self.keys, i).places();
        let interface = self.manager.interface;
        let mut row = described(interface, self.number, keys, turn, texts, tags);
        for _ in 0..calls {
            // SAFETY: these are the keys of the algorithm, the places are as long as its tags, and the texts as they say.
            unsafe { self.way.run(&mut row, turn.take(texts.len())) }
        }
    }
}

/// A job for each text, with the keys that `keys` returns for its index in the call.
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
    // Versions of 1 read a block even if the text is empty.
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

/// An expanded key.
pub(super) enum Keys {
    /// The states after absorbing the key, inner and outer.
    Hmac(Box<[Block; 2]>),
    /// Round keys, and the two subkeys for the last block.
    Cmac(Box<[RoundKeys; 2]>, Box<[Block; 2]>),
    Poly1305(Box<[u8; 32]>),
}

/// As large as the largest state of a hash function.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Block([u8; 64]);

impl Keys {
    fn of(manager: Manager, algorithm: Algorithm, key: &[u8]) -> Self {
        match algorithm {
            Algorithm::Hmac(hmac) => Self::hmac(manager, hmac, key),
            Algorithm::Cmac(_) => Self::cmac(manager, key),
            Algorithm::Poly1305 => Self::Poly1305(Box::new(key.try_into().expect("32 bytes"))),
        }
    }

    pub(super) fn hmac(manager: Manager, Hmac { slot, block_len, .. }: Hmac, key: &[u8]) -> Self {
        // SAFETY: the type is that of the functions that absorb one block.
        let absorb: api::HashBlock = unsafe { manager.function(slot) };
        let mut states = Box::new([Block([0; 64]); 2]);
        for (state, pad) in states.iter_mut().zip([0x36, 0x5c]) {
            let mut block = [pad; 128];
            block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
            let block = &block[..block_len];
            // SAFETY: there is a block of the function, and space for its state.
            unsafe { absorb(block.as_ptr().cast(), from_mut(state).cast()) }
        }
        Self::Hmac(states)
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
        // SAFETY: the round keys are those of a key of that length, and there is space for two blocks.
        unsafe { make(from_ref(&schedule[0]).cast(), first, second) }
        Self::Cmac(schedule, subkeys)
    }

    /// The addresses of the keys, in the order of a job.
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

/// GMAC with direct calls, and the expanded key of AES-GCM.
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
        // SAFETY: the key has been made, there is space for the context, and the nonce has twelve bytes.
        unsafe { (self.start)(key, context, nonce.as_ptr(), 12) }
        // SAFETY: the message has been started, and it has the given length.
        unsafe { (self.update)(key, context, message.as_ptr(), message.len() as u64) }
        // SAFETY: the message is through, and there is space for a whole tag.
        unsafe { (self.finish)(key, context, tag.as_mut_ptr(), 16) }
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        jobs::Aead::rekey(&mut self.gcm, key);
        true
    }
}
