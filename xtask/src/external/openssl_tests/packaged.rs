//! A version of OpenSSL from Debian, between the oldest and the newest that are built here. It has its own C library, since it
//! needs a newer one than this machine may have. Programs are compiled for the OpenSSL of this machine.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};

use super::programs::{self, LIMIT};
use crate::{
    external::peers::debian::{loader, named},
    process::{self, Outcome, program},
    tools::{
        Cache,
        apt::{Apt, Sources},
    },
};

/// The name of the stage, the suite of Debian, and its package of libcrypto.
pub(super) const NAME: &str = "sequences with OpenSSL 3.5";
const SUITE: &str = "trixie";
const PACKAGE: &str = "libssl3t64";
const LIBRARY: &str = "libcrypto.so.3";

/// Fetches it, and runs `sequences` with the module.
pub(super) fn run(root: &Path, cache: &Cache) -> Result<()> {
    let fill = |folder: &Path| {
        let apt = Apt::new(folder, &Sources::Suites(&[SUITE]), &[])?;
        apt.unpack_whole(&[PACKAGE, "libc6", "libgcc-s1"], folder)
    };
    let library = cache.tool(&format!("{PACKAGE}-{SUITE}"), fill, |folder| {
        Packaged::open(&folder.join("usr/lib"))
    })?;
    let folder = tempfile::tempdir()?;
    let configuration = folder.path().join("ours.cnf");
    fs::write(&configuration, super::configuration(Some(&super::provider(root)?)))?;
    let test = folder.path().join("sequences");
    let mut compiler = program("cc");
    compiler.args(["-g", "-O1", "-Wall", "-Werror"]);
    compiler.arg(programs::source(root, "sequences")).arg("-o").arg(&test).arg("-lcrypto");
    process::output(&mut compiler, LIMIT)?;
    let mut command = library.command();
    command.arg(&test).env("OPENSSL_CONF", &configuration);
    let Outcome { status, out, err } = process::outcome(&mut command, LIMIT)?;
    ensure!(status.success(), "sequences ({status}):\n{out}{err}");
    let compared = out.lines().last().context("it has compared nothing")?;
    ensure!(compared.contains("OpenSSL 3.5."), "it ran with another OpenSSL: {compared}");
    println!("{compared}");
    Ok(())
}

/// Its folder, and the loader of its C library.
struct Packaged {
    folder: PathBuf,
    loader: PathBuf,
}

impl Packaged {
    fn open(folder: &Path) -> Result<Self> {
        let library = named(folder, LIBRARY)?.context("it has no libcrypto")?;
        let folder = library.parent().context("a file is in a folder")?.to_owned();
        let loader = loader(&folder)?.context("it has no C library")?;
        Ok(Self { folder, loader })
    }

    /// The start of a command line; the program follows.
    fn command(&self) -> Command {
        let mut command = program(&self.loader);
        command.arg("--library-path").arg(&self.folder);
        command.env_remove("OPENSSL_MODULES");
        command
    }
}
