//! The libraries that a program loads, directly or indirectly, without running it.
//!
//! The files are read in the same way as by the loader of their machine, on this machine or in a tree of
//! files of another. Libraries that a program loads by a computed name are not found; for Python, the modules
//! that use OpenSSL are known.

mod dynamic;
mod python;
mod script;
mod search;
mod tree;

#[cfg(test)]
#[allow(dead_code, reason = "a test of the command uses the rest")]
mod made;
#[cfg(test)]
mod tests;

use std::{
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail, ensure};
use object::elf;

use crate::filename::shown;
use dynamic::Dynamic;
use search::{Asks, Search};
pub use tree::Tree;

/// The kind of a file for the loader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// A program that it starts.
    Program(Loads),
    /// A program for a machine without a loader here.
    Elsewhere,
    /// A library, a static program, or no binary file.
    File,
}

/// A program, and the libraries that it loads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loads {
    /// The programs that a script refers to, in order; the last one is examined.
    pub steps: Vec<Step>,
    /// The program, with all links resolved.
    pub file: PathBuf,
    /// The libraries, in the order in which they are loaded.
    pub libraries: Vec<Loaded>,
    /// Libraries that it needs and that are not found.
    pub missing: Vec<Missing>,
}

/// A program that a script refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its role: `its interpreter`.
    pub why: &'static str,
    /// The program, by its path in the tree.
    pub path: PathBuf,
}

/// A library, or a module of Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The name by which it was requested.
    pub name: String,
    /// Its file, with all links resolved, by its path on this machine.
    pub file: PathBuf,
    /// The same by its path in the tree.
    pub path: PathBuf,
    /// The names of the files that need it.
    pub needed_by: Vec<String>,
    /// The modules of Python that load it when they are imported, if it is not loaded from the start.
    pub modules: Vec<&'static str>,
}

/// A library that is not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Its name.
    pub name: String,
    /// The names of the files that need it.
    pub needed_by: Vec<String>,
    /// Files of that name that exist and cannot be used, with the reasons.
    pub refused: Vec<String>,
}

/// More files than any program loads.
const MOST: usize = 4096;

/// The most scripts in a row.
const STEPS: usize = 5;

/// The ELF number of this machine.
const HERE: u16 = match () {
    () if cfg!(target_arch = "x86_64") => elf::EM_X86_64.0,
    () if cfg!(target_arch = "x86") => elf::EM_386.0,
    () if cfg!(target_arch = "aarch64") => elf::EM_AARCH64.0,
    () if cfg!(target_arch = "arm") => elf::EM_ARM.0,
    () if cfg!(target_arch = "riscv64") => elf::EM_RISCV.0,
    () => elf::EM_NONE.0,
};

/// Examines a program that a user names.
///
/// # Errors
/// If there is no such file, a script cannot be resolved, or the program is damaged.
pub fn follow(path: &Path, tree: &Tree) -> Result<Followed> {
    let mut file = tree.named(path).map_err(|error| named_where(tree, error))?;
    let mut steps = Vec::new();
    while let Some(next) = script::next(&file, tree) {
        let script::Next { path, why } = next.map_err(anyhow::Error::msg)?;
        ensure!(steps.len() < STEPS, "a script that leads to more than {STEPS} others");
        let found = tree.find(&path);
        file = found.with_context(|| format!("a script; {why}, {}", shown(&path)))?;
        steps.push(Step { why, path: tree.inside(&file) });
    }
    let dynamic = match Dynamic::read(&file) {
        Ok(dynamic) if dynamic.interpreter.is_some() => dynamic,
        _ if steps.is_empty() => return Ok(Followed::File),
        Ok(dynamic) => dynamic,
        Err(why) => bail!("a script; {} {}: {why:#}", steps[0].why, shown(&steps[0].path)),
    };
    let interpreter = dynamic.interpreter.as_deref().unwrap_or_default();
    let has_loader = tree.find(Path::new(OsStr::from_bytes(interpreter))).is_ok();
    if tree.is_here() && dynamic.machine.number != HERE && !has_loader {
        return Ok(Followed::Elsewhere);
    }
    let mut graph = Graph::new(tree, &file, dynamic);
    graph.walk(0);
    for (module, path) in python::extensions(&file, tree) {
        graph.add_module(module, &path);
    }
    let Graph { loaded, missing, .. } = graph;
    let libraries = loaded.into_iter().skip(1).map(|node| node.loaded).collect();
    Ok(Followed::Program(Loads { steps, file, libraries, missing }))
}

fn named_where(tree: &Tree, error: io::Error) -> anyhow::Error {
    match tree.is_here() {
        true => error.into(),
        false => anyhow::Error::new(error).context("in the tree of --sysroot"),
    }
}

/// A loaded file.
struct Node {
    loaded: Loaded,
    dynamic: Dynamic,
    /// Its folder, in the tree.
    origin: PathBuf,
    /// The file that has loaded it.
    parent: Option<usize>,
}

struct Graph<'a> {
    tree: &'a Tree,
    search: Search<'a>,
    loaded: Vec<Node>,
    missing: Vec<Missing>,
}

impl<'a> Graph<'a> {
    fn new(tree: &'a Tree, file: &Path, dynamic: Dynamic) -> Self {
        let interpreter = dynamic.interpreter.clone().unwrap_or_default();
        let search = Search::new(tree, dynamic.machine, &interpreter);
        let mut graph = Self { tree, search, loaded: Vec::new(), missing: Vec::new() };
        if !interpreter.is_empty() && tree.find(Path::new(OsStr::from_bytes(&interpreter))).is_err()
        {
            graph.missing.push(Missing {
                name: shown(OsStr::from_bytes(&interpreter)),
                needed_by: vec![name_of(file)],
                refused: Vec::new(),
            });
        }
        graph.add(name_of(file), file, &tree.inside(file), dynamic, None, None);
        graph
    }

    fn add(
        &mut self,
        name: String,
        file: &Path,
        path: &Path,
        dynamic: Dynamic,
        parent: Option<usize>,
        module: Option<&'static str>,
    ) {
        let needed_by = parent.map(|parent| self.loaded[parent].loaded.name.clone());
        let origin = path.parent().unwrap_or(Path::new("/")).to_owned();
        let (file, path) = (file.to_owned(), self.tree.inside(file));
        let needed_by = needed_by.into_iter().collect();
        let modules = module.into_iter().collect();
        let loaded = Loaded { name, file, path, needed_by, modules };
        self.loaded.push(Node { loaded, dynamic, origin, parent });
    }

    /// Loads the libraries of all files from this one on, level by level.
    fn walk(&mut self, from: usize) {
        let mut at = from;
        while at < self.loaded.len() && self.loaded.len() < MOST {
            for name in self.loaded[at].dynamic.needed.clone() {
                self.load(&name, at);
            }
            at += 1;
        }
    }

    fn load(&mut self, name: &[u8], by: usize) {
        let asker = self.loaded[by].loaded.name.clone();
        let module = self.loaded[by].loaded.modules.first().copied();
        let text = shown(OsStr::from_bytes(name));
        let note = |needed_by: &mut Vec<String>| {
            if !needed_by.contains(&asker) {
                needed_by.push(asker.clone());
            }
        };
        // A loaded library matches any of its names.
        let is_it = |node: &&mut Node| {
            node.parent.is_some()
                && (node.loaded.name == text || node.dynamic.soname.as_deref() == Some(name))
        };
        if let Some(node) = self.loaded.iter_mut().find(is_it) {
            let modules = &mut node.loaded.modules;
            if !modules.is_empty() {
                modules.extend(module.filter(|module| !modules.contains(module)));
            }
            return note(&mut node.loaded.needed_by);
        }
        if let Some(missing) = self.missing.iter_mut().find(|missing| missing.name == text) {
            return note(&mut missing.needed_by);
        }
        let mut chain = Vec::new();
        let mut next = Some(by);
        while let Some(at) = next {
            let Node { dynamic, origin, parent, .. } = &self.loaded[at];
            chain.push(Asks { dynamic, origin });
            next = *parent;
        }
        chain.reverse();
        let taken = match self.search.find(name, &chain) {
            Ok(taken) => taken,
            Err(refused) => {
                return self.missing.push(Missing { name: text, needed_by: vec![asker], refused });
            }
        };
        match self.loaded.iter_mut().find(|node| node.loaded.file == taken.file) {
            Some(node) => note(&mut node.loaded.needed_by),
            None => {
                self.add(text, &taken.file, &taken.path, taken.dynamic, Some(by), module);
            }
        }
    }

    /// A module that the program loads when it runs, and the libraries that it needs.
    fn add_module(&mut self, module: &'static str, path: &Path) {
        let Ok(file) = self.tree.find(path) else { return };
        let Ok(dynamic) = Dynamic::read(&file) else { return };
        let at = self.loaded.len();
        self.add(name_of(&file), &file, path, dynamic, Some(0), Some(module));
        self.walk(at);
    }
}

fn name_of(file: &Path) -> String {
    shown(file.file_name().unwrap_or_default())
}
