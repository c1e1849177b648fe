//! A distribution's nginx, which serves files to curl.

use std::{fs, process::Command};

use super::{
    Module, assert_counted,
    common::running::{Running, has, run},
    text,
    tls::with_certificate,
};

const LARGE: usize = 1 << 20;
const SMALL: usize = 16;

/// Options of curl, and the resulting cipher.
const FETCHES: [(&[&str], &str); 5] = [
    (&["--tlsv1.3"], "AES-256-GCM"),
    (&["--tlsv1.3", "--tls13-ciphers", "TLS_CHACHA20_POLY1305_SHA256"], "ChaCha20-Poly1305"),
    (&["--tls-max", "1.2", "--ciphers", "ECDHE-RSA-AES128-GCM-SHA256"], "AES-128-GCM"),
    (&["--tls-max", "1.2", "--ciphers", "ECDHE-RSA-CHACHA20-POLY1305"], "ChaCha20-Poly1305"),
    (&["--tls-max", "1.2", "--ciphers", "ECDHE-RSA-AES128-SHA"], "AES-128-CBC"),
];

#[test]
fn nginx_serves_curl() {
    if !has(Command::new("nginx").arg("-v")) || !has(Command::new("curl").arg("--version")) {
        return;
    }
    let module = with_certificate();
    let files = module.path("files");
    fs::create_dir(&files).expect("a folder");
    for (name, len) in [("large", LARGE), ("small", SMALL)] {
        fs::write(files.join(name), text(len, len as u64)).expect("a file");
    }
    let (server, port) = Running::serve(|port| {
        fs::write(module.path("nginx.conf"), configuration(&module, port)).expect("a file");
        nginx(module.command("nginx"), &module)
    });

    for (options, counted) in FETCHES {
        for ours in [false, true] {
            for (name, len) in [("large", LARGE), ("small", SMALL)] {
                let mut curl =
                    if ours { module.command("curl") } else { module.command_without("curl") };
                curl.args(["--silent", "--show-error", "--fail", "--max-time", "60"]).args(options);
                curl.arg("--cacert").arg(module.path("cert.pem"));
                curl.arg(format!("https://127.0.0.1:{port}/{name}"));
                let fetched = run(curl, b"").well();
                assert!(fetched.out == text(len, len as u64), "{options:?} {name}");
                if ours {
                    assert_counted(&fetched, counted, len);
                }
            }
        }
    }
    for version in ["-tls1_2", "-tls1_3"] {
        for (option, expected) in [("-sess_out", "New, "), ("-sess_in", "Reused, ")] {
            let mut client = module.command_without("openssl");
            client.args(["s_client", "-ign_eof", version, option]).arg(module.path("session"));
            client.arg("-connect").arg(format!("127.0.0.1:{port}"));
            let ended = run(client, b"GET /small HTTP/1.0\r\n\r\n");
            assert!(ended.text().contains(expected), "{version} {option}: {}", ended.text());
        }
    }
    // Each of five connections resumes the session of the first.
    let mut client = module.command_without("openssl");
    client.args(["s_client", "-tls1_2", "-reconnect", "-connect"]);
    client.arg(format!("127.0.0.1:{port}"));
    let again = run(client, b"").text();
    assert_eq!(again.matches("Reused, ").count(), 5, "{again}");

    let mut quit = nginx(module.command_without("nginx"), &module);
    quit.args(["-s", "quit"]);
    run(quit, b"").well();
    let served = server.end().well();
    for (_, counted) in FETCHES {
        assert_counted(&served, counted, 2 * (LARGE + SMALL));
    }
}

/// A minimal configuration, in a separate folder. Errors and counts go to standard error.
fn configuration(module: &Module, port: u16) -> String {
    let at = module.path("");
    let at = at.display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|what| format!("{what}_temp_path {at}{what};\n"))
        .collect();
    format!(
        "daemon off;\nworker_processes 1;\npid {at}nginx.pid;\nerror_log stderr warn;\n\
         user root;\nevents {{ worker_connections 64; }}\n\
         http {{\naccess_log off;\n{temporary}\
         server {{\nlisten 127.0.0.1:{port} ssl;\nroot {at}files;\n\
         ssl_certificate {at}cert.pem;\nssl_certificate_key {at}key.pem;\n\
         ssl_protocols TLSv1.2 TLSv1.3;\nssl_session_cache shared:sessions:1m;\n}}\n}}\n"
    )
}

fn nginx(mut command: Command, module: &Module) -> Command {
    command.args(["-e", "stderr", "-p"]).arg(module.path(""));
    command.arg("-c").arg(module.path("nginx.conf"));
    command
}
