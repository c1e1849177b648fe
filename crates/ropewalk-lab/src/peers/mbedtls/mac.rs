//! HMAC, CMAC and Poly1305.

use std::ffi::{CStr, c_int, c_void};

use libloading::os::unix::Library;

use super::{Context, api, done};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Function,
};

/// A context with its key; it is reset for each message.
pub(super) struct Hmac {
    api: api::Hmac,
    made: Made,
}

/// A context, and whether every call since the start has succeeded.
struct Made {
    context: Context,
    sound: bool,
}

impl Made {
    fn update(
        &mut self,
        update: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
        text: &[u8],
    ) {
        // SAFETY: the context has been started, and the text has the given length.
        self.sound &= unsafe { update(self.context.get(), text.as_ptr(), text.len()) } == 0;
    }

    fn finish(
        &mut self,
        finish: unsafe extern "C" fn(*mut c_void, *mut u8) -> c_int,
        tag: &mut [u8],
    ) {
        // SAFETY: the context has been started, and a tag of the function is as long as its buffer.
        let code = unsafe { finish(self.context.get(), tag.as_mut_ptr()) };
        if !(self.sound && code == 0) {
            // A failed call must not look like an answer.
            tag.fill(0);
        }
    }
}

impl Hmac {
    /// None if the library has no hash function of that name.
    pub(super) fn new(
        library: &'static Library,
        name: &CStr,
        key: &[u8],
    ) -> Result<Option<Self>, Unavailable> {
        let (api, mut context) = (api::Hmac::load(library)?, Context::new(library, "md")?);
        // SAFETY: the name is a string.
        let info = unsafe { (api.mbedtls_md_info_from_string)(name.as_ptr()) };
        if info.is_null() {
            return Ok(None);
        }
        // SAFETY: the context is ready, and what describes the function is the library's own.
        let code = unsafe { (api.mbedtls_md_setup)(context.get(), info, 1) };
        done(code, "mbedtls_md_setup")?;
        let mut hmac = Self { api, made: Made { context, sound: true } };
        done(hmac.set_key(key), "mbedtls_md_hmac_starts")?;
        Ok(Some(hmac))
    }

    fn set_key(&mut self, key: &[u8]) -> c_int {
        let starts = self.api.mbedtls_md_hmac_starts;
        // SAFETY: the context knows its function, and the key has the given length.
        unsafe { starts(self.made.context.get(), key.as_ptr(), key.len()) }
    }
}

/// Its name for `mbedtls_md_info_from_string`.
pub(super) fn name(function: Function) -> Option<&'static CStr> {
    Some(match function {
        Function::Md5 => c"MD5",
        Function::Sha1 => c"SHA1",
        Function::Sha224 => c"SHA224",
        Function::Sha256 => c"SHA256",
        Function::Sha384 => c"SHA384",
        Function::Sha512 => c"SHA512",
        Function::Sha3_224 => c"SHA3-224",
        Function::Sha3_256 => c"SHA3-256",
        Function::Sha3_384 => c"SHA3-384",
        Function::Sha3_512 => c"SHA3-512",
        _ => return None,
    })
}

impl jobs::Hash for Hmac {
    fn message(&mut self, text: &[u8], tag: &mut [u8]) {
        jobs::Hash::start(self);
        jobs::Hash::update(self, text);
        self.finish(tag);
    }

    fn start(&mut self) {
        // SAFETY: the context has its key.
        let code = unsafe { (self.api.mbedtls_md_hmac_reset)(self.made.context.get()) };
        self.made.sound = code == 0;
    }

    fn update(&mut self, text: &[u8]) {
        self.made.update(self.api.mbedtls_md_hmac_update, text);
    }

    fn finish(&mut self, tag: &mut [u8]) {
        self.made.finish(self.api.mbedtls_md_hmac_finish, tag);
    }

    fn message_fresh(&mut self, key: &[u8], text: &[u8], tag: &mut [u8]) -> bool {
        self.made.sound = self.set_key(key) == 0;
        jobs::Hash::update(self, text);
        self.finish(tag);
        self.made.sound
    }
}

/// A context with its key; it is reset for each message. It is not rekeyed: a restart allocates memory that
/// is not freed.
pub(super) struct Cmac {
    api: api::Cmac,
    made: Made,
}

impl Cmac {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let (api, mut context) = (api::Cmac::load(library)?, Context::new(library, "cipher")?);
        let (name, text) = match key.len() {
            16 => (c"AES-128-ECB", "AES-128-CMAC"),
            24 => (c"AES-192-ECB", "AES-192-CMAC"),
            _ => (c"AES-256-ECB", "AES-256-CMAC"),
        };
        // SAFETY: the name is a string.
        let info = unsafe { (api.mbedtls_cipher_info_from_string)(name.as_ptr()) };
        if info.is_null() {
            return Err(Unavailable(format!("has no {text}")));
        }
        // SAFETY: the context is ready, and what describes the cipher is the library's own.
        let code = unsafe { (api.mbedtls_cipher_setup)(context.get(), info) };
        done(code, "mbedtls_cipher_setup")?;
        let starts = api.mbedtls_cipher_cmac_starts;
        // SAFETY: the context knows its cipher, and the key has the given length.
        let code = unsafe { starts(context.get(), key.as_ptr(), key.len() * 8) };
        done(code, "mbedtls_cipher_cmac_starts")?;
        Ok(Self { api, made: Made { context, sound: true } })
    }
}

impl jobs::Hash for Cmac {
    fn message(&mut self, text: &[u8], tag: &mut [u8]) {
        self.start();
        self.update(text);
        self.finish(tag);
    }

    fn start(&mut self) {
        // SAFETY: the context has its key.
        let code = unsafe { (self.api.mbedtls_cipher_cmac_reset)(self.made.context.get()) };
        self.made.sound = code == 0;
    }

    fn update(&mut self, text: &[u8]) {
        self.made.update(self.api.mbedtls_cipher_cmac_update, text);
    }

    fn finish(&mut self, tag: &mut [u8]) {
        self.made.finish(self.api.mbedtls_cipher_cmac_finish, tag);
    }
}

/// A context whose key is set for each message.
pub(super) struct Poly1305 {
    api: api::Poly1305,
    key: Vec<u8>,
    made: Made,
}

impl Poly1305 {
    pub(super) fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let (api, context) = (api::Poly1305::load(library)?, Context::new(library, "poly1305")?);
        let mut made = Self { api, key: key.to_vec(), made: Made { context, sound: true } };
        jobs::Hash::start(&mut made);
        match made.made.sound {
            true => Ok(made),
            false => Err(Unavailable("mbedtls_poly1305_starts failed".into())),
        }
    }
}

impl jobs::Hash for Poly1305 {
    fn message(&mut self, text: &[u8], tag: &mut [u8]) {
        self.start();
        self.update(text);
        self.finish(tag);
    }

    fn start(&mut self) {
        let (context, key) = (self.made.context.get(), self.key.as_ptr());
        // SAFETY: the context is ready, and the key has 32 bytes.
        let code = unsafe { (self.api.mbedtls_poly1305_starts)(context, key) };
        self.made.sound = code == 0;
    }

    fn update(&mut self, text: &[u8]) {
        self.made.update(self.api.mbedtls_poly1305_update, text);
    }

    fn finish(&mut self, tag: &mut [u8]) {
        self.made.finish(self.api.mbedtls_poly1305_finish, tag);
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.copy_from_slice(key);
        true
    }
}
