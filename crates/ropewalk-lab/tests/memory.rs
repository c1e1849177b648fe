//! `ropewalk sum` of many files uses little memory. This program has a single test: the kernel reports the peak over
//! all child processes.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    process::Stdio,
};

use nix::sys::resource::{UsageWho, getrusage};
use tempfile::TempDir;

mod common;
use common::runs::{command, stderr};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

/// In KiB.
const MOST: i64 = 64 << 10;

/// A tree of many files with long names, large files, and a long list.
#[test]
fn memory_is_bounded() {
    if command(Path::new(PROGRAM)).get_program() != PROGRAM {
        return eprintln!("skipped: an emulator's memory is its own");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    fs::create_dir(&path).unwrap();
    let text: Vec<u8> = (0..30_000u32).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 24) as u8).collect();
    for i in 0..4000 {
        fs::write(path.join(format!("{i}-{}", "x".repeat(200))), &text[..i * 7]).unwrap();
    }
    for i in 0..4 {
        File::create(path.join(format!("large {i}"))).unwrap().set_len(200 << 20).unwrap();
    }
    for words in ["-r t -a md5", "-r t --threads 64"] {
        let (lines, said) = in_little_memory(&folder, words);
        assert_eq!((lines, said.as_str()), (4004, ""));
    }
    let mut list = File::create(folder.path().join("list")).unwrap();
    for _ in 0..200_000 {
        list.write_all(b"d41d8cd98f00b204e9800998ecf8427e  nowhere\n").unwrap();
    }
    // An endless line.
    list.set_len(300 << 20).unwrap();
    let (lines, said) = in_little_memory(&folder, "-c list --ignore-missing");
    assert!(lines == 0 && said.contains("1 line is improperly"), "{said}");
}

/// Lines of output, and standard error.
fn in_little_memory(folder: &TempDir, words: &str) -> (usize, String) {
    let mut sum = command(Path::new(PROGRAM));
    sum.arg("sum").args(words.split_whitespace()).current_dir(folder.path()).stdin(Stdio::null());
    let output = sum.output().unwrap();
    let most = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    assert!(0 < most && most < MOST, "{words}: {most} KiB");
    (output.stdout.iter().filter(|byte| **byte == b'\n').count(), stderr(&output))
}
