//! The participants: the libraries of all peers, and each library again under each mask.

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Duration,
};

use super::{
    entrant::{Entrant, Failed, Library, Start, TUNING, nonsense},
    protocol::{Reply, Request},
    reference::{OURS, is_ours},
};
use crate::{
    filename,
    peers::{PEERS, Peer, Unavailable, dl::NOT_INSTALLED},
    tasks::Task,
};

/// The participants that the user selects.
pub struct Wanted<'a> {
    /// Every peer.
    pub all: &'a [&'static dyn Peer],
    /// The peers to show, ropewalk among them.
    pub peers: &'a [&'static dyn Peer],
    /// Parts of peers that have separate rows.
    pub parts: &'a [Part],
    /// Libraries that were fetched for the peers, in addition to those that are found by name.
    pub found: &'a [Found],
    /// Libraries that the user named.
    pub libraries: &'a [PathBuf],
    /// Sets of features to disable, each for separate rows; an empty one is for rows without a mask. No set
    /// at all means the same as one empty set.
    pub masks: &'a [String],
    /// The features that `ROPEWALK_CPU` disables in ropewalk.
    pub ours: &'a str,
}

impl Wanted<'_> {
    /// Whether there are rows without a mask.
    pub fn unmasked(&self) -> bool {
        self.masks.is_empty() || self.masks.iter().any(String::is_empty)
    }
}

/// What stands before the name of a row of tuning where others have the features of a mask.
pub const TUNED: &str = "tuning:";

/// The C library, which has the same table of tuning.
const OURS_IN_C: &str = "ropewalk-c";

/// A selected part of a peer's libraries.
#[derive(Clone)]
pub struct Part {
    /// The peer.
    pub peer: &'static dyn Peer,
    /// `provider=NAME`.
    pub by: String,
}

/// A library that was fetched to be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The name of the peer that loads it.
    pub peer: String,
    /// The library.
    pub library: Library,
}

/// One line of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The index of its library among the entrants.
    pub entrant: usize,
    /// The backend.
    pub backend: String,
    /// Whether its library chooses this backend among several.
    pub chosen: bool,
    /// Why it cannot run, if that is known in advance.
    pub absent: Option<String>,
}

/// Opens every library in a worker process.
///
/// # Errors
/// If the user has interrupted.
pub fn enter(
    wanted: &Wanted<'_>,
    start: &Start,
    stop: &AtomicBool,
) -> Result<Vec<Entrant>, Failed> {
    let mut entrants = Vec::new();
    for peer in wanted.peers {
        entrants.extend(libraries(*peer, "", wanted, start, stop)?);
    }
    for part in wanted.parts {
        entrants.extend(libraries(part.peer, &part.by, wanted, start, stop)?);
    }
    for path in wanted.libraries {
        let entrant = given(wanted.all, path, start, stop)?;
        let peer = entrant.as_ref().map_or("", |entrant| entrant.peer);
        let mut of_file: Vec<_> = entrant.into_iter().collect();
        for part in wanted.parts.iter().filter(|part| part.peer.name() == peer) {
            let library = of_file[0].library.clone().by(&part.by);
            of_file.push(Entrant::enter(peer, &library, "", Vec::new(), start, stop)?);
        }
        of_file.retain(|new| !entrants.iter().any(|old| same_file(old, new)));
        entrants.extend(of_file);
    }
    let unmasked = entrants.len();
    for mask in wanted.masks.iter().filter(|mask| !mask.is_empty()) {
        for i in 0..unmasked {
            let entrant = masked(&entrants[i], wanted, mask, start, stop)?;
            entrants.extend(entrant);
        }
    }
    if !wanted.masks.is_empty() && !wanted.unmasked() {
        // A library that does not run is not opened again under a mask. It stays, as a row with the reason.
        let mut index = 0..;
        entrants.retain(|entrant| index.next() >= Some(unmasked) || entrant.opened.is_err());
    }
    Ok(entrants)
}

/// The lines of a task, in the order of the entrants. Ropewalk under a mask has one line, for the backend
/// that is then the default: its other backends are the same as without the mask. `only` names the one
/// backend of ropewalk to show.
///
/// # Errors
/// If the user has interrupted.
pub fn rows(
    entrants: &mut [Entrant],
    task: &Task,
    count: usize,
    only: Option<&str>,
    stop: &AtomicBool,
) -> Result<Vec<Row>, Failed> {
    let mut rows = Vec::new();
    let mut again = false;
    for (i, entrant) in entrants.iter_mut().enumerate() {
        if !task.kind.of_libraries() && entrant.peer != OURS {
            continue;
        }
        let mut of_it = backends(entrant, i, task, count, stop)?;
        if entrant.peer == OURS {
            match only {
                Some(name) => of_it = vec![pick(of_it, i, name)],
                None if again => of_it.truncate(1),
                None => {}
            }
            again = true;
        }
        rows.extend(of_it);
    }
    Ok(rows)
}

/// The installed libraries of a peer, or a part of each; if there are none, one entrant with the reason.
fn libraries(
    peer: &dyn Peer,
    by: &str,
    wanted: &Wanted<'_>,
    start: &Start,
    stop: &AtomicBool,
) -> Result<Vec<Entrant>, Failed> {
    let mask = if is_ours(peer.name()) { wanted.ours } else { "" };
    let names = peer.libraries();
    let found = wanted.found.iter().filter(|found| found.peer == peer.name());
    let named = names.iter().map(|name| Library::named(name));
    let all: Vec<_> = found.map(|found| found.library.clone()).chain(named).collect();
    let mut entrants: Vec<Entrant> = Vec::new();
    for library in all.iter().map(|library| library.clone().by(by)) {
        let entrant = Entrant::enter(peer.name(), &library, mask, Vec::new(), start, stop)?;
        if !entrants.iter().any(|other| same_file(other, &entrant)) {
            entrants.push(entrant);
        }
    }
    // Names are alternatives: a missing one is not reported. A crash is, and so is a fetched library that
    // cannot be used.
    let fetched = |entrant: &Entrant| {
        wanted.found.iter().any(|found| found.library.name == entrant.library.name)
    };
    // A library without that part reports the reason.
    let lacks = |entrant: &Entrant| {
        !by.is_empty() && entrant.opened.as_ref().is_err_and(|why| why != NOT_INSTALLED)
    };
    let there = |entrant: &Entrant| {
        entrant.opened.is_ok() || entrant.died() || fetched(entrant) || lacks(entrant)
    };
    if all.len() > 1 && !entrants.iter().any(there) {
        let why = entrants.last().and_then(|last| last.opened.as_ref().err());
        let why = format!("none of {}: {}", names.join(", "), why.map_or("", String::as_str));
        let none = Library::default().by(by);
        return Ok(vec![Entrant::absent(peer.name(), &none, mask, why)]);
    }
    if all.len() > 1 {
        entrants.retain(there);
    }
    Ok(entrants)
}

/// A library that the user named, as the first peer that can open it. None if no peer loads libraries.
fn given(
    all: &[&'static dyn Peer],
    path: &Path,
    start: &Start,
    stop: &AtomicBool,
) -> Result<Option<Entrant>, Failed> {
    let library = Library::named(&filename::shown(path));
    // The functions may be those of another library that it loads.
    let is_itself = |entrant: &Entrant| {
        let of = entrant.opened.as_ref().ok().and_then(|opened| opened.path.as_deref());
        of.is_some_and(|of| std::fs::canonicalize(filename::parse(of)).is_ok_and(|of| of == path))
    };
    let mut entrants = Vec::new();
    for peer in all.iter().filter(|peer| loads(**peer)) {
        let entrant = Entrant::enter(peer.name(), &library, "", Vec::new(), start, stop)?;
        if is_itself(&entrant) {
            return Ok(Some(entrant));
        }
        entrants.push(entrant);
    }
    let opened = entrants.iter().position(|entrant| entrant.opened.is_ok());
    // A peer that finds its functions and refuses the library gives a better reason than a peer that does not
    // find them.
    let refuses = |entrant: &Entrant| {
        entrant.opened.as_ref().is_err_and(|why| !why.starts_with("no symbol "))
    };
    let said = opened.or_else(|| entrants.iter().position(refuses)).unwrap_or(0);
    Ok((!entrants.is_empty()).then(|| entrants.swap_remove(said)))
}

/// Whether a peer loads libraries, instead of being built in.
pub fn loads(peer: &dyn Peer) -> bool {
    peer.libraries() != [""]
}

/// The same library with features disabled. An entrant that does not run has none.
fn masked(
    entrant: &Entrant,
    wanted: &Wanted<'_>,
    mask: &str,
    start: &Start,
    stop: &AtomicBool,
) -> Result<Option<Entrant>, Failed> {
    let Ok(opened) = &entrant.opened else { return Ok(None) };
    let Some(peer) = wanted.all.iter().find(|peer| peer.name() == entrant.peer) else {
        return Ok(None);
    };
    if let Some(row) = mask.strip_prefix(TUNED) {
        if ![OURS, OURS_IN_C].contains(&entrant.peer) {
            return Ok(None);
        }
        let environment = vec![(TUNING.into(), row.into())];
        let entrant =
            Entrant::enter(entrant.peer, &entrant.library, mask, environment, start, stop)?;
        return Ok(Some(entrant));
    }
    let mask = match entrant.mask.as_str() {
        "" => mask.to_owned(),
        already => format!("{already},{mask}"),
    };
    let features: Vec<_> = ropewalk::cpu::masked_by(&mask)
        .map_err(|e| Failed::Because(e.to_string()))?
        .filter(|feature| feature.arch == std::env::consts::ARCH)
        .map(|feature| feature.name)
        .collect();
    match peer.mask(&opened.version, &features) {
        Ok(environment) => {
            Entrant::enter(entrant.peer, &entrant.library, &mask, environment, start, stop)
                .map(Some)
        }
        Err(why) => Ok(Some(Entrant::absent(entrant.peer, &entrant.library, &mask, why.0))),
    }
}

fn same_file(a: &Entrant, b: &Entrant) -> bool {
    let path = |entrant: &Entrant| {
        let path = entrant.opened.as_ref().ok()?.path.as_deref()?;
        let path = filename::parse(path);
        Some(std::fs::canonicalize(&path).unwrap_or(path.into()))
    };
    let part = |entrant: &Entrant| (entrant.peer, entrant.library.by.clone());
    part(a) == part(b) && path(a).is_some_and(|a| Some(a) == path(b))
}

/// The backends of a library for a task. The first is its default.
fn backends(
    entrant: &mut Entrant,
    index: usize,
    task: &Task,
    count: usize,
    stop: &AtomicBool,
) -> Result<Vec<Row>, Failed> {
    let row = |backend, chosen, absent| Row { entrant: index, backend, chosen, absent };
    let none = |why| Ok(vec![row(String::new(), false, Some(why))]);
    if let Err(why) = &entrant.opened {
        return none(why.clone());
    }
    let request = Request::Backends { task: task.full_name(), count };
    let (here, absent) = match entrant.ask(&request, Duration::ZERO, stop) {
        Ok(Reply::Backends { here, absent }) => (here, absent),
        Ok(_) => return none(nonsense()),
        Err(Failed::Because(why) | Failed::CannotStart(why)) => return none(why),
        Err(interrupted) => return Err(interrupted),
    };
    if here.is_empty() && absent.is_empty() {
        let peer = PEERS.iter().find(|peer| peer.name() == entrant.peer);
        let why = peer.map(|peer| Unavailable::lacks(*peer, task).0);
        return none(why.unwrap_or_else(|| "has no such operation".into()));
    }
    let choice = here.len() + absent.len() > 1;
    let here = here.into_iter().enumerate().map(|(i, name)| row(name, choice && i == 0, None));
    let absent = absent.into_iter().map(|(name, why)| row(name, false, Some(why)));
    Ok(here.chain(absent).collect())
}

fn pick(rows: Vec<Row>, entrant: usize, name: &str) -> Row {
    rows.into_iter().find(|row| row.backend == name).unwrap_or_else(|| Row {
        entrant,
        backend: name.into(),
        chosen: false,
        absent: Some("is no backend of this operation".into()),
    })
}
