//! MAC and KDF, through OpenSSL with the module.

mod common;

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use common::{Module, counts, running::has, thin};

/// The output of `openssl` for that input.
fn run(mut openssl: Command, arguments: &[&str], input: &[u8]) -> Output {
    let pipes = openssl.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.args(arguments).spawn().expect("openssl is installed");
    // It does not read its input if the arguments are wrong.
    _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("it ends")
}

/// Arguments, each after its option.
fn options<'a>(what: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    options.iter().flat_map(|option| [what, *option]).collect()
}

fn hex(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.chars().filter(char::is_ascii_hexdigit).collect::<String>().to_lowercase()
}

fn mac(module: &Module, name: &str, macopts: &[&str], input: &[u8]) -> Output {
    let arguments = [&["mac"], &options("-macopt", macopts)[..], &[name]].concat();
    run(module.command("openssl"), &arguments, input)
}

fn kdf(module: &Module, name: &str, len: &str, kdfopts: &[&str]) -> Output {
    let arguments = [&["kdf", "-keylen", len], &options("-kdfopt", kdfopts)[..], &[name]].concat();
    run(module.command("openssl"), &arguments, b"")
}

#[test]
fn published_macs() {
    let module = Module::new();
    let rows: &[(&str, &[&str], &[u8], &str)] = &[
        // RFC 4231, section 4.3.
        (
            "HMAC",
            &["digest:SHA256", "key:Jefe"],
            b"what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        // RFC 4493, section 4, example 2.
        (
            "CMAC",
            &["cipher:AES-128-CBC", "hexkey:2b7e151628aed2a6abf7158809cf4f3c"],
            b"\x6b\xc1\xbe\xe2\x2e\x40\x9f\x96\xe9\x3d\x7e\x11\x73\x93\x17\x2a",
            "070a16b46b4d4144f79bdd9dd04a287c",
        ),
        // The specification of GCM, test case 1.
        (
            "GMAC",
            &[
                "cipher:AES-128-GCM",
                "hexkey:00000000000000000000000000000000",
                "hexiv:000000000000000000000000",
            ],
            b"",
            "58e2fccefa7e3061367f1d57a4e7455a",
        ),
        // RFC 8439, section 2.5.2.
        (
            "POLY1305",
            &["hexkey:85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b"],
            b"Cryptographic Forum Research Group",
            "a8061dc1305136c6c22b8baf0c0127a9",
        ),
    ];
    for (name, options, input, tag) in rows {
        let output = mac(&module, name, options, input);
        assert_eq!(hex(&output), *tag, "{name}");
        let counted = counts(&output.stderr);
        let count = counted.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        let (_, count) = count.unwrap_or_else(|| panic!("{name}: {counted:?}"));
        assert_eq!(count.bytes, input.len() as u64, "{name}");
    }
}

#[test]
fn published_derivations() {
    let module = Module::new();
    let rows: &[(&str, &str, &[&str], &str)] = &[
        // RFC 5869, appendix A.1.
        (
            "HKDF",
            "42",
            &[
                "digest:SHA256",
                "hexkey:0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
                "hexsalt:000102030405060708090a0b0c",
                "hexinfo:f0f1f2f3f4",
                "hexinfo:f5f6f7f8f9",
            ],
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
        ),
        // RFC 8448, section 3: the derived secret of the early one, and the secret of the handshake.
        (
            "TLS13-KDF",
            "32",
            &[
                "digest:SHA256",
                "mode:EXPAND_ONLY",
                "hexkey:33ad0a1c607ec03b09e6cd9893680ce210adf300aa1f2660e1b22e10f170f92a",
                "prefix:tls13 ",
                "label:derived",
                "hexdata:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ],
            "6f2615a108c702c5678f54fc9dbab69716c076189c48250cebeac3576c3611ba",
        ),
        (
            "TLS13-KDF",
            "32",
            &[
                "digest:SHA256",
                "mode:EXTRACT_ONLY",
                "hexkey:8bd4054fb55b9d63fdfbacf9f04b9f0d35e6d63f537563efd46272900f89492d",
                "hexsalt:33ad0a1c607ec03b09e6cd9893680ce210adf300aa1f2660e1b22e10f170f92a",
                "prefix:tls13 ",
                "label:derived",
            ],
            "1dc826e93606aa6fdc0aadc12f741b01046aa6b99f691ed221a9f0ca043fbeac",
        ),
        // RFC 6070, section 2.
        (
            "PBKDF2",
            "20",
            &["digest:SHA1", "pass:password", "salt:salt", "iter:4096"],
            "4b007901b765489abead49d926f721d065a429c1",
        ),
    ];
    for (name, len, options, key) in rows {
        let output = kdf(&module, name, len, options);
        assert_eq!(hex(&output), *key, "{name}");
        assert_eq!(counts(&output.stderr)[*name].messages, 1);
    }
}

#[test]
fn the_same_as_openssl() {
    let module = Module::new();
    let digests = "SHA1 sha224 SHA2-256 SHA384 SHA512 SHA512-256 SHA3-256 md5 SM3 blake2b512 RIPEMD160 MD5-SHA1 nothing";
    let long = "k".repeat(200);
    for digest in thin(digests.split(' '), 3) {
        let digest = format!("digest:{digest}");
        let (key, input) = (format!("key:{long}"), [7; 1000]);
        let arguments = [&["mac"], &options("-macopt", &[&digest, &key])[..], &["HMAC"]];
        same(&module, &arguments.concat(), &input);
        let derivations: [(&str, &str, &[&str]); 5] = [
            ("HKDF", "100", &[&digest, "key:a secret", "salt:salt", "info:a", "info:b"]),
            ("HKDF", "20", &[&digest, "key:a secret", "mode:EXTRACT_ONLY"]),
            ("TLS1-PRF", "77", &[&digest, "secret:an odd secret", "seed:label", "seed:seed"]),
            ("PBKDF2", "99", &[&digest, "pass:password", "salt:salt", "iter:3"]),
            (
                "TLS13-KDF",
                "40",
                &[&digest, "mode:EXPAND_ONLY", "key:a secret", "prefix:tls13 ", "label:key"],
            ),
        ];
        for (name, len, kdfopts) in derivations {
            let arguments =
                [&["kdf", "-keylen", len], &options("-kdfopt", kdfopts)[..], &[name]].concat();
            same(&module, &arguments, b"");
        }
    }
    same(&module, &["dgst", "-sha256", "-hmac", "key"], b"message");
    for cipher in ["AES-192-CBC", "DES-EDE3-CBC", "CAMELLIA-192-CBC", "AES-192-GCM", "nothing"] {
        let cipher = format!("cipher:{cipher}");
        for name in ["CMAC", "GMAC"] {
            let key = "key:a key that has 24 bytes.";
            let macopts = options("-macopt", &[&cipher, key, "iv:twelve bytes"]);
            let macopts = &macopts[..if name == "CMAC" { 4 } else { 6 }];
            same(&module, &[&["mac"], macopts, &[name]].concat(), b"message");
        }
    }
}

/// The same with and without the module.
fn same(module: &Module, arguments: &[&str], input: &[u8]) {
    let [ours, theirs] = [module.command("openssl"), module.command_without("openssl")]
        .map(|command| run(command, arguments, input));
    assert_eq!(ours.status.code(), theirs.status.code(), "{arguments:?}: {ours:?}");
    assert_eq!(ours.stdout, theirs.stdout, "{arguments:?}");
}

#[test]
fn errors_have_openssls_texts() {
    let module = Module::new();
    let rows: &[(&str, &[&str], &str)] = &[
        ("HKDF", &["key:k"], "missing message digest"),
        ("HKDF", &["digest:SHA256"], "missing key"),
        ("HKDF", &["digest:SHA256", "key:k", "mode:EXTRACT_ONLY"], "wrong output buffer size"),
        ("HKDF", &["digest:SHA256", "key:k", "mode:NONE"], "invalid mode"),
        ("TLS1-PRF", &["digest:SHA256", "seed:s"], "missing secret"),
        ("TLS1-PRF", &["digest:SHA256", "secret:s"], "missing seed"),
        ("PBKDF2", &["salt:s"], "missing pass"),
        ("PBKDF2", &["pass:p"], "missing salt"),
        ("PBKDF2", &["pass:p", "salt:s", "iter:0"], "invalid iteration count"),
        ("PBKDF2", &["pass:p", "salt:s", "pkcs5:0"], "invalid salt length"),
        ("PBKDF2", &["pass:p", "salt:0123456789abcdef", "pkcs5:0", "iter:999"], "iteration count"),
        ("PBKDF2", &["pass:p", "salt:0123456789abcdef", "pkcs5:0"], "key size too small"),
    ];
    for (name, options, words) in rows {
        let output = kdf(&module, name, "13", options);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{name} {options:?}");
        assert!(text.contains(words), "{text}");
    }
}

/// A C program with every call, once directly and once with every memory access checked.
#[test]
fn calls_that_the_command_lacks() {
    let module = Module::new();
    let program = module.compile("mac_kdf");
    let output = module.command(&program).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{:?}: {text}", output.status);
    assert!(counts(&output.stderr).contains_key("HMAC"));

    if !has(Command::new("valgrind").arg("--version")) {
        return;
    }
    let mut valgrind = module.command("valgrind");
    valgrind.args(["-q", "--error-exitcode=9", "--leak-check=full"]).arg(&program).arg("watched");
    let output = valgrind.output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?}: {text}", output.status);
}
