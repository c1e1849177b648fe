//! `cargo xtask ct`: whether a branch, an address or a division depends on a secret.
//!
//! Two tools track secret data through every operation on every backend, as `crates/ropewalk-ct` runs them.
//! Valgrind's memcheck works on the machine code, and hides newer instructions from programs, so that
//! dispatch selects older ones. MemorySanitizer works on LLVM's intermediate code, with every instruction of
//! this processor. Each must report all planted leaks, and must have run every backend that it can.
//!
//! Three more checks are of the library as released: whether a dropped key leaves data on the stack or in
//! registers; whether each instruction and each address of an operation is the same for every class of
//! secrets; and whether the machine code has a division or a gather without a known reason.

pub mod aes_options;
mod lint;

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result};

use crate::{
    emulated::expect,
    expect::{CHOICES, expected_here},
    process::{self, program},
    sanitizers::has_runtime,
    shipped::Shipped,
    stage::{CannotRun, Stages},
    tools::Valgrind,
};

/// The level of a release, and others that a user may build with: the compiler decides what becomes a branch.
pub const LEVELS: [&str; 3] = ["3", "2", "\"s\""];

/// What memcheck cannot run and hides from programs, by the names of `/proc/cpuinfo`.
const HIDDEN: &[&str] = &[
    "adx",
    "sha_ni",
    "gfni",
    "vaes",
    "vpclmulqdq",
    "avx512f",
    "avx512bw",
    "avx512dq",
    "avx512vl",
    "avx512ifma",
    "avx512_vbmi",
];

/// Runs every stage, or those that have one of the words in their names.
///
/// # Errors
/// Where a stage fails.
pub fn run(root: &Path, only: &[String]) -> Result<()> {
    let mut stages = Stages::only(only);
    add_shipped(&mut stages, root, "whole");
    // The library is one codegen unit, whose compilation takes one core.
    stages.run_rows(
        |row| LEVELS.iter().for_each(|level| add_memcheck(row, root, level, "whole")),
        |row| LEVELS.iter().for_each(|level| add_msan(row, root, level, "whole")),
    );
    add_aes_options(&mut stages, root);
    stages.finish()
}

/// Writes the file of verdicts on the ways to compute AES.
///
/// # Errors
/// Fails if a tool cannot run, or does not report a planted lookup.
pub fn fix(root: &Path) -> Result<()> {
    aes_options::fix(root, &mut on_aes_options(root)?)
}

/// Compares that file with what the tools report, as a stage.
pub fn add_aes_options(stages: &mut Stages, root: &Path) {
    stages.run("aes options", || aes_options::compare(root, &mut on_aes_options(root)?));
}

/// The harness under memcheck, and as released.
fn on_aes_options(root: &Path) -> Result<[Command; 2]> {
    Ok([under_memcheck(root, LEVELS[0])?(), program(&Shipped::build(root)?.harness)])
}

/// Runs the stages of the library as released; of the operations, a sample or all are traced.
pub fn add_shipped(stages: &mut Stages, root: &Path, traced: &str) {
    stages.run("what is left of keys", || residue(root));
    stages.run("divisions and gathers", || lint(root));
    stages.run(&format!("trace, {traced}"), || trace(root, traced));
}

/// Runs memcheck as a stage, on a build at one level of optimisation, with a sample of the lengths of texts or all.
pub fn add_memcheck(stages: &mut Stages, root: &Path, level: &str, extent: &str) {
    let name = format!("secrets in machine code, level {level}, {extent}");
    stages.run(&name, || memcheck(root, level, extent));
}

/// Runs MemorySanitizer as a stage, as [`add_memcheck`].
pub fn add_msan(stages: &mut Stages, root: &Path, level: &str, extent: &str) {
    stages.run(&format!("secrets in LLVM, level {level}, {extent}"), || msan(root, level, extent));
}

/// Checks for data that keys leave behind.
fn residue(root: &Path) -> Result<()> {
    let Shipped { c_library, harness, .. } = Shipped::build(root)?;
    let residue = || {
        let mut residue = program(&harness);
        residue.arg("residue").env("ROPEWALK_C_LIBRARY", &c_library);
        residue
    };
    let mut all = residue();
    expect(&mut all, &expected_here(root, &[])?);
    process::run(&mut all)?;
    // The row of tuning with the kernels that take the most stack.
    let mut forced = residue();
    expect(&mut forced, &expected_here(root, &[])?);
    process::run(forced.env("ROPEWALK_TUNING", "zen5"))?;
    // The C library selects the best backend.
    CHOICES
        .iter()
        .try_for_each(|mask| process::run(residue().arg("C").env("ROPEWALK_CPU", mask.features)))
}

/// Checks for instructions whose time depends on their operands.
fn lint(root: &Path) -> Result<()> {
    let Shipped { c_library, harness, .. } = Shipped::build(root)?;
    lint::run(&c_library, &harness)
}

/// Checks whether the instructions that run, or their addresses, depend on secrets.
///
/// # Errors
/// Fails where they do, or where a planted leak is not detected.
pub fn trace(root: &Path, extent: &str) -> Result<()> {
    if std::env::consts::ARCH != "x86_64" {
        return Err(CannotRun("single steps need x86-64".into()).into());
    }
    let mut trace = program(&Shipped::build(root)?.harness);
    expect(&mut trace, &expected_here(root, &[])?);
    process::run(trace.args(["trace", extent]))
}

fn memcheck(root: &Path, level: &str, extent: &str) -> Result<()> {
    judge(&expected_here(root, HIDDEN)?, extent, under_memcheck(root, level)?)
}

/// The harness under memcheck, built at a level of optimisation.
fn under_memcheck(root: &Path, level: &str) -> Result<impl Fn() -> Command> {
    if std::env::consts::ARCH != "x86_64" {
        return Err(CannotRun("valgrind is spoken to in instructions of x86-64".into()).into());
    }
    let (valgrind, harness) = (Valgrind::get(root)?, build(root, "memcheck", &[], level)?);
    Ok(move || {
        let mut command = valgrind.command();
        command.arg(&harness);
        command
    })
}

fn msan(root: &Path, level: &str, extent: &str) -> Result<()> {
    has_runtime("msan")?;
    // The standard library is not built for it: what comes from there would count as never written,
    // and arguments must not be judged where they are passed. Its generics are built again, which at
    // level "s" they otherwise are not: memory that they wrote would stay as secret as before.
    let flags = [
        "-Zsanitizer=memory",
        "-Zshare-generics=no",
        "-Zsanitizer-recover=memory",
        "-Cunsafe-allow-abi-mismatch=sanitizer",
        "-Cllvm-args=-msan-poison-stack=0",
        "-Cllvm-args=-msan-eager-checks=0",
    ];
    let harness = build(root, "msan", &flags, level)?;
    judge(&expected_here(root, &[])?, extent, || {
        let mut command = program(&harness);
        command.env("MSAN_OPTIONS", "poison_in_malloc=0:poison_in_free=0:allow_addr2line=1");
        command
    })
}

/// Runs the planted leaks, which must not be detected here, and the operations.
fn judge(expected: &[String], extent: &str, harness: impl Fn() -> Command) -> Result<()> {
    process::run(harness().arg("planted").stderr(Stdio::null()))
        .context("it does not see what it must")?;
    let mut operations = harness();
    expect(&mut operations, expected);
    process::run(operations.args(["operations", extent]))
}

/// Builds the harness for a tool.
fn build(root: &Path, tool: &str, flags: &[&str], level: &str) -> Result<PathBuf> {
    let cfg = format!("ropewalk_ct=\"{tool}\"");
    let flags = [&["--cfg", "ropewalk_ct", "--cfg", &cfg], flags].concat();
    let mut cargo = process::cargo();
    cargo
        .args(["build", "--quiet", "--release", "--package", "ropewalk-ct"])
        // With an explicit target, the flags do not apply to build scripts.
        .args(["--target", &process::host()?])
        .arg("--target-dir")
        .arg(format!("target/ct-{tool}"))
        .arg("--config")
        .arg(format!("profile.release.opt-level={level}"))
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .env_remove("RUSTFLAGS")
        .env("RUSTC_BOOTSTRAP", "1");
    process::executable(cargo.current_dir(root))
}
