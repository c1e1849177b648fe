//! What the user should know about the figures.

use std::fmt;

/// Every warning there is. Its text says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// This program was built without optimisation.
    DebugBuild,
    /// Nothing keeps the work on one core.
    NotPinned(String),
    /// Core cycles are not told on this architecture.
    NoCycles,
    /// The core does not keep its frequency, or is not ours alone.
    Unsteady,
    /// Something is faster than its bound.
    BoundBeaten(String),
    /// The list of fetched libraries cannot be read.
    NotListed(String),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DebugBuild => f.write_str(
                "this is a debug build, its figures mean nothing; build it with --release",
            ),
            Self::NotPinned(why) => write!(
                f,
                "the work may move from core to core ({why}); figures scatter, try taskset -c 0"
            ),
            Self::NoCycles => f.write_str(
                "core cycles cannot be told on this architecture; compare by time, at one frequency",
            ),
            Self::Unsteady => f.write_str(
                "the core's frequency could not be told; leave the machine alone while it measures",
            ),
            Self::BoundBeaten(task) => write!(
                f,
                "something is faster at {task} than its bound, which is wrong then; see ropewalk limits --explain {task}"
            ),
            Self::NotListed(why) => {
                write!(f, "the list of fetched libraries is of no use ({why}); run cargo xtask peers")
            }
        }
    }
}

/// Says a warning where it does not mix with results.
pub fn warn(warning: &Warning) {
    const YELLOW: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();
    anstream::eprintln!("{YELLOW}warning:{YELLOW:#} {warning}");
}
