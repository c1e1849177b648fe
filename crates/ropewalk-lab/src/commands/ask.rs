//! `ropewalk ask`: what a library reports about itself, in a separate process, only for `doctor`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};
use rustix::process::{Signal, set_parent_process_death_signal};

use super::{Command, Exit, Usage, World, worker::Line};
use crate::{
    installed::{KINDS, says},
    measure::protocol::Reply,
    names,
    peers::Unavailable,
};

/// `ask`.
pub(super) struct Ask;

#[derive(Args)]
struct Options {
    /// The kind of library
    #[arg(long)]
    kind: String,
    /// Which one
    #[arg(long)]
    library: PathBuf,
}

impl Command for Ask {
    fn words(&self) -> clap::Command {
        let command = clap::Command::new("ask").about("Asks one library what it is, for `doctor`");
        Options::augment_args(command).hide(true)
    }

    fn run(&self, given: &ArgMatches, _: &World) -> anyhow::Result<Exit> {
        let options = Options::from_arg_matches(given)?;
        let kind = KINDS.iter().find(|kind| kind.name == options.kind);
        let known = || KINDS.iter().map(|kind| kind.name);
        let kind = kind.ok_or_else(|| Usage(names::unknown("library", &options.kind, known())))?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        let mut line = Line::take()?;
        let said = says::ask(kind, &options.library);
        line.say(&said.map_or_else(|Unavailable(why)| Reply::Unavailable(why), Reply::Said))?;
        Ok(Exit::Fine)
    }
}
