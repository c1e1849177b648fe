//! Results for other programs: CSV and Markdown.

use anyhow::Result;
use serde_json::Value;

use super::{
    library::libraries,
    screen::{Run, View},
    table::Sheet,
};
use crate::record::Record;

/// The contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A record a line, as JSON.
    Json,
    /// A record a line, with a header.
    Csv,
    /// The tables, as GitHub writes them.
    Markdown,
    /// The figures of ropewalk in the format of `openssl speed -mr`.
    OpensslMr,
}

/// The columns of CSV: fields of a record, by their names.
const COLUMNS: [&str; 26] = [
    "task",
    "op",
    "bytes",
    "count",
    "mode",
    "mix",
    "keys",
    "stride",
    "peer",
    "version",
    "library",
    "by",
    "provider",
    "backend",
    "mask",
    "threads",
    "answer",
    "ns",
    "ns_low",
    "ns_high",
    "cycles",
    "cycles_per_byte",
    "share_of_limit",
    "mb_per_s",
    "ops_per_s",
    "note",
];

/// The first line.
pub(super) fn csv_header() -> Result<String> {
    line(COLUMNS)
}

/// The line of a record. Unknown values are empty.
pub(super) fn csv_row(record: &Record) -> Result<String> {
    let value = serde_json::to_value(record)?;
    let cell = |name: &str| match &value[name] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    line(COLUMNS.map(cell))
}

fn line(cells: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells)?;
    Ok(String::from_utf8(writer.into_inner().map_err(|e| e.into_error())?)?)
}

/// Every table, with a line for each library. There are no ratios: figures are in the unit of the view.
pub(super) fn markdown(view: &View, run: &Run, sheets: &[Sheet]) -> String {
    let mut text = format!("{}\n", escaped(&run.machine));
    for sheet in sheets {
        let all = libraries(sheet);
        let unit = view.unit.words(sheet.by_call);
        text += &format!("\n### {}, {unit}\n\n| |", escaped(&sheet.title));
        sheet.sizes.iter().for_each(|size| text += &format!(" {size} |"));
        text += &format!("\n| --- |{}\n", " ---: |".repeat(sheet.sizes.len()));
        let last = sheet.sizes.len().saturating_sub(1);
        let against = super::ranking::reference(&all, view.against.as_deref(), last);
        for library in all.iter().filter(|library| library.ran()) {
            text += &format!("| {} |", escaped(&library.name));
            for size in 0..sheet.sizes.len() {
                let against = against.and_then(|against| against.ns(size));
                let record = library.records.get(size).copied().flatten();
                let cell = record.and_then(|r| view.unit.cell(r, sheet.by_call, against));
                text += &format!(" {} |", cell.unwrap_or_else(|| "-".into()));
            }
            text.push('\n');
        }
    }
    text
}

/// Bytes a second of ropewalk, in the format of `openssl speed -mr`: a line of sizes, and one for each task.
pub(super) fn openssl_mr(sheets: &[Sheet]) -> String {
    let mut text = String::new();
    let mut sizes_before = Vec::new();
    for sheet in sheets.iter().filter(|sheet| !sheet.by_call) {
        let all = libraries(sheet);
        let Some(ours) = all.iter().find(|library| library.is_chosen && library.ran()) else {
            continue;
        };
        let records: Vec<&Record> = ours.records.iter().flatten().copied().collect();
        let sizes: Vec<usize> = records.iter().map(|record| record.bytes).collect();
        if sizes != sizes_before {
            let sizes = sizes.iter().map(|bytes| format!(":{bytes}"));
            text += &format!("+H{}\n", sizes.collect::<String>());
        }
        sizes_before = sizes;
        let (number, name) = of_openssl(records[0]);
        let speeds = records.iter().map(|r| format!(":{:.2}", r.mb_per_s.unwrap_or(0.0) * 1e6));
        text += &format!("+F:{number}:{name}{}\n", speeds.collect::<String>());
    }
    text
}

/// The number and the name in `speed` of OpenSSL 3.0 for the algorithm of `-evp`, `-hmac` or `-cmac`.
fn of_openssl(record: &Record) -> (u32, String) {
    const EVP: u32 = 25;
    const HMAC: u32 = 9;
    const CMAC: u32 = 28;
    match (record.task.strip_prefix("hmac-"), record.task.strip_suffix("-cmac")) {
        (Some(hash), _) => (HMAC, format!("hmac({hash})")),
        (_, Some(cipher)) => (CMAC, format!("cmac({cipher}-cbc)")),
        _ => (EVP, record.task.to_uppercase()),
    }
}

/// Escapes the special characters of Markdown.
fn escaped(text: &str) -> String {
    let special = |c: char| "|\\`*_<>[]#".contains(c);
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::library::tests::{line as of, sheet},
        *,
    };

    #[test]
    fn csv_has_a_header_and_a_line_for_each_record() {
        let header = csv_header().unwrap();
        assert!(header.starts_with("task,op,bytes,count,"), "{header}");
        let mut record = of("ring", "0.17", &[5.0]).records.remove(0);
        record.note = "a \"note\", with\na line".into();
        let row = csv_row(&record).unwrap();
        let text = header.clone() + &row;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 1);
        let column = |name: &str| header.trim_end().split(',').position(|it| it == name).unwrap();
        assert_eq!(&rows[0][column("peer")], "ring");
        assert_eq!(&rows[0][column("ns")], "5.0");
        assert_eq!(&rows[0][column("ns_low")], "");
        assert_eq!(&rows[0][column("note")], record.note);
    }

    /// The columns are fields that a record has.
    #[test]
    fn columns_are_fields() {
        let record = Record {
            mix: Some("imix".into()),
            keys: Some(crate::tasks::Keys::Each),
            stride: Some(64),
            by: Some("provider=x".into()),
            provider: Some("x".into()),
            ..of("ring", "0.17", &[5.0]).records.remove(0)
        };
        let value = serde_json::to_value(record).unwrap();
        COLUMNS.iter().for_each(|name| assert!(value.get(name).is_some(), "{name}"));
    }

    #[test]
    fn openssl_reads_its_own_lines() {
        let mut of_hmac = of("ropewalk", "", &[16.0, 64.0]);
        of_hmac.records.iter_mut().for_each(|record| record.task = "hmac-sha256".into());
        let sheets = [
            sheet(vec![of("ropewalk", "", &[16.0, 64.0]), of("ring", "1", &[8.0, 8.0])]),
            sheet(vec![of_hmac]),
            sheet(vec![of("ring", "1", &[8.0])]),
        ];
        let want = "\
+H:16:64
+F:25:AES-128-GCM:1000000000.00:1000000000.00
+F:9:hmac(sha256):1000000000.00:1000000000.00
";
        assert_eq!(openssl_mr(&sheets), want);
    }

    #[test]
    fn markdown_has_a_table_for_each_task() {
        let sheets = [sheet(vec![of("ropewalk", "", &[5.0, 9.0]), of("a|b", "1", &[8.0, 0.0])])];
        let run = Run { machine: "CPU <1>".into(), ..Run::default() };
        let want = "\
CPU \\<1\\>

### aes-128-gcm/seal, one message a call, MB/s

| | 16 B | 64 B |
| --- | ---: | ---: |
| ropewalk | 3200 | 7111 |
| a\\|b | 2000 | - |
";
        assert_eq!(markdown(&View::default(), &run, &sheets), want);
    }
}
