//! `cargo xtask deep`: what takes too long for each change.

use std::path::Path;

use anyhow::Result;

use crate::{
    emulated::{Cases, Emulators, expect},
    expect::{MODELS, Mask, Model, NO_AES, NO_MASK, expected_here},
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
    // A backend that has had all its cases on this processor has a sample of them on a lesser one, which may
    // stumble over an instruction it lacks, and not over a text.
    let here = expected_here(root, &[])?;
    let cases = |model: &Model, mask: &Mask| {
        let known = model.expected(root, mask.flags).iter().all(|backend| here.contains(backend));
        if known { Cases::Sampled } else { Cases::All }
    };
    for model in MODELS {
        emulators.test(&mut stages, model, &NO_MASK, cases(model, &NO_MASK));
    }
    // Every Arm model has AES, and every newer one of x86-64.
    for model in MODELS.iter().filter(|model| ["cortex-a76", "Haswell"].contains(&model.name)) {
        emulators.test(&mut stages, model, &NO_AES, cases(model, &NO_AES));
    }
    stages.finish()
}

fn every_test_here(root: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    expect(&mut cargo, &expected_here(root, &[])?);
    cargo.args(["test", "--workspace", "--release", "--", "--include-ignored"]);
    process::run(cargo.current_dir(root))
}
