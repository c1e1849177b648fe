//! The tour, in C and in C++, by every compiler, with the shared and the static library; under tools that watch memory; and that
//! it leaves no function out. By a compiler for another machine too, where `cargo xtask test` says so by the variables of
//! `xtask/src/interfaces.rs`.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use cargo_metadata::Message;
use object::{Object, ObjectSymbol};

/// What C says of it, with nothing but the language and what a library of ours may want.
const FLAGS: [&str; 6] = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-pedantic"];

/// What a program needs that has the static library: as `rustc --print native-static-libs` says.
const STATIC_NEEDS: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

#[test]
fn c99_by_gcc() {
    compiled_and_run("gcc", &["-std=c99"]);
}

#[test]
fn c99_by_clang() {
    compiled_and_run("clang", &["-std=c99"]);
}

#[test]
fn cpp17_by_gcc() {
    compiled_and_run("g++", &["-std=c++17", "-x", "c++"]);
}

#[test]
fn cpp17_by_clang() {
    compiled_and_run("clang++", &["-std=c++17", "-x", "c++"]);
}

#[test]
fn under_sanitizers() {
    if !there("gcc") {
        return;
    }
    let flags = ["-std=c99", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let Some(program) = Tour::compile("gcc", "sanitized", &flags, Linked::Static) else { return };
    program.run(&[], &[]);
}

#[test]
fn under_valgrind() {
    if !there("valgrind") {
        return;
    }
    let flags = ["-std=c99", "-g"];
    let Some(program) = Tour::compile("gcc", "watched", &flags, Linked::Shared) else { return };
    let valgrind = ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full"];
    program.run(&valgrind, &[]);
}

#[test]
fn the_variable_is_read() {
    let Some(program) = Tour::compile("gcc", "masked", &["-std=c99"], Linked::Shared) else {
        return;
    };
    let said = program.run(&[], &[("ROPEWALK_CPU", "all")]);
    assert!(said.contains("AES-GCM is done by aes_gcm/portable"), "{said}");
    let mut wrong = program.command(&[]);
    let wrong = wrong.env("ROPEWALK_CPU", "-vaes,avx513").output().unwrap();
    let said = String::from_utf8_lossy(&wrong.stderr);
    assert!(said.contains("unknown processor feature \"avx513\""), "{said}");
    assert!(!wrong.status.success());
}

#[test]
fn every_function_is_exported_declared_and_toured_and_nothing_else() {
    let header = fs::read_to_string(here().join("include/ropewalk.h")).unwrap();
    let tour: String = sources().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let bytes = fs::read(&libraries().shared).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let exported: BTreeSet<_> = file
        .dynamic_symbols()
        .filter(|symbol| symbol.is_definition())
        .map(|symbol| symbol.name().unwrap())
        .collect();
    assert!(exported.len() > 100, "{exported:?}");
    assert_eq!(exported, called(&header), "the header has others");
    let left_out: Vec<_> = exported.difference(&called(&tour)).copied().collect();
    assert_eq!(left_out, [""; 0], "not in the tour");
}

#[test]
#[cfg(target_os = "linux")]
fn the_shared_library_has_the_name_of_its_interface() {
    let bytes = fs::read(&libraries().shared).unwrap();
    let name = b"\0libropewalk.so.0\0";
    assert!(bytes.windows(name.len()).any(|window| window == name));
}

/// Every function of ours that is called or declared in a text, but in comments.
fn called(text: &str) -> BTreeSet<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with('*'));
    code.flat_map(|line| {
        line.match_indices("ropewalk_").filter_map(|(at, _)| {
            let name = line[at..].split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
            let begins = !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            (begins && line[at + name.len()..].starts_with('(')).then_some(name)
        })
    })
    .collect()
}

fn compiled_and_run(compiler: &str, flags: &[&str]) {
    for (linked, name) in [(Linked::Shared, "shared"), (Linked::Static, "static")] {
        let Some(program) = Tour::compile(compiler, name, flags, linked) else { return };
        let said = program.run(&[], &[]);
        assert!(said.ends_with("checks hold\n"), "{said}");
        of_this_processor(&said);
    }
}

/// Whether a backend serves that must run here, by `ROPEWALK_EXPECT`, and not the portable one where there is another.
fn of_this_processor(said: &str) {
    let expected = env::var("ROPEWALK_EXPECT").unwrap_or_default();
    let expected: Vec<_> =
        expected.split(',').filter(|name| name.starts_with("aes_gcm/")).collect();
    let serves = said.lines().find_map(|line| line.strip_prefix("AES-GCM is done by "));
    let serves = serves.unwrap_or_else(|| panic!("nobody does AES-GCM: {said}"));
    let best = expected.iter().any(|name| *name != "aes_gcm/portable");
    assert!(expected.is_empty() || expected.contains(&serves), "{serves}, not {expected:?}");
    assert!(!best || serves != "aes_gcm/portable", "{serves}, not {expected:?}");
}

#[derive(Clone, Copy)]
enum Linked {
    Shared,
    Static,
}

/// The tour as a program.
struct Tour {
    folder: tempfile::TempDir,
}

impl Tour {
    /// Compiles it, if the compiler is there.
    fn compile(compiler: &str, name: &str, flags: &[&str], linked: Linked) -> Option<Self> {
        let mut command = compiler_of_c(compiler)?;
        let folder = tempfile::Builder::new().prefix(name).tempdir().unwrap();
        let Libraries { shared, archive } = libraries();
        command.args(FLAGS).args(flags).arg("-I").arg(here().join("include")).args(sources());
        command.args(["-x", "none"]).arg("-o").arg(folder.path().join("tour"));
        match linked {
            Linked::Shared => {
                // As it is installed: the loader asks for this name.
                fs::copy(shared, folder.path().join("libropewalk.so.0")).unwrap();
                command.arg(folder.path().join("libropewalk.so.0"));
            }
            Linked::Static => {
                command.arg(archive).args(STATIC_NEEDS);
            }
        }
        let done = command.output().unwrap();
        assert!(done.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&done.stderr));
        Some(Self { folder })
    }

    fn command(&self, before: &[&str]) -> Command {
        let mut line = elsewhere("ROPEWALK_TEST_RUNNER").unwrap_or_default();
        line.extend(before.iter().map(|word| word.to_string()));
        line.push(self.folder.path().join("tour").to_str().expect("a path in UTF-8").into());
        let mut command = of(&line);
        command.env("LD_LIBRARY_PATH", self.folder.path()).env_remove("ROPEWALK_CPU");
        command
    }

    /// What it prints.
    fn run(&self, before: &[&str], variables: &[(&str, &str)]) -> String {
        let done = self.command(before).envs(variables.iter().copied()).output().unwrap();
        let said = String::from_utf8_lossy(&done.stdout);
        let complaints = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{}\n{said}\n{complaints}", done.status);
        said.into()
    }
}

/// The compiler of that name, if it is there. For another machine there is one of C.
fn compiler_of_c(name: &str) -> Option<Command> {
    match elsewhere("ROPEWALK_TEST_CC").filter(|_| name == "gcc") {
        Some(compiler) => Some(of(&compiler)),
        None => there(name).then(|| Command::new(name)),
    }
}

/// The words of a variable that says what there is of another machine.
fn elsewhere(variable: &str) -> Option<Vec<String>> {
    Some(env::var(variable).ok()?.split_whitespace().map(str::to_owned).collect())
}

fn of(words: &[String]) -> Command {
    let (first, rest) = words.split_first().expect("a command has a word");
    let mut command = Command::new(first);
    command.args(rest);
    command
}

/// Whether a tool is there, and programs are of this machine. Where everything must be, it is a failure that it is not.
fn there(tool: &str) -> bool {
    if elsewhere("ROPEWALK_TEST_RUNNER").is_some() {
        println!("{tool} is for programs of this machine: what it is for is left out");
        return false;
    }
    let mut question = Command::new(tool);
    let answer = question.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = answer.is_ok_and(|status| status.success());
    if !there {
        assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "{tool} is missing");
        eprintln!("{tool} is missing: what it is for is left out");
    }
    there
}

/// The files that this package is built for.
struct Libraries {
    shared: PathBuf,
    archive: PathBuf,
}

fn libraries() -> &'static Libraries {
    static BUILT: OnceLock<Libraries> = OnceLock::new();
    BUILT.get_or_init(|| {
        if let Some(folder) = env::var_os("ROPEWALK_TEST_BUILT").map(PathBuf::from) {
            let [shared, archive] =
                ["libropewalk.so", "libropewalk.a"].map(|name| folder.join(name));
            return Libraries { shared, archive };
        }
        // The one that is shipped, which lies next to its archive.
        if let Some(shared) = env::var_os("ROPEWALK_C_LIBRARY").map(PathBuf::from) {
            return Libraries { archive: shared.with_extension("a"), shared };
        }
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut cargo = Command::new(cargo);
        cargo.args(["build", "--package", "ropewalk-c", "--profile", "test"]);
        cargo.args(["--message-format", "json-render-diagnostics"]).current_dir(here());
        let built = cargo.stderr(Stdio::inherit()).output().unwrap();
        assert!(built.status.success(), "the library does not build");
        let mut files = Vec::new();
        for message in Message::parse_stream(&*built.stdout) {
            if let Ok(Message::CompilerArtifact(made)) = message {
                files.extend(made.filenames.into_iter().map(PathBuf::from));
            }
        }
        let named = |name: &str| {
            let is = |path: &&PathBuf| path.file_name().is_some_and(|file| file == name);
            files.iter().find(is).unwrap_or_else(|| panic!("no {name} was built")).clone()
        };
        Libraries { shared: named("libropewalk.so"), archive: named("libropewalk.a") }
    })
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<PathBuf> {
    let files = fs::read_dir(here().join("examples/tour")).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|c| c == "c")).collect();
    files.sort();
    files
}
