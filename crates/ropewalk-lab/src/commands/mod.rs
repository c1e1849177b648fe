//! The commands.

use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context;
use clap::ArgMatches;

use crate::{filename, measure::entrant::TUNING, names, peers::Peer, stdio};

mod advise;
mod ask;
mod calibrate;
mod compare;
mod doctor;
mod ending;
mod help;
mod kept;
mod limits;
mod mask;
mod plan;
mod provider;
mod scale;
mod selftest;
mod shell;
mod speed;
mod sum;
mod tasks;
mod worker;

/// Every command. A new one needs a file here and a line below.
pub const COMMANDS: &[&dyn Command] = &[
    &speed::Speed,
    &tasks::Tasks,
    &compare::Compare,
    &advise::Advise,
    &scale::Scale,
    &limits::Limits,
    &doctor::Doctor,
    &mask::MaskCommand,
    &selftest::Selftest,
    &sum::Sum,
    &provider::Provider,
    &calibrate::Calibrate,
    &worker::Worker,
    &ask::Ask,
    &shell::Completions,
    &shell::Man,
];

/// One command.
pub trait Command: Sync {
    /// Its name, its options and its help.
    fn words(&self) -> clap::Command;

    /// Whether it fails without a standard output, before it does any work.
    fn needs_output(&self) -> bool {
        true
    }

    /// Runs it.
    ///
    /// # Errors
    /// [`Usage`] if the arguments are invalid; other errors if it fails.
    fn run(&self, given: &ArgMatches, world: &World) -> anyhow::Result<Exit>;
}

/// The inputs of a command besides its options.
pub struct World {
    /// The libraries that can be measured.
    pub peers: &'static [&'static dyn Peer],
    /// The features that `ROPEWALK_CPU` disables.
    pub mask: String,
    /// The command line, as a shell accepts it.
    pub again: String,
    /// Whether progress, warnings and explanations are omitted.
    pub quiet: bool,
}

/// The exit status of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Success.
    Fine = 0,
    /// It could not do its work.
    Failed = 1,
    /// Invalid arguments.
    Usage = 2,
    /// A row is slower than the user allows, or nothing meets a need.
    Slower = 3,
    /// A wrong answer, or a library that is slower than it could be.
    Wrong = 4,
    /// The user interrupted it.
    Interrupted = 130,
}

/// Invalid arguments.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Runs the command in the arguments.
pub fn run(
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    peers: &'static [&'static dyn Peer],
) -> ExitCode {
    let ended = speed::openssl::translated(args.into_iter().map(Into::into).collect())
        .map_err(anyhow::Error::from)
        .and_then(|(args, said)| {
            said.iter().for_each(|said| anstream::eprintln!("{said}"));
            one(args, peers)
        });
    let exit = ended.unwrap_or_else(|error| {
        // A reader such as `head`, which closes the output early, is not an error.
        if closed(&error) {
            return Exit::Fine;
        }
        stdio::say_styled(RED, "error", format_args!("{error:#}"));
        if error.is::<Usage>() { Exit::Usage } else { Exit::Failed }
    });
    ExitCode::from(exit as u8)
}

fn one(args: Vec<OsString>, peers: &'static [&'static dyn Peer]) -> anyhow::Result<Exit> {
    let given = match words().try_get_matches_from(&args) {
        Ok(given) => given,
        Err(said) => return print(&said, &args),
    };
    if let Some(choice) = given.get_one::<ColorWhen>("color") {
        choice.set();
    }
    let quiet = given.get_flag("quiet");
    let (name, given) = given.subcommand().expect("clap asks for one");
    let command = COMMANDS.iter().find(|command| command.words().get_name() == name);
    let command = command.expect("clap knows only these");
    if command.needs_output() {
        stdio::needs_output()?;
    }
    tuned()?;
    let world = World { peers, mask: masked()?, again: again(&args), quiet };
    let exit = command.run(given, &world)?;
    // The rest of the buffer has to be written too.
    io::stdout().flush().context(OUTPUT)?;
    Ok(exit)
}

/// When text has colours.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ColorWhen {
    /// On a terminal that has colours
    Auto,
    /// In files and pipes too
    Always,
    /// Nowhere
    Never,
}

impl ColorWhen {
    fn set(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// The command line in a form that can be pasted.
fn again(args: &[OsString]) -> String {
    let words = args.iter().skip(1).map(|word| {
        let word = filename::shown(word);
        if word.chars().all(|c| c.is_ascii_alphanumeric() || ",./:=_-+@%".contains(c)) {
            return word;
        }
        shlex::try_quote(&word).map_or(word.clone(), |quoted| quoted.into_owned())
    });
    ["ropewalk".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// Prints help, or the error in the arguments.
fn print(said: &clap::Error, args: &[OsString]) -> anyhow::Result<Exit> {
    if !said.use_stderr() {
        stdio::needs_output()?;
        said.print().and_then(|()| io::stdout().flush()).context(OUTPUT)?;
        return Ok(Exit::Fine);
    }
    let acts = |arg: &OsString| filename::shown(arg) != arg.to_string_lossy();
    match args.iter().any(acts) {
        // Its styles cannot be distinguished from control sequences in the arguments.
        true => stdio::say(filename::text_shown(said.to_string().trim_end())),
        false => _ = said.print(),
    }
    Ok(Exit::Usage)
}

const OUTPUT: &str = "standard output";

const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();

/// The whole command line, for help and completions.
pub fn words() -> clap::Command {
    clap::Command::new("ropewalk")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Measures cryptography side by side on the machine it runs on")
        .help_template(help::TEMPLATE)
        .before_help(help::groups())
        .after_help(help::BEGIN)
        .arg(
            clap::Arg::new("color")
                .long("color")
                .global(true)
                .value_name("WHEN")
                .value_parser(clap::value_parser!(ColorWhen))
                .hide_possible_values(true)
                .help_heading("Everywhere")
                .help("When text has colours: auto, always or never"),
        )
        .arg(
            clap::Arg::new("quiet")
                .long("quiet")
                .short('q')
                .global(true)
                .action(clap::ArgAction::SetTrue)
                .help_heading("Everywhere")
                .help("Neither progress nor warnings nor explanations"),
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(COMMANDS.iter().map(|command| help::with_examples(command.words())))
}

/// Whether an error says that the reader of the output has closed it.
fn closed(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Applies the mask in the environment, and returns it.
fn masked() -> anyhow::Result<String> {
    let Some(list) = std::env::var_os("ROPEWALK_CPU") else { return Ok(String::new()) };
    let mask = mask(&list.to_string_lossy())
        .map_err(|Usage(why)| Usage(format!("ROPEWALK_CPU: {why}")))?;
    ropewalk::cpu::disable(&mask).map_err(|e| Usage(e.to_string()))?;
    Ok(mask)
}

/// Uses the row of tuning that the environment names.
fn tuned() -> anyhow::Result<()> {
    let Some(name) = std::env::var_os(TUNING) else { return Ok(()) };
    let name = name.to_string_lossy();
    let forced = tuning_row(&name).map(ropewalk::tuning::force);
    forced.map(drop).map_err(|Usage(why)| Usage(format!("{TUNING}: {why}")).into())
}

/// The name of a row of tuning.
fn tuning_row(name: &str) -> Result<&'static str, Usage> {
    let all = || ropewalk::tuning::rows().iter().map(ropewalk::tuning::Tuning::name);
    let unknown = || Usage(names::unknown("row of tuning", name, all()));
    all().find(|known| *known == name).ok_or_else(unknown)
}

/// A list of processor features in the notation of records: `-vaes,-avx512f`.
fn mask(list: &str) -> Result<String, Usage> {
    let mut mask: Vec<String> = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let name = name.strip_prefix('-').unwrap_or(name);
        let known = || ropewalk::cpu::FEATURES.iter().map(|feature| feature.name).chain(["all"]);
        if !known().any(|known| known == name) {
            return Err(Usage(names::unknown("processor feature", name, known())));
        }
        let name = format!("-{name}");
        if !mask.contains(&name) {
            mask.push(name);
        }
    }
    Ok(mask.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sound() {
        words().debug_assert();
    }

    #[test]
    fn masks_have_one_spelling() {
        assert_eq!(mask("vaes, -avx512f,,-vaes").unwrap(), "-vaes,-avx512f");
        assert_eq!(mask("").unwrap(), "");
        assert!(mask("-avx513f").unwrap_err().0.contains("avx512f"));
    }
}
