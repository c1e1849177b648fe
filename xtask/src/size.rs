//! `cargo xtask size`: code bytes of each backend.

use std::{
    collections::BTreeMap,
    fs,
    io::BufReader,
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, Result, bail};
use cargo_metadata::Message;
use object::{Object, ObjectSymbol, SymbolKind};

use crate::{expect::arch_of, process, sources};

/// Larger than this, a kernel and what it works on no longer share the first-level caches.
const MOST: u64 = 16 << 10;

/// Prints a table of backends built for this machine.
///
/// # Errors
/// Where a kernel is too large, or nothing is found of a backend.
pub fn run(root: &Path) -> Result<()> {
    let program = build(root)?;
    let functions = functions(&fs::read(&program)?)?;
    let (mut lacking, mut large) = (Vec::new(), Vec::new());
    println!("{:28} {:>10} {:>10}", "backend", "all bytes", "largest");
    for name in names(root)? {
        let module = format!("ropewalk::{}::", name.replace('/', "::"));
        let of: Vec<_> = functions.iter().filter(|(name, _)| name.contains(&module)).collect();
        let Some((_, largest)) = of.iter().max_by_key(|(_, size)| **size) else {
            lacking.push(name);
            continue;
        };
        println!("{name:28} {:10} {largest:10}", of.iter().map(|(_, size)| **size).sum::<u64>());
        large.extend(of.iter().filter(|(_, size)| **size > MOST).map(|(name, _)| name.to_string()));
    }
    if !lacking.is_empty() {
        bail!("{} has nothing of {}", program.display(), lacking.join(", "));
    }
    if !large.is_empty() {
        bail!("over {MOST} bytes: {}", large.join(", "));
    }
    Ok(())
}

/// The command has every backend in it.
fn build(root: &Path) -> Result<PathBuf> {
    let mut cargo = process::cargo();
    cargo.args(["build", "--release", "--package", "ropewalk-lab", "--bin", "ropewalk"]).args([
        "--message-format",
        "json-render-diagnostics",
        "--config",
        "profile.release.strip=false",
    ]);
    let mut child = cargo.current_dir(root).stdout(Stdio::piped()).spawn()?;
    let messages = BufReader::new(child.stdout.take().context("no output of cargo")?);
    let mut program = None;
    for message in Message::parse_stream(messages) {
        if let Message::CompilerArtifact(artifact) = message? {
            program = artifact.executable.or(program);
        }
    }
    if !child.wait()?.success() {
        bail!("{} failed", process::line(&cargo));
    }
    Ok(program.context("cargo built no program")?.into())
}

/// The functions of a program, demangled, and their bytes.
fn functions(program: &[u8]) -> Result<BTreeMap<String, u64>> {
    let file = object::File::parse(program)?;
    let mut functions = BTreeMap::new();
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
        let name = format!("{:#}", rustc_demangle::demangle(symbol.name()?));
        *functions.entry(name).or_insert(0) += symbol.size();
    }
    Ok(functions)
}

/// The backends that a program for this machine has, once each.
fn names(root: &Path) -> Result<Vec<String>> {
    let mut names: Vec<_> =
        sources::lists(root)?.into_iter().flat_map(|list| list.backends).map(|b| b.name).collect();
    names.retain(|name| arch_of(name).is_none_or(|arch| arch == std::env::consts::ARCH));
    names.sort();
    names.dedup();
    Ok(names)
}
