//! The unit of a table's figures.

use super::figures;
use crate::record::Record;

/// What a cell of a table says of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Unit {
    /// Bytes a second, or messages or keys a second where a call has no bytes
    #[default]
    Speed,
    /// Core cycles a byte, or a call
    Cycles,
    /// Nanoseconds a message
    Ns,
    /// Times the speed of the library of --against
    Ratio,
    /// Share of the speed that this processor allows
    Limit,
}

impl Unit {
    /// The cell of a record. `against` is nanoseconds of what it is compared with.
    pub fn cell(self, record: &Record, by_call: bool, against: Option<f64>) -> Option<String> {
        match self {
            Self::Speed if by_call => record.ops_per_s.map(figures::calls),
            Self::Speed => record.mb_per_s.map(|mb_per_s| format!("{mb_per_s:.0}")),
            Self::Cycles if by_call => record.cycles.map(figures::cycles),
            Self::Cycles => record.cycles_per_byte.map(figures::cycles),
            Self::Ns => record.ns.map(figures::time),
            Self::Ratio => Some(figures::ratio(against? / record.ns?)),
            Self::Limit => record.share_of_limit.map(figures::share),
        }
    }

    /// What its figures are.
    pub fn words(self, by_call: bool) -> &'static str {
        match (self, by_call) {
            (Self::Speed, false) => "MB/s",
            (Self::Speed, true) => "a second",
            (Self::Cycles, false) => "core cycles a byte",
            (Self::Cycles, true) => "core cycles",
            (Self::Ns, _) => "ns a message",
            (Self::Ratio, _) => "times as fast",
            (Self::Limit, _) => "share of the limit",
        }
    }
}
