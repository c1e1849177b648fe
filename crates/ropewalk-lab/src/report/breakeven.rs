//! The sizes from which on a device or the kernel is faster.

use super::{figures, table::Line};
use crate::{
    offload::{
        Verdict,
        breakeven::{Point, ranges},
    },
    record::Record,
};

/// A line for each row whose work is not done in user space, with the libraries that it is faster than at
/// some size.
pub(super) fn notes(lines: &[Line]) -> Vec<String> {
    let (away, own): (Vec<&Line>, Vec<&Line>) =
        lines.iter().filter(|line| !points(line).is_empty()).partition(|line| is_away(line));
    let mut out = Vec::new();
    for away in away {
        let own = own.iter().filter(|own| stands_for_its_library(own, lines));
        let ranges = own.filter_map(|own| Some((own, ranges(&points(away), &points(own))?)));
        let (than, never): (Vec<_>, Vec<_>) = ranges.partition(|(_, ranges)| !ranges.is_empty());
        let than: Vec<String> = than
            .iter()
            .map(|(own, ranges)| format!("than {} {}", own.who(), words(ranges)))
            .collect();
        match (than.is_empty(), never.is_empty()) {
            (true, true) => {}
            (true, false) => {
                out.push(format!("{} is faster than no other at any size", away.who()))
            }
            (false, true) => out.push(format!("{} is faster {}", away.who(), than.join(", "))),
            (false, false) => {
                out.push(format!(
                    "{} is faster {}, and than no other",
                    away.who(),
                    than.join(", ")
                ));
            }
        }
    }
    out
}

/// Whether the kernel or a device does the work of a row, at some size.
fn is_away(line: &Line) -> bool {
    let away = [Some(Verdict::Offloaded), Some(Verdict::Kernel)];
    line.records.iter().any(|record| away.contains(&record.verdict))
}

/// For ropewalk, the default backend.
fn stands_for_its_library(line: &Line, all: &[Line]) -> bool {
    line.rival || line.chosen || !all.iter().any(|line| line.chosen)
}

fn points(line: &Line) -> Vec<Point> {
    let of = |record: &Record| {
        let ns = record.ns?;
        let interval = record.ns_low.zip(record.ns_high).unwrap_or((ns, ns));
        Some(Point { bytes: record.bytes as f64, ns, interval })
    };
    line.records.iter().filter(|record| record.mix.is_none()).filter_map(of).collect()
}

fn words(ranges: &[(Option<f64>, Option<f64>)]) -> String {
    let about = figures::about;
    let words: Vec<String> = ranges
        .iter()
        .map(|range| match range {
            (None, None) => "at every size measured".into(),
            (Some(from), None) => format!("from about {}", about(*from)),
            (None, Some(to)) => format!("up to about {}", about(*to)),
            (Some(from), Some(to)) => {
                format!("from about {} to about {}", about(*from), about(*to))
            }
        })
        .collect();
    words.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    fn line(name: &str, rival: bool, verdict: Verdict, ns: impl Fn(f64) -> f64) -> Line {
        let of = |bytes: usize| {
            let verdict = Some(verdict);
            Record { verdict, ..record("sha256", bytes, ns(bytes as f64)) }
        };
        Line {
            name: name.into(),
            version: String::new(),
            mask: String::new(),
            rival,
            chosen: name.ends_with("shani"),
            records: [16, 1024, 65536].map(of).into(),
        }
    }

    #[test]
    fn each_library_has_a_size() {
        let lines = [
            line("sha256/shani", false, Verdict::Cpu, |bytes| 20.0 + bytes),
            line("sha256/portable", false, Verdict::Cpu, |bytes| 60.0 + 4.0 * bytes),
            line("slow", true, Verdict::Cpu, |bytes| 200.0 + 20.0 * bytes),
            line("odd", true, Verdict::Unclear, |bytes| 2.0 + bytes / 4.0),
            line("pool", true, Verdict::Threads, |bytes| 1.0 + bytes / 8.0),
            line("engine", true, Verdict::Offloaded, |bytes| 5000.0 + bytes / 2.0),
            line("af_alg", true, Verdict::Kernel, |bytes| 1000.0 + bytes),
        ];
        let want = [
            "engine is faster than sha256/shani from about 9.7 KiB, than slow from about 250 B, and than no other",
            "af_alg is faster than slow from about 42 B, and than no other",
        ];
        assert_eq!(notes(&lines), want);
    }

    #[test]
    fn who_has_only_processors_needs_no_words() {
        let lines = [
            line("sha256/shani", false, Verdict::Cpu, |bytes| 20.0 + bytes),
            line("slow", true, Verdict::Unclear, |bytes| 200.0 + 20.0 * bytes),
        ];
        assert_eq!(notes(&lines), [""; 0]);
        let alone = [line("engine", true, Verdict::Offloaded, |bytes| 5000.0 + bytes)];
        assert_eq!(notes(&alone), [""; 0]);
    }
}
