//! The manager, which holds the functions for its processor.

use std::{
    ffi::c_void,
    ptr::{from_mut, null_mut},
};

use libloading::os::unix::Library;

use super::{api, interface::Interface};
use crate::peers::Unavailable;

/// A manager of the library, which lives until the process ends.
#[derive(Clone, Copy)]
pub(super) struct Manager {
    pub(super) place: *mut c_void,
    pub(super) interface: Interface,
}

impl Manager {
    /// The manager for the processor, modified by words: `sse` or `avx2` instead of the default, `no-sha`,
    /// `no-gfni`.
    pub(super) fn new(
        library: &'static Library,
        interface: Interface,
        words: &str,
    ) -> Result<Self, Unavailable> {
        let api = api::Make::load(library)?;
        let has = |word: &str| words.split(',').any(|given| given == word);
        const NO_SHA: u64 = 1;
        let flags = [("no-sha", NO_SHA), ("no-gfni", interface.no_gfni)];
        let flags = flags.iter().filter(|(word, _)| has(word)).map(|(_, flag)| flag).sum();
        // SAFETY: both flags are known, and it may answer null.
        let made = unsafe { (api.alloc_mb_mgr)(flags) };
        if made.is_null() {
            return Err(Unavailable("alloc_mb_mgr failed".into()));
        }
        if has("sse") {
            // SAFETY: it has been allocated.
            unsafe { (api.init_mb_mgr_sse)(made) }
        } else if has("avx2") {
            // SAFETY: as above.
            unsafe { (api.init_mb_mgr_avx2)(made) }
        } else {
            // SAFETY: as above; which it chooses need not be said.
            unsafe { (api.init_mb_mgr_auto)(made, null_mut()) }
        }
        // SAFETY: it has been allocated.
        match unsafe { (api.imb_get_errno)(made) } {
            0 => Ok(Self { place: made, interface }),
            _ => Err(Unavailable("needs features that this processor lacks".into())),
        }
    }

    /// A function of its table, at an offset that the public header fixes: new functions are added at the
    /// end.
    ///
    /// # Safety
    /// `F` must be the type of that function in the header.
    pub(super) unsafe fn function<F: Copy>(self, slot: usize) -> F {
        const TABLE: usize = 64;
        assert_eq!(size_of::<F>(), size_of::<fn()>(), "a function pointer");
        // SAFETY: the table is inside the manager, which has been initialised.
        let at = unsafe { self.place.byte_add(TABLE + slot * size_of::<fn()>()) };
        // SAFETY: a function of this type stands there, as the caller promises.
        unsafe { at.cast::<F>().read() }
    }

    /// Makes the round keys of both directions.
    pub(super) fn expand(self, key: &[u8]) -> Box<[RoundKeys; 2]> {
        let mut keys = Box::new([RoundKeys([0; 240]); 2]);
        self.expand_to(key, &mut keys);
        keys
    }

    /// The same, over existing ones.
    pub(super) fn expand_to(self, key: &[u8], keys: &mut [RoundKeys; 2]) {
        const KEYEXP_128: usize = 6;
        let slot = KEYEXP_128 + (key.len() - 16) / 8;
        // SAFETY: the type is that of the key expansions, which stand in order of length.
        let expand: api::Expand = unsafe { self.function(slot) };
        let [encrypt, decrypt] = keys;
        let (encrypt, decrypt) = (from_mut(encrypt).cast(), from_mut(decrypt).cast());
        // SAFETY: the key is as long as the function's name says, and there is space for 15 round
        // keys twice.
        unsafe { expand(key.as_ptr().cast(), encrypt, decrypt) }
    }
}

/// Up to 15 round keys.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct RoundKeys([u8; 240]);
