//! `ropewalk sum`, compared with the commands of coreutils whose formats it writes and reads.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{Read, Write},
    os::unix::{
        ffi::OsStrExt,
        fs::{FileExt, symlink},
    },
    path::Path,
    process::{Command, Output, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

mod common;
use common::runs::{command, stderr, wait_until};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

/// The hash functions with a command in coreutils.
const NAMES: [&str; 6] = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];

/// The command in a folder.
fn sum(folder: &TempDir, words: &str) -> Command {
    let mut command = command(Path::new(PROGRAM));
    command.arg("sum").args(words.split_whitespace()).current_dir(folder.path());
    command.stdin(Stdio::null());
    command
}

/// The command of coreutils.
fn theirs(folder: &TempDir, name: &str, words: &str) -> Command {
    let mut command = Command::new(format!("{name}sum"));
    command.args(words.split_whitespace()).current_dir(folder.path()).env("LC_ALL", "C");
    command.stdin(Stdio::null());
    command
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn text(len: usize) -> Vec<u8> {
    (0..len as u32).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 24) as u8).collect()
}

#[track_caller]
fn same(ours: &Output, theirs: &Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&ours.stdout), text(&theirs.stdout));
    assert_eq!(ours.status.code(), theirs.status.code(), "{}", stderr(ours));
}

/// Compares standard error too.
#[track_caller]
fn same_in_all(ours: &Output, theirs: &Output, name: &str) {
    same(ours, theirs);
    let said = stderr(theirs).replace(&format!("{name}sum: "), "ropewalk: ");
    assert_eq!(
        stderr(ours),
        said.replace(&format!(" {} checksum", name.to_uppercase()), " checksum")
    );
}

#[test]
fn every_length_is_hashed_right() {
    let folder = tempfile::tempdir().unwrap();
    let all = text(5 << 20);
    let edges = [24 << 10, 48 << 10, 64 << 10, 512 << 10, 1 << 20, 3 << 19, 2 << 20, 4 << 20];
    let edges = edges.iter().flat_map(|edge| [edge - 1, *edge, edge + 1]);
    let mut names = Vec::new();
    for (i, len) in (0..=200).chain([1000; 40]).chain(edges).chain([0, 1, 5 << 20]).enumerate() {
        let name = format!("{i}-{len}");
        fs::write(folder.path().join(&name), &all[all.len() - len..]).unwrap();
        names.push(name);
    }
    for name in NAMES {
        let want = theirs(&folder, name, "").args(&names).output().unwrap();
        for words in ["", "--lanes off", "--threads 1", "--threads 3 --lanes auto", "--threads 256"]
        {
            let ours = sum(&folder, words).arg("-a").arg(name).args(&names).output().unwrap();
            same(&ours, &want);
        }
    }
    for name in
        ["sha512-256", "sha3-224", "sha3-256", "sha3-384", "sha3-512", "shake128", "shake256"]
    {
        let run = |words| sum(&folder, words).arg("-a").arg(name).args(&names).output().unwrap();
        same(&run(""), &run("--lanes off"));
    }
    let masked = sum(&folder, "").env("ROPEWALK_CPU", "-sha").args(&names).output().unwrap();
    same(&masked, &theirs(&folder, "sha256", "").args(&names).output().unwrap());
}

#[test]
fn names_are_written_as_theirs_are() {
    let names = [
        &b"a"[..],
        b"a b",
        b"b\\c",
        b"n\nl",
        b"c\rr",
        b"\\n",
        b" x",
        b"*y",
        b"\xff\xe4",
        b"z ",
        b"t\tt",
        b"(a) = b",
    ];
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        fs::write(folder.path().join(OsStr::from_bytes(name)), name).unwrap();
    }
    let names = names.map(OsStr::from_bytes);
    for words in [
        "",
        "-b",
        "-t",
        "--text",
        "--binary",
        "--tag",
        "-z",
        "--tag --zero",
        "-z -b",
        "-b -t",
        "-t -b",
    ] {
        for name in ["md5", "sha256"] {
            let ours = sum(&folder, words).args(["-a", name, "--"]).args(names).output().unwrap();
            same(&ours, &theirs(&folder, name, words).arg("--").args(names).output().unwrap());
        }
    }
    // Each reads the other's output.
    for words in ["", "-b", "--tag"] {
        let list = sum(&folder, words).arg("--").args(names).output().unwrap().stdout;
        fs::write(folder.path().join("list"), list).unwrap();
        let theirs = theirs(&folder, "sha256", "-c list").output().unwrap();
        let ours = sum(&folder, "-c list").output().unwrap();
        same_in_all(&ours, &theirs, "sha256");
        assert_eq!(ours.stdout.iter().filter(|byte| **byte == b'\n').count(), names.len());
    }
}

#[test]
fn what_cannot_be_read_is_a_line_and_the_rest_goes_on() {
    let folder = folder(&[("a", b"a"), ("b", b"")]);
    fs::create_dir(folder.path().join("dir")).unwrap();
    symlink("nowhere", folder.path().join("dangling")).unwrap();
    symlink("a", folder.path().join("link")).unwrap();
    let words = "a nope dir dangling link /proc/self/mem b/c b";
    let ours = sum(&folder, words).output().unwrap();
    same_in_all(&ours, &theirs(&folder, "sha256", words).output().unwrap(), "sha256");
    assert_eq!(ours.status.code(), Some(1));
    assert!(stderr(&ours).starts_with("ropewalk: nope: No such file or directory\n"));
    let odd = sum(&folder, "").arg("no\n\x1b[2J").output().unwrap();
    assert_eq!(stderr(&odd), "ropewalk: no\\x0a\\x1b[2J: No such file or directory\n");
    let walk = sum(&folder, "-r dir nope").output().unwrap();
    assert_eq!(stderr(&walk), "ropewalk: nope: No such file or directory\n");
    let files = folder.path().join("proc");
    fs::write(&files, "").unwrap();
    // Files whose length is unknown before they are read.
    same(
        &sum(&folder, "/proc/version /proc/cmdline").output().unwrap(),
        &theirs(&folder, "sha256", "/proc/version /proc/cmdline").output().unwrap(),
    );
}

/// A tree with a loop, and a large file before small ones.
fn tree() -> (TempDir, Vec<OsString>) {
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for at in ["t", "t/a", "t/a/b", "t/a.b", "t/z"] {
        fs::create_dir(folder.path().join(at)).unwrap();
        symlink("..", folder.path().join(at).join("up")).unwrap();
        for i in 0..300 {
            let name = format!("{at}/{i}");
            let len = if i % 100 == 10 { 3 << 20 } else { i };
            fs::write(folder.path().join(&name), text(len)).unwrap();
            names.push(name.into());
        }
    }
    names.sort();
    (folder, names)
}

#[test]
fn order_is_that_of_names_whatever_threads_do() {
    let (folder, names) = tree();
    let want = theirs(&folder, "sha256", "").args(&names).output().unwrap();
    for words in ["-r t", "-r t/ --threads 1", "--recursive t --threads 7 --lanes off"] {
        let mut ours = sum(&folder, words).output().unwrap();
        let text = String::from_utf8(ours.stdout).unwrap();
        ours.stdout = text.replace("//", "/").into_bytes();
        same(&ours, &want);
    }
    let turned: Vec<_> = names.iter().rev().collect();
    let ours = sum(&folder, "").args(&turned).output().unwrap();
    same(&ours, &theirs(&folder, "sha256", "").args(&turned).output().unwrap());
    let loops = sum(&folder, "-r t/a/up/z t/z/up/z/0").output().unwrap();
    assert_eq!(loops.stdout.iter().filter(|byte| **byte == b'\n').count(), 301);
}

#[test]
fn lists_are_checked_as_theirs_are() {
    let folder = folder(&[("a", b"a"), ("b", b"b"), ("n\nl", b"n"), ("x y", b"")]);
    let (names, path) = (["a", "b", "n\nl", "x y"], folder.path());
    for name in NAMES {
        for words in ["", "--tag", "-b"] {
            let list = theirs(&folder, name, words).args(names).output().unwrap().stdout;
            let list = String::from_utf8(list).unwrap();
            let write = |file: &str, text: &str| fs::write(path.join(file), text).unwrap();
            write("good", &list);
            write("crlf", &list.replace('\n', "\r\n"));
            write("commented", &format!("# of files\n\n{list}"));
            write("wrong", &list.replacen(&list[list.len() - 9..list.len() - 6], "000", 1));
            write("bad", &list.replace("  ", " 1 ").replace("= ", "=0"));
            write("mixed", &format!("nothing\n{list}{}", list.replace("x y", "absent")));
            write(
                "swapped",
                &list.replacen('a', "b", 1).replace("(a)", "(b)").replace("  b\n", "  a\n"),
            );
            write("empty", "");
            for file in ["good", "crlf", "commented", "wrong", "bad", "mixed", "swapped", "empty"] {
                for how in ["", "--quiet", "--status", "--strict", "--ignore-missing", "--warn"] {
                    let words = format!("--check {how} {file}");
                    let theirs = theirs(&folder, name, &words).output().unwrap();
                    let ours = sum(&folder, &words).args(["-a", name]).output().unwrap();
                    // coreutils quotes names with spaces there.
                    if file == "bad" {
                        same(&ours, &theirs);
                        continue;
                    }
                    same_in_all(&ours, &theirs, name);
                    // The function follows from the length of a digest, or from its tag.
                    same_in_all(&sum(&folder, &words).output().unwrap(), &theirs, name);
                }
            }
            let two = "-c mixed good swapped nowhere";
            let theirs = theirs(&folder, name, two).output().unwrap();
            same_in_all(&sum(&folder, two).output().unwrap(), &theirs, name);
        }
    }
}

#[test]
fn verdicts_are_exit_codes() {
    let folder = folder(&[("a", b"a")]);
    let list = |line: &str| fs::write(folder.path().join("list"), line).unwrap();
    let code = |words: &str| {
        let output = sum(&folder, words).output().unwrap();
        let written = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code().unwrap(), written, stderr(&output))
    };
    let md5 = "0cc175b9c0f1b6a831c399e269772661";
    list(&format!("{md5}  a\nMD5(a)= {md5}\n"));
    assert_eq!(code("-c list"), (0, "a: OK\na: OK\n".into(), String::new()));
    list(&format!("{}  a\n", md5.replace('0', "1")));
    let said = "ropewalk: WARNING: 1 computed checksum did NOT match\n";
    assert_eq!(code("-c list"), (1, "a: FAILED\n".into(), said.into()));
    assert_eq!(code("-c list --status"), (1, String::new(), String::new()));
    list("what\nis this\n");
    let said = "ropewalk: list: no properly formatted checksum lines found\n";
    assert_eq!(code("-c list"), (1, String::new(), said.into()));
    list(&format!("{md5}  b\n"));
    let said = "ropewalk: list: no file was verified\n";
    assert_eq!(code("-c list --ignore-missing"), (1, String::new(), said.into()));
    assert_eq!(code("-c nowhere").0, 1);
    assert_eq!(code("-c .").2, "ropewalk: .: Is a directory\n");
    for words in [
        "--quiet a",
        "-c -z list",
        "-c --tag list",
        "-c -r .",
        "--threads 0",
        "--threads 257",
        "--lanes on",
    ] {
        assert_eq!(code(words).0, 2, "{words}");
    }
    let (code, _, said) = code("-a sha265 a");
    assert_eq!(code, 2);
    assert!(said.contains("the nearest are sha256") && said.contains("shake128"), "{said}");
}

fn fed(mut command: Command, text: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn standard_input_is_a_file_and_a_list() {
    let folder = folder(&[("a", b"a")]);
    let large = text((3 << 20) + 7);
    for (words, text) in [("", &b"text"[..]), ("- a", &large), ("a - -", b""), ("--tag -", &large)]
    {
        let ours = fed(sum(&folder, words), text);
        same(&ours, &fed(theirs(&folder, "sha256", words), text));
    }
    let list = theirs(&folder, "sha1", "a").output().unwrap().stdout;
    let none = "no list\n".into();
    for list in [list.clone(), [&list[..40], b"  -\n"].concat(), none] {
        let ours = fed(sum(&folder, "--check"), &list);
        let theirs = fed(theirs(&folder, "sha1", "--check"), &list);
        same(&ours, &theirs);
        assert_eq!(
            stderr(&ours).replace('\'', ""),
            stderr(&theirs).replace("sha1sum: ", "ropewalk: ").replace('\'', "")
        );
    }
}

#[test]
fn closed_pipe_is_success_and_full_disk_is_not() {
    let (folder, _) = tree();
    let mut child = sum(&folder, "-r t t t t").stdout(Stdio::piped()).spawn().unwrap();
    let mut some = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = sum(&folder, "-r t").stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("No space left"), "{}", stderr(&output));
}

/// An interrupt also ends a wait for a file. Finished lines are written.
#[test]
fn interrupt_ends_it() {
    let folder = folder(&[("a", b"a")]);
    let mut command = sum(&folder, &"a ".repeat(1000));
    let mut child = command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = [0; 68];
    child.stdout.as_mut().unwrap().read_exact(&mut line).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    // Its standard input is open until it has ended.
    wait_until(|| child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(line.ends_with(b"  a\n"));
}

/// Lists of functions with the same digest length as the default are recognized too, and reported
/// once.
#[test]
fn lists_of_every_function_are_checked() {
    let folder = folder(&[("a", b"a"), ("b", b""), ("large", &text(5 << 20))]);
    let names = ["a", "large", "b"];
    for algorithm in ropewalk::hash::Algorithm::ALL {
        let name = algorithm.name();
        let usual = match algorithm.digest_len() {
            28 => "sha224",
            32 => "sha256",
            48 => "sha384",
            64 => "sha512",
            _ => name,
        };
        let output = sum(&folder, "-a").arg(name).args(names).output().unwrap();
        let list = String::from_utf8(output.stdout).unwrap();
        fs::write(folder.path().join("list"), &list).unwrap();
        let told = match name == usual {
            true => String::new(),
            false => format!(
                "ropewalk: list: its digests are of {name}, and not of {usual}, which has as many digits\n"
            ),
        };
        for words in ["-c list", "-c list --threads 1 --lanes off", "-c list list"] {
            let output = sum(&folder, words).output().unwrap();
            let lists = words.matches("list").count();
            assert_eq!(output.status.code(), Some(0), "{name} {words}: {}", stderr(&output));
            let written = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(written, "a: OK\nlarge: OK\nb: OK\n".repeat(lists), "{name}");
            assert_eq!(stderr(&output), told.repeat(lists), "{name} {words}");
        }
        let silent = sum(&folder, "-c --status list").output().unwrap();
        assert_eq!((silent.status.code(), stderr(&silent)), (Some(0), String::new()), "{name}");
        let named = sum(&folder, "-c list -a").arg(name).output().unwrap();
        assert_eq!((named.status.code(), stderr(&named)), (Some(0), String::new()), "{name}");

        // A wrong digest is wrong for every function, and does not hide the function of the list.
        let digit = if list.starts_with('0') { "1" } else { "0" };
        fs::write(folder.path().join("list"), digit.to_owned() + &list[1..]).unwrap();
        let output = sum(&folder, "-c list").output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}");
        let written = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(written, "a: FAILED\nlarge: OK\nb: OK\n", "{name}");
        let warning = "ropewalk: WARNING: 1 computed checksum did NOT match\n";
        assert_eq!(stderr(&output), told + warning, "{name}");
    }
}

/// Most of it is a hole, which takes no disk space.
#[test]
#[ignore = "takes half a minute: `cargo xtask deep past` asks for it"]
fn a_file_past_4_gib() {
    let folder = tempfile::tempdir().unwrap();
    let file = File::create(folder.path().join("large")).unwrap();
    file.set_len(5 << 30).unwrap();
    for at in [0, (1 << 31) - 5, (1 << 32) - 5, (5 << 30) - 10] {
        file.write_all_at(b"some bytes", at).unwrap();
    }
    let theirs = theirs(&folder, "sha256", "large").output().unwrap();
    same(&sum(&folder, "large").output().unwrap(), &theirs);
    // Another method of reading it, and a list.
    let mut piped = sum(&folder, "--threads 1 - large");
    piped.stdin(File::open(folder.path().join("large")).unwrap());
    let digest = String::from_utf8(theirs.stdout.clone()).unwrap();
    let both = digest.replace("large", "-") + &digest;
    assert_eq!(String::from_utf8(piped.output().unwrap().stdout).unwrap(), both);
    fs::write(folder.path().join("list"), theirs.stdout).unwrap();
    let checked = sum(&folder, "-c list").output().unwrap();
    assert_eq!(String::from_utf8(checked.stdout).unwrap(), "large: OK\n");
}
