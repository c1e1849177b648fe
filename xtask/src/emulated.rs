//! The library's tests on processors that this machine does not have.

use std::{cell::LazyCell, path::Path, process::Command};

use anyhow::Result;

use crate::{
    expect::{Mask, Model},
    process,
    stage::{CannotRun, Stages},
    tools::{Arm, Qemu},
};

/// Emulators, looked for when the first run asks for them.
pub struct Emulators<'a> {
    root: &'a Path,
    arm: Lazy<'a, (Arm, Qemu)>,
    x86: Lazy<'a, Qemu>,
}

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
        let of = |arch| models.iter().copied().filter(|model| model.arch == arch).collect();
        let (arm, x86): (Vec<_>, Vec<_>) = (of("aarch64"), of("x86_64"));
        let arm = move || Ok((Arm::get(root)?, Qemu::get(root, &arm)?));
        let x86 = move || Qemu::get(root, &x86);
        Self { root, arm: LazyCell::new(Box::new(arm)), x86: LazyCell::new(Box::new(x86)) }
    }

    /// Runs the tests as a stage, on a model that lacks what the mask takes away.
    pub fn test(&self, stages: &mut Stages, model: &Model, mask: &Mask, cases: Cases) {
        let name = format!("tests on {}{}", model.name, mask.name);
        stages.run(&name, || {
            let mut cargo = self.cargo(model)?;
            expect(&mut cargo, &model.expected(self.root, mask.flags));
            cargo.args(["test", "--package", "ropewalk"]).env("ROPEWALK_CPU", mask.features);
            if cases == Cases::Sampled {
                cargo.env("ROPEWALK_SAMPLE", "1");
            }
            process::run(cargo.current_dir(self.root))
        });
    }

    /// A cargo whose programs run on a model.
    fn cargo(&self, model: &Model) -> Result<Command> {
        if model.arch == "aarch64" {
            let (arm, qemu) = got(&self.arm)?;
            let mut cargo = arm.cargo(qemu, model);
            cargo.env("CARGO_TARGET_DIR", self.root.join("target/arm"));
            return Ok(cargo);
        }
        if std::env::consts::ARCH != "x86_64" {
            return Err(CannotRun("these are the tests of an x86-64 machine".into()).into());
        }
        let mut cargo = process::cargo();
        let runner = got(&self.x86)?.runner(model, None);
        cargo.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", runner);
        Ok(cargo)
    }
}

/// Says which backends are expected, and tells the library's tests.
pub fn expect(cargo: &mut Command, expected: &[&str]) {
    println!("expects {}", expected.join(", "));
    cargo.env("ROPEWALK_EXPECT", expected.join(","));
}

/// A tool that several stages share, and that was looked for once.
fn got<T>(tool: &Result<T>) -> Result<&T> {
    tool.as_ref().map_err(|error| CannotRun(format!("{error:#}")).into())
}
