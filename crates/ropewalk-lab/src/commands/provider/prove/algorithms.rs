//! Every algorithm of a provider, and the provider that serves a fetch by its name.

use std::{
    collections::BTreeSet,
    ffi::{CString, c_char, c_void},
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::{answers::Asked, api, text, too_old};
use crate::{
    commands::provider::view::{Algorithm, Served},
    peers::dl,
};

/// Kinds of algorithms, each with the prefix of its functions.
const KINDS: [(&str, &str); 10] = [
    ("digest", "EVP_MD"),
    ("cipher", "EVP_CIPHER"),
    ("MAC", "EVP_MAC"),
    ("KDF", "EVP_KDF"),
    ("generator", "EVP_RAND"),
    ("key", "EVP_KEYMGMT"),
    ("key exchange", "EVP_KEYEXCH"),
    ("signature", "EVP_SIGNATURE"),
    ("asymmetric cipher", "EVP_ASYM_CIPHER"),
    ("KEM", "EVP_KEM"),
];

/// The names of ropewalk's algorithms.
pub(super) const OURS: [(&str, &[&str]); 4] = [
    (
        "digest",
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
        "cipher",
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
    ("MAC", &["HMAC", "CMAC", "GMAC", "POLY1305"]),
    ("KDF", &["HKDF", "TLS13-KDF", "TLS1-PRF", "PBKDF2"]),
];

type DoAll = unsafe extern "C" fn(*mut c_void, Each, *mut c_void);
type Each = unsafe extern "C" fn(*mut c_void, *mut c_void);
type Fetch = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
type Get = unsafe extern "C" fn(*const c_void) -> *const c_void;
type Name = unsafe extern "C" fn(*const c_void) -> *const c_char;

/// A kind, and its functions.
struct Kind {
    name: &'static str,
    do_all: DoAll,
    fetch: Fetch,
    provider: Get,
    name_of: Name,
    provider_name: Name,
}

impl Kind {
    fn find(library: &'static Library, name: &str) -> anyhow::Result<Self> {
        let kind = KINDS.iter().find(|(known, _)| *known == name);
        let &(name, start) = kind.expect("a kind has a name");
        let providers = api::Providers::load(library).map_err(too_old)?;
        // SAFETY: the functions of all kinds have these types, except for the type of the fetched object.
        let do_all = unsafe { dl::symbol(library, &format!("{start}_do_all_provided")) };
        // SAFETY: as above.
        let fetch = unsafe { dl::symbol(library, &format!("{start}_fetch")) };
        // SAFETY: as above.
        let provider = unsafe { dl::symbol(library, &format!("{start}_get0_provider")) };
        // SAFETY: as above.
        let name_of = unsafe { dl::symbol(library, &format!("{start}_get0_name")) };
        Ok(Self {
            name,
            do_all: do_all.map_err(too_old)?,
            fetch: fetch.map_err(too_old)?,
            provider: provider.map_err(too_old)?,
            name_of: name_of.map_err(too_old)?,
            provider_name: providers.OSSL_PROVIDER_get0_name,
        })
    }

    /// The first name of each algorithm of each provider.
    fn names(&self) -> BTreeSet<String> {
        struct Names {
            name_of: Name,
            names: BTreeSet<String>,
        }
        unsafe extern "C" fn each(algorithm: *mut c_void, to: *mut c_void) {
            // SAFETY: it is the list below, which nothing else uses meanwhile.
            let Some(to) = (unsafe { to.cast::<Names>().as_mut() }) else { return };
            // SAFETY: OpenSSL passes an algorithm of the kind that was requested.
            to.names.extend(text(unsafe { (to.name_of)(algorithm) }));
        }
        let mut names = Names { name_of: self.name_of, names: BTreeSet::new() };
        // SAFETY: null means the default context.
        unsafe { (self.do_all)(null_mut(), each, (&raw mut names).cast()) };
        names.names
    }

    /// Fetches an algorithm by a name, and returns its provider too.
    fn fetch(&self, name: &str) -> Option<(*mut c_void, String)> {
        let name = CString::new(name).ok()?;
        // SAFETY: a name, and the default context. The algorithm is not freed.
        let fetched = unsafe { (self.fetch)(null_mut(), name.as_ptr(), null()) };
        if fetched.is_null() {
            return None;
        }
        // SAFETY: it was fetched.
        let provider = unsafe { (self.provider)(fetched) };
        // SAFETY: an algorithm has a provider, which has a name.
        let by = text(unsafe { (self.provider_name)(provider) });
        Some((fetched, by.unwrap_or_default()))
    }
}

/// All algorithms, and those that another process has named.
pub(super) fn all(library: &'static Library, more: &[Algorithm]) -> anyhow::Result<Vec<Algorithm>> {
    let mut all = Vec::new();
    for (name, _) in KINDS {
        let kind = Kind::find(library, name)?;
        let mut names = kind.names();
        let more = more.iter().filter(|other| other.kind == name);
        names.extend(more.map(|other| other.name.clone()));
        all.extend(names.into_iter().map(|name| {
            let by = kind.fetch(&name).map(|(_, by)| by);
            Algorithm { kind: kind.name.into(), name, by }
        }));
    }
    all.sort();
    Ok(all)
}

/// The algorithms of ropewalk, and who serves them in the library of that name.
pub(super) fn served(name: &str, library: &'static Library) -> anyhow::Result<Vec<Served>> {
    let mut all = Vec::new();
    for (kind, names) in OURS {
        let kind = Kind::find(library, kind)?;
        for &algorithm in names {
            let by = kind.fetch(algorithm).map(|(_, by)| by);
            let right = by.as_ref().and_then(|by| Asked { library: name, by }.is_right(algorithm));
            all.push(Served { kind: kind.name.into(), name: algorithm.into(), by, right });
        }
    }
    Ok(all)
}
