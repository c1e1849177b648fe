//! `cargo xtask deep`: what takes too long for each change.

use std::{collections::BTreeSet, path::Path};

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
    stages.run("sizes", || size::run(root));
    // A backend that has had all its cases once has a sample of them on every other model, which may stumble
    // over an instruction it lacks, and not over a text.
    let mut known: BTreeSet<_> = expected_here(root, &[])?.into_iter().collect();
    let unmasked = MODELS.iter().map(|model| (model, &NO_MASK));
    // Every Arm model has AES, and every newer one of x86-64.
    let without_aes = MODELS.iter().filter(|model| ["cortex-a76", "Haswell"].contains(&model.name));
    for (model, mask) in unmasked.chain(without_aes.map(|model| (model, &NO_AES))) {
        let backends = model.expected(root, mask.flags);
        let cases = match backends.iter().all(|backend| known.contains(backend)) {
            true => Cases::Sampled,
            false => Cases::All,
        };
        emulators.test(&mut stages, model, mask, cases);
        known.extend(backends);
    }
    stages.finish()
}

fn every_test_here(root: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    expect(&mut cargo, &expected_here(root, &[])?);
    cargo.args(["test", "--workspace", "--release", "--", "--include-ignored"]);
    process::run(cargo.current_dir(root))
}
