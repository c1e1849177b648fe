//! Intel's crypto_mb, which processes eight or sixteen messages or keys at once: RSA, elliptic curves, SM3
//! and SM4.
//!
//! Of these RSA, X25519, Ed25519, P-256 and SM3 are measured.

mod curves;
mod digest;
mod nist;
mod rsa;

use std::{
    ffi::{CStr, c_char, c_int},
    path::Path,
};

use libloading::os::unix::Library;

use super::{
    Job, Opened, Peer, Unavailable,
    dl::{self, functions},
};
use crate::tasks::{Cell, Function, Kind};

/// Crypto_mb.
pub(super) struct CryptoMb;

impl Peer for CryptoMb {
    fn name(&self) -> &'static str {
        "crypto_mb"
    }

    fn has(&self) -> &'static [&'static str] {
        &["x25519", "ed25519", "p256", "rsa-*", "sm3"]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libcrypto_mb.so.13", "libcrypto_mb.so.12", "libcrypto_mb.so.11"]
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        // Its libraries of Intel's compilers are in the same folder, where the loader does not search.
        if let Some(folder) = Path::new(library).parent().filter(|_| library.contains('/')) {
            for needed in RUNTIME {
                let _ = dl::open(&folder.join(needed).to_string_lossy());
            }
        }
        let library = dl::open(library)?;
        let api = Api::load(library)?;
        // SAFETY: it takes no arguments.
        let version = unsafe { (api.mbx_getversion)() };
        // SAFETY: a pointer that is not null belongs to the library, which is never closed.
        let version = unsafe { version.as_ref() }.filter(|version| !version.name.is_null());
        let version = version.ok_or_else(|| Unavailable("reports no version".into()))?;
        // SAFETY: it is a string that lives as long as the library. `crypto_mb (k1)`: its choice for the
        // processor.
        let name = unsafe { CStr::from_ptr::<'static>(version.name) }.to_string_lossy();
        let applicable = api.mbx_is_crypto_mb_applicable;
        // SAFETY: zero makes it detect the features itself.
        if unsafe { applicable(0) } == 0 {
            return Err(Unavailable("needs features that this processor lacks".into()));
        }
        let path = dl::file_of(api.mbx_getversion as *const () as usize);
        let [major, minor, revision] = version.numbers;
        let version = format!("{name} {major}.{minor}.{revision}");
        Ok(Box::new(Loaded { library, version, path }))
    }
}

/// Libraries that it was linked with, each after those that it needs itself.
const RUNTIME: [&str; 4] = ["libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so"];

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
        match cell.task.kind {
            Kind::X25519(op) => curves::x25519(cell, self.library, op),
            Kind::Ed25519(op) => curves::ed25519(cell, self.library, op),
            Kind::EcdhP256(op) => nist::ecdh(cell, self.library, op),
            Kind::EcdsaP256(op) => nist::ecdsa(cell, self.library, op),
            Kind::Rsa { op, .. } => rsa::job(cell, self.library, op),
            Kind::Hash(Function::Sm3) => digest::sm3(cell, self.library),
            _ => Err(Unavailable::lacks(&CryptoMb, cell.task)),
        }
    }
}

/// `mbxVersion`.
#[repr(C)]
pub(super) struct Version {
    numbers: [c_int; 3],
    name: *const c_char,
    _strings: [*const c_char; 2],
}

functions! {
    /// Its version, and the check of the processor.
    Api {
        fn mbx_getversion() -> *const Version;
        fn mbx_is_crypto_mb_applicable(features: u64) -> c_int;
    }
}
