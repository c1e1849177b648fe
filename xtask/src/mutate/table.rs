//! What a fault is, and what a suite is.

use std::fmt;

use crate::sources::LIBRARY;

/// A fault that a suite must catch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    /// What it is in, and what is wrong: `aes-gcm/tag-length-32-bits`.
    pub(super) name: &'static str,
    /// The file it is planted in, from the sources of the library or, where it begins with `crates/`, from the root.
    pub(super) file: &'static str,
    /// What is replaced, which occurs once in the file.
    pub(super) from: Snippet,
    /// What stands in its place.
    pub(super) to: &'static str,
    /// What must catch it.
    pub(super) suite: Suite,
    /// The backend without which nothing runs it, if it is not there on every processor.
    pub(super) needs: Option<&'static str>,
    /// Why nothing can catch it, where that is so: it changes nothing that can be observed.
    pub(super) survives: Option<&'static str>,
}

/// A fault of which nothing is said but what its line says.
pub(super) const FAULT: Fault = Fault {
    name: "",
    file: "",
    from: Expression(""),
    to: "",
    suite: nets(""),
    needs: None,
    survives: None,
};

/// A part of a source.
#[derive(Clone, Copy, Debug)]
pub(super) enum Snippet {
    /// An expression that has a value, or several operands of one operator.
    Expression(&'static str),
    /// One statement or more, which no variable outlives.
    Statement(&'static str),
}
pub(super) use Snippet::{Expression, Statement};

impl Fault {
    /// The file, from the root.
    pub(super) fn path(&self) -> String {
        match self.file.starts_with("crates/") {
            true => self.file.into(),
            false => format!("{LIBRARY}/{}", self.file),
        }
    }

    /// What stands in the place of the snippet: the fault where its number is on, and otherwise what is said.
    pub(super) fn replacement(&self, number: usize, otherwise: &str) -> String {
        let module = if self.path().starts_with(LIBRARY) { "crate" } else { "ropewalk" };
        let (is_on, to) = (format!("{module}::fault::on({number})"), self.to);
        match self.from {
            // In parentheses, as a block at the start would be a statement of its own.
            Expression(_) => format!("(if {is_on} {{ ({to}) }} else {{ ({otherwise}) }})"),
            Statement(_) => format!("if {is_on} {{ {to} }} else {{ {otherwise} }}"),
        }
    }
}

impl Snippet {
    /// Its text.
    pub(super) fn text(self) -> &'static str {
        let (Self::Expression(text) | Self::Statement(text)) = self;
        text
    }
}

/// Tests that are run together: a program, and what their names have in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Suite {
    pub(super) program: Program,
    pub(super) filter: &'static str,
}

/// A program that has tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Program {
    /// The tests within the library.
    Unit,
    /// The tests within the C library.
    UnitOfC,
    /// `crates/ropewalk/tests/NAME`.
    Test(&'static str),
    /// `crates/ropewalk-c/tests/tour.rs`, of the C library as it is shipped.
    Tour,
    /// `ropewalk-ct residue`, of the library as it is shipped.
    Residue,
    /// `ropewalk-ct trace whole`, of the same: a sample of lengths does not reach every kernel.
    Trace,
}

/// The nets: of one net and one primitive, `random:aes-gcm:`, or of one backend as well.
pub(super) const fn nets(filter: &'static str) -> Suite {
    test("nets", filter)
}

/// A test program of the library.
pub(super) const fn test(name: &'static str, filter: &'static str) -> Suite {
    Suite { program: Program::Test(name), filter }
}

/// Tests within the library.
pub(super) const fn unit(filter: &'static str) -> Suite {
    Suite { program: Program::Unit, filter }
}

/// Tests within the C library.
pub(super) const fn unit_of_c(filter: &'static str) -> Suite {
    Suite { program: Program::UnitOfC, filter }
}

/// The tour of the C library, by a compiler.
pub(super) const fn tour(filter: &'static str) -> Suite {
    Suite { program: Program::Tour, filter }
}

/// What is left of keys, of a backend or an operation.
pub(super) const fn residue(filter: &'static str) -> Suite {
    Suite { program: Program::Residue, filter }
}

/// What secrets decide, of a backend or an operation.
pub(super) const fn trace(filter: &'static str) -> Suite {
    Suite { program: Program::Trace, filter }
}

impl Program {
    /// Its name in what is printed.
    fn name(self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::UnitOfC => "unit-of-c",
            Self::Test(name) => name,
            Self::Tour => "tour",
            Self::Residue => "residue",
            Self::Trace => "trace",
        }
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(format!("{} {}", self.program.name(), self.filter).trim_end())
    }
}
