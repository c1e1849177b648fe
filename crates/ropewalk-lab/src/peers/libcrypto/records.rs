//! AES-CBC and HMAC of records in one call, on one context that keeps its keys.

use std::ffi::{c_int, c_void};

use super::{
    api,
    evp::{Context, Evp, Mode},
    failed,
    source::Source,
};
use crate::{
    peers::{Unavailable, jobs},
    tasks::{Direction, Function},
};

/// A context with its keys, which seals or opens a record in each call.
pub(super) struct Records {
    context: Context,
    authenticated: api::Authenticated,
    mac_len: usize,
}

impl Records {
    pub(super) fn new(
        source: Source,
        function: Function,
        direction: Direction,
        keys: jobs::RecordKeys<'_>,
    ) -> Result<Self, Unavailable> {
        let evp = Evp::new(source, Mode::CbcHmac(function), direction, keys.aes.len())?;
        let context = evp.context(keys.aes)?;
        let padding = api::Padding::load(source.library)?;
        // AWS-LC would otherwise hold back the last block when opening.
        // SAFETY: the context is alive.
        if unsafe { (padding.EVP_CIPHER_CTX_set_padding)(context.ctx, 0) } != 1 {
            return Err(failed("EVP_CIPHER_CTX_set_padding"));
        }
        let authenticated = api::Authenticated::load(source.library)?;
        let made = Self { context, authenticated, mac_len: function.output_len() };
        let mut key = keys.mac.to_vec();
        match made.control(EVP_CTRL_AEAD_SET_MAC_KEY, &mut key) {
            ..=0 => Err(failed("EVP_CIPHER_CTX_ctrl")),
            _ => Ok(made),
        }
    }

    fn control(&self, command: c_int, bytes: &mut [u8]) -> c_int {
        let (start, len) = (bytes.as_mut_ptr().cast::<c_void>(), bytes.len());
        // SAFETY: there are as many bytes as it says, of which these commands read or write no more.
        unsafe { self.command(command, start, len) }
    }

    /// # Safety
    /// The command's argument must have that many bytes.
    pub(super) unsafe fn command(&self, command: c_int, of: *mut c_void, len: usize) -> c_int {
        let (control, len) = (self.authenticated.EVP_CIPHER_CTX_ctrl, len as c_int);
        // SAFETY: the context is alive, and the rest is as the caller promises.
        unsafe { control(self.context.ctx, command, len, of) }
    }

    /// Starts a record: with `len` bytes of text to seal, or the whole length to open.
    fn start(&self, iv: &[u8; 16], header: &[u8; 11], len: usize) -> bool {
        let mut pseudo = [0; 13];
        pseudo[..11].copy_from_slice(header);
        pseudo[11..].copy_from_slice(&(len as u16).to_be_bytes());
        // The result is the length of the padding, or of the MAC.
        self.context.start(iv) && self.control(EVP_CTRL_AEAD_TLS1_AAD, &mut pseudo) > 0
    }
}

impl jobs::Records for Records {
    fn seal(&mut self, iv: &[u8; 16], header: &[u8; 11], record: &mut [u8], len: usize) {
        if !(self.start(iv, header, len) && self.context.whole(record)) {
            // A failed call must not look like an answer.
            record.fill(0);
        }
    }

    fn open(
        &mut self,
        iv: &[u8; 16],
        header: &[u8; 11],
        record: &[u8],
        text: &mut [u8],
    ) -> Option<usize> {
        let right = self.start(iv, header, record.len()) && self.context.whole_to(record, text);
        let padding = usize::from(*text.last()?) + 1;
        right.then(|| text.len().checked_sub(padding + self.mac_len)).flatten()
    }

    fn rekey(&mut self, keys: jobs::RecordKeys<'_>) -> bool {
        let mut place = [0; 64];
        let mac = &mut place[..keys.mac.len()];
        // The library takes a mutable pointer, and does not write.
        mac.copy_from_slice(keys.mac);
        self.context.rekey(keys.aes) && self.control(EVP_CTRL_AEAD_SET_MAC_KEY, mac) > 0
    }
}

/// The same numbers in each library that has them.
const EVP_CTRL_AEAD_TLS1_AAD: c_int = 0x16;
const EVP_CTRL_AEAD_SET_MAC_KEY: c_int = 0x17;
