//! AES-CBC stitched with HMAC, for records of TLS 1.0 to 1.2.

use core::{mem, slice};
use std::sync::Arc;

use ropewalk::{
    aes_cbc,
    cbc_hmac::{self, Hash, Header, Message},
    random,
};
use zeroize::Zeroizing;

use super::{
    Cipher, Way,
    block::chained,
    check_key,
    io::{Buffers, Io, Output},
    key::{Held, OfSecret},
    mode,
    tls::RECORD_AAD,
};
use crate::{
    error::Reason,
    params::{Param, Params},
    version::Version,
};

const BLOCK: usize = 16;
/// The longest MAC key that is used as it is; longer keys are hashed.
const LONGEST_MAC_KEY: usize = 64;

impl OfSecret for aes_cbc::Key {
    fn new(secret: &[u8]) -> Result<Self, Reason> {
        Ok(Self::new(secret)?)
    }
}

/// AES-CBC with HMAC, with an AES key of `LEN` bytes.
pub(crate) struct CbcHmac<H: Hash, const LEN: usize> {
    way: Way,
    secret: Zeroizing<[u8; LEN]>,
    cbc: Held<aes_cbc::Key>,
    mac_key: Zeroizing<[u8; LONGEST_MAC_KEY]>,
    mac_key_len: usize,
    /// The key for both, made for the first record.
    key: Option<Arc<cbc_hmac::Key<H>>>,
    first_iv: [u8; BLOCK],
    iv: [u8; BLOCK],
    iv_set: bool,
    record: Option<[u8; RECORD_AAD]>,
    record_pad: usize,
    /// The parameters of a batch of records.
    many: Many,
}

/// Four or eight records of one text, which libssl calls a multi-block.
#[derive(Clone, Copy, Default)]
struct Many {
    longest: usize,
    records: usize,
    aad: [u8; RECORD_AAD],
    /// The total length of the records.
    len: usize,
    sealed: usize,
}

/// The most records of a multi-block.
const MOST_RECORDS: usize = 8;
/// The length of a record header: type, version, length.
const HEAD: usize = 5;

impl<H: Hash, const LEN: usize> Clone for CbcHmac<H, LEN> {
    fn clone(&self) -> Self {
        Self {
            secret: self.secret.clone(),
            cbc: self.cbc.clone(),
            mac_key: self.mac_key.clone(),
            key: self.key.clone(),
            ..*self
        }
    }
}

/// The fields of a record that `tlsaad` sets.
struct Record {
    header: Header,
    explicit_iv: bool,
}

impl Record {
    fn of(aad: &[u8; RECORD_AAD]) -> Self {
        let header: Header = aad[..11].try_into().expect("eleven bytes");
        Self { header, explicit_iv: u16::from_be_bytes([aad[9], aad[10]]) >= 0x0302 }
    }
}

impl<H: Hash, const LEN: usize> CbcHmac<H, LEN> {
    fn keys(&mut self) -> Result<(), Reason> {
        self.cbc.get()?;
        if self.key.is_none() {
            let key = cbc_hmac::Key::new(&self.secret[..], &self.mac_key[..self.mac_key_len])?;
            self.key = Some(Arc::new(key));
        }
        Ok(())
    }

    fn set_mac_key(&mut self, key: &[u8]) {
        self.key = None;
        self.mac_key.fill(0);
        if key.len() <= LONGEST_MAC_KEY {
            self.mac_key[..key.len()].copy_from_slice(key);
            self.mac_key_len = key.len();
        } else {
            // FIPS 198-1, table 1, step 2.
            let digest = H::default().digest(key);
            self.mac_key[..H::DIGEST_LEN].copy_from_slice(digest.as_ref());
            self.mac_key_len = H::DIGEST_LEN;
        }
    }

    fn set_record(&mut self, aad: &[u8]) -> Result<(), Reason> {
        let aad: [u8; RECORD_AAD] = aad.try_into().map_err(|_| Reason::InvalidAad)?;
        let len = usize::from(u16::from_be_bytes([aad[11], aad[12]]));
        self.record_pad = H::DIGEST_LEN;
        if self.way == Way::Encrypt {
            let explicit = if Record::of(&aad).explicit_iv { BLOCK } else { 0 };
            let text = len.checked_sub(explicit).ok_or(Reason::InvalidAad)?;
            self.record_pad = cbc_hmac::Key::<H>::sealed_len(text) - text;
        }
        self.record = Some(aad);
        Ok(())
    }

    /// Seals a record: the text, which begins with the explicit initialization vector if there is one, MAC
    /// and padding.
    fn seal(&mut self, aad: &[u8; RECORD_AAD], io: &mut Io) -> Result<usize, Reason> {
        let failed = Reason::CipherOperationFailed;
        let Record { header, explicit_iv } = Record::of(aad);
        let len = io.len();
        let whole = usize::from(u16::from_be_bytes([aad[11], aad[12]]));
        let explicit = if explicit_iv { BLOCK } else { 0 };
        let text = whole.checked_sub(explicit).ok_or(failed)?;
        if len != explicit + cbc_hmac::Key::<H>::sealed_len(text) {
            return Err(failed);
        }
        let (Some(key), cbc) = (&self.key, self.cbc.get()?) else { return Err(Reason::NoKeySet) };
        if !io.is_in_place() {
            // The output for MAC and padding is not read before it is written.
            let Buffers::Apart(from, to) = io.whole()? else { return Err(failed) };
            to[..whole].copy_from_slice(&from[..whole]);
        }
        let record = io.first_of_output(len)?;
        let (first, record) = record.split_at_mut(explicit);
        if let Ok(block) = <&mut [u8; BLOCK]>::try_from(first) {
            cbc.encrypt(&self.iv, block)?;
            self.iv = *block;
        }
        key.seal(&self.iv, &header, record, text)?;
        if let Some(last) = record.last_chunk() {
            self.iv = *last;
        }
        Ok(len)
    }

    /// Opens a record, and returns the length of its text.
    fn open(&mut self, aad: &[u8; RECORD_AAD], io: &mut Io) -> Result<usize, Reason> {
        let failed = Reason::CipherOperationFailed;
        let Record { header, explicit_iv } = Record::of(aad);
        let len = io.len();
        let explicit = if explicit_iv { BLOCK } else { 0 };
        if len < explicit {
            return Err(failed);
        }
        let (Some(key), cbc) = (&self.key, self.cbc.get()?) else { return Err(Reason::NoKeySet) };
        if !io.is_in_place() {
            let Buffers::Apart(from, to) = io.whole()? else { return Err(failed) };
            to.copy_from_slice(from);
        }
        let record = io.first_of_output(len)?;
        let (first, record) = record.split_at_mut(explicit);
        if let Ok(block) = <&mut [u8; BLOCK]>::try_from(first) {
            let sent = *block;
            if H::DIGEST_LEN == ropewalk::sha256::DIGEST_LEN {
                // OpenSSL's own provider decrypts the initialization vector as if it were text, and evp_test
                // compares that.
                cbc.decrypt(&self.iv, block)?;
            }
            self.iv = sent;
        }
        let Some(next) = record.last_chunk().copied() else { return Err(failed) };
        let text = key.open(&self.iv, &header, record).map_err(|_| failed)?;
        self.iv = next;
        Ok(text.len())
    }

    /// The lengths of the texts of a multi-block.
    fn texts(&self, len: usize) -> impl Iterator<Item = usize> + use<H, LEN> {
        let (records, each) = (self.many.records, len.div_ceil(self.many.records.max(1)));
        (0..records).map(move |i| each.min(len - (each * i).min(len)))
    }

    /// The length of a record with a text of that length, with its header.
    fn whole(text: usize) -> usize {
        HEAD + BLOCK + cbc_hmac::Key::<H>::sealed_len(text)
    }

    /// Handles `tls1multi_aad`: the additional data of the first record, the number of records, and the
    /// length of the text.
    fn set_many(&mut self, aad: &Param, records: usize) -> Result<(), Reason> {
        let wrong = Err(Reason::FailedToGetParameter);
        let len = aad.octets_len()?;
        let aad: [u8; RECORD_AAD] = aad.as_octets_of(RECORD_AAD)?.try_into().expect("as many");
        // Its length field, if not zero, is the length of the whole text, as an alternative to the other
        // parameter.
        let told = usize::from(u16::from_be_bytes([aad[11], aad[12]]));
        let len = if told > 0 { told } else { len };
        let explicit_iv = Record::of(&aad).explicit_iv;
        if self.way == Way::Decrypt || !explicit_iv || !(records == 4 || records == MOST_RECORDS) {
            return wrong;
        }
        self.many.records = records;
        if len < records || self.texts(len).any(|text| text > cbc_hmac::LONGEST_TEXT || text == 0) {
            return wrong;
        }
        self.many.aad = aad;
        self.many.len = self.texts(len).map(Self::whole).sum();
        Ok(())
    }

    /// Seals a text as the records that were set with [`Self::set_many`].
    ///
    /// # Safety
    /// `out` has space for the length that [`Self::set_many`] has computed, and does not overlap the text.
    unsafe fn seal_many(&mut self, text: &[u8], out: *mut u8) -> Result<(), Reason> {
        self.keys()?;
        let Many { records, aad, len, .. } = self.many;
        let sum: usize = self.texts(text.len()).map(Self::whole).sum();
        if records == 0 || sum != len {
            return Err(Reason::CipherOperationFailed);
        }
        let key = self.key.as_ref().ok_or(Reason::NoKeySet)?;
        // SAFETY: as the caller says.
        let mut out = unsafe { slice::from_raw_parts_mut(out, len) };
        let mut ivs = [[0; BLOCK]; MOST_RECORDS];
        random::fill(ivs[..records].as_flattened_mut())?;
        let first = u64::from_be_bytes(aad[..8].try_into().expect("eight bytes"));
        let headers: [Header; MOST_RECORDS] = core::array::from_fn(|i| {
            let mut header: Header = aad[..11].try_into().expect("eleven bytes");
            header[..8].copy_from_slice(&first.wrapping_add(i as u64).to_be_bytes());
            header
        });
        let (mut text, mut texts) = (text, self.texts(text.len()));
        let mut messages: [_; MOST_RECORDS] = core::array::from_fn(|i| {
            let len = texts.next().unwrap_or(0);
            let whole = if i < records { Self::whole(len) } else { 0 };
            let (record, rest) = mem::take(&mut out).split_at_mut(whole);
            out = rest;
            let (piece, rest) = text.split_at(len);
            text = rest;
            Message {
                key,
                iv: &ivs[i],
                header: &headers[i],
                record: laid_out(record, &aad, &ivs[i], piece),
                len,
            }
        });
        cbc_hmac::seal_many(&mut messages[..records]).map_err(|wrong| wrong.error)?;
        self.many.sealed = len;
        Ok(())
    }

    /// Processes data that is not a record, with the cipher only.
    fn plain(&mut self, io: &mut Io) -> Result<usize, Reason> {
        let len = io.len();
        if !len.is_multiple_of(BLOCK) {
            return Err(Reason::CipherOperationFailed);
        }
        chained(self.cbc.get()?, self.way, &mut self.iv, io.whole()?)?;
        Ok(len)
    }
}

/// Writes the header of a record, its initialization vector and its text, and returns the part to seal. The
/// length field has 16 bits.
fn laid_out<'a>(
    record: &'a mut [u8],
    aad: &[u8; RECORD_AAD],
    iv: &[u8; BLOCK],
    text: &[u8],
) -> &'a mut [u8] {
    if record.is_empty() {
        return record;
    }
    let (head, body) = record.split_at_mut(HEAD);
    head[..3].copy_from_slice(&aad[8..11]);
    head[3..].copy_from_slice(&(body.len() as u16).to_be_bytes());
    let (explicit, record) = body.split_at_mut(BLOCK);
    explicit.copy_from_slice(iv);
    record[..text.len()].copy_from_slice(text);
    record
}

impl<H: Hash, const LEN: usize> Cipher for CbcHmac<H, LEN> {
    const MODE: u32 = mode::CBC;
    const KEY_LEN: usize = LEN;
    const IV_LEN: usize = BLOCK;
    const BLOCK_LEN: usize = BLOCK;
    const AEAD: bool = true;
    const MULTIBLOCK: bool = true;
    const GETTABLE: &'static [Param] = &[
        Param::number(c"keylen"),
        Param::number(c"ivlen"),
        Param::number(c"tlsaadpad"),
        Param::number(c"tls1multi_maxbufsz"),
        Param::number(c"tls1multi_interleave"),
        Param::number(c"tls1multi_aadpacklen"),
        Param::number(c"tls1multi_enclen"),
        Param::octets(c"iv"),
        Param::octets(c"updated-iv"),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[
        Param::number(c"keylen"),
        Param::octets(c"mackey"),
        Param::octets(c"tlsaad"),
        Param::number(c"tls-version"),
        Param::number(c"tls-mac-size"),
        Param::number(c"tls1multi_maxsndfrag"),
        Param::octets(c"tls1multi_aad"),
        Param::number(c"tls1multi_interleave"),
        Param::octets(c"tls1multi_enc"),
        Param::octets(c"tls1multi_encin"),
        Param::END,
    ];

    fn new(_: Version) -> Self {
        Self {
            way: Way::Encrypt,
            secret: Zeroizing::new([0; LEN]),
            cbc: Held::none(),
            mac_key: Zeroizing::new([0; LONGEST_MAC_KEY]),
            mac_key_len: 0,
            key: None,
            first_iv: [0; BLOCK],
            iv: [0; BLOCK],
            iv_set: false,
            record: None,
            record_pad: 0,
            many: Many::default(),
        }
    }

    fn init(&mut self, way: Way, key: Option<&[u8]>, iv: Option<&[u8]>) -> Result<(), Reason> {
        self.way = way;
        if let Some(iv) = iv {
            self.first_iv = iv.try_into().map_err(|_| Reason::InvalidIvLength)?;
            self.iv_set = true;
        }
        if self.iv_set {
            self.iv = self.first_iv;
        }
        if let Some(key) = key {
            self.record = None;
            check_key(key, LEN)?;
            if self.cbc.set(key)? {
                self.key = None;
            }
            self.secret.copy_from_slice(key);
        }
        Ok(())
    }

    fn update(&mut self, io: &mut Io) -> Result<usize, Reason> {
        let Some(aad) = self.record.take() else { return self.plain(io) };
        self.keys()?;
        if self.way == Way::Encrypt { self.seal(&aad, io) } else { self.open(&aad, io) }
    }

    fn finish(&mut self, _: &mut Output) -> Result<usize, Reason> {
        self.cbc.get().map(|_| 0)
    }

    /// For an opened record it returns the length of the record.
    fn cipher(&mut self, io: &mut Io) -> Result<usize, Reason> {
        let len = io.len();
        self.update(io).map(|_| len)
    }

    fn get(&mut self, param: &mut Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" => param.set_number(LEN as u64),
            b"ivlen" => param.set_number(BLOCK as u64),
            b"tlsaadpad" => param.set_number(self.record_pad as u64),
            b"tls1multi_maxbufsz" => param.set_number(Self::whole(self.many.longest) as u64),
            b"tls1multi_interleave" => param.set_number(self.many.records as u64),
            b"tls1multi_aadpacklen" => param.set_number(self.many.len as u64),
            b"tls1multi_enclen" => param.set_number(self.many.sealed as u64),
            b"iv" => param.set_octets(&self.first_iv),
            b"updated-iv" => param.set_octets(&self.iv),
            _ => Ok(()),
        }
    }

    fn set(&mut self, param: &Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" if param.as_size()? != LEN => return Err(Reason::InvalidKeyLength),
            b"mackey" => self.set_mac_key(param.as_octets()?),
            // Its records contain their version.
            b"tls-version" => _ = param.as_number()?,
            b"tlsaad" => self.set_record(param.as_octets()?)?,
            b"tls1multi_maxsndfrag" => {
                self.many.longest = param.as_size()?.min(cbc_hmac::LONGEST_TEXT)
            }
            _ => {}
        }
        Ok(())
    }

    fn set_all(&mut self, mut params: Params<'_>) -> Result<(), Reason> {
        let named = |name: &[u8]| params.into_iter().find(|param| param.name() == name);
        let records = || match named(b"tls1multi_interleave") {
            Some(param) => param.as_size(),
            None => Err(Reason::FailedToGetParameter),
        };
        if let Some(aad) = named(b"tls1multi_aad") {
            self.set_many(aad, records()?)?;
        }
        if let Some(out) = named(b"tls1multi_enc") {
            let text =
                named(b"tls1multi_encin").ok_or(Reason::FailedToGetParameter)?.as_octets()?;
            if records()? != self.many.records {
                return Err(Reason::FailedToGetParameter);
            }
            // SAFETY: libssl has allocated the length that was reported to it, apart from the text.
            unsafe { self.seal_many(text, out.as_place()?.as_ptr()) }?;
        }
        params.try_for_each(|param| self.set(param))
    }
}
