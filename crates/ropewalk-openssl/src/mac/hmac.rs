//! HMAC (FIPS 198-1).

use super::{Mac, named};
use crate::{
    digest::Known,
    error::Reason,
    hmac::{Keyed, LONGEST},
    params::Param,
    stats::Counter,
};

/// The length of the header that is authenticated before a record (RFC 5246, section 6.2.3.1).
const HEADER: usize = 13;

/// A key with any hash function.
#[derive(Clone)]
pub(crate) struct Hmac {
    /// The hash function of the next key.
    hash: Option<Known>,
    /// The hash function of the current key.
    keyed: Option<Known>,
    key: Option<Box<dyn Keyed>>,
    /// The length of a record with its MAC and padding; 0 if the message is not a record.
    record_size: usize,
    header: Option<[u8; HEADER]>,
    tag: Option<[u8; LONGEST]>,
}

impl Hmac {
    fn key(&mut self) -> Result<&mut Box<dyn Keyed>, Reason> {
        self.key.as_mut().ok_or(Reason::NoKeySet)
    }
}

impl Mac for Hmac {
    named!(c"HMAC", "HMAC");
    const MADE_OF: &'static [u8] = b"digest";
    const GETTABLE: &'static [Param] =
        &[Param::number(c"size"), Param::number(c"block-size"), Param::END];
    const SETTABLE: &'static [Param] = &[
        Param::text(c"digest"),
        Param::text(c"properties"),
        Param::octets(c"key"),
        Param::integer(c"digest-noinit"),
        Param::integer(c"digest-oneshot"),
        Param::number(c"tls-data-size"),
        Param::END,
    ];

    fn new() -> Self {
        Self { hash: None, keyed: None, key: None, record_size: 0, header: None, tag: None }
    }

    fn make_of(&mut self, name: &str) -> Result<bool, Reason> {
        let hash = Known::named(name);
        self.hash = hash.or(self.hash);
        Ok(hash.is_some())
    }

    fn begin(&mut self, key: &[u8]) -> Result<(), Reason> {
        let hash = self.hash.ok_or(Reason::MissingMessageDigest)?;
        self.key = Some(hash.hmac(key));
        self.keyed = Some(hash);
        (self.header, self.tag) = (None, None);
        Ok(())
    }

    fn begin_again(&mut self) -> Result<(), Reason> {
        self.key()?.begin();
        (self.header, self.tag) = (None, None);
        Ok(())
    }

    #[inline]
    fn update(&mut self, text: &[u8]) -> Result<(), Reason> {
        if self.record_size == 0 {
            let key = self.key()?;
            // Empty chunks may come at any time.
            return if text.is_empty() { Ok(()) } else { key.update(text) };
        }
        self.header = Some(text.try_into().map_err(|_| Reason::InvalidInputLength)?);
        Ok(())
    }

    fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason> {
        if self.record_size == 0 {
            return self.key()?.finish(out);
        }
        let tag = self.tag.as_ref().ok_or(Reason::FinalCallOutOfOrder)?;
        out.copy_from_slice(&tag[..out.len()]);
        Ok(())
    }

    fn size(&self) -> usize {
        self.keyed.map_or(0, Known::size)
    }

    fn block_size(&self) -> usize {
        // OpenSSL's own provider reports the block size of the next key's hash function.
        self.keyed.and(self.hash).map_or(0, Known::block_size)
    }

    fn set(&mut self, param: &Param) -> Result<(), Reason> {
        if param.name() == b"tls-data-size" {
            self.record_size = param.as_size()?;
        }
        Ok(())
    }

    #[inline]
    fn record_size(&self) -> Option<usize> {
        self.header.is_some().then_some(self.record_size)
    }

    fn record(&mut self, record: &[u8], len: usize) -> Result<(), Reason> {
        let header = self.header.ok_or(Reason::UpdateCallOutOfOrder)?;
        let key = self.key.as_ref().ok_or(Reason::NoKeySet)?;
        let mut tag = [0; LONGEST];
        key.record(&header, record, len, &mut tag[..key.size()])?;
        self.tag = Some(tag);
        Ok(())
    }
}
