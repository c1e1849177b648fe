//! Verifies files against lists.

use std::{ffi::OsStr, io};

use ropewalk::hash::Algorithm;

use super::{
    list::Count,
    names::{STDIN, escape, reason},
    output::Output,
    work::{Entry, Item},
};
use crate::filename::shown;

/// The options of reports and failures.
#[derive(Clone, Copy)]
pub(super) struct Strictness {
    /// Do not report files that are right.
    pub(super) quiet: bool,
    /// Report only files that cannot be read.
    pub(super) status: bool,
    /// Malformed lines are failures.
    pub(super) strict: bool,
    /// Missing files are not failures.
    pub(super) ignore_missing: bool,
}

/// The results for the files of one list.
pub(super) struct Verdicts {
    strictness: Strictness,
    right: u64,
    wrong: u64,
    unread: u64,
    /// The function that the digests were found to be of, if it is not the usual one for their length.
    guessed: Option<Algorithm>,
}

impl Verdicts {
    pub(super) fn new(strictness: Strictness) -> Self {
        Self { strictness, right: 0, wrong: 0, unread: 0, guessed: None }
    }

    /// Reports on a file, or on a list at its end.
    pub(super) fn tell(&mut self, item: &Item, output: &mut Output) -> io::Result<()> {
        match item {
            Item::Entry(entry) if entry.listed.is_some() => self.file(entry, output),
            // The rest of the list cannot be read.
            Item::Entry(entry) => {
                *self = Self::new(self.strictness);
                match &entry.found {
                    Some(Err(why)) => output.complain(list(&entry.name), reason(why)),
                    _ => Ok(()),
                }
            }
            Item::Improper(name, line) => {
                let name = shown(list(name));
                output.warn(format_args!("{name}: {line}: improperly formatted checksum line"))
            }
            Item::End(count) => {
                self.end(count, output)?;
                *self = Self::new(self.strictness);
                Ok(())
            }
        }
    }

    fn file(&mut self, entry: &Entry, output: &mut Output) -> io::Result<()> {
        let Strictness { quiet, status, ignore_missing, .. } = self.strictness;
        let verdict = match &entry.found {
            Some(Err(why)) if ignore_missing && why.kind() == io::ErrorKind::NotFound => {
                return Ok(());
            }
            Some(Err(why)) => {
                output.complain(&entry.name, reason(why))?;
                self.unread += 1;
                "FAILED open or read"
            }
            Some(Ok(digest)) if entry.listed.as_ref() == Some(digest) => {
                self.right += 1;
                self.guess(entry, output)?;
                "OK"
            }
            _ => {
                self.wrong += 1;
                "FAILED"
            }
        };
        if status || quiet && verdict == "OK" {
            return Ok(());
        }
        let name = entry.name.as_encoded_bytes();
        // As in lists, but only if it would be more than a line.
        let (begin, name) = match name.contains(&b'\n') {
            true => (&b"\\"[..], escape(&entry.name).0),
            false => (&b""[..], name.into()),
        };
        output.text(&[begin, &name, b": ", verdict.as_bytes(), b"\n"].concat())
    }

    /// Reports once in a list that its digests are of another function than their length suggests.
    fn guess(&mut self, entry: &Entry, output: &mut Output) -> io::Result<()> {
        let Some((guess, usual)) = entry.guessed() else { return Ok(()) };
        if self.strictness.status || self.guessed.replace(entry.algorithm) == Some(entry.algorithm)
        {
            return Ok(());
        }
        let (list, name) = (shown(list(&guess.list)), entry.algorithm.name());
        output.warn(format_args!(
            "{list}: its digests are of {name}, and not of {usual}, which has as many digits"
        ))
    }

    fn end(&self, count: &Count, output: &mut Output) -> io::Result<()> {
        let Strictness { status, strict, ignore_missing, .. } = self.strictness;
        let Self { right, wrong, unread, .. } = *self;
        let Count { list: name, proper, improper } = count;
        if *proper == 0 {
            return output.complain(list(name), "no properly formatted checksum lines found");
        }
        let nothing = ignore_missing && right == 0;
        output.failed |= wrong > 0 || unread > 0 || strict && *improper > 0 || nothing;
        if status {
            return Ok(());
        }
        for (count, one, more) in [
            (*improper, "line is improperly formatted", "lines are improperly formatted"),
            (unread, "listed file could not be read", "listed files could not be read"),
            (wrong, "computed checksum did NOT match", "computed checksums did NOT match"),
        ] {
            if count > 0 {
                let what = if count == 1 { one } else { more };
                output.warn(format_args!("WARNING: {count} {what}"))?;
            }
        }
        match nothing {
            true => output.complain(list(name), "no file was verified"),
            false => Ok(()),
        }
    }
}

/// The name of a list in messages.
fn list(name: &OsStr) -> &OsStr {
    if name == STDIN { "standard input".as_ref() } else { name }
}
