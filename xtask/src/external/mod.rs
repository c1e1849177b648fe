//! Comparisons with other software: other libraries, their tests and benchmark tools, files of known content, and
//! predictions of a compiler.

pub mod agree;
pub mod openssl_tests;
pub mod outside;
pub mod peers;
pub mod predict;
mod quantile;
pub mod verdicts;
