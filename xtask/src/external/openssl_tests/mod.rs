//! `cargo xtask openssl-tests`: OpenSSL's own `evp_test`, with the files of tests that come with it, through our provider.
//!
//! Each file is run with OpenSSL's providers alone and with ours before them. What fails with both is not ours; what fails
//! with ours alone is, and so is a file of our algorithms that has not called us. Programs of ours ask for what
//! those files do not: many records at once, and calls in any order.

pub(crate) mod built;
mod evp_test;
mod judged;
mod known;
mod packaged;
mod programs;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::{process, stage::Stages, tools::Cache};
use built::{OPENSSLS, OpenSsl};
pub(crate) use evp_test::configuration;
use evp_test::{Calls, Failure};
use judged::Judged;

/// Fetches, builds and runs all of it.
///
/// # Errors
/// Fails where a test fails unexpectedly, or nothing can be fetched.
pub fn run(root: &Path, fresh: bool) -> Result<()> {
    let folder = cache_folder(root);
    if fresh && folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    let mut stages = Stages::new();
    each_version(root, &mut stages);
    stages.finish()
}

/// The stages of it, one for each version of OpenSSL that is built, and one for a version between them.
pub(crate) fn each_version(root: &Path, stages: &mut Stages) {
    for openssl in OPENSSLS {
        stages.run(&format!("evp_test of OpenSSL {}", openssl.name), || version(root, openssl));
    }
    stages.run(packaged::NAME, || packaged::run(root, &Cache::at(cache_folder(root))?));
}

fn cache_folder(root: &Path) -> PathBuf {
    root.join("target/openssl-tests")
}

fn version(root: &Path, openssl: &OpenSsl) -> Result<()> {
    let built = openssl.get(&Cache::at(cache_folder(root))?)?;
    let provider = provider(root)?;
    println!("OpenSSL {}, beside {}", built.version, provider.display());
    let folder = tempfile::tempdir()?;
    let written = |name: &str, module: Option<&Path>| {
        let file = folder.path().join(name);
        fs::write(&file, configuration(module)).map(|()| file)
    };
    let [theirs, ours] = [written("theirs.cnf", None)?, written("ours.cnf", Some(&provider))?];
    programs::run(root, openssl, &built, &ours)?;
    let mut calls = Calls::new();
    let mut files = Vec::new();
    for file in &built.data {
        let theirs = evp_test::run(&built, &theirs, file)?;
        let ours = evp_test::run(&built, &ours, file)?;
        for (name, count) in &ours.calls {
            *calls.entry(name.clone()).or_default() += count;
        }
        files.push(Judged::new(file, &theirs, &ours)?);
    }
    print(openssl, &files);
    let wrong = complaints(openssl, &files, &calls);
    wrong.iter().for_each(|complaint| println!("WRONG: {complaint}"));
    match wrong.len() {
        0 => Ok(()),
        1 => bail!("1 complaint"),
        count => bail!("{count} complaints"),
    }
}

/// Everything unexpected, one line each.
fn complaints(openssl: &OpenSsl, files: &[Judged], calls: &Calls) -> Vec<String> {
    let failures = files.iter().flat_map(|file| {
        let unknown = file.ours.iter().filter(|failure| reason(openssl, file, failure).is_none());
        unknown.map(|failure| format!("{} {failure}", file.name))
    });
    let uncalled = files.iter().filter(|file| file.should_call && file.calls == 0);
    let uncalled = uncalled.map(|file| {
        format!("{} has ciphers or digests of ours, and has not called them", file.name)
    });
    let listed = |name: &str| known::UNTESTED.iter().any(|(untested, _)| *untested == name);
    let untested = calls.iter().filter_map(|(name, &count)| match (count, listed(name)) {
        (0, false) => Some(format!("no file has called {name}")),
        (1.., true) => Some(format!("{name} is listed as called by no file, and was called")),
        _ => None,
    });
    let untrue = known::untrue(known::FAILURES, openssl.name, files);
    failures.chain(uncalled).chain(untested).chain(untrue).collect()
}

fn reason(openssl: &OpenSsl, file: &Judged, failure: &Failure) -> Option<&'static str> {
    known::reason(known::FAILURES, openssl.name, &file.name, failure.line)
}

/// The table of the files that called the provider or failed, with the known reasons.
fn print(openssl: &OpenSsl, files: &[Judged]) {
    let shown = |file: &&Judged| file.calls > 0 || !(file.ours.is_empty() && file.both.is_empty());
    let width = files.iter().map(|file| file.name.len()).max().unwrap_or(0);
    println!(
        "\n{:width$}  {:>6}  {:>7}  {:>8}  {:>14}",
        "file", "tests", "skipped", "failures", "calls of ours"
    );
    let row = |name: &str, files: &[&Judged]| {
        let sum = |of: fn(&Judged) -> u64| files.iter().map(|file| of(file)).sum::<u64>();
        let (tests, skipped) = (sum(|file| file.tests), sum(|file| file.skipped));
        let failures = sum(|file| (file.ours.len() + file.both.len()) as u64);
        let calls = sum(|file| file.calls);
        println!("{name:width$}  {tests:>6}  {skipped:>7}  {failures:>8}  {calls:>14}");
    };
    let (with, without): (Vec<_>, Vec<_>) = files.iter().partition(shown);
    with.iter().for_each(|file| row(&file.name, &[file]));
    row(&format!("{} others", without.len()), &without);
    row("all", &files.iter().collect::<Vec<_>>());
    println!();
    for file in files {
        for failure in &file.both {
            println!("not ours: {} {failure}, with OpenSSL's own too", file.name);
        }
        for failure in &file.ours {
            if let Some(reason) = reason(openssl, file, failure) {
                println!("on purpose: {} {failure}: {reason}", file.name);
            }
        }
    }
    for (name, reason) in known::UNTESTED {
        println!("called by no file: {name}: {reason}");
    }
}

/// The module, as it is installed.
pub(crate) fn provider(root: &Path) -> Result<PathBuf> {
    let mut build = process::cargo();
    build.args(["build", "--release", "--package", "ropewalk-openssl"]).current_dir(root);
    let files = process::files(&mut build)?;
    let is_module = |file: &PathBuf| {
        file.extension().is_some_and(|extension| extension == "so")
            && file.file_stem().is_some_and(|stem| stem == "libropewalk_openssl")
    };
    files.into_iter().find(is_module).context("cargo built no module of ropewalk-openssl")
}
