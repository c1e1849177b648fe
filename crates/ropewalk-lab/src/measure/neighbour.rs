//! The effect of wide code on the scalar code after it.
//!
//! A core may run slower for a while after wide instructions, which affects all code on it. So the job runs
//! for a moment, and then short chunks of scalar code of known cycles are timed for about a millisecond; this
//! alternates with the same after an equally long run of scalar code.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{
    clock::Clock,
    known,
    protocol::{Sample, Turn},
    sampler::Sampler,
    statistics::median,
};
use crate::peers::Unavailable;

/// Nanoseconds of each chunk of scalar code, in order: the medians over all runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct After {
    /// After the job.
    pub job: Vec<f64>,
    /// After scalar code.
    pub scalar: Vec<f64>,
}

/// The slowdown of scalar code after a job.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// In the first millisecond.
    pub percent: f64,
    /// In the worst [`STEP`] of it.
    pub worst_percent: f64,
    /// The end of the effect, in microseconds after the job; 0 if there is none.
    pub until_us: f64,
}

/// Nanoseconds that are evaluated together.
pub const STEP: f64 = 50_000.0;

/// A ratio above the noise.
const SLOWER: f64 = 1.01;

/// How long the scalar code is timed, in nanoseconds.
const WINDOW: f64 = 1e6;

impl After {
    /// None if there are no chunks.
    pub fn effect(&self) -> Option<Effect> {
        let mut steps: Vec<(f64, f64)> = Vec::new();
        let mut from = 0.0;
        for (job, scalar) in self.job.iter().zip(&self.scalar) {
            let step = (from / STEP) as usize;
            from += scalar;
            steps.resize(steps.len().max(step + 1), (0.0, 0.0));
            let (of_job, of_scalar) = &mut steps[step];
            *of_job += job;
            *of_scalar += scalar;
        }
        let slower = |(job, scalar): (f64, f64)| job / scalar;
        let all = steps.iter().fold((0.0, 0.0), |all, step| (all.0 + step.0, all.1 + step.1));
        // A chunk may be longer than a step.
        let ratios: Vec<f64> = steps.into_iter().filter(|step| step.1 > 0.0).map(slower).collect();
        let worst = ratios.iter().copied().reduce(f64::max)?;
        let ended = ended(&ratios);
        Some(Effect {
            percent: (slower(all) - 1.0) * 100.0,
            worst_percent: (worst - 1.0) * 100.0,
            until_us: ended as f64 / ratios.len() as f64 * from / 1e3,
        })
    }

    /// Combines several turns: the median of each.
    pub fn together(turns: &[Self]) -> Option<Self> {
        let of = |pieces: fn(&Self) -> &[f64]| middles(turns.iter().map(pieces));
        let both = Self { job: of(|turn| &turn.job), scalar: of(|turn| &turn.scalar) };
        (!both.job.is_empty()).then_some(both)
    }
}

/// The number of steps until it ends: all of them are slower from the first on, except for single ones.
fn ended(ratios: &[f64]) -> usize {
    let slow = |i: usize| ratios.get(i).is_some_and(|ratio| *ratio > SLOWER);
    let mut end = 0;
    while slow(end) || (end > 0 && slow(end + 1)) {
        end += 1;
    }
    end
}

/// The median of each chunk.
fn middles<'a>(times: impl Iterator<Item = &'a [f64]> + Clone) -> Vec<f64> {
    let pieces = times.clone().map(<[f64]>::len).min().unwrap_or(0);
    let of_piece = |i: usize| {
        let mut each: Vec<f64> = times.clone().map(|times| times[i]).collect();
        median(&mut each).map(|median| median.value)
    };
    (0..pieces).filter_map(of_piece).collect()
}

impl Sampler {
    /// Warms up, then alternates the job and scalar code for `seconds`, each at least once.
    ///
    /// # Errors
    /// If the architecture has no scalar code of known cycles.
    pub(super) fn neighbour(&mut self, clock: &Clock, seconds: f64) -> Result<Turn, Unavailable> {
        if known::CHAIN == 1 {
            return Err(Unavailable(
                "no scalar code is known that takes always the same cycles here".into(),
            ));
        }
        self.warm_up(clock);
        let start = Instant::now();
        let mut piece: Vec<f64> = (0..9).map(|_| clock.time(known::chain)).collect();
        let piece = median(&mut piece).map_or(WINDOW, |median| median.value).max(1.0);
        let pieces = (WINDOW / piece).clamp(1.0, 2000.0) as usize;
        let timed = || (0..pieces).map(|_| clock.time(known::chain)).collect::<Vec<f64>>();
        let messages = (self.calls * self.count) as f64;
        let (mut turn, mut job, mut scalar) = (Turn::default(), Vec::new(), Vec::new());
        while turn.samples.is_empty() || start.elapsed().as_secs_f64() < seconds {
            let ns = clock.time(|| self.job.run(self.calls));
            job.push(timed());
            let as_long = Instant::now();
            while (as_long.elapsed().as_nanos() as f64) < ns {
                known::chain();
            }
            scalar.push(timed());
            turn.samples.push(Sample { ns: ns / messages, ghz: None });
            turn.messages += messages;
        }
        let of = |times: &[Vec<f64>]| middles(times.iter().map(Vec::as_slice));
        turn.after = Some(After { job: of(&job), scalar: of(&scalar) });
        turn.took = Some(start.elapsed().as_nanos() as f64);
        Ok(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunks of 5 µs that take that many times as long after the job.
    fn after(times: impl Fn(usize) -> f64) -> After {
        let scalar = vec![5000.0; 200];
        After { job: (0..200).map(|i| 5000.0 * times(i)).collect(), scalar }
    }

    #[test]
    fn an_effect_ends_where_it_was_planted() {
        let effect = after(|i| if i < 60 { 1.1 } else { 1.0 }).effect().unwrap();
        assert_eq!(effect.until_us.round(), 300.0);
        assert!((effect.percent - 3.0).abs() < 1e-9, "{effect:?}");
        assert!((effect.worst_percent - 10.0).abs() < 1e-9, "{effect:?}");
        let all = after(|_| 1.05).effect().unwrap();
        assert_eq!(all.until_us.round(), 1000.0);
    }

    #[test]
    fn noise_is_no_effect() {
        let effect = after(|i| if i % 2 == 0 { 1.03 } else { 0.98 }).effect().unwrap();
        assert_eq!(effect.until_us, 0.0);
        assert!(effect.percent.abs() < 1.0 && effect.worst_percent < 1.0, "{effect:?}");
        // Slow steps that do not directly follow the job are not counted.
        let late = after(|i| if i > 150 { 1.2 } else { 1.0 }).effect().unwrap();
        assert_eq!(late.until_us, 0.0);
    }

    #[test]
    fn one_step_between_does_not_end_it() {
        assert_eq!(ended(&[1.1, 1.1, 1.0, 1.1, 1.0, 1.0, 1.1]), 4);
        assert_eq!(ended(&[1.0, 1.1, 1.1]), 0);
        assert_eq!(ended(&[1.1, 1.1]), 2);
        assert_eq!(ended(&[]), 0);
    }

    #[test]
    fn pieces_longer_than_a_step_count() {
        let effect = After { job: vec![90_000.0, 80_000.0], scalar: vec![80_000.0; 2] }.effect();
        let effect = effect.unwrap();
        assert_eq!(effect.until_us.round(), 80.0);
        assert!((effect.worst_percent - 12.5).abs() < 1e-9, "{effect:?}");
        assert_eq!(After::default().effect(), None);
    }

    #[test]
    fn what_is_in_most_turns_counts() {
        let of = |ns: f64| After { job: vec![ns, 2.0 * ns], scalar: vec![ns; 3] };
        let all = After::together(&[of(1.0), of(3.0), of(500.0)]).unwrap();
        assert_eq!(all, of(3.0));
        assert_eq!(After::together(&[]), None);
    }
}
