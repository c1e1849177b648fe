//! The machine of the programs: this one, or another one for which `cargo xtask test` has an emulator.
//! `xtask/src/interfaces.rs` describes the variables.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// Another machine.
struct Other {
    built: PathBuf,
    compiler: Vec<String>,
    runner: Vec<String>,
    programs: PathBuf,
}

fn other() -> Option<&'static Other> {
    static OTHER: OnceLock<Option<Other>> = OnceLock::new();
    let other = OTHER.get_or_init(|| {
        env::var_os("ROPEWALK_TEST_RUNNER")?;
        let value = |name: &str| env::var(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let words = |name: &str| value(name).split_whitespace().map(str::to_owned).collect();
        Some(Other {
            built: value("ROPEWALK_TEST_BUILT").into(),
            compiler: words("ROPEWALK_TEST_CC"),
            runner: words("ROPEWALK_TEST_RUNNER"),
            programs: value("ROPEWALK_TEST_PROGRAMS").into(),
        })
    });
    other.as_ref()
}

/// Whether it is another one, which has only OpenSSL and what is compiled here.
pub(crate) fn is_another() -> bool {
    other().is_some()
}

/// The module that cargo builds.
pub(crate) fn module() -> PathBuf {
    let name = "libropewalk_openssl.so";
    match other() {
        Some(other) => other.built.join(name),
        None => env::current_exe().expect("a test has a path").with_file_name(name),
    }
}

/// A program, by its path or, if it is OpenSSL's, by its name.
pub(crate) fn command(program: &Path) -> Command {
    match other() {
        Some(other) => {
            let mut command = of(&other.runner);
            // An absolute path remains unchanged.
            command.arg(other.programs.join(program));
            command
        }
        None => Command::new(program),
    }
}

/// The compiler of C.
pub(crate) fn compiler() -> Command {
    other().map_or_else(|| Command::new("cc"), |other| of(&other.compiler))
}

fn of(words: &[impl AsRef<OsStr>]) -> Command {
    let (first, rest) = words.split_first().expect("a command has a word");
    let mut command = Command::new(first);
    command.args(rest);
    command
}
