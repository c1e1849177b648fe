//! Shows measurements and makes none.

pub mod bar;
mod besides;
mod breakeven;
pub mod call;
mod column;
mod expected;
pub mod figures;
pub mod fit;
pub mod json;
mod legend;
pub mod library;
pub mod named;
mod offload;
pub mod on_off;
pub mod outlets;
pub mod output;
pub mod ranking;
pub mod screen;
pub mod short;
pub mod summary;
pub mod table;
pub mod unit;
pub mod words;
