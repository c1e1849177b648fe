//! `ropewalk completions` and `ropewalk man`: for shells and for `man`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{ArgMatches, Args, FromArgMatches};
use clap_complete::Shell;

use super::{Command, Exit, World, words};
use crate::filename::shown;

/// `completions`.
pub(super) struct Completions;

#[derive(Debug, Args)]
#[group(id = "completions-options")]
struct ForShell {
    /// bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

impl Command for Completions {
    fn words(&self) -> clap::Command {
        ForShell::augment_args(clap::Command::new("completions"))
            .about("Prints completions of this command for a shell")
    }

    fn run(&self, given: &ArgMatches, _: &World) -> Result<Exit> {
        let ForShell { shell } = ForShell::from_arg_matches(given)?;
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut words(), "ropewalk", &mut text);
        std::io::Write::write_all(&mut std::io::stdout().lock(), &text)?;
        Ok(Exit::Fine)
    }
}

/// `man`.
pub(super) struct Man;

#[derive(Debug, Args)]
#[group(id = "man-options")]
struct Folder {
    /// A folder, which is made where there is none
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Command for Man {
    fn words(&self) -> clap::Command {
        Folder::augment_args(clap::Command::new("man"))
            .about("Writes a manual page for each command")
    }

    fn run(&self, given: &ArgMatches, _: &World) -> Result<Exit> {
        let Folder { folder } = Folder::from_arg_matches(given)?;
        let cannot = || format!("cannot write manual pages to {}", shown(&folder));
        std::fs::create_dir_all(&folder).with_context(cannot)?;
        clap_mangen::generate_to(words(), &folder).with_context(cannot)?;
        Ok(Exit::Fine)
    }
}
