//! The columns of a kept table: which fields of a [`Record`](crate::record::Record) it has, and how a cell is written.

use serde_json::Value;

use super::turns;

/// How the cells of a column are written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// A text, which may be empty.
    Text,
    /// A text that is missing where the cell is empty.
    Name,
    /// A whole number, or nothing.
    Whole,
    /// A number with [`DIGITS`] significant digits, or nothing.
    Figure,
    /// `true`, or nothing.
    Flag,
    /// Medians of turns, with every digit.
    Turns,
}

/// A column: the path of its field, with a dot before each inner field.
pub(super) type Column = (&'static str, Kind);

/// The column that is empty if a row is for every size.
pub(super) const BYTES: &str = "bytes";

/// All columns. Derived values, such as MB/s, are omitted. Columns that repeat from row to row come first,
/// which compresses best.
pub(super) const COLUMNS: &[Column] = &[
    ("task", Kind::Text),
    ("op", Kind::Text),
    (BYTES, Kind::Whole),
    ("count", Kind::Whole),
    ("mode", Kind::Text),
    ("mix", Kind::Name),
    ("keys", Kind::Name),
    ("stride", Kind::Whole),
    ("limit_cycles", Kind::Figure),
    ("peer", Kind::Text),
    ("version", Kind::Name),
    ("library", Kind::Name),
    ("by", Kind::Name),
    ("backend", Kind::Text),
    ("mask", Kind::Text),
    ("threads", Kind::Whole),
    ("cores", Kind::Whole),
    ("cold", Kind::Flag),
    ("answer", Kind::Text),
    ("verdict", Kind::Name),
    ("note", Kind::Text),
    ("ns", Kind::Figure),
    ("ns_low", Kind::Figure),
    ("ns_high", Kind::Figure),
    ("cycles", Kind::Figure),
    ("expected_ns", Kind::Figure),
    ("efficiency", Kind::Figure),
    ("arithmetic", Kind::Figure),
    ("latency.calls", Kind::Whole),
    ("latency.p50", Kind::Whole),
    ("latency.p99", Kind::Whole),
    ("latency.p999", Kind::Whole),
    ("neighbour.percent", Kind::Figure),
    ("neighbour.worst_percent", Kind::Figure),
    ("neighbour.until_us", Kind::Figure),
    ("turns.ns", Kind::Turns),
    ("turns.cycles", Kind::Turns),
];

/// Significant digits of a figure.
const DIGITS: usize = 4;

/// The cell of a record, which is an object.
pub(super) fn cell(record: &Value, (name, kind): Column) -> String {
    match record.pointer(&format!("/{}", name.replace('.', "/"))) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(values)) if kind == Kind::Turns => {
            turns::pack(&values.iter().filter_map(Value::as_f64).collect::<Vec<_>>())
        }
        Some(value) if kind == Kind::Figure => value.as_f64().map(figure).unwrap_or_default(),
        Some(value) => value.to_string(),
    }
}

/// Puts a cell into the object that a record is read from.
pub(super) fn put(record: &mut Value, (name, kind): Column, cell: &str) -> Result<(), String> {
    let wrong = |what: &str| format!("`{name}` is `{}`, which is no {what}", cell.escape_debug());
    let value = match kind {
        Kind::Text => cell.into(),
        _ if cell.is_empty() => return Ok(()),
        Kind::Name => cell.into(),
        Kind::Whole => cell.parse::<u64>().map_err(|_| wrong("whole number"))?.into(),
        Kind::Figure => {
            let number = cell.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| wrong("number"))?.into()
        }
        Kind::Flag => (cell == "true").then_some(true).ok_or_else(|| wrong("`true`"))?.into(),
        Kind::Turns => turns::unpack(cell).ok_or_else(|| wrong("list of turns"))?.into(),
    };
    *name.split('.').fold(record, |at, field| &mut at[field]) = value;
    Ok(())
}

fn figure(value: f64) -> String {
    let rounded = format!("{value:.*e}", DIGITS - 1);
    rounded.parse::<f64>().unwrap_or(value).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn figures_have_four_digits_and_no_exponent() {
        for (value, want) in [
            (6.304_334_087, "6.304"),
            (158_621_035.3, "158600000"),
            (0.000_230_869_97, "0.0002309"),
            (2.0, "2"),
            (99.999, "100"),
            (-0.5, "-0.5"),
        ] {
            assert_eq!(figure(value), want);
        }
    }

    #[test]
    fn cells_come_back() {
        let record = json!({
            "task": "a,\"b\"", "bytes": 64, "mix": null, "cold": true, "ns": 1.25,
            "latency": {"calls": 3, "p50": 9}, "turns": {"ns": [2.5, 1.5]}
        });
        let mut again = Value::Null;
        for column in COLUMNS.iter().filter(|(_, kind)| *kind != Kind::Text) {
            put(&mut again, *column, &cell(&record, *column)).unwrap();
        }
        put(&mut again, COLUMNS[0], &cell(&record, COLUMNS[0])).unwrap();
        let want = json!({
            "task": "a,\"b\"", "bytes": 64, "cold": true, "ns": 1.25,
            "latency": {"calls": 3, "p50": 9}, "turns": {"ns": [1.5, 2.5]}
        });
        assert_eq!(again, want);
    }

    #[test]
    fn wrong_cells_are_named() {
        for (name, text, want) in [
            ("bytes", "-1", "`bytes` is `-1`, which is no whole number"),
            ("ns", "inf", "`ns` is `inf`, which is no number"),
            ("ns", "1\u{1b}", "`ns` is `1\\u{1b}`, which is no number"),
            ("cold", "false", "no `true`"),
            ("turns.ns", "1.5 -1", "no list of turns"),
        ] {
            let column = COLUMNS.iter().find(|(column, _)| *column == name).unwrap();
            let why = put(&mut json!({}), *column, text).unwrap_err();
            assert!(why.contains(want), "{why}");
        }
    }
}
