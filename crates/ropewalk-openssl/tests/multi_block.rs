//! Many TLS records per call, and the pipes interface of OpenSSL 3.0. A C program uses them, once directly, and once with every
//! memory access checked. Pipes themselves need a newer OpenSSL: `cargo xtask openssl-tests` has `pipes.c`.

mod common;

use std::{path::Path, process::Command};

use common::{
    Module, counts,
    running::{has, run, watched},
};

#[test]
fn each_record_of_many_opens() {
    let module = Module::new();
    let program = module.path("multi_block");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/multi_block.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-g", "-O1", "-Wall", "-Werror"]).arg(source);
    compiler.arg("-o").arg(&program).arg("-lcrypto");
    run(compiler, b"").well();
    let ended = run(module.command(&program), b"").well();
    assert!(counts(&ended.err).contains_key("AES-256-CBC-HMAC-SHA256"));
    if has(Command::new("valgrind").arg("--version")) {
        run(watched(&module.command(&program)), b"").well();
    }
}
