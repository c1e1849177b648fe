//! GnuTLS (LGPL, so it is only ever loaded): handles that keep their keys. What it has no code of
//! its own for, it leaves to nettle.

mod aead;
mod api;
mod cipher;
mod digest;
mod mac;

use std::{ffi::CStr, ptr::null};

use aead::Aead;
use cipher::Cipher;
use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, jobs, masks};
use crate::tasks::{Cell, Direction, Kind, Mode, RC4_KEY, TRIPLE_DES_KEY};

/// GnuTLS.
pub(super) struct GnuTls;

impl Peer for GnuTls {
    fn name(&self) -> &'static str {
        "gnutls"
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libgnutls.so.30"]
    }

    fn mask(
        &self,
        _: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        masks::gnutls(features)
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let ask = api::Version::load(library)?.gnutls_check_version;
        // SAFETY: null asks for the version. The library has set itself up.
        let version = unsafe { ask(null()) };
        if version.is_null() {
            return Err(Unavailable("says no version".into()));
        }
        // SAFETY: it is a string that lives as long as the library, which is never closed.
        let version = unsafe { CStr::from_ptr::<'static>(version) }.to_string_lossy();
        let known = version.starts_with("3.");
        let version = format!("GnuTLS {version}");
        if !known {
            return Err(Unavailable(format!("the interface of {version} is not known")));
        }
        let path = dl::file_of(ask as *const () as usize);
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

    /// Numbers of algorithms are those of `gnutls_cipher_algorithm_t` in the public header.
    fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
        let library = self.library;
        match cell.task.kind {
            Kind::Ctr { .. } => Err(Unavailable("has no AES-CTR".into())),
            Kind::Ecb { .. } => Err(Unavailable("has no AES-ECB".into())),
            Kind::KeyWrap { .. } => Err(Unavailable("has no AES key wrap".into())),
            Kind::Records { .. } => Err(Unavailable("has no AES-CBC with HMAC in one call".into())),
            Kind::Cbc { direction, key_len } => {
                let algorithm = of_length(key_len, [4, 9, 5]);
                jobs::cbc(cell, key_len, move |key| Cipher::new(library, algorithm, direction, key))
            }
            Kind::Xts { direction, key_len } => {
                let algorithm = if key_len == 32 { 32 } else { 33 };
                jobs::xts(cell, key_len, move |key| Cipher::new(library, algorithm, direction, key))
            }
            Kind::Gcm { op, key_len } => {
                let algorithm = gcm(key_len);
                jobs::aead(cell, op, key_len, move |key| Aead::new(library, algorithm, key))
            }
            Kind::Ccm { key_len: 24, .. } => Err(Unavailable("has no AES-192-CCM".into())),
            Kind::Ccm { op, key_len } => {
                let algorithm = if key_len == 16 { 19 } else { 20 };
                jobs::aead(cell, op, key_len, move |key| Aead::new(library, algorithm, key))
            }
            Kind::TripleDes { direction } => {
                const TRIPLE_DES_CBC: i32 = 3;
                jobs::cbc(cell, TRIPLE_DES_KEY, move |key| {
                    Cipher::new(library, TRIPLE_DES_CBC, direction, key).map(cipher::TripleDes)
                })
            }
            Kind::X25519(_) | Kind::Ed25519(_) => {
                Err(Unavailable("its curves are not called here".into()))
            }
            Kind::NoOp => Err(jobs::takes_no_part()),
            Kind::Rc4 => jobs::ctr(cell, RC4_KEY, move |key| cipher::Rc4::new(library, key)),
            Kind::ChaCha20 if cell.mode == Mode::Stream && !cell.bytes.is_multiple_of(64) => {
                Err(Unavailable("a stream goes on in whole blocks".into()))
            }
            Kind::ChaCha20 => {
                const CHACHA20_32: i32 = 36;
                let encrypt = Direction::Encrypt;
                jobs::ctr(cell, 32, move |key| Cipher::new(library, CHACHA20_32, encrypt, key))
            }
            Kind::ChaChaPoly { op } => {
                const CHACHA20_POLY1305: i32 = 23;
                jobs::aead(cell, op, 32, move |key| Aead::new(library, CHACHA20_POLY1305, key))
            }
            // Its GMAC is nettle's. From here on its own AES-GCM is faster, with header data alone.
            Kind::Gmac { key_len } if cell.bytes >= 128 => jobs::gmac(cell, key_len, move |key| {
                Aead::new(library, gcm(key_len), key).map(jobs::HeaderAlone)
            }),
            Kind::Gmac { key_len } => {
                jobs::gmac(cell, key_len, move |key| mac::Gmac::new(library, key))
            }
            Kind::Mac(mac) => jobs::mac(cell, move |key| mac::Mac::new(library, mac, key)),
            Kind::Hash(function) => Ok(jobs::hash(cell, digest::Hash::new(library, function)?)),
            Kind::Fill => Ok(jobs::fill(cell, digest::Random::new(library)?)),
        }
    }
}

/// `GNUTLS_CIPHER_AES_128_GCM`, and so on.
fn gcm(key_len: usize) -> i32 {
    of_length(key_len, [10, 39, 11])
}

/// The number of those for keys of 128, 192 and 256 bits.
fn of_length(key_len: usize, numbers: [i32; 3]) -> i32 {
    numbers[(key_len - 16) / 8]
}
