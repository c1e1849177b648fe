//! AES-XTS: each call is a data unit of its own, with the tweak of the context.

use ropewalk::aes_xts;

use super::{
    Cipher, Way, check_key,
    io::{Buffers, Io, Output},
    key::{Held, OfSecret},
    mode,
};
use crate::{error::Reason, params::Param};

/// Bytes of a data unit, at least (IEEE 1619, section 5.1).
const LEAST: usize = 16;
/// At most: 2^20 blocks (NIST SP 800-38E).
const MOST: usize = 1 << 24;

impl OfSecret for aes_xts::Key {
    fn new(secret: &[u8]) -> Result<Self, Reason> {
        Ok(Self::new(secret)?)
    }
}

/// `LEN` bytes are those of both halves of a key.
#[derive(Clone)]
pub(crate) struct Xts<const LEN: usize> {
    way: Way,
    key: Held<aes_xts::Key>,
    tweak: Option<[u8; 16]>,
}

impl<const LEN: usize> Cipher for Xts<LEN> {
    const MODE: u32 = mode::XTS;
    const KEY_LEN: usize = LEN;
    const IV_LEN: usize = 16;
    const CUSTOM_IV: bool = true;
    const GETTABLE: &'static [Param] = &[
        Param::number(c"keylen"),
        Param::number(c"ivlen"),
        Param::number(c"padding"),
        Param::number(c"num"),
        Param::octets(c"iv"),
        Param::octets(c"updated-iv"),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[Param::number(c"keylen"), Param::END];

    fn new() -> Self {
        Self { way: Way::Encrypt, key: Held::none(), tweak: None }
    }

    fn init(&mut self, way: Way, key: Option<&[u8]>, iv: Option<&[u8]>) -> Result<(), Reason> {
        self.way = way;
        if let Some(iv) = iv {
            self.tweak = Some(iv.try_into().map_err(|_| Reason::InvalidIvLength)?);
        }
        if let Some(key) = key {
            check_key(key, LEN)?;
            self.key.set(key)?;
        }
        Ok(())
    }

    fn update(&mut self, io: &mut Io) -> Result<usize, Reason> {
        let (len, key) = (io.len(), self.key.get()?);
        let Some(tweak) = &self.tweak else { return Err(Reason::CipherOperationFailed) };
        if len < LEAST {
            return Err(Reason::CipherOperationFailed);
        }
        if len > MOST {
            return Err(Reason::XtsDataUnitIsTooLarge);
        }
        match (self.way, io.whole()?) {
            (Way::Encrypt, Buffers::InPlace(text)) => key.encrypt(tweak, text),
            (Way::Encrypt, Buffers::Apart(from, to)) => key.encrypt_to(tweak, from, to),
            (Way::Decrypt, Buffers::InPlace(text)) => key.decrypt(tweak, text),
            (Way::Decrypt, Buffers::Apart(from, to)) => key.decrypt_to(tweak, from, to),
        }?;
        Ok(len)
    }

    fn finish(&mut self, _: &mut Output) -> Result<usize, Reason> {
        Ok(0)
    }

    /// There is nothing to end.
    fn cipher(&mut self, io: &mut Io) -> Result<usize, Reason> {
        self.update(io)
    }

    fn get(&mut self, param: &mut Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" => param.set_number(LEN as u64),
            b"ivlen" => param.set_number(16),
            b"padding" => param.set_number(1),
            b"num" => param.set_number(0),
            b"iv" | b"updated-iv" => param.set_octets(&self.tweak.unwrap_or_default()),
            _ => Ok(()),
        }
    }

    fn set(&mut self, param: &Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" if param.as_size()? != LEN => Err(Reason::InvalidKeyLength),
            _ => Ok(()),
        }
    }
}
