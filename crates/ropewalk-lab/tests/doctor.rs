//! `ropewalk doctor` for this machine and its processes, through the command line.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

mod common;
use common::{
    fakes::Fake,
    runs::{command, stderr},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

fn doctor(words: &str) -> Command {
    let mut command = command(Path::new(PROGRAM));
    for mask in ["OPENSSL_ia32cap", "OPENSSL_armcap", "NETTLE_FAT_OVERRIDE", "GODEBUG"] {
        command.env_remove(mask);
    }
    command.arg("doctor").args(words.split_whitespace());
    command
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(output)))
}

fn libraries<'a>(told: &'a Value, kind: &str) -> Vec<&'a Value> {
    let all = told["libraries"].as_array().expect("a list").iter();
    all.filter(|library| library["kind"] == kind).collect()
}

/// Whether this program runs natively. Through an emulator, files and processes are the host's.
fn is_native() -> bool {
    let native = command(Path::new(PROGRAM)).get_program() == PROGRAM;
    if !native {
        eprintln!("skipped: through an emulator, the host's libraries and processes are seen");
    }
    native
}

#[test]
fn exit_status_reports_faults() {
    let output = doctor("--no-measure --json").output().unwrap();
    let told = json(&output);
    let wrong = !told["wrong"].as_array().unwrap().is_empty();
    assert_eq!(output.status.code(), Some(if wrong { 4 } else { 0 }), "{told}");
    for library in told["libraries"].as_array().unwrap() {
        let no_fault = ["old", "no_release", "unknown"];
        let bad = library["cause"].as_str().is_some_and(|cause| !no_fault.contains(&cause));
        assert!(!bad || wrong, "{library}");
        let slower = ["slower", "not_accelerated", "wrong"];
        let is_slower = slower.iter().any(|slower| library["verdict"] == *slower);
        assert_eq!(is_slower, library["cause"].is_string(), "{library}");
        assert!(library["speeds"].as_array().unwrap().is_empty(), "{library}");
        assert!(library["path"].is_string() && library["why"].is_string(), "{library}");
    }
    let text = doctor("--no-measure --all").output().unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    // A path or a flag may be longer than a line.
    let wide = |line: &&str| line.chars().count() > 80 && line.split_whitespace().count() > 3;
    assert_eq!(text.lines().find(wide), None);
    let at = |head: &str| text.find(head).unwrap_or_else(|| panic!("no {head} in {text}"));
    assert!(at("rong") < at("Processor features") && at("Processor features") < at("Backends"));
}

/// A library that reports its version and one that crashes, both in front of those of the system.
#[test]
fn libraries_are_queried_in_separate_processes() {
    if !is_native() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::copy(Fake::Lacking.build("doctor"), folder.path().join("libcrypto.so.8")).unwrap();
    fs::copy(Fake::Crashing.build("doctor"), folder.path().join("libcrypto.so.9")).unwrap();
    fs::write(folder.path().join("libsodium.so.1"), b"\x7fELF and no more").unwrap();
    let output =
        doctor("--no-measure --json").env("LD_LIBRARY_PATH", folder.path()).output().unwrap();
    let told = json(&output);
    let of = |file: &str| {
        let of_it = |library: &&Value| library["path"].as_str().unwrap().ends_with(file);
        let all = told["libraries"].as_array().unwrap().iter();
        all.filter(|library| library["by"] == "variable").find(of_it).unwrap().clone()
    };
    assert_eq!(of("libcrypto.so.8")["version"], "OpenSSL 1.1.1 fake");
    let crashed = of("libcrypto.so.9")["notes"].to_string();
    assert!(crashed.contains("killed by SIGSEGV"), "{crashed}");
    let damaged = of("libsodium.so.1");
    assert_eq!(damaged["verdict"], "not_told", "{damaged}");
    assert!(damaged["notes"].to_string().contains("a damaged ELF file"), "{damaged}");
}

#[test]
fn masks_in_the_environment_are_reported() {
    let (name, value) = match cfg!(target_arch = "x86_64") {
        true => ("OPENSSL_ia32cap", "~0x200000000000000:~0x20000000000"),
        false => ("OPENSSL_armcap", "0"),
    };
    let output = doctor("--no-measure --json").env(name, value).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let told = json(&output);
    let complaint = &told["wrong"].as_array().unwrap().iter().find(|it| it["what"] == name);
    assert_eq!(complaint.unwrap()["remedy"], format!("unset {name}"));
    assert_eq!(told["masks"][0]["value"], value);
    // The description of a library does not depend on the caller's environment.
    for library in told["libraries"].as_array().unwrap() {
        assert!(!library["why"].as_str().unwrap().contains(name), "{library}");
    }
}

/// The verdict on uses is tested in `measured.rs`, with given figures.
#[test]
fn uses_are_measured() {
    if !is_native() {
        return;
    }
    let output = doctor("--json").output().unwrap();
    let told = json(&output);
    let here = |name: &str| {
        let features = told["features"].as_array().unwrap().iter();
        features.clone().any(|feature| feature["name"] == name && feature["state"] == "visible")
    };
    let measured = ["libcrypto", "libgcrypt", "nettle", "gnutls"];
    let mut seen = 0;
    for library in measured.iter().flat_map(|kind| libraries(&told, kind)) {
        for speed in library["speeds"].as_array().unwrap() {
            assert_eq!(speed["wrong"], false, "{library}");
            assert!(speed["slower"]["times"].as_f64().unwrap() > 0.0, "{library}");
            for uses in speed["uses"].as_array().unwrap().iter().filter(|it| it["feature"] == "aes")
            {
                assert!(here("aes"), "{library}");
                let times = uses["faster"]["times"].as_f64();
                assert!(times.is_none_or(|times| times > 0.0), "{library}");
                assert_eq!(times.is_none(), uses["note"].is_string(), "{library}");
                seen += 1;
            }
        }
    }
    if seen == 0 {
        eprintln!("skipped: no AES instructions, or no library here that could use them");
    }
}

/// A worker waits for requests with its library mapped.
#[test]
fn mapped_libraries_of_processes_are_listed() {
    if !is_native() {
        return;
    }
    let library = Fake::Lacking.build("doctor-pid");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("libcrypto.so.8");
    fs::copy(library, &path).unwrap();
    let mut child = command(Path::new(PROGRAM))
        .args(["worker", "--peer", "libcrypto", "--library"])
        .arg(&path)
        .env("OPENSSL_ia32cap", "~0x200000000000000")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut opened = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut opened).unwrap();
    assert!(opened.contains("OpenSSL 1.1.1 fake"), "{opened}");
    let look = || doctor(&format!("--json --pid {}", child.id())).output().unwrap();
    let mapped = |told: &Value| {
        let all = told["mapped"].as_array().unwrap();
        all.iter().find(|it| it["kind"] == "libcrypto").expect("it is mapped").clone()
    };
    let told = json(&look());
    assert_eq!(mapped(&told)["replaced"], false);
    assert_eq!(mapped(&told)["path"], path.to_str().unwrap());
    assert_eq!(told["masks"][0]["name"], "OPENSSL_ia32cap");
    // The command itself contains ropewalk.
    assert!(told["mapped"].as_array().unwrap().iter().any(|it| it["kind"] == "program"));

    fs::remove_file(&path).unwrap();
    let output = look();
    assert_eq!(output.status.code(), Some(4));
    let told = json(&output);
    assert_eq!(mapped(&told)["replaced"], true);
    assert_eq!(mapped(&told)["path"], path.to_str().unwrap());
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn processes_that_are_not_there_are_named() {
    let output = doctor("--pid 2147483647").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "error: there is no process 2147483647\n");
    let output = doctor("--pid 0").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let both = doctor("--pid 1 file").output().unwrap();
    assert_eq!(both.status.code(), Some(2));
}
