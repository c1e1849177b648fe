//! A session from the first library that it opens to the last warning.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{
    Ended, Plan, Table, effort, enter, head, line, rounds, tables,
    words::{libraries, machine, not_given},
};
use crate::{
    filename::{shown, text_shown},
    here::Here,
    machine::watch::Watch,
    measure::{
        entrant::Entrant,
        field::Row,
        race::{LAPS, Measured, Outcome},
        reference::is_ours,
        way::Way,
    },
    offload::datasheet::Rate,
    record::{Lines, Record, Warnings, beats},
    report::{
        call::calls,
        on_off,
        output::{Output, width},
        screen::{Run, View},
        table::{Line, Sheet, Shows},
        words,
    },
    stdio,
    tasks::Cell,
    terminal::progress::progress,
    warn::{Doubts, Warning, warn},
};

/// A session, and how its results are shown.
pub struct Session<'a> {
    /// What is measured.
    pub plan: &'a Plan,
    /// How calls are timed.
    pub way: Way,
    /// The rate in a datasheet.
    pub expect: Option<&'a Rate>,
    /// Whether the rounds cover all tables, for a run that is to be compared with another.
    pub spread: bool,
    /// Whether the tables show the effect of each processor feature, instead of speeds.
    pub on_off: bool,
    /// Whether every backend of ropewalk is measured, and not only the chosen ones.
    pub every_backend: bool,
    /// How the results are shown.
    pub view: View,
    /// The command that repeats the run.
    pub again: &'a str,
    /// Checks that the installed libraries include those that the user names.
    pub accepts: &'a dyn Fn(&[Entrant]) -> anyhow::Result<()>,
}

impl Session<'_> {
    /// Measures everything, and writes the results.
    ///
    /// # Errors
    /// If the user interrupts before there is a table, a library cannot be started, or nothing can be
    /// written.
    pub fn run(&self, output: &mut Output, stop: &AtomicBool) -> Result<(), Ended> {
        let (mut entrants, quiet, mut warnings) = enter(self.plan, stop)?;
        (self.accepts)(&entrants)?;
        self.say_unusable(&entrants);
        let here = Here::look(quiet.get());
        output.record(&here.machine)?;
        let (watch, standing) = Watch::begin();
        warnings.extend(standing);
        let mut doubts = Doubts::default();
        let mut tables = tables(self.plan, &mut entrants, stop)?;
        for table in &mut tables {
            match self.on_off {
                true => table.keep_chosen(self.plan, &entrants),
                false if self.keeps_chosen() => table.keep_chosen_and_serial(self.plan, &entrants),
                false => {}
            }
        }
        if self.on_off {
            output.say(&head(&here, &entrants))?;
        }

        let effort = effort(self.plan.seconds, &tables, self.view.headline && !self.view.wide);
        let cells: usize = tables.iter().map(|table| table.cells.len()).sum();
        let bar = progress(cells * LAPS, self.view.quiet);
        // The rows of a table take turns. In a run that will be compared, and on one screen, the rows of all tables do.
        let together = if self.spread || self.view.headline { tables.len().max(1) } else { 1 };
        let mut measured = (0, 0);
        for group in tables.chunks(together) {
            let outcomes = rounds(group, &mut entrants, (effort, self.way), &bar, stop);
            let mut outcomes = outcomes.into_iter();
            for table in group {
                let of_cells = outcomes.by_ref().take(table.cells.len()).collect();
                let sheet = self.sheet(&here, &entrants, table, of_cells, &mut doubts);
                let records = || sheet.lines.iter().flat_map(|line| &line.records);
                for i in 0..table.cells.len() {
                    let mut of_cell = sheet.lines.iter().filter_map(|line| line.records.get(i));
                    of_cell.try_for_each(|record| output.row(record))?;
                }
                measured.0 += records().filter(|record| record.ns.is_some()).count();
                measured.1 += records().filter(|record| record.is_wanted()).count();
                if records().any(|record| record.share_of_limit.is_some_and(beats)) {
                    warnings.push(Warning::BoundBeaten(table.task.full_name()));
                }
                match self.on_off {
                    true => bar.suspend(|| output.say(&on_off::table(&sheet, width())))?,
                    false => output.sheet(sheet),
                }
            }
            if stop.load(Relaxed) {
                break;
            }
        }
        bar.finish_and_clear();
        // A user who gives the time may have chosen a short one.
        let sure = self.plan.seconds.is_none() && !stop.load(Relaxed);
        warnings.extend(watch.end().into_iter().chain(doubts.warnings(sure)));
        self.warn(&warnings);
        output.record(&Warnings::of(&warnings))?;
        if self.on_off {
            output.say(&words::paragraph(on_off::LEGEND, width()))?;
            return Ok(());
        }
        let stopped = stop.load(Relaxed).then_some(measured);
        let run = Run {
            machine: machine(&here),
            libraries: libraries(&entrants),
            not_given: not_given(&here),
            again: self.again.into(),
            stopped,
        };
        output.show(&self.view, &run)?;
        Ok(())
    }

    /// Whether the rows of a task are the default backends of each library.
    fn keeps_chosen(&self) -> bool {
        !self.every_backend && !self.view.wide && self.way == Way::Warm && self.expect.is_none()
    }

    /// Names the libraries that the user gave and that cannot be opened.
    fn say_unusable(&self, entrants: &[Entrant]) {
        for path in self.plan.libraries.iter().filter(|_| !self.view.quiet) {
            let path = shown(path);
            let of_it = |it: &&Entrant| it.library.name == path && it.mask.is_empty();
            let Some(entrant) = entrants.iter().find(of_it) else { continue };
            if let Err(why) = &entrant.opened {
                // It lacks the functions of the first of all kinds.
                let unknown = why.starts_with("no symbol ");
                let why = if unknown { "no library of a kind that is measured" } else { why };
                stdio::say(text_shown(&format!("--lib {path}: {why}")));
            }
        }
    }

    /// Prints what makes figures less certain: three lines, unless every reason is wanted.
    fn warn(&self, warnings: &[Warning]) {
        const SHOWN: usize = 3;
        let all = self.view.why || self.view.wide || warnings.len() <= SHOWN;
        let shown = if all { warnings.len() } else { SHOWN - 1 };
        if self.view.quiet {
            return;
        }
        warnings.iter().take(shown).for_each(warn);
        if let Some(more) = warnings.len().checked_sub(shown).filter(|more| *more > 0) {
            stdio::say(format_args!("{more} more warnings: --why"));
        }
    }

    /// The table of the outcomes of each row at each size. `doubts` counts the figures that are uncertain.
    fn sheet(
        &self,
        here: &Here,
        entrants: &[Entrant],
        table: &Table,
        of_cells: Vec<Vec<Outcome>>,
        doubts: &mut Doubts,
    ) -> Sheet {
        let mut lines = lines(entrants, &table.rows);
        let mut ghz = None;
        for ((cell, _), outcomes) in table.cells.iter().zip(&of_cells) {
            for ((line, row), outcome) in lines.iter_mut().zip(&table.rows).zip(outcomes) {
                line.records.push(self.record(here, cell, &entrants[row.entrant], row, outcome));
                ghz = widen(ghz, outcome);
                if let Outcome::Measured(measured) = outcome {
                    doubts.add(measured);
                }
            }
        }
        for line in lines.iter_mut().filter(|_| !table.task.kind.by_call()) {
            let fit = Lines::of(&line.records);
            line.records.last_mut().into_iter().for_each(|record| record.fit = fit);
        }
        Sheet {
            title: self.title(table, ghz),
            by_call: table.task.kind.by_call(),
            shows: shows(self.way),
            sizes: table.cells.iter().map(|(_, words)| words.clone()).collect(),
            lines,
            expected: self.expect.cloned(),
        }
    }

    fn record(
        &self,
        here: &Here,
        cell: &Cell,
        entrant: &Entrant,
        row: &Row,
        outcome: &Outcome,
    ) -> Record {
        // Bounds hold for data in the caches, and for many calls in a row.
        let bounded = matches!(self.way, Way::Warm | Way::Neighbour);
        let limit = here.limit(cell).filter(|_| bounded);
        let cold = (self.way == Way::Cold).then_some(true);
        let record = Record { cold, ..Record::new(cell, entrant, row, outcome, limit) };
        record.promised(self.expect.map(|rate| promise(rate, cell)))
    }

    fn title(&self, table: &Table, ghz: Option<(f64, f64)>) -> String {
        let Plan { mode, keys, stride, .. } = *self.plan;
        let what = calls(table.task.kind, table.count, mode, keys, stride) + way_words(self.way);
        let ghz = ghz.map(|(least, most)| match (format!("{least:.2}"), format!("{most:.2}")) {
            (least, most) if least == most => format!(", {least} GHz"),
            (least, most) => format!(", {least} to {most} GHz"),
        });
        format!("{}, {what}{}", table.task.full_name(), ghz.unwrap_or_default())
    }
}

/// The contents of tables.
fn shows(way: Way) -> Shows {
    match way {
        Way::Warm | Way::Cold => Shows::Speed,
        Way::Latency => Shows::Latency,
        Way::Neighbour => Shows::Neighbour,
    }
}

/// The words of titles for the way in which calls are timed.
fn way_words(way: Way) -> &'static str {
    match way {
        Way::Warm => "",
        Way::Cold => ", cold: neither code nor data in the caches",
        Way::Latency => ", each timed by itself: p50, p99, p99.9 in ns",
        Way::Neighbour => ", and scalar code after it",
    }
}

/// Rows with no figures yet.
fn lines(entrants: &[Entrant], rows: &[Row]) -> Vec<Line> {
    // Other libraries are compared without a mask, or with the first mask if all rows have one.
    let other = entrants.iter().find(|entrant| !is_ours(entrant.peer) && entrant.opened.is_ok());
    let mask = other.map_or("", |other| &other.mask);
    rows.iter().map(|row| line(&entrants[row.entrant], row, mask)).collect()
}

/// The expected nanoseconds of a message; for a mix, the mean.
fn promise(rate: &Rate, cell: &Cell) -> f64 {
    let Some(mix) = cell.mix else { return rate.ns(cell.bytes as f64) };
    let all: f64 = mix.lengths.iter().map(|bytes| rate.ns(*bytes as f64)).sum();
    all / mix.lengths.len() as f64
}

fn widen(range: Option<(f64, f64)>, outcome: &Outcome) -> Option<(f64, f64)> {
    let Outcome::Measured(Measured { ghz: Some(ghz), .. }) = outcome else { return range };
    let (least, most) = range.unwrap_or((*ghz, *ghz));
    Some((ghz.min(least), ghz.max(most)))
}
