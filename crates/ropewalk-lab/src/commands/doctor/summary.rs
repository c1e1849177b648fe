//! The summary of an archive or a folder.

use std::{
    io::{self, Write},
    path::Path,
};

use anstyle::Style;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::text::{GOOD, MARGIN, NAME, WARNING, below};
use crate::{
    inspect::Verdict,
    unpack::{Name, Seen},
};

/// The number of files of each kind.
#[derive(Serialize)]
pub(super) struct Summary {
    path: Name,
    /// Files that were reached.
    files: u64,
    /// Examined files, by their verdicts.
    verdicts: Verdicts,
    /// Files with code for machines that are not supported.
    other_machines: u64,
    /// Files without code.
    not_binary: u64,
    /// Files that could not be examined.
    errors: u64,
    /// Folders that are other file systems, which were not entered.
    other_file_systems: Vec<Name>,
    /// Why there is no verdict at all.
    error: Option<&'static str>,
}

/// A verdict, and its number of files.
#[derive(Default)]
struct Verdicts(Vec<(Verdict, u64)>);

impl Serialize for Verdicts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (verdict, count) in &self.0 {
            map.serialize_entry(verdict, count)?;
        }
        map.end()
    }
}

impl Summary {
    pub(super) fn of(path: &Path) -> Self {
        Self {
            path: Name::of(path),
            files: 0,
            verdicts: Verdicts::default(),
            other_machines: 0,
            not_binary: 0,
            errors: 0,
            other_file_systems: Vec::new(),
            error: None,
        }
    }

    pub(super) fn add(&mut self, name: &Name, seen: &Seen) {
        self.files += 1;
        match seen {
            Seen::Found(finding) => {
                let verdicts = &mut self.verdicts.0;
                match verdicts.iter_mut().find(|(verdict, _)| *verdict == finding.verdict) {
                    Some((_, count)) => *count += 1,
                    None => verdicts.push((finding.verdict, 1)),
                }
                verdicts.sort_by_key(|(verdict, _)| match verdict {
                    verdict if verdict.is_bad() => 0,
                    Verdict::Accelerated => 1,
                    _ => 2,
                });
            }
            Seen::OtherMachine(_) => self.other_machines += 1,
            Seen::NotBinary => self.not_binary += 1,
            Seen::Refused(_) => self.errors += 1,
            Seen::OtherFileSystem => {
                self.files -= 1;
                self.other_file_systems.push(name.clone());
            }
        }
    }

    /// Whether there was nothing to examine, which is an error.
    pub(super) fn is_of_nothing(&mut self) -> bool {
        let nothing = self.verdicts.0.is_empty() && self.errors == 0;
        self.error = nothing.then_some("no library or program is in it");
        nothing
    }

    /// Writes it for a terminal.
    pub(super) fn write(&self, all: bool, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{NAME}{}{NAME:#}", self.path)?;
        let verdicts = self.verdicts.0.iter().map(|(verdict, count)| (*count, verdict.words()));
        let others = [
            (self.other_machines, "for other machines"),
            (self.errors, "with errors"),
            (self.not_binary, "not ELF, Mach-O or PE"),
        ];
        let kinds: Vec<String> = verdicts
            .chain(others)
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| format!("{count} {words}"))
            .collect();
        let files = if self.files == 1 { "file" } else { "files" };
        let colon = if kinds.is_empty() { "" } else { ": " };
        let text = format!("{} {files} looked into{colon}{}", self.files, kinds.join(", "));
        let bad = self.verdicts.0.iter().any(|(verdict, _)| verdict.is_bad());
        let style = if bad || self.errors > 0 { WARNING } else { GOOD };
        below(out, style, "summary", MARGIN, &text)?;
        if let Some(error) = self.error {
            below(out, WARNING, "error", MARGIN, error)?;
        }
        let hidden = self.verdicts.0.iter().any(|(verdict, _)| !verdict.is_bad());
        let mut note = |text: &str| below(out, Style::new(), "note", MARGIN, text);
        if hidden && !all {
            note("those without a fault are shown by --all")?;
        }
        if !self.other_file_systems.is_empty() {
            let names: Vec<_> = self.other_file_systems.iter().map(Name::to_string).collect();
            note(&format!("not entered, as other file systems: {}", names.join(", ")))?;
        }
        writeln!(out)
    }
}
