//! The cost of a call, and of a byte: a line through the sizes of a row.

use super::figures;
use crate::record::{Lines, Record};

/// The heading of the column.
pub(super) const HEADING: &str = "call + byte";

/// The fewest sizes that determine both.
const ENOUGH: usize = 3;

/// `a + b n`, of n bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The cost without bytes.
    pub call: f64,
    /// The cost of each byte.
    pub byte: f64,
}

impl Fit {
    /// The line with the least mean square of the relative errors: with absolute errors, only the longest
    /// message would count. None for fewer than three sizes.
    pub fn through(points: &[(f64, f64)]) -> Option<Self> {
        let mut sizes: Vec<f64> = points.iter().map(|point| point.0).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        if sizes.len() < ENOUGH || points.iter().any(|point| point.1 <= 0.0) {
            return None;
        }
        let sum = |of: fn(f64, f64) -> f64| -> f64 {
            points.iter().map(|&(bytes, cost)| of(bytes, cost) / (cost * cost)).sum()
        };
        let (one, x, xx) = (sum(|_, _| 1.0), sum(|x, _| x), sum(|x, _| x * x));
        let (y, xy) = (sum(|_, y| y), sum(|x, y| x * y));
        let byte = (one * xy - x * y) / (one * xx - x * x);
        let call = (y - byte * x) / one;
        // A cost cannot be negative.
        Some(if call < 0.0 { Self { call: 0.0, byte: xy / xx } } else { Self { call, byte } })
    }
}

impl Lines {
    /// The line through the records of one row. None if too few have a figure, and for mixes, which have no
    /// single size.
    pub fn of(records: &[Record]) -> Option<Self> {
        let points = |cost: fn(&Record) -> Option<f64>| -> Vec<(f64, f64)> {
            let timed = records.iter().filter(|record| record.mix.is_none());
            timed.filter_map(|record| Some((record.bytes as f64, cost(record)?))).collect()
        };
        let ns = points(|record| record.ns);
        let Fit { call, byte } = Fit::through(&ns)?;
        let cycles = Fit::through(&points(|record| record.cycles));
        Some(Self {
            sizes: ns.len(),
            call_ns: call,
            byte_ns: byte,
            call_cycles: cycles.map(|fit| fit.call),
            byte_cycles: cycles.map(|fit| fit.byte),
        })
    }
}

/// The cell of a row, of one line or two.
pub(super) fn cell(records: &[Record]) -> String {
    let Some(lines) = Lines::of(records) else { return String::new() };
    let line = |call, byte| format!("{} + {}", figures::cycles(call), figures::cycles(byte));
    let first = line(lines.call_ns, lines.byte_ns);
    match lines.call_cycles.zip(lines.byte_cycles) {
        Some((call, byte)) => {
            let second = line(call, byte);
            format!("{first}\n{}{second}{:#}", super::column::DIM, super::column::DIM)
        }
        None => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn a_line_is_found() {
        let line = |bytes: f64| (bytes, 20.0 + 0.25 * bytes);
        let fit = Fit::through(&[16.0, 64.0, 1350.0, 16384.0].map(line)).unwrap();
        assert!((fit.call - 20.0).abs() < 1e-6 && (fit.byte - 0.25).abs() < 1e-9, "{fit:?}");
    }

    /// A tenth more for the longest changes the cost of a byte, and not that of a call.
    #[test]
    fn short_messages_count_as_much_as_long_ones() {
        let mut points = [16.0, 64.0, 256.0, 16384.0].map(|bytes| (bytes, 20.0 + 0.25 * bytes));
        points[3].1 *= 1.1;
        let fit = Fit::through(&points).unwrap();
        assert!((19.0..21.0).contains(&fit.call) && (0.25..0.28).contains(&fit.byte), "{fit:?}");
    }

    #[test]
    fn nothing_costs_less_than_nothing() {
        let fit = Fit::through(&[(16.0, 1.0), (64.0, 10.0), (256.0, 50.0)]).unwrap();
        assert!(fit.call == 0.0 && fit.byte > 0.0, "{fit:?}");
    }

    #[test]
    fn records_have_both_lines_where_cycles_are_known() {
        let of = |bytes: usize, cycles: bool| {
            let ns = 20.0 + 0.25 * bytes as f64;
            Record { cycles: cycles.then_some(3.0 * ns), ..record("sha256", bytes, ns) }
        };
        let lines = Lines::of(&[16, 64, 256, 1350].map(|bytes| of(bytes, bytes > 16))).unwrap();
        assert_eq!(lines.sizes, 4);
        assert!((lines.call_ns - 20.0).abs() < 1e-6 && (lines.byte_ns - 0.25).abs() < 1e-9);
        assert!((lines.call_cycles.unwrap() - 60.0).abs() < 1e-6, "{lines:?}");
        // Two sizes with cycles are not enough.
        let few = Lines::of(&[16, 64, 256, 1350].map(|bytes| of(bytes, bytes > 64))).unwrap();
        assert_eq!((few.call_cycles, few.byte_cycles), (None, None));
        let mut mixed = [16, 64, 256].map(|bytes| of(bytes, true));
        assert!(Lines::of(&mixed).is_some());
        mixed[0].mix = Some("imix".into());
        assert_eq!(Lines::of(&mixed), None);
    }

    #[test]
    fn two_sizes_tell_nothing() {
        assert_eq!(Fit::through(&[(16.0, 1.0), (64.0, 2.0), (64.0, 2.1)]), None);
        assert_eq!(Fit::through(&[]), None);
    }
}
