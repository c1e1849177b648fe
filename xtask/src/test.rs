//! `cargo xtask test`: what every change must pass.

use std::{path::Path, process::Command};

use anyhow::{Context, Result};

use crate::{
    check,
    expect::{self, Model},
    process::{self, must_answer},
    stage::Stages,
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
    stages.run("native tests", || native_tests(root));
    stages.run("Arm64 tests", || emulated_tests(root));
    stages.finish()
}

/// Says which backends are expected, and tells the library's tests.
pub fn expect(cargo: &mut Command, expected: &[&str]) {
    println!("expects {}", expected.join(", "));
    cargo.env("ROPEWALK_EXPECT", expected.join(","));
}

/// Runs the library's tests with a cargo for Arm64.
pub fn arm_tests(cargo: &mut Command, root: &Path) -> Result<()> {
    cargo.args(["test", "--package", "ropewalk", "--target-dir", "target/arm"]);
    process::run(cargo.current_dir(root))
}

fn lints(root: &Path) -> Result<()> {
    must_answer("clippy", process::cargo().args(["clippy", "--version"]))?;
    let mut clippy = process::cargo();
    clippy.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    process::run(clippy.current_dir(root))
}

fn documentation(root: &Path) -> Result<()> {
    must_answer("rustdoc", process::program("rustdoc").arg("--version"))?;
    let mut doc = process::cargo();
    doc.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-Dwarnings");
    process::run(doc.current_dir(root))
}

fn native_tests(root: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    expect(&mut cargo, &expect::expected_here(root)?);
    process::run(cargo.args(["test", "--workspace"]).current_dir(root))
}

fn emulated_tests(root: &Path) -> Result<()> {
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
