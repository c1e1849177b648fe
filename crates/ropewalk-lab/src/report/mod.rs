//! Shows measurements and makes none.

mod besides;
mod column;
pub mod figures;
pub mod fit;
pub mod json;
pub mod output;
pub mod table;
