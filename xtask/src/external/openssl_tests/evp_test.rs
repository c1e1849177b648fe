//! One run of `evp_test`: its configuration, and its output.

use std::{collections::BTreeMap, fmt, path::Path, time::Duration};

use anyhow::{Context, Result, bail, ensure};

use super::built::Built;
use crate::process::{self, Outcome};

/// The longest run takes half a minute.
const LIMIT: Duration = Duration::from_secs(900);

/// The number of calls of each algorithm of ours, with zeros.
pub(super) type Calls = BTreeMap<String, u64>;

/// The result of a run.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) tests: u64,
    pub(super) skipped: u64,
    pub(super) failures: Vec<Failure>,
    pub(super) calls: Calls,
}

/// A test that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// The line in its file.
    pub(super) line: u32,
    pub(super) what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// OpenSSL's providers, and the module before them if there is one.
pub(crate) fn configuration(module: Option<&Path>) -> String {
    let mut text = "openssl_conf = all\nconfig_diagnostics = 1\n\
        [all]\nproviders = providers\nalg_section = algorithms\n\
        [active]\nactivate = 1\n\
        [providers]\ndefault = active\nlegacy = active\n"
        .to_owned();
    text += &match module {
        Some(module) => format!(
            "ropewalk = module\n\
             [module]\nmodule = {}\nactivate = 1\n\
             [algorithms]\ndefault_properties = ?provider=ropewalk\n",
            module.display()
        ),
        None => "[algorithms]\n".to_owned(),
    };
    text
}

/// Runs a file of tests.
pub(super) fn run(built: &Built, configuration: &Path, data: &Path) -> Result<Said> {
    let mut test = built.evp_test();
    test.arg("-config").arg(configuration).arg(data).env("ROPEWALK_STATS", "all");
    let Outcome { status, out, err } = process::outcome(&mut test, LIMIT)?;
    let said = read(&format!("{out}{err}"), &data.to_string_lossy())
        .with_context(|| format!("{} ({status})", process::line(&test)))?;
    ensure!(
        status.success() == said.failures.is_empty(),
        "{} names {} failures, and ends with {status}",
        process::line(&test),
        said.failures.len()
    );
    Ok(said)
}

/// Reads the output for the file of tests `data`.
fn read(text: &str, data: &str) -> Result<Said> {
    let lines = || text.lines().map(|line| line.trim_start_matches([' ', '#']));
    let failures: Vec<_> = lines().filter_map(|line| failure(line, data)).collect();
    let Some([tests, errors, skipped]) = lines().find_map(completed) else {
        let last = text.lines().last().unwrap_or_default();
        bail!("it has not completed its tests; its last line is: {last}");
    };
    ensure!(
        errors == failures.len() as u64,
        "it counts {errors} errors, and names {}",
        failures.len()
    );
    Ok(Said { tests, skipped, failures, calls: calls(text) })
}

/// The calls that the module counts. It prints them each time that it is unloaded.
pub(super) fn calls(text: &str) -> Calls {
    let lines = text.lines().map(|line| line.trim_start_matches([' ', '#']));
    let mut calls = Calls::new();
    for (name, count) in lines.filter_map(called) {
        *calls.entry(name).or_default() += count;
    }
    calls
}

/// `Completed 12 tests with 0 errors and 3 skipped`.
fn completed(line: &str) -> Option<[u64; 3]> {
    let rest = line.strip_prefix("Completed ")?;
    let mut numbers = rest.split(' ').filter_map(|word| word.parse().ok());
    Some([numbers.next()?, numbers.next()?, numbers.next()?])
}

/// `FILE:12: Source of above error; unexpected error KEY_SET_ERROR`, or another message about a line.
fn failure(line: &str, data: &str) -> Option<Failure> {
    if let Some(rest) = line.strip_prefix("Line ") {
        // A test that is not even started: the rest of the file is skipped.
        let (line, what) = rest.split_once(": ")?;
        return Some(Failure { line: line.parse().ok()?, what: what.into() });
    }
    let (line, what) = line.strip_prefix(data)?.strip_prefix(':')?.split_once(": ")?;
    // OpenSSL's own exception.
    if what.ends_with("Assuming ok.") {
        return None;
    }
    Some(Failure { line: line.parse().ok()?, what: what.replace("Source of above error", "fails") })
}

/// `ropewalk: AES-128-GCM: 3 messages, 9 calls, 100 bytes`.
fn called(line: &str) -> Option<(String, u64)> {
    let (name, counts) = line.strip_prefix("ropewalk: ")?.split_once(": ")?;
    let mut counts = counts.split(", ").filter_map(|count| count.split_once(' '));
    let messages = counts.next().filter(|(_, unit)| *unit == "messages")?.0.parse::<u64>().ok()?;
    let calls = counts.next().filter(|(_, unit)| *unit == "calls")?.0.parse::<u64>().ok()?;
    Some((name.to_owned(), messages + calls))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "1..1
    # Subtest: run_file_tests
    # INFO:  @ test/evp_test.c:3830
    # skipping, 'fips' provider not available: data/a.txt:11
    # data/a.txt:21: Source of above error (aligned in-place, not fragmented); unexpected error KEY_SET_ERROR
    # data/a.txt:30: Succeeded but was expecting KEY_SET_ERROR
    # data/a.txt:34: Expected error \"bad decrypt\", no strings available. Assuming ok.
    # Line 40: error processing keyword DigestSign = SM3
    # Completed 164 tests with 3 errors and 1 skipped
    not ok 1 - iteration 1
ropewalk: AES-128-XTS: 2 messages, 3 calls, 64 bytes
ropewalk: MD5: 0 messages, 0 calls, 0 bytes
ropewalk: AES-128-XTS: 1 messages, 0 calls, 0 bytes
";

    #[test]
    fn output_is_read() {
        let said = read(SAID, "data/a.txt").expect("whole");
        assert_eq!((said.tests, said.skipped), (164, 1));
        let failures: Vec<_> = said.failures.iter().map(Failure::to_string).collect();
        let first =
            "line 21: fails (aligned in-place, not fragmented); unexpected error KEY_SET_ERROR";
        let second = "line 30: Succeeded but was expecting KEY_SET_ERROR";
        let third = "line 40: error processing keyword DigestSign = SM3";
        assert_eq!(failures, [first, second, third]);
        let calls: Vec<_> = said.calls.into_iter().collect();
        assert_eq!(calls, [("AES-128-XTS".to_owned(), 6), ("MD5".to_owned(), 0)]);
    }

    #[test]
    fn incomplete_output_is_an_error() {
        let (head, _) = SAID.split_once("    # Completed").expect("it is there");
        assert!(read(head, "data/a.txt").is_err());
        assert!(read(&SAID.replace("with 3 errors", "with 4 errors"), "data/a.txt").is_err());
    }
}
