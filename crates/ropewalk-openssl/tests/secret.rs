//! Records of TLS with AES-CBC whose MAC is not the cipher's: nothing that is decrypted decides a branch or an address in the
//! module. The library has `cargo xtask ct` for that; what the module does beside it is tried here.

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
    // The first line of each complaint that says where.
    let places: Vec<_> = said.lines().filter(|line| line.contains("==    at 0x")).collect();
    let of = |name: &str| places.iter().filter(|place| place.contains(name)).count();
    assert!(of("planted") > 0, "nothing is seen: {said}");
    let ours: Vec<_> =
        places.iter().filter(|at| at.contains("ropewalk") || at.contains(".rs:")).collect();
    assert!(ours.is_empty(), "{ours:#?}\n{said}");
}
