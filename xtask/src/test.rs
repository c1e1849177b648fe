//! `cargo xtask test`: what every change must pass.

use std::{path::Path, process::Command};

use anyhow::{Context, Result};

use crate::{
    check,
    expect::{self, Model},
    process,
    stage::{CannotRun, Stages},
    tools::{Arm, Qemu},
};

/// Runs every stage.
///
/// # Errors
/// Where a stage fails.
pub fn run(root: &Path) -> Result<()> {
    let mut stages = Stages::new();
    stages.run("check", || check::run(root));
    stages.run("lints", || lints(root));
    stages.run("documentation", || documentation(root));
    stages.run("tests here", || tests_here(root));
    stages.run("tests on Arm64", || tests_on_arm(root));
    stages.finish()
}

/// The environment variable by which the library's tests learn what must be there.
pub const EXPECT: &str = "ROPEWALK_EXPECT";

/// Says what is expected, and tells the tests.
pub fn expect(cargo: &mut Command, expected: &[&str]) {
    println!("expects {}", expected.join(", "));
    cargo.env(EXPECT, expected.join(","));
}

fn lints(root: &Path) -> Result<()> {
    component("clippy", &["clippy", "--version"])?;
    let mut clippy = process::cargo();
    clippy.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    process::run(clippy.current_dir(root))
}

fn documentation(root: &Path) -> Result<()> {
    let mut doc = process::cargo();
    doc.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-Dwarnings");
    process::run(doc.current_dir(root))
}

fn tests_here(root: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    expect(&mut cargo, &expect::expected_here(root)?);
    process::run(cargo.args(["test", "--workspace"]).current_dir(root))
}

fn tests_on_arm(root: &Path) -> Result<()> {
    if std::env::consts::ARCH == "aarch64" {
        println!("this machine is one, and has run them");
        return Ok(());
    }
    let model = Model::named("cortex-a76").context("not in the table of models")?;
    let qemu = Qemu::get(root, &[model])?;
    let mut cargo = Arm::get(root)?.cargo(&qemu, model);
    expect(&mut cargo, &model.expected(root));
    // Under the emulator, tests take fewer cases.
    cargo.env("ROPEWALK_SAMPLE", "1");
    arm_tests(&mut cargo, root)
}

/// Runs the library's tests with a cargo for Arm64.
pub fn arm_tests(cargo: &mut Command, root: &Path) -> Result<()> {
    cargo.args(["test", "--package", "ropewalk", "--target-dir", "target/arm"]);
    process::run(cargo.current_dir(root))
}

fn component(name: &str, question: &[&str]) -> Result<()> {
    let answer = process::output(process::cargo().args(question), process::SOON);
    let missing = || CannotRun(format!("{name} is missing: run `rustup component add {name}`"));
    Ok(answer.map(drop).map_err(|_| missing())?)
}
