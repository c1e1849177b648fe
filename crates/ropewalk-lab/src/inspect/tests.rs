//! Whole files, as `inspect` tells them.

use std::{
    fs::File,
    io::{Seek, SeekFrom, Write},
    path::Path,
};

use super::{
    made::{
        self, AMD64, INVERSE_S_BOX, K256, LIBRARY, Made, NARROW, S_BOX, archive, header, words,
    },
    *,
};

mod no_code;
mod remedies;
mod signs;

/// AESE and AESMC, SHA256H and SHA256H2, PMULL and PMULL2, as encoded by an assembler.
const AES: [u32; 4] = [0x4e28_4862, 0x4e28_6842, 0x4e28_4841, 0x4e28_6821];
const SHA: [u32; 4] = [0x5e03_4041, 0x5e03_5041, 0x5e03_6041, 0x5e28_2841];
const PRODUCTS: [u32; 2] = [0x0ee3_e041, 0x4ee3_e041];

/// Tables that are only for AES.
fn tables_of_aes() -> Vec<u8> {
    [S_BOX, INVERSE_S_BOX].concat()
}

/// The findings: without code of its own, it gets code that does nothing.
fn found(made: &Made<'_>) -> Finding {
    let code = if made.code.is_empty() { &[0; 16] } else { made.code };
    of_bytes(&Made { code, ..made.clone() }.bytes()).unwrap()
}

fn arm64(code: &[u32], data: &[u8]) -> Finding {
    found(&Made { code: &words(code), data, ..LIBRARY })
}

#[test]
fn verdict_is_that_of_the_code() {
    let both = [AES, SHA].concat();
    let said = b"\0OpenSSL 3.0.19 27 Jan 2026\0compiler: gcc -O2 -DNDEBUG\0";
    let tables = [S_BOX, INVERSE_S_BOX, said, K256].concat();

    let good = arm64(&both, &tables);
    assert_eq!((good.verdict, good.architecture), (Verdict::Accelerated, "aarch64"));
    assert_eq!(good.library(), Some("OpenSSL 3.0.19 27 Jan 2026"));
    assert_eq!(good.compiler.as_deref(), Some("gcc -O2 -DNDEBUG"));
    assert_eq!(good.instructions[0], Count { instruction: "AESE", of: Use::Aes, count: 2 });
    assert_eq!(good.tables, ["AES S-box", "AES inverse S-box", "SHA-256 constants"]);
    assert_eq!(
        (good.remedy, good.form.as_str()),
        (None, "a shared library or a program, stripped")
    );

    let partly = arm64(&AES, &tables);
    assert_eq!(partly.verdict, Verdict::Partly);
    let [aes, sha] = &partly.algorithms[..] else { panic!("{partly:?}") };
    assert_eq!((aes.verdict, aes.why.as_str()), (Verdict::Accelerated, "2 AESMC"));
    assert_eq!((sha.verdict, sha.why.as_str()), (Verdict::NotAtAll, "SHA-256 constants"));
    // Three could be due to chance.
    let bad = arm64(&AES[..3], &tables);
    assert_eq!(bad.verdict, Verdict::NotAtAll);
    assert!(bad.remedy.unwrap().contains("./Configure linux-aarch64"));
    assert_eq!(arm64(&AES, &[]).verdict, Verdict::Accelerated);
    assert_eq!(arm64(&[0xd503_201f; 9], &[]).verdict, Verdict::NothingFound);
    // Marked data is not counted.
    assert_eq!(arm64(&[], &words(&both)).verdict, Verdict::NothingFound);
    // A table among code: one word, repeated.
    assert_eq!(arm64(&[AES[0]; 64], &tables_of_aes()).verdict, Verdict::NotAtAll);
}

#[test]
fn verdict_on_gcm_asks_for_products() {
    let name = b"\0id-aes128-GCM\0";
    let partly = arm64(&AES, name);
    assert_eq!(partly.verdict, Verdict::Partly);
    assert!(partly.why.contains("none for its GCM"), "{partly:?}");
    let all = [&AES[..], &PRODUCTS].concat();
    assert_eq!(arm64(&all, name).verdict, Verdict::Accelerated);
    // Without GCM, none is needed.
    assert_eq!(arm64(&AES, b"AES-128-CBC").verdict, Verdict::Accelerated);
    let none = [&AES[..], &SHA].concat();
    let made = [("gcm_ghash_4bit", 0, true)];
    let named = found(&Made { code: &words(&none), symbols: &made, ..LIBRARY });
    assert_eq!(named.verdict, Verdict::Partly);
}

/// Archivers and service managers contain a hash function: this is not a fault.
#[test]
fn hash_alone_is_no_fault() {
    let plain = arm64(&[0xd503_201f; 9], K256);
    assert_eq!((plain.verdict, plain.remedy.as_deref()), (Verdict::Plain, None));
    assert!(!plain.verdict.is_bad() && plain.why.contains("in no library"), "{plain:?}");
    // With AES it encrypts; a library of cryptography, or a function of one, is there for that.
    let both = arm64(&[], &[&tables_of_aes(), K256].concat());
    let known = arm64(&[], &[K256, b"\0OpenSSL 3.0.19 27 Jan 2026\0"].concat());
    let symbols = [("sha256_block_data_order", 0, true)];
    let named = found(&Made { data: K256, symbols: &symbols, ..LIBRARY });
    for other in [both, known, named, arm64(&[], &tables_of_aes())] {
        assert_eq!(other.verdict, Verdict::NotAtAll, "{other:?}");
    }
}

/// Many symbols can share one long name, and marks take memory.
#[test]
fn many_symbols_take_little_time() {
    let name = format!("aes_v8_{}", "x".repeat(240));
    let symbols = [("aes_v8_encrypt", 0, true), (&*name, 0, true), ("$x", 0, false)];
    let made = Made { code: &[0; 16], symbols: &symbols, ..LIBRARY }.bytes();
    let table = u64::from_le_bytes(*made[40..].first_chunk().unwrap()) as usize;
    // The table of symbols again, at the end of the file, with one of them many times.
    let with = |symbol: usize, count: usize| {
        let header = table + 64 * 3;
        let at = |field: usize| {
            let from = header + field;
            u64::from_le_bytes(*made[from..].first_chunk().unwrap()) as usize
        };
        let symbols = &made[at(0x18)..at(0x18) + at(0x20)];
        let one = &symbols[24 * symbol..24 * symbol + 24];
        let more = [symbols, &one.repeat(count)].concat();
        let mut changed = [&made[..], &more].concat();
        changed[header + 0x18..header + 0x20].copy_from_slice(&(made.len() as u64).to_le_bytes());
        changed[header + 0x20..header + 0x28].copy_from_slice(&(more.len() as u64).to_le_bytes());
        changed
    };
    let found = of_bytes(&with(2, 500_000)).unwrap();
    assert_eq!(found.functions[0].names, ["aes_v8_encrypt", &name]);
    assert!((2..5000).contains(&found.functions[0].count), "{:?}", found.functions);
    let said = of_bytes(&with(3, 1 << 22)).unwrap_err().to_string();
    assert!(said.starts_with("more than 4194304 marks"), "{said}");
}

/// Mbed TLS 2.28 computes its AES tables when it is first used.
#[test]
fn function_is_enough_where_tables_are_made_at_run_time() {
    let symbols = [("mbedtls_aes_encrypt", 0, true), ("mbedtls_internal_sha256_process", 4, true)];
    let bad = found(&Made { code: &words(&[0xd503_201f; 9]), symbols: &symbols, ..LIBRARY });
    assert_eq!(bad.verdict, Verdict::NotAtAll);
    assert_eq!(bad.why, "AES and SHA-256, and no instructions for that");
    assert_eq!((bad.functions.len(), bad.functions[0].with), (2, With::Anything));
    assert_eq!(bad.functions[0].names, ["mbedtls_aes_encrypt"]);
    let vectors = [("vpaes_encrypt", 0, true)];
    let bad = found(&Made { symbols: &vectors, ..LIBRARY });
    assert_eq!(
        (bad.verdict, bad.algorithms[0].why.as_str()),
        (Verdict::NotAtAll, "vpaes_encrypt with vectors")
    );
    // A name that suggests instructions is not enough.
    let named = [("aes_v8_encrypt", 0, true)];
    assert_eq!(found(&Made { symbols: &named, ..LIBRARY }).verdict, Verdict::NotAtAll);
}

/// Go's runtime uses AES to hash the keys of its maps, in every program.
#[test]
fn hashes_of_go_are_no_encryption() {
    let said = [&b"\xff Go buildinf:\x08\x02"[..], &[0; 16], b"\x08go1.24.2\0"].concat();
    let of = |names: &[u8]| arm64(&AES, &[&said[..], names].concat());
    assert_eq!(of(b"").verdict, Verdict::NothingFound);
    assert_eq!(of(&tables_of_aes()).verdict, Verdict::NotAtAll);
    let with = of(b"\0crypto/internal/fips140/aes.encryptBlockAsm\0");
    assert_eq!((with.verdict, with.library()), (Verdict::Accelerated, Some("Go 1.24.2")));
    let without = of(b"\0crypto/internal/fips140/aes.encryptBlockGeneric\0");
    assert_eq!(without.verdict, Verdict::NotAtAll);
}

#[test]
fn marks_tell_data_in_code_apart() {
    // Isolated: with a mark it counts, and without one it could be data.
    let far: Vec<u32> = SHA.iter().flat_map(|word| [&[*word][..], &[0; 40]].concat()).collect();
    let code = words(&far);
    let of = |symbols: &[(&str, u64, bool)]| found(&Made { code: &code, symbols, ..LIBRARY });
    assert_eq!(of(&[]).verdict, Verdict::NothingFound);
    assert_eq!(of(&[("$x", 0, false)]).verdict, Verdict::Accelerated);
    assert_eq!(of(&[("$x.42", 0, false)]).verdict, Verdict::Accelerated);
    assert_eq!(of(&[("$d", 0, false)]).verdict, Verdict::NothingFound);
    assert_eq!(of(&[("$x", 0, false), ("$d", 4, false)]).instructions[0].count, 1);
    // With neighbours, but marked.
    let data = [("$x", 0, false), ("$d", 8, false)];
    let marked = found(&Made { code: &words(&AES), symbols: &data, ..LIBRARY });
    assert_eq!(marked.instructions.iter().map(|count| count.count).sum::<u64>(), 2);
}

/// The instructions for AES and SHA-256 of every architecture, and files without them.
#[test]
fn every_architecture_is_told() {
    let x86 = [&[0x66, 0x0f, 0x38, 0xdc, 0xc1][..], &[0x0f, 0x38, 0xcb, 0xc1]].concat().repeat(4);
    let arm = words(&[0xf3b0_2324, 0xf3b0_23a4, 0xf3b0_2364, 0xf3b0_23e4]);
    let arm = [arm, words(&[0xf304_2cc6, 0xf314_2cc6, 0xf324_2cc6, 0xf3ba_23e4])].concat();
    let arm_big: Vec<u8> =
        arm.as_chunks::<4>().0.iter().flat_map(|&[a, b, c, d]| [d, c, b, a]).collect();
    let riscv = words(&[0x32c5_8533, 0x36c5_8533, 0x3ac5_8533, 0x3ec5_8533]);
    let riscv = [riscv, words(&[0x1025_9513, 0x1035_9513, 0x1005_9513, 0x1015_9513])].concat();
    let data = [&tables_of_aes(), K256].concat();
    let be8 = 0x0080_0000;
    let files = [
        ("x86-64", x86.clone(), Made { machine: AMD64, ..LIBRARY }),
        ("i386", x86, Made { machine: made::I386, ..NARROW }),
        ("aarch64", words(&[AES, SHA].concat()), LIBRARY),
        ("aarch64", words(&[AES, SHA].concat()), Made { big_endian: true, ..LIBRARY }),
        ("arm", arm.clone(), NARROW),
        ("arm", arm, Made { big_endian: true, flags: be8, ..NARROW }),
        ("arm", arm_big, Made { big_endian: true, ..NARROW }),
        ("riscv64", riscv, Made { machine: made::RISCV, ..LIBRARY }),
    ];
    for (name, code, made) in files {
        let with = found(&Made { code: &code, data: &data, ..made.clone() });
        assert_eq!((with.architecture, with.verdict), (name, Verdict::Accelerated), "{with:?}");
        let without = found(&Made { data: &data, ..made.clone() });
        assert_eq!((without.architecture, without.verdict), (name, Verdict::NotAtAll));
        let nothing = found(&made);
        assert_eq!((nothing.architecture, nothing.verdict), (name, Verdict::NothingFound));
    }
}

#[test]
fn what_could_be_newer_is_a_note() {
    let narrow = [0x66, 0x0f, 0x38, 0xdc, 0xc1].repeat(4);
    let wide = [&narrow[..], &[0xc4, 0xe2, 0x7d, 0xdc, 0xc1]].concat();
    let of = |code: &[u8]| found(&Made { machine: AMD64, code, ..LIBRARY });
    assert_eq!((of(&narrow).verdict, of(&narrow).notes.len()), (Verdict::Accelerated, 1));
    assert!(of(&narrow).notes[0].starts_with("could be newer: "));
    assert_eq!((of(&wide).verdict, of(&wide).notes.len()), (Verdict::Accelerated, 0));
}

/// This program has every backend of ropewalk in it.
#[test]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn this_program_is_accelerated() {
    let found = inspect(&std::env::current_exe().unwrap()).unwrap();
    assert_eq!(found.verdict, Verdict::Accelerated, "{found:?}");
    let has = |name: &str| found.instructions.iter().any(|count| count.instruction == name);
    if cfg!(target_arch = "x86_64") {
        assert!(has("AESENC") && has("VAESENC zmm") && has("VPMADD52 zmm"), "{found:?}");
    } else {
        assert!(has("AESE") && has("SHA256H") && has("SHA512H"), "{found:?}");
    }
}

#[test]
fn archives_are_their_members() {
    let object = Made { code: &words(&AES), kind: 1, ..LIBRARY }.bytes();
    let two = archive(&[("a.o/", &object), ("text/", b"odd"), ("b.o/", &object)]);
    let found = of_bytes(&two).unwrap();
    assert_eq!((found.verdict, found.architecture), (Verdict::Accelerated, "aarch64"));
    assert_eq!(found.form, "an archive of 2 objects");
    assert_eq!(found.instructions[0].count, 4);
    // BSD's long names precede the member.
    let long = [&b"a_name_of_twenty.o\0\0"[..], &object].concat();
    assert_eq!(of_bytes(&archive(&[("#1/20", &long)])).unwrap().instructions[0].count, 2);

    let said = |bytes: &[u8]| format!("{:#}", of_bytes(bytes).unwrap_err());
    let other = Made { machine: AMD64, code: &[0xc3], ..LIBRARY }.bytes();
    let mixed = archive(&[("a.o/", &object), ("b.o/", &other)]);
    assert_eq!(said(&mixed), "an archive for several architectures");
    assert_eq!(said(&archive(&[("text/", b"text")])), "an archive without ELF objects");
    assert_eq!(said(b"!<arch>\n"), "an archive without ELF objects");
    assert_eq!(said(&archive(&[("a.a/", &two)])), "an archive of archives: unpack it with ar x");
    let package = archive(&[("debian-binary", b"2.0\n")]);
    assert_eq!(said(&package), "a Debian package: unpack it with dpkg-deb -x");
    assert!(said(b"!<thin>\n").starts_with("a thin archive"));
    assert_eq!(said(&two[..80]), "a damaged archive: a.o ends behind its end");
    assert_eq!(said(&two[..40]), "a damaged archive");
    let cut = archive(&[("a.o/", &object[..40])]);
    assert!(said(&cut).starts_with("a.o: a damaged ELF file"), "{}", said(&cut));
}

#[test]
fn what_is_no_library_is_said_in_one_line() {
    let said = |bytes: &[u8]| format!("{:#}", of_bytes(bytes).unwrap_err());
    assert_eq!(said(b""), "not a binary file");
    assert_eq!(said(b"INPUT(libcrypto.so.3)\n"), "not a binary file");
    assert!(said(&[&b"MZ"[..], &[0; 200]].concat()).starts_with("for DOS, or damaged; "));
    let mach_o = [&[0xcf, 0xfa, 0xed, 0xfe][..], &[0; 200]].concat();
    assert!(said(&mach_o).starts_with("for Unknown (Mach-O); "), "{}", said(&mach_o));
    assert!(said(&[&[0x64, 0x86][..], &[0; 200]].concat()).starts_with("a COFF object"));
    let whole = Made { code: &[0; 64], ..LIBRARY }.bytes();
    for len in [8, 40, 63] {
        assert!(said(&whole[..len]).starts_with("a damaged ELF file"), "{len}");
    }
    let other = said(&Made { machine: 22, ..LIBRARY }.bytes());
    assert!(other.starts_with("for s390; ") && other.ends_with("arm and riscv64"), "{other}");
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(inspect(folder.path()).unwrap_err().to_string(), "a folder: name the files in it");
    let none = inspect(&folder.path().join("none")).unwrap_err().to_string();
    assert!(none.starts_with("No such file"), "{none}");
}

/// Opening a pipe blocks until it has a writer.
#[test]
#[cfg(unix)]
fn pipe_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || tell.send(inspect(&pipe).unwrap_err().to_string()));
    let patience = std::time::Duration::from_secs(600);
    assert_eq!(told.recv_timeout(patience).expect("an answer"), "not a file");
}

/// A truncated or changed file gives at most an error, and does not take long.
#[test]
fn damage_is_an_error_or_nothing() {
    let symbols = [("$x", 0, false), ("aes_v8_encrypt", 0, true)];
    let code = words(&[AES, SHA].concat());
    for made in [LIBRARY, NARROW, Made { big_endian: true, ..NARROW }] {
        let whole = Made { code: &code, data: S_BOX, symbols: &symbols, ..made }.bytes();
        for len in 0..whole.len() {
            let _ = of_bytes(&whole[..len]);
        }
        for at in 0..whole.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = whole.clone();
                changed[at] = value;
                let _ = of_bytes(&changed);
            }
        }
    }
}

/// Files that are too large for memory are read in parts, or not at all. The sparse files take no space on
/// disk.
#[test]
fn large_files_are_read_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.a");
    let object = Made { code: &words(&AES), kind: 1, ..LIBRARY }.bytes();
    let large = |start: &[u8], len: u64, end: &[u8], path: &Path| {
        let mut file = File::create(path).unwrap();
        file.write_all(start).unwrap();
        file.seek(SeekFrom::Start(start.len() as u64 + len)).unwrap();
        file.write_all(end).unwrap();
        file.set_len(start.len() as u64 + len + end.len() as u64).unwrap();
    };
    // Two GiB that are not an object, and one after them.
    let len = 2 << 30;
    let start = [b"!<arch>\n", header("zeros", len).as_bytes()].concat();
    let end = [header("a.o", object.len() as u64).as_bytes(), &object].concat();
    large(&start, len, &end, &path);
    assert_eq!(inspect(&path).unwrap().form, "an archive of one object");
    // An object of two GiB.
    let start = [b"!<arch>\n", header("a.o", len).as_bytes(), &object].concat();
    large(&start, len - object.len() as u64, &[], &path);
    let said = format!("{:#}", inspect(&path).unwrap_err());
    assert!(said.starts_with("a.o: 2048 MiB: more than 512 are not read"), "{said}");
    large(&object, len, &[], &path);
    let said = inspect(&path).unwrap_err().to_string();
    assert!(said.starts_with("2048 MiB: more than 512 are not read"), "{said}");
}
