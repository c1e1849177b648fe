//! Notes on where the work was done, unless it was clearly done by the calling thread.

use std::collections::BTreeSet;

use super::{figures, table::Line};
use crate::{
    offload::{OFTEN, Spent, Verdict},
    record::Record,
};

/// A line for each row and verdict, with the figures of its longest messages; and one for all that were only
/// preempted.
pub(super) fn notes(lines: &[Line], sizes: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    for line in lines {
        let told: Vec<Told> = line.records.iter().zip(sizes).filter_map(Told::of).collect();
        let verdicts: BTreeSet<Verdict> = told.iter().map(|told| told.verdict).collect();
        for verdict in verdicts {
            let mut of_it = told.iter().filter(|told| told.verdict == verdict).peekable();
            let words: Vec<&str> = of_it.clone().map(|told| told.size).collect();
            let all = words.len() == line.records.len();
            let at = if all { String::new() } else { format!(" at {}", words.join(", ")) };
            let Some(longest) = of_it.next_back() else { continue };
            out.push(format!("{}{at}: {}", line.who(), longest.text()));
        }
    }
    let judged = || lines.iter().flat_map(|line| &line.records).filter(|r| r.verdict.is_some());
    match judged().filter(|record| interrupted(record)).count() {
        0 => {}
        lost => out.push(interruptions(lost, judged().count())),
    }
    out
}

/// A verdict that is reported.
struct Told<'a> {
    verdict: Verdict,
    spent: Spent,
    size: &'a str,
}

impl<'a> Told<'a> {
    fn of((record, size): (&Record, &'a String)) -> Option<Self> {
        let verdict = record.verdict.filter(|verdict| *verdict != Verdict::Cpu)?;
        let told = Self { verdict, spent: record.spent()?, size };
        (!interrupted(record)).then_some(told)
    }

    fn text(&self) -> String {
        let Self { verdict, spent, size } = self;
        let part = |ns: f64| figures::share(ns / spent.ns);
        let slept = figures::share((1.0 - spent.ran()).max(0.0));
        let waits = figures::part(spent.waits());
        let (user, sys) = (part(spent.usage.user_ns), part(spent.usage.sys_ns));
        match verdict {
            Verdict::Offloaded => format!(
                "offloaded: of the time of {size} the thread slept {slept}, with {waits} waits a call; user space had {user}, the kernel {sys}"
            ),
            Verdict::Threads => format!(
                "other threads of the library had {} of the time of {size}; the thread that asked ran {}, with {waits} waits a call",
                part(spent.usage.others_ns),
                figures::share(spent.ran()),
            ),
            Verdict::Kernel => format!("in the kernel: it had {sys} of the time of {size}"),
            Verdict::Cpu | Verdict::Unclear => format!(
                "unclear who did the work: of the time of {size} the thread ran {}, with {waits} waits a call",
                figures::share(spent.ran()),
            ),
        }
    }
}

/// Whether preemption, here or by the host, is the only reason why the verdict is unclear.
fn interrupted(record: &Record) -> bool {
    let waits = record.spent().is_some_and(|spent| spent.waits() >= OFTEN);
    record.verdict == Some(Verdict::Unclear) && !waits
}

fn interruptions(lost: usize, all: usize) -> String {
    format!(
        "{lost} of {all} figures are of threads that did not wait and yet ran less than all the time: others had their core"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{offload::tests::spent, record::tests::taking};

    fn told(rows: &[(&str, [Spent; 2])]) -> Vec<String> {
        let line = |(name, spent): &(&str, [Spent; 2])| Line {
            name: (*name).into(),
            version: String::new(),
            mask: String::new(),
            rival: false,
            chosen: false,
            records: vec![taking(16, spent[0]), taking(64, spent[1])],
        };
        let lines: Vec<Line> = rows.iter().map(line).collect();
        notes(&lines, &["16 B".into(), "64 B".into()])
    }

    #[test]
    fn what_is_plainly_on_the_processor_needs_no_words() {
        let plain = spent(995.0, 2.0, 0.0);
        assert_eq!(told(&[("ring", [plain; 2]), ("portable", [plain; 2])]), [""; 0]);
    }

    #[test]
    fn what_is_not_is_told() {
        let mut threads = spent(100.0, 20.0, 1.0);
        threads.usage.others_ns = 1900.0;
        let rows = [
            ("engine", [spent(995.0, 0.0, 0.0), spent(20.0, 30.0, 1.0)]),
            ("kernel", [spent(200.0, 795.0, 0.0); 2]),
            ("pool", [threads; 2]),
            ("odd", [spent(700.0, 100.0, 1.0); 2]),
            ("interrupted", [spent(600.0, 0.0, 0.0), spent(995.0, 0.0, 0.0)]),
        ];
        let want = [
            "engine at 64 B: offloaded: of the time of 64 B the thread slept 95%, with 1.00 waits a call; user space had 2%, the kernel 3%",
            "kernel: in the kernel: it had 80% of the time of 64 B",
            "pool: other threads of the library had 190% of the time of 64 B; the thread that asked ran 12%, with 1.00 waits a call",
            "odd: unclear who did the work: of the time of 64 B the thread ran 80%, with 1.00 waits a call",
            "1 of 10 figures are of threads that did not wait and yet ran less than all the time: others had their core",
        ];
        assert_eq!(told(&rows), want);
    }
}
