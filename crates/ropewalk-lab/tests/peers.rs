//! Every peer gives the results of the portable backend, or a reason in one line.

mod common;

use std::{fs, path::Path, process::Stdio, time::Duration};

use common::{
    Outcomes, c_library, cells, cells_with_new_keys, expected, fakes::Fake, libraries, outcomes,
    peer, right_answer, task, this_program,
};
use ropewalk_lab::{
    peers::{PEERS, Peer, Unavailable, has, names},
    tasks::{Cell, Keys, Kind, Mode, TASKS, Task, words::find},
};

/// Reasons for the absence of a peer.
const MAY_BE: [&str; 4] = [
    "not installed",
    "has no code for this processor",
    "is not built in for this processor",
    "needs features that this processor lacks",
];

/// Reasons for missing tasks, other than that a peer, or some versions of it, lacks them. Tasks are words for the command
/// line, or names as in [`Peer::has`].
const REASONS: &[(&str, &[&str], &str)] = &[
    ("aws-lc-rs", &["ctr"], "its streams are not in place"),
    ("crypto_mb", &["keys"], "takes eight at once: --count 8"),
    ("gnutls", &["chacha20"], "a stream goes on in whole blocks"),
    ("gnutls", &["x25519", "ed25519"], "its curves are not called here"),
    ("gnutls", &["p256"], "computes no public key of a given private one"),
    ("graviola", &["hmac"], "keeps no key of a MAC ready"),
    ("ipsec-mb", &["aes-*-cbc-hmac-sha1"], "must know beforehand how long a padding is"),
    ("ipsec-mb", &["aes-*-cbc-hmac-sha256"], "must know beforehand how long a padding is"),
    ("ipsec-mb", &["3des"], "its triple DES is not called here"),
    ("ipsec-mb", &["ctr", "gcm", "3des", "rc4", "chacha20"], "takes messages whole"),
    ("ipsec-mb", &["chacha20-poly1305", "mac", "hash"], "takes messages whole"),
    ("ipsec-mb", &["chacha20"], "its ChaCha20 counts from one"),
    ("ipsec-mb", &["md5"], "has no MD5 but in HMAC"),
    ("ipsec-mb", &["sha3", "shake*"], "has no SHA-3 before 3"),
    // Versions of 1, and the first of 2.
    ("ipsec-mb", &["hmac"], "takes no empty message in HMAC before 2.0.2"),
    ("libcrypto", &["chacha20"], "its ChaCha20 takes messages whole"),
    ("libcrypto", RECORDS, "takes records of 51 bytes or more"),
    ("libcrypto", RECORDS, "takes records of one length and one key"),
    ("libgcrypt", &["random"], "its generator is not called here"),
    ("libsodium", &["chacha20"], "a stream goes on in whole blocks"),
    ("mbedtls", &["x25519", "ed25519"], "its curves are not called here"),
    // Version 3 has none.
    ("mbedtls", &["rc4"], NO_SUCH),
    // Versions of 2 have none of these.
    ("mbedtls", &["sha3", "hmac-sha3-*"], NO_SUCH),
    ("mbedtls", &["aes-*-kw"], "has no AES key wrap"),
    ("nettle", &["ctr", "chacha20"], "a stream goes on in whole blocks"),
    ("nettle", &["poly1305"], "has Poly1305 with AES only"),
    ("nettle", &["shake128"], "has no SHAKE128 in all of 3"),
    ("nettle", &["random"], "its generator is not called here"),
    ("nettle", &["keys"], "its libhogweed.so.6, which has public keys, is not next to it"),
    ("nss", &["chacha20"], "its ChaCha20 takes messages whole"),
    // Older versions have none of these.
    ("nss", &["sha3", "hmac-sha3-*"], NO_SUCH),
    ("nss", &["x25519", "ed25519"], "its curves are not called here"),
    ("nss", &["p256"], "computes no public key of a given private one"),
    ("ropewalk-c", &["aes-*-ecb", "aes-*-kw", "aes-*-gmac"], "is measured as ropewalk"),
    ("ropewalk-c", &["poly1305", "random"], "is measured as ropewalk"),
    ("ropewalk-c", &["aes-128-gcm", "aes-256-gcm"], "keeps a key where it was made: see rekey"),
    ("rustcrypto", &["poly1305"], "its pieces are whole blocks"),
    // An option of its build.
    ("wolfssl", &["shake128"], NO_SUCH),
    ("wolfssl", &["xts"], "encrypts only whole blocks in place before 5.6"),
];

const RECORDS: &[&str] = &["aes-*-cbc-hmac-sha1", "aes-*-cbc-hmac-sha256"];

/// Stands for the text of [`Unavailable::no`] for the task.
const NO_SUCH: &str = "";

#[test]
fn answers_are_right() {
    assert_right(cells, true);
}

#[test]
fn answers_with_new_keys_are_right() {
    assert_right(cells_with_new_keys, false);
}

/// The C library's call for a batch, and a loop of its call for one message, are rows of their own.
#[test]
fn the_c_library_has_a_row_for_many_and_one_for_a_loop() {
    let Some(library) = c_library() else { return };
    let opened = peer("ropewalk-c").open(&library).expect("it opens");
    assert_eq!(opened.version(), concat!("ropewalk ", env!("CARGO_PKG_VERSION")));
    for name in
        ["aes-128-gcm", "aes-256-ccm", "aes-128-cbc", "sha256", "hmac-sha256", "x25519", "ed25519"]
    {
        assert_eq!(opened.backends(task(name), 64), ["", "one by one"], "{name}");
        assert_eq!(opened.backends(task(name), 1), [""], "{name}");
    }
}

/// The distance between messages changes no result.
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

/// A record is longer than its text, and may not fit into the distance of texts.
#[test]
fn a_record_without_room_at_its_stride_is_reported() {
    let ours = peer("ropewalk").open("").expect("it is built in");
    let task = task("aes-128-cbc-hmac-sha1");
    let (mode, keys) = (Mode::Message, Keys::One);
    let cell = Cell { task, bytes: 1344, count: 4, mode, mix: None, keys, stride: Some(1344) };
    let backend = ours.backends(task, 4).swap_remove(0);
    let why = ours.prepare(&cell, &backend).err().expect("it has no room");
    assert_eq!(why.0, "a record has 1376 bytes, and the stride 1344");
}

/// Checks every peer. With `all`, the cells are of all tasks, and a built-in peer must support all the tasks that it lists.
///
/// Libraries that are [`expected`] must be present, so that a skipped test cannot pass.
fn assert_right<C: Iterator<Item = Cell>>(cells: impl Fn() -> C, all: bool) {
    let mut missing = expected();
    // The algorithms of the kernel depend on its configuration: `kernel` tests that.
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
            let Outcomes { mut wrong, right } = outcomes(peer.name(), &*opened, cells());
            // Most of them seal only whole messages.
            wrong.retain(|lack| !lack.ends_with(": a message goes through whole"));
            if !has_legacy_provider(&opened.path()) {
                wrong.retain(|lack| !lack.contains(": cannot load its provider legacy: "));
            }
            wrong.sort();
            // The reason may be repeated for each mode.
            wrong.dedup();
            let is_built_in = opened.path().is_none();
            for task in TASKS.iter().filter(|task| task.kind.of_libraries()) {
                let (has, is_right) = (has(*peer, task), right.contains(task.name));
                assert!(has || !is_right, "{} has {}, and does not say so", peer.name(), task.name);
                let must = has && all && is_built_in;
                assert!(is_right || !must, "{} says that it has {}", peer.name(), task.name);
            }
            let mut allowed = reasons(*peer);
            if !all || !is_built_in {
                // Another version may have other functions.
                wrong.retain(|lack| !lack.contains(": no symbol "));
                allowed.retain(|lack| wrong.contains(lack));
            }
            // A more specific reason replaces this one.
            let lacks = default_reasons(*peer);
            wrong.retain(|lack| !lacks.contains(lack));
            assert_eq!(wrong, allowed, "{} {library}", peer.name());
        }
    }
    assert!(missing.is_empty(), "{missing:?} should be here");
}

/// The reasons of [`REASONS`], of each task.
fn reasons(peer: &dyn Peer) -> Vec<String> {
    let of_peer = REASONS.iter().filter(|(name, ..)| *name == peer.name());
    let each = of_peer.flat_map(|(_, words, why)| words.iter().map(move |word| (word, why)));
    let mut reasons: Vec<_> = each
        .flat_map(|(word, why)| {
            named(word).into_iter().map(move |task| match *why {
                NO_SUCH => format!("{}: {}", task.name, Unavailable::no(task.kind)),
                why => format!("{}: {why}", task.name),
            })
        })
        .collect();
    reasons.sort();
    reasons.dedup();
    reasons
}

/// The tasks that a word selects.
fn named(word: &str) -> Vec<&'static Task> {
    match word.contains('*') {
        true => TASKS.iter().filter(|task| names(word, task.name)).collect(),
        false => find(word).expect("it names a task"),
    }
}

/// The default reasons for tasks that a peer lacks.
fn default_reasons(peer: &dyn Peer) -> Vec<String> {
    let lacking = TASKS.iter().filter(|task| !has(peer, task));
    lacking.map(|task| format!("{}: {}", task.name, Unavailable::lacks(peer, task))).collect()
}

/// Whether the provider with legacy ciphers is in Debian's folder.
fn has_legacy_provider(library: &Option<String>) -> bool {
    let beside = library.as_ref().and_then(|path| Path::new(path).parent());
    beside.is_some_and(|folder| folder.join("ossl-modules/legacy.so").is_file())
}

#[test]
fn a_file_that_is_no_library_is_one_line() {
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

/// The libraries that a worker must survive kill and stop the process that opens them.
#[test]
#[cfg(unix)]
fn crash_and_hang_do_crash_and_hang() {
    use std::os::unix::process::ExitStatusExt;
    const LIBRARY: &str = "ROPEWALK_TEST_LIBRARY";
    if let Ok(library) = std::env::var(LIBRARY) {
        refusal(&library);
        return;
    }
    let child = |fake: Fake| {
        let mut child = this_program();
        child.args(["crash_and_hang_do_crash_and_hang", "--exact"]);
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

/// The error of libcrypto when it opens the library.
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
