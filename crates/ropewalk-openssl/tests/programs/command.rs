//! `openssl enc`, `dgst` and `speed`.

use std::{collections::BTreeSet, fs, thread};

use super::{Ended, Module, assert_counted, common::thin, run, text};

const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const IV: &str = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

/// The name in `enc`, the counted algorithm, and the bytes of a key and of an initialization vector.
const ENC: [(&str, &str, usize, usize); 16] = [
    ("aes-128-ecb", "AES-128-ECB", 16, 0),
    ("aes-192-ecb", "AES-192-ECB", 24, 0),
    ("aes-256-ecb", "AES-256-ECB", 32, 0),
    ("aes-128-cbc", "AES-128-CBC", 16, 16),
    ("aes-192-cbc", "AES-192-CBC", 24, 16),
    ("aes-256-cbc", "AES-256-CBC", 32, 16),
    ("aes-128-ctr", "AES-128-CTR", 16, 16),
    ("aes-192-ctr", "AES-192-CTR", 24, 16),
    ("aes-256-ctr", "AES-256-CTR", 32, 16),
    ("chacha20", "ChaCha20", 32, 16),
    ("id-aes128-wrap", "AES-128-WRAP", 16, 8),
    ("id-aes192-wrap", "AES-192-WRAP", 24, 8),
    ("id-aes256-wrap", "AES-256-WRAP", 32, 8),
    ("id-aes128-wrap-pad", "AES-128-WRAP-PAD", 16, 4),
    ("id-aes192-wrap-pad", "AES-192-WRAP-PAD", 24, 4),
    ("id-aes256-wrap-pad", "AES-256-WRAP-PAD", 32, 4),
];

/// Each is an alias of a cipher above.
const SAME: [&str; 6] = ["aes128", "aes192", "aes256", "aes128-wrap", "aes192-wrap", "aes256-wrap"];

/// Digests by OpenSSL's names, and the counted algorithm.
const DIGESTS: [(&str, &str); 14] = [
    ("sha1", "SHA-1"),
    ("sha224", "SHA-224"),
    ("sha256", "SHA-256"),
    ("sha384", "SHA-384"),
    ("sha512", "SHA-512"),
    ("sha512-256", "SHA-512/256"),
    ("sha3-224", "SHA3-224"),
    ("sha3-256", "SHA3-256"),
    ("sha3-384", "SHA3-384"),
    ("sha3-512", "SHA3-512"),
    ("sm3", "SM3"),
    ("md5", "MD5"),
    ("shake128", "SHAKE128"),
    ("shake256", "SHAKE256"),
];

/// One provider encrypts, the other decrypts.
#[test]
fn enc() {
    let module = Module::new();
    let half = ENC.len() / 2;
    // Every other cipher, so that both halves take equally long.
    thread::scope(|scope| {
        for start in [0, 1] {
            let module = &module;
            scope.spawn(move || {
                for &(name, counted, key, iv) in ENC.iter().skip(start).step_by(2).take(half) {
                    enc_of(module, name, counted, &KEY[..2 * key], &IV[..2 * iv]);
                }
            });
        }
    });
}

fn enc_of(module: &Module, name: &str, counted: &str, key: &str, iv: &str) {
    let command = |ours: bool, way: &[&str]| {
        let mut openssl =
            if ours { module.command("openssl") } else { module.command_without("openssl") };
        openssl.arg("enc").arg(format!("-{name}")).args(way).args(["-K", key]);
        if !iv.is_empty() {
            openssl.args(["-iv", iv]);
        }
        openssl
    };
    let wraps = name.contains("wrap");
    let lens: &[usize] = if wraps {
        &[16, 24, 32, 40, 64, 1000]
    } else {
        &[0, 1, 15, 16, 17, 31, 32, 1000, 8192, 16384, 100_001]
    };
    let of_blocks = name.ends_with("cbc") || name.ends_with("ecb");
    // The fifth has a partial block.
    for &len in thin(lens.iter(), 4) {
        let text = text(len, len as u64);
        for option in ["", "-nopad"] {
            // A partial last block is refused.
            let whole = option.is_empty() || len % 16 == 0;
            if (wraps || !of_blocks) && !whole {
                continue;
            }
            let options: &[&str] = if option.is_empty() { &[] } else { &[option] };
            let [ours, theirs] = [true, false].map(|ours| run(command(ours, options), &text));
            assert_eq!(ours.status.code(), theirs.status.code(), "{name} {len} {option}: {ours:?}");
            assert!(ours.status.success() == whole, "{name} {len} {option}: {ours:?}");
            if !whole {
                continue;
            }
            assert!(ours.out == theirs.out, "{name} {len} {option}");
            assert_counted(&ours, counted, len);
            let back = [&["-d"], options].concat();
            for is_ours in [true, false] {
                let decrypted = run(command(is_ours, &back), &ours.out).well();
                assert!(decrypted.out == text, "-d {name} {len} {option}");
                if is_ours {
                    assert_counted(&decrypted, counted, len);
                }
            }
        }
    }
}

/// `enc` has no other cipher of the module.
#[test]
fn enc_takes_no_other() {
    let module = Module::new();
    let mut openssl = module.command("openssl");
    openssl.args(["enc", "-list"]);
    let list = run(openssl, b"").well().text();
    let names = list.split_whitespace().filter_map(|word| word.strip_prefix('-'));
    let taken: BTreeSet<_> = names
        .filter(|name| name.contains("aes") || name.contains("chacha"))
        // Obsolete modes, which the module lacks.
        .filter(|name| !name.contains("cfb") && !name.contains("ofb"))
        .filter(|name| !SAME.contains(name))
        .collect();
    assert_eq!(taken, ENC.iter().map(|(name, ..)| *name).collect());
}

/// A password is expanded by a key derivation, which also goes through the module.
#[test]
fn enc_by_a_password() {
    let module = Module::new();
    let text = text(5000, 1);
    for (options, counted) in [(&["-pbkdf2"][..], "AES-256-CBC"), (&["-md", "sha256"], "SHA-256")] {
        let command = |ours: bool, way: &str| {
            let mut openssl =
                if ours { module.command("openssl") } else { module.command_without("openssl") };
            openssl.args(["enc", "-aes-256-cbc", way, "-pass", "pass:a password"]).args(options);
            openssl
        };
        for ours in [true, false] {
            let encrypted = run(command(ours, "-e"), &text).well();
            let decrypted = run(command(!ours, "-d"), &encrypted.out).well();
            assert!(decrypted.out == text, "{options:?}");
            let of_ours = if ours { encrypted } else { decrypted };
            assert_counted(&of_ours, counted, 1);
        }
        let wrong = run(command(false, "-e"), &text).well();
        let mut openssl = module.command("openssl");
        openssl.args(["enc", "-d", "-aes-256-cbc", "-pass", "pass:another"]).args(options);
        let wrong = run(openssl, &wrong.out);
        // Its padding is valid by chance once in 256 times.
        let said = String::from_utf8_lossy(&wrong.err);
        assert!(wrong.status.success() || said.contains("bad decrypt"), "{said}");
    }
}

#[test]
fn dgst() {
    let module = Module::new();
    let lens = [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 135, 136, 168, 1000, 8192, 100_001];
    let files = lens.map(|len| {
        let file = module.path(format!("in.{len}"));
        fs::write(&file, text(len, len as u64)).expect("a file");
        file
    });
    for (name, counted) in DIGESTS {
        let sized: &[&[&str]] = if name.starts_with("shake") {
            &[&["-xoflen", "32"], &["-xoflen", "1000"]]
        } else {
            &[&[], &["-binary"], &["-hmac", "a key"]]
        };
        for options in sized {
            let [ours, theirs] = [true, false].map(|ours| {
                let mut openssl = if ours {
                    module.command("openssl")
                } else {
                    module.command_without("openssl")
                };
                openssl.arg("dgst").arg(format!("-{name}")).args(*options).args(&files);
                run(openssl, b"").well()
            });
            assert!(ours.out == theirs.out, "{name} {options:?}: {}", ours.text());
            if !options.contains(&"-hmac") {
                assert_counted(&ours, counted, lens.iter().sum());
            }
        }
    }
}

/// It reports a speed, and the module serves it. On a slow or busy processor, no call may end within a second: then it gets more
/// time.
#[test]
fn speed() {
    let module = Module::new();
    let rows: [(&[&str], &str); 12] = [
        (&["-evp", "aes-128-gcm"], "AES-128-GCM"),
        (&["-aead", "-evp", "aes-256-gcm"], "AES-256-GCM"),
        (&["-evp", "chacha20-poly1305"], "ChaCha20-Poly1305"),
        (&["-aead", "-evp", "chacha20-poly1305"], "ChaCha20-Poly1305"),
        (&["-aead", "-evp", "aes-128-ccm"], "AES-128-CCM"),
        (&["-evp", "aes-256-xts"], "AES-256-XTS"),
        (&["-decrypt", "-evp", "aes-256-cbc"], "AES-256-CBC"),
        (&["-evp", "aes-128-ctr"], "AES-128-CTR"),
        (&["-evp", "sha512"], "SHA-512"),
        (&["-evp", "sha3-256"], "SHA3-256"),
        (&["sha256", "aes-128-cbc"], "SHA-256"),
        (&["-multi", "2", "-evp", "sha1"], "SHA-1"),
    ];
    thread::scope(|scope| {
        for (arguments, counted) in rows {
            let module = &module;
            scope.spawn(move || {
                let ended = |seconds: &str| {
                    let mut openssl = module.command("openssl");
                    openssl.args(["speed", "-seconds", seconds, "-bytes", "1000"]).args(arguments);
                    run(openssl, b"").well()
                };
                let has_figure = |ended: &Ended| {
                    let text = ended.text();
                    let figures = text.split_whitespace().filter_map(|word| word.strip_suffix('k'));
                    figures.filter_map(|word| word.parse().ok()).any(|fast: f64| fast > 0.0)
                };
                let mut last = ended("1");
                for seconds in ["5", "25"] {
                    if !has_figure(&last) {
                        last = ended(seconds);
                    }
                }
                assert!(has_figure(&last), "{arguments:?}: {}", last.text());
                assert_counted(&last, counted, 1_000);
            });
        }
    });
}
