//! Measurements, one JSON line each. The schema is defined only here.
//!
//! A file begins with the [`Machine`](crate::machine::Machine) and its instruction rates and ends with the
//! [`Warnings`]; each line between them is a [`Record`]. Fields have this order. Unknown values are null.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    filename,
    limits::UNCERTAINTY,
    measure::{
        entrant::Entrant,
        field::Row,
        latency::Latency,
        neighbour::Effect,
        race::{INTERRUPTED, Measured, Outcome},
        scaling::Scaled,
        statistics::Turns,
        usage::Usage,
    },
    offload::{Spent, Verdict},
    tasks::{Cell, Keys, Mode},
    warn::Warning,
};

/// Changes when a field changes its meaning or is removed.
pub const SCHEMA: u32 = 1;

/// One row of one task at one size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The algorithm: `aes-128-ctr`.
    pub task: String,
    /// Its operation: `encrypt`.
    pub op: String,
    /// Bytes in each message; for a mix, the mean, rounded up.
    pub bytes: usize,
    /// Messages in each call.
    pub count: usize,
    /// The part of a message that is timed.
    pub mode: Mode,
    /// The mix of message lengths: `imix`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix: Option<String>,
    /// Whether messages have separate keys: `each`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<Keys>,
    /// Bytes from the beginning of a message to that of the next one, if they are in one array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stride: Option<usize>,
    /// The kind of library; `ropewalk` for this library.
    pub peer: String,
    /// Its version, as it reports it.
    pub version: Option<String>,
    /// The file it was loaded from.
    pub library: Option<String>,
    /// The selected part of it: `provider=NAME`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The provider of OpenSSL that served, if the library reports it: `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The backend; empty if it has only one.
    pub backend: String,
    /// Processor features that are disabled for it: `-vaes,-avx512f`.
    pub mask: String,
    /// Threads that worked at the same time.
    pub threads: u32,
    /// The number of cores, if some threads shared one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// The joint speed of these threads relative to the sum of their single speeds, if measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<f64>,
    /// The same for arithmetic in the same turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arithmetic: Option<f64>,
    /// Whether its answer was right. Only right ones are timed.
    pub answer: Answer,
    /// Nanoseconds a message: the median of all samples.
    pub ns: Option<f64>,
    /// Lower end of the median's 95 % confidence interval.
    pub ns_low: Option<f64>,
    /// Upper end of it.
    pub ns_high: Option<f64>,
    /// Processor time a message in user space, in nanoseconds.
    pub user_ns: Option<f64>,
    /// Processor time a message in the kernel, in nanoseconds.
    pub sys_ns: Option<f64>,
    /// Core cycles a message: the median of the samples in which the core ran steadily.
    pub cycles: Option<f64>,
    /// Core cycles a byte.
    pub cycles_per_byte: Option<f64>,
    /// The fewest core cycles a message that this processor's instruction rates allow.
    pub limit_cycles: Option<f64>,
    /// The limit divided by the measured cycles: 1 is perfect.
    pub share_of_limit: Option<f64>,
    /// 10^6 bytes a second.
    pub mb_per_s: Option<f64>,
    /// Messages a second.
    pub ops_per_s: Option<f64>,
    /// Why there is no figure, or a note.
    pub note: String,
    /// The medians of its turns in each process: at most [`MOST_TURNS`], each of as many turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<Turns>,
    /// Processor time a message of the library's other threads, in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_ns: Option<f64>,
    /// Context switches in a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<Switches>,
    /// Messages that were timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<u64>,
    /// Where the work was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The expected nanoseconds of a message, from a datasheet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_ns: Option<f64>,
    /// True if each call found neither its code nor its data in the caches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cold: Option<bool>,
    /// The times of single calls, if each was timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<Latency>,
    /// The slowdown of scalar code after it, if measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbour: Option<Effect>,
    /// With the last size of a row: the line through all of its sizes, if there are enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<Lines>,
}

/// Context switches of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Switches {
    /// The thread waited.
    pub voluntary: f64,
    /// Another thread was given the core.
    pub involuntary: f64,
}

/// The cost of a call of a row, and of a byte: lines through its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lines {
    /// Sizes of the first line.
    pub sizes: usize,
    /// Nanoseconds of a call without bytes.
    pub call_ns: f64,
    /// Nanoseconds of a byte.
    pub byte_ns: f64,
    /// Core cycles of a call without bytes, if they are known at enough sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_cycles: Option<f64>,
    /// Core cycles of a byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte_cycles: Option<f64>,
}

/// More are not useful: a row that runs for minutes has thousands.
pub const MOST_TURNS: usize = 24;

/// The result of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Equal to that of the portable backend.
    Right,
    /// A different answer.
    Wrong,
    /// No answer.
    None,
}

impl Record {
    /// Makes a record of the result of a row. `limit` is the fewest core cycles a message.
    pub fn new(
        cell: &Cell,
        entrant: &Entrant,
        row: &Row,
        outcome: &Outcome,
        limit: Option<f64>,
    ) -> Self {
        let opened = entrant.opened.as_ref().ok();
        let (answer, note) = match outcome {
            Outcome::Measured(measured) => (Answer::Right, measured.note.clone()),
            Outcome::Wrong => (Answer::Wrong, "its answer is wrong, so it was not timed".into()),
            Outcome::Absent(why) => (Answer::None, why.clone()),
        };
        let measured = match outcome {
            Outcome::Measured(measured) => Some(measured),
            _ => None,
        };
        let figure = |of: fn(&Measured) -> f64| measured.map(of);
        let (ns, cycles) = (figure(|m| m.ns.value), measured.and_then(|m| m.cycles));
        let interval = measured.and_then(|m| m.ns.interval);
        let bytes = cell.mean();
        let share = limit.zip(cycles).map(|(limit, cycles)| limit / cycles);
        let mut notes = vec![note];
        notes.extend(other_provider(entrant, measured));
        notes.extend(share.filter(|share| beats(*share)).map(told));
        notes.retain(|note| !note.is_empty());
        Self {
            schema: SCHEMA,
            task: cell.task.name.into(),
            op: cell.task.op.into(),
            bytes: cell.bytes,
            count: cell.count,
            mode: cell.mode,
            mix: cell.mix.map(|mix| mix.name.into()),
            keys: (cell.keys != Keys::One).then_some(cell.keys),
            stride: cell.stride,
            peer: entrant.peer.into(),
            version: opened.map(|opened| opened.version.clone()),
            library: opened.and_then(|opened| opened.path.as_deref()).map(from_here),
            by: Some(entrant.library.by.clone()).filter(|by| !by.is_empty()),
            provider: measured.and_then(|m| m.besides.provider.clone()),
            backend: row.backend.clone(),
            mask: entrant.mask.clone(),
            threads: 1,
            cores: None,
            efficiency: None,
            arithmetic: None,
            answer,
            ns,
            ns_low: interval.map(|interval| interval.0),
            ns_high: interval.map(|interval| interval.1),
            user_ns: figure(|m| m.usage.user_ns).filter(|ns| ns.is_finite()),
            sys_ns: figure(|m| m.usage.sys_ns).filter(|ns| ns.is_finite()),
            cycles,
            cycles_per_byte: cycles.map(|cycles| cycles / bytes),
            limit_cycles: limit,
            share_of_limit: share,
            mb_per_s: ns.map(|ns| bytes * 1e3 / ns),
            ops_per_s: ns.map(|ns| 1e9 / ns),
            note: notes.join("; "),
            turns: measured
                .map(|m| m.turns.folded(MOST_TURNS))
                .filter(|turns| !turns.ns.is_empty()),
            others_ns: figure(|m| m.usage.others_ns).filter(|ns| ns.is_finite()),
            switches: measured
                .map(|m| Switches { voluntary: m.usage.waits, involuntary: m.usage.preempted })
                .filter(|switches| switches.voluntary.is_finite()),
            messages: measured.map(|m| m.messages as u64),
            verdict: None,
            expected_ns: None,
            cold: None,
            latency: measured.and_then(|m| m.besides.latency),
            neighbour: measured.and_then(|m| m.besides.neighbour),
            fit: None,
        }
        .judged()
    }
}

impl Record {
    /// A record of several threads, on that many cores: nanoseconds are of a message of one of them, and
    /// speeds are of all.
    pub fn of_many(
        cell: &Cell,
        entrant: &Entrant,
        row: &Row,
        scaled: &Scaled,
        cores: usize,
    ) -> Self {
        let outcome = Outcome::Measured(scaled.measured.clone());
        let one = Self::new(cell, entrant, row, &outcome, None);
        let all = |of_one: f64| of_one * scaled.threads as f64;
        Self {
            threads: scaled.threads as u32,
            cores: (cores < scaled.threads).then_some(cores as u32),
            efficiency: Some(scaled.efficiency),
            arithmetic: Some(scaled.arithmetic),
            mb_per_s: one.mb_per_s.map(all),
            ops_per_s: one.ops_per_s.map(all),
            ..one
        }
    }

    /// Adds the values that follow from its times, which a kept table omits.
    #[must_use]
    pub fn completed(self) -> Self {
        let bytes = self.bytes as f64;
        Self {
            mb_per_s: self.mb_per_s.or(self.ns.map(|ns| bytes * 1e3 / ns)),
            ops_per_s: self.ops_per_s.or(self.ns.map(|ns| 1e9 / ns)),
            cycles_per_byte: self.cycles_per_byte.or(self.cycles.map(|cycles| cycles / bytes)),
            share_of_limit: self
                .share_of_limit
                .or(self.limit_cycles.zip(self.cycles).map(|(limit, cycles)| limit / cycles)),
            ..self
        }
    }

    /// Whether it has a figure, or would have one if the run had not been interrupted.
    pub fn is_wanted(&self) -> bool {
        self.ns.is_some() || self.note == INTERRUPTED
    }

    /// The costs of a message, if the kernel's counts are known.
    pub fn spent(&self) -> Option<Spent> {
        let switches = self.switches?;
        let usage = Usage {
            user_ns: self.user_ns?,
            sys_ns: self.sys_ns?,
            others_ns: self.others_ns?,
            waits: switches.voluntary,
            preempted: switches.involuntary,
        };
        Some(Spent { ns: self.ns?, usage, count: self.count, messages: self.messages? as f64 })
    }

    /// Adds the expected time from a datasheet, if it was timed.
    #[must_use]
    pub fn promised(self, ns: Option<f64>) -> Self {
        Self { expected_ns: ns.filter(|_| self.ns.is_some()), ..self }
    }

    fn judged(self) -> Self {
        Self { verdict: self.spent().map(|spent| spent.verdict()), ..self }
    }
}

/// The warnings of a run: its last line, if there were any.
#[derive(Serialize)]
pub struct Warnings {
    schema: u32,
    record: &'static str,
    warnings: Vec<Told>,
}

#[derive(Serialize)]
struct Told {
    number: u32,
    text: String,
}

impl Warnings {
    /// [`Record`]s have no such field: it distinguishes this line.
    pub const RECORD: &str = "warnings";

    /// Makes the line of these warnings.
    pub fn of<'a>(warnings: impl IntoIterator<Item = &'a Warning>) -> Self {
        let told = |warning: &Warning| Told { number: warning.number(), text: warning.to_string() };
        let warnings = warnings.into_iter().map(told).collect();
        Self { schema: SCHEMA, record: Self::RECORD, warnings }
    }

    /// The warnings of a run that was read, unchanged.
    pub fn again(warnings: &Value) -> Value {
        json!({"schema": SCHEMA, "record": Self::RECORD, "warnings": warnings})
    }
}

/// Whether something is faster than its bound by more than the error of rates and samples: then the bound is
/// wrong.
pub fn beats(share: f64) -> bool {
    share > 1.0 + UNCERTAINTY
}

/// The note that a library did not use its own provider, though no other was selected.
fn other_provider(entrant: &Entrant, measured: Option<&Measured>) -> Option<String> {
    // RC4 and similar algorithms have a separate provider.
    const OWN: [&str; 2] = ["default", "legacy"];
    let name = measured?.besides.provider.as_deref()?;
    let is_other = entrant.library.by.is_empty() && !OWN.contains(&name);
    is_other.then(|| format!("its provider {name} serves"))
}

fn told(share: f64) -> String {
    format!("{:.0} % faster than its bound, which is wrong", (share - 1.0) * 100.0)
}

/// A path below the current folder, relative to it: a record does not contain the location of a tree.
fn from_here(path: &str) -> String {
    let here = std::env::current_dir().ok();
    let whole = filename::parse(path);
    let below = here.and_then(|here| Path::new(&whole).strip_prefix(here).ok());
    below.map_or(path.into(), filename::shown)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{
        measure::{entrant::Library, statistics::Median, way::Besides},
        offload::tests::spent,
        tasks::TASKS,
    };

    /// Code that beats its bound is reported, and its share is unchanged.
    #[test]
    fn a_bound_that_is_beaten_is_told() {
        let task = TASKS.iter().find(|task| task.name == "sha256").unwrap();
        let cell = Cell {
            task,
            bytes: 64,
            count: 1,
            mode: Mode::Message,
            mix: None,
            keys: Keys::One,
            stride: None,
        };
        let entrant = Entrant::absent("ropewalk", &Library::default(), "", String::new());
        let row = Row { entrant: 0, backend: String::new(), chosen: true, absent: None };
        let of = |cycles: f64| {
            let measured = Measured {
                ns: Median { value: 30.0, interval: None },
                cycles: Some(cycles),
                usage: Usage { user_ns: 30.0, ..Usage::default() },
                messages: 1000.0,
                ghz: Some(3.0),
                note: "few samples".into(),
                turns: Turns::default(),
                beside: 0.0,
                besides: Box::default(),
            };
            Record::new(&cell, &entrant, &row, &Outcome::Measured(measured), Some(100.0))
        };
        let beaten = of(80.0);
        assert_eq!(beaten.note, "few samples; 25 % faster than its bound, which is wrong");
        assert_eq!(beaten.share_of_limit, Some(1.25));
        assert_eq!(of(99.0).note, "few samples");
    }

    /// A library that is served by another provider has a note, unless that provider was selected.
    #[test]
    fn another_provider_is_told() {
        let said = |by: &str, provider: Option<&str>| {
            let library = Library::named("libcrypto.so.3").by(by);
            let entrant = Entrant::absent("libcrypto", &library, "", String::new());
            let measured = Measured {
                ns: Median { value: 30.0, interval: None },
                cycles: None,
                usage: Usage::default(),
                messages: 1.0,
                ghz: None,
                note: String::new(),
                turns: Turns::default(),
                beside: 0.0,
                besides: Besides { provider: provider.map(str::to_owned), ..Besides::default() }
                    .into(),
            };
            other_provider(&entrant, Some(&measured))
        };
        assert_eq!(said("", Some("default")), None);
        assert_eq!(said("", Some("legacy")), None);
        assert_eq!(said("", None), None);
        assert_eq!(said("", Some("fips")).as_deref(), Some("its provider fips serves"));
        assert_eq!(said("provider=fips", Some("fips")), None);
    }

    /// A record with only a figure.
    pub(crate) fn record(task: &str, bytes: usize, ns: f64) -> Record {
        Record {
            schema: SCHEMA,
            task: task.into(),
            op: "digest".into(),
            bytes,
            count: 1,
            mode: Mode::Message,
            mix: None,
            keys: None,
            stride: None,
            peer: "ropewalk".into(),
            version: None,
            library: None,
            by: None,
            provider: None,
            backend: format!("{task}/portable"),
            mask: String::new(),
            threads: 1,
            cores: None,
            efficiency: None,
            arithmetic: None,
            answer: Answer::Right,
            ns: Some(ns),
            ns_low: None,
            ns_high: None,
            user_ns: None,
            sys_ns: None,
            cycles: None,
            cycles_per_byte: None,
            limit_cycles: None,
            share_of_limit: None,
            mb_per_s: None,
            ops_per_s: None,
            note: String::new(),
            turns: None,
            others_ns: None,
            switches: None,
            messages: None,
            verdict: None,
            expected_ns: None,
            cold: None,
            latency: None,
            neighbour: None,
            fit: None,
        }
    }

    /// A record with a figure and the kernel's counts.
    pub(crate) fn taking(bytes: usize, spent: Spent) -> Record {
        let Spent { ns, usage, count, messages } = spent;
        Record {
            user_ns: Some(usage.user_ns),
            sys_ns: Some(usage.sys_ns),
            others_ns: Some(usage.others_ns),
            switches: Some(Switches { voluntary: usage.waits, involuntary: usage.preempted }),
            messages: Some(messages as u64),
            mb_per_s: Some(bytes as f64 * 1e3 / ns),
            count,
            ..record("sha256", bytes, ns)
        }
        .judged()
    }

    /// The kernel's counts are read back from a file, and determine the verdict.
    #[test]
    fn who_worked_is_in_the_record() {
        let judged = taking(64, spent(20.0, 30.0, 1.0));
        assert_eq!(judged.verdict, Some(Verdict::Offloaded));
        let line = serde_json::to_string(&judged.promised(Some(250.0))).unwrap();
        for want in [
            r#""switches":{"voluntary":1.0,"involuntary":0.0}"#,
            r#""verdict":"offloaded""#,
            r#""expected_ns":250.0"#,
        ] {
            assert!(line.contains(want), "{line}");
        }
        let again: Record = serde_json::from_str(&line).unwrap();
        assert_eq!(again.spent().unwrap().verdict(), Verdict::Offloaded);
        // Older files do not have them.
        let older = serde_json::to_string(&record("sha256", 64, 1.0)).unwrap();
        assert!(!older.contains("switches") && !older.contains("verdict"), "{older}");
        assert!(serde_json::from_str::<Record>(&older).unwrap().spent().is_none());
    }

    #[test]
    fn libraries_below_the_current_folder_are_named_from_there() {
        let here = std::env::current_dir().unwrap().join("lib/libc.so");
        assert_eq!(from_here(here.to_str().unwrap()), "lib/libc.so");
        assert_eq!(from_here("/usr/lib/libc.so"), "/usr/lib/libc.so");
    }
}
