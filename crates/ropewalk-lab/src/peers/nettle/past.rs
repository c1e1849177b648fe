//! Obsolete ciphers, in place.

use libloading::os::unix::Library;

use super::{Context, api};
use crate::{
    peers::{Unavailable, jobs},
    tasks::{Direction, RC4_KEY, TRIPLE_DES_KEY},
};

/// Triple DES in CBC mode, one direction.
pub(super) struct TripleDes {
    chain: api::Decrypt,
    block: api::Block,
    key: Context,
}

impl TripleDes {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let (api, chaining) = (api::TripleDes::load(library)?, api::Chaining::load(library)?);
        let (chain, block): (api::Decrypt, api::Block) = match direction {
            Direction::Encrypt => (chaining.nettle_cbc_encrypt, api.nettle_des3_encrypt),
            Direction::Decrypt => (chaining.nettle_cbc_decrypt, api.nettle_des3_decrypt),
        };
        assert_eq!(key.len(), TRIPLE_DES_KEY, "it says no length");
        let mut context = Context::new();
        // SAFETY: there is space for three key schedules, and the key has its 24 bytes.
        match unsafe { (api.nettle_des3_set_key)(context.get(), key.as_ptr()) } {
            1 => Ok(Self { chain, block, key: context }),
            _ => Err(Unavailable("nettle_des3_set_key failed".into())),
        }
    }
}

impl jobs::Cbc for TripleDes {
    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (mut iv, start, len) = (*iv, text.as_mut_ptr(), text.len());
        let (key, iv) = (self.key.get(), iv.as_mut_ptr());
        // SAFETY: the context has its key, the vector more than eight bytes, and the text, of whole blocks, is as long
        // as it says; it may be in place.
        unsafe { (self.chain)(key, self.block, 8, iv, len, start, start) }
    }
}

/// RC4, and the key that starts a message.
pub(super) struct Rc4 {
    api: api::Rc4,
    key: [u8; RC4_KEY],
    running: Context,
}

impl Rc4 {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let key = key.try_into().expect("as many bytes");
        Ok(Self { api: api::Rc4::load(library)?, key, running: Context::new() })
    }
}

impl jobs::Ctr for Rc4 {
    fn start(&mut self, _: &[u8; 16]) {
        // SAFETY: there is space for the context, and the key has its sixteen bytes.
        unsafe { (self.api.nettle_arcfour128_set_key)(self.running.get(), self.key.as_ptr()) }
    }

    fn update(&mut self, text: &mut [u8]) {
        let start = text.as_mut_ptr();
        // SAFETY: the message has been started, and the text has the given length; it may be in place.
        unsafe { (self.api.nettle_arcfour_crypt)(self.running.get(), text.len(), start, start) }
    }
}
