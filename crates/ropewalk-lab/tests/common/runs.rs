//! Runs the command and reads what it says.

use std::{
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

/// The command, with nothing in its environment that changes what it does.
pub(crate) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_remove("ROPEWALK_CPU").env("COLUMNS", "140");
    command
}

/// Runs it to its end.
pub(crate) fn run(program: &Path, words: &str) -> Output {
    command(program).args(words.split_whitespace()).output().unwrap()
}

/// Its records; the first line is the machine's.
pub(crate) fn records(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["record"], "machine", "{text}");
    lines[1..].to_vec()
}

/// Its standard error.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
