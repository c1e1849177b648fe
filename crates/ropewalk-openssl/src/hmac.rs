//! HMAC with any hash function: the common part of the MAC and the key derivations.

use ropewalk::{Hash, hmac, pbkdf2};

use crate::error::Reason;

/// The longest digest.
pub(crate) const LONGEST: usize = 64;
/// The longest padding of a record, with its length byte (RFC 5246, section 6.2.3.2).
const PADDING: usize = 256;

/// A key, and a message that comes in chunks.
pub(crate) trait Keyed {
    /// The length of a tag in bytes.
    fn size(&self) -> usize;
    /// Begins a message.
    fn begin(&mut self);
    fn update(&mut self, text: &[u8]) -> Result<(), Reason>;
    /// The tag, of [`size`](Self::size) bytes.
    fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason>;
    /// The tag of a header and the first `len` bytes of a record; the rest of the record is a MAC and
    /// padding. Its time does not depend on `len`.
    fn record(
        &self,
        header: &[u8],
        record: &[u8],
        len: usize,
        out: &mut [u8],
    ) -> Result<(), Reason>;
    fn pbkdf2(&self, salt: &[u8], iterations: u32, out: &mut [u8]) -> Result<(), Reason>;
    fn duplicate(&self) -> Box<dyn Keyed>;
}

impl Clone for Box<dyn Keyed> {
    fn clone(&self) -> Self {
        self.duplicate()
    }
}

/// HMAC with a hash function.
pub(crate) struct Of<H: Hash> {
    key: hmac::Key<H>,
    mac: Option<hmac::Mac<H>>,
}

impl<H: Hash> Of<H> {
    pub(crate) fn new(secret: &[u8]) -> Self {
        let key = hmac::Key::new(secret);
        Self { mac: Some(key.start()), key }
    }
}

impl<H: Hash> Keyed for Of<H> {
    fn size(&self) -> usize {
        H::DIGEST_LEN
    }

    fn begin(&mut self) {
        self.mac = Some(self.key.start());
    }

    fn update(&mut self, text: &[u8]) -> Result<(), Reason> {
        self.mac.as_mut().ok_or(Reason::UpdateCallOutOfOrder)?.update(text);
        Ok(())
    }

    fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason> {
        let mac = self.mac.take().ok_or(Reason::FinalCallOutOfOrder)?;
        out.copy_from_slice(mac.finish().as_ref());
        Ok(())
    }

    fn record(
        &self,
        header: &[u8],
        record: &[u8],
        len: usize,
        out: &mut [u8],
    ) -> Result<(), Reason> {
        let most = record.len().saturating_sub(H::DIGEST_LEN);
        let least = most.saturating_sub(PADDING);
        let tag = self.key.mac_of_secret_len(header, &record[..most], least, len);
        out.copy_from_slice(tag.map_err(|_| Reason::InvalidInputLength)?.as_ref());
        Ok(())
    }

    fn pbkdf2(&self, salt: &[u8], iterations: u32, out: &mut [u8]) -> Result<(), Reason> {
        pbkdf2::derive(&self.key, salt, iterations, out).map_err(|_| Reason::InvalidOutputLength)
    }

    fn duplicate(&self) -> Box<dyn Keyed> {
        Box::new(Self { key: self.key.clone(), mac: self.mac.clone() })
    }
}
