//! Everything to build and run Rust for Arm64 on another machine.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use cargo_metadata::{MetadataCommand, semver::Version};

use super::{
    Cache, Qemu, Way,
    apt::{Apt, Sources},
    first,
    linker::Linker,
};
use crate::{
    expect::Model,
    process::{self, SOON, program},
};

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// A compiler with a standard library for Arm64, and a linker.
pub struct Arm {
    compiler: Compiler,
    linker: Linker,
}

#[derive(Default)]
struct Compiler {
    /// A compiler of its own; without one, the one that cargo finds.
    root: Option<PathBuf>,
    /// Shared libraries that this compiler runs on.
    libraries: Vec<PathBuf>,
    flags: Vec<String>,
}

impl Arm {
    /// Finds or fetches what it takes.
    ///
    /// # Errors
    /// [`CannotRun`](crate::stage::CannotRun) where something is missing and cannot be fetched.
    pub fn get(root: &Path) -> Result<Self> {
        let cache = Cache::open(root)?;
        let linker = Linker::get(&cache)?;
        let least = least_version(root)?;
        let probed = |compiler: Compiler| compiler.probed(&linker, &least);
        let open_debian = |folder: &Path| probed(Compiler::debian(folder)?);
        let open_built = |folder: &Path| probed(Compiler::built(folder));
        let ways = [
            Way::new("installed already", || probed(Compiler::default())),
            Way::new("added by rustup", || {
                let mut rustup = program("rustup");
                process::output(rustup.args(["target", "add", TARGET]), Duration::from_secs(90))?;
                probed(Compiler::default())
            }),
            Way::new("unpacked from Debian's newest compiler", || {
                cache.tool("arm-debian", fill_debian, open_debian)
            }),
            Way::new("built from Debian's source of this compiler", || {
                cache.tool(&format!("arm-built-{}", release("rustc")?), fill_built, open_built)
            }),
        ];
        let advice = format!("run `rustup target add {TARGET}`");
        let compiler = first("standard library for Arm64", ways, &advice)?;
        Ok(Self { compiler, linker })
    }

    /// A cargo that builds for Arm64 and runs what it has built on that model.
    pub fn cargo(&self, qemu: &Qemu, model: &Model) -> Command {
        let mut cargo = process::cargo();
        self.compiler.lend_libraries(&mut cargo, &self.linker);
        if let Some(root) = &self.compiler.root {
            cargo.env("RUSTC", root.join("bin/rustc")).env("RUSTDOC", root.join("bin/rustdoc"));
        }
        // A compiler newer than the project's own warns of more.
        let mut flags = self.compiler.flags(&self.linker);
        flags.push("--cap-lints=warn".into());
        let flags = flags.join("\x1f");
        cargo
            .env("CARGO_ENCODED_RUSTFLAGS", &flags)
            .env("CARGO_ENCODED_RUSTDOCFLAGS", flags)
            .env_remove("RUSTFLAGS")
            .env_remove("RUSTDOCFLAGS")
            .env("CARGO_BUILD_TARGET", TARGET)
            .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", &self.linker.program)
            .env(
                "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
                qemu.runner(model, Some(&self.linker.libc)),
            );
        cargo
    }

    /// The command in front of a program that was built so, with room for options of the emulator's.
    pub fn emulated(&self, qemu: &Qemu, model: &Model) -> Command {
        let mut command = qemu.command(model);
        command.arg("-L").arg(&self.linker.libc);
        command
    }
}

impl Compiler {
    /// Debian's, unpacked.
    fn debian(folder: &Path) -> Result<Self> {
        let root = folder.join("root/usr");
        let mut libraries = Vec::new();
        for entry in fs::read_dir(root.join("lib"))? {
            let entry = entry?.path();
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            if name.ends_with("-linux-gnu") {
                libraries.push(entry);
            } else if name.starts_with("llvm-") {
                libraries.push(entry.join("lib"));
            }
        }
        Ok(Self { root: Some(root), libraries, flags: Vec::new() })
    }

    /// The installed one with a standard library that was built for it.
    fn built(folder: &Path) -> Self {
        let flags = vec![format!("--sysroot={}", folder.join("sysroot").display())];
        Self { flags, ..Self::default() }
    }

    /// Builds a test, which takes the standard library, the harness and the linker.
    fn probed(self, linker: &Linker, least: &Version) -> Result<Self> {
        let rustc = self.root.as_ref().map_or("rustc".into(), |root| root.join("bin/rustc"));
        let command = || {
            let mut command = program(&rustc);
            self.lend_libraries(&mut command, linker);
            command
        };
        let version = release_of(&mut command())?;
        if version < *least {
            bail!("{version} is older than {least}");
        }
        let folder = tempfile::tempdir()?;
        let source = folder.path().join("probe.rs");
        fs::write(&source, "#[test] fn it_runs() { std::thread::spawn(|| ()).join().unwrap() }\n")?;
        let mut build = command();
        build.args(["--test", "--edition=2024", "--target", TARGET]).args(self.flags(linker));
        build.arg("-o").arg(folder.path().join("probe")).arg(&source);
        build.arg(format!("-Clinker={}", linker.program.display()));
        process::output(&mut build, SOON)?;
        Ok(self)
    }

    fn flags(&self, linker: &Linker) -> Vec<String> {
        let arguments = linker.arguments.iter().map(|argument| format!("-Clink-arg={argument}"));
        self.flags.iter().cloned().chain(arguments).collect()
    }

    /// Lets a command find the libraries that the compiler and the linker run on.
    fn lend_libraries(&self, command: &mut Command, linker: &Linker) {
        let before = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let ours = self.libraries.iter().chain(&linker.libraries).cloned();
        let all: Vec<_> = ours.chain(std::env::split_paths(&before)).collect();
        if !all.is_empty() {
            command.env("LD_LIBRARY_PATH", std::env::join_paths(all).expect("no colon in a path"));
        }
    }
}

/// A compiler newer than the release's own that Debian keeps for its browsers, and its standard
/// library for Arm64.
fn fill_debian(folder: &Path) -> Result<()> {
    let apt = Apt::new(folder, &Sources::Machine, &["arm64"])?;
    let root = folder.join("root");
    let std = "libstd-rust-web-dev";
    let depends = apt.unpack(&["rustc-web", std, &format!("{std}:arm64")], &root)?;
    let shared = word_with(&depends, "libstd-rust-web-", |c| c.is_ascii_digit() || c == '.')
        .context("its standard library depends on no shared one")?;
    let depends = apt.unpack(&[shared], &root)?;
    let llvm = word_with(&depends, "libllvm", |c| c.is_ascii_digit())
        .context("its compiler depends on no LLVM")?;
    apt.unpack(&[llvm], &root)?;
    apt.clear()
}

/// The standard library of the installed compiler, from the source of exactly its version.
fn fill_built(folder: &Path) -> Result<()> {
    let release = release("rustc")?.to_string();
    let apt = Apt::new(folder, &Sources::Suites(&["sid", "trixie-backports", "trixie"]), &[])?;
    let same =
        |version: &String| version == &release || version.starts_with(&format!("{release}+"));
    let version = apt.versions("rust-src")?.into_iter().find(same);
    let version = version.with_context(|| format!("Debian has no rust-src {release}"))?;
    let root = folder.join("root");
    apt.unpack(&[&format!("rust-src={version}")], &root)?;
    apt.clear()?;

    let package = folder.join("package");
    fs::create_dir_all(package.join("src"))?;
    fs::write(package.join("src/lib.rs"), "")?;
    let manifest = package.join("Cargo.toml");
    fs::write(
        &manifest,
        "[package]\nname = \"stdonly\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n",
    )?;
    let mut build = process::cargo();
    build
        .args(["build", "--quiet", "--release", "--target", TARGET])
        .arg("-Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test")
        .arg("--manifest-path")
        .arg(manifest)
        .env_remove("RUSTFLAGS")
        .env("RUSTC_BOOTSTRAP", "1")
        .env("__CARGO_TESTS_ONLY_SRC_ROOT", root.join(format!("usr/src/rustc-{release}/library")))
        .env("CARGO_TARGET_DIR", package.join("target"));
    process::output(&mut build, Duration::from_secs(600))?;

    let rustlib = folder.join("sysroot/lib/rustlib");
    let target = rustlib.join(TARGET).join("lib");
    fs::create_dir_all(&target)?;
    for entry in fs::read_dir(package.join("target").join(TARGET).join("release/deps"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libstdonly") {
            fs::copy(entry.path(), target.join(name))?;
        }
    }
    // Procedural macros are built for this machine, with the same sysroot.
    let sysroot = process::output(program("rustc").args(["--print", "sysroot"]), SOON)?;
    let host = process::host()?;
    let installed = Path::new(sysroot.trim()).join("lib/rustlib").join(&host);
    std::os::unix::fs::symlink(installed, rustlib.join(host))?;
    fs::remove_dir_all(package)?;
    Ok(fs::remove_dir_all(root)?)
}

/// What the workspace asks of a compiler.
fn least_version(root: &Path) -> Result<Version> {
    let mut metadata = MetadataCommand::new();
    let metadata = metadata.manifest_path(root.join("Cargo.toml")).no_deps().exec()?;
    let mut versions: Vec<_> =
        metadata.packages.iter().filter_map(|package| package.rust_version.clone()).collect();
    versions.sort();
    versions.pop().context("no package has a rust-version")
}

fn release(rustc: &str) -> Result<Version> {
    release_of(&mut program(rustc))
}

fn release_of(rustc: &mut Command) -> Result<Version> {
    let text = process::output(rustc.arg("-vV"), SOON)?;
    let release = text.lines().find_map(|line| line.strip_prefix("release: "));
    Ok(Version::parse(release.context("rustc names no release")?)?)
}

/// The first word that starts so and goes on with such characters, and at least one of them.
fn word_with<'a>(text: &'a str, start: &str, goes_on: impl Fn(char) -> bool) -> Option<&'a str> {
    text.split([' ', ',', '(']).find_map(|word| {
        let rest = word.strip_prefix(start)?;
        let end = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
        (end > 0).then(|| &word[..start.len() + end])
    })
}
