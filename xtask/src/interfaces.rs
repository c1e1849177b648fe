//! The tests of the C library and of the OpenSSL provider with programs for another machine, which run in an emulator with
//! Debian's OpenSSL for it.
//!
//! The tests themselves run here, as they do without an emulator. Variables configure them:
//!
//! | variable | is |
//! | --- | --- |
//! | `ROPEWALK_TEST_BUILT` | the folder of `libropewalk.so`, `libropewalk.a` and `libropewalk_openssl.so` for that machine |
//! | `ROPEWALK_TEST_CC` | a compiler of C for it, and its options, with spaces between |
//! | `ROPEWALK_TEST_RUNNER` | the command line in front of its programs, likewise |
//! | `ROPEWALK_TEST_PROGRAMS` | the folder of its `openssl` |
//!
//! Tests that need tools of this machine only are reported as skipped: valgrind, sanitizers, C++, clang, nginx with curl,
//! Python.

use std::path::Path;

use anyhow::{Context, Result};

use crate::{
    built::{name_of, tests_here},
    expect::Model,
    process,
    tools::{OpenSsl, Qemu, Toolchain},
};

/// Builds both for a model's machine, and runs their tests; the environment adds further variables.
pub(crate) fn test(
    root: &Path,
    (toolchain, qemu): &(Toolchain, Qemu),
    model: &Model,
    environment: &[(&str, String)],
) -> Result<()> {
    let openssl = OpenSsl::get(root, toolchain.target, qemu, model)?;

    let mut build = toolchain.cargo();
    build.env("CARGO_TARGET_DIR", root.join("target/emulated")).current_dir(root);
    build
        .args(["build", "--profile", "test"])
        .args(PACKAGES.map(|name| ["--package", name]).concat())
        // The features of the library's own tests, for which it is compiled already.
        .args(["--features", "ropewalk/keys,ropewalk/planted-faults,ropewalk/rustcrypto"]);
    let files = process::files(&mut build)?;
    let is_module = |file: &&_| Path::ends_with(file, "libropewalk_openssl.so");
    let module =
        files.iter().map(|file| file.as_path()).find(is_module).context("no module was built")?;

    let built = module.parent().context("it has no folder")?;
    for package in PACKAGES.map(|name| root.join("crates").join(name)) {
        let programs = tests_here(root, &package)?.into_iter();
        for program in programs.filter(|program| TESTS.contains(&&*name_of(program))) {
            println!("\nrunning {}", program.file_name().unwrap_or_default().display());
            let mut test = process::program(program);
            let compiler = toolchain.lend_compiler_of_c(&mut test);
            test.env("ROPEWALK_TEST_BUILT", built)
                .env("ROPEWALK_TEST_CC", [compiler, openssl.flags().to_vec()].concat().join(" "))
                .env("ROPEWALK_TEST_RUNNER", openssl.runner(qemu, model))
                .env("ROPEWALK_TEST_PROGRAMS", openssl.programs())
                .envs(environment.iter().cloned());
            process::run_tests(test.current_dir(&package))?;
        }
    }
    Ok(())
}

const PACKAGES: [&str; 2] = ["ropewalk-c", "ropewalk-openssl"];
const TESTS: [&str; 4] = ["tour", "bad_input", "mac_kdf", "programs"];
