//! `ropewalk advise`: which algorithm and which library to use, by what rows of this or of another machine say.

use std::{
    ffi::OsString,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::{Command, Exit, Usage, World, plan};
use crate::{
    advise::{
        candidates::{Part, to_measure},
        capacity::{self, Capacity},
        needs::{Needs, WORDS},
        rank::{Advice, Fail, advise, forbidden},
        short::{self, Short},
        text,
    },
    filename::shown,
    report::output::{Output, width},
    session::Ended,
};

mod evidence;
use evidence::Evidence;

/// `advise`.
pub(super) struct Advise;

#[derive(Debug, Args)]
struct Options {
    /// A file of needs: TOML, with the names of the options below
    #[arg(value_name = "NEEDS.toml")]
    file: Option<PathBuf>,
    /// Judges a kept run, of this or of another machine, and measures nothing: its name, a file of speed --json, or a folder of
    /// compare --export
    #[arg(long, value_name = "RUN")]
    from: Option<OsString>,
    /// Measures again what kept runs of the last day have
    #[arg(long, conflicts_with = "from")]
    fresh: bool,
    /// Names the rules that forbid algorithms, and what speaks against each of the others
    #[arg(long)]
    explain: bool,
    /// Writes the answer to a file as JSON; `-`: to standard output, without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Time for each row, in seconds
    #[arg(long, value_name = "S", hide = true, conflicts_with = "from")]
    seconds: Option<f64>,
}

/// An answer, as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    record: &'static str,
    machine: &'a str,
    date: Option<&'a str>,
    #[serde(flatten)]
    of: Of<'a>,
}

/// The kinds of answers.
#[derive(Serialize)]
#[serde(untagged)]
enum Of<'a> {
    Advice(&'a Advice),
    Short(&'a Short),
    Capacity(&'a Capacity),
}

/// Changes when a field changes its meaning or is removed.
const SCHEMA: u32 = 1;

impl Command for Advise {
    fn words(&self) -> clap::Command {
        let words = Options::augment_args(clap::Command::new("advise"))
            .about("Says which cipher, key and library to use here, and by which figures");
        words.next_help_heading("Needs").args(WORDS.iter().map(|word| {
            clap::Arg::new(word.name)
                .long(word.name)
                .value_name("NEED")
                .help(format!("{}: {}", word.help, word.allowed))
        }))
    }

    fn run(&self, given: &ArgMatches, world: &World) -> Result<Exit> {
        let options = Options::from_arg_matches(given)?;
        let needs = needs(&options, given)?;
        options.seconds.map(|s| plan::seconds("--seconds", s)).transpose()?;
        let output = Output::open(options.json.as_deref())?;
        let answered = match (needs.is_empty(), needs.tls.is_some()) {
            (true, _) if !options.explain => short_answer(&options, world, output),
            (true, _) => answer(short::needs(), &options, world, output),
            (false, true) => cores(&needs, &options, world, output),
            (false, false) => answer(needs, &options, world, output),
        };
        match answered {
            Ok(exit) => Ok(exit),
            Err(Ended::Interrupted) => Ok(Exit::Interrupted),
            Err(Ended::Failed(error)) => Err(error),
        }
    }
}

/// The needs of the file, and those of the command line, which replace them.
fn needs(options: &Options, given: &ArgMatches) -> Result<Needs> {
    let mut needs = match &options.file {
        Some(path) => of_file(path)?,
        None => Needs::default(),
    };
    for word in WORDS {
        let Some(text) = given.get_one::<String>(word.name) else { continue };
        if word.name == "must" {
            needs.must.clear();
        }
        needs.set(word.name, text).map_err(|why| Usage(format!("--{}: {why}", word.name)))?;
    }
    needs.check().map_err(Usage)?;
    Ok(needs)
}

/// The most bytes of a file of needs.
const LARGEST: u64 = 1 << 20;

fn of_file(path: &Path) -> Result<Needs> {
    let cannot = || format!("cannot read {}", shown(path));
    let mut text = Vec::new();
    let file = File::open(path).with_context(cannot)?;
    file.take(LARGEST + 1).read_to_end(&mut text).with_context(cannot)?;
    let wrong = |why: &str| Usage(format!("{}: {why}", shown(path)));
    if text.len() as u64 > LARGEST {
        return Err(wrong("it is more than 1 MiB, and no file of needs").into());
    }
    let text = String::from_utf8(text).map_err(|_| wrong("it is not UTF-8"))?;
    Ok(Needs::of_file(&text).map_err(|why| wrong(&why))?)
}

/// The cipher to use here, in a few lines.
fn short_answer(options: &Options, world: &World, mut output: Output) -> Result<Exit, Ended> {
    let parts = to_measure(&short::needs());
    let evidence = evidence(options, world, &parts, "here")?;
    let short = short::short(&evidence.facts(&[]));
    write(&mut output, &evidence, "short-advice", Of::Short(&short))?;
    output.say(evidence.machine())?;
    output.say(text::short(&short, width()).trim_end())?;
    output.finish()?;
    Ok(exit(&short.advice))
}

/// The answer to needs.
fn answer(
    needs: Needs,
    options: &Options,
    world: &World,
    mut output: Output,
) -> Result<Exit, Ended> {
    // What is never recommended need not be measured.
    let parts = if forbidden(&needs).is_some() { Vec::new() } else { to_measure(&needs) };
    let fixed = needs.fixed.as_ref().map(|fixed| fixed.full_name().replace('/', "-"));
    let what = fixed.unwrap_or_else(|| needs.goal().name().into());
    let name = format!("{what}-{}", needs.bytes());
    let mut evidence = evidence(options, world, &parts, &name)?;
    let mut advice = advise(&needs, &evidence.facts(&[]));
    if options.from.is_none() && may_gain_by_many(&advice) {
        evidence.add_many(&advice, options.seconds, world)?;
        advice = advise(&needs, &evidence.facts(&[]));
    }
    if options.from.is_none() {
        let tables = evidence.tables(&advice);
        if !tables.is_empty() {
            advice = advise(&needs, &evidence.facts(&tables));
        }
    }
    write(&mut output, &evidence, "advice", Of::Advice(&advice))?;
    output.say(evidence.machine())?;
    output.say(text::advice(&advice, options.explain, width()).trim_end())?;
    output.finish()?;
    Ok(exit(&advice))
}

/// The cores of a server.
fn cores(
    needs: &Needs,
    options: &Options,
    world: &World,
    mut output: Output,
) -> Result<Exit, Ended> {
    let parts = capacity::parts(needs);
    let name = format!("tls-{}", needs.record.unwrap_or_default());
    let evidence = evidence(options, world, &parts, &name)?;
    let capacity = capacity::capacity(needs, &evidence.facts(&[]));
    write(&mut output, &evidence, "capacity", Of::Capacity(&capacity))?;
    output.say(evidence.machine())?;
    output.say(text::capacity(&capacity, width()).trim_end())?;
    output.finish()?;
    Ok(match capacity.is_enough() {
        false => Exit::Slower,
        true if !capacity.unknown.is_empty() => Exit::Failed,
        true => Exit::Fine,
    })
}

fn evidence(
    options: &Options,
    world: &World,
    parts: &[Part],
    name: &str,
) -> Result<Evidence, Ended> {
    match &options.from {
        Some(run) => Ok(Evidence::kept(run)?),
        None => Evidence::here(parts, name, options.seconds, options.fresh, world),
    }
}

/// Whether more messages in a call could be enough.
fn may_gain_by_many(advice: &Advice) -> bool {
    let of = |fails: &[Fail]| matches!(fails, [Fail::PerSecond { .. }]);
    advice.nearest.as_ref().is_some_and(|nearest| of(&nearest.fails))
}

fn write(output: &mut Output, evidence: &Evidence, record: &'static str, of: Of<'_>) -> Result<()> {
    let (machine, date) = (evidence.machine(), evidence.date());
    output.record(&Answer { schema: SCHEMA, record, machine, date, of })
}

fn exit(advice: &Advice) -> Exit {
    match advice {
        // There is nothing to judge.
        Advice { chosen: None, nearest: None, .. } if forbidden(&advice.needs).is_none() => {
            Exit::Failed
        }
        Advice { chosen: None, .. } => Exit::Slower,
        Advice { unknown, .. } if !unknown.is_empty() => Exit::Failed,
        _ => Exit::Fine,
    }
}
