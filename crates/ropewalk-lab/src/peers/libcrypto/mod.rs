//! The libcrypto family: OpenSSL, and by a path BoringSSL, AWS-LC and LibreSSL.
//!
//! Each is used as its documentation says that it is fastest: contexts are made once, and in
//! OpenSSL 3.0 and later algorithms are fetched once.

mod api;
mod ccm;
mod chacha;
mod cipher;
mod digest;
mod evp;
mod gcm;
mod key_wrap;
mod mac;
mod multi_block;
mod records;

use std::ffi::{CStr, c_char};

use evp::Mode;
use libloading::os::unix::Library;
use multi_block::{MULTI_BLOCK, MultiBlock};

use super::{Job, Opened, Peer, Unavailable, dl, jobs, masks};
use crate::tasks::{self, AeadOp, Cell, Direction, Kind, Mac, Task};

/// OpenSSL's libcrypto and its relatives.
pub(super) struct Libcrypto;

impl Peer for Libcrypto {
    fn name(&self) -> &'static str {
        "libcrypto"
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

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let ask = match api::Version::load(library) {
            Ok(api) => api.OpenSSL_version,
            // The newer name is the one to miss: the older is only in what is older still.
            Err(missing) => api::OldVersion::load(library).map_err(|_| missing)?.SSLeay_version,
        };
        // SAFETY: 0 asks for the version, in each of them.
        let version = unsafe { ask(0) };
        if version.is_null() {
            return Err(Unavailable("says no version".into()));
        }
        // SAFETY: it is a string that lives as long as the library, which is never closed.
        let version = unsafe { CStr::from_ptr::<'static>(version) };
        let path = dl::file_of(ask as *const () as usize);
        Ok(Box::new(Loaded { library, version: version.to_string_lossy().into(), path }))
    }
}

struct Loaded {
    library: &'static Library,
    version: String,
    path: Option<String>,
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
            && multi_block::is_in(self.library, function, key_len, count)
        {
            names.push(MULTI_BLOCK.into());
        }
        names
    }

    fn prepare(&self, cell: &Cell, backend: &str) -> Result<Box<dyn Job>, Unavailable> {
        let library = self.library;
        match cell.task.kind {
            Kind::Ctr { key_len } => {
                jobs::ctr(cell, key_len, move |key| cipher::Ctr::new(library, Mode::Ctr, key))
            }
            Kind::Cbc { direction, key_len } => jobs::cbc(cell, key_len, move |key| {
                cipher::Cbc::new(library, Mode::Cbc, direction, key)
            }),
            Kind::Ecb { direction, key_len } => jobs::cbc(cell, key_len, move |key| {
                cipher::Cbc::new(library, Mode::Ecb, direction, key).map(cipher::Ecb)
            }),
            Kind::Xts { direction, key_len } => jobs::xts(cell, key_len, move |key| {
                cipher::Cbc::new(library, Mode::Xts, direction, key)
            }),
            Kind::KeyWrap { direction, .. } if key_wrap::is_cipher(library) => {
                jobs::key_wrap(cell, move |key| key_wrap::Cipher::new(library, direction, key))
            }
            Kind::KeyWrap { direction, .. } => {
                jobs::key_wrap(cell, move |key| key_wrap::Plain::new(library, direction, key))
            }
            Kind::Gcm { op, key_len } => {
                let gcm = gcm::Gcm::new(library, Mode::Gcm, op.direction(), key_len)?;
                jobs::aead(cell, op, key_len, move |key| gcm.key(key))
            }
            Kind::Ccm { op, key_len } => {
                let ccm = ccm::Ccm::new(library, op.direction(), key_len)?;
                jobs::aead(cell, op, key_len, move |key| ccm.key(key))
            }
            Kind::Records { function, .. } if backend == MULTI_BLOCK => {
                jobs::record_calls(cell, |keys| MultiBlock::new(library, function, cell, keys[0]))
            }
            Kind::Records { op, function, .. } => {
                let direction = op.direction();
                jobs::records(cell, move |keys| {
                    records::Records::new(library, function, direction, keys)
                })
            }
            Kind::Fill => Ok(jobs::fill(cell, digest::Random::new(library)?)),
            Kind::ChaCha20 => match chacha::ChaCha::new(library) {
                Ok(_) if cell.mode == tasks::Mode::Stream => {
                    Err(Unavailable("its ChaCha20 takes messages whole".into()))
                }
                Ok(plain) => jobs::ctr(cell, 32, move |key| Ok(plain.key(key))),
                Err(_) => {
                    jobs::ctr(cell, 32, move |key| cipher::Ctr::new(library, Mode::ChaCha20, key))
                }
            },
            Kind::ChaChaPoly { op } => match chacha::Aead::new(library) {
                Ok(aead) => jobs::aead(cell, op, 32, move |key| aead.key(key)),
                Err(_) => {
                    let cipher = gcm::Gcm::new(library, Mode::ChaChaPoly, op.direction(), 32)?;
                    jobs::aead(cell, op, 32, move |key| cipher.key(key))
                }
            },
            Kind::Gmac { key_len } => {
                let gcm = gcm::Gcm::new(library, Mode::Gcm, Direction::Encrypt, key_len)?;
                jobs::gmac(cell, key_len, move |key| gcm.key(key).map(jobs::HeaderAlone))
            }
            Kind::Mac(Mac::Hmac(function)) => {
                jobs::mac(cell, move |key| mac::Hmac::new(library, function, key))
            }
            Kind::Mac(Mac::Cmac { .. }) => jobs::mac(cell, move |key| mac::Cmac::new(library, key)),
            Kind::Mac(Mac::Poly1305) => {
                let plain = move |key: &[u8]| chacha::Poly1305::new(library, key);
                let fetched = move |key: &[u8]| mac::Poly1305::new(library, key);
                jobs::mac(cell, plain).or_else(|_| jobs::mac(cell, fetched))
            }
            Kind::Hash(function) => Ok(jobs::hash(cell, digest::Hash::new(library, function)?)),
        }
    }
}

/// Refuses what a failed call gives instead of an object.
fn made<T>(object: *mut T, call: &str) -> Result<*mut T, Unavailable> {
    if object.is_null() { Err(failed(call)) } else { Ok(object) }
}

fn failed(call: &str) -> Unavailable {
    Unavailable(format!("{call} failed"))
}

/// The default library context, the default properties.
const DEFAULT: *const c_char = std::ptr::null();
