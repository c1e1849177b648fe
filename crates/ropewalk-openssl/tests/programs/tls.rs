//! `openssl s_server` and `s_client`: every TLS cipher of the module, on the server, on the client, and on both.

use std::{
    collections::BTreeSet,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
};

use super::{
    Module, assert_counted,
    common::{
        running::{Ended, Running, has, run, watched},
        thin,
    },
    make_certificate, text,
};

/// The parameters of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    /// For example `tls1_2`.
    pub(crate) version: &'static str,
    pub(crate) suite: &'static str,
    /// Further options of both sides.
    pub(crate) options: &'static [&'static str],
    /// The counted algorithm of the program with the module.
    pub(crate) counted: &'static str,
}

impl Case {
    const fn new(version: &'static str, suite: &'static str, counted: &'static str) -> Self {
        Self { version, suite, options: &[], counted }
    }

    /// Without encrypt-then-MAC.
    const fn no_etm(suite: &'static str, counted: &'static str) -> Self {
        Self { version: "tls1_2", suite, options: &["-no_etm"], counted }
    }

    /// A command for one side.
    fn side(&self, module: &Module, ours: bool, role: &str) -> Command {
        let mut openssl =
            if ours { module.command("openssl") } else { module.command_without("openssl") };
        openssl.args([role, "-quiet"]).arg(format!("-{}", self.version));
        if self.version == "tls1_3" {
            openssl.args(["-ciphersuites", self.suite, "-cipher", "DEFAULT:@SECLEVEL=0"]);
        } else {
            openssl.arg("-cipher").arg(format!("{}:@SECLEVEL=0", self.suite));
        }
        openssl.args(self.options);
        openssl
    }

    pub(crate) fn server(&self, module: &Module, ours: bool) -> (Running, u16) {
        Running::serve(|port| self.server_command(module, ours, port))
    }

    pub(crate) fn client(&self, module: &Module, ours: bool, port: u16) -> Running {
        Running::start(self.client_command(module, ours, port))
    }

    fn server_command(&self, module: &Module, ours: bool, port: u16) -> Command {
        let mut server = self.side(module, ours, "s_server");
        server.args(["-naccept", "1"]).arg("-accept").arg(format!("127.0.0.1:{port}"));
        server.arg("-cert").arg(module.path("cert.pem"));
        server.arg("-key").arg(module.path("key.pem"));
        server
    }

    fn client_command(&self, module: &Module, ours: bool, port: u16) -> Command {
        let mut client = self.side(module, ours, "s_client");
        client.arg("-no_ign_eof").arg("-connect").arg(format!("127.0.0.1:{port}"));
        client.arg("-verify_return_error").arg("-CAfile").arg(module.path("cert.pem"));
        client
    }
}

const TLS13: [Case; 5] = [
    Case::new("tls1_3", "TLS_AES_128_GCM_SHA256", "AES-128-GCM"),
    Case::new("tls1_3", "TLS_AES_256_GCM_SHA384", "AES-256-GCM"),
    Case::new("tls1_3", "TLS_CHACHA20_POLY1305_SHA256", "ChaCha20-Poly1305"),
    Case::new("tls1_3", "TLS_AES_128_CCM_SHA256", "AES-128-CCM"),
    Case::new("tls1_3", "TLS_AES_128_CCM_8_SHA256", "AES-128-CCM"),
];

const TLS12_AEAD: [Case; 11] = [
    Case::new("tls1_2", "ECDHE-RSA-AES128-GCM-SHA256", "AES-128-GCM"),
    Case::new("tls1_2", "ECDHE-RSA-AES256-GCM-SHA384", "AES-256-GCM"),
    Case::new("tls1_2", "DHE-RSA-AES128-GCM-SHA256", "AES-128-GCM"),
    Case::new("tls1_2", "AES128-GCM-SHA256", "AES-128-GCM"),
    Case::new("tls1_2", "AES256-GCM-SHA384", "AES-256-GCM"),
    Case::new("tls1_2", "ECDHE-RSA-CHACHA20-POLY1305", "ChaCha20-Poly1305"),
    Case::new("tls1_2", "AES128-CCM", "AES-128-CCM"),
    Case::new("tls1_2", "AES256-CCM", "AES-256-CCM"),
    Case::new("tls1_2", "AES128-CCM8", "AES-128-CCM"),
    Case::new("tls1_2", "AES256-CCM8", "AES-256-CCM"),
    Case::new("tls1_2", "DHE-RSA-AES256-CCM", "AES-256-CCM"),
];

/// With encrypt-then-MAC the cipher is plain AES-CBC; without it, the combined AES-CBC with HMAC if OpenSSL has one.
const TLS12_CBC: [Case; 13] = [
    Case::new("tls1_2", "ECDHE-RSA-AES128-SHA", "AES-128-CBC"),
    Case::no_etm("ECDHE-RSA-AES128-SHA", "AES-128-CBC-HMAC-SHA1"),
    Case::new("tls1_2", "ECDHE-RSA-AES256-SHA", "AES-256-CBC"),
    Case::no_etm("ECDHE-RSA-AES256-SHA", "AES-256-CBC-HMAC-SHA1"),
    Case::new("tls1_2", "ECDHE-RSA-AES128-SHA256", "AES-128-CBC"),
    Case::no_etm("ECDHE-RSA-AES128-SHA256", "AES-128-CBC-HMAC-SHA256"),
    Case::new("tls1_2", "ECDHE-RSA-AES256-SHA384", "AES-256-CBC"),
    Case::no_etm("ECDHE-RSA-AES256-SHA384", "AES-256-CBC"),
    Case::new("tls1_2", "AES256-SHA256", "AES-256-CBC"),
    Case::no_etm("AES256-SHA256", "AES-256-CBC-HMAC-SHA256"),
    Case::new("tls1_2", "AES128-SHA", "AES-128-CBC"),
    Case::no_etm("AES128-SHA", "AES-128-CBC-HMAC-SHA1"),
    Case::no_etm("AES128-SHA256", "AES-128-CBC-HMAC-SHA256"),
];

const OLD: [Case; 8] = [
    Case::new("tls1_1", "AES128-SHA", "AES-128-CBC"),
    Case { options: &["-no_etm"], ..Case::new("tls1_1", "AES128-SHA", "AES-128-CBC-HMAC-SHA1") },
    Case::new("tls1_1", "ECDHE-RSA-AES256-SHA", "AES-256-CBC"),
    Case { options: &["-no_etm"], ..Case::new("tls1_1", "AES256-SHA", "AES-256-CBC-HMAC-SHA1") },
    Case::new("tls1", "AES128-SHA", "AES-128-CBC"),
    Case { options: &["-no_etm"], ..Case::new("tls1", "AES128-SHA", "AES-128-CBC-HMAC-SHA1") },
    Case::new("tls1", "ECDHE-RSA-AES256-SHA", "AES-256-CBC"),
    Case { options: &["-no_etm"], ..Case::new("tls1", "AES256-SHA", "AES-256-CBC-HMAC-SHA1") },
];

#[test]
fn tls_1_3() {
    on_each_side(&TLS13);
}

#[test]
fn tls_1_2_aead() {
    on_each_side(&TLS12_AEAD);
}

#[test]
fn tls_1_2_cbc() {
    on_each_side(&TLS12_CBC);
}

/// TLS 1.0 and 1.1, if OpenSSL supports them.
#[test]
fn tls_1_1_and_before() {
    for version in ["tls1_1", "tls1"] {
        let module = with_certificate();
        let cases: Vec<_> = OLD.into_iter().filter(|case| case.version == version).collect();
        match exchange(&module, &cases[0], (false, false)) {
            Ok(_) => on_each_side(&cases),
            Err(error) => println!("OpenSSL's own provider has no {version} here: {error}"),
        }
    }
}

/// The suites of the other tests are all that OpenSSL lists with ciphers and MACs of the module.
#[test]
fn every_suite() {
    let module = Module::new();
    let parts = |suites: &str| {
        let mut openssl = module.command_without("openssl");
        openssl.args(["ciphers", "-v", &format!("{suites}:@SECLEVEL=0")]);
        let table = run(openssl, b"").well().text();
        let rows = table.lines().filter_map(|line| {
            let (_, part) = line.split_once("Enc=")?;
            let ours = part.starts_with("AES") || part.starts_with("CHACHA20");
            ours.then(|| part.split_whitespace().collect::<Vec<_>>().join(" "))
        });
        rows.collect::<BTreeSet<_>>()
    };
    let suites = [&TLS12_AEAD[..], &TLS12_CBC].concat();
    let suites: Vec<_> = suites.iter().map(|case| case.suite).collect();
    assert_eq!(parts(&suites.join(":")), parts("ALL:COMPLEMENTOFALL"));
}

/// No uninitialized byte is read, and nothing is leaked.
#[test]
fn memory() {
    if !has(Command::new("valgrind").arg("--version")) {
        return;
    }
    let module = with_certificate();
    for case in [TLS13[0], TLS12_CBC[1]] {
        let (server, port) =
            Running::serve(|port| watched(&case.server_command(&module, true, port)));
        let client = Running::start(watched(&case.client_command(&module, true, port)));
        talk(server, client).unwrap_or_else(|error| panic!("{case:?}: {error}"));
    }
}

/// A resumed session, by a ticket that the server seals and opens.
#[test]
fn resumption() {
    let module = with_certificate();
    for version in ["tls1_2", "tls1_3"] {
        let case = Case { version, ..TLS13[0] };
        let suite = if version == "tls1_3" { case.suite } else { "ECDHE-RSA-AES128-GCM-SHA256" };
        let case = Case { suite, ..case };
        let (server, port) = Running::serve(|port| {
            let mut server = case.side(&module, true, "s_server");
            server.args(["-naccept", "2", "-www"]).arg("-accept").arg(format!("127.0.0.1:{port}"));
            server.arg("-cert").arg(module.path("cert.pem"));
            server.arg("-key").arg(module.path("key.pem"));
            server
        });
        for (option, expected) in [("-sess_out", "New, "), ("-sess_in", "Reused, ")] {
            let ended = fetch(&module, &case, port, option);
            let said = ended.text();
            assert!(said.contains(expected), "{version} {option}: {said}");
            assert_counted(&ended, case.counted, 100);
        }
        let ended = server.end().well();
        assert_counted(&ended, case.counted, 1000);
        // The cipher of tickets.
        assert_counted(&ended, "AES-256-CBC", 100);
    }
}

/// A page with the server's view of the connection; the session is kept in a file.
fn fetch(module: &Module, case: &Case, port: u16, option: &str) -> Ended {
    let mut client = module.command("openssl");
    client.args(["s_client", "-ign_eof"]).arg(format!("-{}", case.version));
    client.arg("-connect").arg(format!("127.0.0.1:{port}"));
    client.arg(option).arg(module.path(case.version));
    run(client, b"GET / HTTP/1.0\r\n\r\n")
}

pub(crate) fn with_certificate() -> Module {
    let module = Module::new();
    make_certificate(&module);
    module
}

/// The module on the server, on the client, and on both. Two connections at a time, since each mostly waits.
fn on_each_side(cases: &[Case]) {
    let module = with_certificate();
    let sides = [(true, false), (false, true), (true, true)];
    let work = cases.iter().flat_map(|case| sides.map(|sides| (case, sides)));
    // Each uses another side than the one before.
    let work: Vec<_> = thin(work, 4).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(&(case, sides)) = work.get(next.fetch_add(1, Relaxed)) {
                    let (server, client) =
                        exchange(&module, case, sides).unwrap_or_else(|error| panic!("{error}"));
                    let bytes = TO_SERVER + TO_CLIENT;
                    if sides.0 {
                        assert_counted(&server, case.counted, bytes);
                    }
                    if sides.1 {
                        assert_counted(&client, case.counted, bytes);
                    }
                }
            });
        }
    });
}

pub(crate) const TO_SERVER: usize = 100_003;
pub(crate) const TO_CLIENT: usize = 98_765;

fn exchange(
    module: &Module,
    case: &Case,
    (server_ours, client_ours): (bool, bool),
) -> Result<(Ended, Ended), String> {
    let (server, port) = case.server(module, server_ours);
    let client = case.client(module, client_ours, port);
    let result = talk(server, client);
    result.map_err(|error| format!("{case:?}, server {server_ours}, client {client_ours}: {error}"))
}

/// A text in each direction, in chunks of many lengths, in turn, until the client ends.
pub(crate) fn talk(mut server: Running, mut client: Running) -> Result<(Ended, Ended), String> {
    let (to_server, to_client) = (text(TO_SERVER, 1), text(TO_CLIENT, 2));
    for piece in pieces(&to_server) {
        client.send(piece);
    }
    if server.printed(TO_SERVER).map_err(|error| both(error, &client))? != to_server {
        return Err("the server had another text".into());
    }
    for piece in pieces(&to_client) {
        server.send(piece);
    }
    if client.printed(TO_CLIENT)? != to_client {
        return Err("the client had another text".into());
    }
    let client = client.end();
    let server = server.end();
    Ok((server.well(), client.well()))
}

fn both(error: String, client: &Running) -> String {
    format!("{error}; the client: {}", client.complaint())
}

fn pieces(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    let mut lens = [1, 777, 16_384, 5000, 15, 16, 8191, 3].into_iter().cycle();
    std::iter::from_fn(move || {
        let len = lens.next()?.min(rest.len());
        let (piece, after) = rest.split_at(len);
        rest = after;
        (len > 0).then_some(piece)
    })
}
