//! Measures the rows of a cell in turn: A B C A B C, so that changes of the machine affect all of them.

use std::{collections::BTreeSet, sync::atomic::AtomicBool, time::Duration};

use super::{
    clock::TELLS_CYCLES,
    entrant::{Entrant, Failed, nonsense},
    field::Row,
    protocol::{Reply, Request, Sample, Turn},
    statistics::{ENOUGH, Median, Turns, median},
    usage::Usage,
    way::{Besides, Gathered, Way},
};
use crate::tasks::Cell;

/// The result of a row.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was timed.
    Measured(Measured),
    /// Its answer was wrong, so it was not timed.
    Wrong,
    /// There is no figure, with the reason.
    Absent(String),
}

/// The figures of a row, each of one message.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Wall-clock nanoseconds.
    pub ns: Median,
    /// Core cycles, if they can be measured.
    pub cycles: Option<f64>,
    /// The kernel's counts.
    pub usage: Usage,
    /// Messages that were timed, in all.
    pub messages: f64,
    /// The core's frequency, in GHz.
    pub ghz: Option<f64>,
    /// The median of its turns in each process; of long messages, of each turn.
    pub turns: Turns,
    /// The fraction of samples in which another thread shared the core.
    pub beside: f64,
    /// A note on the figures.
    pub note: String,
    /// Other results.
    pub besides: Box<Besides>,
}

impl Measured {
    /// Whether the interval of the median is known, and narrow enough to end the row.
    pub fn is_sure(&self) -> bool {
        self.turns.interval().is_some_and(|wide| wide <= SURE)
    }
}

/// Why a row of a run that was stopped has no figure.
pub const INTERRUPTED: &str = "interrupted";

/// The duration of a row, in seconds of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The minimum, even if the figure is certain.
    pub least: f64,
    /// The maximum, even if it is not.
    pub most: f64,
}

impl Effort {
    /// A fixed duration.
    pub fn of(seconds: f64) -> Self {
        Self { least: seconds, most: seconds }
    }
}

/// A row ends early if the 95 % interval of its median, from the medians of its turns, is no wider than this
/// fraction of it.
pub const SURE: f64 = 0.01;

/// Times the rows of a cell for `effort`. `answer` is the digest of the right answer, or the reason why it is
/// unknown. If the user interrupts, the samples so far count.
pub fn race(
    entrants: &mut [Entrant],
    rows: &[Row],
    cell: &Cell,
    answer: Result<&str, &str>,
    (effort, way): (Effort, Way),
    stop: &AtomicBool,
) -> Vec<Outcome> {
    let mut course = Course { fewest: 0, ..Course::new(rows, cell, answer, (effort, way)) };
    course.go(entrants, None, stop);
    course.outcomes()
}

/// A race that is run in laps, interleaved with those of other cells: they share the processes of a lap,
/// whose start takes longer than the measurement; and changes of the machine within a minute affect all rows
/// of all cells, and appear as noise in a comparison with another run.
pub struct Course<'a> {
    lanes: Vec<Lane<'a>>,
    cell: &'a Cell,
    answer: String,
    effort: Effort,
    way: Way,
    /// The fewest medians of a row.
    fewest: usize,
}

/// Laps that a row needs, unless the machine is busy.
pub const LAPS: usize = TURNS as usize / TURNS_OF_PROCESS;

impl<'a> Course<'a> {
    /// See [`race`].
    pub fn new(
        rows: &'a [Row],
        cell: &'a Cell,
        answer: Result<&str, &str>,
        (effort, way): (Effort, Way),
    ) -> Self {
        let lanes = rows.iter().map(|row| Lane::new(row, answer.err())).collect();
        let answer = answer.unwrap_or_default().into();
        Self { lanes, cell, answer, effort, way, fewest: LAPS }
    }

    /// Whether a row takes another turn.
    pub fn runs(&self) -> bool {
        self.lanes.iter().any(|lane| lane.runs(self.effort, self.fewest))
    }

    /// Continues for as long as one process may. Long messages, which take long to prepare, run to the end.
    pub fn lap(&mut self, entrants: &mut [Entrant], stop: &AtomicBool) {
        let short = is_short(self.cell);
        self.go(entrants, short.then_some(TURNS_OF_PROCESS), stop);
    }

    /// The results of the rows.
    pub fn outcomes(self) -> Vec<Outcome> {
        self.lanes.into_iter().map(Lane::outcome).collect()
    }

    fn go(&mut self, entrants: &mut [Entrant], rounds: Option<usize>, stop: &AtomicBool) {
        let Self { lanes, cell, answer, .. } = self;
        let (effort, way, fewest) = (self.effort, self.way, self.fewest);
        let mut race = Race { entrants, cell, answer, effort, way, fewest, stop };
        for together in lanes.chunks_mut(race.at_once()) {
            race.run(together, rounds.unwrap_or(usize::MAX));
        }
    }
}

/// A row in progress.
struct Lane<'a> {
    row: &'a Row,
    /// The worker that has its job.
    generation: Option<u32>,
    turns: Turn,
    /// The samples since the process was started.
    latest: Vec<Sample>,
    /// The median of each process.
    medians: Turns,
    /// Whether they agree.
    sure: bool,
    /// Seconds in samples.
    spent: f64,
    /// The part of them with known cycles.
    steady: f64,
    note: String,
    provider: Option<String>,
    gathered: Gathered,
    ended: Option<Outcome>,
}

struct Race<'a> {
    entrants: &'a mut [Entrant],
    cell: &'a Cell,
    answer: &'a str,
    effort: Effort,
    way: Way,
    fewest: usize,
    stop: &'a AtomicBool,
}

/// The number of turns of a row, so that each meets all states of the machine.
const TURNS: f64 = 12.0;

/// Turns of a row in one process. The memory layout is random for each process, and can make a short message
/// take twice as long: a figure of one process would be that of one layout.
const TURNS_OF_PROCESS: usize = 2;

/// The length of messages for which the layout no longer matters, and preparation takes long.
const LONG: usize = 1 << 18;

/// The longest turn, in seconds.
const LONGEST: f64 = 0.02;

/// The fraction of a row's time in which the core must have run steadily and without other threads: until
/// then, a row continues, for up to that many times as long.
const STEADY: f64 = 0.4;
const WAIT: f64 = 5.0;

/// Seconds after which a row may end with fewer samples than an interval needs.
const CONTENT: f64 = 2.0;

/// Bytes of messages that may be held at once. Above, rows run one after the other.
const HELD: usize = 1 << 30;

impl Race<'_> {
    /// The number of rows whose messages can be held at the same time.
    fn at_once(&self) -> usize {
        // At most two buffers, if they are long.
        (HELD / (2 * self.cell.bytes * self.cell.count)).max(1)
    }

    fn run(&mut self, lanes: &mut [Lane<'_>], rounds: usize) {
        let busy: BTreeSet<usize> = lanes.iter().map(|lane| lane.row.entrant).collect();
        let short = is_short(self.cell);
        for round in 0..rounds {
            if !lanes.iter().any(|lane| lane.runs(self.effort, self.fewest)) {
                break;
            }
            if !short || round % TURNS_OF_PROCESS == 0 {
                lanes.iter_mut().for_each(Lane::settle);
            }
            if short && round > 0 && round % TURNS_OF_PROCESS == 0 {
                busy.iter().for_each(|entrant| self.entrants[*entrant].renew());
            }
            for (job, lane) in lanes.iter_mut().enumerate() {
                if !lane.runs(self.effort, self.fewest) {
                    continue;
                }
                match self.turn(job, lane) {
                    Ok(turn) => lane.add(turn),
                    Err(Stopped::Because(outcome)) => lane.ended = Some(*outcome),
                    Err(Stopped::Interrupted) => return,
                }
            }
        }
        for entrant in busy {
            self.entrants[entrant].forget(self.stop);
        }
        for lane in lanes {
            lane.settle();
            lane.generation = None;
        }
    }

    fn turn(&mut self, job: usize, lane: &mut Lane<'_>) -> Result<Turn, Stopped> {
        let allowance = self.allowance();
        let entrant = &mut self.entrants[lane.row.entrant];
        // A worker may have ended in the turn of another row.
        if lane.generation != Some(entrant.generation()) {
            let backend = lane.row.backend.clone();
            let request = Request::Prepare { job, cell: self.cell.into(), backend };
            match entrant.ask(&request, allowance, self.stop)? {
                Reply::Prepared { answer, note, provider } if answer == self.answer => {
                    lane.note = note;
                    lane.provider = provider;
                }
                Reply::Prepared { .. } => return Err(Stopped::Because(Outcome::Wrong.into())),
                _ => return Err(Failed::Because(nonsense()).into()),
            }
            lane.generation = Some(entrant.generation());
        }
        let seconds = (self.effort.least / TURNS).min(LONGEST);
        let request = Request::Turn { job, seconds, way: self.way };
        match entrant.ask(&request, allowance, self.stop)? {
            Reply::Turn(turn) => Ok(turn),
            _ => Err(Failed::Because(nonsense()).into()),
        }
    }

    /// Additional time for long messages: a slow cipher takes 100 ns a byte, and a reply may require some
    /// passes over them.
    fn allowance(&self) -> Duration {
        Duration::from_nanos(1000).mul_f64((self.cell.bytes * self.cell.count) as f64)
    }
}

impl<'a> Lane<'a> {
    fn new(row: &'a Row, no_answer: Option<&str>) -> Self {
        let absent = row.absent.as_deref().or(no_answer);
        let ended = absent.map(|why| Outcome::Absent(why.into()));
        Self {
            row,
            generation: None,
            turns: Turn::default(),
            latest: Vec::new(),
            medians: Turns::default(),
            sure: false,
            spent: 0.0,
            steady: 0.0,
            note: String::new(),
            provider: None,
            gathered: Gathered::default(),
            ended,
        }
    }

    fn runs(&self, Effort { least, most }: Effort, fewest: usize) -> bool {
        let many = self.turns.samples.len() >= ENOUGH && self.medians.ns.len() >= fewest;
        let enough = many || self.spent >= CONTENT;
        let steady = self.steady >= least * STEADY || self.spent >= most.max(least * WAIT);
        let long = self.spent >= if self.sure { least } else { most };
        let done = enough && long && (steady || !TELLS_CYCLES);
        self.ended.is_none() && !done
    }

    fn add(&mut self, turn: Turn) {
        self.latest.extend(&turn.samples);
        let took_before = self.spent;
        let each = turn.messages / turn.samples.len().max(1) as f64;
        for sample in &turn.samples {
            let seconds = sample.ns * each * 1e-9;
            self.spent += seconds;
            self.steady += sample.ghz.map_or(0.0, |_| seconds);
        }
        if let Some(took) = turn.took {
            // The time between samples counts, and single calls have no frequency.
            self.spent = took_before + took * 1e-9;
            self.steady = self.spent;
            self.turns.took = Some(took);
        }
        self.gathered.add(&turn);
        self.turns.samples.extend(turn.samples);
        self.turns.messages += turn.messages;
        self.turns.usage += turn.usage;
        self.turns.beside += turn.beside;
    }

    /// Adds the median of one process.
    fn settle(&mut self) {
        if !self.latest.is_empty() {
            self.medians.add(&self.latest);
            self.latest.clear();
            self.sure = self.medians.interval().is_some_and(|wide| wide <= SURE);
        }
    }

    fn outcome(mut self) -> Outcome {
        self.settle();
        if let Some(ended) = self.ended {
            return ended;
        }
        let besides = Besides { provider: self.provider, ..self.gathered.besides() };
        match summary(&self.turns, self.medians, self.note, besides) {
            Some(measured) => Outcome::Measured(measured),
            None => Outcome::Absent(INTERRUPTED.into()),
        }
    }
}

/// Whether its jobs are prepared again for each process.
fn is_short(cell: &Cell) -> bool {
    cell.bytes * cell.count < LONG
}

fn summary(turns: &Turn, medians: Turns, note: String, besides: Besides) -> Option<Measured> {
    let mut ns: Vec<f64> = turns.samples.iter().map(|sample| sample.ns).collect();
    let steady = turns.samples.iter().filter_map(|sample| Some((sample.ns, sample.ghz?)));
    let (mut cycles, mut ghz): (Vec<f64>, Vec<f64>) =
        steady.map(|(ns, ghz)| (ns * ghz, ghz)).unzip();
    // The part of it between samples is unknown.
    let messages = turns.took.map_or(turns.messages, |_| f64::NAN);
    Some(Measured {
        ns: median(&mut ns)?,
        cycles: median(&mut cycles).map(|median| median.value),
        usage: turns.usage / messages,
        messages: turns.messages,
        ghz: median(&mut ghz).map(|median| median.value),
        turns: medians,
        beside: turns.beside as f64 / turns.samples.len().max(1) as f64,
        note,
        besides: besides.into(),
    })
}

/// Why a row takes no further turn.
enum Stopped {
    Because(Box<Outcome>),
    Interrupted,
}

impl From<Failed> for Stopped {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Because(why) | Failed::CannotStart(why) => {
                Self::Because(Outcome::Absent(why).into())
            }
            Failed::Interrupted => Self::Interrupted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { least: 0.02, most: 0.3 };

    /// How long a row runs, in seconds, whose turns of two milliseconds have these medians of nanoseconds and of cycles.
    fn runs_for(effort: Effort, of: impl Fn(usize) -> (f64, f64)) -> f64 {
        let row = Row { entrant: 0, backend: String::new(), chosen: true, absent: None };
        let mut lane = Lane::new(&row, None);
        for turn in 0.. {
            if turn % TURNS_OF_PROCESS == 0 {
                lane.settle();
            }
            if !lane.runs(effort, 0) {
                break;
            }
            let (ns, cycles) = of(turn);
            let samples = vec![Sample { ns, ghz: Some(cycles / ns) }; 20];
            lane.add(Turn { messages: 20.0 * 1e5 / ns, samples, ..Turn::default() });
        }
        lane.spent
    }

    #[test]
    fn a_row_ends_when_it_is_sure() {
        // Cycles agree, even if times do not.
        let sure = runs_for(EFFORT, |turn| (100.0 + turn as f64, 300.0));
        assert!((0.02..0.06).contains(&sure), "{sure}");
    }

    #[test]
    fn a_row_that_is_not_sure_ends_when_its_time_is_up() {
        let scattered = |turn: usize| 300.0 + 3.0 * (turn / TURNS_OF_PROCESS % 5) as f64;
        let unsure = runs_for(EFFORT, |turn| (100.0, scattered(turn)));
        assert!((0.3..0.31).contains(&unsure), "{unsure}");
    }

    #[test]
    fn who_says_how_long_gets_it() {
        let exact = runs_for(Effort::of(0.1), |_| (100.0, 300.0));
        assert!((0.1..0.11).contains(&exact), "{exact}");
    }

    #[test]
    fn what_is_sure_is_told() {
        let measured = |ns: &[f64]| {
            let turns = Turns { ns: ns.into(), cycles: Vec::new() };
            summary(
                &Turn { samples: vec![Sample { ns: 1.0, ghz: None }], ..Turn::default() },
                turns,
                String::new(),
                Besides::default(),
            )
        };
        assert!(measured(&[100.0; 6]).unwrap().is_sure());
        assert!(!measured(&[100.0, 100.0, 100.0, 100.0, 100.0, 101.1]).unwrap().is_sure());
        assert!(!measured(&[100.0; 5]).unwrap().is_sure());
    }
}
