//! Shows measurements and makes none.

pub mod figures;
pub mod json;
pub mod output;
pub mod table;
