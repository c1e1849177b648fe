//! GMAC, by direct calls.

use super::{aead::Gcm, api, manager::Manager};
use crate::peers::jobs;

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
}
