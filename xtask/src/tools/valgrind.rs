//! The emulator that tracks undefined memory through machine code.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use super::{Cache, Way, apt, first, is_root};
use crate::process::{self, SOON, program};

/// Valgrind, with its memcheck.
pub struct Valgrind {
    program: PathBuf,
    /// The folder where it is unpacked, if it is not installed.
    root: Option<PathBuf>,
}

const PACKAGES: [&str; 1] = ["valgrind"];

impl Valgrind {
    /// Finds or fetches it.
    ///
    /// # Errors
    /// [`CannotRun`](crate::stage::CannotRun) if there is none and none can be fetched.
    pub fn get(root: &Path) -> Result<Self> {
        let cache = Cache::open(root)?;
        let installed = || Self { program: "valgrind".into(), root: None }.probed();
        let ways = [
            Way::new("on PATH", installed),
            Way::new("installed with apt-get", || {
                if !is_root() {
                    bail!("not root");
                }
                apt::must_be_here()?;
                super::retry(|| apt::install(&PACKAGES))?;
                installed()
            }),
            Way::new("unpacked from its packages", || cache.tool("valgrind", fill, open)),
        ];
        first("valgrind", ways, "install it (apt-get install valgrind)")
    }

    /// The command in front of a program.
    pub fn command(&self) -> Command {
        let mut command = program(&self.program);
        command.args(["--tool=memcheck", "--quiet", "--error-limit=no", "--num-callers=30"]);
        if let Some(root) = &self.root {
            let symbols = root.join("usr/lib/debug");
            command
                .env("VALGRIND_LIB", root.join("usr/libexec/valgrind"))
                .arg(format!("--extra-debuginfo-path={}", symbols.display()));
        }
        command
    }

    /// Runs a program, which needs the loader's symbols; packages have them in a separate file.
    fn probed(self) -> Result<Self> {
        process::output(self.command().arg("--error-exitcode=1").arg("/bin/true"), SOON)?;
        Ok(self)
    }
}

fn fill(folder: &Path) -> Result<()> {
    let apt = apt::Apt::new(folder, &apt::Sources::Machine, &[])?;
    apt.unpack_missing(&PACKAGES, &folder.join("root"))?;
    apt.clear()
}

fn open(folder: &Path) -> Result<Valgrind> {
    let root = folder.join("root");
    // `valgrind` may be a script that needs a shared library of this machine.
    let program = ["usr/bin/valgrind.bin", "usr/bin/valgrind"].map(|name| root.join(name));
    let program = program.into_iter().find(|path| path.exists()).context("no valgrind in it")?;
    Valgrind { program, root: Some(root) }.probed()
}
