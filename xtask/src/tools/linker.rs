//! A C compiler that links for Arm64, with the C library to link with.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use super::{Cache, Way, apt, first, is_root};
use crate::process::{self, SOON, program};

/// A linker for Arm64 that has linked a program.
pub(super) struct Linker {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    /// Shared libraries that the linker itself runs on.
    pub(super) libraries: Vec<PathBuf>,
    /// The folder whose `lib` has the target's C library and its loader.
    pub(super) libc: PathBuf,
}

const NAME: &str = "aarch64-linux-gnu-gcc";
const PACKAGES: [&str; 2] = ["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"];

impl Linker {
    pub(super) fn get(cache: &Cache) -> Result<Self> {
        let ways = [
            Way::new("on PATH", || Self::probed(NAME.into(), Vec::new(), Vec::new())),
            Way::new("installed with apt-get", || {
                if !is_root() {
                    bail!("not root");
                }
                apt::must_be_here()?;
                super::retry(|| apt::install(&PACKAGES))?;
                Self::probed(NAME.into(), Vec::new(), Vec::new())
            }),
            Way::new("unpacked from its packages", || cache.tool("arm-linker", fill, open)),
        ];
        let advice = format!("install {} (apt-get install {})", NAME, PACKAGES.join(" "));
        first("linker for Arm64", ways, &advice)
    }

    /// Links a program.
    fn probed(path: PathBuf, arguments: Vec<String>, libraries: Vec<PathBuf>) -> Result<Self> {
        let mut linker = Self { program: path, arguments, libraries, libc: PathBuf::new() };
        let folder = tempfile::tempdir()?;
        let source = folder.path().join("probe.c");
        fs::write(&source, "#include <stdio.h>\nint main(void) { puts(\"\"); return 0; }\n")?;
        let mut link = linker.command();
        link.arg("-o").arg(folder.path().join("probe")).arg(&source);
        process::output(&mut link, SOON)?;
        let libc = process::output(linker.command().arg("-print-file-name=libc.so.6"), SOON)?;
        let libc = fs::canonicalize(libc.trim()).context("it has no C library")?;
        let has_loader = |folder: &&Path| folder.join("lib/ld-linux-aarch64.so.1").exists();
        linker.libc = libc.ancestors().find(has_loader).context("no loader of Arm64")?.into();
        Ok(linker)
    }

    fn command(&self) -> std::process::Command {
        let mut command = program(&self.program);
        command.args(&self.arguments);
        if !self.libraries.is_empty() {
            command
                .env("LD_LIBRARY_PATH", std::env::join_paths(&self.libraries).expect("no colon"));
        }
        command
    }
}

fn fill(folder: &Path) -> Result<()> {
    let apt = apt::Apt::new(folder, &apt::Sources::Machine, &[])?;
    apt.unpack_missing(&PACKAGES, &folder.join("root"))?;
    apt.clear()
}

fn open(folder: &Path) -> Result<Linker> {
    let root = folder.join("root");
    let native = process::output(program("gcc").arg("-print-multiarch"), SOON)?;
    let libraries = root.join("usr/lib").join(native.trim());
    let sysroot = format!("--sysroot={}", root.display());
    Linker::probed(root.join("usr/bin").join(NAME), vec![sysroot], vec![libraries])
}
