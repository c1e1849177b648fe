//! The cost of a TLS record through libssl, measured by a C program that contains no code of ours.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context, Result};
use serde_json::json;

use super::{
    Run, certificate,
    openssls::{Cores, SIDES, Side},
};
use crate::process;

/// Versions and suites.
const SUITES: &[(&str, &str)] = &[
    ("1.3", "TLS_AES_128_GCM_SHA256"),
    ("1.3", "TLS_AES_256_GCM_SHA384"),
    ("1.3", "TLS_CHACHA20_POLY1305_SHA256"),
    ("1.2", "ECDHE-ECDSA-AES128-GCM-SHA256"),
    ("1.2", "ECDHE-ECDSA-AES128-SHA"),
    ("1.2", "ECDHE-ECDSA-AES128-SHA256"),
];

const BYTES: [usize; 3] = [64, 1350, 16384];

/// Eight threads exceed the cores and take turns, which shows the cost of shared data.
const THREADS: [usize; 2] = [1, 8];

/// The cost of a record, in nanoseconds to write and to read, and the records per second.
#[derive(Clone, Copy)]
struct Cost {
    write: f64,
    read: f64,
    rate: f64,
}

/// Each suite and length, printed and kept as JSON.
pub(super) fn each(run: &mut Run<'_>) -> Result<()> {
    let Run { root, module, openssl, effort, wanted, ref mut kept } = *run;
    let folder = tempfile::tempdir()?;
    let mut compiled = None;
    for (version, suite) in SUITES {
        for (bytes, threads) in BYTES.into_iter().flat_map(|bytes| THREADS.map(|t| (bytes, t))) {
            let name = format!("records of TLS {version} {suite}");
            if !wanted(&name) {
                continue;
            }
            if compiled.is_none() {
                certificate(folder.path())?;
                let libraries = ["-lssl", "-lcrypto", "-lpthread"];
                compiled = Some(openssl.compile(root, "records", &libraries, folder.path())?);
            }
            let records = compiled.as_deref().context("it is compiled")?;
            let mut best = BTreeMap::<Side, Cost>::new();
            for _ in 0..=effort.rounds {
                for side in SIDES {
                    let cores = if threads > 1 { Cores::All } else { Cores::Second };
                    let mut command = openssl.command(module, side, cores, records);
                    command
                        .current_dir(folder.path())
                        .args(["cert.pem", "key.pem", version, suite]);
                    command.args([&bytes.to_string(), &threads.to_string()]);
                    command.arg(format!("{}", f64::from(effort.seconds) / 4.0));
                    let cost = cost(&process::output(&mut command, Duration::from_secs(60))?)?;
                    best.entry(side).and_modify(|best| best.better(cost)).or_insert(cost);
                }
            }
            let [default, ropewalk] = SIDES.map(|side| best[&side]);
            println!(
                "{name:50} {bytes:5} bytes, {threads} threads: {:.2} to write ({:.0} ns), {:.2} to read ({:.0} ns), \
                 {:.2} records a second",
                default.write / ropewalk.write,
                ropewalk.write,
                default.read / ropewalk.read,
                ropewalk.read,
                ropewalk.rate / default.rate,
            );
            kept.add(&json!({
                "openssl": openssl.version, "row": name, "bytes": bytes, "threads": threads,
                "unit": "ns a record to write and to read, and records/s",
                "default": [default.write, default.read, default.rate],
                "ropewalk": [ropewalk.write, ropewalk.read, ropewalk.rate],
            }))?;
        }
    }
    Ok(())
}

impl Cost {
    fn better(&mut self, other: Self) {
        self.write = self.write.min(other.write);
        self.read = self.read.min(other.read);
        self.rate = self.rate.max(other.rate);
    }
}

fn cost(said: &str) -> Result<Cost> {
    let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [write, read, rate] = numbers[..] else { anyhow::bail!("records says {said}") };
    Ok(Cost { write, read, rate })
}
