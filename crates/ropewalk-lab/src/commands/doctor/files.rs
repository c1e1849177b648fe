//! The report of `doctor` on files.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anstyle::Style;
use serde::Serialize;

use super::{
    super::Exit,
    programs::{self, Kind, Program},
    recipe::{Recipes, Told as Recipe},
    summary::Summary,
    text::{GOOD, MARGIN, NAME, WARNING, below, width, wrapped},
};
use crate::{
    inspect::{Finding, Use, Verdict, inspect},
    loads::Tree,
    stdio::write_json,
    unpack::{Member, Name, Seen, Shape, look},
};

/// A file, and its contents.
#[derive(Serialize)]
struct Inspected {
    path: Name,
    #[serde(flatten)]
    finding: Option<Finding>,
    /// Why it could not be judged.
    error: Option<String>,
    /// The libraries that it loads, if it is a program.
    #[serde(flatten)]
    program: Option<Program>,
    /// The recipes of its libraries, for `--recipe`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recipes: Vec<Recipe>,
}

/// An object of the list in JSON.
#[derive(Serialize)]
#[serde(untagged)]
enum Object {
    File(Box<Inspected>),
    Summary(Summary),
}

/// What is reported.
#[derive(Clone, Default)]
pub(super) struct How<'a> {
    /// Include the recipe of each library.
    pub(super) recipes: Option<&'a Recipes>,
    pub(super) json: bool,
    /// Include every file of an archive or folder, not only those with a fault.
    pub(super) all: bool,
    /// Include the libraries that programs load.
    pub(super) follows: bool,
    /// The tree in which they are searched.
    pub(super) tree: Tree,
}

/// Examines each file.
///
/// # Errors
/// If the report cannot be written.
pub(super) fn run(files: &[PathBuf], how: How<'_>, out: &mut impl Write) -> anyhow::Result<Exit> {
    let json = how.json;
    let mut report = Report { how, exit: Exit::Fine, elsewhere: false, objects: Vec::new(), out };
    let mut seen = programs::Seen::default();
    for path in files {
        let tree = &report.how.tree;
        let file = match tree.is_here() {
            false => path.clone(),
            true => match programs::named(path) {
                Some(file) => file,
                None => {
                    report.refuse(Name::of(path), programs::NOT_IN_PATH.into())?;
                    continue;
                }
            },
        };
        // A program that was found in `PATH` is shown by its file.
        let path = &if tree.is_here() { file.clone() } else { path.clone() };
        // A recipe is for the contents of the file itself.
        let follows = report.how.follows && report.how.recipes.is_none();
        let looked = if follows { programs::look(&file, tree, &mut seen) } else { Ok(Kind::File) };
        match looked {
            Ok(Kind::Program(program)) => {
                report.program(Name::of(path), program)?;
                continue;
            }
            Ok(kind) => report.elsewhere = matches!(kind, Kind::Elsewhere),
            Err(_) if tree.is_here() && !file.is_file() => {}
            Err(why) => {
                report.refuse(Name::of(path), why)?;
                continue;
            }
        }
        let file = tree.named(&file).ok().filter(|_| !tree.is_here()).unwrap_or(file);
        let mut summary = Summary::of(path);
        let shape = look(&file, &mut |member| report.take(member, &mut summary))?;
        if shape != Shape::File {
            report.summary(summary)?;
        }
    }
    let Report { exit, objects, .. } = report;
    if json {
        write_json(&objects, out)?;
    }
    out.flush()?;
    Ok(exit)
}

/// The state of the report.
struct Report<'a, W> {
    how: How<'a>,
    exit: Exit,
    /// Whether the file is a program of another machine, whose libraries are not searched.
    elsewhere: bool,
    objects: Vec<Object>,
    out: &'a mut W,
}

impl<W: Write> Report<'_, W> {
    fn take(
        &mut self,
        Member { name, within, seen }: Member,
        summary: &mut Summary,
    ) -> io::Result<()> {
        summary.add(&name, &seen);
        let shown = !within || self.how.all || self.how.json;
        let (finding, error) = match seen {
            Seen::Found(finding) => {
                // A library with only tables is not an error among others.
                let passed_over = within && finding.data_alone;
                match finding.verdict {
                    Verdict::NoCode if !passed_over => self.exit = Exit::Failed,
                    verdict if verdict.is_bad() && self.exit == Exit::Fine => {
                        self.exit = Exit::Wrong;
                    }
                    verdict if !verdict.is_bad() && !shown => return Ok(()),
                    _ => {}
                }
                let mut finding = *finding;
                if self.elsewhere && !within {
                    finding.notes.push(programs::ELSEWHERE.into());
                }
                (Some(finding), None)
            }
            Seen::Refused(why) => {
                self.exit = Exit::Failed;
                (None, Some(why))
            }
            Seen::OtherMachine(why) if shown => (None, Some(why)),
            Seen::OtherMachine(_) | Seen::NotBinary | Seen::OtherFileSystem => return Ok(()),
        };
        let of = |(recipes, finding): (&Recipes, &Finding)| {
            let libraries = finding.libraries.iter().map(String::as_str);
            recipes.of_file(finding.architecture, finding.abi, libraries)
        };
        let recipes = self.how.recipes.zip(finding.as_ref()).map(of).unwrap_or_default();
        self.add(Inspected { path: name, finding, error, program: None, recipes })
    }

    fn add(&mut self, inspected: Inspected) -> io::Result<()> {
        match self.how.json {
            true => self.objects.push(Object::File(Box::new(inspected))),
            false => inspected.write(self.how.all, self.out)?,
        }
        Ok(())
    }

    /// A program, and the libraries that it loads.
    fn program(&mut self, path: Name, program: Program) -> io::Result<()> {
        let (finding, error) = match inspect(&program.file) {
            Ok(finding) => (Some(finding), None),
            Err(why) => (None, Some(format!("{why:#}"))),
        };
        let bad = finding.as_ref().is_some_and(|finding| finding.verdict.is_bad());
        if error.is_some() || program.is_incomplete() {
            self.exit = Exit::Failed;
        } else if (bad || program.has_fault()) && self.exit == Exit::Fine {
            self.exit = Exit::Wrong;
        }
        let program = Some(program);
        self.add(Inspected { path, finding, error, program, recipes: Vec::new() })
    }

    fn refuse(&mut self, path: Name, why: String) -> io::Result<()> {
        self.exit = Exit::Failed;
        let (finding, recipes) = (None, Vec::new());
        self.add(Inspected { path, finding, error: Some(why), program: None, recipes })
    }

    fn summary(&mut self, mut summary: Summary) -> io::Result<()> {
        if summary.is_of_nothing() {
            self.exit = Exit::Failed;
        }
        match self.how.json {
            true => self.objects.push(Object::Summary(summary)),
            false => summary.write(self.how.all, self.out)?,
        }
        Ok(())
    }
}

impl Inspected {
    /// Writes it for a terminal.
    fn write(&self, all: bool, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{NAME}{}{NAME:#}", self.path)?;
        if let Some(program) = &self.program {
            program.write(self.finding.as_ref(), self.error.as_deref(), all, out)?;
            // The contents of the program itself may be of several libraries.
            let details = all && self.finding.is_some();
            return if details { self.write_details(out) } else { writeln!(out) };
        }
        self.write_details(out)
    }

    fn write_details(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(finding) = &self.finding else {
            let why = self.error.as_deref().unwrap_or_default();
            below(out, WARNING, "not known", MARGIN, why)?;
            return writeln!(out);
        };
        let mut line = |name: &str, items: Vec<String>, between: &str| {
            let mut name = name;
            for line in wrapped_items(&items, between) {
                writeln!(out, "  {name:MARGIN$}{line}")?;
                name = "";
            }
            io::Result::Ok(())
        };
        let mut kind = vec![finding.architecture.into(), finding.form.clone()];
        kind.extend(finding.abi.map(|abi| abi.words().to_owned()));
        line("for", kind, ",")?;
        line("library", finding.libraries.clone(), ",")?;
        let flags = finding.compiler.iter().flat_map(|line| line.split(' '));
        line("compiler", flags.map(str::to_owned).collect(), "")?;
        line("platform", finding.platform.iter().cloned().collect(), ",")?;
        for of in Use::ALL {
            let counts = finding.instructions.iter().filter(|count| count.of == of);
            let counts = counts.map(|count| format!("{} {}", count.count, count.instruction));
            line(of.into(), counts.collect(), ",")?;
        }
        for met in &finding.functions {
            let of: &str = met.of.into();
            let names = met.names.join(", ");
            let more = if met.count > met.names.len() as u64 { ", …" } else { "" };
            let told = format!("{of} {}: {names}{more}", met.with.words());
            line("functions", told.split(' ').map(str::to_owned).collect(), "")?;
        }
        line("modules", finding.modules.clone(), ";")?;
        line("tables", finding.tables.iter().map(|&table| table.into()).collect(), ",")?;
        let (style, verdict) = match finding.verdict {
            verdict if verdict.is_bad() || verdict == Verdict::NoCode => (WARNING, verdict),
            verdict => (GOOD, verdict),
        };
        let Finding { why, remedy, .. } = finding;
        below(out, style, "verdict", MARGIN, &format!("{}: {why}", verdict.words()))?;
        let mut line = |name, text: &str| below(out, Style::new(), name, MARGIN, text);
        finding.notes.iter().try_for_each(|note| line("note", note))?;
        line("remedy", remedy.as_deref().unwrap_or_default())?;
        for told in &self.recipes {
            told.write(out)?;
        }
        writeln!(out)
    }
}

/// Lines of items separated by a mark.
fn wrapped_items(items: &[String], mark: &str) -> Vec<String> {
    let last = items.len().saturating_sub(1);
    let marked = items.iter().enumerate();
    let marked: Vec<String> =
        marked.map(|(i, item)| format!("{item}{}", if i < last { mark } else { "" })).collect();
    wrapped(&marked.iter().map(String::as_str).collect::<Vec<_>>(), width() - MARGIN - 2)
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt, path::Path};

    use super::*;
    use crate::{
        inspect::{
            inspect,
            made::{for_s390, library},
        },
        report::named::WIDTH,
    };

    fn told(files: &[&Path], json: bool) -> (Exit, String) {
        told_as(files, How { json, follows: true, ..How::default() })
    }

    fn told_as(files: &[&Path], how: How<'_>) -> (Exit, String) {
        let files: Vec<_> = files.iter().map(|path| path.to_path_buf()).collect();
        let mut out = Vec::new();
        let exit = run(&files, how, &mut out).unwrap();
        (exit, String::from_utf8(out).unwrap())
    }

    #[test]
    fn no_line_is_wider_than_a_terminal() {
        let path = Name::of(Path::new("libnettle.so.8"));
        let long = "words ".repeat(40).trim_end().to_owned();
        let this = std::env::current_exe().unwrap();
        let mut finding = inspect(&this).unwrap();
        finding.notes = vec![long.clone()];
        (finding.why, finding.remedy) = (long.clone(), Some(long.clone()));
        let none = Inspected {
            path: path.clone(),
            finding: None,
            error: Some(long),
            program: None,
            recipes: Vec::new(),
        };
        let some = Inspected {
            finding: Some(finding),
            error: None,
            path,
            program: None,
            recipes: Vec::new(),
        };
        for inspected in [none, some] {
            let mut out = Vec::new();
            inspected.write(false, &mut out).unwrap();
            let text = anstream::adapter::strip_str(std::str::from_utf8(&out).unwrap()).to_string();
            for line in text.lines().skip(1) {
                assert!(line.chars().count() <= WIDTH, "{line}");
            }
        }
    }

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn files_are_told_apart() {
        let this = std::env::current_exe().unwrap();
        let (exit, text) = told(&[&this], false);
        assert_eq!(exit, Exit::Fine, "{text}");
        assert!(text.contains("accelerated") && text.contains("AES"), "{text}");

        let (exit, text) = told(&[Path::new("/no/such/file"), &this], false);
        assert_eq!(exit, Exit::Failed);
        assert!(text.contains("not known") && text.contains("accelerated"), "{text}");

        let (_, json) = told(&[Path::new("/no/such/file"), &this], true);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json[1]["verdict"], "accelerated");
        assert!(json[0]["error"].is_string() && json[1]["error"].is_null());
    }

    /// It was not examined, which is neither a fault nor a good sign.
    #[test]
    fn file_without_code_is_not_judged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.o");
        fs::write(&path, b"BC\xc0\xde\x35\x14\0\0").unwrap();
        let (exit, text) = told(&[&path], false);
        assert_eq!(exit, Exit::Failed, "{text}");
        assert!(text.contains("no code to look into") && !text.contains("remedy"), "{text}");
        let (_, json) = told(&[&path], true);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json[0]["verdict"], "no_code");
    }

    /// A folder of libraries with the instructions, without them, and with other names.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &[u8], bytes: &[u8]| {
            fs::write(folder.path().join(OsStr::from_bytes(name)), bytes).unwrap();
        };
        write(b"bad.so", &library(false));
        write(b"good.so", &library(true));
        write(b"odd\xe4.so", &library(true));
        write(b"old.so", &for_s390());
        write(b"text", b"text");
        folder
    }

    #[test]
    fn of_a_folder_the_faults_are_shown_and_the_rest_is_counted() {
        let folder = folder();
        let path = folder.path();
        let name = |name: &str| format!("{}/{name}", path.display());
        let counted = "5 files looked into: 1 not accelerated, 2 accelerated, 1 for other machines, 1 not ELF, Mach-O or PE";
        for all in [false, true] {
            let (exit, text) = told_as(&[path], How { all, ..How::default() });
            assert_eq!(exit, Exit::Wrong, "{text}");
            let text = anstream::adapter::strip_str(&text).to_string();
            assert!(text.contains(&name("bad.so")), "{text}");
            for other in ["good.so", r"odd\xe4.so", "old.so"] {
                assert_eq!(text.contains(&name(other)), all, "{other}: {text}");
            }
            assert!(!text.contains(&name("text")), "{text}");
            let words: Vec<&str> = text.split_whitespace().collect();
            assert!(words.join(" ").contains(counted), "{text}");
            assert_eq!(text.contains("--all"), !all, "{text}");
        }
        let (exit, json) = told(&[path], true);
        assert_eq!(exit, Exit::Wrong);
        let list: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
        let paths: Vec<_> = list.iter().filter_map(|object| object["path"].as_str()).collect();
        let right = ["bad.so", "good.so", r"odd\xe4.so", "old.so"].map(name);
        assert_eq!(paths[..4], right);
        assert_eq!((paths[4], list.len()), (path.to_str().unwrap(), 5));
        assert_eq!(list[0]["verdict"], "not_at_all");
        assert!(list[3]["error"].as_str().unwrap().starts_with("for s390; "));
        let summary = &list[4];
        assert_eq!((&summary["files"], &summary["not_binary"]), (&5.into(), &1.into()));
        assert_eq!(summary["verdicts"]["accelerated"], 2);
        assert!(summary["error"].is_null());
    }

    /// An error takes precedence over a fault, and nothing to examine is an error.
    #[test]
    fn exit_of_a_folder_is_that_of_its_files() {
        let folder = folder();
        let path = folder.path();
        fs::write(path.join("cut.so"), &library(true)[..100]).unwrap();
        let words = |text: &str| {
            let text = anstream::adapter::strip_str(text).to_string();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let (exit, text) = told(&[path], false);
        let text = words(&text);
        assert_eq!(exit, Exit::Failed);
        assert!(text.contains("cut.so") && text.contains("1 no code to look into"), "{text}");
        fs::write(path.join("x.7z"), b"7z\xbc\xaf\x27\x1c").unwrap();
        let (exit, text) = told(&[path], false);
        let text = words(&text);
        assert_eq!(exit, Exit::Failed);
        assert!(text.contains("unpack it with 7z x") && text.contains("1 with errors"), "{text}");
        for file in ["cut.so", "bad.so", "x.7z"] {
            fs::remove_file(path.join(file)).unwrap();
        }
        assert_eq!(told(&[path], false).0, Exit::Fine);
        let empty = tempfile::tempdir().unwrap();
        for all in [false, true] {
            let (exit, text) = told_as(&[empty.path()], How { all, ..How::default() });
            assert_eq!(exit, Exit::Failed);
            assert!(text.contains("no library or program is in it"), "{text}");
        }
    }
}
