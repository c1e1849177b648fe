//! The tables of a session: a task, the sizes of its messages, and a row for each backend of each library.

use std::{collections::HashSet, sync::atomic::AtomicBool};

use super::{Ended, Plan};
use crate::{
    measure::{
        entrant::Entrant,
        field::{self, Row},
        reference::OURS,
    },
    report::library::SERIAL,
    tasks::{Cell, Mix, Task, size},
};

/// A table that is to be measured.
pub struct Table {
    /// The task.
    pub task: &'static Task,
    /// Messages in a call.
    pub count: usize,
    /// The messages of each column, and the same in words.
    pub cells: Vec<(Cell, String)>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Table {
    /// Keeps one row of ropewalk: the default backend, or the one that the user has selected.
    pub fn keep_chosen(&mut self, plan: &Plan, entrants: &[Entrant]) {
        self.keep(plan, entrants, |_| false);
    }

    /// The same, plus the loop over messages that lanes are compared with.
    pub(super) fn keep_chosen_and_serial(&mut self, plan: &Plan, entrants: &[Entrant]) {
        self.keep(plan, entrants, |row| row.backend == SERIAL);
    }

    fn keep(&mut self, plan: &Plan, entrants: &[Entrant], too: impl Fn(&Row) -> bool) {
        let mut seen = HashSet::new();
        self.rows.retain(|row| {
            let ours = entrants[row.entrant].peer == OURS && plan.backend.is_none();
            !ours || seen.insert(row.entrant) || too(row)
        });
    }
}

/// The tables of a plan: one for each task and number of messages.
///
/// # Errors
/// If the user interrupts.
pub fn tables(
    plan: &Plan,
    entrants: &mut [Entrant],
    stop: &AtomicBool,
) -> Result<Vec<Table>, Ended> {
    let mut tables = Vec::new();
    for task in &plan.tasks {
        for count in &plan.counts {
            let rows = field::rows(entrants, task, *count, plan.backend.as_deref(), stop)?;
            tables.push(Table { task, count: *count, cells: cells(plan, task, *count), rows });
        }
    }
    Ok(tables)
}

/// Each mix, or each size that the task supports, once.
fn cells(plan: &Plan, task: &'static Task, count: usize) -> Vec<(Cell, String)> {
    let (keys, stride) = (plan.keys, plan.stride);
    let of_mix = |mix: &&'static Mix| {
        (Cell { keys, stride, ..Cell::of_mix(task, mix, count) }, mix.name.to_owned())
    };
    if !plan.mixes.is_empty() {
        return plan.mixes.iter().map(of_mix).collect();
    }
    let mut sizes: Vec<usize> = plan.sizes.iter().map(|bytes| task.kind.size(*bytes)).collect();
    let mut said = HashSet::new();
    sizes.retain(|bytes| said.insert(*bytes));
    let of = |bytes| Cell { task, bytes, count, mode: plan.mode, mix: None, keys, stride };
    sizes.into_iter().map(|bytes| (of(bytes), size::format(bytes))).collect()
}
