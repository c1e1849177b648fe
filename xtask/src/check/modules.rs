//! Which modules of a crate import which.
//!
//! A module is a child of a source root: of a crate, or of a folder within one. An arrow leads from a module to each module
//! that a path in its files names by `crate` or `super`. A name that the source root imports from a module counts as that
//! module. Code under `#[cfg(test)]` does not count.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs,
    path::Path,
};

use anyhow::{Context, Result, anyhow, ensure};
use syn::visit::Visit;

use crate::sources::{self, LIBRARY};
use paths::{Named, Paths, imported, is_test};

mod paths;

/// A row for each module of a source root: the module, and the modules that it may import.
type Table = [(&'static str, &'static [&'static str])];

/// Source roots, and the table of each. Without a table, every arrow is allowed that closes no cycle.
const ROOTS: &[(&str, &Table)] = &[
    (LIBRARY, LIBRARY_ARROWS),
    ("crates/ropewalk-lab/src", &[]),
    ("crates/ropewalk-lab/src/commands", &[]),
    ("xtask/src", &[]),
];

/// The wings of the library, in the order of their dependencies. ARCHITECTURE.md has the same table.
pub(super) const LIBRARY_ARROWS: &Table = &[
    ("core", &[]),
    ("bignum", &["core"]),
    ("aes", &["core"]),
    ("chacha", &["core"]),
    ("hashes", &["core"]),
    ("keyed", &["core", "hashes"]),
    ("random", &["aes", "core"]),
    ("fields", &["core"]),
    ("curves", &["core", "fields"]),
    ("public", &["bignum", "core", "curves", "fields", "hashes", "keyed", "random"]),
    ("keys", &["core", "public"]),
    ("aeads", &["aes", "chacha", "core", "random"]),
    ("tls", &["aes", "core", "hashes", "keyed"]),
    ("sealing", &["aeads"]),
    ("hashing", &["hashes"]),
    ("by_name", &["aeads", "aes", "chacha", "core", "hashes", "keyed"]),
    ("hash", &["by_name", "hashes"]),
    ("collector", &["aes", "core", "hashes", "keyed"]),
    ("rustcrypto", &["aeads", "aes", "chacha", "core", "hashes", "keyed"]),
];

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for (source, table) in ROOTS {
        complaints.extend(of_source(root, source, table)?);
    }
    Ok(complaints)
}

/// Reports cycles, and arrows that the table does not have. An empty table allows every arrow.
fn of_source(root: &Path, source: &str, table: &[(&str, &[&str])]) -> Result<Vec<String>> {
    let imports = Imports::read(root, source)?;
    let mut complaints = imports.circles();
    if !table.is_empty() {
        complaints.extend(imports.outside(table));
    }
    Ok(complaints.into_iter().map(|complaint| format!("{source}: {complaint}")).collect())
}

/// The arrows from each module, and the place of the first of each: `file:line`.
struct Imports(BTreeMap<String, BTreeMap<String, String>>);

impl Imports {
    fn read(root: &Path, source: &str) -> Result<Self> {
        let inside = inside(root, source)?;
        let mut files = Vec::new();
        for file in sources::rust_files(root, source)? {
            let text = fs::read_to_string(root.join(&file))?;
            let parsed = syn::parse_file(&text).map_err(|e| anyhow!("{file} is not Rust: {e}"))?;
            let module: Vec<String> = inside.iter().cloned().chain(module(&file, source)).collect();
            files.push((file, module, parsed));
        }
        let tests: Vec<Vec<String>> = files
            .iter()
            .flat_map(|(_, module, parsed)| test_modules(module, &parsed.items))
            .collect();
        files.retain(|(_, module, _)| !tests.iter().any(|test| module.starts_with(test)));

        let top = |module: &[String]| module.get(inside.len()).cloned();
        let mut imports: BTreeMap<String, BTreeMap<String, String>> = files
            .iter()
            .filter_map(|(_, module, _)| top(module))
            .map(|top| (top, BTreeMap::new()))
            .collect();
        ensure!(!imports.is_empty(), "{source} has no modules");
        let modules: BTreeSet<String> = imports.keys().cloned().collect();
        // The names that the root imports, and the module of each.
        let of_root = files.iter().filter(|(_, module, _)| top(module).is_none());
        let imported: BTreeMap<String, String> = of_root
            .flat_map(|(_, module, parsed)| imported(module, &parsed.items))
            .filter_map(|(name, path)| Some((name, path.get(inside.len())?.clone())))
            .collect();
        for (file, module, parsed) in &files {
            let Some(from) = top(module) else { continue };
            let mut paths = Paths::of(module);
            paths.visit_file(parsed);
            for Named { path, line } in paths.named {
                let below = path.strip_prefix(inside.as_slice());
                let Some(name) = below.and_then(|below| below.first()) else { continue };
                let to =
                    if modules.contains(name) { name } else { imported.get(name).unwrap_or(name) };
                if *to != from && modules.contains(to) {
                    let arrows = imports.entry(from.clone()).or_default();
                    arrows.entry(to.clone()).or_insert_with(|| format!("{file}:{line}"));
                }
            }
        }
        Ok(Self(imports))
    }

    /// One cycle through each module that is in any, unless an earlier cycle has it.
    fn circles(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        let mut reported = BTreeSet::new();
        for start in self.0.keys() {
            if reported.contains(start) {
                continue;
            }
            let Some(circle) = self.circle(start) else { continue };
            let mut words = start.clone();
            for arrow in circle.windows(2) {
                words += &format!(" -> {} ({})", arrow[1], self.0[arrow[0]][arrow[1]]);
            }
            complaints.push(format!("modules import each other: {words}"));
            reported.extend(circle.into_iter().map(str::to_owned));
        }
        complaints
    }

    /// The shortest path from a module back to itself, with the module at both ends.
    fn circle<'a>(&'a self, start: &'a str) -> Option<Vec<&'a str>> {
        let mut queue = VecDeque::from([vec![start]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = queue.pop_front() {
            let last = way[way.len() - 1];
            for next in self.0[last].keys() {
                let longer: Vec<&str> = way.iter().copied().chain([next.as_str()]).collect();
                if next == start {
                    return Some(longer);
                }
                if seen.insert(next) {
                    queue.push_back(longer);
                }
            }
        }
        None
    }

    /// Arrows that are not in the table, modules that have no row, and rows that have no module.
    fn outside(&self, table: &[(&str, &[&str])]) -> Vec<String> {
        let mut complaints = Vec::new();
        for (from, arrows) in &self.0 {
            let Some((_, may)) = table.iter().find(|(module, _)| module == from) else {
                complaints.push(format!("{from} has no row in the table of arrows"));
                continue;
            };
            let others = arrows.iter().filter(|(to, _)| !may.contains(&to.as_str()));
            complaints
                .extend(others.map(|(to, place)| format!("{from} may not import {to}: {place}")));
        }
        let gone =
            table.iter().map(|(module, _)| *module).filter(|module| !self.0.contains_key(*module));
        complaints.extend(
            gone.map(|module| format!("the table of arrows has {module}, which is no module")),
        );
        complaints
    }
}

/// The module that a source root is, as a path from the root of its crate.
fn inside(root: &Path, source: &str) -> Result<Vec<String>> {
    let is_crate = |folder: &&Path| {
        ["lib.rs", "main.rs"].iter().any(|name| root.join(folder).join(name).is_file())
    };
    let folder = Path::new(source).ancestors().find(is_crate);
    let folder = folder.with_context(|| format!("{source} is in no crate"))?;
    let below = Path::new(source).strip_prefix(folder)?;
    Ok(below.iter().map(|part| part.to_string_lossy().into_owned()).collect())
}

/// The module of a file, as a path from the source root. The path of the root's own files is empty.
fn module(file: &str, source: &str) -> Vec<String> {
    let below = file.strip_prefix(source).unwrap_or(file).trim_start_matches('/');
    let mut parts: Vec<String> =
        below.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    let last = parts.last().map(String::as_str);
    if last == Some("mod") || parts.len() == 1 && matches!(last, Some("lib" | "main")) {
        parts.pop();
    }
    parts
}

/// The modules that a file declares under `#[cfg(test)]`, as paths from the root of the crate.
fn test_modules(module: &[String], items: &[syn::Item]) -> Vec<Vec<String>> {
    let declared = items.iter().filter_map(|item| match item {
        syn::Item::Mod(child) if is_test(&child.attrs) => Some(child.ident.to_string()),
        _ => None,
    });
    declared.map(|child| module.iter().cloned().chain([child]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The complaints of a crate with these files.
    fn of(files: &[(&str, &str)], source: &str, table: &[(&str, &[&str])]) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        of_source(root.path(), source, table).unwrap()
    }

    const LIB: (&str, &str) = ("src/lib.rs", "mod a; mod b; mod c;");
    const NOTHING: (&str, &str) = ("src/c.rs", "");

    #[test]
    fn a_circle_is_found_however_it_is_written() {
        for import in [
            "use crate::a;",
            "use crate::a::{self, x};",
            "use crate::{c::y, a::{x as z, w}};",
            "use super::a::x;",
            "use super::{a, c};",
            "mod inner { use super::super::a; }",
            "fn f() -> crate::a::T { todo!() }",
            "fn f() { super::a::x() }",
            "fn f() { println!(\"{}\", crate::a::X) }",
            "fn f() { assert!(matches!(1, super::a::X)) }",
            "macro_rules! m { () => { $crate::a::x() } }",
            "#[cfg(not(test))] use crate::a;",
            "#[cfg(any(test, unix))] use crate::a;",
        ] {
            let b = ("src/b/mod.rs", "mod deep;");
            for files in [
                [LIB, ("src/a.rs", "use crate::b;"), ("src/b.rs", import), NOTHING, NOTHING],
                [
                    LIB,
                    ("src/a.rs", "\nuse crate::b;"),
                    b,
                    ("src/b/deep.rs", &in_deep(import)),
                    NOTHING,
                ],
            ] {
                let complaints = of(&files, "src", &[]);
                assert_eq!(complaints.len(), 1, "{import}: {complaints:?}");
                assert!(
                    complaints[0].starts_with("src: modules import each other: a -> b (src/a.rs:"),
                    "{complaints:?}"
                );
                assert!(complaints[0].contains("-> a (src/b"), "{complaints:?}");
            }
        }
    }

    /// The same import, one module deeper.
    fn in_deep(import: &str) -> String {
        match import.contains("super::super") {
            true => import.replace("super::super", "super::super::super"),
            false => import.replace("super::", "super::super::"),
        }
    }

    #[test]
    fn tests_and_own_children_do_not_count() {
        for import in [
            "#[cfg(test)] use crate::a;",
            "#[cfg(all(test, unix))] use crate::a;",
            "#[cfg(test)] mod tests { use crate::a; }",
            "#[cfg(test)] mod tests;",
            "#[test] fn f() { crate::a::x() }",
            "#[cfg(test)] fn f() { crate::a::x() }",
            "struct S; impl S { #[cfg(test)] fn f() { crate::a::x() } }",
            "fn f() { #[cfg(test)] crate::a::x(); }",
            "mod a {} mod d { use super::a; }",
            "use self::a::x; use a::y; use other::a;",
            "/// See [`crate::a`]. Not \"crate::a\".\nfn f() -> &'static str { \"crate::a\" }",
        ] {
            let tests = ("src/b/tests.rs", "use crate::a;");
            let complaints = of(
                &[LIB, ("src/a.rs", "use crate::b;"), ("src/b.rs", import), tests, NOTHING],
                "src",
                &[],
            );
            // The file of tests counts where no test declares it.
            assert_eq!(
                complaints.is_empty(),
                import.contains("mod tests"),
                "{import}: {complaints:?}"
            );
            let complaints = of(
                &[LIB, ("src/a.rs", "use crate::b;"), ("src/b.rs", import), NOTHING],
                "src",
                &[],
            );
            assert_eq!(complaints, [""; 0], "{import}");
        }
    }

    #[test]
    fn a_long_circle_is_named_once() {
        let files = [
            LIB,
            ("src/a.rs", "use crate::b;"),
            ("src/b.rs", "use crate::c;"),
            ("src/c.rs", "\n\nuse crate::a;"),
        ];
        let want = "src: modules import each other: a -> b (src/a.rs:1) -> c (src/b.rs:1) -> a (src/c.rs:3)";
        assert_eq!(of(&files, "src", &[]), [want]);
    }

    #[test]
    fn a_folder_within_a_crate_is_a_source_root_too() {
        let files = [
            ("src/lib.rs", "mod rooms; mod a;"),
            ("src/a.rs", "use crate::rooms::b;"),
            ("src/rooms/mod.rs", "mod a; mod b; use b::x;"),
            ("src/rooms/a.rs", "use super::b; use crate::a::x;"),
            ("src/rooms/b.rs", "use crate::rooms::a;"),
        ];
        let complaints = of(&files, "src/rooms", &[]);
        let want = "src/rooms: modules import each other: a -> b (src/rooms/a.rs:1) -> a (src/rooms/b.rs:1)";
        assert_eq!(complaints, [want]);
        assert_eq!(of(&files, "src", &[]).len(), 1);
    }

    #[test]
    fn a_name_of_the_root_stands_for_its_module() {
        for (root, import) in [
            ("pub use a::T;", "use crate::T;"),
            ("pub use crate::a::{x, T as U};", "fn f(u: crate::U) {}"),
            ("use self::a::deep::T;", "use super::T;"),
        ] {
            let root = ("src/lib.rs", root);
            let of = |import| {
                of(&[root, ("src/a.rs", "use crate::b;"), ("src/b.rs", import)], "src", &[])
            };
            assert_eq!(of(import).len(), 1, "{root:?}");
            assert_eq!(of("use crate::other;"), [""; 0]);
        }
    }

    #[test]
    fn arrows_are_those_of_the_table() {
        let files =
            [LIB, ("src/a.rs", "use crate::{b, c};"), ("src/b.rs", "use crate::c;"), NOTHING];
        let whole: &[(&str, &[&str])] = &[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])];
        assert_eq!(of(&files, "src", whole), [""; 0]);
        let want = [
            "src: a may not import c: src/a.rs:1",
            "src: c has no row in the table of arrows",
            "src: the table of arrows has d, which is no module",
        ];
        assert_eq!(of(&files, "src", &[("a", &["b"]), ("b", &["c"]), ("d", &[])]), want);
    }
}
