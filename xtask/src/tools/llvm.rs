//! LLVM's disassembler, and its model of processors.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use super::{
    Cache, Way,
    apt::{Apt, Sources},
    first,
};
use crate::process::{self, SOON, program};

/// Both programs, with models of Arm's server cores.
#[derive(Default)]
pub struct Llvm {
    /// The folder where they are unpacked, if they are not on `PATH`.
    programs: PathBuf,
    libraries: Vec<PathBuf>,
}

const PROGRAMS: [&str; 2] = ["llvm-mca", "llvm-objdump"];

impl Llvm {
    /// Finds or fetches one that knows these cores.
    ///
    /// # Errors
    /// [`CannotRun`](crate::stage::CannotRun) if there is none and none can be fetched.
    pub fn get(root: &Path, cores: &[&str]) -> Result<Self> {
        let cache = Cache::open(root)?;
        let ways = [
            Way::new("on PATH", || Self::default().probed(cores)),
            Way::new("unpacked from its newest package", || {
                cache.tool("llvm", fill, |folder| open(folder, cores))
            }),
        ];
        first("llvm-mca", ways, "install LLVM 17 or later (apt-get install llvm)")
    }

    /// One of the programs.
    pub fn command(&self, name: &str) -> Command {
        let mut command = program(self.programs.join(name));
        if !self.libraries.is_empty() {
            let libraries = std::env::join_paths(&self.libraries).expect("no colon in a path");
            command.env("LD_LIBRARY_PATH", libraries);
        }
        command
    }

    /// The version that it reports: `LLVM version 22.1.8`.
    ///
    /// # Errors
    /// Fails if it reports none.
    pub fn version(&self) -> Result<String> {
        let text = process::output(self.command("llvm-mca").arg("--version"), SOON)?;
        let version = text.lines().map(str::trim).find(|line| line.contains("LLVM version"));
        Ok(version.context("llvm-mca names no version")?.trim_start_matches("Debian ").into())
    }

    /// Older versions lack some of these cores, or model the first two as a core with as many AES units.
    fn probed(self, cores: &[&str]) -> Result<Self> {
        process::output(self.command("llvm-objdump").arg("--version"), SOON)?;
        let folder = tempfile::tempdir()?;
        let source = folder.path().join("probe.s");
        fs::write(&source, "aese v0.16b, v8.16b\naese v1.16b, v8.16b\naese v2.16b, v8.16b\n")?;
        let [n1, v1] = ["neoverse-n1", "neoverse-v1"].map(|core| self.cycles(core, &source, 99));
        if n1? <= v1? {
            bail!("its model of Neoverse V1 is that of another core");
        }
        for core in cores {
            self.cycles(core, &source, 99).with_context(|| format!("it does not know {core}"))?;
        }
        Ok(self)
    }

    /// The cycles that a core takes for the instructions of a file, `times` times.
    ///
    /// # Errors
    /// Fails if the core is unknown or lacks one of them.
    pub fn cycles(&self, core: &str, source: &Path, times: usize) -> Result<u64> {
        let mut mca = self.command("llvm-mca");
        mca.args(["-mtriple=aarch64-linux-gnu", &format!("-mcpu={core}")])
            // Optional in the newer cores' architecture, but present in every processor on the market.
            .arg("-mattr=+aes,+sha2,+sha3")
            .arg(format!("-iterations={times}"))
            .args(["-instruction-info=false", "-resource-pressure=false"])
            .arg(source);
        let summary = process::output(&mut mca, 5 * SOON)?;
        let cycles = summary.lines().find_map(|line| line.strip_prefix("Total Cycles:"));
        Ok(cycles.context("llvm-mca gives no cycles")?.trim().parse()?)
    }
}

fn fill(folder: &Path) -> Result<()> {
    let apt = Apt::new(folder, &Sources::Machine, &[])?;
    let names = apt.names("llvm-")?;
    let newest = newest(&names).context("there is no package of it")?;
    let root = folder.join("root");
    apt.unpack_missing(&[newest], &root)?;
    // The package has a hundred other programs.
    for program in fs::read_dir(programs(&root)?)? {
        let path = program?.path();
        if !PROGRAMS.iter().any(|name| path.ends_with(name)) {
            fs::remove_file(path)?;
        }
    }
    apt.clear()
}

fn open(folder: &Path, cores: &[&str]) -> Result<Llvm> {
    let root = folder.join("root");
    let native = process::output(program("gcc").arg("-print-multiarch"), SOON)?;
    let libraries = vec![root.join("usr/lib").join(native.trim())];
    Llvm { programs: programs(&root)?, libraries }.probed(cores)
}

fn programs(root: &Path) -> Result<PathBuf> {
    let found = fs::read_dir(root.join("usr/lib"))?
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    found.into_iter().find(|path| path.join(PROGRAMS[0]).exists()).context("no llvm-mca in it")
}

/// The package with the highest number.
fn newest(names: &[String]) -> Option<&str> {
    let number = |name: &str| name.strip_prefix("llvm-")?.parse::<u32>().ok();
    let numbered = names.iter().filter_map(|name| Some((number(name)?, name.as_str())));
    numbered.max().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_is_by_number() {
        let names = ["llvm-9", "llvm-22-dev", "llvm-22", "llvm-spirv-99", "llvm-14"];
        assert_eq!(newest(&names.map(String::from)), Some("llvm-22"));
        assert_eq!(newest(&[]), None);
    }
}
