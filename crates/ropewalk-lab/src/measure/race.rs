//! One cell, raced by its rows: A B C A B C, so that what changes on the machine meanwhile changes
//! for all.

use std::{collections::BTreeSet, sync::atomic::AtomicBool, time::Duration};

use super::{
    clock::TELLS_CYCLES,
    entrant::{Entrant, Failed, nonsense},
    field::Row,
    protocol::{Reply, Request, Sample, Turn},
    statistics::{ENOUGH, Median, Turns, median},
    way::{Besides, Gathered, Way},
};
use crate::tasks::Cell;

/// What became of a row.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was timed.
    Measured(Measured),
    /// Its answer was wrong, so it was not timed.
    Wrong,
    /// Why there is no figure.
    Absent(String),
}

/// The figures of a row, each of one message.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Wall-clock nanoseconds.
    pub ns: Median,
    /// Core cycles, where they can be told.
    pub cycles: Option<f64>,
    /// Processor time in user space; not a number where it is not known.
    pub user_ns: f64,
    /// Processor time in the kernel.
    pub sys_ns: f64,
    /// The core's frequency, in GHz.
    pub ghz: Option<f64>,
    /// The median of its turns in each process; of long messages, of each turn.
    pub turns: Turns,
    /// What else is in them.
    pub note: String,
    /// What else is known.
    pub besides: Box<Besides>,
}

/// Races the rows of a cell for `seconds` of samples each. `answer` is the digest of the right one,
/// or why nobody knows it. Where the user wants to stop, what has been sampled counts.
pub fn race(
    entrants: &mut [Entrant],
    rows: &[Row],
    cell: &Cell,
    answer: Result<&str, &str>,
    seconds: f64,
    way: Way,
    stop: &AtomicBool,
) -> Vec<Outcome> {
    let mut course = Course { fewest: 0, ..Course::new(rows, cell, answer, seconds, way) };
    course.go(entrants, None, stop);
    course.outcomes()
}

/// A race that is run in laps, with those of other cells between them: what changes on a machine within a minute is then
/// in all rows of all cells, and shows as the noise that it is when they are compared with those of another run.
pub struct Course<'a> {
    lanes: Vec<Lane<'a>>,
    cell: &'a Cell,
    answer: String,
    seconds: f64,
    way: Way,
    /// Medians that a row must have.
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
        seconds: f64,
        way: Way,
    ) -> Self {
        let lanes = rows.iter().map(|row| Lane::new(row, answer.err())).collect();
        let answer = answer.unwrap_or_default().into();
        Self { lanes, cell, answer, seconds, way, fewest: LAPS }
    }

    /// Whether a row takes another turn.
    pub fn runs(&self) -> bool {
        self.lanes.iter().any(|lane| lane.runs(self.seconds, self.fewest))
    }

    /// Goes on for as long as a process lasts. Long messages, which take long to prepare, run to the end.
    pub fn lap(&mut self, entrants: &mut [Entrant], stop: &AtomicBool) {
        let short = is_short(self.cell);
        if short {
            let busy: BTreeSet<usize> = self.lanes.iter().map(|lane| lane.row.entrant).collect();
            busy.iter().for_each(|entrant| entrants[*entrant].renew());
        }
        self.go(entrants, short.then_some(TURNS_OF_PROCESS), stop);
    }

    /// What has become of the rows.
    pub fn outcomes(self) -> Vec<Outcome> {
        self.lanes.into_iter().map(Lane::outcome).collect()
    }

    fn go(&mut self, entrants: &mut [Entrant], rounds: Option<usize>, stop: &AtomicBool) {
        let Self { lanes, cell, answer, .. } = self;
        let (seconds, way, fewest) = (self.seconds, self.way, self.fewest);
        let mut race = Race { entrants, cell, answer, seconds, way, fewest, stop };
        for together in lanes.chunks_mut(race.at_once()) {
            race.run(together, rounds.unwrap_or(usize::MAX));
        }
    }
}

/// A row that runs.
struct Lane<'a> {
    row: &'a Row,
    /// The worker that has its job.
    generation: Option<u32>,
    turns: Turn,
    /// Those since the process has started.
    latest: Vec<Sample>,
    /// The median of each process.
    medians: Turns,
    /// Seconds in samples.
    spent: f64,
    /// Of those, seconds in samples of which the cycles are known.
    steady: f64,
    note: String,
    gathered: Gathered,
    ended: Option<Outcome>,
}

struct Race<'a> {
    entrants: &'a mut [Entrant],
    cell: &'a Cell,
    answer: &'a str,
    seconds: f64,
    way: Way,
    fewest: usize,
    stop: &'a AtomicBool,
}

/// Turns that a row has, so that each meets every mood of the machine.
const TURNS: f64 = 12.0;

/// Turns of a row in one process. Where its memory lies is drawn when a process starts, and can make
/// a short message take twice as long: a figure from one process would be that of one draw.
const TURNS_OF_PROCESS: usize = 2;

/// Bytes of messages from which that no longer matters, and preparing them again takes long.
const LONG: usize = 1 << 18;

/// The longest turn, in seconds.
const LONGEST: f64 = 0.02;

/// The part of a row's time in which the core must have run steadily and alone: until then, a row
/// goes on, up to so many times as long.
const STEADY: f64 = 0.4;
const WAIT: f64 = 5.0;

/// Seconds after which a row is content with fewer samples than an interval needs.
const CONTENT: f64 = 2.0;

/// Bytes of messages that may be held at once. Beyond, rows run one after the other.
const HELD: usize = 1 << 30;

impl Race<'_> {
    /// How many rows can hold their messages at the same time.
    fn at_once(&self) -> usize {
        // Two buffers at least, so that inputs differ.
        (HELD / (2 * self.cell.bytes * self.cell.count)).max(1)
    }

    fn run(&mut self, lanes: &mut [Lane<'_>], rounds: usize) {
        let busy: BTreeSet<usize> = lanes.iter().map(|lane| lane.row.entrant).collect();
        let short = is_short(self.cell);
        for round in 0..rounds {
            if !lanes.iter().any(|lane| lane.runs(self.seconds, self.fewest)) {
                break;
            }
            if !short || round % TURNS_OF_PROCESS == 0 {
                lanes.iter_mut().for_each(Lane::settle);
            }
            if short && round > 0 && round % TURNS_OF_PROCESS == 0 {
                busy.iter().for_each(|entrant| self.entrants[*entrant].renew());
            }
            for (job, lane) in lanes.iter_mut().enumerate() {
                if !lane.runs(self.seconds, self.fewest) {
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
        // A worker may have died in the turn of another row since.
        if lane.generation != Some(entrant.generation()) {
            let backend = lane.row.backend.clone();
            let request = Request::Prepare { job, cell: self.cell.into(), backend };
            match entrant.ask(&request, allowance, self.stop)? {
                Reply::Prepared { answer, note } if answer == self.answer => lane.note = note,
                Reply::Prepared { .. } => return Err(Stopped::Because(Outcome::Wrong.into())),
                other => return Err(Failed::Because(nonsense(&other)).into()),
            }
            lane.generation = Some(entrant.generation());
        }
        let seconds = (self.seconds / TURNS).min(LONGEST);
        let request = Request::Turn { job, seconds, way: self.way };
        match entrant.ask(&request, allowance, self.stop)? {
            Reply::Turn(turn) => Ok(turn),
            other => Err(Failed::Because(nonsense(&other)).into()),
        }
    }

    /// Time that the size of the messages excuses: a slow cipher takes 100 ns a byte, and a reply
    /// stands for some passes over them.
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
            spent: 0.0,
            steady: 0.0,
            note: String::new(),
            gathered: Gathered::default(),
            ended,
        }
    }

    fn runs(&self, seconds: f64, fewest: usize) -> bool {
        let many = self.turns.samples.len() >= ENOUGH && self.medians.ns.len() >= fewest;
        let enough = many || self.spent >= CONTENT;
        let steady = self.steady >= seconds * STEADY || self.spent >= seconds * WAIT;
        let done = enough && self.spent >= seconds && (steady || !TELLS_CYCLES);
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
            // What is between samples takes the time, and no frequency is told of single calls.
            self.spent = took_before + took * 1e-9;
            self.steady = self.spent;
            self.turns.took = Some(took);
        }
        self.gathered.add(&turn);
        self.turns.samples.extend(turn.samples);
        self.turns.messages += turn.messages;
        self.turns.user_ns += turn.user_ns;
        self.turns.sys_ns += turn.sys_ns;
    }

    /// Ends what one process has measured.
    fn settle(&mut self) {
        if !self.latest.is_empty() {
            self.medians.add(&self.latest);
            self.latest.clear();
        }
    }

    fn outcome(mut self) -> Outcome {
        self.settle();
        if let Some(ended) = self.ended {
            return ended;
        }
        match summary(&self.turns, self.medians, self.note, self.gathered.besides()) {
            Some(measured) => Outcome::Measured(measured),
            None => Outcome::Absent("interrupted".into()),
        }
    }
}

/// Whether its jobs are prepared anew for each process.
fn is_short(cell: &Cell) -> bool {
    cell.bytes * cell.count < LONG
}

fn summary(turns: &Turn, medians: Turns, note: String, besides: Besides) -> Option<Measured> {
    let mut ns: Vec<f64> = turns.samples.iter().map(|sample| sample.ns).collect();
    let steady = turns.samples.iter().filter_map(|sample| Some((sample.ns, sample.ghz?)));
    let (mut cycles, mut ghz): (Vec<f64>, Vec<f64>) =
        steady.map(|(ns, ghz)| (ns * ghz, ghz)).unzip();
    // Nobody knows how much of it was between samples.
    let each = |of_all: f64| turns.took.map_or(of_all / turns.messages, |_| f64::NAN);
    Some(Measured {
        ns: median(&mut ns)?,
        cycles: median(&mut cycles).map(|median| median.value),
        user_ns: each(turns.user_ns),
        sys_ns: each(turns.sys_ns),
        ghz: median(&mut ghz).map(|median| median.value),
        turns: medians,
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
            Failed::Because(why) => Self::Because(Outcome::Absent(why).into()),
            Failed::Interrupted => Self::Interrupted,
        }
    }
}
