//! A kept run on the screen, as if it had just been measured.

use std::{collections::BTreeSet, path::Path};

use anyhow::{Result, bail};
use serde_json::Value;

use crate::{
    filename::{shown, text_shown},
    measure::reference::{OURS, is_ours},
    record::Record,
    report::{
        call::calls,
        library::SERIAL,
        screen::{HEADLINE, Run as Words},
        short,
        table::{Line, Sheet, Shows},
    },
    runs::Run,
    session::named,
    tasks::{Keys, Task, size},
};

/// The tables of a run: of these tasks, or of the headline ones.
///
/// # Errors
/// If the run has none of them.
pub(super) fn sheets(run: &Run, tasks: &[&'static Task], path: &Path) -> Result<Vec<Sheet>> {
    let mut sheets = Vec::new();
    for task in tasks {
        let of_task: Vec<&Record> = run
            .records
            .iter()
            .filter(|record| {
                record.task == task.name && record.op == task.op && record.threads == 1
            })
            .collect();
        let mut kinds: Vec<Call> = Vec::new();
        for call in of_task.iter().map(|record| Call::of(record)) {
            if !kinds.contains(&call) {
                kinds.push(call);
            }
        }
        for call in kinds {
            let records: Vec<&Record> =
                of_task.iter().copied().filter(|record| Call::of(record) == call).collect();
            sheets.push(sheet(task, &call, &records));
        }
    }
    match sheets.is_empty() {
        true => bail!("{}: none of these tasks is in it", shown(path)),
        false => Ok(sheets),
    }
}

/// Keeps only the sizes of the headline screen, if a run has them.
pub(super) fn keep_headline(sheets: &mut [Sheet]) {
    for sheet in sheets {
        let has = |bytes: &usize| sheet.sizes.contains(&size::format(*bytes));
        if !HEADLINE.iter().all(has) {
            continue;
        }
        let kept: Vec<bool> = sheet
            .sizes
            .iter()
            .map(|size| HEADLINE.iter().any(|bytes| size::format(*bytes) == *size))
            .collect();
        let mut at = kept.iter();
        sheet.sizes.retain(|_| *at.next().unwrap_or(&false));
        for line in &mut sheet.lines {
            let mut at = kept.iter();
            line.records.retain(|_| *at.next().unwrap_or(&false));
        }
    }
}

/// The machine of a run, and its date.
pub(super) fn words(run: &Run, again: &str) -> Words {
    let of = |pointer: &str| {
        let value = run.machine.as_ref().and_then(|machine| machine.pointer(pointer));
        value.and_then(Value::as_str).filter(|text| *text != "none").map(str::to_owned)
    };
    let cores = run.machine.as_ref().and_then(|machine| machine.pointer("/cores/online"));
    let cores = cores.and_then(Value::as_u64).map(|cores| format!("{cores} processors"));
    let day = of("/date").map(|date| date.chars().take(10).collect());
    let brand = of("/processor/brand").map(|name| short::brand(&name));
    let parts = [brand, cores, of("/hypervisor"), day];
    let machine = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let libraries: BTreeSet<(&str, &str, Option<&str>)> = run
        .records
        .iter()
        .filter_map(|record| {
            Some((record.version.as_deref()?, record.peer.as_str(), record.library.as_deref()))
        })
        .collect();
    let libraries = libraries
        .into_iter()
        .map(|(version, peer, path)| named(peer, version, path.as_slice()))
        .collect();
    Words {
        machine: text_shown(&machine).into_owned(),
        libraries,
        not_given: String::new(),
        again: again.into(),
        stopped: None,
    }
}

/// The note for a size that a run does not have.
const NOT_MEASURED: &str = "not measured";

/// The records of the tables that are in the run itself.
pub(super) fn records(sheets: &[Sheet]) -> impl Iterator<Item = &Record> {
    let all = sheets.iter().flat_map(|sheet| &sheet.lines).flat_map(|line| &line.records);
    all.filter(|record| record.note != NOT_MEASURED)
}

/// The fields that all records of one table share.
#[derive(Clone, PartialEq)]
struct Call {
    count: usize,
    mode: crate::tasks::Mode,
    mix: bool,
    keys: Keys,
    stride: Option<usize>,
    cold: bool,
}

impl Call {
    fn of(record: &Record) -> Self {
        Self {
            count: record.count,
            mode: record.mode,
            mix: record.mix.is_some(),
            keys: record.keys.unwrap_or(Keys::One),
            stride: record.stride,
            cold: record.cold.is_some(),
        }
    }
}

fn sheet(task: &Task, call: &Call, records: &[&Record]) -> Sheet {
    let size_of = |record: &Record| match &record.mix {
        Some(mix) => mix.clone(),
        None => size::format(record.bytes),
    };
    let mut sizes: Vec<(usize, String)> = Vec::new();
    for record in records {
        if !sizes.iter().any(|(_, size)| *size == size_of(record)) {
            sizes.push((record.bytes, size_of(record)));
        }
    }
    sizes.sort_by_key(|(bytes, _)| *bytes);
    let mut lines: Vec<Line> = Vec::new();
    for record in records {
        let of_line = |line: &&mut Line| line.records.iter().any(|other| is_of_line(other, record));
        match lines.iter_mut().find(of_line) {
            Some(line) => line.records.push((*record).clone()),
            None => lines.push(line(record)),
        }
    }
    for line in &mut lines {
        // A missing size was not measured.
        let of = |(_, size): &(usize, String)| {
            let found = line.records.iter().find(|record| size_of(record) == *size).cloned();
            found.unwrap_or_else(|| Record {
                ns: None,
                mb_per_s: None,
                ops_per_s: None,
                answer: crate::record::Answer::None,
                note: NOT_MEASURED.into(),
                ..line.records[0].clone()
            })
        };
        line.records = sizes.iter().map(of).map(Record::completed).collect();
    }
    mark_chosen(&mut lines);
    let cold = if call.cold { ", cold" } else { "" };
    let what = calls(task.kind, call.count, call.mode, call.keys, call.stride);
    Sheet {
        title: format!("{}, {what}{cold}", task.full_name()),
        by_call: task.kind.by_call(),
        shows: Shows::Speed,
        sizes: sizes.into_iter().map(|(_, words)| words).collect(),
        lines,
        expected: None,
    }
}

fn is_of_line(a: &Record, b: &Record) -> bool {
    let of = |record: &Record| {
        let Record { peer, version, library, by, backend, mask, .. } = record.clone();
        (peer, version, library, by, backend, mask)
    };
    of(a) == of(b)
}

fn line(record: &Record) -> Line {
    let name = match (record.peer.as_str(), record.backend.as_str()) {
        (peer, "") => peer.to_owned(),
        (OURS, backend) => backend.to_owned(),
        (peer, backend) => format!("{peer} {backend}"),
    };
    Line {
        name,
        version: record
            .version
            .as_deref()
            .filter(|_| record.peer != OURS)
            .map(short::version)
            .unwrap_or_default(),
        mask: record.mask.clone(),
        rival: !is_ours(&record.peer),
        chosen: false,
        records: vec![record.clone()],
    }
}

/// The first backend of ropewalk under each mask is its default: records are in the order of its lists.
fn mark_chosen(lines: &mut [Line]) {
    let mut masks: BTreeSet<String> = BTreeSet::new();
    for line in lines {
        let record = &line.records[0];
        let ran = line.records.iter().any(|record| record.ns.is_some());
        if record.peer == OURS && record.backend != SERIAL && ran && masks.insert(line.mask.clone())
        {
            line.chosen = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{record::tests::record, tasks::words};

    #[test]
    fn a_run_is_shown_again() {
        let of = |peer: &str, backend: &str, bytes: usize, ns: f64| Record {
            peer: peer.into(),
            version: Some(format!("{peer} 1")),
            backend: backend.into(),
            ..record("sha256", bytes, ns)
        };
        let run = Run {
            records: vec![
                of("ropewalk", "sha256/x86_64/shani", 16384, 8000.0),
                of("ropewalk", "sha256/portable", 16384, 80_000.0),
                of("ring", "", 16384, 9000.0),
                of("ropewalk", "sha256/x86_64/shani", 64, 80.0),
                of("ropewalk", "sha256/x86_64/shani", 1350, 800.0),
            ],
            machine: Some(serde_json::json!({
                "date": "2026-11-29T01:02:03Z", "processor": {"brand": "EPYC"}, "cores": {"online": 2},
                "hypervisor": "none"
            })),
            ..Run::default()
        };
        let mut sheets = sheets(&run, &words::find("sha256").unwrap(), Path::new("x")).unwrap();
        assert_eq!(sheets[0].sizes, ["64 B", "1350 B", "16 KiB"]);
        assert_eq!(sheets[0].title, "sha256/digest, one message a call");
        let chosen: Vec<bool> = sheets[0].lines.iter().map(|line| line.chosen).collect();
        assert_eq!(chosen, [true, false, false]);
        let ring = &sheets[0].lines[2].records;
        assert_eq!(
            ring.iter().map(|record| record.ns).collect::<Vec<_>>(),
            [None, None, Some(9000.0)]
        );
        assert_eq!(sheets[0].lines[0].records[0].mb_per_s, Some(800.0), "it follows from the time");
        assert_eq!(records(&sheets).count(), 5, "what fills a place is no record");
        keep_headline(&mut sheets);
        assert_eq!(sheets[0].sizes, ["64 B", "16 KiB"]);
        assert_eq!(sheets[0].lines[0].records.len(), 2);
        assert_eq!(words(&run, "").machine, "EPYC, 2 processors, 2026-11-29");
        let none = super::sheets(&run, &words::find("sha1").unwrap(), Path::new("x"));
        assert_eq!(none.err().unwrap().to_string(), "x: none of these tasks is in it");
    }
}
