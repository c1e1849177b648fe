//! AES-ECB and AES-CBC, with the padding of PKCS #7 or without; and AES-CBC of TLS records with a separate
//! MAC.

use ropewalk::{aes_cbc, aes_ecb};
use zeroize::Zeroize as _;

use super::{
    Cipher, Way, check_key,
    io::{Buffers, Io, Output},
    key::{Held, OfSecret},
    mode,
    tls::{self, Mac, Version},
};
use crate::{error::Reason, params::Param, version};

const BLOCK: usize = 16;

/// The differences between the modes.
pub(crate) trait Blocks: OfSecret + 'static {
    const MODE: u32;
    const KEY_LEN: usize;
    const IV_LEN: usize;

    /// Processes whole blocks, and sets `iv` for the blocks that follow.
    fn apply(&self, way: Way, iv: &mut [u8; BLOCK], text: Buffers<'_>) -> Result<(), Reason>;
}

/// AES in ECB mode.
pub(crate) struct EcbKey<const LEN: usize>(aes_ecb::Key);
/// AES in CBC mode.
pub(crate) struct CbcKey<const LEN: usize>(aes_cbc::Key);

pub(crate) type Ecb<const LEN: usize> = Padded<EcbKey<LEN>>;
pub(crate) type Cbc<const LEN: usize> = Padded<CbcKey<LEN>>;

impl<const LEN: usize> OfSecret for EcbKey<LEN> {
    fn new(secret: &[u8]) -> Result<Self, Reason> {
        Ok(Self(aes_ecb::Key::new(secret)?))
    }
}

impl<const LEN: usize> OfSecret for CbcKey<LEN> {
    fn new(secret: &[u8]) -> Result<Self, Reason> {
        Ok(Self(aes_cbc::Key::new(secret)?))
    }
}

impl<const LEN: usize> Blocks for EcbKey<LEN> {
    const MODE: u32 = mode::ECB;
    const KEY_LEN: usize = LEN;
    const IV_LEN: usize = 0;

    fn apply(&self, way: Way, _: &mut [u8; BLOCK], text: Buffers<'_>) -> Result<(), Reason> {
        match (way, text) {
            (Way::Encrypt, Buffers::InPlace(text)) => self.0.encrypt(text),
            (Way::Encrypt, Buffers::Apart(from, to)) => self.0.encrypt_to(from, to),
            (Way::Decrypt, Buffers::InPlace(text)) => self.0.decrypt(text),
            (Way::Decrypt, Buffers::Apart(from, to)) => self.0.decrypt_to(from, to),
        }?;
        Ok(())
    }
}

impl<const LEN: usize> Blocks for CbcKey<LEN> {
    const MODE: u32 = mode::CBC;
    const KEY_LEN: usize = LEN;
    const IV_LEN: usize = BLOCK;

    #[inline]
    fn apply(&self, way: Way, iv: &mut [u8; BLOCK], text: Buffers<'_>) -> Result<(), Reason> {
        chained(&self.0, way, iv, text)
    }
}

/// Processes blocks of a chain, and sets `iv` for the blocks that follow.
#[inline]
pub(super) fn chained(
    key: &aes_cbc::Key,
    way: Way,
    iv: &mut [u8; BLOCK],
    text: Buffers<'_>,
) -> Result<(), Reason> {
    match (way, text) {
        (Way::Encrypt, Buffers::InPlace(text)) => key.encrypt_piece(iv, text)?,
        (Way::Encrypt, Buffers::Apart(from, to)) => key.encrypt_piece_to(iv, from, to)?,
        (Way::Decrypt, Buffers::InPlace(text)) => {
            let next = text.last_chunk().copied();
            key.decrypt(iv, text)?;
            *iv = next.unwrap_or(*iv);
        }
        (Way::Decrypt, Buffers::Apart(from, to)) => {
            key.decrypt_to(iv, from, to)?;
            *iv = from.last_chunk().copied().unwrap_or(*iv);
        }
    }
    Ok(())
}

/// A cipher of whole blocks, for texts that come in chunks.
pub(crate) struct Padded<B> {
    way: Way,
    key: Held<B>,
    first_iv: [u8; BLOCK],
    iv: [u8; BLOCK],
    iv_set: bool,
    pads: bool,
    /// It has no effect. Queries return the value that was set.
    num: u32,
    part: Part,
    /// The parameters of TLS records.
    tls: Option<Version>,
    mac_len: usize,
    mac: Mac,
}

impl<B> Clone for Padded<B> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), part: self.part.clone(), mac: self.mac.clone(), ..*self }
    }
}

/// The bytes of a partial block; or of a whole block, which may be the last.
#[derive(Clone)]
struct Part {
    bytes: [u8; BLOCK],
    len: usize,
}

impl Drop for Part {
    fn drop(&mut self) {
        self.bytes.zeroize();
    }
}

impl<B: Blocks> Padded<B> {
    /// Processes the block that was held back.
    fn apply_part(&mut self) -> Result<(), Reason> {
        let Self { way, key, iv, part, .. } = self;
        key.get()?.apply(*way, iv, Buffers::InPlace(&mut part.bytes))
    }

    /// Pads a record of TLS, or strips its padding and MAC.
    fn record(&mut self, version: Version, io: &mut Io) -> Result<usize, Reason> {
        let failed = Err(Reason::CipherOperationFailed);
        if !io.is_in_place() || io.room() < io.len() || !self.pads {
            return failed;
        }
        let len = match self.way {
            Way::Encrypt => io.len() + BLOCK - io.len() % BLOCK,
            Way::Decrypt => io.len(),
        };
        if io.room() < len || len % BLOCK > 0 {
            return failed;
        }
        let text = io.len();
        let record = io.first_of_output(len)?;
        if self.way == Way::Encrypt {
            tls::pad(&mut record[text..]);
        }
        let Self { way, key, iv, mac, mac_len, .. } = self;
        key.get()?.apply(*way, iv, Buffers::InPlace(record))?;
        if *way == Way::Encrypt {
            return Ok(len);
        }
        let text = if version.has_explicit_iv() {
            record.get_mut(BLOCK..).ok_or(Reason::CipherOperationFailed)?
        } else {
            record
        };
        tls::strip(text, *mac_len, mac)
    }
}

impl<B: Blocks> Cipher for Padded<B> {
    const MODE: u32 = B::MODE;
    const KEY_LEN: usize = B::KEY_LEN;
    const IV_LEN: usize = B::IV_LEN;
    const BLOCK_LEN: usize = BLOCK;
    const GETTABLE: &'static [Param] = &[
        Param::number(c"keylen"),
        Param::number(c"ivlen"),
        Param::number(c"padding"),
        Param::number(c"num"),
        Param::octets(c"iv"),
        Param::octets(c"updated-iv"),
        Param::octets_pointer(c"tls-mac"),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[
        Param::number(c"padding"),
        Param::number(c"num"),
        Param::number(c"tls-version"),
        Param::number(c"tls-mac-size"),
        Param::END,
    ];

    fn new(_: version::Version) -> Self {
        Self {
            way: Way::Encrypt,
            key: Held::none(),
            first_iv: [0; BLOCK],
            iv: [0; BLOCK],
            iv_set: false,
            pads: true,
            num: 0,
            part: Part { bytes: [0; BLOCK], len: 0 },
            tls: None,
            mac_len: 0,
            mac: Mac::default(),
        }
    }

    fn init(&mut self, way: Way, key: Option<&[u8]>, iv: Option<&[u8]>) -> Result<(), Reason> {
        self.way = way;
        self.part.len = 0;
        self.num = 0;
        if B::IV_LEN > 0 {
            if let Some(iv) = iv {
                self.first_iv = iv.try_into().map_err(|_| Reason::InvalidIvLength)?;
                self.iv_set = true;
            }
            if self.iv_set {
                self.iv = self.first_iv;
            }
        }
        if let Some(key) = key {
            check_key(key, B::KEY_LEN)?;
            self.key.set(key)?;
        }
        Ok(())
    }

    fn update(&mut self, io: &mut Io) -> Result<usize, Reason> {
        self.key.get()?;
        if let Some(version) = self.tls {
            return self.record(version, io);
        }
        // When decrypting, the last whole block may be padding, and is held back.
        let holds = self.way == Way::Decrypt && self.pads;
        if self.part.len == 0 && !holds && io.len().is_multiple_of(BLOCK) {
            return self.cipher(io);
        }
        let (mut skipped, mut written) = (0, 0);
        if self.part.len > 0 {
            skipped = (BLOCK - self.part.len).min(io.len());
            let at = self.part.len;
            self.part.bytes[at..at + skipped].copy_from_slice(&io.input()[..skipped]);
            self.part.len += skipped;
            if self.part.len < BLOCK || (holds && skipped == io.len()) {
                return Ok(0);
            }
            // The output must not overwrite input that is still unread.
            io.may_run_ahead(skipped, BLOCK)?;
            self.apply_part()?;
            io.output().write(&self.part.bytes)?;
            self.part.len = 0;
            written = BLOCK;
        }
        let left = io.len() - skipped;
        let mut rest = left % BLOCK;
        if holds && rest == 0 && left > 0 {
            rest = BLOCK;
        }
        let whole = left - rest;
        let Self { way, key, iv, part, .. } = self;
        // Saved before it can be overwritten.
        if rest > 0 {
            part.bytes[..rest].copy_from_slice(&io.input()[skipped + whole..]);
        }
        part.len = rest;
        if whole > 0 {
            key.get()?.apply(*way, iv, io.buffers(skipped, written, whole)?)?;
        }
        Ok(written + whole)
    }

    fn finish(&mut self, out: &mut Output) -> Result<usize, Reason> {
        self.key.get()?;
        if self.tls.is_some() {
            return Err(Reason::CipherOperationFailed);
        }
        let len = self.part.len;
        if len == 0 && !self.pads {
            return Ok(0);
        }
        if self.way == Way::Encrypt && self.pads {
            self.part.bytes[len..].fill((BLOCK - len) as u8);
        } else if len != BLOCK {
            return Err(Reason::WrongFinalBlockLength);
        }
        self.apply_part()?;
        self.part.len = 0;
        let text = if self.way == Way::Decrypt && self.pads {
            let padding = usize::from(self.part.bytes[BLOCK - 1]);
            if padding == 0 || padding > BLOCK {
                return Err(Reason::BadDecrypt);
            }
            let (text, filled) = self.part.bytes.split_at(BLOCK - padding);
            if filled.iter().any(|&byte| usize::from(byte) != padding) {
                return Err(Reason::BadDecrypt);
            }
            text
        } else {
            &self.part.bytes
        };
        out.write(text)?;
        Ok(text.len())
    }

    fn cipher(&mut self, io: &mut Io) -> Result<usize, Reason> {
        let len = io.len();
        let Self { way, key, iv, .. } = self;
        key.get()?.apply(*way, iv, io.whole()?)?;
        Ok(len)
    }

    fn get(&mut self, param: &mut Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" => param.set_number(B::KEY_LEN as u64),
            b"ivlen" => param.set_number(B::IV_LEN as u64),
            b"padding" => param.set_number(self.pads.into()),
            b"num" => param.set_number(self.num.into()),
            b"iv" => param.set_octets(&self.first_iv[..B::IV_LEN]),
            b"updated-iv" => param.set_octets(&self.iv[..B::IV_LEN]),
            b"tls-mac" => param.set_octets(self.mac.bytes()),
            _ => Ok(()),
        }
    }

    fn set(&mut self, param: &Param) -> Result<(), Reason> {
        match param.name() {
            b"padding" => self.pads = param.as_number()? > 0,
            b"num" => match u32::try_from(param.as_number()?) {
                Ok(num) if (num as usize) < BLOCK => self.num = num,
                _ => return Err(Reason::FailedToGetParameter),
            },
            b"tls-version" => self.tls = Version::named(param.as_number()?)?,
            b"tls-mac-size" => self.mac_len = param.as_size()?,
            _ => {}
        }
        Ok(())
    }
}
