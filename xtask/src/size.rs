//! `cargo xtask size`: code bytes of each primitive and of each backend.

use std::{
    collections::{BTreeMap, HashSet},
    fmt::Write as _,
    fs,
    path::Path,
};

use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSymbol, SymbolKind, read::archive::ArchiveFile};

use crate::{
    expect::arch_of,
    shipped::Shipped,
    sources::{self, LIBRARY},
};

/// The limit for a function, in bytes: half of a common 32 KiB instruction cache. The other half is for the caller.
const MOST: u64 = 16 << 10;

/// The table of a release build for x86-64, whose changes a reviewer sees.
const TABLE: &str = "docs/sizes.md";

/// How far a primitive may differ from the table, in per cent: other compilers give slightly other sizes.
const DIFFERS: u64 = 5;

/// Prints a table of backends built for this machine, and checks the table of primitives.
///
/// # Errors
/// Fails if a function is too large, a backend is missing, or the size of a primitive differs from the table.
pub fn run(root: &Path) -> Result<()> {
    let functions = shipped(root)?;
    let backends = listed(root)?;
    println!("{:28} {:>10} {:>10}", "backend", "all bytes", "largest");
    judge(&functions, &backends)?;
    let table = fs::read_to_string(root.join(TABLE)).with_context(|| format!("reading {TABLE}"))?;
    compare(&table, &primitives(&functions, &backends))
}

/// Writes the table of primitives anew.
///
/// # Errors
/// Fails if the library cannot be built.
pub fn fix(root: &Path) -> Result<()> {
    let functions = shipped(root)?;
    let table = table(&primitives(&functions, &listed(root)?));
    fs::write(root.join(TABLE), table).with_context(|| format!("writing {TABLE}"))?;
    println!("{TABLE}: rewritten");
    Ok(())
}

fn shipped(root: &Path) -> Result<Vec<(String, u64)>> {
    let Shipped { rlib, harness, .. } = Shipped::build(root)?;
    // The harness calls every backend.
    functions(&fs::read(rlib)?, &fs::read(harness)?)
}

/// Prints a line for each backend.
fn judge(functions: &[(String, u64)], backends: &[Listed]) -> Result<()> {
    let mut lacking = Vec::new();
    for backend in backends {
        let sizes: Vec<_> = backend.functions(functions).map(|(_, size)| *size).collect();
        match sizes.iter().max() {
            Some(largest) => {
                println!("{:28} {:10} {largest:10}", backend.name, sizes.iter().sum::<u64>());
            }
            None => lacking.push(backend.name.as_str()),
        }
    }
    if !lacking.is_empty() {
        bail!("nothing found of {}", lacking.join(", "));
    }
    let large = functions.iter().filter(|(_, size)| *size > MOST);
    let large: Vec<_> = large.map(|(name, size)| format!("{name} ({size})")).collect();
    ensure!(large.is_empty(), "over {MOST} bytes: {}", large.join(", "));
    Ok(())
}

/// The sizes of a primitive.
#[derive(Debug, Default, PartialEq)]
struct Size {
    /// Bytes of its functions for one message, for batches, and shared by its backends.
    one: u64,
    many: u64,
    shared: u64,
    largest: u64,
}

/// Each primitive, by its folder, and the code that wings share.
fn primitives(functions: &[(String, u64)], backends: &[Listed]) -> BTreeMap<String, Size> {
    let mut sizes: BTreeMap<String, Size> = BTreeMap::new();
    for (name, size) in functions {
        let Some(wing) = name.split("ropewalk::").nth(1) else { continue };
        let of = backends.iter().find(|backend| name.contains(&backend.module()));
        let folder = backends.iter().find(|backend| wing.starts_with(&backend.folder()));
        let place = match (of.or(folder), wing.split("::").next()) {
            (Some(backend), _) => backend.primitive().to_owned(),
            (None, Some(wing)) => format!("{wing} (shared)"),
            (None, None) => continue,
        };
        let entry = sizes.entry(place).or_default();
        match of {
            Some(backend) if backend.lanes => entry.many += size,
            Some(_) => entry.one += size,
            None => entry.shared += size,
        }
        entry.largest = entry.largest.max(*size);
    }
    sizes
}

/// The lines of every table before its rows.
const HEAD: &str = "\
# Code sizes

Bytes of machine code of a release build for x86-64, by primitive: backends for one message, backends for many messages, what
these share, and the largest function. `cargo xtask size --fix` writes this table, and `cargo xtask test` holds it within 5 %. A
function has 16384 bytes at most.

| primitive | one message | many messages | shared | largest function |
| --- | ---: | ---: | ---: | ---: |
";

fn table(sizes: &BTreeMap<String, Size>) -> String {
    let mut table = HEAD.to_owned();
    for (name, Size { one, many, shared, largest }) in sizes {
        let _ = writeln!(table, "| {name} | {one} | {many} | {shared} | {largest} |");
    }
    table
}

/// Compares sizes with a table.
fn compare(written: &str, sizes: &BTreeMap<String, Size>) -> Result<()> {
    if std::env::consts::ARCH != "x86_64" {
        return Ok(());
    }
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, one, many, shared, _] = cells[..] else { return None };
        let bytes = [one, many, shared].map(|cell| cell.parse::<u64>().ok());
        Some((name.to_owned(), bytes.into_iter().sum::<Option<u64>>()?))
    };
    let rows: BTreeMap<_, _> = written.lines().filter_map(row).collect();
    let mut wrong = Vec::new();
    for (name, Size { one, many, shared, .. }) in sizes {
        let is = one + many + shared;
        match rows.get(name) {
            Some(was) if is.abs_diff(*was) * 100 <= was * DIFFERS => {}
            Some(was) => wrong.push(format!("{name} has {is} bytes, and {was} there")),
            None => wrong.push(format!("{name} is missing")),
        }
    }
    wrong.extend(
        rows.keys()
            .filter(|name| !sizes.contains_key(*name))
            .cloned()
            .map(|name| name + " is no more"),
    );
    ensure!(wrong.is_empty(), "{TABLE}: {}; `cargo xtask size --fix` writes it", wrong.join("; "));
    Ok(())
}

/// The functions of the library, demangled, and their bytes. A program lacks those that are never called, and has its own
/// copies of those that are inlined across crates.
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

/// A backend, its place, and whether it has lanes.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Listed {
    name: String,
    /// The module path of its wing below the crate's root, such as `aes`.
    wing: String,
    lanes: bool,
}

impl Listed {
    fn path(&self, name: &str) -> String {
        let parts = [self.wing.as_str(), name].into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("/").replace('/', "::")
    }

    /// `ropewalk::aes::aes_cbc::x86_64::aesni::`.
    fn module(&self) -> String {
        format!("ropewalk::{}::", self.path(&self.name))
    }

    fn primitive(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// The same for its primitive, from the crate on.
    fn folder(&self) -> String {
        format!("{}::", self.path(self.primitive()))
    }

    fn functions<'a>(
        &self,
        functions: &'a [(String, u64)],
    ) -> impl Iterator<Item = &'a (String, u64)> {
        let module = self.module();
        functions.iter().filter(move |(name, _)| name.contains(&module))
    }
}

/// The backends of a program for this machine, once each.
fn listed(root: &Path) -> Result<Vec<Listed>> {
    let backends = sources::lists(root)?.into_iter().flat_map(|list| list.backends);
    let mut listed: Vec<_> = backends
        .map(|backend| Listed {
            wing: backend.wing[LIBRARY.len()..].trim_start_matches('/').into(),
            name: backend.name,
            lanes: backend.lanes != "1",
        })
        .collect();
    listed.retain(|b| arch_of(&b.name).is_none_or(|arch| arch == std::env::consts::ARCH));
    listed.sort();
    // Lists of one message and of batches share a portable backend.
    listed.dedup_by(|later, first| later.name == first.name);
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(of: &str, size: u64) -> (String, u64) {
        (format!("<ropewalk::w::p::x86_64::{of}::B as ropewalk::w::p::P>::f::enter"), size)
    }

    fn listed(name: &str, lanes: bool) -> Listed {
        Listed { name: format!("p/x86_64/{name}"), wing: "w".into(), lanes }
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
    fn a_table_is_held() {
        let backends = [listed("b", false), listed("b_x8", true)];
        let shared = ("ropewalk::w::p::key".to_owned(), 10);
        let of_wing = ("ropewalk::w::block".to_owned(), 20);
        let functions = [kernel("b", 1000), kernel("b_x8", 2000), shared, of_wing];
        let sizes = primitives(&functions, &backends);
        assert_eq!(sizes["p"], Size { one: 1000, many: 2000, shared: 10, largest: 2000 });
        assert_eq!(sizes["w (shared)"].shared, 20);
        let written = table(&sizes);
        assert!(compare(&written, &sizes).is_ok());
        let wrong = |from: &str, to: &str| {
            compare(&written.replace(from, to), &sizes).unwrap_err().to_string()
        };
        assert!(wrong("| p | 1000 |", "| p | 1200 |").contains("p has 3010 bytes, and 3210 there"));
        assert!(wrong("| p |", "| q |").contains("p is missing; q is no more"));
    }
}
