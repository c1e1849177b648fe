//! Measures single cells into a run, and shows only warnings.

use std::sync::atomic::AtomicBool;

use super::{Ended, Plan, Table, effort, enter, rounds};
use crate::{
    here::Here,
    machine::watch::Watch,
    measure::{field, race::LAPS, way::Way},
    record::{Record, Warnings},
    runs::Run,
    tasks::{Cell, Keys, Mode, Task, size},
    terminal::progress::progress,
    warn::warn,
};

/// A cell that is to be measured: whole messages, under one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The task.
    pub task: &'static Task,
    /// Bytes in a message, which the task supports.
    pub bytes: usize,
    /// Messages in a call.
    pub count: usize,
}

/// Measures these cells with the libraries of a plan: of ropewalk with the default backend.
///
/// # Errors
/// If the user interrupts before there is a table, or a library cannot be started.
pub fn measure(
    plan: &Plan,
    wanted: &[Wanted],
    stop: &AtomicBool,
    quiet: bool,
) -> Result<Run, Ended> {
    let (mut entrants, clock, mut warnings) = enter(plan, stop)?;
    let here = Here::look(clock.get(), plan.seconds);
    let (watch, standing) = Watch::begin();
    warnings.extend(standing);
    let mut tables = Vec::new();
    for Wanted { task, bytes, count } in wanted.iter().copied() {
        let rows = field::rows(&mut entrants, task, count, None, stop)?;
        let (mode, mix, keys, stride) = (Mode::Message, None, Keys::One, None);
        let cell = Cell { task, bytes, count, mode, mix, keys, stride };
        let mut table = Table { task, count, cells: vec![(cell, size::format(bytes))], rows };
        table.keep_chosen(plan, &entrants);
        tables.push(table);
    }
    let bar = progress(tables.len() * LAPS, quiet);
    let effort = effort(plan.seconds, &tables, false);
    let outcomes = rounds(&tables, &mut entrants, (effort, Way::Warm), &bar, stop);
    bar.finish_and_clear();
    let mut run = Run { machine: Some(here.machine.clone()), ..Run::default() };
    for (table, outcomes) in tables.iter().zip(outcomes) {
        let (cell, _) = &table.cells[0];
        for (row, outcome) in table.rows.iter().zip(&outcomes) {
            let entrant = &entrants[row.entrant];
            run.records.push(Record::new(cell, entrant, row, outcome, here.limit(cell)));
        }
    }
    warnings.extend(watch.end());
    warnings.iter().filter(|_| !quiet).for_each(warn);
    let warnings = serde_json::to_value(Warnings::of(&warnings)).unwrap_or_default();
    run.warnings = warnings[Warnings::RECORD].clone();
    Ok(run)
}
