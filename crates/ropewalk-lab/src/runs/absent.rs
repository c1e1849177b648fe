//! Rows without a figure. An operation that a library does not support is one line of a kept table, not one
//! for each size.

use std::collections::{BTreeSet, HashMap};

use crate::record::Record;

/// A record, or one for every size that has a figure in the same table.
pub(super) struct Line {
    pub(super) record: Record,
    pub(super) every_size: bool,
}

/// A size of messages: bytes, and the mix if there is one.
type Size = (usize, Option<String>);

/// Combines the rows of a library that are missing for the same reason at every size into one line.
pub(super) fn fold(records: &[Record]) -> Vec<Line> {
    let measured = measured(records);
    let mut missing: HashMap<String, Vec<Size>> = HashMap::new();
    for record in records.iter().filter(|record| record.ns.is_none()) {
        missing.entry(reason(record)).or_default().push(size(record));
    }
    let mut lines = Vec::new();
    for record in records {
        let every_size = record.ns.is_none() && {
            let sizes = missing.get(&reason(record));
            // The line was already written.
            let Some(sizes) = sizes else { continue };
            measured.get(&table(record)).is_some_and(|measured| same(sizes, measured))
        };
        if every_size {
            missing.remove(&reason(record));
        }
        lines.push(Line { record: record.clone(), every_size });
    }
    lines
}

/// The rows again, in the order of a run: by table, by size, by row.
pub(super) fn unfold(lines: Vec<Line>) -> Vec<Record> {
    if lines.iter().all(|line| !line.every_size) {
        return lines.into_iter().map(|line| line.record).collect();
    }
    let mut rows = Ranks::default();
    lines.iter().for_each(|line| _ = rows.of(row(&line.record)));
    let (whole, for_all): (Vec<Line>, Vec<Line>) =
        lines.into_iter().partition(|line| !line.every_size);
    let mut records: Vec<Record> = whole.into_iter().map(|line| line.record).collect();
    let measured = measured(&records);
    let mut places = Ranks::default();
    records.iter().for_each(|record| _ = places.of((table(record), size(record))));
    for Line { record, .. } in for_all {
        for (bytes, mix) in measured.get(&table(&record)).into_iter().flatten() {
            records.push(Record { bytes: *bytes, mix: mix.clone(), ..record.clone() });
        }
    }
    records.sort_by_cached_key(|record| {
        (places.of((table(record), size(record))), rows.of(row(record)))
    });
    records
}

/// Numbers in order of first appearance.
#[derive(Default)]
struct Ranks<K>(HashMap<K, usize>);

impl<K: std::hash::Hash + Eq> Ranks<K> {
    fn of(&mut self, key: K) -> usize {
        let next = self.0.len();
        *self.0.entry(key).or_insert(next)
    }
}

/// The sizes of each table that any row has a figure for, in order.
fn measured(records: &[Record]) -> HashMap<String, Vec<Size>> {
    let mut sizes: HashMap<String, Vec<Size>> = HashMap::new();
    for record in records.iter().filter(|record| record.ns.is_some()) {
        let sizes = sizes.entry(table(record)).or_default();
        if !sizes.contains(&size(record)) {
            sizes.push(size(record));
        }
    }
    sizes
}

fn same(missing: &[Size], measured: &[Size]) -> bool {
    let set = |sizes: &[Size]| sizes.iter().cloned().collect::<BTreeSet<_>>();
    missing.len() == measured.len() && set(missing) == set(measured)
}

fn size(record: &Record) -> Size {
    (record.bytes, record.mix.clone())
}

/// The common properties of the rows of one table.
fn table(record: &Record) -> String {
    let Record { task, op, count, mode, keys, stride, .. } = record;
    format!("{:?}", (task, op, count, mode, keys, stride))
}

/// The identity of a row in its table.
fn row(record: &Record) -> String {
    let Record { peer, version, library, by, backend, mask, threads, cores, cold, .. } = record;
    let of = (peer, version, library, by, backend, mask, threads, cores, cold);
    format!("{} {of:?}", table(record))
}

fn reason(record: &Record) -> String {
    format!("{} {:?}", row(record), (record.answer, &record.note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Answer, tests::record};

    fn of(peer: &str, bytes: usize, why: Option<&str>) -> Record {
        let with = Record { peer: peer.into(), ..record("sha256", bytes, 1.0) };
        match why {
            None => with,
            Some(why) => Record { ns: None, note: why.into(), answer: Answer::None, ..with },
        }
    }

    fn told(records: &[Record]) -> Vec<(String, usize, String)> {
        let of = |record: &Record| (record.peer.clone(), record.bytes, record.note.clone());
        records.iter().map(of).collect()
    }

    #[test]
    fn a_reason_for_every_size_is_one_line() {
        let rows = [
            of("none", 16, Some("has no SHA-256")),
            of("a", 16, None),
            of("some", 16, Some("died")),
            of("none", 64, Some("has no SHA-256")),
            of("a", 64, None),
            of("some", 64, None),
        ];
        let lines = fold(&rows);
        let every: Vec<bool> = lines.iter().map(|line| line.every_size).collect();
        assert_eq!(every, [true, false, false, false, false]);
        assert_eq!(told(&unfold(lines)), told(&rows));
    }

    /// Other counts and modes are other tables, and a table without figures has no sizes.
    #[test]
    fn lines_stand_for_the_sizes_of_their_table() {
        let two = |record: Record| Record { count: 2, ..record };
        let rows = [
            of("a", 16, None),
            of("none", 16, Some("no")),
            two(of("a", 64, None)),
            two(of("none", 64, Some("no"))),
            Record { task: "sha1".into(), ..of("none", 64, Some("no")) },
            Record { mix: Some("imix".into()), ..of("a", 354, None) },
        ];
        let lines = fold(&rows);
        let every: Vec<bool> = lines.iter().map(|line| line.every_size).collect();
        assert_eq!(every, [false, false, false, true, false, false], "the mix has a figure too");
        assert_eq!(told(&unfold(lines)), told(&rows));
    }

    #[test]
    fn rows_that_are_all_measured_keep_their_order() {
        let rows = [of("b", 64, None), of("a", 16, None), of("b", 16, None), of("b", 64, None)];
        assert_eq!(told(&unfold(fold(&rows))), told(&rows));
    }
}
