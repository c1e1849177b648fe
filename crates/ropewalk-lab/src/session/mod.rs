//! A session of measurements: the participants, the tables that are measured, the rounds over them, and the results.
//!
//! Commands make a [`Plan`] from their options. A session imports no command.

mod measured;
mod participants;
mod plan;
mod rounds;
mod run;
mod table;
mod words;

use anyhow::anyhow;

pub use measured::{Wanted, measure};
pub use participants::{enter, enter_unpinned};
pub use plan::Plan;
pub use rounds::{effort, rounds};
pub use run::Session;
pub use table::{Table, tables};
pub use words::{head, line, named};

use crate::measure::entrant::Failed;

/// Why a session ended before everything was measured.
pub enum Ended {
    /// The user has stopped it.
    Interrupted,
    /// It failed.
    Failed(anyhow::Error),
}

impl From<Failed> for Ended {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Because(why) | Failed::CannotStart(why) => Self::Failed(anyhow!(why)),
            Failed::Interrupted => Self::Interrupted,
        }
    }
}

impl From<anyhow::Error> for Ended {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}
