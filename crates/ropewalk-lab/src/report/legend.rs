//! The meaning of the figures and signs of tables.

use super::{
    column::EVEN,
    fit,
    table::{CHOSEN, Sheet, Shows},
    words,
};

/// The meaning of the figures and signs that occur in these tables.
pub(super) fn legend(sheets: &[Sheet], width: usize) -> String {
    if !sheets.iter().any(Sheet::has_figures) {
        return String::new();
    }
    if let Some(said) = sheets.first().and_then(|sheet| sheet.shows.legend()) {
        return words::paragraph(said, width);
    }
    let lines = || sheets.iter().flat_map(|sheet| &sheet.lines);
    let records = || lines().flat_map(|line| &line.records);
    let some = |by_call| sheets.iter().any(|sheet| sheet.by_call == by_call);
    let (figures, cycles) = match (some(false), some(true)) {
        (_, false) => ("Bytes a second", "core cycles a byte"),
        (false, true) => ("Messages or keys a second", "core cycles each"),
        (true, true) => {
            ("Bytes a second, or messages or keys a second", "core cycles a byte, or each")
        }
    };
    let mut below = Vec::new();
    if records().any(|record| record.cycles.is_some()) {
        below.push(cycles);
    }
    if lines().any(|line| line.rival && line.records.iter().any(|record| record.ns.is_some())) {
        below.push("times the speed of the fastest other library");
    }
    if records().any(|record| record.share_of_limit.is_some()) {
        below.push("share of the speed that this processor allows");
    }
    let fits = sheets.iter().any(Sheet::fits);
    let mut said = vec![match below.is_empty() {
        true => format!("{figures}."),
        false => format!("{figures}; below, {}.", below.join(", ")),
    }];
    if fits {
        said.push(format!(
            "{}, where the screen has room: what a call costs and what each byte adds, in ns; below, in core cycles.",
            fit::HEADING
        ));
    }
    if sheets.iter().any(|sheet| sheet.expected.is_some()) {
        said.push(EXPECTED.into());
    }
    if lines().any(|line| line.chosen) {
        said.push(format!("{CHOSEN} is what ropewalk chooses by itself."));
    }
    said.push(format!("{EVEN} differs from the fastest of its column by less than the noise."));
    let said: Vec<String> = said.iter().map(|line| words::paragraph(line, width)).collect();
    said.join("\n")
}

impl Shows {
    /// The meaning of its figures; none if that depends on the tables.
    fn legend(self) -> Option<&'static str> {
        match self {
            Self::Speed => None,
            Self::Latency => Some(
                "Nanoseconds that half of the calls do not exceed, 99 of 100, and 999 of 1000, by nearest rank, without what the \
                 clock takes; - where fewer than ten calls were beyond.",
            ),
            Self::Neighbour => Some(
                "Until when scalar code is slower by more than 1 % than it is after scalar code, in 50 µs each, after about 100 µs \
                 of the row; below, how much slower it is in the first millisecond, and in the worst 50 µs of it.",
            ),
        }
    }
}

const EXPECTED: &str = "\
expected is the rate that --expect gives; below, of the time of the row that it is held against, the part that this rate \
takes, and where the rest went.";
