//! `ropewalk speed aes-options`: the ways to compute AES-128, in one table.

use std::io::{self, Write as _};

use anyhow::Result;
use clap::{ArgMatches, parser::ValueSource};
use comfy_table::{CellAlignment, Table};
use serde_json::{Value, json};

use super::super::{Command, Exit, Usage, World, plan};
use crate::{
    aes_options::{
        ciphers::{AesOption, OPTIONS},
        code::Functions,
        measured::{Outcome, Speed, measure},
        verdicts,
    },
    here::Here,
    measure::{
        clock::{Clock, TELLS_CYCLES},
        pin::{Cores, pin},
    },
    record::SCHEMA,
    report::{figures, json::Sink, output::width, short, table::STYLE, words},
    tasks::size,
    warn::{Warning, warn},
};

/// What stands in the place of a task.
const NAME: &str = "aes-options";

/// The options of `speed` that this table has.
const ALLOWED: [&str; 5] = ["bytes", "seconds", "json", "quiet", "color"];

/// One block, and a text for which all wide backends are made.
const SIZES: [usize; 2] = [16, 16 << 10];

/// Seconds of an option at a size.
const SECONDS: f64 = 0.1;

/// Whether this table is wanted.
pub(super) fn is_wanted(options: &plan::Options) -> bool {
    options.tasks.iter().any(|task| task == NAME)
}

/// Measures, and prints the table or writes the records.
pub(super) fn run(options: &plan::Options, given: &ArgMatches, world: &World) -> Result<Exit> {
    check(options, given)?;
    let sizes = sizes(options, given)?;
    let seconds = options.seconds.map(|s| plan::seconds("--seconds", s)).transpose()?;
    let seconds = seconds.unwrap_or(SECONDS);
    let sink = options.json.as_deref().map(Sink::open).transpose()?;
    if cfg!(debug_assertions) {
        warn(&Warning::DebugBuild);
    }
    if let Err(e) = Cores::choose().and_then(|cores| pin(cores.workers)) {
        warn(&Warning::NotPinned(e.to_string()));
    }
    if !TELLS_CYCLES {
        warn(&Warning::NoCycles);
    }
    let clock = Clock::calibrate(None);
    let here = Here::look(clock.quiet(), Some(seconds));
    let functions = Functions::read();
    let outcomes = measure(OPTIONS, &sizes, seconds, &clock);
    let code = |option: &AesOption| functions.as_ref().ok()?.bytes(option.code);
    let rows: Vec<Row> = OPTIONS
        .iter()
        .zip(outcomes)
        .map(|(option, outcome)| Row { option, code: code(option), outcome })
        .collect();
    match sink {
        Some(sink) => write(sink, &here, &rows)?,
        None => {
            let missing = functions.as_ref().err().map(|error| format!("code: {error:#}"));
            print(&here, &sizes, &rows, missing, world.quiet)?;
        }
    }
    let wrong = rows.iter().any(|row| matches!(row.outcome, Outcome::Wrong));
    Ok(if wrong { Exit::Wrong } else { Exit::Fine })
}

/// An option with all that is known of it.
struct Row {
    option: &'static AesOption,
    code: Option<u64>,
    outcome: Outcome,
}

fn check(options: &plan::Options, given: &ArgMatches) -> Result<(), Usage> {
    if let Some(other) = options.tasks.iter().find(|task| *task != NAME) {
        return Err(Usage(format!("{NAME} has a table of its own: not with `{other}`")));
    }
    let words = super::Speed.words();
    let others = words.get_arguments().filter(|arg| !ALLOWED.contains(&arg.get_id().as_str()));
    let mut others = others.filter_map(|arg| Some((arg.get_id().as_str(), arg.get_long()?)));
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    match others.find(|(id, _)| is_given(id)) {
        Some((_, long)) => Err(Usage(format!(
            "--{long}: {NAME} has --bytes, --seconds, --json, --quiet and --color"
        ))),
        None => Ok(()),
    }
}

/// Whole blocks.
fn sizes(options: &plan::Options, given: &ArgMatches) -> Result<Vec<usize>, Usage> {
    if super::is_default(given, "bytes") {
        return Ok(SIZES.into());
    }
    let whole = |text: &String| match size::parse(text).map_err(Usage)? {
        bytes if bytes.is_multiple_of(16) => Ok(bytes),
        bytes => Err(Usage(format!("--bytes {bytes}: {NAME} encrypts multiples of 16 bytes"))),
    };
    plan::unique(options.bytes.iter().map(whole))
}

fn write(mut sink: Sink, here: &Here, rows: &[Row]) -> Result<()> {
    sink.write(&here.machine)?;
    for row in rows {
        match &row.outcome {
            Outcome::Measured(speeds) => {
                speeds.iter().try_for_each(|speed| sink.write(&record(row, Some(speed), "")))?;
            }
            Outcome::NotHere => sink.write(&record(row, None, NOT_HERE))?,
            Outcome::Wrong => sink.write(&record(row, None, WRONG))?,
        }
    }
    sink.finish()
}

const NOT_HERE: &str = "this processor lacks an instruction";
const WRONG: &str = "its answer is wrong, so it was not timed";

fn record(Row { option, code, .. }: &Row, speed: Option<&Speed>, note: &str) -> Value {
    let bytes = speed.map(|speed| speed.bytes);
    let each = |of: f64| bytes.map(|bytes| of / bytes as f64);
    json!({
        "schema": SCHEMA,
        "record": "aes-option",
        "option": option.name,
        "bytes": bytes,
        "ns": speed.map(|speed| speed.ns),
        "ns_low": speed.and_then(|speed| Some(speed.interval?.0)),
        "ns_high": speed.and_then(|speed| Some(speed.interval?.1)),
        "cycles": speed.and_then(|speed| speed.cycles),
        "cycles_per_byte": speed.and_then(|speed| each(speed.cycles?)),
        "mb_per_s": speed.map(Speed::mb_per_s),
        "code_bytes": code,
        "table_bytes": option.tables,
        "ram_bytes": option.ram,
        "constant_time": verdicts::of(option.name),
        "note": note,
    })
}

fn print(
    here: &Here,
    sizes: &[usize],
    rows: &[Row],
    missing: Option<String>,
    quiet: bool,
) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "AES-128 encryption of blocks, {}", short::brand(&here.processor))?;
    let mut table = Table::new();
    table.load_style(STYLE);
    let of_size = |bytes: &usize| {
        let name = size::format(*bytes);
        [format!("{name}\nMB/s"), format!("{name}\nc/B")]
    };
    let heads = ["code\nbytes", "tables\nbytes", "RAM\nbytes", "constant\ntime"].map(str::to_owned);
    table
        .set_header([String::new()].into_iter().chain(sizes.iter().flat_map(of_size)).chain(heads));
    for Row { option, code, outcome } in rows {
        let speeds: Vec<String> = match outcome {
            Outcome::Measured(speeds) => speeds.iter().flat_map(cells).collect(),
            Outcome::NotHere => {
                sizes.iter().flat_map(|_| ["not here", ""]).map(Into::into).collect()
            }
            Outcome::Wrong => sizes.iter().flat_map(|_| ["WRONG", ""]).map(Into::into).collect(),
        };
        let of_code = [
            code.map_or("-".into(), |bytes| bytes.to_string()),
            option.tables.map_or("-".into(), |bytes| bytes.to_string()),
            option.ram.to_string(),
            verdicts::in_a_word(&verdicts::of(option.name)).to_owned(),
        ];
        table.add_row([option.name.to_owned()].into_iter().chain(speeds).chain(of_code));
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        let first = i == 0;
        column.set_padding((if first { 0 } else { 2 }, 0));
        column.set_cell_alignment(if first { CellAlignment::Left } else { CellAlignment::Right });
    }
    writeln!(out, "{}", table.trim_fmt())?;
    if quiet {
        return Ok(());
    }
    if let Some(missing) = missing {
        write!(out, "{}", words::indented(&missing, width()))?;
    }
    let longest = OPTIONS.iter().map(|option| option.name.len()).max().unwrap_or(0);
    for option in OPTIONS {
        let head = format!("{:longest$}  ", option.name);
        write!(out, "{}", words::hanging(&head, option.is, width()))?;
    }
    writeln!(out, "{}", words::paragraph(LEGEND, width()))
}

const LEGEND: &str = "\
constant time: no if memcheck or a trace found a branch or an address that depends on a secret, on x86-64 (`cargo xtask ct aes`); \
- if neither has run it. Options with `no` are here for comparison only and must not be used. tables: - of the library, whose \
constants are not counted. RAM: a key, with tables that are computed.";

fn cells(speed: &Speed) -> [String; 2] {
    let cycles = speed.cycles.map(|cycles| figures::cycles(cycles / speed.bytes as f64));
    [figures::plain(speed.mb_per_s()), cycles.unwrap_or("-".into())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches;

    fn checked(words: &str) -> Result<Vec<usize>, String> {
        let speed = crate::commands::words();
        let given = speed.try_get_matches_from(words.split(' ')).unwrap();
        let (_, given) = given.subcommand().unwrap();
        let options = plan::Options::from_arg_matches(given).unwrap();
        assert!(is_wanted(&options));
        let checked = check(&options, given).and_then(|()| sizes(&options, given));
        checked.map_err(|Usage(why)| why)
    }

    #[test]
    fn words_that_do_not_fit_are_named_with_those_that_do() {
        assert_eq!(checked("ropewalk speed aes-options"), Ok(vec![16, 16384]));
        assert_eq!(checked("ropewalk speed aes-options --bytes 1K,32 -q"), Ok(vec![1024, 32]));
        for (words, want) in [
            ("sha256 aes-options", "aes-options has a table of its own: not with `sha256`"),
            ("aes-options --bytes 100", "--bytes 100: aes-options encrypts multiples of 16 bytes"),
            (
                "aes-options --count 2",
                "--count: aes-options has --bytes, --seconds, --json, --quiet and --color",
            ),
            (
                "aes-options --wide",
                "--wide: aes-options has --bytes, --seconds, --json, --quiet and --color",
            ),
        ] {
            assert_eq!(checked(&format!("ropewalk speed {words}")), Err(want.to_owned()));
        }
    }
}
