//! What `doctor` tells of files.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anstyle::Style;
use serde::Serialize;

use super::{
    super::Exit,
    recipe::{Recipes, Told},
    text::{GOOD, MARGIN, NAME, WARNING, WIDTH, below, wrapped},
};
use crate::inspect::{Finding, Use, Verdict, inspect};

/// A file, and what is in it.
#[derive(Serialize)]
struct Inspected<'a> {
    path: &'a Path,
    #[serde(flatten)]
    finding: Option<Finding>,
    /// Why it could not be told.
    error: Option<String>,
    /// How its libraries are built, where somebody asks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recipes: Vec<Told>,
}

/// Looks into each.
///
/// # Errors
/// Where nothing can be written.
pub(super) fn run(
    files: &[PathBuf],
    recipes: Option<&Recipes>,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    let (mut all, mut exit) = (Vec::new(), Exit::Fine);
    for path in files {
        let (finding, error) = match inspect(path) {
            Ok(finding) => (Some(finding), None),
            Err(error) => (None, Some(format!("{error:#}"))),
        };
        match &finding {
            None => exit = Exit::Failed,
            Some(finding) if finding.verdict == Verdict::NoCode => exit = Exit::Failed,
            Some(finding) if finding.verdict.is_bad() && exit == Exit::Fine => exit = Exit::Wrong,
            Some(_) => {}
        }
        let of = |(recipes, finding): (&Recipes, &Finding)| {
            let libraries = finding.libraries.iter().map(String::as_str);
            recipes.of_file(finding.architecture, finding.abi, libraries)
        };
        let recipes = recipes.zip(finding.as_ref()).map(of).unwrap_or_default();
        let inspected = Inspected { path, finding, error, recipes };
        if json {
            all.push(inspected);
        } else {
            inspected.write(out)?;
        }
    }
    if json {
        // As an error of the writer, if it is one: a closed pipe can then be told.
        serde_json::to_writer_pretty(&mut *out, &all).map_err(io::Error::from)?;
        writeln!(out)?;
    }
    out.flush()?;
    Ok(exit)
}

impl Inspected<'_> {
    /// Writes it for a reader at a terminal.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{NAME}{}{NAME:#}", self.path.display())?;
        let Some(finding) = &self.finding else {
            let why = self.error.as_deref().unwrap_or_default();
            below(out, WARNING, "not told", MARGIN, why)?;
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

/// Lines of items with a mark between them.
fn wrapped_items(items: &[String], mark: &str) -> Vec<String> {
    let last = items.len().saturating_sub(1);
    let marked = items.iter().enumerate();
    let marked: Vec<String> =
        marked.map(|(i, item)| format!("{item}{}", if i < last { mark } else { "" })).collect();
    wrapped(&marked.iter().map(String::as_str).collect::<Vec<_>>(), WIDTH - MARGIN - 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(files: &[&Path], json: bool) -> (Exit, String) {
        let files: Vec<_> = files.iter().map(|path| path.to_path_buf()).collect();
        let mut out = Vec::new();
        let exit = run(&files, None, json, &mut out).unwrap();
        (exit, String::from_utf8(out).unwrap())
    }

    #[test]
    fn no_line_is_wider_than_a_terminal() {
        let path = Path::new("libnettle.so.8");
        let long = "words ".repeat(40).trim_end().to_owned();
        let this = std::env::current_exe().unwrap();
        let mut finding = inspect(&this).unwrap();
        finding.notes = vec![long.clone()];
        (finding.why, finding.remedy) = (long.clone(), Some(long.clone()));
        let none = Inspected { path, finding: None, error: Some(long), recipes: Vec::new() };
        let some = Inspected { finding: Some(finding), error: None, path, recipes: Vec::new() };
        for inspected in [none, some] {
            let mut out = Vec::new();
            inspected.write(&mut out).unwrap();
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
        assert!(text.contains("not told") && text.contains("accelerated"), "{text}");

        let (_, json) = told(&[Path::new("/no/such/file"), &this], true);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json[1]["verdict"], "accelerated");
        assert!(json[0]["error"].is_string() && json[1]["error"].is_null());
    }

    /// It was not looked into, which is neither a fault nor a good sign.
    #[test]
    fn file_without_code_is_not_judged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.o");
        std::fs::write(&path, b"BC\xc0\xde\x35\x14\0\0").unwrap();
        let (exit, text) = told(&[&path], false);
        assert_eq!(exit, Exit::Failed, "{text}");
        assert!(text.contains("no code to look into") && !text.contains("remedy"), "{text}");
        let (_, json) = told(&[&path], true);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json[0]["verdict"], "no_code");
    }
}
