//! `ropewalk doctor`: what this machine has, and what ropewalk makes of it; or what files have.

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::atomic::AtomicBool,
    time::Duration,
};

use anyhow::anyhow;
use clap::{ArgMatches, Args as _, FromArgMatches as _};
use ropewalk::{
    backend::{Info, Primitive},
    cpu,
};
use serde::Serialize;

use super::{Command, Exit, World};
use crate::{
    found,
    machine::Machine,
    measure::{
        entrant::Start,
        field::{self, Wanted},
        reference::OURS,
    },
};

mod files;
mod recipe;
mod text;

/// What can be asked for.
#[derive(Debug, Default, clap::Args)]
struct Args {
    /// Libraries and programs to look into, for this machine or another, and not at this machine
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Says how each library is built so that it uses what a processor has. In place of a FILE a
    /// library may be named: `openssl-3.0`
    #[arg(long)]
    recipe: bool,

    /// What to build it for: `linux-aarch64`; what the file is for, or this machine, if nothing is said
    #[arg(long = "for", value_name = "TARGET", requires = "recipe")]
    target: Option<String>,

    /// Writes one JSON object, or a list of one for each file, for programs
    #[arg(long)]
    json: bool,
}

/// A library that was looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct Found {
    /// The name of its peer: `libcrypto`.
    peer: String,
    /// Its version, in its own words; none where it could not be opened.
    version: Option<String>,
    /// The file it came from, if it is not built in.
    path: Option<String>,
    /// What else there is to say, or why it could not be opened.
    note: Option<String>,
}

/// How long a library may take to open.
const PATIENCE: Duration = Duration::from_secs(5);

/// `doctor`.
pub(super) struct Doctor;

impl Command for Doctor {
    fn words(&self) -> clap::Command {
        Args::augment_args(clap::Command::new("doctor")).about(
            "Says what this processor can do, and what ropewalk and other libraries make of it; or \
             whether files use what their processors can do",
        )
    }

    fn run(&self, given: &ArgMatches, world: &World) -> anyhow::Result<Exit> {
        let args = Args::from_arg_matches(given)?;
        if args.recipe {
            let target = args.target.as_deref();
            return recipe::run(&args.files, target, args.json, &mut anstream::stdout().lock());
        }
        if !args.files.is_empty() {
            return files::run(&args.files, None, args.json, &mut anstream::stdout().lock());
        }
        let found = find(world)?;
        run(&args, &found, &mut anstream::stdout().lock())?;
        Ok(Exit::Fine)
    }
}

/// Opens every library in a process of its own, for it may crash.
fn find(world: &World) -> anyhow::Result<Vec<Found>> {
    let wanted = Wanted {
        all: world.peers,
        peers: world.peers,
        found: &found::look(),
        libraries: &[],
        masks: &[],
        ours: &world.mask,
    };
    let start = Start { patience: PATIENCE, ..Start::default() };
    let entrants = field::enter(&wanted, &start, &AtomicBool::new(false))
        .map_err(|failed| anyhow!("{failed:?}"))?;
    let others = entrants.into_iter().filter(|entrant| entrant.peer != OURS);
    Ok(others
        .map(|entrant| match &entrant.opened {
            Ok(opened) => Found {
                peer: entrant.peer.into(),
                version: Some(opened.version.clone()),
                path: opened.path.clone(),
                note: None,
            },
            Err(why) => {
                Found { peer: entrant.peer.into(), note: Some(why.clone()), ..Found::default() }
            }
        })
        .collect())
}

/// Looks at this machine and writes what it sees.
///
/// # Errors
/// Where nothing can be written.
fn run(args: &Args, peers: &[Found], out: &mut impl Write) -> anyhow::Result<()> {
    let report = Report::of_this_process(peers);
    if args.json {
        // As an error of the writer, if it is one: a closed pipe can then be told.
        serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        report.write(out)?;
    }
    out.flush()?;
    Ok(())
}

/// All that `doctor` tells.
#[derive(Debug, Serialize)]
struct Report<'a> {
    machine: Machine,
    features: Vec<Feature>,
    primitives: Vec<Backends>,
    peers: &'a [Found],
}

/// A processor feature that some backend asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Feature {
    name: &'static str,
    state: Presence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Presence {
    Visible,
    Masked,
    NotHere,
}

/// The backends of a primitive, most preferred first.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Backends {
    name: &'static str,
    standard: &'static str,
    backends: Vec<Backend>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Backend {
    name: &'static str,
    state: Choice,
    /// Features it needs and does not get.
    lacks: Vec<Feature>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Choice {
    Chosen,
    Available,
    NotHere,
}

impl<'a> Report<'a> {
    fn of_this_process(peers: &'a [Found]) -> Self {
        let features = features();
        Self {
            machine: Machine::read(),
            primitives: primitives(ropewalk::PRIMITIVES, &features),
            features,
            peers,
        }
    }
}

/// The features of this architecture.
fn features() -> Vec<Feature> {
    let of_this = cpu::FEATURES.iter().filter(|feature| feature.arch == std::env::consts::ARCH);
    of_this
        .map(|feature| Feature {
            name: feature.name,
            state: match (feature.present(), feature.masked()) {
                (true, false) => Presence::Visible,
                (true, true) => Presence::Masked,
                (false, _) => Presence::NotHere,
            },
        })
        .collect()
}

/// What becomes of each backend where the processor has these features.
fn primitives(all: &[Primitive], features: &[Feature]) -> Vec<Backends> {
    all.iter()
        .map(|primitive| {
            let mut backends: Vec<Backend> =
                primitive.backends.iter().map(|info| Backend::new(info, features)).collect();
            if let Some(first) = backends.iter_mut().find(|backend| backend.lacks.is_empty()) {
                first.state = Choice::Chosen;
            }
            Backends { name: primitive.name, standard: primitive.standard, backends }
        })
        .collect()
}

impl Backend {
    fn new(info: &Info, features: &[Feature]) -> Self {
        let of = |name: &&'static str| {
            let known = features.iter().find(|feature| feature.name == *name).copied();
            known.unwrap_or(Feature { name, state: Presence::NotHere })
        };
        let needed = info.features.iter().map(of);
        let lacks: Vec<Feature> =
            needed.filter(|feature| feature.state != Presence::Visible).collect();
        let state = if lacks.is_empty() { Choice::Available } else { Choice::NotHere };
        Self { name: info.name, state, lacks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This processor's features, some of them masked as well.
    fn masked(list: &str) -> Vec<Feature> {
        let off: Vec<&str> = cpu::masked_by(list).unwrap().map(|feature| feature.name).collect();
        let mut features = features();
        for feature in &mut features {
            if feature.state == Presence::Visible && off.contains(&feature.name) {
                feature.state = Presence::Masked;
            }
        }
        features
    }

    pub(super) fn report(mask: &str, peers: &'static [Found]) -> Report<'static> {
        let features = masked(mask);
        let primitives = primitives(ropewalk::PRIMITIVES, &features);
        Report { machine: Machine::read(), features, primitives, peers }
    }

    fn chosen(primitive: &Backends) -> Vec<&'static str> {
        let chosen = primitive.backends.iter().filter(|backend| backend.state == Choice::Chosen);
        chosen.map(|backend| backend.name).collect()
    }

    /// What is told from data is what the library does.
    #[test]
    fn tells_what_the_library_chooses() {
        for (told, primitive) in report("", &[]).primitives.iter().zip(ropewalk::PRIMITIVES) {
            assert_eq!(chosen(told), [primitive.chosen().unwrap().name]);
            for (backend, info) in told.backends.iter().zip(primitive.backends) {
                assert_eq!(backend.state != Choice::NotHere, (info.available)(), "{}", info.name);
            }
        }
    }

    #[test]
    fn with_all_masked_portable_is_left() {
        for primitive in report("all", &[]).primitives {
            let [name] = chosen(&primitive)[..] else { panic!("{primitive:?}") };
            assert!(name.ends_with("/portable"), "{name}");
        }
    }

    /// No backend that needs a masked feature is chosen or offered, and it says so.
    #[test]
    fn mask_takes_backends_away() {
        for feature in cpu::FEATURES {
            let report = report(feature.name, &[]);
            let off: Vec<&Feature> =
                report.features.iter().filter(|f| f.state == Presence::Masked).collect();
            for (told, primitive) in report.primitives.iter().zip(ropewalk::PRIMITIVES) {
                assert_eq!(chosen(told).len(), 1);
                for (backend, info) in told.backends.iter().zip(primitive.backends) {
                    let masked = info.features.iter().any(|f| off.iter().any(|off| off.name == *f));
                    assert!(!masked || backend.state == Choice::NotHere, "{backend:?}");
                    let told = |f: &Feature| f.state == Presence::Masked;
                    assert!(!masked || backend.lacks.iter().any(told), "{backend:?}");
                }
            }
        }
    }

    #[test]
    fn json_has_the_same() {
        let json = serde_json::to_value(report("", &[])).unwrap();
        assert_eq!(json["machine"]["schema"], 1);
        assert_eq!(json["features"].as_array().unwrap().len(), features().len());
        let states = json["primitives"][0]["backends"].as_array().unwrap().iter();
        assert_eq!(states.filter(|backend| backend["state"] == "chosen").count(), 1);
        assert!(json["peers"].as_array().unwrap().is_empty());
    }

    /// An error of the writer comes back as it is, so that a closed pipe can be told.
    #[test]
    fn closed_pipe_is_told() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for json in [false, true] {
            let error = run(&Args { json, ..Args::default() }, &[], &mut Closed).unwrap_err();
            let kind = error.chain().find_map(|e| Some(e.downcast_ref::<io::Error>()?.kind()));
            assert_eq!(kind, Some(io::ErrorKind::BrokenPipe), "json: {json}");
        }
    }
}
