//! Botan, through its C interface: objects that keep their keys. Every call of a mode copies data to memory
//! of the library and back.

mod aead;
mod api;
mod cipher;
mod curves;
mod digest;
mod mac;
mod nist;
mod rsa;

use std::ffi::CString;

use cipher::Cipher;
use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, find, jobs, masks};
use crate::tasks::{Cell, Direction, Function, Kind, Mac, RC4_KEY, TRIPLE_DES_KEY};

/// Botan.
pub(super) struct Botan;

impl Peer for Botan {
    fn name(&self) -> &'static str {
        "botan"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-xts", "aes-*-kw", "aes-*-gcm", "aes-*-ccm",
            "3des-cbc", "rc4", "chacha20", "chacha20-poly1305", "poly1305",
            "aes-*-gmac", "aes-*-cmac",
            "x25519", "ed25519", "p256", "rsa-*",
            "random",
        ]
    }

    fn functions(&self, function: Function) -> [bool; 2] {
        let is_known = find(NAMES, function).is_some();
        [is_known, is_known && !function.extends()]
    }

    /// Each version of 3 has a separate library name: those of Debian.
    fn libraries(&self) -> &'static [&'static str] {
        &["libbotan-3.so.13", "libbotan-3.so.7", "libbotan-2.so.19"]
    }

    fn mask(
        &self,
        version: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        Ok(vec![masks::botan(version, features)?])
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let api = api::Version::load(library)?;
        // SAFETY: it takes no arguments.
        let major = unsafe { (api.botan_version_major)() };
        // SAFETY: as above.
        let minor = unsafe { (api.botan_version_minor)() };
        // SAFETY: as above.
        let patch = unsafe { (api.botan_version_patch)() };
        let version = format!("Botan {major}.{minor}.{patch}");
        // From 2.1 on the functions that are called here are the same.
        if !matches!((major, minor), (2, 1..) | (3, _)) {
            return Err(Unavailable(format!("the interface of {version} is not known")));
        }
        let path = dl::file_of(api.botan_version_major as *const () as usize);
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
        let lacks = || Unavailable::lacks(&Botan, cell.task);
        let name = |function| find(NAMES, function).ok_or_else(lacks);
        match cell.task.kind {
            Kind::Ctr { key_len } => {
                let name = format!("CTR-BE({})", aes(key_len));
                let encrypt = Direction::Encrypt;
                jobs::ctr(cell, key_len, move |key| Cipher::new(library, &name, encrypt, key))
            }
            Kind::Cbc { direction, key_len } => {
                let name = format!("{}/CBC/NoPadding", aes(key_len));
                jobs::cbc(cell, key_len, move |key| Cipher::new(library, &name, direction, key))
            }
            Kind::Ecb { direction, key_len } => {
                let name = aes(key_len);
                jobs::cbc(cell, key_len, move |key| {
                    cipher::Ecb::new(library, &name, direction, key)
                })
            }
            Kind::Xts { direction, key_len } => {
                let name = format!("{}/XTS", aes(key_len / 2));
                jobs::xts(cell, key_len, move |key| Cipher::new(library, &name, direction, key))
            }
            Kind::KeyWrap { key_len, .. } => {
                let name = aes(key_len);
                jobs::key_wrap(cell, move |key| cipher::KeyWrap::new(library, &name, key))
            }
            Kind::Gcm { op, key_len } => {
                let name = format!("{}/GCM", aes(key_len));
                jobs::aead(cell, op, key_len, move |key| {
                    aead::Aead::new(library, &name, op.direction(), key)
                })
            }
            Kind::Ccm { op, key_len } => {
                let name = format!("{}/CCM", aes(key_len));
                jobs::aead(cell, op, key_len, move |key| {
                    aead::Aead::new(library, &name, op.direction(), key)
                })
            }
            Kind::Fill => Ok(jobs::fill(cell, digest::Random::new(library)?)),
            Kind::TripleDes { direction } => jobs::cbc(cell, TRIPLE_DES_KEY, move |key| {
                let name = "TripleDES/CBC/NoPadding";
                Cipher::new(library, name, direction, key).map(cipher::TripleDes)
            }),
            Kind::X25519(op) => curves::x25519(cell, library, op),
            Kind::Ed25519(op) => curves::ed25519(cell, library, op),
            Kind::EcdhP256(op) => nist::ecdh(cell, library, op),
            Kind::EcdsaP256(op) => nist::ecdsa(cell, library, op),
            Kind::Rsa { op, .. } => rsa::job(cell, library, op),
            Kind::Rc4 => jobs::ctr(cell, RC4_KEY, move |key| cipher::Rc4::new(library, key)),
            Kind::ChaCha20 => {
                let encrypt = Direction::Encrypt;
                jobs::ctr(cell, 32, move |key| {
                    Cipher::new(library, "ChaCha(20)", encrypt, key).map(cipher::ChaCha)
                })
            }
            Kind::ChaChaPoly { op } => jobs::aead(cell, op, 32, move |key| {
                aead::Aead::new(library, "ChaCha20Poly1305", op.direction(), key)
            }),
            Kind::Gmac { key_len } => {
                let aes = aes(key_len);
                match api::MacNonce::load(library) {
                    Ok(nonce) => jobs::gmac(cell, key_len, move |key| {
                        mac::Gmac::new(library, nonce, &aes, key)
                    }),
                    // Version 2 has GMAC, but no function to set a nonce.
                    Err(_) => {
                        let (name, encrypt) = (format!("{aes}/GCM"), Direction::Encrypt);
                        jobs::gmac(cell, key_len, move |key| {
                            aead::Aead::new(library, &name, encrypt, key).map(jobs::HeaderAlone)
                        })
                    }
                }
            }
            Kind::Mac(mac) => {
                let name = match mac {
                    Mac::Hmac(function) => format!("HMAC({})", name(function)?),
                    Mac::Cmac { key_len } => format!("CMAC({})", aes(key_len)),
                    Mac::Poly1305 => "Poly1305".into(),
                };
                jobs::mac(cell, move |key| mac::Keyed::new(library, &name, mac, key))
            }
            Kind::Hash(function) => {
                let hash = digest::Hash::new(library, name(function)?)?;
                Ok(jobs::hash(cell, hash))
            }
            _ => Err(lacks()),
        }
    }
}

/// Its name for AES with a key of that many bytes.
fn aes(key_len: usize) -> String {
    format!("AES-{}", key_len * 8)
}

/// Its names for hash functions, from its lists of algorithms.
const NAMES: &[(Function, &str)] = &[
    (Function::Md5, "MD5"),
    (Function::Sha1, "SHA-1"),
    (Function::Sha224, "SHA-224"),
    (Function::Sha256, "SHA-256"),
    (Function::Sha384, "SHA-384"),
    (Function::Sha512, "SHA-512"),
    (Function::Sha512_256, "SHA-512-256"),
    (Function::Sha3_224, "SHA-3(224)"),
    (Function::Sha3_256, "SHA-3(256)"),
    (Function::Sha3_384, "SHA-3(384)"),
    (Function::Sha3_512, "SHA-3(512)"),
    (Function::Sm3, "SM3"),
    (Function::Shake128, "SHAKE-128(256)"),
    (Function::Shake256, "SHAKE-256(512)"),
];

/// A name as a C string.
fn c_string(name: &str) -> Result<CString, Unavailable> {
    CString::new(name).map_err(|error| Unavailable(error.to_string()))
}

/// Checks a call that makes an object: this version may have been built without the algorithm.
fn made(done: i32, call: &str, name: &str) -> Result<(), Unavailable> {
    const NOT_IMPLEMENTED: i32 = -40;
    match done {
        0 => Ok(()),
        NOT_IMPLEMENTED => Err(Unavailable(format!("has no {name}"))),
        _ => Err(Unavailable(format!("{call} failed"))),
    }
}
