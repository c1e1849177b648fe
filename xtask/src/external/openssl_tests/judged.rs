//! The verdict on two runs of a file of tests.

use std::{collections::BTreeSet, fs, path::Path};

use anyhow::{Context, Result};

use super::evp_test::{Failure, Said};

/// A file of tests that was run with OpenSSL's providers, and with ours before them.
pub(super) struct Judged {
    /// The name without the common ending.
    pub(super) name: String,
    pub(super) tests: u64,
    pub(super) skipped: u64,
    /// Failures with ours only.
    pub(super) ours: Vec<Failure>,
    /// Failures with both.
    pub(super) both: Vec<Failure>,
    /// The number of calls of ours.
    pub(super) calls: u64,
    /// Whether it names a cipher or a digest of ours.
    pub(super) should_call: bool,
}

impl Judged {
    pub(super) fn new(file: &Path, theirs: &Said, ours: &Said) -> Result<Self> {
        let name = file.file_stem().context("a file has a name")?.to_string_lossy().into_owned();
        let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(Self::of(name, &String::from_utf8_lossy(&text), theirs, ours))
    }

    pub(super) fn of(name: String, text: &str, theirs: &Said, ours: &Said) -> Self {
        let failed_without_us =
            |failure: &Failure| theirs.failures.iter().any(|theirs| theirs.line == failure.line);
        let (both, alone) = ours.failures.iter().cloned().partition(failed_without_us);
        let known: BTreeSet<_> = ours.calls.keys().map(|name| plain(name)).collect();
        Self {
            name,
            tests: ours.tests,
            skipped: ours.skipped,
            ours: alone,
            both,
            calls: ours.calls.values().sum(),
            should_call: algorithms(text).any(|name| known.contains(&plain(name))),
        }
    }
}

/// Ciphers and digests at the start of tests. A MAC may be of an algorithm that we forward.
fn algorithms(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (key, value) = line.split_once('=')?;
        matches!(key.trim(), "Cipher" | "Digest").then(|| value.trim())
    })
}

/// Files write names in several ways.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(lines: &[u32], calls: &[(&str, u64)]) -> Said {
        let failure = |line: &u32| Failure { line: *line, what: "fails".into() };
        Said {
            tests: 5,
            skipped: 0,
            failures: lines.iter().map(failure).collect(),
            calls: calls.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect(),
        }
    }

    #[test]
    fn what_fails_with_theirs_is_not_ours() {
        let theirs = said(&[3], &[]);
        let ours = said(&[3, 8], &[("AES-128-ECB", 2), ("SHA-256", 0)]);
        let judged = Judged::of("a".into(), "Cipher = aes128-ecb\n", &theirs, &ours);
        let lines =
            |failures: &[Failure]| failures.iter().map(|failure| failure.line).collect::<Vec<_>>();
        assert_eq!((lines(&judged.ours), lines(&judged.both)), (vec![8], vec![3]));
        assert_eq!((judged.calls, judged.should_call), (2, true));
    }

    #[test]
    fn files_that_should_call_are_those_with_algorithms_of_ours() {
        let should_call = |text: &str| {
            let ours = said(&[], &[("AES-128-ECB", 0), ("SHA-256", 0)]);
            Judged::of("a".into(), text, &said(&[], &[]), &ours).should_call
        };
        assert!(should_call("Digest = SHA256\n"));
        assert!(!should_call("Cipher = DES-ECB\nMAC = HMAC\nCtrl.digest = digest:SHA256\n"));
    }
}
