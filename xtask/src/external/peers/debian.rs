//! Libraries from Debian's packages: the newest that load here, and older ones that are still in use.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    rc::Rc,
};

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::probe::{Library, Probe};
use crate::tools::{
    Cache, Way,
    apt::{Apt, Sources},
    first,
};

/// One library.
pub(super) struct Package {
    pub(super) name: &'static str,
    /// The peer of the lab that loads it.
    peer: &'static str,
    /// The package, without the number that changes with the library's interface.
    package: &'static str,
    /// The library's file name, up to `.so`.
    library: &'static str,
}

pub(super) const PACKAGES: &[Package] = &[
    Package { name: "libgcrypt", peer: "libgcrypt", package: "libgcrypt", library: "libgcrypt" },
    // Its library with curves, which needs the other.
    Package { name: "nettle", peer: "nettle", package: "libhogweed", library: "libnettle" },
    Package { name: "GnuTLS", peer: "gnutls", package: "libgnutls", library: "libgnutls" },
    Package { name: "libsodium", peer: "libsodium", package: "libsodium", library: "libsodium" },
    Package { name: "ipsec-mb", peer: "ipsec-mb", package: "libipsec-mb", library: "libIPSec_MB" },
    Package { name: "Botan", peer: "botan", package: "libbotan-3-", library: "libbotan-3" },
    Package {
        name: "Mbed TLS",
        peer: "mbedtls",
        package: "libmbedcrypto",
        library: "libmbedcrypto",
    },
    Package {
        name: "BoringSSL",
        peer: "libcrypto",
        package: "android-libboringssl",
        library: "libcrypto",
    },
    Package { name: "wolfSSL", peer: "wolfssl", package: "libwolfssl", library: "libwolfssl" },
    Package { name: "NSS", peer: "nss", package: "libnss3", library: "libnss3" },
];

/// Suites of Debian with the newest, newest first.
const NEWEST: &[&str] = &["sid", "stable"];

/// Libraries whose older version has another interface, and the suite of that version.
pub(super) const OLDER: &[(&str, Package)] = &[(
    "bookworm",
    Package {
        name: "ipsec-mb 1",
        peer: "ipsec-mb",
        package: "libipsec-mb",
        library: "libIPSec_MB",
    },
)];

/// The package lists of each suite, fetched once for all libraries.
pub(super) struct Suites {
    folder: TempDir,
    lists: RefCell<BTreeMap<String, Rc<Apt>>>,
}

impl Suites {
    pub(super) fn new(folder: &Path) -> Result<Self> {
        Ok(Self { folder: tempfile::tempdir_in(folder)?, lists: Default::default() })
    }

    fn apt(&self, suite: &str) -> Result<Rc<Apt>> {
        if let Some(apt) = self.lists.borrow().get(suite) {
            return Ok(Rc::clone(apt));
        }
        let apt = Apt::new(&self.folder.path().join(suite), &Sources::Suites(&[suite]), &[])?;
        let apt = Rc::new(apt);
        self.lists.borrow_mut().insert(suite.into(), Rc::clone(&apt));
        Ok(apt)
    }
}

impl Package {
    /// The newest that loads here.
    pub(super) fn get(&self, cache: &Cache, suites: &Suites, probe: &Probe) -> Result<Library> {
        self.get_from(NEWEST, cache, suites, probe)
    }

    /// The newest that loads, from the first suite that has one.
    pub(super) fn get_from(
        &self,
        names: &[&str],
        cache: &Cache,
        suites: &Suites,
        probe: &Probe,
    ) -> Result<Library> {
        let open = |folder: &Path| self.open(folder, probe);
        let ways = names.iter().map(|suite| {
            Way::new(suite, move || {
                let fill = |folder: &Path| {
                    let apt = suites.apt(suite)?;
                    self.fill(&apt, folder)
                };
                let package = self.package.trim_end_matches('-');
                cache.tool(&format!("{package}-{suite}"), fill, open)
            })
        });
        first(self.name, ways, "no package of it loads here")
    }

    fn fill(&self, apt: &Apt, folder: &Path) -> Result<()> {
        let package = self.newest(&apt.names(self.package)?)?;
        apt.unpack_whole(&[&package, "libc6", "libgcc-s1"], folder)
    }

    /// The second of `libhogweed4` and `libhogweed6t64`. A package without a number is returned unchanged.
    fn newest(&self, names: &[String]) -> Result<String> {
        let number = |name: &str| {
            let rest = name.strip_prefix(self.package)?;
            let rest = rest.strip_suffix("t64").unwrap_or(rest);
            if rest.is_empty() { Some(0) } else { rest.parse::<u32>().ok() }
        };
        let numbered = names.iter().filter_map(|name| Some((number(name)?, name)));
        let newest = numbered.max().with_context(|| format!("no package {}", self.package))?;
        Ok(newest.1.clone())
    }

    fn open(&self, folder: &Path, probe: &Probe) -> Result<Library> {
        let folder = folder.join("usr/lib");
        let library = named(&folder, &format!("{}.so", self.library))?;
        let loader = loader(&folder)?;
        probe.open(self.peer, &library.context("it has no library")?, loader.as_deref())
    }
}

/// The loader of the C library below a folder.
pub(crate) fn loader(folder: &Path) -> Result<Option<PathBuf>> {
    Ok(named(folder, "ld-linux")?.or(named(folder, "ld64")?))
}

/// The first file below a folder whose name starts with `start`.
pub(crate) fn named(folder: &Path, start: &str) -> Result<Option<PathBuf>> {
    let mut files = Vec::new();
    walk(folder, &mut files)?;
    let is = |file: &PathBuf| {
        file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start))
    };
    Ok(files.into_iter().filter(is).min())
}

/// Every file below a folder.
pub(super) fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_by_number() {
        let newest = |package: &Package, names: &[&str]| {
            package.newest(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).ok()
        };
        let [gcrypt, nettle, boringssl, gnutls, botan] =
            ["libgcrypt", "nettle", "BoringSSL", "GnuTLS", "Botan"].map(|name| {
                PACKAGES.iter().find(|package| package.name == name).expect("it is there")
            });
        let names = ["libgcrypt20", "libgcrypt-bin", "libgcrypt20-dev", "libgcrypt11"];
        assert_eq!(newest(gcrypt, &names).as_deref(), Some("libgcrypt20"));
        let names = ["libhogweed6t64", "libhogweed4", "libhogweed10"];
        assert_eq!(newest(nettle, &names).as_deref(), Some("libhogweed10"));
        assert_eq!(newest(nettle, &names[..2]).as_deref(), Some("libhogweed6t64"));
        let names = ["libbotan-3-9t64", "libbotan-3-13", "libbotan-3-dev", "libbotan-3-doc"];
        assert_eq!(newest(botan, &names).as_deref(), Some("libbotan-3-13"));
        let names = ["android-libboringssl-dev", "android-libboringssl"];
        assert_eq!(newest(boringssl, &names).as_deref(), Some("android-libboringssl"));
        let names = ["libgnutls-dane0t64", "libgnutls28-dev", "libgnutls30t64"];
        assert_eq!(newest(gnutls, &names).as_deref(), Some("libgnutls30t64"));
        assert_eq!(newest(nettle, &[]), None);
    }
}
