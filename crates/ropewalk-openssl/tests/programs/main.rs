//! Unmodified programs with the module in OpenSSL: their results are right, and the module's counts show that it served.
//! Servers run in a separate folder, on a free port of this machine only.

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

/// Checks the counts of an algorithm, which must have at least `bytes` bytes.
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

/// Random bytes without the letters that `s_server` or `s_client` take for commands.
fn text(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = move |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 58) as u8
    };
    (0..len).map(next).collect()
}

/// A key and a self-signed certificate.
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
    // Without a default configuration, `req` needs this file.
    openssl.arg("-config").arg(module.path("request.cnf"));
    std::fs::write(module.path("request.cnf"), "[req]\ndistinguished_name = name\n[name]\n")
        .expect("a file");
    run(openssl, b"").well();
}
