//! Cases that were kept, as tests; that no primitive is left out; and what the program says of a case that fails.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use cargo_metadata::Message;
use ropewalk::PRIMITIVES;
use ropewalk_fuzz::{
    TARGETS, c_header, primitives,
    run::{self, Until},
};

/// The C library's cases have a test of their own, for it to be built.
#[test]
fn cases_that_were_kept_pass() {
    for target in TARGETS.iter().filter(|target| target.name != "c-header") {
        let files = corpus(target.name);
        assert!(!files.is_empty(), "{} has no corpus", target.name);
        let done = program().arg(target.name).args(files).output().expect("the program starts");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{}\n{said}", String::from_utf8_lossy(&done.stdout));
    }
}

#[test]
fn corpora_are_those_of_targets() {
    let folders = fs::read_dir(folder()).expect("a folder");
    for folder in folders {
        let name = folder.expect("a folder").file_name();
        assert!(TARGETS.iter().any(|target| name == target.name), "{name:?}");
    }
}

#[test]
fn every_primitive_is_reached() {
    let reached: BTreeSet<_> = primitives().collect();
    let left_out: Vec<_> = PRIMITIVES
        .iter()
        .map(|primitive| primitive.name)
        .filter(|name| !reached.contains(name))
        .collect();
    assert_eq!(left_out, [""; 0], "no target reaches these");
}

/// By another way than it is read: every name of a line that is no comment, with a parenthesis after it.
#[test]
fn no_function_of_the_c_library_is_missing() {
    let (functions, header) = c_header::functions();
    let code = header.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
    let named: BTreeSet<_> = code
        .flat_map(|line| line.split("ropewalk_").skip(1))
        .filter_map(|rest| rest.split_once('(').map(|(name, _)| name))
        .filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
        .collect();
    assert!(named.len() > 100, "{named:?}");
    assert_eq!(functions.into_iter().collect::<BTreeSet<_>>(), named);
}

/// Cases that were kept, and some thousand others: each function does what it is for at some time.
#[test]
fn every_function_of_the_c_library_is_called_and_succeeds() {
    c_header::load(&c_library()).expect("the C library is loaded");
    let target = TARGETS.iter().find(|target| target.name == "c-header").expect("a target");
    for file in corpus(target.name) {
        run::one(target, &fs::read(file).expect("a case"));
    }
    run::seeds(target, 1, Until::Cases(20_000), None).expect("limits are set");
    assert_eq!(c_header::never_succeeded(), [""; 0]);
}

/// The C library that a variable names, or as its own tests have it.
fn c_library() -> PathBuf {
    if let Some(library) = std::env::var_os("ROPEWALK_C_LIBRARY") {
        return library.into();
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--package", "ropewalk-c", "--profile", "test"]);
    cargo.args(["--message-format", "json-render-diagnostics"]).current_dir(folder());
    let built = cargo.stderr(Stdio::inherit()).output().expect("cargo starts");
    assert!(built.status.success(), "the library does not build");
    let made = Message::parse_stream(&*built.stdout).flatten();
    let files = made.filter_map(|message| match message {
        Message::CompilerArtifact(made) => Some(made.filenames),
        _ => None,
    });
    let is_it = |file: &PathBuf| file.ends_with("libropewalk.so");
    files.flatten().map(PathBuf::from).find(is_it).expect("a shared library")
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ropewalk-fuzz"))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn corpus(target: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder().join(target)).expect("a corpus for each target");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    files
}
