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
    public,
    shipped::{self, Shipped},
    size,
    stage::{CannotRun, Stages, is_ci},
    tools::{Programs, Valgrind, compilers},
};

/// Emulated processors of each change; `cargo xtask deep` has all of them. They have AES instructions on 128 bits, or none, on
/// Arm64 and on x86-64, and NEON on 32-bit Arm.
const ARM: [(&str, &Mask, Cases); 3] = [
    ("cortex-a76", &NO_MASK, Cases::Sampled),
    ("cortex-a76", &NO_AES, Cases::Sampled),
    ("cortex-a7", &NO_MASK, Cases::OfBackends),
];
const X86: [(&str, &Mask, Cases); 2] =
    [("core2duo", &NO_MASK, Cases::Sampled), ("Westmere", &NO_MASK, Cases::Sampled)];

/// How long each target of `cargo xtask fuzz` runs.
const FUZZED: Duration = Duration::from_secs(20);

/// Runs every stage, or those that have one of the words in their names.
///
/// # Errors
/// Where a stage fails.
pub fn run(root: &Path, only: &[String]) -> Result<()> {
    let mut stages = Stages::only(only);
    stages.run("check", || check::run(root));
    stages.run("lints", || lints(root));
    // What the tests of the C library are compiled and run with.
    stages.run("compilers", || compilers().and_then(|()| Valgrind::get(root).map(drop)));
    // Compiling the library for a release takes one core, and many tests of the lab wait.
    stages.run_rows(|row| as_tests(row, root), |row| as_released(row, root));
    stages.finish()
}

/// What is compiled with the profile of the tests.
fn as_tests(stages: &mut Stages, root: &Path) {
    stages.run("native tests", || native_tests(root));
    stages.run("documentation", || documentation(root));
    stages.run("public names", || public::stays(root));
    stages.run("verdicts", || verdicts::run(root, false, None));
    emulated(stages, root, X86);
    let targets = fuzz::OF_EACH_CHANGE.map(str::to_owned);
    stages.run("fuzz", || fuzz::run(root, FUZZED, &targets));
}

/// What is compiled as for a release, or for another machine.
fn as_released(stages: &mut Stages, root: &Path) {
    stages.run("sizes", || size::run(root));
    stages.run("paths in the library", || shipped::names_no_path(root));
    stages.run("features", || features::some(root));
    ct::add_memcheck(stages, root, ct::LEVELS[0], "sample");
    ct::add_msan(stages, root, ct::LEVELS[0], "sample");
    ct::add_aes_options(stages, root);
    let emulators = emulated(stages, root, ARM);
    emulators.test_interfaces(stages, Model::named(ARM[0].0).expect("a model"), Cases::Sampled);
    ct::add_shipped(stages, root, "sample");
}

/// Runs the library's tests on a sample of emulated processors.
fn emulated<'a, const N: usize>(
    stages: &mut Stages,
    root: &'a Path,
    sample: [(&str, &Mask, Cases); N],
) -> Emulators<'a> {
    let sample =
        sample.map(|(name, mask, cases)| (Model::named(name).expect("a model"), mask, cases));
    let emulators = Emulators::new(root, &sample.map(|(model, ..)| model));
    for (model, mask, cases) in sample {
        emulators.test(stages, model, mask, cases);
    }
    emulators
}

/// The profile of the tests: build scripts of other packages run once for all stages.
const AS_TESTS: [&str; 2] = ["--profile", "test"];

fn lints(root: &Path) -> Result<()> {
    must_answer("clippy", process::cargo().args(["clippy", "--version"]))?;
    // Tests enable every feature; a user of the library may enable none.
    for what in [&["--workspace", "--all-targets"][..], &["--package", "ropewalk"]] {
        let mut clippy = process::cargo();
        clippy.arg("clippy").args(what).args(AS_TESTS).args(["--", "-D", "warnings"]);
        process::run(clippy.current_dir(root))?;
    }
    Ok(())
}

fn documentation(root: &Path) -> Result<()> {
    must_answer("rustdoc", process::program("rustdoc").arg("--version"))?;
    let mut doc = process::cargo();
    doc.args(["doc", "--workspace", "--no-deps", "--features", "ropewalk/rustcrypto"])
        .args(AS_TESTS);
    doc.env("RUSTDOCFLAGS", "-Dwarnings");
    process::run(doc.current_dir(root))
}

fn native_tests(root: &Path) -> Result<()> {
    let test = || {
        let mut cargo = process::cargo();
        cargo.args(["test", "--workspace", "--no-fail-fast"]).current_dir(root);
        cargo
    };
    process::run(test().arg("--no-run"))?;
    let mut tests = test();
    expect(&mut tests, &expected_here(root, &[])?);
    match Programs::get(root) {
        Ok(programs) => programs.lend(&mut tests)?,
        // Tests leave out what they cannot run.
        Err(error) if error.is::<CannotRun>() && !is_ci() => println!("{error}"),
        Err(error) => return Err(error),
    }
    // The C library as it is shipped: the tests would build it, and all that it needs, once more.
    tests.env("ROPEWALK_C_LIBRARY", Shipped::build(root)?.c_library);
    process::run_tests(&mut tests)
}
