//! The emulator of single programs.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use super::{Cache, TARGETS, Way, apt, first};
use crate::{
    expect::Model,
    process::{self, SOON, program},
};

/// An emulator of one architecture that knows the models asked for.
pub struct Qemu {
    program: PathBuf,
}

impl Qemu {
    /// One that knows these models, all of one architecture.
    ///
    /// # Errors
    /// [`CannotRun`](crate::stage::CannotRun) if there is none and none can be fetched.
    pub fn get(root: &Path, models: &[&Model]) -> Result<Self> {
        let arch = models.first().context("no model to emulate")?.arch;
        let cache = Cache::open(root)?;
        let name = format!("qemu-{arch}");
        // Older packages have the emulator in two forms; the static one has no dependencies.
        let open = |folder: &Path| {
            let programs = folder.join("root/usr/bin");
            let alone = programs.join(format!("{name}-static"));
            Self::probed(if alone.exists() { alone } else { programs.join(&name) }, models)
        };
        let ways = [
            Way::new("on PATH", || Self::probed(name.clone().into(), models)),
            Way::new("unpacked from backports", || cache.tool("qemu-backports", fill_newer, open)),
            Way::new("unpacked from its package", || cache.tool("qemu", fill, open)),
        ];
        let names: Vec<_> = models.iter().map(|model| model.name).collect();
        let advice =
            format!("install a {name} whose `-cpu help` lists {} (qemu-user)", names.join(", "));
        first(&format!("emulator of {arch}"), ways, &advice)
    }

    /// The command line in front of a program, for cargo. `libc` is the folder of the target's C library, if it
    /// is not this machine's own.
    pub fn runner(&self, model: &Model, libc: Option<&Path>) -> String {
        let at = libc.map(|libc| format!(" -L {}", libc.display())).unwrap_or_default();
        format!("{} -cpu {}{at}", self.program.display(), model.name)
    }

    /// The same without that folder, for a command line that another program runs.
    pub(crate) fn command(&self, model: &Model) -> Command {
        let mut command = program(&self.program);
        command.args(["-cpu", model.name]);
        command
    }

    fn probed(path: PathBuf, models: &[&Model]) -> Result<Self> {
        let version = process::answer(program(&path).arg("--version"), SOON)?;
        if major(&version).with_context(|| format!("no version in {version:?}"))? < OLDEST {
            bail!("it is older than {OLDEST}.0");
        }
        let help = process::answer(program(&path).args(["-cpu", "help"]), SOON)?;
        let known: Vec<_> = help.split_whitespace().collect();
        if let Some(model) = models.iter().find(|model| !known.contains(&model.name)) {
            bail!("it does not know {}", model.name);
        }
        let qemu = Self { program: path };
        if models[0].arch == std::env::consts::ARCH {
            qemu.sees_features(models)?;
        }
        Ok(qemu)
    }

    /// An old emulator may know a model by name and lack some of its instructions.
    fn sees_features(&self, models: &[&Model]) -> Result<()> {
        let folder = tempfile::tempdir()?;
        let (source, probe) = (folder.path().join("probe.rs"), folder.path().join("probe"));
        fs::write(&source, PROBE)?;
        process::output(program("rustc").arg("-o").arg(&probe).arg(&source), SOON)?;
        for model in models {
            let mut run = program(&self.program);
            run.args(["-cpu", model.name]).arg(&probe);
            let seen = process::output(&mut run, SOON)?;
            let lacks = |flag: &&&str| !seen.split_whitespace().any(|name| name == **flag);
            if let Some(flag) = model.flags.iter().find(lacks) {
                bail!("its {} lacks {flag}", model.name);
            }
        }
        Ok(())
    }
}

/// 7.2 has a table entry per page of a mapping: a test's 256 GiB need more memory than a machine has.
const OLDEST: u32 = 8;

/// The 10 of `qemu-aarch64 version 10.0.2 (Debian ...)`.
fn major(version: &str) -> Option<u32> {
    version.split_once("version ")?.1.split('.').next()?.parse().ok()
}

/// Prints the features that it detects, as `/proc/cpuinfo` spells them.
const PROBE: &str = r#"
macro_rules! seen { ($($rustc:tt $cpuinfo:literal)+) => { $(
    if std::arch::is_x86_feature_detected!($rustc) { println!($cpuinfo); }
)+ } }
fn main() {
    seen! {
        "ssse3" "ssse3" "sse4.1" "sse4_1" "aes" "aes" "pclmulqdq" "pclmulqdq" "avx" "avx"
        "avx2" "avx2" "bmi1" "bmi1" "bmi2" "bmi2" "adx" "adx" "sha" "sha_ni" "vaes" "vaes"
    }
}
"#;

fn fill_newer(folder: &Path) -> Result<()> {
    let suite = format!("{}-backports", apt::release("VERSION_CODENAME")?);
    unpack(folder, &suite, &["qemu-user"])
}

fn fill(folder: &Path) -> Result<()> {
    unpack(folder, &apt::release("VERSION_CODENAME")?, &["qemu-user", "qemu-user-static"])
}

fn unpack(folder: &Path, suite: &str, packages: &[&str]) -> Result<()> {
    let apt = apt::Apt::new(folder, &apt::Sources::Suites(&[suite]), &[])?;
    apt.unpack(packages, &folder.join("root"))?;
    // The package contains emulators of some thirty architectures, each large.
    for entry in fs::read_dir(folder.join("root/usr/bin"))? {
        let entry = entry?;
        if !is_wanted(&entry.file_name().to_string_lossy()) {
            fs::remove_file(entry.path())?;
        }
    }
    apt.clear()
}

/// Whether a program emulates an architecture of ours: `qemu-arm`, and not `qemu-armeb`.
fn is_wanted(name: &str) -> bool {
    let arch = name.strip_prefix("qemu-").map(|rest| rest.strip_suffix("-static").unwrap_or(rest));
    TARGETS.iter().any(|target| arch == Some(target.arch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::MODELS;

    #[test]
    fn emulators_of_what_is_built_for_are_kept() {
        for name in ["qemu-arm", "qemu-arm-static", "qemu-aarch64", "qemu-riscv64", "qemu-i386"] {
            assert!(is_wanted(name), "{name}");
        }
        for name in ["qemu-armeb", "qemu-aarch64_be", "qemu-riscv32-static", "arm"] {
            assert!(!is_wanted(name), "{name}");
        }
    }

    #[test]
    fn versions_are_read() {
        let debian =
            "qemu-aarch64 version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)\nCopyright (c) 2022";
        assert_eq!(major(debian), Some(7));
        assert_eq!(major("qemu-x86_64 version 10.0.2"), Some(10));
        assert_eq!(major("qemu"), None);
    }

    #[test]
    fn every_flag_of_a_model_is_probed() {
        for model in MODELS.iter().filter(|model| model.arch == "x86_64") {
            for flag in model.flags {
                assert!(PROBE.contains(&format!(" \"{flag}\"")), "{} of {}", flag, model.name);
            }
        }
    }
}
