//! Tools that watch memory while tests run: AddressSanitizer, ThreadSanitizer and Miri. Each must first report a planted
//! fault.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use anyhow::{Context, Result, ensure};

use crate::{
    process::{self, SOON, program},
    stage::{CannotRun, Stages},
    tools::Nightly,
};

/// Runs a stage of each tool.
pub(crate) fn add(stages: &mut Stages, root: &Path) {
    stages.run("AddressSanitizer", || addresses(root));
    stages.run("ThreadSanitizer", || threads(root));
    stages.run("Miri", || miri(root));
}

/// A read past the end of memory.
const OUT_OF_BOUNDS: &str = "
    fn main() {
        let bytes = vec![0_u8; std::env::args().count()];
        let end = unsafe { bytes.as_ptr().add(bytes.len()).read_volatile() };
        std::process::exit(i32::from(end & 0));
    }";

/// Two threads that write one word, for as long as ThreadSanitizer needs to see both: it misses short loops.
const RACE: &str = "
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    static mut WORD: usize = 0;
    static HERE: AtomicUsize = AtomicUsize::new(0);
    fn main() {
        let write = || {
            HERE.fetch_add(1, Relaxed);
            while HERE.load(Relaxed) < 2 {}
            (0..10_000_000).for_each(|n| unsafe { (&raw mut WORD).write_volatile(n) });
        };
        let thread = std::thread::spawn(write);
        write();
        thread.join().unwrap();
    }";

/// The tests of the library and of the C library, and `fuzz` with the C library.
fn addresses(root: &Path) -> Result<()> {
    has_runtime("asan")?;
    // The C library, which a program loads, looks for the functions of the sanitizer in that program.
    let exported = "-Clink-arg=-rdynamic";
    let flags = ["-Zsanitizer=address", "-Cunsafe-allow-abi-mismatch=sanitizer", exported];
    let flags = flags.join("\x1f");
    let with = |mut cargo: Command| {
        cargo.env("CARGO_ENCODED_RUSTFLAGS", &flags).env("RUSTC_BOOTSTRAP", "1");
        watched(cargo, root, "address")
    };
    let cargo = |command| with(cargo(command));
    must_report(OUT_OF_BOUNDS, "heap-buffer-overflow", || cargo("run"))?;
    let library = ["--package", "ropewalk", "--lib", "--test", "nets"];
    process::run(cargo("test")?.args(library))?;
    let c_library = ["--package", "ropewalk-c", "--lib", "--", "--skip", LEAKS];
    process::run(cargo("test")?.args(c_library))?;

    let mut build = cargo("build")?;
    build.args(["--package", "ropewalk-c", "--profile", "test"]);
    let files = process::files(&mut build)?;
    let c_library = files.iter().find(|file| file.ends_with("libropewalk.so"));
    let c_library = c_library.context("cargo built no libropewalk.so")?;
    let mut fuzz = cargo("test")?;
    fuzz.args(["--package", "ropewalk-fuzz", "--test", "corpus", "--no-run"]);
    let program = process::executables(&mut fuzz, |artifact| artifact.profile.test)?.pop();
    let mut fuzz = process::program(program.context("cargo built no test")?);
    fuzz.arg("c_library").env("ROPEWALK_C_LIBRARY", c_library).env("ROPEWALK_SAMPLE", "1");
    process::run(fuzz.current_dir(root.join("crates/ropewalk-fuzz")))
}

/// The test that forgets the payload of a panic, since its drop may panic again.
const LEAKS: &str = "no_panic_gets_out";

/// The tests with threads. The standard library must be built with the sanitizer too, or its locks are not seen.
fn threads(root: &Path) -> Result<()> {
    has_runtime("tsan")?;
    let nightly = Nightly::get()?;
    let cargo = |command| {
        let mut cargo = nightly.cargo();
        cargo.args([command, "-Zbuild-std"]).env("CARGO_ENCODED_RUSTFLAGS", "-Zsanitizer=thread");
        watched(cargo, root, "thread")
    };
    must_report(RACE, "data race", || cargo("run"))?;
    let library = ["--package", "ropewalk", "--lib", "--test", "threads"];
    process::run(cargo("test")?.args(library))?;
    process::run(cargo("test")?.args(["--package", "ropewalk-c", "--lib"]))
}

/// The tests of modules with raw pointers. Miri supports few vector instructions: dispatch selects the portable backends.
fn miri(root: &Path) -> Result<()> {
    let nightly = Nightly::get()?;
    let cargo = |command| {
        let mut cargo = nightly.cargo();
        // Miri does not support `asm!` either.
        let flags = ["--cfg", "ropewalk_ct", "--cfg", "ropewalk_ct=\"msan\""].join("\x1f");
        cargo.args(["miri", command]).env("CARGO_ENCODED_RUSTFLAGS", flags);
        watched(cargo, root, "miri")
    };
    must_report(OUT_OF_BOUNDS, "Undefined Behavior", || cargo("run"))?;
    let c_library = ["--package", "ropewalk-c", "--lib", "--", "--skip", LEAKS];
    process::run(cargo("test")?.args(c_library))?;
    let mut library = cargo("test")?;
    library.args(["--package", "ropewalk", "--lib", "--"]).args(WITH_POINTERS);
    process::run(&mut library)
}

/// Modules of the library that have raw pointers, and tests.
const WITH_POINTERS: &[&str] = &["secret", "text", "tag", "backend"];

/// A cargo that builds for this machine in a separate folder, with few cases for each test.
fn watched(mut cargo: Command, root: &Path, folder: &str) -> Result<Command> {
    // With a named target, flags do not apply to build scripts.
    cargo.args(["--quiet", "--target", &process::host()?, "--target-dir"]);
    cargo.arg(root.join("target").join(folder)).env_remove("RUSTFLAGS");
    cargo.env("ROPEWALK_SAMPLE", "1").current_dir(root);
    Ok(cargo)
}

/// Checks that a tool reports a planted fault, in a separate package.
fn must_report(source: &str, fault: &str, cargo: impl Fn() -> Result<Command>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let manifest = "[package]\nname = \"planted\"\nedition = \"2024\"\n[workspace]\n";
    fs::write(folder.path().join("Cargo.toml"), manifest)?;
    fs::create_dir(folder.path().join("src"))?;
    fs::write(folder.path().join("src/main.rs"), source)?;
    let Output { status, stderr, .. } = cargo()?.current_dir(folder.path()).output()?;
    let said = String::from_utf8_lossy(&stderr);
    let seen = !status.success() && said.contains(fault);
    ensure!(seen, "a planted fault is not reported as {fault}:\n{said}");
    Ok(())
}

fn cargo(command: &str) -> Command {
    let mut cargo = process::cargo();
    cargo.arg(command);
    cargo
}

/// Checks that the compiler has the runtime of a sanitizer: distributions omit them.
///
/// # Errors
/// [`CannotRun`] if it does not.
pub(crate) fn has_runtime(name: &str) -> Result<()> {
    let folder = process::output(program("rustc").args(["--print", "target-libdir"]), SOON)?;
    let wanted = format!("_rt.{name}.a");
    for entry in fs::read_dir(folder.trim())? {
        if entry?.file_name().to_string_lossy().ends_with(&wanted) {
            return Ok(());
        }
    }
    let advice = format!("{name} is missing: take the compiler of rustup, on 64-bit Linux");
    Err(CannotRun(advice).into())
}
