//! `ropewalk doctor`: the cryptographic features of this machine, and whether libraries use them; or the same
//! for files and processes.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use anyhow::anyhow;
use clap::{ArgMatches, Args as _, FromArgMatches as _};

use super::{Command, Exit, Usage, World, ending::stop_on_ctrl_c};
use crate::{
    filename::shown,
    installed::{self, Places},
    loads::Tree,
    machine::{Machine, hidden, masks},
    measure::{entrant::Failed, environment},
    stdio::{Drawn, write_json},
    terminal::Size,
};
use files::How;
use report::Report;
use text::COLUMNS;

mod backends;
mod compared;
mod files;
mod libraries;
mod library_text;
mod measured;
mod newer;
mod packages;
mod process;
mod programs;
mod recipe;
mod remedies;
mod report;
mod screen;
mod summary;
mod text;
mod verdict;

/// What can be asked for.
#[derive(Debug, Default, clap::Args)]
struct Args {
    /// Programs, libraries, archives and folders to examine, of this machine or another. The libraries that a program
    /// loads are examined too
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Prints all details of this machine: each library, its measurements, and each backend; of archives and folders,
    /// every file, and not only those with a fault
    #[arg(long, conflicts_with_all = ["libraries", "backends"])]
    all: bool,

    /// Prints for each library of this machine what it contains, what it uses, and how fast it is
    #[arg(long, conflicts_with_all = ["files", "backends"])]
    libraries: bool,

    /// Prints the backends of ropewalk, and the processor features that they need. No library is examined
    #[arg(long, conflicts_with = "files")]
    backends: bool,

    /// Ends with status 4 also if a library could be faster
    #[arg(long, conflicts_with_all = ["files", "pid"])]
    strict: bool,

    /// The root folder of another machine's files, in which the libraries of programs are searched
    #[arg(long, value_name = "DIR", requires = "files", conflicts_with = "recipe")]
    sysroot: Option<PathBuf>,

    /// Examines a program without the libraries that it loads
    #[arg(long, requires = "files", conflicts_with = "sysroot")]
    no_follow: bool,

    /// Prints how to build each library such that it uses the instructions of the processor. A library may be
    /// named instead of a FILE: `openssl-3.0`
    #[arg(long)]
    recipe: bool,

    /// The target of the build, such as `linux-aarch64` [default: that of the file, or this machine]
    #[arg(long = "for", value_name = "TARGET", requires = "recipe")]
    target: Option<String>,

    /// Examines the cryptography libraries that a running process has mapped
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..), conflicts_with_all = ["files", "recipe", "all", "libraries", "backends"])]
    pid: Option<i32>,

    /// Examines the libraries of this machine without measuring them
    #[arg(long)]
    no_measure: bool,

    /// Writes one JSON object, or a list of one for each file, for programs
    #[arg(long)]
    json: bool,
}

/// The view of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// One screen.
    Screen,
    Libraries,
    Backends,
    All,
}

impl Args {
    fn view(&self) -> View {
        match (self.all, self.libraries, self.backends) {
            (true, ..) => View::All,
            (_, true, _) => View::Libraries,
            (.., true) => View::Backends,
            _ => View::Screen,
        }
    }
}

/// `doctor`.
pub(super) struct Doctor;

impl Command for Doctor {
    fn words(&self) -> clap::Command {
        Args::augment_args(clap::Command::new("doctor")).about(
            "Says whether the libraries of this machine use what its processor has for cryptography, and what to do \
             about those that do not; or the same of files, programs and processes",
        )
    }

    fn run(&self, given: &ArgMatches, world: &World) -> anyhow::Result<Exit> {
        let args = Args::from_arg_matches(given)?;
        if args.recipe {
            let target = args.target.as_deref();
            return recipe::run(
                &args.files,
                target,
                args.json,
                &mut Drawn(anstream::stdout().lock()),
            );
        }
        if !args.files.is_empty() {
            let tree = match &args.sysroot {
                None => Tree::default(),
                Some(folder) => Tree::below(folder)
                    .map_err(|why| Usage(format!("--sysroot {}: {why}", shown(folder))))?,
            };
            let (json, all, follows) = (args.json, args.all, !args.no_follow);
            let how = How { recipes: None, json, all, follows, tree };
            return files::run(&args.files, how, &mut Drawn(anstream::stdout().lock()));
        }
        if let Some(pid) = args.pid {
            return process::run(pid, args.json, &mut Drawn(anstream::stdout().lock()));
        }
        let stop = stop_on_ctrl_c()?;
        match examine(&args, world, &stop) {
            Ok(report) => write(&args, &report, &mut Drawn(anstream::stdout().lock())),
            Err(_) if stop.load(Relaxed) => Ok(Exit::Interrupted),
            Err(failed) => Err(anyhow!("{failed}")),
        }
    }
}

/// Examines this machine, as far as it is shown.
fn examine(args: &Args, world: &World, stop: &AtomicBool) -> Result<Report, Failed> {
    let view = args.view();
    let peers = args.json || matches!(view, View::Libraries | View::All);
    let mut report =
        Report::of_this_process(if peers { compared::find(world, stop)? } else { Vec::new() });
    let variables: Vec<(OsString, OsString)> = env::vars_os().collect();
    let variables = variables.iter().map(|(name, value)| (OsStr::new(name), OsStr::new(value)));
    report.masks = masks::in_environment(variables);
    let in_files = masks::in_files(Path::new("/"));
    let Machine { processor, hypervisor, kernel, .. } = &report.machine;
    report.hidden = hidden::look(processor, hypervisor.as_deref(), kernel.as_deref());
    if args.json || view != View::Backends {
        let here = installed::look(&Places::here());
        report.libraries = libraries::examine(here, &in_files, world, !args.no_measure, stop)?;
        report.provider = super::provider::here();
        report.mark_served();
        report.packages = packages::ask(&report.slow_files());
    }
    report.masks.extend(in_files);
    report.not_given = environment::not_given();
    report.conclude();
    Ok(report)
}

/// Writes the report.
///
/// # Errors
/// If it cannot be written.
fn write(args: &Args, report: &Report, out: &mut impl Write) -> anyhow::Result<Exit> {
    match (args.json, args.view()) {
        (true, _) => write_json(report, out)?,
        (false, View::Screen) => report.write_screen(Size::here(COLUMNS), out)?,
        (false, view) => report.write_view(view, out)?,
    }
    out.flush()?;
    let wrong = !report.wrong.is_empty() || args.strict && report.could_be_faster();
    Ok(if wrong { Exit::Wrong } else { Exit::Fine })
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use backends::tests::report;

    #[test]
    fn json_has_the_same() {
        let json = serde_json::to_value(report("", Vec::new())).unwrap();
        assert_eq!(json["machine"]["schema"], 1);
        assert_eq!(json["features"].as_array().unwrap().len(), backends::features().len());
        let states = json["primitives"][0]["backends"].as_array().unwrap().iter();
        assert_eq!(states.filter(|backend| backend["state"] == "chosen").count(), 1);
        assert!(json["peers"].as_array().unwrap().is_empty());
    }

    /// An error of the writer is returned unchanged, so that a closed pipe can be detected.
    #[test]
    fn closed_pipe_is_reported() {
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
            let error = write(&Args { json, ..Args::default() }, &report, &mut Closed).unwrap_err();
            let kind = error.chain().find_map(|e| Some(e.downcast_ref::<io::Error>()?.kind()));
            assert_eq!(kind, Some(io::ErrorKind::BrokenPipe), "json: {json}");
        }
    }
}
