//! Remedies that are possible for the file, and files that need none.

use std::fs;

use object::elf::{PF_R, PT_NOTE, SHT_ARM_ATTRIBUTES, SHT_NOTE};

use super::*;

const OPENSSL: &[u8] = b"\0OpenSSL 3.0.19 27 Jan 2026\0";

fn bad(more: &[u8], made: Made<'_>) -> Finding {
    let data = [&tables_of_aes(), K256, OPENSSL, more].concat();
    let found = found(&Made { data: &data, ..made });
    assert_eq!(found.verdict, Verdict::NotAtAll, "{found:?}");
    found
}

fn remedy(more: &[u8], made: Made<'_>) -> String {
    bad(more, made).remedy.unwrap()
}

#[test]
fn openssl_without_assembly_and_with() {
    let plain = remedy(b"platform: debian-arm64\0", LIBRARY);
    assert!(plain.contains("without no-asm:"), "{plain}");
    let generic = bad(b"platform: linux-generic64\0", LIBRARY);
    assert_eq!(generic.platform.as_deref(), Some("linux-generic64"));
    let generic = generic.remedy.unwrap();
    assert!(generic.contains("configured for linux-generic64"), "{generic}");
    assert!(!generic.contains("no-asm"), "{generic}");
    let module = b"\0SHA512 block transform for ARMv8, CRYPTOGAMS by <appro@openssl.org>\0";
    let assembly = remedy(module, LIBRARY);
    assert!(!assembly.contains("no-asm") && assembly.contains("the assembly in it"), "{assembly}");
}

#[test]
fn abi_of_the_file_decides_the_target() {
    for (flags, triple) in [
        (0x0500_0400, "arm-linux-gnueabihf-"),
        (0x0500_0200, "arm-linux-gnueabi-"),
        (0x0500_0000, "arm-linux-gnueabihf-"),
    ] {
        let line = remedy(b"", Made { flags, ..NARROW });
        assert!(line.contains(&format!("--cross-compile-prefix={triple} ")), "{line}");
    }
    assert_eq!(bad(b"", Made { flags: 0x0500_0200, ..NARROW }).abi, Some(Abi::SoftFloat));
    // Objects have attributes: the size of wide characters, and how floats are passed.
    let attributes = |file: &[u8]| {
        let part = [&[1][..], &(file.len() as u32 + 5).to_le_bytes(), file].concat();
        let vendor = [&b"aeabi\0"[..], &part].concat();
        [&b"A"[..], &(vendor.len() as u32 + 4).to_le_bytes(), &vendor].concat()
    };
    for (file, abi) in [
        (&b"\x05Cortex-A7\0\x12\x04\x1c\x01"[..], Some(Abi::HardFloat)),
        (b"\x05Cortex-A7\0\x12\x04\x1a\x02", Some(Abi::SoftFloat)),
        (b"\x05Cortex-A7\0\x06\x0a", None),
        (b"\x05Cortex", None),
    ] {
        let bytes = attributes(file);
        let more = [(".ARM.attributes", SHT_ARM_ATTRIBUTES, &bytes[..])];
        let object = Made { kind: 1, flags: 0x0500_0000, more: &more, ..NARROW };
        assert_eq!(found(&object).abi, abi, "{file:?}");
    }
}

#[test]
fn android_is_built_with_its_ndk() {
    let note = [&[8, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0][..], b"Android\0", &[21, 0, 0, 0]].concat();
    let more = [(".note.android.ident", SHT_NOTE, &note[..])];
    let data = [&tables_of_aes(), OPENSSL].concat();
    let made = Made { code: &[0; 16], data: &data, more: &more, ..LIBRARY };
    let bytes = made.bytes();
    let start = bytes.windows(note.len()).position(|it| it == note).unwrap();
    let segments = [(PT_NOTE, PF_R.0, start as u64, note.len() as u64)];
    let found = found(&Made { segments: &segments, ..made });
    assert_eq!(found.abi, Some(Abi::Android), "{found:?}");
    let line = found.remedy.unwrap();
    assert!(line.contains("Android's NDK") && line.contains("android-arm64"), "{line}");
}

/// Code in C that was compiled without optimisation.
#[test]
fn optimisation_that_is_missing_is_a_fault() {
    let without = b"\0GNU C17 12.2.0 -mlittle-endian -mabi=lp64 -g -O0\0";
    let accelerated = arm64(&[AES, SHA].concat(), without);
    assert_eq!(accelerated.verdict, Verdict::Partly, "{accelerated:?}");
    assert!(accelerated.why.contains("-O0"), "{accelerated:?}");
    assert_eq!(accelerated.remedy.as_deref(), Some("compile it with -O2 or more"));
    assert!(accelerated.is_fault());
    assert_eq!(accelerated.by_instructions().0, Verdict::Accelerated);
    let plain = arm64(&[], &[without, K256].concat());
    assert_eq!(plain.verdict, Verdict::NotAtAll, "{plain:?}");
    let slow = bad(without, LIBRARY);
    let remedy = slow.remedy.unwrap();
    assert!(remedy.starts_with("compile it with -O2 or more; build it again"), "{remedy}");
    // Files without cryptography may be compiled in any way, and assembly language is not compiled.
    assert_eq!(arm64(&[], without).verdict, Verdict::NothingFound);
    let module = b"\0AES for ARMv8, CRYPTOGAMS by <appro@openssl.org>\0";
    let assembly = arm64(&AES, &[&without[..], module].concat());
    assert_eq!(assembly.verdict, Verdict::Accelerated);
    assert!(assembly.notes.iter().any(|note| note.contains("-O0")), "{assembly:?}");
    assert_eq!(arm64(&AES, b"\0GNU C17 12.2.0 -g -O2\0").verdict, Verdict::Accelerated);
}

#[test]
fn newer_openssl_for_arm_is_a_note() {
    let notes = |said: &[u8]| arm64(&AES, said).notes;
    assert!(notes(OPENSSL)[0].contains("3.1"), "{:?}", notes(OPENSSL));
    assert!(notes(b"\0OpenSSL 3.5.4 30 Sep 2025\0").is_empty());
}

/// A file for processors without instructions, with another in its folder for processors with them.
#[test]
fn fallback_by_its_side_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let slow = Made { code: &[0; 16], data: &tables_of_aes(), ..LIBRARY }.bytes();
    let fast = Made { code: &words(&AES), ..LIBRARY }.bytes();
    let path = folder.path().join("_raw_aes.abi3.so");
    fs::write(&path, &slow).unwrap();
    assert_eq!(inspect(&path).unwrap().verdict, Verdict::NotAtAll);
    let other = folder.path().join("_raw_aesni.abi3.so");
    // One without instructions does not help.
    fs::write(&other, &slow).unwrap();
    assert_eq!(inspect(&path).unwrap().verdict, Verdict::NotAtAll);
    fs::write(&other, &fast).unwrap();
    let found = inspect(&path).unwrap();
    assert_eq!((found.verdict, found.remedy.as_deref()), (Verdict::Fallback, None));
    assert!(!found.verdict.is_bad() && found.why.contains("_raw_aesni.abi3.so"), "{found:?}");
    // One with another name does not help.
    let alone = folder.path().join("aes.so");
    fs::write(&alone, &slow).unwrap();
    assert_eq!(inspect(&alone).unwrap().verdict, Verdict::NotAtAll);

    // Modules of one kernel are in several folders, and can be compressed.
    let kernel = folder.path().join("lib/modules/6.1.0/kernel");
    fs::create_dir_all(kernel.join("crypto")).unwrap();
    fs::create_dir_all(kernel.join("arch/arm64/crypto")).unwrap();
    let generic = kernel.join("crypto/aes_ti.ko");
    fs::write(&generic, &slow).unwrap();
    assert_eq!(inspect(&generic).unwrap().verdict, Verdict::NotAtAll);
    fs::write(kernel.join("arch/arm64/crypto/aes-ce-blk.ko.xz"), b"\xfd7zXZ\0").unwrap();
    assert_eq!(inspect(&generic).unwrap().verdict, Verdict::Fallback);
}
