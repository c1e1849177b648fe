//! `cargo xtask deep`: what takes too long for each change.

use std::path::Path;

use anyhow::Result;

use crate::{
    expect::{self, MODELS, Model},
    process,
    stage::Stages,
    test::{arm_tests, expect},
    tools::{Arm, Qemu},
};

/// Runs every stage.
///
/// # Errors
/// Where a stage fails.
pub fn run(root: &Path) -> Result<()> {
    let mut stages = Stages::new();
    stages.run("every test here", || every_test_here(root));
    for model in MODELS {
        let name = format!("tests on {}", model.name);
        match model.arch {
            "aarch64" => stages.run(&name, || tests_on_arm(root, model)),
            _ => stages.run(&name, || tests_on_x86(root, model)),
        }
    }
    stages.finish()
}

fn every_test_here(root: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    expect(&mut cargo, &expect::expected_here(root)?);
    cargo.args(["test", "--workspace", "--release", "--", "--include-ignored"]);
    process::run(cargo.current_dir(root))
}

fn tests_on_arm(root: &Path, model: &Model) -> Result<()> {
    let qemu = Qemu::get(root, &models("aarch64"))?;
    let mut cargo = Arm::get(root)?.cargo(&qemu, model);
    expect(&mut cargo, &model.expected(root));
    arm_tests(&mut cargo, root)
}

fn tests_on_x86(root: &Path, model: &Model) -> Result<()> {
    let qemu = Qemu::get(root, &models("x86_64"))?;
    let mut cargo = process::cargo();
    expect(&mut cargo, &model.expected(root));
    cargo
        .args(["test", "--package", "ropewalk"])
        .env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", qemu.runner(model, None));
    process::run(cargo.current_dir(root))
}

fn models(arch: &str) -> Vec<&'static Model> {
    MODELS.iter().filter(|model| model.arch == arch).collect()
}
