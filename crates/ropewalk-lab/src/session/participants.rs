//! The libraries of a session: each is opened in a separate worker process.

use std::sync::atomic::AtomicBool;

use super::{Ended, Plan};
use crate::{
    found,
    measure::{
        clock,
        entrant::{Entrant, Quiet, Start},
        field::{self, Wanted},
        pin::{Cores, pin},
    },
    warn::Warning,
};

/// Starts all libraries, each on the core of the workers. The warnings say what makes figures less certain.
///
/// # Errors
/// If the user interrupts, or the system starts no process.
pub fn enter(plan: &Plan, stop: &AtomicBool) -> Result<(Vec<Entrant>, Quiet, Vec<Warning>), Ended> {
    let mut warnings = Vec::new();
    let mut say = |warning: Warning| warnings.push(warning);
    if cfg!(debug_assertions) {
        say(Warning::DebugBuild);
    }
    let cores = Cores::choose().and_then(|cores| pin(cores.command).map(|()| cores));
    if let Err(e) = &cores {
        say(Warning::NotPinned(e.to_string()));
    }
    let start = Start {
        core: cores.ok().map(|cores| cores.workers),
        patience: plan.patience,
        quiet: Quiet::default(),
    };
    let entrants = start_all(plan, &start, stop)?;
    let opened = || entrants.iter().filter_map(|entrant| entrant.opened.as_ref().ok());
    if let Some(why) = opened().find_map(|opened| opened.unpinned.clone()) {
        say(Warning::NotPinned(why));
    }
    if !clock::TELLS_CYCLES {
        say(Warning::NoCycles);
    } else if opened().all(|opened| opened.ghz.is_none()) {
        say(Warning::Unsteady);
    }
    Ok((entrants, start.quiet, warnings))
}

/// Starts all libraries on any core, to query their operations and not their speed.
///
/// # Errors
/// As [`enter`].
pub fn enter_unpinned(plan: &Plan, stop: &AtomicBool) -> Result<Vec<Entrant>, Ended> {
    let start = Start { patience: plan.patience, ..Start::default() };
    start_all(plan, &start, stop)
}

fn start_all(plan: &Plan, start: &Start, stop: &AtomicBool) -> Result<Vec<Entrant>, Ended> {
    let wanted = Wanted {
        all: plan.all,
        peers: &plan.peers,
        parts: &plan.parts,
        found: &found::look(),
        libraries: &plan.libraries,
        masks: &plan.masks,
        ours: &plan.ours,
    };
    Ok(field::enter(&wanted, start, stop)?)
}
