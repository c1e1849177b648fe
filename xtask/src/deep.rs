//! `cargo xtask deep`: checks that take too long for each change.

use std::{collections::BTreeSet, fs, path::Path, time::Duration};

use anyhow::{Result, ensure};

use crate::{
    cross::{Dist, models},
    ct,
    emulated::{Cases, Emulators, expect, test_whole},
    expect::{
        CHOICES, MODELS, Mask, Model, NO_AES, NO_MASK, NO_NEON, NO_SHA2, NO_SHA3, expected_here,
    },
    external::{openssl_tests, verdicts},
    features, fuzz, kernel, mutate, process, sanitizers, shipped, size,
    stage::Stages,
    supply,
    tools::Target,
};

/// How long each kind of random sequence runs.
const FUZZED: Duration = Duration::from_secs(180);

/// Runs every stage, or those whose names have one of these words in them.
///
/// # Errors
/// Fails if a stage fails, or none has such a name.
pub fn run(root: &Path, only: &[String]) -> Result<()> {
    let emulators = Emulators::new(root, &MODELS.iter().collect::<Vec<_>>());
    let mut stages = Stages::only(only);
    stages.run("every test here", || every_test_here(root));
    stages.run("quiet processor", || quiet_processor(root));
    stages.run("ten thousand batches", || ten_thousand_batches(root, &NO_MASK));
    for mask in CHOICES.into_iter().filter(|mask| takes_away(root, mask)) {
        let name = format!("ten thousand batches{}", mask.name);
        stages.run(&name, || ten_thousand_batches(root, mask));
    }
    for row in tuning_rows(root)? {
        stages.run(&format!("tuning for {row}"), || nets_with_tuning(root, &row));
    }
    let targets = fuzz::OF_EACH_CHANGE.map(str::to_owned);
    stages.run("fuzz", || fuzz::run(root, FUZZED, &targets));
    stages.run("sequences of the OpenSSL provider", || fuzz::fixed_sequences(root));
    stages.run("planted faults", || mutate::run(root, &[]));
    sanitizers::add(&mut stages, root);
    stages.run("past 4 GiB", || past_4_gib(root));
    stages.run("sizes", || size::run(root));
    stages.run("each feature", || features::each(root));
    ct::add_memcheck(&mut stages, root, ct::LEVELS[0], "whole");
    ct::add_msan(&mut stages, root, ct::LEVELS[0], "whole");
    stages.run("trace, whole", || ct::trace(root, "whole"));
    stages.run("the same bytes in another folder", || shipped::is_reproducible(root));
    stages.run("what it depends on", || supply::run(root));
    stages.run("verdicts", || verdicts::run(root, true, None));
    stages.run("cryptography of the kernel", || kernel::run(root));
    openssl_tests::each_version(root, &mut stages);
    // A backend that has run all its cases once runs a sample of them on every other model: there it may fail
    // by an instruction that the model lacks, not by the content of a message.
    let mut known: BTreeSet<_> = expected_here(root, &[])?.into_iter().collect();
    let unmasked = MODELS.iter().map(|model| (model, &NO_MASK));
    // Every Arm model has AES and SHA-2, every newer one SHA-3, and every newer one of x86-64 AES.
    let masked = [
        ("cortex-a76", &NO_AES),
        ("neoverse-n1", &NO_SHA2),
        ("neoverse-v1", &NO_SHA3),
        ("cortex-a7", &NO_NEON),
        ("Haswell", &NO_AES),
    ];
    let masked = masked.map(|(name, mask)| (Model::named(name).expect("a model"), mask));
    for (model, mask) in unmasked.chain(masked) {
        let backends = model.expected(root, mask.flags)?;
        let cases = match backends.iter().all(|backend| known.contains(backend)) {
            true => Cases::Sampled,
            false => Cases::All,
        };
        emulators.test(&mut stages, model, mask, cases);
        known.extend(backends);
    }
    // The oldest emulated model, and one with instructions for every primitive that has backends on Arm64.
    for (name, cases) in [("cortex-a53", Cases::Sampled), ("neoverse-v1", Cases::All)] {
        emulators.test_interfaces(&mut stages, Model::named(name).expect("a model"), cases);
    }
    test_whole(root, &mut stages, &mut known)?;
    stages.run("another machine's folder", || another_machines_folder(root));
    stages.finish()
}

/// The test that `cargo test` skips, since it needs an otherwise idle machine.
fn quiet_processor(root: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["test", "--package", "ropewalk-lab", "--test", "alone", "--", "--ignored"]);
    process::run(cargo.current_dir(root))
}

/// Tests that the folder of `cargo xtask cross` works where nothing else is installed.
fn another_machines_folder(root: &Path) -> Result<()> {
    let target = Target::named("aarch64")?;
    let dist = Dist::build(root, target)?;
    models(target).try_for_each(|model| dist.try_commands(model))
}

/// Whether this processor has backends that the mask removes. If that is unknown, the mask is tried.
fn takes_away(root: &Path, mask: &Mask) -> bool {
    let backends = |flags| expected_here(root, flags).ok();
    backends(&[]).is_none_or(|all| backends(mask.flags) != Some(all))
}

/// Every batch operation, by every backend of this processor that the mask leaves and by the backend that is
/// then selected, compared with the results of each single message.
fn ten_thousand_batches(root: &Path, mask: &Mask) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["test", "--package", "ropewalk", "--release", "--test", "nets", "--"]);
    cargo.arg("many:");
    cargo.env("ROPEWALK_CPU", mask.features);
    process::run(cargo.env("ROPEWALK_CASES", "10000").current_dir(root))
}

/// The names of the rows of tuning, as their table has them.
fn tuning_rows(root: &Path) -> Result<Vec<String>> {
    let table = fs::read_to_string(root.join("crates/ropewalk/src/core/tuning.rs"))?;
    let names =
        table.lines().filter_map(|line| line.trim().strip_prefix("name: \"")?.strip_suffix("\","));
    let names: Vec<String> = names.map(str::to_owned).collect();
    ensure!(names.iter().any(|name| name == "generic"), "core/tuning.rs has no row called generic");
    Ok(names)
}

/// Every conformance suite, with the strategies of a class of cores that may differ from this one.
fn nets_with_tuning(root: &Path, row: &str) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["test", "--package", "ropewalk", "--release", "--test", "nets"]);
    process::run(cargo.env("ROPEWALK_TUNING", row).current_dir(root))
}

fn every_test_here(root: &Path) -> Result<()> {
    let mut cargo = process::cargo();
    expect(&mut cargo, &expected_here(root, &[])?);
    cargo.args(["test", "--workspace", "--release", "--", "--include-ignored"]);
    // These are a separate stage.
    cargo.args(["--skip", "past-4-gib", "--skip", "past_4_gib"]);
    process::run(cargo.current_dir(root))
}

/// Messages of more than 2^32 bytes: by every backend of this processor, the provider, and `ropewalk sum`.
fn past_4_gib(root: &Path) -> Result<()> {
    let test = |programs: &[&str], tests: &str| {
        let mut cargo = process::cargo();
        cargo.args(["test", "--workspace", "--release"]);
        for program in programs {
            cargo.args(["--test", program]);
        }
        process::run(cargo.args(["--", "--include-ignored", tests]).current_dir(root))
    };
    test(&["nets"], "past-4-gib")?;
    test(&["past_4_gib", "sum"], "past_4_gib")
}
