//! The project's own chores: everything `cargo xtask` does.

mod built;
pub mod check;
pub mod cross;
pub mod ct;
pub mod deep;
pub mod emulated;
pub mod expect;
pub mod external;
pub mod features;
pub mod fuzz;
pub mod install;
mod interfaces;
pub mod kernel;
pub mod mutate;
pub mod process;
mod public;
mod sanitizers;
mod shell;
mod shipped;
pub mod size;
pub mod sources;
pub mod stage;
pub mod supply;
pub mod test;
pub mod tools;
