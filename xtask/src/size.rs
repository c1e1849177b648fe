//! `cargo xtask size`: code bytes of each backend.

use std::{collections::HashSet, fs, path::Path};

use anyhow::{Result, bail};
use object::{Object, ObjectSymbol, SymbolKind, read::archive::ArchiveFile};

use crate::{expect::arch_of, shipped::Shipped, sources};

/// Half of what many processors keep of code at the first level: the caller wants room too.
const MOST: u64 = 16 << 10;

/// Bytes of all backends of one message together, with what they share, at most: whoever adds to it takes as much away elsewhere.
const MOST_OF_ONE: u64 = 304 << 10;

/// Prints a table of backends built for this machine.
///
/// # Errors
/// Where a kernel is too large, or those of one message are together, or nothing is found of a backend.
pub fn run(root: &Path) -> Result<()> {
    let Shipped { rlib, harness, .. } = Shipped::build(root)?;
    // The harness calls every backend.
    let functions = functions(&fs::read(rlib)?, &fs::read(harness)?)?;
    println!("{:28} {:>10} {:>10}", "backend", "all bytes", "largest");
    judge(&functions, &listed(root)?)
}

/// Prints a line of each backend.
fn judge(functions: &[(String, u64)], backends: &[Listed]) -> Result<()> {
    let (mut lacking, mut large) = (Vec::new(), Vec::new());
    let (mut of_portable, mut of_one, mut of_many) = (0, 0, 0);
    for Listed { name, lanes } in backends {
        let module = format!("ropewalk::{}::", name.replace('/', "::"));
        let of = || functions.iter().filter(|(name, _)| name.contains(&module));
        let all: u64 = of().map(|(_, size)| size).sum();
        // What goes through many messages one by one.
        let through: u64 =
            of().filter(|(name, _)| name.ends_with("_each")).map(|(_, size)| size).sum();
        match arch_of(name) {
            Some(_) if *lanes => of_many += all,
            Some(_) => {
                of_one += all - through;
                of_many += through;
            }
            None => of_portable += all,
        }
        match of().map(|(_, size)| size).max() {
            Some(largest) => println!("{name:28} {all:10} {largest:10}"),
            None => lacking.push(name.as_str()),
        }
        large.extend(of().filter(|(_, size)| *size > MOST).map(|(name, _)| name.as_str()));
    }
    // What is of no primitive, or of several: vectors, AES, and what vectors are given to do; and what a primitive has for
    // this machine in modules that are no backends.
    let modules = |name: &Listed| format!("ropewalk::{}::", name.name.replace('/', "::"));
    let modules: Vec<_> = backends.iter().map(modules).collect();
    let arch = format!("::{}::", std::env::consts::ARCH);
    let shared =
        |name: &str| name.contains(&arch) && !modules.iter().any(|module| name.contains(module));
    let of_all: u64 = functions.iter().filter(|(name, _)| shared(name)).map(|(_, size)| size).sum();
    println!("{:28} {of_one:10}", "backends of one message");
    println!("{:28} {of_all:10}", "what they share");
    println!("{:28} {:10}", "both", of_one + of_all);
    println!("{:28} {of_many:10}", "backends of many");
    println!("{:28} {of_portable:10}", "portable ones");
    if !lacking.is_empty() {
        bail!("nothing found of {}", lacking.join(", "));
    }
    if !large.is_empty() {
        bail!("over {MOST} bytes: {}", large.join(", "));
    }
    if of_one + of_all > MOST_OF_ONE {
        bail!("backends of one message have more than {MOST_OF_ONE} bytes together");
    }
    Ok(())
}

/// The functions of the library that a program has, demangled, and their bytes: some of the library are called by nobody, and of
/// those that are inlined from crate to crate a program may have another.
fn functions(library: &[u8], program: &[u8]) -> Result<Vec<(String, u64)>> {
    let program = object::File::parse(program)?;
    let linked: HashSet<_> = program.symbols().filter_map(|symbol| symbol.name().ok()).collect();
    let mut functions = Vec::new();
    for member in ArchiveFile::parse(library)?.members() {
        let member = member?;
        if !member.name().ends_with(b".o") {
            continue;
        }
        let file = object::File::parse(member.data(library)?)?;
        for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
            let name = symbol.name()?;
            if linked.contains(name) {
                functions.push((format!("{:#}", rustc_demangle::demangle(name)), symbol.size()));
            }
        }
    }
    Ok(functions)
}

/// A backend, and whether it has lanes.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Listed {
    name: String,
    lanes: bool,
}

/// The backends that a program for this machine has, once each.
fn listed(root: &Path) -> Result<Vec<Listed>> {
    let backends = sources::lists(root)?.into_iter().flat_map(|list| list.backends);
    let listed = backends.map(|backend| Listed { name: backend.name, lanes: backend.lanes != "1" });
    let mut listed: Vec<_> = listed.collect();
    listed.retain(|b| arch_of(&b.name).is_none_or(|arch| arch == std::env::consts::ARCH));
    listed.sort();
    listed.dedup();
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(of: &str, size: u64) -> (String, u64) {
        (format!("<ropewalk::p::x86_64::{of}::B as ropewalk::p::P>::f::enter"), size)
    }

    fn listed(name: &str, lanes: bool) -> Listed {
        Listed { name: format!("p/x86_64/{name}"), lanes }
    }

    #[test]
    fn large_kernels_and_missing_backends_fail() {
        let backends = [listed("b", false)];
        assert!(judge(&[kernel("b", MOST)], &backends).is_ok());
        let large = judge(&[kernel("b", MOST + 1)], &backends).unwrap_err().to_string();
        assert!(large.contains("enter"));
        assert!(judge(&[], &backends).unwrap_err().to_string().contains("p/x86_64/b"));
    }

    #[test]
    fn many_kernels_of_one_message_fail_and_lanes_do_not_count() {
        let backends = [listed("b", false), listed("b_x8", true)];
        let most = MOST_OF_ONE / MOST;
        let kernels = |of: &str, n: u64| (0..n).map(|_| kernel(of, MOST)).collect::<Vec<_>>();
        let all = [kernels("b", most), kernels("b_x8", 2 * most)].concat();
        assert!(judge(&all, &backends).is_ok());
        let all = [kernels("b", most + 1), kernels("b_x8", 1)].concat();
        assert!(judge(&all, &backends).unwrap_err().to_string().contains("together"));
        let through = ("<ropewalk::p::x86_64::b::B as Listed>::ENTRIES::seal_each".into(), MOST);
        let all = [kernels("b", most), kernels("b_x8", 1), vec![through]].concat();
        assert!(judge(&all, &backends).is_ok());
    }
}
