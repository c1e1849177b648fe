//! The project's own chores: everything `cargo xtask` does.

pub mod agree;
pub mod check;
pub mod cross;
pub mod ct;
pub mod deep;
pub mod emulated;
pub mod expect;
pub mod features;
pub mod fuzz;
pub mod install;
mod interfaces;
pub mod kernel;
pub mod mutate;
pub mod openssl_tests;
pub mod outside;
pub mod peers;
pub mod predict;
pub mod process;
mod quantile;
mod shipped;
pub mod size;
pub mod sources;
pub mod stage;
pub mod test;
pub mod tools;
pub mod verdicts;
