//! Runs that are kept under a name, in the user's data folder.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use etcetera::BaseStrategy;

use super::Usage;
use crate::{filename::shown, stdio};

/// Where a run goes beside `--json`.
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
    /// The file, which is not there unless it is to be replaced. Its folder is.
    pub(super) fn place(&self) -> Result<Option<PathBuf>> {
        let Some(name) = &self.save else { return Ok(None) };
        plain(name).map_err(|Usage(why)| Usage(format!("--save: {why}")))?;
        let path = path(name)?;
        if path.exists() && !self.replace {
            let there = shown(&path);
            return Err(Usage(format!(
                "--save: a run is kept as `{name}` already ({there}); --replace replaces it"
            ))
            .into());
        }
        let folder = folder()?;
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", shown(&folder)))?;
        Ok(Some(path))
    }
}

/// Where the runs are.
pub(super) fn folder() -> Result<PathBuf> {
    let home = etcetera::choose_base_strategy().context("there is no folder of the user's")?;
    Ok(home.data_dir().join("ropewalk/runs"))
}

/// Where a run of that name is, or would be.
pub(super) fn path(name: &str) -> Result<PathBuf> {
    Ok(folder()?.join(format!("{name}{ENDING}")))
}

/// The names and files of all that are kept, in order.
pub(super) fn all() -> Result<Vec<(String, PathBuf)>> {
    let folder = folder()?;
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(e).with_context(|| format!("cannot read {}", shown(&folder))),
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let named = paths.filter_map(|path| {
        let name = path.file_name()?.to_str()?.strip_suffix(ENDING)?.to_owned();
        // What a run that was killed has left begins with a dot.
        plain(&name).ok().map(|()| (name, path))
    });
    let mut all: Vec<_> = named.collect();
    all.sort();
    Ok(all)
}

/// Says where a run lies, where it does not mix with results.
pub(super) fn say(path: &Path) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(ENDING).unwrap_or(&name);
    stdio::say(format_args!("kept as {name}: {}", shown(path)));
}

const ENDING: &str = ".jsonl";

/// A name is a file on every system, and no option.
fn plain(name: &str) -> Result<(), Usage> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    match name.chars().all(plain)
        && !name.starts_with(['-', '.'])
        && (1..=100).contains(&name.len())
    {
        true => Ok(()),
        false => Err(Usage(format!(
            "`{}` is no name: letters, digits, - _ and . in it, and no - or . first",
            name.escape_debug()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        for name in ["before", "zen4-2026.1_b", "0"] {
            assert!(plain(name).is_ok(), "{name}");
        }
        let long = "a".repeat(101);
        for name in ["", ".", "..", "../up", "a/b", "a b", "-x", ".x", "ä", "a\nb", &long] {
            let Usage(why) = plain(name).err().unwrap_or_else(|| panic!("{name} is accepted"));
            assert!(!why.contains('\n'), "{why}");
        }
    }
}
