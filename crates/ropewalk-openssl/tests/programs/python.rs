//! Python's `hashlib`, `hmac` and `ssl`, which use OpenSSL.

use std::{path::Path, process::Command};

use super::{
    Module, assert_counted,
    common::{
        machine,
        running::{Running, has, run},
    },
    tls::{Case, TO_CLIENT, TO_SERVER, talk, with_certificate},
};

/// Names of digests in Python, and the counted algorithm.
const DIGESTS: [(&str, &str); 13] = [
    ("md5", "MD5"),
    ("sha1", "SHA-1"),
    ("sha224", "SHA-224"),
    ("sha256", "SHA-256"),
    ("sha384", "SHA-384"),
    ("sha512", "SHA-512"),
    ("sha512_256", "SHA-512/256"),
    ("sha3_224", "SHA3-224"),
    ("sha3_256", "SHA3-256"),
    ("sha3_384", "SHA3-384"),
    ("sha3_512", "SHA3-512"),
    ("shake_128", "SHAKE128"),
    ("shake_256", "SHAKE256"),
];

/// A Python with the libcrypto of the commands, or its own that loads modules. Distributions' first: others may
/// contain an OpenSSL.
pub(super) fn python() -> Option<&'static str> {
    let is_dynamic = "import ssl, _hashlib; assert ssl.OPENSSL_VERSION_INFO >= (3,); \
                      assert 'libcrypto.so' in open('/proc/self/maps').read()";
    let mut pythons =
        ["/usr/bin/python3", "python3"].into_iter().filter(|_| !machine::is_another());
    let found = pythons.find(|python| {
        let here = *python == "python3" || Path::new(python).exists();
        here && Command::new(python)
            .args(["-c", is_dynamic])
            .output()
            .is_ok_and(|asked| asked.status.success())
    });
    if found.is_none() {
        has(&mut Command::new("python3 with a libcrypto of OpenSSL 3 or later"));
    }
    found
}

#[test]
fn hashlib() {
    let Some(python) = python() else { return };
    let module = Module::new();
    let [ours, theirs] =
        [module.command(python), module.command_without(python)].map(|mut python| {
            python.args(["-c", include_str!("hashes.py")]).args(DIGESTS.map(|(name, _)| name));
            run(python, b"").well()
        });
    println!("{python}: {}", ours.text().lines().next().unwrap_or_default());
    assert!(ours.out == theirs.out, "{}\n{}", ours.text(), theirs.text());
    for (_, counted) in DIGESTS {
        assert_counted(&ours, counted, 100_000);
    }
}

const CASES: [Case; 6] = [
    Case {
        version: "tls1_3",
        suite: "TLS_AES_256_GCM_SHA384",
        options: &[],
        counted: "AES-256-GCM",
    },
    Case {
        version: "tls1_3",
        suite: "TLS_CHACHA20_POLY1305_SHA256",
        options: &[],
        counted: "ChaCha20-Poly1305",
    },
    Case {
        version: "tls1_2",
        suite: "ECDHE-RSA-AES128-GCM-SHA256",
        options: &[],
        counted: "AES-128-GCM",
    },
    Case {
        version: "tls1_2",
        suite: "ECDHE-RSA-CHACHA20-POLY1305",
        options: &[],
        counted: "ChaCha20-Poly1305",
    },
    Case {
        version: "tls1_2",
        suite: "ECDHE-RSA-AES256-SHA384",
        options: &[],
        counted: "AES-256-CBC",
    },
    Case {
        version: "tls1_2",
        suite: "AES128-SHA",
        options: &["-no_etm"],
        counted: "AES-128-CBC-HMAC-SHA1",
    },
];

/// One side of a connection.
fn peer(module: &Module, python: &str, role: &str, port: u16, case: &Case) -> Command {
    let mut python = module.command(python);
    python.args(["-c", include_str!("peer.py"), role, &port.to_string(), case.version, case.suite]);
    python.arg(module.path("cert.pem")).arg(module.path("key.pem"));
    python.args([TO_SERVER, TO_CLIENT].map(|len| len.to_string()));
    python
}

#[test]
fn ssl_client() {
    let Some(python) = python() else { return };
    let module = with_certificate();
    for case in CASES {
        for ours in [false, true] {
            let (server, port) = case.server(&module, ours);
            let client = Running::start(peer(&module, python, "client", port, &case));
            let ended = talk(server, client);
            let (_, client) = ended.unwrap_or_else(|error| panic!("{case:?}: {error}"));
            assert_counted(&client, case.counted, TO_SERVER + TO_CLIENT);
        }
    }
}

#[test]
fn ssl_server() {
    let Some(python) = python() else { return };
    let module = with_certificate();
    for case in CASES {
        for ours in [false, true] {
            let (server, port) =
                Running::serve(|port| peer(&module, python, "server", port, &case));
            let client = case.client(&module, ours, port);
            let ended = talk(server, client);
            let (server, _) = ended.unwrap_or_else(|error| panic!("{case:?}: {error}"));
            assert_counted(&server, case.counted, TO_SERVER + TO_CLIENT);
        }
    }
}
