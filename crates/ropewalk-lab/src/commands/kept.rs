//! The options that keep a run, and how commands find and read a kept one.

use std::{
    ffi::OsStr,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::Usage;
use crate::{
    filename::shown,
    runs::{Run, kept, light},
    stdio,
};

/// Where a run is kept, besides `--json`.
#[derive(Debug, clap::Args)]
pub(super) struct Keep {
    /// Keeps the measurements under this name, for `ropewalk compare`
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    /// Replaces what is kept under that name
    #[arg(long, requires = "save")]
    replace: bool,
}

impl Keep {
    /// The file, which must not exist unless it is to be replaced. Its folder exists.
    pub(super) fn place(&self) -> Result<Option<PathBuf>> {
        let Some(name) = &self.save else { return Ok(None) };
        kept::plain(name).map_err(|why| Usage(format!("--save: {why}")))?;
        let path = kept::path(name)?;
        if path.exists() && !self.replace {
            let there = shown(&path);
            return Err(Usage(format!(
                "--save: a run is kept as `{name}` already ({there}); --replace replaces it"
            ))
            .into());
        }
        let folder = kept::folder()?;
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", shown(&folder)))?;
        Ok(Some(path))
    }
}

/// Prints the file of a run to standard error, separate from the results.
pub(super) fn say(path: &Path) {
    stdio::say(format_args!("kept as {}: {}", kept::name(path), shown(path)));
}

/// The file or folder of a run. The name of a kept run precedes a file of that name in the current folder.
pub(super) fn place(word: &OsStr) -> Result<PathBuf, Usage> {
    kept::find(word).map_err(Usage)
}

/// Reads a run, and reports its invalid lines.
pub(super) fn read(path: &Path) -> Result<Run> {
    let run = Run::read(path)?;
    const SHOWN: usize = 10;
    let mut stderr = anstream::stderr().lock();
    let path = light::rows(path);
    for (line, why) in run.damaged.iter().take(SHOWN) {
        let _: io::Result<()> = writeln!(stderr, "{}, line {line}: {why}", shown(&path));
    }
    if let Some(more) = run.damaged.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        let _: io::Result<()> = writeln!(stderr, "{}: {more} more such lines", shown(&path));
    }
    Ok(run)
}
