//! Settings that disable processor features for libraries: environment variables, and a file.

use std::{collections::BTreeMap, ffi::OsStr, path::Path};

use serde::Serialize;

use super::files;
use crate::peers::masks;

/// A mask that is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mask {
    /// The variable or the file.
    pub name: &'static str,
    /// Its contents.
    pub value: String,
    /// The libraries that read it.
    pub of: &'static str,
    /// The kinds of libraries among [`crate::installed::KINDS`] that read it.
    pub kinds: &'static [&'static str],
    /// The features that it disables, if known.
    pub explained: Option<String>,
}

impl Mask {
    /// Whether it affects cryptography.
    pub fn matters(&self) -> bool {
        self.name != "GLIBC_TUNABLES"
    }

    /// Whether it is a variable, which programs that are started here inherit.
    pub fn is_variable(&self) -> bool {
        self.name != HWF_DENY
    }

    /// How to remove it.
    pub fn remedy(&self) -> String {
        match self.is_variable() {
            true => format!("unset {}", self.name),
            false => format!("empty {HWF_DENY}"),
        }
    }
}

/// A variable that a library reads.
struct Variable {
    name: &'static str,
    /// The part of its value that makes it a mask.
    with: &'static str,
    of: &'static str,
    kinds: &'static [&'static str],
}

/// The variables in the documentation of the libraries: OPENSSL_ia32cap(3), the manual of GnuTLS
/// ("GNUTLS_CPUID_OVERRIDE"), Go's `internal/cpu`, tunables(7) of glibc, Botan's "Environment Variables", and
/// for NSS `lib/freebl/blinit.c`.
const VARIABLES: &[Variable] = &[
    variable("OPENSSL_ia32cap", "", "OpenSSL, BoringSSL and AWS-LC on x86", &["libcrypto"]),
    variable("OPENSSL_armcap", "", "OpenSSL and AWS-LC on Arm", &["libcrypto"]),
    variable("OPENSSL_riscvcap", "", "OpenSSL on RISC-V", &["libcrypto"]),
    variable("NETTLE_FAT_OVERRIDE", "", "nettle", &["nettle"]),
    variable("GNUTLS_CPUID_OVERRIDE", "", "GnuTLS", &["gnutls"]),
    variable("BOTAN_CLEAR_CPUID", "", "Botan since 3.1", &["botan"]),
    variable("NSS_DISABLE_HW_AES", "", "NSS", &["nss", "freebl"]),
    variable("NSS_DISABLE_PCLMUL", "", "NSS on x86", &["nss", "freebl"]),
    variable("NSS_DISABLE_HW_SHA", "", "NSS on x86", &["nss", "freebl"]),
    variable("NSS_DISABLE_AVX", "", "NSS on x86", &["nss", "freebl"]),
    variable("NSS_DISABLE_AVX2", "", "NSS on x86", &["nss", "freebl"]),
    variable("NSS_DISABLE_PMULL", "", "NSS on Arm", &["nss", "freebl"]),
    variable("NSS_DISABLE_HW_SHA1", "", "NSS on Arm", &["nss", "freebl"]),
    variable("NSS_DISABLE_HW_SHA2", "", "NSS on Arm", &["nss", "freebl"]),
    variable("GODEBUG", "cpu.", "programs in Go", &[]),
    variable("GLIBC_TUNABLES", "glibc.cpu.hwcaps", "the C library, and no cryptography", &[]),
    variable("ROPEWALK_CPU", "", "ropewalk's command", &[]),
    variable("ROPEWALK_TUNING", "", "ropewalk's command", &[]),
];

/// The names of the variables.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    VARIABLES.iter().map(|variable| variable.name)
}

const fn variable(
    name: &'static str,
    with: &'static str,
    of: &'static str,
    kinds: &'static [&'static str],
) -> Variable {
    Variable { name, with, of, kinds }
}

/// The file that libgcrypt reads, according to the section "Configuration" of its manual.
const HWF_DENY: &str = "/etc/gcrypt/hwf.deny";

/// The masks in an environment.
pub fn in_environment<'a>(
    variables: impl IntoIterator<Item = (&'a OsStr, &'a OsStr)>,
) -> Vec<Mask> {
    let variables: BTreeMap<&OsStr, &OsStr> = variables.into_iter().collect();
    let set = VARIABLES.iter().filter_map(|variable| {
        let value = variables.get(OsStr::new(variable.name))?.to_string_lossy().into_owned();
        let masks = !value.is_empty() && value.contains(variable.with);
        masks.then(|| Mask {
            name: variable.name,
            explained: explained(variable.name, &value),
            value,
            of: variable.of,
            kinds: variable.kinds,
        })
    });
    set.collect()
}

/// The masks in files below `root`.
pub fn in_files(root: &Path) -> Vec<Mask> {
    let text = files::text(root, HWF_DENY.trim_start_matches('/')).unwrap_or_default();
    let names =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let value = names.collect::<Vec<_>>().join(" ");
    let mask =
        Mask { name: HWF_DENY, explained: None, value, of: "libgcrypt", kinds: &["libgcrypt"] };
    if mask.value.is_empty() { Vec::new() } else { vec![mask] }
}

/// The features that a value disables, in words.
fn explained(name: &str, value: &str) -> Option<String> {
    match name {
        "ROPEWALK_CPU" => {
            let off: Vec<_> = ropewalk::cpu::masked_by(value)
                .ok()?
                .filter(|feature| feature.arch == std::env::consts::ARCH)
                .map(|feature| feature.name)
                .collect();
            Some(format!("switches off {}", off.join(" ")))
        }
        "ROPEWALK_TUNING" => Some(format!("tunes ropewalk for {value}")),
        "GODEBUG" => {
            let off =
                value.split(',').filter_map(|word| word.strip_prefix("cpu.")?.strip_suffix("=off"));
            Some(format!("switches off {}", off.collect::<Vec<_>>().join(" ")))
        }
        _ => hidden(name, value),
    }
}

/// The features that a value hides from any version of a library that reads it.
fn hidden(name: &str, value: &str) -> Option<String> {
    let told = masks::explain(name, value, &[], &masks::Processor::this()).ok()?;
    let mut hidden: Vec<String> = Vec::new();
    for part in told.into_iter().flat_map(|told| told.takes) {
        let name = part.name.filter(|name| !hidden.contains(name));
        hidden.extend(name);
    }
    let hidden = if hidden.is_empty() { "nothing".into() } else { hidden.join(", ") };
    Some(format!(
        "hides {hidden} from one version or another: `ropewalk mask --explain` says from which"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::installed::KINDS;

    fn set(variables: &[(&str, &str)]) -> Vec<Mask> {
        in_environment(variables.iter().map(|(name, value)| (OsStr::new(name), OsStr::new(value))))
    }

    #[test]
    fn variables_that_are_set() {
        let set = set(&[
            ("PATH", "/bin"),
            ("OPENSSL_ia32cap", "~0x200000000000000"),
            ("GODEBUG", "http2debug=1,cpu.aes=off,cpu.avx2=off"),
            ("GLIBC_TUNABLES", "glibc.malloc.check=3"),
            ("ROPEWALK_CPU", ""),
            ("NETTLE_FAT_OVERRIDE", "none"),
            ("NSS_DISABLE_HW_SHA", "1"),
            ("OPENSSL_riscvcap", "rv64gc"),
        ]);
        let names: Vec<_> = set.iter().map(|mask| (mask.name, mask.kinds)).collect();
        let nothing: &[&str] = &[];
        let want: [(_, &[&str]); 5] = [
            ("OPENSSL_ia32cap", &["libcrypto"]),
            ("OPENSSL_riscvcap", &["libcrypto"]),
            ("NETTLE_FAT_OVERRIDE", &["nettle"]),
            ("NSS_DISABLE_HW_SHA", &["nss", "freebl"]),
            ("GODEBUG", nothing),
        ];
        assert_eq!(names, want);
        assert_eq!(set[0].value, "~0x200000000000000");
        assert_eq!(set[4].explained.as_deref(), Some("switches off aes avx2"));
        assert!(self::set(&[("GODEBUG", "http2debug=1")]).is_empty());
        let ours = self::set(&[("ROPEWALK_CPU", "-aes")]);
        let off = ours[0].explained.as_deref().unwrap();
        assert!(off.contains("aes") && (off.contains("vaes") || !cfg!(target_arch = "x86_64")));
    }

    #[test]
    fn kinds_are_known() {
        for variable in VARIABLES {
            for name in variable.kinds {
                assert!(KINDS.iter().any(|kind| kind.name == *name), "{name}");
            }
        }
    }

    #[test]
    fn libgcrypts_file() {
        let root = tempfile::tempdir().unwrap();
        assert!(in_files(root.path()).is_empty());
        let file = root.path().join("etc/gcrypt/hwf.deny");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "# nothing\n\n").unwrap();
        assert!(in_files(root.path()).is_empty());
        std::fs::write(&file, "# some\nintel-aesni\n  intel-avx2 \n").unwrap();
        assert_eq!(in_files(root.path())[0].value, "intel-aesni intel-avx2");
    }
}
