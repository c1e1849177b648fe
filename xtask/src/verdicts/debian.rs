//! Files in Debian's packages, for whatever architecture.

use std::{
    cell::OnceCell,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::cases::Machine;
use crate::tools::{
    Cache,
    apt::{Apt, Sources},
};

/// Debian 12: its libraries change no more but for repairs.
const SUITE: &str = "bookworm";

/// Packages of one suite, whose lists are fetched once, if any of them is needed.
pub(super) struct Packages<'a> {
    root: &'a Path,
    lists: OnceCell<(TempDir, Apt)>,
}

impl<'a> Packages<'a> {
    pub(super) fn new(root: &'a Path) -> Self {
        Self { root, lists: OnceCell::new() }
    }

    /// A file of a package: a name alone is that of a library.
    pub(super) fn file(&self, package: &str, file: &str, machine: Machine) -> Result<PathBuf> {
        let name = Path::new(file).file_name().context("a file has a name")?;
        let debian = machine.debian();
        let inside = match file.contains('/') {
            true => file.into(),
            false => format!("usr/lib/{}/{file}", machine.triplet()),
        };
        let fill = |folder: &Path| {
            let unpacked = tempfile::tempdir_in(folder)?;
            self.apt()?.unpack(&[&format!("{package}:{debian}")], unpacked.path())?;
            // Through a link, if it is one.
            fs::copy(unpacked.path().join(&inside), folder.join(name))
                .with_context(|| format!("{package} has no {inside}"))?;
            Ok(())
        };
        let open = |folder: &Path| {
            let file = folder.join(name);
            fs::metadata(&file)?;
            Ok(file)
        };
        let cache = Cache::open(self.root)?;
        cache.tool(&format!("verdicts-{SUITE}-{package}-{debian}"), fill, open)
    }

    fn apt(&self) -> Result<&Apt> {
        if let Some((_, apt)) = self.lists.get() {
            return Ok(apt);
        }
        let folder = tempfile::tempdir()?;
        let others = Machine::ALL.map(Machine::debian);
        let apt = Apt::new(folder.path(), &Sources::Suites(&[SUITE]), &others)?;
        Ok(&self.lists.get_or_init(|| (folder, apt)).1)
    }
}
