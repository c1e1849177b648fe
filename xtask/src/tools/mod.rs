//! Programs that this machine may lack: found, or fetched into a folder that survives, and pinned
//! by what they can do.

mod apt;
mod arm;
mod linker;
mod qemu;
mod valgrind;

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use anyhow::{Context, Result};
use etcetera::BaseStrategy;

use crate::stage::CannotRun;
pub use arm::Arm;
pub use qemu::Qemu;
pub use valgrind::Valgrind;

/// One way to come by a tool that works.
struct Way<'a, T> {
    name: &'a str,
    get: Box<dyn Fn() -> Result<T> + 'a>,
}

impl<'a, T> Way<'a, T> {
    fn new(name: &'a str, get: impl Fn() -> Result<T> + 'a) -> Self {
        Self { name, get: Box::new(get) }
    }
}

/// The first way that works; says what was tried. `advice` is for where none does.
fn first<'a, T: 'a>(
    what: &str,
    ways: impl IntoIterator<Item = Way<'a, T>>,
    advice: &str,
) -> Result<T> {
    for way in ways {
        match (way.get)() {
            Ok(tool) => {
                println!("{what}: {}", way.name);
                return Ok(tool);
            }
            Err(error) => println!("{what}: not {}: {error:#}", way.name),
        }
    }
    Err(CannotRun(format!("{what} is missing: {advice}")).into())
}

/// Where fetched tools are kept, for every checkout of this user.
struct Cache(PathBuf);

impl Cache {
    fn open(root: &Path) -> Result<Self> {
        let folder = match etcetera::choose_base_strategy() {
            Ok(base) => base.cache_dir().join("ropewalk-xtask"),
            Err(_) => root.join("target/xtask-cache"),
        };
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self(folder))
    }

    /// What `open` makes of the folder `name`: `open` fails where the tool does not do what it
    /// must, and the folder is then filled anew.
    fn tool<T>(
        &self,
        name: &str,
        fill: impl Fn(&Path) -> Result<()>,
        open: impl Fn(&Path) -> Result<T>,
    ) -> Result<T> {
        let folder = self.0.join(name);
        // Another checkout may be fetching the same tool at this moment.
        let lock = File::create(self.0.join(format!("{name}.lock")))?;
        lock.lock()?;
        if folder.is_dir() {
            match open(&folder) {
                Ok(tool) => return Ok(tool),
                Err(error) => println!("{name}: fetched again: {error:#}"),
            }
        }
        apt::must_be_here()?;
        retry(|| {
            let fresh = tempfile::tempdir_in(&self.0)?;
            fill(fresh.path())?;
            if folder.is_dir() {
                fs::remove_dir_all(&folder)?;
            }
            fs::rename(fresh.keep(), &folder)?;
            Ok(())
        })?;
        open(&folder)
    }
}

/// Networks fail for a moment.
fn retry(attempt: impl Fn() -> Result<()>) -> Result<()> {
    for pause in [2, 10] {
        match attempt() {
            Ok(()) => return Ok(()),
            Err(error) => println!("tried again in {pause} s: {error:#}"),
        }
        thread::sleep(Duration::from_secs(pause));
    }
    attempt()
}

/// Whether this user may install packages.
fn is_root() -> bool {
    crate::process::output(crate::process::program("id").arg("-u"), crate::process::SOON)
        .is_ok_and(|id| id.trim() == "0")
}
