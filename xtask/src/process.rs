//! Running other programs.

use std::{
    ffi::{OsStr, OsString},
    fs::{File, TryLockError},
    io::{BufRead, BufReader, Read, Seek},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Artifact, Message};
use wait_timeout::ChildExt;

use crate::stage::{CannotRun, waited};

/// Long enough for any command that needs only this machine.
pub const SOON: Duration = Duration::from_secs(600);

/// The cargo that started this program.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A program by its name or path.
pub fn program(name: impl Into<OsString>) -> Command {
    Command::new(name.into())
}

/// Waits until no other cargo builds in the same folder: this one would block without a message.
fn wait_for_lock(command: &Command) {
    if Path::new(command.get_program()).file_stem() != Some(OsStr::new("cargo")) {
        return;
    }
    let lock = File::open(lock_of(command));
    if let Ok(lock) = lock
        && let Err(TryLockError::WouldBlock) = lock.try_lock()
    {
        let _ = waited("for another cargo", || lock.lock());
    }
}

/// The file that a cargo locks while it builds.
fn lock_of(command: &Command) -> PathBuf {
    const TARGET: &str = "CARGO_TARGET_DIR";
    let set = command.get_envs().find(|(name, _)| *name == TARGET).and_then(|(_, value)| value);
    let set = set.map(OsStr::to_owned).or_else(|| std::env::var_os(TARGET));
    let here = command.get_current_dir().unwrap_or(Path::new("."));
    let args: Vec<_> = command.get_args().filter_map(OsStr::to_str).collect();
    let value = |option: &str| {
        args.iter()
            .zip(args.iter().skip(1))
            .find(|(arg, _)| **arg == option)
            .map(|(_, value)| *value)
    };
    let set = value("--target-dir").map(PathBuf::from).or_else(|| set.map(PathBuf::from));
    let target = here.join(set.unwrap_or_else(|| "target".into()));
    let profile = if args.contains(&"--release") { "release" } else { "debug" };
    let folder = target.join(value("--target").unwrap_or_default());
    folder.join(value("--profile").unwrap_or(profile)).join(".cargo-lock")
}

/// Runs to the end, and passes its output through.
///
/// # Errors
/// Fails if it cannot be started or does not succeed.
pub fn run(command: &mut Command) -> Result<()> {
    wait_for_lock(command);
    let status = command.status().with_context(|| format!("cannot start {}", line(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", line(command));
    }
    Ok(())
}

/// Runs tests to the end, and passes their output through.
///
/// # Errors
/// Fails if they cannot be started or one has failed; the error repeats the output of those that
/// failed.
pub fn run_tests(command: &mut Command) -> Result<()> {
    command.stdout(Stdio::piped());
    wait_for_lock(command);
    let mut child = command.spawn().with_context(|| format!("cannot start {}", line(command)))?;
    let mut failures = Failures::default();
    for printed in BufReader::new(child.stdout.take().context("no output of tests")?).lines() {
        let printed = printed.context("the output of tests is not UTF-8")?;
        println!("{printed}");
        failures.read(printed);
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("{} failed ({status})\n{}", line(command), failures.of.join("\n"));
    }
    Ok(())
}

/// The parts of the output of tests that belong to failures.
#[derive(Default)]
struct Failures {
    /// Its lines.
    of: Vec<String>,
    /// Whether the last line is one of them.
    within: bool,
}

impl Failures {
    fn read(&mut self, printed: String) {
        self.within |= printed == "failures:";
        let last = printed.starts_with("test result: ");
        if self.within {
            self.of.push(printed);
        }
        self.within &= !last;
    }
}

/// The program that a `cargo build` makes.
///
/// # Errors
/// Fails if cargo fails or makes none.
pub fn executable(cargo: &mut Command) -> Result<PathBuf> {
    executables(cargo, |_| true)?.pop().context("cargo built no program")
}

/// The selected programs that a cargo makes.
///
/// # Errors
/// Fails if cargo fails.
pub fn executables(
    cargo: &mut Command,
    wanted: impl Fn(&Artifact) -> bool,
) -> Result<Vec<PathBuf>> {
    let made = artifacts(cargo)?.into_iter().filter(wanted);
    Ok(made.filter_map(|artifact| artifact.executable.map(PathBuf::from)).collect())
}

/// Every file that a `cargo build` makes: programs, and libraries of each kind.
///
/// # Errors
/// Fails if cargo fails.
pub fn files(cargo: &mut Command) -> Result<Vec<PathBuf>> {
    let made = artifacts(cargo)?.into_iter().flat_map(|artifact| artifact.filenames);
    Ok(made.map(PathBuf::from).collect())
}

/// Everything that a cargo makes.
///
/// # Errors
/// Fails if cargo fails.
pub fn artifacts(cargo: &mut Command) -> Result<Vec<Artifact>> {
    cargo.args(["--message-format", "json-render-diagnostics"]).stdout(Stdio::piped());
    wait_for_lock(cargo);
    let mut child = cargo.spawn()?;
    let messages = BufReader::new(child.stdout.take().context("no output of cargo")?);
    let mut made = Vec::new();
    for message in Message::parse_stream(messages) {
        if let Message::CompilerArtifact(artifact) = message? {
            made.push(artifact);
        }
    }
    if !child.wait()?.success() {
        bail!("{} failed", line(cargo));
    }
    Ok(made)
}

/// Its standard output.
///
/// # Errors
/// Fails if it cannot be started, does not succeed, or takes longer than `limit`; the error contains
/// its message.
pub fn output(command: &mut Command, limit: Duration) -> Result<String> {
    let Outcome { status, out, err } = outcome(command, limit)?;
    if !status.success() {
        bail!("{} failed ({status}){}", line(command), complaint(&err));
    }
    Ok(out)
}

/// Its standard output, whatever its exit code.
///
/// # Errors
/// Fails if it cannot be started or takes longer than `limit`.
pub fn answer(command: &mut Command, limit: Duration) -> Result<String> {
    Ok(outcome(command, limit)?.out)
}

/// The result of a program.
pub struct Outcome {
    /// Its exit code or signal.
    pub status: ExitStatus,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

/// Checks that a component of the toolchain is installed: it answers a question such as `--version`.
///
/// # Errors
/// [`CannotRun`] if it does not.
pub fn must_answer(component: &str, question: &mut Command) -> Result<()> {
    let advice =
        || CannotRun(format!("{component} is missing: run `rustup component add {component}`"));
    Ok(output(question, SOON).map(drop).map_err(|_| advice())?)
}

/// The compiler's default target.
///
/// # Errors
/// Fails if the compiler does not report it.
pub fn host() -> Result<String> {
    let text = output(program("rustc").arg("-vV"), SOON)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.into())
}

/// The command line, as in a shell.
pub fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Its exit code, and all that it prints.
///
/// # Errors
/// Fails if it cannot be started or takes longer than `limit`.
pub fn outcome(command: &mut Command, limit: Duration) -> Result<Outcome> {
    // Files: a pipe without a reader fills up and blocks the program.
    let (mut out, mut err) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(out.try_clone()?)
        .stderr(err.try_clone()?)
        .spawn()
        .with_context(|| format!("cannot start {}", line(command)))?;
    let Some(status) = child.wait_timeout(limit)? else {
        child.kill()?;
        child.wait()?;
        bail!("{} was not done after {} s", line(command), limit.as_secs());
    };
    Ok(Outcome { status, out: text(&mut out)?, err: text(&mut err)? })
}

fn text(file: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The line with the reason: the first error, or else the first line.
fn complaint(text: &str) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_error = |line: &&str| ["error", "E:"].iter().any(|start| line.starts_with(start));
    let line = lines().find(is_error).or_else(|| lines().next());
    line.map(|line| format!(": {line}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_where_cargo_builds() {
        let lock = |args: &str| {
            let mut cargo = Command::new("cargo");
            cargo.args(args.split(' ')).current_dir("here").env("CARGO_TARGET_DIR", "there");
            lock_of(&cargo)
        };
        assert_eq!(lock("test --workspace"), Path::new("here/there/debug/.cargo-lock"));
        assert_eq!(lock("build --release"), Path::new("here/there/release/.cargo-lock"));
        let other = "build --profile shipped --target riscv64gc-unknown-linux-gnu";
        let want = "here/there/riscv64gc-unknown-linux-gnu/shipped/.cargo-lock";
        assert_eq!(lock(other), Path::new(want));
        let elsewhere = "check --target-dir target/features";
        assert_eq!(lock(elsewhere), Path::new("here/target/features/debug/.cargo-lock"));
    }

    #[test]
    fn what_failed_tests_print_is_kept() {
        let mut failures = Failures::default();
        let printed =
            "test one ... FAILED\n\nfailures:\n\n---- one ----\nleft: 1\n\ntest result: FAILED\n";
        for line in printed.lines().chain(["", "running 1 test", "test result: ok"]) {
            failures.read(line.into());
        }
        assert_eq!(
            failures.of.join("\n"),
            "failures:\n\n---- one ----\nleft: 1\n\ntest result: FAILED"
        );
    }
}
