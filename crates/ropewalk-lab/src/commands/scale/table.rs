//! The results of scaling, as text.

use comfy_table::{CellAlignment, Table};

use crate::{
    record::Record,
    report::{bar, figures, output::width, table::STYLE, words},
};

/// The result of a row: its records, or the reason why there are none.
pub(super) type Rows = Vec<(String, Vec<Record>)>;

/// The meaning of the figures.
const LEGEND: &str = "\
Bytes a second, or messages or keys: of all threads together, and of each. Efficiency is what they do together over what \
the same cores do one at a time; arithmetic is the same of sums and products on registers, in the same turns, which is \
the machine's part. The library's is the first over the second.";
/// The meaning of the bars, if there are any.
const BARS: &str = "\
Bars of a table are of one scale, as long as what the cores do one at a time: █ is done together, ▒ is lost by the library, ░ \
by the machine.";

/// The meaning of the figures and the bars of tables, if they have any.
pub(super) fn legend(has_bars: bool) -> String {
    if has_bars { format!("{LEGEND} {BARS}") } else { LEGEND.into() }
}

/// Whether a table has bars.
pub(super) fn has_bars(table: &str) -> bool {
    table.contains('█')
}

/// The rows with figures, and the reasons for the others.
pub(super) fn table(title: &str, by_call: bool, rows: &Rows) -> String {
    table_of(title, by_call, rows, width())
}

fn table_of(title: &str, by_call: bool, rows: &Rows, width: usize) -> String {
    let notes: String = rows
        .iter()
        .filter_map(|(label, records)| Some((label, records.first()?)))
        .filter(|(_, record)| !record.note.is_empty())
        .map(|(label, record)| words::indented(&format!("{label}: {}", record.note), width))
        .collect();
    let timed = || rows.iter().flat_map(|(_, records)| records).filter(|r| r.ns.is_some());
    if timed().next().is_none() {
        return format!("{title}\n{notes}");
    }
    let widest = |body: &str| body.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut heads = HEADS.as_slice();
    let mut plain = body(by_call, rows, heads, None);
    while heads.len() > FEWEST && widest(&plain) > width {
        heads = &heads[..heads.len() - 1];
        plain = body(by_call, rows, heads, None);
    }
    let dropped = match &HEADS[heads.len()..] {
        [] => String::new(),
        dropped => words::indented(&format!("no room for {}", dropped.join(", ")), width),
    };
    let room = width.saturating_sub(widest(&plain) + GAP);
    let body = match room < NARROWEST || !dropped.is_empty() {
        true => plain,
        false => body(by_call, rows, heads, Some(room.min(WIDEST))),
    };
    let shared = match timed().any(|record| record.cores.is_some()) {
        true => format!("  {SHARED} some of these threads share a core\n"),
        false => String::new(),
    };
    format!("{title}\n{body}\n{shared}{dropped}{notes}")
}

/// Columns of a bar.
const NARROWEST: usize = 10;
const WIDEST: usize = 40;
/// Columns between two of the table.
const GAP: usize = 3;

/// Marks numbers of threads at which some share a core.
const SHARED: &str = "*";

fn body(by_call: bool, rows: &Rows, heads: &[&str], bar: Option<usize>) -> String {
    let mut table = Table::new();
    table.load_style(STYLE);
    let bars = bar.map(|_| "");
    table.set_header(heads.iter().copied().chain(bars));
    let longest = rows.iter().flat_map(|(_, records)| records);
    let longest = longest.filter_map(Lengths::of).map(|lengths| lengths.all()).fold(0.0, f64::max);
    for (label, records) in rows {
        let mut label = format!("  {label}");
        for record in records.iter().filter(|record| record.ns.is_some()) {
            let cells = cells(std::mem::take(&mut label), by_call, record);
            let lengths = Lengths::of(record);
            let bar = bar.zip(lengths).map(|(width, lengths)| lengths.draw(longest, width));
            let cells = cells.into_iter().take(heads.len());
            table.add_row(cells.chain(bars.map(|_| bar.unwrap_or_default())));
        }
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        let (padding, alignment) = match i {
            0 => (0, CellAlignment::Left),
            i if i == heads.len() => (GAP as u16, CellAlignment::Left),
            _ => (GAP as u16, CellAlignment::Right),
        };
        column.set_padding((padding, 0));
        column.set_cell_alignment(alignment);
    }
    table.trim_fmt()
}

const HEADS: [&str; 7] =
    ["", "threads", "together", "each", "efficiency", "arithmetic", "library's"];
/// The columns that are kept if there is not enough space.
const FEWEST: usize = 3;

fn cells(label: String, by_call: bool, record: &Record) -> [String; HEADS.len()] {
    let threads = f64::from(record.threads);
    let speed = |part: f64| match by_call {
        true => figures::calls(record.ops_per_s.unwrap_or(f64::NAN) * part),
        false => figures::speed(record.mb_per_s.unwrap_or(f64::NAN) * part),
    };
    let part = |part: Option<f64>| part.map(figures::part).unwrap_or_default();
    let ours = record.efficiency.zip(record.arithmetic).map(|(all, machine)| all / machine);
    let mark = if record.cores.is_some() { SHARED } else { "" };
    [
        label,
        format!("{mark}{}", record.threads),
        speed(1.0),
        speed(1.0 / threads),
        part(record.efficiency),
        part(record.arithmetic),
        part(ours),
    ]
}

/// The speed of the cores one at a time, split by what happens when they work together.
struct Lengths {
    done: f64,
    librarys: f64,
    machines: f64,
}

impl Lengths {
    fn of(record: &Record) -> Option<Self> {
        let (efficiency, arithmetic) = record.efficiency.zip(record.arithmetic)?;
        let done = record.ops_per_s?;
        let alone = done / efficiency;
        let librarys = (alone * arithmetic.min(1.0) - done).max(0.0);
        Some(Self { done, librarys, machines: (alone - done - librarys).max(0.0) })
    }

    fn all(&self) -> f64 {
        self.done + self.librarys + self.machines
    }

    fn draw(&self, longest: f64, width: usize) -> String {
        let Self { done, librarys, machines } = self;
        bar::draw(
            &[(done / longest, '█'), (librarys / longest, '▒'), (machines / longest, '░')],
            width,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    /// So much of so many cores' speed, of 100 messages a microsecond each, beside arithmetic.
    fn of(threads: u32, each: f64, efficiency: f64, arithmetic: f64, cores: Option<u32>) -> Record {
        let all = each * f64::from(threads) * efficiency;
        Record {
            threads,
            cores,
            efficiency: Some(efficiency),
            arithmetic: Some(arithmetic),
            ops_per_s: Some(all * 1e6),
            mb_per_s: Some(all * 1000.0),
            ..record("sha256", 1000, 1000.0)
        }
    }

    fn planted() -> Rows {
        let contends =
            [of(1, 1.0, 1.0, 1.0, None), of(2, 1.0, 0.5, 1.0, None), of(4, 1.0, 0.2, 0.6, Some(2))];
        let scales =
            [of(1, 2.0, 1.0, 1.0, None), of(2, 2.0, 1.0, 1.0, None), of(4, 2.0, 0.6, 0.6, Some(2))];
        let absent = Record { ns: None, note: "not here".into(), ..of(1, 1.0, 1.0, 1.0, None) };
        vec![
            ("scales".into(), scales.into()),
            ("contends".into(), contends.into()),
            ("absent".into(), vec![absent]),
        ]
    }

    /// Two cores of two threads each: the loss of one library, and the common loss.
    #[test]
    fn who_contends_is_seen() {
        let want = "\
sha256
             threads    together        each   efficiency   arithmetic   library's
─────────────────────────────────────────────────────────────────────────────────────────────────────
  scales           1   2.00 GB/s   2.00 GB/s         1.00         1.00        1.00   ████
                   2   4.00 GB/s   2.00 GB/s         1.00         1.00        1.00   ████████
                  *4   4.80 GB/s   1.20 GB/s         .600         .600        1.00   ██████████░░░░░░
  contends         1   1.00 GB/s   1.00 GB/s         1.00         1.00        1.00   ██
                   2   1.00 GB/s    500 MB/s         .500         1.00        .500   ██▒▒
                  *4    800 MB/s    200 MB/s         .200         .600        .333   ██▒▒▒░░░
  * some of these threads share a core
  absent: not here
";
        assert_eq!(table_of("sha256", false, &planted(), 101), want);
    }

    #[test]
    fn a_narrow_screen_has_no_bars() {
        let text = table_of("sha256", false, &planted(), 80);
        assert!(!text.contains('█') && text.contains("library's"), "{text}");
        assert!(!has_bars(&text) && !legend(false).contains('█') && legend(true).contains('█'));
        for width in [40, 60, 70] {
            let text = table_of("sha256", false, &planted(), width);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}: {text}");
            assert!(text.contains("together") && text.contains("  no room for "), "{text}");
        }
        let wide = table_of("sha256", false, &planted(), 300);
        assert_eq!(wide.matches('░').count() + wide.matches('▒').count(), 16 + 5 + 8 + 8, "{wide}");
    }

    #[test]
    fn without_figures_there_are_reasons() {
        let rows = planted()[2..].to_vec();
        assert_eq!(table_of("sha256", false, &rows, 98), "sha256\n  absent: not here\n");
    }
}
