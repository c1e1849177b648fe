//! Libgcrypt (LGPL, so it is only ever loaded): one handle that keeps its key, in place.

mod aead;
mod api;
mod cipher;
mod curves;
mod digest;
mod mac;
mod nist;
mod rsa;
mod signatures;

use std::{
    env,
    ffi::{CStr, CString, c_int, c_uint, c_void},
    ptr::null,
};

use api::{
    AESWRAP, CBC, CCM, CTR, ECB, GCM, GCRY_CIPHER_3DES, GCRYCTL_DISABLE_HWF,
    GCRYCTL_DISABLE_SECMEM, GCRYCTL_INITIALIZATION_FINISHED, POLY1305, STREAM, XTS,
};
use cipher::Cipher;
use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, jobs, masks};
use crate::tasks::{Cell, Function, Kind, RC4_KEY, TRIPLE_DES_KEY};

/// Libgcrypt.
pub(super) struct Libgcrypt;

impl Peer for Libgcrypt {
    fn name(&self) -> &'static str {
        "libgcrypt"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-xts", "aes-*-kw", "aes-*-gcm", "aes-*-ccm",
            "3des-cbc", "rc4", "chacha20", "chacha20-poly1305", "poly1305",
            "aes-*-gmac", "aes-*-cmac",
            "x25519", "ed25519", "p256", "rsa-*",
        ]
    }

    fn functions(&self, function: Function) -> [bool; 2] {
        [digest::algorithm(function).is_some(), mac::hmac(function).is_some()]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libgcrypt.so.20"]
    }

    fn mask(
        &self,
        _: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        Ok(vec![(DISABLED.into(), masks::libgcrypt(features))])
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let ask = api::Version::load(library)?.gcry_check_version;
        disable(library, &env::var(DISABLED).unwrap_or_default())?;
        // SAFETY: null requests the version, and initializes the library.
        let version = unsafe { ask(null()) };
        if version.is_null() {
            return Err(Unavailable("reports no version".into()));
        }
        // SAFETY: it is a string that lives as long as the library, which is never closed.
        let version = unsafe { CStr::from_ptr::<'static>(version) };
        let version = format!("libgcrypt {}", version.to_string_lossy());
        let control = control(library)?;
        // SAFETY: without secure memory, and after the initialization, neither takes more arguments.
        unsafe { control(GCRYCTL_DISABLE_SECMEM, 0) };
        // SAFETY: as above.
        unsafe { control(GCRYCTL_INITIALIZATION_FINISHED, 0) };
        let path = dl::file_of(ask as *const () as usize);
        Ok(Box::new(Loaded { library, version, path }))
    }
}

/// The variable with the features to disable: libgcrypt itself reads a file in `/etc`.
const DISABLED: &str = "ROPEWALK_LIBGCRYPT_DISABLED";

/// Disables hardware features. It must be the first call.
fn disable(library: &'static Library, names: &str) -> Result<(), Unavailable> {
    let control = control(library)?;
    for name in names.split(':').filter(|name| !name.is_empty()) {
        let text = CString::new(name).map_err(|e| Unavailable(e.to_string()))?;
        // SAFETY: this command takes a string and a null. Unknown names in older versions are not detected
        // features either.
        unsafe { control(GCRYCTL_DISABLE_HWF, text.as_ptr(), null::<c_void>()) };
    }
    Ok(())
}

type Control = unsafe extern "C" fn(c_int, ...) -> c_uint;

fn control(library: &'static Library) -> Result<Control, Unavailable> {
    // SAFETY: the type is the one that the public header gives this name.
    let found = unsafe { library.get::<Control>("gcry_control") };
    Ok(*found.map_err(|_| Unavailable("no symbol gcry_control".into()))?)
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
        let lacks = || Unavailable::lacks(&Libgcrypt, cell.task);
        match cell.task.kind {
            Kind::Ctr { key_len } => {
                jobs::ctr(cell, key_len, move |key| Cipher::new(library, CTR, key))
            }
            Kind::Cbc { direction, key_len } => {
                let cipher = move |key: &[u8]| Cipher::new(library, CBC, key);
                jobs::cbc(cell, key_len, move |key| {
                    Ok(cipher::Cbc::<16> { cipher: cipher(key)?, direction })
                })
            }
            Kind::Ecb { direction, key_len } => {
                let cipher = move |key: &[u8]| Cipher::new(library, ECB, key);
                jobs::cbc(cell, key_len, move |key| {
                    Ok(cipher::Ecb { cipher: cipher(key)?, direction })
                })
            }
            Kind::Xts { direction, key_len } => {
                let cipher = move |key: &[u8]| Cipher::new(library, XTS, key);
                jobs::xts(cell, key_len, move |key| {
                    Ok(cipher::Cbc::<16> { cipher: cipher(key)?, direction })
                })
            }
            Kind::KeyWrap { .. } => jobs::key_wrap(cell, move |key| {
                Cipher::new(library, AESWRAP, key).map(cipher::KeyWrap)
            }),
            Kind::Gcm { op, key_len } => {
                jobs::aead(cell, op, key_len, move |key| Cipher::new(library, GCM, key))
            }
            Kind::Ccm { op, key_len } => jobs::aead(cell, op, key_len, move |key| {
                Cipher::new(library, CCM, key).map(aead::Ccm)
            }),
            Kind::Fill => Err(Unavailable("its generator is not called here".into())),
            Kind::TripleDes { direction } => {
                let cipher = move |key: &[u8]| Cipher::of(library, GCRY_CIPHER_3DES, CBC, key);
                jobs::cbc(cell, TRIPLE_DES_KEY, move |key| {
                    Ok(cipher::Cbc::<8> { cipher: cipher(key)?, direction })
                })
            }
            Kind::X25519(op) => curves::x25519(cell, library, op),
            Kind::Ed25519(op) => signatures::ed25519(cell, library, op),
            Kind::EcdhP256(op) => nist::ecdh(cell, library, op),
            Kind::EcdsaP256(op) => nist::ecdsa(cell, library, op),
            Kind::Rsa { op, .. } => rsa::job(cell, library, op),
            Kind::Rc4 => jobs::ctr(cell, RC4_KEY, move |key| cipher::Rc4::new(library, key)),
            Kind::ChaCha20 => jobs::ctr(cell, 32, move |key| {
                Cipher::new(library, STREAM, key).map(cipher::ChaCha)
            }),
            Kind::ChaChaPoly { op } => {
                jobs::aead(cell, op, 32, move |key| Cipher::new(library, POLY1305, key))
            }
            Kind::Gmac { key_len } => {
                jobs::gmac(cell, key_len, move |key| mac::Gmac::new(library, key))
            }
            Kind::Mac(mac) => {
                let algorithm = mac::algorithm(mac).ok_or_else(lacks)?;
                jobs::mac(cell, move |key| mac::Mac::new(library, mac, algorithm, key))
            }
            Kind::Hash(function) => {
                let algorithm = digest::algorithm(function).ok_or_else(lacks)?;
                Ok(jobs::hash(cell, digest::Hash::new(library, function, algorithm)?))
            }
            _ => Err(lacks()),
        }
    }
}
