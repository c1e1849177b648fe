//! The ways in which a job can be sampled.

use serde::{Deserialize, Serialize};

use super::{
    clock::Clock,
    latency::{self, Counts, Latency},
    neighbour::{After, Effect},
    protocol::Turn,
    sampler::Sampler,
};
use crate::peers::Unavailable;

/// How calls of a job are timed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// Many in a row, with warm caches.
    #[default]
    Warm,
    /// Single calls, with cold caches.
    Cold,
    /// Single calls, one after the other.
    Latency,
    /// Many in a row, and the effect on the code after them.
    Neighbour,
}

/// Other results of a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Besides {
    /// Of [`Way::Latency`].
    pub latency: Option<Latency>,
    /// Of [`Way::Neighbour`].
    pub neighbour: Option<Effect>,
    /// The provider of OpenSSL that served.
    pub provider: Option<String>,
}

impl Way {
    /// Takes samples in this way.
    ///
    /// # Errors
    /// If it cannot be done on this machine.
    pub fn turn(
        self,
        sampler: &mut Sampler,
        clock: &Clock,
        seconds: f64,
    ) -> Result<Turn, Unavailable> {
        match self {
            Self::Warm => Ok(sampler.turn(clock, seconds)),
            Self::Cold => sampler.cold(clock, seconds),
            Self::Latency => Ok(sampler.latency(clock, seconds)),
            Self::Neighbour => sampler.neighbour(clock, seconds),
        }
    }
}

/// The other results of turns.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    calls: Counts,
    after: Vec<After>,
}

impl Gathered {
    /// Adds a turn.
    pub fn add(&mut self, turn: &Turn) {
        latency::add(&mut self.calls, &turn.calls);
        self.after.extend(turn.after.clone());
    }

    /// The combined result.
    pub fn besides(&self) -> Besides {
        let after = After::together(&self.after);
        Besides {
            latency: Latency::of(&self.calls),
            neighbour: after.and_then(|after| after.effect()),
            provider: None,
        }
    }
}
