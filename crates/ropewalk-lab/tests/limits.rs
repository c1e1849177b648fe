//! `ropewalk limits`, through the command line.

use std::{path::Path, process::Output};

use serde_json::Value;

mod common;
use common::runs::{run, stderr};

fn ropewalk(words: &str) -> Output {
    run(Path::new(env!("CARGO_BIN_EXE_ropewalk")), words)
}

/// Whether rates are measured depends on the machine and its load: without them there is an exit status, and no bound.
#[test]
fn bounds_are_explained() {
    let output = ropewalk("limits --explain aes-128-gcm/seal --bytes 16K --json -");
    let said = String::from_utf8_lossy(&output.stdout);
    let records: Vec<Value> =
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [machine, bound] = records.as_slice() else { panic!("{records:?}") };
    assert_eq!(machine["record"], "machine");
    assert_eq!((&bound["task"], &bound["bytes"]), (&"aes-128-gcm/seal".into(), &16384.into()));
    if output.status.success() {
        let terms = bound["bound"]["terms"].as_array().unwrap();
        let product =
            |term: &Value| term["count"].as_f64().unwrap() * term["each"].as_f64().unwrap();
        let sum: f64 = terms.iter().map(product).sum();
        let cycles = bound["bound"]["cycles"].as_f64().unwrap();
        assert!((sum / cycles - 1.0).abs() < 1e-3, "{bound}");
    } else {
        assert_eq!(bound["bound"], Value::Null);
    }
}

#[test]
fn every_rate_is_a_line() {
    let output = ropewalk("limits");
    let said = String::from_utf8(output.stdout).unwrap();
    if output.status.success() {
        let name = if cfg!(target_arch = "x86_64") { "xor_latency" } else { "mul_latency" };
        assert!(said.lines().any(|line| line.trim_start().starts_with(name)), "{said}");
    }
}

#[test]
fn what_there_is_not_is_named() {
    for (words, want) in [
        ("limits --explain aes-128-gcm/shut", "aes-128-gcm/seal"),
        ("limits --explain sha256 --count 0", "one message at least"),
        ("limits --explain sha256 --bytes 0", "`0`"),
        ("limits --bytes 16", "--explain"),
    ] {
        let output = ropewalk(words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(want), "{words:?}: {said}");
    }
}
