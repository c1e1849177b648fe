//! The list of the files in the folder, for its reader.

use std::{fmt, path::Path};

use anyhow::Result;
use sha2::{Digest, Sha256};

use super::needs::Version;
use crate::{
    expect::arch_of,
    sources,
    tools::{OLDEST, Target},
};

/// The file name of the list.
pub(super) const FILE: &str = "README.txt";

/// The list.
pub(super) struct Contents {
    pub(super) target: &'static Target,
    pub(super) version: String,
    pub(super) rustc: String,
    pub(super) linker: String,
    pub(super) entries: Vec<Entry>,
    /// What [`backends`] found.
    pub(super) backends: Vec<String>,
}

/// A file or a folder.
pub(super) struct Entry {
    file: String,
    is: String,
    /// The length and the SHA-256 of a file.
    sum: Option<(usize, String)>,
    /// The oldest C library that a program starts on.
    needs: Option<Version>,
}

impl Entry {
    pub(super) fn new(file: &str, is: &str, bytes: &[u8], needs: Option<Version>) -> Self {
        let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Self { file: file.into(), is: is.into(), sum: Some((bytes.len(), sha256)), needs }
    }

    pub(super) fn folder(file: &str, is: &str) -> Self {
        Self { file: file.into(), is: is.into(), sum: None, needs: None }
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, version, rustc, linker, entries, backends } = self;
        writeln!(f, "ropewalk {version} for {}", target.triple)?;
        writeln!(f, "made by {rustc}, linked by {linker}\n")?;
        for Entry { file, is, sum, needs } in entries {
            writeln!(f, "{file}: {is}")?;
            if let Some((bytes, sha256)) = sum {
                writeln!(f, "  {bytes} bytes, sha256 {sha256}")?;
            }
            if let Some(needs) = needs {
                writeln!(f, "  starts on {needs} and later")?;
            }
        }
        writeln!(
            f,
            "\nThis folder is all that it takes: copy it, and run ./ropewalk selftest.\n\n\
             The library ropewalk is in each of the programs above; Rust programs build it from its sources. All that it has\n\
             for this architecture is in, and chosen when it runs:"
        )?;
        for name in backends {
            writeln!(f, "  {name}")?;
        }
        if target.starts_on_the_oldest() {
            let (major, minor) = OLDEST;
            writeln!(f, "\nNothing here may ask for a C library newer than {major}.{minor}.")?;
        }
        Ok(())
    }
}

/// The backends of the architecture, and the portable ones.
///
/// # Errors
/// Where the lists cannot be read.
pub(super) fn backends(root: &Path, target: &Target) -> Result<Vec<String>> {
    let lists = sources::lists(root)?;
    let mut names: Vec<_> =
        lists.into_iter().flat_map(|list| list.backends).map(|backend| backend.name).collect();
    names.retain(|name| arch_of(name).is_none_or(|arch| arch == target.arch));
    names.sort();
    names.dedup();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_said_with_what_it_needs() {
        let entries = vec![
            Entry::new("ropewalk", "the lab", b"abc", Version::parse("GLIBC_2.17")),
            Entry::new("LICENSE", "the licence", b"", None),
            Entry::folder("share", "manual pages"),
        ];
        let target = Target::named("aarch64").unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let contents = Contents {
            target,
            version: "1.2.3".into(),
            rustc: "rustc 1.95.0".into(),
            linker: "zig 1".into(),
            entries,
            backends: backends(root, target).unwrap(),
        };
        let text = contents.to_string();
        for expected in [
            "ropewalk 1.2.3 for aarch64-unknown-linux-gnu\nmade by rustc 1.95.0, linked by zig 1\n",
            // The first example of FIPS 180-4.
            "ropewalk: the lab\n  3 bytes, sha256 ba7816bf8f01cfea414140de5dae2223\
             b00361a396177a9cb410ff61f20015ad\n  starts on GLIBC_2.17 and later\nLICENSE",
            "\nshare: manual pages\n\nThis folder",
            "\n  sha256/aarch64/sha2\n",
            "\n  sha256/portable\n",
        ] {
            assert!(text.contains(expected), "{expected}\nis not in\n{text}");
        }
        assert!(!text.contains("x86_64"));
    }
}
