//! In which ways a job can be sampled.

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
    /// Many in a row, with what they need in the caches.
    #[default]
    Warm,
    /// Each by itself, with nothing in the caches.
    Cold,
    /// Each by itself, one after the other.
    Latency,
    /// Many in a row, and what comes after them.
    Neighbour,
}

/// What is known of a row besides its figures.
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
    /// Where it cannot be done on this machine.
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

/// What turns have of it.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    calls: Counts,
    after: Vec<After>,
}

impl Gathered {
    /// What one more turn has.
    pub fn add(&mut self, turn: &Turn) {
        latency::add(&mut self.calls, &turn.calls);
        self.after.extend(turn.after.clone());
    }

    /// What all have together.
    pub fn besides(&self) -> Besides {
        let after = After::together(&self.after);
        Besides {
            latency: Latency::of(&self.calls),
            neighbour: after.and_then(|after| after.effect()),
            provider: None,
        }
    }
}
