//! The test programs of this machine.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::process;

/// The tests of a package in this folder, built with the rest of the workspace. If cargo builds them separately, shared crates
/// have fewer features: everything is built again, and programs are replaced while other tests run them.
pub(crate) fn tests_here(root: &Path, package: &Path) -> Result<Vec<PathBuf>> {
    let mut cargo = process::cargo();
    cargo.args(["test", "--workspace", "--no-run"]).current_dir(root);
    let tests = process::executables(&mut cargo, |artifact| {
        artifact.profile.test && artifact.manifest_path.starts_with(package)
    })?;
    ensure!(!tests.is_empty(), "{} has no tests", package.display());
    Ok(tests)
}

/// The name of a test, whose program has a hash at its end.
pub(crate) fn name_of(program: &Path) -> String {
    let file = program.file_stem().unwrap_or_default().to_string_lossy();
    file.rsplit_once('-').map_or(&*file, |(name, _)| name).to_owned()
}
