//! The size of the terminal.

use std::{
    env,
    io::{self, IsTerminal as _},
};

use rustix::termios::tcgetwinsize;
use textwrap::{Options, WordSeparator, WordSplitter};

pub mod progress;

/// Columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub columns: usize,
    /// Lines; none without a terminal.
    pub rows: Option<usize>,
}

/// The least width that texts are written for. A narrower terminal breaks lines itself.
const LEAST: usize = 40;

impl Size {
    /// The size for standard output; `usual` columns without a terminal. `COLUMNS` and `LINES` take
    /// precedence; 0 is ignored.
    pub fn here(usual: usize) -> Self {
        let stdout = io::stdout();
        let terminal = tcgetwinsize(&stdout).ok().filter(|_| stdout.is_terminal());
        let (columns, rows) = terminal.map_or((0, 0), |size| (size.ws_col, size.ws_row));
        let set = ["COLUMNS", "LINES"].map(|name| env::var(name).ok());
        Self::of(set.each_ref().map(Option::as_deref), [columns, rows].map(usize::from), usual)
    }

    fn of(variables: [Option<&str>; 2], terminal: [usize; 2], usual: usize) -> Self {
        let number = |i: usize| {
            let set = variables[i].and_then(|text| text.trim().parse().ok());
            [set, Some(terminal[i])].into_iter().flatten().find(|number| *number > 0)
        };
        Self { columns: number(0).unwrap_or(usual).max(LEAST), rows: number(1) }
    }
}

/// The wrapping of texts: names of tasks, files and libraries are not broken, so that they can be copied.
pub fn whole_words<'a>(columns: usize) -> Options<'a> {
    Options::new(columns)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
}

/// The columns of standard error, if it is a terminal.
pub fn error_columns() -> Option<usize> {
    let stderr = io::stderr();
    let size = tcgetwinsize(&stderr).ok().filter(|_| stderr.is_terminal())?;
    Some(usize::from(size.ws_col).max(LEAST)).filter(|_| size.ws_col > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_zero_stand_for_the_usual() {
        const USUAL: usize = 80;
        let columns = |variable, columns| Size::of([variable, None], [columns, 24], USUAL).columns;
        assert_eq!(columns(None, 0), USUAL);
        assert_eq!(columns(Some("0"), 0), USUAL);
        assert_eq!(columns(Some("0"), 100), 100);
        assert_eq!(columns(Some("words"), 100), 100);
        assert_eq!(columns(Some("60"), 100), 60);
        assert_eq!(columns(Some("1"), 100), LEAST);
        let rows = |variable, rows| Size::of([None, variable], [80, rows], USUAL).rows;
        assert_eq!((rows(None, 0), rows(Some("0"), 0)), (None, None));
        assert_eq!((rows(None, 24), rows(Some("50"), 24)), (Some(24), Some(50)));
    }
}
