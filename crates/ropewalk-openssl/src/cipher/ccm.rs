//! AES-CCM: a message in one chunk, whose length is set before its additional data; and records of TLS.

use ropewalk::aes_ccm;
use zeroize::Zeroize as _;

use super::{
    Cipher, Way, check_key,
    io::{Buffers, Io, Output},
    key::{Held, OfSecret},
    mode,
    tls::{self, RECORD_AAD},
};
use crate::{error::Reason, params::Param, version::Version};

/// The longest tag.
const TAG: usize = 16;
/// The lengths of the fixed part of a nonce, which both sides know, and of the explicit part in a record (RFC
/// 6655, section 3).
const FIXED: usize = 4;
const EXPLICIT: usize = 8;

impl OfSecret for aes_ccm::Key {
    fn new(secret: &[u8]) -> Result<Self, Reason> {
        Ok(Self::new(secret)?)
    }
}

#[derive(Clone)]
pub(crate) struct Ccm<const LEN: usize> {
    way: Way,
    key: Held<aes_ccm::Key>,
    /// The tag length of the current key.
    key_tag_len: usize,
    nonce: [u8; 13],
    nonce_len: usize,
    nonce_set: bool,
    tag: [u8; TAG],
    tag_len: usize,
    tag_set: bool,
    /// Whether a message was sealed or opened since the nonce was set.
    is_done: bool,
    /// The length of the text, once it is set.
    text_len: Option<usize>,
    aad: Vec<u8>,
    record: Option<[u8; RECORD_AAD]>,
    record_pad: usize,
}

impl<const LEN: usize> Ccm<LEN> {
    /// Makes the key for the requested tag length.
    fn prepare(&mut self) -> Result<(), Reason> {
        if self.key_tag_len != self.tag_len {
            let key = self.key.get_mut()?;
            key.set_tag_len(self.tag_len).map_err(|_| Reason::InvalidTagLength)?;
            self.key_tag_len = self.tag_len;
        }
        Ok(())
    }

    /// Processes the whole text.
    fn text(&mut self, io: &mut Io) -> Result<usize, Reason> {
        self.prepare()?;
        let (len, key) = (io.len(), self.key.get()?);
        if !self.nonce_set || self.text_len.is_some_and(|told| told != len) {
            return Err(Reason::CipherOperationFailed);
        }
        let (nonce, aad) = (&self.nonce[..self.nonce_len], &self.aad[..]);
        if self.way == Way::Encrypt {
            let tag = match io.whole()? {
                Buffers::InPlace(text) => key.seal(nonce, aad, text),
                Buffers::Apart(from, to) => key.seal_to(nonce, aad, from, to),
            }?;
            self.tag[..self.tag_len].copy_from_slice(&tag);
            self.tag_set = true;
            // A nonce is used only once.
            self.nonce_set = false;
        } else {
            if !self.tag_set {
                return Err(Reason::TagNotSet);
            }
            let tag = &self.tag[..self.tag_len];
            match io.whole()? {
                Buffers::InPlace(text) => key.open(nonce, aad, text, tag),
                Buffers::Apart(from, to) => key.open_to(nonce, aad, from, to, tag),
            }
            .map_err(|_| Reason::CipherOperationFailed)?;
            // A message is opened only once.
            self.nonce_set = false;
            self.tag_set = false;
        }
        self.is_done = true;
        self.text_len = None;
        self.aad.zeroize();
        Ok(len)
    }

    /// Processes a record in place: the explicit nonce, which is its sequence number, the text, the tag.
    fn record(&mut self, aad: &[u8; RECORD_AAD], io: &mut Io) -> Result<usize, Reason> {
        self.prepare()?;
        let (way, len, tag_len) = (self.way, io.len(), self.tag_len);
        if !io.is_in_place() || io.room() < len || len < EXPLICIT + tag_len || self.nonce_len != 12
        {
            return Err(Reason::CipherOperationFailed);
        }
        let key = self.key.get()?;
        let record = io.first_of_output(len)?;
        let (explicit, rest) = record.split_at_mut(EXPLICIT);
        let (text, tag) = rest.split_at_mut(rest.len() - tag_len);
        if way == Way::Encrypt {
            explicit.copy_from_slice(&aad[..EXPLICIT]);
        }
        self.nonce[FIXED..FIXED + EXPLICIT].copy_from_slice(explicit);
        let nonce = &self.nonce[..self.nonce_len];
        if way == Way::Encrypt {
            tag.copy_from_slice(&key.seal(nonce, aad, text)?);
            return Ok(len);
        }
        key.open(nonce, aad, text, tag).map_err(|_| Reason::CipherOperationFailed)?;
        Ok(text.len())
    }

    fn set_record(&mut self, aad: &[u8]) -> Result<(), Reason> {
        let tag = if self.way == Way::Decrypt { self.tag_len } else { 0 };
        let aad = tls::aad_of_text(aad, EXPLICIT + tag)?;
        self.record = Some(aad);
        self.record_pad = self.tag_len;
        Ok(())
    }
}

impl<const LEN: usize> Cipher for Ccm<LEN> {
    const MODE: u32 = mode::CCM;
    const KEY_LEN: usize = LEN;
    const IV_LEN: usize = 12;
    const AEAD: bool = true;
    const CUSTOM_IV: bool = true;
    const GETTABLE: &'static [Param] = &[
        Param::number(c"keylen"),
        Param::number(c"ivlen"),
        Param::number(c"taglen"),
        Param::octets(c"iv"),
        Param::octets(c"updated-iv"),
        Param::octets(c"tag"),
        Param::number(c"tlsaadpad"),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[
        Param::number(c"ivlen"),
        Param::octets(c"tag"),
        Param::octets(c"tlsaad"),
        Param::octets(c"tlsivfixed"),
        Param::END,
    ];

    fn new(_: Version) -> Self {
        Self {
            way: Way::Encrypt,
            key: Held::none(),
            key_tag_len: TAG,
            nonce: [0; 13],
            nonce_len: 7,
            nonce_set: false,
            tag: [0; TAG],
            tag_len: 12,
            tag_set: false,
            is_done: false,
            text_len: None,
            aad: Vec::new(),
            record: None,
            record_pad: 0,
        }
    }

    fn init(&mut self, way: Way, key: Option<&[u8]>, iv: Option<&[u8]>) -> Result<(), Reason> {
        if way != self.way {
            // A tag that was computed is not an expected tag, and a sealed text is not opened again.
            (self.tag_set, self.is_done) = (false, false);
        }
        self.way = way;
        self.text_len = None;
        self.aad.zeroize();
        if let Some(iv) = iv {
            if iv.len() != self.nonce_len {
                return Err(Reason::InvalidIvLength);
            }
            self.nonce[..iv.len()].copy_from_slice(iv);
            (self.nonce_set, self.is_done) = (true, false);
            if way == Way::Encrypt {
                self.tag_set = false;
            }
        }
        if let Some(key) = key {
            check_key(key, LEN)?;
            if self.key.set(key)? {
                self.key_tag_len = TAG;
            }
        }
        Ok(())
    }

    fn update(&mut self, io: &mut Io) -> Result<usize, Reason> {
        self.key.get()?;
        if let Some(aad) = self.record.take() {
            return self.record(&aad, io);
        }
        let len = io.len();
        match (io.is_end(), io.is_aad()) {
            (true, true) => self.text_len = Some(len),
            (true, false) => return Ok(0),
            (false, true) => {
                if !self.nonce_set || (self.text_len.is_none() && len > 0) {
                    return Err(Reason::CipherOperationFailed);
                }
                self.aad.extend_from_slice(io.input());
            }
            (false, false) => return self.text(io),
        }
        Ok(len)
    }

    /// A message without text may have ended without a call for text.
    fn finish(&mut self, out: &mut Output) -> Result<usize, Reason> {
        self.key.get()?;
        if self.record.take().is_some() {
            // A record was announced; it has no separate end.
            return Err(Reason::CipherOperationFailed);
        }
        if self.nonce_set && (self.way == Way::Decrypt || !self.tag_set) {
            _ = out;
            self.text(&mut Io::empty())?;
        } else if self.way == Way::Decrypt && !self.is_done {
            return Err(Reason::CipherOperationFailed);
        }
        Ok(0)
    }

    fn get(&mut self, param: &mut Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" => param.set_number(LEN as u64),
            b"ivlen" => param.set_number(self.nonce_len as u64),
            b"taglen" => param.set_number(self.tag_len as u64),
            b"iv" | b"updated-iv" => {
                let nonce = &self.nonce[..self.nonce_len];
                param.set_octets(nonce).map_err(|_| Reason::InvalidIvLength)
            }
            b"tag" => {
                if self.way == Way::Decrypt || !self.tag_set {
                    return Err(Reason::TagNotSet);
                }
                if param.room() != Some(self.tag_len) {
                    return Err(Reason::InvalidTagLength);
                }
                param.set_octets(&self.tag[..self.tag_len])?;
                self.tag_set = false;
                self.nonce_set = false;
                self.text_len = None;
                Ok(())
            }
            b"tlsaadpad" => param.set_number(self.record_pad as u64),
            _ => Ok(()),
        }
    }

    fn set(&mut self, param: &Param) -> Result<(), Reason> {
        match param.name() {
            b"ivlen" => {
                let len = param.as_size()?;
                if !(7..=13).contains(&len) {
                    return Err(Reason::InvalidIvLength);
                }
                if len != self.nonce_len {
                    self.nonce_len = len;
                    self.nonce_set = false;
                }
            }
            b"tag" => {
                let len = param.octets_len()?;
                if !(4..=TAG).contains(&len) || len % 2 > 0 {
                    return Err(Reason::InvalidTagLength);
                }
                if !param.is_empty() {
                    if self.way == Way::Encrypt {
                        return Err(Reason::TagNotNeeded);
                    }
                    self.tag[..len].copy_from_slice(param.as_octets()?);
                    self.tag_set = true;
                }
                self.tag_len = len;
            }
            b"tlsaad" => self.set_record(param.as_octets()?)?,
            b"tlsivfixed" => {
                let fixed = param.as_octets()?;
                if fixed.len() != FIXED {
                    return Err(Reason::InvalidIvLength);
                }
                self.nonce[..FIXED].copy_from_slice(fixed);
            }
            _ => {}
        }
        Ok(())
    }
}
