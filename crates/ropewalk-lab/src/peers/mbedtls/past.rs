//! Obsolete ciphers, in place.

use std::ffi::{c_int, c_uint};

use libloading::os::unix::Library;

use super::{Context, api, cipher::mode, done};
use crate::{
    peers::{Unavailable, jobs},
    tasks::{Direction, Kind, TRIPLE_DES_KEY},
};

/// Triple DES in CBC mode, one direction.
pub(super) struct TripleDes {
    api: api::TripleDes,
    context: Context,
    mode: c_int,
}

impl TripleDes {
    pub(super) fn new(
        library: &'static Library,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        // It may be built without.
        let api = api::TripleDes::load(library)
            .map_err(|_| Unavailable::no(Kind::TripleDes { direction }))?;
        let mut context = Context::new(library, "des3")?;
        let set_key = match direction {
            Direction::Encrypt => api.mbedtls_des3_set3key_enc,
            Direction::Decrypt => api.mbedtls_des3_set3key_dec,
        };
        assert_eq!(key.len(), TRIPLE_DES_KEY, "it says no length");
        // SAFETY: the context is ready, and the key has its 24 bytes.
        done(unsafe { set_key(context.get(), key.as_ptr()) }, "mbedtls_des3_set3key")?;
        Ok(Self { api, context, mode: mode(direction) })
    }
}

impl jobs::Cbc for TripleDes {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (mut iv, start, len) = (*iv, text.as_mut_ptr(), text.len());
        let (key, crypt) = (self.context.get(), self.api.mbedtls_des3_crypt_cbc);
        // SAFETY: the context has its key, the vector more than eight bytes, and the text, of whole blocks, is as long
        // as it says; it may be in place.
        let code = unsafe { crypt(key, self.mode, len, iv.as_mut_ptr(), start, start) };
        if code != 0 {
            // A failed call must not look like an answer.
            text.fill(0);
        }
    }
}

/// RC4, and the key that starts a message.
pub(super) struct Rc4 {
    api: api::Rc4,
    context: Context,
    key: Vec<u8>,
}

impl Rc4 {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        // Version 3 has none.
        let api = api::Rc4::load(library).map_err(|_| Unavailable::no(Kind::Rc4))?;
        Ok(Self { api, context: Context::new(library, "arc4")?, key: key.to_vec() })
    }
}

impl jobs::Ctr for Rc4 {
    fn start(&mut self, _: &[u8; 16]) {
        let (context, setup) = (self.context.get(), self.api.mbedtls_arc4_setup);
        // SAFETY: the context is ready, and the key has the given length.
        unsafe { setup(context, self.key.as_ptr(), self.key.len() as c_uint) }
    }

    fn update(&mut self, text: &mut [u8]) {
        let (start, crypt) = (text.as_mut_ptr(), self.api.mbedtls_arc4_crypt);
        // SAFETY: the context has its key, and the text has the given length; it may be in place.
        if unsafe { crypt(self.context.get(), text.len(), start, start) } != 0 {
            text.fill(0);
        }
    }
}
