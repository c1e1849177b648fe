//! Wall clock, and core cycles without counters.
//!
//! The time stamp counter does not count core cycles, and many machines have no counter that does.
//! What takes a known number of cycles tells how fast the core runs: a chain of dependent
//! multiplications, run right before and right after the work. Where hardware counters can be read,
//! this file is where they would come in.

use std::time::Instant;

use super::{known, statistics::median};

/// Tells the time of short work.
pub struct Clock {
    /// What reading the clock twice takes, in nanoseconds.
    reading: f64,
    /// See [`Clock::quiet`].
    quiet: f64,
}

/// One piece of work, timed.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Wall-clock nanoseconds.
    pub ns: f64,
    /// Core cycles in a nanosecond, where the core ran steadily.
    pub ghz: Option<f64>,
    /// Whether a neighbour shared the core.
    pub beside: bool,
    /// Nanoseconds that the brackets took.
    pub around: f64,
}

/// What the core was doing at one moment.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    /// Core cycles in a nanosecond.
    ghz: f64,
    /// Time of a wide loop over that of the chain: tells of a neighbour on the same core.
    width: f64,
}

/// Whether core cycles can be told on this architecture: elsewhere this clock may tick too seldom for a chain as
/// short as a sample.
pub const TELLS_CYCLES: bool = cfg!(target_arch = "x86_64");

/// Brackets that differ by more mean that the core changed its frequency in between, at an unknown moment.
const STEADY: f64 = 0.01;

/// A wide loop that takes this many times its least time shares the core with another thread.
const BUSY: f64 = 1.2;

impl Clock {
    /// Learns what the clock itself costs, and how wide the core is. `quiet` is what others have seen of
    /// [`Clock::quiet`]: calibration while a neighbour runs all the time would take that state for quiet.
    pub fn calibrate(quiet: Option<f64>) -> Self {
        let mut clock = Self { reading: 0.0, quiet: 0.0 };
        clock.reading = low((0..1000).map(|_| clock.time(|| ())));
        // The middle of them: the least of many workers counts, and one whose chain was interrupted must not.
        let mut widths: Vec<f64> =
            (0..50).filter_map(|_| clock.bracket()).map(|bracket| bracket.width).collect();
        let seen = median(&mut widths).map_or(0.0, |median| median.value);
        clock.quiet = quietest(quiet, seen);
        clock
    }

    /// The time of a wide loop over that of the chain where the core belongs to one process alone, if
    /// that can be told.
    pub fn quiet(&self) -> Option<f64> {
        TELLS_CYCLES.then_some(self.quiet)
    }

    /// Wall-clock nanoseconds of `work`.
    pub fn time(&self, work: impl FnOnce()) -> f64 {
        let start = Instant::now();
        work();
        (start.elapsed().as_nanos() as f64 - self.reading).max(0.0)
    }

    /// Times `work` between two brackets.
    ///
    /// Brackets that disagree void the cycles and not the time: the time did pass, and a figure
    /// that leaves out the slow moments is not what a user gets.
    pub fn span(&self, work: impl FnOnce()) -> Span {
        let mut brackets = [None; 2];
        let before = self.time(|| brackets[0] = self.bracket());
        let ns = self.time(work);
        let after = self.time(|| brackets[1] = self.bracket());
        let (ghz, beside) = match brackets {
            [Some(a), Some(b)] => (self.steady(a, b), !self.alone(a, b)),
            _ => (None, false),
        };
        Span { ns, ghz, beside, around: before + after }
    }

    /// How fast the core runs now, where that can be told.
    pub fn ghz(&self) -> Option<f64> {
        (0..20).find_map(|_| self.span(|| ()).ghz)
    }

    fn steady(&self, a: Bracket, b: Bracket) -> Option<f64> {
        let same = (a.ghz / b.ghz - 1.0).abs() <= STEADY;
        (self.alone(a, b) && same).then_some((a.ghz + b.ghz) / 2.0)
    }

    fn alone(&self, a: Bracket, b: Bracket) -> bool {
        a.width.max(b.width) < BUSY * self.quiet
    }

    fn bracket(&self) -> Option<Bracket> {
        if !TELLS_CYCLES {
            return None;
        }
        let chain = self.time(known::chain);
        let wide = self.time(known::wide);
        Some(Bracket { ghz: known::CHAIN as f64 / chain, width: wide / chain })
    }
}

/// Of what others have seen, and what was seen here.
fn quietest(others: Option<f64>, here: f64) -> f64 {
    others.map_or(here, |others| others.min(here))
}

/// One of the least values, and not the least: that one may come of an interrupted chain.
fn low(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 10).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_that_disagree_tell_no_frequency() {
        let clock = Clock { reading: 0.0, quiet: 0.33 };
        let bracket = |ghz, width| Bracket { ghz, width };
        assert_eq!(clock.steady(bracket(3.0, 0.33), bracket(3.0, 0.34)), Some(3.0));
        assert_eq!(clock.steady(bracket(3.0, 0.33), bracket(3.1, 0.33)), None);
        assert_eq!(clock.steady(bracket(3.0, 0.33), bracket(3.0, 0.50)), None);
    }

    #[test]
    fn what_others_saw_of_a_quiet_core_counts() {
        assert_eq!(quietest(None, 0.33), 0.33);
        assert_eq!(quietest(Some(0.3), 0.33), 0.3);
        assert_eq!(quietest(Some(0.6), 0.33), 0.33);
        assert_eq!(Clock::calibrate(Some(0.0)).quiet, 0.0);
    }

    #[test]
    fn a_span_covers_its_work() {
        let span =
            Clock::calibrate(None).span(|| std::thread::sleep(std::time::Duration::from_millis(2)));
        assert!(span.ns >= 2e6, "{span:?}");
    }
}
