//! `cargo xtask`.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use clap::Parser;
use xtask::{
    check, cross, ct, deep,
    external::{agree, openssl_tests, outside, peers, predict, verdicts},
    fuzz, install, mutate, size, test,
};

/// The project's own chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Command {
    /// The tests that every change must pass, here and for Arm64 under an emulator.
    Test {
        /// Only stages with one of these words in their names, such as `native` or `sizes`.
        only: Vec<String>,
    },
    /// Checks that take too long for `test`: every emulated processor, every case, the sizes of kernels.
    Deep {
        /// Only stages with one of these words in their names, such as `cortex-a53` or `tigerlake`.
        only: Vec<String>,
    },
    /// Whether a secret decides a branch, an address or a division, or remains after a key is dropped
    Ct {
        /// Only stages with one of these words in their names, such as `trace` or `divisions`.
        only: Vec<String>,
        /// Writes what the tools report of the ways to compute AES to crates/ropewalk-lab/src/aes_options/verdicts.txt
        #[arg(long, conflicts_with = "only")]
        fix: bool,
    },
    /// Sequences of calls that no test lists: the library, the C library, the OpenSSL provider and the parsers of files.
    Fuzz {
        /// Only these targets, such as `hash` or `c-header`.
        only: Vec<String>,
        /// Minutes for each target.
        #[arg(long, default_value_t = 1.0)]
        minutes: f64,
    },
    /// Whether the tests catch faults that are planted in a copy of the library.
    Mutate {
        /// Only faults with one of these words in their names, such as `aes-gcm` or `wiped`.
        only: Vec<String>,
    },
    /// The rules that hold between files: names, lists, tables, counts of `unsafe`.
    Check {
        /// Rewrite the generated tables and the C library's header instead of reporting them.
        #[arg(long)]
        fix: bool,
    },
    /// A folder to ship to another machine, built and tested under an emulator: `target/dist/TARGET`.
    Cross {
        /// aarch64, armv7, riscv64, i686 or x86_64
        target: String,
    },
    /// The C library, built and copied to where compilers and the loader find it.
    Install {
        /// The folder that has lib and include.
        #[arg(long, value_name = "DIR", default_value = install::PREFIX)]
        prefix: PathBuf,
    },
    /// Removes what `install` has copied, and nothing else.
    Uninstall {
        /// The folder that it was installed in.
        #[arg(long, value_name = "DIR", default_value = install::PREFIX)]
        prefix: PathBuf,
    },
    /// Code bytes of each backend and primitive in a release build.
    Size {
        /// Writes the table of docs/sizes.md
        #[arg(long)]
        fix: bool,
    },
    /// Instructions and predicted cycles of the Arm64 kernels, and the gain from their instructions.
    Predict {
        /// A new file for the tables, such as records/arm64-predicted/DATE.md
        #[arg(long, value_name = "FILE")]
        keep: Option<PathBuf>,
    },
    /// The OpenSSL provider against OpenSSL's own: `openssl speed`, and nginx with wrk and curl.
    Outside {
        /// Only rows with one of these words, such as `gcm` or `nginx`; after `--` also words such as `-decrypt
        /// aes-128-cbc`.
        only: Vec<String>,
        /// Seconds of each measurement.
        #[arg(long, default_value_t = 1)]
        seconds: u32,
        /// How often each side is measured: the best counts, for nginx the median of pairs.
        #[arg(long, default_value_t = 2)]
        rounds: u32,
        /// A new file for the measurements, such as records/CPU/DATE-outside.jsonl
        #[arg(long, value_name = "FILE")]
        keep: Option<PathBuf>,
    },
    /// The lab's rows next to the figures of each library's own benchmark tool, and their difference.
    Agree {
        /// Only rows with one of these words in their tools or tasks, such as `bssl` or `gcm`.
        only: Vec<String>,
        /// Seconds of each figure, for tools with such an option.
        #[arg(long, default_value_t = 1)]
        seconds: u32,
        /// A new file for the measurements, such as records/CPU/DATE-agree.jsonl
        #[arg(long, value_name = "FILE")]
        keep: Option<PathBuf>,
    },
    /// The newest of the other libraries, fetched or built in the target folder for `ropewalk speed`.
    Peers {
        /// Fetch or build all again.
        #[arg(long)]
        fresh: bool,
    },
    /// OpenSSL's own tests of the algorithms that our provider offers, through it, with two versions of OpenSSL.
    OpensslTests {
        /// Fetch and build OpenSSL again.
        #[arg(long)]
        fresh: bool,
    },
    /// Whether the doctor's verdicts are right for fetched files with known answers.
    Verdicts {
        /// Include large files, and those that are built here.
        #[arg(long)]
        all: bool,
        /// Test this program instead of the one that is built with the tests.
        #[arg(long, value_name = "FILE")]
        doctor: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace");
    let result = match Command::parse() {
        Command::Test { only } => test::run(root, &only),
        Command::Deep { only } => deep::run(root, &only),
        Command::Ct { fix: true, .. } => ct::fix(root),
        Command::Ct { only, fix: false } => ct::run(root, &only),
        Command::Fuzz { only, minutes } => {
            fuzz::run(root, Duration::from_secs_f64(60.0 * minutes), &only)
        }
        Command::Mutate { only } => mutate::run(root, &only),
        Command::Check { fix: false } => check::run(root),
        Command::Check { fix: true } => check::fix(root),
        Command::Cross { target } => cross::run(root, &target),
        Command::Install { prefix } => install::install(root, &prefix),
        Command::Uninstall { prefix } => install::uninstall(&prefix),
        Command::Size { fix: false } => size::run(root),
        Command::Size { fix: true } => size::fix(root),
        Command::Predict { keep } => predict::run(root, keep.as_deref()),
        Command::Outside { only, seconds, rounds, keep } => {
            outside::run(root, outside::Effort { seconds, rounds }, &only, keep.as_deref())
        }
        Command::Agree { only, seconds, keep } => agree::run(root, seconds, &only, keep.as_deref()),
        Command::Peers { fresh } => peers::run(root, fresh),
        Command::OpensslTests { fresh } => openssl_tests::run(root, fresh),
        Command::Verdicts { all, doctor } => verdicts::run(root, all, doctor),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
