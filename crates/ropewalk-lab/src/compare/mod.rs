//! Compares two runs, row by row: which row of the second is faster or slower than that of the first, with
//! what certainty.

use std::{collections::HashMap, ops::RangeInclusive};

use serde::Serialize;

use crate::{measure::statistics::Turns, record::Record};

pub mod machines;
pub mod ranks;

/// A row of either run that has a figure.
pub enum Row<'a> {
    /// Both runs have a figure.
    Both(&'a Record, &'a Record, Compared),
    /// Only the first run has a figure; with the reason why the second has none, if known.
    OnlyA(&'a Record, &'a str),
    /// Only the second run has a figure.
    OnlyB(&'a Record, &'a str),
}

/// How a row of the second run compares with that of the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The unit of the figures: `cycles` or `ns`.
    pub unit: &'static str,
    /// The cost of a message in the first run.
    pub a: f64,
    /// The cost of a message in the second run.
    pub b: f64,
    /// The second divided by the first: below 1 is faster.
    pub ratio: f64,
    /// Lower end of the ratio's 95 % confidence interval.
    pub low: Option<f64>,
    /// Upper end of it.
    pub high: Option<f64>,
    /// The probability that two equal runs differ as much, if there are turns.
    pub p: Option<f64>,
    /// The method of the verdict.
    pub by: By,
    /// The verdict.
    pub verdict: Verdict,
}

/// The method of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The test of Mann and Whitney on the medians of turns.
    Turns,
    /// Whether the intervals of the medians overlap, for older files.
    Interval,
    /// A single figure of each, which proves nothing.
    Figure,
}

/// A verdict on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The second takes less, significantly and by more than [`SAME`].
    Faster,
    /// The second takes more, significantly and by more than [`SAME`].
    Slower,
    /// Neither is significant.
    #[serde(rename = "~")]
    Even,
}

/// The significance level.
pub const CHANCE: f64 = 0.05;

/// Ratios that count as equal: the placement of code and data changes figures by as much.
pub const SAME: RangeInclusive<f64> = 1.0 / 1.01..=1.01;

/// Every row of either run, in the order of the first, followed by those that only the second has.
pub fn rows<'a>(a: &'a [Record], b: &'a [Record]) -> Vec<Row<'a>> {
    let mut others: HashMap<String, Vec<&Record>> = HashMap::new();
    for record in b {
        others.entry(key(record)).or_default().push(record);
    }
    let partners = partners(a, &mut others);
    let both = a.iter().zip(partners).filter_map(|(a, b)| match (a.ns, b.map(|b| (b, b.ns))) {
        (Some(_), Some((b, Some(_)))) => Some(Row::Both(a, b, compared(a, b)?)),
        (Some(_), b) => Some(Row::OnlyA(a, b.map_or("", |(b, _)| &b.note))),
        (None, Some((b, Some(_)))) => Some(Row::OnlyB(b, &a.note)),
        (None, _) => None,
    });
    let mut rows: Vec<Row<'_>> = both.collect();
    let left: Vec<&Record> = others.into_values().flatten().filter(|b| b.ns.is_some()).collect();
    let left_in_order = b.iter().filter(|b| left.iter().any(|left| std::ptr::eq(*left, *b)));
    rows.extend(left_in_order.map(|b| Row::OnlyB(b, "")));
    rows
}

/// Finds the same row in the other run, and removes it from the candidates. If there are several, as for two
/// versions of a library, the same version is preferred.
fn partners<'a>(
    a: &[Record],
    others: &mut HashMap<String, Vec<&'a Record>>,
) -> Vec<Option<&'a Record>> {
    let mut partners: Vec<Option<&Record>> = vec![None; a.len()];
    let same_file = |a: &Record, b: &Record| a.version == b.version && a.library == b.library;
    let same_version = |a: &Record, b: &Record| a.version == b.version;
    for alike in [&same_file as &dyn Fn(&Record, &Record) -> bool, &same_version, &|_, _| true] {
        for (record, partner) in
            a.iter().zip(&mut partners).filter(|(_, partner)| partner.is_none())
        {
            let Some(others) = others.get_mut(&key(record)) else { continue };
            *partner = others.iter().position(|b| alike(record, b)).map(|i| others.remove(i));
        }
    }
    partners
}

/// The identity of a row, without versions.
fn key(record: &Record) -> String {
    let Record { task, op, bytes, count, mode, mix, keys, stride, .. } = record;
    let Record { peer, by, backend, mask, cold, .. } = record;
    let (kind, threads) = (kind(record), (record.threads, record.cores));
    format!(
        "{:?}",
        (
            (task, op, bytes, count, mode, mix, keys, stride),
            (peer, by, kind, backend, mask, threads, cold)
        )
    )
}

/// The name of a library without its version: a peer may load several kinds, as `libcrypto` does.
pub fn kind(record: &Record) -> String {
    let version = record.version.as_deref().unwrap_or(&record.peer);
    let number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    version.split_whitespace().take_while(|word| !number(word)).collect::<Vec<_>>().join(" ")
}

/// None if either has no figure.
fn compared(a: &Record, b: &Record) -> Option<Compared> {
    let turns = a.turns.as_ref().zip(b.turns.as_ref());
    turns.and_then(|(a, b)| by_turns(a, b)).or_else(|| by_interval(a, b))
}

/// By cycles, if both have enough of them.
fn by_turns(a: &Turns, b: &Turns) -> Option<Compared> {
    let of = |unit, a: &[f64], b: &[f64]| {
        let found = ranks::difference(a, b)?;
        Some(Compared {
            unit,
            a: middle(a)?,
            b: middle(b)?,
            ratio: found.ratio,
            low: Some(found.interval.0),
            high: Some(found.interval.1),
            p: Some(found.p),
            by: By::Turns,
            verdict: verdict(found.ratio, found.p < CHANCE),
        })
    };
    of("cycles", &a.cycles, &b.cycles).or_else(|| of("ns", &a.ns, &b.ns))
}

fn middle(values: &[f64]) -> Option<f64> {
    crate::measure::statistics::median(&mut values.to_vec()).map(|median| median.value)
}

fn by_interval(a: &Record, b: &Record) -> Option<Compared> {
    let interval = |record: &Record| record.ns_low.zip(record.ns_high);
    let ratio = b.ns? / a.ns?;
    let of_ratio = interval(a).zip(interval(b)).map(|(a, b)| (b.0 / a.1, b.1 / a.0));
    let apart = of_ratio.is_some_and(|(low, high)| low > 1.0 || high < 1.0);
    Some(Compared {
        unit: "ns",
        a: a.ns?,
        b: b.ns?,
        ratio,
        low: of_ratio.map(|(low, _)| low),
        high: of_ratio.map(|(_, high)| high),
        p: None,
        by: if of_ratio.is_some() { By::Interval } else { By::Figure },
        verdict: verdict(ratio, apart),
    })
}

fn verdict(ratio: f64, certain: bool) -> Verdict {
    match ratio > 1.0 {
        _ if !certain || SAME.contains(&ratio) => Verdict::Even,
        true => Verdict::Slower,
        false => Verdict::Faster,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    fn with_turns(ns: f64, noise: &[f64]) -> Record {
        let turns: Vec<f64> = noise.iter().map(|noise| ns * noise).collect();
        let cycles = turns.iter().map(|ns| 3.0 * ns).collect();
        Record { turns: Some(Turns { ns: turns, cycles }), ..record("sha256", 64, ns) }
    }

    const NOISE: [f64; 8] = [1.0, 1.004, 0.998, 1.3, 1.001, 0.997, 1.002, 1.003];

    fn one<'a>(a: &'a Record, b: &'a Record) -> Compared {
        match &rows(std::slice::from_ref(a), std::slice::from_ref(b))[..] {
            [Row::Both(_, _, compared)] => *compared,
            _ => panic!("they are the same row"),
        }
    }

    #[test]
    fn cold_calls_are_another_row() {
        let warm = record("sha256", 64, 100.0);
        let cold = Record { cold: Some(true), ..warm.clone() };
        assert_eq!(rows(std::slice::from_ref(&warm), std::slice::from_ref(&cold)).len(), 2);
        assert_eq!(rows(std::slice::from_ref(&cold), std::slice::from_ref(&cold)).len(), 1);
    }

    #[test]
    fn verdicts_follow_the_turns() {
        let before = with_turns(100.0, &NOISE);
        for (ns, want) in [
            (108.0, Verdict::Slower),
            (92.0, Verdict::Faster),
            (100.0, Verdict::Even),
            // Significant, but too small.
            (100.8, Verdict::Even),
        ] {
            let found = one(&before, &with_turns(ns, &NOISE));
            assert_eq!(
                (found.verdict, found.by, found.unit),
                (want, By::Turns, "cycles"),
                "{found:?}"
            );
            assert!((found.ratio - ns / 100.0).abs() < 0.002, "{found:?}");
        }
        // A large difference, but not significant.
        let noisy = [0.8, 1.4, 0.9, 1.3, 0.95, 1.2, 1.02, 1.1];
        let found = one(&with_turns(100.0, &noisy), &with_turns(104.0, &noisy));
        assert_eq!(found.verdict, Verdict::Even, "{found:?}");
    }

    #[test]
    fn time_is_compared_where_one_has_no_cycles() {
        let (a, mut b) = (with_turns(100.0, &NOISE), with_turns(120.0, &NOISE));
        b.turns.as_mut().unwrap().cycles.truncate(3);
        let found = one(&a, &b);
        assert_eq!((found.unit, found.verdict, found.by), ("ns", Verdict::Slower, By::Turns));
        assert!((found.b / found.a - 1.2).abs() < 1e-9);
    }

    #[test]
    fn records_without_turns_are_compared_by_interval() {
        let of = |ns: f64| Record {
            ns_low: Some(ns - 3.0),
            ns_high: Some(ns + 3.0),
            ..record("sha256", 64, ns)
        };
        for (ns, want) in
            [(105.0, Verdict::Even), (108.0, Verdict::Slower), (90.0, Verdict::Faster)]
        {
            let found = one(&of(100.0), &of(ns));
            assert_eq!((found.verdict, found.by, found.p), (want, By::Interval, None));
            // Only one of them has turns.
            let found = one(&Record { turns: with_turns(1.0, &NOISE).turns, ..of(100.0) }, &of(ns));
            assert_eq!((found.verdict, found.by), (want, By::Interval));
        }
        let found = one(&record("sha256", 64, 100.0), &record("sha256", 64, 200.0));
        assert_eq!((found.verdict, found.by), (Verdict::Even, By::Figure));
    }

    #[test]
    fn rows_are_the_same_whatever_their_version() {
        let of = |version: &str, ns| Record {
            peer: "libcrypto".into(),
            version: Some(version.into()),
            ..record("sha256", 64, ns)
        };
        let a = [of("OpenSSL 3.0.19", 1.0), of("BoringSSL", 2.0), of("OpenSSL 4.0.0", 3.0)];
        let b = [of("OpenSSL 4.0.0", 4.0), of("BoringSSL", 5.0), of("OpenSSL 3.0.20", 6.0)];
        let pairs: Vec<_> = rows(&a, &b).iter().map(times).collect();
        assert_eq!(pairs, [(1.0, 6.0), (2.0, 5.0), (3.0, 4.0)]);
        for (version, want) in [
            ("OpenSSL 3.0.19 27 Jan 2026", "OpenSSL"),
            ("BoringSSL", "BoringSSL"),
            ("Mbed TLS 3.6.7", "Mbed TLS"),
            ("aes 0.9.4, sha2 0.11.1", "aes"),
        ] {
            assert_eq!(kind(&of(version, 1.0)), want);
        }
    }

    #[test]
    fn what_differs_is_another_row() {
        let base = || record("sha256", 64, 100.0);
        for other in [
            Record { bytes: 65, ..base() },
            Record { count: 2, ..base() },
            Record { op: "other".into(), ..base() },
            Record { mix: Some("imix".into()), ..base() },
            Record { keys: Some(crate::tasks::Keys::Each), ..base() },
            Record { stride: Some(4096), ..base() },
            Record { mode: crate::tasks::Mode::Stream, ..base() },
            Record { backend: "sha256/other".into(), ..base() },
            Record { mask: "-sha".into(), ..base() },
            Record { threads: 2, ..base() },
            Record { peer: "other".into(), ..base() },
        ] {
            let (a, b) = ([base()], [other]);
            let missing = rows(&a, &b);
            assert!(matches!(missing[..], [Row::OnlyA(_, ""), Row::OnlyB(_, "")]), "{:?}", b[0]);
        }
    }

    #[test]
    fn why_a_figure_is_missing_is_told() {
        let none = Record { ns: None, note: "killed".into(), ..record("sha256", 64, 1.0) };
        let (with, without) = ([record("sha256", 64, 1.0)], [none]);
        assert!(matches!(rows(&with, &without)[..], [Row::OnlyA(_, "killed")]));
        assert!(matches!(rows(&without, &with)[..], [Row::OnlyB(_, "killed")]));
        assert!(rows(&without, &without).is_empty());
    }

    fn times(row: &Row<'_>) -> (f64, f64) {
        match row {
            Row::Both(a, b, _) => (a.ns.unwrap(), b.ns.unwrap()),
            _ => panic!("one is missing"),
        }
    }
}
