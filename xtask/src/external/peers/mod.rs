//! `cargo xtask peers`: fetches from package registries into the target folder the newest of the libraries that
//! `ropewalk speed` is compared with, and one older version. The lab finds them there by itself.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, Result};
use cargo_metadata::Message;
use serde_json::{Value, json};

use crate::{
    process::{self, line},
    stage::Stages,
    tools::Cache,
};

pub(crate) mod built;
pub(crate) mod debian;
mod probe;
mod wheels;

use debian::Suites;
use probe::{Library, Probe};

/// Fetches or builds each library.
///
/// # Errors
/// Fails if one cannot be fetched or built; the others are then there.
pub fn run(root: &Path, fresh: bool) -> Result<()> {
    let mut stages = Stages::new();
    let mut lab = None;
    stages.run("lab", || {
        lab = Some(build_lab(root)?);
        Ok(())
    });
    let Some(lab) = lab else { return stages.finish() };
    // Next to the profile's folder, where the lab looks.
    let folder = lab.ancestors().nth(2).context("it has a target folder")?.join("peers");
    if fresh && folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    let cache = Cache::at(folder.clone())?;
    let suites = Suites::new(&folder)?;
    let probe = Probe { lab };

    let mut found = Vec::new();
    let mut stage = |name: &str, get: &dyn Fn() -> Result<Library>| {
        stages.run(name, || {
            found.push((name.to_owned(), get()?));
            Ok(())
        });
    };
    for package in debian::PACKAGES {
        stage(package.name, &|| package.get(&cache, &suites, &probe));
    }
    for (suite, package) in debian::OLDER {
        stage(package.name, &|| package.get_from(&[suite], &cache, &suites, &probe));
    }
    stage("crypto_mb", &|| wheels::crypto_mb(&cache, &probe));
    stage("AWS-LC", &|| built::aws_lc(&cache, &probe));
    for line in built::OPENSSL {
        stage(line.name, &|| line.get(&cache, &probe));
    }

    let entries: Vec<_> = found.iter().map(|(_, library)| entry(library, &folder)).collect();
    fs::write(folder.join("peers.json"), format!("{:#}\n", Value::Array(entries)))?;
    let width = found.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    println!();
    for (name, Library { version, file, loader, .. }) in &found {
        let libc = if loader.is_some() { ", with a C library of its own" } else { "" };
        println!("{name:width$}  {version}, {}{libc}", file.display());
    }
    stages.finish()
}

/// The entry that the lab reads: `peer`, `library` and `loader`, paths from the folder of this file.
fn entry(library: &Library, folder: &Path) -> Value {
    let below = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_path_buf();
    json!({
        "peer": library.peer,
        "library": below(&library.file),
        "loader": library.loader.as_deref().map(below),
    })
}

/// Builds the lab that measures, and prints its path.
fn build_lab(root: &Path) -> Result<PathBuf> {
    let mut build = process::cargo();
    build.args(["build", "--release", "--package", "ropewalk-lab", "--bin", "ropewalk"]);
    build.arg("--message-format=json-render-diagnostics").current_dir(root);
    let output = build.stderr(Stdio::inherit()).output()?;
    let executable =
        Message::parse_stream(output.stdout.as_slice()).find_map(|message| match message {
            Ok(Message::CompilerArtifact(artifact)) => artifact.executable,
            _ => None,
        });
    let executable = executable.with_context(|| format!("{} failed", line(&build)))?;
    Ok(executable.into())
}
