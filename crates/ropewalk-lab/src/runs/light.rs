//! A run as a folder of small files, for a repository: `machine.json`, and a table of the records as
//! compressed CSV. A large table is split into several files, whose decompressed contents are concatenated.
//!
//! Figures have four significant digits; medians of turns are exact, so that a comparison gives the same
//! result. Derived columns are omitted, and [`Record`]s that are read again do not have them.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use csv::StringRecord;
use liblzma::{
    read::XzDecoder,
    stream::{Check, Filters, LzmaOptions, Stream},
    write::XzEncoder,
};
use serde_json::{Value, json};

use super::{
    Run,
    absent::{Line, fold, unfold},
    columns::{BYTES, COLUMNS, Column, Kind, cell, put},
    plain, sound,
};
use crate::record::{Record, SCHEMA, Warnings};

/// The machine, its instruction rates, and the warnings of the run.
const MACHINE: &str = "machine.json";

/// The table, if it is one file.
const TABLE: &str = "rows.csv.xz";

/// A larger table is split between rows into parts of at most this size.
const PART: usize = 280_000;

/// The name of a part of a table.
fn part(number: usize, parts: usize) -> String {
    match parts {
        1 => TABLE.to_owned(),
        _ => format!("rows-{number}-of-{parts}.csv.xz"),
    }
}

/// The size limit of a table: the largest that is kept has 5 MB.
const MOST: u64 = 256 << 20;

/// The file that the rows of a run are in.
pub fn rows(path: &Path) -> PathBuf {
    if path.is_dir() { parts_of(path).swap_remove(0) } else { path.to_owned() }
}

/// Writes a run into a new folder, and says how many bytes it has.
///
/// # Errors
/// If the folder exists, or cannot be written. It is removed then.
pub fn write(run: &Run, folder: &Path) -> Result<u64> {
    let cannot = || format!("cannot write {}", folder.display());
    let (machine, table) = (machine(run)?, table(&run.records, PART).with_context(cannot)?);
    fs::create_dir(folder).with_context(cannot)?;
    let mut files = vec![(MACHINE.to_owned(), &machine)];
    files.extend(table.iter().enumerate().map(|(i, bytes)| (part(i + 1, table.len()), bytes)));
    let written = files.iter().try_for_each(|(name, bytes)| {
        let mut file = File::create_new(folder.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()
    });
    if written.is_err() {
        _ = fs::remove_dir_all(folder);
    }
    written.with_context(cannot)?;
    Ok(files.iter().map(|(_, bytes)| bytes.len() as u64).sum())
}

/// Reads a folder again.
///
/// # Errors
/// If either file cannot be read, or is not in the format of [`write`].
pub(super) fn read(folder: &Path) -> Result<Run> {
    let of_machine = folder.join(MACHINE);
    let cannot = |path: &Path| format!("cannot read {}", path.display());
    let text = fs::read(&of_machine).with_context(|| cannot(&of_machine))?;
    let (machine, warnings) =
        machine_of(&text).with_context(|| format!("{}", of_machine.display()))?;
    let parts = parts_of(folder);
    let mut table = Vec::new();
    for path in &parts {
        let unpacked = File::open(path).and_then(|file| unpacked(file, MOST - table.len() as u64));
        table.extend(unpacked.with_context(|| cannot(path))?);
    }
    let mut run = Run { machine, warnings, ..Run::default() };
    rows_of(&table, &mut run).with_context(|| cannot(&parts[0]))?;
    Ok(run)
}

/// The files of the table of a folder: as many as its first part states, whether they exist or not.
fn parts_of(folder: &Path) -> Vec<PathBuf> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let parts = |name: &str| name.strip_prefix("rows-1-of-")?.strip_suffix(".csv.xz")?.parse().ok();
    let parts =
        names.filter_map(|name| parts(name.to_str()?)).find(|parts| (2..=99).contains(parts));
    let parts = if folder.join(TABLE).exists() { 1 } else { parts.unwrap_or(1) };
    (1..=parts).map(|number| folder.join(part(number, parts))).collect()
}

fn machine(run: &Run) -> Result<Vec<u8>> {
    let unknown = || json!({"schema": SCHEMA, "record": "machine"});
    let mut machine = run.machine.clone().unwrap_or_else(unknown);
    if !run.warnings.is_null() {
        machine[Warnings::RECORD] = run.warnings.clone();
    }
    let mut text = serde_json::to_vec_pretty(&machine)?;
    text.push(b'\n');
    Ok(text)
}

/// The machine, if the run has it, and the warnings.
fn machine_of(text: &[u8]) -> Result<(Option<Value>, Value)> {
    let mut machine: Value = serde_json::from_slice(text)?;
    if machine["record"] != "machine" {
        bail!("it is no machine of a run");
    }
    if machine["schema"] != SCHEMA {
        bail!("it is of schema {}, and this command knows {SCHEMA}", machine["schema"]);
    }
    let fields = machine.as_object_mut().context("it is no object")?;
    let warnings = fields.shift_remove(Warnings::RECORD).unwrap_or_default();
    let known = fields.len() > 2;
    Ok((known.then_some(machine), warnings))
}

/// The table in parts, each compressed to `most` bytes or fewer where rows are small enough.
fn table(records: &[Record], most: usize) -> Result<Vec<Vec<u8>>> {
    let lines = fold(records).into_iter().map(|line| {
        let mut value = serde_json::to_value(line.record)?;
        if line.every_size {
            [BYTES, "mix", "limit_cycles"].iter().for_each(|name| value[name] = Value::Null);
        }
        Ok(COLUMNS.iter().map(|column| cell(&value, *column)).collect::<Vec<String>>())
    });
    let lines = lines.collect::<Result<Vec<_>>>()?;
    let used: Vec<usize> =
        (0..COLUMNS.len()).filter(|i| lines.iter().any(|line| !line[*i].is_empty())).collect();
    let header: Vec<&str> = used.iter().map(|i| COLUMNS[*i].0).collect();
    let rows: Vec<Vec<&str>> =
        lines.iter().map(|line| used.iter().map(|i| line[*i].as_str()).collect()).collect();
    let mut parts = 1;
    loop {
        let each = rows.len().div_ceil(parts).max(1);
        let mut table = Vec::new();
        for (i, rows) in rows.chunks(each).enumerate() {
            let header = (i == 0).then_some(&header);
            table.push(packed(&csv_of(header.into_iter().chain(rows))?)?);
        }
        if table.is_empty() {
            table.push(packed(&csv_of([&header].into_iter())?)?);
        }
        if each == 1 || table.iter().all(|part| part.len() <= most) {
            return Ok(table);
        }
        let largest = table.iter().map(Vec::len).max().unwrap_or(0);
        parts = (table.len() * largest.div_ceil(most)).max(table.len() + 1);
    }
}

fn csv_of<'a>(lines: impl Iterator<Item = &'a Vec<&'a str>>) -> Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    for line in lines {
        csv.write_record(line)?;
    }
    Ok(csv.into_inner().map_err(|e| e.into_error())?)
}

fn rows_of(table: &[u8], run: &mut Run) -> Result<()> {
    let mut csv = csv::Reader::from_reader(table);
    let header = csv.headers()?.clone();
    let columns: Vec<Option<Column>> = header.iter().map(named).collect();
    let mut lines = Vec::new();
    let mut row = StringRecord::new();
    loop {
        let line = csv.position().line();
        let read = match csv.read_record(&mut row) {
            Ok(false) => break,
            Ok(true) => line_of(&row, &columns),
            Err(why) => Err(why.to_string()),
        };
        match read {
            Ok(line) => lines.push(line),
            Err(why) => run.damaged.push((line as usize, why)),
        }
    }
    run.records = unfold(lines);
    Ok(())
}

fn named(name: &str) -> Option<Column> {
    COLUMNS.iter().copied().find(|(column, _)| *column == name)
}

/// A row. Columns with unknown names are those of a newer version.
fn line_of(row: &StringRecord, columns: &[Option<Column>]) -> Result<Line, String> {
    let mut value = json!({"schema": SCHEMA, BYTES: 0});
    // A column of only empty texts is omitted.
    let texts = COLUMNS.iter().filter(|(_, kind)| *kind == Kind::Text);
    texts.for_each(|(name, _)| value[name] = "".into());
    let mut every_size = true;
    for (column, cell) in columns.iter().zip(row) {
        let Some(column) = column else { continue };
        put(&mut value, *column, cell)?;
        every_size &= column.0 != BYTES || cell.is_empty();
    }
    let record: Record = serde_json::from_value(value).map_err(|e| plain(&e))?;
    sound(&record)?;
    match every_size && record.ns.is_some() {
        true => Err(format!("`{BYTES}` is empty, and there is a figure")),
        false => Ok(Line { record, every_size }),
    }
}

/// A dictionary of eight megabytes is larger than any table, and text has no alignment.
fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    const EXTREME: u32 = 1 << 31;
    let mut options = LzmaOptions::new_preset(6 | EXTREME)?;
    options.literal_context_bits(4).position_bits(0);
    let mut filters = Filters::new();
    filters.lzma2(&options);
    let stream = Stream::new_stream_encoder(&filters, Check::Crc32)?;
    let mut encoder = XzEncoder::new_stream(Vec::new(), stream);
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

fn unpacked(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    XzDecoder::new(file).take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::other(format!("more than {MOST} bytes are in the table"))),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Seek;

    use super::*;
    use crate::{
        measure::{latency::Latency, statistics::Turns},
        record::{Answer, tests::record},
    };

    /// A folder with this table.
    fn folder(csv: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(MACHINE), machine(&Run::default()).unwrap()).unwrap();
        fs::write(folder.path().join(TABLE), packed(csv.as_bytes()).unwrap()).unwrap();
        folder
    }

    const HEADER: &str = "task,op,bytes,count,mode,peer,threads,answer,ns,turns.ns,colour";
    const ROW: &str = "sha256,digest,64,1,message,ring,1,right,12.5,12.4 1 2,red";

    #[test]
    fn a_run_comes_back() {
        let absent = |bytes| Record {
            peer: "none".into(),
            ns: None,
            answer: Answer::None,
            note: "has no SHA-256, \"yet\"".into(),
            limit_cycles: Some(9.0),
            ..record("sha256", bytes, 1.0)
        };
        let full = Record {
            version: Some("x 1".into()),
            ns_low: Some(12.344_444),
            limit_cycles: Some(9.0),
            cold: Some(true),
            mb_per_s: Some(3.0),
            latency: Some(Latency { calls: 9, p50: 3, p99: None, p999: None }),
            turns: Some(Turns { ns: vec![12.346, 12.345], cycles: Vec::new() }),
            ..record("sha256", 64, 12.345_678)
        };
        let run = Run {
            machine: Some(json!({"schema": SCHEMA, "record": "machine", "kernel": "6.1"})),
            warnings: json!([{"number": 5, "text": "a governor"}]),
            records: vec![absent(16), record("sha256", 16, 3.0), absent(64), full.clone()],
            damaged: Vec::new(),
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it");
        write(&run, &path).unwrap();
        let again = Run::read(&path).unwrap();
        assert_eq!((&again.machine, &again.warnings), (&run.machine, &run.warnings));
        assert!(again.damaged.is_empty(), "{:?}", again.damaged);
        let told = |record: &Record| serde_json::to_value(record).unwrap();
        let without_limit = |bytes| Record { limit_cycles: None, ..absent(bytes) };
        let want = Record {
            ns: Some(12.35),
            ns_low: Some(12.34),
            mb_per_s: None,
            turns: Some(Turns { ns: vec![12.345, 12.346], cycles: Vec::new() }),
            ..full
        };
        let want = [without_limit(16), record("sha256", 16, 3.0), without_limit(64), want];
        assert_eq!(
            again.records.iter().map(told).collect::<Vec<_>>(),
            want.iter().map(told).collect::<Vec<_>>()
        );
        let twice = write(&run, &path).unwrap_err();
        assert!(format!("{twice:#}").starts_with("cannot write"), "{twice:#}");
        assert_eq!(Run::read(&path).unwrap().records.len(), 4, "and it is as it was");
    }

    #[test]
    fn whole_rows_count_and_others_are_told() {
        let rows = [
            ROW,
            &ROW.replace("64", "sixty"),
            "sha256,digest",
            &ROW.replace("12.5", "-12.5"),
            &ROW.replace("right", "left"),
            &ROW.replace(",64,", ",,"),
            ROW,
        ];
        let run = read(folder(&format!("{HEADER}\n{}\n", rows.join("\n"))).path()).unwrap();
        assert_eq!((run.records.len(), run.machine), (2, None));
        assert_eq!(run.records[0].turns.as_ref().unwrap().ns, [12.4, 12.5, 12.7]);
        let wants = [
            (3, "`bytes` is `sixty`, which is no whole number"),
            (4, "fields"),
            (5, "above zero"),
            (6, "`left`"),
            (7, "`bytes` is empty"),
        ];
        assert_eq!(run.damaged.len(), wants.len(), "{:?}", run.damaged);
        for ((line, why), (at, want)) in run.damaged.iter().zip(wants) {
            assert!(*line == at && why.contains(want), "{line}: {why}");
        }
    }

    #[test]
    fn files_that_are_damaged_are_named() {
        let fails = |folder: &Path, file: &str| {
            let why = format!("{:#}", Run::read(folder).err().expect("it is read"));
            assert!(why.contains(file) && !why.contains('\n'), "{why}");
        };
        let it = folder("no,header\n1,2\n");
        fails(it.path(), "no line is a measurement; line 2: unknown variant");
        let it = folder(&format!("{HEADER}\n{ROW}\n"));
        let (of_machine, of_rows) = (it.path().join(MACHINE), it.path().join(TABLE));
        let whole = fs::read(&of_rows).unwrap();
        for bytes in [&whole[..whole.len() / 2], b"", b"plain,text\n"] {
            fs::write(&of_rows, bytes).unwrap();
            fails(it.path(), TABLE);
        }
        fs::write(&of_rows, whole).unwrap();
        for text in ["", "[]", r#"{"record": "x"}"#, r#"{"record": "machine", "schema": 7}"#] {
            fs::write(&of_machine, text).unwrap();
            fails(it.path(), MACHINE);
        }
        fs::remove_file(&of_machine).unwrap();
        fails(it.path(), MACHINE);
    }

    /// The same run gives the same bytes, and repetition takes little space.
    #[test]
    fn tables_are_small() {
        let run = |n: usize| (1..=n).map(|i| record("sha256", i, 100.0)).collect::<Vec<_>>();
        let table = |n: usize| table(&run(n), PART).unwrap();
        let ([few], [many]) = (&table(1)[..], &table(1000)[..]) else { panic!("one part each") };
        assert_eq!(std::slice::from_ref(many), table(1000));
        assert!(many.len() < few.len() + 3000, "{} {}", few.len(), many.len());
    }

    /// Parts are within the limit, and their concatenation is the table. A missing part is named.
    #[test]
    fn large_tables_are_several_files() {
        let records: Vec<Record> =
            (1..=400).map(|i| record("sha256", i, i as f64 * 1.618)).collect();
        let whole = table(&records, PART).unwrap();
        let parts = table(&records, 600).unwrap();
        assert!(parts.len() > 2 && parts.iter().all(|part| part.len() <= 600));
        let plain = |parts: &[Vec<u8>]| {
            let file = |bytes: &Vec<u8>| {
                let mut file = tempfile::tempfile().unwrap();
                file.write_all(bytes).unwrap();
                file.rewind().unwrap();
                unpacked(file, MOST).unwrap()
            };
            parts.iter().flat_map(file).collect::<Vec<u8>>()
        };
        assert_eq!(plain(&whole), plain(&parts));

        let it = folder("");
        fs::remove_file(it.path().join(TABLE)).unwrap();
        for (i, bytes) in parts.iter().enumerate() {
            fs::write(it.path().join(part(i + 1, parts.len())), bytes).unwrap();
        }
        let run = read(it.path()).unwrap();
        assert_eq!((run.records.len(), run.damaged.len()), (400, 0));
        let last = part(parts.len(), parts.len());
        fs::remove_file(it.path().join(&last)).unwrap();
        let why = format!("{:#}", Run::read(it.path()).err().expect("a part is missing"));
        assert!(why.contains(&last), "{why}");
    }
}
