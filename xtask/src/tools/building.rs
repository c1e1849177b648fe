//! The programs that a build needs, and the files that it leaves.

use std::{fs, path::Path};

use anyhow::Result;

use crate::{
    process::{self, SOON, program},
    stage::CannotRun,
};

/// Checks that a program answers a question such as `--version`.
///
/// # Errors
/// [`CannotRun`] if it does not.
pub(crate) fn must_be_here(name: &str, question: &str) -> Result<()> {
    let advice = || CannotRun(format!("{name} is missing: install it"));
    Ok(process::output(program(name).arg(question), SOON).map(drop).map_err(|_| advice())?)
}

/// Removes everything else from a folder: a build is a hundred times larger than its result.
pub(crate) fn keep_only(folder: &Path, kept: &str) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() == kept {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}
