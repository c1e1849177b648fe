//! Files from Debian's packages, for any architecture.

use std::{
    cell::RefCell,
    fs,
    path::{Path, PathBuf},
    rc::Rc,
};

use anyhow::{Context, Result, anyhow};
use tempfile::TempDir;

use super::cases::Machine;
use crate::tools::{
    Cache,
    apt::{Apt, Sources},
};

/// Packages of some suites. The lists are fetched once, on first use.
pub(super) struct Packages<'a> {
    root: &'a Path,
    lists: RefCell<Vec<(&'static str, Rc<Lists>)>>,
}

struct Lists {
    apt: Apt,
    _folder: TempDir,
}

impl<'a> Packages<'a> {
    pub(super) fn new(root: &'a Path) -> Self {
        Self { root, lists: RefCell::default() }
    }

    /// A file of a package: a name without a path is that of a library.
    pub(super) fn file(&self, package: &str, file: &str, machine: Machine) -> Result<PathBuf> {
        let mut failed = anyhow!("no suite has packages for {}", machine.name());
        for suite in machine.suites() {
            match self.file_of(suite, package, file, machine) {
                Ok(file) => return Ok(file),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    fn file_of(
        &self,
        suite: &'static str,
        package: &str,
        file: &str,
        machine: Machine,
    ) -> Result<PathBuf> {
        let name = Path::new(file).file_name().context("a file has a name")?;
        let debian = machine.debian();
        let inside = match file.contains('/') {
            true => file.into(),
            false => format!("usr/lib/{}/{file}", machine.triplet()),
        };
        let fill = |folder: &Path| {
            let unpacked = tempfile::tempdir_in(folder)?;
            let lists = self.lists(suite)?;
            lists.apt.unpack(&[&format!("{package}:{debian}")], unpacked.path())?;
            // Follows a link, if it is one.
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
        cache.tool(&format!("verdicts-{suite}-{package}-{debian}"), fill, open)
    }

    fn lists(&self, suite: &'static str) -> Result<Rc<Lists>> {
        let mut lists = self.lists.borrow_mut();
        if let Some((_, known)) = lists.iter().find(|(of, _)| *of == suite) {
            return Ok(Rc::clone(known));
        }
        let folder = tempfile::tempdir()?;
        let machines = Machine::ALL.iter().filter(|machine| machine.suites().contains(&suite));
        let others: Vec<_> = machines.map(|machine| machine.debian()).collect();
        let apt = Apt::new(folder.path(), &Sources::Suites(&[suite]), &others)?;
        let fetched = Rc::new(Lists { apt, _folder: folder });
        lists.push((suite, Rc::clone(&fetched)));
        Ok(fetched)
    }
}
