//! Tables for the screen.

use std::collections::BTreeSet;

use anstyle::Style;
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use super::{besides, breakeven, column::column, expected, fit, offload, words};
use crate::{
    offload::datasheet::Rate,
    record::{Answer, Record},
};

/// One task at several sizes.
pub struct Sheet {
    /// Its title.
    pub title: String,
    /// Whether its figures are per call instead of per byte.
    pub by_call: bool,
    /// The contents of its cells.
    pub shows: Shows,
    /// The headings of the columns.
    pub sizes: Vec<String>,
    /// From top to bottom.
    pub lines: Vec<Line>,
    /// The rate of a datasheet.
    pub expected: Option<Rate>,
}

/// The contents of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shows {
    /// Speed, and how it compares.
    #[default]
    Speed,
    /// The times of single calls.
    Latency,
    /// The slowdown of scalar code after it.
    Neighbour,
}

/// One row.
pub struct Line {
    /// The name of the library or backend.
    pub name: String,
    /// Its version, if there are several of that name.
    pub version: String,
    /// The disabled features.
    pub mask: String,
    /// Whether it belongs to another library that ropewalk is compared with.
    pub rival: bool,
    /// Whether it is the default of its library.
    pub chosen: bool,
    /// One for each size that was reached.
    pub records: Vec<Record>,
}

impl Sheet {
    /// Whether anything in it was measured.
    pub fn has_figures(&self) -> bool {
        let mut records = self.lines.iter().flat_map(|line| &line.records);
        records.any(|record| record.answer != Answer::None)
    }

    /// As text of at most `width` columns, in several tables if the sizes need it.
    pub fn render(&self, width: usize) -> String {
        let mut columns: Vec<Vec<String>> = (0..self.sizes.len()).map(|i| self.column(i)).collect();
        let mut heads = self.sizes.clone();
        let mut labels: Vec<String> = self.lines.iter().map(Line::label).collect();
        let mut shown: Vec<usize> =
            (0..self.lines.len()).filter(|i| self.lines[*i].ran()).collect();
        if let Some(rate) = self.expected.as_ref().filter(|_| !shown.is_empty()) {
            let (label, cells) = expected::row(rate, &self.lines, columns.len(), self.by_call);
            columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
            labels.push(label);
            shown.push(self.lines.len());
        }
        let label_width = shown.iter().map(|i| plain_width(&labels[*i])).max().unwrap_or(0);
        let room = width.saturating_sub(label_width);
        let (mut each, mut gap) = arrange(&columns, &heads, room);
        if self.fits() {
            let tables = columns.len().div_ceil(each);
            let cells = self.lines.iter().map(|line| fit::cell(&line.records));
            columns.push(
                cells.chain(labels[self.lines.len()..].iter().map(|_| String::new())).collect(),
            );
            heads.push(fit::HEADING.into());
            let arranged = arrange(&columns, &heads, room);
            if columns.len().div_ceil(arranged.0) > tables {
                // Another table of all these rows would be too long.
                columns.pop();
                heads.pop();
            } else {
                (each, gap) = arranged;
            }
        }
        let mut tables = Vec::new();
        for (columns, sizes) in columns.chunks(each).zip(heads.chunks(each)) {
            if shown.is_empty() {
                break;
            }
            let mut table = Table::new();
            table.load_style(STYLE);
            table.set_header([String::new()].iter().chain(sizes));
            for i in &shown {
                let cells = columns.iter().map(|column| &column[*i]);
                table.add_row([&labels[*i]].into_iter().chain(cells));
            }
            for (i, column) in table.column_iter_mut().enumerate() {
                let (padding, alignment) = match i {
                    0 => (0, CellAlignment::Left),
                    _ => (gap as u16, CellAlignment::Right),
                };
                column.set_padding((padding, 0));
                column.set_cell_alignment(alignment);
            }
            tables.push(table.trim_fmt() + "\n");
        }
        format!("{BOLD}{}{BOLD:#}\n{}{}", self.title, tables.join("\n"), self.notes(width))
    }

    fn column(&self, size: usize) -> Vec<String> {
        match self.shows {
            Shows::Speed => column(&self.lines, size, self.by_call),
            Shows::Latency => besides::latency(&self.lines, size),
            Shows::Neighbour => besides::neighbour(&self.lines, size),
        }
    }

    /// Whether the sizes determine the cost of a call, and of a byte.
    pub(super) fn fits(&self) -> bool {
        !self.by_call
            && self.shows == Shows::Speed
            && self.lines.iter().any(|line| !fit::cell(&line.records).is_empty())
    }

    /// Why figures are missing, and notes on the others.
    pub(super) fn notes(&self, width: usize) -> String {
        let mut notes = Vec::new();
        for line in &self.lines {
            let noted = || line.records.iter().zip(&self.sizes).filter(|(r, _)| !r.note.is_empty());
            let whys: BTreeSet<&str> = noted().map(|(record, _)| record.note.as_str()).collect();
            for why in whys {
                let sizes: Vec<&str> = noted()
                    .filter(|(record, _)| record.note == why)
                    .map(|(_, size)| size.as_str())
                    .collect();
                let at = match sizes.len() == line.records.len() {
                    true => String::new(),
                    false => format!(" at {}", sizes.join(", ")),
                };
                notes.push(format!("{}{at}: {why}", line.who()));
            }
        }
        notes.extend(offload::notes(&self.lines, &self.sizes));
        notes.extend(breakeven::notes(&self.lines));
        notes.iter().map(|note| words::note(note, width)).collect()
    }
}

/// How many columns fit next to each other, with as many in each table, and their distance.
fn arrange(columns: &[Vec<String>], heads: &[String], width: usize) -> (usize, usize) {
    let of_column = |(column, size): (&Vec<String>, &String)| {
        let cells = column.iter().map(|cell| plain_width(cell));
        cells.chain([plain_width(size)]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = columns.iter().zip(heads).map(of_column).collect();
    let fits = |each: usize, gap: usize| {
        let together = |chunk: &[usize]| chunk.iter().map(|width| width + gap).sum::<usize>();
        widths.chunks(each).all(|chunk| together(chunk) <= width)
    };
    let all = widths.len().max(1);
    let each = (1..=all).map(|tables| all.div_ceil(tables)).find(|each| fits(*each, GAPS[0]));
    let each = each.unwrap_or(1);
    let gap = GAPS.into_iter().rev().find(|gap| fits(each, *gap));
    (each, gap.unwrap_or(GAPS[0]))
}

impl Line {
    /// Whether its cells have any contents.
    fn ran(&self) -> bool {
        self.records.iter().any(|record| record.answer != Answer::None)
    }

    /// One line or more.
    fn label(&self) -> String {
        let mark = if self.chosen { CHOSEN } else { " " };
        let details = wrap(&self.version).into_iter().chain(wrap(&self.mask));
        let details = details.map(|detail| format!("\n{DIM}  {detail}{DIM:#}"));
        format!("{mark} {}{}", self.name, details.collect::<String>())
    }

    /// In one line.
    pub fn who(&self) -> String {
        let Self { name, version, mask, .. } = self;
        // `graviola 0.4.4` contains both.
        let name = if version.starts_with(name.as_str()) { "" } else { name };
        let words: [&str; 3] = [name, version, mask];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// Breaks a version or a mask at a comma, since names of backends are not longer.
fn wrap(text: &str) -> Vec<String> {
    const WIDTH: usize = 24;
    let mut lines: Vec<String> = Vec::new();
    for piece in text.split_inclusive(',') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + piece.trim_end().chars().count() <= WIDTH => {
                line.push_str(piece);
            }
            _ => lines.push(piece.trim_start().to_owned()),
        }
    }
    lines
}

pub(super) const CHOSEN: &str = "▸";
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Rows of two lines need no rules between them.
pub(crate) const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// The space between two columns: the minimum, and the preferred one.
const GAPS: [usize; 2] = [2, 3];

/// Columns on the screen.
fn plain_width(text: &str) -> usize {
    let plain = anstream::adapter::strip_str(text).to_string();
    plain.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        measure::{latency::Latency, neighbour::Effect},
        offload::tests::spent,
        record::tests::{record, taking},
        report::legend::legend,
    };

    #[test]
    fn a_table_of_everything() {
        let sheet = Sheet {
            title: "sha256/digest".into(),
            by_call: false,
            shows: Shows::Speed,
            sizes: vec!["64 B".into(), "16 KiB".into()],
            lines: vec![
                line(
                    "sha256/x86_64/shani",
                    "",
                    (false, true),
                    &[right(64, 80.0), right(16384, 1e4)],
                ),
                line(
                    "libcrypto",
                    "OpenSSL 3.0.19",
                    (true, false),
                    &[right(64, 200.0), right(16384, 1.01e4)],
                ),
                line("liar", "1.0", (true, false), &[wrong(64), wrong(16384)]),
                line(
                    "crasher",
                    "1.0",
                    (true, false),
                    &[absent(64, "killed by SIGILL"), right(16384, 2e5)],
                ),
                line(
                    "absentee",
                    "",
                    (true, false),
                    &[absent(64, "not here"), absent(16384, "not here")],
                ),
                line("sha256/portable", "-sha", (false, true), &[right(64, 400.0)]),
            ],
            expected: None,
        };
        let want = "\
sha256/digest
                                  64 B           16 KiB
───────────────────────────────────────────────────────
▸ sha256/x86_64/shani         800 MB/s        1.64 GB/s
                        3.75 2.50x 40%   1.83 1.01x 40%
  libcrypto                   320 MB/s      ~ 1.62 GB/s
  OpenSSL 3.0.19        9.38 1.00x 40%   1.85 1.00x 40%
  liar                           WRONG            WRONG
  1.0
  crasher                            -        81.9 MB/s
  1.0                                    36.6 0.05x 40%
▸ sha256/portable             160 MB/s
  -sha                  18.8 0.50x 40%
  liar 1.0: its answer is wrong
  crasher 1.0 at 64 B: killed by SIGILL
  absentee: not here
";
        assert_eq!(plain(&sheet, 80), want);
        let legend = legend(&[sheet], 140);
        for want in ["core cycles a byte", "fastest other library", "allows", "▸", "~"] {
            assert!(legend.contains(want), "{legend}");
        }
    }

    #[test]
    fn tables_fit_the_screen() {
        let sizes: [usize; 6] = [16, 64, 256, 1350, 8192, 16384];
        let cells =
            |factor: f64| sizes.map(|bytes| right(bytes, factor * (20.0 + bytes as f64 / 20.0)));
        let sheet = Sheet {
            title: "aes-128-ctr/encrypt".into(),
            by_call: false,
            shows: Shows::Speed,
            sizes: sizes.map(|bytes| format!("{bytes} B")).into(),
            lines: vec![
                line("aes_ctr/x86_64/vaes512", "", (false, true), &cells(1.0)),
                line("aes_ctr/portable", "", (false, false), &cells(130.0)),
                line("libcrypto", "OpenSSL 3.0.19", (true, false), &cells(2.3)),
            ],
            expected: None,
        };
        for (width, tables, fits) in [(200, 1, 1), (140, 1, 1), (120, 1, 0), (80, 2, 0), (40, 6, 0)]
        {
            let text = plain(&sheet, width);
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= width, "{text}");
            assert_eq!(text.matches('▸').count(), tables, "{text}");
            assert_eq!(text.matches("call + byte").count(), fits, "{text}");
            let explained = legend(std::slice::from_ref(&sheet), width);
            assert!(explained.lines().all(|line| line.chars().count() <= width), "{explained}");
        }
    }

    #[test]
    fn notes_fit_the_screen() {
        let interrupted = taking(64, spent(600.0, 0.0, 0.0));
        let why = "its file is for another processor, and nothing here runs such code";
        let lines = vec![
            line("sha256/x86_64/shani", "", (false, true), &[interrupted]),
            line("absentee", "1.0", (true, false), &[absent(64, why)]),
        ];
        let (title, sizes) = ("sha256".into(), vec!["64 B".into()]);
        let shows = Shows::Speed;
        let sheet = Sheet { title, by_call: false, shows, sizes, lines, expected: None };
        let text = plain(&sheet, 60);
        assert!(text.contains("had their core") && text.contains("such code"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
    }

    #[test]
    fn what_is_measured_besides_has_tables_of_its_own() {
        let latency = |p50, p99, p999| Latency { calls: 9, p50, p99, p999 };
        let timed = |latency| Record { latency: Some(latency), ..right(64, 80.0) };
        let affects = |until_us| {
            let effect = Effect { percent: 1.234, worst_percent: -5.67, until_us };
            Record { neighbour: Some(effect), ..right(64, 80.0) }
        };
        let of = |shows, records: [Record; 4]| Sheet {
            title: "sha256".into(),
            by_call: false,
            shows,
            sizes: vec!["64 B".into()],
            lines: records.map(|record| line("some", "", (true, false), &[record])).into(),
            expected: None,
        };
        let others = || [wrong(64), absent(64, "not here")];
        let [a, b] = others();
        let two = [timed(latency(5, Some(10), None)), timed(latency(1000, Some(2), Some(3)))];
        let [c, d] = two;
        let sheet = of(Shows::Latency, [c, d, a, b]);
        let want = "\
sha256
                64 B
────────────────────
  some      5  10  -
  some   1000   2  3
  some         WRONG
  some: its answer is wrong
  some: not here
";
        assert_eq!(plain(&sheet, 80), want);
        assert!(legend(&[sheet], 140).contains("999 of 1000"));
        let [a, b] = others();
        let sheet = of(Shows::Neighbour, [affects(650.0), affects(0.0), a, b]);
        let want = "\
sha256
                        64 B
────────────────────────────
  some          until 650 µs
         +1.2 % worst -5.7 %
  some             no effect
         +1.2 % worst -5.7 %
  some                 WRONG
  some: its answer is wrong
  some: not here
";
        assert_eq!(plain(&sheet, 80), want);
        assert!(legend(&[sheet], 140).contains("scalar code"));
    }

    #[test]
    fn labels_are_not_wider_than_names() {
        let mut long = line("rustcrypto", "aes 0.9.4, ctr 0.10.1, sha2 0.11.1", (true, false), &[]);
        long.mask = "-vaes,-avx512f,-vpclmulqdq,-gfni".into();
        let label = anstream::adapter::strip_str(&long.label()).to_string();
        assert_eq!(
            label,
            "  rustcrypto\n  aes 0.9.4, ctr 0.10.1,\n  sha2 0.11.1\n  -vaes,-avx512f,\n  -vpclmulqdq,-gfni"
        );
        assert_eq!(line("graviola", "graviola 0.4.4", (true, false), &[]).who(), "graviola 0.4.4");
        assert_eq!(
            line("libcrypto", "OpenSSL 3.0.19", (true, false), &[]).who(),
            "libcrypto OpenSSL 3.0.19"
        );
    }

    #[test]
    fn no_figures_need_no_legend() {
        let lines = vec![line("absentee", "", (true, false), &[absent(64, "not here")])];
        let (title, sizes) = ("sha256".into(), vec!["64 B".into()]);
        let shows = Shows::Speed;
        let sheet = Sheet { title, by_call: false, shows, sizes, lines, expected: None };
        assert_eq!(plain(&sheet, 80), "sha256\n  absentee: not here\n");
        assert_eq!(legend(&[sheet], 140), "");
    }

    fn plain(sheet: &Sheet, width: usize) -> String {
        anstream::adapter::strip_str(&sheet.render(width)).to_string()
    }

    fn line(name: &str, detail: &str, (rival, chosen): (bool, bool), records: &[Record]) -> Line {
        let (version, mask) = if detail.starts_with('-') { ("", detail) } else { (detail, "") };
        let (name, version, mask) = (name.into(), version.into(), mask.into());
        Line { name, version, mask, rival, chosen, records: records.to_vec() }
    }

    fn right(bytes: usize, ns: f64) -> Record {
        let cycles = 3.0 * ns;
        Record {
            answer: Answer::Right,
            ns: Some(ns),
            ns_low: Some(ns * 0.98),
            ns_high: Some(ns * 1.02),
            cycles: Some(cycles),
            cycles_per_byte: Some(cycles / bytes as f64),
            limit_cycles: Some(0.4 * cycles),
            share_of_limit: Some(0.4),
            mb_per_s: Some(bytes as f64 * 1e3 / ns),
            note: String::new(),
            ..without(bytes, Answer::Right, "")
        }
    }

    fn wrong(bytes: usize) -> Record {
        without(bytes, Answer::Wrong, "its answer is wrong")
    }

    fn absent(bytes: usize, why: &str) -> Record {
        without(bytes, Answer::None, why)
    }

    fn without(bytes: usize, answer: Answer, note: &str) -> Record {
        Record { answer, ns: None, note: note.into(), ..record("sha256", bytes, 0.0) }
    }
}
