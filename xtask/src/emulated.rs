//! The library's tests on processors that this machine does not have.

use std::{cell::LazyCell, path::Path, process::Command};

use anyhow::{Result, ensure};

use crate::{
    expect::{Mask, Model},
    process,
    stage::{CannotRun, Stages},
    tools::{Libc, Qemu, TARGETS, Target, Toolchain},
};

/// Emulators, looked for when the first run asks for them.
pub struct Emulators<'a> {
    root: &'a Path,
    others: Vec<(&'static Target, Lazy<'a, (Toolchain, Qemu)>)>,
    x86: Lazy<'a, Qemu>,
}

/// What the tests are told.
type Environment<'a> = [(&'a str, String)];

type Lazy<'a, T> = LazyCell<Result<T>, Box<dyn FnOnce() -> Result<T> + 'a>>;

/// How many cases the tests take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cases {
    /// Fewer, as an emulator is slow.
    Sampled,
    /// Every one.
    All,
}

impl<'a> Emulators<'a> {
    /// Those for some models. None is looked for yet.
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

    /// Runs the tests as a stage, on a model that lacks what the mask takes away.
    pub fn test(&self, stages: &mut Stages, model: &Model, mask: &Mask, cases: Cases) {
        let name = format!("tests on {}{}", model.name, mask.name);
        stages.run(&name, || {
            let mut environment = vec![
                ("ROPEWALK_EXPECT", said(&model.expected(self.root, mask.flags))),
                ("ROPEWALK_CPU", mask.features.into()),
            ];
            if cases == Cases::Sampled {
                environment.push(("ROPEWALK_SAMPLE", "1".into()));
            }
            match self.others.iter().find(|(target, _)| target.arch == model.arch) {
                Some((_, tools)) => self.other(got(tools)?, model, &environment),
                None => self.x86(model, &environment),
            }
        });
    }

    /// Builds the library for another architecture, and runs its tests.
    fn other(
        &self,
        (toolchain, qemu): &(Toolchain, Qemu),
        model: &Model,
        environment: &Environment<'_>,
    ) -> Result<()> {
        let mut cargo = toolchain.emulated_cargo(qemu, model);
        cargo
            .env("CARGO_TARGET_DIR", self.root.join("target/emulated"))
            .envs(environment.iter().cloned());
        process::run(cargo.args(["test", "--package", "ropewalk"]).current_dir(self.root))
    }

    /// Runs the library's tests as they were built for this machine, with the rest of the workspace: a cargo that is
    /// asked for them alone gives what they share fewer features, and builds everything again.
    fn x86(&self, model: &Model, environment: &Environment<'_>) -> Result<()> {
        if std::env::consts::ARCH != HERE {
            return Err(CannotRun("these are the tests of an x86-64 machine".into()).into());
        }
        let qemu = got(&self.x86)?;
        let package = self.root.join("crates/ropewalk");
        let mut cargo = process::cargo();
        cargo.args(["test", "--workspace", "--no-run"]).current_dir(self.root);
        let tests = process::executables(&mut cargo, |artifact| {
            artifact.profile.test && artifact.manifest_path.starts_with(&package)
        })?;
        ensure!(!tests.is_empty(), "the library has no tests");
        for program in tests {
            println!("\nrunning {}", program.file_name().unwrap_or_default().display());
            let mut test = qemu.command(model);
            // Some start themselves again, as cargo would.
            test.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", qemu.runner(model, None));
            test.envs(environment.iter().cloned()).arg(program).current_dir(&package);
            process::run(&mut test)?;
        }
        Ok(())
    }
}

/// The architecture of the machines that this is worked on with: its tests are built already.
const HERE: &str = "x86_64";

/// Says which backends are expected, and tells the library's tests.
pub fn expect(tests: &mut Command, expected: &[&str]) {
    tests.env("ROPEWALK_EXPECT", said(expected));
}

/// Says which backends are expected, and how tests are told.
fn said(expected: &[&str]) -> String {
    println!("expects {}", expected.join(", "));
    expected.join(",")
}

/// A tool that several stages share, and that was looked for once.
fn got<T>(tool: &Result<T>) -> Result<&T> {
    tool.as_ref().map_err(|error| CannotRun(format!("{error:#}")).into())
}
