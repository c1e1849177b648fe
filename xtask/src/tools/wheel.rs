//! Wheels of PyPI, for any architecture, unpacked and not installed.

use std::{fs, path::Path, time::Duration};

use anyhow::{Context, Result};

use crate::{
    process::{self, program},
    stage::waited,
};

/// Long enough for a slow network.
const LIMIT: Duration = Duration::from_secs(600);

/// Fetches a wheel for that machine, by its name in `uname -m`, and unpacks it in a folder.
pub(crate) fn unpack(requirement: &str, machine: &str, into: &Path) -> Result<()> {
    let fetched = tempfile::tempdir_in(into)?;
    let mut download = program("python3");
    download.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]);
    for libc in ["2_28", "2_17"] {
        download.args(["--platform", &format!("manylinux_{libc}_{machine}")]);
    }
    download.arg("--dest").arg(fetched.path()).arg(requirement);
    waited("for downloads", || process::output(&mut download, LIMIT))?;
    let wheel = fs::read_dir(&fetched)?.next().context("pip has fetched nothing")??.path();
    let mut unpack = program("python3");
    unpack.args(["-m", "zipfile", "-e"]).arg(wheel).arg(into);
    process::output(&mut unpack, LIMIT).map(drop)
}
