//! A library's own report. It runs code of the library, and so has a separate process.

use std::{
    ffi::{CStr, c_char, c_int, c_uint},
    path::Path,
    ptr::null,
};

use libloading::os::unix::Library;
use serde::{Deserialize, Serialize};

use super::Kind;
use crate::{
    filename::shown,
    peers::{Unavailable, dl},
};

/// How a kind of library reports its version. The first string is its name before the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// By `OpenSSL_version`, which also returns the compiler flags.
    Libcrypto,
    /// By a function without arguments.
    Text(&'static str, &'static str),
    /// By a function that takes the least acceptable version, or null.
    Checked(&'static str, &'static str),
    /// By a function that returns a number of four bytes, the last of which is not used.
    Bytes(&'static str, &'static str),
    /// By a function for the major number, and one for the minor number.
    Halves(&'static str, &'static str, &'static str),
    /// Not at all.
    Nothing,
}

/// The report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// Its version, with its name.
    pub version: Option<String>,
    /// How it was compiled.
    pub compiler: Option<String>,
    /// The processor features that it has detected.
    pub goes_by: Option<String>,
}

/// Queries a library of that kind.
///
/// # Errors
/// If it cannot be loaded, or lacks the function.
pub fn ask(kind: &Kind, path: &Path) -> Result<Words, Unavailable> {
    let library = dl::open(&shown(path))?;
    let version = match kind.says {
        Says::Nothing => None,
        Says::Libcrypto => return libcrypto(library),
        Says::Text(name, function) => {
            type Ask = unsafe extern "C" fn() -> *const c_char;
            // SAFETY: the public header gives the function this type.
            let ask: Ask = unsafe { dl::symbol(library, function) }?;
            // SAFETY: it takes no arguments.
            let said = unsafe { ask() };
            text(said).map(|said| version(name, &said))
        }
        Says::Checked(name, function) => {
            type Ask = unsafe extern "C" fn(*const c_char) -> *const c_char;
            // SAFETY: the public header gives the function this type.
            let ask: Ask = unsafe { dl::symbol(library, function) }?;
            // SAFETY: null requests the version.
            let said = unsafe { ask(null()) };
            text(said).map(|said| format!("{name} {said}"))
        }
        Says::Bytes(name, function) => {
            type Ask = unsafe extern "C" fn() -> c_uint;
            // SAFETY: the public header gives the function this type.
            let ask: Ask = unsafe { dl::symbol(library, function) }?;
            // SAFETY: it takes no arguments.
            let [major, minor, patch, _] = unsafe { ask() }.to_be_bytes();
            Some(format!("{name} {major}.{minor}.{patch}"))
        }
        Says::Halves(name, major, minor) => {
            type Ask = unsafe extern "C" fn() -> c_int;
            // SAFETY: the public header gives the functions this type.
            let major: Ask = unsafe { dl::symbol(library, major) }?;
            // SAFETY: as above.
            let minor: Ask = unsafe { dl::symbol(library, minor) }?;
            // SAFETY: it takes no arguments.
            let major = unsafe { major() };
            // SAFETY: as above.
            let minor = unsafe { minor() };
            Some(format!("{name} {major}.{minor}"))
        }
    };
    let goes_by = match kind.name {
        "libgcrypt" => hardware_features(library),
        _ => None,
    };
    Ok(Words { version, compiler: None, goes_by })
}

/// A version with the library's name before it, once, and without additions in brackets.
fn version(name: &str, said: &str) -> String {
    let said = said.split(" (").next().unwrap_or(said);
    let number = said.strip_prefix(name).unwrap_or(said).trim_start();
    format!("{name} {}", number.trim_start_matches('v'))
}

fn libcrypto(library: &'static Library) -> Result<Words, Unavailable> {
    type Ask = unsafe extern "C" fn(c_int) -> *const c_char;
    const VERSION: c_int = 0;
    const CFLAGS: c_int = 1;
    const CPU_INFO: c_int = 9;
    // SAFETY: the public header gives the function this type.
    let ask: Ask = unsafe { dl::symbol(library, "OpenSSL_version") }?;
    let said = |what| {
        // SAFETY: it accepts any number.
        text(unsafe { ask(what) })
    };
    // Unsupported queries return `not available` or `n/a`.
    let compiler = said(CFLAGS).and_then(|line| Some(line.strip_prefix("compiler: ")?.to_owned()));
    let goes_by = said(CPU_INFO).and_then(|line| Some(line.strip_prefix("CPUINFO: ")?.to_owned()));
    let told = |words: &String| !["n/a", "N/A", "information not available"].contains(&&**words);
    Ok(Words {
        version: said(VERSION),
        compiler: compiler.filter(told),
        goes_by: goes_by.filter(told),
    })
}

/// `intel-aesni intel-avx2`, if the library reports it.
fn hardware_features(library: &'static Library) -> Option<String> {
    type Ask = unsafe extern "C" fn(c_int, *const c_char) -> *const c_char;
    // SAFETY: the public header gives the function this type.
    let ask: Ask = unsafe { dl::symbol(library, "gcry_get_config") }.ok()?;
    // SAFETY: this is the name of an item. The string is never freed.
    let said = text(unsafe { ask(0, c"hwflist".as_ptr()) })?;
    Some(said.trim().strip_prefix("hwflist:")?.replace(':', " ").trim().to_owned())
}

/// The string, if there is one.
fn text(said: *const c_char) -> Option<String> {
    // SAFETY: a string that a library returns lives as long as the library.
    let text = (!said.is_null()).then(|| unsafe { CStr::from_ptr(said) });
    text.map(|text| text.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_once() {
        let botan = "Botan 2.19.3 (unreleased, revision unknown, distribution Debian)";
        assert_eq!(version("Botan", botan), "Botan 2.19.3");
        assert_eq!(version("ipsec-mb", "v1.3.0"), "ipsec-mb 1.3.0");
        assert_eq!(version("libsodium", "1.0.18"), "libsodium 1.0.18");
    }
}
