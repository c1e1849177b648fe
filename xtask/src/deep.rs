//! `cargo xtask deep`: what takes too long for each change.

use std::{cell::LazyCell, path::Path};

use anyhow::Result;

use crate::{
    expect::{self, MODELS, Model},
    process,
    stage::{CannotRun, Stages},
    test::{arm_tests, expect},
    tools::{Arm, Qemu},
};

/// Runs every stage.
///
/// # Errors
/// Where a stage fails.
pub fn run(root: &Path) -> Result<()> {
    let arm = LazyCell::new(|| Ok((Arm::get(root)?, Qemu::get(root, &models("aarch64"))?)));
    let x86 = LazyCell::new(|| Qemu::get(root, &models("x86_64")));
    let mut stages = Stages::new();
    stages.run("every test here", || every_test_here(root));
    for model in models("aarch64") {
        stages.run(&format!("tests on {}", model.name), || {
            let (arm, qemu) = got(&arm)?;
            let mut cargo = arm.cargo(qemu, model);
            expect(&mut cargo, &model.expected(root));
            arm_tests(&mut cargo, root)
        });
    }
    for model in models("x86_64") {
        stages.run(&format!("tests on {}", model.name), || tests_on_x86(root, got(&x86)?, model));
    }
    stages.finish()
}

fn every_test_here(root: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    expect(&mut cargo, &expect::expected_here(root)?);
    cargo.args(["test", "--workspace", "--release", "--", "--include-ignored"]);
    process::run(cargo.current_dir(root))
}

fn tests_on_x86(root: &Path, qemu: &Qemu, model: &Model) -> Result<()> {
    if std::env::consts::ARCH != "x86_64" {
        return Err(CannotRun("these are the tests of an x86-64 machine".into()).into());
    }
    let mut cargo = process::cargo();
    expect(&mut cargo, &model.expected(root));
    cargo
        .args(["test", "--package", "ropewalk"])
        .env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", qemu.runner(model, None));
    process::run(cargo.current_dir(root))
}

/// A tool that several stages share, and that was looked for once.
fn got<T>(tool: &Result<T>) -> Result<&T> {
    tool.as_ref().map_err(|error| CannotRun(format!("{error:#}")).into())
}

fn models(arch: &str) -> Vec<&'static Model> {
    MODELS.iter().filter(|model| model.arch == arch).collect()
}
