//! Needs by name, and the recorded rows of two machines.

use std::path::Path;

use crate::{
    advise::{Facts, needs::Needs},
    record::{Record, tests::record},
    runs::Run,
};

const TODAY: &str = "2026-11-30";

pub(super) fn facts(records: &[Record]) -> Facts<'_> {
    Facts { records, mask: "", cores: Some(2), today: TODAY, tables: &[] }
}

/// Needs by their names: `protect=aead rate=20MB/s`.
pub(super) fn needs(text: &str) -> Needs {
    let mut needs = Needs::default();
    for word in text.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap();
        needs.set(name, value).unwrap();
    }
    needs.check().unwrap();
    needs
}

/// A row of a library, with an interval of a per cent on either side.
pub(super) fn row(peer: &str, version: &str, task: &str, bytes: usize, ns: f64) -> Record {
    let (task, op) = task.split_once('/').unwrap();
    Record {
        op: op.into(),
        peer: peer.into(),
        version: Some(version.into()),
        library: (peer != "ropewalk").then(|| format!("/usr/lib/{version}.so")),
        backend: String::new(),
        ns_low: Some(ns * 0.99),
        ns_high: Some(ns * 1.01),
        ..record(task, bytes, ns)
    }
}

/// A Cortex-A7, by the figures of the field: MB/s of 16 KiB, and operations a second. GCM has 28 % less than CTR.
pub(super) fn cortex_a7() -> Vec<Record> {
    const OPENSSL: &str = "OpenSSL 3.5.4";
    let bytes = [
        ("chacha20-poly1305/seal", 16384, 47.0),
        ("aes-128-ctr/encrypt", 16384, 23.0),
        ("aes-128-gcm/seal", 16384, 23.0 * 0.72),
        ("sha256/digest", 16, 2.9),
        ("sha256/digest", 16384, 27.8),
    ];
    let calls = [
        ("rsa-2048/sign", 34.8),
        ("rsa-2048/verify", 1488.0),
        ("p256/sign", 982.0),
        ("p256/verify", 356.0),
        ("p224/sign", 111.0),
        ("p224/verify", 135.0),
    ];
    let of_bytes = bytes.map(|(task, bytes, mb_per_s)| {
        row("libcrypto", OPENSSL, task, bytes, bytes as f64 * 1e3 / mb_per_s)
    });
    let of_calls = calls.map(|(task, per_s)| row("libcrypto", OPENSSL, task, 64, 1e9 / per_s));
    of_bytes.into_iter().chain(of_calls).collect()
}

/// An Emerald Rapids, as recorded.
pub(super) fn emerald_rapids() -> Vec<Record> {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../records/emerald-rapids/2026-11-27-speed-all");
    let run = Run::read(Path::new(path)).unwrap();
    assert_eq!(run.damaged, []);
    run.records
}
