//! `ropewalk speed`: measures the speed of this machine, with ropewalk and with other libraries.

use std::{ffi::OsStr, sync::atomic::Ordering::Relaxed};

use anyhow::Result;
use clap::{ArgMatches, Args, FromArgMatches, parser::ValueSource};

use super::{
    Command, Exit, Usage, World,
    ending::{end, stop_on_ctrl_c},
    kept::{self, Keep},
    plan,
};
use crate::{
    measure::way::Way,
    offload::datasheet::Rate,
    record::Warnings,
    report::{
        library::{Library, libraries, short_name},
        output::Output,
        screen::HEADLINE,
    },
    session::{Ended, Plan, Session},
    tasks::TASKS,
};

mod aes_options;
mod kept_run;
pub(super) mod openssl;
mod shown;
mod ways;
use shown::Shown;
use ways::Ways;

/// `speed`.
pub(super) struct Speed;

// Options that `scale` has too have the same names.
#[derive(Debug, Args)]
#[group(id = "speed")]
struct Options {
    #[command(flatten)]
    of_both: plan::Options,
    #[command(flatten)]
    ways: Ways,
    #[command(flatten)]
    keep: Keep,
    #[command(flatten)]
    shown: Shown,
    /// Shows the speed of a datasheet next to the measured one: cycles for a number of bytes at a clock rate, such as
    /// 66c/64B@266MHz or 4.2c/B@1.5GHz, or a speed, such as 800MB/s
    #[arg(long, value_name = "RATE", conflicts_with_all = ["latency", "neighbour"])]
    expect: Option<String>,
    /// Disables each processor feature in turn, for ropewalk, OpenSSL and its forks, and prints how many times as fast they are
    /// with it
    #[arg(long, conflicts_with_all = ["mask", "backend", "save", "expect", "latency", "neighbour"])]
    on_off: bool,
}

impl Command for Speed {
    fn words(&self) -> clap::Command {
        Options::augment_args(clap::Command::new("speed")).about(
            "Measures how fast this machine encrypts and hashes, with ropewalk and with other libraries",
        )
        .after_help(openssl::HELP)
    }

    fn run(&self, given: &ArgMatches, world: &World) -> Result<Exit> {
        let options = Options::from_arg_matches(given)?;
        if aes_options::is_wanted(&options.of_both) {
            return aes_options::run(&options.of_both, given, world);
        }
        if let Some(run) = &options.shown.from {
            return show(&options, run, world);
        }
        let mut plan = Plan::new(&options.of_both, world)?;
        if options.on_off {
            plan.switch_each(&options.of_both);
        }
        let expect = options.expect.as_deref().map(Rate::parse).transpose();
        let expect = expect.map_err(|why| Usage(format!("--expect: {why}")))?;
        let way = options.ways.way(plan.mode)?;
        let keep = options.keep.place()?;
        let headline = plan.headline && way == Way::Warm && expect.is_none();
        if headline && !options.shown.wide && is_default(given, "bytes") && plan.mixes.is_empty() {
            plan.sizes = HEADLINE.into();
        }
        let json = options.of_both.json.as_deref();
        let files = options.shown.files(json, keep.as_deref())?;
        let mut output = Output::open_all(files)?;
        let stop = stop_on_ctrl_c()?;
        let session = Session {
            plan: &plan,
            way,
            expect: expect.as_ref(),
            spread: keep.is_some(),
            on_off: options.on_off,
            every_backend: output.has_files() && !headline,
            view: options.shown.view(headline, world.quiet),
            again: &world.again,
            accepts: &|entrants| {
                let opened = entrants.iter().filter_map(|it| Some((it, it.opened.as_ref().ok()?)));
                let names: Vec<(String, &str)> = opened
                    .map(|(it, opened)| (short_name(it.peer, &opened.version), it.peer))
                    .collect();
                options.shown.known(names.iter().map(|(name, peer)| (name.as_str(), *peer)))
            },
        };
        match session.run(&mut output, &stop) {
            Ok(()) | Err(Ended::Interrupted) => {}
            Err(Ended::Failed(error)) => return Err(error),
        }
        let measured = output.has_figures();
        let exit = end(output, stop.load(Relaxed))?;
        keep.iter().filter(|_| measured).for_each(|path| kept::say(path));
        Ok(exit)
    }
}

/// Shows a kept run.
fn show(options: &Options, name: &OsStr, world: &World) -> Result<Exit> {
    let path = kept::place(name)?;
    let run = kept::read(&path)?;
    let headline = options.of_both.tasks.is_empty();
    let tasks = match headline && options.shown.wide {
        true => TASKS.iter().collect(),
        false => plan::tasks(&options.of_both.tasks)?,
    };
    let mut sheets = kept_run::sheets(&run, &tasks, &path)?;
    if headline && !options.shown.wide {
        kept_run::keep_headline(&mut sheets);
    }
    let all: Vec<_> = sheets.iter().flat_map(libraries).filter(Library::ran).collect();
    options.shown.known(all.iter().map(|library| (library.name.as_str(), library.peer)))?;
    let json = options.of_both.json.as_deref();
    let mut output = Output::open_all(options.shown.files(json, None)?)?;
    run.machine.iter().try_for_each(|machine| output.record(machine))?;
    kept_run::records(&sheets).try_for_each(|record| output.row(record))?;
    output.record(&Warnings::again(&run.warnings))?;
    sheets.into_iter().for_each(|sheet| output.sheet(sheet));
    let words = kept_run::words(&run, &world.again);
    output.show(&options.shown.view(headline, world.quiet), &words)?;
    output.finish()?;
    Ok(Exit::Fine)
}

fn is_default(given: &ArgMatches, option: &str) -> bool {
    given.value_source(option) == Some(ValueSource::DefaultValue)
}
