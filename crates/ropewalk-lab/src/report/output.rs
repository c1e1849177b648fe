//! Where the results of one run go: tables to the screen, records to a sink.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::Result;
use serde::Serialize;

use super::{json::Sink, legend::legend, table::Sheet};
use crate::record::{Answer, Record};

/// The results of one run.
pub struct Output {
    sinks: Vec<Sink>,
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
    /// Whose it is, and why.
    pub why: String,
}

impl Output {
    /// With records in each of `files`.
    ///
    /// # Errors
    /// Where nothing can be written there.
    pub fn open<'a>(files: impl IntoIterator<Item = &'a Path>) -> Result<Self> {
        let sinks = files.into_iter().map(Sink::open).collect::<Result<Vec<_>>>()?;
        let screen = !sinks.iter().any(|sink| matches!(sink, Sink::Stdout));
        Ok(Self { sinks, screen, sheets: Vec::new(), figures: false, missing: None })
    }

    /// Keeps a record.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn record(&mut self, record: &impl Serialize) -> Result<()> {
        for sink in &mut self.sinks {
            sink.write(record)?;
        }
        Ok(())
    }

    /// Keeps the record of a row.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn row(&mut self, record: &Record) -> Result<()> {
        let Record { peer, note, .. } = record;
        self.figures |= record.ns.is_some();
        let wrong = record.answer == Answer::Wrong;
        // A wrong answer is the worst of reasons.
        if record.ns.is_none() && self.missing.as_ref().is_none_or(|first| wrong && !first.wrong) {
            self.missing = Some(Missing { wrong, why: format!("{peer}: {note}") });
        }
        self.record(record)
    }

    /// Shows a line, where there is a screen.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn say(&mut self, text: &str) -> Result<()> {
        if !self.screen {
            return Ok(());
        }
        match writeln!(anstream::stdout().lock(), "{text}") {
            // The records in a file are still wanted when nobody looks at the tables any more.
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe && !self.sinks.is_empty() => {
                self.screen = false;
                Ok(())
            }
            written => Ok(written?),
        }
    }

    /// Shows a table.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn sheet(&mut self, sheet: Sheet) -> Result<()> {
        self.say(&sheet.render(width()))?;
        self.sheets.push(sheet);
        Ok(())
    }

    /// Whether anything has been measured.
    pub fn has_figures(&self) -> bool {
        self.figures
    }

    /// Why a row has no figure, of the first that has none.
    pub fn missing(&self) -> Option<&Missing> {
        self.missing.as_ref()
    }

    /// Ends the run: explains the tables and makes the records last.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.explain()?;
        self.sinks.into_iter().try_for_each(Sink::finish)
    }

    /// Explains the tables.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub fn explain(&mut self) -> Result<()> {
        match legend(&self.sheets, width()) {
            legend if legend.is_empty() => Ok(()),
            legend => self.say(&legend),
        }
    }
}

/// Columns that there are.
pub fn width() -> usize {
    const ELSEWHERE: usize = 140;
    if let Some(columns) = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()) {
        return columns;
    }
    let stdout = io::stdout();
    match rustix::termios::tcgetwinsize(&stdout) {
        Ok(size) if stdout.is_terminal() && size.ws_col > 0 => size.ws_col.into(),
        _ => ELSEWHERE,
    }
}
