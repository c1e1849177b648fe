//! Two masks or two libraries that are measured now and compared as two runs. They take turns, so that the
//! state of the machine is the same for both.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
    path::PathBuf,
    sync::atomic::AtomicBool,
};

use anyhow::Result;
use clap::FromArgMatches;

use crate::{
    commands::{
        Usage, World,
        plan::{self, masks_of},
    },
    filename,
    here::Here,
    measure::{entrant::Entrant, race::LAPS, reference::OURS, way::Way},
    names,
    record::Record,
    runs::Run,
    session::{Ended, Plan, effort, enter, rounds, tables},
    terminal::progress::progress,
    warn::warn,
};

/// One of the two sides.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Side {
    /// Ropewalk and the libraries of `--peers`, without these features. An empty mask leaves all features.
    Mask(String),
    /// The library that this peer finds.
    Peer(String),
    /// A library by its file.
    Library(PathBuf),
}

/// The notation of a side.
pub(super) const FORMS: &str = "mask:-FEATURE,… or mask:none, peer:NAME, lib:PATH";

impl Side {
    /// Parses `mask:-vaes`, `mask:none`, `peer:nettle`, `lib:PATH`. The name of a run gives none.
    pub(super) fn parse(word: &OsStr, world: &World) -> Result<Option<Self>, Usage> {
        if let Some(path) = word.as_bytes().strip_prefix(b"lib:") {
            return Ok(Some(Self::Library(plan::library(&OsStr::from_bytes(path).into())?)));
        }
        let Some((kind, rest)) = word.to_str().and_then(|word| word.split_once(':')) else {
            return Ok(None);
        };
        Ok(Some(match kind {
            "mask" => Self::Mask(masks_of(&[rest.to_owned()])?.swap_remove(0)),
            "peer" => {
                let known = || world.peers.iter().map(|peer| peer.name());
                match known().any(|known| known == rest) {
                    true => Self::Peer(rest.into()),
                    false => return Err(Usage(names::unknown("peer", rest, known()))),
                }
            }
            _ => return Ok(None),
        }))
    }

    /// Whether an entrant belongs to this side.
    fn has(&self, entrant: &Entrant) -> bool {
        match self {
            Self::Mask(mask) => entrant.mask == *mask,
            Self::Peer(name) => entrant.peer == name && entrant.opened.is_ok(),
            Self::Library(path) => {
                let opened = entrant.opened.as_ref().ok().and_then(|opened| opened.path.as_ref());
                let opened =
                    opened.and_then(|opened| std::fs::canonicalize(filename::parse(opened)).ok());
                opened.as_ref() == Some(path)
            }
        }
    }
}

/// The tasks and options of the measurement.
pub(super) struct Wanted<'a> {
    pub(super) tasks: &'a [String],
    /// The options of `speed` that were given.
    pub(super) options: &'a [String],
}

/// Measures both sides, each as a run. A row is compared with its counterpart, so it has neither backend nor
/// version nor mask.
pub(super) fn measure(
    sides: &[Side; 2],
    wanted: &Wanted<'_>,
    world: &World,
    stop: &AtomicBool,
) -> Result<[Run; 2], Ended> {
    let plan = plan(sides, wanted, world)?;
    let (mut entrants, quiet, warnings) = enter(&plan, stop)?;
    warnings.iter().for_each(warn);
    let here = Here::look(quiet.get());
    let of = |side: &Side| -> Result<Vec<usize>, Ended> {
        let of: Vec<usize> = (0..entrants.len()).filter(|i| side.has(&entrants[*i])).collect();
        match (side, &of[..]) {
            (_, []) => Err(Ended::Failed(
                Usage(format!("{}: it cannot be opened here", told(side))).into(),
            )),
            (Side::Peer(name), [_, _, ..]) => {
                let paths =
                    of.iter().filter_map(|i| entrants[*i].opened.as_ref().ok()?.path.clone());
                let paths: Vec<String> = paths.map(|path| format!("lib:{path}")).collect();
                let why =
                    format!("peer:{name}: there are several; write which: {}", paths.join(", "));
                Err(Ended::Failed(Usage(why).into()))
            }
            _ => Ok(of),
        }
    };
    let of = [of(&sides[0])?, of(&sides[1])?];
    let mut tables = tables(&plan, &mut entrants, stop)?;
    for table in &mut tables {
        table.keep_chosen(&plan, &entrants);
        table.rows.retain(|row| of.iter().any(|of| of.contains(&row.entrant)));
    }
    let bar =
        progress(tables.iter().map(|table| table.cells.len()).sum::<usize>() * LAPS, world.quiet);
    let effort = effort(plan.seconds, &tables, false);
    let outcomes = rounds(&tables, &mut entrants, (effort, Way::Warm), &bar, stop);
    bar.finish_and_clear();
    let mut outcomes = outcomes.into_iter();
    let run = || Run { machine: Some(here.machine.clone()), ..Run::default() };
    let mut runs = [run(), run()];
    for table in &tables {
        for (cell, _) in &table.cells {
            let of_cell = outcomes.next().unwrap_or_default();
            for (row, outcome) in table.rows.iter().zip(&of_cell) {
                let entrant = &entrants[row.entrant];
                let record = Record::new(cell, entrant, row, outcome, here.limit(cell));
                for (run, (of, side)) in runs.iter_mut().zip(of.iter().zip(sides)) {
                    if of.contains(&row.entrant) {
                        run.records.push(common(record.clone(), side));
                    }
                }
            }
        }
    }
    Ok(runs)
}

/// A record with only the fields that both sides share. The side replaces the library, which differs in every
/// row.
fn common(record: Record, side: &Side) -> Record {
    let (backend, mask, library) = (String::new(), String::new(), Some(told(side)));
    match side {
        // The record has a backend, which differs on the other side.
        Side::Mask(_) if record.peer == OURS => {
            Record { backend: OURS.into(), mask, library, ..record }
        }
        Side::Mask(_) => Record { backend, mask, library, ..record },
        Side::Peer(_) | Side::Library(_) => {
            Record { backend, mask, library, peer: BOTH.into(), version: None, ..record }
        }
    }
}

/// The name of a row that compares two libraries.
const BOTH: &str = "A and B";

/// As the user writes it.
pub(super) fn told(side: &Side) -> String {
    match side {
        Side::Mask(mask) if mask.is_empty() => "mask:none".into(),
        Side::Mask(mask) => format!("mask:{mask}"),
        Side::Peer(name) => format!("peer:{name}"),
        Side::Library(path) => format!("lib:{}", filename::shown(path)),
    }
}

/// The plan of a `speed` that measures both sides.
fn plan(sides: &[Side; 2], wanted: &Wanted<'_>, world: &World) -> Result<Plan, Ended> {
    let mut words = vec![OsString::from("speed")];
    let mut peers = Vec::new();
    for side in sides {
        match side {
            Side::Mask(mask) if mask.is_empty() => words.push("--mask=none".into()),
            Side::Mask(mask) => words.push(format!("--mask={mask}").into()),
            Side::Peer(name) => peers.push(name.clone()),
            Side::Library(path) => words.extend(["--lib".into(), path.clone().into()]),
        }
    }
    if !wanted.options.iter().any(|word| word.starts_with("--peers")) {
        let peers = if peers.is_empty() { "none".into() } else { peers.join(",") };
        words.push(format!("--peers={peers}").into());
    }
    words.extend(wanted.options.iter().map(OsString::from));
    words.push("--".into());
    words.extend(wanted.tasks.iter().map(OsString::from));
    let command = <plan::Options as clap::Args>::augment_args(clap::Command::new("speed"));
    let given = command
        .try_get_matches_from(words)
        .map_err(|e| Ended::Failed(Usage(e.to_string()).into()))?;
    let options = plan::Options::from_arg_matches(&given).map_err(|e| Ended::Failed(e.into()))?;
    Plan::new(&options, world).map_err(|usage| Ended::Failed(usage.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::PEERS;

    #[test]
    fn sides_have_one_spelling() {
        let world = World { peers: PEERS, mask: String::new(), again: String::new(), quiet: false };
        let side = |word: &str| Side::parse(word.as_ref(), &world);
        assert_eq!(side("before").unwrap(), None);
        assert_eq!(side("C:/runs/before").unwrap(), None);
        for (word, want) in [
            ("mask:none", "mask:none"),
            ("mask:vaes,-sha", "mask:-vaes,-sha"),
            ("peer:nettle", "peer:nettle"),
        ] {
            assert_eq!(told(&side(word).unwrap().unwrap()), want);
        }
        for (word, want) in [
            ("mask:-vae", "vaes"),
            ("mask:", "no processor feature"),
            ("peer:openssl", "no peer is called"),
            ("lib:/no/such", "/no/such"),
        ] {
            let Usage(why) = side(word).unwrap_err();
            assert!(why.contains(want), "{word}: {why}");
        }
    }
}
