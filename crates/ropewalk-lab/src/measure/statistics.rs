//! The median of samples, and its confidence interval.

use serde::{Deserialize, Serialize};

use super::protocol::Sample;

/// A median and, if there are enough samples, its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Median {
    /// The median itself.
    pub value: f64,
    /// The 95 % interval, for any distribution: two of the samples.
    pub interval: Option<(f64, f64)>,
}

/// The fewest samples that have an interval.
pub const ENOUGH: usize = 6;

/// The median of `samples`, which it sorts. None if there are none.
pub fn median(samples: &mut [f64]) -> Option<Median> {
    let n = samples.len();
    if n == 0 {
        return None;
    }
    samples.sort_by(f64::total_cmp);
    let value = (samples[(n - 1) / 2] + samples[n / 2]) / 2.0;
    let interval = rank(n).map(|rank| (samples[rank - 1], samples[n - rank]));
    Some(Median { value, interval })
}

/// Medians of a row, in order, for the test of two runs. Each is of the turns in one process, which are not
/// independent of each other; for long messages, which keep their memory, of one turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Turns {
    /// Nanoseconds a message.
    pub ns: Vec<f64>,
    /// Core cycles a message, of the turns in which the core ran steadily.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycles: Vec<f64>,
}

impl Turns {
    /// Adds a median.
    pub fn add(&mut self, samples: &[Sample]) {
        let mut ns: Vec<f64> = samples.iter().map(|sample| sample.ns).collect();
        let steady = samples.iter().filter_map(|sample| Some(sample.ns * sample.ghz?));
        let mut cycles: Vec<f64> = steady.collect();
        self.ns.extend(median(&mut ns).map(|median| rounded(median.value)));
        self.cycles.extend(median(&mut cycles).map(|median| rounded(median.value)));
    }

    /// The width of the 95 % interval of their median, relative to it: of cycles, if they are known, since
    /// those are the main figure of a row.
    pub fn interval(&self) -> Option<f64> {
        let wide = |values: &[f64]| {
            let found = median(&mut values.to_vec())?;
            found.interval.map(|(low, high)| (high - low) / found.value)
        };
        wide(&self.cycles).or_else(|| wide(&self.ns))
    }

    /// At most as many of each as a record should have: neighbours are replaced by their median.
    pub fn folded(&self, most: usize) -> Self {
        Self { ns: folded(&self.ns, most), cycles: folded(&self.cycles, most) }
    }
}

/// Replaces as many neighbours by their median as leave `most` of them.
pub fn folded(values: &[f64], most: usize) -> Vec<f64> {
    let groups = values.len().min(most);
    let group =
        |i: usize| values[i * values.len() / groups..(i + 1) * values.len() / groups].to_vec();
    (0..groups).filter_map(|i| Some(median(&mut group(i))?.value)).collect()
}

/// Five digits: more than the precision of a median, and lines of a file stay short.
fn rounded(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

/// The greatest rank, counted from one at either end, outside of which the median of the distribution is with
/// a probability of at most 2.5 % a side. Each sample is below it with a probability of one half, so the
/// number of those is binomial.
fn rank(n: usize) -> Option<usize> {
    // Logarithms: 2^-n underflows from 1075 samples on.
    let mut ln_chance = -(n as f64) * std::f64::consts::LN_2;
    let mut below = 0.0;
    let mut rank = 0;
    loop {
        below += ln_chance.exp();
        if below > 0.025 {
            break;
        }
        ln_chance += ((n - rank) as f64 / (rank + 1) as f64).ln();
        rank += 1;
    }
    (rank > 0).then_some(rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published table for 95 % (Conover, Practical Nonparametric Statistics).
    #[test]
    fn ranks_are_those_of_the_table() {
        let table = [
            (5, None),
            (6, Some(1)),
            (8, Some(1)),
            (9, Some(2)),
            (12, Some(3)),
            (15, Some(4)),
            (20, Some(6)),
            (25, Some(8)),
            (30, Some(10)),
            (50, Some(18)),
            (100, Some(40)),
            (1000, Some(469)),
        ];
        for (n, want) in table {
            assert_eq!(rank(n), want, "{n} samples");
        }
        assert_eq!(rank(ENOUGH - 1), None);
        assert!(rank(ENOUGH).is_some());
    }

    /// Beyond the floats' range of 2^-n: n/2 − 0.98 √n.
    #[test]
    fn ranks_of_many_samples_follow_the_normal_law() {
        for n in [2000, 100_000, 1_000_000] {
            let want = n as f64 / 2.0 - 0.98 * (n as f64).sqrt();
            assert!((rank(n).unwrap() as f64 - want).abs() < 2.0, "{n} samples");
        }
    }

    #[test]
    fn turns_are_medians_in_order() {
        let sample = |ns, ghz| Sample { ns, ghz };
        let mut turns = Turns::default();
        turns.add(&[sample(3.0, Some(2.0)), sample(1.0, None), sample(123.456789, None)]);
        turns.add(&[sample(9.0, None)]);
        turns.add(&[sample(0.000123456789, Some(1.0))]);
        assert_eq!(turns.ns, [3.0, 9.0, 0.00012346]);
        assert_eq!(turns.cycles, [6.0, 0.00012346]);
    }

    #[test]
    fn intervals_are_of_cycles_where_there_are_some() {
        let ns = [100.0, 101.0, 102.0, 103.0, 104.0, 110.0];
        let turns = Turns { ns: ns.into(), cycles: vec![300.0; 6] };
        assert_eq!(turns.interval(), Some(0.0));
        let turns = Turns { cycles: vec![300.0; 5], ..turns };
        assert_eq!(turns.interval(), Some(10.0 / 102.5));
        assert_eq!(Turns { ns: vec![1.0; 5], cycles: Vec::new() }.interval(), None);
    }

    #[test]
    fn neighbours_are_folded() {
        assert_eq!(folded(&[1.0, 2.0, 9.0], 3), [1.0, 2.0, 9.0]);
        assert_eq!(folded(&[1.0, 3.0, 9.0, 5.0, 6.0, 1.0, 5.0], 2), [3.0, 5.0]);
        assert!(folded(&[], 3).is_empty());
    }

    #[test]
    fn median_of_odd_even_and_none() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [3.0]), Some(Median { value: 3.0, interval: None }));
        assert_eq!(median(&mut [4.0, 1.0]).unwrap().value, 2.5);
        let six = median(&mut [6.0, 1.0, 5.0, 2.0, 4.0, 3.0]).unwrap();
        assert_eq!(six, Median { value: 3.5, interval: Some((1.0, 6.0)) });
    }
}
