//! What a benchmark tool is.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::Result;

use super::{
    alone::{self, TIMED},
    place::Place,
};
use crate::process::program;

/// A benchmark tool that comes with a library.
pub(super) trait Tool {
    /// Its name for users: `bssl speed`.
    fn name(&self) -> &'static str;

    /// Its rows. Rows with the same command line follow each other, since it runs once.
    fn rows(&self) -> &'static [Row];

    /// Finds, fetches or builds it.
    fn get(&self, place: &Place) -> Result<Ready>;

    /// The figures that it prints for a command line.
    fn run(&self, ready: &Ready, ask: &str, seconds: u32) -> Result<Vec<Said>>;
}

/// A row of a tool, and of the lab.
pub(super) struct Row {
    /// The words that the tool is started with, or what it makes them of.
    pub(super) ask: &'static str,
    /// What it calls the row in its output.
    pub(super) label: &'static str,
    /// The task of the lab.
    pub(super) task: &'static str,
    /// What of a message the tool times, and so the lab.
    pub(super) mode: Mode,
    /// The part of the library that serves in the lab, where it is not the library's choice: `provider=default`.
    pub(super) by: &'static str,
    /// The lengths of its messages.
    pub(super) lengths: &'static [usize],
    /// Why the two do not do the same, where they do not.
    pub(super) why: &'static str,
}

pub(super) const fn row(
    ask: &'static str,
    label: &'static str,
    task: &'static str,
    mode: Mode,
) -> Row {
    let lengths = match mode {
        Mode::Slope => &[EACH],
        _ => BYTES,
    };
    Row { ask, label, task, mode, by: "", lengths, why: "" }
}

impl Row {
    pub(super) const fn but(self, why: &'static str) -> Self {
        Self { why, ..self }
    }

    pub(super) const fn by(self, by: &'static str) -> Self {
        Self { by, ..self }
    }

    pub(super) const fn at(self, lengths: &'static [usize]) -> Self {
        Self { lengths, ..self }
    }
}

/// What of a message is timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// The whole of it.
    Message,
    /// An update in the middle of a long one.
    Stream,
    /// The whole of it, with a new key; of a hash function, with a new context.
    Setup,
    /// What each byte adds to the whole of it.
    Slope,
}

/// Stands for the length of a slope, which has none.
pub(super) const EACH: usize = 0;

impl Mode {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Stream => "stream",
            Self::Setup => "setup",
            Self::Slope => "slope",
        }
    }
}

/// Lengths that all tools can be asked for.
pub(super) const BYTES: &[usize] = &[1024, 16384];

/// One figure of a tool.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    pub(super) label: String,
    /// [`EACH`] of a slope.
    pub(super) bytes: usize,
    /// Bytes a second.
    pub(super) rate: f64,
}

/// A tool that is there, and its library.
pub(super) struct Ready {
    pub(super) program: PathBuf,
    /// Where its libraries lie, if not where the system looks.
    pub(super) libraries: Vec<PathBuf>,
    /// The loader of the C library that they need, if not the system's.
    pub(super) loader: Option<PathBuf>,
    /// The peer of the lab that loads the library.
    pub(super) peer: &'static str,
    /// The very library that the tool is linked to.
    pub(super) library: PathBuf,
    /// The core it runs on, where the lab has its workers.
    pub(super) core: usize,
}

/// The longest that a tool takes for a question.
const LIMIT: Duration = Duration::from_secs(300);

impl Ready {
    /// The tool on its core; words follow.
    fn command(&self) -> Result<Command> {
        let libraries = std::env::join_paths(&self.libraries)?;
        let mut command = program("taskset");
        command.arg("-c").arg(self.core.to_string()).args(TIMED);
        match &self.loader {
            Some(loader) => command.arg(loader).arg("--library-path").arg(&libraries),
            None => command.env("LD_LIBRARY_PATH", &libraries),
        };
        command.arg(&self.program).env("LC_ALL", "C");
        Ok(command)
    }

    /// What it prints to these words.
    pub(super) fn output(&self, words: &[&str]) -> Result<String> {
        let command = || {
            let mut command = self.command()?;
            command.args(words);
            Ok(command)
        };
        alone::output(command, LIMIT)
    }

    /// Whether the library is this file, as the lab calls it: from where it runs, or whole.
    pub(super) fn is_library(&self, file: &str) -> bool {
        let file = Path::new(file);
        self.library.ends_with(file)
            || std::fs::canonicalize(file).is_ok_and(|file| file == self.library)
    }
}
