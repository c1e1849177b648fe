//! The command `ropewalk scale`.

use std::{path::Path, process::Output, thread::available_parallelism};

use serde_json::Value;

mod common;
use common::runs::{records, stderr};

const QUICK: &str = "scale sha256 --seconds 0.02 --peers rustcrypto";

fn ropewalk(words: &str) -> Output {
    common::runs::run(Path::new(env!("CARGO_BIN_EXE_ropewalk")), words)
}

#[test]
fn records_are_of_each_number_of_threads() {
    let most = available_parallelism().unwrap().get().min(2) as u64;
    let output = ropewalk(&format!("{QUICK} --bytes 64 --threads {most},1 --json -"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let records = records(&output.stdout);
    let of = |peer: &str| -> Vec<&Value> {
        records.iter().filter(|record| record["peer"] == peer).collect()
    };
    for rows in [of("ropewalk"), of("rustcrypto")] {
        let threads: Vec<_> = rows.iter().map(|row| row["threads"].as_u64().unwrap()).collect();
        assert!(threads.is_sorted() && threads[0] == 1, "{threads:?}");
        assert_eq!((threads.len() as u64, threads.last()), (most, Some(&most)));
        for row in rows {
            assert_eq!(row["answer"], "right", "{row}");
            let figure = |name: &str| row[name].as_f64().unwrap();
            let [threads, ns, all] = ["threads", "ns", "ops_per_s"].map(figure);
            assert!((all * ns / 1e9 / threads - 1.0).abs() < 1e-6, "of all and of each: {row}");
            assert!(figure("efficiency") > 0.0 && figure("arithmetic") > 0.0, "{row}");
        }
    }
    assert_eq!(of("ropewalk")[0]["backend"], ropewalk::sha256::PRIMITIVE.chosen().unwrap().name);
}

#[test]
fn tables_show_what_was_measured() {
    let output = ropewalk(&format!("{QUICK} --threads 1 --count 3"));
    let text = String::from_utf8(output.stdout).unwrap();
    let head = "sha256/digest, 16 KiB, 3 messages a call";
    for want in [head, "threads", "efficiency", "arithmetic", "sha256/", "rustcrypto", "B/s"] {
        assert!(text.contains(want), "no {want} in\n{text}");
    }
}

#[test]
fn one_backend_only() {
    let output = ropewalk(&format!("{QUICK} --threads 1 --backend sha256/portable --json -"));
    let records = records(&output.stdout);
    assert_eq!(records[0]["backend"], "sha256/portable");
    assert_eq!(records.len(), 2);
}

#[test]
fn what_there_is_not_is_one_line_and_status_2() {
    let cases = [
        ("scale --threads 0", "--threads"),
        ("scale --threads 1,100000", "may run on"),
        ("scale sha257", "sha256"),
        ("scale --bytes 0", "`0`"),
        ("scale --count 0", "--count"),
    ];
    for (words, want) in cases {
        let output = ropewalk(words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(want) && said.lines().count() == 1, "{words}: {said}");
        assert!(output.stdout.is_empty(), "{words}");
    }
}

/// Visible siblings share a core; if none is visible, a line reports it.
#[test]
fn siblings_are_measured_or_missed() {
    let output = ropewalk(&format!("{QUICK} --bytes 64 --siblings --json -"));
    if output.status.code() == Some(2) {
        assert!(stderr(&output).contains("--siblings"), "{}", stderr(&output));
        return;
    }
    let records = records(&output.stdout);
    let ours = records.iter().filter(|record| record["peer"] == "ropewalk");
    let places: Vec<_> =
        ours.map(|record| (record["threads"].as_u64(), record["cores"].as_u64())).collect();
    assert_eq!(places, [(Some(1), None), (Some(2), None), (Some(2), Some(1))]);
}
