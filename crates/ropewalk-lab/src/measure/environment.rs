//! The environment of processes that load a library: without variables that change which of its code runs.
//!
//! `LD_LIBRARY_PATH` stays. It selects the file of a library, and a record names that file.

use std::{
    env,
    ffi::{OsStr, OsString},
    process::Command,
};

use serde::Serialize;

/// A variable that is removed.
struct Removed {
    /// The name; a `*` at its end matches any suffix.
    name: &'static str,
    /// What it would change.
    why: &'static str,
}

/// The first match determines the reason.
const REMOVED: &[Removed] = &[
    removed(
        "OPENSSL_CONF",
        "names a configuration of OpenSSL, which may give the work to another provider",
    ),
    removed("OPENSSL_CONF_INCLUDE", "is where a configuration of OpenSSL has its other parts"),
    removed("OPENSSL_MODULES", "is where OpenSSL looks for providers"),
    removed("OPENSSL_ENGINES", "is where OpenSSL looks for engines"),
    removed("OPENSSL_ia32cap", "hides instructions from OpenSSL, BoringSSL and AWS-LC on x86"),
    removed("OPENSSL_armcap", "hides instructions from OpenSSL and AWS-LC on Arm"),
    removed("OPENSSL_riscvcap", "hides instructions from OpenSSL on RISC-V"),
    removed("OPENSSL_ppccap", "hides instructions from OpenSSL on POWER"),
    removed("OPENSSL_s390xcap", "hides instructions from OpenSSL on s390x"),
    removed("OPENSSL_sparcv9cap", "hides instructions from OpenSSL on SPARC"),
    removed("OPENSSL_MALLOC_*", "has allocations of OpenSSL fail or be written down"),
    // OPENSSL_FORCE_FIPS_MODE of some distributions, OPENSSL_TRACE, and future ones.
    removed("OPENSSL_*", "is read by OpenSSL"),
    removed("ROPEWALK_STATS", "has ropewalk's provider count what it does"),
    // The lab's own masks for these two libraries.
    removed("ROPEWALK_LIBGCRYPT_*", "hides instructions from libgcrypt"),
    removed("ROPEWALK_IPSEC_MB_*", "hides instructions from ipsec-mb"),
    removed("LIBGCRYPT_*", "has libgcrypt go another way, such as that of FIPS 140"),
    removed("GCRYPT_*", "has libgcrypt go another way"),
    removed("NETTLE_*", "has nettle take other code, or print which"),
    removed(
        "GNUTLS_*",
        "hides instructions from GnuTLS, or has it print or go the way of FIPS 140",
    ),
    removed("NSS_*", "hides instructions from NSS, or has it go another way"),
    removed("NSPR_*", "has the library below NSS print"),
    removed("BOTAN_*", "hides instructions from Botan, or limits its memory and threads"),
    removed("SODIUM_*", "has libsodium go another way"),
    removed("GRAVIOLA_*", "hides instructions from graviola"),
    removed("GODEBUG", "hides instructions from code in Go"),
    removed("LD_PRELOAD", "puts functions of another library before its own"),
    removed("LD_AUDIT", "has the loader tell another library of each call"),
    removed("LD_PROFILE*", "has the loader count calls"),
    removed("LD_DEBUG*", "has the loader print"),
    removed("LD_BIND_NOT", "has the loader look a function up at each call"),
    removed("LD_HWCAP_MASK", "hides processor features from the C library"),
    removed(
        "GLIBC_TUNABLES",
        "hides processor features from the C library, or changes how it allocates",
    ),
    removed("MALLOC_*", "changes how memory is allocated"),
];

const fn removed(name: &'static str, why: &'static str) -> Removed {
    Removed { name, why }
}

/// Variables that locate or configure a part of OpenSSL: a provider or an engine that is selected by name.
const FOR_PARTS: [&str; 4] =
    ["OPENSSL_CONF", "OPENSSL_CONF_INCLUDE", "OPENSSL_MODULES", "OPENSSL_ENGINES"];

/// A variable of this environment that is removed for libraries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What it would change.
    pub why: &'static str,
}

/// The removed variables that are set here, in the order of their names.
pub fn not_given() -> Vec<Variable> {
    of(env::vars_os())
}

fn of(variables: impl Iterator<Item = (OsString, OsString)>) -> Vec<Variable> {
    let mut found: Vec<Variable> = variables
        .filter_map(|(name, value)| {
            let why = why(&name)?;
            let [name, value] = [name, value].map(|text| text.to_string_lossy().into_owned());
            Some(Variable { name, value, why })
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// Whether a variable is removed for libraries.
pub fn is_kept_from_libraries(name: &str) -> bool {
    why(name.as_ref()).is_some()
}

/// Why a variable is removed, if it is.
fn why(name: &OsStr) -> Option<&'static str> {
    let name = name.to_str()?;
    let fits = |removed: &&Removed| match removed.name.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == removed.name,
    };
    REMOVED.iter().find(fits).map(|removed| removed.why)
}

/// Removes such variables from the environment of a process that loads a library. Variables that the lab
/// sets, such as a mask, are added later.
pub(crate) fn clean(command: &mut Command) {
    for (name, _) in env::vars_os().filter(|(name, _)| why(name).is_some()) {
        command.env_remove(name);
    }
    // The system's own file may name another provider. Without a file, OpenSSL uses its default provider.
    command.env("OPENSSL_CONF", "/dev/null");
}

/// Restores the variables that locate a provider or an engine that is selected by name.
pub(super) fn for_a_part(command: &mut Command) {
    FOR_PARTS.iter().for_each(|name| keep(command, name));
}

/// Restores a variable.
pub(super) fn keep(command: &mut Command, name: &str) {
    match env::var_os(name) {
        Some(value) => command.env(name, value),
        None => command.env_remove(name),
    };
}

/// One of each: tests set these variables, and check that no library gets them.
pub fn examples() -> impl Iterator<Item = String> {
    REMOVED.iter().map(|removed| removed.name.replace('*', "TEST"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(set: &[&str]) -> Vec<String> {
        let set = set.iter().map(|name| (OsString::from(name), OsString::from("1")));
        of(set).into_iter().map(|variable| variable.name).collect()
    }

    #[test]
    fn what_changes_a_library_is_taken_away() {
        let set = [
            "NSS_DISABLE_AVX2",
            "OPENSSL_CONF",
            "GNUTLS_CPUID_OVERRIDE",
            "OPENSSL_FORCE_FIPS_MODE",
            "MALLOC_ARENA_MAX",
            "LIBGCRYPT_FORCE_FIPS_MODE",
        ];
        let mut sorted = set;
        sorted.sort_unstable();
        assert_eq!(names(&set), sorted);
        let stays =
            ["PATH", "HOME", "LD_LIBRARY_PATH", "ROPEWALK_CPU", "ROPEWALK_RUNNER", "MALLOC"];
        assert_eq!(names(&stays), [""; 0]);
    }

    #[test]
    fn each_has_its_own_reason() {
        assert!(why("OPENSSL_ia32cap".as_ref()).is_some_and(|why| why.starts_with("hides")));
        assert_eq!(why("OPENSSL_TRACE".as_ref()), Some("is read by OpenSSL"));
        // An entry after a pattern that matches it too would never be used.
        for (i, removed) in REMOVED.iter().enumerate() {
            let name = removed.name.trim_end_matches('*');
            let before = REMOVED[..i].iter().filter_map(|other| other.name.strip_suffix('*'));
            assert!(!before.clone().any(|start| name.starts_with(start)), "{name}");
        }
    }

    /// The masks of the lab are among them: a row of a mask has only that mask.
    #[test]
    fn every_known_mask_is_taken_away() {
        for name in crate::peers::masks::VARIABLES.iter().filter(|name| **name != "ROPEWALK_CPU") {
            assert!(why(name.as_ref()).is_some(), "{name}");
        }
        for name in crate::machine::masks::names().filter(|name| !name.starts_with("ROPEWALK_")) {
            assert!(why(name.as_ref()).is_some(), "{name}");
        }
    }
}
