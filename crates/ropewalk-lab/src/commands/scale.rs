//! `ropewalk scale`: how speed grows with cores, with what.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use anyhow::{Context, Result};
use clap::{ArgMatches, Args, FromArgMatches};
use comfy_table::{CellAlignment, Table};

use super::{
    Command, Exit, Usage, World,
    plan::{self, Plan, unique},
    speed::{Ended, boards, calls, enter, head, line, progress, stop_on_ctrl_c},
};
use crate::{
    here::Here,
    measure::{
        entrant::{Entrant, Failed},
        field::Row,
        pin,
        race::Outcome,
        reference,
        scaling::{self, Scaled},
    },
    record::Record,
    report::{figures, output::Output, table::STYLE},
    tasks::Cell,
};

/// `scale`.
pub(super) struct Scale;

// Those of `speed` within it have the name that it would have.
#[derive(Debug, Args)]
#[group(id = "scale")]
struct Options {
    #[command(flatten)]
    of_speed: plan::Options,
    /// How many cores work at the same time; 1, 2, 4 and so on, and all, unless given
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    threads: Vec<usize>,
}

impl Command for Scale {
    fn words(&self) -> clap::Command {
        let seconds =
            "Time for each row, size and number of threads, in seconds; 0.15 unless given";
        Options::augment_args(clap::Command::new("scale"))
            .about("Measures what several cores do at the same time, beside what arithmetic does")
            .mut_arg("bytes", |bytes| bytes.default_value("16384"))
            .mut_arg("seconds", |arg| arg.help(seconds))
    }

    fn run(&self, given: &ArgMatches, world: &World) -> Result<Exit> {
        let options = Options::from_arg_matches(given)?;
        let plan = Plan::new(&options.of_speed, world)?;
        // Those of the workers, before this process stays on one itself. The last come first, as in `speed`.
        let mut cores = pin::allowed().context("the system does not tell its cores")?;
        cores.reverse();
        let threads = threads(&options.threads, cores.len())?;
        cores.truncate(threads.iter().copied().max().unwrap_or(1));
        let json: Option<PathBuf> = options.of_speed.json;
        let mut output = Output::open(json.as_deref())?;
        let stop = stop_on_ctrl_c()?;
        let course = Course { plan: &plan, cores: &cores, threads: &threads, stop: &stop };
        let mut any = false;
        match course.run(world, &mut output, &mut any) {
            Ok(()) | Err(Ended::Interrupted) => {}
            Err(Ended::Failed(error)) => return Err(error),
        }
        if any {
            output.say(LEGEND)?;
        }
        // A file from an earlier run is worth more than nothing.
        if any || !stop.load(Relaxed) {
            output.finish()?;
        }
        Ok(if stop.load(Relaxed) { Exit::Interrupted } else { Exit::Fine })
    }
}

const LEGEND: &str = "\
Bytes a second, or messages or keys: of all cores together, and of each. Efficiency is what they do together over what
the same cores do one at a time; arithmetic is the same of sums and products on registers, in the same turns, which is
the machine's part. The library's is the first over the second.";

/// In order, each once; those that double, and all, unless given.
fn threads(given: &[usize], cores: usize) -> Result<Vec<usize>, Usage> {
    let mut threads = unique(given.iter().map(|threads| match threads {
        0 => Err(Usage("--threads: one works at least".into())),
        many if *many > cores => Err(Usage(format!(
            "--threads {many}: this process may run on {cores} {}",
            if cores == 1 { "core" } else { "cores" }
        ))),
        some => Ok(*some),
    }))?;
    if threads.is_empty() {
        let doubled = std::iter::successors(Some(1), |threads| Some(threads * 2));
        threads.extend(doubled.take_while(|threads| *threads < cores).chain([cores]));
    }
    threads.sort_unstable();
    Ok(threads)
}

/// What is done, on what.
struct Course<'a> {
    plan: &'a Plan,
    cores: &'a [usize],
    threads: &'a [usize],
    stop: &'a AtomicBool,
}

/// What became of a row: its records, or why there are none.
type Rows = Vec<(String, Vec<Record>)>;

impl Course<'_> {
    /// `any` says whether there are figures, even where it fails.
    fn run(&self, world: &World, output: &mut Output, any: &mut bool) -> Result<(), Ended> {
        let (mut entrants, quiet, _) = enter(self.plan, world, self.stop)?;
        let here = Here::look(quiet.get());
        output.record(&here.machine)?;
        let mut boards = boards(self.plan, &mut entrants, self.stop)?;
        output.say(&head(&here, &entrants))?;
        boards.iter_mut().for_each(|board| board.keep_chosen(self.plan, &entrants));
        let bar = progress(boards.iter().map(|board| board.rows.len() * board.cells.len()).sum());
        for board in &boards {
            for (cell, words) in &board.cells {
                bar.set_message(format!("{}, {words}", board.task.full_name()));
                let answer = reference::answer(cell).map_err(|why| why.0);
                let mut rows = Rows::new();
                for row in &board.rows {
                    let entrant = &entrants[row.entrant];
                    let outcome = self.scale(entrant, row, cell, &answer)?;
                    let records = self.records(cell, entrant, row, outcome);
                    for record in &records {
                        output.record(record)?;
                        *any |= record.ns.is_some();
                    }
                    rows.push((label(entrant, row), records));
                    bar.inc(1);
                }
                let what = calls(board.count, self.plan.mode, self.plan.keys);
                let title = format!("{}, {words}, {what}", board.task.full_name());
                let text = table(&title, board.task.kind.by_call(), &rows);
                bar.suspend(|| output.say(&text))?;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn scale(
        &self,
        entrant: &Entrant,
        row: &Row,
        cell: &Cell,
        answer: &Result<String, String>,
    ) -> Result<Result<Vec<Scaled>, String>, Ended> {
        let answer = match (&row.absent, answer) {
            (Some(why), _) | (None, Err(why)) => return Ok(Err(why.clone())),
            (None, Ok(answer)) => answer,
        };
        let seconds = self.plan.seconds.unwrap_or(EACH);
        let where_to = (self.cores, self.threads);
        match scaling::scale(entrant, row, cell, answer, where_to, seconds, self.stop) {
            Ok(scaled) => Ok(Ok(scaled)),
            Err(Failed::Because(why)) => Ok(Err(why)),
            Err(Failed::Interrupted) => Err(Ended::Interrupted),
        }
    }

    /// One for each number of threads.
    fn records(
        &self,
        cell: &Cell,
        entrant: &Entrant,
        row: &Row,
        outcome: Result<Vec<Scaled>, String>,
    ) -> Vec<Record> {
        match outcome {
            Ok(scaled) => {
                scaled.iter().map(|scaled| Record::of_many(cell, entrant, row, scaled)).collect()
            }
            Err(why) => {
                let outcome = match why == scaling::WRONG {
                    true => Outcome::Wrong,
                    false => Outcome::Absent(why),
                };
                let none = Record::new(cell, entrant, row, &outcome, None);
                let each = |threads: &usize| Record { threads: *threads as u32, ..none.clone() };
                self.threads.iter().map(each).collect()
            }
        }
    }
}

/// Seconds for each number of threads, unless the user says otherwise.
const EACH: f64 = 0.15;

/// Who it is, in one line.
fn label(entrant: &Entrant, row: &Row) -> String {
    line(entrant, row, "").who()
}

/// The rows that have figures, and why the others have none.
fn table(title: &str, by_call: bool, rows: &Rows) -> String {
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header(["", "threads", "together", "each", "efficiency", "arithmetic", "library's"]);
    let mut notes = String::new();
    for (label, records) in rows {
        if let Some(record) = records.first().filter(|record| !record.note.is_empty()) {
            notes += &format!("  {label}: {}\n", record.note);
        }
        let mut label = format!("  {label}");
        for record in records.iter().filter(|record| record.ns.is_some()) {
            table.add_row(cells(std::mem::take(&mut label), by_call, record));
        }
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        let (padding, alignment) = match i {
            0 => (0, CellAlignment::Left),
            _ => (3, CellAlignment::Right),
        };
        column.set_padding((padding, 0));
        column.set_cell_alignment(alignment);
    }
    let body = match rows.iter().flat_map(|(_, records)| records).any(|r| r.ns.is_some()) {
        true => table.trim_fmt() + "\n",
        false => String::new(),
    };
    format!("{title}\n{body}{notes}")
}

fn cells(label: String, by_call: bool, record: &Record) -> [String; 7] {
    let threads = f64::from(record.threads);
    let speed = |part: f64| match by_call {
        true => figures::calls(record.ops_per_s.unwrap_or(f64::NAN) * part),
        false => figures::speed(record.mb_per_s.unwrap_or(f64::NAN) * part),
    };
    let part = |part: Option<f64>| part.map(figures::part).unwrap_or_default();
    let ours = record.efficiency.zip(record.arithmetic).map(|(all, machine)| all / machine);
    [
        label,
        record.threads.to_string(),
        speed(1.0),
        speed(1.0 / threads),
        part(record.efficiency),
        part(record.arithmetic),
        part(ours),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_double_up_to_all() {
        assert_eq!(threads(&[], 1).unwrap(), [1]);
        assert_eq!(threads(&[], 2).unwrap(), [1, 2]);
        assert_eq!(threads(&[], 12).unwrap(), [1, 2, 4, 8, 12]);
        assert_eq!(threads(&[3, 1, 3], 4).unwrap(), [1, 3]);
        for (given, want) in [(0, "one works"), (5, "may run on 4 cores")] {
            let Usage(why) = threads(&[given], 4).unwrap_err();
            assert!(why.contains(want), "{why}");
        }
    }
}
