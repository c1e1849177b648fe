//! `ropewalk doctor FILE` for a file that should not be held in memory.

use std::{
    fs::File,
    io::{Seek, SeekFrom, Write},
    path::Path,
    process::Command,
};

use nix::sys::resource::{UsageWho, getrusage};

/// The memory limit of the command, in KiB; touched pages of the file count.
const MEMORY: i64 = 256 << 10;

const LARGE: u64 = 2 << 30;

/// The header of an archive member.
fn header(name: &str, len: u64) -> String {
    format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{len:<10}`\n", 0, 0, 0, 644)
}

/// Zeros between a start and an end, as a sparse file.
fn sparse(path: &Path, start: &[u8], end: &[u8]) {
    let mut file = File::create(path).unwrap();
    file.write_all(start).unwrap();
    file.seek(SeekFrom::Start(start.len() as u64 + LARGE)).unwrap();
    file.write_all(end).unwrap();
    file.set_len(start.len() as u64 + LARGE + end.len() as u64).unwrap();
}

#[test]
fn two_gibibytes_are_examined_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let said = |name: &str, start: &[u8], end: &[u8]| {
        let path = folder.path().join(name);
        sparse(&path, start, end);
        let mut doctor = Command::new(env!("CARGO_BIN_EXE_ropewalk"));
        let out = doctor.arg("doctor").arg(&path).output().unwrap();
        std::fs::remove_file(path).unwrap();
        String::from_utf8(out.stdout).unwrap()
    };
    let archive = [b"!<arch>\n", header("zeros", LARGE).as_bytes()].concat();
    let object = [header("text", 4).as_bytes(), b"text"].concat();
    let text = said("large.a", &archive, &object);
    assert!(text.contains("an archive without ELF objects"), "{text}");

    let archive = [b"!<arch>\n", header("a.o", LARGE).as_bytes()].concat();
    let elf = [0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let text = said("object.a", &[archive, elf.to_vec()].concat(), &[]);
    assert!(text.contains("a.o: 2048 MiB: more than 512 are not read"), "{text}");

    let text = said("large.so", &elf, &[]);
    assert!(text.contains("2048 MiB: more than 512 are not read"), "{text}");
    let text = said("large.txt", b"text", &[]);
    assert!(text.contains("not a binary file"), "{text}");

    let most = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    assert!(most < MEMORY, "{most} KiB");
}
