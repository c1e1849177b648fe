//! The C compiler of zig, which links for older C libraries than any package has.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use super::{Cache, Target, Way, first, linker::link_probe, retry, target::TARGETS};
use crate::process::{self, SOON, program};

/// Zig for one target.
pub(super) struct Zig {
    /// The compiler, also used as linker.
    pub(super) cc: PathBuf,
    pub(super) ar: PathBuf,
    /// The folder where zig keeps compiled C libraries.
    kept: PathBuf,
    pub(super) version: String,
}

/// The first link compiles the start-up code of a C library.
const FIRST: u32 = 10;

impl Zig {
    pub(super) fn get(cache: &Cache, target: &Target) -> Result<Self> {
        let open = |folder: &Path| Self::probed(folder, target);
        let refill = |folder: &Path| retry(|| cache.fill(folder, fill));
        let ways = [Way::new("zig, fetched as the package ziglang of PyPI", || {
            cache.kept("zig", refill, open)
        })];
        let advice = "install pip, and let `python3 -m pip install ziglang` work";
        first(&format!("linker for {} with an old C library", target.name), ways, advice)
    }

    /// Sets the folder of its cache for a command.
    pub(super) fn lend(&self, command: &mut Command) {
        for name in ["ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"] {
            command.env(name, &self.kept);
        }
    }

    fn probed(folder: &Path, target: &Target) -> Result<Self> {
        let Some(name) = target.zig else { bail!("zig is not used for {}", target.name) };
        let mut version = program(folder.join(PROGRAM));
        let version = process::output(version.arg("version"), SOON)?.trim().to_owned();
        let zig = Self {
            cc: folder.join(format!("{name}-cc")),
            ar: folder.join("ar"),
            kept: folder.join("kept"),
            version,
        };
        let probe = tempfile::tempdir()?;
        let mut compiler = program(&zig.cc);
        zig.lend(&mut compiler);
        link_probe(compiler, probe.path(), FIRST * SOON)?;
        Ok(zig)
    }
}

const PROGRAM: &str = "ziglang/zig";

fn fill(folder: &Path) -> Result<()> {
    let mut pip = program("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"]).arg(folder);
    process::output(pip.arg("ziglang"), FIRST * SOON)?;
    for name in TARGETS.iter().filter_map(|target| target.zig) {
        script(&folder.join(format!("{name}-cc")), &compiler(name))?;
    }
    script(&folder.join("ar"), AR)
}

fn script(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} a program", path.display()))
}

/// Removes options of Rust and of crates that compile C which zig does not know. The first is a
/// workaround for an erratum of one processor, which LLVM's linker leaves to the build of the C library.
fn compiler(target: &str) -> String {
    format!(
        "#!/bin/sh\n\
         for word do\n\
         \x20 shift\n\
         \x20 case $word in\n\
         \x20   -Wl,--fix-cortex-a53-843419|--target=*|-no-pie) ;;\n\
         \x20   *) set -- \"$@\" \"$word\" ;;\n\
         \x20 esac\n\
         done\n\
         exec \"${{0%/*}}/{PROGRAM}\" cc -target {target} \"$@\"\n"
    )
}

const AR: &str = "#!/bin/sh\nexec \"${0%/*}/ziglang/zig\" ar \"$@\"\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_zig_does_not_know_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("ziglang")).unwrap();
        script(&folder.path().join(PROGRAM), "#!/bin/sh\nprintf '<%s>' \"$@\"\n").unwrap();
        let cc = folder.path().join("cc");
        script(&cc, &compiler("arm-linux-gnueabihf.2.17")).unwrap();
        let mut command = program(cc);
        command.args(["--target=armv7a", "-o", "a b", "-no-pie", "-Wl,--fix-cortex-a53-843419"]);
        let said = process::output(command.arg("-lc"), SOON).unwrap();
        assert_eq!(said, "<cc><-target><arm-linux-gnueabihf.2.17><-o><a b><-lc>");
    }
}
