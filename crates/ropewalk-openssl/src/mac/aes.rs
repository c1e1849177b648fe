//! CMAC (SP 800-38B) and GMAC (SP 800-38D) with AES.

use std::sync::Arc;

use ropewalk::{aes_cmac, aes_gcm};

use super::{Mac, named};
use crate::{cipher, error::Reason, params::Param, stats::Counter};

const BLOCK: usize = 16;

/// CMAC, which is configured with the name of AES in CBC mode.
#[derive(Clone)]
pub(crate) struct Cmac {
    /// The key length in bytes of the chosen cipher.
    key_len: Option<usize>,
    key: Option<Arc<aes_cmac::Key>>,
    stream: Option<aes_cmac::Stream>,
}

impl Mac for Cmac {
    named!(c"CMAC", "CMAC");
    const MADE_OF: &'static [u8] = b"cipher";
    const GETTABLE: &'static [Param] =
        &[Param::number(c"size"), Param::number(c"block-size"), Param::END];
    const SETTABLE: &'static [Param] =
        &[Param::text(c"cipher"), Param::text(c"properties"), Param::octets(c"key"), Param::END];

    fn new() -> Self {
        Self { key_len: None, key: None, stream: None }
    }

    fn make_of(&mut self, name: &str) -> Result<bool, Reason> {
        let len = match cipher::named(name) {
            Some("AES-128-CBC") => 16,
            Some("AES-192-CBC") => 24,
            Some("AES-256-CBC") => 32,
            _ => return Ok(false),
        };
        self.key_len = Some(len);
        Ok(true)
    }

    fn begin(&mut self, key: &[u8]) -> Result<(), Reason> {
        if self.key_len != Some(key.len()) {
            return Err(Reason::InvalidKeyLength);
        }
        self.key = Some(Arc::new(aes_cmac::Key::new(key)?));
        self.begin_again()
    }

    fn begin_again(&mut self) -> Result<(), Reason> {
        self.key.as_ref().ok_or(Reason::NoKeySet)?;
        self.stream = Some(aes_cmac::Stream::new());
        Ok(())
    }

    #[inline]
    fn update(&mut self, text: &[u8]) -> Result<(), Reason> {
        let key = self.key.as_ref().ok_or(Reason::NoKeySet)?;
        self.stream.as_mut().ok_or(Reason::UpdateCallOutOfOrder)?.update(key, text);
        Ok(())
    }

    fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason> {
        let key = self.key.as_ref().ok_or(Reason::NoKeySet)?;
        let stream = self.stream.take().ok_or(Reason::FinalCallOutOfOrder)?;
        out.copy_from_slice(&stream.finish(key));
        Ok(())
    }

    fn size(&self) -> usize {
        if self.key.is_some() { BLOCK } else { 0 }
    }

    fn block_size(&self) -> usize {
        self.size()
    }
}

/// GMAC: AES-GCM without a text.
#[derive(Clone)]
pub(crate) struct Gmac {
    key_len: Option<usize>,
    key: Option<Arc<aes_gcm::Key>>,
    /// The nonce of the current or the next message.
    nonce: Option<Box<[u8]>>,
    stream: Option<aes_gcm::Stream>,
}

impl Gmac {
    /// Begins a message if key and nonce are set.
    fn start(&mut self) -> Result<(), Reason> {
        if let (Some(key), Some(nonce)) = (&self.key, &self.nonce) {
            let stream = aes_gcm::Stream::new(key, nonce);
            self.stream = Some(stream.map_err(|_| Reason::InvalidIvLength)?);
        }
        Ok(())
    }

    fn running(&mut self) -> Result<(&aes_gcm::Key, &mut Option<aes_gcm::Stream>), Reason> {
        let key = self.key.as_ref().ok_or(Reason::NoKeySet)?;
        if self.stream.is_none() {
            return Err(Reason::InvalidIvLength);
        }
        Ok((key, &mut self.stream))
    }
}

impl Mac for Gmac {
    named!(c"GMAC", "GMAC");
    const MADE_OF: &'static [u8] = b"cipher";
    const AT_ONCE: bool = true;
    const SIZE: Option<usize> = Some(BLOCK);
    const GETTABLE: &'static [Param] = &[Param::END];
    const SETTABLE: &'static [Param] = &[
        Param::text(c"cipher"),
        Param::text(c"properties"),
        Param::octets(c"key"),
        Param::octets(c"iv"),
        Param::END,
    ];

    fn new() -> Self {
        Self { key_len: None, key: None, nonce: None, stream: None }
    }

    fn make_of(&mut self, name: &str) -> Result<bool, Reason> {
        let len = match cipher::named(name) {
            Some("AES-128-GCM") => 16,
            Some("AES-192-GCM") => 24,
            Some("AES-256-GCM") => 32,
            _ => return Ok(false),
        };
        *self = Self { key_len: Some(len), ..Self::new() };
        Ok(true)
    }

    fn begin(&mut self, key: &[u8]) -> Result<(), Reason> {
        if self.key_len != Some(key.len()) {
            return Err(Reason::InvalidKeyLength);
        }
        self.key = Some(Arc::new(aes_gcm::Key::new(key)?));
        self.start()
    }

    // Without a fresh nonce, later calls fail.
    fn begin_again(&mut self) -> Result<(), Reason> {
        self.key_len.ok_or(Reason::NoKeySet)?;
        self.start()
    }

    #[inline]
    fn update(&mut self, text: &[u8]) -> Result<(), Reason> {
        if text.is_empty() {
            return Ok(());
        }
        let (key, stream) = self.running()?;
        let stream = stream.as_mut().ok_or(Reason::UpdateCallOutOfOrder)?;
        Ok(stream.absorb_aad(key, text)?)
    }

    fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason> {
        let (key, stream) = self.running()?;
        let stream = stream.take().ok_or(Reason::FinalCallOutOfOrder)?;
        out.copy_from_slice(&stream.tag(key));
        self.nonce = None;
        Ok(())
    }

    fn size(&self) -> usize {
        BLOCK
    }

    fn set(&mut self, param: &Param) -> Result<(), Reason> {
        if param.name() == b"iv" {
            self.key_len.ok_or(Reason::NoKeySet)?;
            let nonce = param.as_octets()?;
            // The limits of OpenSSL for AES-GCM.
            if !(1..=128).contains(&nonce.len()) {
                return Err(Reason::InvalidIvLength);
            }
            self.nonce = Some(nonce.into());
            self.start()?;
        }
        Ok(())
    }
}
