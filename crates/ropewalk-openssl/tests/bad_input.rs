//! Wrong calls of programs: they give OpenSSL's usual errors, no crash and no leak. A program in C makes them, once
//! directly, and once with every memory access checked.

mod common;

use std::{fs, process::Command};

use common::{
    Module, counts,
    running::{Ended, has, run, watched},
};

/// Compiles it into the folder of a module, which also contains another module.
fn with_program() -> Module {
    let module = Module::new();
    module.compile("bad_input");
    fs::copy(module.path("ropewalk.so"), module.path("other.so")).expect("a copy");
    module
}

/// The result with and without memory checks.
fn survives(what: &str) {
    let module = with_program();
    let mut program = module.command(module.path("bad_input"));
    program.arg(what).arg(module.path(""));
    let ended = run(program, b"").well();
    assert!(!counts(&ended.err).is_empty(), "{}", String::from_utf8_lossy(&ended.err));
    if has(Command::new("valgrind").arg("--version")) {
        let mut program = module.command(module.path("bad_input"));
        program.arg(what).arg(module.path("")).arg("alone");
        run(watched(&program), b"").well();
    }
}

#[test]
fn calls_out_of_order() {
    survives("calls");
}

#[test]
fn parameters_of_wrong_types() {
    survives("parameters");
}

#[test]
fn records_that_are_truncated() {
    survives("records");
}

#[test]
fn unloaded_and_loaded_again() {
    survives("life");
}

#[test]
fn threads() {
    survives("threads");
}

#[test]
fn forks() {
    survives("forks");
}

/// A program continues with the remaining providers.
#[test]
fn a_module_that_is_not_there() {
    let module = Module::new();
    let asks = |configuration: &str| -> Ended {
        let at = module.path("wrong.cnf");
        fs::write(&at, configuration).expect("a file");
        let mut openssl = module.command("openssl");
        openssl.env("OPENSSL_CONF", at).args(["dgst", "-sha256"]);
        run(openssl, b"abc").well()
    };
    let configuration = fs::read_to_string(module.configuration()).expect("a configuration");
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let ended = asks(&configuration);
    assert!(ended.text().contains(digest) && counts(&ended.err).contains_key("SHA-256"));
    let folder = module.path("");
    let folder = folder.to_str().expect("a path in ASCII");
    fs::write(module.path("nothing.so"), "not a module").expect("a file");
    for name in ["nowhere.so", "nothing.so", ""] {
        let wrong =
            configuration.replace(&format!("{folder}ropewalk.so"), &format!("{folder}{name}"));
        assert_ne!(wrong, configuration);
        let ended = asks(&wrong);
        assert!(ended.text().contains(digest), "{name}: {ended:?}");
        assert!(counts(&ended.err).is_empty(), "{name}");
    }
}

/// Two modules in one program: both are queried, and one of them serves.
#[test]
fn two_versions_side_by_side() {
    let module = with_program();
    let configuration = fs::read_to_string(module.configuration()).expect("a configuration");
    let other = module.path("other.so");
    let both =
        configuration.replace("ropewalk = ours\n", "ropewalk = ours\nother = others\n").replace(
            "[algorithms]",
            &format!("[others]\nmodule = {}\nactivate = 1\n[algorithms]", other.display()),
        );
    assert_ne!(both, configuration);
    fs::write(module.configuration(), both).expect("a file");
    let mut openssl = module.command("openssl");
    openssl.args(["list", "-providers"]);
    let listed = run(openssl, b"").well().text();
    assert_eq!(listed.matches("Ropewalk provider").count(), 2, "{listed}");
    let mut openssl = module.command("openssl");
    openssl.args(["dgst", "-sha256"]);
    let ended = run(openssl, b"abc").well();
    assert_eq!(counts(&ended.err)["SHA-256"].bytes, 3);
    for what in ["threads", "forks", "life"] {
        let mut program = module.command(module.path("bad_input"));
        program.arg(what).arg(module.path(""));
        run(program, b"").well();
    }
}
