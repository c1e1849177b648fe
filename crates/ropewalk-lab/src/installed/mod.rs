//! Cryptographic libraries that are installed here: those that a program would find by their names.

pub(crate) mod cache;
pub mod says;

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

use serde::Serialize;

use says::Says;

/// A kind of library.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name here: `libcrypto`.
    pub name: &'static str,
    /// The peer that measures it, by its name in [`crate::peers`].
    pub peer: Option<&'static str>,
    /// The names of its files, up to `.so`.
    files: &'static [&'static str],
    /// The files with its cryptographic code, if it is not in that file: in the same folder, the likeliest
    /// first.
    code: &'static [&'static str],
    /// How it reports its version.
    pub says: Says,
}

/// Every kind there is.
pub const KINDS: &[Kind] = &[
    // OpenSSL, LibreSSL, BoringSSL and AWS-LC.
    kind("libcrypto", &["libcrypto"], Says::Libcrypto).measured("libcrypto"),
    kind("libgcrypt", &["libgcrypt"], Says::Checked("libgcrypt", "gcry_check_version"))
        .measured("libgcrypt"),
    kind(
        "nettle",
        &["libnettle"],
        Says::Halves("nettle", "nettle_version_major", "nettle_version_minor"),
    )
    .measured("nettle"),
    kind("ipsec-mb", &["libIPSec_MB"], Says::Text("ipsec-mb", "imb_get_version_str"))
        .measured("ipsec-mb"),
    kind("gnutls", &["libgnutls"], Says::Checked("GnuTLS", "gnutls_check_version"))
        .measured("gnutls"),
    kind(
        "mbedtls",
        &["libmbedcrypto", "libtfpsacrypto"],
        Says::Bytes("Mbed TLS", "mbedtls_version_get_number"),
    )
    .measured("mbedtls"),
    kind("wolfssl", &["libwolfssl"], Says::Text("wolfSSL", "wolfSSL_lib_version"))
        .measured("wolfssl"),
    kind("libsodium", &["libsodium"], Says::Text("libsodium", "sodium_version_string"))
        .measured("libsodium"),
    kind("botan", &["libbotan-2", "libbotan-3"], Says::Text("Botan", "botan_version_string"))
        .measured("botan"),
    kind("nss", &["libnss3"], Says::Text("NSS", "NSS_GetVersion")).measured("nss").code_in(&[
        "libfreeblpriv3.so",
        "nss/libfreeblpriv3.so",
        "libfreebl3.so",
    ]),
    kind("freebl", &["libfreebl3", "libfreeblpriv3"], Says::Nothing),
    kind("softokn", &["libsoftokn3"], Says::Nothing),
    kind("cryptopp", &["libcryptopp", "libcrypto++"], Says::Nothing),
    kind("crypto_mb", &["libcrypto_mb"], Says::Nothing).measured("crypto_mb"),
    kind("aarch64cryptolib", &["libAArch64crypto"], Says::Nothing).measured("aarch64cryptolib"),
    kind("libtomcrypt", &["libtomcrypt"], Says::Nothing),
];

const fn kind(name: &'static str, files: &'static [&'static str], says: Says) -> Kind {
    Kind { name, peer: None, files, code: &[], says }
}

impl Kind {
    const fn measured(self, peer: &'static str) -> Self {
        Self { peer: Some(peer), ..self }
    }

    const fn code_in(self, code: &'static [&'static str]) -> Self {
        Self { code, ..self }
    }

    /// The file with the code of a library of this kind: itself, or another that it loads.
    pub fn code_of(&self, library: &Path) -> PathBuf {
        let mut beside = self.code.iter().map(|name| library.with_file_name(name));
        beside.find(|file| is_library(file)).unwrap_or_else(|| library.into())
    }

    /// The kind of a file with that name: `libcrypto.so.3`.
    pub fn of(file: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| {
            let rest =
                kind.files.iter().find_map(|stem| file.strip_prefix(stem)?.strip_prefix(".so"));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }
}

/// An installed library.
#[derive(Debug, PartialEq, Eq)]
pub struct Installed {
    /// Its kind.
    pub kind: &'static Kind,
    /// The file, with all links resolved.
    pub path: PathBuf,
    /// The names that refer to it, in order.
    pub names: Vec<PathBuf>,
    /// How it was first found.
    pub by: By,
}

/// How the loader finds a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Through `LD_LIBRARY_PATH`.
    Variable,
    /// Through its cache, `/etc/ld.so.cache`.
    Cache,
    /// In a default folder.
    Folder,
}

impl By {
    /// In words, unless it is the usual way.
    pub fn words(self) -> Option<&'static str> {
        (self == Self::Variable).then_some("through LD_LIBRARY_PATH")
    }
}

/// The places where the loader searches, in order.
#[derive(Debug, Default)]
pub struct Places {
    /// The value of `LD_LIBRARY_PATH`.
    pub variable: Option<OsString>,
    /// The loader's cache.
    pub cache: PathBuf,
    /// The default folders.
    pub folders: Vec<PathBuf>,
}

impl Places {
    /// The places for programs that this process starts.
    pub fn here() -> Self {
        // Debian and derivatives have one more for each architecture.
        let triplet = format!("{}-linux-gnu", env::consts::ARCH);
        let folders = ["/lib64", "/usr/lib64", "/lib", "/usr/lib"].map(PathBuf::from);
        let triplets = ["/lib", "/usr/lib"].map(|folder| Path::new(folder).join(&triplet));
        Self {
            variable: env::var_os("LD_LIBRARY_PATH"),
            cache: "/etc/ld.so.cache".into(),
            folders: triplets.into_iter().chain(folders).collect(),
        }
    }
}

/// Every library there, once, whatever its names. In the order of [`KINDS`].
pub fn look(places: &Places) -> Vec<Installed> {
    let variable = places.variable.iter().flat_map(env::split_paths);
    let variable = variable.filter(|folder| !folder.as_os_str().is_empty());
    let cached = cache::paths(&fs::read(&places.cache).unwrap_or_default());
    let all = variable
        .flat_map(|folder| listed(&folder))
        .map(|name| (By::Variable, name))
        .chain(cached.into_iter().map(|name| (By::Cache, name)))
        .chain(
            places.folders.iter().flat_map(|folder| listed(folder)).map(|name| (By::Folder, name)),
        );
    let mut found: Vec<Installed> = Vec::new();
    let mut seen: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (by, name) in all {
        let Some(kind) = name.file_name().and_then(|file| Kind::of(file.to_str()?)) else {
            continue;
        };
        let Ok(path) = fs::canonicalize(&name) else { continue };
        if let Some(at) = seen.get(&path) {
            let names = &mut found[*at].names;
            // `/lib` is a link on most machines.
            if !names.iter().any(|other| other.file_name() == name.file_name()) {
                names.push(name);
            }
        } else if is_library(&path) {
            seen.insert(path.clone(), found.len());
            found.push(Installed { kind, path, names: vec![name], by });
        }
    }
    found.sort_by_key(|library| KINDS.iter().position(|kind| kind == library.kind));
    found
}

/// The files of a folder, by their names.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<_> = entries.map(|entry| entry.path()).collect();
    names.sort();
    names
}

/// Whether it is more than a linker script.
fn is_library(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = fs::metadata(path).is_ok_and(|about| about.is_file())
        && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok();
    read && start == *b"\x7fELF"
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::peers::PEERS;

    #[test]
    fn names_of_files() {
        let kind = |file| Kind::of(file).map(|kind| kind.name);
        assert_eq!(kind("libcrypto.so.3"), Some("libcrypto"));
        assert_eq!(kind("libcrypto.so"), Some("libcrypto"));
        assert_eq!(kind("libbotan-2.so.19"), Some("botan"));
        assert_eq!(kind("libcrypto++.so.8"), Some("cryptopp"));
        for other in ["libk5crypto.so.3", "libcrypto.a", "libcrypto.so3", "libnss_dns.so.2", ""] {
            assert_eq!(kind(other), None, "{other}");
        }
    }

    /// Measured kinds have a peer that loads libraries.
    #[test]
    fn peers_are_known() {
        for kind in KINDS {
            let known = |name| PEERS.iter().any(|peer| peer.name() == name);
            assert!(kind.peer.is_none_or(known), "{}", kind.name);
        }
        // The doctor knows the backends of ropewalk without a file.
        let others = PEERS.iter().filter(|peer| !crate::measure::reference::is_ours(peer.name()));
        for peer in others.filter(|peer| peer.libraries() != [""]) {
            let of_it = |kind: &Kind| kind.peer == Some(peer.name());
            assert!(KINDS.iter().any(of_it), "{}", peer.name());
        }
    }

    #[test]
    fn code_may_be_elsewhere() {
        let root = tempfile::tempdir().unwrap();
        let (nss, freebl) = (root.path().join("libnss3.so"), root.path().join("libfreeblpriv3.so"));
        let kind = Kind::of("libnss3.so").unwrap();
        assert_eq!(kind.code_of(&nss), nss);
        fs::write(&freebl, b"\x7fELF").unwrap();
        assert_eq!(kind.code_of(&nss), freebl);
        assert_eq!(Kind::of("libcrypto.so.3").unwrap().code_of(&nss), nss);
    }

    #[test]
    fn each_file_once_by_whatever_names() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let folder = fs::canonicalize(root.path()).unwrap().join(name);
            fs::create_dir(&folder).unwrap();
            folder
        };
        let (first, second) = (folder("first"), folder("second"));
        fs::write(second.join("libcrypto.so.3.0.1"), b"\x7fELF and more").unwrap();
        symlink("libcrypto.so.3.0.1", second.join("libcrypto.so.3")).unwrap();
        symlink(second.join("libcrypto.so.3"), first.join("libcrypto.so")).unwrap();
        fs::write(second.join("libsodium.so"), "INPUT(libsodium.so.23)").unwrap();
        symlink("nowhere", second.join("libsodium.so.23")).unwrap();
        fs::write(second.join("libz.so.1"), b"\x7fELF").unwrap();
        fs::write(first.join("libnettle.so.8"), b"\x7fELF").unwrap();
        let places = Places {
            variable: Some(env::join_paths(["".into(), first.clone()]).unwrap()),
            cache: root.path().join("none"),
            folders: vec![second.clone(), second.clone(), root.path().join("nowhere")],
        };
        let found = look(&places);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!((found[0].kind.name, found[0].by), ("libcrypto", By::Variable));
        assert_eq!(found[0].path, second.join("libcrypto.so.3.0.1"));
        let names =
            [first.join("libcrypto.so"), second.join("libcrypto.so.3"), found[0].path.clone()];
        assert_eq!(found[0].names, names);
        assert_eq!((found[1].kind.name, found[1].by), ("nettle", By::Variable));
    }
}
