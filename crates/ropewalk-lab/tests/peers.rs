//! Every peer puts out what the portable backend does, and says in one line why it cannot.

mod common;

use std::{fs, path::Path, process::Stdio, time::Duration};

use common::{
    c_library, cells, cells_with_new_keys, expected, fakes::Fake, libraries, peer, right_answer,
    task, this_program, wrong_cells,
};
use ropewalk_lab::{
    peers::PEERS,
    tasks::{Cell, Keys, Kind, Mode, TASKS},
};

/// Why a peer may be absent.
const MAY_BE: [&str; 4] = [
    "not installed",
    "has no code for this processor",
    "is not built in for this processor",
    "needs features that this processor lacks",
];

const CTR: &[&str] = &["aes-128-ctr", "aes-192-ctr", "aes-256-ctr"];
const CBC: &[&str] = &["aes-128-cbc", "aes-192-cbc", "aes-256-cbc"];
const ECB: &[&str] = &["aes-128-ecb", "aes-192-ecb", "aes-256-ecb"];
const XTS: &[&str] = &["aes-128-xts", "aes-256-xts"];
const TRIPLE_DES: &[&str] = &["3des-cbc"];
const RC4: &[&str] = &["rc4"];
const CURVES: &[&str] = &["x25519", "ed25519"];
const GCM: &[&str] = &["aes-128-gcm", "aes-192-gcm", "aes-256-gcm"];
const GMAC: &[&str] = &["aes-128-gmac", "aes-192-gmac", "aes-256-gmac"];
const CCM: &[&str] = &["aes-128-ccm", "aes-192-ccm", "aes-256-ccm"];
const KEY_WRAP: &[&str] = &["aes-128-kw", "aes-192-kw", "aes-256-kw"];
const RECORDS: &[&str] = &[
    "aes-128-cbc-hmac-sha1",
    "aes-128-cbc-hmac-sha256",
    "aes-256-cbc-hmac-sha1",
    "aes-256-cbc-hmac-sha256",
];

/// What peers do not do, and say.
const LACKS: &[(&str, &[&str], &str)] = &[
    ("aws-lc-rs", CTR, "its streams are not in place"),
    ("aws-lc-rs", XTS, "has no AES-XTS"),
    ("aws-lc-rs", TRIPLE_DES, "has no triple DES"),
    ("aws-lc-rs", RC4, "has no RC4"),
    ("aws-lc-rs", &["md5"], "has no MD5"),
    ("aws-lc-rs", &["sha3-224"], "has no SHA3-224"),
    ("aws-lc-rs", &["shake128"], "has no SHAKE128"),
    ("aws-lc-rs", &["shake256"], "has no SHAKE256"),
    ("aws-lc-rs", &["chacha20"], "has no ChaCha20 alone"),
    ("aws-lc-rs", &["poly1305"], "has no Poly1305 alone"),
    ("aws-lc-rs", &["aes-192-kw"], "has no AES-192 key wrap"),
    ("aws-lc-rs", &["hmac-md5"], "has no HMAC of MD5"),
    ("aws-lc-rs", &["hmac-sha512-256"], "has no HMAC of SHA-512/256"),
    ("aws-lc-rs", &["hmac-sha3-224"], "has no HMAC of SHA3-224"),
    ("aws-lc-rs", &["hmac-sha3-256"], "has no HMAC of SHA3-256"),
    ("aws-lc-rs", &["hmac-sha3-384"], "has no HMAC of SHA3-384"),
    ("aws-lc-rs", &["hmac-sha3-512"], "has no HMAC of SHA3-512"),
    ("botan", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("graviola", &["chacha20"], "has no ChaCha20 alone"),
    ("graviola", TRIPLE_DES, "has no triple DES"),
    ("graviola", RC4, "has no RC4"),
    ("graviola", MACS, "keeps no key of a MAC ready"),
    ("graviola", CTR, "has no AES-CTR"),
    ("graviola", CBC, "has no AES-CBC"),
    ("graviola", ECB, "has no AES-ECB"),
    ("graviola", XTS, "has no AES-XTS"),
    ("graviola", KEY_WRAP, "has no AES key wrap"),
    ("graviola", &["aes-192-gcm", "aes-192-gmac"], "has no AES-192-GCM"),
    ("graviola", &["md5"], "has no MD5"),
    ("graviola", &["sha1"], "has no SHA-1"),
    ("graviola", &["sha224"], "has no SHA-224"),
    ("graviola", &["sha512-256"], "has no SHA-512/256"),
    ("graviola", &["sha3-224"], "has no SHA3-224"),
    ("graviola", &["sha3-256"], "has no SHA3-256"),
    ("graviola", &["sha3-384"], "has no SHA3-384"),
    ("graviola", &["sha3-512"], "has no SHA3-512"),
    ("graviola", &["shake128"], "has no SHAKE128"),
    ("graviola", &["shake256"], "has no SHAKE256"),
    ("crypto_mb", CURVES, "takes eight at once: --count 8"),
    ("ipsec-mb", CTR, "takes messages whole"),
    ("ipsec-mb", TRIPLE_DES, "its triple DES is not called here"),
    ("ipsec-mb", TRIPLE_DES, "takes messages whole"),
    ("ipsec-mb", RC4, "has no RC4"),
    ("ipsec-mb", RC4, "takes messages whole"),
    ("ipsec-mb", XTS, "has no AES-XTS"),
    ("ipsec-mb", KEY_WRAP, "has no AES key wrap"),
    ("ipsec-mb", HASHES, "takes messages whole"),
    ("ipsec-mb", GCM, "takes messages whole"),
    ("ipsec-mb", &["chacha20-poly1305"], "takes messages whole"),
    ("ipsec-mb", &["md5"], "has no MD5 but in HMAC"),
    ("ipsec-mb", &["sha512-256"], "has no SHA-512/256"),
    ("ipsec-mb", SHA3, "has no SHA-3 before 3"),
    ("libcrypto", &["chacha20"], "its ChaCha20 takes messages whole"),
    ("libcrypto", RECORDS, "takes records of 51 bytes or more"),
    ("libcrypto", RECORDS, "takes records of one length and one key"),
    ("ipsec-mb", &["chacha20"], "takes messages whole"),
    ("ipsec-mb", MACS, "takes messages whole"),
    ("ipsec-mb", &["chacha20"], "its ChaCha20 counts from one"),
    ("ipsec-mb", &["aes-192-cmac"], "has no AES-192-CMAC"),
    // Versions of 1, and the first of 2.
    ("ipsec-mb", HMACS, "takes no empty message in HMAC before 2.0.2"),
    ("ipsec-mb", &["hmac-sha512-256"], "has no HMAC of SHA-512/256"),
    ("ipsec-mb", &["hmac-sha3-224"], "has no HMAC of SHA3-224"),
    ("ipsec-mb", &["hmac-sha3-256"], "has no HMAC of SHA3-256"),
    ("ipsec-mb", &["hmac-sha3-384"], "has no HMAC of SHA3-384"),
    ("ipsec-mb", &["hmac-sha3-512"], "has no HMAC of SHA3-512"),
    ("mbedtls", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("mbedtls", &["sha512-256"], "has no SHA-512/256"),
    ("mbedtls", &["shake128"], "has no SHAKE128"),
    ("mbedtls", &["shake256"], "has no SHAKE256"),
    ("mbedtls", &["hmac-sha512-256"], "has no HMAC of SHA-512/256"),
    // Version 3 has none.
    ("mbedtls", RC4, "has no RC4"),
    // Versions of 2 have none of these.
    ("mbedtls", KEY_WRAP, "has no AES key wrap"),
    ("mbedtls", &["sha3-224"], "has no SHA3-224"),
    ("mbedtls", &["sha3-256"], "has no SHA3-256"),
    ("mbedtls", &["sha3-384"], "has no SHA3-384"),
    ("mbedtls", &["sha3-512"], "has no SHA3-512"),
    ("mbedtls", &["hmac-sha3-224"], "has no HMAC of SHA3-224"),
    ("mbedtls", &["hmac-sha3-256"], "has no HMAC of SHA3-256"),
    ("mbedtls", &["hmac-sha3-384"], "has no HMAC of SHA3-384"),
    ("mbedtls", &["hmac-sha3-512"], "has no HMAC of SHA3-512"),
    ("nettle", &["chacha20"], "a stream goes on in whole blocks"),
    ("nettle", &["poly1305"], "has Poly1305 with AES only"),
    ("nettle", &["aes-192-cmac"], "has no AES-192-CMAC"),
    ("nettle", &["hmac-sha512-256"], "has no HMAC of SHA-512/256"),
    ("nettle", &["hmac-sha3-224"], "has no HMAC of SHA3-224"),
    ("nettle", &["hmac-sha3-256"], "has no HMAC of SHA3-256"),
    ("nettle", &["hmac-sha3-384"], "has no HMAC of SHA3-384"),
    ("nettle", &["hmac-sha3-512"], "has no HMAC of SHA3-512"),
    ("nettle", CTR, "a stream goes on in whole blocks"),
    ("nettle", &["shake128"], "has no SHAKE128 in all of 3"),
    ("gnutls", CTR, "has no AES-CTR"),
    ("gnutls", ECB, "has no AES-ECB"),
    ("gnutls", KEY_WRAP, "has no AES key wrap"),
    ("gnutls", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("gnutls", &["aes-192-ccm"], "has no AES-192-CCM"),
    ("gnutls", &["aes-192-cmac"], "has no AES-192-CMAC"),
    ("gnutls", &["chacha20"], "a stream goes on in whole blocks"),
    ("gnutls", &["poly1305"], "has no Poly1305 alone"),
    ("gnutls", &["sha512-256"], "has no SHA-512/256"),
    ("gnutls", &["hmac-sha512-256"], "has no HMAC of SHA-512/256"),
    ("gnutls", &["hmac-sha3-224"], "has no HMAC of SHA3-224"),
    ("gnutls", &["hmac-sha3-256"], "has no HMAC of SHA3-256"),
    ("gnutls", &["hmac-sha3-384"], "has no HMAC of SHA3-384"),
    ("gnutls", &["hmac-sha3-512"], "has no HMAC of SHA3-512"),
    ("libsodium", CTR, "has no AES-CTR"),
    ("libsodium", CBC, "has no AES-CBC"),
    ("libsodium", ECB, "has no AES-ECB"),
    ("libsodium", XTS, "has no AES-XTS"),
    ("libsodium", TRIPLE_DES, "has no triple DES"),
    ("libsodium", RC4, "has no RC4"),
    ("libsodium", CCM, "has no AES-CCM"),
    ("libsodium", KEY_WRAP, "has no AES key wrap"),
    ("libsodium", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("libsodium", CMAC, "has no AES-CMAC"),
    ("libsodium", &["aes-128-gcm", "aes-128-gmac"], "has no AES-128-GCM"),
    ("libsodium", &["aes-192-gcm", "aes-192-gmac"], "has no AES-192-GCM"),
    ("libsodium", &["chacha20"], "a stream goes on in whole blocks"),
    ("libsodium", &["md5"], "has no MD5"),
    ("libsodium", &["sha1"], "has no SHA-1"),
    ("libsodium", &["sha224"], "has no SHA-224"),
    ("libsodium", &["sha384"], "has no SHA-384"),
    ("libsodium", &["sha512-256"], "has no SHA-512/256"),
    ("libsodium", &["sha3-224"], "has no SHA3-224"),
    ("libsodium", &["sha3-384"], "has no SHA3-384"),
    ("libsodium", &["hmac-md5"], "has no HMAC of MD5"),
    ("libsodium", &["hmac-sha1"], "has no HMAC of SHA-1"),
    ("libsodium", &["hmac-sha224"], "has no HMAC of SHA-224"),
    ("libsodium", &["hmac-sha384"], "has no HMAC of SHA-384"),
    ("libsodium", &["hmac-sha512-256"], "has no HMAC of SHA-512/256"),
    ("libsodium", &["hmac-sha3-224"], "has no HMAC of SHA3-224"),
    ("libsodium", &["hmac-sha3-256"], "has no HMAC of SHA3-256"),
    ("libsodium", &["hmac-sha3-384"], "has no HMAC of SHA3-384"),
    ("libsodium", &["hmac-sha3-512"], "has no HMAC of SHA3-512"),
    ("ropewalk-c", ECB, "is measured as ropewalk"),
    ("ropewalk-c", KEY_WRAP, "is measured as ropewalk"),
    ("ropewalk-c", GMAC, "is measured as ropewalk"),
    ("ropewalk-c", &["poly1305", "random"], "is measured as ropewalk"),
    ("ropewalk-c", &["aes-128-gcm", "aes-256-gcm"], "keeps a key where it was made: see rekey"),
    ("ring", &["chacha20"], "has no ChaCha20 alone"),
    ("ring", &["poly1305"], "has no Poly1305 alone"),
    ("ring", CMAC, "has no AES-CMAC"),
    ("ring", &["hmac-md5"], "has no HMAC of MD5"),
    ("ring", &["hmac-sha224"], "has no HMAC of SHA-224"),
    ("ring", &["hmac-sha512-256"], "has no HMAC of SHA-512/256"),
    ("ring", &["hmac-sha3-224"], "has no HMAC of SHA3-224"),
    ("ring", &["hmac-sha3-256"], "has no HMAC of SHA3-256"),
    ("ring", &["hmac-sha3-384"], "has no HMAC of SHA3-384"),
    ("ring", &["hmac-sha3-512"], "has no HMAC of SHA3-512"),
    ("ring", TRIPLE_DES, "has no triple DES"),
    ("ring", RC4, "has no RC4"),
    ("ring", CTR, "has no AES-CTR"),
    ("ring", CBC, "has no AES-CBC"),
    ("ring", ECB, "has no AES-ECB"),
    ("ring", XTS, "has no AES-XTS"),
    ("ring", KEY_WRAP, "has no AES key wrap"),
    ("ring", &["aes-192-gcm", "aes-192-gmac"], "has no AES-192-GCM"),
    ("ring", &["md5"], "has no MD5"),
    ("ring", &["sha224"], "has no SHA-224"),
    ("ring", &["sha3-224"], "has no SHA3-224"),
    ("ring", &["sha3-256"], "has no SHA3-256"),
    ("ring", &["sha3-384"], "has no SHA3-384"),
    ("ring", &["sha3-512"], "has no SHA3-512"),
    ("ring", &["shake128"], "has no SHAKE128"),
    ("ring", &["shake256"], "has no SHAKE256"),
    ("rustcrypto", &["poly1305"], "its pieces are whole blocks"),
    ("libgcrypt", &["hmac-sha512-256"], "has no HMAC of SHA-512/256"),
    ("rustcrypto", XTS, "these crates have no AES-XTS"),
    ("aws-lc-rs", CCM, "has no AES-CCM"),
    ("aws-lc-rs", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("graviola", CCM, "has no AES-CCM"),
    ("graviola", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("graviola", &["random"], "has no random bytes of its own"),
    ("ipsec-mb", &["aes-192-ccm"], "has no AES-192-CCM"),
    ("ipsec-mb", RECORDS, "must know beforehand how long a padding is"),
    ("ipsec-mb", &["random"], "has no random bytes"),
    ("libgcrypt", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("libgcrypt", &["random"], "its generator is not called here"),
    ("nettle", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("nettle", &["random"], "its generator is not called here"),
    ("ring", CCM, "has no AES-CCM"),
    ("ring", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("rustcrypto", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("rustcrypto", &["random"], "these crates have no random bytes"),
    ("nss", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("nss", XTS, "has no AES-XTS"),
    ("nss", CCM, "has no AES-CCM"),
    ("nss", &["chacha20"], "its ChaCha20 takes messages whole"),
    ("nss", &["poly1305"], "has no Poly1305 alone"),
    ("nss", &["sha512-256"], "has no SHA-512/256"),
    ("nss", &["sha3-224"], "has no SHA3-224"),
    ("nss", &["sha3-256"], "has no SHA3-256"),
    ("nss", &["sha3-384"], "has no SHA3-384"),
    ("nss", &["sha3-512"], "has no SHA3-512"),
    ("nss", &["shake128"], "has no SHAKE128"),
    ("nss", &["shake256"], "has no SHAKE256"),
    ("nss", &["hmac-sha512-256"], "has no HMAC of SHA-512/256"),
    ("nss", &["hmac-sha3-224"], "has no HMAC of SHA3-224"),
    ("nss", &["hmac-sha3-256"], "has no HMAC of SHA3-256"),
    ("nss", &["hmac-sha3-384"], "has no HMAC of SHA3-384"),
    ("nss", &["hmac-sha3-512"], "has no HMAC of SHA3-512"),
    ("gnutls", CURVES, "its curves are not called here"),
    ("mbedtls", CURVES, "its curves are not called here"),
    ("nettle", CURVES, "its libhogweed.so.6, which has curves, is not beside it"),
    ("nss", CURVES, "its curves are not called here"),
    ("rustcrypto", &["x25519"], "has no X25519"),
    ("rustcrypto", &["ed25519"], "has no Ed25519"),
    ("ipsec-mb", &["x25519"], "has no X25519"),
    ("ipsec-mb", &["ed25519"], "has no Ed25519"),
    ("wolfssl", RECORDS, "has no AES-CBC with HMAC in one call"),
    ("wolfssl", &["shake128"], "has no SHAKE128"),
    ("wolfssl", XTS, "encrypts whole blocks alone in place before 5.6"),
    ("wolfssl", &["hmac-sha512-256"], "has no HMAC of SHA-512/256"),
];

const CMAC: &[&str] = &["aes-128-cmac", "aes-192-cmac", "aes-256-cmac"];
const MACS: &[&str] = &[
    "poly1305",
    "aes-128-cmac",
    "aes-192-cmac",
    "aes-256-cmac",
    "hmac-md5",
    "hmac-sha1",
    "hmac-sha224",
    "hmac-sha256",
    "hmac-sha384",
    "hmac-sha512",
    "hmac-sha512-256",
    "hmac-sha3-224",
    "hmac-sha3-256",
    "hmac-sha3-384",
    "hmac-sha3-512",
];
const HMACS: &[&str] =
    &["hmac-md5", "hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512"];
const HASHES: &[&str] = &[
    "md5",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512-256",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "shake128",
    "shake256",
];
const SHA3: &[&str] = &["sha3-224", "sha3-256", "sha3-384", "sha3-512", "shake128", "shake256"];

#[test]
fn answers_are_right() {
    assert_right(cells, true);
}

#[test]
fn answers_with_new_keys_are_right() {
    assert_right(cells_with_new_keys, false);
}

/// A call for many messages of the C library, and a loop of its call for one, are rows of their own.
#[test]
fn the_c_library_has_a_row_for_many_and_one_for_a_loop() {
    let Some(library) = c_library() else { return };
    let opened = peer("ropewalk-c").open(&library).expect("it opens");
    assert_eq!(opened.version(), concat!("ropewalk ", env!("CARGO_PKG_VERSION")));
    for name in ["aes-128-gcm", "aes-256-ccm", "aes-128-cbc", "sha256", "hmac-sha256"] {
        assert_eq!(opened.backends(task(name), 64), ["", "one by one"], "{name}");
        assert_eq!(opened.backends(task(name), 1), [""], "{name}");
    }
    assert_eq!(opened.backends(task("x25519"), 1), [""; 0]);
}

/// Where messages lie changes no answer.
#[test]
fn answers_at_a_stride_are_those_without() {
    let measured = TASKS.iter().filter(|task| task.kind.ours() && task.kind.of_libraries());
    let measured = measured.filter(|task| task.kind != Kind::Fill);
    let strided: Vec<Cell> = measured
        .flat_map(|task| [(64, 4096), (1350, 4096), (1350, 1616)].map(|it| (task, it)))
        .map(|(task, (bytes, stride))| {
            let (bytes, mode, keys) = (task.kind.size(bytes), Mode::Message, Keys::One);
            Cell { task, bytes, count: 17, mode, mix: None, keys, stride: Some(stride) }
        })
        .collect();
    let mut opened = vec![peer("ropewalk").open("").expect("it is built in")];
    opened.extend(c_library().map(|path| peer("ropewalk-c").open(&path).expect("it opens")));
    for cell in &strided {
        let right = right_answer(&Cell { stride: None, ..*cell });
        for library in &opened {
            for backend in library.backends(cell.task, cell.count) {
                match library.prepare(cell, &backend) {
                    Ok(mut job) => assert_eq!(job.answer(), right, "{cell:?} {backend}"),
                    Err(why) => eprintln!("{} {backend}: {why}", cell.task.name),
                }
            }
        }
    }
}

/// A record is longer than its text, and may have no room where its text has.
#[test]
fn a_record_without_room_at_its_stride_is_told() {
    let ours = peer("ropewalk").open("").expect("it is built in");
    let task = task("aes-128-cbc-hmac-sha1");
    let (mode, keys) = (Mode::Message, Keys::One);
    let cell = Cell { task, bytes: 1344, count: 4, mode, mix: None, keys, stride: Some(1344) };
    let backend = ours.backends(task, 4).swap_remove(0);
    let why = ours.prepare(&cell, &backend).err().expect("it has no room");
    assert_eq!(why.0, "a record has 1376 bytes, and the stride 1344");
}

/// Of every peer. Where `all` is cells of all tasks, what it lacks must be lacking.
///
/// Libraries that are [`expected`] must be there: what is not tested must not pass for tested.
fn assert_right<C: Iterator<Item = Cell>>(cells: impl Fn() -> C, all: bool) {
    let mut missing = expected();
    // What the kernel has depends on how it was built: `kernel` tests that.
    for peer in PEERS.iter().filter(|peer| !["af_alg", "cryptodev"].contains(&peer.name())) {
        for library in libraries(*peer) {
            let opened = match peer.open(&library) {
                Ok(opened) => opened,
                Err(reason) => {
                    eprintln!("{} {library}: {reason}", peer.name());
                    assert!(MAY_BE.contains(&reason.0.as_str()), "{library}: {reason}");
                    continue;
                }
            };
            eprintln!("{} {library}: {} {:?}", peer.name(), opened.version(), opened.path());
            missing.retain(|name| *name != library);
            let mut wrong = wrong_cells(peer.name(), &*opened, cells());
            // Nearly all seal whole messages only.
            wrong.retain(|lack| !lack.ends_with(": a message goes through whole"));
            if ["crypto_mb", "dalek"].contains(&peer.name()) {
                wrong.retain(|lack| !lack.ends_with(": has no such operation"));
            }
            if !has_legacy_provider(&opened.path()) {
                wrong.retain(|lack| !lack.contains(": cannot load its provider legacy: "));
            }
            wrong.sort();
            // A task may have a reason for each mode.
            wrong.dedup();
            let lacks = LACKS.iter().filter(|(name, ..)| *name == peer.name());
            let mut allowed: Vec<_> = lacks
                .flat_map(|(_, tasks, why)| tasks.iter().map(move |task| format!("{task}: {why}")))
                .collect();
            allowed.sort();
            if !all || opened.path().is_some() {
                // It may be of another version, which has other functions.
                wrong.retain(|lack| !lack.contains(": no symbol "));
                allowed.retain(|lack| wrong.contains(lack));
            }
            assert_eq!(wrong, allowed, "{} {library}", peer.name());
        }
    }
    assert!(missing.is_empty(), "{missing:?} should be here");
}

/// Whether the provider with the ciphers of the past lies where Debian has it.
fn has_legacy_provider(library: &Option<String>) -> bool {
    let beside = library.as_ref().and_then(|path| Path::new(path).parent());
    beside.is_some_and(|folder| folder.join("ossl-modules/legacy.so").is_file())
}

#[test]
fn what_is_not_a_library_is_said_in_one_line() {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let text = tmp.join("text.so");
    fs::write(&text, "INPUT(libcrypto.so.3)\n").expect("a folder for tests");
    let empty = tmp.join("empty.so");
    fs::write(&empty, "").expect("a folder for tests");
    let cut = tmp.join("cut.so");
    let library = fs::read(Fake::Lacking.build("cut")).expect("it was built");
    fs::write(&cut, &library[..40]).expect("a folder for tests");
    let cases = [
        ("libno-such-library.so.7", "not installed"),
        ("/no/such/library.so", "no such file"),
        (tmp.to_str().expect("UTF-8"), "a directory, not a library"),
        (text.to_str().expect("UTF-8"), "not a library"),
        (empty.to_str().expect("UTF-8"), "not a library"),
        (cut.to_str().expect("UTF-8"), "file too short"),
    ];
    for (library, reason) in cases {
        assert_eq!(refusal(library), reason, "{library}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn library_for_another_processor_is_named() {
    const MACHINE: usize = 18;
    let mut library = fs::read(Fake::Lacking.build("foreign")).expect("it was built");
    for (machine, reason) in [
        (243, "for RISC-V, not for this processor"),
        (22, "for s390, not for this processor"),
        (9999, "for another processor"),
    ] {
        let bytes = if library[5] == 2 { u16::to_be_bytes } else { u16::to_le_bytes };
        library[MACHINE..MACHINE + 2].copy_from_slice(&bytes(machine));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("foreign.so");
        fs::write(&path, &library).expect("a folder for tests");
        assert_eq!(refusal(path.to_str().expect("UTF-8")), reason);
    }
}

#[test]
fn missing_symbol_is_named() {
    let path = Fake::Lacking.build("symbol");
    let opened = peer("libcrypto").open(path.to_str().expect("UTF-8")).expect("it has a version");
    assert_eq!(opened.version(), "OpenSSL 1.1.1 fake");
    assert_eq!(opened.path(), Some(path.to_str().expect("UTF-8").to_owned()));
    let missing = |name| opened.prepare(&cell(name), "").map(|_| ()).unwrap_err().0;
    assert_eq!(missing("aes-128-ctr"), "no symbol EVP_CIPHER_CTX_new");
    assert_eq!(missing("sha256"), "no symbol EVP_MD_CTX_new");
    let libc = if cfg!(target_env = "musl") { "libc.so" } else { "libc.so.6" };
    assert_eq!(refusal(libc), "no symbol OpenSSL_version");
}

#[test]
fn lie_shows_in_the_answer() {
    for fake in [Fake::Lying, Fake::Failing] {
        let path = fake.build("answer");
        let opened = peer("libcrypto").open(path.to_str().expect("UTF-8")).expect("it opens");
        for name in ["aes-128-ctr", "sha256"] {
            for mode in [Mode::Message, Mode::Stream] {
                let cell = Cell { mode, ..cell(name) };
                let answer = opened.prepare(&cell, "").expect("it prepares").answer();
                assert_ne!(answer, right_answer(&cell), "{fake:?} {name} {mode:?}");
            }
        }
    }
}

/// The libraries that a worker must outlive kill and stop the process that opens them.
#[test]
#[cfg(unix)]
fn crash_and_hang_are_what_they_say() {
    use std::os::unix::process::ExitStatusExt;
    const LIBRARY: &str = "ROPEWALK_TEST_LIBRARY";
    if let Ok(library) = std::env::var(LIBRARY) {
        refusal(&library);
        return;
    }
    let child = |fake: Fake| {
        let mut child = this_program();
        child.args(["crash_and_hang_are_what_they_say", "--exact"]);
        child.env(LIBRARY, fake.build("process")).stdout(Stdio::null()).stderr(Stdio::null());
        child.spawn().expect("it starts")
    };
    const SIGSEGV: i32 = 11;
    let crash = child(Fake::Crashing).wait().expect("it ends");
    assert_eq!(crash.signal(), Some(SIGSEGV), "{crash}");
    let mut hang = child(Fake::Hanging);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(hang.try_wait().expect("it can be asked"), None);
    hang.kill().expect("it is ours");
    hang.wait().expect("it ends");
}

/// Why libcrypto cannot open it.
fn refusal(library: &str) -> String {
    let reason = peer("libcrypto").open(library).map(|_| ()).expect_err("it cannot be opened").0;
    assert!(!reason.contains('\n'), "{reason}");
    reason
}

fn cell(name: &str) -> Cell {
    Cell {
        task: task(name),
        bytes: 64,
        count: 1,
        mode: Mode::Message,
        mix: None,
        keys: Keys::One,
        stride: None,
    }
}
