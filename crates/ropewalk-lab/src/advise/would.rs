//! What would meet a need that nothing meets: more cores, many messages at once, another algorithm.

use serde::Serialize;

use super::{
    Facts,
    candidates::candidates,
    needs::{Must, Needs},
    offers::{counts, offers},
    rank::{Fail, Judged, judge, too_slow},
};
use crate::report::figures;

/// A change that would meet the needs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
pub enum Would {
    /// More cores.
    Cores {
        /// Their number.
        cores: u64,
        /// Those of the machine.
        here: Option<u64>,
    },
    /// Several messages in a call.
    Many {
        /// What it is.
        name: String,
        /// Messages in a call.
        count: usize,
        /// Messages a second of one core.
        per_second: f64,
    },
    /// Another algorithm.
    Other {
        /// What it is.
        name: String,
        /// Messages a second of one core.
        per_second: f64,
    },
    /// Code that is not tested for constant time.
    NotTested {
        /// What it is.
        name: String,
        /// Messages a second of one core.
        per_second: f64,
    },
}

/// What would, the least change first.
pub(super) fn would(
    needs: &Needs,
    facts: &Facts<'_>,
    nearest: &Judged,
    others: &[Judged],
) -> Vec<Would> {
    let mut would = Vec::new();
    would.extend(many(needs, facts));
    would.extend(cores(needs, facts, nearest));
    would.extend(other(needs, facts));
    would.extend(not_tested(needs, nearest, others));
    would
}

/// As many cores as it takes, unless more of them do not help.
fn cores(needs: &Needs, facts: &Facts<'_>, nearest: &Judged) -> Option<Would> {
    let [Fail::PerSecond { has, needs: wanted }] = nearest.fails[..] else { return None };
    let cores = (wanted / has * needs.workers()).ceil() as u64;
    Some(Would::Cores { cores, here: facts.cores })
}

/// The fastest batch that is fast enough.
fn many(needs: &Needs, facts: &Facts<'_>) -> Option<Would> {
    let mut found: Option<(f64, Would)> = None;
    for candidate in candidates(needs) {
        for count in counts(facts, &candidate) {
            for offer in offers(facts, &candidate, count) {
                let judged = Judged::of(needs, facts, offer);
                let ns = judged.offer.time.ns;
                if judged.fails.is_empty() && found.as_ref().is_none_or(|(best, _)| ns < *best) {
                    let (name, per_second) = (judged.offer.name(), judged.offer.per_second());
                    found = Some((ns, Would::Many { name, count, per_second }));
                }
            }
        }
    }
    found.map(|(_, would)| would)
}

/// Another algorithm for the goal of the fixed one, of its strength.
fn other(needs: &Needs, facts: &Facts<'_>) -> Option<Would> {
    let bits = needs.fixed.as_ref()?.choice()?.bits;
    let free = Needs {
        protect: Some(needs.goal()),
        fixed: None,
        bits: Some(needs.bits.unwrap_or(bits)),
        ..needs.clone()
    };
    let found = judge(&free, facts).into_iter().find(|it| it.fails.is_empty())?;
    Some(Would::Other { name: found.offer.name(), per_second: found.offer.per_second() })
}

/// The fastest offer that only lacks a test.
fn not_tested(needs: &Needs, nearest: &Judged, others: &[Judged]) -> Option<Would> {
    if !needs.must.contains(&Must::ConstantTime) {
        return None;
    }
    let fast = |it: &&Judged| too_slow(needs, &it.offer).is_empty();
    let found = [nearest].into_iter().chain(others).filter(fast);
    let found = found.min_by(|a, b| a.offer.time.ns.total_cmp(&b.offer.time.ns))?;
    Some(Would::NotTested { name: found.offer.name(), per_second: found.offer.per_second() })
}

impl Would {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            Self::Cores { cores, here: Some(here) } => {
                format!("{cores} cores at the same speed each; there are {here}")
            }
            Self::Cores { cores, here: None } => format!("{cores} cores at the same speed each"),
            Self::Many { name, count, per_second } => {
                format!("{count} messages a call: {name}, {}", figures::calls(*per_second))
            }
            Self::Other { name, per_second } => {
                format!("another algorithm: {name}, {}", figures::calls(*per_second))
            }
            Self::NotTested { name, per_second } => {
                format!("without constant-time: {name}, {}", figures::calls(*per_second))
            }
        }
    }
}
