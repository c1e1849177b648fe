//! The name by which programs ask the loader for the library.

/// It changes with the binary interface.
const SONAME: &str = "libropewalk.so.0";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |key: &str, value: &str| std::env::var(key).is_ok_and(|is| is == value);
    if is("CARGO_CFG_TARGET_OS", "linux") || is("CARGO_CFG_TARGET_OS", "android") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{SONAME}");
    }
}
