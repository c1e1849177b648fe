//! The lab's figures of a library.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::tool::{Mode, Ready, Row};
use crate::{
    external::outside::speed,
    process::{self, program},
};

/// The lab, as it measures.
pub(super) struct Lab(PathBuf);

/// Lengths that a line is laid through: every fourth of those that libgcrypt's tool has.
const ALONG: &[usize] = &[
    16, 272, 528, 784, 1040, 1296, 1552, 1808, 2064, 2320, 2576, 2832, 3088, 3344, 3600, 3856, 4112,
];

/// The longest that it takes for the rows of a question.
const LIMIT: Duration = Duration::from_secs(600);

/// A backend that none of the rows has: ropewalk is not what is measured here.
const NONE_OF_OURS: &str = "md5/portable";

impl Lab {
    pub(super) fn build(root: &Path) -> Result<Self> {
        Ok(Self(speed::build_lab(root)?))
    }

    /// The figures of these rows, with less time for each than the tool has: the samples are short, and their
    /// median counts.
    pub(super) fn rates(&self, ready: &Ready, rows: &[&Row], seconds: u32) -> Result<Rates> {
        let mut rates = Rates::default();
        let mut left: Vec<&Row> = rows.to_vec();
        while let Some(first) = left.first().copied() {
            // Rows that one run can measure.
            let alike = |row: &&Row| {
                (row.mode, row.by, row.lengths) == (first.mode, first.by, first.lengths)
            };
            let (of_run, others): (Vec<&Row>, Vec<&Row>) = left.iter().copied().partition(alike);
            rates.read(&self.speed(ready, &of_run, seconds)?, ready, first);
            left = others;
        }
        ensure!(!rates.version.is_empty(), "the lab cannot open {}", ready.library.display());
        Ok(rates)
    }

    /// Measures rows of one mode, one part and the same lengths.
    fn speed(&self, ready: &Ready, rows: &[&Row], seconds: u32) -> Result<String> {
        let Row { mode, by, lengths, .. } = *rows[0];
        let (bytes, kind, part) = match mode {
            Mode::Slope => (ALONG, "message", 0.06),
            mode => (lengths, mode.name(), 0.3),
        };
        let bytes: Vec<_> = bytes.iter().map(usize::to_string).collect();
        let mut speed = program(&self.0);
        speed.arg("speed").args(rows.iter().map(|row| row.task)).args([
            "--json",
            "-",
            "--backend",
            NONE_OF_OURS,
        ]);
        speed.args(["--bytes", &bytes.join(","), "--mode", kind]);
        speed.args(["--seconds", &(f64::from(seconds) * part).to_string()]);
        let mut list = tempfile::NamedTempFile::new()?;
        match &ready.loader {
            None if by.is_empty() => speed.args(["--peers", "none", "--lib"]).arg(&ready.library),
            None => {
                let part = format!("{}:{by}", ready.peer);
                speed.args(["--peers", &part, "--lib"]).arg(&ready.library)
            }
            // Only a list can say which C library one needs.
            Some(loader) => {
                let library =
                    json!({"peer": ready.peer, "library": ready.library, "loader": loader});
                write!(list, "{}", json!([library]))?;
                speed.args(["--peers", ready.peer]).env("ROPEWALK_PEERS", list.path())
            }
        };
        process::output(&mut speed, LIMIT)
    }
}

/// The figures of the lab, in bytes a second.
#[derive(Default)]
pub(super) struct Rates {
    /// Of the library, in its own words.
    pub(super) version: String,
    records: Vec<Read>,
}

/// A figure of it.
struct Read {
    task: String,
    mode: Mode,
    by: &'static str,
    bytes: usize,
    ns: f64,
}

impl Rates {
    /// That of a row at a length, or of each byte by which a message is longer.
    pub(super) fn rate(&self, row: &Row, bytes: usize) -> Option<f64> {
        let is_of_row =
            |read: &&Read| (read.task.as_str(), read.mode, read.by) == (row.task, row.mode, row.by);
        let of_row = self.records.iter().filter(is_of_row);
        let points: Vec<_> = of_row.map(|read| (read.bytes as f64, read.ns)).collect();
        match row.mode {
            Mode::Slope => (points.len() == ALONG.len()).then(|| 1e9 / slope(&points)),
            _ => points
                .iter()
                .find(|point| point.0 == bytes as f64)
                .map(|(bytes, ns)| bytes * 1e9 / ns),
        }
    }

    /// Takes the records of the library, of which there may be others of its kind.
    fn read(&mut self, said: &str, ready: &Ready, row: &Row) {
        for line in said.lines() {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            let text = |field: &str| line[field].as_str().unwrap_or_default();
            if !ready.is_library(text("library"))
                || text("library").is_empty()
                || text("by") != row.by
            {
                continue;
            }
            self.version = text("version").into();
            if let (Some(bytes), Some(ns)) = (line["bytes"].as_u64(), line["ns"].as_f64()) {
                let task = format!("{}/{}", text("task"), text("op"));
                let (mode, by) = (row.mode, row.by);
                self.records.push(Read { task, mode, by, bytes: bytes as usize, ns });
            }
        }
    }
}

/// By how much the line through them rises, of which all count the same, as those of libgcrypt's tool do. The lab's own
/// `call + byte` is another line, for which short ones count more.
fn slope(points: &[(f64, f64)]) -> f64 {
    let mean =
        |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (bytes, ns) = (mean(|point| point.0), mean(|point| point.1));
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    sum(&|point| (point.0 - bytes) * (point.1 - ns)) / sum(&|point| (point.0 - bytes).powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::agree::tool::{EACH, row};

    fn ready() -> Ready {
        Ready {
            program: "openssl".into(),
            libraries: Vec::new(),
            loader: None,
            peer: "libcrypto",
            library: "/there/target/agree/usr/lib/libcrypto.so.3".into(),
            core: 1,
        }
    }

    #[test]
    fn records_of_the_library_count_and_no_others() {
        let said = r#"{"machine":"a processor","rates":[]}
            {"task":"sha256","op":"digest","bytes":1024,"peer":"ropewalk","version":"ropewalk 0.1.0","library":null,"ns":null}
            {"task":"sha256","op":"digest","bytes":1024,"version":"OpenSSL 4.0.2","library":"/usr/lib/libcrypto.so.4","ns":5.0}
            {"task":"sha256","op":"digest","bytes":1024,"version":"OpenSSL 3.0.22","library":"target/agree/usr/lib/libcrypto.so.3","ns":512.0}
            {"task":"sha1","op":"digest","bytes":1024,"version":"OpenSSL 3.0.22","library":"/there/target/agree/usr/lib/libcrypto.so.3","ns":null}"#;
        let mut rates = Rates::default();
        rates.read(said, &ready(), &row("", "", "sha256/digest", Mode::Message));
        assert_eq!(rates.version, "OpenSSL 3.0.22");
        let of = |task, mode, bytes| rates.rate(&row("", "", task, mode), bytes);
        assert_eq!(of("sha256/digest", Mode::Message, 1024), Some(2e9));
        assert_eq!(of("sha256/digest", Mode::Message, 16384), None);
        assert_eq!(of("sha256/digest", Mode::Stream, 1024), None);
        assert_eq!(of("sha1/digest", Mode::Message, 1024), None);
    }

    /// The cost of the call cancels out.
    #[test]
    fn a_slope_is_what_a_byte_adds() {
        let line = |bytes: &usize| {
            let (task, mode) = ("sha1/digest".to_owned(), Mode::Slope);
            Read { task, mode, by: "", bytes: *bytes, ns: 100.0 + 0.5 * *bytes as f64 }
        };
        let rates = Rates { version: String::new(), records: ALONG.iter().map(line).collect() };
        let rate = rates.rate(&row("", "", "sha1/digest", Mode::Slope), EACH).unwrap();
        assert!((rate / 2e9 - 1.0).abs() < 1e-9, "{rate}");
    }
}
