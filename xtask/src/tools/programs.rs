//! Programs with which the OpenSSL provider is tested, and the headers to compile with.

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Result, bail};

use super::{Cache, Way, apt, first, is_root};
use crate::process::{self, SOON, program};

/// OpenSSL's command and headers, nginx, curl, Python, sshd and valgrind.
pub struct Programs {
    /// The folder where they are unpacked, if they are not installed.
    root: Option<PathBuf>,
}

const PACKAGES: [&str; 7] =
    ["openssl", "libssl-dev", "nginx", "curl", "python3", "openssh-server", "valgrind"];

/// Each with a command that succeeds if it is installed.
const QUESTIONS: [(&str, &[&str]); 8] = [
    ("openssl", &["version"]),
    ("cc", &["-fsyntax-only", "-include", "openssl/provider.h", "-x", "c", "/dev/null"]),
    ("nginx", &["-v"]),
    ("curl", &["--version"]),
    ("python3", &["-c", "import ssl"]),
    ("ssh", &["-V"]),
    // sshd itself succeeds only if it has a key.
    ("sh", &["-c", "command -v sshd"]),
    ("valgrind", &["--version"]),
];

impl Programs {
    /// Finds or fetches them.
    ///
    /// # Errors
    /// [`CannotRun`](crate::stage::CannotRun) if one is missing and cannot be fetched.
    pub fn get(root: &Path) -> Result<Self> {
        let cache = Cache::open(root)?;
        let installed = || Self { root: None }.probed();
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
            Way::new("unpacked from their packages", || cache.tool("programs", fill, open)),
        ];
        let advice = format!("install them (apt-get install {})", PACKAGES.join(" "));
        first("programs with OpenSSL", ways, &advice)
    }

    /// Lets a command, and its child processes, find them.
    pub fn lend(&self, command: &mut Command) -> Result<()> {
        let Some(root) = &self.root else { return Ok(()) };
        let libraries = format!("{}-linux-gnu", env::consts::ARCH);
        let places: [(&str, &[&str]); 4] = [
            ("PATH", &["bin", "usr/bin", "usr/sbin"]),
            ("LD_LIBRARY_PATH", &["usr/lib", "lib"]),
            ("LIBRARY_PATH", &["usr/lib"]),
            ("CPATH", &["usr/include"]),
        ];
        for (variable, folders) in places {
            let folders = folders.iter().map(|folder| root.join(folder));
            let folders = folders.flat_map(|folder| {
                let beside = (variable != "PATH").then(|| folder.join(&libraries));
                beside.into_iter().chain([folder])
            });
            command.env(variable, joined(folders, env::var_os(variable))?);
        }
        let symbols = root.join("usr/lib/debug");
        command
            .env("VALGRIND_LIB", root.join("usr/libexec/valgrind"))
            .env("VALGRIND_OPTS", format!("--extra-debuginfo-path={}", symbols.display()));
        Ok(())
    }

    fn probed(self) -> Result<Self> {
        for (name, question) in QUESTIONS {
            let mut asked = program(name);
            self.lend(&mut asked)?;
            process::output(asked.args(question), SOON)?;
        }
        Ok(self)
    }
}

/// Adds folders in front of those of a variable.
fn joined(first: impl Iterator<Item = PathBuf>, rest: Option<OsString>) -> Result<OsString> {
    let rest = rest.unwrap_or_default();
    let rest = env::split_paths(&rest).filter(|path| !path.as_os_str().is_empty());
    Ok(env::join_paths(first.chain(rest))?)
}

fn fill(folder: &Path) -> Result<()> {
    let apt = apt::Apt::new(folder, &apt::Sources::Machine, &[])?;
    let root = folder.join("root");
    apt.unpack_missing(&PACKAGES, &root)?;
    // `valgrind` is a script that needs a shared library of this machine; `valgrind.bin` is the program.
    let programs = root.join("bin");
    if root.join("usr/bin/valgrind.bin").exists() {
        fs::create_dir_all(&programs)?;
        symlink("../usr/bin/valgrind.bin", programs.join("valgrind"))?;
    }
    apt.clear()
}

fn open(folder: &Path) -> Result<Programs> {
    Programs { root: Some(folder.join("root")) }.probed()
}
