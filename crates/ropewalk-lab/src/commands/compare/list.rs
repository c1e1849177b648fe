//! The kept runs.

use anyhow::Result;
use comfy_table::Table;

use crate::{
    filename::shown,
    report::table::STYLE,
    runs::{Run, kept},
};

/// Each with its properties, or the reason why it cannot be read.
pub(super) fn list() -> Result<String> {
    let all = kept::all()?;
    if all.is_empty() {
        return Ok(format!("no run is kept in {}\n", shown(kept::folder()?)));
    }
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header(["name", "date", "machine", "rows"]);
    for (name, path) in all {
        let [date, machine, rows] = match Run::read(&path) {
            Ok(run) => said(&run),
            Err(why) => [String::new(), format!("{why:#}"), String::new()],
        };
        table.add_row([name, date, machine, rows]);
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if i == 0 { 0 } else { 3 }, 0));
    }
    Ok(table.trim_fmt() + "\n")
}

/// When and where it was measured, and how many rows have a figure.
fn said(run: &Run) -> [String; 3] {
    let field = |path: &str| {
        let value = run.machine.as_ref().and_then(|machine| machine.pointer(path)?.as_str());
        value.unwrap_or_default().to_owned()
    };
    let rows = run.records.iter().filter(|record| record.ns.is_some()).count();
    let damaged = match run.damaged.len() {
        0 => String::new(),
        damaged => format!(", {damaged} damaged"),
    };
    [field("/date"), field("/processor/brand"), format!("{rows}{damaged}")]
}
