//! The libcrypto family: OpenSSL, and by a path BoringSSL, AWS-LC and LibreSSL.
//!
//! Each is used in its fastest documented way: contexts are made once, and in OpenSSL 3.0 and later
//! algorithms are fetched once.

mod api;
mod ccm;
mod chacha;
mod cipher;
mod curves;
mod derive;
mod digest;
mod engine;
mod errors;
mod evp;
mod gcm;
mod key_wrap;
mod mac;
mod multi_block;
mod nist;
mod pkey;
mod plain_curves;
mod provider;
mod records;
mod rsa;
mod serves;
mod source;

use std::ffi::CStr;

pub(crate) use derive::{Given, derive, wrap_padded};
use evp::Mode;
use multi_block::{MULTI_BLOCK, MultiBlock};
use source::Source;

use super::{Job, Opened, Peer, Unavailable, dl, jobs, masks};
use crate::tasks::{
    self, AeadOp, Cell, Direction, Function, Kind, Mac, RC4_KEY, TRIPLE_DES_KEY, Task,
};

/// OpenSSL's libcrypto and its relatives.
pub(super) struct Libcrypto;

impl Peer for Libcrypto {
    fn name(&self) -> &'static str {
        "libcrypto"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-xts", "aes-*-kw", "aes-*-gcm", "aes-*-ccm",
            "aes-*-cbc-hmac-sha1", "aes-*-cbc-hmac-sha256",
            "3des-cbc", "rc4", "chacha20", "chacha20-poly1305", "poly1305",
            "aes-*-gmac", "aes-*-cmac",
            "x25519", "ed25519", "p256", "rsa-*",
            "random",
        ]
    }

    fn functions(&self, function: Function) -> [bool; 2] {
        let is_known = digest::is_known(function);
        [is_known, is_known && !function.extends()]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libcrypto.so.4", "libcrypto.so.3", "libcrypto.so.1.1"]
    }

    fn mask(
        &self,
        version: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        masks::libcrypto(version, features).map(|mask| vec![mask])
    }

    fn served_by(&self) -> &'static [&'static str] {
        source::KINDS
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        Ok(Box::new(Loaded::open(library)?))
    }

    fn open_by(&self, library: &str, by: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let loaded = Loaded::open(library)?;
        Ok(Box::new(Loaded { source: Source::by(loaded.source.library, by)?, ..loaded }))
    }
}

struct Loaded {
    source: Source,
    version: String,
    path: Option<String>,
}

impl Loaded {
    fn open(library: &str) -> Result<Self, Unavailable> {
        let library = dl::open(library)?;
        let ask = match api::Version::load(library) {
            Ok(api) => api.OpenSSL_version,
            // The newer name is reported as missing: the older one exists only in old versions.
            Err(missing) => api::OldVersion::load(library).map_err(|_| missing)?.SSLeay_version,
        };
        // SAFETY: 0 asks for the version, in each of them.
        let version = unsafe { ask(0) };
        if version.is_null() {
            return Err(Unavailable("reports no version".into()));
        }
        // SAFETY: it is a string that lives as long as the library, which is never closed.
        let version = unsafe { CStr::from_ptr::<'static>(version) };
        let path = dl::file_of(ask as *const () as usize);
        let version = version.to_string_lossy().into();
        Ok(Self { source: Source::of(library), version, path })
    }
}

impl Opened for Loaded {
    fn version(&self) -> String {
        self.version.clone()
    }

    fn path(&self) -> Option<String> {
        self.path.clone()
    }

    fn backends(&self, task: &Task, count: usize) -> Vec<String> {
        let mut names = vec![String::new()];
        if let Kind::Records { op: AeadOp::Seal, function, key_len } = task.kind
            && multi_block::is_in(self.source, function, key_len, count)
        {
            names.push(MULTI_BLOCK.into());
        }
        names
    }

    fn provider(&self, task: &Task) -> Option<String> {
        serves::provider(self.source, task)
    }

    fn prepare(&self, cell: &Cell, backend: &str) -> Result<Box<dyn Job>, Unavailable> {
        let source = self.source;
        let lacks = || Unavailable::lacks(&Libcrypto, cell.task);
        match cell.task.kind {
            Kind::Hash(function) | Kind::Mac(Mac::Hmac(function))
                if !digest::is_known(function) =>
            {
                Err(lacks())
            }
            Kind::Ctr { key_len } => {
                jobs::ctr(cell, key_len, move |key| cipher::Ctr::new(source, Mode::Ctr, key))
            }
            Kind::Cbc { direction, key_len } => jobs::cbc(cell, key_len, move |key| {
                cipher::Cbc::new(source, Mode::Cbc, direction, key)
            }),
            Kind::Ecb { direction, key_len } => jobs::cbc(cell, key_len, move |key| {
                cipher::Cbc::new(source, Mode::Ecb, direction, key).map(cipher::Ecb)
            }),
            Kind::Xts { direction, key_len } => jobs::xts(cell, key_len, move |key| {
                cipher::Cbc::new(source, Mode::Xts, direction, key)
            }),
            Kind::KeyWrap { direction, .. } if key_wrap::is_cipher(source.library) => {
                jobs::key_wrap(cell, move |key| key_wrap::Cipher::new(source, direction, key))
            }
            Kind::KeyWrap { direction, .. } => jobs::key_wrap(cell, move |key| {
                key_wrap::Plain::new(source.library, direction, key)
            }),
            Kind::Gcm { op, key_len } => {
                let gcm = gcm::Gcm::new(source, Mode::Gcm, op.direction(), key_len)?;
                jobs::aead(cell, op, key_len, move |key| gcm.key(key))
            }
            Kind::Ccm { op, key_len } => {
                let ccm = ccm::Ccm::new(source, op.direction(), key_len)?;
                jobs::aead(cell, op, key_len, move |key| ccm.key(key))
            }
            Kind::Records { function, .. } if backend == MULTI_BLOCK => {
                jobs::record_calls(cell, |keys| MultiBlock::new(source, function, cell, keys[0]))
            }
            Kind::Records { op, function, .. } => {
                let direction = op.direction();
                jobs::records(cell, move |keys| {
                    records::Records::new(source, function, direction, keys)
                })
            }
            Kind::Fill if !source.is_choice() => {
                Err(Unavailable("random bytes are those of the library's own generator".into()))
            }
            Kind::Fill => Ok(jobs::fill(cell, digest::Random::new(source.library)?)),
            Kind::TripleDes { direction } => jobs::cbc(cell, TRIPLE_DES_KEY, move |key| {
                cipher::Cbc::new(source, Mode::TripleDes, direction, key)
            }),
            Kind::X25519(op) => curves::x25519(cell, source, op),
            Kind::Ed25519(op) => curves::ed25519(cell, source, op),
            Kind::EcdhP256(op) => nist::ecdh(cell, source, op),
            Kind::EcdsaP256(op) => nist::ecdsa(cell, source, op),
            Kind::Rsa { op, .. } => rsa::job(cell, source, op),
            Kind::Rc4 => jobs::ctr(cell, RC4_KEY, move |key| cipher::Rc4::new(source, key)),
            Kind::ChaCha20 => match chacha::ChaCha::new(source.library) {
                Ok(_) if cell.mode == tasks::Mode::Stream => {
                    Err(Unavailable("its ChaCha20 takes messages whole".into()))
                }
                Ok(plain) => jobs::ctr(cell, 32, move |key| Ok(plain.key(key))),
                Err(_) => {
                    jobs::ctr(cell, 32, move |key| cipher::Ctr::new(source, Mode::ChaCha20, key))
                }
            },
            Kind::ChaChaPoly { op } => match chacha::Aead::new(source.library) {
                Ok(aead) => jobs::aead(cell, op, 32, move |key| aead.key(key)),
                Err(_) => {
                    let cipher = gcm::Gcm::new(source, Mode::ChaChaPoly, op.direction(), 32)?;
                    jobs::aead(cell, op, 32, move |key| cipher.key(key))
                }
            },
            Kind::Gmac { key_len } => {
                let gcm = gcm::Gcm::new(source, Mode::Gcm, Direction::Encrypt, key_len)?;
                jobs::gmac(cell, key_len, move |key| gcm.key(key).map(jobs::HeaderAlone))
            }
            // By name, as users fetch it.
            Kind::Mac(Mac::Hmac(function)) if source.is_provider() => {
                jobs::mac(cell, move |key| mac::Fetched::hmac(source, function, key))
            }
            Kind::Mac(Mac::Cmac { .. }) if source.is_provider() => {
                jobs::mac(cell, move |key| mac::Fetched::cmac(source, key))
            }
            Kind::Mac(Mac::Hmac(function)) => {
                jobs::mac(cell, move |key| mac::Hmac::new(source, function, key))
            }
            Kind::Mac(Mac::Cmac { .. }) => jobs::mac(cell, move |key| mac::Cmac::new(source, key)),
            Kind::Mac(Mac::Poly1305) => {
                let plain = move |key: &[u8]| chacha::Poly1305::new(source.library, key);
                let fetched = move |key: &[u8]| mac::Fetched::poly1305(source, key);
                jobs::mac(cell, plain).or_else(|_| jobs::mac(cell, fetched))
            }
            Kind::Hash(function) => Ok(jobs::hash(cell, digest::Hash::new(source, function)?)),
            _ => Err(lacks()),
        }
    }
}

/// Checks the object that a call returns.
fn made<T>(object: *mut T, call: &str) -> Result<*mut T, Unavailable> {
    if object.is_null() { Err(failed(call)) } else { Ok(object) }
}

fn failed(call: &str) -> Unavailable {
    Unavailable(format!("{call} failed"))
}
