//! Judges measured rows: which algorithm and which library meet a need, by how much, and what would if none
//! does.
//!
//! Nothing here measures, reads a file or prints: rows come in, and advice goes out.

pub mod candidates;
pub mod capacity;
pub mod constant_time;
pub mod needs;
pub mod offers;
pub mod rank;
pub mod rules;
pub mod short;
pub mod support;
pub mod text;
pub mod would;

#[cfg(test)]
mod tests;

use crate::record::Record;

/// What is known of a machine.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// Its rows.
    pub records: &'a [Record],
    /// The processor features that were hidden from ropewalk.
    pub mask: &'a str,
    /// The number of its processors.
    pub cores: Option<u64>,
    /// The day: `2026-11-30`.
    pub today: &'a str,
    /// The files of libraries whose AES is by tables, because they have no instructions for it.
    pub tables: &'a [String],
}
