//! What OpenSSL does with the configuration that this process was started with.

use core::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};
use std::{ffi::CString, path::Path, ptr};

use anyhow::bail;
use libloading::os::unix::Library;

use super::{Proof, Served};
use crate::{filename::shown, peers::dl};

/// The kinds of algorithms, and the names of ours.
const ALGORITHMS: &[(Kind, &[&str])] = &[
    (
        Kind { name: "digest", fetch: "EVP_MD_fetch", provider: "EVP_MD_get0_provider" },
        &[
            "SHA1",
            "SHA2-224",
            "SHA2-256",
            "SHA2-384",
            "SHA2-512",
            "SHA2-512/256",
            "SHA3-224",
            "SHA3-256",
            "SHA3-384",
            "SHA3-512",
            "SHAKE-128",
            "SHAKE-256",
            "MD5",
        ],
    ),
    (
        Kind { name: "cipher", fetch: "EVP_CIPHER_fetch", provider: "EVP_CIPHER_get0_provider" },
        &[
            "AES-128-ECB",
            "AES-256-ECB",
            "AES-128-CBC",
            "AES-256-CBC",
            "AES-128-CTR",
            "AES-256-CTR",
            "AES-128-GCM",
            "AES-256-GCM",
            "AES-128-CCM",
            "AES-256-CCM",
            "AES-128-XTS",
            "AES-256-XTS",
            "AES-128-WRAP",
            "AES-256-WRAP",
            "AES-128-WRAP-PAD",
            "AES-256-WRAP-PAD",
            "ChaCha20",
            "ChaCha20-Poly1305",
            "AES-128-CBC-HMAC-SHA1",
            "AES-256-CBC-HMAC-SHA1",
            "AES-128-CBC-HMAC-SHA256",
            "AES-256-CBC-HMAC-SHA256",
        ],
    ),
    (
        Kind { name: "MAC", fetch: "EVP_MAC_fetch", provider: "EVP_MAC_get0_provider" },
        &["HMAC", "CMAC", "GMAC", "POLY1305"],
    ),
    (
        Kind { name: "KDF", fetch: "EVP_KDF_fetch", provider: "EVP_KDF_get0_provider" },
        &["HKDF", "TLS13-KDF", "TLS1-PRF", "PBKDF2"],
    ),
];

/// A kind of algorithm, and what OpenSSL calls to find one.
struct Kind {
    name: &'static str,
    fetch: &'static str,
    provider: &'static str,
}

type Fetch = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
type Get = unsafe extern "C" fn(*const c_void) -> *const c_void;
type Name = unsafe extern "C" fn(*const c_void) -> *const c_char;
type Version = unsafe extern "C" fn(c_int) -> *const c_char;
type Digest = unsafe extern "C" fn(
    *const c_void,
    usize,
    *mut c_uchar,
    *mut c_uint,
    *const c_void,
    *mut c_void,
) -> c_int;

/// Asks OpenSSL who serves what, and has it hash something.
pub(super) fn prove(libcrypto: Option<&Path>) -> anyhow::Result<Proof> {
    let names = match libcrypto {
        Some(file) => vec![shown(file)],
        None => ["libcrypto.so.3", "libcrypto.so.4"].map(str::to_owned).to_vec(),
    };
    let found = names.iter().find_map(|name| dl::open(name).ok());
    let Some(library) = found else {
        bail!("no OpenSSL of version 3 or later: {} could not be loaded", names.join(", "));
    };
    // SAFETY: its public header gives it this type.
    let version = unsafe { dl::symbol::<Version>(library, "OpenSSL_version") }.map_err(error)?;
    let said = |which| {
        // SAFETY: it takes any number, and answers with a string that stays.
        let text = unsafe { version(which) };
        // SAFETY: likewise.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    };
    let folder = said(4).and_then(|text| Some(text.split('"').nth(1)?.to_owned()));
    let mut algorithms = Vec::new();
    for (kind, names) in ALGORITHMS {
        for name in *names {
            algorithms.push(served(library, kind, name)?);
        }
    }
    Ok(Proof { version: said(0).unwrap_or_default(), folder, algorithms })
}

fn error(unavailable: crate::peers::Unavailable) -> anyhow::Error {
    anyhow::anyhow!(unavailable.0)
}

fn served(library: &'static Library, kind: &Kind, name: &str) -> anyhow::Result<Served> {
    // SAFETY: all functions that fetch have this type, but for that of what they fetch.
    let fetch = unsafe { dl::symbol::<Fetch>(library, kind.fetch) }.map_err(error)?;
    // SAFETY: likewise.
    let provider = unsafe { dl::symbol::<Get>(library, kind.provider) }.map_err(error)?;
    // SAFETY: the public header gives it this type.
    let name_of =
        unsafe { dl::symbol::<Name>(library, "OSSL_PROVIDER_get0_name") }.map_err(error)?;
    let text = CString::new(name)?;
    // SAFETY: a name, and the library's own context. What is fetched stays.
    let fetched = unsafe { fetch(ptr::null_mut(), text.as_ptr(), ptr::null()) };
    let mut by = None;
    if !fetched.is_null() {
        // SAFETY: it was fetched.
        let provider = unsafe { provider(fetched) };
        // SAFETY: an algorithm has a provider, which has a name.
        let name = unsafe { name_of(provider) };
        // SAFETY: it stays.
        by = Some(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned());
    }
    let known = ropewalk::hash::Algorithm::named(&plain(name)).ok();
    let right = match known {
        Some(algorithm) if !fetched.is_null() && !name.starts_with("SHAKE") => {
            Some(right(library, fetched, algorithm)?)
        }
        _ => None,
    };
    Ok(Served { kind: kind.name.into(), name: name.into(), by, right })
}

/// Our name of a digest.
fn plain(name: &str) -> String {
    name.to_lowercase().replace("sha2-", "sha").replace("512/256", "512-256")
}

/// Whether OpenSSL's answer is that of the library here, for a message of two blocks and a bit.
fn right(
    library: &'static Library,
    fetched: *mut c_void,
    algorithm: ropewalk::hash::Algorithm,
) -> anyhow::Result<bool> {
    // SAFETY: the public header gives it this type.
    let digest = unsafe { dl::symbol::<Digest>(library, "EVP_Digest") }.map_err(error)?;
    let message = [b'r'; 300];
    let (mut out, mut len) = ([0; 64], 0);
    // SAFETY: the message, room for the longest digest, and what was fetched.
    let done = unsafe {
        digest(
            message.as_ptr().cast(),
            message.len(),
            out.as_mut_ptr(),
            &mut len,
            fetched,
            ptr::null_mut(),
        )
    };
    let want = ropewalk::hash::Hasher::new(algorithm).digest(&message);
    Ok(done == 1 && out.get(..len as usize) == Some(&want[..]))
}
