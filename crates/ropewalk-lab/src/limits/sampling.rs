//! Core cycles of short loops, on a machine with other work.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use std::{thread::sleep, time::Duration};

use super::ticks::{settle, ticks};
use crate::measure::known::{CHAIN, chain, wide};

/// A loop over some instructions.
pub(super) struct Probe {
    /// The number of instructions in one iteration of the loop.
    pub(super) instructions: u32,
    /// Runs that many iterations.
    pub(super) run: fn(u64),
}

/// Core cycles of one instruction of each probe; none at all if the samples of some probe do not agree after
/// all tries. `quiet` is the width of the core without other load, if known.
pub(super) fn cycles<const N: usize>(
    probes: &[Option<Probe>; N],
    quiet: Option<f64>,
) -> Option<[Option<f64>; N]> {
    (0..TRIES).find_map(|again| {
        // A disturbance may be over by then.
        sleep(PAUSE * again);
        let cycles = try_cycles(probes, quiet);
        let all = probes.iter().zip(&cycles).all(|(probe, it)| it.is_some() || probe.is_none());
        all.then_some(cycles)
    })
}

fn try_cycles<const N: usize>(probes: &[Option<Probe>; N], quiet: Option<f64>) -> [Option<f64>; N] {
    let overhead = (0..100).map(|_| elapsed(|| ())).min().unwrap_or(0);
    let mut samples = [const { Vec::new() }; N];
    // A disturbance lasts longer than a few samples: the probes take turns.
    for _ in 0..ROUNDS {
        for (probe, samples) in probes.iter().zip(&mut samples) {
            let Some(probe) = probe else { continue };
            samples.extend(sample(probe, overhead));
        }
    }
    let mut widths: Vec<f64> = samples.iter().flatten().map(|sample| sample.width).collect();
    widths.sort_by(f64::total_cmp);
    let seen = widths.get(widths.len() / 10).copied();
    let narrow = seen.into_iter().chain(quiet).fold(f64::INFINITY, f64::min) * NARROWER;
    samples.map(|samples| {
        let alone = samples.into_iter().filter(|sample| sample.width <= narrow);
        agreed(alone.map(|sample| sample.cycles).collect())
    })
}

/// The number of times that a disturbed measurement is repeated.
const TRIES: u32 = 6;

/// The increase of the pause before each repetition.
const PAUSE: Duration = Duration::from_millis(150);

/// The number of turns of each probe.
const ROUNDS: usize = 10;

/// Consecutive samples in a round.
const SAMPLES: usize = 6;

/// Samples after which a core has settled: multiplications on 512 bits make Granite Rapids change its voltage, and
/// for some 200 us the time of a chain varies.
const SETTLES: usize = 100;

/// The length of a sample, as a multiple of the chain: a core takes some 2000 cycles to switch to its widest
/// multiplications, which must be negligible.
const LENGTH: f64 = 10.0;

/// The largest difference of the chains before and after a sample.
const BRACKETS: f64 = 0.01;

/// The largest slowdown of the loop without operations.
const NARROWER: f64 = 1.15;

/// Samples that must agree, and how closely.
const AGREE: usize = 5;
const AGREE_WITHIN: f64 = 0.005;

struct Sample {
    /// Core cycles of one instruction.
    cycles: f64,
    /// The time of the loop without operations, relative to the chain.
    width: f64,
}

fn sample(probe: &Probe, overhead: u64) -> Vec<Sample> {
    let net = |ticks: u64| ticks.saturating_sub(overhead).max(1) as f64;
    // The first iterations wake sleeping units, and determine how many make a sample.
    const FIRST: u64 = 64;
    let first = net(elapsed(|| (probe.run)(FIRST)));
    let turns =
        (LENGTH * FIRST as f64 * net(elapsed(chain)) / first).clamp(FIRST as f64, 1e6) as u64;
    let mut samples = Vec::with_capacity(SAMPLES);
    for _ in 0..SETTLES {
        if samples.len() == SAMPLES {
            break;
        }
        let before = net(elapsed(chain));
        let width_before = net(elapsed(wide));
        let took = net(elapsed(|| (probe.run)(turns)));
        let width_after = net(elapsed(wide));
        let after = net(elapsed(chain));
        if (before / after - 1.0).abs() > BRACKETS {
            samples.clear();
        } else {
            let cycle = (before + after) / 2.0 / CHAIN as f64;
            samples.push(Sample {
                cycles: took / cycle / turns as f64 / f64::from(probe.instructions),
                width: (width_before / before).max(width_after / after),
            });
        }
    }
    samples
}

fn elapsed(work: impl FnOnce()) -> u64 {
    let start = ticks();
    work();
    let ticks = ticks().saturating_sub(start);
    settle();
    ticks
}

/// The least figure that several samples agree on.
///
/// It is not the median, since a core may throttle its widest units for longer than the whole measurement;
/// and not the minimum, since a core that changes its frequency between the brackets gives figures that are
/// too small.
fn agreed(mut figures: Vec<f64>) -> Option<f64> {
    figures.sort_by(f64::total_cmp);
    let mut runs = figures.windows(AGREE.max(figures.len() / 20));
    let run = runs.find(|run| run[run.len() - 1] <= run[0] * (1.0 + AGREE_WITHIN))?;
    Some(run[run.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::agreed;

    #[test]
    fn least_figure_that_several_agree_on() {
        let clean = [1.0, 1.001, 1.001, 1.002, 1.003];
        assert_eq!(agreed(clean.into()), Some(1.001));
        // Two that are too small, and most of them throttled.
        let throttled = [clean.as_slice(), &[0.889, 0.89], &[1.118; 20]].concat();
        assert_eq!(agreed(throttled), Some(1.001));
        assert_eq!(agreed(vec![1.0, 1.1, 1.2, 1.3, 1.4, 1.5]), None);
        assert_eq!(agreed(vec![1.0; 4]), None);
        assert_eq!(agreed(Vec::new()), None);
    }
}
