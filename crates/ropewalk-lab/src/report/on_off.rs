//! The effect of each processor feature: how many times as fast a library is with it as without.

use comfy_table::{CellAlignment, Table};

use super::{
    column::{EVEN, overlap},
    figures,
    table::{Line, STYLE, Sheet},
    words,
};
use crate::{measure::reference::OURS, record::Record};

/// The text above the tables.
pub const LEGEND: &str = "\
How many times as fast a library is with a processor feature as without it and all that builds on it, in the same run; ~: no \
difference. Of ropewalk, the backend that it takes instead.";

/// The table of a task with rows of all libraries without a mask, and then under each mask.
pub fn table(sheet: &Sheet, width: usize) -> String {
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header([String::new(), String::new()].iter().chain(&sheet.sizes));
    let mut notes = Vec::new();
    for whole in sheet.lines.iter().filter(|line| line.mask.is_empty()) {
        if !whole.records.iter().any(|record| record.ns.is_some()) {
            if let Some(record) = whole.records.first() {
                notes.push(format!("{}: {}", whole.who(), record.note));
            }
            continue;
        }
        let speeds =
            whole.records.iter().map(|record| match record.mb_per_s.zip(record.ops_per_s) {
                Some((_, calls)) if sheet.by_call => figures::calls(calls),
                Some((bytes, _)) => figures::speed(bytes),
                None => "-".into(),
            });
        table.add_row([library(whole), backend(whole)].into_iter().chain(speeds));
        let mut same = Vec::new();
        for masked in sheet.lines.iter().filter(|line| !line.mask.is_empty() && of_one(line, whole))
        {
            let cells = ratios(whole, masked);
            match &cells {
                Err(why) => notes.push(format!("{} {}: {why}", library(whole), masked.mask)),
                Ok(cells) if cells.iter().all(|cell| cell == EVEN) => {
                    same.push(masked.mask.as_str())
                }
                Ok(cells) => {
                    let head = [format!("  {}", masked.mask), backend(masked)];
                    table.add_row(head.iter().chain(cells));
                }
            }
        }
        if !same.is_empty() {
            notes.push(format!("{}: no difference by {}", library(whole), same.join(" ")));
        }
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        let (padding, alignment) = match i {
            0 => (0, CellAlignment::Left),
            1 => (2, CellAlignment::Left),
            _ => (3, CellAlignment::Right),
        };
        column.set_padding((padding, 0));
        column.set_cell_alignment(alignment);
    }
    let notes: String = notes.iter().map(|note| words::note(note, width)).collect();
    format!("{}\n{}\n{notes}", sheet.title, table.trim_fmt())
}

/// A smaller change does not count, even if it is significant.
const LITTLE: f64 = 0.01;

/// The ratio for each size; or the reason why there are none.
fn ratios(whole: &Line, masked: &Line) -> Result<Vec<String>, String> {
    let pairs = || whole.records.iter().zip(&masked.records);
    if let Some(without) =
        masked.records.first().filter(|_| masked.records.iter().all(|r| r.ns.is_none()))
    {
        return Err(without.note.clone());
    }
    let ratio = |(with, without): (&Record, &Record)| {
        // Cycles and nanoseconds are not comparable.
        let both = with.cycles.zip(without.cycles).or(with.ns.zip(without.ns));
        match both.map(|(with, without)| without / with) {
            None => "-".into(),
            Some(ratio) if (ratio - 1.0).abs() < LITTLE || overlap(with, without) => EVEN.into(),
            Some(ratio) => figures::ratio(ratio),
        }
    };
    Ok(pairs().map(ratio).collect())
}

/// Ropewalk, or a library with its version.
fn library(line: &Line) -> String {
    match is_ours(line) {
        true => OURS.into(),
        false => line.version.clone(),
    }
}

/// The backend, for ropewalk.
fn backend(line: &Line) -> String {
    match is_ours(line) {
        // The primitive is in the title.
        true => line.name.split_once('/').map_or(line.name.clone(), |(_, backend)| backend.into()),
        false => String::new(),
    }
}

fn is_ours(line: &Line) -> bool {
    line.records.first().is_some_and(|record| record.peer == OURS)
}

/// Whether two lines are of the same library.
fn of_one(a: &Line, b: &Line) -> bool {
    let of = |line: &Line| {
        line.records.first().map(|r| (r.peer.clone(), r.version.clone(), r.library.clone()))
    };
    // A library that cannot be masked was not opened again, and has no version.
    of(a) == of(b)
        || (!is_ours(a)
            && a.version == b.version
            && a.records.first().is_some_and(|r| r.version.is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        record::{Answer, tests::record},
        report::table::Shows,
    };

    fn line(name: &str, peer: &str, mask: &str, ns: &[f64]) -> Line {
        let of = |ns: &f64| Record {
            peer: peer.into(),
            version: Some(format!("{peer} 1")),
            mask: mask.into(),
            ns_low: Some(ns * 0.999),
            ns_high: Some(ns * 1.001),
            mb_per_s: Some(64e3 / ns),
            ops_per_s: Some(1e9 / ns),
            ..record("sha256", 64, *ns)
        };
        let records = ns.iter().map(of).collect();
        let version = if peer == OURS { String::new() } else { "OpenSSL 3.0.19".into() };
        Line { name: name.into(), version, mask: mask.into(), rival: false, chosen: true, records }
    }

    #[test]
    fn features_have_their_worth() {
        let mut refused = line("libcrypto", "libcrypto", "-avx2", &[1.0, 1.0]);
        for record in &mut refused.records {
            *record = Record {
                ns: None,
                answer: Answer::None,
                note: "cannot be masked".into(),
                ..record.clone()
            };
        }
        let sheet = Sheet {
            title: "sha256/digest".into(),
            by_call: false,
            shows: Shows::Speed,
            sizes: vec!["64 B".into(), "16 KiB".into()],
            lines: vec![
                line("sha256/x86_64/shani", OURS, "", &[80.0, 1000.0]),
                line("libcrypto", "libcrypto", "", &[200.0, 1000.0]),
                line("sha256/x86_64/avx2", OURS, "-sha", &[240.0, 2500.0]),
                line("libcrypto", "libcrypto", "-sha", &[200.1, 2000.0]),
                line("sha256/x86_64/shani", OURS, "-avx2", &[80.1, 1002.0]),
                refused,
            ],
            expected: None,
        };
        let want = "\
sha256/digest
                                   64 B      16 KiB
───────────────────────────────────────────────────
ropewalk        x86_64/shani   800 MB/s   64.0 MB/s
  -sha          x86_64/avx2       3.00x       2.50x
OpenSSL 3.0.19                 320 MB/s   64.0 MB/s
  -sha                                ~       2.00x
  ropewalk: no difference by -avx2
  OpenSSL 3.0.19 -avx2: cannot be masked
";
        let text = anstream::adapter::strip_str(&table(&sheet, 80)).to_string();
        assert_eq!(text, want);
    }
}
