//! Expected failures, with their reasons.

use super::judged::Judged;

/// A test that fails with ours and not with OpenSSL's own.
pub(super) struct Known {
    /// The version of OpenSSL.
    openssl: &'static str,
    file: &'static str,
    /// The line in the file.
    line: u32,
    reason: &'static str,
}

/// None, for now.
pub(super) const FAILURES: &[Known] = &[];

/// Algorithms of ours that no file of tests calls.
pub(super) const UNTESTED: &[(&str, &str)] = &[
    ("AES-128-WRAP-PAD", "the tests are those of RFC 5649, which have keys of 192 bits"),
    ("AES-256-WRAP-PAD", "the tests are those of RFC 5649, which have keys of 192 bits"),
];

/// Why a test fails, if it is listed.
pub(super) fn reason(list: &[Known], openssl: &str, file: &str, line: u32) -> Option<&'static str> {
    let is = |known: &&Known| known.openssl == openssl && known.file == file && known.line == line;
    list.iter().find(is).map(|known| known.reason)
}

/// Listed failures that pass.
pub(super) fn untrue(list: &[Known], openssl: &str, files: &[Judged]) -> Vec<String> {
    let fails = |known: &Known| {
        let file = files.iter().find(|file| file.name == known.file);
        file.is_some_and(|file| file.ours.iter().any(|failure| failure.line == known.line))
    };
    let untrue = list.iter().filter(|known| known.openssl == openssl && !fails(known));
    let untrue =
        untrue.map(|known| format!("{} line {} is listed, and passes", known.file, known.line));
    untrue.collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::evp_test::{Failure, Said},
        *,
    };

    #[test]
    fn what_is_listed_must_fail() {
        let known = |line| Known { openssl: "3.0", file: "a", line, reason: "weak" };
        let list = [known(7), known(8)];
        assert_eq!(reason(&list, "3.0", "a", 7), Some("weak"));
        assert_eq!(reason(&list, "4", "a", 7), None);
        let none = || Said { tests: 2, skipped: 0, failures: Vec::new(), calls: [].into() };
        let failures = vec![Failure { line: 7, what: "fails".into() }];
        let file = Judged::of("a".into(), "", &none(), &Said { failures, ..none() });
        assert_eq!(untrue(&list, "3.0", &[file]), ["a line 8 is listed, and passes"]);
        assert!(untrue(&list, "4", &[]).is_empty());
    }
}
