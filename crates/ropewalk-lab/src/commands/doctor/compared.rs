//! The libraries that `ropewalk speed` compares with, wherever they come from.

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

/// A library that was looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Found {
    /// The name of its peer: `libcrypto`.
    pub(super) peer: String,
    /// Its version, in its own words; none where it could not be opened.
    pub(super) version: Option<String>,
    /// The file it came from, if it is not built in.
    pub(super) path: Option<String>,
    /// Where it comes from: `built in`, `installed`, or `fetched by cargo xtask peers`.
    pub(super) origin: Option<&'static str>,
    /// What else there is to say, or why it could not be opened.
    pub(super) note: Option<String>,
}

/// How long a library may take to open.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens every library in a process of its own, for it may crash.
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
