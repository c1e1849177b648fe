//! Ways of measuring that only `speed` has.

use super::super::Usage;
use crate::{measure::way::Way, tasks::Mode};

/// At most one of them.
#[derive(Debug, clap::Args)]
#[group(id = "ways", multiple = false)]
pub(super) struct Ways {
    /// Puts code and data out of the caches before each call
    #[arg(long)]
    cold: bool,
    /// Times each call by itself: what half, 99 of 100 and 999 of 1000 do not exceed
    #[arg(long)]
    latency: bool,
    /// Times scalar code after each sample: how much slower it is than after scalar code, and for how long
    #[arg(long)]
    neighbour: bool,
}

impl Ways {
    /// The requested one.
    pub(super) fn way(&self, mode: Mode) -> Result<Way, Usage> {
        match self {
            Self { cold: true, .. } if mode == Mode::Stream => Err(Usage(
                "--cold: what goes on in the middle of a message is in the caches: no --mode stream"
                    .into(),
            )),
            Self { cold: true, .. } => Ok(Way::Cold),
            Self { latency: true, .. } => Ok(Way::Latency),
            Self { neighbour: true, .. } => Ok(Way::Neighbour),
            _ => Ok(Way::Warm),
        }
    }
}
