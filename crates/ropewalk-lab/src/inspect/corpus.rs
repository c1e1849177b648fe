//! The seeds and findings of fuzzing, as a test: each file is judged or refused, in little time.

use std::{fs, path::PathBuf};

use nix::time::{ClockId, clock_gettime};

use object::elf::{PT_LOAD, PT_NOTE, SHT_ARM_ATTRIBUTES, SHT_NOTE, SHT_PROGBITS};

use super::{
    made::{self, AMD64, K256, LIBRARY, Made, NARROW, S_BOX, archive, header, words},
    of_bytes,
};

/// The folder that fuzzers read too.
fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/inspect"))
}

/// More processor time than any of them takes, on any machine.
const PATIENCE: i64 = 60;

/// Seconds of processor time of this thread, independent of other load.
fn seconds() -> i64 {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap().tv_sec()
}

#[test]
fn corpus_is_told_or_refused() {
    let mut count = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let start = seconds();
        if let Err(why) = of_bytes(&bytes) {
            let why = format!("{why:#}");
            assert!(!why.is_empty() && !why.contains('\n'), "{}: {why}", path.display());
        }
        assert!(seconds() - start < PATIENCE, "{}", path.display());
        count += 1;
    }
    assert!(count >= seeds().len(), "{count} files");
}

/// `ROPEWALK_CORPUS=write` writes them.
#[test]
fn corpus_has_every_kind_of_file() {
    let write = std::env::var_os("ROPEWALK_CORPUS").is_some_and(|it| it == "write");
    for (name, bytes) in seeds() {
        let path = folder().join(name);
        if write {
            fs::write(&path, &bytes).unwrap();
        }
        let there = fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(there == bytes, "{name}: differs from what is made; ROPEWALK_CORPUS=write");
    }
}

/// Small files of every architecture, of archives, and hostile ones.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let data = [
        S_BOX,
        K256,
        b"\0OpenSSL 3.0.19 27 Jan 2026\0compiler: gcc -O2\0AES for ARMv8, CRYPTOGAMS by <a@b>\0",
        b"\xff Go buildinf:\x08\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08go1.24.2\0crypto/aes.encryptBlockAsm\0",
    ]
    .concat();
    let marks = [("$x", 0, false), ("$d", 8, false), ("aes_v8_encrypt", 0, true)];
    let arm_marks = [("$a", 0, false), ("$t.1", 16, false), ("$d", 24, false)];
    let x86 = [
        &[0x66, 0x0f, 0x38, 0xdc, 0xc1][..],
        &[0xc4, 0xe2, 0x7d, 0xdc, 0xc1],
        &[0x62, 0xf2, 0x7d, 0x48, 0xdc, 0xc1],
        &[0x0f, 0x38, 0xcb, 0xc1, 0xc3],
    ]
    .concat();
    let aarch64 = words(&[0x4e28_4862, 0x4e28_6842, 0x4e28_4841, 0x4e28_6821, 0x5e03_4041]);
    let arm = words(&[0xf3b0_2324, 0xf3b0_23a4, 0xf304_2cc6, 0xf314_2cc6, 0x2324_ffb0, 0xffb0]);
    let riscv = words(&[0x32c5_8533, 0x36c5_8533, 0xb302_2477, 0x0001_8082, 0xa301_2477]);
    let of = |code: &[u8], symbols: &[(&str, u64, bool)], made: Made<'_>| {
        Made { code, symbols, data: &data, ..made }.bytes()
    };
    let object = of(&aarch64, &marks, Made { kind: 1, ..LIBRARY });

    let whole = of(&aarch64, &marks, LIBRARY);
    let table = u64::from_le_bytes(*whole[40..].first_chunk().expect("it is a header")) as usize;
    // A field of a section: 0x18 is its offset, 0x20 its size, 0x28 another section.
    let with = |section: usize, field: usize, value: &[u8]| {
        let mut changed = whole.clone();
        let at = table + 64 * section + field;
        changed[at..at + value.len()].copy_from_slice(value);
        changed
    };
    let mut counts = whole.clone();
    // No count in the header: the first section states 2^32 - 1.
    counts[60..62].fill(0);
    counts[table + 0x20..table + 0x24].fill(0xff);

    let note = b"\x08\0\0\0\x04\0\0\0\x01\0\0\0Android\0\x15\0\0\0";
    let with_note = [(".note.android.ident", SHT_NOTE, &note[..])];
    let attributes = b"A\x1e\0\0\0aeabi\0\x01\x14\0\0\0\x05Cortex-A7\0\x12\x04\x1c\x01\0";
    let with_attributes = [(".ARM.attributes", SHT_ARM_ATTRIBUTES, &attributes[..])];
    let lto = [(".gnu.lto_main.0", SHT_PROGBITS, &b"compressed"[..])];
    // The note has the same position without the segment, since segments are described last.
    let plain = of(&aarch64, &[], Made { more: &with_note, ..LIBRARY });
    let at = plain.windows(note.len()).position(|it| it == note).expect("it is there") as u64;
    let segments = [(PT_NOTE, 4, at, note.len() as u64), (PT_LOAD, 5, 0, at)];
    let behind = [(PT_NOTE, 4, at, u64::MAX), (PT_LOAD, 5, 1 << 40, 1 << 40)];
    let android = |segments| of(&aarch64, &[], Made { more: &with_note, segments, ..LIBRARY });

    vec![
        ("made-android", android(&segments)),
        ("made-arm-attributes", of(&arm, &[], Made { kind: 1, more: &with_attributes, ..NARROW })),
        ("made-bitcode", b"BC\xc0\xde\x35\x14\0\0\x05\0\0\0\x62\x0c\x30\x24".to_vec()),
        ("made-debug", of(&aarch64, &marks, Made { taken_out: true, ..LIBRARY })),
        ("made-lto", of(&[], &marks, Made { kind: 1, more: &lto, ..LIBRARY })),
        ("hostile-segments", android(&behind)),
        ("made-x86-64", of(&x86, &[], Made { machine: AMD64, ..LIBRARY })),
        ("made-i386", of(&x86, &[], Made { machine: made::I386, ..NARROW })),
        ("made-aarch64", whole.clone()),
        ("made-aarch64-big", of(&aarch64, &marks, Made { big_endian: true, ..LIBRARY })),
        ("made-arm", of(&arm, &arm_marks, NARROW)),
        ("made-arm-be8", of(&arm, &[], Made { big_endian: true, flags: 0x0080_0000, ..NARROW })),
        ("made-arm-be32", of(&arm, &arm_marks, Made { big_endian: true, ..NARROW })),
        ("made-riscv64", of(&riscv, &marks, Made { machine: made::RISCV, ..LIBRARY })),
        ("made-s390", of(&[], &[], Made { machine: 22, big_endian: true, ..LIBRARY })),
        ("made-archive", archive(&[("/", b"\0\0\0\0"), ("a.o/", &object), ("#1/4", b"b.o\0text")])),
        ("made-archive-nested", archive(&[("a.a/", &archive(&[("a.o/", &object)]))])),
        ("made-archive-thin", b"!<thin>\n".to_vec()),
        ("made-archive-cut", archive(&[("a.o/", &object[..40])])),
        ("made-archive-huge", [b"!<arch>\n", header("a.o", 9_999_999_999).as_bytes()].concat()),
        ("made-text", b"INPUT(libcrypto.so.3 AS_NEEDED(libz.so))\n".to_vec()),
        ("made-mach-o", [&[0xcf, 0xfa, 0xed, 0xfe][..], &[0; 60]].concat()),
        ("made-pe", [&b"MZ"[..], &[0; 62]].concat()),
        ("found-lines-in-a-name", archive(&[("a\nb.o/", &object[..40])])),
        ("hostile-cut", whole[..70].to_vec()),
        ("hostile-counts", counts),
        ("hostile-size", with(1, 0x20, &[0xff; 8])),
        ("hostile-place", with(1, 0x18, &[0xff; 8])),
        ("hostile-overlap", with(2, 0x08, &[6])),
        ("hostile-link-to-itself", with(3, 0x28, &[3])),
        ("hostile-link-to-nothing", with(3, 0x28, &[0xff; 4])),
        ("hostile-names", with(4, 0x20, &[0xff; 8])),
        ("hostile-marks", with(1, 0x10, &[0xff; 8])),
    ]
}
