//! A distribution's OpenSSL for another architecture.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};

use super::{Cache, Qemu, Target, Way, apt, first};
use crate::{
    expect::Model,
    process::{self, SOON},
};

/// Its command and libraries with all dependencies, and its headers.
pub struct OpenSsl {
    root: PathBuf,
    target: &'static Target,
}

const PACKAGES: [&str; 2] = ["openssl", "libssl-dev"];

impl OpenSsl {
    /// Fetches one that runs on a model.
    ///
    /// # Errors
    /// [`CannotRun`](crate::stage::CannotRun) if it cannot be fetched.
    pub fn get(root: &Path, target: &'static Target, qemu: &Qemu, model: &Model) -> Result<Self> {
        let cache = Cache::open(root)?;
        let way = Way::new("unpacked from its packages", || {
            let arch = target.debian.context("Debian has none for it")?;
            let open =
                |folder: &Path| Self { root: folder.join("root"), target }.probed(qemu, model);
            cache.tool(&format!("{}-openssl", target.name), |folder| fill(folder, arch), open)
        });
        let advice = "its packages cannot be fetched from the mirror of this machine";
        first(&format!("OpenSSL for {}", target.name), [way], advice)
    }

    /// The folder of its programs.
    pub fn programs(&self) -> PathBuf {
        self.root.join("usr/bin")
    }

    /// The command line in front of programs that use it.
    pub fn runner(&self, qemu: &Qemu, model: &Model) -> String {
        qemu.runner(model, Some(&self.root))
    }

    /// Compiler options for its headers and libraries.
    pub fn flags(&self) -> [String; 3] {
        let usr = self.root.join("usr");
        let (usr, gnu) = (usr.display(), self.target.gnu);
        [format!("-I{usr}/include"), format!("-I{usr}/include/{gnu}"), format!("-L{usr}/lib/{gnu}")]
    }

    fn probed(self, qemu: &Qemu, model: &Model) -> Result<Self> {
        let mut version: Command = qemu.command(model);
        version.arg("-L").arg(&self.root).arg(self.programs().join("openssl")).arg("version");
        println!("{}", process::output(&mut version, SOON)?.trim());
        fs::metadata(self.root.join("usr/include/openssl/provider.h"))?;
        Ok(self)
    }
}

fn fill(folder: &Path, arch: &str) -> Result<()> {
    let suite = apt::release("VERSION_CODENAME")?;
    let apt = apt::Apt::new(folder, &apt::Sources::Suites(&[&suite]), &[arch])?;
    let root = folder.join("root");
    let packages = PACKAGES.map(|package| format!("{package}:{arch}"));
    apt.unpack_whole(&packages.each_ref().map(String::as_str), &root)?;
    // Newer C libraries are below usr, and another package has the link.
    if !root.join("lib").exists() {
        symlink("usr/lib", root.join("lib"))?;
    }
    apt.clear()
}
