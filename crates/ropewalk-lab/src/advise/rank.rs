//! The choice: what meets the needs, the fastest of it, and by how much.

use serde::Serialize;

use super::{
    Facts,
    candidates::candidates,
    constant_time::ConstantTime,
    needs::{Must, Needs, speed},
    offers::{Offer, offers},
    rules::{Rule, refusal},
    support::{Ended, ended_before},
    would::{Would, would},
};
use crate::report::figures;

/// An answer to needs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The needs.
    pub needs: Needs,
    /// What to use, if anything meets them.
    pub chosen: Option<Judged>,
    /// What comes nearest, if nothing does.
    pub nearest: Option<Judged>,
    /// What would meet them, then.
    pub would: Vec<Would>,
    /// The others, the fastest first.
    pub others: Vec<Judged>,
    /// What is never recommended, of the fixed algorithm and the rows.
    pub refused: Vec<Refused>,
    /// Needs that these rows do not answer, and why.
    pub unknown: Vec<String>,
    /// Whether the link or the cipher is slower.
    pub bottleneck: Option<Bottleneck>,
}

/// An offer, and what speaks against it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The offer.
    pub offer: Offer,
    /// What is known of its code.
    pub constant_time: ConstantTime,
    /// The end of the support of that version, if it is past.
    pub past_support: Option<Ended>,
    /// The needs that it does not meet.
    pub fails: Vec<Fail>,
    /// Its time over that of the chosen or nearest one.
    pub ratio: f64,
    /// Whether they differ by more than the noise.
    pub differs: bool,
}

/// A need that is not met.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "need")]
pub enum Fail {
    /// Its code is not tested for constant time.
    ConstantTime,
    /// It makes fewer messages a second.
    PerSecond {
        /// What it makes, by the slow end of its interval.
        has: f64,
        /// What is needed.
        needs: f64,
    },
    /// A message takes longer.
    Latency {
        /// Nanoseconds that it takes, by the slow end of its interval.
        has: f64,
        /// The most that is allowed.
        needs: f64,
    },
    /// Its code is larger.
    Code {
        /// Its bytes.
        has: u64,
        /// The most that is allowed.
        needs: u64,
    },
    /// It needs more memory.
    Ram {
        /// Its bytes.
        has: u64,
        /// The most that is allowed.
        needs: u64,
    },
}

/// An algorithm that a rule forbids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// `md5/digest`.
    pub task: String,
    /// The rule.
    pub rule: &'static Rule,
}

/// A link and a cipher in bytes a second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bottleneck {
    /// The link.
    pub link: f64,
    /// The cipher, on the cores that may work on it.
    pub cipher: f64,
}

impl Advice {
    /// What the figures are of: the chosen offer, or the nearest.
    pub fn first(&self) -> Option<&Judged> {
        self.chosen.as_ref().or(self.nearest.as_ref())
    }
}

/// Judges the rows of a machine by needs.
pub fn advise(needs: &Needs, facts: &Facts<'_>) -> Advice {
    let mut advice = Advice {
        needs: needs.clone(),
        chosen: None,
        nearest: None,
        would: Vec::new(),
        others: Vec::new(),
        refused: refused(needs, facts),
        unknown: Vec::new(),
        bottleneck: None,
    };
    if forbidden(needs).is_some() {
        return advice;
    }
    let mut judged = judge(needs, facts);
    if judged.is_empty() {
        advice.unknown.push(no_rows(needs));
        return advice;
    }
    advice.unknown.extend(not_judged(needs, &judged));
    let first = match choose(&judged) {
        Some(at) => judged.remove(at),
        None => judged.remove(nearest(&judged)),
    };
    for other in &mut judged {
        other.ratio = other.offer.time.ns / first.offer.time.ns;
        other.differs = other.offer.time.differs(first.offer.time);
    }
    advice.bottleneck = bottleneck(needs, &first);
    advice.others = judged;
    match first.fails.is_empty() {
        true => advice.chosen = Some(first),
        false => {
            advice.would = would(needs, facts, &first, &advice.others);
            advice.nearest = Some(first);
        }
    }
    advice
}

/// The rule that forbids the fixed algorithm.
pub fn forbidden(needs: &Needs) -> Option<Refused> {
    let fixed = needs.fixed.as_ref()?;
    let rule = refusal(&fixed.task, &fixed.op)?;
    Some(Refused { task: fixed.full_name(), rule })
}

/// Every offer, the fastest first.
pub(super) fn judge(needs: &Needs, facts: &Facts<'_>) -> Vec<Judged> {
    let all = candidates(needs);
    let all = all.iter().flat_map(|candidate| offers(facts, candidate, 1));
    let mut judged: Vec<Judged> = all.map(|offer| Judged::of(needs, facts, offer)).collect();
    judged.sort_by(|a, b| a.offer.time.ns.total_cmp(&b.offer.time.ns));
    judged
}

impl Judged {
    /// Judges an offer of one message a call.
    pub(super) fn of(needs: &Needs, facts: &Facts<'_>, offer: Offer) -> Self {
        let constant_time = ConstantTime::of(&offer.library, offer.task(), facts.tables);
        let version = offer.library.version.as_deref().unwrap_or_default();
        let past_support = ended_before(version, facts.today);
        let mut fails = Vec::new();
        if needs.must.contains(&Must::ConstantTime) && constant_time != ConstantTime::Checked {
            fails.push(Fail::ConstantTime);
        }
        fails.extend(too_slow(needs, &offer));
        fails.extend(too_large(needs, &offer));
        Self { offer, constant_time, past_support, fails, ratio: 1.0, differs: false }
    }
}

/// The needs of speed that an offer does not meet, by the slow end of its interval.
pub(super) fn too_slow(needs: &Needs, offer: &Offer) -> Vec<Fail> {
    let mut fails = Vec::new();
    let has = needs.workers() * 1e9 / offer.time.high;
    fails.extend(
        needs.per_second().filter(|it| *it > has).map(|it| Fail::PerSecond { has, needs: it }),
    );
    let has = offer.time.high * offer.figures[0].count as f64;
    fails.extend(needs.latency.filter(|it| *it < has).map(|it| Fail::Latency { has, needs: it }));
    fails
}

fn too_large(needs: &Needs, offer: &Offer) -> Vec<Fail> {
    let mut fails = Vec::new();
    let resources = offer.figures.iter().map(|figure| figure.resources);
    let code: Option<u64> = resources.clone().map(|it| it.code).sum();
    let ram = resources.map(|it| it.ram).max().flatten();
    if let (Some(has), Some(needs)) = (code, needs.max_code)
        && has > needs
    {
        fails.push(Fail::Code { has, needs });
    }
    if let (Some(has), Some(needs)) = (ram, needs.max_ram)
        && has > needs
    {
        fails.push(Fail::Ram { has, needs });
    }
    fails
}

/// The fastest offer that meets the needs. Of libraries that do not differ from it by more than the noise, the one
/// whose code is tested; and no version past its support, unless there is no other.
fn choose(judged: &[Judged]) -> Option<usize> {
    let fits = |supported: bool| {
        let all = judged.iter().enumerate();
        let all = all.filter(move |(_, it)| it.fails.is_empty());
        all.filter(move |(_, it)| !supported || it.past_support.is_none()).collect::<Vec<_>>()
    };
    let supported = fits(true);
    let fits = if supported.is_empty() { fits(false) } else { supported };
    let (at, fastest) = *fits.first()?;
    let near = |it: &Judged| !it.offer.time.differs(fastest.offer.time);
    let tested = |it: &Judged| it.constant_time == ConstantTime::Checked;
    let same = |it: &Judged| it.offer.title == fastest.offer.title;
    let tested = fits.iter().find(|(_, it)| near(it) && tested(it) && same(it));
    Some(tested.map_or(at, |(at, _)| *at))
}

/// The fastest of those that fail by speed only, or of all.
fn nearest(judged: &[Judged]) -> usize {
    let by_speed = |it: &Judged| {
        it.fails.iter().all(|fail| matches!(fail, Fail::PerSecond { .. } | Fail::Latency { .. }))
    };
    judged.iter().position(by_speed).unwrap_or(0)
}

fn no_rows(needs: &Needs) -> String {
    let parts = candidates(needs).into_iter().map(|it| it.parts[0].full_name());
    let names: Vec<String> = parts.collect();
    format!("no row has a figure of {}", names.join(", "))
}

/// Limits without figures.
fn not_judged(needs: &Needs, judged: &[Judged]) -> Vec<String> {
    let resources = || judged.iter().flat_map(|it| &it.offer.figures).map(|it| it.resources);
    let mut unknown = Vec::new();
    if needs.max_code.is_some() && resources().any(|it| it.code.is_none()) {
        unknown.push("max-code: rows do not have the bytes of code yet".into());
    }
    if needs.max_ram.is_some() && resources().any(|it| it.ram.is_none()) {
        unknown.push("max-ram: rows do not have the bytes of memory yet".into());
    }
    unknown
}

fn bottleneck(needs: &Needs, first: &Judged) -> Option<Bottleneck> {
    let link = needs.link?;
    let bytes = needs.bytes() as f64;
    let cipher = needs.workers() * bytes * 1e9 / first.offer.time.ns;
    Some(Bottleneck { link, cipher })
}

/// The fixed algorithm, and rows, that rules forbid.
fn refused(needs: &Needs, facts: &Facts<'_>) -> Vec<Refused> {
    let mut refused: Vec<Refused> = forbidden(needs).into_iter().collect();
    for record in facts.records {
        let task = format!("{}/{}", record.task, record.op);
        let known = refused.iter().any(|known| known.task == task);
        if let Some(rule) = refusal(&record.task, &record.op).filter(|_| !known) {
            refused.push(Refused { task, rule });
        }
    }
    refused
}

impl Fail {
    /// In words: the need, what there is, and the ratio.
    pub fn words(self, needs: &Needs) -> String {
        match self {
            Self::ConstantTime => "must is constant-time, and its code is not tested here".into(),
            Self::PerSecond { has, needs: wanted } => {
                let each = |per_second: f64| match needs.rate {
                    Some(_) => speed(per_second * needs.bytes() as f64),
                    None => figures::calls(per_second),
                };
                let ratio = figures::ratio(wanted / has);
                format!("it makes {}, and {} are needed: {ratio} as much", each(has), each(wanted))
            }
            Self::Latency { has, needs: most } => format!(
                "a message takes {}, and may take {}: {} too long",
                duration(has),
                duration(most),
                figures::ratio(has / most)
            ),
            Self::Code { has, needs } => {
                format!("it has {has} bytes of code, and max-code is {needs}")
            }
            Self::Ram { has, needs } => format!("it needs {has} bytes, and max-ram is {needs}"),
        }
    }
}

impl Bottleneck {
    /// In words: which one is slower, and by how much.
    pub fn words(self) -> String {
        let Self { link, cipher } = self;
        let (link_speed, cipher_speed) = (speed(link), speed(cipher));
        match link < cipher {
            true => format!(
                "the bottleneck, with {link_speed}: the cipher could do {cipher_speed}, {} as much",
                figures::ratio(cipher / link)
            ),
            false => format!(
                "{link_speed}, and the cipher is the bottleneck with {cipher_speed}: {} of it",
                figures::share(cipher / link)
            ),
        }
    }
}

/// `962 ns`, `1.20 ms`.
pub(super) fn duration(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{} ns", figures::plain(ns)),
        ..1e6 => format!("{} us", figures::plain(ns / 1e3)),
        ..1e9 => format!("{} ms", figures::plain(ns / 1e6)),
        _ => format!("{} s", figures::plain(ns / 1e9)),
    }
}
