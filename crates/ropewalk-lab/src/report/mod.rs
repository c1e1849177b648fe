//! Shows measurements and makes none.

mod column;
pub mod figures;
pub mod fit;
pub mod json;
pub mod on_off;
pub mod output;
pub mod table;
