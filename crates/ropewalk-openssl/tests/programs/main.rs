//! Real programs that OpenSSL loads the module into, unchanged: what they do is right, and it went through the module, which
//! counts what it is asked. Servers stand in a folder of their own, on a free port of this machine alone.

#[path = "../common/mod.rs"]
mod common;

mod command;
mod nginx;
mod python;
mod sshd;
mod stats;
mod tls;

use common::{
    Module, counts,
    running::{Ended, run},
};

/// What was counted of an algorithm, which must have been asked for so many bytes at least.
fn assert_counted(ended: &Ended, algorithm: &str, bytes: usize) {
    let counted = counts(&ended.err);
    let seen = counted.get(algorithm).copied().unwrap_or_default();
    assert!(
        seen.calls > 0 && seen.bytes >= bytes as u64,
        "{}: {algorithm} was to have {bytes} bytes: {counted:?}: {}",
        ended.line,
        String::from_utf8_lossy(&ended.err)
    );
}

/// Bytes without order, none of which is a letter that `s_server` or `s_client` take for a command.
fn text(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = move |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 58) as u8
    };
    (0..len).map(next).collect()
}

/// A key and a certificate of its own, signed by itself.
fn make_certificate(module: &Module) {
    let mut openssl = module.command_without("openssl");
    openssl.args([
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]);
    openssl.args(["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]);
    openssl.arg("-keyout").arg(module.path("key.pem")).arg("-out").arg(module.path("cert.pem"));
    // Without a configuration there is none of requests either.
    openssl.arg("-config").arg(module.path("request.cnf"));
    std::fs::write(module.path("request.cnf"), "[req]\ndistinguished_name = name\n[name]\n")
        .expect("a file");
    run(openssl, b"").well();
}
