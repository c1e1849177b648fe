//! The trace reports a planted lookup, and the ways to compute AES that have tables. This program is not optimised as a release is: only
//! the stage "aes options" judges what has no table.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::process::Command;

#[test]
fn the_trace_reports_planted_lookups_and_tables() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_ropewalk-ct")).arg("aes-options").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for want in [
        "trace reports a planted lookup",
        "sbox-table trace leaks",
        "sbox-table-fly trace leaks",
        "sbox-computed trace leaks",
        "sbox-boolean trace clean",
        "tables-4k trace leaks",
        "tables-1k trace leaks",
    ] {
        assert!(text.lines().any(|line| line == want), "{want}: {text}");
    }
}
