//! `cargo xtask size`: code bytes of each backend.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use object::{Object, ObjectSymbol, SymbolKind};

use crate::{expect::arch_of, process, sources};

/// Half of what many processors keep of code at the first level: the caller wants room too.
const MOST: u64 = 16 << 10;

/// Prints a table of backends built for this machine.
///
/// # Errors
/// Where a kernel is too large, or nothing is found of a backend.
pub fn run(root: &Path) -> Result<()> {
    let program = build(root)?;
    let functions = functions(&fs::read(program)?)?;
    println!("{:28} {:>10} {:>10}", "backend", "all bytes", "largest");
    judge(&functions, &names(root)?)
}

/// Prints a line of each backend.
fn judge(functions: &[(String, u64)], names: &[String]) -> Result<()> {
    let (mut lacking, mut large) = (Vec::new(), Vec::new());
    let (mut of_portable, mut of_others) = (0, 0);
    for name in names {
        let module = format!("ropewalk::{}::", name.replace('/', "::"));
        let of = || functions.iter().filter(|(name, _)| name.contains(&module));
        let all: u64 = of().map(|(_, size)| size).sum();
        match arch_of(name) {
            Some(_) => of_others += all,
            None => of_portable += all,
        }
        match of().map(|(_, size)| size).max() {
            Some(largest) => println!("{name:28} {all:10} {largest:10}"),
            None => lacking.push(name.as_str()),
        }
        large.extend(of().filter(|(_, size)| *size > MOST).map(|(name, _)| name.as_str()));
    }
    let shared = |name: &str| name.contains("ropewalk::simd::") || name.contains("ropewalk::aes::");
    let of_all: u64 = functions.iter().filter(|(name, _)| shared(name)).map(|(_, size)| size).sum();
    println!("{:28} {of_others:10}", "backends of this processor");
    println!("{:28} {of_all:10}", "vectors and AES they share");
    println!("{:28} {of_portable:10}", "portable ones");
    if !lacking.is_empty() {
        bail!("nothing found of {}", lacking.join(", "));
    }
    if !large.is_empty() {
        bail!("over {MOST} bytes: {}", large.join(", "));
    }
    Ok(())
}

/// What looks for secrets calls every backend, and needs nothing else to be built.
fn build(root: &Path) -> Result<PathBuf> {
    let mut cargo = process::cargo();
    cargo.args(["build", "--release", "--package", "ropewalk-ct"]);
    process::executable(cargo.args(["--config", "profile.release.strip=false"]).current_dir(root))
}

/// The functions of a program, demangled, and their bytes.
fn functions(program: &[u8]) -> Result<Vec<(String, u64)>> {
    let file = object::File::parse(program)?;
    let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    let demangled = |name| format!("{:#}", rustc_demangle::demangle(name));
    functions.map(|symbol| Ok((demangled(symbol.name()?), symbol.size()))).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_kernels_and_missing_backends_fail() {
        let kernel = |size| {
            vec![("<ropewalk::p::x86_64::b::B as ropewalk::p::P>::f::enter".to_string(), size)]
        };
        let names = ["p/x86_64/b".to_string()];
        assert!(judge(&kernel(MOST), &names).is_ok());
        assert!(judge(&kernel(MOST + 1), &names).unwrap_err().to_string().contains("enter"));
        assert!(judge(&[], &names).unwrap_err().to_string().contains("p/x86_64/b"));
    }
}
