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

/// What a run of so many tables takes at most in samples, unless the user says otherwise: one waits for a few, leaves the room
/// for the headline ones, and has something else to do meanwhile where it is all.
const WHOLE: [(usize, f64); 3] = [(5, 3.5), (20, 25.0), (usize::MAX, 400.0)];
/// The same of the one screen of a bare `speed`.
const HEADLINE: f64 = 8.0;
/// The most time of a row and size, unless there are many.
const EACH: f64 = 0.3;
/// With less there is no steady figure.
const LEAST: f64 = 0.012;

/// How long rows run: as long as the user says, or until their medians are sure, or their share of the time is up.
pub(in crate::commands) fn effort(
    seconds: Option<f64>,
    boards: &[Board],
    headline: bool,
) -> Effort {
    if let Some(seconds) = seconds {
        return Effort::of(seconds);
    }
    let cells: usize = boards.iter().map(|board| board.rows.len() * board.cells.len()).sum();
    let by_number = WHOLE.iter().find(|(most, _)| boards.len() <= *most).map_or(0.0, |it| it.1);
    let whole = if headline { HEADLINE } else { by_number };
    let most = (whole / cells.max(1) as f64).clamp(LEAST, EACH);
    Effort { least: LEAST, most }
}

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
