//! Wall clock, and core cycles without counters.
//!
//! The time stamp counter does not count core cycles, and many machines have no counter that does. The
//! frequency of the core is measured by code that takes a known number of cycles: a chain of dependent
//! multiplications, run right before and right after the work. Hardware counters, if they can be read, would
//! be used in this file.

use std::time::Instant;

use super::{known, statistics::median};

/// Measures the time of short work.
pub struct Clock {
    /// The time of reading the clock twice, in nanoseconds.
    reading: f64,
    /// See [`Clock::quiet`].
    quiet: f64,
}

/// A piece of work, timed.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Wall-clock nanoseconds.
    pub ns: f64,
    /// Core cycles in a nanosecond, if the core ran steadily.
    pub ghz: Option<f64>,
    /// Whether another thread shared the core.
    pub beside: bool,
    /// Nanoseconds that the brackets took.
    pub around: f64,
}

/// The state of the core at one moment.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    /// Core cycles in a nanosecond.
    ghz: f64,
    /// The time of a wide loop relative to that of the chain: it shows another thread on the same core.
    width: f64,
}

/// Whether core cycles can be measured on this architecture: on others this clock may tick too slowly for a
/// chain as short as a sample.
pub const TELLS_CYCLES: bool = cfg!(target_arch = "x86_64");

/// A larger difference of the brackets means that the core changed its frequency in between, at an unknown
/// moment.
const STEADY: f64 = 0.01;

/// If a wide loop takes this many times its least time, another thread shares the core.
const BUSY: f64 = 1.2;

impl Clock {
    /// Measures the cost of the clock itself, and the width of the core. `quiet` is the value of
    /// [`Clock::quiet`] that other processes have measured: a calibration while another thread shares the
    /// core would take that state for quiet.
    pub fn calibrate(quiet: Option<f64>) -> Self {
        let mut clock = Self { reading: 0.0, quiet: 0.0 };
        clock.reading = low((0..1000).map(|_| clock.time(|| ())));
        // The median: the least of many workers is used, so one whose chain was interrupted must not count.
        let mut widths: Vec<f64> =
            (0..50).filter_map(|_| clock.bracket()).map(|bracket| bracket.width).collect();
        let seen = median(&mut widths).map_or(0.0, |median| median.value);
        clock.quiet = quietest(quiet, seen);
        clock
    }

    /// The time of a wide loop relative to that of the chain on a core without other load, if it can be
    /// measured.
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
    /// Brackets that disagree invalidate the cycles, not the time: the time did pass, and figures without the
    /// slow moments would not be those of a user.
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

    /// The current frequency of the core, if it can be measured.
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

/// The least of the values of other processes and of this one.
fn quietest(others: Option<f64>, here: f64) -> f64 {
    others.map_or(here, |others| others.min(here))
}

/// One of the least values, but not the least, which may be due to an interrupted chain.
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
