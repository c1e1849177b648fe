//! `ropewalk speed aes-options`, through its command line.

use std::path::Path;

use serde_json::Value;

mod common;
use common::runs::{run, stderr};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

#[test]
fn each_option_is_a_record_with_its_bytes_and_its_verdict() {
    let words = "speed aes-options --seconds 0.001 --bytes 16,48 --json -";
    let output = run(Path::new(PROGRAM), words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |option: &str| -> Vec<&Value> {
        lines.iter().filter(|line| line["option"] == option).collect()
    };
    for (option, tables, leaks) in [
        ("sbox-boolean", Some(0), false),
        ("tables-1k", Some(1024), true),
        ("bitsliced", None, false),
    ] {
        let records = of(option);
        let sizes: Vec<_> = records.iter().map(|record| record["bytes"].as_u64()).collect();
        assert_eq!(sizes, [Some(16), Some(48)], "{option}");
        for record in records {
            assert_eq!((&record["record"], &record["schema"]), (&"aes-option".into(), &1.into()));
            assert_eq!(record["table_bytes"].as_u64(), tables, "{record}");
            assert!(record["code_bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{record}");
            assert!(record["ns"].as_f64().is_some_and(|ns| ns > 0.0), "{record}");
            let found = record["constant_time"].as_array().unwrap();
            assert!(!found.is_empty() && found.iter().all(|found| found["leaks"] == leaks));
        }
    }
}

#[test]
fn the_table_says_what_must_not_be_used() {
    let output = run(Path::new(PROGRAM), "speed aes-options --seconds 0.001 --bytes 16");
    let text = String::from_utf8(output.stdout).unwrap();
    let row = |option: &str| text.lines().find(|line| line.starts_with(option)).unwrap();
    assert!(row("tables-4k ").ends_with(" no") && row("bitsliced ").ends_with(" yes"), "{text}");
    assert!(text.contains("must not be used"), "{text}");
}
