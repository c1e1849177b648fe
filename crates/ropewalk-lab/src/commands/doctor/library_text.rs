//! The report of `doctor` on a library, as text.

use std::io::{self, Write};

use super::{
    libraries::Library,
    measured::{Speed, Uses},
    text::{GOOD, HEAD, QUIET, WARNING, paragraph},
    verdict::{Cause, Verdict, factor, name},
};
use crate::{
    filename,
    inspect::{Finding, Use},
};

impl Library {
    /// Writes it for a terminal.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let judgement = &self.judgement;
        let best = self.is_as_fast_as_it_could_be();
        let (style, verdict) = match (judgement.verdict, judgement.cause) {
            (verdict, Some(Cause::NoRelease)) => {
                (QUIET, format!("{}, as every release", verdict.words()))
            }
            (_, Some(Cause::Old | Cause::Unknown)) if !best => (WARNING, "could be faster".into()),
            (verdict, Some(_)) if !best => (WARNING, verdict.words().into()),
            (Verdict::Good, _) => (GOOD, Verdict::Good.words().into()),
            (verdict, _) => (QUIET, verdict.words().into()),
        };
        writeln!(out, "\n{HEAD}{}{HEAD:#}: {style}{verdict}{style:#}", self.title())?;
        let by = self.by.words().map(|by| format!(", {by}")).unwrap_or_default();
        paragraph(out, "file", &format!("{}{by}", filename::shown(&self.path)))?;
        paragraph(out, "", &self.judgement.why)?;
        paragraph(out, "remedy", self.judgement.remedy.as_deref().unwrap_or_default())?;
        self.speeds.iter().try_for_each(|speed| write_speed(out, speed))?;
        // A library that passes the work to others has nothing to show.
        let told = self.contains.as_ref().filter(|_| self.judgement.verdict != Verdict::NotTold);
        if let Some(contains) = told {
            paragraph(out, "contains", &content(contains))?;
        }
        if let Some(by) = self.served_by {
            paragraph(
                out,
                "provider",
                &format!("{by} does its work in programs that are started here"),
            )?;
        }
        paragraph(out, "flags", self.words.compiler.as_deref().unwrap_or_default())?;
        paragraph(out, "goes by", self.words.goes_by.as_deref().unwrap_or_default())?;
        self.notes.iter().try_for_each(|note| paragraph(out, "note", note))
    }
}

fn write_speed(out: &mut impl Write, speed: &Speed) -> io::Result<()> {
    let Some(mb_per_s) = speed.mb_per_s else {
        let why = if speed.wrong {
            "its answer is wrong"
        } else {
            speed.note.as_deref().unwrap_or_default()
        };
        return paragraph(out, "speed", &format!("{}: {why}", name(&speed.task)));
    };
    let slower = speed.slower.map(|slower| match slower.beyond_noise {
        // A smaller factor would be displayed as 1.0 times.
        true if slower.times >= 1.05 => format!(", {} slower than ropewalk", factor(slower.times)),
        _ => ", no slower than ropewalk".into(),
    });
    let figure = format!("{}: {mb_per_s:.0} MB/s{}", name(&speed.task), slower.unwrap_or_default());
    paragraph(out, "speed", &figure)?;
    speed.uses.iter().try_for_each(|uses| paragraph(out, "", &used(uses)))
}

/// Its use of some instructions.
fn used(uses: &Uses) -> String {
    let Uses { instructions, faster, note, .. } = uses;
    match (uses.used(), faster, note) {
        (Some(true), Some(faster), _) => {
            format!("uses {instructions}: {} faster than without", factor(faster.times))
        }
        (Some(_), ..) => format!("does not use {instructions}: no faster than without"),
        (None, _, note) => {
            format!("uses {instructions}? not known: {}", note.as_deref().unwrap_or_default())
        }
    }
}

/// The instructions in a file, each kind once, and whether it has modules in assembly.
pub(super) fn content(contains: &Finding) -> String {
    let of = |of: Use| {
        let mut names: Vec<&str> = contains
            .instructions
            .iter()
            .filter(|count| count.of == of)
            .map(|count| count.instruction)
            .collect();
        names.sort_unstable();
        (!names.is_empty()).then(|| format!("{} ({})", <&str>::from(of), names.join(", ")))
    };
    let mut kinds: Vec<String> = Use::ALL.into_iter().filter_map(of).collect();
    if kinds.is_empty() {
        kinds.push("no instructions for cryptography".into());
    }
    if !contains.modules.is_empty() {
        kinds.push(format!("{} modules in assembly", contains.modules.len()));
    }
    kinds.join("; ")
}
