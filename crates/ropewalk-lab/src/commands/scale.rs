//! `ropewalk scale`: how speed grows with cores, with what.

use std::{
    cell::Cell as Shared,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use anyhow::{Context, Result};
use clap::{ArgMatches, Args, FromArgMatches};

use super::{
    Command, Exit, World,
    ending::{end, stop_on_ctrl_c},
    plan,
};
use crate::{
    here::Here,
    machine::{topology::Topology, watch::Watch},
    measure::{
        entrant::{Entrant, Failed},
        field::Row,
        pin,
        race::Outcome,
        reference,
        scaling::{self, Scaled},
    },
    record::{Record, Warnings},
    report::{
        call::calls,
        output::{Output, width},
        words,
    },
    session::{Ended, Plan, enter, head, line, tables},
    tasks::Cell,
    terminal::progress::progress,
    warn::warn,
};

mod layout;
mod table;

use layout::{Placement, placements, told};
use table::{Rows, has_bars, legend, table};

/// `scale`.
pub(super) struct Scale;

// The options of `speed` in it have the same names.
#[derive(Debug, Args)]
#[group(id = "scale")]
struct Options {
    #[command(flatten)]
    of_speed: plan::Options,
    /// Numbers of cores that work at the same time [default: 1, 2, 4 and so on, and all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    threads: Vec<usize>,
    /// Compares two threads on one core with two threads on separate cores
    #[arg(long, conflicts_with = "threads")]
    siblings: bool,
}

impl Command for Scale {
    fn words(&self) -> clap::Command {
        let seconds =
            "Time for each row, size and number of threads, in seconds; 0.15 unless given";
        Options::augment_args(clap::Command::new("scale"))
            .about("Measures what several cores do at the same time, compared with arithmetic")
            .mut_arg("bytes", |bytes| bytes.default_value("16384"))
            .mut_arg("seconds", |arg| arg.help(seconds))
    }

    fn run(&self, given: &ArgMatches, world: &World) -> Result<Exit> {
        let options = Options::from_arg_matches(given)?;
        let plan = Plan::new(&options.of_speed, world)?;
        // The cores of the workers: they must be read before this process pins itself to one core.
        let allowed = pin::allowed().context("the system does not list its cores")?;
        let topology = Topology::read(&allowed);
        let placements = placements(&options.threads, options.siblings, &topology)?;
        let json: Option<PathBuf> = options.of_speed.json;
        let mut output = Output::open(json.as_deref())?;
        let stop = stop_on_ctrl_c()?;
        let scaling = Scaling {
            plan: &plan,
            topology: &topology,
            placements: &placements,
            stop: &stop,
            has_bars: Shared::new(false),
        };
        match scaling.run(world, &mut output) {
            Ok(()) | Err(Ended::Interrupted) => {}
            Err(Ended::Failed(error)) => return Err(error),
        }
        if output.has_figures() {
            output.say(&words::paragraph(&legend(scaling.has_bars.get()), width()))?;
        }
        end(output, stop.load(Relaxed))
    }
}

/// A run over several numbers of threads.
struct Scaling<'a> {
    plan: &'a Plan,
    topology: &'a Topology,
    placements: &'a [Placement],
    stop: &'a AtomicBool,
    /// Whether a displayed table has bars.
    has_bars: Shared<bool>,
}

impl Scaling<'_> {
    fn run(&self, world: &World, output: &mut Output) -> Result<(), Ended> {
        let (mut entrants, quiet, mut warnings) = enter(self.plan, self.stop)?;
        warnings.iter().for_each(warn);
        let here = Here::look(quiet.get(), self.plan.seconds);
        output.record(&here.machine)?;
        let (watch, standing) = Watch::begin();
        standing.iter().for_each(warn);
        warnings.extend(standing);
        let mut tables = tables(self.plan, &mut entrants, self.stop)?;
        output.say(&head(&here, &entrants))?;
        let told = told(self.topology, here.quota, here.guest);
        if !told.is_empty() {
            let told: Vec<String> =
                told.iter().map(|line| words::paragraph(line, width())).collect();
            output.say(&format!("{}\n", told.join("\n")))?;
        }
        tables.iter_mut().for_each(|table| table.keep_chosen(self.plan, &entrants));
        let bar = progress(
            tables.iter().map(|table| table.rows.len() * table.cells.len()).sum(),
            world.quiet,
        );
        for of_task in &tables {
            for (cell, words) in &of_task.cells {
                bar.set_message(format!("{}, {words}", of_task.task.full_name()));
                let answer = reference::answer(cell).map_err(|why| why.0);
                let mut rows = Rows::new();
                for row in &of_task.rows {
                    let entrant = &entrants[row.entrant];
                    let outcome = self.scale(entrant, row, cell, &answer)?;
                    let records = self.records(cell, entrant, row, outcome);
                    for record in &records {
                        output.row(record)?;
                    }
                    rows.push((label(entrant, row), records));
                    bar.inc(1);
                }
                let Plan { mode, keys, stride, .. } = *self.plan;
                let what = calls(of_task.task.kind, of_task.count, mode, keys, stride);
                let title = format!("{}, {words}, {what}", of_task.task.full_name());
                let text = table(&title, of_task.task.kind.by_call(), &rows);
                self.has_bars.set(self.has_bars.get() || has_bars(&text));
                bar.suspend(|| output.say(&text))?;
            }
        }
        bar.finish_and_clear();
        let after = watch.end();
        after.iter().for_each(warn);
        output.record(&Warnings::of(warnings.iter().chain(&after)))?;
        Ok(())
    }

    fn scale(
        &self,
        entrant: &Entrant,
        row: &Row,
        cell: &Cell,
        answer: &Result<String, String>,
    ) -> Result<Result<Vec<OnCores>, String>, Ended> {
        let answer = match (&row.absent, answer) {
            (Some(why), _) | (None, Err(why)) => return Ok(Err(why.clone())),
            (None, Ok(answer)) => answer,
        };
        let seconds = self.plan.seconds.unwrap_or(EACH);
        let mut all = Vec::new();
        for Placement { cpus, threads } in self.placements {
            let where_to = (cpus.as_slice(), threads.as_slice());
            match scaling::scale(entrant, row, cell, answer, where_to, seconds, self.stop) {
                Ok(scaled) => all.extend(scaled.into_iter().map(|scaled| {
                    let cores = self.topology.cores_of(&cpus[..scaled.threads]);
                    (scaled, cores)
                })),
                Err(Failed::Because(why)) => return Ok(Err(why)),
                Err(failed) => return Err(failed.into()),
            }
        }
        Ok(Ok(all))
    }

    /// One for each number of threads.
    fn records(
        &self,
        cell: &Cell,
        entrant: &Entrant,
        row: &Row,
        outcome: Result<Vec<OnCores>, String>,
    ) -> Vec<Record> {
        match outcome {
            Ok(scaled) => {
                let of =
                    |(scaled, cores): &OnCores| Record::of_many(cell, entrant, row, scaled, *cores);
                scaled.iter().map(of).collect()
            }
            Err(why) => {
                let outcome = match why == scaling::WRONG {
                    true => Outcome::Wrong,
                    false => Outcome::Absent(why),
                };
                let none = Record::new(cell, entrant, row, &outcome, None);
                let each = |threads: &usize| Record { threads: *threads as u32, ..none.clone() };
                self.placements.iter().flat_map(|placement| &placement.threads).map(each).collect()
            }
        }
    }
}

/// The result for a number of threads, and the number of their cores.
type OnCores = (Scaled, usize);

/// Seconds for each number of threads, unless the user gives a time.
const EACH: f64 = 0.15;

/// The library and its backend, in one line.
fn label(entrant: &Entrant, row: &Row) -> String {
    line(entrant, row, "").who()
}
