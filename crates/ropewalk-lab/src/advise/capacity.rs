//! The cores that a server of TLS 1.3 needs for its cryptography.

use serde::Serialize;

use super::{
    Facts,
    candidates::{Part, to_measure},
    needs::{Must, Needs, Protect, USUAL_BYTES, speed},
    offers::Figure,
    rank::{advise, duration},
};
use crate::report::figures;

/// Cores, and how they are counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Capacity {
    /// The needs.
    pub needs: Needs,
    /// The kinds of work.
    pub lines: Vec<Line>,
    /// The sum of their cores.
    pub cores: f64,
    /// The cores of the machine.
    pub here: Option<u64>,
    /// Work without figures.
    pub unknown: Vec<String>,
}

/// One kind of work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// What does it.
    pub name: String,
    /// Where the number comes from: `5.00 GB/s / 1350 B`.
    pub from: String,
    /// How often a second.
    pub per_second: f64,
    /// Nanoseconds each time.
    pub ns: f64,
    /// The cores that it keeps busy.
    pub cores: f64,
    /// The rows.
    pub figures: Vec<Figure>,
}

/// A kind of work that is to be priced.
struct Work {
    needs: Needs,
    from: String,
    per_second: f64,
}

/// Counts the cores by the rows of a machine.
pub fn capacity(needs: &Needs, facts: &Facts<'_>) -> Capacity {
    let (mut lines, mut unknown) = (Vec::new(), Vec::new());
    for Work { needs, from, per_second } in work(needs) {
        let advice = advise(&needs, facts);
        let Some(chosen) = advice.chosen else {
            unknown.push(format!("{}: no row meets the needs", needs.goal().name()));
            continue;
        };
        let (name, ns) = (chosen.offer.name(), chosen.offer.time.ns);
        let cores = per_second * ns / 1e9;
        lines.push(Line { name, from, per_second, ns, cores, figures: chosen.offer.figures });
    }
    let cores = lines.iter().map(|line| line.cores).sum();
    Capacity { needs: needs.clone(), lines, cores, here: facts.cores, unknown }
}

/// The rows that it needs.
pub fn parts(needs: &Needs) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for part in work(needs).iter().flat_map(|work| to_measure(&work.needs)) {
        if !parts.iter().any(|known| known.is_at(&part)) {
            parts.push(part);
        }
    }
    parts
}

/// Records; a key exchange of each connection; and a signature of each that resumes no other one, since a
/// resumed one is authenticated by its key (RFC 8446, section 2.2).
fn work(needs: &Needs) -> Vec<Work> {
    let Some(tls) = needs.tls else { return Vec::new() };
    let bytes = needs.record.unwrap_or(USUAL_BYTES);
    let of = |goal: Protect, message: Option<u64>| {
        let mut must = needs.must.clone();
        must.retain(|must| *must != Must::Tls13);
        must.push(Must::Tls13);
        Needs { protect: Some(goal), bits: needs.bits, message, must, ..Needs::default() }
    };
    let mut work = vec![Work {
        needs: of(Protect::Aead, Some(bytes)),
        from: format!("{} / {bytes} B", speed(tls)),
        per_second: tls / bytes as f64,
    }];
    let Some(requests) = needs.requests else { return work };
    let resumed = needs.resumed.unwrap_or(0.0);
    work.push(Work {
        needs: of(Protect::KeyAgreement, None),
        from: "each connection".into(),
        per_second: requests,
    });
    let whole = 1.0 - resumed;
    if whole > 0.0 {
        work.push(Work {
            needs: of(Protect::Signature, None),
            from: format!("{} of the connections", percent(whole)),
            per_second: requests * whole,
        });
    }
    work
}

fn percent(share: f64) -> String {
    format!("{} %", (share * 1000.0).round() / 10.0)
}

impl Capacity {
    /// Whole cores.
    pub fn whole(&self) -> u64 {
        self.cores.ceil() as u64
    }

    /// Whether the cores that are given are enough.
    pub fn is_enough(&self) -> bool {
        self.needs.cores.is_none_or(|cores| self.whole() <= u64::from(cores))
    }
}

impl Line {
    /// The arithmetic, in words.
    pub fn words(&self) -> String {
        format!(
            "{} x {} = {} cores ({})",
            figures::calls(self.per_second),
            duration(self.ns),
            figures::plain(self.cores),
            self.from
        )
    }
}
