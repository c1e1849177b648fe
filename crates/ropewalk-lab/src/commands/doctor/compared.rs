//! The libraries that `ropewalk speed` compares with, from all sources.

use std::{sync::atomic::AtomicBool, time::Duration};

use serde::Serialize;

use super::super::World;
use crate::{
    found,
    measure::{
        entrant::{Failed, Start},
        field::{self, Wanted},
        reference::is_ours,
    },
};

/// A library that was searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Found {
    /// The name of its peer: `libcrypto`.
    pub(super) peer: String,
    /// Its version, as it reports it; none if it could not be opened.
    pub(super) version: Option<String>,
    /// The file, if it is not built in.
    pub(super) path: Option<String>,
    /// Where it comes from: `built in`, `installed`, or `fetched by cargo xtask peers`.
    pub(super) origin: Option<&'static str>,
    /// A note, or the reason why it could not be opened.
    pub(super) note: Option<String>,
}

/// The time limit for opening a library.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens every library in a separate process, since it may crash.
pub(super) fn find(world: &World, stop: &AtomicBool) -> Result<Vec<Found>, Failed> {
    let fetched = found::look();
    let wanted = Wanted {
        all: world.peers,
        peers: world.peers,
        parts: &[],
        found: &fetched,
        libraries: &[],
        masks: &[],
        ours: &world.mask,
    };
    let start = Start { patience: PATIENCE, ..Start::default() };
    let entrants = field::enter(&wanted, &start, stop)?;
    let others = entrants.into_iter().filter(|entrant| !is_ours(entrant.peer));
    Ok(others
        .map(|entrant| match &entrant.opened {
            Ok(opened) => Found {
                peer: entrant.peer.into(),
                version: Some(opened.version.clone()),
                path: opened.path.clone(),
                origin: Some(match &opened.path {
                    None => "built in",
                    Some(_) if fetched.iter().any(|f| f.library == entrant.library) => {
                        "fetched by cargo xtask peers"
                    }
                    Some(_) => "installed",
                }),
                note: None,
            },
            Err(why) => {
                Found { peer: entrant.peer.into(), note: Some(why.clone()), ..Found::default() }
            }
        })
        .collect())
}
