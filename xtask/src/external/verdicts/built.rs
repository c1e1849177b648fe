//! Files that are built here, in variants that the doctor must distinguish.

use std::{
    cell::OnceCell,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use cargo_metadata::MetadataCommand;

use super::{answers, cases::Machine};
use crate::{
    expect::Model,
    external::peers::built::package,
    process::{self, SOON, program},
    stage::CannotRun,
    tools::{
        Cache, Libc, Qemu, Target, Toolchain,
        building::{keep_only, must_be_here},
    },
};

/// Long enough for a slow machine.
const LIMIT: Duration = Duration::from_secs(3600);

/// Builds of unused algorithms and protocols would take two thirds of the time.
const CONFIGURED: &str = "no-shared no-module no-tests no-apps no-docs no-legacy no-quic no-cms no-cmp no-ts no-ct \
    no-ocsp no-srp no-sm2 no-ml-kem no-ml-dsa no-slh-dsa no-lms no-ec no-dh no-dsa no-des no-camellia no-aria no-seed \
    no-idea no-bf no-cast no-rc2 no-rc4 no-whirlpool no-rmd160 no-md4 no-scrypt no-argon2 no-http no-sock no-dso \
    no-ui-console no-async no-psk no-srtp no-dtls no-tls no-siphash no-siv no-gost no-rfc3779";

/// Builds files, and runs them.
pub(super) struct Builds<'a> {
    root: &'a Path,
    arm: OnceCell<(Toolchain, Qemu, &'static Model)>,
}

impl<'a> Builds<'a> {
    pub(super) fn new(root: &'a Path) -> Self {
        Self { root, arm: OnceCell::new() }
    }

    /// Its libcrypto, as a shared library: the crate lacks the makefile of OpenSSL for it.
    pub(super) fn openssl(&self, machine: Machine, assembly: bool) -> Result<PathBuf> {
        let name = "libcrypto.so.4";
        let cc = self.cc(machine)?;
        let fill = |folder: &Path| {
            must_be_here("perl", "--version")?;
            must_be_here("make", "--version")?;
            let tree = folder.join("tree");
            copy(&openssl_source(folder)?, &tree)?;
            let mut configure = program("perl");
            configure.args(["./Configure", &format!("linux-{}", machine.uname())]);
            configure.args(CONFIGURED.split_whitespace());
            if !assembly {
                configure.arg("no-asm");
            }
            let tool = |tool: &str| cc.with_file_name(cc_name(machine).replace("gcc", tool));
            configure.env("CC", &cc).env("AR", tool("ar")).env("RANLIB", tool("ranlib"));
            process::output(configure.current_dir(&tree), LIMIT)?;
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            for goal in ["build_generated", "libcrypto.a"] {
                let mut make = program("make");
                make.arg(format!("-j{cores}")).arg(goal).current_dir(&tree);
                process::output(&mut make, LIMIT)?;
            }
            let mut link = program(&cc);
            link.args(["-shared", "-Wl,-soname,libcrypto.so.4", "-Wl,-Bsymbolic", "-o"]);
            link.arg(folder.join(name)).arg("-Wl,--whole-archive").arg(tree.join("libcrypto.a"));
            link.args(["-Wl,--no-whole-archive", "-ldl", "-lpthread"]);
            process::output(&mut link, LIMIT)?;
            keep_only(folder, name)
        };
        let kind = if assembly { "" } else { "-no-asm" };
        let open = |folder: &Path| existing(folder.join(name));
        let cache = Cache::open(self.root)?;
        cache.built(&format!("verdicts-openssl-{}{kind}", machine.uname()), fill, open)
    }

    /// A program that hashes and seals with ring.
    pub(super) fn ring(&self, machine: Machine) -> Result<PathBuf> {
        let cc = self.cc(machine)?;
        let fill = |folder: &Path| {
            let manifest = package(folder, "dependencies", "ring = \"=0.17.14\"")?;
            fs::write(folder.join("src/main.rs"), RING)?;
            let target = format!("{}-unknown-linux-gnu", machine.uname());
            let (mut cargo, mut flags) = match machine {
                Machine::Arm64 => {
                    let (arm, qemu, model) = self.arm()?;
                    (arm.emulated_cargo(qemu, model), arm.flags())
                }
                _ => (process::cargo(), Vec::new()),
            };
            flags.push("-Ctarget-feature=+crt-static".into());
            cargo
                .args(["build", "--release", "--config", "profile.release.strip=true"])
                .args(["--target", &target, "--manifest-path"])
                .arg(manifest)
                .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
                .env("CARGO_TARGET_DIR", folder.join("target"))
                .env(format!("CC_{}", target.replace('-', "_")), &cc);
            process::output(&mut cargo, LIMIT)?;
            fs::copy(folder.join(format!("target/{target}/release/fetch")), folder.join("ring"))?;
            keep_only(folder, "ring")
        };
        let open = |folder: &Path| existing(folder.join("ring"));
        let cache = Cache::open(self.root)?;
        cache.built(&format!("verdicts-ring-{}", machine.uname()), fill, open)
    }

    /// A disassembler that separates code from data, if there is one.
    pub(super) fn objdump(&self, machine: Machine) -> Result<Option<PathBuf>> {
        let cc = match machine {
            Machine::Armhf | Machine::Riscv64 => return Ok(None),
            Machine::I386 => self.cc(Machine::Amd64)?,
            Machine::Amd64 | Machine::Arm64 => self.cc(machine)?,
        };
        Ok(Some(cc.with_file_name(cc_name(machine).replace("gcc", "objdump"))))
    }

    /// The wrong results of a library.
    pub(super) fn wrong_answers(&self, machine: Machine, library: &Path) -> Result<Vec<String>> {
        let folder = tempfile::tempdir()?;
        let (source, probe) = (folder.path().join("probe.c"), folder.path().join("probe"));
        fs::write(&source, answers::PROGRAM)?;
        let mut compile = program(self.cc(machine)?);
        process::output(compile.arg("-o").arg(&probe).arg(&source).arg("-ldl"), SOON)?;
        let mut run = match machine {
            Machine::Arm64 => {
                let (arm, qemu, model) = self.arm()?;
                let mut run = arm.emulated(qemu, model);
                run.arg(&probe);
                run
            }
            _ => program(&probe),
        };
        let said = process::output(run.arg(library), SOON)?;
        if said == answers::RIGHT {
            return Ok(Vec::new());
        }
        Ok(vec![format!("its library gives {said}")])
    }

    /// A C compiler with its other tools in the same folder.
    fn cc(&self, machine: Machine) -> Result<PathBuf> {
        match machine {
            Machine::Arm64 => self.arm()?.0.compiler_of_c(),
            Machine::Amd64 if std::env::consts::ARCH == "x86_64" => Ok(cc_name(machine).into()),
            _ => bail!(CannotRun(format!("nothing builds for {} here", machine.name()))),
        }
    }

    fn arm(&self) -> Result<&(Toolchain, Qemu, &'static Model)> {
        if let Some(arm) = self.arm.get() {
            return Ok(arm);
        }
        let model = Model::named("cortex-a76").context("a model")?;
        let arm = Toolchain::get(self.root, Target::named("aarch64")?, Libc::Packaged)?;
        let arm = (arm, Qemu::get(self.root, &[model])?, model);
        Ok(self.arm.get_or_init(|| arm))
    }
}

fn cc_name(machine: Machine) -> &'static str {
    if machine == Machine::Arm64 { "aarch64-linux-gnu-gcc" } else { "gcc" }
}

const RING: &str = r#"
use ring::{aead, digest};

fn main() {
    let digest = digest::digest(&digest::SHA256, b"abc");
    let key = aead::UnboundKey::new(&aead::AES_256_GCM, digest.as_ref()).expect("a key");
    let nonce = aead::Nonce::assume_unique_for_key([0; 12]);
    let mut text = *b"abc";
    let key = aead::LessSafeKey::new(key);
    let tag = key.seal_in_place_separate_tag(nonce, aead::Aad::empty(), &mut text).expect("a tag");
    println!("{:?} {:?}", text, tag.as_ref());
}
"#;

/// The folder where cargo has unpacked OpenSSL.
fn openssl_source(folder: &Path) -> Result<PathBuf> {
    let manifest = package(folder, "dependencies", "openssl-src = \"400\"")?;
    let metadata = MetadataCommand::new().manifest_path(manifest).exec()?;
    let found = metadata.packages.iter().find(|package| package.name.as_str() == "openssl-src");
    let manifest = &found.context("cargo has not fetched it")?.manifest_path;
    Ok(manifest.with_file_name("openssl").into())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    process::output(program("cp").arg("-r").args([from, to]), SOON).map(drop)
}

fn existing(file: PathBuf) -> Result<PathBuf> {
    fs::metadata(&file)?;
    Ok(file)
}
