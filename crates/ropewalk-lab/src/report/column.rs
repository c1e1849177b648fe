//! One column of a table: the figures of all rows at one size, and how they compare.

use anstyle::{AnsiColor, Style};

use super::{figures, table::Line};
use crate::record::{Answer, Record};

/// Marks differences from the fastest that are below the noise.
pub(super) const EVEN: &str = "~";

/// The cells of one size, from top to bottom. A cell has one line or two.
pub(super) fn column(lines: &[Line], size: usize, by_call: bool) -> Vec<String> {
    let records: Vec<Option<&Record>> = lines.iter().map(|line| line.records.get(size)).collect();
    let rivals = lines.iter().filter(|line| line.rival);
    let rival = fastest(rivals.filter_map(|line| line.records.get(size)));
    let best = fastest(records.iter().copied().flatten());
    let below: Vec<[String; 3]> = records
        .iter()
        .map(|record| record.map(|record| below(record, rival, by_call)).unwrap_or_default())
        .collect();
    let widths = [0, 1, 2].map(|i| below.iter().map(|parts| parts[i].len()).max().unwrap_or(0));
    let cells = records.iter().zip(&below).map(|(record, parts)| match record {
        Some(record) => cell(record, parts, widths, best, by_call),
        None => String::new(),
    });
    cells.collect()
}

pub(super) const DIM: Style = Style::new().dimmed();
const BEST: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

fn fastest<'a>(records: impl Iterator<Item = &'a Record>) -> Option<&'a Record> {
    let timed = records.filter_map(|record| Some((record.ns?, record)));
    timed.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, record)| record)
}

/// The second line of a cell.
fn below(record: &Record, rival: Option<&Record>, by_call: bool) -> [String; 3] {
    let ratio = rival.and_then(|rival| rival.ns).zip(record.ns).map(|(rival, ns)| rival / ns);
    let cycles = if by_call { record.cycles } else { record.cycles_per_byte };
    [
        cycles.map(figures::cycles),
        ratio.map(figures::ratio),
        record.share_of_limit.map(figures::share),
    ]
    .map(Option::unwrap_or_default)
}

fn cell(
    record: &Record,
    below: &[String; 3],
    widths: [usize; 3],
    best: Option<&Record>,
    by_call: bool,
) -> String {
    let speed = match by_call {
        true => record.ops_per_s.map(figures::calls),
        false => record.mb_per_s.map(figures::speed),
    };
    let Some(speed) = speed else {
        return match record.answer {
            Answer::Wrong => format!("{BAD}WRONG{BAD:#}"),
            _ => "-".into(),
        };
    };
    let is_best = best.is_some_and(|best| best.ns == record.ns);
    let even = !is_best && best.is_some_and(|best| overlap(best, record));
    let style = if is_best || even { BEST } else { Style::new() };
    let sign = if even { format!("{EVEN} ") } else { String::new() };
    let first = format!("{sign}{style}{speed}{style:#}");
    let parts = below.iter().zip(widths).filter(|(_, width)| *width > 0);
    let second: Vec<String> = parts.map(|(part, width)| format!("{part:>width$}")).collect();
    match second.is_empty() {
        true => first,
        false => format!("{first}\n{DIM}{}{DIM:#}", second.join(" ")),
    }
}

/// Whether two medians may be equal.
pub(super) fn overlap(a: &Record, b: &Record) -> bool {
    let interval = |record: &Record| record.ns_low.zip(record.ns_high);
    match (interval(a), interval(b)) {
        (Some(a), Some(b)) => a.0 <= b.1 && b.0 <= a.1,
        _ => false,
    }
}
