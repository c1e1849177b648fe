//! Where tools are fetched to and built, and where they run.

use std::{
    cell::OnceCell,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::tools::{
    Cache,
    apt::{Apt, Sources},
};

/// The suite of Debian that tools and their dependencies come from.
const SUITE: &str = "sid";

/// What tools need to be had.
pub(super) struct Place {
    pub(super) root: PathBuf,
    pub(super) cache: Cache,
    /// The last core that this process may run on: the lab has its workers there.
    pub(super) core: usize,
    folder: TempDir,
    apt: OnceCell<Apt>,
}

impl Place {
    pub(super) fn new(root: &Path) -> Result<Self> {
        let at = root.join("target/agree");
        let cache = Cache::at(at.clone())?;
        let status = fs::read_to_string("/proc/self/status")?;
        let core = last_core(&status).context("the system does not say where this may run")?;
        let folder = tempfile::tempdir_in(at)?;
        Ok(Self { root: root.into(), cache, core, folder, apt: OnceCell::new() })
    }

    /// Lists of packages and of their sources, fetched once.
    pub(super) fn apt(&self) -> Result<&Apt> {
        if let Some(apt) = self.apt.get() {
            return Ok(apt);
        }
        let apt = Apt::new(self.folder.path(), &Sources::ToBuild(SUITE), &[])?;
        Ok(self.apt.get_or_init(|| apt))
    }
}

fn last_core(status: &str) -> Option<usize> {
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    list.trim().rsplit([',', '-']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_core_is_told() {
        let of =
            |list: &str| last_core(&format!("Name:\tx\nCpus_allowed_list:\t{list}\nMems:\t1\n"));
        assert_eq!(of("0-1"), Some(1));
        assert_eq!(of("0,2-3,7"), Some(7));
        assert_eq!(of("5"), Some(5));
        assert_eq!(last_core("Name:\tx\n"), None);
    }
}
