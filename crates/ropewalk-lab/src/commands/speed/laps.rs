//! Cells that are measured together, lap by lap.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use indicatif::ProgressBar;

use super::Board;
use crate::measure::{
    entrant::Entrant,
    race::{Course, Effort, LAPS, Outcome},
    reference,
    way::Way,
};

/// Every cell a lap, and again, until all rows have had their time: the outcomes of each cell, in order.
pub(in crate::commands) fn laps(
    boards: &[Board],
    entrants: &mut [Entrant],
    (effort, way): (Effort, Way),
    bar: &ProgressBar,
    stop: &AtomicBool,
) -> Vec<Vec<Outcome>> {
    let mut courses = Vec::new();
    for board in boards {
        for (cell, words) in &board.cells {
            let answer = reference::answer(cell).map_err(|why| why.0);
            let answer = answer.as_ref().map(String::as_str).map_err(String::as_str);
            let name = format!("{}, {words}", board.task.full_name());
            courses.push((name, Course::new(&board.rows, cell, answer, (effort, way))));
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
