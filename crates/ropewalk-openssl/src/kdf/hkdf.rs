//! HKDF (RFC 5869), and the derivations of TLS 1.3 with it (RFC 8446, section 7.1).

use zeroize::Zeroizing;

use super::{Hash, Kdf, join, keep};
use crate::{
    digest::Known,
    error::Reason,
    hmac::LONGEST,
    params::{List, Param, Params},
    secret::Secret,
    stats::Counter,
    version::Version,
};

/// The steps to perform.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Both,
    Extract,
    Expand,
}

/// In the order of their numbers in `kdf.h`.
const MODES: [(Mode, &str); 3] = [
    (Mode::Both, "EXTRACT_AND_EXPAND"),
    (Mode::Extract, "EXTRACT_ONLY"),
    (Mode::Expand, "EXPAND_ONLY"),
];

impl Mode {
    fn of(param: &Param) -> Result<Self, Reason> {
        let mode = if param.is_text() {
            let name = param.as_text()?;
            MODES.iter().find(|(_, own)| own.eq_ignore_ascii_case(name))
        } else {
            param.as_size().ok().and_then(|number| MODES.get(number))
        };
        mode.map(|(mode, _)| *mode).ok_or(Reason::InvalidMode)
    }

    fn answer(self, param: &mut Param) -> Result<(), Reason> {
        if param.is_text() {
            param.set_words(MODES[self as usize].1)
        } else {
            param.set_number(self as u64)
        }
    }

    fn number(self) -> &'static i32 {
        [&0, &1, &2][self as usize]
    }
}

/// HKDF.
#[derive(Clone)]
pub(crate) struct Hkdf {
    mode: Mode,
    key: Option<Secret>,
    salt: Option<Secret>,
    info: Option<Secret>,
}

impl Hkdf {
    fn salt(&self) -> &[u8] {
        self.salt.as_deref().unwrap_or_default()
    }

    fn info(&self) -> &[u8] {
        self.info.as_deref().unwrap_or_default()
    }
}

impl Kdf for Hkdf {
    const NAME: &'static core::ffi::CStr = c"HKDF";
    const COUNTER: &'static Counter = {
        static COUNTER: Counter = Counter::new("HKDF");
        &COUNTER
    };
    const GETTABLE: &'static [Param] = GETTABLE;
    const SETTABLE: &'static [Param] = &[
        Param::text(c"properties"),
        Param::text(c"digest"),
        Param::text(c"mode"),
        Param::integer(c"mode"),
        Param::octets(c"key"),
        Param::octets(c"salt"),
        Param::octets(c"info"),
        Param::END,
    ];

    fn new(_: Version) -> Self {
        Self { mode: Mode::Both, key: None, salt: None, info: None }
    }

    fn set(&mut self, params: Params<'_>) -> Result<(), Reason> {
        if let Some(mode) = params.named(b"mode") {
            self.mode = Mode::of(mode)?;
        }
        keep(&mut self.key, params, b"key")?;
        keep(&mut self.salt, params, b"salt")?;
        if let Some(info) = join(&[], params, b"info")? {
            self.info = Some(info);
        }
        Ok(())
    }

    fn check(&self, len: usize) -> Result<(), Reason> {
        if self.key.is_none() {
            return Err(Reason::MissingKey);
        }
        if len == 0 { Err(Reason::InvalidKeyLength) } else { Ok(()) }
    }

    fn derive(&self, hash: Hash, out: &mut [u8]) -> Result<(), Reason> {
        let (hash, key) = (known(hash)?, self.key.as_deref().ok_or(Reason::MissingKey)?);
        match self.mode {
            Mode::Extract => extract(hash, self.salt(), key, out),
            Mode::Expand => expand(hash, key, &[self.info()], out),
            Mode::Both => {
                let mut prk = Zeroizing::new([0; LONGEST]);
                let prk = &mut prk[..hash.size()];
                extract(hash, self.salt(), key, prk)?;
                expand(hash, prk, &[self.info()], out)
            }
        }
    }

    fn hand_on<'a>(&'a self, list: &mut List<'a>) {
        list.integer(c"mode", self.mode.number());
        list.some_octets(c"key", self.key.as_deref());
        list.some_octets(c"salt", self.salt.as_deref());
        list.some_octets(c"info", self.info.as_deref());
    }

    fn gives_digest(&self) -> bool {
        self.mode == Mode::Extract
    }

    fn answers(version: Version, name: &[u8]) -> bool {
        answers(version, name)
    }

    fn get(&self, param: &mut Param) -> Result<(), Reason> {
        match param.name() {
            b"mode" => self.mode.answer(param),
            b"salt" => param.set_octets(self.salt()),
            b"info" => param.set_octets(self.info()),
            _ => Ok(()),
        }
    }
}

const GETTABLE: &[Param] = &[
    Param::number(c"size"),
    Param::text(c"digest"),
    Param::text(c"mode"),
    Param::integer(c"mode"),
    Param::octets(c"salt"),
    Param::octets(c"info"),
    Param::END,
];

/// The steps of HKDF in TLS 1.3.
#[derive(Clone)]
pub(crate) struct Tls13 {
    version: Version,
    mode: Mode,
    key: Option<Secret>,
    salt: Option<Secret>,
    prefix: Option<Secret>,
    label: Option<Secret>,
    data: Option<Secret>,
}

impl Tls13 {
    /// HKDF-Expand-Label, of a label with its prefix.
    fn expand(&self, hash: Known, key: &[u8], data: &[u8], out: &mut [u8]) -> Result<(), Reason> {
        let [prefix, label] =
            [&self.prefix, &self.label].map(|field| field.as_deref().unwrap_or_default());
        let len = u16::try_from(out.len()).map_err(|_| Reason::LengthTooLarge)?;
        let byte = |len: usize| u8::try_from(len).map_err(|_| Reason::LengthTooLarge);
        let (label_len, data_len) = ([byte(prefix.len() + label.len())?], [byte(data.len())?]);
        let info = [&len.to_be_bytes(), &label_len[..], prefix, label, &data_len, data];
        expand(hash, key, &info, out)
    }

    /// The secret of the next stage: HKDF-Extract of the input and of a secret that is derived from the stage
    /// before.
    fn extract(&self, hash: Known, out: &mut [u8]) -> Result<(), Reason> {
        let size = hash.size();
        let mut before = Zeroizing::new([0; LONGEST]);
        let before = &mut before[..size];
        if let Some(secret) = self.salt.as_deref() {
            self.expand(hash, secret, &hash.of_nothing()?[..size], before)?;
        }
        let zeros = [0; LONGEST];
        extract(hash, before, self.key.as_deref().unwrap_or(&zeros[..size]), out)
    }
}

impl Kdf for Tls13 {
    const NAME: &'static core::ffi::CStr = c"TLS13-KDF";
    const COUNTER: &'static Counter = {
        static COUNTER: Counter = Counter::new("TLS13-KDF");
        &COUNTER
    };
    const GETTABLE: &'static [Param] = GETTABLE;
    const SETTABLE: &'static [Param] = &[
        Param::text(c"properties"),
        Param::text(c"digest"),
        Param::text(c"mode"),
        Param::integer(c"mode"),
        Param::octets(c"key"),
        Param::octets(c"salt"),
        Param::octets(c"prefix"),
        Param::octets(c"label"),
        Param::octets(c"data"),
        Param::END,
    ];

    fn new(version: Version) -> Self {
        let mode = Mode::Both;
        Self { version, mode, key: None, salt: None, prefix: None, label: None, data: None }
    }

    fn set(&mut self, params: Params<'_>) -> Result<(), Reason> {
        if let Some(mode) = params.named(b"mode") {
            self.mode = Mode::of(mode)?;
        }
        keep(&mut self.key, params, b"key")?;
        keep(&mut self.salt, params, b"salt")?;
        if self.mode == Mode::Both {
            return Err(Reason::InvalidMode);
        }
        if self.version < Version::V3_6 {
            // OpenSSL's own provider does not keep the data of an earlier call.
            self.data = None;
        }
        keep(&mut self.prefix, params, b"prefix")?;
        keep(&mut self.label, params, b"label")?;
        keep(&mut self.data, params, b"data")
    }

    fn check(&self, len: usize) -> Result<(), Reason> {
        match self.mode {
            Mode::Both => Err(Reason::InvalidMode),
            Mode::Expand if self.key.is_none() => Err(Reason::MissingKey),
            // An output of no bytes is not an error for OpenSSL's own provider.
            Mode::Extract if len == 0 => Err(Reason::InvalidKeyLength),
            _ => Ok(()),
        }
    }

    fn derive(&self, hash: Hash, out: &mut [u8]) -> Result<(), Reason> {
        let hash = known(hash)?;
        if self.mode == Mode::Extract {
            return self.extract(hash, out);
        }
        let key = self.key.as_deref().ok_or(Reason::MissingKey)?;
        self.expand(hash, key, self.data.as_deref().unwrap_or_default(), out)
    }

    fn hand_on<'a>(&'a self, list: &mut List<'a>) {
        list.integer(c"mode", self.mode.number());
        list.some_octets(c"key", self.key.as_deref());
        list.some_octets(c"salt", self.salt.as_deref());
        list.some_octets(c"prefix", self.prefix.as_deref());
        list.some_octets(c"label", self.label.as_deref());
        list.some_octets(c"data", self.data.as_deref());
    }

    fn gives_digest(&self) -> bool {
        self.mode == Mode::Extract
    }

    fn answers(version: Version, name: &[u8]) -> bool {
        answers(version, name)
    }

    fn get(&self, param: &mut Param) -> Result<(), Reason> {
        match param.name() {
            b"mode" => self.mode.answer(param),
            b"salt" => param.set_octets(self.salt.as_deref().unwrap_or_default()),
            b"info" => param.set_octets(&[]),
            _ => Ok(()),
        }
    }
}

fn answers(version: Version, name: &[u8]) -> bool {
    match name {
        b"info" => true,
        b"digest" | b"mode" | b"salt" => version >= Version::V3_6,
        _ => false,
    }
}

fn known(hash: Hash) -> Result<Known, Reason> {
    if let Hash::Known(hash) = hash { Ok(hash) } else { Err(Reason::InvalidDigest) }
}

/// HKDF-Extract (section 2.2).
fn extract(hash: Known, salt: &[u8], secret: &[u8], out: &mut [u8]) -> Result<(), Reason> {
    if out.len() != hash.size() {
        return Err(Reason::WrongOutputBufferSize);
    }
    let mut mac = hash.hmac(salt);
    mac.update(secret)?;
    mac.finish(out)
}

/// HKDF-Expand (section 2.3), of a key of any length.
fn expand(hash: Known, key: &[u8], info: &[&[u8]], out: &mut [u8]) -> Result<(), Reason> {
    let size = hash.size();
    if out.len() > 255 * size {
        return Err(Reason::LengthTooLarge);
    }
    let mut mac = hash.hmac(key);
    let mut last = Zeroizing::new([0; LONGEST]);
    for (i, piece) in out.chunks_mut(size).enumerate() {
        mac.begin();
        if i > 0 {
            mac.update(&last[..size])?;
        }
        info.iter().try_for_each(|part| mac.update(part))?;
        mac.update(&[(i + 1) as u8])?;
        mac.finish(&mut last[..size])?;
        piece.copy_from_slice(&last[..piece.len()]);
    }
    Ok(())
}
