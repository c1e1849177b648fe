//! Whether the library can be had in parts: each cargo feature alone, and some in a program without the
//! standard library.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};
use cargo_metadata::MetadataCommand;

use crate::process::{self, SOON};

/// Code and constants, at most, of a program that has AES-GCM and SHA-256 and nothing else. The README says so.
const MOST: u64 = 720 << 10;

/// Builds each feature of the library alone, and tries the program without the standard library.
///
/// # Errors
/// Where one does not build without a warning, the program finds something wrong, or is larger than it may be.
pub fn run(root: &Path) -> Result<()> {
    for feature in features(root)? {
        let mut check = process::cargo();
        check.args(["check", "--quiet", "--package", "ropewalk", "--no-default-features"]);
        check.args(["--features", &feature]).env("RUSTFLAGS", "-Dwarnings");
        process::run(check.current_dir(root).arg("--target-dir").arg(root.join("target/features")))
            .with_context(|| format!("with the feature \"{feature}\" alone"))?;
    }
    bare(root)
}

/// None, and each.
fn features(root: &Path) -> Result<Vec<String>> {
    let mut metadata = MetadataCommand::new();
    let metadata = metadata.no_deps().manifest_path(root.join("Cargo.toml")).exec()?;
    let library = metadata.packages.into_iter().find(|package| package.name.as_str() == "ropewalk");
    let features = library.context("there is no package called ropewalk")?.features;
    Ok([String::new()].into_iter().chain(features.into_keys()).collect())
}

/// Builds and runs the program without the standard library: it would not link if the library had it.
fn bare(root: &Path) -> Result<()> {
    let mut build = process::cargo();
    build.args(["build", "--quiet", "--release", "--locked", "--manifest-path"]);
    build.arg(root.join("crates/ropewalk-bare/Cargo.toml"));
    build.arg("--target-dir").arg(root.join("target/bare"));
    let program = process::executable(build.current_dir(root))?;
    process::output(&mut process::program(&program), SOON)?;
    let bytes = fs::metadata(&program)?.len();
    println!("AES-GCM and SHA-256 without the standard library: {} KiB", bytes >> 10);
    ensure!(bytes <= MOST, "more than {} KiB", MOST >> 10);
    Ok(())
}
