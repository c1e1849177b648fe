//! `speed` in other modes than the default, and with OpenSSL's options.

use std::{path::Path, process::Output};

use ropewalk_lab::report::fit::Fit;
use serde_json::Value;

mod common;
use common::runs::{records, stderr};

fn ropewalk(words: &str) -> Output {
    common::runs::run(Path::new(env!("CARGO_BIN_EXE_ropewalk")), words)
}

const QUICK: &str = "--seconds 0.001 --peers none";

fn table(words: &str) -> String {
    let output = ropewalk(words);
    assert_eq!(output.status.code(), Some(0), "{words}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn keys_are_new_for_each_message() {
    let words = "speed aes-128-gcm hmac-sha256 --mode setup --bytes 16,64 --seconds 0.001";
    let output = ropewalk(&format!("{words} --peers rustcrypto --json -"));
    let records = records(&output.stdout);
    assert!(records.iter().all(|record| record["mode"] == "setup"), "{records:?}");
    assert!(records.iter().all(|record| record["answer"] != "wrong"), "{records:?}");
    for peer in ["ropewalk", "rustcrypto"] {
        for op in ["seal", "open", "seal-fresh", "set-key", "mac"] {
            let is = |r: &&Value| r["peer"] == peer && r["op"] == op && r["answer"] == "right";
            let record = records.iter().find(is).unwrap_or_else(|| panic!("{peer} {op}"));
            // There is no bound for key setup.
            assert!(record["limit_cycles"].is_null(), "{record}");
        }
    }
    let shown = table(&format!("speed hmac-sha256 --mode setup --bytes 16 {QUICK}"));
    assert!(shown.contains("one message a call, each with a new key"), "{shown}");
}

#[test]
fn curves_have_figures_of_calls_and_no_bound() {
    let words = "speed x25519 ed25519 --bytes 64 --seconds 0.001 --peers dalek,rustcrypto";
    let records = records(&ropewalk(&format!("{words} --json -")).stdout);
    for (task, op, bytes) in
        [("x25519", "agree", 32), ("x25519", "generate", 32), ("ed25519", "sign", 64)]
    {
        let of = |peer: &str| {
            let is = |r: &&Value| r["task"] == task && r["op"] == op && r["peer"] == peer;
            records.iter().find(is).unwrap_or_else(|| panic!("{task} {op} {peer}"))
        };
        assert_eq!(
            (&of("dalek")["answer"], &of("dalek")["bytes"]),
            (&"right".into(), &bytes.into())
        );
        assert!(of("dalek")["limit_cycles"].is_null(), "{}", of("dalek"));
        assert_eq!(of("ropewalk")["answer"], "right");
        assert_eq!(of("rustcrypto")["answer"], "none");
    }
    let shown = table(&format!("{words} --wide"));
    assert!(shown.contains("ed25519/verify") && shown.contains("/s"), "{shown}");
    assert!(shown.contains("crates: has no Ed25519") && !shown.contains("B/s"), "{shown}");
    assert!(shown.contains("Messages or keys a second"), "{shown}");
    // Without these options, neither is measured.
    let bare = table(&format!("speed --bytes 16 {QUICK}"));
    assert!(!bare.contains("25519"), "{bare}");
}

#[test]
fn signatures_that_differ_each_time_are_right() {
    let words = "speed p256 --bytes 64 --seconds 0.001 --peers dalek,rustcrypto";
    let records = records(&ropewalk(&format!("{words} --json -")).stdout);
    for (op, bytes) in [("agree", 32), ("generate", 32), ("sign", 64), ("verify", 64)] {
        let of = |peer: &str| {
            let is = |r: &&Value| r["op"] == op && r["peer"] == peer;
            records.iter().find(is).unwrap_or_else(|| panic!("{op} {peer}"))
        };
        for peer in ["ropewalk", "rustcrypto"] {
            assert_eq!((&of(peer)["answer"], &of(peer)["bytes"]), (&"right".into(), &bytes.into()));
        }
        assert_eq!(of("dalek")["answer"], "none");
    }
    let shown = table(&format!("{words} --wide"));
    assert!(shown.contains("has no P-256"), "{shown}");
    // The names of the last line are those of the standards.
    assert!(!shown.contains("P256 ") && !shown.contains("ED25519"), "{shown}");
}

#[test]
fn rsa_has_a_row_for_each_library_and_no_bound() {
    let words = "speed rsa2048 --bytes 64 --seconds 0.001 --peers dalek,rustcrypto,ring";
    let output = ropewalk(&format!("{words} --json -"));
    let records = records(&output.stdout);
    for op in ["sign", "verify"] {
        let of = |peer: &str| {
            let is = |r: &&Value| r["task"] == "rsa-2048" && r["op"] == op && r["peer"] == peer;
            records.iter().find(is).unwrap_or_else(|| panic!("{op} {peer}"))
        };
        for peer in ["ropewalk", "rustcrypto"] {
            assert_eq!(of(peer)["answer"], "right", "{}", of(peer));
            assert!(of(peer)["limit_cycles"].is_null(), "{}", of(peer));
            assert!(of(peer)["ops_per_s"].as_f64() > Some(0.0), "{}", of(peer));
        }
        assert_eq!(of("dalek")["answer"], "none");
        // It is built in for two processors.
        assert_ne!(of("ring")["answer"], "wrong");
    }
    let shown = table(&format!("{words} --wide"));
    assert!(shown.contains("has no RSA") && shown.contains("Messages or keys a second"), "{shown}");
}

#[test]
fn a_key_of_rsa_is_read_for_each_message() {
    let words = "speed rsa2048 --mode setup --bytes 64 --seconds 0.001 --peers rustcrypto";
    let output = ropewalk(&format!("{words} --json -"));
    let records = records(&output.stdout);
    let is_right = |r: &&Value| r["mode"] == "setup" && r["answer"] == "right";
    for peer in ["ropewalk", "rustcrypto"] {
        for op in ["sign", "verify"] {
            let mut right = records.iter().filter(is_right);
            assert!(right.any(|r| r["peer"] == peer && r["op"] == op), "{peer} {op}: {records:?}");
        }
    }
}

#[test]
fn the_line_through_all_sizes_is_in_the_last_record() {
    let of = |sizes: &str| {
        let words =
            format!("speed sha256 --backend sha256/portable --bytes {sizes} {QUICK} --json -");
        records(&ropewalk(&words).stdout)
    };
    let three = of("16,1024,4096");
    assert!(three[..2].iter().all(|record| record["fit"].is_null()), "{three:?}");
    let fit = &three[2]["fit"];
    assert_eq!(fit["sizes"], 3, "{three:?}");
    // The line through these figures.
    let point =
        |record: &Value| ["bytes", "ns"].map(|field| record[field].as_f64().unwrap()).into();
    let points: Vec<(f64, f64)> = three.iter().map(point).collect();
    let line = Fit::through(&points).expect("three sizes tell a line");
    for (field, want) in [("call_ns", line.call), ("byte_ns", line.byte)] {
        let told = fit[field].as_f64().unwrap();
        assert!((told - want).abs() <= 1e-6 * want.abs(), "{field}: {told}, not {want}");
    }
    assert!(of("16,1024").iter().all(|record| record["fit"].is_null()));
}

#[test]
fn cold_calls_say_so() {
    let words = format!("speed sha256 --backend sha256/portable --bytes 16 --cold {QUICK}");
    for record in records(&ropewalk(&format!("{words} --json -")).stdout) {
        assert_eq!(record["cold"], true, "{record}");
        assert!(record["cycles"].is_null() && record["share_of_limit"].is_null(), "{record}");
    }
    assert!(table(&words).contains("cold: neither code nor data in the caches"));
}

#[test]
fn percentiles_are_in_order_and_have_a_table() {
    let words = format!("speed sha256 --backend sha256/portable --bytes 16 --latency {QUICK}");
    for record in records(&ropewalk(&format!("{words} --json -")).stdout) {
        let latency = &record["latency"];
        let p50 = latency["p50"].as_u64().unwrap();
        assert!(latency["calls"].as_u64().unwrap() > 0 && p50 > 0, "{record}");
        let [p99, p999] = ["p99", "p999"].map(|field| latency[field].as_u64());
        assert!(p99.is_none_or(|p99| p99 >= p50) && p999.is_none_or(|p999| Some(p999) >= p99));
    }
    let shown = table(&words);
    assert!(shown.contains("each timed separately") && shown.contains("p50, p99 and "), "{shown}");
    assert!(!shown.contains("B/s"), "{shown}");
}

#[test]
fn what_excludes_itself_is_one_error() {
    for (words, want) in [
        ("speed random --mode setup", "random/fill takes no key"),
        ("speed aes-128-gcm/seal --mode setup --count 2", "no --count"),
        ("speed sha256 --cold --mode stream", "no --mode stream"),
        ("speed -evp rot13", "no algorithm of -evp is called `rot13`"),
        ("speed -engine afalg", "libcrypto:engine=NAME"),
    ] {
        let output = ropewalk(words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(want) && said.lines().count() == 1, "{words}: {said}");
    }
    for words in ["speed --cold --latency", "speed --latency --neighbour", "scale --cold"] {
        let output = ropewalk(words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(!stderr(&output).is_empty());
    }
}

#[test]
fn openssl_s_words_are_understood() {
    // Options of every version of the tool.
    let words = "speed -elapsed -evp AES-128-CBC -bytes 64 -seconds 0.001 --peers none --json -";
    let all = records(&ropewalk(words).stdout);
    assert!(
        all.iter().all(|r| r["task"] == "aes-128-cbc" && r["op"] == "encrypt" && r["bytes"] == 64)
    );
    assert!(all.iter().all(|record| record["mode"] == "stream"), "{all:?}");
    assert!(all.iter().any(|record| record["answer"] == "right"), "{all:?}");
    let words = "speed -multi 1 -hmac sha256 -bytes 64 -seconds 0.001 --peers none --json -";
    let all = records(&ropewalk(words).stdout);
    let scaled = |record: &Value| record["threads"] == 1 && !record["efficiency"].is_null();
    assert!(all.iter().any(scaled), "{all:?}");
    let help = table("speed --help");
    assert!(help.contains("-evp NAME") && help.contains("--latency"), "{help}");
}
