//! Files without code to examine are not reported to lack anything.

use object::elf::{PF_X, PT_LOAD, SHT_PROGBITS};

use super::*;

const OBJECT: Made<'_> = Made { kind: 1, ..LIBRARY };
const BITCODE: &[u8] = b"BC\xc0\xde\x35\x14\0\0\x05\0\0\0";

fn of(made: &Made<'_>) -> Finding {
    of_bytes(&made.bytes()).unwrap()
}

/// It is neither a fault nor a success, and gives no verdict on any algorithm.
fn assert_not_known(found: &Finding, why: &str) {
    assert_eq!(found.verdict, Verdict::NoCode, "{found:?}");
    assert!(found.why.contains(why), "{why}: {}", found.why);
    assert!(!found.verdict.is_bad() && found.remedy.is_none(), "{found:?}");
    assert!(found.algorithms.iter().all(|it| it.verdict == Verdict::NoCode), "{found:?}");
}

#[test]
fn separate_debug_files() {
    let symbols = [("AES_encrypt", 0, true)];
    let code = words(&AES);
    let debug = Made { code: &code, symbols: &symbols, taken_out: true, ..LIBRARY };
    let found = of(&debug);
    assert_not_known(&found, "a separate debug file");
    assert_eq!(found.form, "a separate debug file");
    // Its segments may be described as before.
    let segments = [(PT_LOAD, PF_X.0, 0, 1 << 20)];
    assert_not_known(&of(&Made { segments: &segments, ..debug.clone() }), "a separate debug file");
    // Some systems have a small jump table without bytes, which is no evidence.
    assert_eq!(of(&Made { taken_out: false, ..debug }).verdict, Verdict::Accelerated);
}

#[test]
fn intermediate_code() {
    let lto = [(".gnu.lto_main.0", SHT_PROGBITS, &b"compressed"[..])];
    let slim = Made { more: &lto, ..OBJECT };
    assert_not_known(&of(&slim), "GCC");
    // Fat objects have both.
    let code = words(&AES);
    assert_eq!(of(&Made { code: &code, ..slim.clone() }).verdict, Verdict::Accelerated);
    let wrapped = [&[0xde, 0xc0, 0x17, 0x0b][..], &[0; 16]].concat();
    for bitcode in [BITCODE, &wrapped] {
        let found = of_bytes(bitcode).unwrap();
        assert_not_known(&found, "LLVM bitcode");
        assert_eq!(found.architecture, "unknown");
    }
    let all = archive(&[("a.o/", &slim.bytes()), ("b.o/", BITCODE), ("c.o/", BITCODE)]);
    let found = of_bytes(&all).unwrap();
    assert_not_known(&found, "1 of 3 objects: intermediate code of GCC");
    assert_not_known(&found, "2 of 3 objects: LLVM bitcode");
    assert_eq!(found.form, "an archive of 3 objects");
    let alone = of_bytes(&archive(&[("a.o/", BITCODE)])).unwrap();
    assert_not_known(&alone, "LLVM bitcode");
    // Like Rust's archives: members with only data are not missing.
    let rlib = archive(&[("lib.rmeta/", &OBJECT.bytes()), ("a.o/", BITCODE)]);
    let found = of_bytes(&rlib).unwrap();
    assert!(!found.why.contains("data"), "{}", found.why);
}

/// If a part of an archive could not be examined, it may contain what the rest lacks.
#[test]
fn archives_of_which_a_part_is_known() {
    let with = Made { code: &words(&[AES, SHA].concat()), ..OBJECT }.bytes();
    let without = Made { code: &[0; 16], data: K256, ..OBJECT }.bytes();
    let good = of_bytes(&archive(&[("a.o/", &with), ("b.o/", BITCODE)])).unwrap();
    assert_eq!(good.verdict, Verdict::Accelerated);
    assert!(good.notes[0].contains("1 of 2 objects: LLVM bitcode"), "{good:?}");
    let not_known = of_bytes(&archive(&[("a.o/", &without), ("b.o/", BITCODE)])).unwrap();
    assert_not_known(&not_known, "1 of 2 objects: LLVM bitcode");
    // Objects of tables have only data, and nothing is missing in them.
    let data = Made { data: &tables_of_aes(), ..OBJECT }.bytes();
    assert_not_known(&of_bytes(&data).unwrap(), "data, and no code");
    let bad = of_bytes(&archive(&[("a.o/", &without), ("b.o/", &data)])).unwrap();
    assert_eq!(bad.verdict, Verdict::NotAtAll);
    assert!(bad.notes.is_empty(), "{bad:?}");
}

#[test]
fn files_that_are_cut_short() {
    let code = words(&AES);
    for made in [LIBRARY, NARROW] {
        let whole = Made { code: &code, data: &[0; 400], ..made }.bytes();
        for len in [64, 200, whole.len() - 1] {
            let found = of_bytes(&whole[..len]).unwrap();
            assert_not_known(&found, "cut short");
            assert!(found.why.contains(&format!("{len} are there")), "{}", found.why);
        }
    }
    // Without sections, by its segments.
    let of_segment = |size| {
        let segments = [(PT_LOAD, PF_X.0, 0, size)];
        let mut file = Made { code: &code, segments: &segments, ..LIBRARY }.bytes();
        file[0x28..0x30].fill(0);
        file[0x3c..0x40].fill(0);
        of_bytes(&file).unwrap()
    };
    assert_eq!(of_segment(200).verdict, Verdict::Accelerated);
    assert_not_known(&of_segment(1 << 20), "speak of 1048576 bytes");
    assert_not_known(&of_segment(u64::MAX), "cut short");
    // A section that claims to be longer than the file.
    let whole = Made { code: &code, ..LIBRARY }.bytes();
    let table = u64::from_le_bytes(*whole[0x28..].first_chunk().unwrap()) as usize;
    let mut long = whole.clone();
    long[table + 64 + 0x20 + 3] = 1;
    assert_not_known(&of_bytes(&long).unwrap(), "cut short");
}
