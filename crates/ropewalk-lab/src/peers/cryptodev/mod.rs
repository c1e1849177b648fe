//! The cryptography of the Linux kernel and of engines behind it, through the device /dev/crypto, an
//! interface of the BSDs that cryptodev-linux implements.
//!
//! Each message is one call on a session that keeps its key. Its only backend is the driver that serves the session.

mod api;

use std::{
    fs::{File, OpenOptions},
    io::ErrorKind,
    os::fd::AsRawFd,
    sync::Arc,
};

use api::{CryptOp, SessionOp};
use nix::errno::Errno;

use super::{Job, Opened, Peer, Unavailable, jobs};
use crate::tasks::{Cell, Direction, Function, Kind, Mac, Mode, RC4_KEY, TRIPLE_DES_KEY, Task};

/// The device.
pub(super) struct Cryptodev;

impl Peer for Cryptodev {
    fn name(&self) -> &'static str {
        "cryptodev"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-xts",
            "3des-cbc", "rc4",
            "hmac-md5", "hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512",
            "md5", "sha1", "sha224", "sha256", "sha384", "sha512",
        ]
    }

    fn open(&self, _: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let device = OpenOptions::new().read(true).write(true).open(DEVICE);
        let device = device.map_err(|error| {
            Unavailable(match error.kind() {
                ErrorKind::NotFound => {
                    format!("no {DEVICE}: the kernel's module cryptodev is not loaded")
                }
                ErrorKind::PermissionDenied => format!("no permission to open {DEVICE}"),
                _ => format!("{DEVICE}: {error}"),
            })
        })?;
        Ok(Box::new(Device(Arc::new(device))))
    }
}

const DEVICE: &str = "/dev/crypto";

struct Device(Arc<File>);

impl Opened for Device {
    fn version(&self) -> String {
        format!("cryptodev, Linux {}", rustix::system::uname().release().to_string_lossy())
    }

    fn path(&self) -> Option<String> {
        Some(DEVICE.into())
    }

    fn backends(&self, task: &Task, _: usize) -> Vec<String> {
        let driver = algorithm(task.kind).and_then(|of| {
            let key = jobs::key(key_len(task.kind));
            Session::new(&self.0, of, &key).ok()?.driver().ok()
        });
        vec![driver.unwrap_or_default()]
    }

    fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
        let kind = cell.task.kind;
        let lacks = || match kind {
            Kind::Gcm { .. } | Kind::Gmac { .. } => {
                Unavailable("its AES-GCM is not called here".into())
            }
            Kind::Records { .. } => Unavailable("its records are not called here".into()),
            _ => Unavailable::lacks(&Cryptodev, cell.task),
        };
        let (device, key_len) = (self.0.clone(), key_len(kind));
        let of = algorithm(kind).ok_or_else(lacks)?;
        let of_rc4 = device.clone();
        let session = move |key: &[u8]| Session::new(&device, of, key);
        match kind {
            Kind::Ctr { .. } if cell.mode == Mode::Stream && !cell.bytes.is_multiple_of(16) => {
                Err(Unavailable("a stream goes on in whole blocks".into()))
            }
            Kind::Ctr { .. } => {
                jobs::ctr(cell, key_len, move |key| Ok(Ctr { session: session(key)?, iv: [0; 16] }))
            }
            Kind::Rc4 => jobs::ctr(cell, key_len, move |key| Rc4::new(of_rc4.clone(), key)),
            Kind::Cbc { direction, .. }
            | Kind::Ecb { direction, .. }
            | Kind::TripleDes { direction } => jobs::cbc(cell, key_len, move |key| {
                Ok(Blocks { session: session(key)?, op: op(direction) })
            }),
            Kind::Xts { direction, .. } => jobs::xts(cell, key_len, move |key| {
                Ok(Blocks { session: session(key)?, op: op(direction) })
            }),
            Kind::Mac(_) => jobs::mac(cell, move |key| Ok(Hash::new(session(key)?))),
            _ => Ok(jobs::hash(cell, Hash::new(session(&[])?))),
        }
    }
}

/// A cipher or a hash function by its number.
#[derive(Clone, Copy)]
enum Algorithm {
    Cipher(u32),
    Hash(u32),
}

fn algorithm(kind: Kind) -> Option<Algorithm> {
    use Algorithm::{Cipher, Hash};
    Some(match kind {
        Kind::Ctr { .. } => Cipher(api::CRYPTO_AES_CTR),
        Kind::Cbc { .. } => Cipher(api::CRYPTO_AES_CBC),
        Kind::Ecb { .. } => Cipher(api::CRYPTO_AES_ECB),
        Kind::Xts { .. } => Cipher(api::CRYPTO_AES_XTS),
        Kind::TripleDes { .. } => Cipher(api::CRYPTO_3DES_CBC),
        Kind::Rc4 => Cipher(api::CRYPTO_ARC4),
        Kind::Hash(function) => Hash(match function {
            Function::Md5 => api::CRYPTO_MD5,
            Function::Sha1 => api::CRYPTO_SHA1,
            Function::Sha224 => api::CRYPTO_SHA2_224,
            Function::Sha256 => api::CRYPTO_SHA2_256,
            Function::Sha384 => api::CRYPTO_SHA2_384,
            Function::Sha512 => api::CRYPTO_SHA2_512,
            _ => return None,
        }),
        Kind::Mac(Mac::Hmac(function)) => Hash(match function {
            Function::Md5 => api::CRYPTO_MD5_HMAC,
            Function::Sha1 => api::CRYPTO_SHA1_HMAC,
            Function::Sha224 => api::CRYPTO_SHA2_224_HMAC,
            Function::Sha256 => api::CRYPTO_SHA2_256_HMAC,
            Function::Sha384 => api::CRYPTO_SHA2_384_HMAC,
            Function::Sha512 => api::CRYPTO_SHA2_512_HMAC,
            _ => return None,
        }),
        _ => return None,
    })
}

fn key_len(kind: Kind) -> usize {
    match kind {
        Kind::Ctr { key_len }
        | Kind::Cbc { key_len, .. }
        | Kind::Ecb { key_len, .. }
        | Kind::Xts { key_len, .. } => key_len,
        Kind::TripleDes { .. } => TRIPLE_DES_KEY,
        Kind::Rc4 => RC4_KEY,
        Kind::Mac(mac) => mac.key_len(),
        _ => 0,
    }
}

fn op(direction: Direction) -> u16 {
    match direction {
        Direction::Encrypt => api::COP_ENCRYPT,
        Direction::Decrypt => api::COP_DECRYPT,
    }
}

/// A session with its key.
struct Session {
    device: Arc<File>,
    number: u32,
}

impl Session {
    fn new(device: &Arc<File>, of: Algorithm, key: &[u8]) -> Result<Self, Unavailable> {
        let (start, len) = (key.as_ptr(), key.len() as u32);
        let mut op = match of {
            Algorithm::Cipher(cipher) => {
                SessionOp { cipher, key: start, key_len: len, ..SessionOp::new() }
            }
            Algorithm::Hash(mac) => {
                SessionOp { mac, mac_key: start, mac_key_len: len, ..SessionOp::new() }
            }
        };
        // SAFETY: the key has the given length, and only read; there is space for the number.
        match unsafe { api::ciocgsession(device.as_raw_fd(), &mut op) } {
            Ok(_) => Ok(Self { device: device.clone(), number: op.session }),
            Err(Errno::EINVAL | Errno::ENOENT) => {
                Err(Unavailable("the kernel behind it lacks the algorithm".into()))
            }
            Err(error) => Err(Unavailable(format!("CIOCGSESSION: {}", error.desc()))),
        }
    }

    /// The driver that serves it.
    fn driver(&self) -> Result<String, Unavailable> {
        let mut info = api::SessionInfo::of(self.number);
        // SAFETY: there is space for the answer.
        let asked = unsafe { api::ciocgsessinfo(self.device.as_raw_fd(), &mut info) };
        asked.map_err(|error| Unavailable(format!("CIOCGSESSINFO: {}", error.desc())))?;
        let names = if info.cipher.driver[0] == 0 { info.hash } else { info.cipher };
        let name = names.driver.split(|byte| *byte == 0).next().unwrap_or_default();
        Ok(String::from_utf8_lossy(name).into_owned())
    }

    /// Processes a text in place, and returns whether it did.
    fn crypt(&self, op: u16, flags: u16, iv: &mut [u8; 16], text: &mut [u8]) -> bool {
        let mut call = CryptOp::new(self.number, op, flags);
        call.len = text.len() as u32;
        (call.from, call.to, call.iv) = (text.as_ptr(), text.as_mut_ptr(), iv.as_mut_ptr());
        // SAFETY: the text has the given length, and may be in place; no cipher here has a vector of more than sixteen
        // bytes.
        unsafe { api::cioccrypt(self.device.as_raw_fd(), &mut call) }.is_ok()
    }

    /// Reads a text, and writes a digest if there is a buffer for one.
    fn hash(&self, flags: u16, text: &[u8], digest: Option<&mut [u8]>) -> bool {
        let mut call = CryptOp::new(self.number, api::COP_ENCRYPT, flags);
        (call.len, call.from) = (text.len() as u32, text.as_ptr());
        if let Some(digest) = digest {
            call.mac = digest.as_mut_ptr();
        }
        // SAFETY: the text has the given length, and a digest of the function is as long as its buffer.
        unsafe { api::cioccrypt(self.device.as_raw_fd(), &mut call) }.is_ok()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the session is there, and nothing else uses it.
        let _ = unsafe { api::ciocfsession(self.device.as_raw_fd(), &self.number) };
    }
}

/// Counter mode, and the position of a stream.
struct Ctr {
    session: Session,
    iv: [u8; 16],
}

impl jobs::Ctr for Ctr {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        if !self.session.crypt(api::COP_ENCRYPT, 0, &mut iv.clone(), text) {
            // A failed call must not look like an answer.
            text.fill(0);
        }
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.iv = *iv;
    }

    fn update(&mut self, text: &mut [u8]) {
        let flags = api::COP_FLAG_WRITE_IV;
        if !self.session.crypt(api::COP_ENCRYPT, flags, &mut self.iv, text) {
            text.fill(0);
        }
    }
}

/// A mode of blocks, in one direction. Modes without a vector ignore it.
struct Blocks {
    session: Session,
    op: u16,
}

impl jobs::Cbc for Blocks {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        if !self.session.crypt(self.op, 0, &mut iv.clone(), text) {
            text.fill(0);
        }
    }
}

/// RC4, whose key starts a message: a session has one.
struct Rc4 {
    device: Arc<File>,
    key: Vec<u8>,
    session: Option<Session>,
}

impl Rc4 {
    fn new(device: Arc<File>, key: &[u8]) -> Result<Self, Unavailable> {
        let session = Session::new(&device, Algorithm::Cipher(api::CRYPTO_ARC4), key)?;
        Ok(Self { device, key: key.to_vec(), session: Some(session) })
    }
}

impl jobs::Ctr for Rc4 {
    const NOTE: &str = "a session for each message counts, as for each key";

    fn start(&mut self, _: &[u8; 16]) {
        self.session = None;
        let of = Algorithm::Cipher(api::CRYPTO_ARC4);
        self.session = Session::new(&self.device, of, &self.key).ok();
    }

    fn update(&mut self, text: &mut [u8]) {
        let through = |session: &Session| session.crypt(api::COP_ENCRYPT, 0, &mut [0; 16], text);
        if !self.session.as_ref().is_some_and(through) {
            text.fill(0);
        }
    }
}

/// A hash function, or a MAC with its key.
struct Hash {
    session: Session,
    /// Whether a stream has begun.
    begun: bool,
    sound: bool,
}

impl Hash {
    fn new(session: Session) -> Self {
        Self { session, begun: false, sound: true }
    }
}

impl jobs::Hash for Hash {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        if !self.session.hash(0, text, Some(&mut *digest)) {
            // A failed call must not look like an answer.
            digest.fill(0);
        }
    }

    fn start(&mut self) {
        (self.begun, self.sound) = (false, true);
    }

    fn update(&mut self, text: &[u8]) {
        let reset = if self.begun { 0 } else { api::COP_FLAG_RESET };
        self.sound &= self.session.hash(api::COP_FLAG_UPDATE | reset, text, None);
        self.begun = true;
    }

    fn finish(&mut self, digest: &mut [u8]) {
        let done = self.session.hash(api::COP_FLAG_FINAL, &[], Some(&mut *digest));
        if !(self.sound && done) {
            digest.fill(0);
        }
    }
}
