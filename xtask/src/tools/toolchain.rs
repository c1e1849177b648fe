//! The tools that build Rust for another target, and run it on this machine.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use cargo_metadata::{MetadataCommand, semver::Version};

use super::{
    Cache, Qemu, Target, Way,
    apt::{Apt, Sources},
    first,
    linker::Linker,
    zig::Zig,
};
use crate::{
    expect::Model,
    process::{self, SOON, program},
    stage::CannotRun,
};

/// A compiler with a standard library for a target, and a linker.
pub struct Toolchain {
    /// The target.
    pub target: &'static Target,
    compiler: Compiler,
    linker: Linker,
    /// Present if programs must start on an older C library than the linker's.
    zig: Option<Zig>,
}

/// The oldest C library that programs start on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Libc {
    /// That of the target's packages.
    Packaged,
    /// The oldest for which a linker exists.
    Oldest,
}

#[derive(Default)]
struct Compiler {
    /// A separate compiler; `None` for the one that cargo finds.
    root: Option<PathBuf>,
    /// Shared libraries that this compiler needs.
    libraries: Vec<PathBuf>,
    flags: Vec<String>,
}

impl Toolchain {
    /// Finds or fetches the tools.
    ///
    /// # Errors
    /// [`CannotRun`](crate::stage::CannotRun) if something is missing and cannot be fetched.
    pub fn get(root: &Path, target: &'static Target, libc: Libc) -> Result<Self> {
        let cache = Cache::open(root)?;
        let linker = Linker::get(&cache, target)?;
        let least = least_version(root)?;
        let (triple, name) = (target.triple, target.name);
        let probed = |compiler: Compiler| compiler.probed(target, &linker, &least);
        let open_debian = |folder: &Path| probed(Compiler::debian(folder)?);
        let open_built = |folder: &Path| probed(Compiler::built(folder));
        let ways = [
            Way::new("installed already", || probed(Compiler::default())),
            Way::new("added by rustup", || {
                let mut rustup = program("rustup");
                process::output(rustup.args(["target", "add", triple]), Duration::from_secs(90))?;
                probed(Compiler::default())
            }),
            Way::new("unpacked from Debian's newest compiler", || {
                let arch = target.debian.context("Debian has none for it")?;
                cache.tool(
                    &format!("{name}-debian"),
                    |folder| fill_debian(folder, arch),
                    open_debian,
                )
            }),
            Way::new("built from Debian's source of this compiler", || {
                let kept = format!("{name}-built-{}", release("rustc")?);
                cache.tool(&kept, |folder| fill_built(folder, triple), open_built)
            }),
        ];
        let advice = format!("run `rustup target add {triple}`");
        let compiler = first(&format!("standard library for {name}"), ways, &advice)?;
        let zig = libc == Libc::Oldest && target.starts_on_the_oldest();
        let zig = zig.then(|| Zig::get(&cache, target)).transpose()?;
        Ok(Self { target, compiler, linker, zig })
    }

    /// A cargo that builds for the target.
    pub fn cargo(&self) -> Command {
        self.cargo_with(&[])
    }

    /// The same, with further options for the compiler.
    pub fn cargo_with(&self, words: &[String]) -> Command {
        let mut cargo = process::cargo();
        self.compiler.lend_libraries(&mut cargo, &self.linker);
        if let Some(root) = &self.compiler.root {
            cargo.env("RUSTC", root.join("bin/rustc")).env("RUSTDOC", root.join("bin/rustdoc"));
        }
        let linker = match &self.zig {
            Some(zig) => {
                zig.lend(&mut cargo);
                cargo
                    .env(self.target.c_variable("CC"), &zig.cc)
                    .env(self.target.c_variable("AR"), &zig.ar);
                &zig.cc
            }
            None => &self.linker.program,
        };
        let flags = [self.flags().as_slice(), words].concat().join("\x1f");
        cargo
            .env("CARGO_ENCODED_RUSTFLAGS", &flags)
            .env("CARGO_ENCODED_RUSTDOCFLAGS", flags)
            .env_remove("RUSTFLAGS")
            .env_remove("RUSTDOCFLAGS")
            .env("CARGO_BUILD_TARGET", self.target.triple)
            .env(self.target.variable("LINKER"), linker);
        cargo
    }

    /// Options of the compiler.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = self.compiler.flags.clone();
        if self.zig.is_none() {
            flags.extend(self.linker.flags());
        }
        // A compiler newer than the project's has more warnings.
        flags.push("--cap-lints=warn".into());
        flags
    }

    /// A cargo that runs its programs on that model.
    pub fn emulated_cargo(&self, qemu: &Qemu, model: &Model) -> Command {
        let mut cargo = self.cargo();
        let runner = qemu.runner(model, Some(&self.linker.libc));
        cargo.env(self.target.variable("RUNNER"), runner);
        cargo
    }

    /// The C compiler that links.
    pub(crate) fn compiler_of_c(&self) -> Result<PathBuf> {
        if !self.linker.arguments.is_empty() {
            bail!(CannotRun(format!(
                "{} is only unpacked: install it",
                self.linker.program.display()
            )));
        }
        Ok(self.linker.program.clone())
    }

    /// The same with its options. Lets a command, and its child processes, find its dependencies.
    pub(crate) fn lend_compiler_of_c(&self, command: &mut Command) -> Vec<String> {
        self.linker.lend_libraries(command);
        let program = self.linker.program.display().to_string();
        [&[program], self.linker.arguments.as_slice()].concat()
    }

    /// The command in front of such a program; options of the emulator can be added.
    pub fn emulated(&self, qemu: &Qemu, model: &Model) -> Command {
        let mut command = qemu.command(model);
        command.arg("-L").arg(&self.linker.libc);
        command
    }

    /// The version that the compiler reports.
    ///
    /// # Errors
    /// Fails if it reports none.
    pub fn rustc(&self) -> Result<String> {
        let mut rustc = self.compiler.command(&self.linker);
        Ok(process::output(rustc.arg("--version"), SOON)?.trim().into())
    }

    /// The name of the linker.
    pub fn linked_by(&self) -> String {
        match &self.zig {
            Some(zig) => format!("zig {}", zig.version),
            None => line_of(&self.linker.program),
        }
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

    /// The installed one, with a standard library that was built here.
    fn built(folder: &Path) -> Self {
        let flags = vec![format!("--sysroot={}", folder.join("sysroot").display())];
        Self { flags, ..Self::default() }
    }

    /// Builds a test, which needs the standard library, the harness and the linker.
    fn probed(self, target: &Target, linker: &Linker, least: &Version) -> Result<Self> {
        let version = release_of(&mut self.command(linker))?;
        if version < *least {
            bail!("{version} is older than {least}");
        }
        let folder = tempfile::tempdir()?;
        let source = folder.path().join("probe.rs");
        fs::write(&source, "#[test] fn it_runs() { std::thread::spawn(|| ()).join().unwrap() }\n")?;
        let mut build = self.command(linker);
        build.args(["--test", "--edition=2024", "--target", target.triple]);
        build.args(&self.flags).args(linker.flags());
        build.arg("-o").arg(folder.path().join("probe")).arg(&source);
        build.arg(format!("-Clinker={}", linker.program.display()));
        process::output(&mut build, SOON)?;
        Ok(self)
    }

    fn command(&self, linker: &Linker) -> Command {
        let rustc = self.root.as_ref().map_or("rustc".into(), |root| root.join("bin/rustc"));
        let mut command = program(rustc);
        self.lend_libraries(&mut command, linker);
        command
    }

    /// Lets a command find the libraries that the compiler and the linker need.
    fn lend_libraries(&self, command: &mut Command, linker: &Linker) {
        let before = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let ours = self.libraries.iter().chain(&linker.libraries).cloned();
        let all: Vec<_> = ours.chain(std::env::split_paths(&before)).collect();
        if !all.is_empty() {
            command.env("LD_LIBRARY_PATH", std::env::join_paths(all).expect("no colon in a path"));
        }
    }
}

/// A newer compiler than that of the release, which Debian maintains for its browsers, and its standard
/// library for an architecture.
fn fill_debian(folder: &Path, arch: &str) -> Result<()> {
    let apt = Apt::new(folder, &Sources::Machine, &[arch])?;
    let root = folder.join("root");
    let std = "libstd-rust-web-dev";
    let depends = apt.unpack(&["rustc-web", std, &format!("{std}:{arch}")], &root)?;
    let shared = word_with(&depends, "libstd-rust-web-", |c| c.is_ascii_digit() || c == '.')
        .context("its standard library depends on no shared one")?;
    let depends = apt.unpack(&[shared], &root)?;
    let llvm = word_with(&depends, "libllvm", |c| c.is_ascii_digit())
        .context("its compiler depends on no LLVM")?;
    apt.unpack(&[llvm], &root)?;
    apt.clear()
}

/// The standard library of the installed compiler, from the source of exactly its version.
fn fill_built(folder: &Path, triple: &str) -> Result<()> {
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
        .args(["build", "--quiet", "--release", "--target", triple])
        .arg("-Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test")
        .arg("--manifest-path")
        .arg(manifest)
        .env_remove("RUSTFLAGS")
        .env("RUSTC_BOOTSTRAP", "1")
        .env("__CARGO_TESTS_ONLY_SRC_ROOT", root.join(format!("usr/src/rustc-{release}/library")))
        .env("CARGO_TARGET_DIR", package.join("target"));
    process::output(&mut build, Duration::from_secs(600))?;

    let rustlib = folder.join("sysroot/lib/rustlib");
    let target = rustlib.join(triple).join("lib");
    fs::create_dir_all(&target)?;
    for entry in fs::read_dir(package.join("target").join(triple).join("release/deps"))? {
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

/// The file name of a program.
fn line_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The oldest compiler for the workspace.
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

/// The first word that begins with `start` and goes on with one or more characters of `goes_on`.
fn word_with<'a>(text: &'a str, start: &str, goes_on: impl Fn(char) -> bool) -> Option<&'a str> {
    text.split([' ', ',', '(']).find_map(|word| {
        let rest = word.strip_prefix(start)?;
        let end = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
        (end > 0).then(|| &word[..start.len() + end])
    })
}
