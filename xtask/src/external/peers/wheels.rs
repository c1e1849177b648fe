//! Libraries from wheels of PyPI.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::{
    debian::walk,
    probe::{Library, Probe},
};
use crate::{
    stage::CannotRun,
    tools::{
        Cache,
        building::{keep_only, must_be_here},
        wheel,
    },
};

/// Intel's crypto_mb, and the libraries of Intel's compilers that it needs.
pub(super) fn crypto_mb(cache: &Cache, probe: &Probe) -> Result<Library> {
    const MACHINE: &str = "x86_64";
    if std::env::consts::ARCH != MACHINE {
        return Err(CannotRun("crypto_mb is for x86-64".into()).into());
    }
    must_be_here("python3", "--version")?;
    let fill = |folder: &Path| {
        let [unpacked, kept] = ["unpacked", "kept"].map(|name| folder.join(name));
        for made in [&unpacked, &kept] {
            fs::create_dir(made)?;
        }
        for requirement in ["ipp-crypto", "intel-cmplr-lib-rt"] {
            wheel::unpack(requirement, MACHINE, &unpacked)?;
        }
        let mut files = Vec::new();
        walk(&unpacked, &mut files)?;
        for (name, file) in files.iter().filter_map(|file| Some((wanted(file)?, file))) {
            fs::copy(file, kept.join(name))?;
        }
        keep_only(folder, "kept")
    };
    let open = |folder: &Path| {
        let mut files = Vec::new();
        walk(&folder.join("kept"), &mut files)?;
        let is = |file: &PathBuf| wanted(file).is_some_and(|name| name.starts_with(CRYPTO_MB));
        let library = files.into_iter().find(is).context("it has no library")?;
        probe.open("crypto_mb", &library, None)
    };
    cache.built("crypto_mb", fill, open)
}

const CRYPTO_MB: &str = "libcrypto_mb.so.";

/// The name of a file to keep: a wheel has no links, but the same library under three names.
fn wanted(file: &Path) -> Option<&str> {
    const RUNTIME: [&str; 4] = ["libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so"];
    let name = file.file_name()?.to_str()?;
    let major = name.strip_prefix(CRYPTO_MB).is_some_and(|number| number.parse::<u32>().is_ok());
    (major || RUNTIME.contains(&name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_of_each() {
        let kept = ["libcrypto_mb.so", "libcrypto_mb.so.13", "libcrypto_mb.so.13.3", "libsvml.so"]
            .map(|name| wanted(&Path::new("data/lib").join(name)).is_some());
        assert_eq!(kept, [false, true, false, true]);
    }
}
