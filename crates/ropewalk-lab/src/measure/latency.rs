//! The times of single calls: not the median of many, but how often a call takes much longer.

use std::{collections::BTreeMap, time::Instant};

use serde::{Deserialize, Serialize};

use super::{
    clock::Clock,
    protocol::{Sample, Turn},
    sampler::Sampler,
};

/// Percentiles of the calls of a row, in nanoseconds, by nearest rank. The cost of the clock is subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latency {
    /// The number of calls.
    pub calls: u64,
    /// The median.
    pub p50: u64,
    /// The 99th percentile; if there are enough calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99: Option<u64>,
    /// The 99.9th percentile; if there are enough calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p999: Option<u64>,
}

/// The number of calls for each time in nanoseconds, in order of the times: a short list for many calls, as
/// the clock has no fractions of a nanosecond.
pub type Counts = Vec<(u64, u64)>;

/// The fewest calls above a percentile: otherwise it is due to chance, such as one interrupt in a thousand
/// calls.
const BEYOND: u64 = 10;

impl Latency {
    /// None if there are no calls.
    pub fn of(counts: &Counts) -> Option<Self> {
        let calls = counts.iter().map(|(_, calls)| calls).sum();
        Some(Self {
            calls,
            p50: nearest_rank(counts, 500)?,
            p99: (calls >= BEYOND * 100).then(|| nearest_rank(counts, 990)).flatten(),
            p999: (calls >= BEYOND * 1000).then(|| nearest_rank(counts, 999)).flatten(),
        })
    }
}

/// Adds counts of calls.
pub fn add(counts: &mut Counts, more: &Counts) {
    let mut all: BTreeMap<u64, u64> = BTreeMap::new();
    for (ns, calls) in counts.iter().chain(more) {
        *all.entry(*ns).or_default() += calls;
    }
    *counts = all.into_iter().collect();
}

impl Sampler {
    /// Warms up, then times each call for `seconds`. A sample is the mean of as many calls as a sample has
    /// without this mode.
    pub(super) fn latency(&mut self, clock: &Clock, seconds: f64) -> Turn {
        self.warm_up(clock);
        let start = Instant::now();
        let mut turn = Turn::default();
        let mut times = vec![0.0; self.calls];
        while turn.samples.is_empty() || start.elapsed().as_secs_f64() < seconds {
            let span = clock.span(|| {
                for time in &mut times {
                    *time = clock.time(|| self.job.run(1));
                }
            });
            let messages = (self.calls * self.count) as f64;
            // Calls below the resolution of the clock take some time.
            let ns = times.iter().sum::<f64>().max(1.0) / messages;
            turn.samples.push(Sample { ns, ghz: span.ghz });
            turn.messages += messages;
            add(&mut turn.calls, &times.iter().map(|ns| (ns.round() as u64, 1)).collect());
        }
        turn.took = Some(start.elapsed().as_nanos() as f64);
        turn
    }
}

/// The least figure that so many of a thousand calls do not exceed.
fn nearest_rank(counts: &Counts, per_mille: u64) -> Option<u64> {
    let calls: u64 = counts.iter().map(|(_, calls)| calls).sum();
    let rank = (calls * per_mille).div_ceil(1000);
    let mut below = 0;
    let reached = counts.iter().find(|(_, calls)| {
        below += calls;
        below >= rank
    });
    reached.map(|(ns, _)| *ns)
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, rc::Rc};

    use super::*;
    use crate::peers::Job;

    /// From 1 to n nanoseconds, once each.
    fn up_to(n: u64) -> Counts {
        (1..=n).map(|ns| (ns, 1)).collect()
    }

    #[test]
    fn ranks_are_the_nearest() {
        // The common example: of 15, 20, 35, 40, 50 the 30th percentile is 20, the 40th 20, the 50th 35.
        let five = vec![(15, 1), (20, 1), (35, 1), (40, 1), (50, 1)];
        assert_eq!(
            [300, 400, 500, 1000].map(|p| nearest_rank(&five, p)),
            [20, 20, 35, 50].map(Some)
        );
        assert_eq!(nearest_rank(&up_to(1000), 999), Some(999));
        assert_eq!(nearest_rank(&vec![(7, 998), (9000, 2)], 999), Some(9000));
        assert_eq!(nearest_rank(&vec![(7, 999), (9000, 1)], 999), Some(7));
        assert_eq!(nearest_rank(&Counts::new(), 500), None);
    }

    #[test]
    fn what_is_too_rare_to_tell_is_left_out() {
        let of = |n| Latency::of(&up_to(n)).unwrap();
        assert_eq!(of(1), Latency { calls: 1, p50: 1, p99: None, p999: None });
        assert_eq!(of(999), Latency { calls: 999, p50: 500, p99: None, p999: None });
        assert_eq!(of(1000), Latency { calls: 1000, p50: 500, p99: Some(990), p999: None });
        assert_eq!(of(9999).p999, None);
        assert_eq!(of(10_000).p999, Some(9990));
        assert_eq!(Latency::of(&Counts::new()), None);
    }

    #[test]
    fn counts_are_put_together_in_order() {
        let mut counts = vec![(5, 1), (9, 2)];
        add(&mut counts, &vec![(9, 1), (3, 4), (9, 1)]);
        assert_eq!(counts, [(3, 4), (5, 1), (9, 4)]);
    }

    #[test]
    fn each_call_is_timed_and_counted() {
        struct Counts(Rc<Cell<u64>>);
        impl Job for Counts {
            fn run(&mut self, calls: usize) {
                assert!(calls >= 1);
                self.0.set(self.0.get() + calls as u64);
            }
            fn answer(&mut self) -> Vec<u8> {
                Vec::new()
            }
        }
        let ran = Rc::new(Cell::new(0));
        let mut sampler = Sampler::new(Box::new(Counts(ran.clone())), 3);
        (sampler.calls, sampler.warm) = (5, 5);
        let turn = sampler.latency(&Clock::calibrate(None), 0.0);
        assert_eq!((turn.samples.len(), turn.messages), (1, 15.0));
        assert_eq!(turn.calls.iter().map(|(_, calls)| calls).sum::<u64>(), 5);
        // Once to warm up.
        assert_eq!(ran.get(), 10);
        assert!(turn.samples[0].ns > 0.0);
    }
}
