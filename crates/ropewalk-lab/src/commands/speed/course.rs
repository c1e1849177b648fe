//! What `speed` does, from the first library that it opens to the last warning.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{
    super::{World, plan::Plan},
    Board, Ended, boards, enter, head,
    laps::{effort, laps},
    libraries, line, machine, not_given, progress, ways,
};
use crate::{
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
        table::{Line, Sheet},
        words,
    },
    stdio,
    tasks::Cell,
    warn::{Doubts, Warning, warn},
};

/// What is done.
pub(super) struct Course<'a> {
    pub(super) plan: &'a Plan,
    /// How calls are timed.
    pub(super) way: Way,
    /// What a datasheet promises.
    pub(super) expect: Option<&'a Rate>,
    /// In laps, to be compared with another.
    pub(super) spread: bool,
    /// With tables of what features are worth, in the place of those of speeds.
    pub(super) on_off: bool,
    /// Whether every backend of ropewalk is measured, and not the chosen ones only.
    pub(super) every_backend: bool,
    /// How the results are shown.
    pub(super) view: View,
    /// The words that repeat the run.
    pub(super) again: &'a str,
}

impl Course<'_> {
    pub(super) fn run(
        &self,
        world: &World,
        output: &mut Output,
        stop: &AtomicBool,
    ) -> Result<(), Ended> {
        let (mut entrants, quiet, mut warnings) = enter(self.plan, world, stop)?;
        let here = Here::look(quiet.get());
        output.record(&here.machine)?;
        let (watch, standing) = Watch::begin();
        warnings.extend(standing);
        let mut doubts = Doubts::default();
        let mut boards = boards(self.plan, &mut entrants, stop)?;
        for board in &mut boards {
            match self.on_off {
                true => board.keep_chosen(self.plan, &entrants),
                false if self.keeps_chosen() => board.keep_chosen_and_serial(self.plan, &entrants),
                false => {}
            }
        }
        if self.on_off {
            output.say(&head(&here, &entrants))?;
        }

        let effort = effort(self.plan.seconds, &boards, self.view.headline && !self.view.wide);
        let cells: usize = boards.iter().map(|board| board.cells.len()).sum();
        let bar = progress(cells * LAPS, self.view.quiet);
        // The rows of a table take turns. In a run that will be compared, and on one screen, those of all tables do.
        let together = if self.spread || self.view.headline { boards.len().max(1) } else { 1 };
        let mut measured = (0, 0);
        for group in boards.chunks(together) {
            let of_laps = laps(group, &mut entrants, (effort, self.way), &bar, stop);
            let mut of_laps = of_laps.into_iter();
            for board in group {
                let of_cells = of_laps.by_ref().take(board.cells.len()).collect();
                let sheet = self.sheet(&here, &entrants, board, of_cells, &mut doubts);
                let records = || sheet.lines.iter().flat_map(|line| &line.records);
                for i in 0..board.cells.len() {
                    let mut of_cell = sheet.lines.iter().filter_map(|line| line.records.get(i));
                    of_cell.try_for_each(|record| output.row(record))?;
                }
                measured.0 += records().filter(|record| record.ns.is_some()).count();
                measured.1 += records().filter(|record| record.is_wanted()).count();
                if records().any(|record| record.share_of_limit.is_some_and(beats)) {
                    warnings.push(Warning::BoundBeaten(board.task.full_name()));
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
        // Where the time was given, it may be known to be short.
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

    /// Says what makes figures less sure: three lines, unless every reason is wanted.
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

    /// The table of what came of each row at each size, and what these figures say of themselves.
    fn sheet(
        &self,
        here: &Here,
        entrants: &[Entrant],
        board: &Board,
        of_cells: Vec<Vec<Outcome>>,
        doubts: &mut Doubts,
    ) -> Sheet {
        let mut lines = lines(entrants, &board.rows);
        let mut ghz = None;
        for ((cell, _), outcomes) in board.cells.iter().zip(&of_cells) {
            for ((line, row), outcome) in lines.iter_mut().zip(&board.rows).zip(outcomes) {
                line.records.push(self.record(here, cell, &entrants[row.entrant], row, outcome));
                ghz = widen(ghz, outcome);
                if let Outcome::Measured(measured) = outcome {
                    doubts.add(measured);
                }
            }
        }
        for line in lines.iter_mut().filter(|_| !board.task.kind.by_call()) {
            let fit = Lines::of(&line.records);
            line.records.last_mut().into_iter().for_each(|record| record.fit = fit);
        }
        Sheet {
            title: self.title(board, ghz),
            by_call: board.task.kind.by_call(),
            shows: ways::shows(self.way),
            sizes: board.cells.iter().map(|(_, words)| words.clone()).collect(),
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
        // Bounds are of what is in the caches, many in a row.
        let bounded = matches!(self.way, Way::Warm | Way::Neighbour);
        let limit = here.limit(cell).filter(|_| bounded);
        let cold = (self.way == Way::Cold).then_some(true);
        let record = Record { cold, ..Record::new(cell, entrant, row, outcome, limit) };
        record.promised(self.expect.map(|rate| promise(rate, cell)))
    }

    fn title(&self, board: &Board, ghz: Option<(f64, f64)>) -> String {
        let Plan { mode, keys, stride, .. } = *self.plan;
        let what = calls(board.task.kind, board.count, mode, keys, stride) + ways::words(self.way);
        let ghz = ghz.map(|(least, most)| match (format!("{least:.2}"), format!("{most:.2}")) {
            (least, most) if least == most => format!(", {least} GHz"),
            (least, most) => format!(", {least} to {most} GHz"),
        });
        format!("{}, {what}{}", board.task.full_name(), ghz.unwrap_or_default())
    }
}

/// Rows with no figures yet.
fn lines(entrants: &[Entrant], rows: &[Row]) -> Vec<Line> {
    // The others are compared with as they come, or as the first mask leaves them.
    let other = entrants.iter().find(|entrant| !is_ours(entrant.peer) && entrant.opened.is_ok());
    let mask = other.map_or("", |other| &other.mask);
    rows.iter().map(|row| line(&entrants[row.entrant], row, mask)).collect()
}

/// Nanoseconds of a message; of a mix, in the mean.
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
