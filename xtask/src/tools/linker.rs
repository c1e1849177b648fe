//! A C compiler that links for another target, with that target's C library.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail};

use super::{Cache, Target, Way, apt, first, is_root};
use crate::process::{self, SOON, program};

/// A linker that has passed a test.
pub(super) struct Linker {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    /// Shared libraries that the linker itself needs.
    pub(super) libraries: Vec<PathBuf>,
    /// The folder of the target's C library and its loader.
    pub(super) libc: PathBuf,
}

impl Linker {
    pub(super) fn get(cache: &Cache, target: &Target) -> Result<Self> {
        let name = format!("{}-gcc", target.gnu);
        let installed = || Self::probed(target, (&name).into(), Vec::new(), Vec::new());
        let fill = |folder: &Path| {
            let apt = apt::Apt::new(folder, &apt::Sources::Machine, &[])?;
            apt.unpack_missing(&target.packages, &folder.join("root"))?;
            apt.clear()
        };
        let open = |folder: &Path| {
            let root = folder.join("root");
            let native = process::output(program("gcc").arg("-print-multiarch"), SOON)?;
            let libraries = root.join("usr/lib").join(native.trim());
            let sysroot = format!("--sysroot={}", root.display());
            Self::probed(target, root.join("usr/bin").join(&name), vec![sysroot], vec![libraries])
        };
        let kept = format!("{}-linker", target.arch);
        let ways = [
            Way::new("on PATH", installed),
            Way::new("installed with apt-get", || {
                if !is_root() {
                    bail!("not root");
                }
                apt::must_be_here()?;
                super::retry(|| apt::install(&target.packages))?;
                installed()
            }),
            Way::new("unpacked from its packages", || cache.tool(&kept, fill, open)),
        ];
        let advice = format!("install {name} (apt-get install {})", target.packages.join(" "));
        first(&format!("linker for {}", target.name), ways, &advice)
    }

    /// Links a program.
    fn probed(
        target: &Target,
        path: PathBuf,
        arguments: Vec<String>,
        libraries: Vec<PathBuf>,
    ) -> Result<Self> {
        let mut linker = Self { program: path, arguments, libraries, libc: PathBuf::new() };
        let folder = tempfile::tempdir()?;
        link_probe(linker.command(), folder.path(), SOON)?;
        let libc = process::output(linker.command().arg("-print-file-name=libc.so.6"), SOON)?;
        let libc = fs::canonicalize(libc.trim()).context("it has no C library")?;
        let has_loader = |folder: &&Path| folder.join(target.loader).exists();
        let whole = libc.ancestors().find(has_loader);
        linker.libc = whole.with_context(|| format!("no {} next to it", target.loader))?.into();
        Ok(linker)
    }

    /// Its options.
    pub(super) fn flags(&self) -> impl Iterator<Item = String> {
        self.arguments.iter().map(|argument| format!("-Clink-arg={argument}"))
    }

    fn command(&self) -> Command {
        let mut command = program(&self.program);
        command.args(&self.arguments);
        self.lend_libraries(&mut command);
        command
    }

    /// Lets a command find the libraries that the linker needs.
    pub(super) fn lend_libraries(&self, command: &mut Command) {
        if !self.libraries.is_empty() {
            command
                .env("LD_LIBRARY_PATH", std::env::join_paths(&self.libraries).expect("no colon"));
        }
    }
}

/// Compiles and links a program in a folder.
pub(super) fn link_probe(mut compiler: Command, folder: &Path, limit: Duration) -> Result<()> {
    let source = folder.join("probe.c");
    fs::write(&source, "#include <stdio.h>\nint main(void) { puts(\"\"); return 0; }\n")?;
    compiler.arg("-o").arg(folder.join("probe")).arg(&source);
    process::output(&mut compiler, limit).map(drop)
}
