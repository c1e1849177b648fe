//! Shows measurements and makes none.

pub mod bar;
mod besides;
mod breakeven;
mod column;
mod expected;
pub mod figures;
pub mod fit;
pub mod json;
mod legend;
mod offload;
pub mod on_off;
pub mod output;
pub mod table;
pub mod words;
