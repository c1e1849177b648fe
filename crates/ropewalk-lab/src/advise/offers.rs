//! What rows offer: a candidate with a library, and the time of a message.

use serde::Serialize;

use super::{
    Facts,
    candidates::{Candidate, Choice, Part},
};
use crate::{
    measure::reference::{OURS, is_ours},
    record::{Answer, Record},
    report::library::{SERIAL, short_name},
    tasks::{Keys, Mode},
};

/// A library, as rows name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Library {
    /// Its kind: `libcrypto`.
    pub peer: String,
    /// Its version, as it reports it.
    pub version: Option<String>,
    /// Its file.
    pub path: Option<String>,
}

/// A candidate with a library.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Offer {
    /// `AES-256-GCM`.
    pub title: String,
    /// Its entry, if it has one.
    #[serde(skip)]
    pub choice: Option<&'static Choice>,
    /// Bits of strength, if they are known.
    pub bits: Option<u32>,
    /// The library.
    pub library: Library,
    /// The parts of a message.
    pub figures: Vec<Figure>,
    /// Nanoseconds of a message, and the ends of their interval, if all parts have one.
    pub time: Time,
}

/// The time of a part of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The part.
    pub part: Part,
    /// Messages in a call.
    pub count: usize,
    /// The backend.
    pub backend: String,
    /// Its time, once.
    pub time: Time,
    /// The limit divided by the measured cycles.
    pub share_of_limit: Option<f64>,
    /// The provider of OpenSSL that served.
    pub provider: Option<String>,
    /// The sizes of the rows that it is computed from, if none has its own.
    pub from: Vec<usize>,
    /// Its code and memory.
    pub resources: Resources,
}

/// A time in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Time {
    /// The median.
    pub ns: f64,
    /// The lower end of its 95 % interval, or the median.
    pub low: f64,
    /// The upper end of it, or the median.
    pub high: f64,
}

/// Bytes of code and of memory of an algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Resources {
    /// Bytes of code.
    pub code: Option<u64>,
    /// Bytes of memory.
    pub ram: Option<u64>,
}

impl Resources {
    /// Of a row. Records have no such fields yet.
    fn of(_: &Record) -> Self {
        Self::default()
    }
}

/// Every library that has all parts of a candidate, with `count` messages in a call.
pub fn offers(facts: &Facts<'_>, candidate: &Candidate, count: usize) -> Vec<Offer> {
    let main = &candidate.parts[0];
    let mut libraries: Vec<Library> = Vec::new();
    for record in rows(facts, main, count) {
        let library = Library::of(record);
        if !libraries.contains(&library) {
            libraries.push(library);
        }
    }
    // The C library has the same code.
    if libraries.iter().any(|library| library.peer == OURS) {
        libraries.retain(|library| library.peer == OURS || !is_ours(&library.peer));
    }
    let offer = |library: Library| Offer::of(facts, candidate, library, count);
    libraries.into_iter().filter_map(offer).collect()
}

/// The numbers of messages in a call, above one, that rows of a candidate have.
pub fn counts(facts: &Facts<'_>, candidate: &Candidate) -> Vec<usize> {
    let main = &candidate.parts[0];
    let rows = facts.records.iter().filter(|it| it.task == main.task && it.op == main.op);
    let mut counts: Vec<usize> = rows.map(|it| it.count).filter(|count| *count > 1).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

impl Offer {
    fn of(
        facts: &Facts<'_>,
        candidate: &Candidate,
        library: Library,
        count: usize,
    ) -> Option<Self> {
        let figure = |(i, part): (usize, &Part)| {
            // Other parts are done one at a time.
            Figure::of(facts, part, &library, if i == 0 { count } else { 1 })
        };
        let figures: Option<Vec<Figure>> = candidate.parts.iter().enumerate().map(figure).collect();
        let figures = figures?;
        let time = figures.iter().map(Figure::whole).reduce(Time::plus)?;
        Some(Self {
            title: candidate.title.clone(),
            choice: candidate.choice,
            bits: candidate.choice.map(|choice| choice.bits),
            library,
            figures,
            time,
        })
    }

    /// `AES-256-GCM with OpenSSL 3.0.22`.
    pub fn name(&self) -> String {
        format!("{} with {}", self.title, self.library.name())
    }

    /// The task of its first part.
    pub fn task(&self) -> &str {
        &self.figures[0].part.task
    }

    /// Messages a second of one core.
    pub fn per_second(&self) -> f64 {
        1e9 / self.time.ns
    }
}

impl Figure {
    /// The figure of a library: of the row of that size, or of those around it.
    fn of(facts: &Facts<'_>, part: &Part, library: &Library, count: usize) -> Option<Self> {
        let rows: Vec<&Record> =
            rows(facts, part, count).filter(|record| Library::of(record) == *library).collect();
        let sizes: Vec<usize> = rows.iter().map(|record| record.bytes).collect();
        let best = |bytes: usize| {
            let mut at = rows.iter().copied().filter(|record| record.bytes == bytes);
            match is_ours(&library.peer) {
                // The first is the default.
                true => at.next(),
                false => at.min_by(|a, b| a.ns.unwrap_or(0.0).total_cmp(&b.ns.unwrap_or(0.0))),
            }
        };
        let wanted = part.bytes;
        let below = sizes.iter().copied().filter(|bytes| *bytes as u64 <= wanted).max();
        let above = sizes.iter().copied().filter(|bytes| *bytes as u64 >= wanted).min();
        let (first, second) = (below.and_then(best), above.and_then(best));
        let row = second.or(first)?;
        let (time, from) = match (first, second) {
            (Some(a), Some(b)) if a.bytes == b.bytes => (Time::of(a)?, Vec::new()),
            (Some(a), Some(b)) => (between(a, b, wanted as f64)?, vec![a.bytes, b.bytes]),
            // A longer message takes as long a byte as the longest of the rows.
            (Some(a), None) => (Time::of(a)?.times(wanted as f64 / a.bytes as f64), vec![a.bytes]),
            // A shorter one takes no longer than the shortest.
            (None, Some(b)) => (Time::of(b)?, vec![b.bytes]),
            (None, None) => return None,
        };
        Some(Self {
            part: part.clone(),
            count,
            resources: Resources::of(row),
            backend: row.backend.clone(),
            time,
            share_of_limit: share_of_limit(row).filter(|_| from.is_empty()),
            provider: row.provider.clone(),
            from,
        })
    }

    /// The time of the part, as often as it is done.
    fn whole(&self) -> Time {
        self.time.times(f64::from(self.part.times))
    }
}

impl Library {
    fn of(record: &Record) -> Self {
        let by = record.by.as_ref().map(|by| format!(" {by}"));
        Self {
            peer: record.peer.clone(),
            version: record.version.as_ref().map(|it| it.clone() + by.as_deref().unwrap_or("")),
            path: record.library.clone(),
        }
    }

    /// `ropewalk`, `OpenSSL 3.0.22`, `nettle 3.8`.
    pub fn name(&self) -> String {
        let version = self.version.as_deref().unwrap_or_default();
        let number =
            version.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        match number {
            Some(number)
                if !is_ours(&self.peer) && self.peer != "libcrypto" && !version.contains(", ") =>
            {
                format!("{} {number}", self.peer)
            }
            _ => short_name(&self.peer, version),
        }
    }

    /// Whether it is a libcrypto that programs here load: one that the lab did not fetch.
    pub fn is_system_openssl(&self) -> bool {
        let path = self.path.as_deref().unwrap_or_default();
        self.peer == "libcrypto" && (path.starts_with("/usr/") || path.starts_with("/lib"))
    }
}

impl Time {
    fn of(record: &Record) -> Option<Self> {
        let ns = record.ns?;
        Some(Self { ns, low: record.ns_low.unwrap_or(ns), high: record.ns_high.unwrap_or(ns) })
    }

    fn times(self, factor: f64) -> Self {
        Self { ns: self.ns * factor, low: self.low * factor, high: self.high * factor }
    }

    fn plus(self, other: Self) -> Self {
        Self { ns: self.ns + other.ns, low: self.low + other.low, high: self.high + other.high }
    }

    /// Whether two times differ by more than their intervals and the noise.
    pub fn differs(self, other: Self) -> bool {
        let apart = self.low > other.high || other.low > self.high;
        let ratio = self.ns.max(other.ns) / self.ns.min(other.ns);
        apart && ratio > NOISE
    }
}

/// The ratio up to which two times count as equal, as on the screen of `speed`.
const NOISE: f64 = 1.015;

/// On the line between two sizes.
fn between(a: &Record, b: &Record, bytes: f64) -> Option<Time> {
    let share = (bytes - a.bytes as f64) / (b.bytes as f64 - a.bytes as f64);
    Some(Time::of(a)?.times(1.0 - share).plus(Time::of(b)?.times(share)))
}

/// Kept tables do not have it.
fn share_of_limit(record: &Record) -> Option<f64> {
    record.share_of_limit.or_else(|| Some(record.limit_cycles? / record.cycles?))
}

/// The rows that count: right answers of whole messages, of one thread, with nothing hidden.
fn rows<'a>(
    facts: &'a Facts<'_>,
    part: &'a Part,
    count: usize,
) -> impl Iterator<Item = &'a Record> {
    facts.records.iter().filter(move |record| {
        let mask = if is_ours(&record.peer) { facts.mask } else { "" };
        record.task == part.task
            && record.op == part.op
            && record.count == count
            && record.answer == Answer::Right
            && record.ns.is_some()
            && record.mode == Mode::Message
            && record.mix.is_none()
            && record.stride.is_none()
            && record.keys.unwrap_or(Keys::One) == Keys::One
            && record.threads == 1
            && record.cold.is_none()
            && record.mask == mask
            && record.backend != SERIAL
    })
}
