//! Ways to compute AES-128, for comparison: their code, their tables, and what the tools that follow secrets report.
//!
//! The options with tables must not be used for anything else: their addresses depend on the key. They are not in the library.

pub mod ciphers;
pub mod code;
pub mod measured;
pub mod verdicts;
