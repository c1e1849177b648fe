//! The targets of this machine, and the tools that each needs.

use anyhow::{Context, Result};

/// A processor's architecture with a C library, on Linux.
#[derive(Debug)]
pub struct Target {
    /// Its name in `cargo xtask cross`, and the folder of its files.
    pub name: &'static str,
    /// Its name in Rust.
    pub triple: &'static str,
    /// The architecture's name in the emulator and in [`Model`](crate::expect::Model).
    pub arch: &'static str,
    /// The prefix of GNU's tools for it.
    pub(super) gnu: &'static str,
    /// Debian's packages with those tools and the C library.
    pub(super) packages: [&'static str; 2],
    /// The path of the C library's loader, below the folder of the whole library.
    pub(super) loader: &'static str,
    /// Its name in Debian, if the suite of this machine has packages for it.
    pub(super) debian: Option<&'static str>,
    /// Its name in zig, with the oldest C library that programs must start on.
    pub(super) zig: Option<&'static str>,
}

/// The oldest C library that Rust supports, for all targets with a `Target::zig`.
pub const OLDEST: (u32, u32) = (2, 17);

/// Every target.
pub const TARGETS: &[Target] = &[
    Target {
        name: "aarch64",
        triple: "aarch64-unknown-linux-gnu",
        arch: "aarch64",
        gnu: "aarch64-linux-gnu",
        packages: ["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"],
        loader: "lib/ld-linux-aarch64.so.1",
        debian: Some("arm64"),
        zig: Some("aarch64-linux-gnu.2.17"),
    },
    Target {
        name: "armv7",
        triple: "armv7-unknown-linux-gnueabihf",
        arch: "arm",
        gnu: "arm-linux-gnueabihf",
        packages: ["gcc-arm-linux-gnueabihf", "libc6-dev-armhf-cross"],
        loader: "lib/ld-linux-armhf.so.3",
        debian: Some("armhf"),
        zig: Some("arm-linux-gnueabihf.2.17"),
    },
    Target {
        name: "riscv64",
        triple: "riscv64gc-unknown-linux-gnu",
        arch: "riscv64",
        gnu: "riscv64-linux-gnu",
        packages: ["gcc-riscv64-linux-gnu", "libc6-dev-riscv64-cross"],
        loader: "lib/ld-linux-riscv64-lp64d.so.1",
        debian: None,
        zig: None,
    },
    Target {
        name: "i686",
        triple: "i686-unknown-linux-gnu",
        arch: "i386",
        gnu: "i686-linux-gnu",
        packages: ["gcc-i686-linux-gnu", "libc6-dev-i386-cross"],
        loader: "lib/ld-linux.so.2",
        debian: Some("i386"),
        zig: None,
    },
    Target {
        name: "x86_64",
        triple: "x86_64-unknown-linux-gnu",
        arch: "x86_64",
        gnu: "x86_64-linux-gnu",
        packages: ["gcc-x86-64-linux-gnu", "libc6-dev-amd64-cross"],
        loader: "lib64/ld-linux-x86-64.so.2",
        debian: Some("amd64"),
        zig: Some("x86_64-linux-gnu.2.17"),
    },
];

impl Target {
    /// The target of that name.
    ///
    /// # Errors
    /// Fails if there is none; the error lists all.
    pub fn named(name: &str) -> Result<&'static Self> {
        let names = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
        TARGETS
            .iter()
            .find(|target| target.name == name)
            .with_context(|| format!("no target is called `{name}`; there are {}", names()))
    }

    /// The target of a model's architecture.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn of(arch: &str) -> Result<&'static Self> {
        let target = TARGETS.iter().find(|target| target.arch == arch);
        target.with_context(|| format!("nothing is built for {arch}"))
    }

    /// Whether programs must start on the oldest C library, and not only on that of its packages.
    pub fn starts_on_the_oldest(&self) -> bool {
        self.zig.is_some()
    }

    /// The name of a variable of cargo's: `CARGO_TARGET_…_LINKER`.
    pub(super) fn variable(&self, what: &str) -> String {
        let triple = self.triple.to_uppercase().replace('-', "_");
        format!("CARGO_TARGET_{triple}_{what}")
    }

    /// The same for a crate that compiles C: `CC_…`.
    pub(super) fn c_variable(&self, what: &str) -> String {
        format!("{what}_{}", self.triple.replace('-', "_"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::MODELS;

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        assert_eq!(Target::named("armv7").unwrap().arch, "arm");
        let why = Target::named("arm64").unwrap_err().to_string();
        assert!(why.contains("`arm64`"), "{why}");
        for target in TARGETS {
            assert!(why.contains(target.name), "{why}");
        }
    }

    #[test]
    fn every_model_has_a_target_and_every_target_a_model() {
        for model in MODELS {
            Target::of(model.arch).unwrap();
        }
        for target in TARGETS {
            assert!(MODELS.iter().any(|model| model.arch == target.arch), "{}", target.name);
        }
    }

    #[test]
    fn variables_are_spelled_as_cargo_reads_them() {
        let target = Target::named("riscv64").unwrap();
        assert_eq!(target.variable("LINKER"), "CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_LINKER");
        assert_eq!(target.c_variable("CC"), "CC_riscv64gc_unknown_linux_gnu");
    }
}
