//! A row on several cores at once, compared with arithmetic on the same cores.
//!
//! A worker on each core has its own process, so nothing is shared but the machine. In each round every
//! worker first works by itself, and then the requested numbers of them work together; arithmetic takes turns
//! with them in the same way. The joint result is compared with those of the same workers by themselves,
//! since cores may differ, and so may the memory layouts of processes.

use std::{sync::atomic::AtomicBool, time::Duration};

use super::{
    entrant::{Entrant, Failed, nonsense},
    field::Row,
    protocol::{Reply, Request, Turn, Work},
    race::Measured,
    sampler,
    statistics::{Median, Turns, median},
    usage::Usage,
};
use crate::tasks::Cell;

/// The result of a row on that many cores.
#[derive(Clone, Debug)]
pub struct Scaled {
    /// The number of workers at the same time, each on a separate core.
    pub threads: usize,
    /// The cost of a message of any of them, when they share the work.
    pub measured: Measured,
    /// The joint speed relative to the sum of the single speeds.
    pub efficiency: f64,
    /// The same for arithmetic, in the same turns.
    pub arithmetic: f64,
}

/// The number of turns: as many as an interval needs, plus one.
const ROUNDS: usize = 7;

/// Time for all to receive the request, and to warm up, in nanoseconds.
const AHEAD: u64 = 5_000_000;

/// Measures `entrant` on each of `cores` by itself, and on as many of them as each of `threads` requests
/// together, for `seconds` in all rounds. `answer` is the digest of the right answer.
///
/// # Errors
/// If a worker fails or has another answer, or the user has interrupted.
pub fn scale(
    entrant: &Entrant,
    row: &Row,
    cell: &Cell,
    answer: &str,
    (cores, threads): (&[usize], &[usize]),
    seconds: f64,
    stop: &AtomicBool,
) -> Result<Vec<Scaled>, Failed> {
    let (bytes, seconds) = (cell.bytes * cell.count, seconds / ROUNDS as f64);
    let mut team = Team { workers: Vec::new(), bytes, seconds, stop };
    for core in cores {
        team.workers.push(entrant.on(*core));
    }
    let (note, provider) = team.prepare(row, cell, answer)?;
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push(Round::of(&mut team, threads)?);
    }
    let of = |(i, threads): (usize, &usize)| {
        let mut scaled = scaled(&rounds, i, *threads, &note);
        scaled.measured.besides.provider.clone_from(&provider);
        scaled
    };
    Ok(threads.iter().enumerate().map(of).collect())
}

/// A worker on each core.
struct Team<'a> {
    workers: Vec<Entrant>,
    /// Bytes of a call.
    bytes: usize,
    /// Seconds of a turn.
    seconds: f64,
    stop: &'a AtomicBool,
}

impl Team<'_> {
    /// Makes every worker prepare the job, and returns its note and its provider.
    fn prepare(
        &mut self,
        row: &Row,
        cell: &Cell,
        right: &str,
    ) -> Result<(String, Option<String>), Failed> {
        let mut noted = (String::new(), None);
        let extra = self.allowance();
        for worker in &mut self.workers {
            let backend = row.backend.clone();
            let request = Request::Prepare { job: JOB, cell: cell.into(), backend };
            match worker.ask(&request, extra, self.stop)? {
                Reply::Prepared { answer, note, provider } if answer == right => {
                    noted = (note, provider);
                }
                Reply::Prepared { .. } => return Err(Failed::Because(WRONG.into())),
                _ => return Err(Failed::Because(nonsense())),
            }
        }
        Ok(noted)
    }

    /// Runs work on some workers at the same time, and returns the turn of each.
    fn turn(&mut self, who: std::ops::Range<usize>, work: Work) -> Result<Vec<Turn>, Failed> {
        let (start, seconds) = (sampler::now() + AHEAD, self.seconds);
        let extra = self.allowance();
        let workers = &mut self.workers[who];
        for worker in workers.iter_mut() {
            worker.tell(&Request::Together { work, start, seconds }, self.stop)?;
        }
        let turns = workers.iter_mut().map(|worker| match worker.answer(extra, self.stop)? {
            Reply::Turn(turn) => Ok(turn),
            _ => Err(Failed::Because(nonsense())),
        });
        turns.collect()
    }

    /// As in a race, long messages get additional time.
    fn allowance(&self) -> Duration {
        Duration::from_nanos(1000).mul_f64(self.bytes as f64)
    }
}

/// The only job of a worker.
const JOB: usize = 0;

/// Why there is no figure where an answer is not that of the portable backend.
pub const WRONG: &str = "its answer is wrong, so it was not timed";

/// The results of a round.
struct Round {
    job: Rates,
    arithmetic: Rates,
}

/// Messages in a nanosecond: of each worker by itself, and for each number of threads of all that worked
/// together.
#[derive(Default)]
struct Rates {
    alone: Vec<f64>,
    together: Vec<f64>,
    /// The kernel's counts for those, and their number of messages.
    usage: Vec<(Usage, f64)>,
}

impl Round {
    fn of(team: &mut Team<'_>, threads: &[usize]) -> Result<Self, Failed> {
        let mut round = Self { job: Rates::default(), arithmetic: Rates::default() };
        for who in 0..team.workers.len() {
            let who = who..who + 1;
            round.arithmetic.alone.push(rate(&team.turn(who.clone(), Work::Arithmetic)?)?);
            round.job.alone.push(rate(&team.turn(who, Work::Job(JOB))?)?);
        }
        for threads in threads {
            round.arithmetic.together.push(rate(&team.turn(0..*threads, Work::Arithmetic)?)?);
            let turns = team.turn(0..*threads, Work::Job(JOB))?;
            round.job.together.push(rate(&turns)?);
            round.job.usage.push(usage(&turns));
        }
        Ok(round)
    }
}

/// The sum of the medians.
fn rate(turns: &[Turn]) -> Result<f64, Failed> {
    let each = turns.iter().map(|turn| {
        let mut ns: Vec<f64> = turn.samples.iter().map(|sample| sample.ns).collect();
        let median = median(&mut ns).filter(|median| median.value > 0.0);
        Ok(1.0 / median.ok_or_else(|| Failed::Because("a turn had no sample".into()))?.value)
    });
    each.sum()
}

fn usage(turns: &[Turn]) -> (Usage, f64) {
    let of = |turn: &Turn| (turn.usage, turn.messages);
    let (usages, messages): (Vec<Usage>, Vec<f64>) = turns.iter().map(of).unzip();
    (usages.into_iter().sum(), messages.into_iter().sum())
}

impl Rates {
    /// The efficiency of the `i`th number of threads.
    fn efficiency(&self, i: usize, threads: usize) -> f64 {
        self.together[i] / self.alone[..threads].iter().sum::<f64>()
    }
}

/// The median of the rounds for the `i`th number of threads.
fn scaled(rounds: &[Round], i: usize, threads: usize, note: &str) -> Scaled {
    let middle = |of: &dyn Fn(&Round) -> f64| {
        let mut values: Vec<f64> = rounds.iter().map(of).collect();
        median(&mut values).unwrap_or(Median { value: f64::NAN, interval: None })
    };
    let ns = |round: &Round| threads as f64 / round.job.together[i];
    let usage: Usage = rounds.iter().map(|round| round.job.usage[i].0).sum();
    let messages: f64 = rounds.iter().map(|round| round.job.usage[i].1).sum();
    let measured = Measured {
        ns: middle(&ns),
        cycles: None,
        usage: usage / messages,
        messages,
        ghz: None,
        turns: Turns { ns: rounds.iter().map(ns).collect(), cycles: Vec::new() },
        beside: 0.0,
        note: note.into(),
        besides: Box::default(),
    };
    Scaled {
        threads,
        measured,
        efficiency: middle(&|round| round.job.efficiency(i, threads)).value,
        arithmetic: middle(&|round| round.arithmetic.efficiency(i, threads)).value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::protocol::Sample;

    fn turn(ns: &[f64]) -> Turn {
        let samples = ns.iter().map(|ns| Sample { ns: *ns, ghz: None }).collect();
        let usage = Usage { user_ns: 4.0, sys_ns: 1.0, ..Usage::default() };
        Turn { samples, messages: ns.len() as f64, usage, ..Turn::default() }
    }

    #[test]
    fn rates_add_up() {
        let turns = [turn(&[2.0, 2.0, 90.0]), turn(&[4.0])];
        assert_eq!(rate(&turns).unwrap(), 0.75);
        let (all, messages) = usage(&turns);
        assert_eq!((all.user_ns, all.sys_ns, messages), (8.0, 2.0, 4.0));
        assert!(rate(&[turn(&[])]).is_err());
    }

    #[test]
    fn cores_are_held_against_themselves() {
        let rates = |alone: &[f64], together: &[f64]| Rates {
            alone: alone.into(),
            together: together.into(),
            usage: vec![(Usage { user_ns: 1.0, ..Usage::default() }, 1.0); 2],
        };
        let round = || Round {
            job: rates(&[1.0, 3.0], &[1.0, 3.6]),
            arithmetic: rates(&[2.0, 2.0], &[2.0, 3.8]),
        };
        let rounds = [round(), round()];
        let two = scaled(&rounds, 1, 2, "");
        assert_eq!((two.efficiency, two.arithmetic), (0.9, 0.95));
        assert_eq!(two.measured.ns.value, 2.0 / 3.6);
        assert_eq!(scaled(&rounds, 0, 1, "").efficiency, 1.0);
    }
}
