//! `ropewalk doctor`: what this machine has, and what ropewalk makes of it; or what files have.

use std::{
    collections::BTreeSet,
    env,
    ffi::{OsStr, OsString},
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use anyhow::anyhow;
use clap::{ArgMatches, Args as _, FromArgMatches as _};
use ropewalk::{
    backend::{self, Info, Primitive},
    cpu,
};
use serde::Serialize;

use super::{Command, Exit, World, speed::stop_on_ctrl_c};
use crate::{
    filename::shown,
    installed::{self, Places},
    machine::{
        Machine,
        hidden::{self, Hidden},
        masks::{self, Mask},
    },
    measure::{
        entrant::Failed,
        environment::{self, Variable},
    },
    stdio::write_json,
};
use compared::{Found, find};
use files::How;
use libraries::Library;
pub(super) use text::below;

mod compared;
mod files;
mod libraries;
mod library_text;
mod measured;
mod newer;
mod process;
mod recipe;
mod summary;
mod text;
mod verdict;

/// What can be asked for.
#[derive(Debug, Default, clap::Args)]
struct Args {
    /// Libraries and programs to look into, for this machine or another, and not at this machine;
    /// archives and folders of them
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Shows every file of an archive or a folder, and not only those with a fault
    #[arg(long, requires = "files")]
    all: bool,

    /// Says how each library is built so that it uses what a processor has. In place of a FILE a
    /// library may be named: `openssl-3.0`
    #[arg(long)]
    recipe: bool,

    /// What to build it for: `linux-aarch64`; what the file is for, or this machine, if nothing is said
    #[arg(long = "for", value_name = "TARGET", requires = "recipe")]
    target: Option<String>,

    /// A process that runs: which libraries of cryptography it has mapped, and not at this machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..), conflicts_with_all = ["files", "recipe"])]
    pid: Option<i32>,

    /// Looks at the libraries of this machine, and measures none
    #[arg(long)]
    no_measure: bool,

    /// Writes one JSON object, or a list of one for each file, for programs
    #[arg(long)]
    json: bool,
}

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
            let how = How { recipes: None, json: args.json, all: args.all };
            return files::run(&args.files, how, &mut anstream::stdout().lock());
        }
        if let Some(pid) = args.pid {
            return process::run(pid, args.json, &mut anstream::stdout().lock());
        }
        let stop = stop_on_ctrl_c()?;
        match examine(&args, world, &stop) {
            Ok(report) => run(&args, &report, &mut anstream::stdout().lock()),
            Err(_) if stop.load(Relaxed) => Ok(Exit::Interrupted),
            Err(failed) => Err(anyhow!("{failed}")),
        }
    }
}

/// Looks at this machine.
fn examine(args: &Args, world: &World, stop: &AtomicBool) -> Result<Report, Failed> {
    let mut report = Report::of_this_process(find(world, stop)?);
    let variables: Vec<(OsString, OsString)> = env::vars_os().collect();
    let variables = variables.iter().map(|(name, value)| (OsStr::new(name), OsStr::new(value)));
    report.masks = masks::in_environment(variables);
    let in_files = masks::in_files(Path::new("/"));
    let here = installed::look(&Places::here());
    report.libraries = libraries::examine(here, &in_files, world, !args.no_measure, stop)?;
    report.masks.extend(in_files);
    report.not_given = environment::not_given();
    let Machine { processor, hypervisor, kernel, .. } = &report.machine;
    report.hidden = hidden::look(processor, hypervisor.as_deref(), kernel.as_deref());
    report.wrong = report.complaints();
    Ok(report)
}

/// Writes what was seen.
///
/// # Errors
/// Where nothing can be written.
fn run(args: &Args, report: &Report, out: &mut impl Write) -> anyhow::Result<Exit> {
    if args.json {
        write_json(report, out)?;
    } else {
        report.write(out)?;
    }
    out.flush()?;
    Ok(if report.wrong.is_empty() { Exit::Fine } else { Exit::Wrong })
}

/// All that `doctor` tells.
#[derive(Debug, Serialize)]
struct Report {
    machine: Machine,
    /// Everything that is not as it should be.
    wrong: Vec<Complaint>,
    /// What the processor has and does not show, or may have.
    hidden: Vec<Hidden>,
    /// What switches processor features off here.
    masks: Vec<Mask>,
    /// Variables of this environment that change what libraries do, and that none was given when it was looked at.
    not_given: Vec<Variable>,
    /// Those that are installed.
    libraries: Vec<Library>,
    features: Vec<Feature>,
    primitives: Vec<Backends>,
    /// Those that `ropewalk speed` compares with.
    peers: Vec<Found>,
}

/// One thing that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Complaint {
    /// What is not: a library, or part of the machine.
    what: String,
    why: String,
    remedy: Option<String>,
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
    /// It computes wrong answers here, and is not used.
    Wrong,
    NotHere,
}

impl Report {
    fn of_this_process(peers: Vec<Found>) -> Self {
        let features = features();
        Self {
            machine: Machine::read(),
            wrong: Vec::new(),
            hidden: Vec::new(),
            masks: Vec::new(),
            not_given: Vec::new(),
            libraries: Vec::new(),
            primitives: primitives(ropewalk::PRIMITIVES, &features, &wrong_backends()),
            features,
            peers,
        }
    }

    /// What is not as it should be: first what is hidden, for that is why libraries are slow.
    fn complaints(&self) -> Vec<Complaint> {
        let hidden = self.hidden.iter().filter(|hidden| hidden.sure).map(|hidden| Complaint {
            what: format!("hidden by {}", hidden.by.words()),
            why: format!("{}: {}", hidden.features.join(" "), hidden.why),
            remedy: Some(hidden.remedy().into()),
        });
        let masks = self.masks.iter().filter(|mask| mask.matters()).map(|mask| Complaint {
            what: mask.name.into(),
            why: match mask.is_variable() {
                true => format!(
                    "hides processor features from {}, in programs that are started here; libraries were looked at without it",
                    mask.of
                ),
                false => format!("hides processor features from {}", mask.of),
            },
            remedy: Some(mask.remedy()),
        });
        let bad = self.libraries.iter().filter(|library| library.judgement.verdict.is_bad());
        let libraries = bad.map(|library| Complaint {
            what: self.title_of_one(library),
            why: library.judgement.why.clone(),
            remedy: library.judgement.remedy.clone(),
        });
        self.faults().into_iter().chain(hidden).chain(masks).chain(libraries).collect()
    }

    /// The backends that compute wrong answers.
    fn faults(&self) -> Option<Complaint> {
        let all = self.primitives.iter().flat_map(|primitive| &primitive.backends);
        let wrong = all.filter(|backend| backend.state == Choice::Wrong);
        let names: BTreeSet<&str> = wrong.map(|backend| backend.name).collect();
        (!names.is_empty()).then(|| Complaint {
            what: "wrong answers".into(),
            why: format!(
                "on this processor or emulator, from these backends, which ropewalk therefore does not use: {}",
                Vec::from_iter(names).join(" ")
            ),
            remedy: Some(
                "another processor, or another emulator: other libraries may use the same instructions".into(),
            ),
        })
    }
}

/// The names of the backends that compute wrong answers on this processor.
fn wrong_backends() -> Vec<&'static str> {
    backend::wrong().map(|info| info.name).collect()
}

impl Report {
    /// A library's title, and its file where there are several of that title.
    fn title_of_one(&self, library: &Library) -> String {
        let title = library.title();
        match self.libraries.iter().filter(|other| other.title() == title).count() {
            0 | 1 => title,
            _ => format!("{title}, {}", shown(&library.path)),
        }
    }
}

/// The features of this architecture.
fn features() -> Vec<Feature> {
    let of_this = cpu::FEATURES.iter().filter(|feature| feature.arch == env::consts::ARCH);
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

/// What becomes of each backend where the processor has these features, and computes wrong by these backends.
fn primitives(all: &[Primitive], features: &[Feature], wrong: &[&str]) -> Vec<Backends> {
    all.iter()
        .map(|primitive| {
            let mut backends: Vec<Backend> =
                primitive.backends.iter().map(|info| Backend::new(info, features, wrong)).collect();
            // The portable backend is used even where it is wrong.
            let first = backends.iter().position(|backend| backend.state == Choice::Available);
            if let Some(first) = backends.get_mut(first.unwrap_or(usize::MAX)) {
                first.state = Choice::Chosen;
            }
            Backends { name: primitive.name, standard: primitive.standard, backends }
        })
        .collect()
}

impl Backend {
    fn new(info: &Info, features: &[Feature], wrong: &[&str]) -> Self {
        let of = |name: &&'static str| {
            let known = features.iter().find(|feature| feature.name == *name).copied();
            known.unwrap_or(Feature { name, state: Presence::NotHere })
        };
        let needed = info.features.iter().map(of);
        let lacks: Vec<Feature> =
            needed.filter(|feature| feature.state != Presence::Visible).collect();
        let state = match lacks.is_empty() {
            false => Choice::NotHere,
            true if wrong.contains(&info.name) => Choice::Wrong,
            true => Choice::Available,
        };
        Self { name: info.name, state, lacks }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

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

    pub(super) fn report(mask: &str, peers: Vec<Found>) -> Report {
        let features = masked(mask);
        let primitives = primitives(ropewalk::PRIMITIVES, &features, &[]);
        Report { features, primitives, ..Report::of_this_process(peers) }
    }

    fn chosen(primitive: &Backends) -> Vec<&'static str> {
        let chosen = primitive.backends.iter().filter(|backend| backend.state == Choice::Chosen);
        chosen.map(|backend| backend.name).collect()
    }

    /// What is told from data is what the library does.
    #[test]
    fn tells_what_the_library_chooses() {
        for (told, primitive) in report("", Vec::new()).primitives.iter().zip(ropewalk::PRIMITIVES)
        {
            assert_eq!(chosen(told), [primitive.chosen().unwrap().name]);
            for (backend, info) in told.backends.iter().zip(primitive.backends) {
                assert_eq!(backend.state != Choice::NotHere, (info.available)(), "{}", info.name);
            }
        }
    }

    #[test]
    fn with_all_masked_portable_is_left() {
        for primitive in report("all", Vec::new()).primitives {
            let [name] = chosen(&primitive)[..] else { panic!("{primitive:?}") };
            assert!(name.ends_with("/portable"), "{name}");
        }
    }

    /// The next backend is chosen in its place, and the report says so of both.
    #[test]
    fn a_wrong_backend_is_reported() {
        let primitive = ropewalk::PRIMITIVES.iter().find(|all| all.name == "aes-cbc-hmac-sha1");
        let primitive = primitive.expect("it is there");
        let available: Vec<&str> =
            primitive.backends.iter().filter(|i| (i.available)()).map(|i| i.name).collect();
        for wrong in 0..available.len() {
            let wrong = &available[..wrong];
            let mut report = report("", Vec::new());
            report.primitives =
                primitives(std::slice::from_ref(primitive), &report.features, wrong);
            let told = &report.primitives[0];
            assert_eq!(chosen(told), [available[wrong.len()]]);
            let states = told.backends.iter().filter(|backend| backend.state == Choice::Wrong);
            assert_eq!(states.map(|backend| backend.name).collect::<Vec<_>>(), wrong);
            let complaints = report.complaints();
            let fault = complaints.iter().find(|complaint| complaint.what == "wrong answers");
            assert_eq!(fault.is_some(), !wrong.is_empty());
            let names = |fault: &Complaint| wrong.iter().all(|name| fault.why.contains(name));
            assert!(fault.is_none_or(names), "{fault:?}");
        }
    }

    /// No backend that needs a masked feature is chosen or offered, and it says so.
    #[test]
    fn mask_takes_backends_away() {
        for feature in cpu::FEATURES {
            let report = report(feature.name, Vec::new());
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
        let json = serde_json::to_value(report("", Vec::new())).unwrap();
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
        let report = report("", Vec::new());
        for json in [false, true] {
            let error = run(&Args { json, ..Args::default() }, &report, &mut Closed).unwrap_err();
            let kind = error.chain().find_map(|e| Some(e.downcast_ref::<io::Error>()?.kind()));
            assert_eq!(kind, Some(io::ErrorKind::BrokenPipe), "json: {json}");
        }
    }
}
