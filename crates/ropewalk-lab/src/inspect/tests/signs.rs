//! What counts as evidence of an algorithm, and what does not.

use super::*;

#[test]
fn s_box_alone_is_not_aes() {
    let alone = arm64(&[], S_BOX);
    assert_eq!(alone.verdict, Verdict::NothingFound, "{alone:?}");
    assert_eq!((alone.tables.as_slice(), alone.remedy.as_deref()), (&["AES S-box"][..], None));
    assert!(alone.notes[0].contains("no sign of AES"), "{alone:?}");
    // Powers of two in a field are used in other codes as well.
    let constants = b"\x01\x02\x04\x08\x10\x20\x40\x80\x1b\x36";
    assert_eq!(arm64(&[], constants).verdict, Verdict::NothingFound);
    for second in [INVERSE_S_BOX, constants, b"\xa5\x63\x63\xc6\x84\x7c\x7c\xf8"] {
        let found = arm64(&[], &[S_BOX, second].concat());
        assert_eq!(found.verdict, Verdict::NotAtAll, "{found:?}");
        assert!(found.notes.is_empty(), "{found:?}");
    }
    let symbols = [("AES_encrypt", 0, true)];
    let named = found(&Made { data: S_BOX, symbols: &symbols, ..LIBRARY });
    assert_eq!(named.verdict, Verdict::NotAtAll);
    // With instructions it is not reported.
    assert!(arm64(&AES, S_BOX).notes.is_empty());
}

#[test]
fn source_files_are_no_gcm() {
    assert_eq!(arm64(&AES, b"\0../src/aes-gcm.c\0").verdict, Verdict::Accelerated);
    assert_eq!(arm64(&AES, b"\0../src/aes-gcm.c\0id-aes128-GCM\0").verdict, Verdict::Partly);
}

#[test]
fn what_is_not_seen_is_not_denied() {
    let nothing = arm64(&[], &[]);
    assert_eq!(nothing.why, "no sign of AES or SHA-256");
}

/// Linux's modules of AES without tables.
#[test]
fn modules_of_linux_are_known_by_their_names() {
    let module = |said: &[u8], symbols: &[(&str, u64, bool)]| {
        let data = [said, b"\0vermagic=6.1.0-50-arm64 SMP mod_unload aarch64\0"].concat();
        found(&Made { kind: 1, data: &data, symbols, ..LIBRARY })
    };
    let symbols = [("neon_aes_ecb_encrypt", 0, true)];
    for found in [
        module(b"\0alias=crypto-ecb(aes)\0alias=ecb(aes)", &[]),
        module(b"\0alias=crypto-xts(aes)\0", &[]),
        module(b"\0aes-fixed-time\0", &[]),
        module(b"", &symbols),
        module(b"", &[("aesti_encrypt", 0, true)]),
    ] {
        assert_eq!(found.verdict, Verdict::NotAtAll, "{found:?}");
        assert_eq!(found.library(), Some("Linux 6.1.0-50-arm64"));
        assert_eq!(found.algorithms[1].verdict, Verdict::NothingFound, "{found:?}");
        assert!(found.remedy.unwrap().contains("CONFIG_CRYPTO_AES_ARM64_CE_BLK"));
    }
    assert_eq!(module(b"", &[]).verdict, Verdict::NothingFound);
    assert_eq!(module(b"\0alias=crypto-sha1\0", &[]).verdict, Verdict::NothingFound);
}

/// SHA-256's constants in instructions, or as literals in any order.
#[test]
fn constants_of_sha256_in_no_table() {
    let constants = constants::all();
    let reversed: Vec<u8> = constants.iter().rev().flat_map(|it| it.to_le_bytes()).collect();
    let literals = arm64(&[], &reversed);
    assert_eq!(literals.verdict, Verdict::Plain, "{literals:?}");
    assert_eq!(literals.tables, ["SHA-256 constants in its code"]);
    let pairs: Vec<u32> = constants
        .iter()
        .flat_map(|it| [0x5280_0003 | (it & 0xffff) << 5, 0x72a0_0003 | (it >> 16) << 5])
        .collect();
    let made = arm64(&pairs, b"\0OpenSSL 3.0.19 27 Jan 2026\0");
    assert_eq!(made.verdict, Verdict::NotAtAll, "{made:?}");
    assert_eq!(made.why, "SHA-256, and no instructions for that");
}
