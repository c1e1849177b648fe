//! `cargo xtask fuzz`: sequences of calls that no test lists, for a given time each.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, bail};

use crate::{
    process::{self, SOON, program},
    shipped::Shipped,
};

/// The targets that each change must pass: all but that of the OpenSSL provider, which has fixed sequences as a test.
pub const OF_EACH_CHANGE: [&str; 8] =
    ["aead", "batch", "c-header", "cipher", "files", "hash", "mac", "public-keys"];

/// How many targets run at a time.
const AT_A_TIME: usize = 2;

/// The target that tests the OpenSSL provider against OpenSSL's own.
const EVP: &str = "evp";

/// The target that needs the C library as it is shipped.
const C_HEADER: &str = "c-header";

/// The target that runs commands of the lab.
const FILES: &str = "files";

/// Runs each target, or those that are named, for the given time, and reports failures.
///
/// # Errors
/// Fails if a target fails, or none has such a name.
pub fn run(root: &Path, time: Duration, only: &[String]) -> Result<()> {
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|wanted| wanted == name);
    let harness = Harness::build(root, is_wanted)?;
    let all = harness.targets()?;
    if let Some(unknown) = only.iter().find(|name| !all.contains(name)) {
        bail!("there is no target {unknown}, but {}", all.join(", "));
    }
    let wanted = Mutex::new(all.into_iter().filter(|name| is_wanted(name)));
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(target) = next(&wanted) {
                    if let Err(error) = harness.run(root, &target, time) {
                        locked(&failures).push(format!("{error:#}"));
                    }
                }
            });
        }
    });
    match failures.into_inner().expect("no thread panics") {
        failures if failures.is_empty() => Ok(()),
        failures => bail!("{}", failures.join("\n")),
    }
}

fn next(targets: &Mutex<impl Iterator<Item = String>>) -> Option<String> {
    locked(targets).next()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread panics")
}

/// The program that runs the targets.
struct Harness {
    program: PathBuf,
    /// The C library, if a target calls it.
    c_library: Option<PathBuf>,
}

impl Harness {
    /// Builds it with the profile of the workspace's tests: the library is compiled once for both, and overflow is checked.
    fn build(root: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<Self> {
        let mut cargo = process::cargo();
        cargo.args(["test", "--quiet", "--workspace", "--no-run", "--test", "corpus"]);
        if is_wanted(FILES) {
            // A test of the lab causes its command to be built.
            cargo.args(["--test", "sum"]);
        }
        if is_wanted(EVP) {
            cargo.args(["--test", "sequences"]);
        }
        let is_it = |made: &cargo_metadata::Artifact| {
            made.target.name == "ropewalk-fuzz" && made.target.is_bin()
        };
        let made = process::executables(cargo.current_dir(root), is_it)?;
        let program = made.into_iter().next().context("cargo built no ropewalk-fuzz")?;
        let c_library = match is_wanted(C_HEADER) {
            true => Some(Shipped::build(root)?.c_library),
            false => None,
        };
        Ok(Self { program, c_library })
    }

    fn targets(&self) -> Result<Vec<String>> {
        let own = process::output(&mut program(&self.program), SOON)?;
        Ok(own.lines().chain([EVP]).map(str::to_owned).collect())
    }

    fn run(&self, root: &Path, target: &str, time: Duration) -> Result<()> {
        let seconds = time.as_secs().to_string();
        println!("{target}: for {seconds} s");
        if target == EVP {
            return evp(root, &seconds);
        }
        let mut harness = program(&self.program);
        if let Some(library) = &self.c_library {
            harness.env("ROPEWALK_C_LIBRARY", library);
        }
        process::run(harness.args([target, "--seconds", &seconds]))
    }
}

/// Many fixed sequences of the OpenSSL provider. Undefined results differ once in some thousands of sequences, so a check that
/// must pass runs the same ones each time.
///
/// # Errors
/// Fails if one differs.
pub fn fixed_sequences(root: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["test", "--quiet", "--workspace", "--test", "sequences"]);
    process::run_tests(cargo.env("ROPEWALK_CASES", "5000").current_dir(root))
}

/// The test reports which sequence of which algorithm differs.
fn evp(root: &Path, seconds: &str) -> Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is wrong")?;
    let mut cargo = process::cargo();
    cargo.args(["test", "--quiet", "--workspace", "--test", "sequences"]);
    cargo.env("ROPEWALK_SEED", (now.as_secs() * 1_000_000).to_string());
    process::run_tests(cargo.env("ROPEWALK_SECONDS", seconds).current_dir(root))
}
