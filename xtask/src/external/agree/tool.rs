//! The interface of a benchmark tool.

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
    /// Its name in reports: `bssl speed`.
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
    /// The arguments of the tool, or their source.
    pub(super) ask: &'static str,
    /// The name of the row in its output.
    pub(super) label: &'static str,
    /// The task of the lab.
    pub(super) task: &'static str,
    /// The part of a message that the tool times, and so the lab.
    pub(super) mode: Mode,
    /// The implementation within the library that the lab selects, if it is not the default: `provider=default`.
    pub(super) by: &'static str,
    /// The lengths of its messages.
    pub(super) lengths: &'static [usize],
    /// Why the tool and the lab measure different work, if they do.
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

/// The timed part of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// The whole message.
    Message,
    /// An update in the middle of a long one.
    Stream,
    /// The whole message, with a new key; for a hash function, with a new context.
    Setup,
    /// The cost of each further byte.
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

/// Lengths that all tools support.
pub(super) const BYTES: &[usize] = &[1024, 16384];

/// One figure of a tool.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    pub(super) label: String,
    /// [`EACH`] for a slope.
    pub(super) bytes: usize,
    /// Bytes per second.
    pub(super) rate: f64,
}

/// A tool that is ready, and its library.
pub(super) struct Ready {
    pub(super) program: PathBuf,
    /// The folders of its libraries, if the system does not search them.
    pub(super) libraries: Vec<PathBuf>,
    /// The loader of the C library that they need, if it is not the system's.
    pub(super) loader: Option<PathBuf>,
    /// The peer of the lab that loads the library.
    pub(super) peer: &'static str,
    /// The exact library that the tool is linked to.
    pub(super) library: PathBuf,
    /// The core of the tool and of the lab's workers.
    pub(super) core: usize,
}

/// The time limit of a run.
const LIMIT: Duration = Duration::from_secs(300);

impl Ready {
    /// The tool on its core; arguments follow.
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

    /// Its output for these arguments.
    pub(super) fn output(&self, words: &[&str]) -> Result<String> {
        let command = || {
            let mut command = self.command()?;
            command.args(words);
            Ok(command)
        };
        alone::output(command, LIMIT)
    }

    /// Whether the library is this file, by a path relative to the lab's folder or an absolute one.
    pub(super) fn is_library(&self, file: &str) -> bool {
        let file = Path::new(file);
        self.library.ends_with(file)
            || std::fs::canonicalize(file).is_ok_and(|file| file == self.library)
    }
}
