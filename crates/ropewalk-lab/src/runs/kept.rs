//! Runs that are kept by name, in the user's data folder.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use etcetera::BaseStrategy;

use crate::{filename::shown, names};

const ENDING: &str = ".jsonl";

/// The folder of the runs.
///
/// # Errors
/// If the user has no data folder.
pub fn folder() -> Result<PathBuf> {
    let home = etcetera::choose_base_strategy().context("there is no folder of the user's")?;
    Ok(home.data_dir().join("ropewalk/runs"))
}

/// The file of a run of that name, whether it exists or not.
///
/// # Errors
/// As [`folder`].
pub fn path(name: &str) -> Result<PathBuf> {
    Ok(folder()?.join(format!("{name}{ENDING}")))
}

/// The name of the run in a file.
pub fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(ENDING).unwrap_or(&name).to_owned()
}

/// The names and files of all kept runs, in order.
///
/// # Errors
/// If the folder exists and cannot be read, and as [`folder`].
pub fn all() -> Result<Vec<(String, PathBuf)>> {
    let folder = folder()?;
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(e).with_context(|| format!("cannot read {}", shown(&folder))),
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let named = paths.filter_map(|path| {
        let name = path.file_name()?.to_str()?.strip_suffix(ENDING)?.to_owned();
        // A run that was killed leaves a file whose name begins with a dot.
        plain(&name).ok().map(|()| (name, path))
    });
    let mut all: Vec<_> = named.collect();
    all.sort();
    Ok(all)
}

/// The file or folder of a run. The name of a kept run precedes a file of that name in the current folder.
///
/// # Errors
/// If there is neither, in one line with the nearest names.
pub fn find(word: &OsStr) -> Result<PathBuf, String> {
    let all = all().unwrap_or_default();
    if let Some((_, path)) = all.iter().find(|(name, _)| word == name.as_str()) {
        return Ok(path.clone());
    }
    let (path, bytes) = (Path::new(word), word.as_bytes());
    if bytes.contains(&b'/') || bytes.ends_with(ENDING.as_bytes()) || path.exists() {
        return Ok(path.to_owned());
    }
    let word = &shown(word);
    Err(match all.is_empty() {
        true => format!("no run is kept as `{word}`, nor any other: speed --save {word} keeps one"),
        false => names::unknown("kept run", word, all.iter().map(|(name, _)| name.as_str())),
    })
}

/// Checks a name, which must be a valid file name on every system, and not an option.
///
/// # Errors
/// If it is not, in one line.
pub fn plain(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    match name.chars().all(plain)
        && !name.starts_with(['-', '.'])
        && (1..=100).contains(&name.len())
    {
        true => Ok(()),
        false => Err(format!(
            "`{}` is no name: letters, digits, - _ and . in it, and no - or . first",
            name.escape_debug()
        )),
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
            let why = plain(name).err().unwrap_or_else(|| panic!("{name} is accepted"));
            assert!(!why.contains('\n'), "{why}");
        }
    }
}
