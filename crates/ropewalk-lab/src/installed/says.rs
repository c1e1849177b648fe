//! What a library says of itself when it is asked. It runs code of the library, and so has a process of its own.

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

/// How a kind of library says its version. The first name is what stands before the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// By `OpenSSL_version`, which says how it was compiled too.
    Libcrypto,
    /// By a function of nothing.
    Text(&'static str, &'static str),
    /// By a function that is given the least version that is wanted, or null.
    Checked(&'static str, &'static str),
    /// By a function that gives a number of four bytes, the last of which says nothing.
    Bytes(&'static str, &'static str),
    /// By a function for the number before the point, and one for that behind it.
    Halves(&'static str, &'static str, &'static str),
    /// Not at all.
    Nothing,
}

/// Its words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// Its version, with its name.
    pub version: Option<String>,
    /// How it was compiled.
    pub compiler: Option<String>,
    /// The processor features that it goes by.
    pub goes_by: Option<String>,
}

/// Asks a library of that kind.
///
/// # Errors
/// Where it cannot be loaded, or lacks the function.
pub fn ask(kind: &Kind, path: &Path) -> Result<Words, Unavailable> {
    let library = dl::open(&shown(path))?;
    let version = match kind.says {
        Says::Nothing => None,
        Says::Libcrypto => return libcrypto(library),
        Says::Text(name, function) => {
            type Ask = unsafe extern "C" fn() -> *const c_char;
            // SAFETY: the public header gives the function this type.
            let ask: Ask = unsafe { dl::symbol(library, function) }?;
            // SAFETY: it takes nothing.
            let said = unsafe { ask() };
            text(said).map(|said| version(name, &said))
        }
        Says::Checked(name, function) => {
            type Ask = unsafe extern "C" fn(*const c_char) -> *const c_char;
            // SAFETY: the public header gives the function this type.
            let ask: Ask = unsafe { dl::symbol(library, function) }?;
            // SAFETY: null asks for the version.
            let said = unsafe { ask(null()) };
            text(said).map(|said| format!("{name} {said}"))
        }
        Says::Bytes(name, function) => {
            type Ask = unsafe extern "C" fn() -> c_uint;
            // SAFETY: the public header gives the function this type.
            let ask: Ask = unsafe { dl::symbol(library, function) }?;
            // SAFETY: it takes nothing.
            let [major, minor, patch, _] = unsafe { ask() }.to_be_bytes();
            Some(format!("{name} {major}.{minor}.{patch}"))
        }
        Says::Halves(name, major, minor) => {
            type Ask = unsafe extern "C" fn() -> c_int;
            // SAFETY: the public header gives the functions this type.
            let major: Ask = unsafe { dl::symbol(library, major) }?;
            // SAFETY: as above.
            let minor: Ask = unsafe { dl::symbol(library, minor) }?;
            // SAFETY: it takes nothing.
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

/// A version with the library's name before it, once, and without what some add in brackets.
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
        // SAFETY: any number may be asked for.
        text(unsafe { ask(what) })
    };
    // What it has no answer to is `not available` or `n/a`.
    let compiler = said(CFLAGS).and_then(|line| Some(line.strip_prefix("compiler: ")?.to_owned()));
    let goes_by = said(CPU_INFO).and_then(|line| Some(line.strip_prefix("CPUINFO: ")?.to_owned()));
    let told = |words: &String| !["n/a", "N/A", "information not available"].contains(&&**words);
    Ok(Words {
        version: said(VERSION),
        compiler: compiler.filter(told),
        goes_by: goes_by.filter(told),
    })
}

/// `intel-aesni intel-avx2`, where it says that.
fn hardware_features(library: &'static Library) -> Option<String> {
    type Ask = unsafe extern "C" fn(c_int, *const c_char) -> *const c_char;
    // SAFETY: the public header gives the function this type.
    let ask: Ask = unsafe { dl::symbol(library, "gcry_get_config") }.ok()?;
    // SAFETY: this is the name of an item. The string is left to the end of the process.
    let said = text(unsafe { ask(0, c"hwflist".as_ptr()) })?;
    Some(said.trim().strip_prefix("hwflist:")?.replace(':', " ").trim().to_owned())
}

/// The string, where there is one.
fn text(said: *const c_char) -> Option<String> {
    // SAFETY: libraries that give a string give one that lives as long as they do.
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
