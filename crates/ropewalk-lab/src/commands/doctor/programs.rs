//! The report of `doctor` on a program: on itself and on each cryptographic library that it loads.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsStr,
    io::{self, Write},
    path::{Component, Path, PathBuf},
};

use anstyle::Style;
use serde::Serialize;

use super::text::{GOOD, QUIET, WARNING, below};
use crate::{
    filename::{self, shown},
    inspect::{Finding, Verdict, inspect},
    installed,
    loads::{self, Followed, Loads, Tree},
};

/// A program, with the properties that other files do not have.
#[derive(Debug, Serialize)]
pub(super) struct Program {
    /// The programs that a script refers to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    interpreters: Vec<Interpreter>,
    /// The libraries that it loads.
    loads: Vec<Library>,
    /// Libraries that it needs and that are not found.
    missing: Vec<Missing>,
    /// Its file, with all links and scripts resolved.
    #[serde(skip)]
    pub(super) file: PathBuf,
}

#[derive(Debug, Serialize)]
struct Interpreter {
    why: &'static str,
    #[serde(serialize_with = "filename::serialize")]
    path: PathBuf,
}

/// A loaded library.
#[derive(Debug, Serialize)]
struct Library {
    name: String,
    #[serde(serialize_with = "filename::serialize")]
    path: PathBuf,
    needed_by: Vec<String>,
    /// The modules of Python that load it when they are imported.
    modules: Vec<&'static str>,
    /// Its contents, if it was examined.
    contains: Option<Finding>,
    /// Why it could not be examined.
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct Missing {
    name: String,
    needed_by: Vec<String>,
    refused: Vec<String>,
}

/// Files that were examined, since programs load the same ones.
#[derive(Default)]
pub(super) struct Seen(BTreeMap<PathBuf, Result<Finding, String>>);

/// Libraries that are known to contain no cryptography, and are large or very common.
const WITHOUT: [&str; 12] = [
    "ld-linux",
    "ld-musl",
    "libc.",
    "libm.",
    "libdl.",
    "libpthread.",
    "librt.",
    "libresolv.",
    "libgcc_s.",
    "libstdc++.",
    "libicu",
    "libz.",
];

/// The kind of a file.
pub(super) enum Kind {
    Program(Program),
    /// A program of another machine.
    Elsewhere,
    /// A file without special treatment.
    File,
}

/// The note on a program whose libraries are not searched.
pub(super) const ELSEWHERE: &str =
    "for another machine: --sysroot DIR, with its files, follows what it loads";

/// Finds the libraries of a program.
///
/// # Errors
/// If a script or program cannot be resolved, with the reason.
pub(super) fn look(path: &Path, tree: &Tree, seen: &mut Seen) -> Result<Kind, String> {
    let found = loads::follow(path, tree).map_err(|why| format!("{why:#}"))?;
    let Loads { steps, file, libraries, missing } = match found {
        Followed::Program(loads) => loads,
        Followed::Elsewhere => return Ok(Kind::Elsewhere),
        Followed::File => return Ok(Kind::File),
    };
    let steps = steps.into_iter();
    let missing = missing.into_iter();
    Ok(Kind::Program(Program {
        interpreters: steps.map(|it| Interpreter { why: it.why, path: it.path }).collect(),
        loads: libraries.into_iter().map(|library| seen.look_at(library, tree)).collect(),
        missing: missing
            .map(|it| Missing { name: it.name, needed_by: it.needed_by, refused: it.refused })
            .collect(),
        file,
    }))
}

/// The file that a user means: a name without a folder that is not a file here is searched in `PATH`. None if
/// it is not found.
pub(super) fn named(path: &Path) -> Option<PathBuf> {
    let is_name = matches!(path.components().collect::<Vec<_>>()[..], [Component::Normal(_)]);
    if !is_name || path.symlink_metadata().is_ok() {
        return Some(path.into());
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut all = env::split_paths(&folders).map(|folder| folder.join(path));
    all.find(|path| path.is_file())
}

/// The error for a name that is not found.
pub(super) const NOT_IN_PATH: &str = "no file here and no program in PATH has this name";

impl Seen {
    fn look_at(&mut self, library: loads::Loaded, tree: &Tree) -> Library {
        let loads::Loaded { name, file, path, needed_by, modules } = library;
        let mut library = Library { name, path, needed_by, modules, contains: None, error: None };
        let own = library.path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if WITHOUT.iter().any(|start| own.starts_with(start)) {
            return library;
        }
        // Some have their code in another file in the same folder.
        let code = installed::Kind::of(own).map(|kind| kind.code_of(&file));
        let code = code.and_then(|code| tree.find(&tree.inside(&code)).ok()).unwrap_or(file);
        let found = self
            .0
            .entry(code)
            .or_insert_with_key(|file| inspect(file).map_err(|why| format!("{why:#}")));
        match found {
            Ok(finding) => library.contains = Some(finding.clone()),
            Err(why) => library.error = Some(why.clone()),
        }
        library
    }
}

impl Program {
    /// Whether one of its libraries can be mended.
    pub(super) fn has_fault(&self) -> bool {
        self.loads.iter().filter_map(|library| library.contains.as_ref()).any(Finding::is_fault)
    }

    /// Whether it cannot be started, or part of it could not be examined.
    pub(super) fn is_incomplete(&self) -> bool {
        !self.missing.is_empty() || self.loads.iter().any(|library| library.error.is_some())
    }

    /// Writes a line for the file itself, if examined, and one for each cryptographic library.
    pub(super) fn write(
        &self,
        finding: Option<&Finding>,
        error: Option<&str>,
        all: bool,
        out: &mut impl Write,
    ) -> io::Result<()> {
        for Interpreter { why, path } in &self.interpreters {
            below(out, Style::new(), "a script", COLUMNS, &format!("{why}: {}", shown(path)))?;
        }
        match (finding, error) {
            (Some(finding), _) => {
                let parts = [named_as(finding), finding.why.clone()];
                write_verdict(out, finding, "the program", &parts)?;
            }
            (None, error) => {
                let why = error.unwrap_or_default();
                below(out, WARNING, NOT_KNOWN, COLUMNS, &format!("the program: {why}"))?;
            }
        }
        for library in self.loads.iter().filter(|library| all || library.is_shown()) {
            library.write(all, out)?;
        }
        let libraries = self.loads.iter().any(Library::is_shown);
        let itself = finding.is_some_and(|it| it.verdict != Verdict::NothingFound);
        if !libraries && !itself && self.missing.is_empty() {
            let none = "no library of cryptography is loaded, and none is in the program";
            below(out, QUIET, "", COLUMNS, none)?;
        }
        for Missing { name, needed_by, refused } in &self.missing {
            let why = refused.iter().map(|why| format!("; {why}")).collect::<String>();
            let text = format!("{name}, which {} needs{why}", needed_by.join(", "));
            below(out, WARNING, "missing", COLUMNS, &text)?;
        }
        Ok(())
    }
}

/// Columns of the verdicts.
const COLUMNS: usize = 20;

/// The verdict for files that could not be examined.
const NOT_KNOWN: &str = "not known";

impl Library {
    /// Whether it contains cryptography, or may contain it.
    fn is_shown(&self) -> bool {
        let nothing = [Verdict::NothingFound, Verdict::NoCode, Verdict::Plain];
        self.error.is_some()
            || self.contains.as_ref().is_some_and(|it| !nothing.contains(&it.verdict))
    }

    fn write(&self, all: bool, out: &mut impl Write) -> io::Result<()> {
        let path = shown(&self.path);
        let modules = match &self.modules[..] {
            [] => String::new(),
            modules => format!("by import of {}", modules.join(", ")),
        };
        let by = match all {
            true => format!("loaded by {}", self.needed_by.join(", ")),
            false => String::new(),
        };
        match (&self.contains, &self.error) {
            (Some(finding), _) => {
                write_verdict(out, finding, &path, &[named_as(finding), modules, by])
            }
            (None, error) => {
                let (style, verdict) = match error {
                    Some(_) => (WARNING, NOT_KNOWN),
                    None => (QUIET, "not looked into"),
                };
                let parts = [path, error.clone().unwrap_or_default(), modules, by];
                below(out, style, verdict, COLUMNS, &listed(&parts))
            }
        }
    }
}

/// The library in a file, without its date.
fn named_as(finding: &Finding) -> String {
    let library = finding.library().filter(|_| finding.verdict != Verdict::NothingFound);
    let library = library.unwrap_or_default();
    let Some(number) = library.find(|c: char| c.is_ascii_digit()) else { return library.into() };
    let end = library[number..].find(' ').map_or(library.len(), |end| number + end);
    library[..end].into()
}

fn listed(parts: &[String]) -> String {
    let parts = parts.iter().map(String::as_str).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(", ")
}

/// A verdict, its subject, and notes; and the remedy for a fault.
fn write_verdict(
    out: &mut impl Write,
    finding: &Finding,
    of: &str,
    parts: &[String],
) -> io::Result<()> {
    let style = match finding.verdict {
        _ if finding.is_fault() => WARNING,
        Verdict::Accelerated => GOOD,
        _ => Style::new(),
    };
    let text = listed(&[&[of.to_owned()], parts].concat());
    below(out, style, finding.verdict.words(), COLUMNS, &text)?;
    if finding.is_fault() {
        if !parts.contains(&finding.why) {
            below(out, Style::new(), "", COLUMNS, &finding.why)?;
        }
        if let Some(remedy) = &finding.remedy {
            below(out, Style::new(), "", COLUMNS, &format!("remedy: {remedy}"))?;
        }
    }
    Ok(())
}
