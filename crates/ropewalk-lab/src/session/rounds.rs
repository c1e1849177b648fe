//! Rounds over all cells of a session: in each round every row of every cell is measured for a short time.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use indicatif::ProgressBar;

use super::Table;
use crate::measure::{
    entrant::Entrant,
    race::{Course, Effort, LAPS, Outcome},
    reference,
    way::Way,
};

/// The most seconds of samples of a session with that many tables, unless the user gives a time. A user waits
/// for a few tables, takes a short break for the headline ones, and does something else while all tasks are
/// measured.
const WHOLE: [(usize, f64); 3] = [(5, 3.5), (20, 25.0), (usize::MAX, 400.0)];
/// The same for the one screen of a `speed` without tasks.
const HEADLINE: f64 = 8.0;
/// The most seconds of a row and size, unless there are many.
const EACH: f64 = 0.3;
/// The least seconds of a row and size: with fewer the figures are not stable.
const LEAST: f64 = 0.012;

/// The duration of rows: the time that the user gives, or until their medians are certain or their share of
/// the time is used up.
pub fn effort(seconds: Option<f64>, tables: &[Table], headline: bool) -> Effort {
    if let Some(seconds) = seconds {
        return Effort::of(seconds);
    }
    let cells: usize = tables.iter().map(|table| table.rows.len() * table.cells.len()).sum();
    let by_number = WHOLE.iter().find(|(most, _)| tables.len() <= *most).map_or(0.0, |it| it.1);
    let whole = if headline { HEADLINE } else { by_number };
    let most = (whole / cells.max(1) as f64).clamp(LEAST, EACH);
    Effort { least: LEAST, most }
}

/// Measures every cell in each round, until all rows are complete. Returns the outcomes of each cell, in
/// order.
pub fn rounds(
    tables: &[Table],
    entrants: &mut [Entrant],
    (effort, way): (Effort, Way),
    bar: &ProgressBar,
    stop: &AtomicBool,
) -> Vec<Vec<Outcome>> {
    let mut courses = Vec::new();
    for table in tables {
        for (cell, words) in &table.cells {
            let answer = reference::answer(cell).map_err(|why| why.0);
            let answer = answer.as_ref().map(String::as_str).map_err(String::as_str);
            let name = format!("{}, {words}", table.task.full_name());
            courses.push((name, Course::new(&table.rows, cell, answer, (effort, way))));
        }
    }
    for lap in 0.. {
        if stop.load(Relaxed) || !courses.iter().any(|(_, course)| course.runs()) {
            break;
        }
        entrants.iter_mut().for_each(Entrant::renew);
        for (name, course) in &mut courses {
            if course.runs() && !stop.load(Relaxed) {
                bar.set_message(name.clone());
                course.lap(entrants, stop);
            }
            bar.inc(u64::from(lap < LAPS));
        }
    }
    courses.into_iter().map(|(_, course)| course.outcomes()).collect()
}
