//! Intel's ipsec-mb: direct calls of the manager where it has them, bursts of jobs where it supports them,
//! and its queue for the rest.
//!
//! AES-GCM, GMAC, ChaCha20-Poly1305, and hash functions of one message use direct calls. A burst has up to
//! 128 messages and processes several in parallel, which is the purpose of the library. Its queue takes
//! single jobs and does the same; jobs that are left at the end of a call are flushed. The algorithms of
//! bursts depend on the version (`interface.rs`).

mod aead;
mod api;
mod cipher;
mod digest;
mod interface;
mod mac;
mod manager;
mod records;
mod row;
mod way;

use std::{
    env,
    ffi::{CStr, c_int},
};

use aead::{Ccm, ChaChaPoly, Gcm};
use api::{CBC, CTR, DECRYPT, ECB, ENCRYPT, LONGEST};
use cipher::Cipher;
use digest::Hash;
use interface::Interface;
use mac::{Gmac, Mac};
use manager::Manager;
use records::Records;

use super::{Job, Opened, Peer, Unavailable, dl, jobs, masks};
use crate::tasks::{self, AeadOp, Cell, Direction, Function, Kind, Mode};

/// Ipsec-mb.
pub(super) struct IpsecMb;

impl Peer for IpsecMb {
    fn name(&self) -> &'static str {
        "ipsec-mb"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-gcm", "aes-128-ccm", "aes-256-ccm",
            "aes-*-cbc-hmac-sha1", "aes-*-cbc-hmac-sha256",
            "chacha20-poly1305", "poly1305",
            "aes-*-gmac", "aes-128-cmac", "aes-256-cmac",
            "hmac-md5", "hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512",
            "sha1", "sha224", "sha256", "sha384", "sha512",
        ]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libIPSec_MB.so.2", "libIPSec_MB.so.1"]
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
        // SAFETY: it takes no arguments.
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
        let Some(interface) = Interface::of(version) else {
            let known = interface::KNOWN;
            return Err(Unavailable(format!(
                "the interface of {text} is not known, only of {known}"
            )));
        };
        let manager = Manager::new(library, interface, &env::var(MANAGER).unwrap_or_default())?;
        let path = dl::file_of(api.imb_get_version as *const () as usize);
        Ok(Box::new(Loaded { manager, version: text, path }))
    }
}

/// The variable that tells a worker which manager to make: words for [`Manager::new`].
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
        if cell.longest() > LONGEST && waits(cell) {
            return Err(Unavailable(format!("a job has at most {LONGEST} bytes")));
        }
        let of_nothing = cell.lens().any(|len| len == 0);
        if of_nothing && is_hmac(cell) && !self.manager.interface.hmac_of_nothing {
            return Err(Unavailable("takes no empty message in HMAC before 2.0.2".into()));
        }
        match cell.mode {
            Mode::Setup => fresh(self.manager, cell),
            _ => kept(self.manager, cell),
        }
    }
}

/// Keys that are expanded once.
fn kept(manager: Manager, cell: &Cell) -> Result<Box<dyn Job>, Unavailable> {
    let lacks = || Unavailable::lacks(&IpsecMb, cell.task);
    match cell.task.kind {
        Kind::Ctr { key_len } => {
            let keys = jobs::keys(cell, key_len);
            Ok(jobs::ctr_calls(cell, Cipher::new(manager, CTR, ENCRYPT, &keys)))
        }
        Kind::Cbc { direction, key_len } => {
            let keys = jobs::keys(cell, key_len);
            jobs::cbc_calls(cell, Cipher::new(manager, CBC, way(direction), &keys))
        }
        Kind::Ecb { direction, key_len } => {
            let keys = jobs::keys(cell, key_len);
            jobs::cbc_calls(cell, Cipher::new(manager, ECB, way(direction), &keys))
        }
        Kind::Gcm { op, key_len } => {
            jobs::aead(cell, op, key_len, move |key| Ok(Gcm::new(manager, key)))
        }
        Kind::Ccm { op: op @ (AeadOp::Seal | AeadOp::Open), key_len: key_len @ (16 | 32) } => {
            let keys = jobs::keys(cell, key_len);
            jobs::aead_calls(cell, op, key_len, Ccm::new(manager, &keys))
        }
        Kind::Ccm { op, key_len: key_len @ (16 | 32) } => {
            jobs::aead(cell, op, key_len, move |key| Ok(Ccm::new(manager, &[key.to_vec()])))
        }
        Kind::Records { op: AeadOp::Open, .. } => {
            Err(Unavailable("must know beforehand how long a padding is".into()))
        }
        Kind::Records { function, .. } => {
            let hmac = mac::hmac(function).ok_or_else(lacks)?;
            jobs::records(cell, move |keys| Ok(Records::new(manager, function, hmac, keys)))
        }
        Kind::TripleDes { .. } => Err(Unavailable("its triple DES is not called here".into())),
        Kind::ChaCha20 => Err(Unavailable("its ChaCha20 counts from one".into())),
        Kind::ChaChaPoly { op } => {
            jobs::aead(cell, op, 32, move |key| Ok(ChaChaPoly::new(manager, key)))
        }
        Kind::Gmac { key_len } => jobs::gmac(cell, key_len, move |key| Ok(Gmac::new(manager, key))),
        Kind::Mac(mac) => {
            let keys = jobs::keys(cell, mac.key_len());
            let described = mac::of(mac).ok_or_else(lacks)?;
            Ok(jobs::hash_calls(cell, Mac::new(manager, described, &keys)))
        }
        Kind::Hash(Function::Md5) => Err(Unavailable("has no MD5 but in HMAC".into())),
        Kind::Hash(function) if is_sha3(function) => {
            Err(Unavailable("has no SHA-3 before 3".into()))
        }
        Kind::Hash(function) => {
            let place = digest::place(function).ok_or_else(lacks)?;
            Ok(jobs::hash_calls(cell, Hash::new(manager, place)))
        }
        _ => Err(lacks()),
    }
}

/// A key for each message, which is then the only one in its burst.
fn fresh(manager: Manager, cell: &Cell) -> Result<Box<dyn Job>, Unavailable> {
    let one = |mode, way| move |key: &[u8]| Ok(Cipher::new(manager, mode, way, &[key.to_vec()]));
    match cell.task.kind {
        Kind::Ctr { key_len } => jobs::ctr(cell, key_len, one(CTR, ENCRYPT)),
        Kind::Cbc { direction, key_len } => jobs::cbc(cell, key_len, one(CBC, way(direction))),
        Kind::Ecb { direction, key_len } => jobs::cbc(cell, key_len, one(ECB, way(direction))),
        Kind::Ccm { op, key_len } if key_len != 24 => {
            jobs::aead(cell, op, key_len, move |key| Ok(Ccm::new(manager, &[key.to_vec()])))
        }
        Kind::Mac(mac) => {
            let lacks = || Unavailable::lacks(&IpsecMb, cell.task);
            let described = mac::of(mac).ok_or_else(lacks)?;
            jobs::mac(cell, move |key| Ok(Mac::new(manager, described, &[key.to_vec()])))
        }
        _ => kept(manager, cell),
    }
}

fn way(direction: Direction) -> c_int {
    match direction {
        Direction::Encrypt => ENCRYPT,
        Direction::Decrypt => DECRYPT,
    }
}

/// Whether it is HMAC of a supported hash function.
fn is_hmac(cell: &Cell) -> bool {
    matches!(cell.task.kind, Kind::Mac(tasks::Mac::Hmac(function)) if mac::hmac(function).is_some())
}

fn is_sha3(function: Function) -> bool {
    use Function::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};
    matches!(function, Sha3_224 | Sha3_256 | Sha3_384 | Sha3_512 | Shake128 | Shake256)
}

/// Whether its jobs are queued to be processed with others: those have lengths of 16 bits.
fn waits(cell: &Cell) -> bool {
    match cell.task.kind {
        Kind::Cbc { direction, .. } => direction == Direction::Encrypt,
        Kind::Hash(_) => cell.count > 1,
        Kind::Mac(mac) => mac != tasks::Mac::Poly1305,
        Kind::Ccm { .. } => true,
        _ => false,
    }
}
