//! A comparison as text.

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, Table};

use crate::{
    compare::{By, Compared, Row, Verdict, kind},
    measure::reference::OURS,
    record::Record,
    report::{call::calls, figures, short, table::STYLE},
    runs::Run,
    tasks::{Kind, TASKS, Task, size},
};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// The runs, and the differences of their machines.
pub(super) fn head(a: (&str, &Run), b: (&str, &Run), differences: &[String]) -> String {
    let line = |which: &str, (name, run): (&str, &Run)| {
        let field = |path: &str| Some(run.machine.as_ref()?.pointer(path)?.as_str()?.to_owned());
        let about = [field("/date"), field("/processor/brand")].into_iter().flatten();
        let words: Vec<String> = [name.to_owned()].into_iter().chain(about).collect();
        format!("{which}: {}\n", words.join(", "))
    };
    let differences: String = differences.iter().map(|line| format!("  {line}\n")).collect();
    format!("{}{}{differences}", line("A", a), line("B", b))
}

/// One table for each task and kind of call.
pub(super) fn tables(rows: &[Row<'_>]) -> Vec<String> {
    let mut titles: Vec<String> = Vec::new();
    for title in rows.iter().map(title) {
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    let table_of = |one: &String| {
        let mut table = Table::new();
        table.load_style(STYLE);
        table.set_header(["", "", "A", "B", "", "B/A", "95 %", "p", ""]);
        rows.iter().filter(|row| title(row) == *one).for_each(|row| {
            table.add_row(cells(row));
        });
        for (i, column) in table.column_iter_mut().enumerate() {
            let alignment = match i {
                0 | 4 | 8 => CellAlignment::Left,
                _ => CellAlignment::Right,
            };
            let gap = match i {
                0 => 0,
                // The unit stands by its figures.
                4 => 1,
                _ => 3,
            };
            column.set_padding((gap, 0));
            column.set_cell_alignment(alignment);
        }
        format!("\n{BOLD}{one}{BOLD:#}\n{}", table.trim_fmt())
    };
    titles.iter().map(table_of).collect()
}

fn of(row: &Row<'_>) -> Record {
    let (Row::Both(record, ..) | Row::OnlyA(record, _) | Row::OnlyB(record, _)) = row;
    (*record).clone()
}

fn title(row: &Row<'_>) -> String {
    let record = of(row);
    let threads = match record.threads {
        1 => String::new(),
        threads => format!(", {threads} threads"),
    };
    // A task that a later version has removed has no kind of calls.
    let of_record = |task: &&Task| task.name == record.task && task.op == record.op;
    let kind = TASKS.iter().find(of_record).map_or(Kind::NoOp, |task| task.kind);
    let keys = record.keys.unwrap_or_default();
    let calls = calls(kind, record.count, record.mode, keys, record.stride);
    format!("{}/{}, {calls}{threads}", record.task, record.op)
}

fn cells(row: &Row<'_>) -> [String; 9] {
    let record = of(row);
    let size = record.mix.clone().unwrap_or_else(|| size::format(record.bytes));
    let who = match row {
        Row::Both(a, b, _) => who(a, Some(b)),
        Row::OnlyA(record, _) | Row::OnlyB(record, _) => who(record, None),
    };
    let alone = |which: &str, why: &str| {
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        format!("{DIM}missing in {which}{why}{DIM:#}")
    };
    let ns = |record: &Record| record.ns.map(figures::time).unwrap_or_default();
    let empty = String::new;
    match row {
        Row::Both(_, _, found) => both(who, size, found),
        Row::OnlyA(record, why) => [
            who,
            size,
            ns(record),
            empty(),
            "ns".into(),
            empty(),
            empty(),
            empty(),
            alone("B", why),
        ],
        Row::OnlyB(record, why) => [
            who,
            size,
            empty(),
            ns(record),
            "ns".into(),
            empty(),
            empty(),
            empty(),
            alone("A", why),
        ],
    }
}

fn both(who: String, size: String, found: &Compared) -> [String; 9] {
    let interval = found
        .low
        .zip(found.high)
        .map(|(low, high)| format!("{} to {}", figures::change(low), figures::change(high)));
    let sure = match found.by {
        By::Turns => found.p.map(figures::chance).unwrap_or_default(),
        By::Interval => "by interval".into(),
        By::Figure => "one figure".into(),
    };
    [
        who,
        size,
        figures::time(found.a),
        figures::time(found.b),
        found.unit.into(),
        figures::change(found.ratio),
        interval.unwrap_or_default(),
        sure,
        match found.verdict {
            Verdict::Faster => format!("{GOOD}faster{GOOD:#}"),
            Verdict::Slower => format!("{BAD}slower{BAD:#}"),
            Verdict::Even => "~".into(),
        },
    ]
}

/// A backend of ropewalk, or a library: with its version, if it is the same in both.
fn who(a: &Record, b: Option<&Record>) -> String {
    let same = b.is_none_or(|b| a.version == b.version);
    let version = match (&a.version, same) {
        (Some(version), true) => short::version(version),
        _ => kind(a),
    };
    let words = match a.peer == OURS {
        true => [a.backend.as_str(), "", "", "", &a.mask],
        false => {
            // `graviola 0.4.4` contains both, and a list of crates is too long.
            let version = if version.contains(", ") { "" } else { version.as_str() };
            let peer = if version.starts_with(a.peer.as_str()) { "" } else { a.peer.as_str() };
            [peer, version, a.by.as_deref().unwrap_or(""), &a.backend, &a.mask]
        }
    };
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
