//! Programs that this machine may lack: found, or fetched into a folder that persists. A tool is selected by its features.

pub(crate) mod apt;
mod bochs;
pub(crate) mod building;
mod compilers;
mod deny;
mod linker;
mod llvm;
mod nightly;
mod openssl;
mod programs;
mod qemu;
mod target;
mod toolchain;
mod uml;
mod valgrind;
pub(crate) mod wheel;
mod zig;

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use anyhow::{Context, Result};
use etcetera::BaseStrategy;

use crate::{
    process,
    stage::{CannotRun, waited},
};
pub use bochs::{Bochs, Run};
pub use compilers::compilers;
pub use deny::CargoDeny;
pub use llvm::Llvm;
pub use nightly::Nightly;
pub use openssl::OpenSsl;
pub use programs::Programs;
pub use qemu::Qemu;
pub use target::{OLDEST, TARGETS, Target};
pub use toolchain::{Libc, Toolchain};
pub use uml::Uml;
pub use valgrind::Valgrind;

/// One way to obtain a tool.
pub(crate) struct Way<'a, T> {
    name: &'a str,
    get: Box<dyn Fn() -> Result<T> + 'a>,
}

impl<'a, T> Way<'a, T> {
    pub(crate) fn new(name: &'a str, get: impl Fn() -> Result<T> + 'a) -> Self {
        Self { name, get: Box::new(get) }
    }
}

/// The first way that works, or an error that lists the failures and ends with `advice`.
pub(crate) fn first<'a, T: 'a>(
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

/// Programs on this machine, installed if they are missing. Each has the name of its package.
///
/// # Errors
/// [`CannotRun`] if one is missing and cannot be installed.
pub(crate) fn must_be_installed(programs: &[&str]) -> Result<()> {
    let here = || {
        programs.iter().try_for_each(|name| {
            let question = format!("command -v {name}");
            process::output(process::program("sh").args(["-c", &question]), process::SOON).map(drop)
        })
    };
    let install = || {
        anyhow::ensure!(is_root(), "not root");
        apt::must_be_here()?;
        retry(|| apt::install(programs))?;
        here()
    };
    let ways = [Way::new("on PATH", here), Way::new("installed with apt-get", install)];
    let names = programs.join(", ");
    first(&names, ways, &format!("install it (apt-get install {})", programs.join(" ")))
}

/// A folder that keeps fetched and built files.
pub(crate) struct Cache(PathBuf);

impl Cache {
    /// The folder of tools, shared by all checkouts of this user.
    pub(crate) fn open(root: &Path) -> Result<Self> {
        Self::at(match etcetera::choose_base_strategy() {
            Ok(base) => base.cache_dir().join("ropewalk-xtask"),
            Err(_) => root.join("target/xtask-cache"),
        })
    }

    pub(crate) fn at(folder: PathBuf) -> Result<Self> {
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self(folder))
    }

    /// The result of `open` for the folder `name`. `open` fails if the tool fails its test; the
    /// folder is then filled again, from packages.
    pub(crate) fn tool<T>(
        &self,
        name: &str,
        fill: impl Fn(&Path) -> Result<()>,
        open: impl Fn(&Path) -> Result<T>,
    ) -> Result<T> {
        let fetch = |folder: &Path| {
            apt::must_be_here()?;
            retry(|| self.fill(folder, &fill))
        };
        self.kept(name, fetch, open)
    }

    /// The same for what is built here, without a retry: the build would give the same.
    pub(crate) fn built<T>(
        &self,
        name: &str,
        fill: impl Fn(&Path) -> Result<()>,
        open: impl Fn(&Path) -> Result<T>,
    ) -> Result<T> {
        self.kept(name, |folder| self.fill(folder, &fill), open)
    }

    fn kept<T>(
        &self,
        name: &str,
        refill: impl Fn(&Path) -> Result<()>,
        open: impl Fn(&Path) -> Result<T>,
    ) -> Result<T> {
        let folder = self.0.join(name);
        // Another checkout may be fetching the same tool at this moment.
        let lock = File::create(self.0.join(format!("{name}.lock")))?;
        waited(&format!("for another checkout's {name}"), || lock.lock())?;
        if folder.is_dir() {
            match open(&folder) {
                Ok(tool) => return Ok(tool),
                Err(error) => println!("{name}: made again: {error:#}"),
            }
        }
        waited(&format!("for {name} to be made"), || refill(&folder))?;
        open(&folder)
    }

    /// Fills a temporary folder, which replaces `folder` only when it is complete.
    fn fill(&self, folder: &Path, fill: impl Fn(&Path) -> Result<()>) -> Result<()> {
        let fresh = tempfile::tempdir_in(&self.0)?;
        fill(fresh.path())?;
        if folder.is_dir() {
            fs::remove_dir_all(folder)?;
        }
        Ok(fs::rename(fresh.keep(), folder)?)
    }
}

/// Network errors can be temporary.
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
    process::output(process::program("id").arg("-u"), process::SOON)
        .is_ok_and(|id| id.trim() == "0")
}
