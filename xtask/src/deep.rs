//! `cargo xtask deep`: what takes too long for each change.

use std::path::Path;

use anyhow::Result;

use crate::{
    emulated::{Cases, Emulators, expect},
    expect::{MODELS, NO_AES, NO_MASK, expected_here},
    process, size,
    stage::Stages,
};

/// Runs every stage.
///
/// # Errors
/// Where a stage fails.
pub fn run(root: &Path) -> Result<()> {
    let emulators = Emulators::new(root, &MODELS.iter().collect::<Vec<_>>());
    let mut stages = Stages::new();
    stages.run("every test here", || every_test_here(root));
    // The command is built by now.
    stages.run("sizes", || size::run(root));
    for model in MODELS {
        emulators.test(&mut stages, model, &NO_MASK, Cases::All);
    }
    // Every Arm model has AES, and every newer one of x86-64.
    for model in MODELS.iter().filter(|model| ["cortex-a76", "Haswell"].contains(&model.name)) {
        emulators.test(&mut stages, model, &NO_AES, Cases::All);
    }
    stages.finish()
}

fn every_test_here(root: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    expect(&mut cargo, &expected_here(root, &[])?);
    cargo.args(["test", "--workspace", "--release", "--", "--include-ignored"]);
    process::run(cargo.current_dir(root))
}
