//! Lengths that take more than 32 bits, where they are hashed or authenticated. It takes seconds each, and is left out unless
//! `--include-ignored` says otherwise.

#[cfg(all(unix, target_pointer_width = "64"))]
#[path = "../common/mod.rs"]
mod common;
#[cfg(all(unix, target_pointer_width = "64"))]
mod long;

#[cfg(all(unix, target_pointer_width = "64"))]
fn main() -> std::process::ExitCode {
    long::main()
}

#[cfg(not(all(unix, target_pointer_width = "64")))]
fn main() {}
