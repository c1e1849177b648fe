//! Tests whether two runs differ: the test of Mann and Whitney, and the matching interval of a ratio.
//!
//! H. B. Mann and D. R. Whitney, On a test of whether one of two random variables is stochastically larger
//! than the other, 1947; J. L. Hodges and E. L. Lehmann, Estimates of location based on rank tests, 1963.
//! Both use only ranks: a disturbed turn has no more weight than any other large value.
//!
//! Probabilities are counted exactly, with ties too, since there are few turns. (The crate `statrs` 0.19 has
//! the test, but its exact probabilities are 1 minus the right one if the first sample is not the larger.)

use crate::measure::statistics::{folded, median};

/// The difference of a second run from a first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The median of the ratios of each value of the second to each of the first.
    pub ratio: f64,
    /// The 95 % confidence interval of the ratio.
    pub interval: (f64, f64),
    /// The probability that ranks of one distribution differ as much.
    pub p: f64,
}

/// The fewest values of each side: with four and four, the most extreme order occurs by chance in 3 of 100
/// runs.
pub const FEWEST: usize = 5;

/// Larger samples are folded: the time of counting grows with the fourth power.
const MOST: usize = 24;

/// The difference of positive values from those of a first run. None if there are too few.
pub fn difference(first: &[f64], second: &[f64]) -> Option<Difference> {
    if first.len() < FEWEST || second.len() < FEWEST {
        return None;
    }
    let (first, second) = (folded(first, MOST), folded(second, MOST));
    let ratios = second.iter().flat_map(|b| first.iter().map(move |a| b / a));
    let mut ratios: Vec<f64> = ratios.collect();
    let ratio = median(&mut ratios)?.value;
    let outside = critical(first.len(), second.len())? + 1;
    let interval = (ratios[outside - 1], ratios[ratios.len() - outside]);
    Some(Difference { ratio, interval, p: chance(&first, &second) })
}

/// The probability that as many values, drawn from both samples, have a rank sum as far from the mean as that
/// of `first`.
fn chance(first: &[f64], second: &[f64]) -> f64 {
    let ranks = doubled_ranks(first, second);
    let ways = ways(&ranks, first.len());
    let sum: usize = ranks[..first.len()].iter().sum();
    let middle = first.len() * (ranks.len() + 1);
    let as_far =
        ways.iter().enumerate().filter(|(i, _)| i.abs_diff(middle) >= sum.abs_diff(middle));
    as_far.map(|(_, ways)| ways).sum::<f64>() / ways.iter().sum::<f64>()
}

/// The greatest U that is significant at 5 %, two-sided; none if there are too few values.
fn critical(n: usize, m: usize) -> Option<usize> {
    let ranks: Vec<usize> = (1..=n + m).collect();
    let ways = ways(&ranks, n);
    let all: f64 = ways.iter().sum();
    let mut below = 0.0;
    let of_u = &ways[n * (n + 1) / 2..];
    let significant = of_u.iter().take_while(|ways| {
        below += **ways;
        below / all <= 0.025
    });
    significant.count().checked_sub(1)
}

/// Twice the rank of each value, so that the average rank of ties is a whole number.
fn doubled_ranks(first: &[f64], second: &[f64]) -> Vec<usize> {
    let all = || first.iter().chain(second);
    let of = |value: &f64| {
        let less = all().filter(|other| *other < value).count();
        let equal = all().filter(|other| *other == value).count();
        2 * less + equal + 1
    };
    all().map(of).collect()
}

/// The number of ways in which `n` of the ranks have each sum.
fn ways(ranks: &[usize], n: usize) -> Vec<f64> {
    let most: usize = ranks.iter().sum();
    let mut ways = vec![vec![0.0; most + 1]; n + 1];
    ways[0][0] = 1.0;
    let mut reached = 0;
    for rank in ranks {
        reached += rank;
        for taken in (0..n).rev() {
            let (without, with) = ways.split_at_mut(taken + 1);
            let (without, with) = (&without[taken], &mut with[0]);
            for sum in 0..=reached - rank {
                with[sum + rank] += without[sum];
            }
        }
    }
    ways.swap_remove(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published table of critical values, 5 %, two-tailed (Mann and Whitney, extended by Auble, 1953).
    #[test]
    fn critical_values_are_those_of_the_table() {
        let table = [
            (3, 3, None),
            (3, 5, Some(0)),
            (4, 4, Some(0)),
            (5, 5, Some(2)),
            (5, 8, Some(6)),
            (6, 6, Some(5)),
            (7, 7, Some(8)),
            (8, 8, Some(13)),
            (10, 10, Some(23)),
            (10, 12, Some(29)),
            (12, 12, Some(37)),
            (15, 15, Some(64)),
            (20, 20, Some(127)),
        ];
        for (n, m, want) in table {
            assert_eq!(critical(n, m), want, "{n} and {m}");
            assert_eq!(critical(m, n), want, "{m} and {n}");
        }
        assert!(critical(FEWEST, FEWEST).is_some() && critical(MOST, MOST).is_some());
    }

    /// Results of R and SciPy: the example in SciPy's documentation, complete separation (2 of all orders),
    /// and with ties those of R's package `coin`.
    #[test]
    fn chances_are_those_of_others() {
        let near = |p: f64, want: f64| assert!((p / want - 1.0).abs() < 1e-6, "{p} {want}");
        let (male, female) = ([19.0, 22.0, 16.0, 29.0, 24.0], [20.0, 11.0, 17.0, 12.0]);
        near(chance(&male, &female), 1.0 / 9.0);
        near(chance(&female, &male), 1.0 / 9.0);
        let up_to = |n: usize| (1..=n).map(|i| i as f64).collect::<Vec<_>>();
        let above = |n: usize| (1..=n).map(|i| 100.0 + i as f64).collect::<Vec<_>>();
        near(chance(&up_to(5), &above(5)), 2.0 / 252.0);
        near(chance(&above(12), &up_to(12)), 2.0 / 2_704_156.0);
        let even: Vec<f64> = (1..=12).map(|i| 2.0 * i as f64).collect();
        assert!((chance(&up_to(10), &even) - 0.01188904).abs() < 1e-8);
        near(chance(&[1.0; 6], &[1.0; 7]), 1.0);
    }

    #[test]
    fn the_interval_has_one_where_the_test_finds_nothing() {
        let mut random = Random(1);
        let mut found = 0;
        const RUNS: usize = 2000;
        for _ in 0..RUNS {
            let mut run = |n: usize| (0..n).map(|_| 100.0 + random.next()).collect::<Vec<_>>();
            let (a, b) = (run(6), run(12));
            let Difference { ratio, interval: (low, high), p } = difference(&a, &b).unwrap();
            assert!(low <= ratio && ratio <= high);
            assert_eq!(p <= 0.05, low > 1.0 || high < 1.0, "{low} {high} {p}");
            found += usize::from(p < 0.05);
        }
        // For one distribution: one in twenty or fewer, since there are few ranks.
        assert!((RUNS / 40..RUNS / 16).contains(&found), "{found}");
    }

    #[test]
    fn a_ratio_is_found_among_outliers() {
        let first: Vec<f64> = (0..12).map(|i| 100.0 + f64::from(i % 5) * 0.4).collect();
        let mut second: Vec<f64> = first.iter().rev().map(|ns| ns * 1.08).collect();
        second[3] = 300.0;
        let found = difference(&first, &second).unwrap();
        assert!((found.ratio - 1.08).abs() < 0.004 && found.p < 1e-5, "{found:?}");
        assert!(found.interval.0 > 1.07 && found.interval.1 < 1.09, "{found:?}");
        assert_eq!(difference(&first[..4], &second), None);
    }

    #[test]
    fn long_runs_are_folded() {
        let run =
            |factor: f64| (0..5000).map(|i| factor * (100 + i % 7) as f64).collect::<Vec<_>>();
        let found = difference(&run(1.0), &run(0.9)).unwrap();
        assert!((found.ratio - 0.9).abs() < 1e-9 && found.p < 1e-9, "{found:?}");
    }

    /// SplitMix64.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        }
    }
}
