//! Arm's AArch64cryptolib: AES-GCM, with keys that are kept. Upstream builds a static archive; the lab needs
//! a shared library of it.
//!
//! It reads and writes whole blocks, and requires space after a partial block.

use std::ffi::{c_int, c_void};

use libloading::os::unix::Library;

use super::{
    Job, Opened, Peer, Unavailable,
    dl::{self, functions},
    jobs,
};
use crate::tasks::{Cell, Kind, Mac};

/// AArch64cryptolib.
pub(super) struct AArch64Cryptolib;

impl Peer for AArch64Cryptolib {
    fn name(&self) -> &'static str {
        "aarch64cryptolib"
    }

    fn has(&self) -> &'static [&'static str] {
        &["aes-*-gcm", "aes-*-gmac"]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libAArch64crypto.so"]
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let api = Api::load(library)?;
        let path = dl::file_of(api.armv8_aes_gcm_set_constants as *const () as usize);
        Ok(Box::new(Loaded { library, path }))
    }
}

struct Loaded {
    library: &'static Library,
    path: Option<String>,
}

impl Opened for Loaded {
    /// It reports none.
    fn version(&self) -> String {
        "AArch64cryptolib".into()
    }

    fn path(&self) -> Option<String> {
        self.path.clone()
    }

    fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
        let api = Api::load(self.library)?;
        match cell.task.kind {
            Kind::Gcm { op, key_len } => {
                jobs::aead(cell, op, key_len, move |key| Gcm::new(api, key))
            }
            Kind::Gmac { key_len } => {
                jobs::gmac(cell, key_len, move |key| Gcm::new(api, key).map(jobs::HeaderAlone))
            }
            Kind::Records { .. } | Kind::Cbc { .. } | Kind::Mac(Mac::Hmac(_)) => {
                Err(Unavailable("has AES-CBC with a MAC of what it has encrypted alone".into()))
            }
            _ => Err(Unavailable::lacks(&AArch64Cryptolib, cell.task)),
        }
    }
}

functions! {
    /// Declarations of `AArch64cryptolib.h`; 0 is no error. Lengths are in bits.
    Api {
        fn armv8_aes_gcm_set_constants(
            mode: c_int,
            tag_bytes: u8,
            key: *mut u8,
            constants: *mut c_void,
        ) -> c_int;
        fn armv8_aes_gcm_set_counter(nonce: *mut u8, nonce_bits: u64, state: *mut State) -> c_int;
        fn armv8_enc_aes_gcm_from_state(
            state: *mut State,
            aad: *mut u8,
            aad_bits: u64,
            text: *mut u8,
            text_bits: u64,
            sealed: *mut u8,
            tag: *mut u8,
        ) -> c_int;
        fn armv8_dec_aes_gcm_from_state(
            state: *mut State,
            aad: *mut u8,
            aad_bits: u64,
            sealed: *mut u8,
            sealed_bits: u64,
            tag: *mut u8,
            text: *mut u8,
        ) -> c_int;
    }
}

/// `armv8_cipher_state_t`.
#[repr(C, align(16))]
pub(super) struct State {
    counter: [u8; 16],
    tag: [u8; 16],
    constants: *mut c_void,
}

/// An expanded key, and buffers for partial blocks.
struct Gcm {
    api: Api,
    /// `armv8_cipher_constants_t`, whose size depends on the build; it is at most 440 bytes.
    constants: Box<[u128; 64]>,
    aad: Vec<u8>,
    from: Vec<u8>,
    to: Vec<u8>,
}

impl Gcm {
    fn new(api: Api, key: &[u8]) -> Result<Self, Unavailable> {
        let constants = Box::new([0; 64]);
        let mut gcm = Self { api, constants, aad: Vec::new(), from: Vec::new(), to: Vec::new() };
        match gcm.set_key(key) {
            true => Ok(gcm),
            false => Err(Unavailable("armv8_aes_gcm_set_constants failed".into())),
        }
    }

    fn set_key(&mut self, key: &[u8]) -> bool {
        const TAG: u8 = 16;
        let mode = (key.len() as c_int - 16) / 8;
        let (mut key, constants) = (key.to_vec(), self.constants.as_mut_ptr().cast());
        // SAFETY: the key is as long as the mode says, and there is space for the constants.
        unsafe {
            (self.api.armv8_aes_gcm_set_constants)(mode, TAG, key.as_mut_ptr(), constants) == 0
        }
    }

    /// The initial state of a message.
    fn state(&mut self, nonce: &[u8; 12]) -> Option<State> {
        let constants = self.constants.as_mut_ptr().cast();
        let mut state = State { counter: [0; 16], tag: [0; 16], constants };
        let mut block = [0; 16];
        block[..12].copy_from_slice(nonce);
        // SAFETY: the nonce has room for a whole block, and the state its constants.
        let set =
            unsafe { (self.api.armv8_aes_gcm_set_counter)(block.as_mut_ptr(), 96, &mut state) };
        (set == 0).then_some(state)
    }

    /// Header data, padded to whole blocks.
    fn set_aad(&mut self, aad: &[u8]) {
        self.aad.clear();
        self.aad.extend_from_slice(aad);
        self.aad.resize(aad.len().next_multiple_of(16), 0);
    }
}

/// Why other lengths are timed with a copy.
const COPIES: &str = "asks for whole blocks: of messages of other lengths a copy counts";

impl jobs::Aead for Gcm {
    const SEAL_NOTE: &str = COPIES;
    const OPEN_NOTE: &str = COPIES;

    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        self.set_aad(aad);
        let (len, whole) = (text.len(), text.len().is_multiple_of(16));
        if !whole {
            self.from.clear();
            self.from.extend_from_slice(text);
            self.from.resize(len.next_multiple_of(16), 0);
        }
        let start = if whole { text.as_mut_ptr() } else { self.from.as_mut_ptr() };
        let sealed = self.state(nonce).is_some_and(|mut state| {
            let (header, bits) = (self.aad.as_mut_ptr(), aad.len() as u64 * 8);
            let seal = self.api.armv8_enc_aes_gcm_from_state;
            // SAFETY: the state has its constants and its counter; header data and text have the given lengths, with
            // room for whole blocks, and the text may be in place; a tag takes sixteen bytes.
            let done = unsafe {
                seal(&mut state, header, bits, start, len as u64 * 8, start, tag.as_mut_ptr())
            };
            done == 0
        });
        if !sealed {
            // A failed call must not look like an answer.
            text.fill(0);
            tag.fill(0);
        } else if !whole {
            text.copy_from_slice(&self.from[..len]);
        }
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        assert_eq!(sealed.len(), text.len(), "a place for it");
        self.set_aad(aad);
        let (len, whole) = (text.len(), text.len().is_multiple_of(16));
        if !whole {
            self.from.clear();
            self.from.extend_from_slice(sealed);
            self.from.resize(len.next_multiple_of(16), 0);
            self.to.resize(len.next_multiple_of(16), 0);
        }
        let (from, to) = match whole {
            // It takes a mutable pointer, and does not write.
            true => (sealed.as_ptr().cast_mut(), text.as_mut_ptr()),
            false => (self.from.as_mut_ptr(), self.to.as_mut_ptr()),
        };
        let mut tag = *tag;
        let opened = self.state(nonce).is_some_and(|mut state| {
            let (header, bits) = (self.aad.as_mut_ptr(), aad.len() as u64 * 8);
            let open = self.api.armv8_dec_aes_gcm_from_state;
            // SAFETY: as for `seal`, with another place for the text.
            let done = unsafe {
                open(&mut state, header, bits, from, len as u64 * 8, tag.as_mut_ptr(), to)
            };
            done == 0
        });
        if opened && !whole {
            text.copy_from_slice(&self.to[..len]);
        }
        opened
    }

    fn rekey(&mut self, key: &[u8]) {
        assert!(self.set_key(key), "it takes a key");
    }
}
