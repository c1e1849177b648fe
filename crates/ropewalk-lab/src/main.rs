//! The `ropewalk` command.

use std::process::ExitCode;

use ropewalk_lab::{commands, peers};

fn main() -> ExitCode {
    commands::run(std::env::args_os(), peers::PEERS)
}
