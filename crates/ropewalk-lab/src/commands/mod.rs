//! The commands.

pub mod doctor;
