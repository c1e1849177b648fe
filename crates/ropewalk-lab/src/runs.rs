//! Reads files of measurements.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{
    filename::shown,
    record::{Record, SCHEMA, Warnings},
};

mod absent;
mod columns;
pub mod kept;
pub mod light;
mod turns;

/// The contents of a file, or of the folder that [`light`] makes of one.
#[derive(Default)]
pub struct Run {
    /// The machine that it was measured on.
    pub machine: Option<Value>,
    /// Its warnings: a list, or null.
    pub warnings: Value,
    /// Its complete lines.
    pub records: Vec<Record>,
    /// The numbers of the others, from 1, with the errors.
    pub damaged: Vec<(usize, String)>,
}

impl Run {
    /// Reads a file of JSON lines, or a folder.
    ///
    /// # Errors
    /// If it cannot be read, or no line of it is a complete record.
    pub fn read(path: &Path) -> Result<Self> {
        let run = match path.is_dir() {
            true => light::read(path)?,
            false => {
                let cannot = || format!("cannot read {}", shown(path));
                Self::parse(&std::fs::read(path).with_context(cannot)?)
            }
        };
        if run.records.is_empty() {
            let why = run.damaged.first().map(|(line, why)| format!("; line {line}: {why}"));
            bail!("{}: no line is a measurement{}", shown(path), why.unwrap_or_default());
        }
        Ok(run)
    }

    fn parse(bytes: &[u8]) -> Self {
        let mut run = Self::default();
        for (i, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            if line.trim_ascii().is_empty() {
                continue;
            }
            if let Err(why) = run.add(line) {
                run.damaged.push((i + 1, why));
            }
        }
        run
    }

    fn add(&mut self, line: &[u8]) -> Result<(), String> {
        let mut value: Value = serde_json::from_slice(line).map_err(|e| plain(&e))?;
        if value["record"] == "machine" {
            if self.machine.is_some() {
                return Err("another run begins here; its rows count with the first".into());
            }
            self.machine = Some(value);
            return Ok(());
        }
        if value["record"] == Warnings::RECORD {
            self.warnings = value["warnings"].take();
            return Ok(());
        }
        if let Some(other) = value["schema"].as_u64().filter(|schema| *schema != u64::from(SCHEMA))
        {
            return Err(format!("is of schema {other}, and this command knows {SCHEMA}"));
        }
        let record: Record = serde_json::from_value(value).map_err(|e| plain(&e))?;
        sound(&record)?;
        self.records.push(record);
        Ok(())
    }
}

/// Checks that times are above zero.
fn sound(record: &Record) -> Result<(), String> {
    let Record { ns, ns_low, ns_high, cycles, turns, .. } = record;
    let figures = [("ns", ns), ("ns_low", ns_low), ("ns_high", ns_high), ("cycles", cycles)];
    let figures = figures.into_iter().filter_map(|(name, figure)| Some((name, (*figure)?)));
    let turns = turns.iter().flat_map(|turns| turns.ns.iter().chain(&turns.cycles));
    match figures.chain(turns.map(|turn| ("turns", *turn))).find(|(_, figure)| *figure <= 0.0) {
        Some((name, figure)) => Err(format!("`{name}` is {figure}, and a time is above zero")),
        None => Ok(()),
    }
}

/// Without a line number: each line is parsed separately.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((what, _)) => format!("{what}, at column {}", error.column()),
        None => text,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{
        record::{Answer, tests::record},
        warn::Warning,
    };

    #[test]
    fn whole_lines_count_and_others_are_told() {
        let whole = serde_json::to_string(&record("sha256", 64, 100.0)).unwrap();
        let negative = whole.replace("\"ns\":100.0", "\"ns\":-1.0");
        let cut = &whole[..whole.len() / 2];
        let newer = whole.replace("\"schema\":1", "\"schema\":7");
        let nameless = whole.replace("\"task\"", "\"tusk\"");
        let machine = r#"{"schema":1,"record":"machine"}"#;
        let warnings = serde_json::to_string(&Warnings::of([&Warning::NoCycles])).unwrap();
        let text =
            [machine, &whole, cut, "", &negative, &newer, &nameless, machine, &whole, &warnings]
                .join("\n");
        let mut bytes = text.into_bytes();
        bytes.extend(b"\n\xff\n");
        let run = Run::parse(&bytes);
        assert_eq!((run.records.len(), run.machine.is_some()), (2, true));
        assert_eq!(run.records[0].answer, Answer::Right);
        let lines: Vec<usize> = run.damaged.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [3, 5, 6, 7, 8, 11]);
        let wants = ["EOF", "above zero", "schema 7", "`task`", "another run", "column 1"];
        for ((_, why), want) in run.damaged.iter().zip(wants) {
            assert!(why.contains(want) && !why.contains("line 1"), "{why}");
        }
    }

    #[test]
    fn a_file_of_nothing_is_no_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it");
        for text in ["", "\n\n", "no JSON\n", "{\"schema\":1,\"record\":\"machine\"}\n"] {
            std::fs::write(&path, text).unwrap();
            assert!(Run::read(&path).is_err(), "{text}");
        }
        assert!(Run::read(&folder.path().join("none")).is_err());
    }
}
