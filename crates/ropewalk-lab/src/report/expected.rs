//! The expected figures of a datasheet, and the measured ones.

use super::{column::DIM, figures, table::Line};
use crate::{
    offload::{
        Spent, Verdict,
        datasheet::{Parts, Rate},
    },
    record::Record,
};

/// The row of the expected figures: a label, and a cell for each size.
pub(super) fn row(
    rate: &Rate,
    lines: &[Line],
    sizes: usize,
    by_call: bool,
) -> (String, Vec<String>) {
    let held = held_against(lines);
    let mut label = format!("  expected\n{DIM}  {rate}{DIM:#}");
    if let Some(held) = held {
        let parts: String = PARTS.iter().map(|part| format!("\n{DIM}    {part}{DIM:#}")).collect();
        label += &format!("\n{DIM}  of {}{DIM:#}{parts}", held.who());
    }
    let cells = (0..sizes).map(|i| {
        let mut records = lines.iter().filter_map(|line| line.records.get(i));
        let promise = records.find_map(|record| Some((record, record.expected_ns?)));
        let Some((record, ns)) = promise else { return String::new() };
        let speed = match by_call {
            true => figures::calls(1e9 / ns),
            false => figures::speed(record.bytes as f64 * 1e3 / ns),
        };
        let spent = held.and_then(|held| held.records.get(i)?.spent());
        speed + &spent.map(|spent| parts(&spent, ns)).unwrap_or_default()
    });
    (label, cells.collect())
}

const PARTS: [&str; 5] = ["expected", "user space", "kernel", "not running", "waits a call"];

fn parts(spent: &Spent, expected_ns: f64) -> String {
    let Parts { expected, user, system, idle } = Parts::of(spent, expected_ns);
    let parts = [expected, user, system, idle].map(figures::share);
    let lines = parts.into_iter().chain([figures::part(spent.waits())]);
    // The rate and the name have no figures next to them.
    lines.fold("\n\n".into(), |cell: String, line| cell + &format!("\n{DIM}{line}{DIM:#}"))
}

/// The row that is compared with the datasheet: the fastest at the longest messages, of those whose work is
/// done elsewhere if there are any.
fn held_against(lines: &[Line]) -> Option<&Line> {
    let longest =
        |line: &Line| line.records.iter().rev().find(|record| record.spent().is_some()).cloned();
    let timed = lines.iter().filter_map(|line| Some((line, longest(line)?)));
    let away =
        |record: &Record| !matches!(record.verdict, Some(Verdict::Offloaded | Verdict::Kernel));
    let order = |record: &Record| (away(record), record.ns.unwrap_or(f64::INFINITY));
    let first = timed.min_by(|(_, a), (_, b)| {
        let (a, b) = (order(a), order(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    first.map(|(line, _)| line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        offload::tests::spent,
        record::tests::taking,
        report::table::{Sheet, Shows},
    };

    fn line(name: &str, spent: [Spent; 2]) -> Line {
        let of = |(bytes, spent)| taking(bytes, spent).promised(Some(10.0 * bytes as f64));
        Line {
            name: name.into(),
            version: String::new(),
            mask: String::new(),
            rival: true,
            chosen: false,
            records: [16, 64].into_iter().zip(spent).map(of).collect(),
        }
    }

    #[test]
    fn the_rest_of_the_time_is_told() {
        let quick = Spent { ns: 500.0, ..spent(500.0, 0.0, 0.0) };
        let sheet = Sheet {
            title: "sha256/digest".into(),
            by_call: false,
            shows: Shows::Speed,
            sizes: vec!["16 B".into(), "64 B".into()],
            lines: vec![
                line("portable", [quick; 2]),
                line("engine", [spent(990.0, 0.0, 0.0), spent(20.0, 130.0, 1.0)]),
            ],
            expected: Some(Rate::parse("10c/B@1GHz").unwrap()),
        };
        let want = "\
sha256/digest
                        16 B        64 B
────────────────────────────────────────
  portable         32.0 MB/s    128 MB/s
                       1.00x       1.00x
  engine           16.0 MB/s   64.0 MB/s
                       0.50x       0.50x
  expected          100 MB/s    100 MB/s
  10c/B@1GHz
  of engine
    expected             16%         64%
    user space           83%          2%
    kernel                0%         13%
    not running           1%         21%
    waits a call        .000        1.00
  engine at 64 B: offloaded: of the time of 64 B the thread slept 85%, with 1.00
    waits a call; user space had 2%, the kernel 13%
  engine is faster than no other at any size
";
        assert_eq!(anstream::adapter::strip_str(&sheet.render(80)).to_string(), want);
    }

    #[test]
    fn the_fastest_is_held_against_it_where_all_is_on_the_processor() {
        let [slow, quick] = [1000.0, 500.0].map(|ns| Spent { ns, ..spent(ns, 0.0, 0.0) });
        let lines = [line("slow", [quick, slow]), line("quick", [slow, quick])];
        assert_eq!(held_against(&lines).unwrap().name, "quick");
        assert!(held_against(&[]).is_none());
    }
}
