//! `ropewalk compare`: which rows became faster or slower between two runs.

use std::{ffi::OsString, io::Write, path::PathBuf, sync::atomic::Ordering::Relaxed};

use anyhow::{Result, bail};
use clap::{ArgMatches, Args, FromArgMatches};

use super::{
    Command, Exit, Usage, World,
    ending::stop_on_ctrl_c,
    kept::{place, read},
    plan,
};
use crate::{
    compare::{Row, Verdict, machines, rows},
    filename::{shown, text_shown},
    report::output::Output,
    runs::{Run, light},
    session::Ended,
};

mod lines;
mod list;
mod live;
mod table;
use live::{FORMS, Side};

/// `compare`.
pub(super) struct Compare;

#[derive(Debug, Args)]
struct Options {
    /// The run to compare with: the name of a kept run, a file of `speed --json` or a folder of --export; or a measurement to
    /// make now: mask:-FEATURE,... or mask:none, peer:NAME, lib:PATH
    #[arg(value_name = "A", required_unless_present = "list")]
    a: Option<OsString>,
    /// The run that may be faster or slower, or a measurement to make now, interleaved with A
    #[arg(value_name = "B", required_unless_present_any = ["list", "export"])]
    b: Option<OsString>,
    /// Tasks, such as aes-128-ctr or aes-128-ctr/encrypt [default: all tasks of the runs]
    #[arg(value_name = "TASK")]
    tasks: Vec<String>,
    /// Lists the kept runs
    #[arg(long, conflicts_with_all = ["a", "b", "tasks", "fail_on", "json"])]
    list: bool,
    /// Writes the run A in a smaller form into this new folder: machine.json and a compressed table, rows.csv.xz
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["b", "list", "tasks", "fail_on", "json"])]
    export: Option<PathBuf>,
    /// For measurements made now: sizes of messages, as in `speed`
    #[arg(long, value_name = "LIST")]
    bytes: Option<String>,
    /// For measurements made now: messages in each call, as in `speed`
    #[arg(long, value_name = "LIST")]
    count: Option<String>,
    /// For measurements made now: time for each row and size, as in `speed`
    #[arg(long, value_name = "S")]
    seconds: Option<String>,
    /// For masks measured now: libraries in addition to ropewalk, as in `speed` [default: none]
    #[arg(long, value_name = "LIST")]
    peers: Option<String>,
    /// Ends with status 3 if a row is slower by more than this beyond doubt, such as 5%
    #[arg(long, value_name = "PERCENT")]
    fail_on: Option<String>,
    /// Writes the comparison to a file as JSON lines; `-` is standard output, without the tables
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

const HELP: &str = "\
Rows are the same that have the same task, operation, size, count, mode, mix, keys, kind of library, backend, mask and \
threads; their versions may differ. A verdict is `faster` or `slower` where a Mann-Whitney U test of the medians of turns \
finds a difference (p < 0.05) of 1 % or more, and else `~`. Core cycles are compared where both runs have them, and else \
nanoseconds. The ratio is the median of every turn of B over every turn of A, with its 95 % interval. Rows of files without \
turns are compared by interval: `~` where those of their medians overlap.

The test knows the noise within a run, and not what a machine does between two: on a busy one, rows of one build differ by 1 \
to 3 %. Libraries that are the same in both runs show how much, in the last line.

Figures of an exported run have four significant digits, and the medians of turns have all of theirs: a comparison finds the \
same as of the run itself. What follows from other figures is left out, such as MB/s.

Two masks or two libraries are compared as they are measured, turn by turn: compare mask:none mask:-avx512f aes-128-gcm, or \
compare peer:ropewalk lib:/usr/lib/x86_64-linux-gnu/libcrypto.so.3 sha256. A row is the default code of the library.

Exit status: 0 no row is slower by more than --fail-on, 3 some row is, 1 it failed (no row is in both, or a file has no \
whole line), 2 usage. Rows that only one run has do not count.";

impl Command for Compare {
    fn words(&self) -> clap::Command {
        Options::augment_args(clap::Command::new("compare"))
            .about("Says what has become faster or slower from one run of speed to another")
            .after_help(HELP)
    }

    fn run(&self, given: &ArgMatches, world: &World) -> Result<Exit> {
        let options = Options::from_arg_matches(given)?;
        if options.list {
            write!(anstream::stdout().lock(), "{}", text_shown(&list::list()?))?;
            return Ok(Exit::Fine);
        }
        if let Some(folder) = &options.export {
            options.kept()?;
            let run = read(&place(&options.a.unwrap_or_default())?)?;
            let bytes = light::write(&run, folder)?;
            let kilobytes = bytes.div_ceil(1000);
            anstream::eprintln!("written: {}, {kilobytes} kB", folder.display());
            return Ok(Exit::Fine);
        }
        let fail_on = options.fail_on.as_deref().map(percent).transpose()?;
        let tasks = match options.tasks.is_empty() {
            true => None,
            false => Some(plan::tasks(&options.tasks)?),
        };
        let wanted = |record: &crate::record::Record| {
            tasks.as_ref().is_none_or(|tasks| {
                tasks.iter().any(|task| task.name == record.task && task.op == record.op)
            })
        };
        let [a, b] = [&options.a, &options.b].map(|name| name.clone().unwrap_or_default());
        let sides = (Side::parse(&a, world)?, Side::parse(&b, world)?);
        let [mut of_a, mut of_b] = match sides {
            (Some(a), Some(b)) => match options.live(&[a, b], world)? {
                Some(runs) => runs,
                None => return Ok(Exit::Interrupted),
            },
            (None, None) => {
                options.kept()?;
                let (of_a, of_b) = (place(&a)?, place(&b)?);
                [read(&of_a)?, read(&of_b)?]
            }
            _ => {
                return Err(Usage(format!(
                    "a kept run and one to be measured: both must be kept, or both {FORMS}"
                ))
                .into());
            }
        };
        of_a.records.retain(wanted);
        of_b.records.retain(wanted);

        let (a, b) = (shown(a), shown(b));
        let rows = rows(&of_a.records, &of_b.records);
        if !rows.iter().any(|row| matches!(row, Row::Both(..))) {
            bail!("no row is in both {a} and {b}");
        }
        let differences = machines::differences(&of_a, &of_b, &rows);
        let mut output = Output::open(options.json.as_deref())?;
        output.record(&lines::Head::new((&a, &of_a), (&b, &of_b), &differences))?;
        output.say(table::head((&a, &of_a), (&b, &of_b), &differences).trim_end())?;
        for row in &rows {
            output.record(&lines::Line::new(row))?;
        }
        for table in table::tables(&rows) {
            output.say(&table)?;
        }
        let summary = lines::Summary::new(&rows);
        output.record(&summary)?;
        output.say(&summary.to_string())?;
        output.finish()?;
        Ok(match fail_on.is_some_and(|most| rows.iter().any(|row| slower(row, most))) {
            true => Exit::Slower,
            false => Exit::Fine,
        })
    }
}

impl Options {
    /// Measures both, unless the user interrupts.
    fn live(&self, sides: &[Side; 2], world: &World) -> Result<Option<[Run; 2]>> {
        if sides[0] == sides[1] {
            return Err(Usage(format!(
                "{}: it would be compared with itself",
                live::told(&sides[0])
            ))
            .into());
        }
        if sides.iter().filter(|side| matches!(side, Side::Mask(_))).count() == 1 {
            return Err(Usage("a mask is compared with another mask".into()).into());
        }
        let stop = stop_on_ctrl_c()?;
        let wanted = live::Wanted { tasks: &self.tasks, options: &self.of_speed() };
        match live::measure(sides, &wanted, world, &stop) {
            Ok(_) | Err(Ended::Interrupted) if stop.load(Relaxed) => Ok(None),
            Ok(runs) => Ok(Some(runs)),
            Err(Ended::Interrupted) => Ok(None),
            Err(Ended::Failed(error)) => Err(error),
        }
    }

    /// The options for sides that are measured now.
    fn of_speed(&self) -> Vec<String> {
        let given = [
            ("bytes", &self.bytes),
            ("count", &self.count),
            ("seconds", &self.seconds),
            ("peers", &self.peers),
        ];
        given
            .iter()
            .filter_map(|(name, value)| Some(format!("--{name}={}", value.as_ref()?)))
            .collect()
    }

    /// Refuses options for measuring, since kept runs are already measured.
    fn kept(&self) -> Result<(), Usage> {
        match self.of_speed().first() {
            Some(word) => Err(Usage(format!("{word} is for sides that are measured now: {FORMS}"))),
            None => Ok(()),
        }
    }
}

/// Whether a row is significantly slower by more than `most`.
fn slower(row: &Row<'_>, most: f64) -> bool {
    matches!(row, Row::Both(_, _, found) if found.verdict == Verdict::Slower && found.ratio > 1.0 + most)
}

/// `5%`, or `5`, is 0.05.
fn percent(text: &str) -> Result<f64, Usage> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>().ok();
    let number = number.filter(|number| number.is_finite() && *number >= 0.0);
    let number = number.map(|number| number / 100.0);
    number.ok_or_else(|| Usage(format!("--fail-on: `{text}` is no number of per cent, such as 5%")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn per_cent_may_have_its_sign() {
        for (text, want) in [("5%", 0.05), ("5", 0.05), ("0.5 %", 0.005), ("0", 0.0), ("120%", 1.2)]
        {
            assert!((percent(text).unwrap() - want).abs() < 1e-12, "{text}");
        }
        for text in ["", "%", "-1%", "five", "nan", "inf", "5%%"] {
            assert!(percent(text).is_err(), "{text}");
        }
    }
}
