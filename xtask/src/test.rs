//! `cargo xtask test`: what every change must pass.

use std::{path::Path, time::Duration};

use anyhow::Result;

use crate::{
    check, ct,
    emulated::{Cases, Emulators, expect},
    expect::{Mask, Model, NO_AES, NO_MASK, expected_here},
    external::verdicts,
    features, fuzz,
    process::{self, must_answer},
    public, shipped, size,
    stage::{CannotRun, Stages, is_ci},
    tools::{Programs, Valgrind, compilers},
};

/// Processors that stand for all that `cargo xtask deep` goes through: with AES instructions on 128 bits
/// and without any, on Arm64 and on x86-64.
const SAMPLE: [(&str, &Mask); 4] = [
    ("cortex-a76", &NO_MASK),
    ("cortex-a76", &NO_AES),
    ("core2duo", &NO_MASK),
    ("Westmere", &NO_MASK),
];

/// How long sequences that no test lists are tried, of each kind.
const FUZZED: Duration = Duration::from_secs(20);

/// Runs every stage, or those that have one of the words in their names.
///
/// # Errors
/// Where a stage fails.
pub fn run(root: &Path, only: &[String]) -> Result<()> {
    let mut stages = Stages::only(only);
    stages.run("check", || check::run(root));
    stages.run("lints", || lints(root));
    stages.run("documentation", || documentation(root));
    stages.run("public names", || public::stays(root));
    stages.run("features", || features::run(root));
    // What tests of the C library are compiled and watched with.
    stages.run("compilers", || compilers().and_then(|()| Valgrind::get(root).map(drop)));
    stages.run("native tests", || native_tests(root));
    // What is fetched takes its time, and little else.
    stages
        .run_both(("verdicts", || verdicts::run(root, false, None)), ("sizes", || size::run(root)));
    stages.run("paths in the library", || shipped::names_no_path(root));
    ct::add_shipped(&mut stages, root, "sample");
    let targets = fuzz::OF_EACH_CHANGE.map(str::to_owned);
    stages.run("fuzz", || fuzz::run(root, FUZZED, &targets));
    ct::add(&mut stages, root, ct::LEVELS[0]);
    let sample = SAMPLE.map(|(name, mask)| (Model::named(name).expect("a model"), mask));
    let emulators = Emulators::new(root, &sample.map(|(model, _)| model));
    for (model, mask) in sample {
        emulators.test(&mut stages, model, mask, Cases::Sampled);
    }
    let (arm, _) = sample[0];
    emulators.test_interfaces(&mut stages, arm, Cases::Sampled);
    stages.finish()
}

fn lints(root: &Path) -> Result<()> {
    must_answer("clippy", process::cargo().args(["clippy", "--version"]))?;
    // Tests enable every feature; a user of the library may enable none.
    for what in [&["--workspace", "--all-targets"][..], &["--package", "ropewalk"]] {
        let mut clippy = process::cargo();
        clippy.arg("clippy").args(what).args(["--", "-D", "warnings"]);
        process::run(clippy.current_dir(root))?;
    }
    Ok(())
}

fn documentation(root: &Path) -> Result<()> {
    must_answer("rustdoc", process::program("rustdoc").arg("--version"))?;
    let mut doc = process::cargo();
    doc.args(["doc", "--workspace", "--no-deps", "--features", "ropewalk/rustcrypto"]);
    doc.env("RUSTDOCFLAGS", "-Dwarnings");
    process::run(doc.current_dir(root))
}

fn native_tests(root: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    expect(&mut cargo, &expected_here(root, &[])?);
    match Programs::get(root) {
        Ok(programs) => programs.lend(&mut cargo)?,
        // Tests leave out what they cannot run.
        Err(error) if error.is::<CannotRun>() && !is_ci() => println!("{error}"),
        Err(error) => return Err(error),
    }
    // All that is wrong is said at once.
    process::run_tests(cargo.args(["test", "--workspace", "--no-fail-fast"]).current_dir(root))
}
