//! Poly1305 (RFC 8439, section 2.5), whose key is for one message.

use ropewalk::poly1305::{Poly1305, TAG_LEN};

use super::{Mac, named};
use crate::{error::Reason, params::Param, stats::Counter};

/// A key, and its message.
#[derive(Clone)]
pub(crate) struct OneTime {
    mac: Option<Poly1305>,
    /// Whether a message was authenticated with the key.
    used: bool,
}

impl Mac for OneTime {
    named!(c"POLY1305", "Poly1305");
    const SIZE: Option<usize> = Some(TAG_LEN);
    const GETTABLE: &'static [Param] = &[Param::END];
    const SETTABLE: &'static [Param] = &[Param::octets(c"key"), Param::END];

    fn new() -> Self {
        Self { mac: None, used: false }
    }

    fn begin(&mut self, key: &[u8]) -> Result<(), Reason> {
        let key = key.try_into().map_err(|_| Reason::InvalidKeyLength)?;
        self.mac = Some(Poly1305::new(key));
        self.used = false;
        Ok(())
    }

    fn begin_again(&mut self) -> Result<(), Reason> {
        if self.used { Err(Reason::NoKeySet) } else { Ok(()) }
    }

    #[inline]
    fn update(&mut self, text: &[u8]) -> Result<(), Reason> {
        self.mac.as_mut().ok_or(Reason::NoKeySet)?.update(text);
        self.used = true;
        Ok(())
    }

    fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason> {
        let mac = self.mac.take().ok_or(Reason::NoKeySet)?;
        self.used = true;
        out.copy_from_slice(&*mac.finish());
        Ok(())
    }

    fn size(&self) -> usize {
        TAG_LEN
    }
}
