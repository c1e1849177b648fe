//! The headline tasks on one screen: ropewalk, the libcrypto that programs here use, and the fastest other library.

use anstyle::{AnsiColor, Style};

use super::{
    figures,
    library::{Library, libraries},
    ranking::{EVEN, reference},
    table::Sheet,
};

/// The lines of one size.
pub struct Lines {
    /// A head, and a line for each task.
    pub text: String,
    /// Whether any column has ratios.
    pub has_ratios: bool,
    /// The headings of the omitted columns.
    pub dropped: Vec<String>,
}

/// The lines of one size.
pub fn table(sheets: &[Sheet], size: usize, width: usize) -> Lines {
    let mut rows: Vec<Row> =
        sheets.iter().filter_map(|sheet| Row::new(sheet, &name(sheet, sheets), size)).collect();
    let longest =
        rows.iter().filter_map(|row| row.other.as_ref().map(|(_, name, _)| name.len())).max();
    for row in &mut rows {
        if let Some((figure, name, ratio)) = &row.other {
            let width = longest.unwrap_or(0);
            row.cells[3] = format!("{figure:>4} {name:<width$} {ratio:>5}");
        }
    }
    let system = rows.iter().find_map(|row| row.system_name.clone());
    let heads =
        ["task", "ropewalk", system.as_deref().unwrap_or("libcrypto"), "fastest other", "limit"];
    let mut columns: Vec<Column> = heads
        .iter()
        .enumerate()
        .map(|(i, head)| Column {
            head: (*head).into(),
            cells: rows.iter().map(|row| row.cells[i].clone()).collect(),
            left: i == 0,
        })
        .filter(|column| column.cells.iter().any(|cell| !cell.is_empty()))
        .collect();
    // The limit is omitted first, and ropewalk last.
    let mut dropped = Vec::new();
    while columns.len() > 2 && total(&columns) > width {
        dropped.extend(columns.pop().map(|column| column.head));
    }
    dropped.reverse();
    let has_ratios = columns.iter().any(|column| heads[2..4].contains(&column.head.as_str()));
    let mut text = String::new();
    for row in 0..=rows.len() {
        let mut line = String::new();
        for (i, column) in columns.iter().enumerate() {
            let cell = row.checked_sub(1).map_or(column.head.as_str(), |row| &column.cells[row]);
            let padding = " ".repeat(column.width() - cell.chars().count());
            let style = match (row, i) {
                (0, _) => DIM,
                (row, 1) => rows[row - 1].style(),
                _ => Style::new(),
            };
            let gap = if i == 0 { "" } else { GAP };
            line += &match column.left {
                true => format!("{gap}{style}{cell}{style:#}{padding}"),
                false => format!("{gap}{padding}{style}{cell}{style:#}"),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    Lines { text, has_ratios, dropped }
}

/// The number of tasks at which ropewalk is the fastest, and its losses, at the last size of each table.
pub fn sentence(sheets: &[Sheet]) -> String {
    let mut won = 0;
    let mut lost = Vec::new();
    let mut wrong = Vec::new();
    for sheet in sheets {
        let size = sheet.sizes.len().saturating_sub(1);
        let all = libraries(sheet);
        let Some(ours) = all.iter().find(|library| library.is_chosen) else { continue };
        let Some(ns) = ours.ns(size) else {
            wrong.push(name(sheet, sheets));
            continue;
        };
        let Some(other) = reference(&all, None, size) else { continue };
        match other.ns(size).map_or(1.0, |other| other / ns) {
            ratio if ratio < EVEN => {
                lost.push(format!(
                    "{} to {} ({})",
                    name(sheet, sheets),
                    other.name,
                    figures::ratio(ratio)
                ));
            }
            _ => won += 1,
        }
    }
    let compared = won + lost.len();
    let mut text = match (compared, lost.is_empty()) {
        (0, _) => return "No other library was measured.".into(),
        (_, true) => format!("ropewalk is fastest at {won} of {compared}."),
        _ => {
            let more = lost.len().saturating_sub(NAMED);
            lost.truncate(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!(
                "ropewalk is fastest at {won} of {compared}; it loses {}{more}.",
                lost.join(", ")
            )
        }
    };
    if !wrong.is_empty() {
        text += &format!(" Without a figure: {}.", wrong.join(", "));
    }
    text
}

/// Losses that the sentence names.
const NAMED: usize = 4;

struct Row {
    system_name: Option<String>,
    cells: [String; 5],
    /// The fastest other library: its figure, its name, and the ratio.
    other: Option<(String, String, String)>,
    /// How ropewalk compares with the fastest other.
    ratio: Option<f64>,
}

impl Row {
    fn new(sheet: &Sheet, name: &str, size: usize) -> Option<Self> {
        let all = libraries(sheet);
        let ours = all.iter().find(|library| library.is_chosen)?;
        let record = ours.records.get(size).copied().flatten()?;
        let speed = record.mb_per_s;
        let unit = speed.map_or(1.0, |mb_per_s| if mb_per_s < 1000.0 { 1.0 } else { 1e3 });
        let of = |library: &Library<'_>| {
            let record = library.records.get(size).copied().flatten()?;
            Some(figures::plain(record.mb_per_s? / unit))
        };
        let ratio = |library: &Library<'_>| Some(library.ns(size)? / ours.ns(size)?);
        let system = all.iter().find(|library| library.is_system);
        let of_system = system.and_then(|system| {
            Some(format!("{:>5} {:>6}", of(system)?, figures::ratio(ratio(system)?)))
        });
        let other = reference(&all, None, size);
        let of_other = other.and_then(|other| {
            Some((of(other)?, other.name.clone(), figures::ratio(ratio(other)?)))
        });
        let share = record.share_of_limit.map(|share| format!("{:.0} %", share * 100.0));
        Some(Self {
            system_name: system.map(|system| system.name.clone()),
            ratio: other.and_then(ratio),
            other: of_other,
            cells: [
                name.into(),
                speed.map_or("-".into(), figures::speed),
                of_system.unwrap_or_default(),
                String::new(),
                share.unwrap_or_default(),
            ],
        })
    }

    fn style(&self) -> Style {
        match self.ratio {
            Some(ratio) if ratio < EVEN => AnsiColor::Yellow.on_default().bold(),
            _ => AnsiColor::Green.on_default().bold(),
        }
    }
}

/// `AES-128-GCM seal`, `SHA-256`: with its operation if there are several.
fn name(sheet: &Sheet, all: &[Sheet]) -> String {
    let of = |sheet: &Sheet| {
        sheet
            .lines
            .iter()
            .find_map(|line| line.records.first())
            .map(|r| (r.task.clone(), r.op.clone()))
    };
    let Some((task, op)) = of(sheet) else { return String::new() };
    let several =
        all.iter().filter(|other| of(other).is_some_and(|(other, _)| other == task)).count() > 1;
    match several {
        true => format!("{} {op}", title(&task)),
        false => title(&task),
    }
}

/// `AES-128-GCM`, `ChaCha20-Poly1305`, `SHA-256`, `Ed25519`: a task as its standard writes it.
fn title(task: &str) -> String {
    match task {
        "ed25519" => "Ed25519".into(),
        "p256" => "P-256".into(),
        task if task.starts_with("chacha20") => {
            task.replace("chacha", "ChaCha").replace("poly", "Poly")
        }
        task => ["1", "2", "5"].iter().fold(task.to_uppercase(), |name, digit| {
            name.replace(&format!("SHA{digit}"), &format!("SHA-{digit}"))
        }),
    }
}

struct Column {
    head: String,
    cells: Vec<String>,
    left: bool,
}

impl Column {
    fn width(&self) -> usize {
        let cells = self.cells.iter().chain([&self.head]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

fn total(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.width() + GAP.len()).sum::<usize>().saturating_sub(GAP.len())
}

const GAP: &str = "  ";
const DIM: Style = Style::new().dimmed();

#[cfg(test)]
mod tests {
    use super::{
        super::library::tests::{line, sheet},
        *,
    };

    fn some() -> Vec<Sheet> {
        let mut of_hash = sheet(vec![
            line("ropewalk", "", &[50.0, 90.0, 800.0, 14_628.0]),
            line("libcrypto", "OpenSSL 3.0.19 27 Jan 2026", &[90.0, 99.0, 900.0, 13_884.0]),
            line("libgcrypt", "1.10.1", &[90.0, 99.0, 900.0, 13_890.0]),
        ]);
        let records = of_hash.lines.iter_mut().flat_map(|line| &mut line.records);
        records.for_each(|record| (record.task, record.op) = ("sha512".into(), "digest".into()));
        let of_gcm = sheet(vec![
            line("ropewalk", "", &[5.0, 9.0, 80.0, 616.0]),
            line("libcrypto", "OpenSSL 3.0.19 27 Jan 2026", &[100.0, 110.0, 400.0, 2864.0]),
            line("ipsec-mb", "ipsec-mb 2.0.2", &[8.0, 8.0, 90.0, 605.0]),
        ]);
        vec![of_gcm, of_hash]
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn a_line_for_each_task() {
        let want = "\
task          ropewalk  OpenSSL 3.0.19              fastest other  limit
AES-128-GCM  26.6 GB/s     5.72  4.65x  27.1 ipsec-mb       0.98x   59 %
SHA-512      1.12 GB/s     1.18  0.95x  1.18 OpenSSL 3.0.19 0.95x   59 %
";
        assert_eq!(plain(&table(&some(), 3, 90).text), want);
        let want = "ropewalk is fastest at 0 of 2; it loses AES-128-GCM to ipsec-mb (0.98x), \
                    SHA-512 to OpenSSL 3.0.19 (0.95x).";
        assert_eq!(sentence(&some()), want);
    }

    #[test]
    fn titles_are_those_of_standards() {
        for (task, want) in [
            ("aes-128-gcm", "AES-128-GCM"),
            ("chacha20-poly1305", "ChaCha20-Poly1305"),
            ("hmac-sha256", "HMAC-SHA-256"),
            ("sha3-256", "SHA3-256"),
            ("x25519", "X25519"),
            ("ed25519", "Ed25519"),
            ("p256", "P-256"),
            ("rsa-2048", "RSA-2048"),
        ] {
            assert_eq!(title(task), want);
        }
    }

    #[test]
    fn columns_that_do_not_fit_are_left_out() {
        for width in 30..100 {
            let text = plain(&table(&some(), 0, width).text);
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{width}: {text}");
            assert!(text.contains("GB/s"), "{text}");
        }
        let narrow = table(&some(), 0, 40);
        assert!(narrow.text.contains("OpenSSL 3.0.19") && narrow.has_ratios, "{}", narrow.text);
        assert!(!narrow.text.contains("other"), "{}", narrow.text);
        assert_eq!(narrow.dropped, ["fastest other", "limit"]);
        let narrowest = table(&some(), 0, 30);
        assert!(!narrowest.has_ratios, "{}", narrowest.text);
        assert_eq!(narrowest.dropped, ["OpenSSL 3.0.19", "fastest other", "limit"]);
        assert_eq!(table(&some(), 0, 90).dropped, [""; 0]);
    }

    #[test]
    fn what_was_not_compared_is_no_win() {
        let only = || sheet(vec![line("ropewalk", "", &[5.0])]);
        assert_eq!(sentence(&[only()]), "No other library was measured.");
        assert_eq!(plain(&table(&[only()], 0, 80).text).lines().count(), 2);
        assert_eq!(plain(&table(&[], 0, 80).text), "\n");
    }
}
