//! How much room there is on the terminal.

use std::{
    env,
    io::{self, IsTerminal as _},
};

use rustix::termios::tcgetwinsize;

/// Columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) columns: usize,
    /// None where there is no terminal.
    pub(super) rows: Option<usize>,
}

/// The narrowest that texts are written for. A terminal that has less breaks lines itself.
const LEAST: usize = 40;

/// Where no terminal says otherwise.
const USUAL: usize = 80;

impl Size {
    /// That of standard output. `COLUMNS` comes first; 0 stands for nothing.
    pub(super) fn here() -> Self {
        let stdout = io::stdout();
        let terminal = tcgetwinsize(&stdout).ok().filter(|_| stdout.is_terminal());
        let (columns, rows) = terminal.map_or((0, 0), |size| (size.ws_col, size.ws_row));
        Self::of(env::var("COLUMNS").ok().as_deref(), columns.into(), rows.into())
    }

    fn of(variable: Option<&str>, columns: usize, rows: usize) -> Self {
        let set = variable.and_then(|text| text.trim().parse().ok());
        let columns = [set, Some(columns)].into_iter().flatten().find(|columns| *columns > 0);
        Self {
            columns: columns.unwrap_or(USUAL).max(LEAST),
            rows: Some(rows).filter(|rows| *rows > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_zero_stand_for_the_usual() {
        let columns = |variable, columns| Size::of(variable, columns, 24).columns;
        assert_eq!(columns(None, 0), USUAL);
        assert_eq!(columns(Some("0"), 0), USUAL);
        assert_eq!(columns(Some("0"), 100), 100);
        assert_eq!(columns(Some("words"), 100), 100);
        assert_eq!(columns(Some("60"), 100), 60);
        assert_eq!(columns(Some("1"), 100), LEAST);
        assert_eq!(Size::of(None, 0, 0).rows, None);
        assert_eq!(Size::of(None, 80, 24).rows, Some(24));
    }
}
