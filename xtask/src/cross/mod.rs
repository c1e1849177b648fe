//! `cargo xtask cross`: a folder to ship, built here for the machine it is shipped to.
//!
//! The folder is complete: it is copied, and runs. Nothing is configured: every backend of the target's
//! architecture is compiled in, and the processor selects at run time. The content of the folder is tested
//! under an emulator before the command succeeds.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use cargo_metadata::MetadataCommand;

use crate::{
    expect::{MODELS, Model},
    process, shell,
    tools::{Libc, OLDEST, Qemu, Target, Toolchain},
};

mod contents;
mod needs;
mod tried;

use contents::{Contents, Entry};
use needs::Version;

/// A file that is built for the target.
struct Built {
    /// The crate that it belongs to.
    package: &'static str,
    /// The name that cargo gives it, and its name in the folder.
    file: &'static str,
    to: &'static str,
    is: &'static str,
}

/// Everything that is built. A further file is one line.
const BUILT: &[Built] = &[
    Built {
        package: "ropewalk-lab",
        file: "ropewalk",
        to: "ropewalk",
        is: "the lab: ./ropewalk selftest, ./ropewalk doctor, ./ropewalk speed",
    },
    Built {
        package: "ropewalk-openssl",
        file: "libropewalk_openssl.so",
        to: "ropewalk.so",
        is: "the provider of OpenSSL 3 and later: ./ropewalk provider install",
    },
    Built {
        package: "ropewalk-openssl-loader",
        file: "libropewalk_openssl_loader.so",
        to: "ropewalk-loader.so",
        is: "what OpenSSL loads it by, which says so where it cannot be loaded",
    },
    Built {
        package: "ropewalk-c",
        file: "libropewalk.so",
        to: "libropewalk.so.0",
        is: "the C library, for programs that were compiled with ropewalk.h",
    },
];

/// Files that are copied unchanged.
const COPIED: &[(&str, &str, &str)] = &[
    ("crates/ropewalk-c/include/ropewalk.h", "ropewalk.h", "the header of the C library"),
    ("LICENSE-APACHE", "LICENSE-APACHE", "the licence, or else the other"),
    ("LICENSE-MIT", "LICENSE-MIT", "the licence, or else the other"),
];

/// The folder of the texts that the command prints about itself.
const SHARE: &str = "share";

/// What has been built for a target, and the runner for it on this machine.
pub struct Dist {
    /// The folder that is copied.
    pub folder: PathBuf,
    root: PathBuf,
    toolchain: Toolchain,
    qemu: Qemu,
}

/// Builds for the target of that name, and tests the result.
///
/// # Errors
/// Fails where there is no such target, a tool is missing, a build fails, or a test fails.
pub fn run(root: &Path, name: &str) -> Result<()> {
    let dist = Dist::build(root, Target::named(name)?)?;
    dist.try_answers()?;
    println!("\n{}", fs::read_to_string(dist.folder.join(contents::FILE))?);
    println!("in {}", dist.folder.strip_prefix(root).unwrap_or(&dist.folder).display());
    Ok(())
}

impl Dist {
    /// Builds `target/dist/TARGET`.
    ///
    /// # Errors
    /// Fails where a tool is missing, a build fails, or a file needs a newer C library than is allowed, or
    /// contains the path of a folder of this machine.
    pub fn build(root: &Path, target: &'static Target) -> Result<Self> {
        let models: Vec<_> = models(target).collect();
        let toolchain = Toolchain::get(root, target, Libc::Oldest)?;
        let qemu = Qemu::get(root, &models)?;
        let built = cargo(root, &toolchain)?;

        let dist = root.join("target/dist");
        fs::create_dir_all(&dist)?;
        let fresh = tempfile::tempdir_in(&dist)?;
        let mut entries = Vec::new();
        for (Built { to: file, is, .. }, path) in BUILT.iter().zip(&built) {
            fs::copy(path, fresh.path().join(file))?;
            let bytes = fs::read(path)?;
            let needs = needs::libc(&bytes).with_context(|| format!("cannot read {file}"))?;
            may_need(target, file, needs.as_ref())?;
            names_no_folder(root, file, &bytes)?;
            entries.push(Entry::new(file, is, &bytes, needs));
        }
        for (from, file, is) in COPIED {
            let bytes = fs::read(root.join(from))?;
            fs::write(fresh.path().join(file), &bytes)?;
            entries.push(Entry::new(file, is, &bytes, None));
        }
        // The command prints these texts itself, on the first emulated processor.
        let lab = || {
            let mut lab = toolchain.emulated(&qemu, models[0]);
            lab.arg(fresh.path().join(BUILT[0].file));
            lab
        };
        for (file, bytes) in shell::files(lab)? {
            let file = fresh.path().join(file);
            fs::create_dir_all(file.parent().context("it is in a folder")?)?;
            fs::write(file, bytes)?;
        }
        entries.push(Entry::folder(
            SHARE,
            "completions for bash, zsh and fish, and manual pages: cp -r share ~/.local",
        ));
        let contents = Contents {
            target,
            version: version(root)?,
            rustc: toolchain.rustc()?,
            linker: toolchain.linked_by(),
            entries,
            backends: contents::backends(root, target)?,
        };
        fs::write(fresh.path().join(contents::FILE), contents.to_string())?;

        let folder = dist.join(target.name);
        if folder.is_dir() {
            fs::remove_dir_all(&folder)?;
        }
        fs::rename(fresh.keep(), &folder)?;
        // Only its owner can read a temporary folder.
        fs::set_permissions(&folder, fs::metadata(&dist)?.permissions())?;
        Ok(Self { folder, root: root.into(), toolchain, qemu })
    }
}

/// The emulated processors of a target.
pub fn models(target: &Target) -> impl Iterator<Item = &'static Model> {
    MODELS.iter().filter(|model| model.arch == target.arch)
}

/// Builds the files of [`BUILT`], in their order.
fn cargo(root: &Path, toolchain: &Toolchain) -> Result<Vec<PathBuf>> {
    let mut cargo = toolchain.cargo_with(&nowhere(root)?);
    cargo.args(["build", "--release", "--locked"]).current_dir(root);
    for built in BUILT {
        cargo.args(["--package", built.package]);
    }
    cargo
        .env("CARGO_TARGET_DIR", root.join("target/cross"))
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    let made = process::files(&mut cargo)?;
    let find = |built: &Built| {
        made.iter().find(|path| path.file_name().is_some_and(|name| name == built.file)).cloned()
    };
    BUILT
        .iter()
        .map(|built| find(built).with_context(|| format!("cargo has made no {}", built.file)))
        .collect()
}

/// Removes the folders of this machine from the programs, so that the same source gives the same program.
fn nowhere(root: &Path) -> Result<Vec<String>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let home = home.context("there is no home folder")?;
    let folders = [(root, "ropewalk"), (&home, "cargo")];
    Ok(folders.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).into())
}

/// Compares the C library that a file needs with the one that the target has.
fn may_need(target: &Target, file: &str, needs: Option<&Version>) -> Result<()> {
    let Some(needs) = needs.filter(|_| target.starts_on_the_oldest()) else { return Ok(()) };
    ensure!(
        (needs.major, needs.minor) <= OLDEST,
        "{file} needs {needs}, and is to start on GLIBC_{}.{}",
        OLDEST.0,
        OLDEST.1
    );
    Ok(())
}

/// The file must not contain the path of the folder that it was built in.
fn names_no_folder(root: &Path, file: &str, bytes: &[u8]) -> Result<()> {
    let folder = root.to_string_lossy();
    let found = bytes.windows(folder.len()).position(|window| window == folder.as_bytes());
    ensure!(found.is_none(), "{file} has the name of the folder it was built in");
    Ok(())
}

fn version(root: &Path) -> Result<String> {
    let mut metadata = MetadataCommand::new();
    let metadata = metadata.no_deps().manifest_path(root.join("Cargo.toml")).exec()?;
    let lab = metadata.packages.iter().find(|package| package.name.as_str() == BUILT[0].package);
    Ok(lab.context("there is no lab")?.version.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_c_library_is_refused_where_an_old_one_is_promised() {
        let needs = |text: &str| Version::parse(text);
        let [old, riscv64] = ["armv7", "riscv64"].map(|name| Target::named(name).unwrap());
        assert!(may_need(old, "ropewalk", needs("GLIBC_2.17").as_ref()).is_ok());
        assert!(may_need(old, "ropewalk", None).is_ok());
        let why = may_need(old, "ropewalk", needs("GLIBC_2.34").as_ref()).unwrap_err().to_string();
        assert_eq!(why, "ropewalk needs GLIBC_2.34, and is to start on GLIBC_2.17");
        assert!(may_need(riscv64, "ropewalk", needs("GLIBC_2.34").as_ref()).is_ok());
    }

    #[test]
    fn the_folder_it_was_built_in_is_found() {
        let root = Path::new("/somewhere/else");
        assert!(names_no_folder(root, "ropewalk", b"\0somewhere/else\0").is_ok());
        assert!(names_no_folder(root, "ropewalk", b"\0/somewhere/else/src/main.rs\0").is_err());
    }
}
