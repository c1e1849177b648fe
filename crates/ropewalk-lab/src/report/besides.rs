//! Columns of what is measured besides speed.

use super::{column::DIM, table::Line};
use crate::{
    measure::{latency::Latency, neighbour::Effect},
    record::{Answer, Record},
};

/// The times of single calls, in three columns.
pub(super) fn latency(lines: &[Line], size: usize) -> Vec<String> {
    let rows: Vec<_> = lines.iter().map(|line| line.records.get(size)).collect();
    let figures = |latency: Latency| {
        let [p50, p99, p999] = [Some(latency.p50), latency.p99, latency.p999];
        [p50, p99, p999].map(|ns| ns.map_or("-".into(), |ns| ns.to_string()))
    };
    let all: Vec<Option<[String; 3]>> =
        rows.iter().map(|record| record.and_then(|record| record.latency).map(figures)).collect();
    let widths = [0, 1, 2].map(|i| all.iter().flatten().map(|row| row[i].len()).max().unwrap_or(0));
    let cell = |(figures, record): (&Option<[String; 3]>, &Option<&Record>)| match figures {
        Some(figures) => {
            let padded =
                figures.iter().zip(widths).map(|(figure, width)| format!("{figure:>width$}"));
            padded.collect::<Vec<_>>().join("  ")
        }
        None => without(*record),
    };
    all.iter().zip(&rows).map(cell).collect()
}

/// The slowdown of scalar code, and its duration.
pub(super) fn neighbour(lines: &[Line], size: usize) -> Vec<String> {
    let cell = |line: &Line| match line.records.get(size) {
        Some(Record { neighbour: Some(effect), .. }) => told(*effect),
        record => without(record),
    };
    lines.iter().map(cell).collect()
}

fn told(Effect { percent, worst_percent, until_us }: Effect) -> String {
    let until =
        if until_us > 0.0 { format!("until {until_us:.0} µs") } else { "no effect".into() };
    format!("{until}\n{DIM}{percent:+.1} % worst {worst_percent:+.1} %{DIM:#}")
}

fn without(record: Option<&Record>) -> String {
    match record.map(|record| record.answer) {
        Some(Answer::Wrong) => "WRONG".into(),
        Some(_) => "-".into(),
        None => String::new(),
    }
}
