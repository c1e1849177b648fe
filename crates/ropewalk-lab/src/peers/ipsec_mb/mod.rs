//! Intel's ipsec-mb: the manager's direct calls where it has them, and bursts of jobs for the rest.
//!
//! Direct are AES-GCM and SHA-256 of one message. A burst takes up to 128 messages and works on
//! several side by side, which is what the library is for.

mod aead;
mod api;
mod cipher;
mod digest;
mod mac;
mod manager;

use std::{env, ffi::CStr};

use aead::{ChaChaPoly, Gcm};
use api::{CBC, CTR, DECRYPT, ENCRYPT};
use cipher::Cipher;
use digest::{Hash, Sha256};
use mac::Gmac;
use manager::Manager;

use super::{Job, Opened, Peer, Unavailable, dl, jobs, masks};
use crate::tasks::{Cell, Direction, Function, Kind, Mode};

/// Ipsec-mb.
pub(super) struct IpsecMb;

impl Peer for IpsecMb {
    fn name(&self) -> &'static str {
        "ipsec-mb"
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libIPSec_MB.so.2"]
    }

    fn mask(
        &self,
        _: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        masks::ipsec_mb(features).map(|words| vec![(MANAGER.into(), words)])
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let api = api::Version::load(library)?;
        // SAFETY: it takes nothing.
        let version = unsafe { (api.imb_get_version)() };
        // SAFETY: as above.
        let text = unsafe { (api.imb_get_version_str)() };
        if text.is_null() {
            return Err(Unavailable("says no version".into()));
        }
        // SAFETY: it is a string that lives as long as the library, which is never closed.
        let text = unsafe { CStr::from_ptr::<'static>(text) };
        // `v2.0.2 (deb)`, and some without the letter.
        let text = format!("ipsec-mb {}", text.to_string_lossy().trim_start_matches('v'));
        if version >> 16 != 2 {
            return Err(Unavailable(format!("the interface of {text} is not known")));
        }
        let manager = Manager::new(library, &env::var(MANAGER).unwrap_or_default())?;
        let path = dl::file_of(api.imb_get_version as *const () as usize);
        Ok(Box::new(Loaded { manager, version: text, path }))
    }
}

/// How a worker is told which manager to make: words for [`Manager::new`].
const MANAGER: &str = "ROPEWALK_IPSEC_MB_MANAGER";

struct Loaded {
    manager: Manager,
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

    fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
        if cell.mode == Mode::Stream {
            return Err(Unavailable("takes messages whole".into()));
        }
        let manager = self.manager;
        match cell.task.kind {
            Kind::Ctr { key_len } => {
                let key = jobs::key(key_len);
                Ok(jobs::ctr(cell, Cipher::new(manager, CTR, ENCRYPT, &key)))
            }
            Kind::Cbc { direction, key_len } => {
                let direction = match direction {
                    Direction::Encrypt => ENCRYPT,
                    Direction::Decrypt => DECRYPT,
                };
                jobs::cbc(cell, Cipher::new(manager, CBC, direction, &jobs::key(key_len)))
            }
            Kind::Ecb { .. } => Err(Unavailable("its jobs of AES-ECB are not called here".into())),
            Kind::Xts { .. } => Err(Unavailable("has no AES-XTS".into())),
            Kind::KeyWrap { .. } => Err(Unavailable("has no AES key wrap".into())),
            Kind::Gcm { op, key_len } => {
                jobs::aead(cell, op, key_len, move |key| Ok(Gcm::new(manager, key)))
            }
            Kind::Ccm { .. } => Err(Unavailable("its jobs of AES-CCM are not called here".into())),
            Kind::Records { .. } => Err(Unavailable("has no AES-CBC with HMAC in one call".into())),
            Kind::Fill => Err(Unavailable("has no random bytes".into())),
            Kind::ChaCha20 => Err(Unavailable("its jobs of ChaCha20 are not called here".into())),
            Kind::ChaChaPoly { op } => {
                jobs::aead(cell, op, 32, move |key| Ok(ChaChaPoly::new(manager, key)))
            }
            Kind::Gmac { key_len } => jobs::gmac(cell, Gmac::new(manager, &jobs::key(key_len))),
            Kind::Mac(_) => Err(Unavailable("its jobs of MACs are not called here".into())),
            Kind::Hash(Function::Sha256) => Ok(jobs::hash(cell, Sha256::new(manager))),
            Kind::Hash(Function::Md5) => Err(Unavailable("has no MD5 but in HMAC".into())),
            Kind::Hash(function) => {
                // Where the direct call stands among those of the manager.
                let place = match function {
                    Function::Sha1 => 18,
                    Function::Sha224 => 19,
                    Function::Sha384 => 21,
                    Function::Sha512 => 22,
                    Function::Sha512_256 => return Err(jobs::lacks(function)),
                    _ => return Err(Unavailable("its SHA-3 is not called here".into())),
                };
                Ok(jobs::hash_of(cell, function, Hash::new(manager, place)))
            }
        }
    }
}
