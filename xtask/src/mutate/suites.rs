//! The programs that suites are in, and how a suite ends.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{Read, Seek},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process_group};
use wait_timeout::ChildExt;

use super::table::{Program, Suite};
use crate::process::{self, SOON, program};

/// Variables that change what tests do.
const VARIABLES: &[&str] = &[
    "ROPEWALK_CASES",
    "ROPEWALK_CPU",
    "ROPEWALK_EXPECT",
    "ROPEWALK_SAMPLE",
    "ROPEWALK_SEED",
    "ROPEWALK_TUNING",
];

/// What is left of keys of the C library, and of no other.
const ONLY_C: &str = "C";

/// The programs that cargo has built of a copy.
pub(super) struct Suites {
    copy: PathBuf,
    programs: BTreeMap<Program, PathBuf>,
    /// Where the C library is.
    shipped: PathBuf,
}

/// How a suite has ended.
pub(super) enum End {
    Passes { said: String },
    Fails { said: String },
    Hangs,
}

impl Suites {
    /// Builds the programs of suites, and the nets.
    pub(super) fn build(copy: &Path, suites: &BTreeSet<Suite>) -> Result<Self> {
        let wanted: BTreeSet<_> = suites.iter().map(|suite| suite.program).collect();
        let wanted = &wanted | &[Program::Test("nets")].into();
        let mut programs = tests(copy, &wanted)?;
        if wanted.iter().any(|program| program.is_shipped()) {
            let harness = shipped(copy)?;
            programs.extend(
                [Program::Residue, Program::Trace].map(|program| (program, harness.clone())),
            );
        }
        Ok(Self { shipped: target(copy).join("shipped"), copy: copy.into(), programs })
    }

    /// The backends that can run here, of which the nets have a test each.
    pub(super) fn available(&self) -> Result<BTreeSet<String>> {
        let mut list = self.command(Program::Test("nets"))?;
        let list = process::output(list.arg("--list"), SOON)?;
        Ok(list.lines().filter_map(backend).map(str::to_owned).collect())
    }

    /// Runs one with a fault, or with none, and says how it ends and how long that took.
    pub(super) fn run(
        &self,
        suite: Suite,
        fault: usize,
        limit: Duration,
    ) -> Result<(End, Duration)> {
        let mut command = self.command(suite.program)?;
        let before: &[_] = match suite.program {
            Program::Unit | Program::UnitOfC | Program::Test(_) | Program::Tour => &[],
            Program::Residue => &["residue"],
            Program::Trace => &["trace", "whole"],
        };
        command.args(before).arg(suite.filter).env("ROPEWALK_FAULT", fault.to_string());
        if suite.filter == ONLY_C {
            command.env("ROPEWALK_C_LIBRARY", self.shipped.join("libropewalk.so"));
        }
        let start = Instant::now();
        let end = end(&mut command, limit)?;
        Ok((end, start.elapsed()))
    }

    fn command(&self, of: Program) -> Result<Command> {
        let path = self.programs.get(&of).with_context(|| format!("cargo has not built {of:?}"))?;
        let mut command = program(path);
        command.current_dir(self.copy.join(of.package()));
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        if !matches!(of, Program::Residue | Program::Trace) {
            // Faults are tried side by side.
            command.args(["--test-threads", "1", "--include-ignored"]);
        } else {
            // It complains of a backend that has not run, and of none that it was to expect.
            command.env("ROPEWALK_EXPECT", "sha256/portable");
        }
        command.env("ROPEWALK_TEST_BUILT", &self.shipped);
        Ok(command)
    }
}

impl Program {
    fn package(self) -> &'static str {
        match self {
            Self::Unit | Self::Test(_) => "crates/ropewalk",
            Self::UnitOfC | Self::Tour => "crates/ropewalk-c",
            Self::Residue | Self::Trace => "crates/ropewalk-ct",
        }
    }

    /// Whether it needs what is shipped.
    fn is_shipped(self) -> bool {
        matches!(self, Self::Tour | Self::Residue | Self::Trace)
    }
}

/// Builds the test programs. What is built of the library depends on the packages that are named, and not on the tests.
fn tests(copy: &Path, wanted: &BTreeSet<Program>) -> Result<BTreeMap<Program, PathBuf>> {
    let mut cargo = cargo(copy);
    cargo.args(["test", "--no-run", "--package", "ropewalk", "--package", "ropewalk-c"]);
    if wanted.iter().any(|program| matches!(program, Program::Unit | Program::UnitOfC)) {
        cargo.arg("--lib");
    }
    for program in wanted {
        match program {
            Program::Test(name) => cargo.args(["--test", name]),
            Program::Tour => cargo.args(["--test", "tour"]),
            _ => &mut cargo,
        };
    }
    let mut built = BTreeMap::new();
    for artifact in process::artifacts(&mut cargo)? {
        let (Some(path), true) = (artifact.executable, artifact.profile.test) else { continue };
        let of = |program: &&Program| {
            artifact.manifest_path.starts_with(copy.join(program.package()))
                && match program {
                    Program::Unit | Program::UnitOfC => !artifact.target.is_test(),
                    Program::Test(name) => {
                        artifact.target.is_test() && artifact.target.name == *name
                    }
                    Program::Tour => artifact.target.is_test(),
                    Program::Residue | Program::Trace => false,
                }
        };
        built.extend(wanted.iter().find(of).map(|program| (*program, path.into())));
    }
    Ok(built)
}

/// Builds the library as it is shipped, for C and in the program that follows secrets.
fn shipped(copy: &Path) -> Result<PathBuf> {
    let mut cargo = cargo(copy);
    cargo.args([
        "build",
        "--profile",
        "shipped",
        "--package",
        "ropewalk-ct",
        "--package",
        "ropewalk-c",
    ]);
    process::executable(&mut cargo)
}

fn cargo(copy: &Path) -> Command {
    let mut cargo = process::cargo();
    cargo.current_dir(copy).env("CARGO_TARGET_DIR", target(copy));
    // What a fault leaves unused is no concern.
    cargo.env("RUSTFLAGS", "--cap-lints=allow");
    cargo
}

fn target(copy: &Path) -> PathBuf {
    copy.join("target")
}

/// The backend that a line of a list of tests is of: `random:sha256:sha256/x86_64/shani: test`.
fn backend(line: &str) -> Option<&str> {
    let (_, backend) = line.strip_suffix(": test")?.rsplit_once(':')?;
    backend.contains('/').then_some(backend)
}

/// Runs to the end, or for so long.
fn end(command: &mut Command, limit: Duration) -> Result<End> {
    let mut out = tempfile::tempfile()?;
    // What it starts ends with it.
    command.process_group(0);
    command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out.try_clone()?);
    let mut child =
        command.spawn().with_context(|| format!("cannot start {}", process::line(command)))?;
    let Some(status) = child.wait_timeout(limit)? else {
        kill(&mut child)?;
        return Ok(End::Hangs);
    };
    let mut said = Vec::new();
    out.rewind()?;
    out.read_to_end(&mut said)?;
    let said = String::from_utf8_lossy(&said).into_owned();
    Ok(if status.success() { End::Passes { said } } else { End::Fails { said } })
}

fn kill(child: &mut Child) -> Result<()> {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    kill_process_group(group.context("a process has a number")?, Signal::KILL)?;
    child.wait()?;
    Ok(())
}

/// Whether what a suite has printed says that it has run something: tests, cases of the harness, or kinds of keys of C.
pub(super) fn has_run(said: &str) -> bool {
    let words: Vec<_> = said.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let [count, of] = pair else { return false };
        let is_count = count.parse().is_ok_and(|count: usize| count > 0);
        is_count && ["test", "tests", "cases", "kinds"].contains(of)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_that_have_run_something_say_so() {
        for said in [
            "\nrunning 1 test\ntest a ... ok",
            "running 12 tests\n",
            "aes_kw/portable traced in 7 cases of aes-kw, 1234 steps\ntraced in 1s",
            "aes_kw/portable: 6 cases of aes-kw, 1456 bytes of stack at most, in wrap",
            "C library: 25 kinds of keys",
        ] {
            assert!(has_run(said), "{said}");
        }
        for said in ["", "running 0 tests\n\ntest result: ok. 0 passed", "traced in 1s"] {
            assert!(!has_run(said), "{said}");
        }
    }

    #[test]
    fn backends_are_those_of_listed_tests() {
        assert_eq!(backend("random:sha256:sha256/x86_64/shani: test"), Some("sha256/x86_64/shani"));
        assert_eq!(backend("random: every primitive: test"), None);
        assert_eq!(backend("1 test"), None);
    }

    #[test]
    fn a_suite_ends_in_one_of_three_ways() {
        let ends = |script: &str, limit| end(program("sh").args(["-c", script]), limit).unwrap();
        assert!(matches!(ends("echo done", SOON), End::Passes { said } if said == "done\n"));
        let wrong = ends("echo wrong >&2; exit 1", SOON);
        assert!(matches!(wrong, End::Fails { said } if said == "wrong\n"));
        // What it has started ends too: it would keep the output open.
        assert!(matches!(ends("sleep 600 & wait", Duration::from_millis(100)), End::Hangs));
    }
}
