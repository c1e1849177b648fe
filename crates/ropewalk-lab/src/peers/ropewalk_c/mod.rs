//! The C library of ropewalk, `libropewalk.so.0`, through its own interface: the speed for a program in C.
//!
//! A batch has two rows. One is the library's function for batches, and the other one is a loop of its
//! function for one message over the same messages, which must not be faster.

mod aead;
mod api;
mod cipher;
mod curves;
mod digest;
mod mac;
mod nist;
mod records;
mod rsa;

use std::{
    env,
    ffi::{CStr, CString, c_char},
    path::PathBuf,
    ptr::null_mut,
};

use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl};
use crate::{
    filename::shown,
    tasks::{AeadOp, Cell, Function, Kind, Mac, Mode, Task},
};

/// The C library.
pub(super) struct RopewalkC;

/// Its name for the dynamic loader.
const LIBRARY: &str = "libropewalk.so.0";

impl Peer for RopewalkC {
    fn name(&self) -> &'static str {
        "ropewalk-c"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-xts", "aes-*-gcm", "aes-*-ccm",
            "aes-*-cbc-hmac-sha1", "aes-*-cbc-hmac-sha256",
            "chacha20", "chacha20-poly1305",
            "aes-*-cmac", "x25519", "ed25519", "p256", "rsa-*",
        ]
    }

    fn functions(&self, function: Function) -> [bool; 2] {
        // The C library has the same functions as the library.
        [true, !function.extends()]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &[LIBRARY]
    }

    fn mask(
        &self,
        version: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        super::ours::Ours.mask(version, features)
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let found = match library {
            LIBRARY => beside().map(shown),
            _ => None,
        };
        let library = dl::open(found.as_deref().unwrap_or(library))?;
        let api = api::Version::load(library)?;
        // SAFETY: it takes no arguments.
        let number = unsafe { (api.ropewalk_version_number)() };
        // SAFETY: as above.
        let version = unsafe { (api.ropewalk_version)() };
        if version.is_null() {
            return Err(Unavailable("reports no version".into()));
        }
        // SAFETY: it is a string that lives as long as the library, which is never closed.
        let version = unsafe { CStr::from_ptr::<'static>(version) }.to_string_lossy();
        let version = format!("ropewalk {version}");
        if number / 1000 != KNOWN {
            return Err(Unavailable(format!("the interface of {version} is not known")));
        }
        // SAFETY: the error may be NULL.
        if unsafe { (api.ropewalk_init)(null_mut()) } != api::OK {
            return Err(Unavailable("ROPEWALK_CPU names an unknown processor feature".into()));
        }
        let path = dl::file_of(api.ropewalk_version as *const () as usize);
        Ok(Box::new(Loaded { library, version, path }))
    }
}

/// Thousands of the version whose interface `api` declares: 0.1.
const KNOWN: u32 = 1;

/// The library that was built or installed with this command: in its folder, or in `lib` next to that folder.
fn beside() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let folder = program.parent()?;
    let places = [folder.join("libropewalk.so"), folder.join("../lib").join(LIBRARY)];
    places.into_iter().find(|path| path.is_file())
}

struct Loaded {
    library: &'static Library,
    version: String,
    path: Option<String>,
}

/// The row of the loop over messages.
const ONE_BY_ONE: &str = "one by one";

impl Opened for Loaded {
    fn version(&self) -> String {
        self.version.clone()
    }

    fn path(&self) -> Option<String> {
        self.path.clone()
    }

    fn backends(&self, task: &Task, count: usize) -> Vec<String> {
        match task.kind {
            kind if !kind.ours() => Vec::new(),
            kind if count > 1 && has_many(kind) => vec![String::new(), ONE_BY_ONE.into()],
            _ => vec![String::new()],
        }
    }

    fn prepare(&self, cell: &Cell, backend: &str) -> Result<Box<dyn Job>, Unavailable> {
        let library = self.library;
        let how = match cell.mode {
            Mode::Message if cell.count > 1 && backend == ONE_BY_ONE => How::OneByOne,
            Mode::Message if cell.count > 1 => How::Many,
            // A stream is one message, and a message with a new key is the only one in its call.
            _ => How::Alone,
        };
        match cell.task.kind {
            Kind::Gcm { op, key_len } | Kind::Ccm { op, key_len } => {
                aead::job(library, cell, how, op, key_len)
            }
            Kind::ChaChaPoly { op } => aead::job(library, cell, how, op, 32),
            Kind::Ctr { key_len } => cipher::counter(library, cell, how, key_len),
            Kind::ChaCha20 => cipher::counter(library, cell, how, 32),
            Kind::Cbc { direction, key_len } | Kind::Xts { direction, key_len } => {
                cipher::blocks(library, cell, how, direction, key_len)
            }
            Kind::Hash(_) => digest::job(library, cell, how),
            Kind::Mac(Mac::Hmac(_) | Mac::Cmac { .. }) => mac::job(library, cell, how),
            Kind::Records { .. } => records::job(library, cell, how),
            Kind::X25519(op) => curves::x25519(library, cell, how, op),
            Kind::Ed25519(op) => curves::ed25519(library, cell, how, op),
            Kind::EcdhP256(op) => nist::ecdh(library, cell, how, op),
            Kind::EcdsaP256(op) => nist::ecdsa(library, cell, how, op),
            Kind::Rsa { op, .. } => rsa::job(library, cell, how, op),
            kind if kind.ours() && kind.of_libraries() => {
                Err(Unavailable("is measured as ropewalk".into()))
            }
            _ => Err(Unavailable::lacks(&RopewalkC, cell.task)),
        }
    }
}

/// The function for the messages of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// There is one message.
    Alone,
    /// The function for batches.
    Many,
    /// The function for one message, in a loop over the same structs.
    OneByOne,
}

/// Whether the library has a function for batches that the lab calls.
fn has_many(kind: Kind) -> bool {
    match kind {
        Kind::Gcm { op, .. } | Kind::Ccm { op, .. } | Kind::ChaChaPoly { op } => {
            matches!(op, AeadOp::Seal | AeadOp::Open)
        }
        Kind::Ctr { .. } | Kind::ChaCha20 | Kind::Cbc { .. } | Kind::Xts { .. } => true,
        Kind::Hash(_) | Kind::Mac(Mac::Hmac(_) | Mac::Cmac { .. }) | Kind::Records { .. } => true,
        Kind::X25519(_) | Kind::Ed25519(_) => true,
        Kind::EcdhP256(_) | Kind::EcdsaP256(_) | Kind::Rsa { .. } => true,
        _ => false,
    }
}

/// The number of an algorithm, by a function of the library that looks its name up.
fn number(
    name: &str,
    named: unsafe extern "C" fn(*const c_char, *mut u32, api::Error) -> api::Status,
) -> Result<u32, Unavailable> {
    let text = CString::new(name).expect("a name has no zeros");
    let mut number = 0;
    // SAFETY: the name is a string, the number is for writing, and the error may be NULL.
    match unsafe { named(text.as_ptr(), &mut number, null_mut()) } {
        api::OK => Ok(number),
        _ => Err(Unavailable(format!("has no {name}"))),
    }
}

/// Checks the result of an `_init`.
fn made(status: api::Status) -> Result<(), Unavailable> {
    match status {
        api::OK => Ok(()),
        status => Err(Unavailable(format!("makes no key or state: status {status}"))),
    }
}

/// A failed call must not look like an answer.
#[inline(always)]
fn done(status: api::Status) {
    assert_eq!(status, api::OK, "the library refuses what it takes from others");
}
