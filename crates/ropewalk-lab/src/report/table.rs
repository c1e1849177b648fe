//! Tables for people.

use std::collections::BTreeSet;

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use super::figures;
use crate::record::{Answer, Record};

/// One task at several sizes.
pub struct Sheet {
    /// What stands above it.
    pub title: String,
    /// What stands above each column.
    pub sizes: Vec<String>,
    /// From top to bottom.
    pub lines: Vec<Line>,
}

/// One row.
pub struct Line {
    /// Whose figures these are.
    pub name: String,
    /// More about that.
    pub detail: String,
    /// Whether it belongs to another library as it comes, with nothing switched off.
    pub rival: bool,
    /// Whether its library chooses it among several.
    pub chosen: bool,
    /// One for each size that was reached.
    pub records: Vec<Record>,
}

/// What the figures and signs of the tables mean, as far as these have them.
pub fn legend(sheets: &[Sheet]) -> String {
    let lines = || sheets.iter().flat_map(|sheet| &sheet.lines);
    let records = || lines().flat_map(|line| &line.records);
    if !records().any(|record| record.ns.is_some()) {
        return String::new();
    }
    let mut below = Vec::new();
    if records().any(|record| record.cycles.is_some()) {
        below.push("core cycles a byte");
    }
    if lines().any(|line| line.rival && line.records.iter().any(|record| record.ns.is_some())) {
        below.push("times the speed of the fastest other library");
    }
    if records().any(|record| record.share_of_limit.is_some()) {
        below.push("share of the speed that this processor allows");
    }
    let mut said = vec![match below.is_empty() {
        true => "Bytes a second.".to_owned(),
        false => format!("Bytes a second; below, {}.", below.join(", ")),
    }];
    if lines().any(|line| line.chosen) {
        said.push(format!("{CHOSEN} is what ropewalk chooses by itself."));
    }
    said.push(format!("{EVEN} differs from the fastest of its column by less than the noise."));
    said.join("\n")
}

impl Sheet {
    /// As text of at most `width` columns, in several tables if the sizes need it.
    pub fn render(&self, width: usize) -> String {
        let columns: Vec<Vec<String>> = (0..self.sizes.len()).map(|i| self.column(i)).collect();
        let labels: Vec<String> = self.lines.iter().map(Line::label).collect();
        let shown: Vec<usize> = (0..self.lines.len()).filter(|i| self.lines[*i].ran()).collect();
        let mut out = format!("{BOLD}{}{BOLD:#}\n", self.title);
        let label_width = shown.iter().map(|i| plain_width(&labels[*i])).max().unwrap_or(0);
        for range in self.ranges(&columns, label_width, width) {
            if shown.is_empty() {
                break;
            }
            let mut table = Table::new();
            table.load_style(STYLE);
            let sizes = self.sizes[range.clone()].iter().map(|size| format!("{size}{MARGIN}"));
            table.set_header(std::iter::once(String::new()).chain(sizes));
            for i in &shown {
                let cells = columns[range.clone()].iter().map(|column| column[*i].clone());
                table.add_row(std::iter::once(labels[*i].clone()).chain(cells));
            }
            for column in table.column_iter_mut().skip(1) {
                column.set_cell_alignment(CellAlignment::Right);
            }
            out += &format!("{table}\n");
        }
        out + &self.absences()
    }

    /// The sizes of each table: as many as fit beside the labels.
    fn ranges(
        &self,
        columns: &[Vec<String>],
        labels: usize,
        width: usize,
    ) -> Vec<std::ops::Range<usize>> {
        let of_column = |i: &usize| {
            let cells = columns[*i].iter().map(|cell| plain_width(cell));
            PADDING + cells.chain([self.sizes[*i].chars().count()]).max().unwrap_or(0)
        };
        let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
        let mut used = usize::MAX / 2;
        for i in 0..columns.len() {
            used += of_column(&i);
            match ranges.last_mut() {
                Some(range) if used <= width => range.end = i + 1,
                _ => {
                    used = PADDING + labels + of_column(&i);
                    ranges.push(i..i + 1);
                }
            }
        }
        ranges
    }

    /// The cells of one size.
    fn column(&self, size: usize) -> Vec<String> {
        let records: Vec<Option<&Record>> =
            self.lines.iter().map(|line| line.records.get(size)).collect();
        let best = least_ns(records.iter().flatten());
        let rivals = self.lines.iter().filter(|line| line.rival);
        let rival = least_ns(rivals.filter_map(|line| line.records.get(size)));
        let small: Vec<[String; 3]> = records
            .iter()
            .map(|record| record.map_or_else(Default::default, |r| small(r, rival)))
            .collect();
        let widths = [0, 1, 2].map(|i| small.iter().map(|parts| parts[i].len()).max().unwrap_or(0));
        records
            .iter()
            .zip(&small)
            .map(|(record, parts)| match record {
                None => String::new(),
                Some(record) => cell(record, parts, widths, best),
            })
            .collect()
    }

    /// Why figures are missing.
    fn absences(&self) -> String {
        let mut out = String::new();
        for line in &self.lines {
            let missing =
                || line.records.iter().zip(&self.sizes).filter(|(r, _)| r.answer != Answer::Right);
            let whys: BTreeSet<&str> = missing().map(|(record, _)| record.note.as_str()).collect();
            for why in whys {
                let sizes: Vec<&str> = missing()
                    .filter(|(record, _)| record.note == why)
                    .map(|(_, size)| size.as_str())
                    .collect();
                let at = match sizes.len() == line.records.len() {
                    true => String::new(),
                    false => format!(" at {}", sizes.join(", ")),
                };
                let who = format!("{} {}", line.name, line.detail);
                out += &format!("{DIM}  {}{at}: {why}{DIM:#}\n", who.trim());
            }
        }
        out
    }
}

impl Line {
    /// Whether there is anything to see in its cells.
    fn ran(&self) -> bool {
        self.records.iter().any(|record| record.answer != Answer::None)
    }

    fn label(&self) -> String {
        let mark = if self.chosen { CHOSEN } else { " " };
        match self.detail.is_empty() {
            true => format!("{mark} {}", self.name),
            false => format!("{mark} {}\n{DIM}  {}{DIM:#}", self.name, self.detail),
        }
    }
}

const CHOSEN: &str = "▸";
const EVEN: &str = "~";
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const BEST: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// Right of every figure, where the first line of a cell has its sign.
const MARGIN: &str = "  ";

/// Rows of two lines need no rules between them.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::new('─', '─', '─', '─'));

/// What the table adds to each column.
const PADDING: usize = 2;

fn least_ns<'a>(
    records: impl Iterator<Item = impl std::borrow::Borrow<&'a Record>>,
) -> Option<&'a Record> {
    let timed = records.map(|record| *record.borrow()).filter(|record| record.ns.is_some());
    timed.min_by(|a, b| a.ns.partial_cmp(&b.ns).expect("times are numbers"))
}

/// The figures of the second line of a cell.
fn small(record: &Record, rival: Option<&Record>) -> [String; 3] {
    let ratio = rival.and_then(|rival| rival.ns).zip(record.ns).map(|(rival, ns)| rival / ns);
    [
        record.cycles_per_byte.map(figures::three),
        ratio.map(figures::ratio),
        record.share_of_limit.map(figures::share),
    ]
    .map(Option::unwrap_or_default)
}

fn cell(record: &Record, small: &[String; 3], widths: [usize; 3], best: Option<&Record>) -> String {
    let Some(speed) = record.mb_per_s else {
        return match record.answer {
            Answer::Wrong => format!("{BAD}WRONG{BAD:#}"),
            _ => "-".into(),
        };
    };
    let is_best = best.is_some_and(|best| best.ns == record.ns);
    let even = !is_best && best.is_some_and(|best| overlap(best, record));
    let style = if is_best || even { BEST } else { Style::new() };
    let even = if even { EVEN } else { " " };
    let first = format!("{style}{}{style:#} {even}", figures::speed(speed));
    let parts = small.iter().zip(widths).filter(|(_, width)| *width > 0);
    let second: Vec<String> = parts.map(|(part, width)| format!("{part:>width$}")).collect();
    match second.is_empty() {
        true => first,
        false => format!("{first}\n{DIM}{}{DIM:#}{MARGIN}", second.join(" ")),
    }
}

/// Whether two medians may be the same.
fn overlap(a: &Record, b: &Record) -> bool {
    let interval = |record: &Record| record.ns_low.zip(record.ns_high);
    match (interval(a), interval(b)) {
        (Some(a), Some(b)) => a.0 <= b.1 && b.0 <= a.1,
        _ => false,
    }
}

/// Columns on the screen.
fn plain_width(text: &str) -> usize {
    let plain = anstream::adapter::strip_str(text).to_string();
    plain.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}
