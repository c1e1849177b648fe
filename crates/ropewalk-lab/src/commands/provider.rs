//! `ropewalk provider`: makes programs with OpenSSL use ropewalk, reports whether they do, and undoes it.

use std::{io::Write as _, path::PathBuf};

use clap::{ArgMatches, FromArgMatches as _, Subcommand};

use super::{Command, Exit, World, help};
use crate::stdio::Drawn;

mod check;
mod configuration;
mod files;
mod here;
mod in_use;
mod install;
mod loader;
mod process;
mod prove;
mod reason;
mod status;
mod view;

use files::Place;
pub(super) use here::{Here, here, quoted};
pub(super) use process::is_module;
use view::Options;

/// Has programs that go through OpenSSL run on ropewalk, says whether they do, and undoes it; exit status 4 where they do not
#[derive(Debug, Subcommand)]
enum Args {
    /// Writes a separate configuration, which includes the one in use and adds ropewalk, and prints the variables to set
    Install {
        /// The module, `ropewalk.so` [default: the one that was installed with this command]
        #[arg(long, value_name = "FILE")]
        module: Option<PathBuf>,
        #[command(flatten)]
        place: Place,
    },
    /// Reports whether OpenSSL uses ropewalk, and if not, why
    Status {
        #[command(flatten)]
        place: Place,
        /// Queries OpenSSL as this user, with what the user may read; for root
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
        /// A running process: whether it has loaded ropewalk, and its counts if it has ROPEWALK_STATS=1
        #[arg(long, value_name = "PID", conflicts_with_all = ["user", "config", "system", "libcrypto"])]
        pid: Option<i32>,
        /// Prints for each algorithm the provider that serves it, whether its known answers are right, and the counts
        #[arg(long, conflicts_with = "pid")]
        all: bool,
        /// Writes a JSON object, for programs
        #[arg(long)]
        json: bool,
    },
    /// Removes the files that `install` has written
    Uninstall {
        #[command(flatten)]
        place: Place,
    },
    /// What the others have a process for.
    #[command(hide = true)]
    Prove {
        #[command(flatten)]
        options: Options,
    },
}

/// `provider`.
pub(super) struct Provider;

impl Command for Provider {
    fn words(&self) -> clap::Command {
        let words =
            clap::Command::new("provider").subcommand_required(true).arg_required_else_help(true);
        help::with_examples_below(Args::augment_subcommands(words))
    }

    fn run(&self, given: &ArgMatches, _: &World) -> anyhow::Result<Exit> {
        let mut out = Drawn(anstream::stdout().lock());
        let exit = match Args::from_arg_matches(given)? {
            Args::Install { module, place } => {
                install::install(module.as_deref(), &place, &mut out)?
            }
            Args::Status { pid: Some(pid), json, .. } => process::status(pid, json, &mut out)?,
            Args::Status { place, user, json, all, .. } => {
                status::status(&place, user.as_deref(), (json, all), &mut out)?
            }
            Args::Uninstall { place } => install::uninstall(&place, &mut out)?,
            Args::Prove { options } => {
                serde_json::to_writer(&mut out, &prove::prove(&options)?)?;
                Exit::Fine
            }
        };
        out.flush()?;
        Ok(exit)
    }
}
