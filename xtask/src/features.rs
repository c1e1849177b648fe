//! Whether the library can be had in parts: each cargo feature without the others, and some in a program without the
//! standard library.

use std::{collections::BTreeSet, fs, path::Path};

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::MetadataCommand;

use crate::{
    expect::expected_here,
    process::{self, SOON},
    sources,
};

/// Bytes of code and constants, at most, of a program that has AES-GCM and SHA-256 and nothing else.
const MOST: u64 = 288 << 10;

/// The same of one that has them of many messages too.
const MOST_MANY: u64 = 544 << 10;

/// The features of each change: one of each kind, and those that take many others. `cargo xtask deep` has all.
const OF_EACH_CHANGE: [&str; 6] = ["", "aes-gcm", "keys", "many", "random", "sha256"];

/// Builds some features of the library, each without the others, and runs the program without the standard library.
///
/// # Errors
/// Where one does not build without a warning, the program finds something wrong, or is larger than it may be.
pub fn some(root: &Path) -> Result<()> {
    let all = features(root)?;
    if let Some(unknown) = OF_EACH_CHANGE.iter().find(|name| !all.iter().any(|it| it == *name)) {
        bail!("the library has no feature \"{unknown}\"");
    }
    build_each(root, OF_EACH_CHANGE)?;
    bare(root, "", MOST)?;
    bare(root, "many", MOST_MANY)
}

/// Builds each feature of the library without the others.
///
/// # Errors
/// Where one does not build without a warning.
pub fn each(root: &Path) -> Result<()> {
    build_each(root, features(root)?)
}

fn build_each<T: AsRef<str>>(root: &Path, features: impl IntoIterator<Item = T>) -> Result<()> {
    for feature in features {
        let feature = feature.as_ref();
        let mut check = process::cargo();
        check.args(["check", "--quiet", "--package", "ropewalk", "--no-default-features"]);
        check.args(["--features", feature]).env("RUSTFLAGS", "-Dwarnings");
        process::run(check.current_dir(root).arg("--target-dir").arg(root.join("target/features")))
            .with_context(|| format!("with no feature but \"{feature}\""))?;
    }
    Ok(())
}

/// None, and each.
fn features(root: &Path) -> Result<Vec<String>> {
    let mut metadata = MetadataCommand::new();
    let metadata = metadata.no_deps().manifest_path(root.join("Cargo.toml")).exec()?;
    let library = metadata.packages.into_iter().find(|package| package.name.as_str() == "ropewalk");
    let features = library.context("there is no package called ropewalk")?.features;
    Ok([String::new()].into_iter().chain(features.into_keys()).collect())
}

/// Builds and runs the program without the standard library: it would not link if the library had it. By the
/// processor's own instruction it must find the backends that the operating system promises.
fn bare(root: &Path, feature: &str, most: u64) -> Result<()> {
    let mut build = process::cargo();
    build.args(["build", "--quiet", "--release", "--locked", "--manifest-path"]);
    build.arg(root.join("crates/ropewalk-bare/Cargo.toml"));
    build.args(["--features", feature, "--target-dir"]).arg(root.join("target/bare"));
    let program = process::executable(build.current_dir(root))?;
    let found = process::output(&mut process::program(&program), SOON)?;
    let found: BTreeSet<_> = found.lines().map(String::from).collect();
    let expected = expected(root, feature == "many")?;
    ensure!(found == expected, "found are {found:?}, and not {expected:?}");
    let bytes = fs::metadata(&program)?.len();
    let what = if feature.is_empty() { "one message" } else { "one message and many" };
    println!("AES-GCM and SHA-256 of {what}, without the standard library: {} KiB", bytes >> 10);
    ensure!(bytes <= most, "more than {} KiB", most >> 10);
    Ok(())
}

/// The backends that program must have here: of counter mode too, which is a part of AES-GCM.
fn expected(root: &Path, many: bool) -> Result<BTreeSet<String>> {
    let here = expected_here(root, &[])?;
    let mut lists = sources::lists(root)?;
    lists.retain(|list| ["aes_ctr", "aes_gcm", "sha256"].contains(&list.folder.as_str()));
    let backends = lists.into_iter().flat_map(|list| list.backends);
    let wanted =
        backends.filter(|backend| many || backend.lanes == "1").map(|backend| backend.name);
    Ok(wanted.filter(|name| here.contains(name)).collect())
}
