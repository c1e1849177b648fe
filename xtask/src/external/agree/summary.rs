//! How far the tool and the lab agree.

use std::fmt;

use super::tool::{EACH, Row};
use crate::external::quantile::median;

/// One figure of both.
pub(super) struct Compared {
    pub(super) row: &'static Row,
    pub(super) bytes: usize,
    /// Bytes a second, by the tool.
    pub(super) tool: f64,
    /// The same by the lab.
    pub(super) lab: f64,
}

impl Compared {
    pub(super) fn ratio(&self) -> f64 {
        self.lab / self.tool
    }

    /// Their relative difference, in either direction.
    fn apart(&self) -> f64 {
        (self.ratio() - 1.0).abs()
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, bytes, tool, lab } = self;
        let bytes = if *bytes == EACH { "-".into() } else { bytes.to_string() };
        let (task, mode, mark) =
            (row.task, row.mode.name(), if row.why.is_empty() { "" } else { " *" });
        let (tool, lab, ratio) = (tool / 1e6, lab / 1e6, self.ratio());
        write!(f, "{task:24} {mode:8} {bytes:>6} {tool:>9.0} {lab:>9.0} {ratio:>7.3}{mark}")
    }
}

/// What is to be said of several.
pub(super) struct Summary {
    alike: Spread,
    others: Spread,
    /// Rows that are too far apart, and are to be alike.
    far: Vec<String>,
    /// Why others are not.
    reasons: Vec<&'static str>,
}

/// Rows that should agree and differ by more than this need an explanation.
const FAR: f64 = 0.15;

#[derive(Default)]
struct Spread {
    rows: usize,
    median: f64,
    most: f64,
}

impl Summary {
    pub(super) fn of(all: &[Compared]) -> Self {
        let (alike, others): (Vec<_>, Vec<_>) = all.iter().partition(|one| one.row.why.is_empty());
        let far = alike.iter().filter(|one| one.apart() > FAR);
        let mut reasons: Vec<_> = others.iter().map(|one| one.row.why).collect();
        reasons.sort();
        reasons.dedup();
        Self {
            far: far.map(|one| one.to_string()).collect(),
            alike: Spread::of(&alike),
            others: Spread::of(&others),
            reasons,
        }
    }

    /// Without the reasons.
    pub(super) fn spreads(&self) -> String {
        let Self { alike, others, .. } = self;
        let others = (others.rows > 0).then(|| format!("\n*: {others}"));
        format!("alike: {alike}{}", others.unwrap_or_default())
    }
}

impl Spread {
    fn of(all: &[&Compared]) -> Self {
        let apart: Vec<f64> = all.iter().map(|one| one.apart()).collect();
        if apart.is_empty() {
            return Self::default();
        }
        let most = apart.iter().copied().fold(0.0, f64::max);
        Self { rows: apart.len(), median: median(&apart), most }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, median, most } = self;
        write!(
            f,
            "{rows} figures, {:.1} % apart in the median, {:.1} % at most",
            median * 100.0,
            most * 100.0
        )
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.spreads())?;
        self.reasons.iter().try_for_each(|why| write!(f, "\n   {why}"))?;
        self.far.iter().try_for_each(|row| write!(f, "\nfar apart: {row}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::agree::tool::{Mode, row};

    static ALIKE: Row = row("", "", "sha256/digest", Mode::Message);
    static OTHER: Row = row("", "", "sha1/digest", Mode::Message).but("it copies");

    fn of(row: &'static Row, lab: f64) -> Compared {
        Compared { row, bytes: 1024, tool: 1e9, lab: lab * 1e9 }
    }

    #[test]
    fn what_is_alike_is_told_from_what_is_not() {
        let all =
            [of(&ALIKE, 1.01), of(&ALIKE, 0.8), of(&OTHER, 0.5), of(&ALIKE, 0.97), of(&OTHER, 1.1)];
        let said = Summary::of(&all).to_string();
        let lines: Vec<_> = said.lines().collect();
        assert_eq!(lines[0], "alike: 3 figures, 3.0 % apart in the median, 20.0 % at most");
        assert_eq!(lines[1], "*: 2 figures, 30.0 % apart in the median, 50.0 % at most");
        assert_eq!(lines[2], "   it copies");
        assert!(
            lines[3].starts_with("far apart: sha256/digest") && lines[3].ends_with("0.800"),
            "{said}"
        );
        assert_eq!(lines.len(), 4, "{said}");
    }

    #[test]
    fn nothing_is_no_figures() {
        assert_eq!(
            Summary::of(&[]).to_string(),
            "alike: 0 figures, 0.0 % apart in the median, 0.0 % at most"
        );
    }
}
