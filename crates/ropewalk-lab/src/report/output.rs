//! The destinations of the results of a run: tables to the screen, records to files.

use std::{
    io::{self, Write},
    path::Path,
};

use anyhow::Result;
use serde::Serialize;

use super::{
    json::Sink,
    outlets::{self, Format},
    screen::{Run, View, screen},
    table::Sheet,
};
use crate::{
    record::{Answer, Record},
    stdio,
    terminal::Size,
};

/// The results of one run.
pub struct Output {
    sinks: Vec<(Format, Sink)>,
    screen: bool,
    sheets: Vec<Sheet>,
    figures: bool,
    missing: Option<Missing>,
}

/// Why a row has no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Whether its answer was wrong.
    pub wrong: bool,
    /// The library, and the reason.
    pub why: String,
}

impl Output {
    /// Writes records as JSON lines to each of `files`.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn open<'a>(files: impl IntoIterator<Item = &'a Path>) -> Result<Self> {
        Self::open_all(files.into_iter().map(|path| (Format::Json, path)))
    }

    /// Writes each file in its format.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn open_all<'a>(files: impl IntoIterator<Item = (Format, &'a Path)>) -> Result<Self> {
        let open = |(format, path)| Ok((format, Sink::open(path)?));
        let mut sinks = files.into_iter().map(open).collect::<Result<Vec<_>>>()?;
        for (_, sink) in sinks.iter_mut().filter(|(format, _)| *format == Format::Csv) {
            sink.write_text(&outlets::csv_header()?)?;
        }
        let screen = !sinks.iter().any(|(_, sink)| matches!(sink, Sink::Stdout));
        Ok(Self { sinks, screen, sheets: Vec::new(), figures: false, missing: None })
    }

    /// Whether anything is written to a file or to standard output.
    pub fn has_files(&self) -> bool {
        !self.sinks.is_empty()
    }

    /// Writes a record.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn record(&mut self, record: &impl Serialize) -> Result<()> {
        for (_, sink) in self.sinks.iter_mut().filter(|(format, _)| *format == Format::Json) {
            sink.write(record)?;
        }
        Ok(())
    }

    /// Writes the record of a row.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn row(&mut self, record: &Record) -> Result<()> {
        let Record { peer, note, .. } = record;
        self.figures |= record.ns.is_some();
        let wrong = record.answer == Answer::Wrong;
        // A wrong answer takes precedence over other reasons.
        if record.ns.is_none() && self.missing.as_ref().is_none_or(|first| wrong && !first.wrong) {
            self.missing = Some(Missing { wrong, why: format!("{peer}: {note}") });
        }
        for (_, sink) in self.sinks.iter_mut().filter(|(format, _)| *format == Format::Csv) {
            sink.write_text(&outlets::csv_row(record)?)?;
        }
        self.record(record)
    }

    /// Prints a line, if there is a screen.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn say(&mut self, text: &str) -> Result<()> {
        if !self.screen {
            return Ok(());
        }
        match writeln!(anstream::stdout().lock(), "{}", stdio::drawn(text)) {
            // Records are still written to a file after the reader of the tables has closed its pipe.
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe && !self.sinks.is_empty() => {
                self.screen = false;
                Ok(())
            }
            written => Ok(written?),
        }
    }

    /// Keeps a table for the end.
    pub fn sheet(&mut self, sheet: Sheet) {
        self.sheets.push(sheet);
    }

    /// Shows all tables, and writes them where they are wanted.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn show(&mut self, view: &View, run: &Run) -> Result<()> {
        for (format, sink) in &mut self.sinks {
            match format {
                Format::Json | Format::Csv => {}
                Format::Markdown => sink.write_text(&outlets::markdown(view, run, &self.sheets))?,
                Format::OpensslMr => sink.write_text(&outlets::openssl_mr(&self.sheets))?,
            }
        }
        let text = screen(view, run, &self.sheets, size());
        self.say(text.trim_end())
    }

    /// Whether anything has been measured.
    pub fn has_figures(&self) -> bool {
        self.figures
    }

    /// Why a row has no figure, for the first one without.
    pub fn missing(&self) -> Option<&Missing> {
        self.missing.as_ref()
    }

    /// Ends the run: makes the records permanent.
    ///
    /// # Errors
    /// If that fails.
    pub fn finish(self) -> Result<()> {
        self.sinks.into_iter().try_for_each(|(_, sink)| sink.finish())
    }
}

/// The columns of the screen.
pub fn width() -> usize {
    size().columns
}

/// The space for tables: without a terminal, the reader has more.
fn size() -> Size {
    const ELSEWHERE: usize = 140;
    Size::here(ELSEWHERE)
}
