//! GnuTLS (LGPL, so it is only ever loaded): handles that keep their keys. It uses nettle for algorithms that
//! it does not implement.

mod aead;
mod api;
mod cipher;
mod digest;
mod mac;
mod nist;
mod rsa;

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

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-cbc", "aes-*-xts", "aes-*-gcm", "aes-128-ccm", "aes-256-ccm",
            "3des-cbc", "rc4", "chacha20", "chacha20-poly1305",
            "aes-*-gmac", "aes-128-cmac", "aes-256-cmac",
            "hmac-md5", "hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512",
            "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3-*", "shake*",
            "p256", "rsa-*",
            "random",
        ]
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
        // SAFETY: null requests the version. The library has initialized itself.
        let version = unsafe { ask(null()) };
        if version.is_null() {
            return Err(Unavailable("reports no version".into()));
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
        let lacks = || Unavailable::lacks(&GnuTls, cell.task);
        match cell.task.kind {
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
            Kind::Ccm { op, key_len: key_len @ (16 | 32) } => {
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
            Kind::EcdhP256(op) => nist::ecdh(cell, library, op),
            Kind::EcdsaP256(op) => nist::ecdsa(cell, library, op),
            Kind::Rsa { op, .. } => rsa::job(cell, library, op),
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
            // Its GMAC is nettle's. From here on its own AES-GCM is faster, with only header data.
            Kind::Gmac { key_len } if cell.bytes >= 128 => jobs::gmac(cell, key_len, move |key| {
                Aead::new(library, gcm(key_len), key).map(jobs::HeaderAlone)
            }),
            Kind::Gmac { key_len } => {
                jobs::gmac(cell, key_len, move |key| mac::Gmac::new(library, key))
            }
            Kind::Mac(mac) => {
                let algorithm = mac::algorithm(mac).ok_or_else(lacks)?;
                jobs::mac(cell, move |key| mac::Mac::new(library, algorithm, key))
            }
            Kind::Hash(function) => {
                let algorithm = digest::algorithm(function).ok_or_else(lacks)?;
                Ok(jobs::hash(cell, digest::Hash::new(library, function, algorithm)?))
            }
            Kind::Fill => Ok(jobs::fill(cell, digest::Random::new(library)?)),
            _ => Err(lacks()),
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
