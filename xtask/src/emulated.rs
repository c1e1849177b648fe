//! The library's tests on processors that this machine does not have.

use std::{
    cell::LazyCell,
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use cargo_metadata::MetadataCommand;

use crate::{
    built::{name_of, tests_here},
    expect::{Mask, Model, NO_MASK, WHOLE},
    interfaces, process,
    stage::{CannotRun, Stages},
    tools::{Bochs, Libc, Qemu, Run, TARGETS, Target, Toolchain},
};

/// Emulators; each is located when the first run needs it.
pub struct Emulators<'a> {
    root: &'a Path,
    others: Vec<(&'static Target, Lazy<'a, (Toolchain, Qemu)>)>,
    x86: Lazy<'a, Qemu>,
}

/// The environment variables of the tests.
type Environment<'a> = [(&'a str, String)];

type Lazy<'a, T> = LazyCell<Result<T>, Box<dyn FnOnce() -> Result<T> + 'a>>;

/// How many cases the tests take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cases {
    /// Fewer, as an emulator is slow, and only of tests whose result depends on the processor.
    Sampled,
    /// As few, and only of programs that are compiled in seconds: the architecture is compiled for this stage only.
    OfBackends,
    /// Every case.
    All,
}

/// Tests with the same result on every processor. They are compiled for another machine with `Cases::All` only.
const OF_ANY_PROCESSOR: [&str; 8] =
    ["collector", "kdf", "names", "rustcrypto", "threads", "timing", "tuning", "wrong"];

/// Modules of the library whose unit tests have the same result on every processor, or run natively on the one that they need.
const MODULES_OF_ANY_PROCESSOR: [&str; 5] =
    ["bignum::", "curves::", "fields::", "keys::", "public::"];

/// Tests of the known answers of every backend, of the registers that it keeps, and of lengths and splits of primitives that are built on
/// the others.
const OF_BACKENDS: [&str; 6] =
    ["aes_gcm", "backends", "cbc_hmac", "chacha20_poly1305", "hashes", "kept"];

impl Cases {
    /// The arguments of a test program.
    fn arguments(self) -> Vec<&'static str> {
        match self {
            Self::Sampled => {
                MODULES_OF_ANY_PROCESSOR.iter().flat_map(|it| ["--skip", it]).collect()
            }
            Self::OfBackends | Self::All => Vec::new(),
        }
    }

    /// Whether these have tests of the program of that name.
    fn include(self, name: &str) -> bool {
        match self {
            Self::Sampled => !OF_ANY_PROCESSOR.contains(&name),
            Self::OfBackends => OF_BACKENDS.contains(&name),
            Self::All => true,
        }
    }
}

impl<'a> Emulators<'a> {
    /// The emulators for some models. None is located yet.
    pub fn new(root: &'a Path, models: &[&'static Model]) -> Self {
        let of = |arch| models.iter().copied().filter(|m| m.arch == arch).collect::<Vec<_>>();
        let other = |target: &'static Target| {
            let models = of(target.arch);
            let get = move || {
                let toolchain = Toolchain::get(root, target, Libc::Packaged)?;
                Ok((toolchain, Qemu::get(root, &models)?))
            };
            (target, LazyCell::new(Box::new(get) as Box<dyn FnOnce() -> _>))
        };
        let others = TARGETS.iter().filter(|target| target.arch != HERE).map(other).collect();
        let models = of(HERE);
        let x86 = move || Qemu::get(root, &models);
        Self { root, others, x86: LazyCell::new(Box::new(x86)) }
    }

    /// Runs the tests as a stage, on a model without the features of the mask.
    pub fn test(&self, stages: &mut Stages, model: &Model, mask: &Mask, cases: Cases) {
        let name = format!("tests on {}{}", model.name, mask.name);
        stages.run(&name, || {
            let mut environment = self.environment(model, mask, cases)?;
            environment.push(("ROPEWALK_CPU", mask.features.into()));
            match self.others.iter().find(|(target, _)| target.arch == model.arch) {
                Some((_, tools)) => self.other(got(tools)?, model, &environment, cases),
                None => self.x86(model, &environment, cases),
            }
        });
    }

    /// Runs the tests of the C library and of the OpenSSL provider as a stage, on a model of another architecture.
    pub fn test_interfaces(&self, stages: &mut Stages, model: &Model, cases: Cases) {
        stages.run(&format!("C library and OpenSSL provider on {}", model.name), || {
            let tools = self.others.iter().find(|(target, _)| target.arch == model.arch);
            let (_, tools) = tools.context("it is of this architecture")?;
            let environment = self.environment(model, &NO_MASK, cases)?;
            interfaces::test(self.root, got(tools)?, model, &environment)
        });
    }

    fn environment(
        &self,
        model: &Model,
        mask: &Mask,
        cases: Cases,
    ) -> Result<Vec<(&'static str, String)>> {
        let mut environment =
            vec![("ROPEWALK_EXPECT", said(&model.expected(self.root, mask.flags)?))];
        if cases != Cases::All {
            environment.push(("ROPEWALK_SAMPLE", "1".into()));
        }
        Ok(environment)
    }

    /// Builds the library for another architecture, and runs its tests.
    fn other(
        &self,
        (toolchain, qemu): &(Toolchain, Qemu),
        model: &Model,
        environment: &Environment<'_>,
        cases: Cases,
    ) -> Result<()> {
        let mut cargo = toolchain.emulated_cargo(qemu, model);
        cargo
            .env("CARGO_TARGET_DIR", self.root.join("target/emulated"))
            .envs(environment.iter().cloned())
            .args(["test", "--package", "ropewalk"]);
        if cases == Cases::Sampled {
            cargo.arg("--lib");
        }
        if cases != Cases::All {
            for test in test_programs(self.root)?.iter().filter(|name| cases.include(name)) {
                cargo.args(["--test", test]);
            }
        }
        cargo.arg("--").args(cases.arguments());
        process::run(cargo.current_dir(self.root))
    }

    /// Runs the library's tests that were built for this machine.
    fn x86(&self, model: &Model, environment: &Environment<'_>, cases: Cases) -> Result<()> {
        must_be_here()?;
        let qemu = got(&self.x86)?;
        let programs = tests_here(self.root, &package(self.root))?.into_iter();
        for program in programs.filter(|it| cases.include(&name_of(it))) {
            println!("\nrunning {}", program.file_name().unwrap_or_default().display());
            let mut test = qemu.command(model);
            // Some tests start themselves again, as cargo does.
            test.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", qemu.runner(model, None));
            test.envs(environment.iter().cloned()).arg(program).args(cases.arguments());
            test.current_dir(package(self.root));
            process::run(&mut test)?;
        }
        Ok(())
    }
}

/// The architecture of the development machines: its tests are built already.
const HERE: &str = "x86_64";

/// Runs the tests of the backends that are not yet tested, as stages, on the models that need a whole
/// machine.
pub fn test_whole(root: &Path, stages: &mut Stages, known: &mut BTreeSet<String>) -> Result<()> {
    for whole in WHOLE {
        let mut name = format!("tests on {}", whole.model.name);
        if !whole.added.is_empty() {
            name += &format!(" with {}", whole.added);
        }
        let expected = whole.model.expected(root, &[])?;
        let unknown: Vec<_> = expected.iter().filter(|backend| !known.contains(*backend)).collect();
        stages.run(&name, || {
            must_be_here()?;
            let bochs = Bochs::get(root, WHOLE)?;
            let environment =
                [("ROPEWALK_EXPECT", said(&expected)), ("ROPEWALK_SAMPLE", "1".into())];
            let runs: Vec<_> = tests_here(root, &package(root))?
                .iter()
                .flat_map(|program| runs(program, &unknown))
                .collect();
            bochs.run(whole, &runs, &environment)
        });
        known.extend(expected);
    }
    Ok(())
}

/// How often, and with which cases, a program runs to test some backends. Most tests do not depend on the machine, and
/// an emulated one is a hundred times slower.
fn runs(program: &Path, unknown: &[impl AsRef<str>]) -> Vec<Run> {
    let unknown: Vec<_> = unknown.iter().map(AsRef::as_ref).collect();
    let run = |cases: &str| Run { program: program.into(), cases: cases.into() };
    let name = &*name_of(program);
    let is_of =
        |folder: &str| unknown.iter().any(|backend| backend.starts_with(&format!("{folder}/")));
    match name {
        "backends" => vec![run("")],
        "nets" => {
            // The filter `avx512` also matches `avx512_x8`.
            let again = |backend: &str| {
                unknown.iter().any(|other| *other != backend && backend.starts_with(other))
            };
            unknown.iter().filter(|backend| !again(backend)).map(|backend| run(backend)).collect()
        }
        "hashes" if ["md5", "sha1", "sha512"].into_iter().any(is_of) => vec![run("")],
        folder if is_of(folder) => vec![run("")],
        _ => vec![],
    }
}

/// The names of the library's test programs, but for the unit tests.
fn test_programs(root: &Path) -> Result<Vec<String>> {
    let mut metadata = MetadataCommand::new();
    let metadata = metadata.no_deps().manifest_path(root.join("Cargo.toml")).exec()?;
    let targets =
        metadata.packages.into_iter().filter(|package| package.name.as_str() == "ropewalk");
    let tests = targets.flat_map(|package| package.targets).filter(|target| target.is_test());
    let names: Vec<_> = tests.map(|target| target.name).collect();
    for name in OF_ANY_PROCESSOR.into_iter().chain(OF_BACKENDS) {
        ensure!(names.iter().any(|it| it == name), "the library has no test called {name}");
    }
    Ok(names)
}

fn package(root: &Path) -> PathBuf {
    root.join("crates/ropewalk")
}

fn must_be_here() -> Result<()> {
    if std::env::consts::ARCH != HERE {
        return Err(CannotRun("these are the tests of an x86-64 machine".into()).into());
    }
    Ok(())
}

/// Prints which backends are expected, and passes them to the library's tests.
pub fn expect(tests: &mut Command, expected: &[String]) {
    tests.env("ROPEWALK_EXPECT", said(expected));
}

/// Prints which backends are expected, and returns the value that the tests read.
fn said(expected: &[String]) -> String {
    println!("expects {}", expected.join(", "));
    expected.join(",")
}

/// A tool that several stages share, and that was located once.
fn got<T>(tool: &Result<T>) -> Result<&T> {
    tool.as_ref().map_err(|error| CannotRun(format!("{error:#}")).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_run_for_what_is_unknown() {
        let cases = |program: &str, unknown: &[&str]| {
            let runs = runs(Path::new(program), unknown).into_iter();
            runs.map(|run| run.cases).collect::<Vec<_>>()
        };
        let unknown = ["sha3/x86_64/avx512", "sha3/x86_64/avx512_x8", "aes_gcm/x86_64/vaes512"];
        assert_eq!(cases("/deps/nets-0a", &unknown), [unknown[0], unknown[2]]);
        assert_eq!(cases("/deps/backends-0a", &unknown), [""]);
        assert_eq!(cases("/deps/aes_gcm-0a", &unknown), [""]);
        assert!(cases("/deps/aes_cbc-0a", &unknown).is_empty());
        assert!(cases("/deps/hashes-0a", &unknown).is_empty());
        assert_eq!(cases("/deps/hashes-0a", &["md5/x86_64/avx512_x16"]), [""]);
    }
}
