//! Runs the command and reads its output.

use std::{
    path::Path,
    process::{Command, Output},
    time::{Duration, Instant},
};

use serde_json::Value;

/// The command, without variables that change its behaviour, run as cargo runs this test.
pub(crate) fn command(program: &Path) -> Command {
    let runner = std::env::var(RUNNER).unwrap_or_default();
    let mut words = runner.split_whitespace();
    let mut command = match words.next() {
        Some(runner) => {
            let mut command = Command::new(runner);
            command.args(words).arg(program);
            command
        }
        None => Command::new(program),
    };
    command
        .env_remove("ROPEWALK_CPU")
        .env("ROPEWALK_PEERS", "")
        .env("COLUMNS", "140")
        .env("LC_ALL", "C.UTF-8")
        .env("ROPEWALK_RUNNER", runner);
    command
}

/// The variable with cargo's runner for another architecture.
const RUNNER: &str = match cfg!(target_arch = "aarch64") {
    true => "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
    false => "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
};

/// Runs it to its end.
pub(crate) fn run(program: &Path, words: &str) -> Output {
    command(program).args(words.split_whitespace()).output().unwrap()
}

/// Its records; the first line is the machine's.
pub(crate) fn records(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["record"], "machine", "{text}");
    // The last line is the list of warnings, and no measurement.
    lines[1..].iter().filter(|line| line["record"] != "warnings").cloned().collect()
}

/// Waits for an event, with a limit for a loaded machine.
pub(crate) fn wait_until(mut done: impl FnMut() -> bool) {
    const LIMIT: Duration = Duration::from_secs(900);
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < LIMIT, "it does not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Its standard error.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
