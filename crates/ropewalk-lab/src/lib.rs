//! The lab: measures and compares cryptographic libraries on the machine that it runs on.
//!
//! The data flow: task × peer × backend → job → samples → record → report. Code that measures does not judge,
//! and code that judges does not measure.

pub mod advise;
pub mod aes_options;
pub mod commands;
pub mod compare;
pub mod filename;
pub mod found;
pub mod here;
pub mod inspect;
pub mod installed;
pub mod limits;
pub mod loads;
pub mod machine;
pub mod measure;
pub mod names;
pub mod offload;
pub mod peers;
pub mod recipes;
pub mod record;
pub mod report;
pub mod runs;
pub mod session;
pub mod stdio;
pub mod tasks;
pub mod terminal;
pub mod unpack;
pub mod warn;
