//! AES-CCM, AES-CMAC and AES key wrap.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "aes-ccm/tag-length-in-b0",
        file: "aeads/aes_ccm/portable.rs",
        from: Expression("8 * ((tag_len - 2) / 2) as u8"),
        to: "8 * (tag_len / 2) as u8",
        suite: nets("random:aes-ccm:aes_ccm/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-ccm/additional-data-of-65280-bytes",
        file: "aeads/aes_ccm/portable.rs",
        from: Expression("&[0xff, 0xfe]"),
        to: "&[0xff, 0xff]",
        suite: test("aes_ccm", "additional_data_of_every_length"),
        ..FAULT
    },
    Fault {
        name: "aes-ccm/long-additional-data",
        file: "aeads/aes_ccm/chained.rs",
        from: Expression("0xfeff | u128::from(len.swap_bytes()) << 16"),
        to: "0xfeff | u128::from(len.swap_bytes() >> 8) << 16",
        suite: test("aes_ccm", "additional_data_of_every_length"),
        needs: Some("aes_ccm/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-ccm/no-flag-of-additional-data",
        file: "aeads/aes_ccm/chained.rs",
        from: Expression("if no_aad { 0 } else { 0x40 }"),
        to: "{ let _: bool = no_aad; 0x40 }",
        suite: nets("random:aes-ccm:aes_ccm/x86_64/ssse3"),
        needs: Some("aes_ccm/x86_64/ssse3"),
        ..FAULT
    },
    Fault {
        name: "aes-ccm/text-one-byte-too-long",
        file: "aeads/aes_ccm/mod.rs",
        from: Expression("text_len as u64 > longest_text(nonce.len())"),
        to: "text_len as u64 > longest_text(nonce.len()).saturating_add(1)",
        suite: nets("limits:aes-ccm:aes_ccm/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-ccm/no-precheck-of-one-length",
        file: "aeads/aes_ccm/key.rs",
        from: Expression("text_len as u64 >> 1 >> (length_bits - 1)"),
        to: "text_len as u64 >> 1 >> length_bits.min(63)",
        suite: unit("aes_ccm::tests"),
        ..FAULT
    },
    Fault {
        name: "aes-ccm/what-is-opened-beyond-its-end",
        file: "aeads/aes_ccm/lanes.rs",
        from: Statement("key_stream = key_stream.and(added[g]);"),
        to: "",
        suite: nets("random:aes-ccm-many:aes_ccm/x86_64/aesni_x4"),
        needs: Some("aes_ccm/x86_64/aesni_x4"),
        ..FAULT
    },
    Fault {
        name: "aes-ccm/counter-of-an-end",
        file: "aeads/aes_ccm/lanes.rs",
        from: Expression("texts.len(lane) as u64 / 16 + 1"),
        to: "texts.len(0) as u64 / 16 + 1",
        suite: nets("random:aes-ccm-many:aes_ccm/x86_64/aesni_x4"),
        needs: Some("aes_ccm/x86_64/aesni_x4"),
        ..FAULT
    },
    Fault {
        name: "aes-cmac/subkey-not-reduced",
        file: "aes/aes_cmac/mod.rs",
        from: Expression("v << 1 ^ 0x87 & (v >> 127).wrapping_neg()"),
        to: "v << 1",
        suite: nets("random:aes-cmac:aes_cmac/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-cmac/whole-block-is-padded",
        file: "aes/aes_cmac/portable.rs",
        from: Expression("rest.len().saturating_sub(1) / 16 * 16"),
        to: "rest.len() / 16 * 16",
        suite: nets("random:aes-cmac:aes_cmac/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-cmac/tag-length-of-many",
        file: "aes/aes_cmac/many.rs",
        from: Statement("tag.len = key.0.tag_len;"),
        to: "tag.len = 16;",
        suite: nets("contracts:aes-cmac-many:aes_cmac/x86_64/aesni_x8"),
        needs: Some("aes_cmac/x86_64/aesni_x8"),
        ..FAULT
    },
    Fault {
        name: "aes-kw/half-of-the-check-value",
        file: "aes/aes_kw/mod.rs",
        from: Expression("!ct::verdict(a.ct_eq(&ICV1))"),
        to: "!ct::verdict(a[..4].ct_eq(&ICV1[..4]))",
        suite: test("aes_kw", "every_byte_of_the_initial_value"),
        ..FAULT
    },
    Fault {
        name: "aes-kw/padding-of-8",
        file: "aes/aes_kw/mod.rs",
        from: Expression("!padding.ct_gt(&7)"),
        to: "!padding.ct_gt(&8)",
        suite: nets("contracts:aes-kw:aes_kw/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-kw/padding-is-not-looked-at",
        file: "aes/aes_kw/mod.rs",
        from: Statement("right &= byte.ct_eq(&0) | !padding.ct_gt(&i);"),
        to: "let _: u64 = i; let _ = byte;",
        suite: nets("contracts:aes-kw:aes_kw/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-kw/forged-key-is-left",
        file: "aes/aes_kw/mod.rs",
        from: Statement("buffer.fill(0);\n            return Err(Error::Forged);"),
        to: "return Err(Error::Forged);",
        suite: nets("contracts:aes-kw:aes_kw/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-kw/number-added-to-one-block",
        file: "aes/aes_kw/chained.rs",
        from: Expression("if steps == 1 { 0 } else { added }"),
        to: "added",
        suite: nets("random:aes-kw:aes_kw/x86_64/aesni"),
        needs: Some("aes_kw/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-kw/8-bytes-too-long",
        file: "aes/aes_kw/mod.rs",
        from: Expression("got as u64 > (1 << 32) + 8"),
        to: "got as u64 > (1 << 32) + 16",
        suite: nets("limits:aes-kw:aes_kw/portable"),
        ..FAULT
    },
];
