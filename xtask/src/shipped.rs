//! The library as it is installed: checks must run on the machine code that users run.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};

use crate::{
    process::{self, SOON, program},
    sources,
};

/// A build with the profile of installations. Its result names no path of this machine, and is the same in every folder.
///
/// # Errors
/// Fails if there is no home folder.
pub(crate) fn cargo(root: &Path) -> Result<Command> {
    let mut cargo = process::cargo();
    cargo.args(["build", "--profile", "shipped", "--locked"]).current_dir(root);
    let set = |name| env::var_os(name).filter(|flags| !flags.is_empty());
    let mut flags = match (set("CARGO_ENCODED_RUSTFLAGS"), set("RUSTFLAGS")) {
        (Some(flags), _) => flags.to_string_lossy().split('\x1f').map(str::to_owned).collect(),
        (_, Some(flags)) => flags.to_string_lossy().split_whitespace().map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    for (folder, name) in folders(root)? {
        flags.push(format!("--remap-path-prefix={}={name}", folder.display()));
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")).env_remove("RUSTFLAGS");
    Ok(cargo)
}

/// Folders of this machine that a compiler sees, and the names that replace them.
fn folders(root: &Path) -> Result<[(PathBuf, &'static str); 2]> {
    let of_cargo = || Ok(etcetera::home_dir()?.join(".cargo"));
    let of_cargo =
        env::var_os("CARGO_HOME").map_or_else(of_cargo, |home| anyhow::Ok(home.into()))?;
    Ok([(root.to_owned(), "ropewalk"), (of_cargo, "cargo")])
}

/// Checks that the C library names no folder of this machine.
///
/// # Errors
/// Fails if it does.
pub(crate) fn names_no_path(root: &Path) -> Result<()> {
    let library = fs::read(Shipped::build(root)?.c_library)?;
    for (folder, _) in folders(root)? {
        let name = folder.as_os_str().as_encoded_bytes();
        let found = library.windows(name.len()).any(|window| window == name);
        ensure!(!found, "the C library has the path {} in it", folder.display());
    }
    Ok(())
}

/// Checks that a build in another folder gives the same C library, except for its symbols.
///
/// # Errors
/// Fails if it does not.
pub(crate) fn is_reproducible(root: &Path) -> Result<()> {
    let elsewhere = tempfile::tempdir()?;
    let copy = elsewhere.path().join("a folder with another name");
    for file in sources::files(root, "")? {
        let to = copy.join(&file);
        fs::create_dir_all(to.parent().context("a file without a folder")?)?;
        fs::copy(root.join(&file), to)?;
    }
    let [ours, theirs] = [root, &copy].map(|folder| {
        let library = Shipped::build(folder)?.c_library;
        let stripped = elsewhere.path().join("stripped.so");
        process::output(program("strip").arg("-o").arg(&stripped).arg(library), SOON)?;
        anyhow::Ok(fs::read(stripped)?)
    });
    let (ours, theirs) = (ours?, theirs?);
    if ours != theirs {
        let at = ours.iter().zip(&theirs).position(|(a, b)| a != b);
        bail!("{} bytes and {} bytes; the first that differs is {at:?}", ours.len(), theirs.len());
    }
    println!("both have the same {} bytes", ours.len());
    Ok(())
}

/// The result of a build with the profile of installations.
pub(crate) struct Shipped {
    /// The library as Rust programs link it.
    pub(crate) rlib: PathBuf,
    /// The C library.
    pub(crate) c_library: PathBuf,
    /// The program that runs every operation on every backend.
    pub(crate) harness: PathBuf,
}

impl Shipped {
    /// Builds all of it in one run of cargo, so that the library is compiled once, with the features of both.
    ///
    /// # Errors
    /// Fails if cargo fails.
    pub(crate) fn build(root: &Path) -> Result<Self> {
        let mut cargo = cargo(root)?;
        cargo.args(["--quiet", "--package", "ropewalk-ct", "--package", "ropewalk-c"]);
        let made = process::files(&mut cargo)?;
        let find = |start: &str, end: &str| {
            let is = |file: &&PathBuf| {
                let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                name.starts_with(start) && name.ends_with(end)
            };
            made.iter().find(is).cloned().with_context(|| format!("cargo built no {start}*{end}"))
        };
        Ok(Self {
            rlib: find("libropewalk-", ".rlib")?,
            c_library: find("libropewalk.", "so")?,
            harness: find("ropewalk-ct", "ct")?,
        })
    }
}
