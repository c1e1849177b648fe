//! A comparison as JSON lines: the runs, each row, and the summary.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::{
    compare::{Compared, Row, Verdict},
    measure::reference::is_ours,
    record::{Record, SCHEMA},
    runs::Run,
    tasks::{Keys, Mode},
};

/// The first line.
#[derive(Serialize)]
pub(super) struct Head<'a> {
    schema: u32,
    record: &'static str,
    a: Of<'a>,
    b: Of<'a>,
    differences: &'a [String],
}

/// Which run.
#[derive(Serialize)]
struct Of<'a> {
    name: &'a str,
    damaged_lines: usize,
    machine: Option<&'a Value>,
}

impl<'a> Head<'a> {
    pub(super) fn new(
        a: (&'a str, &'a Run),
        b: (&'a str, &'a Run),
        differences: &'a [String],
    ) -> Self {
        let of = |(name, run): (&'a str, &'a Run)| Of {
            name,
            damaged_lines: run.damaged.len(),
            machine: run.machine.as_ref(),
        };
        Self { schema: SCHEMA, record: "comparison", a: of(a), b: of(b), differences }
    }
}

/// A row.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    schema: u32,
    record: &'static str,
    task: &'a str,
    op: &'a str,
    bytes: usize,
    count: usize,
    mode: Mode,
    #[serde(skip_serializing_if = "Option::is_none")]
    mix: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keys: Option<Keys>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stride: Option<usize>,
    peer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
    backend: &'a str,
    mask: &'a str,
    threads: u32,
    version_a: Option<&'a str>,
    version_b: Option<&'a str>,
    /// `a` or `b`, if that run has no figure.
    missing_in: Option<&'static str>,
    note: &'a str,
    #[serde(flatten)]
    compared: Option<Compared>,
}

impl<'a> Line<'a> {
    pub(super) fn new(row: &'a Row<'a>) -> Self {
        type Parts<'a> = (Option<&'a Record>, Option<&'a Record>, &'a str, Option<Compared>);
        let (a, b, note, compared): Parts<'a> = match row {
            Row::Both(a, b, compared) => (Some(a), Some(b), "", Some(*compared)),
            Row::OnlyA(a, why) => (Some(a), None, why, None),
            Row::OnlyB(b, why) => (None, Some(b), why, None),
        };
        let missing_in = match (a, b) {
            (Some(_), None) => Some("b"),
            (None, Some(_)) => Some("a"),
            _ => None,
        };
        let (Row::Both(of, ..) | Row::OnlyA(of, _) | Row::OnlyB(of, _)) = row;
        Self {
            schema: SCHEMA,
            record: "row",
            task: &of.task,
            op: &of.op,
            bytes: of.bytes,
            count: of.count,
            mode: of.mode,
            mix: of.mix.as_deref(),
            keys: of.keys,
            stride: of.stride,
            peer: &of.peer,
            by: of.by.as_deref(),
            backend: &of.backend,
            mask: &of.mask,
            threads: of.threads,
            version_a: a.and_then(|a| a.version.as_deref()),
            version_b: b.and_then(|b| b.version.as_deref()),
            missing_in,
            note,
            compared,
        }
    }
}

/// The last line.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Summary {
    schema: u32,
    record: &'static str,
    faster: usize,
    slower: usize,
    even: usize,
    missing_in_a: usize,
    missing_in_b: usize,
    /// Of the ratios of all rows that are in both runs.
    geometric_mean: Option<f64>,
    /// Of the rows of other libraries with the same version and file: the effect of the machine.
    geometric_mean_of_the_same: Option<f64>,
    /// The relative difference that half of these rows do not exceed.
    half_within: Option<f64>,
    /// The same for 95 % of them: the agreement of two equal runs.
    most_within: Option<f64>,
}

/// The percentile that stands for nearly all rows.
const MOST: f64 = 0.95;

impl Summary {
    pub(super) fn new(rows: &[Row<'_>]) -> Self {
        let both = || {
            rows.iter().filter_map(|row| match row {
                Row::Both(_, _, found) => Some(found),
                _ => None,
            })
        };
        let same = |row: &&Row<'_>| match row {
            Row::Both(a, b, _) => {
                !is_ours(&a.peer) && a.version == b.version && a.library == b.library
            }
            _ => false,
        };
        let mean = |rows: &mut dyn Iterator<Item = &Row<'_>>| {
            let logarithms: Vec<f64> = rows
                .filter_map(|row| match row {
                    Row::Both(_, _, found) => Some(found.ratio.ln()),
                    _ => None,
                })
                .collect();
            let all = logarithms.len() as f64;
            (all > 0.0).then(|| (logarithms.iter().sum::<f64>() / all).exp())
        };
        let mut apart: Vec<f64> = both().map(|found| (found.ratio - 1.0).abs()).collect();
        apart.sort_by(f64::total_cmp);
        // By nearest rank.
        let within = |part: f64| {
            let rank = (part * apart.len() as f64).ceil() as usize;
            apart.get(rank.saturating_sub(1)).copied()
        };
        let verdicts = |one| both().filter(|found| found.verdict == one).count();
        Self {
            schema: SCHEMA,
            record: "summary",
            faster: verdicts(Verdict::Faster),
            slower: verdicts(Verdict::Slower),
            even: verdicts(Verdict::Even),
            missing_in_a: rows.iter().filter(|row| matches!(row, Row::OnlyB(..))).count(),
            missing_in_b: rows.iter().filter(|row| matches!(row, Row::OnlyA(..))).count(),
            geometric_mean: mean(&mut rows.iter()),
            geometric_mean_of_the_same: mean(&mut rows.iter().filter(same)),
            half_within: within(0.5),
            most_within: within(MOST),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { faster, slower, even, missing_in_a, missing_in_b, geometric_mean, .. } = self;
        write!(
            f,
            "\n{faster} faster, {slower} slower, {even} ~; {missing_in_a} missing in A, {missing_in_b} missing in B"
        )?;
        if let Some(mean) = geometric_mean {
            write!(f, "; geometric mean of B/A {mean:.3}")?;
        }
        if let Some(mean) = self.geometric_mean_of_the_same {
            write!(f, ", of libraries that are the same in both {mean:.3}")?;
        }
        if let (Some(half), Some(most)) = (self.half_within, self.most_within) {
            let [half, most] = [half, most].map(|part| part * 100.0);
            write!(
                f,
                "\nhalf of the rows are within {half:.1} %, {:.0} % within {most:.1} %",
                MOST * 100.0
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{compare::rows, record::tests::record};

    #[test]
    fn the_machine_is_told_by_what_has_not_changed() {
        let of = |peer: &str, version: &str, ns| Record {
            peer: peer.into(),
            version: Some(version.into()),
            ..record("sha256", 64, ns)
        };
        let run = |factor: f64, version: &str| {
            [
                of("ropewalk", "ropewalk 1", 2.0 * factor),
                of("ring", "ring 1", factor),
                of("x", version, 9.0),
            ]
        };
        let (a, b) = (run(1.0, "x 1"), run(1.1, "x 2"));
        let rows = rows(&a, &b);
        let sum = Summary::new(&rows);
        assert!((sum.geometric_mean_of_the_same.unwrap() - 1.1).abs() < 1e-9, "{sum:?}");
        assert!((sum.geometric_mean.unwrap() - 1.21_f64.cbrt()).abs() < 1e-9, "{sum:?}");
        let words = "B/A 1.066, of libraries that are the same in both 1.100\n\
                     half of the rows are within 10.0 %, 95 % within 10.0 %";
        assert!(sum.to_string().ends_with(words), "{sum}");
    }
}
