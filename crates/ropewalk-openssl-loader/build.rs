//! How the module is linked.

use std::{env, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|is| is == value);
    if is("CARGO_CFG_TARGET_OS", "linux") || is("CARGO_CFG_TARGET_OS", "android") {
        // The module stays loaded after OpenSSL unloads it: only then is its message printed once in a
        // process.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    // lld keeps the unwinder of Rust's library, though nothing unwinds here, and with it 400 KB that require
    // glibc 2.34.
    let is_here = env::var("HOST").is_ok_and(|host| is("TARGET", &host));
    let gnu = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    let chosen = env::var_os("RUSTC_LINKER").is_some();
    if is_here && gnu && !chosen && answers("ld.bfd") {
        println!("cargo:rustc-cdylib-link-arg=-fuse-ld=bfd");
    }
}

fn answers(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|answer| answer.status.success())
}
