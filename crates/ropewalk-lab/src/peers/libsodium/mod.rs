//! Libsodium: few algorithms, most of them one call with the key.

mod aead;
mod api;
mod cipher;
mod curves;
mod digest;
mod mac;

use std::ffi::CStr;

use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, jobs};
use crate::tasks::{Cell, Function, Kind, Mac, Mode};

/// Libsodium. It reads no variable that would mask anything.
pub(super) struct Libsodium;

impl Peer for Libsodium {
    fn name(&self) -> &'static str {
        "libsodium"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-256-gcm", "aes-256-gmac",
            "chacha20", "chacha20-poly1305", "poly1305",
            "hmac-sha256", "hmac-sha512",
            "sha256", "sha512", "sha3-256", "sha3-512", "shake*",
            "x25519", "ed25519",
            "random",
        ]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libsodium.so.26", "libsodium.so.23"]
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let api = api::Version::load(library)?;
        // SAFETY: it takes no arguments, and chooses code for the processor.
        if unsafe { (api.sodium_init)() } < 0 {
            return Err(Unavailable("sodium_init failed".into()));
        }
        // SAFETY: it takes no arguments.
        let version = unsafe { (api.sodium_version_string)() };
        if version.is_null() {
            return Err(Unavailable("says no version".into()));
        }
        // SAFETY: it is a string that lives as long as the library, which is never closed.
        let version = unsafe { CStr::from_ptr::<'static>(version) }.to_string_lossy();
        let known = version.starts_with("1.");
        let version = format!("libsodium {version}");
        if !known {
            return Err(Unavailable(format!("the interface of {version} is not known")));
        }
        let path = dl::file_of(api.sodium_version_string as *const () as usize);
        Ok(Box::new(Loaded { library, version, path }))
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

    fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
        let library = self.library;
        let lacks = || Unavailable::lacks(&Libsodium, cell.task);
        match cell.task.kind {
            Kind::Gcm { op, key_len: key_len @ 32 } => {
                jobs::aead(cell, op, key_len, move |key| aead::Gcm::new(library, key))
            }
            Kind::Gmac { key_len: key_len @ 32 } => {
                let with = move |key: &[u8]| aead::Gcm::new(library, key);
                jobs::gmac(cell, key_len, move |key| with(key).map(jobs::HeaderAlone))
            }
            Kind::X25519(op) => curves::x25519(cell, library, op),
            Kind::Ed25519(op) => curves::ed25519(cell, library, op),
            Kind::ChaCha20 if cell.mode == Mode::Stream && !cell.bytes.is_multiple_of(64) => {
                Err(Unavailable("a stream goes on in whole blocks".into()))
            }
            Kind::ChaCha20 => jobs::ctr(cell, 32, move |key| cipher::ChaCha::new(library, key)),
            Kind::ChaChaPoly { op } => {
                jobs::aead(cell, op, 32, move |key| aead::ChaChaPoly::new(library, key))
            }
            Kind::Mac(Mac::Hmac(function)) => {
                let name = mac::name(function).ok_or_else(lacks)?;
                jobs::mac(cell, move |key| mac::Hmac::new(library, name, key))
            }
            Kind::Mac(Mac::Poly1305) => {
                jobs::mac(cell, move |key| mac::Poly1305::new(library, key))
            }
            Kind::Hash(function) => {
                let name = match function {
                    Function::Sha256 => "crypto_hash_sha256",
                    Function::Sha512 => "crypto_hash_sha512",
                    // Since 1.0.22.
                    Function::Sha3_256 => "crypto_hash_sha3256",
                    Function::Sha3_512 => "crypto_hash_sha3512",
                    // Since 1.0.21.
                    Function::Shake128 => "crypto_xof_shake128",
                    Function::Shake256 => "crypto_xof_shake256",
                    _ => return Err(lacks()),
                };
                match function.extends() {
                    true => Ok(jobs::hash(cell, digest::Xof::new(library, name)?)),
                    false => Ok(jobs::hash(cell, digest::Hash::new(library, name)?)),
                }
            }
            Kind::Fill => Ok(jobs::fill(cell, digest::Random::new(library)?)),
            _ => Err(lacks()),
        }
    }
}
