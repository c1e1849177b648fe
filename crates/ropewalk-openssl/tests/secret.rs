//! TLS records with AES-CBC and a separate MAC: no decrypted byte decides a branch or an address in the module. `cargo xtask
//! ct` covers the library; this covers the module's own code.

mod common;

use std::process::Command;

use common::{
    Module,
    running::{has, run},
};

#[test]
fn padding_of_a_record_decides_nothing() {
    let module = Module::new();
    let program = module.compile("secret");
    run(module.command(&program), b"").well();
    if !has(Command::new("valgrind").arg("--version")) {
        return;
    }
    let mut valgrind = module.command("valgrind");
    valgrind.args(["-q", "--num-callers=30", "--error-limit=no"]).arg(&program);
    let ended = run(valgrind, b"").well();
    let said = String::from_utf8_lossy(&ended.err);
    // The first line with an address of each complaint.
    let places: Vec<_> = said.lines().filter(|line| line.contains("==    at 0x")).collect();
    let of = |name: &str| places.iter().filter(|place| place.contains(name)).count();
    assert!(of("planted") > 0, "nothing is seen: {said}");
    let ours: Vec<_> =
        places.iter().filter(|at| at.contains("ropewalk") || at.contains(".rs:")).collect();
    assert!(ours.is_empty(), "{ours:#?}\n{said}");
}
