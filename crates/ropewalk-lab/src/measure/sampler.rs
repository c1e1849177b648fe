//! Samples of one job, inside its worker.

use nix::time::{ClockId, clock_gettime};

use super::{
    clock::Clock,
    protocol::{Sample, Turn},
    statistics::median,
    usage::Usage,
};
use crate::peers::Job;

/// A job and the number of calls that make a sample of it.
pub struct Sampler {
    pub(super) job: Box<dyn Job>,
    /// Messages in each call.
    pub(super) count: usize,
    /// Calls in a sample; zero until it is known.
    pub(super) calls: usize,
    /// Calls that warm up before a turn.
    pub(super) warm: usize,
}

/// The duration of a sample: long compared with the clock's error, short compared with the time between two
/// interrupts.
const SAMPLE_NS: f64 = 100_000.0;

/// Longer calls fill the caches themselves.
const LONG_NS: f64 = 2_000_000.0;

/// Calls before a buffer is used again, if a call is a sample.
const ROTATION: usize = 2;

/// Every call takes some fraction of a nanosecond.
const MOST_CALLS: usize = 1 << 20;

impl Sampler {
    /// Takes a job that is ready, with `count` messages a call.
    pub fn new(job: Box<dyn Job>, count: usize) -> Self {
        Self { job, count, calls: 0, warm: 0 }
    }

    /// Warms up, then takes samples for `seconds`, at least one.
    pub fn turn(&mut self, clock: &Clock, seconds: f64) -> Turn {
        self.warm_up(clock);
        let mut turn = Turn::default();
        let messages = (self.calls * self.count) as f64;
        let (mut spent, mut around) = (0.0, Vec::new());
        let before = Usage::now();
        while turn.samples.is_empty() || spent < seconds * 1e9 {
            let span = clock.span(|| self.job.run(self.calls));
            turn.samples.push(Sample { ns: span.ns / messages, ghz: span.ghz });
            turn.messages += messages;
            turn.beside += usize::from(span.beside);
            spent += span.ns;
            around.push(span.around);
        }
        let usage = Usage::now() - before;
        // The median for all: an interrupted one used no processor time for it.
        let each = median(&mut around).map_or(0.0, |median| median.value);
        turn.usage = usage.without(each * around.len() as f64);
        turn
    }

    /// Works until `start`, to warm up, and then takes samples for `seconds`, at least one. It does not
    /// pause, as others work at the same time.
    pub fn together(&mut self, clock: &Clock, start: u64, seconds: f64) -> Turn {
        self.warm_up(clock);
        while now() < start {
            self.job.run(self.calls);
        }
        let end = start + (seconds * 1e9) as u64;
        let messages = (self.calls * self.count) as f64;
        let mut turn = Turn::default();
        let before = Usage::now();
        while turn.samples.is_empty() || now() < end {
            let ns = clock.time(|| self.job.run(self.calls));
            turn.samples.push(Sample { ns: ns / messages, ghz: None });
            turn.messages += messages;
        }
        turn.usage = Usage::now() - before;
        turn
    }

    /// Loads code and data into the caches after the turns of other rows. The first time, it determines how
    /// many calls make a sample.
    pub(super) fn warm_up(&mut self, clock: &Clock) {
        if self.calls == 0 {
            self.calibrate(clock);
        } else if self.warm > 0 {
            self.job.run(self.warm);
        }
    }

    fn calibrate(&mut self, clock: &Clock) {
        // One-time costs of a first run, such as page faults, would count as calls.
        self.job.run(1);
        let mut calls = 1;
        let each = loop {
            let ns = clock.time(|| self.job.run(calls));
            if ns >= SAMPLE_NS / 4.0 || calls >= MOST_CALLS {
                break ns.max(1.0) / calls as f64;
            }
            calls *= 2;
        };
        self.calls = (SAMPLE_NS / each).clamp(1.0, MOST_CALLS as f64) as usize;
        self.warm = if each > LONG_NS { 0 } else { self.calls.max(ROTATION) };
    }
}

/// Nanoseconds by a clock that all processes share.
pub fn now() -> u64 {
    let now = clock_gettime(ClockId::CLOCK_MONOTONIC).expect("every system has this clock");
    now.tv_sec() as u64 * 1_000_000_000 + now.tv_nsec() as u64
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, rc::Rc};

    use super::*;

    struct Counts(Rc<Cell<usize>>);

    impl Job for Counts {
        fn run(&mut self, calls: usize) {
            for _ in 0..calls {
                self.0.set(std::hint::black_box(self.0.get()) + 1);
            }
        }
        fn answer(&mut self) -> Vec<u8> {
            Vec::new()
        }
    }

    #[test]
    fn a_turn_has_a_sample_at_least_and_counts_messages() {
        let ran = Rc::new(Cell::new(0));
        let mut sampler = Sampler::new(Box::new(Counts(ran.clone())), 3);
        let clock = Clock::calibrate(None);
        let first = sampler.turn(&clock, 0.0);
        assert_eq!(first.samples.len(), 1);
        let before = ran.get();
        let turn = sampler.turn(&clock, 0.002);
        assert_eq!(turn.messages, ((ran.get() - before - sampler.warm) * 3) as f64);
        assert_eq!(turn.messages, (turn.samples.len() * sampler.calls * 3) as f64);
        // It continues until that time is in samples.
        let each = (sampler.calls * 3) as f64;
        assert!(turn.samples.iter().map(|sample| sample.ns * each).sum::<f64>() >= 2e6 - 1.0);
    }

    #[test]
    fn nobody_begins_before_the_others() {
        let mut sampler = Sampler::new(Box::new(Counts(Rc::default())), 1);
        let (clock, start) = (Clock::calibrate(None), now() + 3_000_000);
        let turn = sampler.together(&clock, start, 0.002);
        // A busy machine may leave time for one sample.
        assert!(now() >= start + 2_000_000 && !turn.samples.is_empty());
        assert_eq!(turn.messages, (turn.samples.len() * sampler.calls) as f64);
    }
}
